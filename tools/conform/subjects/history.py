"""The calls of an implementation, and the earlier ones that a later one may be mistaken for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["KEYS", "Call", "mistaken", "of_type"]

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Call:
    """One call: its positions, the type of its vectors, and the array that its positions came in.

    `places` are as the implementation saw them, `(length,)` or `(batch, length)`, with one axis more
    where they have several coordinates. `buffer` is kept, so that no later array is in its place.
    """

    places: Places
    dtype: str
    buffer: Any

    @functools.cached_property
    def length(self) -> int:
        """The length of the sequence: one more than its last position."""
        return int(self.places.max(initial=0)) + 1


def _ends(call: Call) -> tuple[int, int]:
    flat = call.places.reshape(-1)
    return int(flat[0]), int(flat[-1])


KEYS: Mapping[str, Callable[[Call], object]] = MappingProxyType(
    {
        "its shape": lambda c: (),
        "its shape and first position": lambda c: _ends(c)[0],
        "its shape and last position": lambda c: _ends(c)[1],
        "its shape and largest position": lambda c: int(c.places.max(initial=0)),
        "its shape, first and last position": _ends,
        "its shape and sum of the positions": lambda c: int(c.places.sum()),
        "its shape and first row": lambda c: c.places[:1].tobytes() if c.places.ndim > 1 else c,
        "the buffer of its positions": lambda c: id(c.buffer),
    }
)
"""What tables may be cached under, beside the shape of the positions, without being determined by it."""


def mistaken(calls: Sequence[Call]) -> tuple[tuple[str, Places], ...]:
    """The positions of the first call with the same key as the last one, under each key of `KEYS`.

    Only where they are other positions than its own; also those of the call just before, under
    `the call before`, if that has the same shape.
    """
    if not calls:
        return ()
    own = calls[-1]
    alike = [c for c in calls if c.places.shape == own.places.shape]
    found = []
    for name, key in KEYS.items():
        due = key(own)
        found.append((name, next(c.places for c in alike if key(c) == due)))
    if len(calls) > 1 and calls[-2].places.shape == own.places.shape:
        found.append(("the call before", calls[-2].places))
    return tuple((n, p) for n, p in found if not np.array_equal(p, own.places))


def of_type(calls: Sequence[Call]) -> str | None:
    """The type of the first call that had the positions of the last one; None before any call."""
    same = (c.dtype for c in calls if np.array_equal(c.places, calls[-1].places))
    return next(same, None)
