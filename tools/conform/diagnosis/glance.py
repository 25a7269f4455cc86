"""Many guesses at once at a few places: those that are far off there are ruled out together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import (
    OUTLIERS,
    Guess,
    Observation,
    most_of_all,
    rounded,
)

__all__ = ["ruled_out"]

_MARGIN = 1e-6
"""By how much more than its tolerance a number must be off to count here, relative to the tolerance."""


def ruled_out(
    guesses: Sequence[Guess], seen: Observation, columns: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which guesses are wrong at these places of an observation, by its first vectors: `(guesses,)`.

    So many numbers of the first vectors are off that, at these places, the guess is wrong whatever the other
    vectors are. Not every wrong guess is ruled out, and those that read or write the heads of a token as
    coordinates are not looked at.
    """
    found = np.zeros(len(guesses), dtype=bool)
    alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, guess in enumerate(guesses):
        if not any(guess.mixed):
            alike[_kind(guess)].append(number)
    total = seen.out[:, :, columns].size
    for numbers in alike.values():
        some = _Alike([guesses[n] for n in numbers])
        try:
            with np.errstate(all="ignore"):
                off = some.numbers_off(seen, columns)
        except (ValueError, IndexError):  # sizes that do not fit: each is looked at by itself
            continue
        found[numbers] = off > (OUTLIERS * total if some.first.rounds else 0)
    return found


def _kind(guess: Guess) -> tuple[object, ...]:
    """What guesses that are computed together have in common: sizes, types, and which fields there are."""
    types = (
        guess.frequency_type, guess.position_type, guess.angle_type,
        guess.table_type, guess.vector_type, guess.result_type,
    )  # fmt: skip
    parts = (guess.turning, guess.modulus, guess.spared, guess.instead, guess.axis)
    sizes = (len(guess.frequencies), len(guess.pairs), len(guess.coordinates))
    return *sizes, guess.times, guess.backwards, *types, *(part is None for part in parts)


class _Alike:
    """Guesses of one kind, computed as `Guess.apply` and `Guess.tolerance_at_most` compute each."""

    def __init__(self, guesses: list[Guess]) -> None:
        self.guesses = guesses
        self.first = guesses[0]

    def of_all(self, field: str, *others: str) -> NDArray[Any]:
        """A field of every guess, `(guesses, 1, n)`, or the first of other fields that is not None."""
        values = [getattr(g, field) for g in self.guesses]
        for other in others:
            values = [
                getattr(g, other) if v is None else v
                for v, g in zip(values, self.guesses, strict=True)
            ]
        return np.array(values).reshape(len(self.guesses), 1, -1)

    def ordered(self, vectors: NDArray[np.float64], field: str) -> NDArray[np.float64]:
        """The vectors with their coordinates in the order that a field of each guess says."""
        orders = [getattr(g, field) for g in self.guesses]
        if all(order is None for order in orders):
            return vectors
        own = np.arange(vectors.shape[-1])
        whole = np.array([own if order is None else order for order in orders])
        return np.take_along_axis(vectors, whole[:, np.newaxis], -1)

    def numbers_off(self, seen: Observation, columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many numbers of the first vectors at these places each guess has wrong, `(guesses,)`."""
        first, out = self.first, seen.out[0, 0, columns]
        given = seen.x[0, 0, columns]
        if first.instead is None:
            before = np.broadcast_to(given, (len(self.guesses), *given.shape))
        else:
            before = np.array([g.instead[0, 0, columns] for g in self.guesses])  # type: ignore[index]
        if first.turning is None:
            thetas = rounded(self.of_all("frequencies"), first.frequency_type)
            every = self.places(columns)
            used = every[..., :1]
            if first.axis is not None:
                used = np.take_along_axis(every[..., 1:], self.of_all("axis"), -1)
            angles = rounded(used, first.position_type) * thetas
            fastest = np.abs(self.of_all("frequencies")).max(-1, keepdims=True, initial=0.0)
            most = np.abs(every).max(-1, keepdims=True) * fastest
        else:
            angles = np.array([g.turning[0, 0, columns] for g in self.guesses])  # type: ignore[index]
            most = np.abs(angles).max(-1, keepdims=True)
        predicted = self._turned(before, rounded(angles, first.angle_type))
        sizes = np.array([g.sizes(seen.dtype) for g in self.guesses])
        allowed = most_of_all(most, *sizes.T[..., np.newaxis, np.newaxis])
        near = np.abs(predicted - out) <= allowed * (1 + _MARGIN)
        near |= np.isnan(predicted) & np.isnan(out)
        return np.asarray((~near).sum((1, 2)))

    def places(self, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """The positions of each guess and their coordinates, `(guesses, places, 1 + coordinates)`."""
        every = [[c[0, 0, columns] for c in (g.places, *g.coordinates)] for g in self.guesses]
        return np.array(every).swapaxes(1, 2)

    def _turned(
        self, before: NDArray[np.float64], angles: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The vectors turned by the angles of each guess, `(guesses, places, head_dim)`."""
        first, of_all, take = self.first, self.of_all, np.take_along_axis
        if first.modulus is not None:
            angles = np.mod(angles, of_all("modulus"))
        cosines = rounded(of_all("factor_cos") * np.cos(angles), first.table_type)
        sines = rounded(of_all("factor_sin") * np.sin(angles), first.table_type)
        swapped = of_all("swapped")
        if swapped.any():
            cosines, sines = np.where(swapped, (sines, cosines), (cosines, sines))
        pairs = np.array([g.pairs for g in self.guesses])[:, np.newaxis]
        re, im = pairs[..., 0], pairs[..., 1]
        cos_re, cos_im = (
            take(cosines, of_all("re_plane"), -1),
            take(cosines, of_all("im_plane"), -1),
        )
        sin_re = take(sines, of_all("sin_plane", "re_plane"), -1)
        sin_im = take(sines, of_all("sin_plane_im", "sin_plane", "im_plane"), -1)
        spared = None if first.spared is None else of_all("spared")
        x = before
        if spared is not None and first.backwards:
            x = np.where(spared, 0.0, x)
        x = rounded(self.ordered(x, "taken"), first.vector_type)
        for _ in range(first.times):
            turned = x * of_all("rest")
            real, imaginary = take(x, re, -1), take(x, im, -1)
            new = real * cos_re + of_all("sign_re") * imaginary * sin_re
            np.put_along_axis(turned, re, new, -1)
            other = np.where(of_all("overwrites"), take(turned, re, -1), real)
            new = imaginary * cos_im + of_all("sign_im") * other * sin_im
            np.put_along_axis(turned, im, of_all("flipped") * new, -1)
            x = turned
        x = rounded(rounded(self.ordered(x, "order"), first.vector_type), first.result_type)
        if spared is not None:
            left = np.where(spared, of_all("spared_by") * before, 0.0)
            x = x + left if first.backwards else np.where(spared, left, x)
        return np.asarray(of_all("size") * x + of_all("added") * before)
