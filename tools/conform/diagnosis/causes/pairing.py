"""Fault models: wrong pairs of coordinates, wrong signs, wrong parts of a head, no rotation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.rotary.scaling import Proportional
from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered

__all__ = ["WAYS"]


def _half(planes: int, first: int = 0) -> list[tuple[int, int]]:
    return [(first + l, first + l + planes) for l in range(planes)]


def _interleaved(planes: int, first: int = 0) -> list[tuple[int, int]]:
    return [(first + 2 * l, first + 2 * l + 1) for l in range(planes)]


def _pairs(layout: str, planes: int, first: int = 0) -> list[tuple[int, int]]:
    return (_half if layout == "half" else _interleaved)(planes, first)


def _still(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "vectors are not rotated", altered(guess, times=0)


def _layout(guess: Guess, seen: Observation) -> Iterator[Change]:
    planes, first = seen.spec.rotary_planes, seen.spec.rotary_start
    if seen.spec.layout == "interleaved":
        text = "half layout applied to interleaved weights"
        yield text, guess.with_pairs(_half(planes, first))
    else:
        text = "interleaved layout applied to weights in half layout"
        yield text, guess.with_pairs(_interleaved(planes, first))


def _arrangement(guess: Guess, seen: Observation) -> Iterator[Change]:
    m = seen.spec.rotary_planes
    own = np.arange(m)
    for layout in dict.fromkeys((seen.spec.layout, "half", "interleaved")):
        paired = guess.with_pairs(_pairs(layout, m, seen.spec.rotary_start))
        if layout == "half":
            text = "interleaved tables with half rotation"
            yield text, altered(paired, re_plane=own // 2, im_plane=(own + m) // 2)
        else:
            text = "half tables with interleaved rotation"
            yield text, altered(paired, re_plane=2 * own % m, im_plane=(2 * own + 1) % m)


def _head_pairs(guess: Guess, seen: Observation) -> Iterator[Change]:
    d, m = seen.spec.head_dim, seen.spec.rotary_planes
    if 2 * m < d:
        pairs = [(l, l + d // 2) for l in range(m)]
        yield f"coordinate l paired with l + {d // 2} instead of l + {m}", guess.with_pairs(pairs)


def _other_part(guess: Guess, seen: Observation) -> Iterator[Change]:
    d, m = seen.spec.head_dim, seen.spec.rotary_planes
    own = seen.spec.rotary_start
    ends = {0: "first", d - 2 * m: "last"}
    place = ends.get(own, f"{2 * m} from {own} on")
    # In the middle, behind as many coordinates as rotate, and behind half of the head.
    inside = {n for n in ((d - 2 * m) // 2, 2 * m, d // 2) if 0 < n < d - 2 * m}
    for first in (*ends, *sorted(inside)):
        if first != own:
            name = f"coordinates {first} to {first + 2 * m - 1}"
            name = f"the {ends[first]} {2 * m} coordinates" if first in ends else name
            text = f"{name} rotated instead of the {place}"
            yield text, guess.with_pairs(_pairs(seen.spec.layout, m, first))


def _part_and_layout(guess: Guess, seen: Observation) -> Iterator[Change]:
    other = "interleaved" if seen.spec.layout == "half" else "half"
    spec = seen.spec.changed(layout=other)
    for text, changed in _other_part(guess, replace(seen, spec=spec)):
        yield f"{text}, in {other} layout", changed


def _proportional(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Proportional RoPE implemented as partial rotary: other pairs, other exponents, or both."""
    spec = seen.spec
    if not isinstance(spec.scaling, Proportional) or not spec.scaling.turning:
        return
    k, m = spec.scaling.turning, spec.rotary_planes
    factor = float(spec.scaling.factor)
    short = float(spec.base) ** -(np.arange(k) / k) / factor
    kept = guess.frequencies[:k]
    pairs = _pairs(spec.layout, k, spec.rotary_start)
    yield (
        f"exponents over {k} planes instead of {m}",
        altered(guess, frequencies=np.concatenate((short, 0 * guess.frequencies[k:]))),
    )
    told = f"the first {2 * k} coordinates rotated among themselves"
    yield told, guess.with_pairs(pairs, kept)
    yield f"partial rotary of {2 * k} instead of proportional", guess.with_pairs(pairs, short)


def _turning(seen: Observation) -> int:
    """Half the number of coordinates from the first to the last that a call changed at all."""
    moved = np.flatnonzero((seen.out != seen.x).any((0, 1, 2)))
    return int(moved[-1] - moved[0] + 1) // 2 if len(moved) else 0


