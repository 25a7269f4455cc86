"""Where a Hugging Face model keeps the parts of one attention head.

One `Slot` per supported family: views of the model's own parameters, its norm, rotation tables and
roundings. What cannot be guaranteed is refused by name. torch is imported when a model is given.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, Rounding
from ropeproof.numerics.models.families import BY_NAME
from ropeproof.numerics.models.visit import sight
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.families import FAMILIES, Family
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SLOTS", "Slot", "fill_view", "model_spec", "open_slot", "write_view"]

Floats = NDArray[np.float64]
_SINGLE = 2.0**-24

_QK_NORM = "queries and keys pass through a norm, so their amplitudes are not those of the weights"
_CAPPED = "logits are capped by tanh, so margins are not those of the weights"
_SINKS = "attention sinks: the weights of a row do not add up to 1"
_LATENT = "multi-head latent attention"
_ALIBI = "ALiBi position biases, no RoPE"
_LEARNED = "learned absolute positions, no RoPE"
_OTHER_SCALE = "its own attention, residual and embedding multipliers"

_REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "bloom": _ALIBI,
        "mpt": _ALIBI,
        "gpt2": _LEARNED,
        "opt": _LEARNED,
        "gemma3": _QK_NORM,
    }
)
"""Reasons for refusing families that the tables of families do not give."""


class Slot(ABC):
    """One head of one layer of a model: views of its parameters, and facts of its code.

    Weights act from the left as in `Head`. Writing to a view writes to the model.
    """

    def __init__(self, model: Any, layer: int, head: int) -> None:
        self.model, self.config, self.layer, self.head = model, model.config, layer, head
        self.family = BY_NAME[self.config.model_type]
        self.blocks = getattr(model.base_model, self.family.layers)
        self.heads = int(self.config.num_attention_heads)
        self.hidden = int(self.config.hidden_size)
        self.block = self.blocks[layer]
        self.head_dim = self._head_dim()
        self.rows = slice(head * self.head_dim, (head + 1) * self.head_dim)

    @property
    @abstractmethod
    def norm(self) -> Any:
        """The norm before this layer's attention."""

    @property
    @abstractmethod
    def norm_epsilon(self) -> float:
        """What the norm before this layer's attention adds to the mean square."""

    @abstractmethod
    def projections(self) -> Mapping[str, tuple[Any, Any]]:
        """Views `(weight, bias or None)` of the head's projections, by name: `q`, `k`, `v`, `o`.

        Shapes are `(head_dim, hidden)` and `(head_dim,)` for `q`, `k`, `v`, and `(hidden, head_dim)` for `o`,
        whose bias is that of the whole layer.
        """

    @abstractmethod
    def writers(self, layer: int) -> tuple[Any, ...]:
        """The linear maps by which a layer adds to the residual stream."""

    def tables(self, length: int) -> tuple[Floats, Floats]:
        """Cosines and sines that the model uses, `(length, rotated planes)` each."""
        return _rotary_tables(self.model.base_model.rotary_emb, self.embedding, length)

    @property
    def scale(self) -> float:
        """The factor by which the model multiplies logits."""
        return float(self.attention.scaling)

    @property
    def attention(self) -> Any:
        """This layer's attention module."""
        return getattr(self.block, self.family.attention)

    @property
    def sharing(self) -> tuple[int, ...]:
        """The other query heads that read the same keys and values."""
        return ()

    @property
    def window(self) -> int | None:
        """The number of positions a row can see, None if that is all."""
        return sight(self.config, self.family, len(self.blocks))[self.layer]

    @property
    def dtype(self) -> str:
        """The type of the parameters, by its name in torch."""
        return str(self.projections()["q"][0].dtype).removeprefix("torch.")

    def rounding(self) -> Rounding:
        """The roundings of this model's code in its type.

        Softmax is in float32 whatever the type is.
        """
        plain = ROUNDINGS[self.dtype]
        return self._rounding(plain)

    def _rounding(self, plain: Rounding) -> Rounding:
        return Rounding(
            name=plain.name,
            unit=plain.unit,
            sums=plain.sums,
            logit=plain.logit,
            logit_sums=plain.logit_sums,
            softmax=max(plain.softmax, _SINGLE),
            weight=max(plain.weight, _SINGLE),
        )

    @property
    def norm_unit(self) -> float:
        """Unit roundoff inside the norm."""
        return ROUNDINGS[self.dtype].sums

    @property
    def embedding(self) -> Any:
        """The token embedding's weight, `(vocabulary, hidden)`."""
        return self.model.get_input_embeddings().weight

    def _head_dim(self) -> int:
        return self.hidden // self.heads


