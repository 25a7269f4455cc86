"""One attention layer of a model of transformers: what its own code does to queries and keys.

The projections of the layer are replaced by ones that hand on given vectors, and its attention by
one that looks at what arrives there. So all of the layer's code in between is what is tested: which
part of a head rotates, by which function and tables, and whether the layer rotates at all.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["attention_of", "layer_pair", "model_positions"]

Pair = Callable[[Any, Any, Any], Any]

_NAME = "ropeproof_seen"
_ATTENTIONS = ("self_attn", "self_attention")
_NORMS = (
    "q_norm",
    "k_norm",
    "qk_norm",
    "v_norm",
    "q_layernorm",
    "k_layernorm",
    "query_layernorm",
    "key_layernorm",
)


class _Seen(Exception):
    """Raised with queries and keys as the attention gets them, `(batch, heads, length, head_dim)`."""

    def __init__(self, query: Any, key: Any, scaling: Any = None) -> None:
        super().__init__("seen")
        self.query, self.key, self.scaling = query, key, scaling


def attention_of(model: Any, layer: int) -> Any:
    """The attention of a layer of a model; `InvalidArgument` or `Unsupported` if there is none."""
    within: list[Any] = [model, getattr(model, "model", None)]
    stacks = [m for m in within if hasattr(m, "layers")]
    if not stacks:
        raise Unsupported(f"{type(model).__name__}: it has no layers that are known here")
    layers = stacks[0].layers
    if not 0 <= layer < len(layers):
        raise InvalidArgument("layer", layer, f"an integer below {len(layers)}")
    found = (getattr(layers[layer], name, None) for name in _ATTENTIONS)
    attention = next((one for one in found if one is not None), None)
    if attention is None:
        raise Unsupported(f"{type(layers[layer]).__name__} {layer}: it has no attention known here")
    return attention


def layer_pair(part: Any, attention: Any, spec: RopeSpec, *, norms: bool = False) -> Pair:
    """`(q, k, positions) -> (q, k)` of an attention layer and the rotary module of its model.

    Vectors are `(batch, heads, length, head_dim)`, those before the layer's rotation and those
    after. A permutation of the coordinates that queries and keys have in common, which no logit
    sees, is taken back. The norms of queries and keys are left out unless `norms` is set. `scaling()` of
    the function gives the scale that its last call handed to the attention, or None.
    Raises `Unsupported` for a layer whose projections are not known here, or
    whose code does not run on given queries and keys.
    """
    if not hasattr(attention, "config"):
        raise Unsupported(f"{type(attention).__name__}: it has no configuration to look with")
    own = _bare(attention, norms=norms)
    scales: list[Any] = []
    latent = hasattr(own, "kv_a_proj_with_mqa")
    if not latent and not (hasattr(own, "q_proj") and hasattr(own, "k_proj")):
        raise Unsupported(f"{type(attention).__name__}: it has neither q_proj nor latent keys")
    feed = _feed_latent if latent else functools.partial(_feed, gated=_is_gated(attention, spec))
    wanted = inspect.signature(part.forward).parameters
    kind = _layer_type(own)
    # What a layer keeps for others to read, such as keys that layers share.
    taken = set(inspect.signature(own.forward).parameters)
    kept, placed = {"shared_kv_states"} & taken, "position_ids" in taken and spec.axes is None

    def raw(q: Any, k: Any, positions: Any) -> tuple[Any, Any]:
        import torch

        places, more = model_positions(positions, spec), {}
        if "layer_type" in wanted:
            more["layer_type"] = kind
        hidden = torch.zeros(q.shape[0], q.shape[2], own.config.hidden_size, dtype=q.dtype)
        if len(places.reshape(-1, places.shape[-1])) == 1 and q.shape[0] > 1:
            places = places.expand(q.shape[0], -1)
        tables = part(hidden, places, **more)
        found = []
        for head in range(q.shape[1]) if latent else (slice(None),):
            pick = slice(head, head + 1) if isinstance(head, int) else head
            layer = feed(own, q[:, pick], k[:, pick])
            others: dict[str, Any] = {name: {} for name in kept}
            others |= {"position_ids": places} if placed else {}
            try:
                layer.forward(hidden, position_embeddings=tables, attention_mask=None, **others)
            except _Seen as seen:
                found.append((seen.query, seen.key))
                scales[:] = [seen.scaling]
        if not found:
            raise Unsupported(
                f"{type(attention).__name__}: its attention is not the registered one"
            )
        queries, keys = (torch.cat(side, 1) for side in zip(*found, strict=True))
        return queries, keys

    try:
        order = _common_order(raw, spec)
    except Unsupported:
        raise
    except Exception as error:  # whatever the layer's code does with what it is not made for
        told = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
        name = type(attention).__name__
        raise Unsupported(
            f"{name}: its code does not run on given queries and keys ({told})"
        ) from None

    def pair(q: Any, k: Any, positions: Any) -> tuple[Any, Any]:
        queries, keys = raw(q, k, positions)
        return (queries, keys) if order is None else (queries[..., order], keys[..., order])

    pair.scaling = lambda: scales[0] if scales else None  # type: ignore[attr-defined]
    pair.__name__ = f"{type(attention).__name__} {getattr(own, 'layer_idx', '')}".strip()
    return pair


def _is_gated(attention: Any, spec: RopeSpec) -> bool:
    """Whether the projection of queries gives as many numbers again, of a gate."""
    wide = getattr(getattr(attention, "q_proj", None), "out_features", 0)
    heads = getattr(attention.config, "num_attention_heads", 0)
    return bool(wide == 2 * heads * spec.head_dim > 0)


def _layer_type(attention: Any) -> Any:
    kind = getattr(attention, "layer_type", None)
    types = getattr(attention.config, "layer_types", None)
    return kind if kind is not None or not types else types[attention.layer_idx]


def model_positions(positions: Any, spec: RopeSpec) -> Any:
    """Positions as models take them: a row for each of the batch, coordinates ahead of these."""
    if spec.axes is None:
        return positions if positions.ndim == 2 else positions[None]
    rows = positions if positions.ndim == 3 else positions[None]
    return rows.movedim(-1, 0)


def _bare(attention: Any, *, norms: bool = False) -> Any:
    """A copy of an attention layer whose attention only records what arrives.

    Norms of queries and keys are left out unless `norms` is set.

    Projections that neither queries nor keys come from, such as those of a gate, give zeros.
    """
    import torch
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    ALL_ATTENTION_FUNCTIONS.register(_NAME, _look)
    own = copy.copy(attention)
    own._modules = dict(attention._modules)
    own.config = copy.copy(attention.config)
    own.config._attn_implementation_internal = _NAME
    for name, part in attention._modules.items():
        if name in _NORMS and not norms:
            own._modules[name] = torch.nn.Identity()
        elif isinstance(part, torch.nn.Linear):
            own._modules[name] = _zeros(part.out_features)
    return own


def _look(_module: Any, query: Any, key: Any, *_: Any, **given: Any) -> Any:
    raise _Seen(query, key, given.get("scaling"))


def _given(values: Any) -> Any:
    """A module that returns `values`, whatever it is called with."""
    import torch

    class Given(torch.nn.Module):
        def forward(self, *_: Any, **__: Any) -> Any:
            return values

    return Given()


def _zeros(width: int) -> Any:
    """A module that returns a vector of `width` zeros for each vector."""
    import torch

    class Zeros(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.new_zeros(*x.shape[:-1], width)

    return Zeros()


def _flat(x: Any) -> Any:
    """Vectors with all heads in the last axis, `(batch, length, heads * head_dim)`, as projected."""
    return x.transpose(1, 2).flatten(2)


def _feed(attention: Any, q: Any, k: Any, *, gated: bool) -> Any:
    """A copy of a layer whose projections give `q` and `k`, and zeros for a gate if `gated`."""
    import torch

    own = copy.copy(attention)
    own._modules = dict(attention._modules)
    queries = torch.cat((q, torch.zeros_like(q)), -1) if gated else q
    own._modules |= {"q_proj": _given(_flat(queries)), "k_proj": _given(_flat(k))}
    if own._modules.get("v_proj") is not None:
        own._modules["v_proj"] = _given(_flat(k))
    return own


def _feed_latent(attention: Any, q: Any, k: Any) -> Any:
    """A copy of a layer with latent keys, whose projections give one head of `q` and `k`.

    The unrotated part of the key comes from the latent, the rotated part beside it.
    """
    import torch

    own = copy.copy(attention)
    own._modules = dict(attention._modules)
    still = own.qk_nope_head_dim
    batch, _, length, _ = k.shape
    latent = torch.zeros(batch, length, own.kv_lora_rank, dtype=k.dtype)
    values = torch.zeros(batch, 1, length, own.v_head_dim, dtype=k.dtype)
    whole = torch.cat((k[..., :still], values), -1)
    first = "q_proj" if own.q_lora_rank is None else "q_b_proj"
    given = {
        first: _flat(q),
        "kv_a_proj_with_mqa": torch.cat((latent, _flat(k[..., still:])), -1),
        "kv_b_proj": whole.transpose(1, 2).reshape(batch, 1, length, -1),
    }
    if own.q_lora_rank is not None:
        given |= {"q_a_proj": latent, "q_a_layernorm": latent}
    given["kv_a_layernorm"] = latent
    own._modules |= {name: _given(values) for name, values in given.items()}
    return own


def _common_order(raw: Pair, spec: RopeSpec) -> Any:
    """The order that undoes a common permutation of queries and keys at position 0, or None."""
    import torch

    d = spec.head_dim
    basis = torch.eye(d).reshape(1, 1, d, d)
    shape = (d,) if spec.axes is None else (d, len(spec.axes.names))
    queries, keys = raw(basis, basis, torch.zeros(shape, dtype=torch.int64))
    seen, other = (x[0, 0].detach().numpy() for x in (queries, keys))
    whole = bool(np.isin(seen, (0.0, 1.0)).all() and (seen.sum(0) == 1).all())
    if not whole or (seen != other).any() or (seen.sum(1) != 1).any():
        return None  # no permutation, or not one in common: it is for the tests to say so
    order = seen.argmax(1)
    return None if (order == np.arange(d)).all() else torch.from_numpy(order)
