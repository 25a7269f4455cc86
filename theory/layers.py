"""The RoPE of every layer of a released model, where its parameters are given per layer type."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from ropeproof.theory.config import read_fields
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import read_integer
from ropeproof.theory.spec import RopeSpec

__all__ = ["layer_specs"]


def layer_specs(
    config: str | PathLike[str] | Mapping[str, Any] | object, *, length: int | None = None
) -> tuple[RopeSpec, ...]:
    """The specs of a model's layers, in their order.

    They are one and the same unless `rope_parameters` has a mapping per layer type, as Gemma 3 and
    OLMo 3 have; then `layer_types` says which layer has which. Arguments and errors as in
    `ropeproof.theory.config.spec_fields`; `InvalidArgument` also unless there is one such type for
    each of `num_hidden_layers`.
    """
    fields = read_fields(config)
    names = [name for name in ("num_hidden_layers", "n_layer") if fields.get(name) is not None]
    field = names[0] if names else "num_hidden_layers"
    count = read_integer(f"config.{field}", fields.get(field), least=1)
    parameters = fields.get("rope_parameters")
    nested = isinstance(parameters, Mapping) and any(
        isinstance(value, Mapping) for value in parameters.values()
    )
    if not nested:
        return (RopeSpec.from_config(fields, length=length),) * count
    types = fields.get("layer_types")
    if not isinstance(types, list | tuple) or len(types) != count:
        raise InvalidArgument(
            "config.layer_types", types, f"a layer type for each of {count} layers"
        )
    found = {
        kind: RopeSpec.from_config(fields, length=length, layer_type=str(kind))
        for kind in dict.fromkeys(types)
    }
    return tuple(found[kind] for kind in types)
