"""Coordinates of text and images in one sequence, by the rule of M-RoPE (Qwen2-VL), and by wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.producers.settings import PositionSetting, whole_given
from ropeproof.tools.conform.record import Cause

__all__ = ["image_rule_of", "of_images"]

Places = NDArray[np.int64]
Size = tuple[int, int, int]
Piece = int | Size

_MERGE = 2
_IMAGE, _START = 3, 4
_TRIES: tuple[tuple[str, tuple[tuple[Piece, ...], ...]], ...] = (
    ("text", ((9,),)),
    ("image", ((4, (1, 8, 12), 5),)),
    ("image", (((1, 4, 4), 3),)),
    ("images", ((3, (1, 4, 12), 2, (1, 12, 4), 6),)),
    ("image-rows", ((4, (1, 8, 12), 5), (2, (1, 12, 4), 1, (1, 12, 4), 6))),
    ("image-rows", ((4, (1, 6, 4), 5), (3, (1, 4, 6), 6))),
)
"""Of each row numbers of tokens of text, and images as patches in time, height and width before merging."""


def of_images(producer: Producer) -> Iterator[PositionSetting]:
    """Settings `positions.text`, `.image`, `.images` and `.image-rows`, none without `image_grid_thw`.

    Text has three equal coordinates; the patches of an image, merged 2 by 2, have its begin plus frame, row
    and column; what follows goes on behind the largest coordinate so far. Each is tried a second time
    with padding on the left, if the function has a mask to be told of it. The grids of a batch are
    those of its rows one after another.
    """
    if not producer.takes("image_grid_thw"):
        return
    padding = (0, 3) if producer.takes("attention_mask") else (0,)
    for name, rows in _TRIES:
        for pads in padding:
            yield _setting(f"positions.{name}", rows, pads)


def _length(row: Sequence[Piece]) -> int:
    return sum(p if isinstance(p, int) else _count(p) for p in row)


def _count(patches: Size) -> int:
    return patches[0] * (patches[1] // _MERGE) * (patches[2] // _MERGE)


def _setting(name: str, rows: Sequence[Sequence[Piece]], least: int) -> PositionSetting:
    """The setting of some rows, of which the longest has the `least` padding on its left."""
    length = max(map(_length, rows)) + least
    ids, pads = [], []
    for row in rows:
        pads.append(length - _length(row))
        own = [10] * pads[-1]
        for n, piece in enumerate(row):
            if isinstance(piece, int):
                text = [11 + k % 5 for k in range(piece)]
                if n + 1 < len(row):
                    text[-1] = _START
                own += text
            else:
                own += [_IMAGE] * _count(piece)
        ids.append(own)
    tokens = np.array(ids, dtype=np.int64)
    mask = (np.arange(length) >= np.array(pads)[:, np.newaxis]).astype(np.int64)
    grids = [piece for row in rows for piece in row if not isinstance(piece, int)]
    given = whole_given(len(rows), length) | {
        "input_ids": tokens,
        "attention_mask": mask,
        "mm_token_type_ids": (tokens == _IMAGE).astype(np.int64),
        "image_grid_thw": np.array(grids, dtype=np.int64) if grids else None,
        "image_token_id": _IMAGE,
        "vision_start_token_id": _START,
        "spatial_merge_size": _MERGE,
    }
    due = _placed(rows, pads, _RIGHT)
    groups = np.zeros(due.shape[:2], dtype=np.int64) + np.arange(len(rows))[:, np.newaxis]
    return PositionSetting(name, given, due, mask == 1, groups, pads=tuple(pads), images=rows)


@dataclass(frozen=True)
class _ImageRule:
    """How coordinates are made: of the patches of an image, of its begin, and of what follows it."""

    patches: Callable[[int, int, int], Places]
    follows: Callable[[int, int, int], int]
    begin: int = 0
    counted: tuple[int, int, int] = (1, 1, 1)
    anew: bool = False
    padding: bool = False


def _by_rows(t: int, h: int, w: int) -> Places:
    """Frame, row and column of each token, one row after another."""
    return np.indices((t, h, w)).reshape(3, -1).T


def _of_index(
    each: Callable[[Places, int, int, int], tuple[Places, Places, Places]],
) -> Callable[[int, int, int], Places]:
    """Coordinates made of the indices `i` of an image's tokens, and of the merged grid's sizes."""
    return lambda t, h, w: np.stack(each(np.arange(t * h * w), t, h, w), -1)


_RIGHT = _ImageRule(_by_rows, max)

_M = _MERGE
_PATCHES: Mapping[str, Callable[[int, int, int], Places]] = MappingProxyType(
    {
        "": _by_rows,
        "height and width are exchanged: an image's rows and columns": _of_index(
            lambda i, t, h, w: (i // (h * w), i % w, i // w % h)
        ),
        "height and width are exchanged: an image is counted column by column": _of_index(
            lambda i, t, h, w: (i // (h * w), i % h, i // h % w)
        ),
        "height and width are exchanged: those of an image's grid": _of_index(
            lambda i, t, h, w: (i // (h * w), i // h % w, i % h)
        ),
        "an image's width is not divided by the merge size": _of_index(
            lambda i, t, h, w: (i // (h * w), i // (w * _M) % (h * _M), i % (w * _M))
        ),
        "an image's height and width are multiplied by the merge size": _of_index(
            lambda i, t, h, w: (i // (h * w), i // w % h * _M, i % w * _M)
        ),
        "the time of an image's tokens runs on as of text": _of_index(
            lambda i, t, h, w: (i, i // w % h, i % w)
        ),
        "all three coordinates of an image's tokens run on as of text": _of_index(
            lambda i, t, h, w: (i, i, i)
        ),
        "an image's height runs on as of text": _of_index(
            lambda i, t, h, w: (i // (h * w), i, i % w)
        ),
        "an image's width runs on as of text": _of_index(
            lambda i, t, h, w: (i // (h * w), i // w % h, i)
        ),
        "an image's height is left out": _of_index(lambda i, t, h, w: (i // (h * w), 0 * i, i % w)),
        "an image's width is left out": _of_index(
            lambda i, t, h, w: (i // (h * w), i // w % h, 0 * i)
        ),
        "an image's tokens all have the position at which it begins": _of_index(
            lambda i, t, h, w: (0 * i, 0 * i, 0 * i)
        ),
        "an image's coordinates begin at 1": lambda t, h, w: _by_rows(t, h, w) + 1,
        "an image's rows and columns begin at 1": lambda t, h, w: (
            _by_rows(t, h, w) + np.array((0, 1, 1))
        ),
    }
)
"""Coordinates of an image's tokens, the right ones first; what is wrong with the others."""

