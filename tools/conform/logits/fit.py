"""Why logits are wrong: rotations that might have made them, and the factor of each query that is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.tools.conform.diagnosis.diagnose import changes
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, start
from ropeproof.tools.conform.expected.budget import unit
from ropeproof.tools.conform.expected.exact import at_length
from ropeproof.tools.conform.logits.calls import LogitCall, products, tolerance, turned_pair
from ropeproof.tools.conform.logits.rule import LogitRule, QueryScale
from ropeproof.tools.conform.record import NONE_KNOWN, Cause

__all__ = ["explained"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_CAPS = (10.0, 15.0, 20.0, 25.0, 30.0, 50.0, 100.0)
_TOLD = 2
_CLEAR = 0.02
"""A factor that changes by less over all positions is no scale by position."""


@dataclass(frozen=True, eq=False)
class _Way:
    """A rotation that might have been made: of a call, the queries and keys that are multiplied."""

    id: str
    text: str
    vectors: Callable[[LogitCall], tuple[Floats, Floats]]
    tiled: bool = False


@dataclass(frozen=True, eq=False)
class _Rows:
    """The factor of each query of a call, `(batch, heads, queries)`, how exact it is, and positions.

    Factors of queries of which no logit is compared are not a number.
    """

    factors: Floats
    error: Floats
    positions: Places


def explained(calls: Sequence[LogitCall], wrong: Sequence[LogitCall], rule: LogitRule) -> Cause:
    """The cause of wrong logits: one that reproduces all compared logits of all `calls`, or `none known`.

    Each rotation leaves of every query one factor, whatever the key. If all logits are explained by such
    factors, what these have in common is the cause: one scale, or one by position.
    """
    probe = max(wrong, key=lambda c: np.count_nonzero(c.compared) if c.q.shape[2] > 1 else 0)
    for way in _ways(probe, rule):
        try:
            if _rows(probe, way, rule) is None:
                continue
            rows = [_rows(call, way, rule) for call in calls]
        except (ValueError, IndexError):  # a fault model that does not fit the sizes of a call
            continue
        if any(r is None for r in rows):
            continue
        found = _of_factors([r for r in rows if r is not None], rule)
        if found is None:
            continue
        id, text = found
        ids = "+".join(t for t in (way.id, id) if t)
        told = "; ".join(t for t in (way.text, text) if t)
        if told:
            return Cause(id=ids, text=told, residual=0.0)
    for found in (_of_keys(calls, rule), _capped(calls, rule)):
        if found is not None:
            return Cause(id=found[0], text=found[1], residual=0.0)
    text = f"{NONE_KNOWN}; no factor of the queries makes the logits right"
    return Cause(id=NONE_KNOWN, text=text, residual=0.0)


def _rows(call: LogitCall, way: _Way, rule: LogitRule) -> _Rows | None:
    """The factor of each query if these make all compared logits right; else None."""
    with np.errstate(all="ignore"):
        q, k = way.vectors(call)
        made = products(q, k, tiled=way.tiled)
        counted = np.where(call.compared, made, 0.0)
        seen = np.where(call.compared, call.logits, 0.0)
        size = (counted**2).sum(-1)
        factors = (seen * counted).sum(-1) / size
        slack = tolerance(call, rule, q, k)
        slack = slack * np.abs(factors)[..., np.newaxis]
        slack = slack + 8 * unit(call.dtype) * np.abs(seen)
        if not (np.abs(seen - factors[..., np.newaxis] * counted) <= slack)[call.compared].all():
            return None
        error = (slack * np.abs(counted)).sum(-1) / size
    rows = np.broadcast_to(call.q_positions[:, np.newaxis], factors.shape)
    return _Rows(np.where(size > 0, factors, np.nan), error, rows)


def _ways(probe: LogitCall, rule: LogitRule) -> Iterator[_Way]:
    """Yield rotations: the right one, other norms and keys, then the fault models of the kit."""
    order = rule.order or "before"
    yield _Way("", "", lambda c: turned_pair(c, rule, order))
    if probe.norms is not None:
        other = "after" if order == "before" else "before"
        text = "normed after the rotation, not before it"
        if order == "after":
            text = "normed before the rotation, not after it"
        yield _Way(
            "norm-order", f"queries and keys are {text}", lambda c: turned_pair(c, rule, other)
        )
        bare = "queries and keys are not normed"
        yield _Way("norm-missing", bare, lambda c: turned_pair(c, rule, None))
        for side, name in ((0, "queries"), (1, "keys")):
            yield _Way(
                "norm-missing", f"the {name} are not normed", _half_normed(rule, order, side)
            )
            text = f"the {name} alone are normed {other} the rotation"
            yield _Way("norm-order", text, _of_two(rule, order, other, side))
    text = "keys are given to queries in turn, not each to a group of neighbours"
    yield _Way("groups", text, lambda c: turned_pair(c, rule, order), tiled=True)
    for id, text, q, k in _faults(probe, rule, order):
        for of, some in (
            ("", (q, k)),
            (", only of the queries", (q, "")),
            (", only of the keys", ("", k)),
        ):
            yield _Way(id, text + of, _faulty(rule, order, *some))


def _half_normed(
    rule: LogitRule, order: str, side: int
) -> Callable[[LogitCall], tuple[Floats, Floats]]:
    return _of_two(rule, order, None, side)


def _of_two(
    rule: LogitRule, order: str, other: str | None, side: int
) -> Callable[[LogitCall], tuple[Floats, Floats]]:
    """Vectors with another order of the norm on one side, 0 the queries and 1 the keys."""

    def made(call: LogitCall) -> tuple[Floats, Floats]:
        usual, changed = turned_pair(call, rule, order), turned_pair(call, rule, other)
        return (changed[0], usual[1]) if side == 0 else (usual[0], changed[1])

    return made


def _observations(call: LogitCall, rule: LogitRule, order: str) -> tuple[Observation, Observation]:
    """The queries and keys of a call as the fault models take them, normed if that is before."""
    spec = at_length(rule.spec, call.last + 1)
    found = []
    for side, (x, places) in enumerate(((call.q, call.q_positions), (call.k, call.k_positions))):
        own = x if call.norms is None or order != "before" else call.norms[side](x)
        positions = places if len(places) > 1 else places[0]
        context = rule.spec.length or 4096
        one = Observation(
            own, positions, own, spec, call.dtype, context, keys=side == 1, scaled=True
        )
        found.append(replace(one, out=start(one).apply(own)))
    return found[0], found[1]


def _changed(seen: Observation) -> dict[str, tuple[str, str, Guess]]:
    """The changes of the fault models by their id and rule, with their text."""
    if not seen.spec.rotary_planes or seen.spec.axes is not None:
        return {}
    found = ((way, text, guess) for way, text, guess in changes(start(seen), seen))
    return {f"{way.id} {guess.rule}": (way.id, text, guess) for way, text, guess in found}


def _faults(probe: LogitCall, rule: LogitRule, order: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield ids and texts of fault models that queries and keys have in common, and their keys."""
    q, k = (_changed(one) for one in _observations(probe, rule, order))
    for key, (id, text, guess) in q.items():
        if key in k and not guess.rounds:
            yield id, text, key, key


