"""Tests with calls that look alike: tables cached for one must not be used for another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.expected.budget import unit
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, refused, signs
from ropeproof.tools.conform.record import Found, worst

__all__ = ["reused", "reused_of_keys", "reused_types"]

Places = NDArray[np.int64]


def _packed(*sizes: int, first: int = 0) -> Places:
    """Positions of sequences of these sizes, one after another; the first one starts at `first`."""
    parts = [np.arange(n) + (first if k == 0 else 0) for k, n in enumerate(sizes)]
    return np.concatenate(parts)


_ONE = _packed(3, 4, 8)
_ALIKE = (
    _ONE,
    _packed(4, 3, 8),  # the same first, last and largest position, the same sum
    _packed(7, 8),  # another sum
    _packed(8, 7),  # another last position
    _packed(4, 3, 8, first=4),  # another first position
    _ONE[::-1],  # the same sum and largest position alone
)


def reused(trial: Trial, dtype: str) -> Iterator[Found]:
    """`cache.*`: calls of one shape at other positions, rows of which one differs, a reused buffer."""
    most = trial.context - 1
    alike = [np.minimum(places, most) for places in _ALIKE]
    yield worst([trial.probe("cache.positions", places, dtype) for places in alike])
    one, last, other, _, late, _ = alike
    rows = [
        np.stack((first, middle, last))
        for first, middle in ((one, other), (one, late), (late, other))
    ]
    yield worst([trial.probe("cache.rows", places, dtype) for places in rows])
    yield _buffer(trial, dtype, np.minimum(np.arange(15), most), late)


def reused_of_keys(trial: Trial, dtype: str) -> Found:
    """`keys.cache`: the tests `cache.*` of the keys of a pair, which may have their own tables."""
    return worst([replace(found, name="keys.cache") for found in reused(trial, dtype)])


def reused_types(trial: Trial, dtypes: Sequence[str]) -> Iterator[Found]:
    """`cache.types`: the same positions in each type, the coarsest first; tables are not shared."""
    start = trial.context // 3
    places = np.arange(start, min(start + 7, trial.context))
    order = sorted(dtypes, key=unit, reverse=True)
    if len(order) > 1:
        yield worst([trial.probe("cache.types", places, dtype) for dtype in order])


def _buffer(trial: Trial, dtype: str, before: Places, after: Places) -> Found:
    """`cache.buffer`: positions in the array of an earlier call, whose contents have changed."""
    name, subject = "cache.buffer", trial.subject
    x = signs((*subject.sizes(2, 2), len(after), trial.spec.head_dim), seed=14)
    try:
        subject.invoke(subject.native(x, dtype), before)
        out, _ = subject.canonical(subject.rewritten(subject.native(x, dtype), after))
    except REFUSED as error:
        return refused(name, error)
    if out.shape != x.shape:
        return refused(name, Unsupported(f"shape {out.shape}, expected {x.shape}"))
    return trial.judge(name, x, after, out, dtype)
