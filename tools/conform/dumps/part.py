"""Queries or keys of a dump in canonical order: vectors before and after, and their positions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.formats import UNITS
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.contents import Contents
from ropeproof.tools.conform.subjects.subject import Subject

__all__ = ["NAMES", "DumpedPart", "parts"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

NAMES = {
    "before": ("{}_before", "{}", "{}_pre_rope"),
    "after": ("{}_after", "{}_rotated", "{}_rot", "{}_embed", "{}_post_rope"),
    "positions": ("{}_positions", "{}_position_ids", "positions", "position_ids"),
    "turned": ("{}_positions_before", "positions_before"),
    "mask": ("{}_mask", "mask", "attention_mask"),
}
"""Names of the arrays in a dump, the first that is there is read; `q` or `k` stands in the braces."""

_ORDERS = {2: ("ld", "l(hd)"), 3: ("lhd", "hld", "bld", "bl(hd)"), 4: ("bhld", "blhd", "lbhd")}
"""Orders of the axes that are looked for where a dump does not say them, by their number."""


@dataclass(frozen=True, eq=False)
class DumpedPart:
    """The queries or the keys of a dump.

    `before` and `after` are `(batch, heads, length, head_dim)`. `positions` are `(rows, length)`,
    with one axis more of their coordinates if the spec has axes, and `rows` is 1 or the batch.
    `turned` are positions, of the same shape, to which `before` was already turned (a cache that is
    shifted); None for vectors that are not turned yet. `compared` says which tokens count,
    `(batch, length)`: neither masked ones nor, unless positions are centred, such with a
    negative position. `dtype` is the type
    in which `after` was rounded.
    """

    name: str
    before: Floats
    after: Floats
    positions: Places
    turned: Places | None
    compared: NDArray[np.bool_]
    dtype: str
    axes: str

    @property
    def keys(self) -> bool:
        """Whether these are the keys."""
        return self.name == "keys"

    @property
    def angles_of(self) -> Places:
        """The positions by which the vectors are to be turned."""
        return self.positions if self.turned is None else self.positions - self.turned

    def turned_at_all(self) -> bool:
        """Whether any compared token has an angle other than 0."""
        rows = self.angles_of.reshape(*self.angles_of.shape[:2], -1).any(-1)
        return bool((rows & self.compared).any())


def parts(
    contents: Contents, spec: RopeSpec, *, axes: str | None = None, dtype: str | None = None
) -> list[DumpedPart]:
    """The queries and the keys of a dump, as far as it has both their vectors before and after.

    `axes` is the order of axes where the dump does not say it, as in `Subject`; without both it is the
    only order that fits the shapes. `dtype` is the type of the vectors; without it the dump's text
    `dtype`, else the coarsest type that holds every number of the result.
    Raises `InvalidArgument`, about what does not fit: no vectors, no positions, shapes.
    """
    found = [
        part
        for letter, name in (("q", "queries"), ("k", "keys"))
        if (part := _part(contents, spec, letter, name, axes, dtype)) is not None
    ]
    if not found:
        allowed = "q_before and q_after, or k_before and k_after, among its arrays"
        raise InvalidArgument("dump", sorted(contents.arrays), allowed)
    return found


def _array(contents: Contents, what: str, letter: str) -> tuple[str, NDArray[Any]] | None:
    for pattern in NAMES[what]:
        name = pattern.format(letter)
        if name in contents.arrays:
            return name, contents.arrays[name]
    return None


def _part(
    contents: Contents,
    spec: RopeSpec,
    letter: str,
    name: str,
    axes: str | None,
    dtype: str | None,
) -> DumpedPart | None:
    before, after = _array(contents, "before", letter), _array(contents, "after", letter)
    if before is None or after is None:
        return None
    given = _array(contents, "positions", letter)
    if given is None:
        allowed = f"positions or {letter}_positions among the arrays of {contents.path}"
        raise InvalidArgument("positions", None, allowed)
    shape = before[1].shape
    if shape != after[1].shape and not np.iscomplexobj(after[1]):
        told = f"{before[0]} {shape} and {after[0]} {after[1].shape}"
        raise InvalidArgument("dump", told, "the same shape of both")
    said = contents.texts.get(f"{letter}_axes") or contents.texts.get("axes") or axes
    count = 1 if spec.axes is None else len(spec.axes.names)
    order = said or _order(shape, given[1], spec, count, letter)
    vectors = [_canonical(array, order, spec, n) for n, array in (before, after)]
    batch, _, length, _ = vectors[0].shape
    positions = _positions(*given, batch, length, spec)
    turned = _array(contents, "turned", letter)
    mask = _array(contents, "mask", letter)
    counted = (positions >= 0).reshape(len(positions), length, -1).all(-1)
    if _centred(positions, contents, spec):
        counted = np.ones_like(counted)
    compared = np.broadcast_to(counted, (batch, length))
    if mask is not None:
        compared = compared & _mask(*mask, batch, length)
    return DumpedPart(
        name=name,
        before=vectors[0],
        after=vectors[1],
        positions=positions,
        turned=None if turned is None else _positions(*turned, batch, length, spec),
        compared=np.asarray(compared),
        dtype=_type(vectors[1], contents, after[0], dtype),
        axes=order,
    )


def _canonical(array: NDArray[Any], order: str, spec: RopeSpec, name: str) -> Floats:
    try:
        found, _ = Subject(print, spec, axes=order, array="numpy").canonical(array)
    except Unsupported as error:
        allowed = f"axes {order}, heads of {spec.head_dim} coordinates ({error})"
        raise InvalidArgument(name, array.shape, allowed) from None
    if found.shape[-1] != spec.head_dim:
        allowed = f"axes {order}, of which d has {spec.head_dim} coordinates"
        raise InvalidArgument(name, array.shape, allowed)
    return found


def _order(
    shape: tuple[int, ...], positions: NDArray[Any], spec: RopeSpec, count: int, letter: str
) -> str:
    """The only usual order of axes that fits the shapes of vectors and positions."""
    own = positions.shape
    fits = []
    for order in _ORDERS.get(len(shape), ()):
        flat = order.endswith("(hd)")
        plain = order.replace("(hd)", "d")
        sizes = dict(zip(plain, shape, strict=True))
        if flat == (sizes["d"] == spec.head_dim) or sizes["d"] % spec.head_dim:
            continue
        if any(_fits(own, sizes.get("b", 1), sizes["l"], count)):
            fits.append((order, sizes))
    if len(fits) > 1:  # one row and one head are the same in either order
        kept = [(o, s) for o, s in fits if not (o == "bld" and _rows(own, count) == 1)]
        fits = kept or fits
    if len(fits) != 1:
        told = ", ".join(order for order, _ in fits) or "none of the usual orders fits"
        allowed = (
            f"--axes or a text `axes` in the dump, an order of b, h, l, d such as blhd, for "
            f"{letter} of shape {shape} at positions of shape {own} ({told})"
        )
        raise InvalidArgument("axes", None, allowed)
    return fits[0][0]


def _rows(shape: tuple[int, ...], count: int) -> int:
    return 1 if len(shape) <= (1 if count == 1 else 2) else max(shape[0], 1)


def _fits(shape: tuple[int, ...], batch: int, length: int, count: int) -> Iterator[bool]:
    """Whether positions of this shape, with coordinates last, first or missing, are of these rows."""
    plain = [(length,), (1, length), (batch, length)]
    yield shape in plain
    if count > 1:
        yield shape in [(*p, count) for p in plain]
        yield shape in [(count, *p) for p in plain]


def _positions(name: str, array: NDArray[Any], batch: int, length: int, spec: RopeSpec) -> Places:
    """Positions as `(1 or batch, length)`, with their coordinates last if the spec has axes."""
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.rint(array)).all():
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise InvalidArgument(name, f"an array of {array.dtype}", "whole numbers")
    found = array.astype(np.int64)
    count = 1 if spec.axes is None else len(spec.axes.names)
    plain = [(length,), (1, length), (batch, length), (batch * length,)]
    if found.shape in plain:
        whole = found.reshape(-1, length)
        return whole if spec.axes is None else np.stack([whole] * count, -1)
    if count > 1:
        last = found.shape in [(*p, count) for p in plain]
        first = found.shape in [(count, *p) for p in plain]
        if last and first and not np.array_equal(found, np.moveaxis(found, 0, -1)):
            allowed = f"a shape that tells {count} coordinates from as many tokens"
            raise InvalidArgument(name, found.shape, allowed)
        if first and not last:
            found = np.moveaxis(found, 0, -1)
        if first or last:
            return np.asarray(found.reshape(-1, length, count))
    allowed = f"({length},) or ({batch}, {length})"
    allowed += "" if count == 1 else f", and {count} coordinates first or last"
    raise InvalidArgument(name, f"shape {found.shape}", allowed)


def _centred(positions: Places, contents: Contents, spec: RopeSpec) -> bool:
    """Whether negative positions are positions, counted from the middle, and not those of padding.

    The dump's text `centred` says it. Without it they are so of images (axes that are not those of text)
    where one coordinate is less than -1, or is negative beside another that is not: padding has -1 in all.
    """
    said = contents.texts.get("centred")
    if said is not None:
        if said.lower() not in ("yes", "no", "true", "false", "1", "0"):
            raise InvalidArgument("centred", said, "yes or no in the dump")
        return said.lower() in ("yes", "true", "1")
    if spec.axes is None or spec.axes.of_text:
        return False
    negative = positions < 0
    return bool((positions < -1).any() or (negative.any(-1) & ~negative.all(-1)).any())


def _mask(name: str, array: NDArray[Any], batch: int, length: int) -> NDArray[np.bool_]:
    """Which tokens are none of padding, `(1 or batch, length)`; the mask has 0 at padding."""
    if array.size not in (length, batch * length) or array.shape[-1] not in (length, array.size):
        raise InvalidArgument(name, f"shape {array.shape}", f"({length},) or ({batch}, {length})")
    return np.asarray(array.reshape(-1, length) != 0)


def _type(values: Floats, contents: Contents, name: str, asked: str | None) -> str:
    """The type in which results were rounded: as asked or said, else the coarsest that holds them."""
    said = asked or contents.texts.get("dtype")
    if said is not None:
        said = said.removeprefix("torch.").removeprefix("numpy.")
        if said not in UNITS:
            raise InvalidArgument("dtype", said, ", ".join(UNITS))
        return said
    stored = contents.stored[name]
    stored = {"complex64": "float32", "complex128": "float64"}.get(stored, stored)
    finite = values[np.isfinite(values)]
    kept = {
        "bfloat16": lambda v: (v.astype(np.float32).view(np.uint32) & 0xFFFF) == 0,
        "float16": lambda v: v.astype(np.float16).astype(np.float64) == v,
        "float32": lambda v: v.astype(np.float32).astype(np.float64) == v,
    }
    with np.errstate(over="ignore"):
        for coarse in itertools.takewhile(lambda t: t != stored, kept):
            exact = (finite.astype(np.float32) == finite).all() if coarse == "bfloat16" else True
            if exact and bool(np.all(kept[coarse](finite))):
                return coarse
    return stored if stored in UNITS else "float32"
