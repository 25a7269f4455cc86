"""Strategies for single numbers, and for arrays of them."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from operator import neg
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.strategies.arguments import finite_positive, integer, span
from ropeproof.theory.errors import InvalidArgument

__all__ = [
    "SMALLEST",
    "YES_OR_NO",
    "Floats",
    "Strategy",
    "array",
    "between",
    "floats",
    "lags",
    "one_of",
    "planes",
    "positions",
    "size_bound",
]

Floats = NDArray[np.float64]
Strategy = st.SearchStrategy
Item = TypeVar("Item")
SMALLEST = 2.0**-20
"""The smallest size of a float that is drawn, but for 0."""


def floats(*, bound: float = 8.0, positive: bool = False) -> Strategy[float]:
    """A strategy for floats: 0, or of a size from `2^-20` to `bound` and either sign.

    With `positive` only numbers above 0.
    """
    bound = size_bound(bound)
    if not isinstance(positive, bool):
        raise InvalidArgument("positive", positive, "True or False")
    return _sizes(bound, positive)


def size_bound(bound: float) -> float:
    """The bound as a float. Raises `InvalidArgument` unless it is at least `2^-19`."""
    bound = finite_positive("bound", bound)
    if bound < 2 * SMALLEST:
        raise InvalidArgument("bound", bound, f"a number >= {2 * SMALLEST}")
    return bound


# What is asked for in many draws is built, and validated by Hypothesis, once.
@lru_cache(maxsize=256)
def _sizes(bound: float, positive: bool) -> Strategy[float]:
    sizes = st.floats(SMALLEST, bound)
    return sizes if positive else sizes | st.just(0.0) | sizes.map(neg)


@lru_cache(maxsize=512)
def between(least: int, most: int) -> Strategy[int]:
    """`st.integers`, built and validated once for all draws that ask for the same integers."""
    return st.integers(least, most)


@lru_cache(maxsize=512)
def one_of(values: tuple[Item, ...]) -> Strategy[Item]:
    """`st.sampled_from`, built and validated once for all draws from the same values."""
    return st.sampled_from(values)


YES_OR_NO = st.booleans()


def planes(*, least: int = 1, most: int = 8) -> Strategy[int]:
    """A strategy for numbers of planes, from `least >= 1` to `most`."""
    least, most = span("least", least, "most", most, floor=1)
    return between(least, most)


def lags(*, least: int = 0, most: int = 4096) -> Strategy[int]:
    """A strategy for lags `t = i - j`, negative ones too if `least` allows them."""
    least, most = span("least", least, "most", most, floor=-(2**40))
    return between(least, most)


def positions(*, length: int, most: int = 4096) -> Strategy[NDArray[np.int64]]:
    """A strategy for `length` increasing positions, `(length,)` integers from 0 to `most`."""
    length = integer("length", length, least=1)
    most = integer("most", most, least=length - 1)
    places = st.lists(st.integers(0, most), min_size=length, max_size=length, unique=True)
    return places.map(lambda found: np.array(sorted(found), dtype=np.int64))


@lru_cache(maxsize=512)
def array(shape: tuple[int, ...], bound: float, *, positive: bool = False) -> Strategy[Floats]:
    """A strategy for arrays whose entries are 0 or of a size from `2^-20` to `bound`, either sign.

    No entry is negative with `positive`. About one entry in seven is 0 and one in nine another simple number,
    so that entries are often equal. An array is drawn as bytes at once, eight for an entry, which takes a
    quarter of the time of entries drawn one by one; the simplest array is that of zeros.
    """
    size = 8 * prod(shape)
    drawn = st.binary(min_size=size, max_size=size)
    return drawn.map(lambda found: _entries(found, bound, positive=positive).reshape(shape))


@lru_cache(maxsize=256)
def _simple(bound: float) -> Floats:
    """The simple numbers that are drawn more often than others."""
    found: Floats = np.minimum([0.0, 1.0, bound, 0.5, SMALLEST, 2.0, bound / 2, 3.0], bound)
    return found


def _entries(drawn: bytes, bound: float, *, positive: bool) -> Floats:
    """The entries that drawn bytes encode: three bits for the kind, the last bit for the sign."""
    word = np.frombuffer(drawn, ">u8")
    kind, fraction = word >> 61, (word >> 1 & (2**52 - 1)) * 2.0**-52
    simple = _simple(bound)
    found = SMALLEST + fraction * (bound - SMALLEST)
    small = kind < 4
    found[small] = SMALLEST * (bound / SMALLEST) ** fraction[small]
    found = np.minimum(np.maximum(found, SMALLEST), bound)
    found[kind == 1] = 0.0
    chosen = kind == 0
    found[chosen] = simple[(word[chosen] >> 1) % len(simple)]
    if not positive:
        found[word % 2 == 1] *= -1.0
    return np.asarray(found + 0.0)  # no zero has a sign
