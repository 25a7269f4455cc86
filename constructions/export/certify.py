"""What a head of a Hugging Face model guarantees, read off the model itself.

Nothing is assumed of how its weights came about: embeddings are passed through the layer's norm,
queries and keys computed from the stored weights, and the model's own rotation tables compared
with the exact ones. Claim `slash.sandwich`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.export import slots
from ropeproof.constructions.export.slots import Slot
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.slash import certify, rounding
from ropeproof.constructions.heads.slash.certify import Projected, SlashBound
from ropeproof.constructions.heads.slash.rounding import SLACK
from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.core.spec import attention_factor_float64, rotation_tables
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "certified_on",
    "certify_head",
    "loud_layers",
    "numbers_of",
    "refuse_dropout",
    "table_error",
]

Floats = NDArray[np.float64]


def certify_head(
    model: Any, *, layer: int = 0, head_index: int = 0, offset: int, length: int
) -> Certificate:
    """The slash score at `offset` that a head of the model guarantees, in the type of the model.

    For every prompt of at most `length` tokens of the model's whole vocabulary, without padding
    and from position 0, `output_attentions` (with `attn_implementation="eager"`) gives every row
    `i > offset` at least that weight at `i - offset`. A score of 0 is no guarantee.

    The layers before must add nothing to the residual stream. Covered is the model code of
    transformers 5 on top of the arithmetic of `ropeproof.constructions.heads.slash.rounding`:
    norms and angles are in float32 in most families even if the model is in float64.

    Cost: two products `(vocabulary, hidden)` by `(hidden, head_dim)` and a scan of `length` lags.
    Raises `Unsupported`, naming what has no guarantee, and `InvalidArgument`.
    """
    return _bound(model, layer, head_index, offset, length).certificate(
        "slash.sandwich", slots.open_slot(model, layer, head_index).dtype, runs="model"
    )


def refuse_dropout(slot: Slot) -> None:
    """Raise `InvalidArgument` for a model whose next forward pass drops anything at random."""
    if slot.model.training and _drops(slot.model):
        raise InvalidArgument("model", "training mode with dropout", "model.eval()")


def loud_layers(slot: Slot) -> tuple[int, ...]:
    """The layers before the head's own that add to the residual stream."""
    found = []
    for layer in range(slot.layer):
        tensors = [t for w in slot.writers(layer) for t in (w.weight, w.bias) if t is not None]
        if any(bool(t.detach().any()) for t in tensors):
            found.append(layer)
    return tuple(found)


def _bound(model: Any, layer: int, head_index: int, offset: int, length: int) -> SlashBound:
    slot = slots.open_slot(model, layer, head_index)
    length = read_integer("length", length, least=2)
    if loud := loud_layers(slot):
        raise Unsupported(f"layer {loud[0]} adds to the residual stream before layer {slot.layer}")
    return _bound_on(slot, slot.embedding.detach(), 0.0, offset=offset, length=length)


def certified_on(
    slot: Slot, rows: Floats, radius: float, *, offset: int, length: int
) -> Certificate:
    """The certificate of a head for inputs of its layer's norm near `rows`, `(n, hidden)`.

    A residual vector is near if its distance to one of the rows is at most `radius` times that row's length.
    Rows are numbers of the model's type. A score of 0 is no guarantee.
    """
    import torch

    like = slot.embedding
    inputs = torch.from_numpy(rows).to(like.device, like.dtype)
    bound = _bound_on(slot, inputs, radius, offset=offset, length=length)
    return bound.certificate("slash.sandwich", slot.dtype, runs="model")


