"""Tests of what must hold before an implementation can be compared with anything.

It returns, with the shape and the type it was given; it leaves its input alone; twice the same call
gives the same; and it is linear, without which a basis decides nothing (`conform.basis`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.arrays import read
from ropeproof.tools.conform.expected.budget import unit
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, refused, signs
from ropeproof.tools.conform.record import Found
from ropeproof.tools.conform.subjects.subject import SubjectRaised

__all__ = ["contract", "types"]

_LENGTH = 4


def contract(trial: Trial, dtype: str = "float32") -> Iterator[Found]:
    """The tests `contract.*`, on a short sequence.

    None follow once the call fails, or returns another shape or numbers that are not finite.
    """
    subject, spec = trial.subject, trial.spec
    x = signs((*subject.sizes(2, 2), _LENGTH, spec.head_dim), seed=2)
    places = np.arange(_LENGTH, dtype=np.int64)
    native = subject.native(x, dtype)
    before, _ = read(native)
    try:
        raw = subject.invoke(native, places)
    except SubjectRaised as error:
        yield Found(name="contract.returns", result="fails", detail=f"raises {error}")
        return
    except Unsupported as error:
        yield Found(name="contract.returns", result="fails", detail=str(error))
        return
    yield Found(name="contract.returns", result="holds", cases=1)
    try:
        first, made = subject.canonical(raw)
    except Unsupported as error:
        yield Found(name="contract.shape", result="fails", detail=f"returns {error}")
        return
    if first.shape != x.shape or unit(made) > unit(dtype):
        told = f"returns {first.shape} of {made} for {x.shape} of {dtype}"
        yield Found(name="contract.shape", result="fails", detail=told)
        if first.shape != x.shape:
            return
    else:
        told = "" if made == dtype else f"returns {made} for {dtype}"
        yield Found(name="contract.shape", result="holds", cases=1, detail=told)
    if not np.isfinite(first).all():
        place = int(np.argwhere(~np.isfinite(first))[:, 2].min())
        told = "gives values that are not finite numbers"
        yield Found(name="contract.finite", result="fails", position=place, detail=told)
        return
    yield Found(name="contract.finite", result="holds", cases=int(first.size))
    if not subject.in_place and not np.array_equal(read(native)[0], before):
        yield Found(name="contract.input", result="fails", detail="changes its input in place")
    else:
        yield Found(name="contract.input", result="holds", cases=int(x.size))
    yield _again(trial, first, x, dtype)
    try:
        yield _linear(trial, first, x, dtype)
    except REFUSED as error:
        yield refused("contract.linear", error)
    if subject.form == "pair":
        yield _apart(trial, dtype)


def _again(trial: Trial, first: np.ndarray, x: np.ndarray, dtype: str) -> Found:
    """`contract.deterministic`: a second, equal call gives the same numbers as the first."""
    name = "contract.deterministic"
    try:
        again = trial.run(x, np.arange(_LENGTH, dtype=np.int64), dtype)
    except REFUSED as error:
        return refused(name, error)
    apart = float(np.abs(again - first).max())
    return Found(
        name=name,
        result="holds" if apart == 0 else "fails",
        residual=apart,
        budget=0.0,
        cases=int(x.size),
        detail="" if apart == 0 else "two equal calls give different numbers",
    )


def _apart(trial: Trial, dtype: str) -> Found:
    """`contract.pair`: the queries returned do not depend on the keys, nor keys on the queries."""
    name, subject, places = "contract.pair", trial.subject, np.arange(_LENGTH, dtype=np.int64)
    shape = (*subject.sizes(2, 2), _LENGTH, trial.spec.head_dim)
    q, k, other = (subject.native(signs(shape, seed=n), dtype) for n in (7, 8, 9))
    try:
        calls = [subject.both(q, k, places), subject.both(q, other, places)]
        calls.append(subject.both(other, k, places))
        found = [[read(v)[0] for v in pair] for pair in calls]
    except REFUSED as error:
        return refused(name, error)
    (one, key), (two, _), (_, same) = found
    for told, first, second in (
        ("the queries returned depend on the keys", one, two),
        ("the keys returned depend on the queries", key, same),
    ):
        if first.shape != second.shape or np.abs(first - second).max() > 0:
            return Found(name=name, result="fails", detail=told)
    return Found(name=name, result="holds", cases=3)


def types(trial: Trial, dtypes: Sequence[str]) -> Found:
    """`contract.type`: vectors come back in their own type; a finer one is a warning."""
    name, subject = "contract.type", trial.subject
    shape = (*subject.sizes(2, 2), _LENGTH, trial.spec.head_dim)
    finer, refusing = [], []
    for dtype in dtypes:
        try:
            native = subject.native(signs(shape, seed=2), dtype)
            _, made = subject.canonical(subject.invoke(native, np.arange(_LENGTH)))
        except REFUSED:
            refusing.append(dtype)
            continue
        if unit(made) < unit(dtype):
            finer.append(f"{made} for {dtype}")
    if finer:
        return Found(name=name, result="warns", detail=f"returns {', '.join(finer)}")
    told = f"{', '.join(refusing)} refused" if refusing else ""
    return Found(name=name, result="holds", cases=len(dtypes) - len(refusing), detail=told)


def _linear(trial: Trial, first: object, x: object, dtype: str) -> Found:
    """`contract.linear`: `F(x + 2y) = F(x) + 2F(y)`, up to what rounding may add."""
    assert isinstance(first, np.ndarray)
    assert isinstance(x, np.ndarray)
    places = np.arange(_LENGTH, dtype=np.int64)
    y = signs(x.shape, seed=3)
    both = trial.run(x + 2 * y, places, dtype)
    other = trial.run(y, places, dtype)
    error = float(np.abs(both - first - 2 * other).max())
    # Three results of three summands each; a wrong map may be any size.
    size = 4 * max(1.0, float(np.abs(both).max()), float(np.abs(other).max()))
    budget = size * math.expm1(8 * math.log1p(max(unit(dtype), unit(trial.angles))))
    return Found(
        name="contract.linear",
        result="holds" if error <= budget else "fails",
        residual=error,
        budget=budget,
        cases=int(x.size),
        detail="" if error <= budget else "F(x + 2y) is not F(x) + 2 F(y)",
    )
