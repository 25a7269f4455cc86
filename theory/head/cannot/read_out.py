"""With a read-out that sees the query a positional head retrieves."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.head.cannot.common import (
    asked,
    c,
    hot_output,
    place,
    sigma,
    size,
    token_a,
    weight,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, n
from ropeproof.theory.planes.digits import f as term_
from ropeproof.theory.planes.digits import k as index
from ropeproof.theory.sums import indicator


def _read_out() -> Claim:
    key = integer_function("key")
    wanted = integer("K")
    total = sp.Sum(weight(j), (j, 0, n - 1))

    def score(coordinate: Any) -> Any:
        return hot_output(sigma, coordinate) + asked(coordinate)

    names = (
        "A stands at a position",
        "weights are not negative",
        "its weight is positive",
        "weights add up to at most 1",
        "A has the key",
        "no other token of the input has it",
        "the query asks for tokens with the key",
        "A is in the vocabulary",
    )
    at_j = (le(0, j), le(j, n - 1))
    asks = every(
        c,
        0,
        size - 1,
        Both(If(eq(key(c), wanted), eq(asked(c), 1)), If(ne(key(c), wanted), eq(asked(c), 0))),
    )
    at_c = (le(0, c), le(c, size - 1))
    others = Every(
        (j,), If(Both(le(0, j), le(j, n - 1), ne(sigma(j), token_a)), ne(key(sigma(j)), wanted))
    )
    goal = every(c, 0, size - 1, If(ne(c, token_a), lt(score(c), score(token_a))))
    hit = weight(l) * indicator(sigma(l), token_a)
    one = (
        *(eq(n, 2), eq(place, 0), eq(token_a, 1), eq(sigma(0), 1), eq(sigma(1), 2), eq(wanted, 7)),
        *(eq(size, 3), eq(key(0), 0), eq(asked(0), 0)),
    )
    keys = (eq(key(1), 7), eq(key(2), 3), eq(asked(1), 1), eq(asked(2), 0))
    return Claim(
        id="head.positional-read-out",
        title="With a read-out that sees the query a positional head retrieves",
        statement=(
            r"If the read-out adds 1 to every token with the queried key, a positional head with positive "
            r"weights, one-hot tokens and identity values retrieves on every functional input: the one "
            r"token of the input that has the key wins. So `head.positional-cannot-retrieve` needs the "
            r"simple read-out (already at $n=3$, two tokens and a query)."
        ),
        source=Source(
            "ropeproof", "counterexample to Theorem 4 of [DECOUPLE] without 'simple'", "own"
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                Both(le(0, place), le(place, n - 1), eq(sigma(place), token_a)),
                without=(
                    *(eq(n, 1), eq(place, 0), eq(token_a, 1), eq(sigma(0), 2), eq(wanted, 7)),
                    *(eq(size, 4), eq(key(0), 0), eq(asked(0), 0), eq(key(1), 7), eq(key(2), 3)),
                    *(eq(key(3), 7), eq(asked(1), 1), eq(asked(2), 0), eq(asked(3), 1)),
                    eq(weight(0), 1),
                ),
            ),
            Hypothesis(
                names[1],
                every(j, 0, n - 1, le(0, weight(j))),
                without=(
                    *(eq(n, 3), eq(place, 0), eq(token_a, 1), eq(sigma(0), 1), eq(sigma(1), 1)),
                    *(eq(sigma(2), 2), eq(wanted, 7), eq(size, 3), eq(key(0), 0), eq(asked(0), 0)),
                    *keys,
                    *(eq(weight(0), 1), eq(weight(1), -3), eq(weight(2), 1)),
                ),
            ),
            Hypothesis(
                names[2],
                lt(0, weight(place)),
                unshown="at weight 0 it ties with absent tokens that have the key",
            ),
            Hypothesis(
                names[3], le(total, 1), without=(*one, *keys, eq(weight(0), 1), eq(weight(1), 9))
            ),
            Hypothesis(
                names[4],
                eq(key(token_a), wanted),
                without=(
                    *(*one, eq(key(1), 3), eq(key(2), 4), eq(asked(1), 0), eq(asked(2), 0)),
                    *(eq(weight(0), sp.Rational(1, 4)), eq(weight(1), sp.Rational(3, 4))),
                ),
            ),
            Hypothesis(
                names[5],
                others,
                without=(
                    *(*one, eq(key(1), 7), eq(key(2), 7), eq(asked(1), 1), eq(asked(2), 1)),
                    *(eq(weight(0), sp.Rational(1, 4)), eq(weight(1), sp.Rational(3, 4))),
                ),
            ),
            Hypothesis(
                names[6],
                asks,
                without=(
                    *(*one, eq(key(1), 7), eq(key(2), 3), eq(asked(1), 0), eq(asked(2), 0)),
                    *(eq(weight(0), sp.Rational(1, 4)), eq(weight(1), sp.Rational(3, 4))),
                ),
            ),
            Hypothesis(
                names[7],
                Both(le(0, token_a), le(token_a, size - 1)),
                without=(
                    *(eq(n, 1), eq(size, 1), eq(place, 0), eq(token_a, 5), eq(sigma(0), 5)),
                    *(eq(wanted, 7), eq(key(5), 7), eq(key(0), 7), eq(asked(0), 1)),
                    *(eq(asked(5), -9), eq(weight(0), 1)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "weights",
                    le(0, weight(j)),
                    instance({j: j}),
                    "A weight is not negative,",
                    (names[1],),
                    at_j,
                ),
                Step(
                    "hit",
                    le(0, weight(j) * indicator(sigma(j), c)),
                    smt(),
                    "nor is what it puts on a token.",
                    ("weights",),
                    at_j,
                ),
                Step(
                    "hit at l",
                    le(0, hit),
                    instance({j: l, c: token_a}),
                    "(of A, too)",
                    ("hit",),
                    (le(0, l), le(l, n - 1)),
                ),
                Step(
                    "hits",
                    every(l, 0, n - 1, le(0, hit)),
                    generalise(),
                    "(everywhere)",
                    ("hit at l",),
                ),
                Step(
                    "member",
                    le(hit.xreplace({l: place}), sp.Sum(hit, (l, 0, n - 1))),
                    by_claim("sums.member", {term_: sp.Lambda(l, hit), index: place, m: n}),
                    "A has at least the weight of its position,",
                    ("hits", names[0]),
                ),
                Step(
                    "rename",
                    eq(sp.Sum(hit, (l, 0, n - 1)), hot_output(sigma, token_a)),
                    identity(),
                    "(under any name)",
                ),
                Step(
                    "A's output",
                    le(weight(place), hot_output(sigma, token_a)),
                    smt(),
                    "which is positive.",
                    ("member", "rename", names[0]),
                ),
                Step(
                    "at most",
                    le(weight(j) * indicator(sigma(j), c), weight(j)),
                    smt(),
                    "Any token has at most",
                    ("weights",),
                    at_j,
                ),
                Step(
                    "all weights",
                    le(hot_output(sigma, c), total),
                    termwise(),
                    "all weights.",
                    ("at most",),
                ),
                Step(
                    "not among them",
                    ne(key(sigma(j)), wanted),
                    instance({j: j}),
                    "Another token with the key",
                    (names[5],),
                    (*at_j, ne(sigma(j), token_a)),
                ),
                Step(
                    "is c", eq(sigma(j), c), smt(), "is not in the input:", (), (eq(sigma(j), c),)
                ),
                Step(
                    "same key",
                    eq(key(sigma(j)), key(c)),
                    rewrite(),
                    "(its key would be the same)",
                    ("is c",),
                    (eq(sigma(j), c),),
                ),
                Step(
                    "apart",
                    If(eq(sigma(j), c), ne(sigma(j), token_a)),
                    smt(),
                    "(and it is not A)",
                    (),
                    (ne(c, token_a),),
                ),
                Step(
                    "absent",
                    eq(weight(j) * indicator(sigma(j), c), 0),
                    smt(),
                    "it has no weight",
                    ("not among them", "same key", "apart"),
                    (*at_j, ne(c, token_a), eq(key(c), wanted)),
                ),
                Step(
                    "no weight",
                    eq(hot_output(sigma, c), sp.Sum(sp.Integer(0), (j, 0, n - 1))),
                    termwise(),
                    "at all.",
                    ("absent",),
                    (ne(c, token_a), eq(key(c), wanted)),
                ),
                Step(
                    "nothing",
                    eq(sp.Sum(sp.Integer(0), (j, 0, n - 1)), 0),
                    identity(),
                    "(Zeros add up to 0.)",
                ),
                Step(
                    "asked",
                    Both(
                        If(eq(key(c), wanted), eq(asked(c), 1)),
                        If(ne(key(c), wanted), eq(asked(c), 0)),
                    ),
                    instance({c: c}),
                    "The query gives it 1, as it gives A,",
                    (names[6],),
                    at_c,
                ),
                Step(
                    "asked at A",
                    Both(
                        If(eq(key(token_a), wanted), eq(asked(token_a), 1)),
                        If(ne(key(token_a), wanted), eq(asked(token_a), 0)),
                    ),
                    instance({c: token_a}),
                    "having the key,",
                    (names[6], names[7]),
                ),
                Step(
                    "A is asked for",
                    If(eq(key(token_a), wanted), eq(asked(token_a), 1)),
                    smt(),
                    "(A too)",
                    ("asked at A",),
                ),
                Step(
                    "less",
                    lt(score(c), score(token_a)),
                    smt(),
                    "and to one without the key nothing: A wins.",
                    (
                        "A's output",
                        "all weights",
                        "no weight",
                        "nothing",
                        "asked",
                        "A is asked for",
                        names[2],
                        names[3],
                        names[4],
                    ),
                    (ne(c, token_a), *at_c),
                ),
                Step("wins", goal, generalise(), "Against every other token.", ("less",)),
            )
        ),
        uses=("sums.member",),
        mutants=(
            Mutant(
                "by 1",
                every(c, 0, size - 1, If(ne(c, token_a), lt(score(c) + 1, score(token_a)))),
                at=(
                    *one,
                    *keys,
                    eq(weight(0), sp.Rational(1, 2)),
                    eq(weight(1), sp.Rational(1, 2)),
                ),
            ),
            Mutant(
                "without the query",
                lt(hot_output(sigma, 2), hot_output(sigma, token_a)),
                at=(
                    *one,
                    *keys,
                    eq(weight(0), sp.Rational(1, 4)),
                    eq(weight(1), sp.Rational(3, 4)),
                ),
            ),
        ),
    )


HEAD_POSITIONAL_READ_OUT = _read_out()

CLAIMS = (HEAD_POSITIONAL_READ_OUT,)
