"""The margin of a fixed angle against length is a staircase."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ropeproof.theory.language import *

t = integer("t")
MEANINGS: Meanings = {t: "a lag"}

REACH = 1000
"""The largest lag that the formal statement speaks of."""
_ONE, _GOLDEN, _TENTH = sp.Integer(1), (sp.sqrt(5) - 1) * sp.pi, sp.Rational(1, 10)
DROPS: Mapping[Any, tuple[int, ...]] = MappingProxyType(
    {
        _ONE: (1, 6, 19, 25, 44, 333, 710),
        _GOLDEN: (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987),
        _TENTH: (1, 62, 63, 314, 377),
        sp.pi / 2 + sp.Rational(1, 100): (1, 3, 4, 155, 159, 314),
    }
)
"""Angles, radians per position, and the lags up to `REACH` at which their margins fall."""


def _steps(angle: Term, drops: Sequence[int]) -> list[Formula]:
    """The margin falls at each of the lags, and at no other up to `REACH`.

    As `1 - cos` falls where `cos` rises: `cos(t angle)` is larger at each drop than at the one
    before, and smaller than that at every lag between two.
    """

    def height(lag: Term | int) -> Term:
        # As written: SymPy takes whole turns out of an angle.
        return sp.cos(sp.Mul(lag, angle, evaluate=False), evaluate=False)

    found = []
    for drop, following in zip(drops, (*drops[1:], REACH + 1), strict=True):
        if following > drop + 1:
            found.append(every(t, drop + 1, following - 1, lt(height(t), height(drop))))
        if following <= REACH:
            found.append(lt(height(drop), height(following)))
    return found


def _staircases(drops: Mapping[Term, Sequence[int]]) -> Formula:
    return Both(*(step for angle, lags in drops.items() for step in _steps(angle, lags)))


def _without(angle: Term, lag: int) -> Formula:
    return _staircases({**DROPS, angle: [drop for drop in DROPS[angle] if drop != lag]})


def _with(angle: Term, lag: int) -> Formula:
    return _staircases({**DROPS, angle: sorted([*DROPS[angle], lag])})


INDEX_STAIRCASE = Claim(
    id="index.staircase",
    title="A fixed angle's margin falls in steps, at its near-returns",
    statement=(
        r"For a fixed angle $\theta$ the margin over all inputs, $\min_{1\le t<n}(1-\cos "
        r"t\theta)$, is a staircase in $n$: it falls at the lags where $t\theta$ comes "
        r"nearer to a whole number of turns than before. For $\theta=1$, $(\sqrt5-1)\pi$, "
        r"$\frac1{10}$ and $\frac\pi2+\frac1{100}$ these are, up to lag 1000, the lags of "
        r"the formal statement and no others."
    ),
    needs=frozenset("CT"),
    conclusion=_staircases(DROPS),
    mutants=(
        Mutant("no fall at 333", _without(_ONE, 333)),
        Mutant("no last fall", _without(_GOLDEN, 987)),
        Mutant("no fall right before another", _without(_TENTH, 62)),
        Mutant("a fall at 355, half a turn off", _with(_ONE, 355)),
        Mutant("a fall one lag late", _staircases({**DROPS, _ONE: (1, 6, 19, 25, 45, 333, 710)})),
        Mutant("another angle", _staircases({sp.Rational(101, 100): DROPS[_ONE]})),
    ),
)
