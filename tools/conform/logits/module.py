"""The logits of one attention layer of a model of transformers, from given queries and keys."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.logits.calls import Floats, Norm, grouped
from ropeproof.tools.conform.logits.rule import LogitRule
from ropeproof.tools.conform.logits.subject import LogitSubject
from ropeproof.tools.conform.subjects.layer import attention_of, layer_pair
from ropeproof.tools.conform.subjects.module import rotary_module

__all__ = ["logit_subject"]

_NORMS = (
    ("q_norm", "k_norm"),
    ("query_layernorm", "key_layernorm"),
    ("q_layernorm", "k_layernorm"),
)


def logit_subject(model: Any, rule: LogitRule, layer: int) -> LogitSubject:
    """The attention of a layer as `(q, k, positions) -> logits`, with weights of its norms that differ.

    Logits are those that its attention makes of the queries and keys that arrive there, by the scale that it
    is handed, before a cap or a mask. Raises `Unsupported` for layers that are not known here, and for
    those that count positions in their cache, which has none here.
    """
    if rule.by_position is not None and rule.by_position.shift:
        told = "its queries are scaled by a position that is counted in the cache: not checked"
        raise Unsupported(f"{rule.family} layer {layer}: {told}")
    attention = copy.copy(attention_of(model, layer))
    attention._modules = dict(attention._modules)
    norms, unknown = _own_norms(attention, rule.spec.head_dim)
    pair = layer_pair(rotary_module(model), attention, rule.spec, norms=norms is not None)

    def logits(q: Any, k: Any, positions: Any) -> Any:
        import torch

        with torch.no_grad():
            queries, keys = pair(q, k, positions)
            scale = pair.scaling()  # type: ignore[attr-defined]
            if scale is None:
                raise Unsupported(f"{type(attention).__name__}: it hands on no scale")
            own = torch.from_numpy(grouped(keys.double().numpy(), queries.shape[1]))
            return (queries.double() @ own.transpose(-1, -2) * float(scale)).to(q.dtype)

    logits.__name__ = f"{type(attention).__name__} {layer}"
    return LogitSubject(logits, norms=norms, unknown=unknown, grouped=False)


def _own_norms(attention: Any, width: int) -> tuple[tuple[Norm, Norm] | None, str]:
    """The norms of a layer, which get weights that differ, and in words what of them is not checked."""
    import torch

    for names in _NORMS:
        own = [getattr(attention, name, None) for name in names]
        if any(part is None for part in own):
            continue
        made: list[Norm] = []
        for seed, (name, part) in enumerate(zip(names, own, strict=True)):
            weight = getattr(part, "weight", None)
            if weight is not None and weight.numel() != width:
                return None, f"{name} norms {weight.numel()} numbers and not the {width} of a head"
            norm: Any = copy.deepcopy(part)
            if weight is not None:
                draw = torch.Generator().manual_seed(seed)
                norm.weight.data = torch.rand(width, generator=draw) + 0.5
            attention._modules[name] = norm
            made.append(_as_function(norm))
        return (made[0], made[1]), ""
    if getattr(attention, "qk_norm", None) is not None:
        return None, "its norm qk_norm is left out"
    return None, ""


def _as_function(part: Any) -> Norm:
    """A norm as a function of vectors `(batch, heads, length, head_dim)`."""

    def norm(x: Floats) -> Floats:
        import torch

        with torch.no_grad():
            made = part(torch.from_numpy(np.ascontiguousarray(x)).float())
        return np.asarray(made.double().numpy())

    return norm
