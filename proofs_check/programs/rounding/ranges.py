"""The standard model of rounding for all positions of a range at once, where they are too many.

What depends on positions is `slope p + start`, or a cosine of that times a number, up to an error that
grows by the unit of the type with every operation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_ball,
    frequencies_float64,
)
from ropeproof.numerics.rounding.number_types import NUMBER_TYPES, number_type
from ropeproof.numerics.rounding.possible import Possible
from ropeproof.proofs_check.programs.record.graph import Node
from ropeproof.proofs_check.programs.rounding.comparison import Distances
from ropeproof.proofs_check.programs.rounding.evaluation import ProgramValues, Settings, Value
from ropeproof.proofs_check.programs.rounding.linear import ONE, LinearElements, merged
from ropeproof.proofs_check.programs.rounding.reading import OutputReading
from ropeproof.proofs_check.programs.rounding.slicing import Slice
from ropeproof.theory.errors import Unsupported

__all__ = ["RangeEvaluation", "range_distances"]

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_OWN = 2.0**-53 * (1 + 2.0**-20)
"""Relative error of a product or sum of the numbers of this file, which are float64."""

_NONE = (0.0, 0.0, False)


@dataclass(frozen=True)
class Waves:
    """Elements that depend on the position `p`, each up to `error`.

    `slope p + start`, or where `wave` is true `size cos(slope p + start)`.
    """

    wave: NDArray[np.bool_]
    size: Floats
    slope: Floats
    start: Floats
    error: Floats

    def pick(self, elements: Ints) -> Waves:
        """The elements with these numbers."""
        return Waves(*(getattr(self, name)[elements] for name in self.__dataclass_fields__))


class RangeEvaluation(ProgramValues):
    """A program evaluated for all positions from `first` to `last` at once.

    A form of vector entries has entries that are numbers of pairs in `pairs`: a handle of a vector
    entry, and the wave that its factor is multiplied by.
    """

    def __init__(
        self,
        cut: Slice,
        settings: Settings,
        observed: Mapping[int, Array] | None,
        first: int,
        last: int,
    ) -> None:
        self.first, self.last = first, last
        self.pairs: list[tuple[int, tuple[float, float, bool]]] = []
        self._numbered: dict[tuple[int, tuple[float, float, bool]], int] = {}
        super().__init__(cut, settings, observed)

    def outputs(self) -> list[Value]:
        """What the outputs may be."""
        found = self.at(np.zeros(1, np.int64))
        return [found[n] for n in self.cut.program.outputs]

    def number(self, entry: int, wave: tuple[float, float, bool]) -> int:
        """The number of a pair of a vector entry and a wave."""
        pair = (entry, wave)
        if pair not in self._numbered:
            self._numbered[pair] = len(self.pairs)
            self.pairs.append(pair)
        return self._numbered[pair]

    # -- one node ---------------------------------------------------------------------

    def _value(
        self, number: int, node: Node, found: Mapping[int, Value], positions: Ints | None
    ) -> Any:
        own = self.cut.elements[number]
        kind = self.cut.kind[number]
        if kind == "constant":
            return super()._value(number, node, found, positions)
        if node.op == "input" and kind == "position":
            one, zero = np.ones(len(own)), np.zeros(len(own))
            return Waves(np.zeros(len(own), bool), one, one, zero, zero)
        if node.op == "input":
            form: Any = super()._value(number, node, found, positions)
            entry = np.array([self.number(int(e), _NONE) for e in form.entry], np.int64)
            return merged(form.count, form.element, entry, form.factor, form.error, form.fixed)
        if node.op == "take":
            raise Unsupported("a table read by position, whose rows have to be gone through")
        if node.op == "gather":
            return self._gathered(number, found)
        if node.op in ("sum", "dot", "max", "min") and any(
            isinstance(found[i], Waves) for i in node.inputs
        ):
            return self._summed(number, node, own, found)
        operands: list[Any] = [self._one(i, own, found) for i in node.inputs]
        if any(isinstance(o, LinearElements) for o in operands):
            return self._with_waves(number, node, operands)
        return self._wave(number, node, operands)

    def _one(self, source: int, own: Ints, found: Mapping[int, Any]) -> Any:
        value = found[source]
        if isinstance(value, Waves):
            return value.pick(self.cut.where(source, own))
        return self._operand(source, own, found)

    def _gathered(self, number: int, found: Mapping[int, Any]) -> Any:
        parts, back = self.cut.moves[number]
        values = [found[source] for source, _ in parts]
        if not any(isinstance(v, Waves) for v in values):
            if any(isinstance(v, LinearElements) for v in values):
                lifted = dict(found)
                for (source, _), value in zip(parts, values, strict=True):
                    if isinstance(value, Possible):
                        lifted[source] = self._form(value, len(self.cut.elements[source]))
                return self._moved(number, lifted)
            return self._moved(number, found)
        if any(isinstance(v, LinearElements) for v in values):
            lifted = dict(found)
            for (source, _), value in zip(parts, values, strict=True):
                if not isinstance(value, LinearElements):
                    lifted[source] = self._form(value, len(self.cut.elements[source]))
            return self._moved(number, lifted)
        waves = [_lifted(v).pick(inside) for v, (_, inside) in zip(values, parts, strict=True)]
        joined = Waves(
            *(
                np.concatenate([getattr(w, name) for w in waves])
                for name in Waves.__dataclass_fields__
            )
        )
        return joined.pick(back)

    def _form(self, value: Any, count: int) -> LinearElements:
        """Elements that depend on no vector as multiples of the number 1."""
        waves = _lifted(value)
        if bool(np.any(~waves.wave & (waves.slope != 0))):
            raise Unsupported("positions added to vector entries")
        entry = [
            self.number(ONE, (s, c, True) if w else _NONE)
            for w, s, c in zip(
                waves.wave.tolist(), waves.slope.tolist(), waves.start.tolist(), strict=True
            )
        ]
        factor = np.where(waves.wave, waves.size, waves.start)[np.newaxis]
        place = np.arange(count, dtype=np.int64)
        error = waves.error[np.newaxis]
        return LinearElements(
            count, place, np.array(entry, np.int64), factor, error, np.zeros((1, count))
        )

    def _reach(self, waves: Waves) -> Floats:
        """A bound of the size of each element."""
        line = np.abs(waves.slope) * self.last + np.abs(waves.start)
        return np.where(waves.wave, np.abs(waves.size), line) + waves.error

    def _rounded(self, number: int, dtype: str, waves: Waves) -> Waves:
        reach = self._reach(waves)
        own = np.zeros_like(reach)
        if dtype in NUMBER_TYPES and self.settings.rounds(number):
            kind = number_type(dtype)
            least = 2 * kind.normal if self.settings.flushed else kind.least
            own = own + kind.step * reach + least
            if bool(np.any(reach * (1 + kind.step) >= kind.largest)):
                own = np.full_like(reach, np.inf)
        return replace(waves, error=waves.error + own)

    def _wave(self, number: int, node: Node, operands: list[Any]) -> Waves:
        op, dtype = node.op, node.dtype
        if op == "cast":
            return self._cast_wave(number, node, _lifted(operands[0]))
        if dtype not in NUMBER_TYPES:
            if op in ("add", "sub", "mul", "neg") and self.last < 2**31:
                return self._exact_integer(op, [_lifted(o) for o in operands], dtype)
            raise Unsupported(f"{op} of {dtype} for a range of positions")
        if op in ("cos", "sin"):
            angle = _lifted(operands[0])
            if bool(np.any(angle.wave)):
                raise Unsupported(f"{op} of a cosine")
            shift = 0.0 if op == "cos" else -math.pi / 2
            kind = number_type("float32" if number_type(dtype).short else dtype)
            error = np.minimum(angle.error, 2.0) + 2.0**-52
            error = np.where(np.isnan(angle.error), np.inf, error)
            if self.settings.rounds(number):
                error = error + (self.settings.rules.ulps.turning + 1) * 2 * kind.unit
            slope, start = angle.slope, angle.start + shift
            down = slope < 0  # a cosine is even, and half a turn changes its sign
            slope, start = np.where(down, -slope, slope), np.where(down, -start, start)
            half = start > math.pi / 2 - 1e-9
            size, start = np.where(half, -1.0, 1.0), np.where(half, start - math.pi, start)
            found = Waves(np.ones(len(error), bool), size, slope, start, error)
            return self._rounded(number, dtype, found) if kind.name != dtype else found
        waves = self._combined(op, operands)
        plain = bool(np.all(waves.wave)) or op in ("add", "sub")
        lines = [_lifted(o) for o in operands]
        if not plain and any(bool(np.all(o.slope == 1) and np.all(o.start == 0)) for o in lines):
            own = 0.0  # the position times a number: no product was formed here
        else:
            own = 2 * _OWN
        waves = replace(waves, error=waves.error + own * self._reach(waves))
        done = self._rounded(number, dtype, waves)
        if op != "mul":
            return done
        # A product with a power of two is exact, but for the smallest numbers.
        exact = np.zeros(len(waves.error), bool)
        for one in lines:
            fixed = ~one.wave & (one.slope == 0) & (one.error == 0)
            exact |= fixed & (np.frexp(np.abs(one.start))[0] == 0.5)
        finite = np.isfinite(done.error)
        least = number_type(dtype).least
        least = 2 * number_type(dtype).normal if self.settings.flushed else least
        return replace(done, error=np.where(exact & finite, waves.error + least, done.error))

    def _exact_integer(self, op: str, waves: list[Waves], dtype: str) -> Waves:
        found = self._combined(op, waves)
        if float(self._reach(found).max(initial=0.0)) >= 2.0**31:
            raise Unsupported(f"{op} of large {dtype} for a range of positions")
        return replace(found, error=np.zeros_like(found.error))

    def _combined(self, op: str, operands: list[Any]) -> Waves:
        if op == "neg":
            (one,) = (_lifted(o) for o in operands)
            return Waves(
                one.wave,
                -one.size,
                np.where(one.wave, one.slope, -one.slope),
                np.where(one.wave, one.start, -one.start),
                one.error,
            )
        first, second = (_lifted(o) for o in operands)
        if op in ("add", "sub"):
            sign = 1.0 if op == "add" else -1.0
            if bool(np.any(first.wave | second.wave)):
                raise Unsupported(f"{op} of cosines for a range of positions")
            return Waves(
                first.wave,
                first.size,
                first.slope + sign * second.slope,
                first.start + sign * second.start,
                first.error + second.error,
            )
        if op in ("mul", "div"):
            number, other = (first, second) if op == "mul" else (second, first)
            if op == "mul" and bool(np.any(number.wave | (number.slope != 0))):
                number, other = other, number
            if bool(np.any(number.wave | (number.slope != 0))):
                raise Unsupported(f"{op} of two numbers that depend on a position")
            value, radius = number.start, number.error
            if op == "div":
                with np.errstate(divide="ignore", invalid="ignore"):
                    near = np.abs(value) - radius
                    radius = np.where(near > 0, radius / (near * np.abs(value)), np.inf)
                    value = 1 / value
            reach = self._reach(other)
            return Waves(
                other.wave,
                other.size * value,
                np.where(other.wave, other.slope, other.slope * value),
                np.where(other.wave, other.start, other.start * value),
                other.error * np.abs(value) + radius * reach,
            )
        raise Unsupported(f"{op} of numbers that depend on a position, for a range of them")

    def _cast_wave(self, number: int, node: Node, waves: Waves) -> Waves:
        source = self.cut.program.nodes[node.inputs[0]].dtype
        if node.dtype not in NUMBER_TYPES:
            if source in NUMBER_TYPES:
                raise Unsupported(f"a cast to {node.dtype} for a range of positions")
            return waves
        if source in NUMBER_TYPES:
            old, new = number_type(source), number_type(node.dtype)
            finer = new.unit <= old.unit and new.least <= old.least
            if finer and new.largest >= old.largest:
                return waves
        elif float(self._reach(waves).max(initial=0.0)) * number_type(node.dtype).unit <= 1:
            return waves  # integers that the type holds
        return self._rounded(number, node.dtype, waves)

    def _summed(self, number: int, node: Node, own: Ints, found: Mapping[int, Any]) -> Any:
        del number, own, found
        raise Unsupported(f"{node.op} of numbers that depend on a position, for a range of them")

    # -- what depends on vectors ------------------------------------------------------

    def _with_waves(self, number: int, node: Node, operands: list[Any]) -> LinearElements:
        count = len(self.cut.elements[number])
        waves = [o for o in operands if isinstance(o, Waves)]
        if node.op in ("add", "sub"):
            operands = [
                o if isinstance(o, LinearElements) else self._form(o, count) for o in operands
            ]
            return self._of_vectors(number, node, operands)
        if not waves:
            return self._of_vectors(number, node, operands)
        forms = [o for o in operands if isinstance(o, LinearElements)]
        if node.op != "mul" or len(forms) != 1:
            raise Unsupported(f"{node.op} of vector entries and cosines")
        return self._step(number, node, self._turned(forms[0], waves[0]))

    def _turned(self, form: LinearElements, waves: Waves) -> LinearElements:
        """The exact product of vector entries with waves."""
        if bool(np.any(~waves.wave & (waves.slope != 0))):
            raise Unsupported("vector entries times positions")
        at = form.element
        value = np.where(waves.wave, waves.size, waves.start)[at]
        entry = form.entry.copy()
        for t in np.flatnonzero(waves.wave[at]):
            handle, wave = self.pairs[int(form.entry[t])]
            if wave[2]:
                raise Unsupported("a product of two cosines for a range of positions")
            own = (float(waves.slope[at[t]]), float(waves.start[at[t]]), True)
            entry[t] = self.number(handle, own)
        error = waves.error[at]
        factor = form.factor * value
        errors = form.error * (np.abs(value) + error) + np.abs(form.factor) * error
        errors = errors + _OWN * np.abs(factor)
        fixed = form.fixed * (np.abs(np.where(waves.wave, waves.size, waves.start)) + waves.error)
        return merged(form.count, at, entry, factor, errors, fixed)


def _lifted(value: Any) -> Waves:
    """Numbers that depend on no position as waves of slope 0."""
    if isinstance(value, Waves):
        return value
    middle = value.middle.astype(np.float64).reshape(-1)
    radius = value.radius.astype(np.float64).reshape(-1)
    zero = np.zeros_like(middle)
    return Waves(np.zeros(len(middle), bool), zero + 1, zero, middle, radius)


class _Right:
    """What factors should be, and how far a wave may be from that at positions up to `last`."""

    def __init__(self, reading: OutputReading, last: int) -> None:
        spec = reading.spec
        self.reading, self.last = reading, last
        self.thetas = frequencies_float64(spec)[: spec.rotary_planes].tolist()
        self.tails = [
            float((ball - theta).mid())
            for ball, theta in zip(frequencies_ball(spec), self.thetas, strict=False)
        ]
        self.factor = attention_factor_float64(spec)

    def away(self, size: float, wave: tuple[float, float, bool], plane: int, kind: str) -> float:
        """How far `size` times a wave may be from 1, or from a plane's cosine or sine.

        `kind` is `c`, `+s` or `-s`; the wave is its slope and start, and whether it is one.
        """
        theta, tail = (0.0, 0.0) if plane < 0 else (self.thetas[plane], self.tails[plane])
        right = 1.0 if plane < 0 else self.factor
        if plane >= 0 and not wave[2] and kind != "c":
            return abs(size) + self.missing(plane, kind)
        start = 0.0 if kind == "c" else -math.pi / 2
        sign = -1.0 if kind == "-s" else 1.0
        slope, begun = wave[:2]
        # Close numbers have an exact difference, and the frequency is that double and its tail.
        apart = abs((slope - theta) - tail) * (1 + 2.0**-50) * self.last
        apart += abs(begun - start) + (2.0**-52 if begun != start else 0.0)
        inexact = 0.0 if right == 1 else 2.0**-52 * right
        return abs(size - sign * right) + inexact + right * min(apart, 2.0)

    def missing(self, plane: int, kind: str) -> float:
        """How large a term may be that is not there."""
        if plane < 0:
            return 1.0
        return self.factor * (1.0 if kind == "c" else min(1.0, self.thetas[plane] * self.last))


def range_distances(reading: OutputReading, found: RangeEvaluation) -> Distances:
    """Bounds of the distances of all outputs from what they should be, for the whole range."""
    right = _Right(reading, found.last)
    share, fixed = np.zeros(len(reading.plane)), np.zeros(len(reading.plane))
    for part, value in enumerate(found.outputs()):
        chosen = np.flatnonzero(reading.part == part)
        if reading.tables:
            fixed[chosen] = _of_table(right, chosen, _lifted(value))
        else:
            form = value if isinstance(value, LinearElements) else found._form(value, len(chosen))
            share[chosen], fixed[chosen] = _of_form(right, chosen, form, found)
    worst = np.full(len(share), found.last, np.int64)
    share, fixed = (np.where(np.isnan(v), np.inf, v) for v in (share, fixed))
    return Distances(share, fixed, worst)


def _of_table(right: _Right, chosen: Ints, waves: Waves) -> Floats:
    found = np.zeros(len(chosen))
    for k, at in enumerate(chosen.tolist()):
        kind = "c" if right.reading.sign[at] == 0 else "+s"
        is_wave = bool(waves.wave[k])
        size = float(waves.size[k] if is_wave else waves.start[k])
        start = float(waves.start[k]) if is_wave else 0.0
        wave = (float(waves.slope[k]), start, is_wave)
        found[k] = right.away(size, wave, int(right.reading.plane[at]), kind) + waves.error[k]
    return found


def _of_form(
    right: _Right, chosen: Ints, form: LinearElements, found: RangeEvaluation
) -> tuple[Floats, Floats]:
    reading = right.reading
    squares, extra = np.zeros(len(chosen)), form.fixed.max(0) + np.zeros(len(chosen))
    plane, sign = reading.plane[chosen].tolist(), reading.sign[chosen].tolist()
    own, other = reading.own[chosen].tolist(), reading.other[chosen].tolist()
    sines = ["+s" if s > 0 else "-s" for s in sign]
    seen: set[tuple[int, str]] = set()
    for t, k in enumerate(form.element.tolist()):
        handle, wave = found.pairs[int(form.entry[t])]
        size, error = float(form.factor[0, t]), float(form.error[0, t])
        kind = "c" if handle == own[k] else ""
        if plane[k] >= 0 and handle == other[k]:
            kind = sines[k]
        if kind and (k, kind) not in seen:
            seen.add((k, kind))
            error += right.away(size, wave, plane[k], kind)
        else:
            error += abs(size)
        if handle == ONE:
            extra[k] += error
        else:
            squares[k] += error * error
    for k in range(len(chosen)):
        for kind in ("c",) if plane[k] < 0 else ("c", sines[k]):
            if (k, kind) not in seen:
                squares[k] += right.missing(plane[k], kind) ** 2
    return np.sqrt(squares) * (1 + 2.0**-40), extra
