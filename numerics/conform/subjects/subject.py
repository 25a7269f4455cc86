"""An implementation under test, whatever its signature, as one function of canonical arrays.

Canonical vectors are `(batch, heads, length, head_dim)` in float64 with values that every type
holds; canonical positions are `(length,)` or `(batch, length)` integers. Where positions of the spec
have several coordinates these are arrangements that `Subject.lifted` fills up, or `(batch, length,
axes)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.conform.arrays import Kind, read, write
from ropeproof.numerics.conform.subjects.tables import apply_tables
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["FORMS", "Form", "Refused", "Subject"]

Floats = NDArray[np.float64]
Form: TypeAlias = Literal["rotate", "tables", "pair"]
FORMS: tuple[Form, ...] = ("rotate", "tables", "pair")
_AXES = "bhld"


class Refused(Exception):
    """The implementation raised; the message has its error."""


@dataclass(frozen=True)
class Subject:
    """A callable and how it is called.

    - `form`: `rotate` is `(x, positions) -> x`; `tables` is `positions -> (cos, sin)`, whose tables
      have `rotary_dim/2` or `rotary_dim` columns and are applied in the spec's layout; `pair` is
      `(q, k, positions) -> (q, k)`, of which `part` 0 or 1 is looked at.
    - `axes`: the order of its axes, a permutation of `bhld` from which `b` and `h` may be missing.
    - `array`: the arrays it takes, as in `write`.
    - `in_place`: it turns the vectors that it is given, and need return nothing.
    """

    call: Callable[..., Any]
    spec: RopeSpec
    form: Form = "rotate"
    axes: str = "bhld"
    array: Kind = "torch"
    part: int = 0
    in_place: bool = False

    def __post_init__(self) -> None:
        if not callable(self.call):
            raise InvalidArgument("rotate", self.call, "a callable")
        if self.form not in FORMS:
            raise InvalidArgument("form", self.form, ", ".join(FORMS))
        once = len(set(self.axes)) == len(self.axes)
        if not once or not set("ld") <= set(self.axes) <= set(_AXES):
            raise InvalidArgument("axes", self.axes, "l and d, and b and h if there are such axes")

    def lifted(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions with one coordinate for each axis of the spec, last; others as they are.

        The first coordinate is the position and the others are apart from it, so that no axis can
        stand for another. `(batch, length, axes)` is taken for what it is.
        """
        axes = self.spec.axes
        if axes is None or positions.ndim == 3:
            return positions
        span = max(int(positions.max(initial=0)) + 1, 2)
        others = [((2 * a + 1) * positions + 2 * a - 1) % span for a in range(1, len(axes.names))]
        return np.stack((positions, *others), -1)

    def native(self, x: Floats, dtype: str) -> Any:
        """Canonical vectors as the arrays that the implementation takes."""
        if missing := [a for a in _AXES if a not in self.axes and x.shape[_AXES.index(a)] != 1]:
            raise InvalidArgument("x", x.shape, f"size 1 on the axes {missing}")
        kept = x.reshape([n for n, a in zip(x.shape, _AXES, strict=True) if a in self.axes])
        own = [a for a in _AXES if a in self.axes]
        return write(kept.transpose([own.index(a) for a in self.axes]), self.array, dtype)

    def invoke(self, native: Any, positions: NDArray[np.int64]) -> Any:
        """What the implementation returns for native vectors; raises `Refused` if it raises."""
        places = self.lifted(positions)
        if places.ndim == 3 and "b" not in self.axes and len(places) == 1:
            places = places[0]
        places = write(places, self.array, None)
        # The other of a pair has other values, so that neither can stand for both.
        pair = (native, _other(native)) if self.part == 0 else (_other(native), native)
        given = {"rotate": (native, places), "tables": (places,), "pair": (*pair, places)}
        try:
            found = self.call(*given[self.form])
        except (KeyboardInterrupt, MemoryError):
            raise
        except (Exception, SystemExit) as error:  # an exit would end the check as if it had passed
            told = " ".join(str(error).split())[:160]
            raise Refused(f"{type(error).__name__}: {told}") from error
        if self.in_place and found is None:
            found = native if self.form == "rotate" else pair
        if self.form == "rotate":
            return found
        if self.form == "tables":
            return apply_tables(found, native, self.spec, self.axes)
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise Unsupported(f"a {type(found).__name__} where the pair (q, k) was expected")
        return found[self.part]

    def both(self, q: Any, k: Any, positions: NDArray[np.int64]) -> tuple[Any, Any]:
        """The pair that it returns for native queries and keys; errors as in `invoke`."""
        places = self.lifted(positions)
        if places.ndim == 3 and "b" not in self.axes and len(places) == 1:
            places = places[0]
        try:
            found = self.call(q, k, write(places, self.array, None))
        except Exception as error:
            told = " ".join(str(error).split())[:160]
            raise Refused(f"{type(error).__name__}: {told}") from error
        found = (q, k) if self.in_place and found is None else found
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise Unsupported(f"a {type(found).__name__} where the pair (q, k) was expected")
        return found[0], found[1]

    def canonical(self, native: Any) -> tuple[Floats, str]:
        """Native vectors in canonical order, and the name of their type."""
        values, dtype = read(native)
        if values.ndim != len(self.axes):
            raise Unsupported(f"shape {values.shape} where {len(self.axes)} axes were expected")
        own = [a for a in _AXES if a in self.axes]
        values = values.transpose([self.axes.index(a) for a in own])
        shape = [values.shape[own.index(a)] if a in own else 1 for a in _AXES]
        return values.reshape(shape), dtype

    def apply(self, x: Floats, positions: NDArray[np.int64], dtype: str) -> Floats:
        """Its result on canonical vectors, one call for each index of an axis it lacks.

        Raises `Refused` if it raises and `Unsupported` if it returns no such array.
        """
        lacking = [n for n, a in enumerate("bh") if a not in self.axes]
        if not lacking:
            return self._once(x, positions, dtype)
        result = np.empty_like(x)
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

    def _once(self, x: Floats, positions: NDArray[np.int64], dtype: str) -> Floats:
        found, _ = self.canonical(self.invoke(self.native(x, dtype), positions))
        if found.shape != x.shape:
            raise Unsupported(f"shape {found.shape}, expected {x.shape}")
        return found


def _other(native: Any) -> Any:
    """Other vectors of the same shape and type; the same ones of a library that has no signs."""
    try:
        return native * -1
    except TypeError:
        return native
