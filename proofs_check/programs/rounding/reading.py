"""What every output of a recorded program should be: which plane of which vector at which position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.judging.matching import Layout
from ropeproof.proofs_check.programs.record.graph import ELEMENT_BITS, Program, handles_of
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["OutputReading", "read_layouts", "read_outputs"]

Handles = NDArray[np.int64]
Form: TypeAlias = Literal["rotate", "tables", "pair"]


@dataclass(frozen=True)
class OutputReading:
    """What the elements of the outputs should be, all outputs flattened one after another.

    All arrays have one entry for each element. With the plane's cosine `c` and sine `s` at the
    element's position, element `i` should be

    - `c x[own] + sign s x[other]` where `plane >= 0` and vectors are turned,
    - `x[own]` where `plane < 0`: a coordinate that is not rotated,
    - `c` or `s` where the outputs are tables: `own` is -1, and `sign` is 0 for `c` and 1 for `s`.

    - `own`, `other`: handles of elements of the inputs.
    - `position`: the handle of the coordinate of the position, -1 where none is read.
    - `coordinate`: the number by which the element is reported: its coordinate in the head, of
      tables its column.
    - `part`: which of the outputs it belongs to.
    """

    spec: RopeSpec
    plane: NDArray[np.int64]
    sign: NDArray[np.float64]
    own: Handles
    other: Handles
    position: Handles
    coordinate: NDArray[np.int64]
    part: NDArray[np.int64]

    @property
    def tables(self) -> bool:
        """Whether the outputs are tables of cosines and sines."""
        return bool(np.all(self.own < 0))


def read_outputs(
    program: Program, spec: RopeSpec, *, form: Form = "rotate", axes: str = "bhld"
) -> OutputReading:
    """What the outputs of a program should be, by the form of the call.

    `form` is `rotate` for `(x, positions) -> x`, `pair` for `(q, k, positions) -> (q, k)`, `tables`
    for `positions -> (cosines, sines)` with a column for each plane or each rotated coordinate.
    Positions are the last input, `(length,)` or `(batch, length)`, with a last axis of coordinates
    where the spec has axes. `axes` is the order of the axes of vectors, a permutation of some of
    `bhld`.

    Raises `InvalidArgument` where the program's inputs and outputs do not have these shapes.
    """
    names = list(program.inputs)
    wanted = {"rotate": 2, "pair": 3, "tables": 1}
    if form not in wanted:
        raise InvalidArgument("form", form, ", ".join(wanted))
    if len(names) != wanted[form]:
        told = f"{wanted[form]} arguments that are arrays, the positions last"
        raise InvalidArgument("program", f"arguments {', '.join(names)}", told)
    if any(program.complex_outputs):
        raise InvalidArgument("program", "complex results", "real results")
    places = _positions(program, spec, names[-1])
    if form == "tables":
        return _of_tables(program, spec, places)
    return _of_vectors(program, spec, names[:-1], places, axes)


def _positions(program: Program, spec: RopeSpec, name: str) -> Handles:
    """Handles of positions as `(batch, length, axes)`."""
    node = program.inputs[name]
    own = handles_of(node, program.nodes[node].count).reshape(program.nodes[node].shape)
    own = own[..., np.newaxis] if spec.axes is None else own
    if own.ndim == 2:
        own = own[np.newaxis]
    count = 1 if spec.axes is None else len(spec.axes.names)
    if own.ndim != 3 or own.shape[-1] != count:
        allowed = "(length,) or (batch, length), and the axes of the spec last if it has any"
        raise InvalidArgument(name, f"shape {program.nodes[node].shape}", allowed)
    return own


def _axis(spec: RopeSpec) -> NDArray[np.int64]:
    """The axis that each rotated plane reads."""
    if spec.axes is None:
        return np.zeros(spec.rotary_planes, np.int64)
    return np.asarray(spec.axes.planes, np.int64)


def _of_vectors(
    program: Program, spec: RopeSpec, names: list[str], places: Handles, axes: str
) -> OutputReading:
    if len(set(axes)) != len(axes) or not {"l", "d"} <= set(axes) <= set("bhld"):
        raise InvalidArgument("axes", axes, "a permutation of bhld, b and h may be missing")
    if len(program.outputs) != len(names):
        told = f"{len(names)} results, one for each vector"
        raise InvalidArgument("program", f"{len(program.outputs)} results", told)
    found: list[tuple[NDArray[np.int64], ...]] = []
    plane_of, partner, sign = _coordinates(spec)
    axis = _axis(spec)
    for part, (name, output) in enumerate(zip(names, program.outputs, strict=True)):
        node = program.inputs[name]
        shape = program.nodes[node].shape
        if program.nodes[output].shape != shape or len(shape) != len(axes):
            told = f"vectors {axes}, and results of their shape"
            raise InvalidArgument(name, f"{shape} to {program.nodes[output].shape}", told)
        sizes = dict(zip(axes, shape, strict=True))
        if sizes["d"] != spec.head_dim or sizes["l"] != places.shape[1]:
            told = f"head_dim {spec.head_dim} and {places.shape[1]} positions"
            raise InvalidArgument(name, f"shape {shape} with axes {axes}", told)
        own = handles_of(node, program.nodes[node].count).reshape(shape)
        at = dict(zip(axes, np.indices(shape), strict=True))
        d, l = at["d"], at["l"]
        other = np.take_along_axis(own, partner[d], axis=axes.index("d"))
        batch = at["b"] if "b" in at and places.shape[0] > 1 else np.zeros_like(l)
        plane = plane_of[d]
        read = places[batch, l, axis[np.maximum(plane, 0)] if axis.size else 0]
        position = np.where(plane < 0, -1, read)
        fields = (plane, sign[d], own, other, position, d, np.full_like(d, part))
        found.append(tuple(f.ravel() for f in fields))
    joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    return OutputReading(spec, *joined)


def _of_tables(program: Program, spec: RopeSpec, places: Handles) -> OutputReading:
    if len(program.outputs) != 2:
        raise InvalidArgument("program", f"{len(program.outputs)} results", "cosines and sines")
    planes = spec.rotary_planes
    columns = {planes: np.arange(planes)}
    both = np.zeros(2 * planes, np.int64)
    for number, pair in enumerate(spec.plane_coordinates()[:planes]):
        both[[n - spec.rotary_start for n in pair]] = number
    columns[2 * planes] = both
    found = []
    for part, output in enumerate(program.outputs):
        shape = program.nodes[output].shape
        if not shape or shape[-1] not in columns or len(shape) < 2:
            told = f"(..., length, {planes} or {2 * planes})"
            raise InvalidArgument("program", f"a table of shape {shape}", told)
        rows = int(np.prod(shape[:-1]))
        batch, length = places.shape[:2]
        if rows not in (length, batch * length):
            raise InvalidArgument("program", f"a table of shape {shape}", f"{length} rows")
        plane = np.broadcast_to(columns[shape[-1]], (rows, shape[-1]))
        row = np.arange(rows)[:, np.newaxis]
        position = places.reshape(batch * length, -1)[row, _axis(spec)[plane]]
        d = np.broadcast_to(np.arange(shape[-1]), plane.shape)
        none = np.full(plane.shape, -1, np.int64)
        sign = np.full(plane.shape, float(part))
        fields = (plane, sign, none, none, position, d, np.full(plane.shape, part))
        found.append(tuple(f.ravel() for f in fields))
    joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    return OutputReading(spec, *joined)


def read_layouts(
    program: Program, spec: RopeSpec, layouts: Sequence[tuple[Layout, int]]
) -> OutputReading:
    """What the outputs should be where layouts say which vector and position an element belongs to.

    `layouts` has for each vector argument its layout and the number of the first output that it is
    in, as `ropeproof.proofs_check.programs.judging.calls.Setup.layouts` gives them; complex results are
    among them. Raises `InvalidArgument` if they leave out an element of an output.
    """
    plane_of, partner, sign = _coordinates(spec)
    axis = _axis(spec)
    sizes = [program.nodes[n].count for n in program.outputs]
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    count = int(starts[-1])
    fields = [np.full(count, -1, np.int64) for _ in range(6)]
    plane, own, other, position, coordinate, part = fields
    signs = np.zeros(count)
    for layout, first in layouts:
        node = program.inputs[layout.vectors] << ELEMENT_BITS
        place = program.inputs[layout.place] << ELEMENT_BITS
        output = first + layout.parts
        at = starts[output] + layout.outputs
        b, _, l, d = np.indices(layout.inputs.shape)
        read = layout.positions[b, l, axis[np.maximum(plane_of[d], 0)] if axis.size else 0]
        plane[at], signs[at], part[at], coordinate[at] = plane_of[d], sign[d], output, d
        own[at], other[at] = node + layout.inputs, node + layout.inputs[..., partner]
        position[at] = np.where(plane_of[d] < 0, -1, place + read)
    if bool(np.any(part < 0)):
        raise InvalidArgument("layouts", f"{len(layouts)} layouts", "every element of the results")
    return OutputReading(spec, plane, signs, own, other, position, coordinate, part)


def _coordinates(
    spec: RopeSpec,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """For each coordinate its plane, the other one of the plane, and the sign of that one's sine."""
    plane_of = np.full(spec.head_dim, -1, np.int64)
    partner, sign = np.arange(spec.head_dim), np.zeros(spec.head_dim)
    for plane, (re, im) in enumerate(spec.plane_coordinates()[: spec.rotary_planes]):
        plane_of[[re, im]], partner[re], partner[im] = plane, im, re
        sign[re], sign[im] = -1.0, 1.0
    return plane_of, partner, sign
