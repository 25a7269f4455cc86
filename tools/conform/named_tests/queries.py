"""Queries of a call with more keys than queries, as behind a cache: they are the last of the sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.expected.exact import certified_tables
from ropeproof.tools.conform.expected.grid import grid
from ropeproof.tools.conform.named_tests.trials import (
    REFUSED,
    Trial,
    compare,
    in_rows,
    refused,
    signs,
)
from ropeproof.tools.conform.record import Cause, Found, worst

__all__ = ["QUERIES", "fewer_queries", "grouped", "uneven"]

QUERIES = ("queries-start", "queries-heads", "keys-heads")
"""The ids of the causes that these tests find by themselves."""

_KEYS = 24
_QUERIES = (5, 1)


def fewer_queries(trial: Trial, dtype: str) -> Found:
    """`queries.fewer`: five queries, and one, at the end of 24 keys, whose positions are given.

    Where such queries are refused, that is no wrong number. The cause of queries that begin at the first
    position of the keys, or at 0, is told.
    """
    name = "queries.fewer"
    keys = np.arange(min(_KEYS, trial.context), dtype=np.int64)
    begin = 3 if trial.context > 4 * _KEYS else 0
    return worst([_of(trial, name, dtype, keys + begin, min(n, len(keys))) for n in _QUERIES])


def _of(trial: Trial, name: str, dtype: str, positions: np.ndarray, count: int) -> Found:
    subject, width = trial.subject, trial.spec.head_dim
    rows, heads = subject.sizes(2, 3)
    q = signs((rows, heads, count, width), seed=31)
    k = signs((rows, heads, len(positions), width), seed=32)
    try:
        made, _ = subject.both(subject.native(q, dtype), subject.native(k, dtype), positions)
        out, _ = subject.canonical(made)
    except REFUSED as error:
        return refused(name, error)
    if out.shape != q.shape:
        return refused(name, Unsupported(f"shape {out.shape}, expected {q.shape}"))
    places = subject.lifted(positions)
    spec = trial.expected(positions)

    def at(those: np.ndarray) -> Found:
        tables = certified_tables(spec, in_rows(trial.spec, those))
        return compare(name, q, those, out, spec, tables, dtype, angles=trial.angles)

    found = at(places[-count:])
    if found.result != "fails":
        return found
    for those, start in ((places[:count], "the first position of the keys"), (None, "position 0")):
        own = subject.lifted(np.arange(count, dtype=np.int64)) if those is None else those
        if at(own).result == "holds":
            text = f"queries fewer than keys begin at {start}, not behind the cache"
            return replace(found, cause=Cause(id=QUERIES[0], text=text, residual=0.0))
    return replace(found, detail=f"{count} queries at the end of {len(positions)} keys")


def grouped(trial: Trial, dtype: str) -> Iterator[Found]:
    """`queries.grouped` and `keys.one`: six heads of queries beside two of keys, and beside one.

    The queries of the first call are compared, and the keys of the second. Where only some heads are
    wrong, or a single key head, and other calls are right, that is the cause.
    """
    for name, keys in (("queries.grouped", 2), ("keys.one", 1)):
        yield _grouped(trial, name, dtype, keys)


_GROUPED = 6


def _grouped(trial: Trial, name: str, dtype: str, keys: int) -> Found:
    subject, positions = trial.subject, grid(trial.context)[:24]
    if not subject.several("h"):
        told = "one head of vectors in a call alone"
        return Found(name=name, result="unsupported", detail=told)
    rows, _ = subject.sizes(3, 2)
    d = trial.spec.head_dim
    q = signs((rows, _GROUPED, len(positions), d), seed=41)
    k = signs((rows, keys, len(positions), d), seed=42)
    try:
        made = subject.both(subject.native(q, dtype), subject.native(k, dtype), positions)
        out, _ = subject.canonical(made[0 if keys > 1 else 1])
    except REFUSED as error:
        return refused(name, error)
    x = q if keys > 1 else k
    if out.shape != x.shape:
        return refused(name, Unsupported(f"shape {out.shape}, expected {x.shape}"))
    places = subject.lifted(positions)
    spec = trial.expected(positions)
    tables = certified_tables(spec, in_rows(trial.spec, places))

    def of(heads: slice) -> Found:
        before, after = x[:, heads], out[:, heads]
        return compare(name, before, places, after, spec, tables, dtype, angles=trial.angles)

    found = of(slice(None))
    if found.result != "fails":
        return found
    off = [h for h in range(x.shape[1]) if of(slice(h, h + 1)).result == "fails"]
    still = bool((np.abs(out - x)[:, off] <= 1e-6).all())
    how = "not rotated" if still else "turned wrongly"
    if keys == 1:
        text = f"keys of one head beside queries of {_GROUPED} are {how}"
        return replace(found, cause=Cause(id=QUERIES[2], text=text, residual=0.0))
    few = ", ".join(map(str, off))
    few = f"from {off[0]} on" if off == list(range(off[0], _GROUPED)) and off[0] else few
    text = (
        f"queries in heads {few} are {how}, where {_GROUPED} heads of queries have {keys} of keys"
    )
    text = text if len(off) < _GROUPED else f"queries of more heads than the keys are {how}"
    return replace(found, cause=Cause(id=QUERIES[1], text=text, residual=0.0))


def uneven(trial: Trial, name: str, dtype: str, heads: int, late: int) -> Found:
    """Test the keys where queries have `heads` heads and keys two, at the keys' positions.

    The queries are without the first `late` positions.
    """
    subject, positions = trial.subject, grid(trial.context)[:24]
    if not subject.several("h"):
        told = "one head of vectors in a call alone"
        return Found(name=name, result="unsupported", detail=told)
    rows, _ = subject.sizes(3, 2)
    d = trial.spec.head_dim
    q = signs((rows, heads, len(positions) - late, d), seed=11)
    x = signs((rows, 2, len(positions), d), seed=12)
    try:
        _, out = subject.both(subject.native(q, dtype), subject.native(x, dtype), positions)
        found, _ = subject.canonical(out)
    except REFUSED as error:
        return refused(name, error)
    if found.shape != x.shape:
        return refused(name, Unsupported(f"shape {found.shape}, expected {x.shape}"))
    return trial.judge(name, x, positions, found, dtype, beside=heads)
