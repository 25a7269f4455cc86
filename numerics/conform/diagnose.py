"""Which known way to be wrong gives the very numbers that were seen.

The implementation is linear where this is asked and was given random vectors of signs, so that a
wrong explanation agrees with it at one place with probability at most one half (`conform.probe`),
and at all places of a sequence practically never.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.conform.causes import Way, ways
from ropeproof.numerics.conform.causes.way import Change
from ropeproof.numerics.conform.guess import Guess, Observation, start
from ropeproof.numerics.conform.record import NONE_KNOWN, Cause

__all__ = ["diagnose"]

_OUTLIERS = 0.02
"""The share of numbers that may lie on the other side of a rounding, where types are coarse."""
_GLANCE = 5


@dataclass(frozen=True, eq=False)
class _Candidate:
    id: str
    text: str
    families: tuple[str, ...]
    guess: Guess


def diagnose(seen: Observation, *, pairs: bool = True, likely: str | None = None) -> Cause:
    """The first known cause that explains an observation, with others that do so as well.

    Single causes are tried before pairs of them (`pairs=False` leaves those out). A cause explains
    the numbers if each is within its own rounding of what the cause predicts; where the cause is
    itself a coarse type, 2 in 100 may be off. Otherwise the id is `none known`. If causes of the id
    `likely` explain it, no others are tried.
    Cost: about a second with pairs.
    """
    right = start(seen)
    glance = _some_columns(seen)
    found = []
    if likely is not None:
        found = [c for c in _changes(right, seen, likely) if _explains(c.guess, seen, glance)]
    if not found:
        singles = list(_changes(right, seen))
        found = [c for c in singles if _explains(c.guess, seen, glance)]
    if not found and pairs:
        found = list(_first(_double(singles, seen), seen, glance))
    if not found:
        residual = _worst(right, seen)
        return Cause(id=NONE_KNOWN, text=NONE_KNOWN, residual=residual)
    best, *rest = found
    others = tuple(dict.fromkeys((c.id, c.text) for c in rest if c.text != best.text))
    text = best.text + _since(best.guess, seen)
    return Cause(id=best.id, text=text, residual=_worst(best.guess, seen), others=others)


def _changes(guess: Guess, seen: Observation, id: str | None = None) -> Iterator[_Candidate]:
    for way in (w for w in ways(seen.spec) if id in (None, w.id)):
        for text, changed in _fitting(way, guess, seen):
            yield _Candidate(way.id, text, (way.family,), changed)


def _fitting(way: Way, guess: Guess, seen: Observation) -> Iterator[Change]:
    """The changes of a guess as far as its sizes allow them."""
    with np.errstate(all="ignore"), contextlib.suppress(ValueError, IndexError):
        if guess.axis is not None and way.family == "positions":
            yield from _on_each_axis(way, guess, seen)
        else:
            yield from way.changes(guess, seen)


def _on_each_axis(way: Way, guess: Guess, seen: Observation) -> Iterator[Change]:
    """What is wrong with a position is wrong with all of its coordinates."""
    own = (replace(guess, places=c) for c in guess.coordinates)
    for changes in zip(*(way.changes(g, seen) for g in own), strict=False):
        if len({text for text, _ in changes}) == 1:
            text, changed = changes[0]
            yield text, replace(changed, coordinates=tuple(g.places for _, g in changes))


def _double(singles: list[_Candidate], seen: Observation) -> Iterator[_Candidate]:
    for one in singles:
        for way in ways(seen.spec):
            if way.family in one.families:
                continue
            for text, changed in _fitting(way, one.guess, seen):
                both = (*one.families, way.family)
                yield _Candidate(f"{one.id}+{way.id}", f"{one.text}; {text}", both, changed)


def _first(
    candidates: Iterator[_Candidate], seen: Observation, glance: NDArray[np.int64]
) -> Iterator[_Candidate]:
    for candidate in candidates:
        if _explains(candidate.guess, seen, glance):
            yield candidate
            return


def _some_columns(seen: Observation) -> NDArray[np.int64]:
    """A few places that tell most causes apart: small positions, and the last."""
    length = seen.x.shape[2]
    wanted = {1, 2, length // 3, 2 * length // 3, length - 1}
    return np.array(sorted(n for n in wanted if 0 <= n < length)[:_GLANCE] or [0])


def _explains(guess: Guess, seen: Observation, glance: NDArray[np.int64]) -> bool:
    return _agrees(guess.at(glance), seen.some(glance)) and _agrees(guess, seen)


def _agrees(guess: Guess, seen: Observation) -> bool:
    try:
        with np.errstate(all="ignore"):
            predicted = guess.apply(seen.x)
            error = np.abs(predicted - seen.out)
            near = error <= guess.tolerance(seen.dtype)
            near |= np.isnan(predicted) & np.isnan(seen.out)
    except (ValueError, IndexError):  # sizes that do not fit: not this cause
        return False
    if guess.rounds:
        return bool(np.mean(~near) <= _OUTLIERS)
    return bool(near.all())


def _worst(guess: Guess, seen: Observation) -> float:
    with np.errstate(all="ignore"):
        error = np.abs(guess.apply(seen.x) - seen.out)
    if guess.rounds:
        return float(np.nanquantile(error, 1 - _OUTLIERS))
    return float(np.nanmax(error)) if not np.isnan(error).all() else float("nan")


def _since(guess: Guess, seen: Observation) -> str:
    """From which position on a coarse type shows."""
    if not guess.rounds:
        return ""
    exact = replace(
        guess, position_type=None, frequency_type=None, angle_type=None, table_type=None
    )
    with np.errstate(all="ignore"):
        off = ~(np.abs(exact.apply(seen.x) - seen.out) <= exact.tolerance(seen.dtype))
    columns = off.any((0, 1, 3))
    ahead = np.max(guess.coordinates, 0) if guess.coordinates else guess.places
    places = np.broadcast_to(ahead[:1, 0], (1, seen.x.shape[2]))[0]
    return f" from position {int(places[columns].min())} on" if columns.any() else ""
