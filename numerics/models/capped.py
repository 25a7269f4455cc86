"""A model run with capped distances: its attention treats every longer lag as the cap.

At lags up to the cap the logits are the model's own. Beyond it the logit is the one that the same
query and key would have at the cap itself: the query turned to position `cap`, the key to position
0, by the model's own tables. This goes through the attention interface of transformers: a function
registered there receives rotated queries and keys, and turns them back where it needs to.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.models.families import BY_NAME, FamilyAdapter, check_steady, read_model
from ropeproof.numerics.models.visit import sight
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.exact import read_integer

if TYPE_CHECKING:
    import torch

__all__ = ["CAPPED_FAMILIES", "capped_distances"]

NAME = "capped_distances"
"""The name under which the capped attention is registered with transformers."""

CAPPED_FAMILIES = tuple(
    name for name, family in BY_NAME.items() if not (family.interleaved or family.by_type)
)
"""The families that can be capped, by `model_type`: attention through the interface of transformers,
the half layout and one rotation for all layers."""

_AT_ONCE = 1 << 24
"""The number of logits in memory at once, over all prompts and heads."""


@dataclass(eq=False)
class _Cap:
    """The cap of one model with what its attention function needs: the tables of the current pass.

    `here` are the cosines and sines of every position, `(batch, length, rotary_dim)` each, `ends`
    those of the positions 0 and `cap`, `(1, 2, rotary_dim)`; `places` is `(batch, length)`.
    """

    cap: int
    config: Any
    family: FamilyAdapter
    layers: int
    places: torch.Tensor | None = None
    here: tuple[torch.Tensor, torch.Tensor] | None = None
    ends: tuple[torch.Tensor, torch.Tensor] | None = None

    def note(self, module: Any, arguments: Any, named: Any, output: Any) -> None:
        """A forward hook of the model's rotary module that keeps the tables of the pass."""
        import torch

        inputs = dict(zip(("x", "position_ids"), arguments, strict=False)) | named
        x, self.places, self.here = inputs["x"], inputs["position_ids"], output
        ends = torch.tensor([[0, self.cap]], device=x.device)
        # Not a call, which would come back here.
        self.ends = module.forward(x, position_ids=ends)


_CAPS: weakref.WeakKeyDictionary[Any, tuple[_Cap, int]] = weakref.WeakKeyDictionary()
"""The attention modules of capped models, each with its model's cap and its layer's number."""


@contextlib.contextmanager
def capped_distances(model: Any, cap: int) -> Iterator[Any]:
    """A context in which no query of `model` takes a key to be more than `cap` positions away.

    For lags `t > cap` the logit is that of `t = cap`; with `cap >= length - 1` the model's logits
    are its own, up to rounding. The causal mask, padding, grouped keys, the scale, a soft cap of
    the logits and dropout are the model's. Lags are those of `position_ids`. Yields the model.
    Its attention implementation, hooks and tables are as they were found afterwards, on errors
    too. In another context on the same model the inner cap holds.

    In bfloat16 and float16 the queries and keys beyond the cap are turned in float32 from the
    rounded ones that the interface hands over.

    Cost: attention as in the eager implementation, twice the logits, but never more than about
    `2^24` of them at once.

    Raises `InvalidArgument` unless `cap` is an integer `>= 0` and the model one of transformers
    with weights; `Unsupported`, by name, for a family that is not in `CAPPED_FAMILIES`, for
    frequencies that change with the length and attention that is not causal; and when the model
    is run, for a sliding window shorter than the input and for a cache of earlier keys.
    """
    base, name, family = read_model(model)
    far = read_integer("cap", cap, least=0)
    if name not in CAPPED_FAMILIES:
        allowed = ", ".join(CAPPED_FAMILIES)
        if family.own_table:
            what = "its attention does not go through transformers' attention interface"
            raise Unsupported(f"model_type {name!r}: {what}, as that of {allowed} does")
        what = "the interleaved layout" if family.interleaved else "a rotation per layer type"
        raise Unsupported(f"model_type {name!r}: {what}; capped are {allowed}")
    check_steady(base.config, family)
    attentions = [getattr(layer, family.attention) for layer in getattr(base, family.layers)]
    if not all(getattr(attention, "is_causal", True) for attention in attentions):
        raise Unsupported(f"model_type {name!r} with attention that is not causal")
    _register()
    cap_of_model = _Cap(far, base.config, family, len(attentions))
    before = base.config._attn_implementation
    with contextlib.ExitStack() as stack:
        stack.callback(
            base.rotary_emb.register_forward_hook(cap_of_model.note, with_kwargs=True).remove
        )
        for number, attention in enumerate(attentions):
            stack.callback(_put_back, attention, _CAPS.get(attention))
            _CAPS[attention] = cap_of_model, number
        stack.callback(base.set_attn_implementation, before)
        base.set_attn_implementation(NAME)
        yield model


def _put_back(attention: Any, found: tuple[_Cap, int] | None) -> None:
    if found is None:
        del _CAPS[attention]
    else:
        _CAPS[attention] = found


