"""Symbols and terms that the claims of this package share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import m

__all__ = [
    "AT_KEY",
    "AT_LAG",
    "CHANCES",
    "ONE_PLANE",
    "by_key",
    "by_lag",
    "chance",
    "column_mean",
    "cosine",
    "energy",
    "first",
    "grand",
    "h",
    "k",
    "keys",
    "lags",
    "level",
    "logit",
    "mean_of",
    "moments_of",
    "over_keys",
    "over_lags",
    "positional",
    "row_mean",
    "second",
    "sine",
    "t",
    "v",
]

t, v, h, k, lags, keys = integer("t v h k N V")
chance, logit = real_function("p"), real_function("w")
row_mean, column_mean, grand = real_function("F"), real_function("G"), real("M")
by_lag, by_key = real_function("f"), real_function("g")
first, second = real_function("x"), real_function("y")
energy, cosine, sine = real_function("e"), real_function("C"), real_function("S")
positional, level = real_function("a"), real("a_mean")
AT_LAG, AT_KEY = (le(0, t), le(t, lags - 1)), (le(1, v), le(v, keys))
CHANCES = Hypothesis("chances add up to 1", eq(sp.Sum(chance(v), (v, 1, keys)), 1))


def over_lags(term: Any) -> Any:
    """The sum over the lags of the window."""
    return sp.Sum(term, (t, 0, lags - 1))


def over_keys(term: Any) -> Any:
    """The sum over the keys."""
    return sp.Sum(term, (v, 1, keys))


def mean_of(term: Any) -> Any:
    """The sum over the lags of the mean over the keys."""
    return over_lags(over_keys(chance(v) * term))


def moments_of(kind: Any, other: Any, value: Any) -> Any:
    """The mean over the keys of a product of two planes' parts."""
    moment = over_keys(chance(v) * (kind(h, v) * other(k, v)))
    where = Both(le(0, h), le(h, m - 1), le(0, k), le(k, m - 1))
    return Every((h, k), If(where, eq(moment, value)))


ONE_PLANE = (
    *(eq(m, 1), eq(keys, 4), eq(cosine(0), 1), eq(sine(0), 0), eq(energy(0), 1)),
    *(every(v, 1, 4, eq(chance(v), sp.Rational(1, 4))), eq(first(0, 1), 1), eq(first(0, 2), -1)),
    *(eq(first(0, 3), 0), eq(first(0, 4), 0), eq(second(0, 1), 0), eq(second(0, 2), 0)),
    *(eq(second(0, 3), 1), eq(second(0, 4), -1)),
)
