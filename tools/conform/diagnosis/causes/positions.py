"""Fault models: the right rotation at the wrong position."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ropeproof.theory.rotary.scaling import Linear
from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered

__all__ = ["WAYS"]


def _offset(guess: Guess, _: Observation) -> Iterator[Change]:
    for step, text in ((1, "offset of one"), (-1, "offset of minus one"), (2, "offset of two")):
        yield text, altered(guess, places=guess.places + step)
    yield (
        "offset of minus one, but position 0 kept",
        altered(guess, places=np.maximum(guess.places - 1, 0)),
    )


def _axes(guess: Guess, seen: Observation) -> Iterator[Change]:
    batch, heads, _, _ = seen.x.shape
    if heads > 1:
        index = np.arange(heads, dtype=np.float64)[np.newaxis, :, np.newaxis]
        yield "the head's number used as position", altered(guess, places=index + 0 * guess.places)
    if batch > 1:
        index = np.arange(batch, dtype=np.float64)[:, np.newaxis, np.newaxis]
        yield (
            "the row of the batch used as position",
            altered(guess, places=index + 0 * guess.places[:1]),
        )


def _flat(guess: Guess, seen: Observation) -> Iterator[Change]:
    batch, heads, length, _ = seen.x.shape
    index = np.arange(length, dtype=np.float64)
    row = np.arange(batch, dtype=np.float64)[:, np.newaxis, np.newaxis]
    head = np.arange(heads, dtype=np.float64)[np.newaxis, :, np.newaxis]
    if batch > 1:
        flat = altered(guess, places=row * length + index + 0 * head)
        yield "positions run on from one row of the batch to the next", flat
        if len(guess.places) == 1:  # where each row has positions of its own, none runs on
            text = "positions run on from one row of the batch to the next, where all have the same"
            yield text, altered(guess, places=guess.places + row * length)
    if heads > 1:
        text = "each head is turned one position further than the one before"
        yield text, altered(guess, places=guess.places + head)
        flat = altered(guess, places=index * heads + head + 0 * row)
        yield "positions count heads as well", flat
        number = (index * heads + head).astype(np.int64)[0] % length
        text = "the position is read by the number of the vector, heads counted as well, modulo the length"
        yield text, altered(guess, places=guess.places[:, 0][:, number])
        number = np.minimum(index * heads + head, length - 1).astype(np.int64)[0]
        text = "the position is read by the number of the vector, heads counted as well, up to the last"
        yield text, altered(guess, places=guess.places[:, 0][:, number])


def _index(guess: Guess, seen: Observation) -> Iterator[Change]:
    length = seen.x.shape[2]
    index = np.arange(length, dtype=np.float64)[np.newaxis, np.newaxis]
    first = guess.places[..., :1]
    yield "positions ignored: 0, 1, 2, ... used", altered(guess, places=index)
    yield (
        "only the first position read, the others counted from it",
        altered(guess, places=first + index),
    )
    yield (
        "positions counted from the first of the call",
        altered(guess, places=guess.places - first),
    )
    if guess.factor_cos != 1:  # else the same as vectors that are not rotated
        yield "position 0 throughout", altered(guess, places=0 * guess.places)
    text = "the position of the first of the call throughout"
    yield text, altered(guess, places=first + 0 * guess.places)
    last = guess.places[..., -1:]
    yield "positions counted back from the last", altered(guess, places=last - guess.places)
    before = np.concatenate((0 * first, guess.places[..., :-1]), -1)
    yield "each position one place late in the sequence", altered(guess, places=before)


def _next_rows(guess: Guess, _: Observation) -> Iterator[Change]:
    """Each vector turned by the row of the tables beside its own."""
    places = guess.places
    if places.shape[-1] < 2:
        return
    for step, name, end in ((1, "before", "first"), (-1, "behind", "last")):
        around = np.roll(places, step, -1)
        kept = around.copy()
        at = 0 if step == 1 else -1
        kept[..., at] = places[..., at]
        text = f"each vector is turned by the row {name} its own"
        far = "last" if end == "first" else "first"
        yield f"{text}, the {end} one by the {far} row", altered(guess, places=around)
        yield f"{text}, the {end} one by its own", altered(guess, places=kept)


def _transposed(guess: Guess, _: Observation) -> Iterator[Change]:
    """Tables of `(planes, length)` whose memory is read as `(length, planes)`."""
    if guess.axis is not None or guess.places.shape[-1] < 2:
        return
    m = len(guess.frequencies)
    text = "tables of (planes, length) read as (length, planes): a view, not a transpose"
    for name, times in ((text, 1), (f"{text}, of all coordinates", 2)):
        wide = np.tile(guess.frequencies, times)
        angles = guess.places[..., np.newaxis] * wide
        read = angles.swapaxes(-1, -2).reshape(angles.shape)
        own = np.arange(m)
        yield (
            name,
            altered(
                guess, frequencies=wide, turning=read, re_plane=own, im_plane=own + (times - 1) * m
            ),
        )


def _rows(guess: Guess, _: Observation) -> Iterator[Change]:
    if len(guess.places) < 2:
        return
    yield (
        "the positions of the first row used for all rows",
        altered(guess, places=guess.places[:1]),
    )
    yield (
        "the positions of the last row used for all rows",
        altered(guess, places=guess.places[-1:]),
    )


def _limit(guess: Guess, seen: Observation) -> Iterator[Change]:
    limits = {
        seen.context,
        *seen.earlier,
        65536,
        32768,
        16384,
        8192,
        4096,
        2048,
        1024,
        512,
        256,
        128,
        64,
        32,
    }
    most = float(guess.places.max(initial=0))
    for limit in sorted((n for n in limits if n <= most), reverse=True):
        at_most = altered(guess, places=np.minimum(guess.places, limit - 1))
        yield f"positions from {limit} on taken for {limit - 1}", at_most
        yield f"positions taken modulo {limit}", altered(guess, places=np.mod(guess.places, limit))
    for bits in (7, 8, 15, 16):
        wrapped = np.mod(guess.places + 2.0**bits, 2.0 ** (bits + 1)) - 2.0**bits
        yield f"positions wrap to negative numbers at {2**bits}", altered(guess, places=wrapped)


def _reversed(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "positions in reversed order", altered(guess, places=guess.places[..., ::-1])


def _integers(guess: Guess, seen: Observation) -> Iterator[Change]:
    """A position that is divided in integers, and perhaps multiplied again."""
    scale = getattr(seen.spec.scaling, "factor", None)
    scales = {2.0, 4.0, 8.0, 16.0} | ({float(scale)} if scale else set())
    for step in sorted(scales):
        floored = np.floor(guess.places / step)
        text = f"positions divided by {step:g} in integers"
        if scale and step == float(scale) and isinstance(seen.spec.scaling, Linear):
            yield f"{text} instead of exactly", altered(guess, places=floored * step)
        else:
            yield text, altered(guess, places=floored)
            yield f"{text} and multiplied again", altered(guess, places=floored * step)


def _view(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Rows of memory counted in the wrong order: a view where a transpose is needed."""
    _, heads, length, _ = seen.x.shape
    if heads > 1:
        flat = np.arange(heads)[:, np.newaxis] * length + np.arange(length)
        text = "heads and length exchanged by a view, not by a transpose"
        yield text, altered(guess, places=guess.places[:, 0][:, flat // heads])


def _centred(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Positions counted from the middle, of which code takes the negative ones for others."""
    places = guess.places
    if not (seen.positions < 0).any():  # each axis has the same changes, in the same order
        return
    yield "negative positions are taken for 0", altered(guess, places=np.maximum(places, 0))
    yield "negative positions lose their sign", altered(guess, places=np.abs(places))
    text = "positions are counted from the smallest of a call, and not from the middle"
    yield text, altered(guess, places=places - min(places.min(), 0))
    sizes = {seen.context, 2 * seen.context, *(1 << n for n in range(6, 18))}
    for size in sorted(sizes):
        text = f"negative positions are read from the end of a table of {size}"
        yield text, altered(guess, places=np.where(places < 0, places + size, places))


WAYS = (
    Way("centred", "positions", _centred),
    Way("offset", "positions", _offset),
    Way("axis", "positions", _axes),
    Way("flattened", "positions", _flat),
    Way("index", "positions", _index),
    Way("rows", "positions", _rows),
    Way("limit", "positions", _limit),
    Way("reversed", "positions", _reversed),
    Way("integer-positions", "positions", _integers),
    Way("view", "positions", _view),
    Way("next-row", "positions", _next_rows),
    Way("transposed", "tables", _transposed),
)
