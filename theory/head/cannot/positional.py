"""A positional head with one-hot tokens sees no content: it cannot retrieve."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
)
from ropeproof.theory.head.cannot.common import (
    first,
    hot_output,
    other,
    place,
    second,
    token_a,
    token_b,
    weight,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.sums import f, here, indicator, plane


def _only(label: str, sequence: Any, token: Any, at: Any, found: str) -> tuple[Step, ...]:
    """The output at a token that stands at one position only is that position's weight."""
    match = indicator(sequence(l), token)
    return (
        Step(
            f"{label} there",
            eq(indicator(sequence(at), token), 1),
            smt(),
            "The token stands there",
            (found,),
        ),
        Step(
            f"{label} not",
            eq(match, 0),
            smt(),
            "and nowhere else,",
            (f"{label} elsewhere",),
            (le(0, l), le(l, n - 1), ne(l, at)),
        ),
        Step(
            f"{label} not elsewhere",
            every(l, 0, n - 1, If(ne(l, at), eq(match, 0))),
            generalise(),
            "at no other position,",
            (f"{label} not",),
        ),
        Step(
            f"{label} sum",
            eq(sp.Sum(match * weight(l), (l, 0, n - 1)), weight(at)),
            by_claim(
                "sums.pick",
                {m: n, plane: at, here: sp.Lambda(l, match), f: sp.Lambda(l, weight(l))},
            ),
            "so its coordinate",
            (PLACES, f"{label} there", f"{label} not elsewhere"),
        ),
        Step(
            f"{label} rename",
            eq(sp.Sum(match * weight(l), (l, 0, n - 1)), hot_output(sequence, token)),
            identity(),
            "is the weight of",
        ),
        Step(
            f"{label} output",
            eq(hot_output(sequence, token), weight(at)),
            smt(),
            "that position.",
            (f"{label} sum", f"{label} rename"),
        ),
    )


PLACES = "two different positions"


def _positional() -> Claim:
    in_range = Both(
        *(le(0, place), le(place, n - 1), le(0, other), le(other, n - 1), ne(place, other))
    )
    rest = Both(le(0, j), le(j, n - 1), ne(j, place), ne(j, other))
    elsewhere = Both(
        *(ne(first(j), token_a), ne(first(j), token_b)),
        *(ne(second(j), token_a), ne(second(j), token_b)),
    )
    names = (
        PLACES,
        "the first input has A and B there",
        "the second has them exchanged",
        "no other position has either",
        "they are different tokens",
    )
    right_first = lt(hot_output(first, token_b), hot_output(first, token_a))
    right_second = lt(hot_output(second, token_b), hot_output(second, token_a))
    goal = Negation(Both(right_first, right_second))
    cases = (
        ("A first", first, token_a, place, names[1]),
        ("B first", first, token_b, other, names[1]),
        ("A second", second, token_a, other, names[2]),
        ("B second", second, token_b, place, names[2]),
    )

    def not_elsewhere(label: str, sequence: Any, token: Any, at: Any, found: str) -> Step:
        return Step(
            f"{label} elsewhere",
            ne(sequence(l), token),
            smt(),
            "Any other position",
            (f"{label} at the other", "rest at l", found, names[4]),
            (le(0, l), le(l, n - 1), ne(l, at)),
        )

    def at_other(label: str, sequence: Any, at: Any) -> tuple[Step, ...]:
        that = other if at == place else place
        return (
            Step(f"{label} that", eq(l, that), smt(), "(the other one", (), (eq(l, that),)),
            Step(
                f"{label} at the other",
                eq(sequence(l), sequence(that)),
                rewrite(),
                "has the other token)",
                (f"{label} that",),
                (eq(l, that),),
            ),
        )

    two = (eq(n, 2), eq(place, 0), eq(other, 1), eq(token_a, 1), eq(token_b, 2))
    same = (eq(first(0), 1), eq(first(1), 2))
    more = (eq(weight(0), 2), eq(weight(1), 1))
    return Claim(
        id="head.positional-cannot-retrieve",
        title="A positional head with one-hot tokens cannot retrieve",
        statement=(
            r"Let the weights depend on the positions alone, values be the identity and tokens one-hot. "
            r"If two inputs differ by exchanging the tokens $A$ and $B$, each of which stands at one "
            r"position only, the output cannot prefer $A$ to $B$ on both: asked for $A$ by its key, "
            r"the head errs on one of them. (A read-out that also sees the query can, "
            r"`head.positional-read-out`: the head must be simple.)"
        ),
        source=DECOUPLE.at("Theorem 4", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                names[0], in_range, unshown="an input cannot hold both tokens at one position"
            ),
            Hypothesis(
                names[1],
                Both(eq(first(place), token_a), eq(first(other), token_b)),
                without=(
                    *two,
                    eq(first(0), 1),
                    eq(first(1), 1),
                    eq(second(0), 2),
                    eq(second(1), 1),
                    eq(weight(0), 1),
                    eq(weight(1), 2),
                ),
            ),
            Hypothesis(
                names[2],
                Both(eq(second(place), token_b), eq(second(other), token_a)),
                without=(*two, *same, *more, eq(second(0), 1), eq(second(1), 2)),
            ),
            Hypothesis(
                names[3],
                Every((j,), If(rest, elsewhere)),
                without=(
                    *(eq(n, 3), eq(place, 0), eq(other, 1), eq(token_a, 1), eq(token_b, 2)),
                    *(*same, eq(second(0), 2), eq(second(1), 1), eq(first(2), 1), eq(second(2), 1)),
                    *(eq(weight(0), 1), eq(weight(1), 1), eq(weight(2), 1)),
                ),
            ),
            Hypothesis(
                names[4], ne(token_a, token_b), idle="the output cannot prefer a token to itself"
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "rest at l",
                    Both(
                        *(ne(first(l), token_a), ne(first(l), token_b)),
                        *(ne(second(l), token_a), ne(second(l), token_b)),
                    ),
                    instance({j: l}),
                    "The other positions hold other tokens.",
                    (names[3],),
                    (le(0, l), le(l, n - 1), ne(l, place), ne(l, other)),
                ),
                *(
                    step
                    for case in cases
                    for step in (
                        *at_other(case[0], case[1], case[3]),
                        not_elsewhere(*case),
                        *_only(*case),
                    )
                ),
                Step(
                    "impossible",
                    goal,
                    smt(),
                    "The first input needs more weight on one position, the second on the other.",
                    tuple(f"{case[0]} output" for case in cases),
                ),
            )
        ),
        uses=("sums.pick",),
        mutants=(
            Mutant(
                "nor on the first alone",
                Negation(right_first),
                at=(*two, *same, *more, eq(second(0), 2), eq(second(1), 1)),
            ),
            Mutant(
                "the first is always right",
                right_first,
                at=(
                    *two,
                    *same,
                    eq(weight(0), 1),
                    eq(weight(1), 2),
                    eq(second(0), 2),
                    eq(second(1), 1),
                ),
            ),
        ),
    )


HEAD_POSITIONAL_CANNOT_RETRIEVE = _positional()

CLAIMS = (HEAD_POSITIONAL_CANNOT_RETRIEVE,)
