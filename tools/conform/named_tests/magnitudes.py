"""Tests with vectors of every size: a rotation is linear, so it does the same to all sizes.

All other tests have entries of size 1. An implementation that clips large entries, sets small ones to 0,
rounds what it is given to eight bits or leaves long vectors alone passes those.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.tools.conform.diagnosis.thresholds import sized_cause
from ropeproof.tools.conform.expected.budget import largest, smallest_normal, underflow, unit
from ropeproof.tools.conform.expected.exact import certified_tables
from ropeproof.tools.conform.named_tests.trials import (
    REFUSED,
    Trial,
    compare,
    in_rows,
    refused,
    signs,
    turned,
)
from ropeproof.tools.conform.record import Found, worst

__all__ = ["MAGNITUDES", "entries", "magnitudes", "magnitudes_of_keys"]

Floats = NDArray[np.float64]

MAGNITUDES = (
    *(f"magnitudes.{n}" for n in ("large", "small", "subnormal", "mixed")),
    *(f"magnitudes.{n}" for n in ("edge", "not-finite", "linear")),
)
"""The names of the tests `magnitudes.*`, in their order."""

_PLACES = 24
_ORDERS = 10
"""Powers of two to either side of 1 in one vector: six orders of magnitude."""
_FRACTION = {"bfloat16": 7, "float16": 10}
"""Bits behind the point that a type holds; float64 has those of float32, as which it may be turned."""


def magnitudes(trial: Trial, dtypes: Sequence[str]) -> Iterator[Found]:
    """The tests `magnitudes.*`, in all types in which vectors of size 1 are rotated correctly.

    A call with vectors of one entry, of size 1, comes first: where that is wrong it is not the size of
    entries that matters, and the type is left out. Each record is that of all types (`record.worst`).
    Those that fail have the cause that `thresholds.sized_cause` finds. No records for an
    implementation that gives tables, which the kit itself applies.
    """
    if trial.subject.form == "tables":
        return
    sound = [dtype for dtype in dtypes if dtype in trial.exact and _ordinary(trial, dtype)]
    if not sound:
        return
    found = [worst([_one(trial, name, dtype) for dtype in sound]) for name in MAGNITUDES]
    yield from _with_cause(trial, found, sound)


def magnitudes_of_keys(trial: Trial, dtype: str) -> Iterator[Found]:
    """`keys.magnitudes`: the tests `magnitudes.*` of the keys of a pair, in one type, as one test.

    `trial` must look at the keys already.
    """
    if dtype not in trial.exact or not _ordinary(trial, dtype):
        return
    found = worst([_one(trial, name, dtype) for name in MAGNITUDES])
    yield from _with_cause(trial, [replace(found, name="keys.magnitudes")], [dtype])


def _with_cause(trial: Trial, found: list[Found], dtypes: Sequence[str]) -> Iterator[Found]:
    """Yield the records, those that fail with their cause, which is kept with the trial as well."""
    wrong = [f for f in found if f.result == "fails"]
    cause = None
    if wrong and trial.explain:
        named = [d for d in dtypes if any(f.detail.startswith(f"{d},") for f in wrong)]
        cause = sized_cause(trial, named[0], max(f.residual or 0.0 for f in wrong))
        if cause is not None and trial.sized is None:
            trial.sized = cause
    for each in found:
        yield replace(each, cause=cause) if each.result == "fails" else each


def entries(shape: tuple[int, ...], dtype: str, *, seed: int) -> Floats:
    """Numbers of random sign and size from 1 to 2 with as many bits as the type holds."""
    bits = _FRACTION.get(dtype, 23)
    draws = np.random.default_rng(seed).integers(0, 2**bits, size=shape)
    return signs(shape, seed=seed + 1) * (1 + draws / 2.0**bits)


def _places(trial: Trial) -> NDArray[np.int64]:
    return np.arange(min(_PLACES, trial.context), dtype=np.int64)


def _shape(trial: Trial) -> tuple[int, ...]:
    return (*trial.subject.sizes(2, 2), len(_places(trial)), trial.spec.head_dim)


def _ordinary(trial: Trial, dtype: str) -> bool:
    """Whether vectors with one entry of size 1 are rotated correctly, in a call as in the tests."""
    x = np.zeros(_shape(trial))
    rows = x.reshape(-1, x.shape[-1])
    rows[np.arange(len(rows)), np.arange(len(rows)) % x.shape[-1]] = 1.0
    try:
        out = _run(trial, x, dtype)
    except REFUSED:
        return False
    return _judged(trial, "", x, out, dtype).result == "holds"


def _run(trial: Trial, x: Floats, dtype: str) -> Floats:
    """The results of the implementation, without warnings of overflow and underflow."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return trial.run(x, _places(trial), dtype)


