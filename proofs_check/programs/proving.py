"""Proves that a user's rotary function is a spec's rotation, or finds where it is not.

The function is recorded on calls of several sizes. Each recorded program gets exact formulas, which are
compared with the spec coordinate by coordinate; the kernel checks what the formulas are. A program
that depends on what the code reads from positions is part of a proof for the positions on which the
same is read.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.formats import UNITS
from ropeproof.proofs_check.programs.formulas import conditions, kernel_claims
from ropeproof.proofs_check.programs.formulas import meaning as meanings
from ropeproof.proofs_check.programs.guards import state
from ropeproof.proofs_check.programs.judging import calls, distances, expected, matching, words
from ropeproof.proofs_check.programs.judging.counterexample import found_counterexample
from ropeproof.proofs_check.programs.judging.verdict import RotationProof
from ropeproof.proofs_check.programs.record import alike, numbers
from ropeproof.proofs_check.programs.record.replay import replay
from ropeproof.theory import errors
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.arrays import write
from ropeproof.tools.conform.subjects.module import as_called

if TYPE_CHECKING:
    from ropeproof.proofs_check.programs.judging.verdict import Verdict, WrongCall
    from ropeproof.proofs_check.programs.record.graph import Program
    from ropeproof.theory.language.claim import Claim

__all__ = ["prove_rotation"]

_PATHS = 6
_TOKENS = 3
_LARGEST_INT32 = 2**31 - 1


class _Stopped(Exception):
    """The proof stops; the message says why."""


def prove_rotation(
    rotate: Any,
    spec_or_config: RopeSpec | str | PathLike[str] | Mapping[str, Any] | object,
    *,
    form: Any = None,
    axes: str = "bhld",
    array: Any = "torch",
    angles: str = "float32",
    context: int | None = None,
    length: int | None = None,
    layer: int | None = None,
    in_place: bool = False,
    rows: bool = False,
    contiguous: bool = False,
    types: Sequence[str] = ("float32",),
    name: str | None = None,
) -> RotationProof:
    """Is this rotary function the spec's rotation, for all vectors and all integer positions?

    The arguments are those of `ropeproof.conform.check`; `types` are the types of vectors for which it
    is proved.

    Returns a `RotationProof`, whose verdict says it: `proved`, `proved in part` (for the positions that the
    statement names), `refuted` (with a counterexample that was run), or `not proved` (with the
    operation or the fact that stops the proof, and its place). Rounding is no part of the statement, nor
    are gradients. Raises `InvalidArgument` for arguments outside these, `Unsupported` for a
    configuration without RoPE.
    """
    begun = time.process_time()
    spec = spec_or_config
    if not isinstance(spec, RopeSpec):
        spec = RopeSpec.from_config(spec_or_config, layer=layer)
    if angles not in UNITS:
        raise errors.InvalidArgument("angles", angles, ", ".join(UNITS))
    for dtype in types:
        if dtype not in UNITS:
            raise errors.InvalidArgument("types", dtype, ", ".join(UNITS))
    served = max(spec.length or 4096, 2)
    if context is not None:
        served = read_integer("context", context, least=2)
    owner = rotate
    rotate, form = as_called(rotate, spec, form, layer, axes)
    setup = calls.Setup(rotate, spec, form, axes, array, in_place, rows, contiguous)
    title = name or getattr(rotate, "__name__", None) or type(rotate).__name__
    work = _Work(setup, owner, served, angles, length, tuple(types))
    reasons: tuple[str, ...] = ()
    verdict: Verdict = "not proved"
    try:
        setup.subject  # noqa: B018  # refuses what it cannot call
        verdict = work.run()
    except _Wrong as error:
        verdict, reasons = "refuted", (str(error),)
    except (_Stopped, errors.Unsupported) as error:
        reasons = (str(error),)
        work.search(str(error))
    except RecursionError:
        reasons = ("a formula that is nested too deeply",)
    if work.counterexample is not None:
        verdict = "refuted"
    return RotationProof(
        subject=title,
        verdict=verdict,
        statement=tuple(work.statement) if verdict.startswith("proved") else (),
        reasons=reasons if work.counterexample is None else (),
        counterexample=work.counterexample,
        claims=tuple(work.claims),
        covers=tuple(work.covers),
        seconds=time.process_time() - begun,
        numbers=work.numbers(),
    )


class _Wrong(_Stopped):
    """What was seen of the function is wrong whatever its formulas are; the message says what."""


@dataclass
class _Work:
    """One proof in the making."""

    setup: calls.Setup
    owner: Any
    context: int
    angles: str
    length: int | None
    types: tuple[str, ...]
    statement: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)
    counterexample: WrongCall | None = None
    agreements: list[matching.Agreement] = field(default_factory=list)
    off_computed: float = 0.0
    tried: int = 0
    fresh: str = ""
    kept: tuple[Any, ...] = ()
    codes: Any = None
    refused: str = ""
    original: str = ""
    grown: str = ""
    made: list[tuple[tuple[int, ...], int, int, str]] = field(default_factory=list)
    _signatures: dict[Any, str] = field(default_factory=dict)

    # -- the order of things ------------------------------------------------------

    def run(self) -> Verdict:
        """Record, compare and prove; raises `_Stopped` or `Unsupported` where that ends."""
        if self.setup.array not in ("torch", "numpy"):
            raise _Stopped("arrays of another library than PyTorch and NumPy are not recorded")
        if self.setup.array == "torch":
            import torch  # noqa: F401  # its modes are part of what is compared from now on
        self._compiled()
        reach = state.reach_of(self.owner, self.setup.call)
        self.original = self.fresh = reach.digest
        self.kept, self.codes = reach.tensors, reach.codes
        if reach.unknown:
            raise _Stopped(f"what is not followed: {'; '.join(reach.unknown[:6])}")
        call = self.setup.whole()
        settings = list(self._settings(call))
        self._served(call, settings[0])
        self._first_calls()
        covered: list[conditions.Region] = []
        for setting in settings:
            regions = self._of_setting(call, setting)
            if self.counterexample is not None and setting.rows and not self.setup.rows:
                told = self.counterexample.diagnosis
                self.counterexample = None
                raise _Stopped(
                    f"rows of positions, (batch, length), are taken and turned otherwise: {told}"
                )
            if self.counterexample is not None:
                return "refuted"
            self.covers.append(str(setting))
            covered = regions if not covered else _both(covered, regions)
        self._other_sizes(call, settings[0])
        self._long_call(call, settings[0])
        self._unchanged()
        return self._concluded(covered)

    def _compiled(self) -> None:
        for thing in (self.setup.call, self.owner):
            for name in ("_torchdynamo_orig_callable", "_orig_mod", "get_compiler_config"):
                if hasattr(thing, name):
                    told = "it is compiled (torch.compile); prove the function that was compiled"
                    raise _Stopped(told)

    def _settings(self, call: Callable[..., Any]) -> Iterator[calls.CallSetting]:
        """The calls to record: the first must be possible, others are left out where they raise."""
        shared = self._sized()
        first = self._possible(call, shared)
        if first is None:
            first = self._possible(
                call, calls.CallSetting(1, 1, shared.length, rows=self.setup.rows)
            )
        if first is None:
            self._raise(call, shared)
            raise _Stopped("it could not be called")
        main = self.types[0]
        yield self._typed(first, main)
        # One token and more tokens, other types; rows of positions only where they are declared.
        more = [
            calls.CallSetting(first.batch, 1, 1, first.rows),
            calls.CallSetting(1, first.heads, first.length + 4, first.rows),
        ]
        if "b" in self.setup.axes and first == shared and not first.rows:
            # Where the sizes differ, tables of rows cannot be broadcast along heads by chance.
            more += [replace(first, rows=True), replace(first, length=1, rows=True)]
        for one in more:
            if self._possible(call, one) is not None:
                yield self._typed(one, main)
        for dtype in self.types[1:]:
            one = self._typed(calls.CallSetting(1, 1, 2, first.rows), dtype)
            if self._possible(call, one) is not None:
                yield one

    def _served(self, call: Callable[..., Any], first: calls.CallSetting) -> None:
        """Leave out positions that the function refuses, as a table does that is shorter than the context."""
        last = self.context - 1

        def refused(top: int) -> str:
            try:
                self._run(call, first, self._positions(first, top), 1)
            except (Exception, SystemExit) as error:
                return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
            return ""

        told = refused(last)
        low, high = min(last, 100), last
        if not told or low == high:
            return
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if refused(middle) else (middle, high)
        self.context = high
        self.refused = f"at position {high} it raises {refused(high)}"

    def _sized(self) -> calls.CallSetting:
        """A call whose sizes all differ, a head's too, so that nothing is broadcast by chance."""
        spec = self.setup.spec
        taken = {spec.head_dim, spec.planes, spec.rotary_dim, spec.rotary_planes, 1, 0}
        batch, heads, length = [n for n in range(2, 20) if n not in taken][:3]
        return calls.CallSetting(
            batch, heads, max(length, min(_TOKENS, length)), rows=self.setup.rows
        )

    def _first_calls(self) -> None:
        """Take what the function keeps after its first calls as what it keeps; the statement says so."""
        reach = state.reach_of(self.owner, self.setup.call)
        if reach.digest != self.fresh:
            if reach.unknown:
                raise _Stopped(f"what is not followed: {'; '.join(reach.unknown[:6])}")
            self.fresh, self.kept, self.codes = reach.digest, reach.tensors, reach.codes
            row, batch, heads, dtype = self.made[0]
            self.grown = (
                "Its first calls change what it keeps, and it is proved as it is after these, not for a "
                f"fresh one: {len(self.made)} calls, first in {dtype}, batch {batch}, {heads} heads, "
                f"positions {list(row)[:8]}, the largest position {max(max(c[0]) for c in self.made)}."
            )

    def _unchanged(self) -> None:
        reach = state.reach_of(self.owner, self.setup.call)
        if reach.digest != self.fresh or reach.unknown:
            raise _Stopped("its calls change what it keeps, and later calls may depend on that")

    def _typed(self, setting: calls.CallSetting, dtype: str) -> calls.CallSetting:
        return calls.CallSetting(setting.batch, setting.heads, setting.length, setting.rows, dtype)

    def _possible(
        self, call: Callable[..., Any], setting: calls.CallSetting
    ) -> calls.CallSetting | None:
        try:
            self._run(call, setting, self._positions(setting, min(self.context - 1, 100)), 0)
        except (Exception, SystemExit):
            return None
        return setting

    def _raise(self, call: Callable[..., Any], setting: calls.CallSetting) -> None:
        try:
            self._run(call, setting, self._positions(setting, min(self.context - 1, 100)), 0)
        except (Exception, SystemExit) as error:
            told = " ".join(str(error).split())[:200]
            raise _Stopped(f"it raises {type(error).__name__}: {told}") from error

    def _positions(self, setting: calls.CallSetting, largest: int, turn: int = 0) -> list[int]:
        """Positions of a row, the largest among them; as far as possible they are apart."""
        others = [(largest * (7 * n + 3 + 2 * turn)) // (7 * setting.length + 9) for n in range(64)]
        found = [*dict.fromkeys(o for o in others if o < largest)]
        row = [largest, *found[: setting.length - 1]]
        row += [0] * (setting.length - len(row))
        return row[1:2] + row[:1] + row[2:] if setting.length > 1 else row

    def _tensors(
        self, setting: calls.CallSetting, positions: Sequence[int], seed: int
    ) -> dict[str, Any]:
        given = self.setup.arguments(setting, positions, seed)
        row = tuple(int(n) for n in given["p"].reshape(-1)[: setting.length])
        self.made.append((row, setting.batch, setting.heads, setting.dtype))
        found = {}
        for name, values in given.items():
            found[name] = write(values, self.setup.array, None if name == "p" else setting.dtype)
        return found

    def _run(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        seed: int,
    ) -> list[NDArray[Any]]:
        """What the function itself returns, as flat arrays of float64, parts of complex numbers apart."""
        found = call(*self._tensors(setting, positions, seed).values())
        return numbers.flat_numbers(found)

    def _trace(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        seed: int,
        watched: Sequence[str] = (),
    ) -> Any:
        tensors = self._tensors(setting, positions, seed)
        if self.setup.array == "torch":
            from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch

            return trace_torch(call, tensors, watched=watched, known=self.kept, codes=self.codes)
        if self.setup.array == "numpy":
            from ropeproof.proofs_check.programs.record.numpy_trace import trace_numpy

            return trace_numpy(call, tensors, watched=watched, codes=self.codes)
        raise _Stopped("arrays of another library are not recorded")

    # -- one setting --------------------------------------------------------------

    def _of_setting(
        self, call: Callable[..., Any], setting: calls.CallSetting
    ) -> list[conditions.Region]:
        """The positions for which calls of this size are proved, region by region."""
        regions: list[conditions.Region] = []
        largest = min(self.context - 1, 100)
        self._warm(call, setting)
        marks = expected.lengths_around_a_switch(self.setup.spec)
        marks = [m for m in (*marks, self.context - 1) if 0 < m < self.context]
        for _ in range(_PATHS):
            regions.append(self._of_path(call, setting, largest))
            if self.counterexample is not None:
                return regions
            uncovered = _uncovered(regions, self.context)
            if uncovered is None or any(r.others for r in regions):
                break
            open_marks = [m for m in marks if not any(r.low <= m <= r.high for r in regions)]
            largest = open_marks[0] if open_marks else uncovered[0]
        return regions

    def _warm(self, call: Callable[..., Any], setting: calls.CallSetting) -> None:
        """Call with the largest position first, so that what grows with positions has grown."""
        for largest in (self.context - 1, 0, min(self.context - 1, 100)):
            try:
                self._run(call, setting, self._positions(setting, largest), 1)
            except (Exception, SystemExit) as error:
                told = " ".join(str(error).split())[:160]
                if largest == self.context - 1:
                    raise _Stopped(
                        f"at position {largest}: {type(error).__name__}: {told}"
                    ) from error

    def _of_path(
        self, call: Callable[..., Any], setting: calls.CallSetting, largest: int
    ) -> conditions.Region:
        if self.setup.contiguous:
            largest = max(largest, setting.length - 1)
        positions = self._positions(setting, largest)
        traced = self._recorded(call, setting, positions, 2)
        program: Program = traced.program
        if program.dependence:
            raise _Stopped(program.dependence[0])
        if program.written and not self.setup.in_place:
            self._changes(call, setting, positions, program.written)
        if self.setup.array == "torch":
            self._without_numbers(call, setting, positions, traced)
        # Other numbers, same program: else something depends on them that was not recorded.
        other_row = self._positions(setting, largest, turn=1)
        other = self._recorded(call, setting, other_row, 3)
        told = alike.unlike(program, other.program)
        if told:
            raise _Stopped(told)
        self._unchanged()
        run = setting.length if self.setup.contiguous else 0
        meaning = meanings.ProgramMeaning(program, meanings.Bounds(0, self.context - 1), run=run)
        followed: frozenset[int] = frozenset()
        seen: Any = ()
        if program.escapes:
            followed, seen = self._follow(call, setting, positions, traced)
        count = program.nodes[program.inputs["p"]].count
        region = conditions.region_of(program, meaning, seen, followed, count)
        if not region.low <= largest <= region.high:
            raise _Stopped("what it reads from positions contradicts the call that was recorded")
        meaning = meanings.ProgramMeaning(program, meanings.Bounds(0, region.high), run=run)
        spec, region = expected.spec_of_region(self.setup.spec, region, largest, self.length)
        self._types(program)
        try:
            layouts = self.setup.layouts(setting, traced.shapes, program.complex_outputs)
        except errors.Unsupported as error:
            self._returned(call, setting, positions, traced.shapes)
            raise _Wrong(f"it returns {error}") from error
        for layout, first in layouts:
            nodes = program.outputs[first : first + 1 + int(layout.parts.any())]
            outputs = [list(meaning.output(n)) for n in nodes]
            agreement, differences = matching.compare(
                program, outputs, layout, spec, angles=self.angles, context=region.high + 1
            )
            if differences:
                self._refute(call, setting, region, spec, differences, program, largest)
                return region
            region = self._rows(agreement, region)
            self.agreements.append(agreement)
            self._kernel(meaning, layout, nodes)
        region = self._looked_up(meaning, region)
        self._constants(traced, meaning)
        self._compared_runs(call, setting, region, program)
        return region

    def _recorded(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        seed: int,
        watched: Sequence[str] = (),
    ) -> Any:
        try:
            return self._trace(call, setting, positions, seed, watched)
        except errors.Unsupported:
            raise
        except (Exception, SystemExit) as error:
            told = " ".join(str(error).split())[:200]
            raise _Stopped(f"recording: {type(error).__name__}: {told}") from error

    def _follow(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        traced: Any,
    ) -> tuple[frozenset[int], Any]:
        """What matters of the integers that Python reads, from a second recording that follows them."""
        program: Program = traced.program
        files = sorted({e.place.file for e in program.escapes if e.place is not None})
        try:
            again = self._trace(call, setting, positions, 2, files)
        except (Exception, SystemExit):
            return frozenset(), ()
        if (
            alike.unlike(program, again.program)
            or not again.seen_escapes
            or again.program.dependence
        ):
            return frozenset(), ()
        return again.seen_escapes, again.seen

    def _without_numbers(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        traced: Any,
    ) -> None:
        """Stop if the call looks at numbers in another way than the record shows."""
        from ropeproof.proofs_check.programs.record.of_torch.dataless import unseen_reads

        told = unseen_reads(call, self._tensors(setting, positions, 2), traced, self.codes)
        if told:
            raise _Stopped(told)

    def _changes(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        names: Any,
    ) -> None:
        """Refute if a plain run changes an argument, as its record says."""
        tensors = self._tensors(setting, positions, 2)
        before = {n: numbers.as_numbers(t).copy() for n, t in tensors.items()}
        call(*tensors.values())
        changed = [
            n for n, t in tensors.items() if not np.array_equal(before[n], numbers.as_numbers(t))
        ]
        if changed:
            raise _Wrong(f"it changes its argument {', '.join(changed)}, in a call with {setting}")
        raise _Stopped(f"it writes into its argument {', '.join(names)}")

    def _returned(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        shapes: Any,
    ) -> None:
        """Stop if a plain run returns other shapes than the one that was recorded."""
        found = call(*self._tensors(setting, positions, 2).values())
        arrays = list(found) if isinstance(found, tuple | list) else [found]
        if tuple(tuple(numbers.as_numbers(a).shape) for a in arrays) != tuple(shapes):
            raise _Stopped("a plain run returns another shape than the recorded one")

    # -- guards -------------------------------------------------------------------

    def _types(self, program: Program) -> None:
        """Angles must be formed in types as fine as those that are allowed; vectors keep their range."""
        unit = UNITS[self.angles]
        bad = alike.coarse_angle(program, unit)
        if bad is not None:
            told = f"an angle is formed in {bad.dtype}"
            raise _Stopped(f"{told}, coarser than {self.angles}, at {bad.place}")
        narrow = alike.narrower_vectors(program)
        if narrow is not None:
            told = "vectors are cast to float16, whose range is smaller than that of their type"
            raise _Stopped(f"{told}, at {narrow.place}")

    def _rows(self, agreement: matching.Agreement, region: conditions.Region) -> conditions.Region:
        if agreement.rows is not None and agreement.rows - 1 < region.high:
            return conditions.Region(region.low, agreement.rows - 1, region.others)
        return region

    def _looked_up(
        self, meaning: meanings.ProgramMeaning, region: conditions.Region
    ) -> conditions.Region:
        """The part of a region on which every index is a row of its table."""
        high = region.high
        for index, size in set(meaning.rows):
            ends = meanings.Bounds(0, high).of(index)
            if ends is None or ends[0] < 0:
                raise _Stopped("an index that may leave its table")
            while ends is not None and ends[1] > size - 1 and high > region.low:
                high = max(region.low, high - math.ceil(ends[1] - (size - 1)))
                ends = meanings.Bounds(0, high).of(index)
            if ends is None or ends[1] > size - 1:
                raise _Stopped("an index that may leave its table")
        return conditions.Region(region.low, high, region.others)

    def _constants(self, traced: Any, meaning: meanings.ProgramMeaning) -> None:
        """Numbers that the call computes from constants, beside their formulas."""
        worst, place = distances.constants_off(traced, meaning, 128 * UNITS[self.angles])
        if place is not None:
            told = f"numbers that are off by {worst:.2g} of themselves by rounding"
            raise _Stopped(f"{told}, at {place}")
        self.off_computed = max(self.off_computed, worst)

    def _compared_runs(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        region: conditions.Region,
        program: Program,
    ) -> None:
        """The function itself, beside its records, on other vectors and positions: bit for bit."""
        drawn = np.random.default_rng(11)
        largest = {
            region.low,
            region.high,
            min(region.high, max(region.low, 7)),
            *map(int, drawn.integers(region.low, region.high + 1, 3)),
        }
        for turn, top in enumerate(sorted(largest)):
            positions = self._positions(setting, top, turn=2 + turn)
            traced = self._bits(call, setting, positions, 20 + turn)
            if program.escapes and region.others:
                continue
            told = alike.unlike(program, traced.program)
            if told:
                raise _Stopped(f"{told}, with positions up to {top}")
            said = replay(program, traced.inputs)
            unit = max(UNITS[setting.dtype], UNITS[self.angles])
            angle = UNITS[self.angles] * max(top, 1) * 40
            for one, other in zip(traced.results, said, strict=True):
                limit = 8 * (40 * unit + min(angle, 2.0))
                off = np.abs(one.ravel().astype(np.float64) - other.ravel().astype(np.float64))
                if not (off <= limit * 4).all():
                    told = f"off by {np.nanmax(off):.2g} from what was recorded, at positions up to"
                    raise _Stopped(f"a run of the function is {told} {top}")

    def _bits(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        positions: Sequence[int],
        seed: int,
    ) -> Any:
        """A record of a call; stops if a plain run of the same call gives other bits."""
        found = self._run(call, setting, positions, seed)
        traced = self._recorded(call, setting, positions, seed)
        if traced.program.dependence:
            raise _Stopped(traced.program.dependence[0])
        for one, other in zip(found, traced.results, strict=True):
            if not np.array_equal(one, other.ravel().astype(np.float64), equal_nan=True):
                told = f"a plain run with {setting}, positions {list(positions)[:6]}"
                raise _Stopped(
                    f"{told}, gives other numbers than the same call while it is recorded"
                )
        return traced

    def _long_call(self, call: Callable[..., Any], first: calls.CallSetting) -> None:
        """A long call, plain and recorded."""
        most = 257
        length = min(self.context - 1 if self.setup.contiguous else self.context, most)
        setting = calls.CallSetting(1, 1, length, first.rows, self.types[0])
        if self._possible(call, setting) is None:
            return
        row = np.random.default_rng(5).choice(self.context, length, replace=False)
        self._bits(call, setting, list(map(int, row)), 6)

    def _other_sizes(self, call: Callable[..., Any], first: calls.CallSetting) -> None:
        """The function itself beside the exact rotation, on calls of sizes that were not recorded."""
        sizes = [(1, 1, n) for n in (2, 4, 8, 15, 16, 17, 31, 32, 33, 64, 65, 128, 129, 513, 1025)]
        sizes += [(5, 1, 3), (1, 9, 5), (3, 4, 130), (3, 1, 1), (1, 4, 1), (4, 32, 1)]
        listed = [(*size, self.types[0]) for size in sizes]
        listed += [
            (2, 3, 5, dtype) for dtype in self.types
        ]  # vectors that use all bits of their type
        for batch, heads, length, dtype in listed:
            if length > self.context or (self.setup.contiguous and length >= self.context):
                continue
            setting = calls.CallSetting(
                batch if first.batch > 1 else 1, heads if first.heads > 1 else 1, length,
                first.rows, dtype,
            )  # fmt: skip
            drawn = np.random.default_rng(length)
            row = drawn.choice(self.context, length, replace=False)
            if length % 2:
                row = np.sort(row)
            try:
                found = self._run(call, setting, list(map(int, row)), calls.FINE)
            except (Exception, SystemExit):
                continue  # refused: not covered, and not wrong
            wrong = self._worst(setting, list(map(int, row)), found, "")
            if wrong is not None:
                told = f"a run with {setting} is off from the spec"
                self.counterexample = self._placed(replace(wrong, diagnosis=told), setting)
                raise _Stopped(told)
            self.tried += 1

    def _placed(self, found: WrongCall, setting: calls.CallSetting) -> WrongCall:
        """A counterexample with the call that it is of, and the calls before it where they may matter."""
        reach = state.reach_of(self.owner, self.setup.call)
        keeps = bool(reach.unknown) or reach.digest != self.original
        return replace(
            found,
            setting=str(setting),
            batch=setting.batch,
            heads=setting.heads,
            dtype=setting.dtype,
            history=tuple(self.made[:-1]) if keeps else (),
        )

    def search(self, reason: str) -> None:
        """Look for a run that is further from the spec than rounding explains, after a proof stopped."""
        if self.counterexample is not None or self.setup.array not in ("torch", "numpy"):
            return
        call = self.setup.whole()
        tops = [100, 10, self.context - 1, self.context // 2, 100, 3, 257, 128, 127, 129, 0]
        for top in tops:
            if not 0 <= top < self.context:
                continue
            for dtype in self.types:
                setting = replace(self._sized(), dtype=dtype)
                row = self._positions(setting, top)
                try:
                    found = self._run(call, setting, row, calls.FINE)
                    wrong = self._worst(setting, row, found, reason)
                except (Exception, SystemExit):
                    continue
                if wrong is not None:
                    told = f"a run is off from the spec (no proof: {reason})"
                    self.counterexample = self._placed(replace(wrong, diagnosis=told), setting)
                    return

    def _worst(
        self,
        setting: calls.CallSetting,
        row: Sequence[int],
        found: Sequence[NDArray[Any]],
        told: str,
    ) -> WrongCall | None:
        return expected.worst_coordinate(
            self.setup, setting, row, found, told, angles=self.angles, length=self.length
        )

    # -- the kernel ---------------------------------------------------------------

    def _kernel(
        self,
        meaning: meanings.ProgramMeaning,
        layout: matching.Layout,
        nodes: Sequence[int],
    ) -> None:
        """Let the kernel check each way in which a coordinate is computed."""
        for index in np.ndindex(*layout.outputs.shape):
            node = nodes[int(layout.parts[index])]
            own = kernel_claims.computation_of(meaning, node, int(layout.outputs[index]))
            if own.signature in self._signatures:
                continue
            if not own.lines and own.result[0] != "number":
                self._signatures[own.signature] = ""
                continue  # a coordinate that is handed on
            claim, said = kernel_claims.proved_claim(own, f"program.way-{len(self.claims) + 1}")
            if said:
                raise _Stopped(f"the kernel does not accept the formula of a coordinate: {said}")
            self._signatures[own.signature] = claim.id
            self.claims.append(claim)

    def _distance(self) -> None:
        pairs = distances.frequency_distances(self.setup.spec, self.agreements)
        if distances.is_for_the_kernel(self.setup.spec, pairs):
            claim, said = kernel_claims.distance_claim("program.frequencies", pairs)
            if said:
                raise _Stopped(f"the kernel does not accept the distance of frequencies: {said}")
            self.claims.append(claim)

    # -- refuting -----------------------------------------------------------------

    def _refute(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        region: conditions.Region,
        spec: RopeSpec,
        differences: list[matching.Difference],
        program: Program,
        largest: int,
    ) -> None:
        def run(positions: NDArray[np.int64], vectors: Mapping[str, NDArray[Any]]) -> Any:
            tensors = {}
            for name, values in vectors.items():
                tensors[name] = write(values, self.setup.array, setting.dtype)
            tensors["p"] = write(positions, self.setup.array, None)
            return numbers.flat_numbers(call(*tensors.values()))

        self.counterexample = found_counterexample(
            self.setup, setting, region, spec, differences, program, run, largest, self.angles
        )
        if self.counterexample is None:
            self.counterexample = self._off_in_a_row(call, setting, region, differences)
        if self.counterexample is not None:
            self.counterexample = self._placed(self.counterexample, setting)
        if self.counterexample is None:
            raise _Stopped(
                f"its formula is not the spec's ({differences[0].told}), but no call was found on "
                "which the two certainly differ"
            )

    def _off_in_a_row(
        self,
        call: Callable[..., Any],
        setting: calls.CallSetting,
        region: conditions.Region,
        differences: Sequence[matching.Difference],
    ) -> WrongCall | None:
        """A run at a wrong row of a table that is further from the spec than rounding explains."""
        told = {row: one.told for one in differences for row in one.rows}
        for row, text in told.items():
            if region.low <= row <= region.high:
                places = self._positions(setting, row)
                try:
                    wrong = self._worst(
                        setting, places, self._run(call, setting, places, calls.FINE), text
                    )
                except (Exception, SystemExit):
                    continue
                if wrong is not None:
                    return wrong
        return None

    # -- the end ------------------------------------------------------------------

    def _concluded(self, covered: list[conditions.Region]) -> Verdict:
        self._distance()
        spec = self.setup.spec
        uncovered = _uncovered(covered, self.context)
        open_conditions = [o for r in covered for o in r.others]
        whole = uncovered is None and not open_conditions and not self.refused and not self.grown
        planes = (
            f"{spec.rotary_planes} of {spec.planes} planes turn"
            if spec.rotary_dim != (spec.head_dim)
            else f"{spec.planes} planes turn"
        )
        self.statement += [
            f"For all vectors: every coordinate is that of {words.spec_words(spec)}, {planes}.",
            f"Positions: {words.positions_words(covered, self.context)}.",
            *([self.grown] if self.grown else []),
            *(
                [f"Later positions of the context are not served: {self.refused}."]
                if self.refused
                else []
            ),
            *(f"Only where {c}." for c in dict.fromkeys(open_conditions)),
            "Only for calls of these sizes and types: " + "; ".join(self.covers) + ".",
            *(
                [
                    "Queries and keys have the same sizes in these calls: with fewer heads of keys, or more "
                    "of them than queries, nothing is proved."
                ]
                if self.setup.form == "pair"
                else []
            ),
            "Only for fresh contiguous arrays on the CPU that require no gradient, of finite numbers; "
            + words.modes(self.owner, cast(Any, self.setup.array))
            + "; for the function and all it keeps as it was then.",
            f"Other sizes are not proved: calls of {self.tried} of them were run, and agree within rounding.",
            "Its frequencies are equal to the exact ones as formulas."
            if self._off() == 0 and not any(a.tables for a in self.agreements)
            else f"Its frequencies are at most {self._off():.2g} of themselves from the exact ones.",
        ]
        tables = [a.table_off for a in self.agreements if a.tables]
        if tables:
            rows = min(a.rows for a in self.agreements if a.rows is not None)
            self.statement.append(
                f"Tables: each entry of {rows} rows is at most {max(tables):.2g} from the exact one."
            )
        factor = max((a.factor_off for a in self.agreements), default=0.0)
        if factor > 2.0**-200:
            self.statement.append(
                f"Its factor is at most {factor:.2g} of itself from the exact one."
            )
        if self.off_computed:
            self.statement.append(
                f"Numbers that it computes in floating point are at most {self.off_computed:.2g} of "
                "themselves from their formulas."
            )
        self.statement += [
            f"The kernel accepted {len(self.claims)} claims: " + words.ids(self.claims) + ".",
            "Assumed: operations of PyTorch or NumPy do what their meanings here say. Rounding in number "
            "types, other sizes and gradients are no part of the statement. Cosines, sines, exponentials "
            "and powers of the recorded calls were compared with ball arithmetic.",
        ]
        return "proved" if whole else "proved in part"

    def _off(self) -> float:
        return max((a.off for a in self.agreements), default=0.0)

    def numbers(self) -> dict[str, Any]:
        """What was enclosed, as plain numbers."""
        return {
            "frequencies_off": self._off(),
            "factor_off": max((a.factor_off for a in self.agreements), default=0.0),
            "table_off": max((a.table_off for a in self.agreements), default=0.0),
            "computed_off": self.off_computed,
        }


def _both(one: list[conditions.Region], two: list[conditions.Region]) -> list[conditions.Region]:
    """What both lists of regions cover."""
    return [
        conditions.Region(max(a.low, b.low), min(a.high, b.high), (*a.others, *b.others))
        for a in one
        for b in two
        if max(a.low, b.low) <= min(a.high, b.high)
    ]


def _uncovered(regions: Sequence[conditions.Region], context: int) -> tuple[int, int] | None:
    """The first range of largest positions of the context that no region covers; None if all are."""
    at = 0
    for one in sorted(regions, key=lambda r: r.low):
        if one.low > at:
            return at, one.low - 1
        at = max(at, one.high + 1)
    return None if at >= context else (at, context - 1)
