"""Runs all named tests on one implementation."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import record
from ropeproof.tools.conform.diagnosis import whole_cause
from ropeproof.tools.conform.expected import grid
from ropeproof.tools.conform.expected.budget import unit
from ropeproof.tools.conform.expected.exact import switches
from ropeproof.tools.conform.named_tests import (
    calls,
    contract,
    magnitudes,
    queries,
    reused_tables,
    serves,
    sizes,
    trials,
)
from ropeproof.tools.conform.named_tests.buffers import cast_copies
from ropeproof.tools.conform.named_tests.rerotation import rerotation
from ropeproof.tools.conform.subjects import module as modules
from ropeproof.tools.conform.subjects import subject as called

if TYPE_CHECKING:
    from ropeproof.tools.conform.arrays import Kind

__all__ = ["DTYPES", "TESTS", "check"]

DTYPES = ("float32", "float64", "bfloat16", "float16")
"""The types in which an implementation is tried."""

TESTS = (
    *(f"contract.{n}" for n in ("returns", "shape", "finite", "input", "deterministic", "linear")),
    "contract.pair",
    "contract.type",
    *(f"length.{n}" for n in ("short", "original", "above")),
    f"rotation.{DTYPES[0]}",
    *serves.SERVES,
    *(f"length.{n}" for n in ("shorter", "back")),
    *(f"rotation.{dtype}" for dtype in DTYPES[1:]),
    "rotation.every-position",
    *magnitudes.MAGNITUDES,
    *(
        f"positions.{n}"
        for n in ("single", "offset", "packing", "left-padding", "batch", "decode", "beyond")
    ),
    *(f"axes.{n}" for n in ("equal", "each")),
    "positions.centred",
    "layout.strided",
    "layout.heads",
    *sizes.SIZES,
    "autocast",
    "gradient",
    "gradient.rows",
    "gradient.strided",
    *(f"positions.{dtype}" for dtype in DTYPES[1:]),
    *(f"cache.{n}" for n in ("positions", "rows", "buffer", "types")),
    "keys",
    "keys.fewer",
    "keys.longer",
    "queries.fewer",
    "queries.grouped",
    "keys.one",
    "keys.types",
    "keys.magnitudes",
    "keys.gradient",
    "keys.positions",
    "keys.cache",
    "rerotation.once",
    "rerotation.steps",
    *(f"buffers.{n}" for n in ("bfloat16", "float16", "meta")),
)
"""The names of all tests, in the order in which they run."""

_EVERY = 131072


def check(
    rotate: Any,
    spec_or_config: RopeSpec | str | PathLike[str] | Mapping[str, Any] | object,
    *,
    form: called.Form | None = None,
    axes: str = "bhld",
    array: Kind = "torch",
    dtypes: Sequence[str] = DTYPES,
    angles: str = "float32",
    context: int | None = None,
    length: int | None = None,
    contiguous: bool = False,
    explain: bool = True,
    build: Callable[[], Any] | None = None,
    layer: int | None = None,
    skip: Collection[str] = (),
    in_place: bool = False,
    rows: bool = False,
    centred: bool = False,
    name: str | None = None,
) -> record.Report:
    """Is this rotary embedding the one that the spec or the model configuration says?

    `rotate` is `(x, positions) -> x`, with positions `(length,)` or `(batch, length)`, and one axis
    more, of their coordinates, where the spec has axes; with `form="tables"` it is `positions ->
    (cos, sin)`, with `form="pair"` `(q, k, positions) -> (q, k)`, both of which are recognised by the names
    of the parameters where no `form` is given, also those of a module's `forward`; or it is a
    `torch.nn.Module` of transformers, a model or its rotary module, whose own tables and own rotation are
    taken.

    - `axes`: the order of the axes of `x`, from batch, heads, length, dimension; `"ld"` for one head,
      `"bl(hd)"` for heads that are one axis with their coordinates. A result of complex numbers has one
      for each plane in the place of its two coordinates.
    - `array`: `"torch"`, `"numpy"`, or a function such as `jax.numpy.asarray`.
    - `dtypes`: the types of the vectors to try; the first is the one of all other tests.
    - `angles`: the type in which angles are formed by design; what this type costs is allowed.
    - `context`: the number of positions that are tried; the spec's own length without it, all of
      which must then be served.
    - `length`: for scalings that depend on the length, the one whose frequencies are always used, as
      in engines that choose once; without it, that of each sequence.
    - `contiguous`: positions come as runs `p, p + 1, ...`, for code that takes an offset.
    - `explain`: search for the cause of a failure.
    - `build`: makes the module anew, for the test of meta initialisation.
    - `layer`: the number of a layer, where a configuration says a rotation for each; of a model, that
      layer's own attention is what is tested, its projections replaced.
    - `skip`: names of tests whose result is left out, for what is known and accepted.
    - `in_place`: the vectors given are turned themselves; nothing need be returned.
    - `rows`: positions come as `(batch, length)` always, for code that takes no others.
    - `centred`: positions are counted from the middle, so that negative ones must be turned rightly as well.

    Returns a `Report` with a record per named test (`TESTS`); one that refuses a call beyond what
    it must serve is `unsupported` there. Agreement on a basis at a position leaves no other linear
    map possible at that position (`conform.basis`).
    Raises `InvalidArgument` for arguments outside these, `Unsupported` for a configuration without
    RoPE.
    Cost: a few seconds at 64 planes and 131,072 positions, at most 1.5 GB of memory.
    """
    begun = time.perf_counter()
    spec = spec_or_config
    if not isinstance(spec, RopeSpec):
        spec = RopeSpec.from_config(spec_or_config, layer=layer)
    served = _context(spec, context)
    for dtype in dtypes:
        unit(dtype)
    unit(angles, name="angles")
    for test in skip:
        if test not in TESTS:
            raise InvalidArgument("skip", test, ", ".join(TESTS))
    if not dtypes:
        raise InvalidArgument("dtypes", dtypes, "at least one type")
    module = None
    if form is None and modules.is_module(rotate):
        if layer is None and spec.rotary_start:
            layer = 0  # that a part of the head is left alone is seen in a layer only
        whole = rotate
        rotate, form, of_model = modules.called_module(whole, spec, layer, axes)
        module = whole if of_model else None
    if contiguous and spec.axes is not None:
        raise InvalidArgument("contiguous", True, "False, where positions have several axes")
    subject = called.Subject(
        rotate, spec, form or called.form_of(rotate), axes, array, in_place=in_place, rows=rows
    )
    trial = trials.Trial(subject, spec, served, angles, length, contiguous, explain)
    tests: list[record.Found] = []
    told = context is None and spec.length is not None and (spec.axes is None or spec.axes.of_text)
    for found in _timed(
        _tests(trial, tuple(dtypes), module, build, layer, declared=told, centred=centred)
    ):
        if found.name not in skip:
            tests.append(found)
    title = name or getattr(rotate, "__name__", None) or type(rotate).__name__
    kept = {t.name for t in tests}
    run = [s for s in trial.seen if s.test in kept]
    cause, explained = whole_cause.cause_of_run(run, tests, context=served, explain=explain)
    if cause is not None and explained is not None:
        tests = [
            replace(t, cause=cause)
            if t.cause is None
            and (t.name in explained or (t.result == "fails" and not cause.known))
            else t
            for t in tests
        ]
    return record.Report(
        subject=title,
        spec=spec,
        tests=tuple(tests),
        seconds=time.perf_counter() - begun,
        found=cause,
    )


def _context(spec: RopeSpec, context: int | None) -> int:
    if context is not None:
        return read_integer("context", context, least=2)
    return max(spec.length or 4096, 2)


def _timed(tests: Iterator[record.Found]) -> Iterator[record.Found]:
    begun = time.perf_counter()
    for found in tests:
        now = time.perf_counter()
        yield replace(found, seconds=now - begun)
        begun = now


def _tests(
    trial: trials.Trial,
    dtypes: tuple[str, ...],
    module: Any,
    build: Callable[[], Any] | None,
    layer: int | None,
    *,
    declared: bool,
    centred: bool,
) -> Iterator[record.Found]:
    """The records in their order; `declared`, if the context is the spec's own and not the caller's.

    With `centred` negative positions are tried as well.
    """
    first, asked = serves.first_call(trial, dtypes), trial.context
    dtypes = (first, *(d for d in dtypes if d != first))
    sound = True
    for found in contract.contract(trial, first):
        sound = sound and not (found.result == "fails" and found.name in _NEEDED)
        yield whole_cause.with_sizes(trial, found, first)
    if not sound:
        return
    yield contract.types(trial, dtypes)
    yield from _shorter(trial, first)
    main = _rotation(trial, first, must=True)
    yield main
    if main.result != "holds" and main.residual is None:
        return  # it raises: nothing to compare
    yield from serves.served(trial, asked, dtypes, declared=declared)
    yield from _back(trial, first)
    taken = [first]
    for dtype in dtypes[1:]:
        found = _rotation(trial, dtype)
        yield found
        if found.result != "unsupported":  # a type that is refused is refused once
            taken.append(dtype)
    dtypes = tuple(taken)
    if not trial.contiguous:
        yield every_position(trial, first, asked)
    yield from magnitudes.magnitudes(trial, dtypes)
    yield calls.single(trial, first)
    yield from _apart(trial, first, centred=centred)
    if not trial.contiguous:
        yield from calls.batched(trial, first)
        yield calls.beyond(trial, first)
        if trial.spec.axes is not None:
            yield from calls.along_axes(trial, first)
        yield calls.strided(trial, first)
        if "h" in trial.subject.axes:
            yield _many_heads(trial, first)
        yield from sizes.of_many_sizes(trial, dtypes)
        if trial.subject.array == "torch":
            yield calls.autocast(trial, first)
            yield calls.gradient(trial, first)
            yield from calls.gradients(trial, first)
    yield from calls.in_types(trial, [d for d in dtypes if d != first])
    if not trial.contiguous:
        yield from reused_tables.reused(trial, first)
    yield from reused_tables.reused_types(trial, dtypes)
    if trial.subject.form == "pair":
        yield _keys(trial, first)
        yield from _other_keys(trial, dtypes, module=module is not None)
    if main.result == "holds" and trial.spec.axes is None:
        yield from _of_kept_keys(trial, dtypes)
    if module is not None:
        yield from cast_copies(trial, module, build, layer)


def _of_kept_keys(trial: trials.Trial, dtypes: tuple[str, ...]) -> Iterator[record.Found]:
    """Tests of vectors that are rotated again; of a pair they are the keys, which a cache keeps."""
    trial.subject = replace(trial.subject, part=1)
    try:
        yield from rerotation(trial, dtypes)
    finally:
        trial.subject = replace(trial.subject, part=0)


def _many_heads(trial: trials.Trial, dtype: str) -> record.Found:
    """`layout.heads`: more heads than most kernels rotate at once, an odd and an even number of them."""
    name = "layout.heads"
    if not trial.subject.several("h"):
        told = "one head of vectors in a call alone"
        return record.Found(name=name, result="unsupported", detail=told)
    places = grid.grid(trial.context)[:24]
    return record.worst([trial.probe(name, places, dtype, heads=n) for n in (9, 14)])


def _other_keys(
    trial: trials.Trial, dtypes: tuple[str, ...], *, module: bool
) -> Iterator[record.Found]:
    """Tests of keys: with fewer heads or more positions than queries, in each type, their gradient."""
    subject, first = trial.subject, dtypes[0]
    trial.subject = replace(subject, part=1)  # the same list of calls
    try:
        if "h" in subject.axes and not module:
            for name, heads, late in (("keys.fewer", 4, 0), ("keys.longer", 2, 3)):
                if not (late and trial.contiguous):
                    yield queries.uneven(trial, name, first, heads, late)
            if not trial.contiguous:
                yield queries.fewer_queries(trial, first)
                yield from queries.grouped(trial, first)
        part = serves.parts(trial)[0][:24]
        if dtypes[1:]:
            yield record.worst([trial.probe("keys.types", part, dtype) for dtype in dtypes[1:]])
        yield from magnitudes.magnitudes_of_keys(trial, first)
        if subject.array == "torch" and not trial.contiguous:
            yield calls.gradient(trial, first, "keys.gradient")
        yield calls.of_keys(trial, first)
        if not trial.contiguous:
            yield reused_tables.reused_of_keys(trial, first)
    finally:
        trial.subject = subject


_NEEDED = {"contract.returns", "contract.shape", "contract.finite", "contract.linear"}


def every_position(trial: trials.Trial, dtype: str, asked: int) -> record.Found:
    """A vector of signs at every position, of the first 131,072 of the context that was `asked` for.

    Where that call is refused, of those positions of which the grid is taken.
    """
    name, context = "rotation.every-position", trial.context
    found: record.Found | None = None
    try:
        for trial.context in dict.fromkeys((min(asked, _EVERY), min(context, _EVERY))):
            found = trial.every(name, dtype)
            if found.result != "unsupported":
                break
        if found is not None:
            found = whole_cause.with_length(trial, found, dtype)
    finally:
        trial.context = context
    assert found is not None
    return found


def _shorter(trial: trials.Trial, dtype: str) -> Iterator[record.Found]:
    """Tests of short sequences, before the implementation has seen a longer one."""
    yield trial.probe("length.short", np.arange(min(16, trial.context)), dtype)
    original = switches(trial.spec)
    if original is None or trial.contiguous:
        return
    if original <= trial.context:
        yield trial.probe("length.original", grid.grid(original), dtype)
    if original < trial.context:
        yield trial.probe("length.above", grid.grid(original + 1), dtype)


def _back(trial: trials.Trial, dtype: str) -> Iterator[record.Found]:
    """Tests of shorter sequences after the longest, whose tables must not be kept for them."""
    original = switches(trial.spec)
    if trial.contiguous:
        return
    least = min(16, trial.context) if original is None else min(original, trial.context)
    if original is not None and original + 2 < trial.context:
        between = (original + trial.context) // 2
        yield trial.probe("length.shorter", grid.grid(between), dtype)
    yield trial.probe("length.back", grid.grid(least), dtype)


def _rotation(trial: trials.Trial, dtype: str, *, must: bool = False) -> record.Found:
    """Test every basis vector at the positions of the grid, and keep what explains a failure.

    `must` is for the type of all other tests: where its grid is refused, as much of the grid as the
    implementation takes is tested, and only if it takes nothing does the test fail.
    """
    name = f"rotation.{dtype}"
    d, found = trial.spec.head_dim, []
    parts = serves.parts(trial)
    for positions in parts:
        x = trials.basis(d, len(positions), trial.heads)
        try:
            out = trial.run(x, positions, dtype)
        except trials.REFUSED as error:
            if must and serves.narrowed(trial, dtype):
                return _rotation(trial, dtype)
            refusal = trials.refused(name, error)
            return replace(refusal, result="fails") if must else refusal
        found.append(trial.judge_basis(name, x, positions, out, dtype))
        if found[-1].result == "fails":
            if trial.explain:
                trial.probe(name, positions, dtype)
            return found[-1]
    trial.exact.append(dtype)
    return _heads(trial, record.worst(found), parts[0], dtype)


def _heads(trial: trials.Trial, found: record.Found, positions: Any, dtype: str) -> record.Found:
    """The record of the grid on several heads and rows if that fails; the basis had one of each."""
    probed = trial.probe(found.name, positions, dtype)
    return probed if probed.result == "fails" else found


def _apart(trial: trials.Trial, dtype: str, *, centred: bool) -> Iterator[record.Found]:
    """`positions.offset`: consecutive positions that do not begin at 0, as after a prefilled cache.

    With `centred` also `positions.centred`, positions that begin below 0.
    """
    start = max(min(trial.context // 2, trial.context - 16), 0)
    yield trial.probe("positions.offset", np.arange(start, min(start + 16, trial.context)), dtype)
    if centred:
        yield calls.centred(trial, dtype)


def _keys(trial: trials.Trial, dtype: str) -> record.Found:
    """The second vectors of a pair, the keys, which must be rotated as the first."""
    subject = trial.subject
    trial.subject = replace(subject, part=1)
    try:
        parts = serves.parts(trial)
        parts = parts[:1] if trial.contiguous or trial.runs else parts
        return record.worst([trial.probe("keys", positions, dtype) for positions in parts])
    finally:
        trial.subject = subject
