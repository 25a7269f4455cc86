"""`ropeproof measure --ablate`: which heads are meant, and what their patterns are worth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.on_demand.ablation import ablate_heads
from ropeproof.tools.measure.report.overview import leading_heads

__all__ = ["TOP", "ablated", "check_heads", "chosen_heads"]

Json = dict[str, Any]
TOP = "top"
"""Stands for the heads that the overview shows."""


def _read(argument: str, value: str) -> list[tuple[int, int]]:
    """The heads in a list such as `3.1,5.0` as pairs of layer and head, each once.

    Raises `InvalidArgument` if it is no such list.
    """
    try:
        pairs = [part.split(".") for part in value.split(",")]
        return list(dict.fromkeys((int(layer), int(head)) for layer, head in pairs))
    except ValueError:
        allowed = f"heads such as 3.1,5.0 (layer and head), or {TOP}"
        raise InvalidArgument(argument, value, allowed) from None


def check_heads(
    argument: str,
    value: str | None,
    config: Mapping[str, Any],
    *,
    most: int | None = None,
    layers: Collection[int] | None = None,
) -> None:
    """Check an option's list of heads against a model's configuration.

    Raises `InvalidArgument` for heads that are not in the configuration or in `layers`, or too many.
    """
    if value is None or value == TOP:
        return
    names = ("num_hidden_layers", "n_layer"), ("num_attention_heads", "n_head")
    counts = [next((config[n] for n in each if n in config), None) for each in names]
    asked = _read(argument, value)
    if most is not None and len(asked) > most:
        raise InvalidArgument(argument, f"{len(asked)} heads", f"at most {most}")
    for place in asked:
        shown = f"{place[0]}.{place[1]}"
        for number, count in zip(place, counts, strict=True):
            if number < 0 or (isinstance(count, int) and number >= count):
                allowed = f"layers and heads from 0, of {counts[0]} layers of {counts[1]} heads"
                raise InvalidArgument(argument, shown, allowed)
        if layers is not None and place[0] not in layers:
            measured = ", ".join(map(str, sorted(layers)))
            raise InvalidArgument(argument, shown, f"heads of the layers {measured}")


def chosen_heads(argument: str, value: str, found: Json) -> list[tuple[int, int]]:
    """The heads that an option names, as pairs of layer and head; `top` names the leading ones."""
    if value == TOP:
        return [(head["layer"], head["head"]) for head in leading_heads(found)]
    return _read(argument, value)


def ablated(
    ablate: str,
    model: Any,
    found: Json,
    asked: Any,
    progress: Callable[[str, int, int], None] | None,
) -> Json | None:
    """Ablation of chosen heads as JSON, on the kinds' prompts or the first; None without heads."""
    heads = chosen_heads("ablate", ablate, found)
    if not heads:
        return None
    texts = [asked.prompts[0].tokens] if asked.kinds is None else asked.kinds.texts
    return ablate_heads(model, texts, heads, progress=progress).as_json()
