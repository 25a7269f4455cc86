"""Compares the formulas of a program's outputs with the rotation that a spec says.

Every output coordinate must be `A' (x_re cos(n c) - x_im sin(n c))` or
`A' (x_re sin(n c) + x_im cos(n c))` of its own vector and its own position, an untouched one the
coordinate itself. The constants `A'` and `c` of the code, or the rows of its tables, are compared with
the spec's by balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from quicktions import Fraction
from sympy import sympify

from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.core.spec import exponents_float64, frequencies_ball
from ropeproof.proofs_check.programs.formulas.enclosing import enclose
from ropeproof.proofs_check.programs.formulas.forms import (
    ONE,
    ZERO,
    Atom,
    ExactForm,
    atom,
    constant,
    power,
)
from ropeproof.proofs_check.programs.record.graph import Program
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import fast_tables

__all__ = ["Agreement", "Difference", "Layout", "compare"]

_BITS = 256
_ROWS = 4
"""How many wrong rows of a table are kept, to be looked at in calls."""


@dataclass(frozen=True)
class Layout:
    """Which element of which input an output element is compared with.

    All are arrays `(batch, heads, length, head_dim)` of flat indices: of the vectors in their input and
    of the results in the output; `positions` is `(batch, length, axes)`, of the positions in theirs.
    `run`, if it is not 0, says that positions are runs of so many. `parts` says which output node has a
    coordinate (0, or 1 of the imaginary parts).
    """

    vectors: str
    place: str
    inputs: NDArray[np.int64]
    outputs: NDArray[np.int64]
    parts: NDArray[np.int64]
    positions: NDArray[np.int64]
    run: int = 0


@dataclass(frozen=True)
class Difference:
    """An output coordinate whose formula is not the spec's.

    `told` says in words what differs, `found` is the formula of the coordinate `index`, (batch, head,
    token, coordinate). Where a table is wrong, `rows` are some of its wrong rows, the worst first.
    """

    told: str
    index: tuple[int, int, int, int]
    found: ExactForm
    layout: Layout
    rows: tuple[int, ...] = ()


@dataclass
class Agreement:
    """What the code's constants are beside the spec's, plane by plane.

    - `frequencies`: for each plane the constants `c` of the code.
    - `factors`: the constants `A'` of the code, `tables` the tables that stand for `A cos(n theta)`.
    - `off`: the largest relative distance of a frequency, `factor_off` that of the factor, `table_off`
      the largest distance of a table's entry; all are upper bounds.
    - `rows`: the least number of rows of a table, None without tables.
    """

    frequencies: dict[int, set[ExactForm]] = field(default_factory=dict)
    factors: set[ExactForm] = field(default_factory=set)
    tables: dict[Any, tuple[str, int, int]] = field(default_factory=dict)
    off: float = 0.0
    factor_off: float = 0.0
    table_off: float = 0.0
    rows: int | None = None
    count: int = 0


def compare(
    program: Program,
    outputs: Sequence[Sequence[ExactForm]],
    layout: Layout,
    spec: RopeSpec,
    *,
    angles: str = "float32",
    context: int,
    most: int = 64,
) -> tuple[Agreement, list[Difference]]:
    """Compare all output coordinates; at most `most` differences are collected.

    `outputs` are the formulas of the output node, and of its imaginary parts.
    """
    judge = _Judge(program, layout, spec, angles, context)
    differences: list[Difference] = []
    for index in np.ndindex(*layout.outputs.shape):
        form = outputs[int(layout.parts[index])][int(layout.outputs[index])]
        told = judge.coordinate(form, index)
        if told:
            differences.append(Difference(told, index, form, layout, judge.rows.get(told, ())))
            if len(differences) >= most:
                break
        judge.agreement.count += 1
    return judge.agreement, differences


class _Judge:
    def __init__(
        self, program: Program, layout: Layout, spec: RopeSpec, angles: str, context: int
    ) -> None:
        self.program, self.layout, self.spec, self.context = program, layout, spec, context
        self.agreement = Agreement()
        self.role: dict[int, tuple[int, bool]] = {}
        for plane, (re, im) in enumerate(spec.plane_coordinates()):
            self.role[re], self.role[im] = (plane, False), (plane, True)
        self.pairs = spec.plane_coordinates()
        self.angles = angles
        with precision(_BITS):
            self.thetas = frequencies_ball(spec, bits=_BITS)
            self.factor = ball(spec.attention_factor(), bits=_BITS)
        own = sympify(spec.attention_factor())
        self.exact_factor = Fraction(int(own.p), int(own.q)) if own.is_Rational else None
        scaled = 0 if spec.scaling is None or isinstance(spec.scaling, Linear) else 12
        depth = exponents_float64(spec) * np.log(float(spec.base))
        self.allowed = (8 + scaled + 3 * depth) * UNITS[angles]
        self._seen: dict[Any, str] = {}
        self.rows: dict[str, tuple[int, ...]] = {}
        self._vector: dict[Atom, tuple[int, int, int, int]] = {
            ("v", layout.vectors, int(flat)): index for index, flat in np.ndenumerate(layout.inputs)
        }

    def coordinate(self, form: ExactForm, index: tuple[int, int, int, int]) -> str:
        """What is wrong with one coordinate, in words; empty if nothing is."""
        b, h, t, j = index
        plane, imaginary = self.role[j]
        own: dict[int, dict[Any, Fraction]] = {}
        for mono, c in form.terms.items():
            vectors = [(a, e) for a, e in mono if a[0] == "v"]
            if len(vectors) != 1 or vectors[0][1] != 1:
                return "it is not linear in the vector" if vectors else "it does not depend on x"
            where = self._vector.get(vectors[0][0])
            if where is None or where[:3] != (b, h, t):
                return "another vector's coordinates stand in it"
            rest = tuple(p for p in mono if p is not vectors[0] and p[0] != vectors[0][0])
            own.setdefault(where[3], {})[rest] = c
        real, other = self.pairs[plane]
        if plane >= self.spec.rotary_planes:
            wanted = {j: ("one", 1)}
        elif imaginary:
            wanted = {real: ("sin", 1), other: ("cos", 1)}
        else:
            wanted = {real: ("cos", 1), other: ("sin", -1)}
        for coordinate, terms in own.items():
            if coordinate not in wanted:
                return f"coordinate {coordinate} of the vector stands in it"
            told = self._multiplier(ExactForm(terms), *wanted[coordinate], plane, index)
            if told:
                return told
        for coordinate, (wave, _) in wanted.items():
            # A plane with frequency 0 has the sine 0.
            if coordinate not in own and not (wave == "sin" and self._still(plane)):
                return f"coordinate {coordinate} of the vector is missing"
        return ""

    def _formula(self, plane: int) -> ExactForm | None:
        """The formula of a plane's frequency; None where the spec scales it plane by plane."""
        scaling, width = self.spec.scaling, self.spec.rotary_dim
        if scaling is not None and not isinstance(scaling, Linear):
            return None
        base = Fraction(int(self.spec.base.p), int(self.spec.base.q))
        found = power(constant(base), constant(Fraction(-2 * plane, width)))
        if scaling is None:
            return found
        factor = sympify(scaling.factor)
        if not factor.is_Rational:
            return None
        return found.times(Fraction(int(factor.q), int(factor.p)))

    def _still(self, plane: int) -> bool:
        return bool(self.thetas[plane] == 0)

    def _position(self, plane: int, index: tuple[int, int, int, int]) -> ExactForm:
        axes = self.spec.axes
        axis = 0 if axes is None or plane >= len(axes.planes) else axes.planes[plane]
        flat = int(self.layout.positions[index[0], index[2], axis])
        if self.layout.run:
            return atom(("n", self.layout.place, 0)) + constant(flat % self.layout.run)
        return atom(("n", self.layout.place, flat))

    def _multiplier(
        self, form: ExactForm, wave: str, sign: int, plane: int, index: tuple[int, int, int, int]
    ) -> str:
        """What is wrong with what a coordinate is multiplied by."""
        if wave == "one":
            return "" if form == ONE else "a coordinate outside the rotated part is changed"
        place = self._position(plane, index)
        waves, argument, length = _split(form)
        if len(waves) > 1:
            return "a sum of several turns"
        if length is None:
            return "its factor depends on the arguments"
        if waves == {None}:  # a constant
            if wave == "cos" and self._still(plane):
                return self._length(length, sign)
            return "it does not turn"
        (kind,) = waves
        if kind == "row":
            assert argument is not None
            return self._table(argument, length, wave, sign, plane, place)
        if kind != wave:
            return f"a {_NAMES[str(kind)]} where a {_NAMES[wave]} was expected"
        assert argument is not None
        if any(a[0] == "row" for a in argument[1].atoms()):
            return self._length(length, sign) or self._angles(argument[1], plane, place)
        frequency = _per_position(argument[1], place)
        if frequency is None:
            return "its angle is not its own position times a number"
        with precision(_BITS):
            negative = bool(enclose(frequency, {}) < 0)
        if negative:
            frequency = -frequency
            length = -length if kind == "sin" else length
        return self._length(length, sign) or self._frequency(frequency, plane)

    def _length(self, length: ExactForm, sign: int) -> str:
        key = ("length", length, sign)
        if key not in self._seen:
            self._seen[key] = self._new_length(length, sign)
        return self._seen[key]

    def _new_length(self, length: ExactForm, sign: int) -> str:
        with precision(_BITS):
            own = enclose(length, {}) * sign
            if not own > 0:
                return "its sign is the other one"
            off = _upper(abs(own - self.factor) / self.factor)
        self.agreement.factors.add(length.times(Fraction(sign)))
        if not self._may_be(length.times(Fraction(sign)), off):
            told = f"{float(own.mid()):.9g} where it is {float(self.factor.mid()):.9g}"
            return f"its factor is {told}"
        self.agreement.factor_off = max(self.agreement.factor_off, off)
        return ""

    def _may_be(self, length: ExactForm, off: float) -> bool:
        """Whether a factor is the spec's, or what is left of it in a number type."""
        number = length.rational()
        if self.exact_factor is not None:
            right = self.exact_factor
            forms = {right, Fraction(float(right)), Fraction(float(np.float32(float(right))))}
            return number in forms
        short = number is not None and _bits(number) <= 24
        return off <= (4 * UNITS[self.angles] if short else 8 * UNITS["float64"])

    def _frequency(self, frequency: ExactForm, plane: int) -> str:
        key = ("frequency", frequency, plane)
        if key not in self._seen:
            self._seen[key] = self._new_frequency(frequency, plane)
        return self._seen[key]

    def _new_frequency(self, frequency: ExactForm, plane: int) -> str:
        with precision(_BITS):
            own, right = enclose(frequency, {}), self.thetas[plane]
            if right == 0:
                return "a plane turns that stands still"
            off = 0.0 if frequency == self._formula(plane) else _upper(abs(own - right) / right)
        # A closed formula is computed in the call: no more than numbers of Python may be rounded in it.
        closed = frequency.rational() is None
        limit = self.allowed[plane] * (UNITS["float64"] / UNITS[self.angles] if closed else 1.0)
        self.agreement.frequencies.setdefault(plane, set()).add(frequency)
        if not off <= limit:
            told = f"{float(own.mid()):.12g} where it is {float(right.mid()):.12g}"
            return f"the frequency of plane {plane} is {told}"
        self.agreement.off = max(self.agreement.off, off)
        return ""

    def _angles(self, angle: ExactForm, plane: int, place: ExactForm) -> str:
        """What is wrong with a table of angles, whose entry in the row of the position is `angle`."""
        if len(angle.terms) == 1:
            ((mono, c),) = angle.terms.items()
            if len(mono) == 1 and mono[0][0][0] == "row" and mono[0][1] == 1:
                if mono[0][0][2] != place:
                    return "a table's row is not its own position"
                return self._new_angles(mono[0][0][1], c, plane)
        return "its angle is not one entry of a table"

    def _new_angles(self, table: Any, factor: Fraction, plane: int) -> str:
        key = ("angles", table, factor, plane)
        if key in self._seen:
            return self._seen[key]
        number, offset, step, size = table
        count = min(size, self.context)
        values = self.program.nodes[number].values
        assert values is not None
        column = values.ravel()[offset + step * np.arange(count)].astype(np.float64)
        right = np.arange(count) * float(self.thetas[plane].mid())
        off = np.abs(column * float(factor) - right) + right * 2.0**-51
        told = ""
        bad = ~(off <= self.allowed[plane] * right)
        if bad.any():
            rows = _worst(bad, off - self.allowed[plane] * right)
            where = rows[0]
            told = (
                f"row {where} of a table of angles is {column[where] * float(factor):.9g}, "
                f"not {right[where]:.9g}"
            )
            self.rows[told] = rows
        agreement = self.agreement
        agreement.tables[table] = ("angle", 1, plane)
        agreement.table_off = max(agreement.table_off, float(off.max()))
        agreement.rows = size if agreement.rows is None else min(size, agreement.rows)
        self._seen[key] = told
        return told

    def _table(
        self, entry: Atom, length: ExactForm, wave: str, sign: int, plane: int, place: ExactForm
    ) -> str:
        if entry[2] != place:
            return "a table's row is not its own position"
        key = ("table", entry[1], length, wave, sign, plane)
        if key not in self._seen:
            self._seen[key] = self._new_table(entry[1], length, wave, sign, plane)
        return self._seen[key]

    def _new_table(self, table: Any, length: ExactForm, wave: str, sign: int, plane: int) -> str:
        number, offset, step, size = table
        count = min(size, self.context)
        values = self.program.nodes[number].values
        assert values is not None
        column = values.ravel()[offset + step * np.arange(count)].astype(np.float64)
        factor = length.rational()
        if factor is None:
            return "a table's factor is no rational number"
        exact = _columns(self.spec, count)
        right = (exact.cosines if wave == "cos" else exact.sines)[:, plane]
        with np.errstate(invalid="ignore"):
            scaled = column * float(factor * sign)
            off = np.abs(scaled - right)
            slack = exact.error + np.abs(scaled) * 2.0**-52
            limit = _budget(self.spec, count, self.angles)[:, plane]
            bad = ~(off + slack <= limit)
        if bad.any():
            rows = _worst(bad, off - limit)
            told = f"{scaled[rows[0]]:.9g} where the {_NAMES[wave]} is {right[rows[0]]:.9g}"
            told = f"row {rows[0]} of a table is {told}"
            self.rows[told] = rows
            return told
        agreement = self.agreement
        agreement.tables[table] = (wave, sign, plane)
        agreement.table_off = max(agreement.table_off, float((off + slack).max()))
        agreement.rows = size if agreement.rows is None else min(size, agreement.rows)
        return ""


