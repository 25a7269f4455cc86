"""A slash head, or a sink head, written into a model of transformers.

The residual stream of the head is embedded by an isometry into that of the model, orthogonal to the
vector of ones, so that a LayerNorm has no mean to subtract; all embeddings get mean square 1, so
that the norm before attention multiplies each by the same known number `1/sqrt(1 + epsilon)`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.export.certify import certify_head, loud_layers
from ropeproof.constructions.export.slots import fill_view, model_spec, open_slot, write_view
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.sink import SinkHead
from ropeproof.constructions.heads.slash.head import SlashHead
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["WrittenHead", "write_head", "write_sink_head"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WrittenHead:
    """Where a head was written, and what it guarantees there, in the type of the model.

    `sharing` are the other query heads of the layer that read the same keys and values, which
    they now do with queries of their own, unless they were silenced.
    """

    layer: int
    head_index: int
    sharing: tuple[int, ...]
    certificate: Certificate


def write_head(
    model: Any,
    head: SlashHead,
    *,
    layer: int = 0,
    head_index: int = 0,
    earlier: Literal["refuse", "silence"] = "refuse",
    sharing: Literal["keep", "silence"] = "keep",
) -> WrittenHead:
    """Write a slash head into a causal language model of transformers, in place.

    Families: `llama`, `mistral`, `qwen2`, `gpt_neox` (half layout), `gptj` (interleaved). Written
    are the token embeddings (token `v` gets row `v` of `head.embeddings`, starting again where the
    vocabulary is larger), the norm before the layer's attention (weight 1, bias 0), and the head's
    own slices of the query, key, value and output projections. Everything else stays.

    - `earlier`: layers before that add to the residual stream are refused, or silenced by setting
      the output projections of their attention and MLP to 0;
    - `sharing`: under grouped-query attention the key head is shared. The other query heads of
      the group are kept, and named in the result, or silenced: their queries and outputs are 0.

    The certificate is computed from the written model (`certify_head`): the model's own
    `output_attentions` (with `attn_implementation="eager"`) show that score on every prompt. The
    head copies the attended token's part to the residual stream in the unit of the embeddings.

    Raises `Unsupported` for what cannot be guaranteed (see `open_slot`), `InvalidArgument` if the
    head has another RoPE than the model, does not fit its sizes, or an option is not known.
    """
    if not isinstance(head, SlashHead):
        raise InvalidArgument("head", type(head).__name__, "a SlashHead")
    slot = _written(model, head, layer, head_index, earlier, sharing)
    certificate = certify_head(
        model, layer=layer, head_index=head_index, offset=head.offset, length=head.length
    )
    return WrittenHead(slot.layer, slot.head, slot.sharing, certificate)


def write_sink_head(
    model: Any,
    head: SinkHead,
    *,
    layer: int = 0,
    head_index: int = 0,
    earlier: Literal["refuse", "silence"] = "refuse",
    sharing: Literal["keep", "silence"] = "keep",
) -> WrittenHead:
    """Write a sink head into a causal language model of transformers, in place.

    What is written, the families, `earlier`, `sharing` and the errors are those of `write_head`. Token 0
    is the sink: every position of a prompt that begins with it, and has it nowhere else, gives it the
    certificate's weight. The certificate is the head's own, in exact arithmetic; the rounding of the
    model's type comes to it.
    """
    if not isinstance(head, SinkHead):
        raise InvalidArgument("head", type(head).__name__, "a SinkHead")
    slot = _written(model, head, layer, head_index, earlier, sharing)
    certificate = replace(head.certificate, runs="model")
    return WrittenHead(slot.layer, slot.head, slot.sharing, certificate)


def _written(
    model: Any,
    head: SlashHead | SinkHead,
    layer: int,
    head_index: int,
    earlier: str,
    sharing: str,
) -> Any:
    """The slot of the model into which the head has been written. Raises as `write_head`."""
    for name, option, known in (
        ("earlier", earlier, ("refuse", "silence")),
        ("sharing", sharing, ("keep", "silence")),
    ):
        if option not in known:
            raise InvalidArgument(name, option, " or ".join(map(repr, known)))
    slot = open_slot(model, layer, head_index)
    _check_spec(model_spec(slot, head.length), head.spec)
    embeddings, size = _even_rows(head)
    stream = _isometry(head.width, slot.hidden)
    values, outputs = _factors(head, slot.head_dim)
    loud = loud_layers(slot)
    if loud and earlier == "refuse":
        allowed = (
            "a layer after silent ones only, or earlier='silence'; "
            "constructions.export.write_on_directions guarantees a score on stated residual vectors"
        )
        raise InvalidArgument("layer", f"{layer}, after layer {loud[0]}", allowed)
    # The norm's factor is taken back in the weights; the values' also, so that outputs have
    # the unit of the embeddings.
    unit = math.sqrt(slot.hidden) / size
    into = math.sqrt(1 + slot.norm_epsilon) / unit
    for number in loud:
        for writer in slot.writers(number):
            fill_view(writer.weight, 0.0)
            fill_view(writer.bias, 0.0)
    write_view(slot.embedding, unit * _cycled(embeddings, len(slot.embedding)) @ stream.T)
    fill_view(slot.norm.weight, 1.0)
    fill_view(getattr(slot.norm, "bias", None), 0.0)
    parts = slot.projections()
    for name, weights in (("q", head.w_q), ("k", head.w_k), ("v", values)):
        write_view(parts[name][0], into * weights @ stream.T)
        fill_view(parts[name][1], 0.0)
    write_view(parts["o"][0], unit * stream @ outputs)
    if sharing == "silence":
        for other in slot.sharing:
            theirs = open_slot(model, layer, other).projections()
            for name in ("q", "o"):
                fill_view(theirs[name][0], 0.0)
            fill_view(theirs["q"][1], 0.0)
    return slot


def _check_spec(found: RopeSpec, wanted: RopeSpec) -> None:
    facts: Mapping[str, tuple[object, object]] = {
        "head_dim": (found.head_dim, wanted.head_dim),
        "rotary_dim": (found.rotary_dim, wanted.rotary_dim),
        "layout": (found.layout, wanted.layout),
        "base": (found.base, wanted.base),
        "scaling": (found.scaling, wanted.scaling),
        "attention_factor": (found.attention_factor(), wanted.attention_factor()),
    }
    for name, (model, head) in facts.items():
        # The same frequencies may be written in two ways.
        same = name in ("base", "scaling") and found.frequencies() == wanted.frequencies()
        if model != head and not same:
            raise InvalidArgument("head.spec", f"{name} {head}", f"the model's, {model}")
    if found.frequencies() != wanted.frequencies():
        raise InvalidArgument("head.spec", f"length {wanted.length}", "the model's frequencies")


def _even_rows(head: SlashHead | SinkHead) -> tuple[Floats, float]:
    """The head's embeddings and their common length. Raises `InvalidArgument` if lengths differ."""
    lengths = np.linalg.norm(head.embeddings, axis=1)
    size = float(lengths.mean())
    if not size > 0 or np.ptp(lengths) > 1e-12 * size:
        got = f"lengths from {lengths.min():.6g} to {lengths.max():.6g}"
        raise InvalidArgument("head.embeddings", got, "rows of one length: norms divide by it")
    return head.embeddings, size


