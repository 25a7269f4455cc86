"""Records one call of a function of PyTorch tensors as a program.

The call is an ordinary one, on tensors with numbers: what is recorded is what was carried out.
A dispatch mode sees every operation that PyTorch's dispatcher carries out, whoever called it. Where
the elements of a storage come from is kept storage by storage, so that views and writes in place need
no meaning of their own: sizes and strides of a tensor say which elements it has.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from ropeproof.proofs_check.programs.guards.library import of_library
from ropeproof.proofs_check.programs.guards.names import ATTRIBUTES
from ropeproof.proofs_check.programs.guards.raised import exceptions_in
from ropeproof.proofs_check.programs.guards.running import LookedThrough
from ropeproof.proofs_check.programs.record.building import Builder
from ropeproof.proofs_check.programs.record.of_torch import torch_operations
from ropeproof.proofs_check.programs.record.of_torch.torch_memory import (
    Handles,
    Memory,
    exact_array,
    name_of_type,
)
from ropeproof.proofs_check.programs.record.places import place_now
from ropeproof.proofs_check.programs.record.traced import Traced
from ropeproof.proofs_check.programs.record.watching import watching
from ropeproof.theory.errors import Unsupported

__all__ = ["Recorder", "trace_torch"]

_TAKEN_OUT = {"numpy", "tolist", "__array__", "data_ptr", "storage", "untyped_storage"}
_TAKEN_OUT |= {"__dlpack__", "__reduce_ex__", "apply_", "map_", "map2_", "_typed_storage"}
_SHARING = {"as_tensor", "asarray"}
"""Functions that take an array of NumPy's by `torch.from_numpy`, whose memory `Memory` watches."""

_OPERATORS = {f"__{n}__" for n in (
    *("add", "radd", "iadd", "sub", "rsub", "isub", "mul", "rmul", "imul", "truediv", "rtruediv"),
    *("itruediv", "floordiv", "rfloordiv", "mod", "rmod", "pow", "rpow", "ipow", "matmul", "rmatmul"),
    *("neg", "abs", "pos", "invert", "and", "rand", "or", "ror", "xor", "lt", "le", "gt", "ge", "eq"),
    *("ne", "getitem", "setitem", "len", "iter", "bool", "int", "float", "index", "div", "rdiv"),
    *("contains", "format", "hash", "idiv"),
)}  # fmt: skip
"""Methods that give a tensor's numbers to code that no recording follows."""


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A mode that records what is carried out while it is active, into `builder`."""

    def __init__(self, builder: Builder, known: Sequence[Any] | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.builder, self.memory = builder, Memory(builder, known)

    # -- operations ---------------------------------------------------------------

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Carry out one operation and record it."""
        kwargs = dict(kwargs or {})
        with torch._C.DisableTorchFunction():
            self.builder.place = place_now() or self.builder.place
            try:
                return torch_operations.carry_out(self.memory, self, func, tuple(args), kwargs)
            except BaseException as error:  # remembered, since the user's code may catch it
                told = " ".join(str(error).split())[:160]
                self.builder.dependence.append(
                    f"{func.name()} raises {type(error).__name__}: {told}, {self.builder.place}"
                )
                raise


