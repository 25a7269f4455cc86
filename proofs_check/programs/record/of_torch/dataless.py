"""Runs a function of PyTorch tensors without numbers: whoever looks at a number then fails.

The tensors of this run have sizes and types, and no memory. What the recorder saw being read is handed
out again; a number that is read in another way, by a thread, through shared memory, by a constructor or
by a protocol of buffers, is not there, and the run ends with an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

from ropeproof.proofs_check.programs.guards.raised import exceptions_in
from ropeproof.proofs_check.programs.guards.running import LookedThrough
from ropeproof.proofs_check.programs.record.of_torch.torch_operations import READS
from ropeproof.proofs_check.programs.record.traced import Traced

__all__ = ["unseen_reads"]


class _Given(TorchDispatchMode):
    """Hands out the numbers that were read while the call was recorded, in order."""

    def __init__(self, reads: Sequence[tuple[str, Any]]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.reads, self.taken, self.wrong = reads, 0, ""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Carry out an operation on sizes and types."""
        name = func._overloadpacket.__name__
        if name not in READS:
            return func(*args, **(kwargs or {}))
        if self.taken >= len(self.reads) or self.reads[self.taken][0] != name:
            self.wrong = "other numbers are read than those that were recorded"
            raise RuntimeError(self.wrong)
        self.taken += 1
        return self.reads[self.taken - 1][1]


def unseen_reads(
    call: Callable[..., Any],
    arguments: Mapping[str, torch.Tensor],
    traced: Traced,
    codes: LookedThrough | None = None,
) -> str:
    """In words, what shows that the call uses numbers in a way that its record lacks; empty if nothing."""
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    given = [mode.from_tensor(tensor) for tensor in arguments.values()]
    raised: list[str] = []
    numbers = _Given(traced.reads)
    try:
        with mode, numbers, exceptions_in(raised, codes):
            result = call(*given)
    except (Exception, SystemExit) as error:
        told = " ".join(str(error).split())[:160]
        where = f", {raised[0].rpartition(', ')[2]}" if raised else ""
        return f"without numbers it raises {type(error).__name__}: {told}{where}"
    if raised:
        return f"without numbers: {raised[0]}"
    if numbers.wrong or numbers.taken != len(traced.reads):
        return numbers.wrong or "fewer numbers are read than were recorded"
    result = given if result is None else result
    found = list(result) if isinstance(result, tuple | list) else [result]
    if not all(isinstance(one, FakeTensor) for one in found):
        return "its result does not come from its arguments by operations of PyTorch"
    if tuple(tuple(one.shape) for one in found) != traced.shapes:
        return "without numbers its result has another shape"
    return ""
