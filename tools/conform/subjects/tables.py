"""Applying an implementation's tables of cosines and sines, in its own arrays and types."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.arrays import is_torch

__all__ = ["apply_tables"]


def apply_tables(tables: Any, x: Any, spec: RopeSpec, axes: str) -> Any:
    """`x` with each plane turned by the tables, in the type of `x`.

    `tables` is the pair (cos, sin), each `(length, columns)` or with leading axes that broadcast to
    batch (three axes) or batch and heads (four). With `rotary_dim/2` columns there is one for each
    plane; with `rotary_dim` or `head_dim`, one for each coordinate in the spec's layout.

    Raises `Unsupported` for anything else.
    """
    if not isinstance(tables, tuple | list) or len(tables) != 2:
        raise Unsupported(f"a {type(tables).__name__} where the pair (cos, sin) was expected")
    if not is_torch(x):
        x, tables = np.asarray(x), tuple(np.asarray(t) for t in tables)
    order = tuple(axes.index(a) for a in "bhld" if a in axes)
    x = _moved(x, order)
    cosines, sines = (_cast(_spread(_lifted(t, axes), spec), x) for t in tables)
    partner = list(range(spec.head_dim))
    signs = np.zeros(spec.head_dim)
    for real, imaginary in spec.plane_coordinates()[: spec.rotary_planes]:
        partner[real], partner[imaginary] = imaginary, real
        signs[real], signs[imaginary] = -1.0, 1.0
    rotated = sorted(c for pair in spec.plane_coordinates()[: spec.rotary_planes] for c in pair)
    sign = _cast(signs[rotated], x)
    turned = x[..., rotated] * cosines + x[..., [partner[c] for c in rotated]] * (sign * sines)
    rest = x[..., spec.rotary_dim :]
    if is_torch(x):
        import torch

        whole: Any = torch.cat((turned, rest), -1)
    else:
        whole = np.concatenate((turned, rest), -1)
    return _moved(whole, tuple(int(n) for n in np.argsort(order)))


def _moved(array: Any, order: tuple[int, ...]) -> Any:
    return array.permute(order) if is_torch(array) else array.transpose(order)


def _cast(values: Any, like: Any) -> Any:
    if not is_torch(like):
        return np.asarray(values).astype(like.dtype)
    import torch

    # A copy: PyTorch would share the memory of an array of NumPy, whose writes no record of it sees.
    own = values if is_torch(values) else torch.tensor(values)
    return own.to(like.device, like.dtype)


def _lifted(table: Any, axes: str) -> Any:
    """The table with an axis of size 1 for each leading one of `x` that it lacks."""
    if table.ndim == 3 and "h" in axes:
        table = table[:, None]
    while table.ndim > len(axes):
        if table.shape[0] != 1:
            raise Unsupported(f"a table of shape {tuple(table.shape)} for axes {axes!r}")
        table = table[0]
    return table


def _spread(table: Any, spec: RopeSpec) -> Any:
    """One column for each rotated coordinate, in the order of the coordinates."""
    width = int(table.shape[-1])
    if width == spec.rotary_planes:
        plane: dict[int, int] = {}
        for number, pair in enumerate(spec.plane_coordinates()[:width]):
            plane |= dict.fromkeys(pair, number)
        return table[..., [plane[c] for c in range(spec.rotary_dim)]]
    if width in (spec.rotary_dim, spec.head_dim):
        return table[..., : spec.rotary_dim]
    allowed = sorted({spec.rotary_planes, spec.rotary_dim, spec.head_dim})
    raise Unsupported(f"a table with {width} columns where there are {allowed}")
