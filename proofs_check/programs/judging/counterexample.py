"""Finds a call on which the formula of a user's function certainly differs from the spec, and runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.formulas.conditions import Region
from ropeproof.proofs_check.programs.formulas.enclosing import enclose
from ropeproof.proofs_check.programs.judging.calls import CallSetting, Setup
from ropeproof.proofs_check.programs.judging.diagnosing import diagnosed
from ropeproof.proofs_check.programs.judging.matching import Difference
from ropeproof.proofs_check.programs.judging.verdict import WrongCall
from ropeproof.proofs_check.programs.record.graph import Program
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import turn_balls

__all__ = ["found_counterexample"]

_BITS = 192
_APART = 8.0
"""How many times what rounding may cost the two must be apart, of formulas without tables of waves.

A wrong row of a table needs no such margin: the formula holds the numbers of the table as they are.
"""


def found_counterexample(
    setup: Setup,
    setting: CallSetting,
    region: Region,
    spec: RopeSpec,
    differences: Sequence[Difference],
    program: Program,
    run: Callable[[NDArray[np.int64], Mapping[str, NDArray[Any]]], list[NDArray[Any]]],
    largest: int,
    angles: str = "float32",
) -> WrongCall | None:
    """A counterexample to one of the differences, or None if none is certain and confirmed by a run.

    `run` calls the user's function on positions and vectors; `angles` is the number type in which angles
    may be formed, whose rounding explains as much as it can.
    """
    for difference in _spread(differences):
        for row in _rows(setting, region, difference, largest):
            found = _at(setup, setting, spec, difference, program, run, row, angles)
            if found is not None:
                told = diagnosed(differences, spec)
                return WrongCall(**found, diagnosis=told)
    return None


def _spread(differences: Sequence[Difference]) -> list[Difference]:
    """A few differences of different coordinates."""
    kept: dict[int, Difference] = {}
    for one in differences:
        kept.setdefault(one.index[3], one)
    return list(kept.values())[:12]


def _largest(region: Region, first: int) -> list[int]:
    """Largest positions of calls to try, within a region."""
    tried = [1, 2, 3, 7, first, 17, 64, 100, 257, 1000, region.high // 2, region.high, region.low]
    return list(dict.fromkeys(n for n in tried if region.low <= n <= region.high))


def _rows(
    setting: CallSetting, region: Region, difference: Difference, first: int
) -> list[list[int]]:
    """Positions of calls to try: those in which the token that differs has a wrong row of a table first."""
    batch, _, token, _ = difference.index
    place = (token - batch) % setting.length if setting.rows else token
    found = []
    for at in difference.rows:
        top = max(at, region.low)
        if top > region.high or (top > at and setting.length == 1):
            continue
        row = [max(top - 1 - n, 0) for n in range(setting.length)]
        if top > at:
            row[(place + 1) % setting.length] = top
        row[place] = at
        found.append(row)
        if at + setting.length - 1 - token <= region.high:  # of positions that come as a run
            found.append([at - token + n for n in range(setting.length)])
    for top in _largest(region, first):
        row = [max(top - 1 - n, 0) for n in range(setting.length)]
        row[token] = top
        found.append(row)
    return [row for row in found if min(row) >= 0]


def _at(
    setup: Setup,
    setting: CallSetting,
    spec: RopeSpec,
    difference: Difference,
    program: Program,
    run: Any,
    row: list[int],
    angles: str,
) -> dict[str, Any] | None:
    batch, head, token, coordinate = difference.index
    given = dict(setup.arguments(setting, row, 5))
    positions = given.pop("p")
    places = {("n", "p", n): int(v) for n, v in enumerate(positions.ravel())}
    layout = difference.layout
    sizes = layout.inputs.shape
    own_place = [int(positions.ravel()[n]) for n in layout.positions[batch, token]]
    wanted = _multipliers(spec, own_place, coordinate)
    own_rows = set(difference.rows) & set(own_place)
    plane = _plane(spec, coordinate) if own_rows else None
    slack = _slack(spec, own_place, setting.dtype, angles, plane)
    apart, seen = (1.0, 1.0) if own_rows else (_APART, _APART / 2)
    names = list(given)
    used = [int(a[2]) for a in difference.found.atoms() if a[0] == "v" and a[1] == layout.vectors]
    inverse = {int(flat): index for index, flat in np.ndenumerate(layout.inputs)}
    candidates = [inverse[u] for u in dict.fromkeys(used) if u in inverse]
    candidates += [(batch, head, token, j) for j in wanted]
    for vector in dict.fromkeys(candidates):
        values = {}
        for a in difference.found.atoms():
            if a[0] == "v":
                one = a[1] == layout.vectors and inverse.get(int(a[2])) == vector
                values[a] = 1 if one else 0
        with precision(_BITS):
            try:
                formula = enclose(difference.found, values | places, _row(program))
            except Unsupported:
                return None
            except (ValueError, OverflowError):  # an entry of a table that is no number
                return None
            own = vector[:3] == (batch, head, token)
            expected = wanted.get(vector[3], 0.0) if own else 0.0
            gap = abs(formula - expected)
            if not (gap.is_finite() and gap > apart * slack):
                continue
            said, right = float(formula.mid()), _number(expected)
        basis = np.zeros(int(np.prod(sizes)))
        basis[int(layout.inputs[vector])] = 1.0
        vectors = {
            n: (basis if n == layout.vectors else np.zeros(given[n].size)).reshape(given[n].shape)
            for n in names
        }
        try:
            results = run(positions, vectors)
        except (Exception, SystemExit):
            continue
        observed = float(results[_output(names, layout.vectors, program, difference)][
            int(layout.outputs[difference.index])
        ])  # fmt: skip
        if abs(observed - right) > seen * slack:
            return {
                "positions": tuple(int(p) for p in positions.reshape(-1)[: 3 * setting.length]),
                "index": (batch, head, token),
                "vector": vector[3],
                "coordinate": coordinate,
                "formula": said,
                "expected": right,
                "observed": observed,
            }
    return None


def _output(names: list[str], own: str, program: Program, difference: Difference) -> int:
    first = 0
    for name, is_complex in zip(names, program.complex_outputs, strict=True):
        if name == own:
            return first + int(difference.layout.parts[difference.index])
        first += 2 if is_complex else 1
    return first


def _number(value: Any) -> float:
    return float(value.mid()) if hasattr(value, "mid") else float(value)


def _row(program: Program) -> Any:
    from fractions import Fraction

    def entry(table: Any, row: int) -> Fraction:
        number, offset, step, size = table
        values = program.nodes[number].values
        if values is None or not 0 <= row < size:
            raise Unsupported("a row outside the table")
        return Fraction(values.ravel()[offset + step * row].item())

    return entry


def _multipliers(spec: RopeSpec, place: list[int], coordinate: int) -> dict[int, Any]:
    """What the spec multiplies coordinates of a vector by in one coordinate of the result."""
    for plane, (re, im) in enumerate(spec.plane_coordinates()):
        if coordinate not in (re, im):
            continue
        if plane >= spec.rotary_planes:
            return {coordinate: 1.0}
        axis = 0 if spec.axes is None else spec.axes.planes[plane]
        cosine, sine = turn_balls(spec, place[axis], bits=_BITS)[plane]
        return {re: cosine, im: -sine} if coordinate == re else {re: sine, im: cosine}
    return {}


def _plane(spec: RopeSpec, coordinate: int) -> int | None:
    """The plane that a coordinate is of."""
    return next((n for n, pair in enumerate(spec.plane_coordinates()) if coordinate in pair), None)


def _slack(spec: RopeSpec, place: list[int], dtype: str, angles: str, plane: int | None) -> float:
    """What rounding may cost a coordinate of a vector of size 1, of one plane or of the worst."""
    where = np.array([place] if spec.axes is not None else [place[0]], dtype=np.int64)
    costs = allowed(spec, where, dtype=dtype, angles=angles)
    return float(np.max(costs if plane is None else costs[..., plane], initial=0.0)) + 1e-12