def _faulty(
    rule: LogitRule, order: str, of_queries: str, of_keys: str
) -> Callable[[LogitCall], tuple[Floats, Floats]]:
    """Vectors turned as fault models say, each by its key, empty for the right rotation."""
    kept: dict[LogitCall, tuple[dict[str, tuple[str, str, Guess]], ...]] = _KEPT

    def made(call: LogitCall) -> tuple[Floats, Floats]:
        both = _observations(call, rule, order)
        if call not in kept:
            if len(kept) > _MOST_KEPT:
                kept.clear()
            kept[call] = tuple(_changed(one) for one in both)
        found = []
        for side, (one, key) in enumerate(zip(both, (of_queries, of_keys), strict=True)):
            if key and key not in kept[call][side]:
                raise ValueError("a call without that change")
            guess = kept[call][side][key][2] if key else start(one)
            x = guess.apply(one.x)
            after = call.norms is not None and order == "after"
            found.append(call.norms[side](x) if after and call.norms is not None else x)
        return found[0], found[1]

    return made


_KEPT: dict[LogitCall, tuple[dict[str, tuple[str, str, Guess]], ...]] = {}
_MOST_KEPT = 16


def _of_factors(rows: Sequence[_Rows], rule: LogitRule) -> tuple[str, str] | None:
    """An id and a text of what the factors of queries are, empty if they are right; None if unknown."""
    for id, text, mode in _modes(rule):
        scale = _constant(rows, mode)
        if scale is None:
            continue
        told = _scale_name(scale[0], scale[1], rule)
        ids = "+".join(t for t in (id, "softmax-scale" if told else "") if t)
        return ids, "; ".join(t for t in (text, told) if t)
    return _another_scale(rows, rule)


_Mode = Callable[[Places], Floats]


