"""The functions that compiled terms call on float64 arrays: scalars broadcast, sums are over axes.

An index of a sum has its axis in front of all others, so that everything else broadcasts along it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["FLOATS", "array", "axes"]


def array(name: str, value: Any, arity: int) -> NDArray[np.float64]:
    """An argument as finite float64 numbers, `arity` axes or more. Raises `InvalidArgument`."""
    try:
        read = np.asarray(value)
    except ValueError:
        raise InvalidArgument(name, value, "an array of finite real numbers") from None
    if read.dtype.kind not in "fiu" or not np.isfinite(read).all():
        raise InvalidArgument(name, value, "finite real numbers")
    if read.ndim < arity:
        allowed = f"an array of {arity} axes or more"
        raise InvalidArgument(name, f"shape {read.shape}", allowed)
    return read.astype(np.float64)


def axes(arrays: list[tuple[NDArray[np.float64], int]]) -> int:
    """The largest number of axes that any argument has beyond those that its arity accounts for."""
    return max((values.ndim - arity for values, arity in arrays), default=0)


def _whole(value: Any) -> NDArray[np.float64]:
    ends: NDArray[np.float64] = np.asarray(value, dtype=np.float64)
    if not ends.size or (ends != np.rint(ends)).any():
        raise InvalidArgument("limit of a sum", value, "integers")
    return ends


def _total(term: Callable[[Any], Any], low: Any, high: Any, around: int) -> Any:
    """The sum of a term over the integers from `low` to `high`, zero where `high = low - 1`.

    Limits that move with the index of a sum around this one have its axis; the term is then looked at
    from the least to the largest of them, and left out where it is not between its own.
    """
    lows, highs = _whole(low), _whole(high)
    if (highs < lows - 1).any():
        raise InvalidArgument("limits of a sum", (low, high), "at least an empty sum")
    first, last = int(lows.min()), int(highs.max())
    if last < first:
        return np.float64(0.0)
    index = np.arange(first, last + 1, dtype=np.float64).reshape((-1, *(1,) * around))
    values = np.asarray(term(index))
    if (lows != first).any() or (highs != last).any():
        return np.where((lows <= index) & (index <= highs), values, 0.0).sum(0)
    return values.sum(0) if values.ndim > around else values * len(index)


def _entry(name: str, values: NDArray[np.float64], *places: Any) -> Any:
    """The values of an indexed argument at given indices, which are along its last axes."""
    indices = []
    for place, size in zip(places, values.shape[values.ndim - len(places) :], strict=True):
        index = np.asarray(place)
        whole = np.rint(index).astype(np.intp)
        if (whole != index).any() or (whole < 0).any() or (whole >= size).any():
            raise InvalidArgument(name, f"{size} values", f"one at {np.unique(index).tolist()}")
        indices.append(whole)
    own = values.shape[: values.ndim - len(places)]
    if not own:
        return values[tuple(indices)]
    if len(indices) == 1 and (run := _run(indices[0])) is not None:
        seen = np.moveaxis(values[..., run], -1, 0)  # a view: fancy indexing would copy it
        return seen.reshape(len(seen), *(1,) * (indices[0].ndim - seen.ndim), *own)
    grid = [np.arange(size).reshape(size, *(1,) * (len(own) - k)) for k, size in enumerate(own, 1)]
    return values[(*grid, *indices)]


def _run(index: NDArray[np.intp]) -> slice | None:
    """The slice that equals an array of consecutive indices along the first axis, else None."""
    flat = index.ravel()
    if not len(flat) or len(flat) != len(index) or (np.diff(flat) != 1).any():
        return None
    return slice(int(flat[0]), int(flat[-1]) + 1)


def _power(value: Any, exponent: int) -> Any:
    return value * value if exponent == 2 else np.power(value, float(exponent))


FLOATS: Mapping[str, Any] = MappingProxyType(
    {
        "over": np.true_divide,
        "pi": lambda: np.pi,
        "power": _power,
        "raised": np.power,
        "sqrt": np.sqrt,
        "exp": np.exp,
        "log": np.log,
        "cos": np.cos,
        "sin": np.sin,
        "cos_pi": lambda turns: np.cos(np.pi * turns),
        "sin_pi": lambda turns: np.sin(np.pi * turns),
        "tan": np.tan,
        "acos": np.arccos,
        "asin": np.arcsin,
        "atan": np.arctan,
        "tanh": np.tanh,
        "sinh": np.sinh,
        "cosh": np.cosh,
        "absolute": np.abs,
        "floor": np.floor,
        "sign": np.sign,
        "minimum": np.minimum,
        "maximum": np.maximum,
        "entry": _entry,
        "total": _total,
    }
)
