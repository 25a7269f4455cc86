"""Coordinates of text and images in one sequence, by the rule of M-RoPE (Qwen2-VL)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.producers.settings import PositionSetting, whole_given

__all__ = ["of_images"]

Places = NDArray[np.int64]
Piece = int | tuple[int, int, int]

_MERGE = 2
_IMAGE, _START = 3, 4
_TRIES: tuple[tuple[str, tuple[Piece, ...]], ...] = (
    ("text", (9,)),
    ("image", (4, (1, 8, 12), 5)),
    ("image", ((1, 4, 4), 3)),
    ("images", (3, (1, 4, 12), 2, (1, 12, 4), 6)),
)
"""Numbers of tokens of text, and images as patches in time, height and width before merging."""


def of_images(producer: Producer) -> Iterator[PositionSetting]:
    """Settings `positions.text`, `positions.image` and `positions.images`, none without `image_grid_thw`.

    Text has three equal coordinates; the patches of an image, merged 2 by 2, have its begin plus frame, row
    and column; what follows goes on behind the largest coordinate so far. One row is also padded on the left.
    """
    if not producer.takes("image_grid_thw"):
        return
    for name, pieces in _TRIES:
        for pads in (0, 3):
            yield _setting(f"positions.{name}", pieces, pads)


def _setting(name: str, pieces: Sequence[Piece], pads: int) -> PositionSetting:
    ids, due, grids = [10] * pads, [np.zeros((pads, 3), dtype=np.int64)], []
    following = 0
    for n, piece in enumerate(pieces):
        if isinstance(piece, int):
            own = following + np.arange(piece)
            due.append(np.stack([own] * 3, -1))
            text = [11 + k % 5 for k in range(piece)]
            if n + 1 < len(pieces):
                text[-1] = _START
            ids += text
        else:
            frames, rows, columns = piece[0], piece[1] // _MERGE, piece[2] // _MERGE
            grid = np.indices((frames, rows, columns)).reshape(3, -1).T
            due.append(following + grid)
            ids += [_IMAGE] * len(grid)
            grids.append(piece)
        following = int(due[-1].max()) + 1
    places = np.concatenate(due)[np.newaxis]
    tokens = np.array([ids], dtype=np.int64)
    mask = (np.arange(len(ids)) >= pads).astype(np.int64)[np.newaxis]
    given = whole_given(1, len(ids)) | {
        "input_ids": tokens,
        "attention_mask": mask,
        "mm_token_type_ids": (tokens == _IMAGE).astype(np.int64),
        "image_grid_thw": np.array(grids, dtype=np.int64) if grids else None,
        "image_token_id": _IMAGE,
        "vision_start_token_id": _START,
        "spatial_merge_size": _MERGE,
    }
    return PositionSetting(
        name, given, places, mask == 1, np.zeros(places.shape[:2], dtype=np.int64)
    )
