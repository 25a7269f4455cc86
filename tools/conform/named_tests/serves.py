"""Which calls an implementation takes at all: the types, sizes and positions that it is then tried with.

A call that is refused is no wrong number. So where the call that most implementations take is refused,
a smaller one is looked for, and what was refused is a record of its own: `serves.*`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.expected.grid import grid, runs
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, basis, refused, signs
from ropeproof.tools.conform.record import Found
from ropeproof.tools.conform.subjects.subject import Subject

__all__ = ["SERVES", "first_call", "narrowed", "parts", "served"]

SERVES = ("serves.batch", "serves.heads", "serves.positions", "serves.length", "serves.context")
"""The records, in their order: of several rows, several heads, and three of the grid of positions."""

Places = NDArray[np.int64]

_WIDTHS = (8, 4, 2)
"""Lengths of runs of consecutive positions, the one that is tried first before smaller ones."""
_LENGTHS = (64, 32, 16, 8, 4, 2, 1)
"""Most vectors of one call, in the order in which they are tried."""
_PREFILL = 131072
"""Most positions of one call."""


def first_call(trial: Trial, dtypes: Sequence[str]) -> str:
    """The first type that is taken, of as many rows and heads at once as are taken: `Subject.single`.

    Where every call is refused it is the first of `dtypes`, and the refusal is the failure of `contract.*`.
    """
    whole = trial.subject
    places = np.arange(3, dtype=np.int64)  # as many as neither rows nor heads
    for dtype in dtypes:
        for single in ("", "b", "h", "bh"):
            if not set(single) <= set(whole.axes):
                continue
            subject = replace(whole, single=single)
            x = signs((*subject.sizes(2, 2), 3, trial.spec.head_dim), seed=2)
            try:
                out, _ = subject.canonical(subject.invoke(subject.native(x, dtype), places))
            except REFUSED:
                continue
            if out.shape == x.shape:
                trial.subject = subject
                return dtype
    return dtypes[0]


def parts(trial: Trial) -> tuple[Places, ...]:
    """The grid of positions in the calls that are taken."""
    if trial.contiguous or trial.runs is not None:
        return runs(trial.context, width=trial.runs or _WIDTHS[0])
    places = grid(trial.context)
    most = trial.most or len(places)
    return tuple(places[start : start + most] for start in range(0, len(places), most))


def narrowed(trial: Trial, dtype: str) -> bool:
    """Finds smaller calls whose grid of positions is taken, and leaves the trial with these alone.

    Tried in turn: rows one by one, two heads where one is refused, runs of consecutive positions, calls of
    fewer vectors, and the positions up to the first that is refused. Returns whether there are such calls.
    """
    whole = trial.subject
    for heads in (1, 2) if whole.several("h") else (1,):
        for subject in dict.fromkeys((whole, replace(whole, single=_with_rows(whole)))):
            if _taken(trial, subject, parts(trial), dtype, heads):
                trial.subject, trial.heads = subject, heads
                return True
    places = grid(trial.context)
    for heads in (1, 2) if whole.several("h") else (1,):
        for subject in dict.fromkeys((whole, replace(whole, single=_with_rows(whole)))):
            trial.subject, trial.heads = subject, heads
            if trial.contiguous or not _taken(trial, subject, (places[:3:2],), dtype, heads):
                for trial.runs in _WIDTHS:
                    if _taken(trial, subject, parts(trial), dtype, heads):
                        return True
                trial.runs = None
            elif _taken(trial, subject, (places[-1:],), dtype, heads):
                for trial.most in (n for n in _LENGTHS if n < len(places)):
                    if _taken(trial, subject, parts(trial), dtype, heads):
                        return True
                trial.most = None
            if _fewer_positions(trial, places, dtype, heads):
                return True
    trial.subject, trial.heads = whole, 1
    return False


def _with_rows(subject: Subject) -> str:
    """The axes of one index with the rows among them."""
    return "".join(sorted(set(subject.single) | ({"b"} & set(subject.axes))))


def _fewer_positions(trial: Trial, places: Places, dtype: str, heads: int) -> bool:
    """Leaves the trial with the calls that reach the largest position of the grid; False if none does.

    Calls of the whole grid are tried, and of fewer vectors, or runs where positions with a gap are
    refused; each with the largest of the contexts of the grid whose positions are then all taken.
    """
    ways: list[tuple[int | None, int | None]] = [(None, None)]
    if trial.contiguous or not _taken(trial, trial.subject, (places[:3:2],), dtype, heads):
        ways += [(n, None) for n in _WIDTHS]
    else:
        ways += [(None, n) for n in _LENGTHS if n < len(places)]
    found = [(_reached(trial, places, dtype, heads, way), way) for way in ways]
    index, (trial.runs, trial.most) = max(
        found, key=lambda each: each[0]
    )  # the first of equal ones
    if index < 2:
        trial.runs = trial.most = None
        return False
    trial.context = int(places[index - 1]) + 1
    return True


def _reached(
    trial: Trial, places: Places, dtype: str, heads: int, way: tuple[int | None, int | None]
) -> int:
    """How many of the places are taken in calls of one way: a length of runs, a number of vectors."""
    least, most, context = 0, len(places) + 1, trial.context
    trial.runs, trial.most = way
    while most - least > 1:
        middle = (least + most) // 2
        trial.context = int(places[middle - 1]) + 1
        if _taken(trial, trial.subject, parts(trial), dtype, heads):
            least = middle
        else:
            most = middle
    trial.context = context
    return least


def _taken(
    trial: Trial, subject: Subject, places: Sequence[Places], dtype: str, heads: int
) -> bool:
    for positions in places:
        try:
            subject.apply(basis(trial.spec.head_dim, len(positions), heads), positions, dtype)
        except REFUSED:
            return False
    return True


def served(trial: Trial, context: int, dtypes: Sequence[str], *, declared: bool) -> Iterator[Found]:
    """What is taken of the calls that others are made of, in the first of the types.

    `context` is the number of positions that was asked for. If it is `declared`, by the configuration
    and not by who calls, positions below it that are refused in every call that is tried are a failure
    of `serves.context`: it is no question of how the implementation is called that it cannot serve
    the sequences that its configuration promises.
    """
    d, dtype = trial.spec.head_dim, dtypes[0]
    for axis, name, told in (("b", "serves.batch", "row"), ("h", "serves.heads", "head")):
        if axis not in trial.subject.axes:
            continue
        if trial.subject.several(axis):
            yield Found(name=name, result="holds", cases=1)
            continue
        x = signs((2, 1, 2, d) if axis == "b" else (1, 2, 2, d), seed=2)
        yield _why(trial, name, x, np.arange(2), dtype, f"one {told} of vectors in a call alone")
    places, rows = grid(context), 1
    if trial.runs is not None and not trial.contiguous:
        x = signs((rows, trial.heads, 2, d), seed=2)
        told = f"runs of consecutive positions alone, of at most {trial.runs}"
        told = told if trial.runs < _WIDTHS[0] else "runs of consecutive positions alone"
        yield _why(trial, "serves.positions", x, places[:3:2], dtype, told)
    if trial.runs is not None and trial.contiguous:
        x = signs((rows, trial.heads, _WIDTHS[0], d), seed=2)
        told = f"runs of {_WIDTHS[0]} positions refused, of {trial.runs} taken"
        yield _why(trial, "serves.length", x, np.arange(_WIDTHS[0]), dtype, told)
    if trial.most is not None:
        x = signs((rows, trial.heads, len(places), d), seed=2)
        told = f"calls of {len(places)} vectors refused, of {trial.most} taken"
        yield _why(trial, "serves.length", x, places, dtype, told)
    if trial.context < context:
        missing = _refused_positions(trial, context, dtypes) if declared else None
        if missing is not None:
            yield missing
            return
        following = int(places[np.searchsorted(places, trial.context)])
        if trial.contiguous or trial.runs is not None:
            width = trial.runs or _WIDTHS[0]
            few = np.arange(max(following - width + 1, 0), following + 1, dtype=np.int64)
        else:
            few = places[places <= following][-(trial.most or len(places)) :]
        x = signs((rows, trial.heads, len(few), d), seed=2)
        told = f"positions up to {trial.context - 1} alone, of a context of {context}"
        yield _why(trial, "serves.context", x, few, dtype, told)


def _refused_positions(trial: Trial, context: int, dtypes: Sequence[str]) -> Found | None:
    """A failure for positions below `context` that are refused in every call tried; None if all are served.

    The calls are those of `_served_at`, and one of all positions from 0 on, since a prefill may be all
    that is taken: where one of them is taken, a position is refused in some calls only.
    """
    prefill = np.arange(min(context, _PREFILL), dtype=np.int64)
    if _any_taken(trial, prefill, dtypes[:1], ((1, 1),)):
        return None
    places = grid(context)
    behind = places[places >= trial.context]
    refusing = [int(p) for p in behind if not _served_at(trial, int(p), dtypes)]
    if not refusing:
        return None
    first, last_served = refusing[0], int(places[np.searchsorted(places, refusing[0]) - 1])
    while first - last_served > 1:
        middle = (first + last_served) // 2
        if _served_at(trial, middle, dtypes):
            last_served = middle
        else:
            first = middle
    alone = refusing == [int(p) for p in behind if p >= first]
    told = f"refuses positions from {first} on" if alone else f"refuses position {first}"
    x = signs((1, trial.heads, 1, trial.spec.head_dim), seed=2)
    found = _why(
        trial, "serves.context", x, np.array([first]), dtypes[0], f"{told}, context {context}"
    )
    return replace(found, result="fails", position=first)


def _served_at(trial: Trial, position: int, dtypes: Sequence[str]) -> bool:
    """Whether a position is taken: alone or as the last of a few, of one row or head or more, in any type."""
    sizes = ((1, 1), (1, 2), (2, 1), (2, 2), (trial.spec.head_dim, trial.heads))
    return any(
        _any_taken(trial, np.arange(max(position - count + 1, 0), position + 1), dtypes, sizes)
        for count in (1, 2, *_WIDTHS)
    )


def _any_taken(
    trial: Trial, positions: Places, dtypes: Sequence[str], sizes: Sequence[tuple[int, int]]
) -> bool:
    """Whether a call with these positions is taken, in one of the types and numbers of rows and heads."""
    whole = replace(trial.subject, single="")
    for dtype in dtypes:
        for rows, heads in sizes:
            if (rows, heads) != whole.sizes(rows, heads):
                continue
            x = signs((rows, heads, len(positions), trial.spec.head_dim), seed=2)
            try:
                whole.apply(x, positions, dtype)
            except REFUSED:
                continue
            return True
    return False


def _why(
    trial: Trial, name: str, x: NDArray[np.float64], positions: Places, dtype: str, told: str
) -> Found:
    """What is refused, with the words of the refusal."""
    single = trial.subject.single if name not in SERVES[:2] else ""
    subject = replace(trial.subject, single=single)
    said = "it depends on other calls"
    try:
        out, _ = subject.canonical(subject.invoke(subject.native(x, dtype), positions))
        if out.shape != x.shape:
            raise Unsupported(f"shape {out.shape}, expected {x.shape}")
    except REFUSED as error:
        said = refused(name, error).detail
    return Found(name=name, result="unsupported", detail=f"{told} ({said})")
