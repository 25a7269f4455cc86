"""The indicator of one index, and the sum against it."""

from ropeproof.theory.derivation import smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.bands.common import f, here, plane
from ropeproof.theory.slash.bands.pick import SUMS_PICK


def indicator(first: Any, second: Any) -> Any:
    """1 where two integers are equal, else 0: max(0, 1 - |first - second|)."""
    return sp.Max(0, 1 - sp.Abs(first - second))


total = sp.Sum(indicator(l, plane) * f(l), (l, 0, m - 1))
IN_RANGE = Hypothesis("the index is in the range", Both(le(0, plane), le(plane, m - 1)))

STATEMENT = Claim(
    id="sums.indicator",
    title="A sum against the indicator of an index picks its term",
    statement=r"$\sum_{l<m}\max(0,1-|l-p|)\,f_l=f_p$ for $0\le p<m$.",
    needs=frozenset("PX"),
    hypotheses=(IN_RANGE,),
    conclusion=eq(total, f(plane)),
)


def _proof(p: Proof) -> None:
    elsewhere = p.under(within(l, 0, m - 1), ne(l, plane)).show(
        eq(indicator(l, plane), 0), "The indicator is 0 at any other index,", by=smt()
    )
    p.lemma(
        SUMS_PICK,
        {here: lambda place: indicator(place, plane)},
        IN_RANGE,
        elsewhere.for_all(l, why="at each of them,"),
        why="and 1 at its own: the sum picks that term.",
    )


ATTACK = Attack(
    {"twice": eq(total, 2 * f(plane)), "minus": eq(total, -f(plane))},
    at={"minus": {f(plane): 1}},
    without={IN_RANGE: {m: 1, plane: 3, f(3): 1}},
)

SUMS_INDICATOR = prove(STATEMENT, _proof, ATTACK)

CLAIMS = (SUMS_INDICATOR,)