def _part(guess: Guess, seen: Observation) -> Iterator[Change]:
    spec, m = seen.spec, seen.spec.rotary_planes
    sizes = {spec.planes, 2 * m, m // 2, spec.planes // 2, spec.planes // 4, _turning(seen)}
    sizes -= {m, 0}
    for planes in sorted(n for n in sizes if n <= spec.planes):
        own = float(spec.base) ** (-np.arange(planes) / planes)
        first = min(spec.rotary_start, spec.head_dim - 2 * planes)
        pairs = _pairs(spec.layout, planes, first)
        text = f"rotary part {2 * planes} of {2 * m}"
        yield text, guess.with_pairs(pairs, own)
        yield (
            f"{text}, with frequencies of {2 * m}",
            guess.with_pairs(pairs, float(spec.base) ** (-np.arange(planes) / m)),
        )


def _part_in_layout(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Another size of the rotary part, in the other layout, as in another family of models."""
    other = "interleaved" if seen.spec.layout == "half" else "half"
    spec = seen.spec.changed(layout=other)
    for text, changed in _part(guess, replace(seen, spec=spec)):
        yield f"{text}, in {other} layout", changed


def _ordered(guess: Guess, seen: Observation, order: NDArray[np.int64]) -> Guess:
    """A guess that returns coordinates in another order.

    For an observed gradient the order is undone before the vector is rotated back.
    """
    if seen.backwards:
        return altered(guess, taken=np.argsort(order))
    return altered(guess, order=order)


def _order(guess: Guess, seen: Observation) -> Iterator[Change]:
    d, m = seen.spec.head_dim, seen.spec.rotary_planes
    first = seen.spec.rotary_start
    end = first + 2 * m
    own = (*range(first, end, 2), *range(first + 1, end, 2))
    to_half = np.array([*range(first), *own, *range(end, d)])
    back = np.argsort(to_half)
    for order, name in ((to_half, "half"), (back, "interleaved")):
        for pairs in (_half(m, first), _interleaved(m, first)):
            turned = _ordered(guess.with_pairs(pairs), seen, order)
            yield f"the result is left in {name} order", turned


def _sign(guess: Guess, seen: Observation) -> Iterator[Change]:
    turned = altered(guess, sign_re=-guess.sign_re, sign_im=-guess.sign_im, rule="sign")
    text = "gradient turned forwards" if seen.backwards else "sine with the opposite sign"
    yield text, turned


def _minus(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "no minus: both coordinates add the sine", altered(guess, sign_re=1.0, sign_im=1.0)
    yield "both coordinates subtract the sine", altered(guess, sign_re=-1.0, sign_im=-1.0)


def _parts_lost(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "the sine's part is missing", altered(guess, factor_sin=0.0)
    yield "the cosine's part is missing", altered(guess, factor_cos=0.0)


def _swapped(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "sine and cosine swapped", altered(guess, swapped=True)


def _twice(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "rotated twice", altered(guess, times=2)


def _mirrored(guess: Guess, seen: Observation) -> Iterator[Change]:
    first, m = seen.spec.rotary_start, seen.spec.rotary_planes
    pairs = [(first + l, first + 2 * m - 1 - l) for l in range(m)]
    yield "coordinate l paired with the l-th from the end", guess.with_pairs(pairs)


def _apart(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Cosines and sines arranged differently from each other."""
    m = seen.spec.rotary_planes
    own = np.arange(m)
    for text, plane in (
        ("sines in reversed order, cosines in their own", own[::-1]),
        ("sines in pairs, cosines in halves", own // 2),
    ):
        yield text, altered(guess, sin_plane=plane.copy())
    # Tables of all coordinates, one for half layout and the other for interleaved layout.
    for layout, first, second in (
        ("half", own // 2, (own + m) // 2),
        ("interleaved", 2 * own % m, (2 * own + 1) % m),
    ):
        if layout != seen.spec.layout or m < 2:
            continue
        other = "interleaved" if layout == "half" else "half"
        text = f"sines lie as for {other} layout and cosines as for {layout} layout"
        yield text, altered(guess, sin_plane=first, sin_plane_im=second)
        text = f"cosines lie as for {other} layout and sines as for {layout} layout"
        changed = altered(guess, re_plane=first, im_plane=second)
        yield text, altered(changed, sin_plane=own, sin_plane_im=own)


def _moved(guess: Guess, seen: Observation) -> Iterator[Change]:
    """The coordinates that do not rotate stand at the other end of the result."""
    d, size = seen.spec.head_dim, seen.spec.rotary_dim
    first = seen.spec.rotary_start
    if size < d:
        part = np.arange(first, first + size)
        rest = np.array([c for c in range(d) if not first <= c < first + size])
        text = "coordinates that do not rotate come {} those that do in the result"
        if first:
            order = np.concatenate((part, rest))
            yield text.format("after"), _ordered(guess, seen, order)
        else:
            order = np.concatenate((rest, part))
            yield text.format("before"), _ordered(guess, seen, order)


def _rest(guess: Guess, seen: Observation) -> Iterator[Change]:
    if seen.spec.rotary_dim < seen.spec.head_dim:
        yield "coordinates that do not rotate are returned as zeros", altered(guess, rest=0.0)
        yield "coordinates that do not rotate are doubled", altered(guess, rest=2.0)


def _reflected(guess: Guess, _: Observation) -> Iterator[Change]:
    text = "a reflection: the second coordinate of each pair has the opposite sign"
    yield text, altered(guess, flipped=-1.0)
    turn = altered(guess, sign_re=-guess.sign_re, sign_im=-guess.sign_im, flipped=-1.0)
    yield f"{text}, and so has the sine", turn


def _overwritten(guess: Guess, _: Observation) -> Iterator[Change]:
    text = "the second coordinate of a pair is made of the first one's new value"
    yield text, altered(guess, overwrites=True)


def _sizes(guess: Guess, seen: Observation) -> Iterator[Change]:
    root = seen.spec.head_dim**0.5
    yield "multiplied by the softmax scale 1/sqrt(head_dim)", altered(guess, size=1 / root)
    fourth = seen.spec.head_dim**-0.25
    yield "multiplied by the root of the softmax scale", altered(guess, size=fourth)
    yield "multiplied by sqrt(head_dim)", altered(guess, size=root)


def _added(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "the unrotated vector is added to the rotated one", altered(guess, added=1.0)


_TRIED = 64


def _spared(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Coordinates behind one are left out, as of loads that are narrower than the head."""
    first, end = seen.spec.rotary_start, seen.spec.rotary_start + 2 * seen.spec.rotary_planes
    for value, told in ((1.0, "copied, not rotated"), (0.0, "0")):
        begin = first
        if not seen.backwards:
            left = seen.out[..., :end] != value * seen.x[..., :end]
            begin = max(int(np.flatnonzero(left.any((0, 1, 2))).max(initial=-1)) + 1, first)
        tried = range(begin, end)
        for c in tried if len(tried) <= _TRIED else range(-(-begin // 8) * 8, end, 8):
            spared = (np.arange(guess.width) >= c) & (np.arange(guess.width) < end)
            whole = first == c or (seen.spec.layout == "interleaved" and (c - first) % 2 == 0)
            if whole and value:
                continue  # nothing, or a smaller rotary part: these have other names
            text = f"coordinates {c} to {end - 1} are {told}, the others are turned"
            yield text, altered(guess, spared=spared, spared_by=value, rule=text)


def _mixed(guess: Guess, seen: Observation) -> Iterator[Change]:
    """All heads of a token in one axis, taken apart with the dimension before the head."""
    if seen.x.shape[1] < 2:
        return
    text = "the numbers of a token are read as (dimension, head), not (head, dimension)"
    yield text, altered(guess, mixed=(True, True))
    text = "the numbers of a token are written as (dimension, head), not (head, dimension)"
    yield text, altered(guess, mixed=(True, False) if seen.backwards else (False, True))


def _gaps(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Vectors with gaps in memory, read with other strides than theirs."""
    for told, read in seen.readings:
        text = f"vectors with gaps in memory are read {told}"
        yield text, altered(guess, instead=read)


WAYS = (
    Way("not-rotated", "pairing", _still),
    Way("layout", "pairing", _layout),
    Way("arrangement", "pairing", _arrangement),
    Way("head-pairs", "pairing", _head_pairs),
    Way("last-part", "pairing", _other_part),
    Way("last-part+layout", "pairing", _part_and_layout),
    Way("proportional", "pairing", _proportional),
    Way("rotary-part", "pairing", _part),
    Way("rotary-part+layout", "pairing", _part_in_layout),
    Way("order", "pairing", _order),
    Way("sign", "sign", _sign),
    Way("no-minus", "sign", _minus),
    Way("half-lost", "sign", _parts_lost),
    Way("swapped", "sign", _swapped),
    Way("twice", "twice", _twice),
    Way("mirrored", "pairing", _mirrored),
    Way("table-order", "pairing", _apart),
    Way("rest-moved", "rest", _moved),
    Way("rest", "rest", _rest),
    Way("reflection", "sign", _reflected),
    Way("overwritten", "sign", _overwritten),
    Way("size", "factor", _sizes),
    Way("added", "added", _added),
    Way("spared", "pairing", _spared),
    Way("heads-mixed", "heads", _mixed),
    Way("gaps", "memory", _gaps),
)
