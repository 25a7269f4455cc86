"""Are the logits of attention those that the configuration says, scales and norms included?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.tools.conform.arrays import Kind, read, write
from ropeproof.tools.conform.expected.budget import unit
from ropeproof.tools.conform.logits.calls import LogitCall, Norm, products, tolerance, turned_pair
from ropeproof.tools.conform.logits.fit import explained
from ropeproof.tools.conform.logits.rule import LogitRule
from ropeproof.tools.conform.logits.subject import LogitSubject
from ropeproof.tools.conform.record import Found, Report

__all__ = ["check_logits", "compared"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_HIDDEN = -1e4
"""Logits at or below this are masked: no product of the vectors of a test comes near it."""


def check_logits(
    subject: Any,
    spec_or_config: Any,
    *,
    array: Kind = "torch",
    dtype: str = "float32",
    layer: int | None = None,
    context: int | None = None,
    norms: tuple[Norm, Norm] | None = None,
    order: str | None = None,
    explain: bool = True,
    name: str | None = None,
) -> Report:
    """The report on whether logits have the rotation, the scales and the norms of a configuration.

    `subject` is `(q, k, positions) -> logits`: queries and keys before norm and rotation,
    `(batch, heads, length, head_dim)`, positions `(length,)` or `(batch, length)`, and logits
    `(batch, heads, queries, keys)` before the softmax, masked ones at most -10,000; or it is a model of
    transformers, of which the attention of `layer` is taken, its projections replaced.

    - `array`, `dtype`: the arrays that a function takes, as for `check`, and the type of its vectors;
    - `context`: the number of positions that are tried; the spec's own length without it;
    - `norms`: the norms of queries and of keys that a function applies, as functions of float64 arrays;
    - `order`: `before` or `after` the rotation, where the configuration's family does not say it;
    - `explain`: search for the cause of a failure.

    Tests are named `logits.*`; what cannot be compared is `unsupported` and says so. A constant shift of all
    positions changes no logit without a scale by position, and is not seen. Raises `InvalidArgument` and
    `Unsupported` as `LogitRule.of`.
    """
    begun = time.perf_counter()
    unit(dtype)
    if order not in (None, "before", "after"):
        raise InvalidArgument("order", order, "before, after")
    rule = LogitRule.of(spec_or_config, layer=layer)
    if rule.spec.axes is not None:
        raise Unsupported("logits of positions with several coordinates: not checked")
    rule = replace(rule, order=order or rule.order)
    served = rule.spec.length or 4096 if context is None else context
    served = max(read_integer("context", served, least=2), 2)
    if hasattr(subject, "modules"):
        from ropeproof.tools.conform.logits.module import logit_subject

        own = logit_subject(subject, rule, layer or 0)
    elif callable(subject):
        own = LogitSubject(subject, norms=norms)
    else:
        raise InvalidArgument("subject", subject, "a callable or a model of transformers")
    tests = list(_tests(own, rule, array, dtype, served, explain=explain))
    cause = next((t.cause for t in tests if t.cause is not None), None)
    return Report(
        subject=name or getattr(subject, "__name__", None) or type(subject).__name__,
        spec=rule.spec,
        tests=tuple(tests),
        seconds=time.perf_counter() - begun,
        found=cause,
        needed="logits.prompt",
    )


def _plans(rule: LogitRule, context: int) -> Iterator[tuple[str, Places]]:
    """Yield the names of calls and their positions."""
    last = context - 1
    yield "logits.prompt", np.arange(min(24, context))
    length = rule.by_position.length if rule.by_position is not None else context // 4 or 1
    marks = [m * length + s for m in (1, 2, 3, 7) for s in (-2, -1, 0, 1)]
    far = [int(p) for p in np.geomspace(24, max(last, 25), 20)]
    places = sorted({p for p in (0, 1, 5, *marks, *far, last) if 0 <= p <= last})
    yield "logits.positions", np.array(places)
    start = min(max(length + 3, context // 2), max(last - 15, 0))
    yield "logits.chunk", np.arange(start, min(start + 16, context))
    rows = np.array([[0], [min(7, last)], [max(last - 40, 0)]]) + np.array([0, 1, 2, 3, 5, 8, 13])
    yield "logits.rows", np.minimum(rows, last)


def _vectors(shape: tuple[int, ...], seed: int) -> Floats:
    """Vectors with large and small channels, of values that every type holds."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * np.exp(0.5 * rng.standard_normal(shape[-1]))
    whole = np.clip(np.rint(x * 16), -127, 127)
    return np.asarray(whole / 16)


def _tests(
    subject: LogitSubject,
    rule: LogitRule,
    array: Kind,
    dtype: str,
    context: int,
    *,
    explain: bool,
) -> Iterator[Found]:
    found: list[Found] = []
    calls: list[LogitCall] = []
    heads, of_keys = subject.heads
    plans = [(name, places, heads, of_keys) for name, places in _plans(rule, context)]
    if subject.grouped:
        plans.append(("logits.groups", np.arange(min(12, context)), 4, 2))
    for name, places, wide, own in plans:
        one, record = _called(subject, rule, array, dtype, name, places, wide, own)
        found.append(record)
        if one is not None:
            calls.append(one)
    if not any(call.name == found[0].name for call in calls):  # a call that all must take
        found[0] = replace(found[0], result="fails")
    names = {t.name for t in found if t.result == "fails"}
    wrong = [c for c in calls if c.name in names]
    if wrong and explain:
        cause = explained(calls, wrong, rule)
        found = [replace(t, cause=cause) if t.name in names else t for t in found]
    yield from found
    yield from _unseen(subject, rule, calls)
    if rule.cap is not None:
        told = f"not checked: soft capping of logits at {rule.cap:g} is not modelled"
        yield Found(name="logits.soft-cap", result="unsupported", detail=told)


