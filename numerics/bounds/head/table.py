r"""The logit of every content at every position: `a[k, p] = L(x_n, n, x_k, p)`.

The query stays at its row, `1 <= k, p <= n - 1` are the earlier positions. By `rope.relative` a
logit is `s Re sum_l q_l conj(k_l) e^(i theta_l (n - p))`: contents and positions factor, and the
whole table is the real part of one complex matrix product, `(contents x planes) (planes x
positions)`. A head is positional on this input if no column varies, symbolic if no row does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.numerics.bounds.head.arrays import broadcast, finite_tensor, like, positive
from ropeproof.numerics.bounds.head.rotation import Rotation, row_tables
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["ContentTable", "content_table", "read_pair", "read_scale"]


@dataclass(frozen=True, eq=False)
class ContentTable:
    """The logits of one query, NumPy arrays or torch tensors of float64.

    - `values`: `(..., n - 1, n - 1)`, entry `(k, p)` of content `k` at position `p`;
    - `own`: `(...)`, the query's logit of its own position, which no swap moves.
    """

    values: Any
    own: Any

    def __post_init__(self) -> None:
        values, own = finite_tensor("values", self.values), finite_tensor("own", self.own)
        shape = tuple(values.shape)
        if len(shape) < 2 or shape[-1] != shape[-2] or shape[-1] < 1:
            raise InvalidArgument("values", f"shape {shape}", "shape (..., n - 1, n - 1), n >= 2")
        if tuple(own.shape) != shape[:-2]:
            raise InvalidArgument("own", f"shape {tuple(own.shape)}", f"shape {shape[:-2]}")


def content_table(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    row: int | None = None,
    scale: float | None = None,
    soft_cap: float | None = None,
    planes: bool = False,
) -> ContentTable:
    """The logit of every content at every position for the query at `row`, in float64.

    `row` is by default the last position. `queries` and `keys` are unrotated, `(..., length, head_dim)`,
    NumPy arrays or torch tensors, the leading axes broadcast. `scale` is `s`, by default
    `1/sqrt(head_dim)`. With a `soft_cap` of `c` logits every logit `w` becomes `c tanh(w/c)`. With `planes`
    there is one table per plane, `(..., planes, row, row)`, that of the plane as a head of its own: without
    a cap they sum to the table.

    >>> import numpy as np
    >>> ones = np.ones((3, 2))
    >>> content_table(ones, ones, RopeSpec(2, 10000), scale=1).values.shape
    (2, 2)

    Claim `head.score-table`. Cost: `row^2 head_dim` multiplications per head.
    Raises `InvalidArgument` on shapes, types or values that do not fit, and if logits overflow.
    """
    q, k, leading = read_pair(queries, keys, spec)
    length = q.shape[-2]
    place = length - 1 if row is None else read_integer("row", row, least=1)
    if not 1 <= place < length:
        raise InvalidArgument("row", row, f"a position from 1 to {length - 1}")
    factor = read_scale(scale, spec)
    cap = None if soft_cap is None else positive("soft_cap", soft_cap)
    rotation = Rotation.of(spec, length, q.device)
    q, k = q[..., place, :].double(), k[..., : place + 1, :].double()
    if planes:
        pairs = zip(rotation.real, rotation.imaginary, strict=True)
        each = [
            row_tables(
                q[..., list(pair)],
                k[..., list(pair)],
                rotation.plane(number),
                place,
                scale=factor,
                soft_cap=cap,
            )
            for number, pair in enumerate(pairs)
        ]
        whole = _stack(each)
        leading = (*leading, rotation.planes)
    else:
        whole = row_tables(q, k, rotation, place, scale=factor, soft_cap=cap)
    check_logits(whole)
    whole = whole.expand(*leading, place + 1, place + 1)
    values, own = whole[..., :place, :place], whole[..., place, place]
    return ContentTable(like(queries, values), like(queries, own))


def check_logits(table: torch.Tensor) -> None:
    """Raises `InvalidArgument` if a logit is not finite."""
    if not bool(table.isfinite().all()):
        allowed = "queries and keys whose logits are finite in float64"
        raise InvalidArgument("queries", "logits that are not finite", allowed)


def read_pair(
    queries: Any, keys: Any, spec: RopeSpec
) -> tuple[torch.Tensor, torch.Tensor, tuple[int, ...]]:
    """Queries and keys as tensors, and the shape of their common leading axes.

    Raises `InvalidArgument` unless both are `(..., length >= 2, head_dim)`, of one kind and type.
    """
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    q, k = _vectors("queries", queries, spec), _vectors("keys", keys, spec)
    kinds = isinstance(queries, np.ndarray), isinstance(keys, np.ndarray)
    if kinds[0] is not kinds[1] or q.dtype != k.dtype or q.device != k.device:
        got = f"{type(keys).__name__} of {k.dtype} on {k.device}"
        allowed = f"{type(queries).__name__} of {q.dtype} on {q.device}, as queries"
        raise InvalidArgument("keys", got, allowed)
    leading = broadcast(q.shape[:-2], k.shape[:-2])
    if leading is None or q.shape[-2] != k.shape[-2]:
        allowed = f"shape {tuple(q.shape)} as queries, or leading axes that broadcast with them"
        raise InvalidArgument("keys", f"shape {tuple(k.shape)}", allowed)
    return q, k, leading


def read_scale(scale: object, spec: RopeSpec) -> float:
    """The factor of the logits as a float; `1/sqrt(head_dim)` for None."""
    return 1 / math.sqrt(spec.head_dim) if scale is None else float(read_rational("scale", scale))


def _vectors(name: str, values: Any, spec: RopeSpec) -> torch.Tensor:
    tensor = finite_tensor(name, values)
    shape = tuple(tensor.shape)
    if len(shape) < 2 or shape[-1] != spec.head_dim or shape[-2] < 2:
        allowed = f"shape (..., length, {spec.head_dim}), length >= 2"
        raise InvalidArgument(name, f"shape {shape}", allowed)
    return tensor


def _stack(tables: list[torch.Tensor]) -> torch.Tensor:
    import torch

    return torch.stack(tables, -3)
