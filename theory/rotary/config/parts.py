"""The coordinates of a head that rotate: head dimension, rotated part, and axes of positions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.axes import GRID, VIDEO, Axes
from ropeproof.theory.rotary.config.fields import Fields, agreed, field, number, where
from ropeproof.theory.rotary.config.layers import layer_count
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.families import Family
from ropeproof.theory.rotary.layout import MOST_COORDINATES, PER_COORDINATE, Layout

__all__ = ["RotatedPart", "read_axes", "read_part"]


class RotatedPart(NamedTuple):
    """The dimension of a head, that of its rotated part, its first coordinate and the layout of its pairs."""

    head_dim: int
    rotary_dim: int
    start: int
    layout: Layout


def read_part(
    fields: Fields, rope: Fields, name: str, family: Family, layer: int | None, kind: str | None
) -> RotatedPart:
    """The part of a head that rotates, in the layer or layer type asked for where heads differ."""
    if family.latent:
        return _latent(fields, rope, name, family)
    head_dim = _size(f"config.{family.head_field}", _head_dim(fields, name, family, layer, kind))
    rotated = _rotary_dim(fields, rope, name, family, head_dim)
    return RotatedPart(head_dim, rotated, 0, family.layout)


def _size(at: str, value: object) -> int:
    """The value as a number of coordinates of a head; raises `InvalidArgument` if it is none."""
    return read_integer(at, value, least=1, most=MOST_COORDINATES, cost=PER_COORDINATE)


def _latent(fields: Fields, rope: Fields, name: str, family: Family) -> RotatedPart:
    """The rotated part of a head in latent attention: its last `qk_rope_head_dim` coordinates.

    The family's code sets `head_dim` to their number. A `head_dim` that differs, or a fraction other than 1,
    would give a table that fits no head and is refused.
    """
    still, rotated = (
        read_integer(f"config.{key}", _size(f"config.{key}", fields.get(key)), least=2)
        for key in ("qk_nope_head_dim", "qk_rope_head_dim")
    )
    for key, value in (("qk_nope_head_dim", still), ("qk_rope_head_dim", rotated)):
        if value % 2:
            raise InvalidArgument(f"config.{key}", value, "an even integer")
    whole = fields.get("qk_head_dim")
    if whole is not None and whole != still + rotated:
        raise InvalidArgument(
            "config.qk_head_dim", whole, f"{still + rotated}, the sum of both parts"
        )
    stated = fields.get("head_dim")
    if stated is not None and read_integer("config.head_dim", stated, least=1) != rotated:
        raise InvalidArgument("config.head_dim", stated, f"{rotated}, as qk_rope_head_dim")
    for at, fraction in (
        ("config.partial_rotary_factor", fields.get("partial_rotary_factor")),
        ("config.rope_parameters.partial_rotary_factor", rope.get("partial_rotary_factor")),
    ):
        if fraction is not None and number(at, fraction) != 1:
            raise Unsupported(f"model_type {name!r} with {at}: all of qk_rope_head_dim rotates")
    layout: Layout = family.layout
    if family.layout_field is not None:
        pairs = fields.get(family.layout_field, True)
        if not isinstance(pairs, bool):
            raise InvalidArgument(f"config.{family.layout_field}", pairs, "true or false")
        layout = "interleaved" if pairs else "half"
    return RotatedPart(still + rotated, rotated, still, layout)


def _head_dim(
    fields: Fields, name: str, family: Family, layer: int | None, kind: str | None
) -> int:
    if family.global_head_dim:
        return _own_head_dim(fields, name, layer, kind)
    at = f"config.{family.head_field}"
    given = fields.get(family.head_field)
    if given is not None:
        return read_integer(at, given, least=1)
    if family.head_dim == "required":
        allowed = f"an integer; {name} models do not derive it"
        raise InvalidArgument(at, None, allowed)
    width = read_integer(f"config.{family.width}", field(fields, family.width), least=1)
    heads = read_integer(f"config.{family.heads}", field(fields, family.heads), least=1)
    if width % heads:
        raise InvalidArgument(f"config.{family.width}", width, f"a multiple of {heads} heads")
    return width // heads


def _own_head_dim(fields: Fields, name: str, layer: int | None, kind: str | None) -> int:
    """The head dimension of one layer type in a family whose layers of full attention have wider heads."""
    if kind is None:
        raise Unsupported(f"model_type {name!r}: heads that differ between layer types")
    given = read_integer("config.head_dim", fields.get("head_dim"), least=1)
    own = fields.get("per_layer_config")
    if isinstance(own, dict):
        types = fields.get("layer_types")
        numbers = [layer] if layer is not None else []
        if layer is None and isinstance(types, list | tuple):
            most = min(layer_count(fields), len(types))
            numbers = [n for n in range(most) if types[n] == kind]
        # Numbers of layers are keys of JSON, which transformers pads with zeros to one width.
        numbered = {int(k): v for k, v in own.items() if str(k).isdecimal()}
        entries = [numbered.get(n) for n in numbers]
        known = all(entry is None or isinstance(entry, dict) for entry in entries)
        found = {str((e or {}).get("head_dim", given)): e for e in entries} if known else {}
        if len(found) != 1:
            allowed = f"one head_dim for the layers of {kind}"
            raise InvalidArgument("config.per_layer_config", own, allowed)
        own_dim = (next(iter(found.values())) or {}).get("head_dim", given)
        return read_integer("config.per_layer_config.head_dim", own_dim, least=1)
    if kind != "full_attention":
        return given
    return read_integer("config.global_head_dim", fields.get("global_head_dim"), least=1)


def _rotary_dim(fields: Fields, rope: Fields, name: str, family: Family, head_dim: int) -> int:
    if family.dim_field is not None:
        return _stated_rotary_dim(fields, family, head_dim)
    key = family.fraction_field or "partial_rotary_factor"
    given = {
        f"config.{key}": fields.get(key),
        "config.partial_rotary_factor": fields.get("partial_rotary_factor"),
        "config.rope_parameters.partial_rotary_factor": rope.get("partial_rotary_factor"),
    }
    stated = {at: number(at, value) for at, value in given.items() if value is not None}
    if family.part_field is not None and fields.get(family.part_field) is not None:
        at = f"config.{family.part_field}"
        part = read_integer(at, fields[family.part_field], least=2)
        if part % 2 or part > head_dim:
            raise InvalidArgument(at, part, f"an even integer up to head_dim {head_dim}")
        stated = {at: Fraction(part, head_dim), **stated}
    if "proportional" in (rope.get("rope_type"), rope.get("type")):
        if family.fraction_field is not None:
            raise Unsupported(f"model_type {name!r} with rope_type 'proportional'")
        return head_dim  # the fraction says how many of the planes turn
    if family.fraction_field is None:
        if any(value != 1 for value in stated.values()):
            raise Unsupported(f"model_type {name!r} with {where(stated)}: it rotates whole heads")
        return head_dim
    if not stated:
        if family.fraction_default is None:
            allowed = f"the rotated fraction of the head, at the top ({key}) or in rope_parameters"
            raise InvalidArgument(f"config.{key}", None, allowed)
        return head_dim
    if stated.keys() == {"config.partial_rotary_factor"} and key != "partial_rotary_factor":
        allowed = f"the rotated fraction of the head: {name} does not read partial_rotary_factor"
        raise InvalidArgument(f"config.{key}", None, f"{allowed} at the top")
    fraction = agreed(stated)
    if not 0 < fraction <= 1:
        raise InvalidArgument(where(stated), fraction, "a fraction > 0 and <= 1")
    # As the library has it: the product in float64, then cut.
    rotary_dim = int(head_dim * float(fraction))
    if rotary_dim % 2 or rotary_dim < 2:
        allowed = f"a fraction of head_dim {head_dim} that gives an even number >= 2"
        raise InvalidArgument(where(stated), float(fraction), f"{allowed}, not {rotary_dim}")
    return rotary_dim


def _stated_rotary_dim(fields: Fields, family: Family, head_dim: int) -> int:
    at = f"config.{family.dim_field}"
    value = fields.get(family.dim_field or "")
    if value is None and family.dim_field in fields and field(fields, family.heads) == 1:
        return head_dim  # null means the whole width, which fits a single head only
    return read_integer(at, value, least=2)


def _time_last(key: str, sizes: Any) -> Axes:
    """Axes whose planes alternate between height and width, with the planes of time after them."""
    height, width, time = sizes
    if height != width:
        raise InvalidArgument(key, sizes, "as many planes of height as of width")
    axis = (
        *(VIDEO.index(name) for _ in range(height) for name in ("height", "width")),
        *(0,) * time,
    )
    total = len(axis)
    return Axes(VIDEO, axis, tuple(Fraction(plane, total) for plane in range(total)))


def read_axes(rope: Fields, name: str, family: Family, rotary_dim: int) -> Axes | None:
    """The axes of positions, None where a position is one number."""
    if family.grid is not None:
        names = GRID if family.height_first else GRID[::-1]
        if rotary_dim % 4:
            allowed = "a multiple of 4: half of the planes for each of two axes"
            raise InvalidArgument("config.head_dim", rotary_dim, allowed)
        return Axes.grid(rotary_dim // 2, dealt=family.grid == "dealt", names=names)
    if family.sections is None:
        return None
    key = "config.rope_parameters.mrope_section"
    sizes: Any = rope.get("mrope_section")
    planes = rotary_dim // 2
    allowed = f"three numbers of planes, of time, height and width, {planes} together"
    whole = isinstance(sizes, list | tuple) and all(type(n) is int and n >= 0 for n in sizes)
    if not whole or len(sizes) != 3 or sum(sizes) != planes:
        raise InvalidArgument(key, sizes, allowed)
    if family.sections == "time last":
        return _time_last(key, sizes)
    interleaved = family.sections == "interleaved"
    said = rope.get("mrope_interleaved")
    if said is not None and said is not interleaved:
        word = "true" if interleaved else "false"
        allowed = f"{word}: {name} models read nothing else"
        raise InvalidArgument("config.rope_parameters.mrope_interleaved", said, allowed)
    try:
        return Axes.sections(sizes, interleaved=interleaved)
    except InvalidArgument as error:
        raise InvalidArgument(key, sizes, error.allowed) from None
