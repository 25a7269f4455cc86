"""Tests with calls of many sizes: kernels change their path with the number of tokens and heads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.expected.exact import CosSinTables, fast_tables
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, compare, refused, signs
from ropeproof.tools.conform.record import Found, worst

__all__ = ["SIZES", "of_many_sizes"]

Floats = NDArray[np.float64]
Size = tuple[int, int, int]

SIZES = ("calls.sizes", "calls.many")
"""The records: of odd numbers of tokens, heads and rows, and of many tokens with many heads."""

_BEGIN = 5
"""The first position of every call: one that begins at 0 hides positions that are counted from its start."""
_TOKENS = (31, 33, 61, 63, 65, 127, 129, 131, 255, 257, 509, 511, 513, 1021, 1023, 1025, 2047, 2049)
_HEADS = (3, 5, 13, 15, 17, 31, 33, 63, 65, 127, 129)
_ROWS = (5, 17, 33)
_ODD: tuple[Size, ...] = (
    *((1, 3, n) for n in _TOKENS),
    *((1, n, 7) for n in _HEADS),
    *((n, 3, 7) for n in _ROWS),
)
_MANY: tuple[Size, ...] = ((1, 32, 331), (1, 8, 1297), (1, 5, 2053), (1, 41, 257), (4, 8, 331))
"""Rows, heads and tokens of calls with at least 10,240 vectors; the first also in half precision."""
_ALONE: tuple[Size, ...] = ((1, 1, 2053), (1, 1, 10259))
"""Instead of those, where one head is taken at a time."""
_EXPLAINED = 1 << 18
"""Entries of a call that are kept for the diagnosis."""


def of_many_sizes(trial: Trial, dtypes: Sequence[str]) -> Iterator[Found]:
    """`calls.sizes` and `calls.many`: primes, one more and one less than powers of two, many vectors.

    Of a failure it is told from which number of tokens on the calls are wrong, other sizes being the same.
    """
    first = dtypes[0]
    half = next((d for d in dtypes if d in ("bfloat16", "float16")), None)
    many = _MANY if trial.subject.several("h") else _ALONE
    more = [(many[0], half)] if half is not None and half != first else []
    plans = ([(s, first) for s in _ODD], [*((s, first) for s in many), *more])
    for name, sizes in zip(SIZES, plans, strict=True):
        if trial.most is not None or trial.runs is not None:
            told = "calls of so many vectors are refused"
            yield Found(name=name, result="unsupported", detail=told)
            continue
        fitting = dict.fromkeys(
            (_fitted(trial, size), dtype) for size, dtype in sizes if size[2] <= trial.context
        )
        found = []
        for size, dtype in fitting:
            found.append(_of_size(trial, name, size, dtype))
            if found[-1].result == "fails":
                found[-1] = _explained(trial, found[-1], size, dtype)
                break
        if found:
            yield worst(found)
        else:
            told = f"not checked: the context has {trial.context} positions"
            yield Found(name=name, result="unsupported", detail=told)


def _fitted(trial: Trial, size: Size) -> Size:
    rows, heads, tokens = size
    return (*trial.subject.sizes(rows, heads), tokens)


@dataclass(frozen=True)
class _Sized:
    """A call of one size: its vectors, its positions and tables, and what all vectors are made of.

    `x`, `(rows, heads, tokens, head_dim)`, is one vector of signs for each token, `own`, times a sign for
    each row, head and token, `flips`: so that one exact rotation per token tells what is due everywhere.
    """

    x: NDArray[np.floating[Any]]
    positions: NDArray[np.int64]
    tables: CosSinTables
    own: Floats
    flips: NDArray[np.floating[Any]]


def _call(trial: Trial, size: Size) -> _Sized:
    rows, heads, tokens = size
    own = signs((1, 1, tokens, trial.spec.head_dim), seed=21)
    flips = signs((rows, heads, tokens, 1), seed=22).astype(np.float32)
    begin = min(_BEGIN, trial.context - tokens)
    positions = begin + np.arange(tokens, dtype=np.int64)
    tables = fast_tables(trial.expected(positions), trial.subject.lifted(positions)[np.newaxis])
    return _Sized(flips * own.astype(np.float32), positions, tables, own, flips)


def _of_size(trial: Trial, name: str, size: Size, dtype: str) -> Found:
    """The record of a call; what is said of it where it fails is that of a comparison of all vectors."""
    call = _call(trial, size)
    try:
        out = trial.run(call.x, call.positions, dtype)
    except REFUSED as error:
        return refused(name, error)
    places, spec = trial.subject.lifted(call.positions), trial.expected(call.positions)
    # Of one token all vectors are one, times a sign: the farthest on either side are compared for all.
    most, least = np.full((2, *out.shape[2:]), [[[-np.inf]], [[np.inf]]])
    for at in np.ndindex(out.shape[:2]):
        signed = out[at] * call.flips[at]
        np.maximum(most, signed, out=most)
        np.minimum(least, signed, out=least)
    sides = (most[np.newaxis, np.newaxis], least[np.newaxis, np.newaxis])
    found = [
        compare(name, call.own, places, side, spec, call.tables, dtype, angles=trial.angles)
        for side in sides
    ]
    if any(f.result == "fails" for f in found):
        x = call.x.astype(np.float64)
        return compare(name, x, places, out, spec, call.tables, dtype, angles=trial.angles)
    return replace(worst(found), cases=int(out.size))


def _explained(trial: Trial, found: Found, size: Size, dtype: str) -> Found:
    """The record with the number of tokens from which on it fails, and the call kept for the diagnosis."""
    rows, heads, tokens = size
    least, most = 1, tokens
    if _of_size(trial, found.name, (rows, heads, least), dtype).result == "holds":
        while most - least > 1:
            middle = (least + most) // 2
            if _of_size(trial, found.name, (rows, heads, middle), dtype).result == "fails":
                most = middle
            else:
                least = middle
        told = f"wrong with {most} tokens and right with {least}"
    else:
        told = f"wrong with {tokens} tokens and with 1"
    told = f"{told}, of {heads} heads" + (f" and {rows} rows" if rows > 1 else "")
    told += f" ({rows * heads * most:,} vectors)"
    if trial.explain:
        _keep(trial, found.name, size, dtype)
    return replace(found, detail="; ".join(t for t in (told, found.detail) if t))


def _keep(trial: Trial, name: str, size: Size, dtype: str) -> None:
    """Keep the call for the diagnosis: few heads of it if these are all wrong, else its first tokens."""
    call = _call(trial, size)
    x, positions, tables = call.x.astype(np.float64), call.positions, call.tables
    try:
        out = trial.run(x, positions, dtype)
    except REFUSED:
        return
    _, heads, tokens = size
    few = max(2, min(heads, _EXPLAINED // (x.size // heads)))
    wrong = [
        _off(trial, name, x, positions, out, tables, dtype, slice(h, h + 1))
        for h in (0, -1 % heads)
    ]
    if few >= heads or all(wrong):
        trial.judge(name, x[:, :few], positions, out[:, :few], dtype)
        return
    some = max(8, _EXPLAINED // (x.size // tokens))
    x, out = x[:, :, :some], out[:, :, :some]
    cut = CosSinTables(tables.cosines[:, :some], tables.sines[:, :some], tables.error)
    if _off(trial, name, x, positions[:some], out, cut, dtype, slice(None)):
        trial.judge(name, x, positions[:some], out, dtype, of=positions)


def _off(
    trial: Trial,
    name: str,
    x: Floats,
    positions: NDArray[np.int64],
    out: Floats,
    tables: CosSinTables,
    dtype: str,
    heads: slice,
) -> bool:
    """Whether some of the heads are turned wrongly."""
    places, spec = trial.subject.lifted(positions), trial.expected(positions)
    own, made = x[:, heads], out[:, heads]
    found = compare(name, own, places, made, spec, tables, dtype, angles=trial.angles)
    return found.result == "fails"
