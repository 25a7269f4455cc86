"""The calls of an implementation that are recorded, and where its coordinates are in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.judging.matching import Layout
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.arrays import Kind
from ropeproof.tools.conform.subjects.subject import Form as Signature
from ropeproof.tools.conform.subjects.subject import Subject
from ropeproof.tools.conform.subjects.tables import apply_tables

__all__ = ["FINE", "CallSetting", "Setup", "drawn_vectors"]

_AXES = "bhld"
FINE = 4
"""The seed of vectors whose numbers use all bits of their type: what rounds them on the way shows."""
_FINE_BITS = {"float64": 40, "float32": 23, "float16": 10, "bfloat16": 7}


def drawn_vectors(shape: tuple[int, ...], seed: int, dtype: str) -> NDArray[np.float64]:
    """Numbers from -2 to 2 that the type `dtype` holds exactly; those of the seed `FINE` use all its bits.

    Those of other seeds have 7 bits, which every type holds, so that calls in all types have the same.
    """
    bits = _FINE_BITS[dtype] if seed == FINE else 6
    whole = np.random.default_rng(seed).integers(-(2**bits), 2**bits + 1, shape)
    return whole / 2.0 ** (bits - 1)


@dataclass(frozen=True)
class CallSetting:
    """The sizes and types of one call: `rows` if positions have an axis for the batch."""

    batch: int
    heads: int
    length: int
    rows: bool
    dtype: str = "float32"
    positions_type: str = "int64"

    def __str__(self) -> str:
        places = f"({self.batch}, {self.length})" if self.rows else f"({self.length},)"
        vectors = f"batch {self.batch}, {self.heads} heads, {self.length} tokens in {self.dtype}"
        return f"{vectors}, positions {places} in {self.positions_type}"


@dataclass(frozen=True)
class Setup:
    """An implementation with its signature, as `ropeproof.conform.check` takes them."""

    call: Callable[..., Any]
    spec: RopeSpec
    form: Signature = "rotate"
    axes: str = "bhld"
    array: Kind = "torch"
    in_place: bool = False
    rows: bool = False
    contiguous: bool = False

    @property
    def subject(self) -> Subject:
        """The subject of the tests of `conform`, whose rules of axes these are."""
        return Subject(
            self.call, self.spec, self.form, self.axes, self.array,
            in_place=self.in_place, rows=self.rows,
        )  # fmt: skip

    def whole(self) -> Callable[..., Any]:
        """The implementation as a function of vectors and positions that returns vectors."""
        call, spec, axes = self.call, self.spec, self.axes

        if self.form == "tables":
            return lambda x, p: apply_tables(call(p), x, spec, axes)
        if self.form == "pair":

            def pair(q: Any, k: Any, p: Any) -> Any:
                found = call(q, k, p)
                found = (q, k) if found is None and self.in_place else found
                if not isinstance(found, tuple | list) or len(found) != 2:
                    told = f"a {type(found).__name__} where the pair (q, k) was expected"
                    raise Unsupported(told)
                return found

            return pair

        def rotate(x: Any, p: Any) -> Any:
            found = call(x, p)
            return x if found is None and self.in_place else found

        return rotate

    def vectors(self) -> tuple[str, ...]:
        """The names of the arguments that are vectors."""
        return ("q", "k") if self.form == "pair" else ("x",)

    def sizes(self, setting: CallSetting) -> tuple[int, int, int, int]:
        """The canonical sizes (batch, heads, length, head_dim), 1 where an axis is missing."""
        batch = setting.batch if "b" in self.axes else 1
        heads = setting.heads if "h" in self.axes else 1
        return batch, heads, setting.length, self.spec.head_dim

    def _native(self, canonical: NDArray[Any]) -> NDArray[Any]:
        order = self.subject.order
        kept = canonical.reshape(
            [n for n, a in zip(canonical.shape, _AXES, strict=True) if a in order]
        )
        own = [a for a in _AXES if a in order]
        kept = kept.transpose([own.index(a) for a in order])
        return kept.reshape(*kept.shape[:-2], -1) if self.subject.flat else kept

    def arguments(
        self, setting: CallSetting, positions: Sequence[int], seed: int
    ) -> Mapping[str, NDArray[Any]]:
        """The arguments of a call, with vectors drawn from `seed`; `positions` are those of a row.

        Other rows, and other coordinates of positions with axes, are those of the first in another
        order.
        """
        found: dict[str, NDArray[Any]] = {}
        names = self.vectors()
        drawn = drawn_vectors((len(names), *self.sizes(setting)), seed, setting.dtype)
        for name, canonical in zip(names, drawn, strict=True):
            found[name] = np.ascontiguousarray(self._native(canonical))
        found["p"] = self._positions(setting, positions)
        return found

    def _positions(self, setting: CallSetting, positions: Sequence[int]) -> NDArray[np.int64]:
        row = np.array(positions, dtype=np.int64)
        if self.contiguous:
            row = max(int(row.max()) - setting.length + 1, 0) + np.arange(setting.length)
            count = self.sizes(setting)[0] if setting.rows else 1
            return np.ascontiguousarray(np.stack([row] * count) if setting.rows else row)
        rows = np.stack([np.roll(row, n) for n in range(self.sizes(setting)[0])])
        if self.spec.axes is not None:
            count = len(self.spec.axes.names)
            rows = np.stack([np.roll(rows, a, -1) for a in range(count)], -1)
        return np.ascontiguousarray(rows if setting.rows else rows[0])

    def layouts(
        self, setting: CallSetting, shapes: Sequence[tuple[int, ...]], complexes: Sequence[bool]
    ) -> list[tuple[Layout, int]]:
        """For each vector argument where its results are, and the first of the output nodes they are in.

        `shapes` are those of the arrays returned, complex ones where `complexes` says so. Raises
        `Unsupported` for results of another shape.
        """
        names = self.vectors()
        if len(shapes) != len(names):
            told = f"{len(shapes)} arrays where {len(names)} were expected"
            raise Unsupported(told)
        sizes = self.sizes(setting)
        flat = self._back(np.arange(int(np.prod(self._native(np.zeros(sizes)).shape))), sizes)
        axes = 1 if self.spec.axes is None else len(self.spec.axes.names)
        every = np.arange((sizes[0] if setting.rows else 1) * setting.length * axes)
        places = every.reshape(-1, setting.length, axes)
        positions = np.broadcast_to(places, (sizes[0], setting.length, axes))
        found = []
        first = 0
        for name, shape, is_complex in zip(names, shapes, complexes, strict=True):
            outputs, parts = self._outputs(sizes, tuple(shape), is_complex)
            run = setting.length if self.contiguous else 0
            found.append((Layout(name, "p", flat, outputs, parts, positions, run), first))
            first += 2 if is_complex else 1
        return found

    def _outputs(
        self, sizes: tuple[int, ...], shape: tuple[int, ...], is_complex: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if not is_complex:
            if shape != self._native(np.zeros(sizes)).shape:
                told = f"a result of shape {shape} where {self._native(np.zeros(sizes)).shape}"
                raise Unsupported(f"{told} was expected")
            flat = self._back(np.arange(int(np.prod(shape))), sizes)
            return flat, np.zeros_like(flat)
        planes = (*sizes[:3], sizes[3] // 2)
        if shape != self._native(np.zeros(planes)).shape:
            raise Unsupported(f"complex numbers of shape {shape}, one for each plane was expected")
        own = self._back(np.arange(int(np.prod(shape))), planes)
        outputs = np.zeros(sizes, dtype=np.int64)
        parts = np.zeros(sizes, dtype=np.int64)
        for plane, (re, im) in enumerate(self.spec.plane_coordinates()):
            outputs[..., re] = outputs[..., im] = own[..., plane]
            parts[..., im] = 1
        return outputs, parts

    def _back(self, flat: NDArray[Any], sizes: tuple[int, ...]) -> NDArray[Any]:
        """Flat elements of a native array in canonical order."""
        order = self.subject.order
        by_axis = dict(zip(_AXES, sizes, strict=True))
        native = flat.reshape([by_axis[a] for a in order])
        own = [a for a in _AXES if a in order]
        canonical = native.transpose([order.index(a) for a in own])
        return np.ascontiguousarray(canonical.reshape(sizes))
