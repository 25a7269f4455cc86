"""Is what an engine left in a file the rotation that the configuration says?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.causes import cause_of
from ropeproof.tools.conform.dumps.compared import ComparedPart, compared
from ropeproof.tools.conform.dumps.contents import Contents, read_contents
from ropeproof.tools.conform.dumps.logits import logits_alone, logits_of
from ropeproof.tools.conform.dumps.part import DumpedPart, parts
from ropeproof.tools.conform.expected.budget import unit
from ropeproof.tools.conform.expected.exact import at_length
from ropeproof.tools.conform.logits.rule import LogitRule
from ropeproof.tools.conform.record import Found, Report

__all__ = ["check_dump", "read_parts"]

_ZERO = 1e-4
"""A pair this small beside the largest of its vectors shows nothing of its plane in half precision."""


def check_dump(
    path: Path | str,
    spec_or_config: RopeSpec | str | PathLike[str] | Mapping[str, Any] | object,
    *,
    axes: str | None = None,
    dtype: str | None = None,
    angles: str = "float32",
    length: int | None = None,
    layer: int | None = None,
    explain: bool = True,
) -> Report:
    """The report on queries and keys that an engine wrote into an `.npz` or a safetensors file.

    The file has `q_before` and `q_after`, or `k_before` and `k_after`, or all four, and `positions`
    of their tokens; `docs/conformance.md` lists what else it may have.

    - `axes`: the order of the axes where the file does not say it, as for `check`;
    - `dtype`: the type of the vectors where it is not seen in the file;
    - `angles`: the type in which angles are formed by design;
    - `length`: the length whose frequencies are used, for scalings that depend on it; without it, that
      of the file, else one more than the largest position;
    - `layer`: the number of a layer, where a configuration says a rotation for each;
    - `explain`: search for the cause of a failure.

    Where it has `logits`, `logits.dump` compares these with the scales and norms of the configuration;
    vectors after rotation are not needed then.
    Tests named `rotation.*` compare; those named `held.*` say what the file cannot show and are
    `unsupported`. Raises `InvalidArgument` for a file or an argument outside these.
    """
    begun = time.perf_counter()
    unit(angles, name="angles")
    contents = read_contents(path)
    logits: list[Found] = []
    if "logits" in contents.arrays:
        rule = LogitRule.of(spec_or_config, layer=_layer(contents, layer))
        rule = replace(rule, spec=at_length(rule.spec, length) if length else rule.spec)
        logits = [logits_of(contents, rule, axes=axes, dtype=dtype, explain=explain)]
        if logits_alone(contents):
            told = "not checked: no vectors after rotation, only logits"
            left = Found(name="rotation", result="unsupported", detail=told)
            return Report(
                subject=str(path),
                spec=rule.spec,
                tests=(*logits, left),
                seconds=time.perf_counter() - begun,
                found=logits[0].cause,
                needed="logits.",
            )
    spec, found = read_parts(
        path, spec_or_config, axes=axes, dtype=dtype, length=length, layer=layer
    )
    seen = [compared(part, spec, angles=angles) for part in found]
    seen = [replace(one, found=_telling(one)) for one in seen]
    context = max(spec.length or 4096, 2)
    cause = cause_of(seen, context=context, angles=angles) if explain else None
    tests = [*(one.found for one in seen), *_missing(found), *_held(seen, context)]
    if cause is not None:
        tests = [replace(t, cause=cause) if t.result == "fails" else t for t in tests]
    elif logits:
        cause = logits[0].cause
    tests += logits
    return Report(
        subject=str(path),
        spec=spec,
        tests=tuple(tests),
        seconds=time.perf_counter() - begun,
        found=cause,
    )


def read_parts(
    path: Path | str,
    spec_or_config: Any,
    *,
    axes: str | None = None,
    dtype: str | None = None,
    length: int | None = None,
    layer: int | None = None,
) -> tuple[RopeSpec, list[DumpedPart]]:
    """The queries and keys of a dump, and the spec at its length; raises as `check_dump`."""
    contents = read_contents(path)
    layer = _layer(contents, layer)
    spec = spec_or_config
    if not isinstance(spec, RopeSpec):
        spec = RopeSpec.from_config(spec_or_config, layer=layer)
    found = parts(contents, spec, axes=axes, dtype=dtype)
    if length is None and "length" in contents.texts:
        length = _number("length", contents.texts["length"])
    elif length is None and contents.arrays.get("length") is not None:
        length = _number("length", contents.arrays["length"].reshape(-1)[0])
    last = max(int(part.positions.max(initial=0)) for part in found)
    return at_length(spec, read_integer("length", length, least=1) if length else last + 1), found


def _layer(contents: Contents, layer: int | None) -> int | None:
    """The layer that is asked for, else that of the dump."""
    if layer is None and "layer" in contents.texts:
        return _number("layer", contents.texts["layer"])
    if layer is None and contents.arrays.get("layer") is not None:
        return _number("layer", contents.arrays["layer"].reshape(-1)[0])
    return layer


def _number(name: str, text: Any) -> int:
    try:
        return int(str(text))
    except ValueError:
        raise InvalidArgument(name, text, "a whole number in the dump") from None


def _telling(seen: ComparedPart) -> Found:
    """The record of a part; where every angle is 0 nothing was turned, and agreement says nothing."""
    if seen.found.result == "holds" and not seen.part.turned_at_all():
        told = "not checked: position 0 alone occurs, where nothing turns"
        return Found(name=seen.found.name, result="unsupported", detail=told)
    return seen.found


def _missing(found: Sequence[DumpedPart]) -> Iterator[Found]:
    for letter, name in (("q", "queries"), ("k", "keys")):
        if name not in {part.name for part in found}:
            told = f"not checked: no {letter}_before and {letter}_after in the file"
            yield Found(name=f"rotation.{name}", result="unsupported", detail=told)


def _held(seen: Sequence[ComparedPart], context: int) -> Iterator[Found]:
    """What the file has, and so what was not checked: positions, types, calls, planes, vectors."""
    places = np.unique(np.concatenate([_places(one.part) for one in seen]))
    runs = f"{places[0]} to {places[-1]}" if len(places) else "none"
    told = f"{len(places)} of {context} positions occur ({runs}); others were not checked"
    yield Found(name="held.positions", result="unsupported", detail=told)
    dtypes = ", ".join(dict.fromkeys(one.part.dtype for one in seen))
    told = f"vectors in {dtypes}; other types were not checked"
    yield Found(name="held.types", result="unsupported", detail=told)
    shapes = "; ".join(
        "{} rows, {} heads, {} tokens of the {}".format(*_sizes(one.part), one.part.name)
        for one in seen
    )
    told = f"{shapes}; calls of other sizes were not checked"
    yield Found(name="held.calls", result="unsupported", detail=told)
    for one in seen:
        silent = _silent(one)
        if silent:
            told = f"planes {silent} of the {one.part.name} are not checked: their entries are 0"
            yield Found(name="held.planes", result="unsupported", detail=told)
        masked = int(np.count_nonzero(~one.part.compared))
        if masked:
            told = f"{masked} tokens of the {one.part.name} are padding and were not checked"
            yield Found(name="held.padding", result="unsupported", detail=told)


def _sizes(part: DumpedPart) -> tuple[int, int, int]:
    rows, heads, tokens, _ = part.before.shape
    return rows, heads, tokens


def _places(part: DumpedPart) -> Any:
    rows = (
        part.positions
        if part.positions.ndim == 2
        else part.positions.reshape(len(part.positions), -1)
    )
    return np.unique(rows[rows >= 0])


def _silent(seen: ComparedPart) -> str:
    """The rotated planes whose entries are 0, or next to nothing, in every vector."""
    x = np.abs(np.nan_to_num(seen.part.before)).max((0, 1, 2))
    sizes = [max(x[re], x[im]) for re, im in seen.spec.plane_coordinates()]
    off = [l for l, s in enumerate(sizes[: seen.spec.rotary_planes]) if s <= _ZERO * max(sizes)]
    return ", ".join(map(str, off[:6])) + (", ..." if len(off) > 6 else "")
