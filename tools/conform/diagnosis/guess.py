"""A model of an implementation that may have any of the known faults.

A `Guess` with the values it starts from is the rotation of the spec. Each fault model is
another value of one or two of its fields, so that two of them can be tried together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.budget import UNITS, unit

__all__ = ["OUTLIERS", "Guess", "Observation", "altered", "most_of_all", "rounded", "start"]

Floats = NDArray[np.float64]
OUTLIERS = 0.02
"""The share of numbers that may lie on the other side of a rounding, where types are coarse."""
_FREQUENCY_UNITS = 60.0
_UNITS = 20.0


@dataclass(frozen=True, eq=False)
class Observation:
    """One call of an implementation: vectors with entries of size 1, and its results.

    `x` and `out` are `(batch, heads, length, head_dim)`; `positions` is `(length,)` or `(batch,
    length)`, with one axis more if the spec has axes; `spec` is at the length of this sequence;
    `backwards` says that `out` is a gradient, which turns the other way. `test` is the test that made
    it, `failed` says whether a number was off there, `keys` whether these are the keys of a pair, and
    `slack` is what a right one may be off by, as `out` in shape. `vectors` is how many places the call
    had where these are only its first ones. `bases` and `stretches`, once they are read off one
    observation, are the only ones tried in the others. `stale` are the positions of earlier calls that
    this one may be taken for, each with what tables would be cached under (`history.mistaken`), and
    `first_type` is the type of the first call with the same positions. `lengths` are those of all
    calls so far, this one last. With `scaled` the entries are not all of size 1, but at most 1, as vectors of
    a dump are. `beside` is the number of heads of the other vectors of a pair, where it is another one, and
    `order` that of the axes in memory. `readings` are, of vectors with gaps in memory, what code sees
    that takes other strides than theirs: how it takes them, in words, and the vectors, as `x` in shape.
    """

    x: Floats
    positions: NDArray[np.int64]
    out: Floats
    spec: RopeSpec
    dtype: str
    context: int
    backwards: bool = False
    test: str = ""
    failed: bool = True
    keys: bool = False
    slack: Floats | None = None
    vectors: int | None = None
    bases: tuple[float, ...] | None = None
    stretches: tuple[float, ...] | None = None
    stale: tuple[tuple[str, NDArray[np.int64]], ...] = ()
    first_type: str | None = None
    lengths: tuple[int, ...] = ()
    scaled: bool = False
    beside: int | None = None
    order: str = ""
    readings: tuple[tuple[str, Floats], ...] = ()

    @property
    def earlier(self) -> tuple[int, ...]:
        """The lengths of the sequences that the implementation has seen before, in their order."""
        return self.lengths[:-1]

    @property
    def own_length(self) -> int:
        """The length of this sequence: one more than its last position."""
        return self.vectors or int(self.positions.max(initial=0)) + 1

    @property
    def places(self) -> Floats:
        """The positions as `(batch or 1, 1, length)`."""
        return self.coordinates[0]

    @property
    def coordinates(self) -> tuple[Floats, ...]:
        """The coordinates of the positions, each as `(batch or 1, 1, length)`."""
        return self.coordinates_of(self.positions)

    def coordinates_of(self, positions: NDArray[np.int64]) -> tuple[Floats, ...]:
        """Positions of the same shape as this observation's, in the form of `coordinates`."""
        places = positions.astype(np.float64)
        if self.spec.axes is None:
            return (np.atleast_2d(places)[:, np.newaxis, :],)
        rows = places if places.ndim == 3 else places[np.newaxis]
        return tuple(rows[:, np.newaxis, :, a] for a in range(rows.shape[-1]))

    def some(self, columns: NDArray[np.int64]) -> Observation:
        """The observation at some of the places of the sequence."""
        return replace(
            self,
            x=self.x[:, :, columns],
            out=self.out[:, :, columns],
            slack=None if self.slack is None else self.slack[:, :, columns],
            readings=tuple((told, read[:, :, columns]) for told, read in self.readings),
            positions=self.positions[..., columns]
            if self.spec.axes is None
            else self.positions[..., columns, :],
        )


