"""The rotation of an indexer, which picks the keys that latent attention reads; it has its own layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["INDEXER", "indexer_fields"]

INDEXER = "indexer"
"""The name of this part of a model."""

_LAYOUTS = {"deepseek_v32": "half", "glm_moe_dsa": "interleaved"}
"""The layout of the indexer by families, as their code in transformers 5.23.0 has it."""


def indexer_fields(fields: Mapping[str, Any], attention: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the `RopeSpec` of an indexer's queries and keys.

    `attention` are those of the attention that it serves: the indexer has its base, its scaling and as
    many rotated coordinates. Heads have `index_head_dim` coordinates, of which the first rotate, where
    in latent attention the last do; `indexer_rope_interleave` says whether neighbours are pairs, else
    the family (half layout in DeepSeek V3.2, whose attention is interleaved). Raises `InvalidArgument`
    for a configuration without an indexer or with other values, `Unsupported` for a family whose layout
    is not known.
    """
    if fields.get("index_head_dim") is None:
        allowed = "a number of coordinates: the configuration has no indexer without it"
        raise InvalidArgument("config.index_head_dim", None, allowed)
    size, rotary = fields["index_head_dim"], attention["rotary_dim"]
    width = read_integer("config.index_head_dim", size, least=rotary)
    stated = fields.get("indexer_rope_interleave")
    if stated is not None and not isinstance(stated, bool):
        raise InvalidArgument("config.indexer_rope_interleave", stated, "true or false")
    family = str(fields.get("model_type"))
    if stated is None and family not in _LAYOUTS:
        told = (
            f"the layout of the indexer of {family!r} is not known: state indexer_rope_interleave"
        )
        raise Unsupported(told)
    layout = _LAYOUTS.get(family) if stated is None else "interleaved" if stated else "half"
    return {**attention, "head_dim": width, "rotary_start": 0, "layout": layout}
