"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j
from ropeproof.theory.topics.slash.corpus import kappa, length
from ropeproof.theory.topics.slash.lags import offset

margin = real("Gamma")
all_x, all_y = real_function("X_q"), real_function("Y_q")
keys_x, keys_y = real_function("X_k"), real_function("Y_k")
MEANINGS: Meanings = {
    margin: "the margin, in logits",
    (all_x, all_y): shown_as(
        "q̃", r"\tilde q", "another query: of a prompt's row, or of another prompt"
    ),
    **dict.fromkeys((all_x, all_y, keys_x, keys_y), "coordinates, in a plane, of a query or key"),
    (keys_x, keys_y): shown_as("k̃", r"\tilde k", "other keys: of a prompt, or of another prompt"),
}
odds = (length - 1) * kappa / (1 - kappa)

COMPETITOR = Hypothesis(
    "there is a competitor", le(2, length), idle="without one the target has all the weight"
)
SCORE_RANGE = (
    Hypothesis("the score is positive", lt(0, kappa), idle="a weight is never below such a score"),
    Hypothesis("the score is below 1", lt(kappa, 1)),
)


def large_enough(distance: Term) -> Formula:
    """The margin is large enough for logits that move by a distance."""
    return le(2 * distance + sp.log(odds), margin)


def wins(logits: Callable[..., Any], count: Term = length) -> Formula:
    """The target keeps the margin over every other lag below `count`."""
    rivals = Both(le(0, j), le(j, count - 1), ne(j, offset))
    return Every((j,), If(rivals, le(logits(j) + margin, logits(offset))))
