"""Names for positions that are others than they should be: shards, padding, documents, shifts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import rounded
from ropeproof.tools.conform.dumps.shapes import Shape, shape_of

__all__ = ["named_positions"]

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]
Name = tuple[str, str]

_PIECES = 4
_TOLD = 4


def named_positions(due: Places, used: Places, known: Mask) -> Name | None:
    """An id and a text that say how the positions `used` differ from those that are `due`.

    All are `(rows, length)`; only tokens that are `known` are looked at. None if nothing differs there.
    Whatever is said is true of every known token.
    """
    if not (known & (due != used)).any():
        return None
    if (used == -due)[known].all():
        return "sign", "sine with the opposite sign: turned as at -p where p is due"
    ways: tuple[Callable[[Places, Places, Mask], Name | None], ...] = (
        *((_signed,) if (known & (due < 0)).any() else ()),
        _one_shift,
        _of_type,
        _pages,
        *((_padded,) if len(due) > 1 else ()),
        _one_by_one,
        _strided,
        _shaped,
        _of_rows,
        _limited,
        _ordered,
        _shift_of_rows,
        _multiplied,
        _pieces,
    )
    for way in ways:
        found = way(due, used, known)
        if found is not None:
            still = _still(due, used, known) if found[0] == "documents" else None
            if still is not None:  # one token at the end is hardly a document
                return still[0], f"{still[1]}; the same: {found[1]}"
            same = [_limited, _still] if way is _shaped else [_still] if way is _limited else []
            others = [other[1] for each in same if (other := each(due, used, known)) is not None]
            return found[0], "; the same: ".join((found[1], *others))
    return "positions", _example(due, used, known)


def _ahead(shift: int) -> str:
    return f"{abs(shift)} {'ahead' if shift > 0 else 'behind'}"


def _signed(due: Places, used: Places, known: Mask) -> Name | None:
    """Positions counted from the middle, some of them negative, that are used as if there were no such."""
    a, b = due[known], used[known]
    if (b == np.maximum(a, 0)).all():
        return "centred", "negative positions are taken for 0"
    if (b == np.abs(a)).all():
        return "centred", "negative positions lose their sign: turned as at 3 where -3 is due"
    if (b == a - a.min()).all():
        text = "positions are counted from 0 and not from the middle"
        return "centred", f"{text} (constant shift, {_ahead(int(-a.min()))})"
    off = (b - a)[a != b]
    if (b[a >= 0] == a[a >= 0]).all() and (off == off[0]).all() and (b >= 0).all():
        text = f"negative positions are read from the end of a table of {off[0]}"
        return "centred", f"{text}: turned as at {off[0] - 1} where -1 is due"
    return None


def _one_shift(due: Places, used: Places, known: Mask) -> Name | None:
    """Every token is off by the same number, which may be a start that is missing or of another shard."""
    shifts = (used - due)[known]
    shift = int(shifts[0])
    if (shifts != shift).any():
        return None
    length = due.shape[1]
    if abs(shift) <= 2:  # not a start that is missing: too common for that
        told = {1: "one", -1: "minus one", 2: "two", -2: "minus two"}[shift]
        return "offset", f"offset of {told}: constant shift, every token {_ahead(shift)}"
    firsts = {int(row[0]) for row in due}
    plain = all(shape_of(row).kind == "run" for row in due)
    if plain and len(firsts) == 1:
        (begin,) = firsts
        if begin and shift == -begin and length > 1:
            text = "positions are counted from the first token: the start of the shard or chunk"
            text += f", {begin}, is missing"
            return "shard-start", f"{text} (constant shift, {_ahead(shift)})"
        if length > 1 and begin % length == 0 and shift % length == 0 and begin + shift >= 0:
            text = f"the positions of contiguous shard {(begin + shift) // length} of the sequence"
            text += f" instead of shard {begin // length}"
            return "shard", f"{text}, shards of {length} tokens (constant shift, {_ahead(shift)})"
    return "shift", f"constant shift: every token is turned as at a position {_ahead(shift)}"


def _shaped(due: Places, used: Places, known: Mask) -> Name | None:
    """Positions used are of another kind of shard, padding or documents than those that are due."""
    if not known.all():  # a shape is one of all tokens
        return _padded(due, used, known)
    found = [_kinds(shape_of(a), shape_of(b)) for a, b in zip(due, used, strict=True)]
    told = [name for row, name in enumerate(found) if (due[row] != used[row]).any()]
    if any(name is None for name in told):
        return _padded(due, used, known)
    first = next(name for name in told if name is not None)
    if len({name[0] for name in told if name is not None}) > 1:
        return None
    rows = f" (row {int(np.flatnonzero((due != used).any(1))[0])})" if len(due) > 1 else ""
    return first[0], first[1] + rows


def _kinds(due: Shape, used: Shape) -> Name | None:
    kinds = (due.kind, used.kind)
    sharded = {"zigzag", "striped"}
    if set(kinds) == {"run", "left-padding"}:
        return _of_padding(due, used)
    if used.kind in sharded and due.kind == "other":
        return used.kind, f"the positions of {used.text} instead of those that are given"
    if sharded & set(kinds) and "other" not in kinds:
        if len(set(kinds)) == 1 and due.numbers[1:] == used.numbers[1:]:
            text = f"the positions of rank {used.numbers[0]} instead of rank {due.numbers[0]}"
            return due.kind, f"{text}: {used.text}"
        kind = used.kind if used.kind in sharded else due.kind
        whole = "a contiguous shard" if "run" in kinds else ""
        due_text = f"{whole} ({due.text})" if due.kind == "run" else due.text
        used_text = f"{whole} ({used.text})" if used.kind == "run" else used.text
        return kind, f"the positions of {used_text} instead of {due_text}"
    if kinds == ("documents", "run"):
        told = ", ".join(str(n) for n in due.numbers if n)
        text = "positions run on from one document to the next"
        text += f": no restart at the document starts (tokens {told})"
        return "documents", text
    if kinds[1] == "documents" and kinds[0] in ("run", "documents"):
        return "documents", f"{used.text}, instead of {due.text}"
    if used.kind == "constant":
        return "constant", f"{used.text}, instead of {due.text or 'its own'}"
    return None


def _of_padding(due: Shape, used: Shape) -> Name | None:
    if due.kind == "left-padding" and used.numbers == (0,):
        text = f"left padding is counted: the {due.numbers[0]} tokens of padding are not taken off"
        return "left-padding", f"{text}, constant shift of {due.numbers[0]} ahead behind them"
    if used.kind == "left-padding":
        text = f"{used.text}, as of left padding that is not there"
        return "left-padding", f"{text}, instead of {due.text}"
    return None


def _padded(due: Places, used: Places, known: Mask) -> Name | None:
    """Rows off by the number of their padded tokens, which themselves may have any position."""
    told: dict[bool, list[str]] = {True: [], False: []}
    for row in range(len(due)):
        own = np.flatnonzero(known[row])
        if not len(own):
            continue
        begin = int(own[0])
        real = shape_of(due[row, own])
        if real.kind == "left-padding":
            own = own[real.numbers[0] :]
            begin = int(own[0])
        before, after = due[row, own], used[row, own]
        if (before == after).all():
            continue
        counted = bool((after == before + begin).all())
        twice = (before - begin, np.maximum(before - begin, 0))
        if not counted and not any((after == each).all() for each in twice):
            return None
        told[counted].append(f"{begin} in row {row}" if len(due) > 1 else str(begin))
    if bool(told[True]) == bool(told[False]):
        return None
    each = told[True] or told[False]
    many = ", ".join(each[:_TOLD]) + (", ..." if len(each) > _TOLD else "")
    if told[True]:
        text = f"left padding is counted: the tokens of padding ({many}) are not taken off"
        return "left-padding", text
    return "left-padding", f"left padding ({many}) is taken off twice"


def _of_rows(due: Places, used: Places, known: Mask) -> Name | None:
    """Rows of the batch with the positions of another row."""
    if len(due) < 2:
        return None
    taken = []
    for row in range(len(due)):
        own = known[row]
        same = [n for n in range(len(due)) if (due[n, own] == used[row, own]).all()]
        if not same:
            return None
        taken.append(row if row in same else same[0])
    off = [(row, other) for row, other in enumerate(taken) if row != other]
    if not off:
        return None
    if len(set(taken)) == 1:
        name = "first row" if taken[0] == 0 else f"row {taken[0]}"
        return "rows", f"the positions of the {name} used for all rows"
    told = ", ".join(f"row {a} has those of row {b}" for a, b in off[:_TOLD])
    return "rows", f"rows of the batch have each other's positions: {told}"


def _of_type(due: Places, used: Places, known: Mask) -> Name | None:
    """Positions that were rounded to a coarse type before anything was made of them."""
    for name in ("bfloat16", "float16"):
        if (
            np.abs(due).max() < 60000
            and (rounded(due.astype(np.float64), name) == used)[known].all()
        ):
            return "positions-type", f"positions in {name}: rounded to that type"
    return None


def _pages(due: Places, used: Places, known: Mask) -> Name | None:
    """Positions that go on from the first of the call, and begin again at it every few tokens."""
    index = np.arange(due.shape[1])
    back = (due - used)[known]
    if not (due == due[:, :1] + index)[known].all() or not (due[:, 0] > 0).any():
        return None
    step = int(np.gcd.reduce(back))
    if step < 2 or step >= due.shape[1] or not (used == due[:, :1] + index % step)[known].all():
        return None
    text = f"positions begin again at the first of the call at each page of {step} tokens"
    return "pages", f"{text}: the index in the call is taken modulo {step}"


def _one_by_one(due: Places, used: Places, known: Mask) -> Name | None:
    """Tokens that are counted one after another where several have one position, as in a tree of drafts."""
    index = np.arange(due.shape[1])
    if not known.all() or not (used == used[:, :1] + index).all():
        return None
    steps = np.diff(due)
    if not (used[:, 0] == due[:, 0]).all() or not set(np.unique(steps)) <= {-1, 0, 1}:
        return None
    row, column = np.argwhere(steps != 1)[0]
    if (steps == 0).all() or shape_of(due[row]).kind not in ("other", "documents"):
        return None
    if shape_of(due[row]).kind == "documents":
        return None
    told = ", ".join(str(p) for p in due[row, column : column + 3])
    text = (
        f"tokens are counted one by one in their order, where {told} are due from token {column} on"
    )
    return "counted", f"{text}, as in a tree of drafts"


def _strided(due: Places, used: Places, known: Mask) -> Name | None:
    """The position of a token some times as far in the call, as of rows with more heads than there are."""
    length = due.shape[1]
    if length < 3:
        return None
    for step in (2, 3, 4, 5, 6, 7, 8, 16):
        at = np.arange(length) * step
        for name, read in ((f", modulo {length}", at % length), ("", np.minimum(at, length - 1))):
            if len(np.unique(due[:, read])) > 2 and (due[:, read] == used)[known].all():
                text = (
                    f"the position of token {step} t is read for token t{name}: a stride of {step}"
                )
                return "stride", f"{text}, as of {step} times as many heads"
    return None


def _still(due: Places, used: Places, known: Mask) -> Name | None:
    """Tokens that are not turned at all, where all others are right."""
    wrong = known & (due != used)
    if used[wrong].any():
        return None
    if wrong[known & (due != 0)].all():
        return "not-rotated", "vectors are not rotated"
    first = int(np.flatnonzero(wrong.any(0))[0])
    if not wrong.any(0)[first:].all() or len(np.argwhere(wrong)) > wrong.shape[1] // 2:
        return None
    only = "the last token is" if first == wrong.shape[1] - 1 else f"tokens from {first} on are"
    return "not-rotated", f"{only} not rotated"


def _limited(due: Places, used: Places, known: Mask) -> Name | None:
    a, b = due[known], used[known]
    most = int(b.max())
    if (np.minimum(a, most) == b).all():
        return "limit", f"positions from {most + 1} on taken for {most}"
    off = (a - b)[a != b]
    wrap = int(np.gcd.reduce(np.abs(off)))
    for limit in sorted({wrap, most + 1}):
        if limit > 1 and (np.mod(a, limit) == b).all():
            return "limit", f"positions taken modulo {limit}"
    return None


def _ordered(due: Places, used: Places, known: Mask) -> Name | None:
    if not known.all() or due.shape[1] < 3:
        return None
    if (used == due[:, ::-1]).all():
        return "reversed", "positions in reversed order"
    if (np.sort(used, 1) == np.sort(due, 1)).all() and len(np.unique(due[0])) == due.shape[1]:
        row = int(np.flatnonzero((used != due).any(1))[0])
        column = int(np.flatnonzero(used[row] != due[row])[0])
        text = "the right positions in another order of the tokens"
        return (
            "token-order",
            f"{text}: {used[row, column]} at index {column}, due {due[row, column]}",
        )
    return None


def _shift_of_rows(due: Places, used: Places, known: Mask) -> Name | None:
    if len(due) < 2:
        return None
    told = []
    for row in range(len(due)):
        shifts = np.unique((used - due)[row, known[row]])
        if len(shifts) > 1:
            return None
        told += [f"row {row} {_ahead(int(shifts[0]))}" for _ in (0,) if len(shifts) and shifts[0]]
    more = f" and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
    return "row-shift", f"constant shift in each row: {', '.join(told[:_TOLD])}{more}"


def _multiplied(due: Places, used: Places, known: Mask) -> Name | None:
    a, b = due[known], used[known]
    if len(np.unique(a)) < 3 or a.max() == 0:
        return None
    far = int(a.argmax())
    times, divided = int(b[far]) // int(a[far]), int(a[far]) // max(int(b[far]), 1)
    if times > 1 and (b == times * a).all():
        return "stretch", f"positions multiplied by {times}"
    for step in (divided, divided + 1):
        if step > 1 and (b == a // step).all():
            return "integer-positions", f"positions divided by {step} in integers"
    return None


def _pieces(due: Places, used: Places, known: Mask) -> Name | None:
    """Few runs of tokens, each off by one number: chunks, a cache that was moved in part."""
    told: list[str] = []
    for row in range(len(due)):
        own = np.flatnonzero(known[row])
        if not len(own):
            continue
        shifts = (used - due)[row, own]
        starts = [0, *(np.flatnonzero(np.diff(shifts)) + 1)]
        if len(starts) > _PIECES or len(starts) * 3 > len(own):
            return None
        for n, at in enumerate(starts):
            if not shifts[at]:
                continue
            end = own[starts[n + 1] - 1] if n + 1 < len(starts) else None
            where = f"tokens {own[at]} to {end}" if end is not None else f"from token {own[at]} on"
            where += f" of row {row}" if len(due) > 1 else ""
            told.append(f"{where} (position {due[row, own[at]]}) {_ahead(int(shifts[at]))}")
    return "shift-from", f"constant shift of part of the tokens: {'; '.join(told[:_TOLD])}"


def _example(due: Places, used: Places, known: Mask) -> str:
    row, _ = np.argwhere(known & (due != used))[0]
    columns = np.flatnonzero(known[row] & (due[row] != used[row]))[:_TOLD]
    seen = ", ".join(str(used[row, n]) for n in columns)
    stated = ", ".join(str(due[row, n]) for n in columns)
    where = f" of row {row}" if len(due) > 1 else ""
    return f"turned as at positions {seen} where {stated} are due, tokens {columns[0]} on{where}"