def _unseen(subject: LogitSubject, rule: LogitRule, calls: list[LogitCall]) -> Iterator[Found]:
    """What the calls could not show: the order of norm and rotation, the scale by position."""
    name = "logits.norm"
    if subject.unknown:
        yield Found(name=name, result="unsupported", detail=f"not checked: {subject.unknown}")
    elif subject.norms is not None and rule.order is None:
        told = (
            f"not checked: whether {rule.family or 'this model'} norms before or after the rotation"
        )
        yield Found(name=name, result="unsupported", detail=told)
    scale = rule.by_position
    if scale is not None and not any((scale.at(c.q_positions) != 1).any() for c in calls):
        told = f"not checked: no position from {scale.length} on, where queries are scaled"
        yield Found(name="logits.query-scale", result="unsupported", detail=told)


def _called(
    subject: LogitSubject,
    rule: LogitRule,
    array: Kind,
    dtype: str,
    name: str,
    places: Places,
    heads: int,
    of_keys: int,
) -> tuple[LogitCall | None, Found]:
    width = rule.spec.head_dim
    rows, length = (len(places) if places.ndim == 2 else 2), places.shape[-1]
    q = _vectors((rows, heads, length, width), 41)
    k = _vectors((rows, of_keys, length, width), 42)
    try:
        made = subject.call(
            write(q, array, dtype), write(k, array, dtype), write(places, array, None)
        )
        values, _ = read(made)
    except Unsupported as error:
        return None, Found(name=name, result="unsupported", detail=str(error))
    except (Exception, SystemExit) as error:  # whatever the code of another does
        told = f"raises {type(error).__name__}: {' '.join(str(error).split())[:160]}"
        return None, Found(name=name, result="unsupported", detail=told)
    if values.shape != (rows, heads, length, length):
        told = f"logits of shape {values.shape}, expected {(rows, heads, length, length)}"
        return None, Found(name=name, result="unsupported", detail=told)
    own = np.atleast_2d(places)
    masked = (own[:, np.newaxis, :] > own[:, :, np.newaxis])[:, np.newaxis]
    counted = ~(masked & (values <= _HIDDEN))
    call = LogitCall(name, q, k, own, own, values, counted, dtype, subject.norms)
    return call, compared(call, rule)


def compared(call: LogitCall, rule: LogitRule) -> Found:
    """The record of one call: all compared logits, or with soft capping if the configuration has it.

    Where the order of norm and rotation is not known, either is right.
    """
    orders = (rule.order,) if rule.order or call.norms is None else ("before", "after")
    found = [_compared(call, rule, order or "before") for order in orders]
    return next((f for f in found if f.result == "holds"), found[0])


def _compared(call: LogitCall, rule: LogitRule, order: str) -> Found:
    q, k = turned_pair(call, rule, order)
    by = np.ones(call.q_positions.shape)
    if rule.by_position is not None:
        by = rule.by_position.at(call.q_positions)
    factor = rule.total * by[:, np.newaxis, :, np.newaxis]
    due = products(q, k) * factor
    slack = tolerance(call, rule, q, k) * factor
    with np.errstate(invalid="ignore"):
        off = np.where(call.compared, np.abs(call.logits - due), 0.0)
        fails = ~(off <= slack)
    count = int(np.count_nonzero(call.compared))
    told = (
        f"{call.compared.size - count} masked logits were not compared"
        if not call.compared.all()
        else ""
    )
    if not count:
        return Found(
            name=call.name, result="unsupported", detail="not checked: all logits are masked"
        )
    if fails.any() and rule.cap is not None:
        capped = rule.cap * np.tanh(due / rule.cap)
        near = slack + 8 * unit(call.dtype) * np.abs(due)
        if (np.abs(call.logits - capped) <= near)[call.compared].all():
            told = f"not checked: capped softly at {rule.cap:g}, as the configuration says"
            return Found(name=call.name, result="unsupported", detail=told)
    spread = np.broadcast_to(slack, off.shape)
    excess = np.where(fails, np.nan_to_num(off - spread, nan=np.inf), -np.inf)
    ratio = excess if fails.any() else off / spread
    at = np.unravel_index(int(ratio.argmax()), ratio.shape)
    position = None
    if fails.any():
        rows = np.broadcast_to(call.q_positions[:, np.newaxis, :, np.newaxis], off.shape)
        position = int(rows[fails].min())
    return Found(
        name=call.name,
        result="fails" if fails.any() else "holds",
        residual=float(off[at]),
        budget=float(spread[at]),
        position=position,
        cases=count,
        detail=told,
    )
