"""A positional head with one-hot tokens sees no content: it cannot retrieve."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, n
from ropeproof.theory.library.sums.indicators import SUMS_PICK, indicator
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head.cannot import common
from ropeproof.theory.topics.head.cannot.common import (
    first,
    hot_output,
    other,
    place,
    second,
    token_a,
    token_b,
    weight,
)

MEANINGS: Meanings = {**common.MEANINGS, j: "a position", n: "number of positions before the query"}

rest = Both(*within(j, 0, n - 1).args, ne(j, place), ne(j, other))
elsewhere = Both(
    *(ne(first(j), token_a), ne(first(j), token_b)),
    *(ne(second(j), token_a), ne(second(j), token_b)),
)
PLACES = Hypothesis(
    "two different positions",
    Both(*within(place, 0, n - 1).args, *within(other, 0, n - 1).args, ne(place, other)),
)
ON_FIRST = Hypothesis(
    "the first input has A and B there", Both(eq(first(place), token_a), eq(first(other), token_b))
)
ON_SECOND = Hypothesis(
    "the second has them exchanged", Both(eq(second(place), token_b), eq(second(other), token_a))
)
ALONE = Hypothesis("no other position has either", Every((j,), If(rest, elsewhere)))
DIFFERENT = Hypothesis("they are different tokens", ne(token_a, token_b))

right_first = lt(hot_output(first, token_b), hot_output(first, token_a))
right_second = lt(hot_output(second, token_b), hot_output(second, token_a))


def _weight_of(p: Proof, sequence: Function, token: Term, at: Term, found: Hypothesis) -> Fact:
    """The output at a token that stands at one position only is that position's weight."""
    that = other if at == place else place
    match, away = indicator(sequence(l), token), p.under(within(l, 0, n - 1), ne(l, at))

    same = image(
        p,
        sequence,
        l,
        that,
        "Suppose that a position is the other of the two.",
        "Then it shows the other token.",
    )
    third = away.under(ne(l, that)).use(
        ALONE, why="Any third position shows neither of the two tokens."
    )
    absent = away.show(
        ne(sequence(l), token),
        "So no position but its own shows this token.",
        (same, third, found, DIFFERENT),
    )
    zero = away.show(
        eq(match, 0), "So the indicator of the token is 0 at every other position.", absent
    )
    return p.lemma(
        SUMS_PICK.at(m=n, p=at, here=lambda place: indicator(sequence(place), token), f=weight),
        (PLACES, found, zero.for_all(l, why="This holds for all other positions.")),
        why="So the token's coordinate of the output is the weight of its own position.",
        goal=eq(hot_output(sequence, token), weight(at)),
    )


def _inputs(one: tuple[int, ...], two: tuple[int, ...], weights: tuple[int, ...]) -> Values:
    """Two inputs and the weights, by position; A is token 1, B is token 2."""
    tokens = {n: len(weights), place: 0, other: 1, token_a: 1, token_b: 2}
    return tokens | listed(first, *one) | listed(second, *two) | listed(weight, *weights)


@theorem(
    "head.positional-cannot-retrieve",
    source=DECOUPLE.at("section 4, Theorem 4", "repaired"),
    needs="PTXW",
    hypotheses=(PLACES, ON_FIRST, ON_SECOND, ALONE, DIFFERENT),
    conclusion=Negation(Both(right_first, right_second)),
    attack=Attack(
        {"nor on the first alone": Negation(right_first), "the first is always right": right_first},
        at={
            "nor on the first alone": _inputs((1, 2), (2, 1), (2, 1)),
            "the first is always right": _inputs((1, 2), (2, 1), (1, 2)),
        },
        without={
            PLACES: {
                **{**_inputs((3, 2), (3, 1), (1, 1)), place: 5, other: 1},
                **{first(5): 1, second(5): 2},
            },
            ON_FIRST: _inputs((1, 1), (2, 1), (1, 2)),
            ON_SECOND: _inputs((1, 2), (1, 2), (2, 1)),
            ALONE: _inputs((1, 2, 1), (2, 1, 1), (1, 1, 1)),
        },
        idle={
            DIFFERENT: "the output cannot prefer a token to itself",
            PLACES: (
                "different tokens stand at different positions, and at a position beyond the input a "
                "token weighs 0: both inputs compare the same two weights, in either order"
            ),
        },
    ),
)
def HEAD_POSITIONAL_CANNOT_RETRIEVE(p: Proof) -> None:
    """A positional head with one-hot tokens cannot retrieve

    Let the weights depend on the positions alone, values be the identity and tokens one-hot. If two
    inputs differ by exchanging the tokens $A$ and $B$, each of which stands at one position only,
    the output cannot prefer $A$ to $B$ on both: asked for $A$ by its key, the head errs on one of
    them. (A read-out that also sees the query can, `head.positional-read-out`: the head must be
    simple.)
    """
    p.qed(
        "The first input needs more weight on one position, the second on the other.",
        _weight_of(p, first, token_a, place, ON_FIRST),
        _weight_of(p, first, token_b, other, ON_FIRST),
        _weight_of(p, second, token_a, other, ON_SECOND),
        _weight_of(p, second, token_b, place, ON_SECOND),
    )