_NAMES = {"cos": "cosine", "sin": "sine", "row": "table", "None": "constant"}

_COLUMNS: dict[Any, Any] = {}


def _columns(spec: RopeSpec, count: int) -> Any:
    if spec.axes is not None:
        raise Unsupported("a table of positions with several coordinates")
    key = (spec, count)
    if key not in _COLUMNS:
        _COLUMNS.clear()
        _COLUMNS[key] = fast_tables(spec, np.arange(count))
    return _COLUMNS[key]


_BUDGETS: dict[Any, Any] = {}


def _budget(spec: RopeSpec, count: int, angles: str) -> Any:
    key = (spec, count, angles)
    if key not in _BUDGETS:
        _BUDGETS.clear()
        _BUDGETS[key] = allowed(spec, np.arange(count), dtype=angles, angles=angles)
    return _BUDGETS[key]


def _split(form: ExactForm) -> tuple[set[str | None], Atom | None, ExactForm | None]:
    """The kinds of waves in a multiplier, the one wave, and the constant that it is multiplied by."""
    waves: dict[Any, dict[Any, Fraction]] = {}
    for mono, c in form.terms.items():
        own = [a for a, _ in mono if a[0] in ("cos", "sin", "row")]
        rest = tuple(p for p in mono if p[0][0] not in ("cos", "sin", "row"))
        wave: tuple[Any, ...] = tuple(own)
        if any(e != 1 for a, e in mono if a[0] in ("cos", "sin", "row")):
            wave = (*own, None)
        waves.setdefault(wave, {})[rest] = c
    if not waves:
        return {None}, None, ZERO
    if len(waves) > 1 or len(next(iter(waves))) > 1:
        return {"several", "waves"}, None, None
    ((wave, terms),) = waves.items()
    length = ExactForm(terms)
    kept = length if length.is_constant() else None
    return ({wave[0][0]} if wave else {None}), (wave[0] if wave else None), kept


