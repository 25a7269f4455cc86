"""Single numbers, and arrays of them."""

from __future__ import annotations

from functools import lru_cache
from operator import neg

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from ropeproof.numerics.strategies.arguments import finite_positive, integer, span
from ropeproof.theory.errors import InvalidArgument

__all__ = ["SMALLEST", "Floats", "Strategy", "array", "floats", "lags", "planes", "positions"]

Floats = NDArray[np.float64]
Strategy = st.SearchStrategy
SMALLEST = 2.0**-20
"""The smallest size of a float that is drawn, but for 0."""


def floats(*, bound: float = 8.0, positive: bool = False) -> Strategy[float]:
    """0 or a size from `2^-20` to `bound`, of either sign; only the positive ones if asked."""
    bound = finite_positive("bound", bound)
    if bound < 2 * SMALLEST:
        raise InvalidArgument("bound", bound, f"a number >= {2 * SMALLEST}")
    if not isinstance(positive, bool):
        raise InvalidArgument("positive", positive, "True or False")
    return _sizes(bound, positive)


# What is asked for in many draws is built, and validated by Hypothesis, once.
@lru_cache(maxsize=256)
def _sizes(bound: float, positive: bool) -> Strategy[float]:
    sizes = st.floats(SMALLEST, bound)
    return sizes if positive else sizes | st.just(0.0) | sizes.map(neg)


def planes(*, least: int = 1, most: int = 8) -> Strategy[int]:
    """A number of planes, from 1 up."""
    least, most = span("least", least, "most", most, floor=1)
    return st.integers(least, most)


def lags(*, least: int = 0, most: int = 4096) -> Strategy[int]:
    """Lags `t = i - j`, negative ones too if `least` allows them."""
    least, most = span("least", least, "most", most, floor=-(2**40))
    return st.integers(least, most)


def positions(*, length: int, most: int = 4096) -> Strategy[NDArray[np.int64]]:
    """`length` positions in strictly increasing order, `(length,)` integers from 0 to `most`."""
    length = integer("length", length, least=1)
    most = integer("most", most, least=length - 1)
    places = st.lists(st.integers(0, most), min_size=length, max_size=length, unique=True)
    return places.map(lambda found: np.array(sorted(found), dtype=np.int64))


@lru_cache(maxsize=512)
def array(shape: tuple[int, ...], elements: Strategy[float]) -> Strategy[Floats]:
    """Arrays of that shape, drawn entry by entry."""
    return arrays(np.float64, shape, elements=elements, fill=st.nothing())