def _modes(rule: LogitRule) -> Iterator[tuple[str, str, _Mode]]:
    """Yield scales of queries by their position, `(batch, heads, queries)` to such: first the right one."""
    own = rule.by_position
    if own is None:
        yield "", "", lambda p: np.ones(p.shape)
        return
    yield "", "", own.at
    id = "query-scale"
    yield id, "queries are not scaled by their position", lambda p: np.ones(p.shape)
    yield id, "the scale of queries by position is applied twice", lambda p: own.at(p) ** 2
    yield id, "queries are divided by their scale by position", lambda p: 1 / own.at(p)
    first = "queries are scaled by positions counted from the first token of the call"
    yield id, first, lambda p: own.at(p - p.min(-1, keepdims=True))
    index = "queries are scaled by their index in the call, not their position"
    yield id, index, lambda p: own.at(np.broadcast_to(np.arange(p.shape[-1]), p.shape))
    last = "all queries are scaled by the last position of the call"
    yield id, last, lambda p: own.at(np.broadcast_to(p.max(-1, keepdims=True), p.shape))
    for ahead in (1 - own.shift, own.shift + 1, own.shift - 1):
        if ahead != own.shift:
            text = f"queries are scaled by their position {ahead:+d}, not {own.shift:+d}"
            yield id, text, replace(own, shift=ahead).at
    whole = "the scale of queries by position has no floor"
    yield id, whole, lambda p: 1 + own.beta * np.log1p((p + own.shift) / own.length)
    linear = "the scale of queries by position has no logarithm"
    yield id, linear, lambda p: 1 + own.beta * np.floor((p + own.shift) / own.length)
    bare = "the scale of queries by position lacks the 1 that is added"
    yield id, bare, lambda p: own.beta * np.log1p(np.floor((p + own.shift) / own.length))


def _constant(rows: Sequence[_Rows], mode: _Mode) -> tuple[float, float] | None:
    """The one scale that all factors have beside a scale by position, and how exact it is."""
    scales, errors = [], []
    for each in rows:
        with np.errstate(all="ignore"):
            by = mode(each.positions)
            own, off = each.factors / by, np.abs(each.error / by)
        seen = np.isfinite(own)
        if (~np.isfinite(by)).any():
            return None
        scales.append(own[seen])
        errors.append(off[seen])
    every, off = np.concatenate(scales), np.concatenate(errors)
    if not every.size:
        return None
    scale = float(np.sum(every / off**2) / np.sum(1 / off**2)) if (off > 0).all() else every[0]
    if not (np.abs(every - scale) <= 2 * off + 1e-12).all():
        return None
    return float(scale), float(off.min())  # the queries that are known best weigh most


def _scale_name(scale: float, error: float, rule: LogitRule) -> str:
    """In words, what a scale is that is not the right one; empty for the right one."""
    near = max(4 * error / max(abs(scale), 1e-300), 2e-5)
    if abs(scale / rule.total - 1) <= near:
        return ""
    named = dict.fromkeys(
        text for text, value in _scales(rule) if value and abs(scale / value - 1) <= near
    )
    told = list(named)[: 1 + _TOLD]
    due = f"{rule.total:.6g}"
    size = f"logits have the scale {scale:.6g} where {due} is due"
    if not told:
        return f"the softmax scale is another: {size}, {scale / rule.total:.6g} times as much"
    more = f"; the same numbers: {' or '.join(told[1:])}" if told[1:] else ""
    return f"{told[0]}: {size}{more}"


def _scales(rule: LogitRule) -> Iterator[tuple[str, float]]:
    """Yield scales that are made by mistake, each in words."""
    own, m, total = rule.scale, rule.mscale, rule.total
    if m != 1:
        yield f"the softmax scale lacks mscale^2, {m * m:.6g}", own
        yield f"the softmax scale has mscale, {m:.6g}, and not its square", own * m
        yield f"mscale^2, {m * m:.6g}, is in the logits twice", total * m * m
        yield f"the softmax scale is divided by mscale^2, {m * m:.6g}", own / m**2
    yield "no softmax scale is applied", 1.0
    yield f"no softmax scale {rule.told} is applied", total / own
    yield "the softmax scale is applied twice", total * own
    yield "the softmax scale is applied twice", total * total
    factor = attention_factor_float64(rule.spec)
    if factor != 1:
        for text, value in (
            ("the attention factor of the scaling is missing in queries and keys", factor**-2),
            ("the attention factor of the scaling is missing in queries or keys", 1 / factor),
            ("the attention factor of the scaling is in the logits once too often", factor),
            ("the attention factor of the scaling is also in the softmax scale", factor**2),
        ):
            yield text, total * value
    for name, width in rule.widths.items():
        text = f"the softmax scale is the inverse root of {name}, {width:g}, not {rule.told}"
        yield text, width**-0.5 * m * m
        yield f"{text}, and lacks mscale^2" if m != 1 else text, width**-0.5
        yield f"the softmax scale is 1/{width:g}, of {name} without the root", m * m / width
    spec = rule.spec
    yield f"the softmax scale is 1/{spec.head_dim}, without the root", m * m / spec.head_dim
    yield "the softmax scale is the root, not its inverse", total / own**2
    yield "logits are in base 2: multiplied by log2(e)", total / math.log(2)
    yield "logits are multiplied by log(2)", total * math.log(2)
    scaling = spec.scaling
    stretch = getattr(scaling, "factor", None) if scaling is not None else None
    if m == 1 and stretch and float(stretch) > 1:
        more = 0.1 * math.log(float(stretch)) + 1
        yield f"the softmax scale has the square of a factor of yarn, {more:.6g}", total * more**2


