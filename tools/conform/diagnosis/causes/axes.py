"""Fault models: planes that read a wrong coordinate of a position; a rotation where none is due."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered

__all__ = ["STILL", "WAYS"]

_WORDS = {True: "interleaved", False: "in blocks"}


def _sizes(axes: Axes) -> tuple[int, ...]:
    return tuple(axes.planes.count(a) for a in range(len(axes.names)))


def _with(guess: Guess, planes: object) -> Guess:
    return altered(guess, axis=np.asarray(planes))


def _order(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Each plane reads another coordinate: the axes were taken in another order."""
    axes = seen.spec.axes
    assert axes is not None
    for order in itertools.permutations(range(len(axes.names))):
        if order != tuple(range(len(order))):
            read = ", ".join(axes.names[a] for a in order)
            text = f"axes in the order {read} instead of {', '.join(axes.names)}"
            yield text, _with(guess, [order[a] for a in axes.planes])


def _one(guess: Guess, seen: Observation) -> Iterator[Change]:
    axes = seen.spec.axes
    assert axes is not None
    for a, name in enumerate(axes.names):
        yield f"every plane turned by the {name}", _with(guess, [a] * len(axes.planes))


def _sections(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Other sections: their sizes in another order, or dealt out in the other way."""
    axes = seen.spec.axes
    assert axes is not None
    if not axes.of_text:
        return
    sizes = _sizes(axes)
    woven = axes.planes != Axes.sections(sizes, names=axes.names).planes
    told = ", ".join(map(str, sizes))
    for order in dict.fromkeys(itertools.permutations(sizes)):
        if order != sizes:
            text = f"sections of {', '.join(map(str, order))} planes instead of {told}"
            yield text, _with(guess, _dealt_out(order, interleaved=woven))


def _dealt(guess: Guess, seen: Observation) -> Iterator[Change]:
    axes = seen.spec.axes
    assert axes is not None
    if axes.of_text:
        sizes = _sizes(axes)
        woven = axes.planes != Axes.sections(sizes, names=axes.names).planes
        made = _dealt_out(sizes, interleaved=not woven)
        if made != axes.planes:
            text = f"sections {_WORDS[not woven]} instead of {_WORDS[woven]}"
            yield text, _with(guess, made)
        turns = _in_turn(sizes)
        if turns not in (axes.planes, made):
            text = "sections dealt out in turn, each until its planes are used up, instead of "
            text += _WORDS[woven]
            yield text, _with(guess, turns)
        return
    n = len(axes.names)
    alternate = [l % n for l in range(len(axes.planes))]
    own = float(seen.spec.base) ** -(np.arange(len(alternate)) // n * n / len(alternate))
    text = "planes that alternate between the axes instead of blocks"
    yield text, altered(_with(guess, alternate), frequencies=own)


def _dealt_out(sizes: tuple[int, ...], *, interleaved: bool) -> tuple[int, ...]:
    """The axis of each plane; sections too large to interleave are cut, as a slice of a table is."""
    if not interleaved:
        return tuple(a for a, size in enumerate(sizes) for _ in range(size))
    n, planes = len(sizes), [0] * sum(sizes)
    for a in range(1, n):
        for plane in range(a, min(n * sizes[a], len(planes)), n):
            planes[plane] = a
    return tuple(planes)


def _in_turn(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The axis of each plane if one after another is dealt a plane, as long as it has any left."""
    left, planes = list(sizes), []
    while any(left):
        for a, n in enumerate(left):
            if n:
                planes.append(a)
                left[a] -= 1
    return tuple(planes)


def _coordinates(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Sections of twice the size, split over the coordinates of a table made for half layout."""
    axes = seen.spec.axes
    assert axes is not None
    if not axes.of_text or seen.spec.layout != "half":
        return
    sizes, m = _sizes(axes), len(axes.planes)
    doubled = [a for a, size in enumerate(sizes) for _ in range(2 * size)]
    own = np.arange(m)
    text = (
        f"sections of {', '.join(str(2 * s) for s in sizes)} coordinates instead of "
        f"{', '.join(map(str, sizes))} planes"
    )
    wide = altered(guess, frequencies=np.tile(guess.frequencies, 2), re_plane=own, im_plane=own + m)
    yield text, _with(wide, doubled)
    # Sections as they are, split over the coordinates: they cover the first half of them only.
    short = [a for a, size in enumerate(sizes) for _ in range(size)] + [0] * m
    text = f"sections of {', '.join(map(str, sizes))} coordinates, the others {axes.names[0]}"
    yield text, _with(wide, short)


def _begun_anew(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Sections each with a sequence of frequencies of its own; sections of a doubled size, cut off."""
    axes, base = seen.spec.axes, float(seen.spec.base)
    assert axes is not None
    if not axes.of_text:
        return
    sizes, m = _sizes(axes), len(axes.planes)
    if axes.planes == tuple(a for a, size in enumerate(sizes) for _ in range(size)):
        own = np.concatenate([np.arange(size) / size for size in sizes if size])
        text = "the frequencies of each section begin anew"
        yield text, altered(guess, frequencies=base**-own)
    doubled = [a for a, size in enumerate(sizes) for _ in range(2 * size)][:m]
    told = ", ".join(str(2 * size) for size in sizes)
    yield f"sections of {told} planes, cut off at {m}", _with(guess, doubled)


def _frequencies(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Axes that share one sequence of frequencies where each should have its own, or the reverse."""
    spec, axes = seen.spec, seen.spec.axes
    assert axes is not None
    if axes.of_text:
        own = Axes.grid(len(axes.planes), names=axes.names) if _even(axes) else None
        others = [("each axis has frequencies of its own", own)] if own is not None else []
    else:
        m = len(axes.planes)
        others = [
            ("each axis has frequencies of its own", Axes.grid(m, names=axes.names)),
            ("frequencies dealt to the axes", Axes.grid(m, dealt=True, names=axes.names)),
        ]
    for text, other in others:
        if other is not None and other.exponents != axes.exponents:
            powers = np.array([float(e) for e in other.exponents])
            changed = altered(guess, frequencies=float(spec.base) ** -powers)
            yield text, changed
    falling = np.arange(len(axes.planes)) / len(axes.planes)
    if not axes.of_text:
        text = "one sequence of frequencies over the planes of all axes"
        yield text, altered(guess, frequencies=float(spec.base) ** -falling)


def _even(axes: Axes) -> bool:
    return len(axes.planes) % len(axes.names) == 0


def _rotated(guess: Guess, seen: Observation) -> Iterator[Change]:
    """A layer that should not rotate is rotated, as other layers of its model may be."""
    spec = seen.spec
    for layout in ("half", "interleaved"):
        for rotary_dim in dict.fromkeys((spec.head_dim, spec.head_dim // 4 * 2)):
            if not rotary_dim:
                continue
            other = RopeSpec(spec.head_dim, spec.base, rotary_dim=rotary_dim, layout=layout)
            pairs = other.plane_coordinates()[: other.rotary_planes]
            powers = np.arange(other.rotary_planes) / other.rotary_planes
            text = f"rotated with base {float(spec.base):.10g} in {layout} layout"
            text += "" if rotary_dim == spec.head_dim else f", {rotary_dim} coordinates"
            told = f"{text}, where nothing is to rotate"
            yield told, guess.with_pairs(pairs, float(spec.base) ** -powers)


WAYS = (
    Way("axes-order", "axes", _order),
    Way("sections-order", "axes", _sections),
    Way("sections-arrangement", "axes", _dealt),
    Way("sections-coordinates", "axes", _coordinates),
    Way("axis-frequencies", "axis-frequencies", _frequencies),
    Way("sections-anew", "axes", _begun_anew),
    Way("one-axis", "axes", _one),
)
"""Fault models of specs with axes."""

STILL = (Way("rotated", "pairing", _rotated),)
"""Fault models of a layer without RoPE, which can have no other."""
