"""Why a dump is wrong: positions by token first, then the fault models of the kit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis import causes
from ropeproof.tools.conform.diagnosis.diagnose import diagnose
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, start
from ropeproof.tools.conform.dumps.axis_shift import shifted_axes
from ropeproof.tools.conform.dumps.cache_shift import shifted_cache
from ropeproof.tools.conform.dumps.compared import ComparedPart, observation
from ropeproof.tools.conform.dumps.exchanged import exchanged_heads
from ropeproof.tools.conform.dumps.fit import PositionFit, fitted
from ropeproof.tools.conform.dumps.part import DumpedPart
from ropeproof.tools.conform.dumps.patterns import named_positions
from ropeproof.tools.conform.record import NONE_KNOWN, Cause

__all__ = ["cause_of"]

Places = NDArray[np.int64]

_ENTRIES = 1 << 15
"""Entries of a part up to which fault models see all of it."""
_HEADS, _TOKENS, _FIRST, _FAR = 2, 56, 28, 24
_WHOLE = 1 << 22
"""Entries that facts are looked for in."""
_SHARE = 1.0
"""Share of the compared tokens whose positions must be known."""
_PARTLY = "not explained by that"
"""What a diagnosis says of a cause that leaves calls over: two causes together are looked for then."""
_WITH = ("sign", "layout", "scaling-missing", "base")
"""Fault models that are tried together with other positions."""


def cause_of(parts: Sequence[ComparedPart], *, context: int, angles: str) -> Cause | None:
    """The cause of what is wrong in the queries and keys of a dump; None if nothing is.

    Positions are named if every wrong token has one; queries and keys that are wrong differently have
    a cause each, and the text then says whose.
    """
    failing = [p for p in parts if p.found.result == "fails"]
    if not failing:
        return None
    placed = [_of_stride(_placed(p, context, angles), p, parts) for p in failing]
    named = [cause for cause in placed if cause is not None]
    whole = len(failing) == len(parts)
    if len(named) == len(failing):
        if len({cause.text for cause in named}) == 1:
            of = "" if whole else f", only of the {failing[0].part.name}"
            return replace(named[0], text=named[0].text + of)
        told = "; ".join(
            f"of the {p.part.name} {cause.text}" for p, cause in zip(failing, named, strict=True)
        )
        return replace(named[0], text=told)
    found = _diagnosed(parts, context, angles, pairs=False)
    if found is not None and found.known and _PARTLY not in found.text:
        return found
    both = _with_positions(failing, context, angles)
    if both is not None:
        return both
    found = _diagnosed(parts, context, angles, pairs=True)  # thousands of pairs, the slowest
    if found is not None and found.known:
        return found
    if named:  # of one part the positions explain all, of the other nothing does
        told = "; ".join(
            f"of the {p.part.name} {NONE_KNOWN if c is None else c.text}"
            for p, c in zip(failing, placed, strict=True)
        )
        return replace(named[0], text=told)
    return found


def _placed(seen: ComparedPart, context: int, angles: str) -> Cause | None:
    """The name of other positions, or of a shift by other code, if that explains every wrong token."""
    tokens = np.asarray(seen.wrong.any(1))
    columns = np.flatnonzero(seen.part.compared.any(0))
    if not len(columns):
        return None
    one = observation(seen, columns, heads=_some_heads(seen), context=context, angles=angles)
    wrong = tokens[:, columns]
    # First: of slow planes each token alone may be like another position as well.
    if seen.spec.axes is not None and (of_axes := shifted_axes(one, wrong)) is not None:
        return Cause(id=of_axes[0], text=of_axes[1], residual=0.0)
    if (of_heads := exchanged_heads(seen)) is not None:
        return Cause(id="heads", text=of_heads, residual=0.0)
    fit = fitted(one, wrong, context=context)
    if fit is not None and (name := _named(seen, fit, columns)) is not None:
        return Cause(id=name[0], text=name[1], residual=0.0)
    if seen.part.turned is None:
        shift = shifted_cache(one, wrong)
        if shift is not None:
            return Cause(id=shift[0], text=shift[1], residual=0.0)
    return None


def _named(seen: ComparedPart, fit: PositionFit, columns: Places) -> tuple[str, str] | None:
    """The name of fitted positions, if they are known of all compared tokens."""
    part = seen.part
    known = fit.known & part.compared[:, columns]
    if np.count_nonzero(known) < _SHARE * np.count_nonzero(part.compared[:, columns]):
        return None
    shape = (*fit.places.shape[:2], *part.positions.shape[2:])
    due = np.broadcast_to(part.angles_of[:, columns], shape)
    # Where a row begins with tokens that are not compared, they count as its padding.
    wide = (shape[0], part.positions.shape[1], *shape[2:])
    all_due, all_used = np.zeros(wide, dtype=np.int64), np.zeros(wide, dtype=np.int64)
    all_known = np.zeros(wide[:2], dtype=bool)
    all_due[:, columns], all_used[:, columns], all_known[:, columns] = due, fit.places, known
    if due.ndim == 2:
        moved = None if part.turned is None else _moved(part, all_used, all_known)
        name = moved or named_positions(all_due, all_used, all_known)
        return None if name is None else _with_same(seen.spec, name)
    assert seen.spec.axes is not None
    return _of_axes(all_due, all_used, all_known, seen.spec.axes.names)


def _moved(part: DumpedPart, used: Places, known: NDArray[np.bool_]) -> tuple[str, str] | None:
    """The name of how far keys of a cache were turned on, if it is not by the difference."""
    assert part.turned is not None
    old, new = part.turned, part.positions
    due = new - old
    text = "keys of the cache are turned"
    of_one = f" of {abs(int(due.flat[0]))}" if (due == due.flat[0]).all() else ""
    for told, by in (
        ("keys of the cache are left where they were: not turned to their new positions", 0 * due),
        (f"{text} twice as far as they move: the shift{of_one} is applied twice", 2 * due),
        (f"{text} by their whole new position on top of the old one, not by the difference", new),
        (f"{text} back by their old position alone, not on to the new one", -old),
        (f"{text} by their old position once more, not by the difference", old),
        (
            f"{text} by the sum of their new and their old position, not by the difference",
            new + old,
        ),
    ):
        if (used == np.broadcast_to(by, used.shape))[known].all():
            return "cache-moved", told
    return None


def _with_same(spec: RopeSpec, name: tuple[str, str]) -> tuple[str, str]:
    """A name with faults of the rotation that give the same numbers as these positions."""
    id, text = name
    plain = attention_factor_float64(spec) == 1
    if id == "constant" and text.startswith("position 0 for every token") and plain:
        same = text if "not rotated" in text else f"{text}; the same: vectors are not rotated"
        return "not-rotated", f"vectors are not rotated; the same: {same.split('; the same')[0]}"
    if id == "stretch" and plain:
        factor = int(text.rsplit(" ", 1)[-1])
        if isinstance(spec.scaling, Linear) and factor == spec.scaling.factor:
            return "scaling-missing", f"the linear scaling is not applied; the same: {text}"
        if factor == 2 and spec.scaling is None:
            return "twice", f"vectors are rotated twice; the same: {text}"
    return name


def _of_axes(
    due: Places, used: Places, known: NDArray[np.bool_], names: Sequence[str]
) -> tuple[str, str] | None:
    """The name of positions with several coordinates: of one that stands for all, or of each axis."""
    if (used[known] == used[known][:, :1]).all() and not (due[known] == due[known][:, :1]).all():
        first = used[..., 0]
        axis = next(
            (
                n
                for n, a in zip(names, range(len(names)), strict=True)
                if (first == due[..., a])[known].all()
            ),
            None,
        )
        told = "text positions" if axis is None else f"the {axis}"
        return "one-axis", f"every plane turned by one coordinate, {told}"
    found = {
        name: named_positions(due[..., a], used[..., a], known) for a, name in enumerate(names)
    }
    wrong = {name: one for name, one in found.items() if one is not None}
    if not wrong:
        return None
    texts = {text for _, text in wrong.values()}
    if len(wrong) == len(names) and len(texts) == 1:
        (text,) = texts
        return "mrope-shift", f"all coordinates of M-RoPE: {text}"
    told = "; ".join(f"{name}: {text}" for name, (_, text) in wrong.items())
    return "mrope-shift", f"coordinates of M-RoPE: {told}"


def _some_heads(seen: ComparedPart) -> Places:
    """The heads that positions are looked for in: all of few, else some, wrong ones among them."""
    heads = seen.part.before.shape[1]
    if heads <= 2 * _HEADS:
        return np.arange(heads)
    wrong = np.flatnonzero(seen.wrong.any((0, 2)))
    return np.unique(
        np.concatenate((np.linspace(0, heads - 1, _HEADS).astype(int), wrong[:_HEADS]))
    )


def _some_tokens(seen: ComparedPart, columns: Places) -> Places:
    """The first tokens, others at growing distances, and the first wrong ones."""
    if len(columns) <= _TOKENS:
        return columns
    far = np.geomspace(_FIRST, len(columns) - 1, _FAR).astype(int)
    wrong = np.intersect1d(np.flatnonzero(seen.wrong.any((0, 1))), columns)[:_FIRST]
    return np.unique(np.concatenate((columns[:_FIRST], columns[far], wrong[: _FIRST // 2])))


def _diagnosed(
    parts: Sequence[ComparedPart], context: int, angles: str, *, pairs: bool
) -> Cause | None:
    """What the fault models of the kit say of the parts, or of some of their tokens and heads."""
    run, whole = [], []
    for seen in parts:
        columns = np.flatnonzero(seen.part.compared.all(0))
        if seen.found.result == "unsupported" or not len(columns):
            continue
        heads = _some_heads(seen)
        all_heads = np.arange(seen.part.before.shape[1])
        each = seen.part.before[:, :, 0].size
        small = each * len(columns) <= _ENTRIES
        tokens = columns if small else _some_tokens(seen, columns)
        one = observation(
            seen, tokens, heads=all_heads if small else heads, context=context, angles=angles
        )
        if (
            small and len(columns) == seen.part.before.shape[2]
        ):  # all vectors, as they stand in memory
            one = replace(one, beside=_beside(seen, parts), order=_in_memory(seen.part.axes))
        run.append(one)
        most = max(1, _WHOLE // max(each, 1))
        first = int(np.flatnonzero(seen.wrong.any((0, 1)))[0]) if seen.wrong.any() else 0
        begin = max(0, min(int(np.searchsorted(columns, first)) - most // 4, len(columns) - most))
        whole.append(
            observation(seen, columns[begin : begin + most], context=context, angles=angles)
        )
    found = diagnose(run, whole=whole, pairs=pairs)
    return None if found is None else found.cause


def _of_stride(
    cause: Cause | None, seen: ComparedPart, parts: Sequence[ComparedPart]
) -> Cause | None:
    """A cause by positions; of keys at positions divided as their heads are fewer, with the reason.

    Where tokens stand before heads in memory, as many keys of a token are taken for those of one as there
    are queries of it.
    """
    beside, heads = _beside(seen, parts), seen.part.before.shape[1]
    if cause is None or beside is None or not seen.part.keys or beside <= heads or beside % heads:
        return cause
    divided = f"positions divided by {beside // heads} in integers"
    if cause.id == "stride" and f"a stride of {beside // heads}," in cause.text:
        text = f"keys take positions with the stride of the queries, {beside} heads: {cause.text}"
        return replace(cause, text=text)
    if cause.text != divided or not _in_memory(seen.part.axes).startswith("bl"):
        return cause
    text = f"keys turned with the stride of the queries: as if they had {beside} heads; the same: {divided}"
    return replace(cause, id="stride", text=text)


def _beside(seen: ComparedPart, parts: Sequence[ComparedPart]) -> int | None:
    """The number of heads of the queries beside keys, of the keys beside queries; None without them."""
    others = [p.part.before.shape[1] for p in parts if p.part.keys != seen.part.keys]
    return others[0] if others else None


def _in_memory(axes: str) -> str:
    """The order of axes with that of rows, of which there is one where it is left out."""
    order = axes.replace("(", "").replace(")", "")
    return order if "b" in order else f"b{order}"


def _with_positions(failing: Sequence[ComparedPart], context: int, angles: str) -> Cause | None:
    """A fault of the rotation together with other positions, if both explain every wrong token."""
    named: dict[str, Cause] = {}
    for seen in failing:
        columns = np.flatnonzero(seen.part.compared.any(0))
        one = observation(seen, columns, heads=_some_heads(seen), context=context, angles=angles)
        wrong = np.asarray(seen.part.compared[:, columns])
        for text, guess in _changes(one):
            fit = fitted(one, wrong, context=0, guess=guess)  # no farther: many are tried
            name = None if fit is None else _named(seen, fit, columns)
            if name is not None:
                told = f"{text}; {name[1]}"
                named[seen.part.name] = Cause(id=name[0], text=told, residual=0.0)
                break
        else:
            return None
    texts = {cause.text for cause in named.values()}
    first = next(iter(named.values()))
    if len(texts) == 1:
        return first
    told = "; ".join(f"of the {name} {cause.text}" for name, cause in named.items())
    return replace(first, text=told)


def _changes(seen: Observation) -> Iterator[tuple[str, Guess]]:
    right = start(seen)
    for way in causes.ways(seen.spec):
        if way.id in _WITH:
            with np.errstate(all="ignore"):
                yield from way.changes(right, seen)