def _judged(
    trial: Trial, name: str, x: Floats, out: Floats, dtype: str, *, gradual: bool = False
) -> Found:
    """The comparison, each vector per unit of its largest entry: by powers of two, which round nothing."""
    spec = trial.expected(_places(trial))
    positions = trial.subject.lifted(_places(trial))
    tables = certified_tables(spec, in_rows(spec, positions))
    size = _power(np.abs(x).max(-1, keepdims=True))
    with np.errstate(all="ignore"):
        x, out = x / size, out / size
        floor = underflow(spec, dtype, gradual=gradual) / size
        return compare(
            name, x, positions, out, spec, tables, dtype, angles=trial.angles, floor=floor
        )


def _power(sizes: Floats) -> Floats:
    """The largest powers of two that are no larger than the sizes; 1 for 0."""
    _, exponents = np.frexp(np.where(sizes > 0, sizes, 1.0))
    found: Floats = np.ldexp(1.0, exponents - 1)
    return found


def _spread(trial: Trial, low: float, high: float, *, seed: int) -> NDArray[np.int64]:
    """Exponents of two for all vectors, `low` to `high`, shuffled; `(batch, heads, length, 1)`."""
    shape = _shape(trial)[:-1]
    count = int(np.prod(shape))
    found = np.rint(np.linspace(low, high, count)).astype(np.int64)
    return np.random.default_rng(seed).permutation(found).reshape(*shape, 1)


def _one(trial: Trial, name: str, dtype: str) -> Found:
    """The record of one of the tests in one type; if it fails, its detail begins with the type."""
    kind = name.removeprefix("magnitudes.")
    if kind == "linear":
        found = _linear(trial, name, dtype)
    else:
        ways = {"subnormal": _subnormal, "edge": _edge, "not-finite": _beside}
        found = ways.get(kind, _of_sizes)(trial, name, dtype)
    if found.result == "fails":
        return replace(found, detail=", ".join(filter(None, (dtype, found.detail))))
    return found


def _of_sizes(trial: Trial, name: str, dtype: str) -> Found:
    """Test vectors of one size each, from 1 to the largest or the smallest, or of mixed entries."""
    kind, shape = name.removeprefix("magnitudes."), _shape(trial)
    top = int(np.floor(np.log2(largest(trial.spec, dtype)))) - 1
    bottom = int(np.log2(smallest_normal(dtype)))
    x = entries(shape, dtype, seed=31)
    if kind == "mixed":
        draws = np.random.default_rng(33).integers(-_ORDERS, _ORDERS + 1, size=shape)
        x = np.ldexp(x, np.clip(draws, bottom, top))
    else:
        x = np.ldexp(x, _spread(trial, 0, top if kind == "large" else bottom, seed=36))
    try:
        out = _run(trial, x, dtype)
    except REFUSED as error:
        return refused(name, error)
    found = _judged(trial, name, x, out, dtype)
    told = f"entries of sizes {np.abs(x).min():.3g} to {np.abs(x).max():.3g}"
    return replace(found, detail=told) if found.result == "fails" else found


def _subnormal(trial: Trial, name: str, dtype: str) -> Found:
    """Test entries below the smallest normal number: right as far as the type has bits, or 0.

    A processor may set such numbers to 0, before a product or after it. Of float64 also those that
    float32 has no bits for.
    """
    shape = _shape(trial)
    least = {"float64": -1060, "float32": -149, "bfloat16": -133, "float16": -24}[dtype]
    most = int(np.log2(smallest_normal(dtype))) - 4
    x = np.ldexp(signs(shape, seed=34), _spread(trial, least, most, seed=35))
    try:
        out = _run(trial, x, dtype)
    except REFUSED as error:
        return refused(name, error)
    due = _due(trial, x)
    found = _judged(trial, name, x, np.where(out == 0, due, out), dtype, gradual=True)
    told = f"entries of sizes {np.abs(x).min():.3g} to {np.abs(x).max():.3g}"
    return replace(found, detail=told) if found.result == "fails" else found


def _due(trial: Trial, x: Floats) -> Floats:
    """The exact rotation of the vectors of a call."""
    own = trial.expected(_places(trial))
    positions = in_rows(own, trial.subject.lifted(_places(trial)))
    with np.errstate(all="ignore"):
        return turned(x, certified_tables(own, positions), own)