@dataclass(frozen=True, eq=False)
class Guess:
    """A rotation with possible faults: `(re, im) -> (c re + s_re sin im, c im + s_im sin re)` per pair.

    `width` is the head dimension, `frequencies` are those of the pairs, `re_plane` and `im_plane` say
    whose table each coordinate of a pair reads, `places` are the positions as used (where they have
    several coordinates, those are `coordinates`, and `axis` says which of them each plane reads), and
    the types are those to which frequencies, positions, angles, tables and vectors are rounded, None
    for none. `order` is that of the coordinates of the result, and `taken` that in which those of the
    vector are taken: the gradient of another order. `sin_plane` has the sines arranged otherwise than
    the cosines, `sin_plane_im` those of the second coordinates if these have an order of their
    own; with `overwrites` the imaginary part is made of the new real part; the result is `size`
    times the turned vector, and `added` times the unturned one; `flipped` is the sign of the imaginary
    part of the result. `rule` tells a change from others of its way where its text says what holds in
    one sequence alone, and `fitted` is the number that was read off the results, if there is one.
    `turning` are the angles themselves, `(batch or 1, heads or 1, length, planes)`, where they are no
    product of a position and a frequency. `result_type` is a type to which the result alone is rounded.
    `spared` says of each coordinate of the result whether it is left out of the rotation, and is
    `spared_by` times that of the vector; with `backwards` that is so of the gradient. `mixed` says
    whether the vector is read, and whether the result is written, with the heads of a token as the
    last axis instead of the coordinates. `instead` are vectors turned in the place of the given ones.
    """

    width: int
    pairs: NDArray[np.int64]
    frequencies: Floats
    places: Floats
    re_plane: NDArray[np.int64]
    im_plane: NDArray[np.int64]
    sign_re: float = -1.0
    sign_im: float = 1.0
    factor_cos: float = 1.0
    factor_sin: float = 1.0
    rest: float = 1.0
    swapped: bool = False
    times: int = 1
    order: NDArray[np.int64] | None = None
    taken: NDArray[np.int64] | None = None
    frequency_type: str | None = None
    position_type: str | None = None
    angle_type: str | None = None
    table_type: str | None = None
    modulus: float | None = None
    coordinates: tuple[Floats, ...] = ()
    axis: NDArray[np.int64] | None = None
    sin_plane: NDArray[np.int64] | None = None
    sin_plane_im: NDArray[np.int64] | None = None
    overwrites: bool = False
    added: float = 0.0
    size: float = 1.0
    flipped: float = 1.0
    vector_type: str | None = None
    rule: str = ""
    fitted: float | None = None
    turning: Floats | None = None
    result_type: str | None = None
    spared: NDArray[np.bool_] | None = None
    spared_by: float = 1.0
    backwards: bool = False
    mixed: tuple[bool, bool] = (False, False)
    instead: Floats | None = None

    @property
    def rounds(self) -> bool:
        """Whether a type other than float32 and float64 takes part."""
        types = (self.frequency_type, self.position_type, self.angle_type, self.table_type)
        return any(types) or bool(self.vector_type or self.result_type)

    def at(self, columns: NDArray[np.int64]) -> Guess:
        """The guess restricted to some places of the sequence."""
        others = tuple(c[..., columns] for c in self.coordinates)
        turning = None if self.turning is None else self.turning[..., columns, :]
        moved = altered(self, places=self.places[..., columns], coordinates=others, turning=turning)
        return (
            moved if self.instead is None else altered(moved, instead=self.instead[:, :, columns])
        )

    def used(self, dtype: str | None = None) -> Floats:
        """The position that turns each plane, as rounded, `(batch or 1, heads or 1, length, planes)`."""
        if self.axis is None:
            return rounded(self.places, dtype)[..., np.newaxis]
        every = np.stack(np.broadcast_arrays(*self.coordinates), -1)
        return rounded(every, dtype)[..., self.axis]

    def with_pairs(self, pairs: Any, frequencies: Floats | None = None) -> Guess:
        """The guess with other pairs of coordinates, each with a plane of its own."""
        pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        own = np.arange(len(pairs))
        frequencies = self.frequencies if frequencies is None else frequencies
        return altered(self, pairs=pairs, frequencies=frequencies, re_plane=own, im_plane=own)

    def tables(self) -> tuple[Floats, Floats]:
        """Cosines and sines with their factors, `(batch or 1, heads or 1, length, planes)`."""
        thetas = rounded(self.frequencies, self.frequency_type)
        product = self.used(self.position_type) * thetas if self.turning is None else self.turning
        angles = rounded(product, self.angle_type)
        if self.modulus is not None:
            angles = np.mod(angles, self.modulus)
        cosines = rounded(self.factor_cos * np.cos(angles), self.table_type)
        sines = rounded(self.factor_sin * np.sin(angles), self.table_type)
        return (sines, cosines) if self.swapped else (cosines, sines)

    def apply(self, x: Floats) -> Floats:
        """The vectors `x`, `(batch, heads, length, head_dim)`, as this guess rotates them."""
        cosines, sines = self.tables()
        re, im = self.pairs[:, 0], self.pairs[:, 1]
        sin_re = self.re_plane if self.sin_plane is None else self.sin_plane
        sin_im = self.im_plane if self.sin_plane is None else self.sin_plane
        sin_im = sin_im if self.sin_plane_im is None else self.sin_plane_im
        x = before = x if self.instead is None else self.instead
        x = _heads_last(x) if self.mixed[0] else x
        if self.spared is not None and self.backwards:
            x = np.where(self.spared, 0.0, x)
        x = rounded(x if self.taken is None else x[..., self.taken], self.vector_type)
        for _ in range(self.times):
            out = x * self.rest
            real, imaginary = x[..., re], x[..., im]
            out[..., re] = (
                real * cosines[..., self.re_plane] + self.sign_re * imaginary * sines[..., sin_re]
            )
            other = out[..., re] if self.overwrites else real
            out[..., im] = self.flipped * (
                imaginary * cosines[..., self.im_plane] + self.sign_im * other * sines[..., sin_im]
            )
            x = out
        x = x if self.order is None else x[..., self.order]
        x = rounded(rounded(x, self.vector_type), self.result_type)
        if self.spared is not None:
            left = np.where(self.spared, self.spared_by * before, 0.0)
            x = x + left if self.backwards else np.where(self.spared, left, x)
        x = _heads_first(x) if self.mixed[1] else x
        return x if self.size == 1 and not self.added else self.size * x + self.added * before

    def tolerance_for(self, seen: Observation) -> Floats:
        """The most that rounding adds to each coordinate of the results for what was observed."""
        found = self.tolerance(seen.dtype)
        if not seen.scaled:
            return found
        # It is that of pairs of entries of size 1, and in proportion for others.
        size = np.abs(seen.x if self.taken is None else seen.x[..., self.taken])
        re, im = self.pairs[:, 0], self.pairs[:, 1]
        both = (size[..., re] + size[..., im]) / 2
        size[..., re], size[..., im] = both, both
        own = size if self.order is None else size[..., self.order]
        if any(self.mixed):
            own = np.broadcast_to(own.max((1, 3), keepdims=True), own.shape)
        return found * (np.maximum(own, np.abs(seen.x)) if self.added else own)

    def tolerance(self, dtype: str) -> Floats:
        """The most that rounding adds for entries of size 1, shaped as `apply` or broadcasting."""
        least, most = self.sizes(dtype)
        turned = np.abs(self.used() * self.frequencies if self.turning is None else self.turning)
        # A correct implementation's own units (`allowed`): three of each unit of the exponent.
        with np.errstate(all="ignore"):
            steps = np.nan_to_num(np.abs(np.log(np.abs(self.frequencies))), posinf=0.0)
        units = np.minimum(_FREQUENCY_UNITS, _UNITS + 3 * steps)
        angle = np.minimum(1.0, turned * units * UNITS["float32"])
        result = np.full((*self.places.shape, self.width), least)
        angles = most * angle
        result[..., self.pairs[:, 0]] += angles[..., self.re_plane]
        result[..., self.pairs[:, 1]] += angles[..., self.im_plane]
        if any(self.mixed):
            result[...] = result.max(-1, keepdims=True)
        return result if self.order is None else result[..., self.order]

    def tolerance_at_most(self, dtype: str) -> Floats:
        """A bound on `tolerance` for each place, `(batch or 1, heads or 1, length, 1)`, which costs less.

        As if every plane turned by the fastest frequency and had the largest error of a frequency; a
        coordinate that stands in two pairs has twice the error of one.
        """
        least, most = self.sizes(dtype)
        places = np.abs(self.places)
        for other in self.coordinates:
            places = np.maximum(places, np.abs(other))
        fastest = np.abs(self.frequencies).max(initial=0.0)
        angles = places * fastest if self.turning is None else np.abs(self.turning).max(-1)
        return np.asarray(most_of_all(angles, least, most))[..., np.newaxis]

    def sizes(self, dtype: str) -> tuple[float, float]:
        """The most that rounding adds at an exact angle, and what an angle off by 1 radian adds."""
        own = max(unit(dtype), UNITS["float32"])
        size = max(abs(self.factor_cos), abs(self.factor_sin), 1.0)
        size = size * max(abs(self.size), 1.0) + abs(self.added)
        return 2 * size * self.times * ((1 + own) ** 6 - 1), 2 * size * self.times


