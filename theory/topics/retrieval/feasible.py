"""With average-hard attention the retrieval construction returns the token asked for."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.trigonometry.cosine import (
    TRIG_COSINE_DECREASING,
    TRIG_COSINE_STRICTLY_DECREASING,
)
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.index.construction import weight
from ropeproof.theory.topics.retrieval import construction
from ropeproof.theory.topics.retrieval.construction import (
    LETTERS,
    RETRIEVAL_GAP,
    angle,
    apart,
    letters,
    query,
    step,
)

a, c, k = integer("a c k")
left = integer_function("phi")
token = real_function("x")
MEANINGS: Meanings = {
    **construction.MEANINGS,
    k: "a position",
    left: "places of the left letters, by position",
    token: "token at a position, by position and coordinate",
}


def logit(place: Term) -> Term:
    """The logit at a position, for the query at position n - 1."""
    return apart(left(place), query, (n - 1 - place) * angle)


span = (n - 1) * angle
output = sp.Sum(weight(j) * token(j, c), (j, 0, n - 1))
all_weight = sp.Sum(weight(j), (j, 0, n - 1))
alphabet = every(j, 0, n - 1, Both(le(0, left(j)), le(left(j), letters - 1)))
pairs = Both(*within(j, 0, n - 1).args, *within(k, 0, n - 1).args, ne(weight(j), 0))
hard = Every((j, k), If(pairs, le(logit(k), logit(j))))
functional = Every(
    (j,), If(Both(*within(j, 0, n - 1).args, eq(left(j), left(a))), eq(token(j, c), token(a, c)))
)
ALPHABET = Hypothesis(
    "letters are in the alphabet", Both(alphabet, le(0, query), le(query, letters - 1))
)
TARGET = Hypothesis("the target is a position", Both(le(0, a), le(a, n - 1)))
ASKED = Hypothesis("its left letter is the query's", eq(left(a), query))
FUNCTIONAL = Hypothesis("equal left letters, equal tokens", functional)
HARD = Hypothesis("attention goes to the largest logits", hard)
ONE = Hypothesis("weights add up to 1", eq(all_weight, 1))
SLOW = Hypothesis(
    "the rotation over the length stays under half a step", Both(le(0, angle), lt(2 * span, step))
)


def _lower(p: Proof) -> Fact:
    """A position with another letter has a lower logit than the target."""
    row = p.under(within(j, 0, n - 1))
    different = row.under(ne(left(j), left(a)))
    lag = (n - 1 - a) * angle

    rotation = row.show(
        within((n - 1 - j) * angle, 0, span),
        "No lag of the row turns by more than the whole length.",
        SLOW,
    )
    spans = p.show(
        within(span, 0, sp.pi),
        "With at least one letter a step is at most a whole turn. The whole length turns by "
        "less than half a turn.",
        (SLOW, LETTERS, ALPHABET, TARGET),
    )

    letters_in = p.show(alphabet, "All letters are in the alphabet, by hypothesis.", ALPHABET)
    letter = row.use(
        letters_in, why="In particular the letter at the position j is in the alphabet."
    )
    target_letter = p.use(
        letters_in, TARGET, why="In particular the target's letter is in the alphabet."
    )
    less = different.show(
        lt(step, 2 * sp.pi),
        "If the two letters differ there are at least two, so a step is less than a turn.",
        (target_letter, letter, LETTERS),
    )
    far = different.lemma(
        RETRIEVAL_GAP.at(phi=left(j), v=(n - 1 - j) * angle, h=span),
        (letter, ASKED, rotation, LETTERS, ALPHABET, SLOW),
        why="A position with another letter has at most this cosine, by the gap of the letters.",
    )
    farther = different.apply(
        TRIG_COSINE_STRICTLY_DECREASING.at(y=step - span),
        (SLOW, spans, less),
        why="The angle on the left is the larger one, so its cosine is less.",
    )
    target_rotation = p.use(
        rotation, {j: a}, TARGET, why="The target's lag turns by no more than the whole length."
    )
    near = p.apply(
        TRIG_COSINE_DECREASING,
        (target_rotation, spans),
        why="So the target's cosine is at least that of the whole length.",
    )
    target = p.show(
        eq((left(a) - query) * step + lag, lag),
        "The target's letter is the query's, so its angle is that of its lag alone.",
        ASKED,
    ).image(sp.cos, "So the target's logit is the cosine of this angle.")
    return different.show(
        lt(logit(j), logit(a)),
        "So the logit of a position with another letter is lower than the target's.",
        (far, farther, near, target),
    )


def _row(
    lefts: tuple[int, ...] = (0, 1),
    tokens: tuple[int, ...] = (1, 2),
    weights: tuple[int, ...] = (0, 1),
    asked: int = 0,
    tenths: int = 1,
) -> Values:
    """Left letters, tokens and weights by position, the target being the first; the angle."""
    shown: Values = {token(place, 0): name for place, name in enumerate(tokens)}
    row: Values = {
        n: len(weights),
        letters: 8,
        query: asked,
        a: 0,
        c: 0,
        angle: sp.Rational(tenths, 10),
    }
    return row | listed(left, *lefts) | shown | listed(weight, *weights)


@theorem(
    "retrieval.feasible",
    source=HEADS.at("section 3.4, Theorem 3.1", "repaired"),
    needs="PTXW",
    hypotheses=(LETTERS, ALPHABET, TARGET, ASKED, FUNCTIONAL, HARD, ONE, SLOW),
    conclusion=eq(output, token(a, c)),
    attack=Attack(
        {
            "twice the token": eq(output, 2 * token(a, c)),
            "the query's token": eq(output, token(n - 1, c)),
        },
        at={"twice the token": _row(weights=(1, 0)), "the query's token": _row(weights=(1, 0))},
        without={
            LETTERS: _row(tenths=3) | {step: 6},
            ALPHABET: _row(lefts=(0, 8)),
            TARGET: _row((1,), (2,), (1,)) | {a: 3, left(3): 0, token(3, 0): 1},
            ASKED: _row(asked=1),
            FUNCTIONAL: _row(lefts=(0, 0)),
            HARD: _row(),
            ONE: _row(weights=(0, 0)),
            SLOW: _row(lefts=(1, 2), asked=1, tenths=20),
        },
    ),
)
def RETRIEVAL_FEASIBLE(p: Proof) -> None:
    r"""With average-hard attention the retrieval construction computes Retrieval

    On functional inputs (equal left letters, equal tokens) with $0\le2(n-1)\theta<\omega$
    average-hard attention with $W_V=I$ and output $a$ returns exactly the token whose left letter
    is the query's: all largest logits lie on it. ($\theta<\omega/2n_0$ for all lengths $n\le n_0$.)
    """
    row = p.under(within(j, 0, n - 1))
    lower = _lower(p)
    largest = row.under(ne(weight(j), 0)).use(
        HARD,
        TARGET,
        why="If the position had any weight, its logit would be at least the target's.",
    )
    none = lower.scope.show(
        eq(weight(j), 0),
        "So a position with another letter has no weight.",
        (largest, lower),
        by=rules.smt(),
    )
    same = row.under(eq(left(j), left(a))).use(
        FUNCTIONAL, why="A position with the same letter has the same token, by hypothesis."
    )
    total = row.show(
        eq(weight(j) * token(j, c), weight(j) * token(a, c)),
        "In both cases the position counts as much as if it had the target's token.",
        (none, same),
    ).summed(j, 0, n - 1, "Sum this equation over all positions.")
    p.qed("As the weights sum to 1, the output is the target's token.", total, ONE)
