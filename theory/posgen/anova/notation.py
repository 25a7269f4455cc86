"""Symbols and terms of additive fits."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import m

t, v, h, k, lags, keys = integer("t v h k N V")
chance = real_function("p")
by_lag, by_key = real_function("f"), real_function("g")
first, second = real_function("x"), real_function("y")
energy, cosine, sine = real_function("e"), real_function("C"), real_function("S")


def over_lags(term: Any) -> Any:
    """The sum over the lags of the window."""
    return sp.Sum(term, (t, 0, lags - 1))


def over_keys(term: Any) -> Any:
    """The sum over the keys."""
    return sp.Sum(term, (v, 1, keys))


def mean_over_keys(term: Any) -> Any:
    """The mean over the keys."""
    return over_keys(chance(v) * term)


def mean_of(term: Any) -> Any:
    """The sum over the lags of the mean over the keys."""
    return over_lags(mean_over_keys(term))


CHANCES = Hypothesis("chances add up to 1", eq(over_keys(chance(v)), 1))
A_LAG = Hypothesis("there is a lag", le(1, lags))


def one_plane(values: dict[Any, Any]) -> tuple[Any, ...]:
    """An instance with one plane, and four keys whose fluctuations are the units of the circle."""
    parts = {first(0, 1): 1, first(0, 2): -1, first(0, 3): 0, first(0, 4): 0}
    parts |= {second(0, 1): 0, second(0, 2): 0, second(0, 3): 1, second(0, 4): -1}
    even = every(v, 1, 4, eq(chance(v), sp.Rational(1, 4)))
    return *where({m: 1, keys: 4, energy(0): 1, **parts, **values}), even