class _Watch(TorchFunctionMode):
    """Notes where a tensor's numbers are taken out by ways that the dispatcher does not see."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name in ("__get__", "__set__", "__delete__"):
            name = getattr(getattr(func, "__self__", None), "__name__", name)
        known = name in ATTRIBUTES or name in _OPERATORS
        if not known and not of_library(sys._getframe(1).f_code.co_filename):
            self.recorder.builder.dependence.append(
                f"{name} of PyTorch is not followed, {place_now()}"
            )
        if name in _TAKEN_OUT:
            self._taken(name, args)
        if name in _SHARING and any(
            isinstance(a, np.ndarray) for a in tree_leaves((args, kwargs or {}))
        ):
            return self._shared(func, name, args, kwargs or {})
        if name == "tolist":
            reads = self.recorder.memory.reads
            before = len(reads)
            found = func(*args, **(kwargs or {}))
            reads[before:] = [("_local_scalar_dense", number) for number in tree_leaves(found)]
            return found
        return func(*args, **(kwargs or {}))

    def _shared(self, func: Any, name: str, args: Any, kwargs: Any) -> Any:
        """A tensor in the memory of an array: that of `torch.from_numpy`, and of it what is asked for."""
        others = tree_leaves((args[1:], kwargs))
        if (
            not args
            or type(args[0]) is not np.ndarray
            or any(isinstance(a, np.ndarray) for a in others)
        ):
            self.recorder.builder.dependence.append(
                f"torch.{name} of arrays of NumPy in something else is not followed, {place_now()}"
            )
            return func(*args, **kwargs)
        return func(torch.from_numpy(args[0]), *args[1:], **kwargs)

    def _taken(self, name: str, args: Any) -> None:
        builder = self.recorder.builder
        builder.place = place_now() or builder.place
        with torch._C.DisableTorchFunction():
            for tensor in tree_leaves(args):
                if isinstance(tensor, torch.Tensor):
                    self.recorder.memory.see(tensor)
                    if any(builder.depends(p) for p in self.recorder.memory.read(tensor)):
                        told = (
                            f"Tensor.{name} takes values that depend on the arguments into Python"
                        )
                        builder.dependence.append(f"{told}, {builder.place}")


def trace_torch(
    call: Callable[..., Any],
    arguments: Mapping[str, torch.Tensor],
    *,
    watched: Sequence[str] = (),
    known: Sequence[Any] | None = None,
    codes: LookedThrough | None = None,
) -> Traced:
    """Call `call` with the tensors of `arguments`, in their order, and record what it does.

    The tensors must be contiguous and share no memory; they are changed if the call changes them.
    `known` are the tensors and arrays that the function keeps: other memory that nothing recorded made is
    not known then; `codes` is the code that was looked through, beside which only libraries' may run. In
    modules of the files `watched`, integers that are read from tensors are followed (`watching`). Raises
    `Unsupported` where a tensor cannot be followed or no tensors are returned;
    whatever `call` raises.
    """
    builder = Builder()
    recorder = Recorder(builder, known)
    raised: list[str] = []
    before: dict[str, NDArray[Any]] = {}
    started: dict[str, Handles] = {}
    for name, tensor in arguments.items():
        before[name] = exact_array(tensor)
        node = builder.input(name, tensor.shape, name_of_type(tensor.dtype))
        started[name] = builder.handles(node).ravel()
        recorder.memory.remember(tensor, started[name])
    with (
        watching(watched, builder.escapes) as seen,
        recorder,
        _Watch(recorder),
        exceptions_in(raised, codes),
    ):
        result = call(*arguments.values())
    builder.dependence += raised
    if result is None:
        result = tuple(arguments.values())
    found = list(result) if isinstance(result, tuple | list) else [result]
    if not found or not all(isinstance(t, torch.Tensor) for t in found):
        kinds = ", ".join(type(t).__name__ for t in found)
        raise Unsupported(f"it returns {kinds or 'nothing'}, where tensors were expected")
    outputs: list[int] = []
    results: list[NDArray[Any]] = []
    for tensor in found:
        recorder.memory.see(tensor)
        outputs += [builder.gather(part) for part in recorder.memory.read(tensor)]
        kept = tensor.detach().resolve_conj()
        kept_parts = (kept.real, kept.imag) if kept.is_complex() else (kept,)
        results += [exact_array(part) for part in kept_parts]
    written = [
        name
        for name, tensor in arguments.items()
        if not np.array_equal(recorder.memory.read(tensor)[0].ravel(), started[name])
    ]
    program = builder.program(outputs, [t.is_complex() for t in found], written)
    shapes = tuple(tuple(t.shape) for t in found)
    return Traced(
        program,
        before,
        tuple(results),
        recorder.memory.observed,
        shapes,
        tuple(seen[0]),
        frozenset(seen[1]),
        tuple(recorder.memory.reads),
    )
