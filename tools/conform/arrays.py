"""Conversion between float64 values and arrays of NumPy, torch or another library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.conform.expected.budget import UNITS

__all__ = ["Kind", "is_torch", "read", "write"]

Kind: TypeAlias = Literal["torch", "numpy"] | Callable[[NDArray[Any]], Any]
"""Which arrays an implementation takes; a function such as `jax.numpy.asarray` makes others."""


def is_torch(array: object) -> bool:
    """Whether an array is a torch tensor; torch is not imported for it."""
    return type(array).__module__.split(".", maxsplit=1)[0] == "torch"


def write(values: NDArray[Any], kind: Kind, dtype: str | None) -> Any:
    """An array of the given kind with these values, rounded to `dtype`; integers if it is None.

    Raises `Unsupported` where the library has no such type, `InvalidArgument` for another kind.
    """
    if kind == "torch":
        import torch

        tensor = torch.from_numpy(np.ascontiguousarray(values).copy())
        return tensor if dtype is None else tensor.to(getattr(torch, dtype))
    if kind != "numpy" and not callable(kind):
        raise InvalidArgument("array", kind, "'torch', 'numpy' or a function that makes an array")
    array = values.copy() if dtype is None else values.astype(_numpy_type(dtype))
    if kind == "numpy":
        return array
    try:
        return kind(array)
    except Exception as error:
        told = " ".join(str(error).split())[:160]
        raise Unsupported(f"array= raises {type(error).__name__}: {told}") from error


def _numpy_type(dtype: str) -> Any:
    if dtype != "bfloat16":
        return np.dtype(dtype)
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        raise Unsupported("NumPy has no bfloat16 without the package ml_dtypes") from None
    return np.dtype(bfloat16)


_PARTS = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}
"""The types of real and imaginary parts."""


def read(array: Any) -> tuple[NDArray[Any], str]:
    """The values of an array in float64 or complex128, and the name of its type.

    Of complex arrays that is the type of a real part.
    Goes through `detach().cpu()` of a torch tensor, `__array__` or `__dlpack__`. Raises
    `Unsupported` if none of them gives an array of floating numbers.
    """
    name = str(getattr(array, "dtype", "")).rsplit(".", maxsplit=1)[-1]
    if is_torch(array):
        array = array.detach().cpu().resolve_conj().resolve_neg()
        if array.is_floating_point():
            import torch

            return array.to(torch.float64, copy=True).numpy(), _named(name, "float64")
        found = array.numpy()
    elif hasattr(array, "__array__") or isinstance(array, np.ndarray):
        found = np.asarray(array)
    elif hasattr(array, "__dlpack__"):
        found = np.from_dlpack(array)
    else:
        raise Unsupported(f"a {type(array).__name__} where an array was expected")
    if found.dtype.kind == "c":
        return np.array(found, dtype=np.complex128), _PARTS.get(name, f"float{found.itemsize * 4}")
    if found.dtype.kind in "iuO":
        raise Unsupported(f"an array of {found.dtype} where real floating numbers were expected")
    return np.array(found, dtype=np.float64), _named(name, found.dtype.name)


def _named(name: str, otherwise: str) -> str:
    """The name of a type whose rounding is known, else that of the array its values were read into."""
    return name if name in UNITS else otherwise
