"""Transformers of images and videos of diffusers, whose positions are a frame, a row and a column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.axes import VIDEO, Axes
from ropeproof.theory.rotary.config.fields import Fields

__all__ = ["image_fields", "is_image_transformer"]

_BASE = 10000
"""The base that these classes have in their code; no field of their configurations gives it."""


def _stated(fields: Fields, width: int) -> tuple[int, ...]:
    sizes = fields.get("axes_dims_rope", (16, 56, 56) if width == 128 else None)
    whole = isinstance(sizes, list | tuple) and all(type(n) is int and n >= 0 for n in sizes)
    if not whole or len(sizes) != len(VIDEO) or any(n % 2 for n in sizes) or sum(sizes) != width:
        allowed = f"{len(VIDEO)} even numbers with the sum {width}, attention_head_dim"
        raise InvalidArgument("config.axes_dims_rope", sizes, allowed)
    return tuple(sizes)


def _thirds(_: Fields, width: int) -> tuple[int, ...]:
    own = 2 * (width // 6)
    return width - 2 * own, own, own


_SIZES: Mapping[str, Callable[[Fields, int], tuple[int, ...]]] = {
    "FluxTransformer2DModel": _stated,
    "QwenImageTransformer2DModel": _stated,
    "WanTransformer3DModel": _thirds,
}
"""Of each class, how many coordinates of a head turn by frame, row and column."""


def is_image_transformer(fields: Fields) -> bool:
    """Whether a configuration is of one of these classes, and says how wide a head is."""
    known = fields.get("model_type") is None and fields.get("_class_name") in _SIZES
    return known and type(fields.get("attention_head_dim")) is int


def image_fields(fields: Fields, length: int | None) -> dict[str, Any]:
    """The arguments of the `RopeSpec` of such a configuration.

    Each axis has a block of planes, in neighbouring coordinates, with frequencies of its own from 1 down.
    Coordinates may be negative, as Qwen-Image counts rows and columns from the middle. Raises
    `InvalidArgument` for sizes that do not make up a head.
    """
    width = fields["attention_head_dim"]
    if width < 2 or width % 2:
        raise InvalidArgument("config.attention_head_dim", width, "an even number >= 2")
    sizes = _SIZES[fields["_class_name"]](fields, width)
    return {
        "head_dim": width,
        "base": _BASE,
        "layout": "interleaved",
        "axes": Axes.blocks([n // 2 for n in sizes]),
        "length": length if length is not None else fields.get("rope_max_seq_len"),
    }