_FOLLOWS: Mapping[str, Callable[[int, int, int], int]] = MappingProxyType(
    {
        "": max,
        "text behind an image is one behind: it goes on at its largest coordinate": lambda t, h, w: (
            max(t, h, w) - 1
        ),
        "text behind an image is one ahead": lambda t, h, w: max(t, h, w) + 1,
        "text behind an image is two ahead": lambda t, h, w: max(t, h, w) + 2,
        "text goes on behind the number of an image's tokens": lambda t, h, w: t * h * w,
        "text goes on behind the number of an image's patches, before they are merged": (
            lambda t, h, w: t * h * w * _M * _M
        ),
        "text goes on behind an image's height": lambda t, h, w: h,
        "text goes on behind an image's width": lambda t, h, w: w,
        "text goes on behind an image's time": lambda t, h, w: t,
        "text goes on behind the smaller of an image's height and width": lambda t, h, w: min(h, w),
        "text goes on behind an image's height and width added": lambda t, h, w: h + w,
        "text goes on behind an image's size before its patches are merged": (
            lambda t, h, w: max(t, h * _M, w * _M)
        ),
        "text goes on at the position at which an image before it begins": lambda t, h, w: 0,
    }
)
"""How far text behind an image is from its begin, the right number first."""

_BEGINS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "": {},
        "the grids of each row begin anew at the first of the batch": {"anew": True},
        "an image begins one ahead": {"begin": 1},
        "an image begins one behind": {"begin": -1},
        "the coordinates of an image begin at 0: text before it is not counted": {
            "counted": (0, 0, 0)
        },
        "the time of an image begins at 0: text before it is not counted": {"counted": (0, 1, 1)},
        "an image's rows and columns begin at 0: text before it is not counted": {
            "counted": (1, 0, 0)
        },
        "padding on the left is counted": {"padding": True},
    }
)
"""Where images and rows begin, and whose grids they have."""


def _placed(rows: Sequence[Sequence[Piece]], pads: Sequence[int], rule: _ImageRule) -> Places:
    """Coordinates `(rows, length, 3)` by a rule; 0 for padding."""
    grids = [piece for row in rows for piece in row if not isinstance(piece, int)]
    made, taken = [], 0
    for row, padding in zip(rows, pads, strict=True):
        parts = [np.zeros((padding, 3), dtype=np.int64)]
        following = padding if rule.padding else 0
        taken = 0 if rule.anew else taken
        for piece in row:
            if isinstance(piece, int):
                parts.append(np.repeat(following + np.arange(piece)[:, np.newaxis], 3, 1))
                following += piece
                continue
            t, h, w = grids[taken]
            taken += 1
            size = (t, h // _MERGE, w // _MERGE)
            own = rule.patches(*size)
            parts.append(own + (following + rule.begin) * np.array(rule.counted))
            following += rule.follows(*size) + rule.begin
        made.append(np.concatenate(parts))
    length = sum(pads[:1]) + _length(rows[0])
    return np.array([(m if len(m) == length else np.resize(m, (length, 3))) for m in made])


def image_rule_of(run: Sequence[tuple[PositionSetting, Places]]) -> Cause | None:
    """The cause by which a function made all coordinates of settings with images; None if none known did.

    `run` are settings with `images`, and the positions made in each, `(rows, length, 3)`. One fault of the
    patches, of the begin and of what follows an image is tried, and then two of them together.
    """
    run = [(one, used) for one, used in run if one.images and used.ndim == 3]
    if not run:
        return None
    tries = [
        ([text for text in (a, b, c) if text], _ImageRule(patches, follows, **begin))
        for a, patches in _PATCHES.items()
        for b, follows in _FOLLOWS.items()
        for c, begin in _BEGINS.items()
    ]
    found: list[str] = []
    fewest = 2
    for texts, rule in sorted(tries, key=lambda each: len(each[0])):
        if not texts or len(texts) > fewest:
            continue
        if all(
            (used == _placed(one.images, one.pads, rule))[one.counted].all() for one, used in run
        ):
            found.append("; ".join(texts))
            fewest = len(texts)
    if not found:
        return None
    others = tuple(("mrope-rule", text) for text in found[1:])
    return Cause(id="mrope-rule", text=found[0], residual=0.0, others=others)