def _bound_on(slot: Slot, inputs: Any, radius: float, *, offset: int, length: int) -> SlashBound:
    """The bound for residual vectors that differ from one of `inputs` by `radius` of its length."""
    refuse_dropout(slot)
    spec = slots.model_spec(slot, length)
    x = _normed(slot, inputs)
    parts = slot.projections()
    # Sums of the norm may be taken in another order when other tokens are in the batch.
    drift = (
        2 * rounding.gamma(slot.hidden + 8, slot.norm_unit)
        + 2 * rounding.ROUNDINGS[slot.dtype].unit
    )
    if radius:
        drift = (drift + (1 + drift) * _norm_moves(slot, numbers_of(inputs), x, radius)) * SLACK
    queries, keys = (_side(x, parts[name], spec, drift) for name in ("q", "k"))
    return certify.slash_bound(
        queries,
        keys,
        spec,
        offset=offset,
        length=length,
        rounding=slot.rounding(),
        table=table_error(slot, spec, length),
    )


def _norm_moves(slot: Slot, rows: Floats, normed: Floats, radius: float) -> float:
    """A bound of the norm's change within the radius, over its longest output; inf if unknown.

    With `P` the identity (RMSNorm) or the removal of the mean (LayerNorm), the norm is
    `w P x / sqrt(|P x|^2/n + epsilon) + b`, whose slope is at most `max|w| / sqrt(|P x|^2/n + epsilon)`;
    within the radius `|P x| >= |P d| - radius |d|`.
    """
    centred = rows
    if type(slot.norm).__name__ == "LayerNorm":
        centred = rows - rows.mean(1, keepdims=True)
    away = radius * np.linalg.norm(rows, axis=1) * SLACK
    least = np.maximum(np.linalg.norm(centred, axis=1) / SLACK - away, 0.0)
    below = np.sqrt(least**2 / slot.hidden + slot.norm_epsilon) / SLACK
    weight = float(np.abs(numbers_of(slot.norm.weight)).max())
    longest = float(np.linalg.norm(normed, axis=1).max())
    if not below.all() or not longest > 0:
        return math.inf
    return float((away / below).max()) * weight / longest * SLACK


def _normed(slot: Slot, inputs: Any) -> Floats:
    """Residual vectors after the layer's norm, `(n, hidden)`, as the model computes them."""
    import torch

    with torch.no_grad():
        return numbers_of(slot.norm(inputs))


def _side(x: Floats, pair: tuple[Any, Any], spec: RopeSpec, drift: float) -> Projected:
    """Queries or keys of the norm's outputs `x`, with the error from a drift of these outputs.

    Each output may be off by `drift` times the length of the longest one. That moves a query or key by at
    most this distance times the Frobenius norm of the weights.
    """
    weight, bias = pair
    numbers = numbers_of(weight)
    side = certify.project(x, numbers, spec, None if bias is None else numbers_of(bias))
    growth = float(np.linalg.norm(certify.rotated_norms(numbers.T, spec)))
    moved = drift * growth * float(np.linalg.norm(x, axis=1).max()) * SLACK
    error, size = (side.error + moved) * SLACK, (side.size * (1 + drift) + moved) * SLACK
    return Projected(side.vectors, error, size, side.width)


def numbers_of(tensor: Any) -> Floats:
    """A tensor as a float64 array, which holds every value of a narrower type exactly."""
    found: Floats = tensor.detach().double().cpu().numpy()
    return found


def table_error(slot: Slot, spec: RopeSpec, length: int) -> float:
    """The largest error of a cosine or sine of the model's tables, over the attention factor.

    At positions below `length`; a bound, rounding of the comparison included. Raises `Unsupported`
    for tables of another shape.
    """
    factor, planes = attention_factor_float64(spec), spec.rotary_planes
    exact = [table[:, :planes] for table in rotation_tables(spec, np.arange(length))]
    found = slot.tables(length)
    if found[0].shape != exact[0].shape:
        raise Unsupported(f"rotation tables of shape {found[0].shape}, not {exact[0].shape}")
    own = 2.0**-52 * length * largest_frequency(spec).upper + 2.0**-50
    off = max(float(np.abs(f - e).max()) for f, e in zip(found, exact, strict=True))
    return (off / factor + own) * SLACK


def _drops(model: Any) -> bool:
    import torch

    layers = (m for m in model.modules() if isinstance(m, torch.nn.Dropout))
    return any(m.p > 0 for m in layers) or bool(getattr(model.config, "attention_dropout", 0))
