"""Small transformers models that hold one slash head or sink head and nothing else."""

from __future__ import annotations

import math
from typing import Any

from ropeproof.constructions.export.configs import CONFIGS, model_of, require
from ropeproof.constructions.export.slots import open_slot
from ropeproof.constructions.export.write import write_head, write_sink_head
from ropeproof.constructions.heads.sink import SinkHead
from ropeproof.constructions.heads.slash.head import SlashHead
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.families import FAMILIES

__all__ = ["build_model"]


def build_model(
    family: str,
    head: SlashHead | SinkHead,
    *,
    layers: int = 1,
    layer: int = 0,
    head_index: int = 0,
    key_heads: int | None = None,
    dtype: Any = None,
) -> Any:
    """A small causal language model of a family whose only working part is this head.

    `family` is `"llama"`, `"gpt_neox"` or `"gptj"`; the vocabulary is the head's, there are as many
    heads of `head_dim` as its residual stream needs (and as `head_index` asks), `key_heads` of them
    with keys of their own (Llama only). All other weights of attention and MLP are 0, so that the
    other heads attend uniformly and add nothing; the output reads the embeddings. `dtype` is a
    torch type, float32 by default. In evaluation mode, with `attn_implementation="eager"`.

    `certify_head(model, layer=..., head_index=..., offset=..., length=...)` says what a slash head guarantees
    there; of a sink head its own certificate does, in exact arithmetic.

    Raises `InvalidArgument` if the family cannot have the head's spec, and as `write_head`;
    `Unsupported` for a scaling that is not linear, yarn or llama3.
    """
    require_extra("models", "a model of transformers")
    import torch

    if not isinstance(head, SlashHead | SinkHead):
        raise InvalidArgument("head", type(head).__name__, "a SlashHead or a SinkHead")
    if family not in CONFIGS:
        raise InvalidArgument("family", family, ", ".join(map(repr, CONFIGS)))
    layers = read_integer("layers", layers, least=1)
    needed = math.ceil((head.width + 1) / head.spec.head_dim)
    heads = max(needed, read_integer("head_index", head_index, least=0) + 1)
    if key_heads is not None and family != "llama":
        raise InvalidArgument("key_heads", key_heads, f"None: {family} has no shared key heads")
    groups = heads if key_heads is None else read_integer("key_heads", key_heads, least=1)
    heads = math.ceil(heads / groups) * groups
    require(head.spec, family, layout=FAMILIES[family].layout)
    size = head.spec.head_dim
    model = model_of(
        family,
        head.spec,
        dtype=dtype,
        tokens=len(head.embeddings),
        width=heads * size,
        heads=heads,
        key_heads=groups,
        layers=layers,
        inner=size,
        context=max(head.length, head.spec.length or 0),
    )
    with torch.no_grad():
        for number in range(layers):
            block = open_slot(model, number, 0).block
            for module in block.modules():
                if isinstance(module, torch.nn.Linear):
                    for parameter in module.parameters():
                        parameter.zero_()
    if isinstance(head, SinkHead):
        write_sink_head(model, head, layer=layer, head_index=head_index)
    else:
        write_head(model, head, layer=layer, head_index=head_index)
    with torch.no_grad():
        reader = model.get_output_embeddings()
        reader.weight.copy_(model.get_input_embeddings().weight)
        if reader.bias is not None:
            reader.bias.zero_()
    return model
