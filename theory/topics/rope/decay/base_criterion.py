"""The base criterion: up to which lag the cosines of all planes add up to no less than 0."""

from collections.abc import Mapping
from types import MappingProxyType

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.papers.citations import BASES

t = integer("t")
MEANINGS: Meanings = {**NOTATION, t: "a lag"}

PLANES = 64
FIRST: Mapping[int, int] = MappingProxyType({500_000: 18438, 1_000_000: 27115, 10_000_000: 144660})
"""By the base: the first lag with a negative sum, at head dimension 128."""
LENGTH, SMALL_BASE, LARGE_BASE = 4096, 29_000, 58_700
"""A length, a base at which no lag below it has a negative sum, and a larger one at which one has."""


def cosines(base: int, lag: Term) -> Term:
    """`sum_l cos(theta_l t)` for `theta_l = base**(-l/64)`."""
    angle = sp.Integer(base) ** (-l / sp.Integer(PLANES)) * lag
    return sp.Sum(sp.cos(angle), (l, 0, PLANES - 1))


def none_before(base: int, lag: int) -> Formula:
    """No lag before this one has a negative sum."""
    return every(t, 0, lag - 1, le(0, cosines(base, t)))


def negative(base: int, lag: int) -> Formula:
    """The lag has a negative sum."""
    return lt(cosines(base, sp.Integer(lag)), 0)


def some_before(base: int, lag: int) -> Formula:
    """Some lag before this one has a negative sum."""
    return some(t, 0, lag - 1, lt(cosines(base, t), 0))


def _stated(first: Mapping[int, int], small: int = SMALL_BASE, large: int = LARGE_BASE) -> Formula:
    return Both(
        *(part(base, lag) for base, lag in first.items() for part in (none_before, negative)),
        none_before(small, LENGTH),
        some_before(large, LENGTH),
    )


def _mutants() -> dict[str, Formula]:
    """Each lag one off, and a base that is enough because a smaller one is."""
    found: dict[str, Formula] = {}
    for base, lag in FIRST.items():
        found[f"one lag later at {base}"] = _stated({**FIRST, base: lag + 1})
        found[f"one lag sooner at {base}"] = _stated({**FIRST, base: lag - 1})
    found["larger bases hold, too"] = _stated(FIRST, small=LARGE_BASE)
    found["smaller bases fail, too"] = _stated(FIRST, large=SMALL_BASE)
    return found


CRITERION = Claim(
    id="rope.base-criterion",
    title="The first lags at which the planes' cosines add up to less than 0",
    statement=(
        r"Base criterion for a context of length $L$: $\sum_l\cos(t\theta_l)\ge0$ for all $t<L$. "
        r"At $d=128$ the first lag with a negative sum is $18438$ for base $5\cdot10^5$, $27115$ "
        r"for $10^6$ and $144660$ for $10^7$. The criterion is not monotone in the base: "
        r"$L=4096$ holds at $2.9\cdot10^4$ and fails at $5.87\cdot10^4$."
    ),
    source=BASES.at("criterion and first lags"),
    needs=frozenset("CT"),
    conclusion=_stated(FIRST),
)

ROPE_BASE_CRITERION = Attack(_mutants()).on(CRITERION)
