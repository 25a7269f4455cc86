"""Which of many heads is most like a given one, from inner products of their factors alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.forms.distance import check_comparable
from ropeproof.numerics.forms.forms import HeadForms, plane_groups

__all__ = ["alikeness"]

Floats = NDArray[np.float64]


def alikeness(ones: Sequence[HeadForms], others: Sequence[HeadForms]) -> Floats:
    """`alike` of `same_head` for all pairs of heads, `(ones, others)`: cosines of the angles between forms.

    The inner product of two forms of rank one is that of the queries times that of the keys, so all pairs
    cost a matrix product for each plane. To about `1e-15`; equal heads are found by it, but distances that
    are small are those of `same_head`. 0 where one of the two has no forms but zero.

    Raises `InvalidArgument` as `same_head` does.
    """
    first = ones[0]
    affine = any(head.affine for head in (*ones, *others))
    for head in (*ones[1:], *others):
        check_comparable(first, head)
    sides = []
    for heads in (ones, others):
        blocks = [(h.extended() if affine else h).blocks() for h in heads]
        sides.append([_level(head) for head in blocks])
    groups = plane_groups(first.spec)
    inner = np.zeros((len(ones), len(others)))
    squares = [np.zeros(len(ones)), np.zeros(len(others))]
    for place, group in enumerate(groups):
        weight = 1.0 if group.real else 0.5
        one, other = ([head[place] for head in side] for side in sides)
        inner += weight * _inner(one, other)
        for total, own in zip(squares, (one, other), strict=True):
            total[:] += weight * np.array([_inner([block], [block])[0, 0] for block in own])
    whole = np.sqrt(squares[0])[:, None] * np.sqrt(squares[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(whole > 0, np.clip(inner / whole, -1.0, 1.0), 0.0)
    return found


Factors = tuple[NDArray[Any], NDArray[Any]]


def _level(blocks: Sequence[Any]) -> list[Factors]:
    """The factors of one head's forms, over a power of two, so that squares do not overflow."""
    powers = []
    for block in blocks:
        sizes = [float(np.abs(side).max()) for side in (block.left, block.right)]
        empty = 0.0 in sizes
        powers.append(None if empty else tuple(int(np.frexp(size)[1]) for size in sizes))
    top = max((sum(p) for p in powers if p is not None), default=0)
    found = []
    for block, power in zip(blocks, powers, strict=True):
        if power is None:
            found.append((np.zeros_like(block.left), np.zeros_like(block.right)))
            continue
        left, right = _lifted(block.left, -power[0]), _lifted(block.right, -power[1])
        found.append((left * float(np.ldexp(1.0, max(sum(power) - top, -1074))), right))
    return found


def _lifted(rows: NDArray[Any], power: int) -> NDArray[Any]:
    half = power // 2
    found: NDArray[Any] = rows * float(np.ldexp(1.0, half)) * float(np.ldexp(1.0, power - half))
    return found


def _inner(ones: Sequence[Factors], others: Sequence[Factors]) -> Floats:
    """Real parts of the inner products of forms `left^T conj(right)`, `(ones, others)`."""
    products = []
    for side in (0, 1):
        one, other = (np.stack([pair[side] for pair in heads]) for heads in (ones, others))
        rows, columns = one.shape[1], other.shape[1]
        flat = one.reshape(-1, one.shape[-1]) @ other.reshape(-1, other.shape[-1]).conj().T
        products.append(flat.reshape(len(ones), rows, len(others), columns))
    found: Floats = (products[0] * products[1].conj()).sum((1, 3)).real
    return found
