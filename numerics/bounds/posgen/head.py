"""All additive fits of one head, on the causal triangle and on the product grid."""

from __future__ import annotations

from typing import Any

from ropeproof.numerics.bounds.posgen.fit import AdditiveFit
from ropeproof.numerics.bounds.posgen.grid import grid_fits
from ropeproof.numerics.bounds.posgen.triangle import Where, triangle_fits
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead, read_head
from ropeproof.numerics.bounds.posgen.window import plane_weights
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["additive_fits", "additive_fits_on_grid"]


def additive_fits(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    reference: float | None = None,
    scale: float | None = None,
    block: int = 64,
    device: str = "cpu",
    single: bool = False,
) -> tuple[AdditiveFit, ...]:
    """The four additive fits of a head's logits on the causal triangle, pooled, then row-centred.

    `queries` and `keys` are unrotated, `(length, head_dim)` each, those of one head; NumPy arrays
    or torch tensors, computed in float64. `reference` is the lag of the fit `reference`, any real
    number, by default the middle `t_0 = (length - 1)/2`; `scale` is `s`, by default
    `1/sqrt(head_dim)`. Every fit is an `AdditiveFit`, with its null, noise floor and bound.

    Cost: some matrix products of `length^2 head_dim/2`, memory for some tens of arrays of
    `block` rows of `length` numbers, on `device`: no array of `length^2`. `single` forms
    the blocks in float32: then moments are off by some `2^-20` of the logits' squares.
    Raises `InvalidArgument` unless both have one shape with 2 tokens or more, all numbers are
    finite, and `block >= 1`.
    """
    head = _read(queries, keys, spec, scale)
    length = len(head.keys)
    return triangle_fits(
        head,
        reference=_reference(reference, length),
        weights=plane_weights(spec),
        block=min(length, read_integer("block", block, least=1)),
        where=Where(device, single),
    )


def additive_fits_on_grid(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    length: int | None = None,
    reference: float | None = None,
    scale: float | None = None,
) -> tuple[AdditiveFit, ...]:
    """The four additive fits of a head's logits on the grid, pooled, then row-centred.

    The grid has every query at each lag below `length` with every key. There lag and key are independent, as
    in `posgen.anova`: `optimal` is the best query-specific fit, `query-free` and `three-axis` are the best of
    their kind. `queries` is `(queries, head_dim)`, `keys` `(keys, head_dim)`; `length` is the number of keys
    unless given. Other arguments as in `additive_fits`.

    Cost: `planes^2` per query and key, no logit is formed. Raises `InvalidArgument` as
    `additive_fits`, but the numbers of queries and keys may differ, and one of each is enough.
    """
    head = read_head(queries, keys, spec, scale)
    window = len(head.keys) if length is None else read_integer("length", length, least=1)
    return grid_fits(
        head,
        length=window,
        reference=_reference(reference, window),
        weights=plane_weights(spec),
    )


def _read(queries: Any, keys: Any, spec: RopeSpec, scale: float | None) -> ComplexHead:
    head = read_head(queries, keys, spec, scale)
    if len(head.keys) != len(head.queries):
        allowed = f"{len(head.queries)} tokens, as queries"
        raise InvalidArgument("keys", f"{len(head.keys)} tokens", allowed)
    if len(head.keys) < 2:
        raise InvalidArgument("keys", "1 token", "at least 2 tokens")
    return head


def _reference(reference: float | None, length: int) -> float:
    if reference is None:
        return (length - 1) / 2
    return float(read_rational("reference", reference))
