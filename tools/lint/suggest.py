"""Advice for a file whose family is unknown: a `RopeSpec` to complete, begun from the file's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["suggestion"]

_AXES = (
    "axes_dims_rope",
    "rope_axes_dim",
    "axes_dim",
    "axes_dims",
    "rope_max_seq_len",
    "patch_size",
)
"""Keys of models that read images or video, where a position has several coordinates."""
_FRACTIONS = ("partial_rotary_factor", "rotary_pct", "rope_pct", "rope_percent")


def suggestion(model: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """A sentence that suggests a `RopeSpec` with the values in the file, and `...` for the others."""
    text = spec_text(model if model.get("hidden_size") is not None else {**whole, **model})
    return (
        f"Write the rotation by hand as the model's code has it, for instance {text}, and compare the code "
        "with it: conform.check(rotate, spec)."
    )


def spec_text(fields: Mapping[str, Any]) -> str:
    """The text of a `RopeSpec(...)` call from a file's fields, read as other families mean them."""
    ropes = [fields[k] for k in ("rope_parameters", "rope_scaling") if _mapping(fields.get(k))]
    still, rotated = _integer(fields, "qk_nope_head_dim"), _integer(fields, "qk_rope_head_dim")
    head = _integer(fields, "head_dim") or _integer(fields, "attention_head_dim")
    if head is None:
        width, heads = _integer(fields, "hidden_size"), _integer(fields, "num_attention_heads")
        head = width // heads if width and heads and width % heads == 0 else None
    parts: list[str] = []
    if still is not None and rotated is not None:
        head = still + rotated
        parts += [f"rotary_dim={rotated}", f"rotary_start={still}"]
    else:
        part = _integer(fields, "rotary_dim")
        stated = [place.get(k) for place in (fields, *ropes) for k in _FRACTIONS]
        fraction = next((v for v in stated if isinstance(v, float) and 0 < v < 1), None)
        if part is None and fraction is not None and head is not None:
            part = int(head * fraction)
        if part is not None and part != head:
            parts.append(f"rotary_dim={part}")
    bases = [fields.get("rope_theta"), *(rope.get("rope_theta") for rope in ropes)]
    base = next((b for b in bases if isinstance(b, int | float) and not isinstance(b, bool)), None)
    kinds = [rope.get("rope_type") or rope.get("type") for rope in ropes]
    kind = next((k for k in kinds if isinstance(k, str) and k not in ("default", "mrope")), None)
    if kind is not None or any(_mapping(v) for rope in ropes for v in rope.values()):
        parts.append("scaling=...")
    if any(key in fields for key in _AXES) or any("mrope_section" in rope for rope in ropes):
        parts.append("axes=...")
    length = _integer(fields, "max_position_embeddings")
    if length is not None:
        parts.append(f"length={length}")
    shown = "..." if base is None else f"{base:.17g}"
    return f"RopeSpec({', '.join(['...' if head is None else str(head), shown, *parts])})"


def _mapping(value: object) -> bool:
    return isinstance(value, Mapping)


def _integer(fields: Mapping[str, Any], key: str) -> int | None:
    value = fields.get(key)
    return value if type(value) is int and value > 0 else None
