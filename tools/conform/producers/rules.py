"""What a wrong function does in all settings: one rule that gives every position that it made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.producers.settings import PositionSetting
from ropeproof.tools.conform.record import Cause

__all__ = ["rule_of"]

Places = NDArray[np.int64]
Rule = tuple[str, str, NDArray[Any]]

_PAGES = 1024
_FLOATS = (("float16", 10), ("bfloat16", 7))
"""Types of positions, and the bits behind the first that their numbers have."""


@dataclass(frozen=True)
class _Tokens:
    """All counted tokens of all settings one after another, an array of each of their numbers.

    `index` is that in the token's request or document of `size` new tokens behind `past` cached ones,
    `part` the request's number in its row, `column` the token's in the call; `pads` are the padded
    tokens of its row, `before` those of them that stand before the token.
    """

    index: Places
    size: Places
    past: Places
    part: Places
    column: Places
    pads: Places
    before: Places
    others: Mapping[str, Places]
    used: Places

    @property
    def due(self) -> Places:
        """The right position."""
        return self.past + self.index


def rule_of(run: Sequence[tuple[PositionSetting, Places]]) -> Cause | None:
    """The cause by which a function made all positions of these settings; None if no known rule did.

    `run` are settings with `pieces`, and the positions made in each, as `due` in shape. A rule must
    give every counted position, right ones too, in every setting. Of several rules with the same numbers
    the others are told as well.
    """
    tokens = _all_tokens(run)
    if tokens is None or (tokens.used == tokens.due).all():
        return None
    found = [
        (id, text)
        for rules in (_of_caches, _of_requests, _of_documents, _of_padding, _of_numbers)
        for id, text, made in rules(tokens)
        if np.array_equal(made, tokens.used)
    ]
    if not found:
        return None
    (id, text), *others = dict(found).items()
    return Cause(id=id, text=text, residual=0.0, others=tuple(others))


def _all_tokens(run: Sequence[tuple[PositionSetting, Places]]) -> _Tokens | None:
    columns: dict[str, list[Places]] = {}

    def add(name: str, values: Any, count: int) -> None:
        columns.setdefault(name, []).append(np.broadcast_to(values, count).astype(np.int64))

    for one, used in run:
        if not one.pieces:
            continue
        pads = one.pads or (0,) * len(one.pieces)
        ids = (
            one.given.get("document_ids") if len(one.pieces[0]) + len(one.pieces[-1]) > 2 else None
        )
        for row, pieces in enumerate(one.pieces):
            counted = np.flatnonzero(one.counted[row])
            pasts = [p for p, _ in pieces]
            begin = 0
            for part, (past, size) in enumerate(pieces):
                own = counted[begin : begin + size]
                begin += size
                if not size:
                    continue
                values = {
                    "index": np.arange(size),
                    "size": size,
                    "past": past,
                    "part": part,
                    "column": own,
                    "pads": pads[row],
                    "before": pads[row] * one.left,
                    "used": used[row, own],
                    "past of the first": pasts[0],
                    "past before": pasts[part - 1],
                    "past behind": pasts[(part + 1) % len(pasts)],
                    "past sorted": sorted(pasts)[part],
                    "past reversed": pasts[-1 - part],
                    "largest past": max(pasts),
                    "pasts": sum(pasts),
                    "pasts so far": sum(pasts[:part]),
                    "size before": pieces[part - 1][1] if part else 0,
                    "followed": part + 1 < len(pieces),
                    "first row's": pads[0],
                    "last row's": pads[-1],
                    "largest": max(pads),
                    "smallest": min(pads),
                    "id": -1 if ids is None else ids[row, own[0]],
                    "id before": -1 if ids is None or not part else ids[row, own[0] - 1],
                }
                for name, value in values.items():
                    add(name, value, size)
    if not columns:
        return None
    whole = {name: np.concatenate(each) for name, each in columns.items()}
    first = {n: whole.pop(n) for n in ("index", "size", "past", "part", "column")}
    more = {n: whole.pop(n) for n in ("pads", "before", "used")}
    return _Tokens(**first, **more, others=whole)


def _of_caches(t: _Tokens) -> Iterator[Rule]:
    """Rules of how the tokens in a cache are counted."""
    if not t.past.any():
        return
    start = "the length of the cache"
    told = "positions are counted from the first token: the start of the shard or chunk"
    yield "shard-start", f"{told}, {start}, is missing", t.index
    for times in (2, 3):
        text = f"{start} is added {'twice' if times == 2 else f'{times} times'}"
        yield "past", text, times * t.past + t.index
    last = t.size - 1 - t.index
    yield "past", f"{start} is multiplied by the length of the chunk", t.past * t.size + t.index
    yield "past", f"{start} is divided by the length of the chunk", t.past // t.size + t.index
    text = f"{start} is rounded down to a multiple of the length of the chunk"
    yield "past", text, t.past // t.size * t.size + t.index
    yield "past", "the length of the chunk is added to its positions", t.due + t.size
    yield "past", f"{start} is subtracted, not added", t.index - t.past
    yield "constant", "all tokens of a chunk have the position of its first", t.past
    yield "constant", "all tokens of a chunk have the position of its last", t.past + t.size - 1
    yield "reversed", "the positions of a chunk are in reversed order", t.past + last
    many = np.where(t.past > 0, t.past, t.index)
    told = "all tokens of a chunk behind a cache have the position of its first: one position"
    yield "constant", told, many
    behind = t.past > 0
    for name, which in (
        (" behind a cache", behind),
        (" where one token comes behind a cache", behind & (t.size == 1)),
        (" where several tokens come behind a cache", behind & (t.size > 1)),
    ):
        off = np.unique((t.used - t.due)[which])
        if len(off) == 1 and off[0]:
            yield (
                "offset",
                f"offset of {_number(off[0])}: {_ahead(off[0])}{name}",
                t.due + off * which,
            )
        yield "shard-start", f"{_missing(start)}{name}", np.where(which, t.index, t.due)
    left = t.used - t.index
    if left.max() < t.past.max():
        if (most := int(left.max())) > 0:
            text = f"{start} is cut off at {most}: a longer one is taken for {most}"
            yield "window", text, np.minimum(t.past, most) + t.index
        for m in _moduli(t.past, left):
            text = f"{start} is taken modulo {m}"
            yield "past", text, t.past % m + t.index
    yield from _of_pages(t)


def _missing(start: str) -> str:
    """In words, that a start of this name is not added."""
    return f"the start, {start}, is missing: positions begin at 0"


def _of_pages(t: _Tokens) -> Iterator[Rule]:
    start = "the length of the cache is rounded"
    for page in sorted(range(2, _PAGES), key=lambda n: (n & (n - 1) > 0, n)):
        for way, made in (("down", t.past // page * page), ("up", -(-t.past // page) * page)):
            if np.array_equal(made + t.index, t.used):
                yield "pages", f"{start} {way} to pages of {page}", made + t.index
                return


def _of_requests(t: _Tokens) -> Iterator[Rule]:
    """Rules of whose cache a request of several takes."""
    if not t.past.any() or not t.part.any():
        return
    of = t.others
    for name, told in (
        ("past of the first", "all requests take the cache length of the first request"),
        ("past before", "each request takes the cache length of the request before it"),
        ("past behind", "each request takes the cache length of the request behind it"),
        ("past sorted", "requests take each other's cache lengths: these are sorted"),
        ("past reversed", "requests take each other's cache lengths: in reversed order"),
        ("largest past", "all requests take the longest cache length of the requests"),
        ("pasts", "all requests take the sum of the cache lengths of the requests"),
        ("pasts so far", "requests take the sum of the cache lengths of the requests before them"),
    ):
        yield "requests", told, of[name] + t.index
        text = f"{told}, and positions run on from one request to the next"
        yield "requests", text, of[name] + t.column
    run = "positions run on from one request to the next"
    yield (
        "requests",
        f"{run}, and begin at the cache length of the first",
        of["past of the first"] + t.column,
    )
    yield "requests", f"{run}, and begin at 0", t.column
    text = "tokens of the requests before it are counted beside a request's own cache"
    yield "requests", text, t.past + t.column


def _of_documents(t: _Tokens) -> Iterator[Rule]:
    """Rules of where the documents of a row begin."""
    if not t.part.any():
        return
    of = t.others
    first, follows = t.index == 0, t.part > 0
    run_on = "positions run on from one document to the next"
    yield "documents", f"{run_on}: no restart at the document starts", t.past + t.column
    late = "each document begins one token late: its first token is counted to the document before"
    counted = np.where(first, of["size before"], t.index - 1)
    yield "documents", late, t.past + np.where(follows, counted, t.index)
    early = "each document begins one token early: the last token before it is counted to it"
    last = (t.index == t.size - 1) & (of["followed"] > 0)
    yield "documents", early, t.past + np.where(last, 0, t.index + follows)
    for name, made in (
        ("documents after the first begin at 1", t.index + follows),
        ("each document begins one higher than the one before", t.index + t.part),
        (
            "each document begins at the number of tokens of the one before",
            t.index + of["size before"],
        ),
    ):
        yield "documents", name, t.past + made
    if (of["id"] < 0).all():
        return
    before, id = of["id before"], of["id"]
    for name, again in (
        ("an odd number", (id - before) % 2 == 1),
        ("one", np.abs(id - before) == 1),
        ("one upwards", id - before == 1),
        ("more than 0 upwards", id > before),
        ("more than 0 downwards", id < before),
        ("other than a multiple of 256", (id - before) % 256 != 0),
    ):
        new = (~follows | again) & first
        starts = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))
        text = f"a document begins only where the documents' numbers differ by {name}, and else runs on"
        yield "documents", text, np.arange(len(new)) - starts


def _of_padding(t: _Tokens) -> Iterator[Rule]:
    """Rules of which padding is counted, or taken off."""
    if not t.pads.any():
        return
    counted = t.due + t.before
    told = "left padding is counted: the tokens of padding are not taken off"
    tries: list[tuple[str, Places]] = [
        (told, counted),
        ("padding is taken off twice", t.due - t.before),
        ("padding is taken off twice, and also on the right", t.due - t.pads),
        ("padding on the right is taken off as well", t.due - (t.pads - t.before)),
    ]
    for name in ("first row's", "last row's", "largest", "smallest"):
        of = f"the {name} padding of the batch" if "row" not in name else f"the {name} padding"
        tries.append((f"{of} is taken off every row", counted - t.others[name]))
    for text, made in tries:
        yield "left-padding", text, made
        yield "left-padding", text, np.maximum(made, 0)
        off = np.unique(t.used - made)
        if len(off) == 1 and off[0]:
            yield "left-padding", f"{text}; and {_ahead(off[0])} everywhere", made + off


def _of_numbers(t: _Tokens) -> Iterator[Rule]:
    """Rules that are of the number alone: shifts, multiples, bits."""
    due = t.due
    off = np.unique(t.used - due)
    if len(off) == 1:
        text = f"offset of {_number(off[0])}: constant shift, every token {_ahead(off[0])}"
        yield "offset", text, due + off
    for bits in (8, 16):
        told = f"positions are kept in {bits} bits, and begin again from {1 << bits} on"
        yield "bits", f"{told}: modulo {1 << bits}, as of uint{bits}", due % (1 << bits)
        half = 1 << (bits - 1)
        told = f"positions are kept in {bits} bits, and are negative from {half} on"
        yield (
            "bits",
            f"{told}: modulo {1 << bits}, as of int{bits}",
            (due + half) % (2 * half) - half,
        )
    for m in _moduli(due, t.used):
        yield "limit", f"positions taken modulo {m}: they begin again at each page of {m}", due % m
        text = f"the index of a token in its request or document is taken modulo {m}"
        yield "limit", f"{text}: it begins again at each page of {m}", t.past + t.index % m
    most = int(t.used.max())
    yield "limit", f"positions from {most + 1} on taken for {most}", np.minimum(due, most)
    for times in (2, 3, 4):
        yield "stretch", f"positions multiplied by {times}", times * due
        yield "integer-positions", f"positions divided by {times} in integers", due // times
    for name, bits in _FLOATS:
        scale = np.ldexp(1.0, np.maximum(np.frexp(due.astype(float))[1] - 1 - bits, 0))
        text = f"positions are rounded to {name}"
        yield "positions-type", text, (np.rint(due / scale) * scale).astype(np.int64)


def _moduli(due: Places, used: Places) -> list[int]:
    """Numbers whose remainders all `used` may be of what is `due`."""
    off = (due - used)[due != used]
    if not len(off):
        return []
    tries = {int(np.gcd.reduce(np.abs(off))), int(used.max()) + 1}
    return [m for m in sorted(tries) if m > 1]


def _number(shift: int) -> str:
    told = {1: "one", -1: "minus one", 2: "two", -2: "minus two"}
    return told.get(int(shift), str(int(shift)))


def _ahead(shift: int) -> str:
    return f"{abs(int(shift))} {'ahead' if shift > 0 else 'behind'}"
