"""What the spec asks of a call: the spec of its length, and how far a run is from the exact rotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.formulas.conditions import Region
from ropeproof.proofs_check.programs.judging.calls import FINE, CallSetting, Setup
from ropeproof.proofs_check.programs.judging.verdict import WrongCall
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import at_length, fast_tables, switches

__all__ = ["lengths_around_a_switch", "spec_of_region", "worst_coordinate"]


def lengths_around_a_switch(spec: RopeSpec) -> list[int]:
    """The lengths about the one at which a spec changes its frequencies; none if it never does."""
    original = switches(spec)
    return [] if original is None else [original - 1, original, original + 1]


def spec_of_region(
    spec: RopeSpec, region: Region, largest: int, length: int | None
) -> tuple[RopeSpec, Region]:
    """The spec that holds for sequences of a region of positions, and the part of it for which it does.

    `largest` is the largest position of the recorded call, `length` that of all sequences, if it is given.
    """
    original = switches(spec)
    if original is None:
        return spec, region
    if length is not None:
        return at_length(spec, length), region
    from ropeproof.theory.rotary.scaling import LongRope

    if region.low == region.high or largest < original or isinstance(spec.scaling, LongRope):
        short = largest + 1 <= original
        low = region.low if short else max(region.low, original)
        high = min(region.high, original - 1) if short else region.high
        return at_length(spec, largest + 1), Region(low, high, region.others)
    return at_length(spec, largest + 1), Region(largest, largest, region.others)


def worst_coordinate(
    setup: Setup,
    setting: CallSetting,
    row: Sequence[int],
    found: Sequence[NDArray[Any]],
    told: str,
    *,
    angles: str,
    length: int | None,
) -> WrongCall | None:
    """The worst coordinate of a run that is further from the exact rotation than rounding explains.

    `row` are the positions of the call, `found` its results as arrays of numbers, `told` what the call says
    of itself, `angles` the number type in which angles may be formed, `length` that of all sequences, if it
    is given. Returns None if every coordinate is within what rounding explains.
    """
    given = dict(setup.arguments(setting, row, FINE))
    places = given.pop("p")
    largest = int(places.max())
    spec = setup.spec
    if switches(spec) is not None:
        spec = at_length(spec, length or largest + 1)
    complexes = [v.size * 2 == w.size for v, w in zip(found, given.values(), strict=False)]
    shapes: list[tuple[int, ...]] = []
    count = 2 if any(complexes) else 1
    for values in given.values():
        shape = values.shape
        shapes.append((*shape[:-1], shape[-1] // 2) if count == 2 else shape)
    layouts = setup.layouts(setting, shapes, [count == 2] * len(shapes))
    for (layout, _), (number, values) in zip(layouts, enumerate(given.values()), strict=True):
        own = found[count * number : count * number + count]
        spots = places.reshape(-1)[layout.positions]
        spots = spots if spec.axes is not None else spots[..., 0]
        tables = fast_tables(spec, spots)
        cosines, sines = tables.cosines[:, None], tables.sines[:, None]
        x = values.reshape(-1)[layout.inputs]
        pairs = np.array(spec.plane_coordinates())
        re, im = x[..., pairs[:, 0]], x[..., pairs[:, 1]]
        exact = np.empty_like(x)
        exact[..., pairs[:, 0]] = re * cosines - im * sines
        exact[..., pairs[:, 1]] = im * cosines + re * sines
        limit = np.empty_like(x)
        size = np.abs(re) + np.abs(im)
        slack = allowed(spec, spots, dtype=setting.dtype, angles=angles)[:, None]
        limit[..., pairs[:, 0]] = limit[..., pairs[:, 1]] = slack * size
        result = np.choose(layout.parts, [part[layout.outputs] for part in own])
        off = np.abs(result - exact) - limit
        if not (off <= 1e-12).all():
            worst = np.where(np.isnan(off), np.inf, off)
            batch, head, token, j = map(int, np.unravel_index(int(worst.argmax()), off.shape))
            return WrongCall(
                positions=tuple(map(int, places.reshape(-1)[: 3 * setting.length])),
                index=(batch, head, token),
                vector=None,
                coordinate=j,
                formula=None,
                expected=float(exact[batch, head, token, j]),
                observed=float(result[batch, head, token, j]),
                diagnosis=told,
            )
    return None
