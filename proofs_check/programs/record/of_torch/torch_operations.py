"""Carries out an operation of PyTorch and records what it is."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from torch.utils._pytree import tree_leaves

from ropeproof.proofs_check.programs.guards.library import of_library
from ropeproof.proofs_check.programs.record.of_torch.torch_meanings import (
    MEANINGS,
    indexed,
    scattered,
)
from ropeproof.proofs_check.programs.record.of_torch.torch_memory import (
    Memory,
    Parts,
    exact_array,
    name_of_type,
)
from ropeproof.proofs_check.programs.record.of_torch.torch_operation import Operation
from ropeproof.proofs_check.programs.record.tested import TESTED, beyond_rounding
from ropeproof.theory.errors import Unsupported

__all__ = ["READS", "carry_out"]

_OBSERVE_AT_MOST = 1 << 20


def carry_out(  # noqa: PLR0915
    memory: Memory,
    again: AbstractContextManager[Any],
    func: Any,
    args: tuple[Any, ...],
    kwargs: Any,
) -> Any:
    """Carry out an operation and record it; gives what the operation gives.

    In the context `again` operations are recorded as well: those that this one is made of.
    """
    at = Operation(memory, func, args, kwargs)
    for tensor in at.tensors:
        memory.see(tensor, fresh=at.name in ("lift_fresh", "lift_fresh_copy", "lift"))
    returns = func._schema.returns
    viewed = bool(returns) and all(
        r.alias_info is not None and not r.alias_info.is_write for r in returns
    )
    if viewed and not at.targets:
        result = func(*args, **kwargs)
        if all(memory.known(t) for t in tree_leaves(result) if isinstance(t, torch.Tensor)):
            return result
    at.look()
    name = at.name.rstrip("_") if not at.name.startswith("__") else at.name
    _replaced(at, func)
    if name in READS:
        result = func(*args, **kwargs)
        memory.reads.append((at.name, result))
        return _escape(at, result)
    seeded = torch.Tag.nondeterministic_seeded in func.tags
    meaning = None if seeded else MEANINGS.get(name)
    if meaning is None and not seeded and at.depends(at.tensors):
        decomposed = _decomposition(func)
        if decomposed is not None:
            with again:
                return decomposed(*args, **kwargs)
    shaped = torch.Tag.dynamic_output_shape in func.tags and (
        meaning is None or any(t.dtype in (torch.bool, torch.uint8) for t in at.tensors[1:])
    )
    if shaped and at.depends(at.tensors):
        told = f"aten.{at.name} gives a result whose shape depends on the arguments"
        at.builder.dependence.append(f"{told}, {at.builder.place}")
    result = func(*args, **kwargs)
    outs = [t for t in tree_leaves(result) if isinstance(t, torch.Tensor)]
    if not outs and not at.targets and returns:
        memory.reads.append((at.name, result))
        return _escape(at, result)
    targets = at.targets or outs
    if not targets:
        if at.depends(at.tensors):
            told = f"aten.{at.name} does something with values that depend on the arguments"
            at.builder.dependence.append(f"{told}, {at.builder.place}")
        return result
    told = f"aten.{at.name}"
    if all(memory.known(t) for t in outs) and not at.targets:
        return result  # the very memory of an argument
    at.out = targets[0]
    if not at.depends(at.tensors) and (meaning is None or meaning in (indexed, scattered)):
        drawn = seeded or at.name in ("empty", "empty_strided", "empty_like", "new_empty")
        for t in targets:
            if at.name.startswith(("empty", "new_empty")):
                memory.write(t, _empty(at, t))
            else:
                memory.write(t, at.unknown_parts(t, told) if drawn else at.constant_parts(t))
        return result
    try:
        if meaning is None:
            raise Unsupported(told + (": random numbers" if seeded else ""))
        parts = meaning(at)
    except Unsupported as error:
        for t in targets:
            memory.write(t, at.unknown_parts(t, str(error)))
        return result
    _test(at, targets[0])
    each = parts if isinstance(parts, list) else [parts]
    for t, own in zip(targets, each, strict=False):
        spread = _in_type(at, tuple(np.broadcast_to(p, tuple(t.shape)) for p in own), t.dtype)
        memory.write(t, spread)
        _observe(at, t, spread)
    for t in targets[len(each) :]:
        memory.write(t, at.unknown_parts(t, f"{told}, result {len(each) + 1}"))
    return result


def _in_type(at: Operation, parts: Parts, dtype: torch.dtype) -> Parts:
    """Elements in the type of the tensor that they are written to."""
    name = name_of_type(dtype)
    found = []
    for part in parts:
        right = not part.size or at.builder.types(part) == {name}
        whole = 0 if right else at.builder.cast(at.builder.gather(part), name)
        found.append(part if right else at.builder.handles(whole))
    return tuple(found)


def _observe(at: Operation, tensor: torch.Tensor, parts: Parts) -> None:
    """Keep the numbers of a result that depends on no argument."""
    if tensor.is_complex() or tensor.numel() > _OBSERVE_AT_MOST or not tensor.numel():
        return
    if at.builder.depends(parts[0]):
        return
    node = int(parts[0].flat[0]) >> 40
    if at.builder.nodes[node].shape == tuple(tensor.shape):
        whole = at.builder.handles(node)
        if np.array_equal(whole, parts[0]):
            at.memory.observed[node] = exact_array(tensor)


def _empty(at: Operation, tensor: torch.Tensor) -> Parts:
    name = name_of_type(tensor.dtype)
    return tuple(
        at.builder.handles(at.builder.add("empty", (), tuple(tensor.shape), name))
        for _ in range(2 if tensor.dtype.is_complex else 1)
    )


_TABLE: dict[Any, Any] = {}


def _decomposition(func: Any) -> Any:
    if not _TABLE:
        from torch._decomp import core_aten_decompositions

        _TABLE.update(core_aten_decompositions())
    if any(a.alias_info is not None and a.alias_info.is_write for a in func._schema.arguments):
        return None
    return _TABLE.get(func)


# -- reading numbers into Python ------------------------------------------------------

READS = {"_local_scalar_dense", "equal", "is_nonzero", "item"}


def _test(at: Operation, found: torch.Tensor) -> None:
    """Note a cosine, a power and so on that is further from the exact one than rounding explains."""
    name = at.name.rstrip("_")
    if at.targets or name not in TESTED or found.is_complex():
        return
    given = [at.given[n] for n in ("self", "exponent") if n in at.given]
    arrays = [
        exact_array(g.to(found.dtype)) if isinstance(g, torch.Tensor) else np.array(float(g))
        for g in given
    ]
    told = beyond_rounding(name, arrays, exact_array(found), name_of_type(found.dtype))
    if told:
        at.builder.dependence.append(f"{told}, {at.builder.place}")


def _replaced(at: Operation, func: Any) -> None:
    """Note an operation of which a kernel was put in the place of PyTorch's own."""
    name = func.name().split(".")[0]
    if name not in at.memory.kernels:
        listed = torch._C._dispatch_dump(func.name()).splitlines()
        python = [(line, re.search(r"registered at (\S+\.py|/dev/null):", line)) for line in listed]
        own = [
            line.split(":")[0]
            for line, place in python
            if place
            and not line.startswith(("Meta", "Python", "debug"))
            and not of_library(place[1])
        ]
        at.memory.kernels[name] = own[0] if own else ""
    if at.memory.kernels[name] and at.depends(at.tensors):
        told = f"{name} has another kernel than PyTorch's ({at.memory.kernels[name]})"
        at.builder.dependence.append(f"{told}, {at.builder.place}")


def _escape(at: Operation, result: Any) -> Any:
    if not at.depends(at.tensors):
        return result
    if at.name == "_local_scalar_dense" and not isinstance(result, complex):
        at.builder.escape(at.parts(at.args[0])[0].reshape(()), result)
        return result
    node = at.builder.add(
        "unknown",
        tuple(at.builder.gather(p) for t in at.tensors for p in at.parts(t)),
        (),
        "bool" if isinstance(result, bool) else "float64",
        name=f"aten.{at.name}",
    )
    at.builder.escape(at.builder.handles(node), result)
    return result