def _register() -> None:
    """Register the capped attention with transformers, with the additive mask of the eager one."""
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, eager_mask

    AttentionInterface.register(NAME, _attend)
    AttentionMaskInterface.register(NAME, eager_mask)


def _attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    softcap: float | None = None,
    **named: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """The attention function that transformers calls: its output, and its weights or None.

    The output is `(batch, length, heads, head_dim)`; `query` is `(batch, heads, length, head_dim)`, `key`
    and `value` `(batch, key_heads, length, head_dim)`, rotated. The weights are None unless
    `output_attentions` is asked for.
    """
    import torch

    found = _CAPS.get(module)
    if found is None:
        # Another model that shares the configuration of one that is capped.
        raise Unsupported("a model that shares its configuration with one whose lags are capped")
    cap, number = found
    length = query.shape[2]
    if key.shape[2] != length:
        what = f"{key.shape[2]} keys for {length} queries"
        raise Unsupported(f"capped distances with a cache of earlier keys, {what}: use_cache=False")
    window = sight(cap.config, cap.family, cap.layers, length)[number]
    if window is not None:
        what = f"a sliding window of {window} positions for {length} tokens"
        raise Unsupported(f"layer {number}: {what}")
    places, here, ends = cap.places, cap.here, cap.ends
    if places is None or here is None or ends is None:
        raise Unsupported("capped distances of attention that is run outside its model")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    # Query heads in the groups that share a key head: (batch, key_heads, groups, length, head_dim).
    grouped = query.reshape(len(key), key.shape[1], -1, *query.shape[2:])
    keys, values = key.unsqueeze(2), value.unsqueeze(2)
    turned = _turn(grouped, here, ends, 1), _turn(keys, here, ends, 0)
    rows = max(1, _AT_ONCE // (query.shape[0] * query.shape[1] * length))
    # StableLM does not hand on whether they are asked for.
    asked = named.get("output_attentions") or cap.config.model_type == "stablelm"
    outputs, kept = [], []
    for first in range(0, length, rows):
        block = slice(first, min(length, first + rows))
        logits = grouped[..., block, :] @ keys.transpose(-1, -2) * scale
        lags = places[:, block, None] - places[:, None, :]
        beyond = (lags > cap.cap)[:, None, None]
        if bool(beyond.any()):
            far = turned[0][..., block, :] @ turned[1].transpose(-1, -2) * scale
            logits = torch.where(beyond, far.to(logits.dtype), logits)
        if softcap is not None:
            logits = softcap * torch.tanh(logits / softcap)
        logits = logits + _mask(attention_mask, block, logits)
        kind = torch.promote_types(query.dtype, torch.float32)
        weights = torch.nn.functional.softmax(logits, dim=-1, dtype=kind).to(query.dtype)
        weights = torch.nn.functional.dropout(weights, p=dropout, training=module.training)
        outputs.append((weights @ values).flatten(1, 2))
        if asked:
            kept.append(weights.flatten(1, 2))
    output = torch.cat(outputs, 2).transpose(1, 2).contiguous()
    return output, torch.cat(kept, 2) if kept else None


def _mask(given: torch.Tensor | None, block: slice, logits: torch.Tensor) -> torch.Tensor:
    """The additive mask for a block of rows of logits, `(batch or 1, 1, 1, rows, length)`."""
    import torch

    if given is None:
        length = logits.shape[-1]
        given = torch.ones(length, length, dtype=torch.bool, device=logits.device).tril()
        given = given[None, None]
    part = given[:, :, None, block]
    if part.dtype != torch.bool:
        return part
    nothing = torch.zeros((), dtype=logits.dtype, device=logits.device)
    return torch.where(part, nothing, torch.finfo(logits.dtype).min)


def _turn(
    x: torch.Tensor,
    here: tuple[torch.Tensor, torch.Tensor],
    ends: tuple[torch.Tensor, torch.Tensor],
    end: int,
) -> torch.Tensor:
    """Vectors turned from their own positions to position 0 or `cap`, at least in float32.

    `x` is `(batch, key_heads, groups or 1, length, head_dim)`; unrotated coordinates stay.
    """
    import torch

    kind = torch.promote_types(x.dtype, torch.float32)
    cosines, sines = (table[:, None, None].to(kind) for table in here)
    cosine, sine = (table[0, end].to(kind) for table in ends)
    size = cosines.shape[-1]
    x = x.to(kind)
    part = x[..., :size]
    # A table may be rounded or include the attention factor, so its inverse is not its transpose.
    back = (part * cosines - _quarter(part) * sines) / (cosines * cosines + sines * sines)
    turned = back * cosine + _quarter(back) * sine
    return torch.cat((turned, x[..., size:]), -1)


def _quarter(x: torch.Tensor) -> torch.Tensor:
    """Vectors with every plane turned by a quarter turn, in the half layout."""
    import torch

    low, high = x.chunk(2, -1)
    return torch.cat((-high, low), -1)
