"""A bound of rounding for every output of a recorded program, up to the context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.rounding import possible
from ropeproof.numerics.rounding.exact_turns import MOST_POSITIONS, TurnsInARow
from ropeproof.numerics.rounding.number_types import NUMBER_TYPES, number_type
from ropeproof.proofs_check.programs.rounding.comparison import distances
from ropeproof.proofs_check.programs.rounding.evaluation import ProgramValues, Settings
from ropeproof.proofs_check.programs.rounding.linear import ROWS_APART
from ropeproof.proofs_check.programs.rounding.ranges import RangeEvaluation, range_distances
from ropeproof.proofs_check.programs.rounding.reading import read_outputs
from ropeproof.proofs_check.programs.rounding.record import Decade, RoundingBound
from ropeproof.proofs_check.programs.rounding.slicing import slice_program
from ropeproof.proofs_check.programs.rounding.stages import stages_of
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

if TYPE_CHECKING:
    from ropeproof.proofs_check.programs.record.graph import Program
    from ropeproof.proofs_check.programs.rounding.reading import Form, OutputReading
    from ropeproof.proofs_check.programs.rounding.slicing import Slice
    from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["rounding_bound"]

Ints = NDArray[np.int64]

_NUMBERS_AT_ONCE = 1 << 18
_MOST_ENUMERATED = 1 << 24


def rounding_bound(
    program: Program,
    spec: RopeSpec,
    *,
    context: int | None = None,
    form: Form = "rotate",
    axes: str = "bhld",
    observed: Mapping[int, NDArray[Any]] | None = None,
    arithmetic: possible.Arithmetic = "fused",
    ulps: possible.Ulps | None = None,
    flushed: bool = False,
    reading: OutputReading | None = None,
    stages: bool = True,
    enumerated: int = 1 << 18,
) -> RoundingBound:
    """How far every output of `program` may be from the exact rotation of `spec`.

    For all vectors in the program's own number types, and all positions `0 <= p < context`, which is
    the spec's length if it is left out.

    - `form`, `axes`: how the recorded function is called, see
      `ropeproof.proofs_check.programs.rounding.reading.read_outputs`; a `reading` stands for both.
    - `observed`: numbers that the recorded call gave for what depends on no argument, by node. They
      are taken as they are, so that the error of frequencies and tables is their own.
    - `arithmetic`: whether the rounding of products that are added to something may be left out, as
      processors do that multiply and add at once (`fused`, which allows both), may not (`as
      written`), or a compiler may leave out any rounding but those of elementary functions
      (`compiled`; numbers of `observed` are not used then).
    - `ulps`: within how many units in the last place sine, cosine and other functions are assumed
      to be.
    - `flushed`: whether the processor sets subnormal numbers to 0.
    - `enumerated`: up to which position every one is computed. Decades that end beyond are bounded
      as a whole by the standard model, and gone through only where the program has no such bound.
    - `stages`: whether to say which roundings the bound comes from.

    Positions of several axes are bounded for all values of each. Raises `InvalidArgument`, naming
    the argument; `Unsupported` for an operation that has no bound here, for an output that depends
    on several positions or on another one than it should, and for a context of more than `2**32`.
    """
    length = spec.length if context is None else context
    if length is None:
        raise InvalidArgument("context", None, "a number of positions, as the spec has no length")
    last = read_integer("context", length, least=1, most=MOST_POSITIONS) - 1
    if arithmetic not in possible.ARITHMETICS:
        raise InvalidArgument("arithmetic", arithmetic, ", ".join(possible.ARITHMETICS))
    read = read_outputs(program, spec, form=form, axes=axes) if reading is None else reading
    cut = slice_program(program, list(program.inputs.values())[-1])
    _check_positions(cut, read)
    rules = possible.Rules(arithmetic, possible.Ulps() if ulps is None else ulps)
    observed = None if arithmetic == "compiled" else observed
    evaluation = ProgramValues(cut, Settings(rules, flushed), observed)
    width = max(len(e) for n, e in cut.elements.items() if cut.kind[n] != "constant")
    rows = max(1, _NUMBERS_AT_ONCE // width)
    results = {program.nodes[n].dtype for n in program.outputs}
    if results & {"float64", "float16", "bfloat16"}:
        rows = min(
            rows, ROWS_APART - 1
        )  # rounding of vectors counts there, and is bounded row by row
    rows = min(rows, last + 1)
    exact = "float64" in results
    turns = None if exact else TurnsInARow(spec, rows)
    decades = []
    for first, end in _spans(last):
        found = None
        if end > enumerated:
            found = _modelled(cut, read, Settings(rules, flushed), observed, first, end)
            if found is None and end >= _MOST_ENUMERATED:
                told = f"positions up to {end:,}: too many to go through, and no bound for all"
                raise Unsupported(told)
        if found is None:
            found = _decade(evaluation, read, first, end, rows, turns)
        decades.append(found)
    from_stages = stages_of(cut, read, decades, Settings(rules, flushed)) if stages else ()
    return RoundingBound(
        decades=tuple(decades),
        types=_types(program),
        stages=from_stages,
        tables=read.tables,
        entries_up_to=_largest_entries(cut, evaluation),
        arithmetic=arithmetic,
        assumptions=_assumptions(program, cut, rules, flushed),
        holds_where=tuple(
            f"{e.value} is read in {e.place}" if e.place else f"{e.value} is read"
            for e in program.escapes
        ),
    )


def _spans(last: int) -> list[tuple[int, int]]:
    found, first, end = [], 0, 9
    while first <= last:
        found.append((first, min(end, last)))
        first, end = end + 1, 10 * end + 9
    return found


def _check_positions(cut: Slice, reading: OutputReading) -> None:
    reads = np.concatenate([cut.reads[n] for n in cut.program.outputs])
    if bool(np.any(reads == -2)):
        raise Unsupported("an output that depends on several positions")
    wrong = (reads != -1) & (reading.position != -1) & (reads != reading.position)
    if bool(np.any(wrong)):
        coordinate = int(reading.coordinate[np.flatnonzero(wrong)[0]])
        raise Unsupported(f"coordinate {coordinate} depends on another position than its own")


def _decade(
    evaluation: ProgramValues,
    reading: OutputReading,
    first: int,
    last: int,
    rows: int,
    turns: TurnsInARow | None,
) -> Decade:
    count = int(reading.coordinate.max(initial=0)) + 1
    share, fixed = np.zeros(count), np.zeros(count)
    where = np.full(count, first, np.int64)
    best = np.full(count, -1.0)
    outputs = evaluation.cut.program.outputs
    for start in range(first, last + 1, rows):
        positions = np.arange(start, min(start + rows, last + 1), dtype=np.int64)
        found = evaluation.at(positions)
        right = None if turns is None else turns.at(start, len(positions))
        far = distances(reading, [found[n] for n in outputs], positions, right)
        np.maximum.at(share, reading.coordinate, far.share)
        np.maximum.at(fixed, reading.coordinate, far.fixed)
        size = far.fixed if reading.tables else far.share
        for element in np.flatnonzero(size > best[reading.coordinate]):
            d = reading.coordinate[element]
            if size[element] > best[d]:
                best[d], where[d] = size[element], far.worst[element]
    return Decade(first, last, share, fixed, where)


def _modelled(
    cut: Slice,
    reading: OutputReading,
    settings: Settings,
    observed: Mapping[int, NDArray[Any]] | None,
    first: int,
    last: int,
) -> Decade | None:
    """The bound of a range of positions by the standard model, None where there is none."""
    try:
        evaluation = RangeEvaluation(cut, settings, observed, first, last)
        far = range_distances(reading, evaluation)
    except Unsupported:
        return None
    count = int(reading.coordinate.max(initial=0)) + 1
    share, fixed = np.zeros(count), np.zeros(count)
    np.maximum.at(share, reading.coordinate, far.share)
    np.maximum.at(fixed, reading.coordinate, far.fixed)
    return Decade(first, last, share, fixed, np.full(count, last, np.int64), enumerated=False)


def _types(program: Program) -> tuple[tuple[str, str], ...]:
    found = [(name, program.nodes[n].dtype) for name, n in program.inputs.items()]
    return (*found, *(("result", program.nodes[n].dtype) for n in program.outputs))


def _largest_entries(cut: Slice, evaluation: ProgramValues) -> float:
    """The size of entries up to which every operation on vectors stays finite."""
    found = np.inf
    for node in cut.program.inputs.values():
        dtype = cut.program.nodes[node].dtype
        if cut.kind.get(node) == "vector" and dtype in NUMBER_TYPES:
            found = min(found, number_type(dtype).largest)
    for node, size in evaluation.sizes.items():
        if not np.isfinite(size):
            return 0.0
        if size > 0:
            found = min(found, number_type(cut.program.nodes[node].dtype).largest / size)
    return float(found * (1 - 2.0**-20))


def _assumptions(
    program: Program, cut: Slice, rules: possible.Rules, flushed: bool
) -> tuple[str, ...]:
    nodes = [program.nodes[n] for n in cut.order]
    ops = {n.op for n in nodes if n.depends}
    types = {n.dtype for n in nodes}
    found = [
        "Every operation rounds to nearest, ties to even, in the type that is recorded for it."
    ]
    if ops & {"cos", "sin", "tan"}:
        ulps = f"{rules.ulps.turning:g} units in the last place"
        found.append(f"Sine and cosine are within {ulps} of their type.")
    if ops & {"sqrt", "pow", "exp", "log", "exp2", "log2", "log10", "expm1", "log1p", "atan2"}:
        ulps = f"{rules.ulps.others:g} units in the last place"
        found.append(
            f"Square roots, powers, exponentials, logarithms and atan2 are within {ulps} of their type."
        )
    if types & {"float16", "bfloat16"}:
        found.append(
            "Operations on float16 and bfloat16 are carried out in float32 and rounded once more."
        )
    if ops & {"dot", "sum"}:
        found.append(
            "Sums and matrix products are taken in any order, in the type that is recorded or a"
            " finer one: not in TF32, and not with a coarser sum."
        )
    found.append(
        "Subnormal numbers are set to 0."
        if flushed
        else "Subnormal numbers are kept (torch.set_flush_denormal is off)."
    )
    if any(n.op not in ("constant", "gather", "input") and not n.depends for n in nodes):
        found.append("What depends on no argument is what it was in the recorded call.")
    return tuple(found)
