"""A random vector of signs finds a wrong linear map every other time."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import SUMS_PICK

d, c, h, i, count = integer("d c h i N")
e = real_function("e")
s, t, miss, other_miss = (real_function(name) for name in ("s", "t", "u", "v"))
MEANINGS: Meanings = {
    d: "dimension",
    c: "a coordinate",
    h: "the coordinate in which partners differ",
    i: "a pair",
    count: "number of pairs",
    e: vector_in(d, "a row of the difference of the two maps"),
    s: vector_in(d, "vectors of signs"),
    t: vector_in(d, "their partners"),
    miss: "1 where a vector shows no difference",
    other_miss: "1 where a partner shows no difference",
}


def seen(vector: Function) -> Term:
    """What a vector of signs shows of the difference."""
    return sp.Sum(e(c) * vector(i, c), (c, 0, d - 1))


def _missed(counts: Function, vector: Function) -> Formula:
    return every(i, 0, count - 1, Both(le(counts(i), 1), If(ne(seen(vector), 0), eq(counts(i), 0))))


PLACE = Hypothesis("h is a coordinate", within(h, 0, d - 1))
DIFFERENT = Hypothesis("the maps differ there", ne(e(h), 0))
PAIRS = Hypothesis("there are pairs of vectors", le(0, count))
SIGNS = Hypothesis(
    "the vectors have entries of size 1",
    every(i, 0, count - 1, every(c, 0, d - 1, eq(s(i, c) ** 2, 1))),
)
PARTNER = Hypothesis(
    "partners differ at h and nowhere else",
    every(
        i,
        0,
        count - 1,
        Both(eq(t(i, h), -s(i, h)), every(c, 0, d - 1, If(ne(c, h), eq(t(i, c), s(i, c))))),
    ),
)
MISSES = Hypothesis("u counts the vectors that show nothing", _missed(miss, s))
OTHER_MISSES = Hypothesis("v counts the partners that show nothing", _missed(other_miss, t))

total = sp.Sum(miss(i) + other_miss(i), (i, 0, count - 1))


_pair = {**{d: 1, h: 0, count: 1, e(0): 1, s(0, 0): 1, t(0, 0): -1, miss(0): 0, other_miss(0): 0}}
_two = {
    **{d: 2, h: 0, count: 1, e(0): 1, e(1): 1, s(0, 0): 1, s(0, 1): -1, t(0, 0): -1, t(0, 1): -1},
    **{miss(0): 1, other_miss(0): 0},
}


@theorem(
    "conform.probe",
    needs="PTX",
    hypotheses=(PLACE, DIFFERENT, PAIRS, SIGNS, PARTNER, MISSES, OTHER_MISSES),
    conclusion=le(total, count),
    attack=Attack(
        {"none misses": le(total, 0), "half as many": le(2 * total, count)},
        at={"none misses": _two, "half as many": _two},
        without={
            PLACE: {**_pair, d: 0, miss(0): 1, other_miss(0): 1},
            DIFFERENT: {**_pair, e(0): 0, miss(0): 1, other_miss(0): 1},
            PAIRS: {**_pair, count: -1},
            SIGNS: {**_pair, s(0, 0): 0, t(0, 0): 0, miss(0): 1, other_miss(0): 1},
            PARTNER: {**_two, t(0, 0): 1, other_miss(0): 1},
            MISSES: {**_pair, miss(0): 3},
            OTHER_MISSES: {**_pair, other_miss(0): 3},
        },
    ),
)
def CONFORM_PROBE(p: Proof) -> None:
    r"""Of two vectors of signs that differ where two linear maps do, one tells them apart

    Let $e$ be a row of the difference of two linear maps and $e_h\ne0$. Among any $N$ pairs of
    vectors of signs whose partners differ in the sign at $h$ alone, at most $N$ of the $2N$ vectors
    $s$ have $\sum_ce_cs_c=0$.
    """
    pair = p.under(within(i, 0, count - 1))
    place = pair.under(within(c, 0, d - 1))
    sign = place.use(
        pair.use(SIGNS, why="The entries of the vector of pair i are signs, by hypothesis."),
        why="In particular the square of the entry at c is 1.",
    )
    at_h, elsewhere = pair.use(
        PARTNER, why="By hypothesis the partner differs from the vector at h and nowhere else."
    ).parts("This is one part of the statement about the partner.")

    def here_of(index: Term) -> Term:
        """1 at h, 0 elsewhere."""
        return (1 - t(i, index) * s(i, index)) / 2

    own = pair.use(
        pair.use(SIGNS, why="The entries of the vector of pair i are signs, by hypothesis."),
        PLACE,
        why="In particular the square of the entry at h is 1.",
    )
    away = place.under(ne(c, h))
    same = away.use(elsewhere, why="At any other coordinate the partner has the same entry.")
    zero = away.show(
        eq(here_of(c), 0),
        "So the expression that compares the two vectors is 0 there.",
        (same, sign),
    )
    picked = pair.apply(
        SUMS_PICK.at(here=here_of, f=lambda index: 2 * e(index) * s(i, index)),
        PLACE,
        at_h,
        own,
        zero.for_all(c, why="This holds at each coordinate other than h."),
        why="So the expression that compares the two vectors is 1 at h. So the sum with "
        "this expression is the term at h.",
    )
    sums = place.show(
        eq(e(c) * s(i, c), e(c) * t(i, c) + here_of(c) * (2 * e(c) * s(i, c))),
        "A term of the vector is the partner's term plus what the comparison picks.",
        sign,
    ).summed(c, 0, d - 1, "Sum this equation over all coordinates.")
    counted = pair.use(
        MISSES, why="The count u(i) is at most 1, and 0 if the vector detects the difference."
    )
    other = pair.use(
        OTHER_MISSES,
        why="The count v(i) is at most 1, and 0 if the partner detects the difference.",
    )
    summed = pair.show(
        le(miss(i) + other_miss(i), 1),
        "Split the sum into the partner's sum and the picked one. The picked term is "
        "not 0, so the vector and its partner have different values. At least one of "
        "the two values is not 0, so at most one of the two counts is 1.",
        sums,
        picked,
        own,
        DIFFERENT,
        counted,
        other,
    ).summed(i, 0, count - 1, "Sum this inequality over all pairs.")
    p.qed(
        "The sum of ones over the pairs is their number N. So at most N of the 2 N "
        "vectors miss the difference.",
        summed,
        PAIRS,
    )
