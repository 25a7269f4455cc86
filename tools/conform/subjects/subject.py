"""An implementation under test, whatever its signature, as one function of canonical arrays.

Canonical vectors are `(batch, heads, length, head_dim)` in float64 with values that every type
holds; canonical positions are `(length,)` or `(batch, length)` integers. Where positions of the spec
have several coordinates these are arrangements that `Subject.lifted` fills up, or `(batch, length,
axes)`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.arrays import Kind, is_torch, read, write
from ropeproof.tools.conform.subjects.history import Call
from ropeproof.tools.conform.subjects.tables import apply_tables

__all__ = ["FORMS", "Form", "Subject", "SubjectRaised", "form_of"]

Floats = NDArray[np.float64]
Form: TypeAlias = Literal["rotate", "tables", "pair"]
FORMS: tuple[Form, ...] = ("rotate", "tables", "pair")


def form_of(call: Any) -> Form:
    """How a function is called, by its parameters; `rotate` where they do not say.

    `(q, k, positions)` is a `pair`, also under names such as `query` and `xk`; one parameter, whose name
    begins with `pos`, means `tables`. Parameters with a default are not counted.
    """
    try:
        parameters = inspect.signature(getattr(call, "forward", call)).parameters.values()
    except (TypeError, ValueError):  # a built-in function without a signature
        return "rotate"
    if any(
        p.kind in (p.VAR_POSITIONAL, p.KEYWORD_ONLY) and p.default is p.empty for p in parameters
    ):
        return "rotate"
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p.name.lower() for p in places if p.default is p.empty]
    if len(needed) == 3 and _QUERY.fullmatch(needed[0]) and _KEY.fullmatch(needed[1]):
        return "pair"
    return "tables" if len(needed) == 1 and needed[0].startswith("pos") else "rotate"


_QUERY = re.compile(r"x?q(uer(y|ies))?(_\w+)?|queries")
_KEY = re.compile(r"x?k(eys?)?(_\w+)?")
_AXES = "bhld"


class SubjectRaised(Exception):
    """The implementation raised; the message has its error."""


@dataclass(frozen=True)
class Subject:
    """A callable and how it is called.

    - `form`: `rotate` is `(x, positions) -> x`; `tables` is `positions -> (cos, sin)`, whose tables
      have `rotary_dim/2` or `rotary_dim` columns and are applied in the spec's layout; `pair` is
      `(q, k, positions) -> (q, k)`, of which `part` 0 or 1 is looked at.
    - `axes`: the order of its axes, a permutation of `bhld` from which `b` and `h` may be missing; `(hd)` at
      the end is one axis of all heads, one after another.
    - `rows`: positions are always `(batch, length)`, also where all rows have the same.
    - `array`: the arrays it takes, as in `write`.
    - `single`: axes of `axes`, from `b` and `h`, on which it takes one index at a time.
    - `in_place`: it turns the vectors that it is given, and need return nothing.
    - `calls`: what it was called with so far, added to by each call.
    """

    call: Callable[..., Any]
    spec: RopeSpec
    form: Form = "rotate"
    axes: str = "bhld"
    array: Kind = "torch"
    part: int = 0
    in_place: bool = False
    rows: bool = False
    single: str = ""
    calls: list[Call] = field(default_factory=list, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not callable(self.call):
            raise InvalidArgument("rotate", self.call, "a callable")
        if self.form not in FORMS:
            raise InvalidArgument("form", self.form, ", ".join(FORMS))
        order, flat = self.order, self.flat
        once = len(set(order)) == len(order)
        whole = self.axes == (f"{order.removesuffix('hd')}(hd)" if flat else order)
        if not once or not whole or not set("ld") <= set(order) <= set(_AXES):
            allowed = "l and d, and b and h if there are such axes, (hd) for one axis of both"
            raise InvalidArgument("axes", self.axes, allowed)
        if flat and self.form == "tables":
            raise InvalidArgument("axes", self.axes, "no (hd) with tables, which the kit applies")

    @property
    def order(self) -> str:
        """The axes in their order, without parentheses."""
        return self.axes.replace("(", "").replace(")", "")

    @property
    def flat(self) -> bool:
        """Whether heads and their coordinates are one axis."""
        return "(" in self.axes or ")" in self.axes

    def several(self, axis: str) -> bool:
        """Whether one call may have several indices on an axis, `b` or `h`."""
        return axis in self.axes and axis not in self.single

    def sizes(self, batch: int, heads: int) -> tuple[int, int]:
        """The numbers of rows and of heads of one call: those asked for, or 1 where it takes no more."""
        return (batch if self.several("b") else 1, heads if self.several("h") else 1)

    def lifted(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions with one coordinate for each axis of the spec, last; others as they are.

        The first coordinate is the position and the others are apart from it, so that no axis can
        stand for another. Positions `(batch, length, axes)` are returned unchanged.
        """
        axes = self.spec.axes
        if axes is None or positions.ndim == 3:
            return positions
        span = max(int(positions.max(initial=0)) + 1, 2)
        others = [((2 * a + 1) * positions + 2 * a - 1) % span for a in range(1, len(axes.names))]
        return np.stack((positions, *others), -1)

    def native(self, x: NDArray[np.floating[Any]], dtype: str) -> Any:
        """Canonical vectors as the arrays that the implementation takes, rounded to `dtype`."""
        if missing := [a for a in _AXES if a not in self.axes and x.shape[_AXES.index(a)] != 1]:
            raise InvalidArgument("x", x.shape, f"size 1 on the axes {missing}")
        kept = x.reshape([n for n, a in zip(x.shape, _AXES, strict=True) if a in self.axes])
        own = [a for a in _AXES if a in self.axes]
        kept = kept.transpose([own.index(a) for a in self.order])
        if self.flat:
            kept = kept.reshape(*kept.shape[:-2], -1)
        return write(kept, self.array, dtype)

    def upstream(self, x: Floats, result: Any, dtype: str) -> Any:
        """Canonical vectors in the form of the implementation's result, as its gradient in torch."""
        if not result.is_complex():
            return self.native(x, dtype).to(result.dtype)
        import torch

        # A complex number for each plane: the same axes, and planes in the place of coordinates.
        re, im = (list(part) for part in zip(*self.spec.plane_coordinates(), strict=True))
        parts = (self.native(x[..., taken], "float64") for taken in (re, im))
        return torch.complex(*parts).to(result.dtype)

    def places(self, native: Any, positions: NDArray[np.int64]) -> Any:
        """Positions as the implementation takes them, for native vectors; the call is recorded."""
        places, least = self.lifted(positions), 1 if self.spec.axes is None else 2
        one = places.ndim == 3 and len(places) == 1
        if one and not self.several("b") and not (self.rows and "b" in self.axes):
            places = places[0]
        if self.rows and places.ndim == least:
            count = native.shape[self.order.index("b")] if "b" in self.axes else 1
            places = np.broadcast_to(places, (count, *places.shape))
        buffer = write(places, self.array, None)
        self._record(native, places, buffer)
        return buffer

    def _record(self, native: Any, places: NDArray[np.int64], buffer: Any) -> None:
        dtype = str(getattr(native, "dtype", "")).rsplit(".", maxsplit=1)[-1]
        self.calls.append(Call(np.array(places), dtype, buffer))

    def rewritten(self, native: Any, positions: NDArray[np.int64]) -> Any:
        """Call as `invoke` does, with positions written into the array that the last call had.

        Raises `Unsupported` for arrays that cannot be written.
        """
        buffer, places = self.calls[-1].buffer, self.lifted(positions)
        if not (is_torch(buffer) or isinstance(buffer, np.ndarray)):
            raise Unsupported("such arrays of positions cannot be written")
        buffer[...] = write(places, self.array, None)
        self._record(native, np.broadcast_to(places, tuple(buffer.shape)), buffer)
        return self._given(native, buffer)

    def invoke(self, native: Any, positions: NDArray[np.int64]) -> Any:
        """What the implementation returns for native vectors; raises `SubjectRaised` if it raises."""
        return self._given(native, self.places(native, positions))

    def _given(self, native: Any, places: Any) -> Any:
        given: tuple[Any, ...] = (native, places) if self.form == "rotate" else (places,)
        if self.form == "pair":  # the other has other values, so that neither can stand for both
            pair = (native, _other(native)) if self.part == 0 else (_other(native), native)
            given = (*pair, places)
        try:
            found = self.call(*given)
        except (Exception, SystemExit) as error:  # an exit would end the check as if it had passed
            raise _raised(error) from error
        if self.in_place and found is None:
            found = native if self.form == "rotate" else given[:-1]
        if self.form == "rotate":
            return found
        if self.form == "tables":
            try:
                return apply_tables(found, native, self.spec, self.axes)
            except Unsupported:
                raise
            except Exception as error:  # tables of a shape that fits these vectors nowhere
                shapes = ", ".join(str(tuple(getattr(t, "shape", ()))) for t in found)
                told = f"tables of shapes {shapes} for vectors {tuple(native.shape)}"
                raise Unsupported(told) from error
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise Unsupported(f"a {type(found).__name__} where the pair (q, k) was expected")
        return found[self.part]

    def both(self, q: Any, k: Any, positions: NDArray[np.int64]) -> tuple[Any, Any]:
        """The pair that the implementation returns for native queries and keys; raises as `invoke`."""
        try:
            found = self.call(q, k, self.places(k, positions))
        except (Exception, SystemExit) as error:
            raise _raised(error) from error
        found = (q, k) if self.in_place and found is None else found
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise Unsupported(f"a {type(found).__name__} where the pair (q, k) was expected")
        return found[0], found[1]

    def canonical(self, native: Any) -> tuple[Floats, str]:
        """Native vectors in canonical order, and the name of their type.

        Complex numbers are planes: their real and imaginary parts are the two coordinates of each.
        """
        try:
            values, dtype = read(native)
        except Unsupported:
            raise
        except Exception as error:  # whatever an array does that is no ordinary one
            told = f"a {type(native).__name__} that cannot be read"
            raise Unsupported(f"{told} ({type(error).__name__})") from error
        count = len(self.order) - self.flat
        if np.iscomplexobj(values):
            values = self._real(values)
        if values.ndim != count:
            raise Unsupported(f"shape {values.shape} where {count} axes were expected")
        if self.flat:
            if values.shape[-1] % self.spec.head_dim:
                told = f"heads of {self.spec.head_dim} coordinates were expected"
                raise Unsupported(f"shape {values.shape} where {told}")
            values = values.reshape(*values.shape[:-1], -1, self.spec.head_dim)
        own = [a for a in _AXES if a in self.axes]
        values = values.transpose([self.order.index(a) for a in own])
        shape = [values.shape[own.index(a)] if a in own else 1 for a in _AXES]
        return values.reshape(shape), dtype

    def _real(self, values: NDArray[Any]) -> Floats:
        """Coordinates of the spec from one complex number per plane."""
        pairs = self.spec.plane_coordinates()
        width = self.spec.head_dim
        shape = (*values.shape[:-1], -1, len(pairs)) if self.flat else values.shape
        values = values.reshape(shape)
        if values.shape[-1] != len(pairs):
            told = f"{len(pairs)} planes of a head were expected"
            raise Unsupported(f"{values.shape[-1]} complex numbers where {told}")
        found = np.empty((*values.shape[:-1], width))
        re, im = (list(part) for part in zip(*pairs, strict=True))
        found[..., re], found[..., im] = values.real, values.imag
        return found.reshape(*found.shape[:-2], -1) if self.flat else found

    def apply(
        self, x: NDArray[np.floating[Any]], positions: NDArray[np.int64], dtype: str
    ) -> Floats:
        """The results of the implementation on canonical vectors, in one call or as many as it needs.

        There is one call for each index of an axis on which it takes one at a time (`single`).
        Raises `SubjectRaised` if it raises and `Unsupported` if it returns no such array.
        """
        lacking = [n for n, a in enumerate("bh") if not self.several(a)]
        if not lacking:
            return self._once(x, positions, dtype)
        if positions.ndim == 2:  # coordinates are those of the whole arrangement
            positions = self.lifted(positions)
        result = np.empty(x.shape)
        for where in np.ndindex(*(x.shape[n] for n in lacking)):
            take: list[Any] = [slice(None)] * 4
            for n, place in zip(lacking, where, strict=True):
                take[n] = slice(place, place + 1)
            rows = positions
            if positions.ndim >= 2 and 0 in lacking:
                rows = positions[where[lacking.index(0)]]
                rows = rows[np.newaxis] if positions.ndim == 3 else rows
            result[tuple(take)] = self._once(x[tuple(take)], rows, dtype)
        return result

    def _once(
        self, x: NDArray[np.floating[Any]], positions: NDArray[np.int64], dtype: str
    ) -> Floats:
        found, _ = self.canonical(self.invoke(self.native(x, dtype), positions))
        if found.shape != x.shape:
            raise Unsupported(f"shape {found.shape}, expected {x.shape}")
        return found


def _raised(error: BaseException) -> SubjectRaised:
    told = " ".join(str(error).split())[:160]
    return SubjectRaised(f"{type(error).__name__}: {told}")


def _other(native: Any) -> Any:
    """The vectors times -1; the same vectors where their library cannot multiply them by -1."""
    try:
        return native * -1
    except TypeError:
        return native
