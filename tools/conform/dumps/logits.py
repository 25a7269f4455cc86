"""Logits in a dump: compared with the configuration's scales and norms, whatever engine made them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.conform.dumps.contents import Contents
from ropeproof.tools.conform.dumps.part import NAMES, DumpedPart, parts
from ropeproof.tools.conform.logits.calls import LogitCall, Norm
from ropeproof.tools.conform.logits.check import compared
from ropeproof.tools.conform.logits.fit import explained
from ropeproof.tools.conform.logits.rule import LogitRule
from ropeproof.tools.conform.record import Found

__all__ = ["logits_alone", "logits_of", "with_results"]

_HIDDEN = -1e4
_EPSILON = 1e-6
_MOST = 256
"""Queries and keys that are compared, the first ones and the last."""


def logits_alone(contents: Contents) -> bool:
    """Whether a dump has logits and vectors before rotation, and none after it."""
    after = [p.format(letter) for p in NAMES["after"] for letter in "qk"]
    return "logits" in contents.arrays and not any(name in contents.arrays for name in after)


def with_results(contents: Contents) -> Contents:
    """The dump with its vectors before rotation also as results, which nothing is said of."""
    arrays, stored = dict(contents.arrays), dict(contents.stored)
    for letter in "qk":
        before = next(
            (p.format(letter) for p in NAMES["before"] if p.format(letter) in arrays), None
        )
        if before is None:
            raise InvalidArgument("dump", sorted(contents.arrays), f"{letter}_before beside logits")
        if not any(p.format(letter) in arrays for p in NAMES["after"]):
            arrays[f"{letter}_after"] = arrays[before]
            stored[f"{letter}_after"] = stored[before]
    return replace(contents, arrays=arrays, stored=stored)


def logits_of(
    contents: Contents, rule: LogitRule, *, axes: str | None, dtype: str | None, explain: bool
) -> Found:
    """The record `logits.dump` of the logits in a dump, with their cause if they are wrong.

    `logits` are `(batch, heads, queries, keys)`, or without the first axes. Norms of queries and keys are
    RMS norms with the weights `q_norm_weight` and `k_norm_weight`, if the dump has them. Raises
    `InvalidArgument` for shapes that do not fit.
    """
    by_name = {p.name: p for p in parts(with_results(contents), rule.spec, axes=axes, dtype=dtype)}
    q, k = by_name["queries"], by_name["keys"]
    values = np.asarray(contents.arrays["logits"], dtype=np.float64)
    shape = (q.before.shape[0], q.before.shape[1], q.before.shape[2], k.before.shape[2])
    if values.ndim > 4 or (1,) * (4 - values.ndim) + values.shape != shape:
        raise InvalidArgument("logits", values.shape, f"{shape}: batch, heads, queries, keys")
    if q.before.shape[1] % k.before.shape[1] or q.before.shape[3] != k.before.shape[3]:
        told = f"{q.before.shape[1]} and {k.before.shape[1]} heads"
        raise InvalidArgument(
            "dump", told, "heads of the queries that are a multiple of those of keys"
        )
    name = "logits.dump"
    if rule.spec.axes is not None or q.turned is not None or k.turned is not None:
        told = "not checked: positions of several coordinates, or keys that were turned before"
        return Found(name=name, result="unsupported", detail=told)
    call = _call(name, values.reshape(shape), q, k, _norms(contents, rule.spec.head_dim))
    found = compared(call, rule)
    if found.result == "fails" and explain:
        found = replace(found, cause=explained([call], [call], rule))
    left = [n for n, part in (("queries", q), ("keys", k)) if part.before.shape[2] > 2 * _MOST]
    if left:
        told = f"of the {' and '.join(left)} the first and the last {_MOST} were compared"
        found = replace(found, detail="; ".join(t for t in (found.detail, told) if t))
    return found


def _norms(contents: Contents, width: int) -> tuple[Norm, Norm] | None:
    weights = [contents.arrays.get(f"{letter}_norm_weight") for letter in "qk"]
    if any(w is None for w in weights):
        return None
    epsilon = float(contents.texts.get("norm_eps", _EPSILON))
    made: list[Norm] = []
    for letter, weight in zip("qk", weights, strict=True):
        assert weight is not None
        if weight.shape != (width,):
            raise InvalidArgument(f"{letter}_norm_weight", weight.shape, f"({width},)")
        made.append(_rms(weight.astype(np.float64), epsilon))
    return made[0], made[1]


def _rms(weight: NDArray[np.float64], epsilon: float) -> Norm:
    return lambda x: weight * x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon)


def _some(length: int) -> Any:
    """The first and the last tokens of a side."""
    if length <= 2 * _MOST:
        return np.arange(length)
    return np.concatenate((np.arange(_MOST), np.arange(length - _MOST, length)))


def _call(
    name: str,
    values: NDArray[np.float64],
    q: DumpedPart,
    k: DumpedPart,
    norms: tuple[Norm, Norm] | None,
) -> LogitCall:
    """Some of the queries and keys as a call, of which padding and masked logits do not count."""
    rows, columns = _some(q.before.shape[2]), _some(k.before.shape[2])
    counted = q.compared[:, np.newaxis, rows, np.newaxis]
    counted = counted & k.compared[:, np.newaxis, np.newaxis, columns]
    own = values[:, :, rows][..., columns]
    return LogitCall(
        name,
        np.nan_to_num(q.before[:, :, rows]),
        np.nan_to_num(k.before[:, :, columns]),
        np.maximum(q.positions[:, rows], 0),
        np.maximum(k.positions[:, columns], 0),
        own,
        np.broadcast_to(counted, own.shape) & ~(own <= _HIDDEN),
        q.dtype,
        norms,
    )