def _isometry(width: int, hidden: int) -> Floats:
    """Orthonormal columns `(hidden, width)`, each orthogonal to the vector of ones: cosines."""
    if width > hidden - 1:
        allowed = f"at most {hidden - 1}, one less than the model's hidden size"
        raise InvalidArgument("head.width", width, allowed)
    waves = np.outer(np.arange(hidden) + 0.5, np.arange(1, width + 1))
    result: Floats = math.sqrt(2 / hidden) * np.cos(math.pi / hidden * waves)
    return result


def _factors(head: SlashHead | SinkHead, head_dim: int) -> tuple[Floats, Floats]:
    """Value and output weights of at most `head_dim` rows with the same product."""
    if head.w_o.shape[0] != head.width:
        got = f"shape {head.w_o.shape}"
        raise InvalidArgument(
            "head.w_o", got, f"{head.width} rows, as the residual stream it reads"
        )
    left, sizes, right = np.linalg.svd(head.w_o @ head.w_v)
    rank = int((sizes > 1e-12 * sizes.max(initial=0.0)).sum())
    if rank > head_dim:
        raise InvalidArgument(
            "head",
            f"copies {rank} dimensions",
            f"at most head_dim, {head_dim}; pass `parts` with fewer to slash_head",
        )
    values, outputs = np.zeros((head_dim, head.width)), np.zeros((head.width, head_dim))
    roots = np.sqrt(sizes[:rank])
    values[:rank] = roots[:, np.newaxis] * right[:rank]
    outputs[:, :rank] = left[:, :rank] * roots
    return values, outputs


def _cycled(rows: Floats, count: int) -> Floats:
    result: Floats = rows[np.arange(count) % len(rows)]
    return result
