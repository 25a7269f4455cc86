"""The positions of golden vectors: one number each, or one for each axis of the spec."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.grid import grid

__all__ = ["MOST_POSITION", "Place", "read_places"]

MOST_POSITION = 2**53 - 1
"""The last position: from there on a double does not hold every integer."""
_DENSE = 12

Place = tuple[int, ...]


def read_places(
    spec: RopeSpec, positions: Iterable[int | Sequence[int]] | None
) -> tuple[Place, ...]:
    """Check positions, and return them as distinct tuples with one coordinate per axis of the spec.

    An integer stands for equal coordinates, as text has them. None is a grid up to the spec's
    length, 4096 without one; with axes it has all coordinates equal, apart from each other, and each
    running alone. Raises `InvalidArgument`.
    """
    if positions is None:
        return tuple(dict.fromkeys(_default(spec)))
    places = tuple(_read(spec.axes, place) for place in positions)
    if not places:
        raise InvalidArgument("positions", "none", "at least one integer >= 0")
    if max(map(max, places)) > MOST_POSITION:
        raise InvalidArgument("positions", max(map(max, places)), f"integers up to {MOST_POSITION}")
    if len(set(places)) != len(places):
        twice = next(place for n, place in enumerate(places) if place in places[:n])
        told = ":".join(map(str, twice))
        raise InvalidArgument("positions", f"{told} twice", "each position once")
    return places


def _read(axes: Axes | None, place: int | Sequence[int]) -> Place:
    count = 1 if axes is None else len(axes.names)
    if not isinstance(place, Sequence | np.ndarray):
        return (read_integer("positions", place, least=0),) * count
    if len(place) != count or axes is None:
        told = "one number" if axes is None else f"{count} numbers: {', '.join(axes.names)}"
        got = ":".join(map(str, place))
        raise InvalidArgument("positions", got, f"positions of {told}")
    return tuple(read_integer("positions", coordinate, least=0) for coordinate in place)


def _default(spec: RopeSpec) -> list[Place]:
    context = max(spec.length or 4096, 2)
    line = [int(p) for p in grid(context, dense=_DENSE)]
    if spec.axes is None:
        return [(p,) for p in line]
    count = len(spec.axes.names)
    equal = [(p,) * count for p in line]
    # No axis can stand for another: the coordinates are different multiples of the position.
    apart = [tuple((2 * a + 1) * p % context + a for a in range(count)) for p in line]
    apart = [tuple(min(c, context - 1) for c in place) for place in apart]
    still = [min(2 * a + 3, context - 1) for a in range(count)]
    alone = [(*still[:a], p, *still[a + 1 :]) for a in range(count) for p in line[::4]]
    return equal + apart + alone