def _edge(trial: Trial, name: str, dtype: str) -> Found:
    """Test sizes at the end of a type's range: right, or infinite where a step overflows.

    Of float64 those that float32 does not hold. Where the exact result is beyond the range nothing is
    compared.
    """
    shape, spec = _shape(trial), trial.spec
    most = largest(spec, dtype, own=True) * 2 * np.sqrt(2) * max(attention_factor_float64(spec), 1)
    last = int(np.floor(np.log2(most)))
    first = 129 if dtype == "float64" else last
    x = np.ldexp(signs(shape, seed=37), _spread(trial, first, last, seed=38))
    alone = np.arange(x[..., 0].size).reshape(shape[:-1]) % 2 == 1
    kept = np.arange(x[..., 0].size).reshape(shape[:-1]) % shape[-1]
    x[alone[..., None] & (np.arange(shape[-1]) != kept[..., None])] = 0.0
    try:
        out = _run(trial, x, dtype)
    except REFUSED as error:
        return refused(name, error)
    due = _due(trial, x)
    with np.errstate(all="ignore"):
        excused = ~np.isfinite(out) | ~(np.abs(due) * (1 + 8 * unit(dtype)) < most)
    found = _judged(trial, name, x, np.where(excused, due, out), dtype)
    told = f"entries of sizes from {2.0**first:.3g} on"
    return replace(found, detail=told) if found.result == "fails" else found


def _beside(trial: Trial, name: str, dtype: str) -> Found:
    """Test vectors beside one with an infinite entry and one with NaN: they must not change.

    What becomes of those two vectors is not compared: a product of matrices spreads such an entry
    over its vector, and is a right rotation.
    """
    x = entries(_shape(trial), dtype, seed=39)
    rows = x.reshape(-1, x.shape[-1])
    rows[-1, -1], rows[0, 0] = np.inf, np.nan
    try:
        out = _run(trial, x, dtype)
    except REFUSED as error:
        return refused(name, error)
    finite = np.isfinite(x).all(-1, keepdims=True)
    found = _judged(trial, name, np.where(finite, x, 0.0), np.where(finite, out, 0.0), dtype)
    told = "vectors beside one with an entry that is no finite number"
    return replace(found, detail=told) if found.result == "fails" else found


def _linear(trial: Trial, name: str, dtype: str) -> Found:
    """Test `F(x + c y) = F(x) + c F(y)` for c over six orders of magnitude, for any rotation.

    x and y have no coordinate in common, so that every type holds their sum.
    """
    shape = _shape(trial)
    whole = entries(shape, dtype, seed=41)
    of_x = signs(shape, seed=43) > 0
    c = np.ldexp(1.0, _spread(trial, -_ORDERS, _ORDERS, seed=44))
    x, y = np.where(of_x, whole, 0.0), np.where(of_x, 0.0, whole)
    try:
        one, other, scaled, both = (_run(trial, v, dtype) for v in (x, y, c * y, x + c * y))
    except REFUSED as error:
        return refused(name, error)
    units = np.expm1(8 * np.log1p(max(unit(dtype), unit(trial.angles))))
    floor = underflow(trial.spec, dtype)
    sizes = [np.abs(v).max(-1, keepdims=True) for v in (one, other, scaled, both, x, y)]
    first, second, third, _, left, right = sizes
    with np.errstate(all="ignore"):
        checks = (
            (np.abs(scaled - c * other), c * np.maximum(second, right), "F(c y) is not c F(y)"),
            (
                np.abs(both - one - scaled),
                first + third + left + c * right,
                "F(x + c y) is not F(x) + c F(y)",
            ),
        )
        for off, size, told in checks:
            budget = np.broadcast_to(4 * units * size + (1 + c) * floor, off.shape)
            fails = ~(off <= budget)
            if fails.any():
                at = np.unravel_index(int(np.argmax(fails)), fails.shape)
                unit_there = float(_power(np.broadcast_to(size, fails.shape)[at]))
                sizes_wrong = np.broadcast_to(c, fails.shape)[fails]
                span = f"for c from {sizes_wrong.min():.3g} to {sizes_wrong.max():.3g}"
                return Found(
                    name=name,
                    result="fails",
                    residual=float(off[at]) / unit_there,
                    budget=float(budget[at]) / unit_there,
                    cases=int(x.size),
                    detail=f"{told} {span}",
                )
    return Found(name=name, result="holds", cases=2 * int(x.size))
