"""The arguments of a `RopeSpec` from the fields of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

from ropeproof.theory import errors
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.config import family as model_families
from ropeproof.theory.rotary.config import fields as values
from ropeproof.theory.rotary.config import image_axes, indexer, layers, parts
from ropeproof.theory.rotary.config.fields import Fields
from ropeproof.theory.rotary.config.scaling import read_scaling
from ropeproof.theory.rotary.families import Family
from ropeproof.theory.rotary.readers.rules import lint_fields
from ropeproof.theory.rotary.tables.allowed_values import refused_values

__all__ = ["spec_fields"]


def spec_fields(
    config: str | PathLike[str] | Mapping[str, Any] | object,
    *,
    length: int | None = None,
    layer_type: str | None = None,
    layer: int | None = None,
    part: str | None = None,
    accepts: Callable[..., object] = dict,
) -> dict[str, Any]:
    """The arguments of the `RopeSpec` of a model configuration (`RopeSpec.from_config`).

    `config` is the path of a `config.json` or of a directory that contains one, a mapping, or an
    object with a `to_dict()` method such as a transformers configuration. `length` is the number
    of positions the spec is for (only dynamic and longrope scaling depend on it); by default the
    configuration's own context length. `layer_type` picks one of the layer types of a family whose
    rotary parameters are given per layer type; without it they must be the same for all. `layer`
    is the number of a layer, from 0: needed where only some layers rotate, and enough where layer
    types differ. `part` names one model in a configuration of several: `text`, which is
    also the default, `vision`, or another key `..._config`; `indexer` is the
    rotation of what picks the keys of sparse latent attention.
    `accepts` is called with the arguments found, and an error that it raises is reported like any other
    refusal: `RopeSpec` passes itself.

    Every refusal carries a note (`__notes__`) for each error that `ropeproof lint` finds in the file, with
    its fix. Raises `InvalidArgument` if the file cannot be read, a field is missing, has a value outside
    what it allows or contradicts another; `Unsupported` if the family, the rope type or a
    parameter is real but not handled here.
    """
    indexed = part == indexer.INDEXER
    fields = model_families.part_fields(config, part=None if indexed else part)
    try:
        found = _found(fields, length, layer_type, layer)
        found = indexer.indexer_fields(fields, found) if indexed else found
        accepts(**found)  # what it refuses is told with the findings, too
        for refused in refused_values(fields):
            allowed = f"{refused.allowed}: {refused.meaning}"
            raise errors.InvalidArgument(f"config.{refused.where}", refused.value, allowed)
        for finding in lint_fields(fields):
            if finding.level == "error":
                raise errors.InvalidArgument(
                    f"config.{finding.where}", finding.message, finding.fix
                )
    except (errors.InvalidArgument, errors.Unsupported) as error:
        # Only where it is refused: what else is wrong with it, so that one look suffices.
        for finding in lint_fields(fields):
            if finding.level == "error":
                error.add_note(f"{finding.id}: {finding.where}: {finding.message}. {finding.fix}")
        raise
    return found


def _found(
    stated: Fields, length: int | None, layer_type: str | None, layer: int | None
) -> dict[str, Any]:
    if image_axes.is_image_transformer(stated):
        return image_axes.image_fields(stated, length)
    name, family = model_families.family_of(stated)
    fields = model_families.model_fields(stated)
    turns = None
    if layer is not None:
        layer = _layer(fields, layer)
        if layer_type is None and layers.is_nested(fields):
            layer_type = layers.layer_type_of(fields, layer)
    if family.no_rope is not None or (layer is not None and family.other_layers):
        rotating = layers.rotating_layers(fields)
        if layer is not None:
            turns = rotating[layer]
        elif family.other_layers or all(rotating) or not any(rotating):
            turns = any(rotating)
        else:
            raise errors.Unsupported(
                f"model_type {name!r}: only some of its layers use RoPE; layer= says of which"
            )
    if turns is False and layer is not None and family.other_layers:
        kind = layers.layer_type_of(fields, layer)
        if kind in family.other_layers:
            raise errors.Unsupported(
                f"layer {layer} of {name!r} is {kind!r}: no attention that rotates"
            )
    null = layer_type is not None and layers.is_null(fields, layer_type)
    rope = {} if null else _rope_parameters(fields, name, family, layer_type)
    part = parts.read_part(fields, rope, name, family, layer, layer_type)
    context = values.optional_integer(fields, family.context)
    found = {
        "head_dim": part.head_dim,
        "base": layers.any_base(fields) if null else _base(fields, rope, family),
        "rotary_dim": part.rotary_dim,
        "layout": part.layout,
        "scaling": None if null else read_scaling(fields, rope, family, context, part.head_dim),
        "length": context if length is None else length,
        "rotary_start": part.start,
        "axes": parts.read_axes(rope, name, family, part.rotary_dim),
    }
    if null or turns is False:
        found |= {"rotary_dim": 0, "scaling": None, "rotary_start": 0, "axes": None}
    return found


def _layer(fields: Fields, layer: object) -> int:
    number, count = exact.read_integer("layer", layer, least=0), layers.layer_count(fields)
    if number >= count:
        raise errors.InvalidArgument("layer", layer, f"an integer below {count}")
    return number


def _rope_parameters(fields: Fields, name: str, family: Family, layer_type: str | None) -> Fields:
    """The rotary parameters of one layer type, from both dialects, in one mapping; `{}` if there are none."""
    found = {}
    for field in ("rope_parameters", "rope_scaling"):
        value = fields.get(field)
        if value is False:  # as null, to the library
            continue
        if value is not None and not isinstance(value, Mapping):
            raise errors.InvalidArgument(f"config.{field}", value, "a mapping or null")
        if value:
            found[field], differs = layers.of_layers(field, value, layer_type)
            if differs is not None:
                raise errors.Unsupported(differs)
    if not found and family.own_scaling:
        allowed = f"the scaling, or the rope type 'default': the class of {name} has one of its own"
        raise errors.InvalidArgument(
            "config.rope_parameters", None, f"{allowed}, which not all code reads"
        )
    if found and family.fixed_base is not None:
        raise errors.Unsupported(f"model_type {name!r} does not read {next(iter(found))}")
    nested = [isinstance(v, Mapping) for f in found for v in fields[f].values()]
    if family.per_layer and not any(nested):
        raise errors.Unsupported(f"model_type {name!r} without rope_parameters per layer type")
    old, new = found.get("rope_scaling", {}), found.get("rope_parameters", {})
    for key in old.keys() & new.keys():
        if old[key] != new[key]:
            allowed = f"{new[key]!r}, as in rope_parameters"
            raise errors.InvalidArgument(f"config.rope_scaling.{key}", old[key], allowed)
    return {key: value for key, value in {**new, **old}.items() if value is not None}


def _base(fields: Fields, rope: Fields, family: Family) -> Any:
    at_top, in_rope = family.base_field, rope.get("rope_theta")
    given = {f"config.{at_top}": fields.get(at_top), "config.rope_parameters.rope_theta": in_rope}
    stated = {field: values.number(field, v) for field, v in given.items() if v is not None}
    if family.fixed_base is not None:
        stated = {"the model code": exact.read_fraction("base", family.fixed_base), **stated}
    if not stated and family.default_base is not None:
        return exact.read_fraction("base", family.default_base)
    if not stated:
        allowed = f"the base of the frequencies, at the top ({at_top}) or in rope_parameters"
        raise errors.InvalidArgument(f"config.{at_top}", None, allowed)
    # A field that this family does not read must not contradict those that it reads.
    if fields.get("rope_theta") is not None:
        stated["config.rope_theta"] = values.number("config.rope_theta", fields["rope_theta"])
    base = values.agreed(stated)
    if base <= 1:
        raise errors.InvalidArgument(values.where(stated), base, "a base above 1")
    return base