class _LlamaSlot(Slot):
    """Llama and its relatives: half layout, key heads shared by groups of query heads."""

    @property
    def norm(self) -> Any:
        return self.block.input_layernorm

    @property
    def norm_epsilon(self) -> float:
        return float(self.config.rms_norm_eps)

    def _head_dim(self) -> int:
        return int(getattr(self.config, "head_dim", None) or self.hidden // self.heads)

    @property
    def _group(self) -> int:
        return self.heads // int(self.config.num_key_value_heads)

    @property
    def sharing(self) -> tuple[int, ...]:
        first = self.head // self._group * self._group
        return tuple(h for h in range(first, first + self._group) if h != self.head)

    def projections(self) -> Mapping[str, tuple[Any, Any]]:
        shared, attention = self.head // self._group, self.attention
        keys = slice(shared * self.head_dim, (shared + 1) * self.head_dim)
        found = {}
        for name, rows in (("q", self.rows), ("k", keys), ("v", keys)):
            linear = getattr(attention, f"{name}_proj")
            bias = None if linear.bias is None else linear.bias[rows]
            found[name] = (linear.weight[rows], bias)
        out = attention.o_proj
        return {**found, "o": (out.weight[:, self.rows], out.bias)}

    def writers(self, layer: int) -> tuple[Any, ...]:
        return self.blocks[layer].self_attn.o_proj, self.blocks[layer].mlp.down_proj

    @property
    def norm_unit(self) -> float:
        return _SINGLE  # LlamaRMSNorm works in float32 whatever the type is


class _NeoxSlot(Slot):
    """GPT-NeoX: half layout, partly rotated, queries, keys and values of a head in one matrix.

    Its residual may be parallel or not: the attention reads the same norm either way.
    """

    @property
    def norm(self) -> Any:
        return self.block.input_layernorm

    @property
    def norm_epsilon(self) -> float:
        return float(self.config.layer_norm_eps)

    def projections(self) -> Mapping[str, tuple[Any, Any]]:
        fused, out, size = self.attention.query_key_value, self.attention.dense, self.head_dim
        found = {}
        for place, name in enumerate(("q", "k", "v")):
            first = (3 * self.head + place) * size
            rows = slice(first, first + size)
            found[name] = (fused.weight[rows], None if fused.bias is None else fused.bias[rows])
        return {**found, "o": (out.weight[:, self.rows], out.bias)}

    def writers(self, layer: int) -> tuple[Any, ...]:
        return self.blocks[layer].attention.dense, self.blocks[layer].mlp.dense_4h_to_h


class _GptjSlot(Slot):
    """GPT-J: interleaved layout, no biases in attention, logits in float32."""

    @property
    def norm(self) -> Any:
        return self.block.ln_1

    @property
    def norm_epsilon(self) -> float:
        return float(self.config.layer_norm_epsilon)

    @property
    def scale(self) -> float:
        return 1 / float(self.attention.scale_attn)

    def projections(self) -> Mapping[str, tuple[Any, Any]]:
        found = {
            name: (getattr(self.attention, f"{name}_proj").weight[self.rows], None)
            for name in ("q", "k", "v")
        }
        return {**found, "o": (self.attention.out_proj.weight[:, self.rows], None)}

    def writers(self, layer: int) -> tuple[Any, ...]:
        return self.blocks[layer].attn.out_proj, self.blocks[layer].mlp.fc_out

    def tables(self, length: int) -> tuple[Floats, Floats]:
        whole = self.attention.embed_positions
        if length > len(whole):
            raise InvalidArgument("length", length, f"at most n_positions, {len(whole)}")
        # The model rounds the table to the type of the keys.
        rows = whole[:length].detach().to(self.embedding.dtype).double().cpu().numpy()
        sines, cosines = np.split(rows, 2, axis=1)
        return cosines, sines

    def _rounding(self, plain: Rounding) -> Rounding:
        return Rounding(
            name=plain.name,
            unit=plain.unit,
            sums=plain.sums,
            logit=_SINGLE,
            logit_sums=_SINGLE,
            softmax=_SINGLE,
            weight=max(plain.weight, _SINGLE),
        )


SLOTS: Mapping[str, type[Slot]] = MappingProxyType(
    {
        "gpt_neox": _NeoxSlot,
        "gptj": _GptjSlot,
        "llama": _LlamaSlot,
        "mistral": _LlamaSlot,
        "qwen2": _LlamaSlot,
    }
)
"""The families that a head can be written into, by `model_type`."""


def open_slot(model: Any, layer: int, head: int) -> Slot:
    """One head of one layer of a model.

    Raises `Unsupported`, naming the reason, for a family or a feature without a guarantee, and
    `InvalidArgument` for what is not a model, or a layer or head that it does not have.
    """
    config: Any = getattr(model, "config", None)
    name = getattr(config, "model_type", None)
    if not isinstance(name, str) or not hasattr(model, "get_input_embeddings"):
        raise InvalidArgument("model", type(model).__name__, "a model of transformers")
    if (refused := _refusal(name)) is not None:
        raise Unsupported(f"model_type {name!r}: {refused}")
    if name not in SLOTS:
        raise Unsupported(f"model_type {name!r}: not one of {', '.join(sorted(SLOTS))}")
    if model.get_output_embeddings() is None:
        raise Unsupported(f"{type(model).__name__}: not a causal language model")
    if getattr(config, "attn_logit_softcapping", None) is not None:
        raise Unsupported(f"model_type {name!r} with attn_logit_softcapping: {_CAPPED}")
    if any(parameter.is_meta for parameter in model.parameters()):
        raise InvalidArgument("model", "parameters on the meta device", "a model with weights")
    layer = _below("layer", layer, int(config.num_hidden_layers))
    head = _below("head_index", head, int(config.num_attention_heads))
    slot = SLOTS[name](model, layer, head)
    if any(getattr(slot.attention, norm, None) is not None for norm in ("q_norm", "k_norm")):
        raise Unsupported(f"model_type {name!r} with q_norm or k_norm: {_QK_NORM}")
    if slot.dtype not in ROUNDINGS:
        raise Unsupported(f"parameters in {slot.dtype}: not one of {', '.join(ROUNDINGS)}")
    if not math.isclose(slot.scale, slot.head_dim**-0.5, rel_tol=1e-14):
        raise Unsupported(f"a scale of {slot.scale!r}: not 1/sqrt({slot.head_dim})")
    return slot


def _refusal(name: str) -> str | None:
    """Why a head in a model of the family has no guarantee; None where nothing is known against it."""
    facts, family = FAMILIES.get(name, Family()), BY_NAME.get(name)
    if facts.capped:
        return _CAPPED
    if facts.sinks:
        return _SINKS
    if facts.latent:
        return _LATENT
    if facts.scale == "attention_multiplier":
        return _OTHER_SCALE
    return _QK_NORM if family is not None and family.normed else _REFUSED.get(name)


def write_view(view: Any, values: Floats) -> None:
    """Writes numbers to a view of parameters, rounded to its type."""
    import torch

    with torch.no_grad():
        view.copy_(torch.from_numpy(np.ascontiguousarray(values)))


def fill_view(view: Any, value: float) -> None:
    """Writes one number everywhere to a view of parameters, if there is one."""
    import torch

    if view is not None:
        with torch.no_grad():
            view.fill_(value)


def model_spec(slot: Slot, length: int) -> RopeSpec:
    """The RoPE of the model for prompts of at most `length` tokens.

    Raises `Unsupported` if its frequencies change with the prompt's length below that, or if the
    layer sees fewer positions.
    """
    spec = RopeSpec.from_config(slot.config, length=length)
    if RopeSpec.from_config(slot.config, length=1).frequencies() != spec.frequencies():
        raise Unsupported(f"frequencies that change with the prompt's length below {length}")
    if slot.window is not None and slot.window < length:
        raise Unsupported(f"a sliding window of {slot.window} positions for {length} tokens")
    return spec


def _below(name: str, value: object, count: int) -> int:
    number = read_integer(name, value, least=0)
    if number >= count:
        raise InvalidArgument(name, value, f"an integer below {count}")
    return number


def _rotary_tables(rotary: Any, like: Any, length: int) -> tuple[Floats, Floats]:
    import torch

    positions = torch.arange(length, device=like.device).unsqueeze(0)
    with torch.no_grad():
        cosines, sines = rotary(like[:1].unsqueeze(0), positions)
    planes = cosines.shape[-1] // 2
    found: list[Floats] = [t[0, :, :planes].double().cpu().numpy() for t in (cosines, sines)]
    return found[0], found[1]
