"""A finite sum of non-negative terms that is 0 has only zero terms."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes

c = integer("c")
f = real_function("f")

NO_TERM_NEGATIVE = Hypothesis("no term is negative", every(l, 0, m - 1, le(0, f(l))))
SUM_IS_0 = Hypothesis("the sum is 0", eq(over_planes(f(l)), 0))

ZERO_TERMS = Claim(
    id="sums.zero-terms",
    title="Non-negative terms that add up to 0 are 0",
    statement=r"If $f_l\ge0$ for $0\le l<m$ and $\sum_lf_l=0$ then every $f_l=0$.",
    source=Source("textbook", "finite sums"),
    needs=frozenset("PX"),
    hypotheses=(NO_TERM_NEGATIVE, SUM_IS_0),
    conclusion=every(c, 0, m - 1, eq(f(c), 0)),
)


def _proof(p: Proof) -> None:
    place = p.under(within(c, 0, m - 1))

    def not_negative(low: Any, high: Any, why: str) -> Fact:
        term = place.under(within(l, low, high)).use(NO_TERM_NEGATIVE, why="No term is negative,")
        return term.summed(l, low, high, why)

    before = not_negative(0, c - 1, "nor the sum of the terms before c")
    after = not_negative(c + 1, m - 1, "or of those after it.")
    cut = place.split(over_planes(f(l)), c, "Split the sum after the term c")
    last = place.last(sp.Sum(f(l), (l, 0, c)), "and before it.")
    term = place.use(NO_TERM_NEGATIVE, {l: c}, why="The term itself is not negative either,")
    zero = place.show(
        eq(f(c), 0), "so all three parts are 0,", before, after, cut, last, term, SUM_IS_0
    )
    zero.for_all(c, why="for every c.")


SUMS_ZERO_TERMS = prove(
    ZERO_TERMS,
    _proof,
    Attack(
        {
            "terms equal 1": every(c, 0, m - 1, eq(f(c), 1)),
            "one term more": every(c, 0, m, eq(f(c), 0)),
        },
        at={"terms equal 1": {m: 1}},
        without={NO_TERM_NEGATIVE: {m: 2, f(0): 1, f(1): -1}, SUM_IS_0: (le(1, m),)},
    ),
)

CLAIMS = (SUMS_ZERO_TERMS,)
