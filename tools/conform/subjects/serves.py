"""Which calls an implementation takes at all: types, sizes and positions of the tests to come.

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
"""The names of the records: of several rows, several heads, and three of the grid of positions."""

Places = NDArray[np.int64]


def first_call(trial: Trial, dtypes: Sequence[str]) -> str:
    """Find the first type that the implementation accepts, with as many rows and heads as it does.

    The trial's subject is set to these (`Subject.single`).
    Where every call is refused it is the first of `dtypes`, and the refusal is the failure of `contract.*`.
    """
    whole = trial.subject
    places = np.arange(2, dtype=np.int64)
    for dtype in dtypes:
        for single in ("", "b", "h", "bh"):
            if not set(single) <= set(whole.axes):
                continue
            subject = replace(whole, single=single)
            x = signs((*subject.sizes(2, 2), 2, trial.spec.head_dim), seed=2)
            try:
                out, _ = subject.canonical(subject.invoke(subject.native(x, dtype), places))
            except REFUSED:
                continue
            if out.shape == x.shape:
                trial.subject = subject
                return dtype
    return dtypes[0]


def parts(trial: Trial) -> tuple[Places, ...]:
    """The grid of positions, divided into calls that the implementation takes."""
    if trial.contiguous or trial.runs:
        return runs(trial.context)
    places = grid(trial.context)
    most = trial.most or len(places)
    return tuple(places[start : start + most] for start in range(0, len(places), most))


def narrowed(trial: Trial, dtype: str) -> bool:
    """Find smaller calls in which the implementation accepts the grid, and set the trial to them.

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
            if not trial.contiguous and not _taken(trial, subject, (places[:3:2],), dtype, heads):
                if _taken(trial, subject, runs(trial.context), dtype, heads):
                    trial.runs = True
                    return True
            elif _taken(trial, subject, (places[-1:], places[-2:]), dtype, heads):
                for most in (n for n in (64, 32, 16, 8, 4, 2, 1) if n < len(places)):
                    trial.most = most
                    if _taken(trial, subject, parts(trial), dtype, heads):
                        return True
                trial.most = None
            if _fewer_positions(trial, places, dtype, heads):
                return True
    trial.subject, trial.heads = whole, 1
    return False


def _with_rows(subject: Subject) -> str:
    """The axes on which a call has only one index, with the axis of rows added."""
    return "".join(sorted(set(subject.single) | ({"b"} & set(subject.axes))))


def _fewer_positions(trial: Trial, places: Places, dtype: str, heads: int) -> bool:
    """Restrict the trial to the longest context whose grid is accepted; return whether one is."""
    least, most, context = 0, len(places), trial.context
    while most - least > 1:
        middle = (least + most) // 2
        trial.context = int(places[middle - 1]) + 1
        if _taken(trial, trial.subject, parts(trial), dtype, heads):
            least = middle
        else:
            most = middle
    trial.context = context if least < 2 else int(places[least - 1]) + 1
    return least >= 2


def _taken(
    trial: Trial, subject: Subject, places: Sequence[Places], dtype: str, heads: int
) -> bool:
    for positions in places:
        try:
            subject.apply(basis(trial.spec.head_dim, len(positions), heads), positions, dtype)
        except REFUSED:
            return False
    return True


def served(trial: Trial, context: int, dtype: str) -> Iterator[Found]:
    """Yield the records `serves.*` of what was refused; `context` is the one that was asked for."""
    d = trial.spec.head_dim
    for axis, name, told in (("b", "serves.batch", "row"), ("h", "serves.heads", "head")):
        if axis not in trial.subject.axes:
            continue
        if trial.subject.several(axis):
            yield Found(name=name, result="holds", cases=1)
            continue
        x = signs((2, 1, 2, d) if axis == "b" else (1, 2, 2, d), seed=2)
        yield _why(trial, name, x, np.arange(2), dtype, f"one {told} of vectors in a call alone")
    if trial.contiguous:
        return
    places, rows = grid(context), 1
    if trial.runs:
        x = signs((rows, trial.heads, 2, d), seed=2)
        told = "runs of consecutive positions alone"
        yield _why(trial, "serves.positions", x, places[:3:2], dtype, told)
    if trial.most is not None:
        x = signs((rows, trial.heads, len(places), d), seed=2)
        told = f"calls of {len(places)} vectors refused, of {trial.most} taken"
        yield _why(trial, "serves.length", x, places, dtype, told)
    if trial.context < context:
        few = places[places <= places[np.searchsorted(places, trial.context)]]
        x = signs((rows, trial.heads, len(few), d), seed=2)
        told = f"positions up to {trial.context - 1} alone, of a context of {context}"
        yield _why(trial, "serves.context", x, few, dtype, told)


def _why(
    trial: Trial, name: str, x: NDArray[np.float64], positions: Places, dtype: str, told: str
) -> Found:
    """The record of a refused call, with the words of the refusal."""
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
