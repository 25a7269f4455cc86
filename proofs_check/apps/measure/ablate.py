"""`ropeproof measure --ablate`: which heads are meant, and what their patterns are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ropeproof.numerics.measure.ablation import ablate_heads
from ropeproof.proofs_check.apps.measure.overview import leading_heads
from ropeproof.theory.errors import InvalidArgument

__all__ = ["TOP", "ablated", "check_ablated", "read_heads"]

Json = dict[str, Any]
TOP = "top"
"""The heads that the overview shows."""


def read_heads(ablate: str) -> list[tuple[int, int]]:
    """`3.1,5.0` as pairs of layer and head. Raises `InvalidArgument`."""
    try:
        pairs = [part.split(".") for part in ablate.split(",")]
        return [(int(layer), int(head)) for layer, head in pairs]
    except ValueError:
        allowed = f"heads such as 3.1,5.0 (layer and head), or {TOP}"
        raise InvalidArgument("ablate", ablate, allowed) from None


def check_ablated(ablate: str | None, config: Mapping[str, Any]) -> None:
    """Raises `InvalidArgument` for heads that the configuration does not have."""
    if ablate is None or ablate == TOP:
        return
    names = ("num_hidden_layers", "n_layer"), ("num_attention_heads", "n_head")
    counts = [next((config[n] for n in each if n in config), None) for each in names]
    for place in read_heads(ablate):
        for number, count in zip(place, counts, strict=True):
            if number < 0 or (isinstance(count, int) and number >= count):
                allowed = f"layers and heads from 0, of {counts[0]} layers of {counts[1]} heads"
                raise InvalidArgument("ablate", f"{place[0]}.{place[1]}", allowed)


def ablated(
    ablate: str,
    model: Any,
    found: Json,
    asked: Any,
    progress: Callable[[str, int, int], None] | None,
) -> Json | None:
    """The ablation as JSON, on the prompts of the kinds or on the first one; None without heads."""
    if ablate == TOP:
        heads = [(head["layer"], head["head"]) for head in leading_heads(found)]
        if not heads:
            return None
    else:
        heads = read_heads(ablate)
    texts = [asked.prompts[0].tokens] if asked.kinds is None else asked.kinds.texts
    return ablate_heads(model, texts, heads, progress=progress).as_json()