def _per_position(angle: ExactForm, place: ExactForm) -> ExactForm | None:
    """The constant by which a position is multiplied in an angle; None if that is not all."""
    (symbol,) = [a for a in place.atoms() if a[0] == "n"]
    found = {}
    for mono, c in angle.terms.items():
        if dict(mono).get(symbol) == 1:
            found[tuple(p for p in mono if p[0] != symbol)] = c
    frequency = ExactForm(found)
    if not frequency.is_constant() or frequency * place != angle:
        return None
    return frequency


def _worst(bad: NDArray[np.bool_], excess: NDArray[np.float64]) -> tuple[int, ...]:
    """Some of the rows that are wrong: those that are no numbers first, then the furthest off."""
    by = np.where(np.isnan(excess), np.inf, excess)
    rows = np.flatnonzero(bad)
    return tuple(int(n) for n in rows[np.argsort(-by[rows], kind="stable")][:_ROWS])


def _bits(number: Fraction) -> int:
    """How many bits the significand of a dyadic number has; many of another number."""
    whole, below = abs(number.numerator), number.denominator
    if below & (below - 1):
        return 1 << 20
    while whole and not whole & 1:
        whole >>= 1
    return int(whole).bit_length()


def _upper(value: Any) -> float:
    """An upper bound of a ball as a float; infinity if it has none."""
    if not value.is_finite():
        return float("inf")
    return float(np.nextafter(float(value.upper()), np.inf))
