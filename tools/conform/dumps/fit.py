"""The position at which each token of a dump was turned, whatever the dump states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered, start

__all__ = ["PositionFit", "fitted"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_BEFORE = 256
"""Negative positions that are tried."""
_MOST = 1 << 18
_CHUNK = 1 << 13
_SAMPLE = 48
_TOKENS = 1 << 15
"""Most tokens whose position is looked for."""
_ROUNDS = 12
"""Times that tokens beside known ones, and then a sample of the others, are looked at."""
_AT_ONCE = 512
_BEST = 4
"""Positions of a token, those that fit its angles best, that are tried on all of its coordinates."""


@dataclass(frozen=True, eq=False)
class PositionFit:
    """Positions as used, `(rows, length)`, with coordinates last if the spec has axes.

    `known` says of which tokens, `(rows, length)`: at this position every head of the token is turned as it
    was seen, and at no other that was tried; of a token beside a known one that the next position fits, no
    other is tried. A token that is right where the dump states it
    has that position.
    """

    places: Places
    known: NDArray[np.bool_]


def fitted(
    seen: Observation, wrong: NDArray[np.bool_], *, context: int, guess: Guess | None = None
) -> PositionFit | None:
    """The position of each wrong token, `wrong` being `(rows, length)`; None if most have none.

    `guess` is how a vector is turned at a position, the right rotation without it. Whole numbers from
    -256, or twice the smallest stated position, to twice the largest stated position are tried, and if that
    is not enough, to the context's end.
    Where positions have coordinates, one shift of all of them is tried first, then one number for all,
    then each by itself: an axis of slow planes alone may not show which of many positions it is.
    """
    guess = start(seen) if guess is None else guess
    if guess.axis is None:
        return _fitted(seen, wrong, context, guess, "apart")
    for family in ("shift", "equal"):
        found = _fitted(seen, wrong, context, guess, family)
        if found is not None and found.known.all():
            return found
    return _fitted(seen, wrong, context, guess, "apart")


def _fitted(
    seen: Observation, wrong: NDArray[np.bool_], context: int, guess: Guess, family: str
) -> PositionFit | None:
    """The fit by one of the families that `fitted` tries."""
    rows = len(seen.x)
    stated = [np.broadcast_to(c[:, 0], (rows, c.shape[-1])) for c in _coordinates(seen)]
    places = np.stack(stated, -1).astype(np.int64)
    at = np.argwhere(wrong)[:_TOKENS]
    if not len(at) or not len(guess.pairs):
        return None
    some = at[np.unique(np.linspace(0, len(at) - 1, _SAMPLE).astype(int))]
    near = min(2 * int(places.max(initial=0)) + 2 * places.shape[1] + 1024, _MOST)
    for last in dict.fromkeys((near, min(max(near, context), _MOST))):
        found, known = _search(seen, guess, some, last, family)
        if np.count_nonzero(known) * 2 > len(some):
            break
    else:
        return None
    used, sure = places.copy(), np.asarray(~wrong)
    _keep(used, sure, some, found, known)
    left = np.argwhere(~sure)[:_TOKENS]
    for _ in range(_ROUNDS):
        _continued(seen, guess, used, sure, left, places if family == "shift" else None)
        left = left[~sure[left[:, 0], left[:, 1]]]
        if not len(left):
            break
        some = left[np.unique(np.linspace(0, len(left) - 1, _SAMPLE).astype(int))]
        found, known = _search(seen, guess, some, last, family)
        _keep(used, sure, some, found, known)
        if not known.any():
            break
    return PositionFit(used if seen.spec.axes is not None else used[..., 0], sure)


def _keep(
    used: Places, sure: NDArray[np.bool_], at: Places, found: Places, known: NDArray[np.bool_]
) -> None:
    row, column = at[known].T
    used[row, column], sure[row, column] = found[known], True


def _continued(
    seen: Observation,
    guess: Guess,
    used: Places,
    sure: NDArray[np.bool_],
    left: Places,
    stated: Places | None,
) -> None:
    """Positions that go on from the next token that is known, on either side, where these fit.

    They go on by one, or as the `stated` positions do.
    """
    for step in (-1, 1):
        near = np.arange(used.shape[1])[np.newaxis].repeat(len(used), 0)
        if step < 0:
            near = np.maximum.accumulate(np.where(sure, near, -1), 1)
        else:
            behind = np.where(sure, near, used.shape[1])
            near = np.minimum.accumulate(behind[:, ::-1], 1)[:, ::-1]
        at = left[~sure[left[:, 0], left[:, 1]]]
        if not len(at):
            return
        from_ = near[at[:, 0], at[:, 1]]
        inside = (from_ >= 0) & (from_ < used.shape[1])
        at, from_ = at[inside], from_[inside]
        places = used[at[:, 0], from_]
        if stated is None:
            places = places + (at[:, 1] - from_)[:, np.newaxis]
        else:
            places = places + stated[at[:, 0], at[:, 1]] - stated[at[:, 0], from_]
        for begin in range(0, len(at), _AT_ONCE):
            part = at[begin : begin + _AT_ONCE]
            x, out = _tokens(seen, part)
            some = places[begin : begin + _AT_ONCE]
            _keep(used, sure, part, some, _turned(seen, guess, x, out, some))


def _tokens(seen: Observation, at: Places) -> tuple[Floats, Floats]:
    """Vectors before and after of the tokens `(row, column)`, `(tokens, heads, head_dim)`."""
    return seen.x[at[:, 0], :, at[:, 1]], seen.out[at[:, 0], :, at[:, 1]]


def _coordinates(seen: Observation) -> tuple[Floats, ...]:
    return seen.coordinates if seen.spec.axes is not None else (seen.places,)


def _search(
    seen: Observation, guess: Guess, at: Places, last: int, family: str
) -> tuple[Places, NDArray[np.bool_]]:
    """Positions, `(tokens, coordinates)`, of the tokens `(row, column)`, and which are known."""
    x, out = _tokens(seen, at)
    re, im = guess.pairs[:, 0], guess.pairs[:, 1]
    with np.errstate(all="ignore"):
        turns = np.conj(x[..., re] + 1j * x[..., im]) * (out[..., re] + 1j * out[..., im])
        turns = turns.sum(1)
        turns = np.nan_to_num(turns / np.abs(turns))
    turns = turns if guess.sign_im > 0 else np.conj(turns)
    axis = np.zeros(len(re), dtype=int) if guess.axis is None else guess.axis
    count = 1 if guess.axis is None else len(guess.coordinates)
    # Where a cache is turned back the stated differences are negative, and wrong ones may be twice them.
    least = min(float(c.min(initial=0)) for c in _coordinates(seen))
    first = max(min(-_BEFORE, int(2 * least) - _BEFORE), -_MOST)
    best = np.stack(
        [
            _best(turns[:, axis == a], guess.frequencies[axis == a], first, last, _BEST)
            for a in range(count)
        ],
        -1,
    )  # (tokens, best, coordinates)
    lead = int(axis[int(np.argmax(guess.frequencies))])
    tries = [best[:, n] for n in range(best.shape[1])]
    if family != "apart":
        stated = [np.broadcast_to(c[:, 0], (len(seen.x), c.shape[-1])) for c in guess.coordinates]
        due = np.stack(stated, -1)[at[:, 0], at[:, 1]].astype(np.int64)
        beside = due - due[:, [lead]] if family == "shift" else 0 * due
        tries = [each[:, [lead]] + beside for each in tries]
    fits = np.stack([_turned(seen, guess, x, out, places) for places in tries])
    first = fits.argmax(0)
    found = np.stack(tries)[first, np.arange(len(at))]
    different = np.stack(tries)[..., lead] != found[:, lead]
    alone = ~(fits & different).any(0)
    return found, fits.any(0) & alone


def _best(
    turns: NDArray[np.complex128], thetas: Floats, first: int, last: int, count: int
) -> Places:
    """The positions whose angles are nearest to those of each token, `(tokens, count)`, best first."""
    own = np.concatenate((turns.real, turns.imag), -1).astype(np.float32)
    scores = np.full((len(own), 0), 0, dtype=np.float32)
    places = np.zeros((len(own), 0), dtype=np.int64)
    for begin in range(first, last, _CHUNK):
        tried = np.arange(begin, min(begin + _CHUNK, last))
        angles = tried[:, np.newaxis] * thetas
        rows = np.concatenate((np.cos(angles), np.sin(angles)), -1).astype(np.float32)
        found = own @ rows.T
        few = min(count, len(tried))
        top = np.argpartition(-found, few - 1, axis=1)[:, :few]
        scores = np.concatenate((scores, np.take_along_axis(found, top, 1)), 1)
        places = np.concatenate((places, tried[top]), 1)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(places, order, 1)


def _turned(
    seen: Observation, guess: Guess, x: Floats, out: Floats, places: Places
) -> NDArray[np.bool_]:
    """Whether each token is turned as at this position, within the rounding of its type."""
    one = Observation(
        x.swapaxes(0, 1)[np.newaxis],
        seen.positions,
        out.swapaxes(0, 1)[np.newaxis],
        seen.spec,
        seen.dtype,
        seen.context,
        scaled=True,
    )
    own = places.T.astype(np.float64)[:, np.newaxis, np.newaxis]  # each (1, 1, tokens)
    moved = altered(guess, places=own[0], coordinates=tuple(own) if guess.axis is not None else ())
    with np.errstate(all="ignore"):
        near = np.asarray(np.abs(moved.apply(one.x) - one.out) <= moved.tolerance_for(one))
    return np.asarray(near.all((0, 1, 3)))