def most_of_all(angles: Floats, least: Any, most: Any) -> Floats:
    """The tolerance where every plane turns by these angles; the sizes are those of `Guess.sizes`."""
    angle = np.minimum(1.0, angles * (_FREQUENCY_UNITS * UNITS["float32"]))
    return np.asarray(least + 2 * most * angle * (1 + 1e-9))


def _heads_last(x: Floats) -> Floats:
    """Vectors of tokens whose numbers are read as if the heads were their last axis."""
    batch, heads, length, width = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, width, heads).transpose(0, 3, 1, 2)


def _heads_first(x: Floats) -> Floats:
    """Undo `_heads_last`."""
    batch, heads, length, width = x.shape
    return x.transpose(0, 2, 3, 1).reshape(batch, length, heads, width).swapaxes(1, 2)


def altered(guess: Guess, **fields: Any) -> Guess:
    """The guess with other values of some fields: `dataclasses.replace` at a tenth of its cost.

    A diagnosis alters guesses tens of thousands of times, and a guess checks nothing when it is made.
    """
    if unknown := fields.keys() - vars(guess).keys():
        raise TypeError(f"a guess has no field {', '.join(sorted(unknown))}")
    other = object.__new__(Guess)
    other.__dict__.update(vars(guess), **fields)
    return other


