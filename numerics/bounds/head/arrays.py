"""Array arguments of the head scores (NumPy or torch), and results of the same kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_rational

if TYPE_CHECKING:
    import torch

__all__ = ["broadcast", "finite_tensor", "like", "positive"]

_FLOATING = frozenset({np.dtype(t) for t in (np.float16, np.float32, np.float64)})


def finite_tensor(name: str, values: Any) -> torch.Tensor:
    """The argument as a torch tensor of its own type, sharing its memory where torch can.

    Raises `InvalidArgument` unless it is a NumPy array or a torch tensor of finite floating
    numbers.
    """
    import torch

    if isinstance(values, np.ndarray | np.floating):
        values = np.asarray(values)  # a number of NumPy is what indexing an array gives
        if values.dtype not in _FLOATING:
            raise InvalidArgument(name, f"dtype {values.dtype}", "a floating type")
        # Torch has no negative strides and warns of memory that it may not write to.
        plain = values if min(values.strides, default=0) >= 0 else values.copy()
        tensor = torch.from_numpy(plain if plain.flags.writeable else plain.copy())
    elif not isinstance(values, torch.Tensor):
        raise InvalidArgument(name, type(values).__name__, "a NumPy array or a torch tensor")
    elif not values.is_floating_point():
        raise InvalidArgument(name, f"dtype {values.dtype}", "a floating type")
    else:
        tensor = values.detach()
    if not bool(tensor.isfinite().all()):
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    return tensor


def like(model: Any, result: torch.Tensor) -> Any:
    """The result as a NumPy array if `model` is one, else as the tensor that it is."""
    return result.numpy() if isinstance(model, np.ndarray) else result


def broadcast(left: Any, right: Any) -> tuple[int, ...] | None:
    """The shape to which two shapes broadcast, None if they do not."""
    try:
        return np.broadcast_shapes(tuple(left), tuple(right))
    except ValueError:
        return None


def positive(name: str, value: object) -> float:
    """The value as a float above 0. Raises `InvalidArgument` for anything else."""
    number = float(read_rational(name, value))
    if not number > 0:
        raise InvalidArgument(name, value, "a number > 0")
    return number
