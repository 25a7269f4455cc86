"""The numbers of what a function returned, as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["as_numbers", "flat_numbers"]


def flat_numbers(found: Any) -> list[NDArray[Any]]:
    """What a function returned as flat arrays of float64, parts of complex numbers apart."""
    arrays = list(found) if isinstance(found, tuple | list) else [found]
    result = []
    for one in arrays:
        values = as_numbers(one)
        parts = (values.real, values.imag) if np.iscomplexobj(values) else (values,)
        result += [np.asarray(p, dtype=np.float64).ravel() for p in parts]
    return result


def as_numbers(thing: Any) -> NDArray[Any]:
    """The numbers of a tensor or an array as a NumPy array, those of bfloat16 as float32."""
    if type(thing).__module__.split(".")[0] == "torch":
        import torch

        kept = thing.detach().resolve_conj().resolve_neg()
        return np.asarray((kept.float() if kept.dtype is torch.bfloat16 else kept).numpy())
    return np.asarray(thing)
