"""What the elements of PyTorch's tensors are, storage by storage, while a call is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.record.building import Builder
from ropeproof.proofs_check.programs.record.graph import handles_of
from ropeproof.theory.errors import Unsupported

__all__ = ["Handles", "Memory", "Parts", "exact_array", "name_of_type"]

Handles = NDArray[np.int64]
Parts = tuple[Handles, ...]
"""The handles of a tensor's elements: of a complex tensor those of the real and the imaginary parts."""

_PART = {torch.complex32: torch.float16, torch.complex64: torch.float32}
_PART[torch.complex128] = torch.float64


def name_of_type(dtype: Any) -> str:
    """The name of a tensor's number type, of a complex type that of its parts."""
    return str(_PART.get(dtype, dtype)).removeprefix("torch.")


@dataclass
class _Storage:
    """The elements of a storage: a handle for each slot, all slots of one number type."""

    slots: Handles
    dtype: torch.dtype
    kept: torch.Tensor  # so that no other storage gets its address
    shared: bytes | None = None
    """What the memory held when it was met, where an array of NumPy may have it, too."""


class Memory:
    """The elements of all storages that a call has touched, and the nodes that they are of."""

    def __init__(self, builder: Builder, known: Sequence[Any] | None = None) -> None:
        self.builder = builder
        self.storages: dict[int, _Storage] = {}
        self.observed: dict[int, NDArray[Any]] = {}
        self.kernels: dict[str, str] = {}
        self.reads: list[tuple[str, Any]] = []
        self.before = None if known is None else [_addresses(one) for one in known]

    def was_before(self, tensor: torch.Tensor) -> bool:
        """Whether the storage of a tensor is one of those that were known before the call."""
        storage = tensor.untyped_storage()
        start, end = storage.data_ptr(), storage.data_ptr() + storage.nbytes()
        return self.before is not None and any(
            low <= start and end <= high for low, high in self.before
        )

    def known(self, tensor: torch.Tensor) -> bool:
        """Whether the storage of a tensor has been seen."""
        return tensor.untyped_storage()._cdata in self.storages

    def see(self, tensor: torch.Tensor, *, fresh: bool = False) -> None:
        """Take the numbers of a storage that was made before the call.

        A storage that appears during the call without a recorded operation is unknown, but for one that is
        `fresh`: numbers of Python that a constructor has just made a tensor of, or an array of NumPy whose
        memory it now has. The numbers of that are constants as long as nobody writes there: every use
        compares them with what they were, and a recorded write is refused, since NumPy could read what was
        written.
        """
        if tensor.layout is not torch.strided or tensor.is_quantized:
            raise Unsupported(f"a tensor of layout {tensor.layout}")
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
            raise Unsupported(f"a tensor of the class {type(tensor).__name__}")
        if tensor.device.type != "cpu":
            raise Unsupported(f"a tensor on the device {tensor.device}")
        if self.known(tensor):
            return
        part = _PART.get(tensor.dtype, tensor.dtype)
        whole = _whole(tensor)
        new = self.before is not None and not self.was_before(tensor)
        if new and not fresh and whole.numel():
            told = "a tensor that no recorded operation made, and that the function did not keep"
            node = self.builder.add("unknown", (), (whole.numel(),), name_of_type(part), name=told)
            self.builder.dependence.append(f"{told}, {self.builder.place}")
            self.remember(tensor, handles_of(node, whole.numel()))
            return
        foreign = fresh and not tensor.untyped_storage().resizable()  # PyTorch did not allocate it
        self.remember(
            tensor,
            handles_of(self._constant(whole), whole.numel()),
            shared=_bytes(whole) if foreign else None,
        )

    def _apart(self) -> None:
        """Note where memory of an array of NumPy is that of another storage, too."""
        spans = [(*_addresses(one.kept), one.shared is not None) for one in self.storages.values()]
        for low, high, shared in spans:
            if shared and any(a < high and low < b and not s for a, b, s in spans):
                told = "memory that a tensor shares with an array of NumPy is another tensor's, too"
                self.builder.dependence.append(f"{told}, {self.builder.place}")

    def _unchanged(self, storage: _Storage) -> None:
        if storage.shared is not None and _bytes(_whole(storage.kept)) != storage.shared:
            told = "memory that a tensor shares with an array of NumPy is changed"
            self.builder.dependence.append(f"{told}, {self.builder.place}")
            storage.shared = None

    def _constant(self, whole: torch.Tensor) -> int:
        name = name_of_type(whole.dtype)
        return self.builder.constant(exact_array(whole), name)

    def remember(
        self, tensor: torch.Tensor, slots: Handles, *, shared: bytes | None = None
    ) -> None:
        """Let the storage of a tensor have these elements, one for each slot."""
        part = _PART.get(tensor.dtype, tensor.dtype)
        key = tensor.untyped_storage()._cdata
        own = np.array(slots, dtype=np.int64)
        self.storages[key] = _Storage(own, part, tensor.detach(), shared)
        if any(one.shared is not None for one in self.storages.values()):
            self._apart()

    def _window(self, tensor: torch.Tensor, *, writable: bool) -> Parts:
        storage = self.storages[tensor.untyped_storage()._cdata]
        self._unchanged(storage)
        if storage.shared is not None and writable:
            told = "a recorded write into memory that a tensor shares with an array of NumPy"
            self.builder.dependence.append(f"{told}, {self.builder.place}")
        if _PART.get(tensor.dtype, tensor.dtype) != storage.dtype:
            was, now = name_of_type(storage.dtype), name_of_type(tensor.dtype)
            raise Unsupported(f"the bits of {was} read as {now}")
        width = 2 if tensor.dtype.is_complex else 1
        strides = [8 * width * n for n in tensor.stride()]
        found = []
        for part in range(width):
            start = width * tensor.storage_offset() + part
            if tensor.numel() == 0:
                found.append(np.zeros(tuple(tensor.shape), dtype=np.int64))
                continue
            view = as_strided(storage.slots[start:], tuple(tensor.shape), strides)
            found.append(view if writable else view.copy())
        return tuple(found)

    def read(self, tensor: torch.Tensor) -> Parts:
        """The elements of a tensor now."""
        parts = self._window(tensor, writable=False)
        name = name_of_type(tensor.dtype)
        if tensor.is_neg() and parts:
            parts = tuple(self.negative(p, name) for p in parts)
        if tensor.is_conj():
            parts = (parts[0], self.negative(parts[1], name))
        return parts

    def negative(self, handles: Handles, dtype: str) -> Handles:
        """The elements times -1."""
        node = self.builder.elementwise("neg", (self.builder.gather(handles),), dtype)
        return self.builder.handles(node)

    def write(self, tensor: torch.Tensor, parts: Parts) -> None:
        """Let a tensor have these elements from now on."""
        if not self.known(tensor):
            part = _PART.get(tensor.dtype, tensor.dtype)
            count = tensor.untyped_storage().nbytes() // part.itemsize
            if count == tensor.numel() and tensor.is_contiguous() and len(parts) == 1:
                self.remember(tensor, parts[0].ravel())
                return
            empty = self.builder.add("empty", (), (count,), name_of_type(part))
            self.remember(tensor, handles_of(empty, count))
        if tensor.is_conj() or tensor.is_neg():
            name = name_of_type(tensor.dtype)
            if tensor.is_neg():
                parts = tuple(self.negative(p, name) for p in parts)
            if tensor.is_conj():
                parts = (parts[0], self.negative(parts[1], name))
        if self.was_before(tensor) and any(self.builder.depends(part) for part in parts):
            told = (
                "values that depend on the arguments are written into memory that outlives the call"
            )
            self.builder.dependence.append(f"{told}, {self.builder.place}")
        for view, own in zip(self._window(tensor, writable=True), parts, strict=True):
            view[...] = own


def _addresses(one: Any) -> tuple[int, int]:
    """The addresses that a tensor's storage, or an array, lies between."""
    if isinstance(one, torch.Tensor):
        storage = one.untyped_storage()
        return storage.data_ptr(), storage.data_ptr() + storage.nbytes()
    low, high = np.lib.array_utils.byte_bounds(one)
    return int(low), int(high)


def _whole(tensor: torch.Tensor) -> torch.Tensor:
    """All numbers of a tensor's storage, of a complex tensor the parts."""
    part = _PART.get(tensor.dtype, tensor.dtype)
    return torch.empty(0, dtype=part).set_(tensor.untyped_storage())


def _bytes(whole: torch.Tensor) -> bytes:
    return whole.numpy().tobytes()


def exact_array(tensor: torch.Tensor) -> NDArray[Any]:
    """The numbers of a real tensor in a NumPy type that holds them exactly."""
    kept = tensor.detach().resolve_neg()
    if kept.dtype is torch.bfloat16:
        kept = kept.float()
    return kept.cpu().numpy().copy()