def _another_scale(rows: Sequence[_Rows], rule: LogitRule) -> tuple[str, str] | None:
    """A scale by position with other numbers, or one that the configuration does not say."""
    own, spec = rule.by_position, rule.spec
    lengths = [own.length] if own is not None else []
    lengths += [n for n in (getattr(spec.scaling, "original_length", None), spec.length) if n]
    for length in dict.fromkeys((*lengths, 8192)):
        for shift in (0, 1):
            beta = _beta(rows, QueryScale(1.0, length, shift))
            if beta is None:
                continue
            scale = _constant(rows, QueryScale(beta, length, shift).at)
            if scale is None:
                continue
            text = f"queries are scaled by position with beta {beta:.4g} and length {length}"
            text += f", position {shift:+d}" if shift else ""
            due = "which the configuration does not say"
            if own is not None:
                due = f"where beta {own.beta:g} and length {own.length} are due"
            told = _scale_name(*scale, rule)
            return "query-scale", "; ".join(t for t in (f"{text}, {due}", told) if t)
    return None


def _beta(rows: Sequence[_Rows], one: QueryScale) -> float | None:
    """The `beta` that factors of queries would have with this length, from queries of both kinds."""
    places = np.concatenate([r.positions[np.isfinite(r.factors)] for r in rows])
    factors = np.concatenate([r.factors[np.isfinite(r.factors)] for r in rows])
    more = one.at(places) - 1
    if not (more == 0).any() or not (more > 0).any():
        return None
    base = float(np.median(factors[more == 0]))
    found = (factors[more > 0] / base - 1) / more[more > 0] if base else np.zeros(1)
    beta = float(np.median(found))
    return beta if math.isfinite(beta) and abs(beta) * float(more.max()) > _CLEAR else None


def _of_keys(calls: Sequence[LogitCall], rule: LogitRule) -> tuple[str, str] | None:
    """Keys that are scaled by their position, instead of queries or as well."""
    own = rule.by_position
    if own is None:
        return None
    order = rule.order or "before"
    way = _Way("", "", lambda c: turned_pair(c, rule, order))
    scaled = [
        replace(c, logits=c.logits / own.at(c.k_positions)[:, np.newaxis, np.newaxis, :])
        for c in calls
    ]
    rows = [_rows(call, way, rule) for call in scaled]
    if any(r is None for r in rows):
        return None
    for text, mode in (
        ("keys are scaled by their position as well as queries", own.at),
        ("keys are scaled by their position, and queries are not", lambda p: np.ones(p.shape)),
    ):
        scale = _constant([r for r in rows if r is not None], mode)
        if scale is not None:
            told = _scale_name(*scale, rule)
            return "query-scale", "; ".join(t for t in (text, told) if t)
    return None


def _capped(calls: Sequence[LogitCall], rule: LogitRule) -> tuple[str, str] | None:
    """Logits that are softly capped where the configuration says nothing of it."""
    for cap in _CAPS:
        if cap == rule.cap:
            continue
        near = []
        for call in calls:
            q, k = turned_pair(call, rule, rule.order or "before")
            by = 1.0 if rule.by_position is None else rule.by_position.at(call.q_positions)
            factor = (
                rule.total
                * np.broadcast_to(by, call.q_positions.shape)[:, np.newaxis, :, np.newaxis]
            )
            due = cap * np.tanh(products(q, k) * factor / cap)
            slack = tolerance(call, rule, q, k) * factor + 8 * unit(call.dtype) * np.abs(due)
            near.append((np.abs(call.logits - due) <= slack)[call.compared].all())
        if all(near):
            said = "says nothing of it" if rule.cap is None else f"says {rule.cap:g}"
            return "soft-cap", f"logits are capped softly at {cap:g}, and the configuration {said}"
    return None
