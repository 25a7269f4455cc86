"""Arguments that are NumPy arrays or PyTorch tensors of real numbers, read as float64 arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["as_numpy", "finite_array", "real_array"]

Floats = NDArray[np.float64]


def as_numpy(values: Any) -> Any:
    """A PyTorch tensor as a NumPy array, floating types in float64; any other value unchanged.

    NumPy has no bfloat16, hence the conversion to float64.
    """
    if not hasattr(values, "detach"):
        return values
    tensor = values.detach().cpu()
    return (tensor.double() if tensor.is_floating_point() else tensor).numpy()


def real_array(name: str, values: Any, *, least: float | None = None) -> Floats:
    """An array or tensor of real numbers as a float64 NumPy array of the same shape.

    The numbers must be finite; with `least`, entries equal to `least` (for example `-inf`) are allowed too.
    Raises `InvalidArgument`, with what is wrong.
    """
    try:
        array = np.asarray(as_numpy(values))
    except ValueError:
        raise InvalidArgument(name, values, "an array of real numbers") from None
    if array.dtype.kind not in "fiu":
        raise InvalidArgument(name, f"dtype {array.dtype}", "an array of real numbers")
    finite = np.isfinite(array)
    if not finite.all() and (least is None or not (finite | (array == least)).all()):
        allowed = "finite numbers" if least is None else f"finite numbers or {least}"
        raise InvalidArgument(name, "a value that is not finite", allowed)
    return array.astype(np.float64)


def finite_array(name: str, values: Any) -> Floats:
    """Finite real numbers as a float64 array. Raises `InvalidArgument`, with the values."""
    allowed = "an array of finite real numbers"
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidArgument(name, values, allowed) from None
    if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
        raise InvalidArgument(name, values, allowed)
    return array.astype(np.float64)
