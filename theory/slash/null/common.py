"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.score import DISTRIBUTION, length, probability, prompt, prompts

__all__ = [
    "COUPLING",
    "IN_OTHER",
    "IN_PROMPT",
    "PAIR",
    "PLACE",
    "UNSHOWN_COUPLING",
    "UNSHOWN_DISTRIBUTION",
    "c",
    "content",
    "coupling",
    "logit",
    "mean",
    "normaliser",
    "other",
    "place",
    "term",
    "weight",
]

place, other, c = integer("a R c")


content, logit, coupling = real_function("x"), real_function("F"), real_function("C")


IN_PROMPT = (le(0, prompt), le(prompt, prompts - 1))


IN_OTHER = (le(0, other), le(other, prompts - 1))


PLACE = (le(1, place), le(place, i - 1))


PAIR = (le(2, place), le(place, length), *IN_PROMPT, *IN_OTHER)


COUPLING = (
    Hypothesis(
        "the coupling is not negative",
        Every((place, prompt, other), If(Both(*PAIR), le(0, coupling(place, prompt, other)))),
        idle="its sign is never used: the two averages agree pair by pair",
    ),
    Hypothesis(
        "its first law is the prompts'",
        Every(
            (place, prompt),
            If(
                Both(le(2, place), le(place, length), *IN_PROMPT),
                eq(
                    sp.Sum(coupling(place, prompt, other), (other, 0, prompts - 1)),
                    probability(prompt),
                ),
            ),
        ),
    ),
    Hypothesis(
        "its second law is the prompts'",
        Every(
            (place, other),
            If(
                Both(le(2, place), le(place, length), *IN_OTHER),
                eq(
                    sp.Sum(coupling(place, prompt, other), (prompt, 0, prompts - 1)),
                    probability(other),
                ),
            ),
        ),
    ),
    Hypothesis(
        "it exchanges positions 1 and a",
        Every(
            (place, prompt, other, j),
            If(
                Both(*PAIR, le(1, j), le(j, length), ne(coupling(place, prompt, other), 0)),
                Both(
                    eq(content(other, 1), content(prompt, place)),
                    eq(content(other, place), content(prompt, 1)),
                    If(Both(ne(j, 1), ne(j, place)), eq(content(other, j), content(prompt, j))),
                ),
            ),
        ),
    ),
)


def term(which: Any, position: Any) -> Any:
    """exp of the logit of a position's content with the query of row i."""
    return sp.exp(logit(content(which, position), content(which, i)))


def normaliser(which: Any) -> Any:
    """The row's normaliser over its keys 1..i."""
    return sp.Sum(term(which, j), (j, 1, i))


def weight(which: Any, position: Any) -> Any:
    """S_{i, position} on a prompt."""
    return term(which, position) / normaliser(which)


def mean(position: Any) -> Any:
    """E S_{i, position}."""
    return sp.Sum(probability(prompt) * weight(prompt, position), (prompt, 0, prompts - 1))


def _trivial(size: int) -> tuple[Any, ...]:
    """One prompt of equal tokens: the coupling sits on it."""
    return (
        eq(prompts, 1),
        eq(length, size),
        eq(i, size),
        eq(place, 2),
        eq(probability(0), 1),
        *(eq(content(0, position), 0) for position in range(1, size + 1)),
        *(eq(coupling(a, 0, 0), 1) for a in range(2, size + 1)),
    )


UNSHOWN_COUPLING = (
    COUPLING[0],
    *(
        Hypothesis(
            h.name,
            h.formula,
            unshown="without exchangeability one position may always hold the token that is liked",
        )
        for h in COUPLING[1:]
    ),
)


UNSHOWN_DISTRIBUTION = tuple(
    Hypothesis(h.name, h.formula, unshown="the average is over probabilities") for h in DISTRIBUTION
)
