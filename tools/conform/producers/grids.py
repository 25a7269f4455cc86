"""Coordinates of one image or video, counted from a corner or from the middle, and by wrong rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.record import Cause, Found

__all__ = ["of_grids"]

Places: TypeAlias = NDArray[np.int64]
Size: TypeAlias = tuple[int, int, int]

_SIZES: tuple[Size, ...] = ((1, 4, 6), (1, 5, 3), (1, 8, 7), (1, 1, 4), (3, 4, 5))
"""Frames, rows and columns: even and odd ones, and none of them square."""
_STARTS: Mapping[str, Callable[[int], int]] = MappingProxyType(
    {
        "from the corner": lambda n: 0,
        "from the middle, the larger half below 0": lambda n: n // 2 - n,
        "from the middle, the smaller half below 0": lambda n: -(n // 2),
    }
)
"""Where the rows and the columns of an image begin."""
_AXES = ("frame", "row", "column")


def of_grids(producer: Producer) -> Iterator[Found]:
    """`positions.grid`, one for each size: the coordinates of the tokens of one image or video.

    A function that takes a height and a width, and perhaps a number of frames, gives each token its
    frame, row and column, or the last two, one row after another. Lags decide: rows and columns may be
    counted from the corner or from the middle, by one rule in all sizes. What begins elsewhere is shifted
    and `warns`. None for a function that does not take both.
    """
    if not producer.takes("height", "width"):
        return
    sizes = _SIZES if producer.takes("frames") else tuple(s for s in _SIZES if s[0] == 1)
    made: dict[Size, Places] = {}
    for size in sizes:
        try:
            given = dict(zip(("frames", "height", "width"), size, strict=True))
            made[size] = _shaped(producer(given), size)
        except Unsupported as error:
            yield Found(name="positions.grid", result="unsupported", detail=str(error))
    right = {size: (_shifts(used, size) is not None) for size, used in made.items()}
    cause = None if all(right.values()) else _rule(made)
    start = _start(made) if all(right.values()) else None
    for size, used in made.items():
        told = "{} frames, {} rows, {} columns".format(*size)
        if not right[size]:
            yield Found(
                name="positions.grid",
                result="fails",
                cases=len(used),
                detail=f"{told}: {_example(used, size)}",
                cause=cause or Cause(id="positions", text=_example(used, size), residual=0.0),
            )
            continue
        how = (
            f"counted {start}"
            if start
            else "shifted otherwise in sizes that differ: lags are right"
        )
        yield Found(
            name="positions.grid",
            result="holds" if start else "warns",
            cases=len(used),
            detail=f"{told}: {how}",
        )


def _shaped(found: Places, size: Size) -> Places:
    """Coordinates `(tokens, 2 or 3)`, last or first in what was returned; raises `Unsupported`."""
    count = int(np.prod(size))
    squeezed = found.reshape([n for n in found.shape if n != 1] or [1])
    for k in (3, 2):
        if found.size == count * k:
            last = found.shape[-1:] == (k,)
            first = squeezed.shape[:1] == (k,) or found.shape[:1] == (k,)
            if last:
                return found.reshape(count, k)
            if first:
                return found.reshape(k, count).T
    raise Unsupported(
        f"returns shape {found.shape}, where 2 or 3 coordinates of {count} tokens are due"
    )


def _due(size: Size, width: int) -> Places:
    """Frame, row and column of each token from 0, or the last two, one row after another."""
    return np.indices(size).reshape(3, -1).T[:, 3 - width :].astype(np.int64)


def _shifts(used: Places, size: Size) -> Places | None:
    """By how much each coordinate is off, if that is one number in the whole grid; else None."""
    off = used - _due(size, used.shape[1])
    return off[0] if (off == off[0]).all() else None


def _start(made: Mapping[Size, Places]) -> str | None:
    """The one rule by which rows and columns begin in all sizes; frames begin at 0 or by the same."""
    for name, begin in _STARTS.items():
        if all(
            (used[0, -2:] == [begin(size[1]), begin(size[2])]).all()
            and (used.shape[1] == 2 or used[0, 0] in (0, begin(size[0])))
            for size, used in made.items()
        ):
            return name
    return None


_CHANGES: Mapping[str, Callable[[Places], Places]] = MappingProxyType(
    {
        "negative coordinates are taken for 0": lambda p: np.maximum(p, 0),
        "negative coordinates lose their sign": np.abs,
        "coordinates are divided by 2": lambda p: p // 2,
        "coordinates are multiplied by 2": lambda p: 2 * p,
    }
)
_ORDERS: Mapping[str, Callable[[int, int, int], Places]] = MappingProxyType(
    {
        "rows and columns are exchanged": lambda t, h, w: np.stack(
            [part.reshape(-1) for part in np.indices((t, h, w))[[0, 2, 1]]], -1
        ),
        "an image is counted column by column": lambda t, h, w: np.stack(
            [part.reshape(-1) for part in np.indices((t, w, h))[[0, 2, 1]]], -1
        ),
        "rows are counted with the height in the place of the width": lambda t, h, w: np.stack(
            (
                np.arange(t * h * w) // (h * w),
                np.arange(t * h * w) // h % w,
                np.arange(t * h * w) % h,
            ),
            -1,
        ),
        "rows run from the last to the first": lambda t, h, w: (
            np.indices((t, h, w)).reshape(3, -1).T * np.array((1, -1, 1)) + np.array((0, h - 1, 0))
        ),
        "columns run from the last to the first": lambda t, h, w: (
            np.indices((t, h, w)).reshape(3, -1).T * np.array((1, 1, -1)) + np.array((0, 0, w - 1))
        ),
        "tokens are counted one after another in all coordinates": lambda t, h, w: np.stack(
            3 * [np.arange(t * h * w)], -1
        ),
        "rows run on from frame to frame": lambda t, h, w: (
            np.indices((t, h, w)).reshape(3, -1).T
            + np.arange(t * h * w)[:, np.newaxis] // (h * w) * np.array((0, h, 0))
        ),
    }
)


def _rule(made: Mapping[Size, Places]) -> Cause | None:
    """The known rule that gives the coordinates of all sizes; None if none does."""
    for begins, begin in _STARTS.items():
        for text, change in _CHANGES.items():
            for which in ((1, 2), (1,), (2,)):
                if all(
                    (used == _changed(size, used.shape[1], begin, change, which)).all()
                    for size, used in made.items()
                ):
                    told = "" if which == (1, 2) else f" of {_AXES[which[0]]}s alone"
                    return Cause(id="grid", text=f"{text}{told}: counted {begins}", residual=0.0)
    for text, order in _ORDERS.items():
        found = {size: used - order(*size)[:, 3 - used.shape[1] :] for size, used in made.items()}
        if all((off == off[0]).all() for off in found.values()):
            return Cause(id="grid", text=text, residual=0.0)
    return None


def _changed(
    size: Size,
    width: int,
    begin: Callable[[int], int],
    change: Callable[[Places], Places],
    which: tuple[int, ...],
) -> Places:
    places = _due(size, 3) + np.array([0, begin(size[1]), begin(size[2])])
    for axis in which:
        places[:, axis] = change(places[:, axis])
    return np.asarray(places[:, 3 - width :])


def _example(used: Places, size: Size) -> str:
    """What is seen, in words: the first token whose lag to the first is wrong."""
    due = _due(size, used.shape[1])
    wrong = int(np.argwhere(((used - used[0]) != (due - due[0])).any(-1))[0, 0])
    names = ", ".join(_AXES[3 - used.shape[1] :])
    lag, seen = (", ".join(map(str, p[wrong] - p[0])) for p in (due, used))
    return f"token {wrong} is {seen} ahead of the first ({names}), where {lag} is due"
