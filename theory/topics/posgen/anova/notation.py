"""Symbols and terms of additive fits."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import m, theta

t, v, h, k, lags, keys = integer("t v h k N V")
chance = real_function("p")
by_lag, by_key = real_function("f"), real_function("g")
first, second = real_function("x"), real_function("y")
energy, cosine, sine = real_function("e"), real_function("C"), real_function("S")
MEANINGS: Meanings = {
    **NOTATION,
    t: "a lag",
    v: "a key",
    h: "a plane",
    k: "a plane",
    lags: "number of lags of the window",
    keys: "number of keys",
    chance: "probabilities of the keys",
    by_lag: "any function of the lag",
    by_key: "any function of the key",
    first: "real parts of the fluctuations, by plane and key",
    second: "imaginary parts of the fluctuations, by plane and key",
    energy: "energies of the planes' fluctuations",
    cosine: "mean cosine of a plane's turn over the window",
    sine: "mean sine of a plane's turn over the window",
}


def over_lags(term: Any) -> Any:
    """The sum over the lags of the window."""
    return sp.Sum(term, (t, 0, lags - 1))


def over_keys(term: Any) -> Any:
    """The sum over the keys."""
    return sp.Sum(term, (v, 1, keys))


def mean_over_keys(term: Term | int) -> Any:
    """The mean over the keys."""
    return over_keys(chance(v) * term)


def mean_of(term: Term | int) -> Any:
    """The sum over the lags of the mean over the keys."""
    return over_lags(mean_over_keys(term))


CHANCES = Hypothesis("probabilities add up to 1", eq(over_keys(chance(v)), 1))
A_LAG = Hypothesis("there is a lag", le(1, lags))


def _at(place: int) -> Term:
    """1 at this key, 0 at the other ones."""
    return sp.Max(0, 1 - sp.Abs(v - place))


ONE_PLANE = (
    *where({m: 1, keys: 4, lags: 2}),
    Every((h,), eq(theta(h), 1)),
    Every((v,), eq(chance(v), sp.Rational(1, 4))),
    Every((h, v), eq(first(h, v), _at(1) - _at(2))),
    Every((h, v), eq(second(h, v), _at(3) - _at(4))),
    Every((h,), eq(energy(h), 1)),
)
"""A plane of frequency 1, two lags, four keys whose fluctuations are the units of the circle."""


UNITS = {1: (1, 0), 2: (-1, 0), 3: (0, 1), 4: (0, -1)}
"""Fluctuations of four keys that are circular."""
THIRD: Values = {lags: 2, theta(0): sp.pi / 3, cosine(0): frac(3, 4), sine(0): sp.sqrt(3) / 4}
"""Two lags of a plane that turns by 60 degrees: its mean turn, of size^2 3/4."""


def on_keys(count: int, *planes: Mapping[int, tuple[int, int]]) -> dict[Any, Any]:
    """So many keys of equal probability; each plane's fluctuations where they are not 0."""
    values: Values = {m: len(planes), keys: count}
    for plane, fluctuations in enumerate(planes):
        for key in range(1, count + 1):
            x, y = fluctuations.get(key, (0, 0))
            values |= {first(plane, key): x, second(plane, key): y}
    return values | {chance(key): sp.Rational(1, count) for key in range(1, count + 1)}
