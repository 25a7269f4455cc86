"""One operation of PyTorch that is being recorded: its arguments and what they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.utils._pytree import tree_leaves

from ropeproof.proofs_check.programs.record.of_torch.torch_memory import (
    Memory,
    Parts,
    exact_array,
    name_of_type,
)
from ropeproof.theory.errors import Unsupported

__all__ = ["Operation", "parts_of_number"]

_HALF = (torch.float16, torch.bfloat16)


class Operation:
    """One operation that is being carried out: its arguments and what they are made of."""

    def __init__(self, memory: Memory, func: Any, args: tuple[Any, ...], kwargs: Any) -> None:
        self.memory, self.builder, self.func = memory, memory.builder, func
        self.args, self.kwargs = args, kwargs
        self.name = func._overloadpacket.__name__
        names = [a.name for a in func._schema.arguments]
        defaults = {
            a.name: a.default_value for a in func._schema.arguments if a.has_default_value()
        }
        self.given: dict[str, Any] = defaults | dict(zip(names, args, strict=False)) | kwargs
        self.tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        written = {
            a.name
            for a in func._schema.arguments
            if a.alias_info is not None and a.alias_info.is_write
        }
        self.targets = [
            t
            for name in names
            if name in written
            for t in tree_leaves(self.given.get(name))
            if isinstance(t, torch.Tensor)
        ]
        self.read: dict[int, Parts] = {}
        self.numbers: dict[int, torch.Tensor] = {}
        self.out: torch.Tensor | None = None

    def look(self) -> None:
        """Read what the operation's arguments are made of, before it is carried out."""
        for t in self.tensors:
            if id(t) not in self.read:
                self.read[id(t)] = self.memory.read(t)
                whole = not t.is_floating_point() and not t.is_complex()
                self.numbers[id(t)] = t.clone() if self.targets and whole else t

    def parts(self, tensor: torch.Tensor) -> Parts:
        """What a tensor among the arguments is made of."""
        return self.read[id(tensor)]

    def depends(self, thing: Any) -> bool:
        """Whether a tensor in this depends on an argument of the call that is recorded."""
        return any(
            self.builder.depends(part)
            for t in tree_leaves(thing)
            if isinstance(t, torch.Tensor)
            for part in self.parts(t)
        )

    @property
    def dtype(self) -> torch.dtype:
        """The type of the result, or of the target where one is written."""
        if self.out is None:
            raise Unsupported(f"{self.name} without a result")
        return self.out.dtype

    def computed_in(self) -> torch.dtype:
        """The type in which an elementwise operation computes."""
        if not self.targets:
            return self.dtype
        own = [self.given[n] for n in ("self", "other", "exponent") if n in self.given]
        own = [v for v in own if isinstance(v, torch.Tensor | int | float | complex)]
        if len(own) == 2:
            return torch.result_type(own[0], own[1])
        return self.dtype

    def operand(self, value: Any, dtype: torch.dtype) -> tuple[int, ...]:
        """The nodes of an operand's parts in a number type: two if the type is complex, one if not."""
        name = name_of_type(dtype)
        if isinstance(value, torch.Tensor):
            nodes = tuple(
                self.builder.cast(self.builder.gather(part), name) for part in self.parts(value)
            )
        else:
            nodes = tuple(self.number(v, dtype) for v in parts_of_number(value))
        if dtype.is_complex and len(nodes) == 1:
            nodes = (*nodes, self.number(0, dtype))
        if not dtype.is_complex and len(nodes) == 2:
            nodes = nodes[:1]
        return nodes

    def number(self, value: Any, dtype: torch.dtype) -> int:
        """The node of a number of the code, which is rounded to the type that the operation computes in."""
        if isinstance(value, bool):
            own = "bool"
        elif isinstance(value, int):
            own = "int64"
        else:
            own = "float64"
        node = self.builder.constant(np.array(value), own)
        wide = torch.float32 if dtype in _HALF else dtype  # as PyTorch does for short types
        return self.builder.cast(node, name_of_type(wide))

    def constant_parts(self, tensor: torch.Tensor) -> Parts:
        """The numbers of a tensor as constants."""
        kept = tensor.detach().resolve_conj()
        parts = (kept.real, kept.imag) if kept.is_complex() else (kept,)
        name = name_of_type(tensor.dtype)
        return tuple(
            self.builder.handles(self.builder.constant(exact_array(p), name)) for p in parts
        )

    def unknown_parts(self, tensor: torch.Tensor, told: str) -> Parts:
        """The elements of a result that has no meaning."""
        inputs = tuple(
            dict.fromkeys(
                self.builder.gather(p) for parts in self.read.values() for p in parts if p.size
            )
        )
        name = name_of_type(tensor.dtype)
        return tuple(
            self.builder.handles(
                self.builder.add("unknown", inputs, tuple(tensor.shape), name, name=told)
            )
            for _ in range(2 if tensor.dtype.is_complex else 1)
        )


def parts_of_number(value: Any) -> tuple[Any, ...]:
    """The real and the imaginary part of a complex number, or a real number alone."""
    return (value.real, value.imag) if isinstance(value, complex) else (value,)