def start(seen: Observation) -> Guess:
    """The guess of a right implementation for what was observed."""
    spec = seen.spec
    rotated = spec.rotary_planes
    own = np.arange(rotated)
    factor = attention_factor_float64(spec)
    turn = -1.0 if seen.backwards else 1.0
    return Guess(
        width=spec.head_dim,
        pairs=np.array(spec.plane_coordinates()[:rotated], dtype=np.int64).reshape(-1, 2),
        frequencies=frequencies_float64(spec)[:rotated],
        places=seen.places,
        coordinates=seen.coordinates if spec.axes is not None else (),
        axis=None if spec.axes is None else np.array(spec.axes.planes),
        re_plane=own,
        im_plane=own,
        sign_re=-turn,
        sign_im=turn,
        factor_cos=factor,
        factor_sin=factor,
        backwards=seen.backwards,
    )


def rounded(values: Floats, dtype: str | None) -> Floats:
    """The values rounded to a type by way of float32, as tables are made.

    `tf32` is the type to which a product of matrices may round float32: its range, ten bits of fraction.
    """
    if dtype is None:
        return values
    if dtype == "int64":
        return np.trunc(values)
    single = values.astype(np.float32)
    if dtype == "float32":
        return single.astype(np.float64)
    dropped = {"bfloat16": 16, "tf32": 13}.get(dtype)  # bits of float32's fraction
    if dtype == "float16":
        with np.errstate(over="ignore"):
            return single.astype(np.float16).astype(np.float64)
    assert dropped is not None
    bits = single.view(np.uint32).astype(np.uint64)
    below, last = np.uint64((1 << dropped) - 1), (bits >> np.uint64(dropped)) & np.uint64(1)
    nearest = (bits + (below >> np.uint64(1)) + last) & (np.uint64(0xFFFFFFFF) ^ below)
    return nearest.astype(np.uint32).view(np.float32).astype(np.float64)
