"""Freezing what a head's guarantee is computed from, so that the rest of a model can be trained."""

from __future__ import annotations

from typing import Any

from ropeproof.constructions.export.slots import open_slot

__all__ = ["freeze_head"]


def freeze_head(model: Any, *, layer: int = 0, head_index: int = 0) -> tuple[str, ...]:
    """Freeze every parameter that a head of a model and its certificate depend on; return their names.

    These are the embeddings (and a read-out that is tied to them), the norm before the layer's attention,
    the layer's query, key, value and output projections, and what earlier layers write to the residual
    stream with, which has to stay 0. Each is frozen as a whole, with the other heads in it, by
    `requires_grad = False`: an optimizer, with its weight decay, leaves a parameter without gradient
    alone. All others stay as they are, and `certify_head` gives what it gave after they were trained.

    For a model that `export_network` made, whose every parameter counts, use `model.requires_grad_(False)`.
    Raises `Unsupported` and `InvalidArgument` as `certify_head` does for a model or a head.
    """
    slot = open_slot(model, layer, head_index)
    read = [slot.embedding, slot.norm.weight, getattr(slot.norm, "bias", None)]
    for weight, bias in slot.projections().values():
        read += [weight, bias]
    for earlier in range(slot.layer):
        for writer in slot.writers(earlier):
            read += [writer.weight, writer.bias]
    # Projections are views: a parameter is the one whose storage they lie in.
    stores = {t.untyped_storage().data_ptr() for t in read if t is not None}
    found = []
    for name, parameter in model.named_parameters():
        if parameter.untyped_storage().data_ptr() in stores:
            parameter.requires_grad_(False)
            found.append(name)
    return tuple(found)
