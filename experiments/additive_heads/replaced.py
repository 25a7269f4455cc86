"""A model whose attention computes other logits in chosen heads: fits, and controls that are no fits.

This goes through the attention interface of transformers, whose functions receive rotated queries and
keys. They are turned back by the model's own tables of the pass, so that displaced positions and longer
texts reach a fit as they reach the head itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from additive_heads.fits import HeadFits

__all__ = ["KINDS", "replaced_heads"]

NAME = "replaced_heads"

KINDS = ("two axes", "three axes", "residual doubled", "planes dropped", "another head's fit")
"""What stands in the place of the logits `w`. `residual doubled` is `2 w - f`, as far from `w` as the fit `f`
with two axes, on the other side; `planes dropped` a low-rank form with as large an error; the last one the
fit with two axes of the next head of the layer."""


@dataclass(eq=False)
class _Pass:
    """The chosen heads by layer, what replaces them, and the tables of the pass that is under way."""

    fits: HeadFits
    kind: str
    chosen: Mapping[int, Sequence[int]]
    tables: tuple[torch.Tensor, torch.Tensor] | None = None

    def note(self, _module: Any, _arguments: Any, output: Any) -> None:
        self.tables = output


_RUNNING: list[_Pass] = []


@contextmanager
def replaced_heads(
    model: Any, fits: HeadFits, chosen: Mapping[int, Sequence[int]], kind: str
) -> Iterator[Any]:
    """A context in which the chosen heads, by layer, have logits of this kind; see `KINDS`.

    For models of the Llama family without a sliding window and without a cache. Yields the model, which
    is as it was found afterwards. Raises `ValueError` for another kind.
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}, of {KINDS}")
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, eager_mask

    AttentionInterface.register(NAME, _attend)
    AttentionMaskInterface.register(NAME, eager_mask)
    now = _Pass(fits, kind, {layer: list(heads) for layer, heads in chosen.items() if len(heads)})
    hook = model.model.rotary_emb.register_forward_hook(now.note)
    before = model.config._attn_implementation
    model.set_attn_implementation(NAME)
    _RUNNING.append(now)
    try:
        yield model
    finally:
        _RUNNING.remove(now)
        model.set_attn_implementation(before)
        hook.remove()


def _attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **_named: Any,
) -> tuple[torch.Tensor, None]:
    """The attention function: its output, `(batch, length, heads, head_dim)`, and no weights."""
    now = _RUNNING[-1]
    groups = query.shape[1] // key.shape[1]
    key, value = (side.repeat_interleave(groups, 1) for side in (key, value))
    logits = query @ key.transpose(-1, -2) * scaling
    heads = now.chosen.get(module.layer_idx)
    if heads is not None and now.tables is not None:
        other = _OF[now.kind](now, module.layer_idx, heads, query, key)
        logits[:, heads] = other * scaling
    length = query.shape[2]
    if attention_mask is None:
        causal = torch.ones(length, length, dtype=torch.bool).tril()
        logits = logits.masked_fill(~causal, torch.finfo(logits.dtype).min)
    else:
        logits = logits + attention_mask
    output = logits.softmax(-1) @ value
    return output.transpose(1, 2).contiguous(), None


def _two(
    now: _Pass, layer: int, heads: Sequence[int], query: torch.Tensor, key: torch.Tensor
) -> torch.Tensor:
    """The fit with two axes before the scale, `(batch, heads, length, length)`."""
    q, k = query[:, heads], key[:, heads]
    mean = now.fits.keys[layer, heads][:, None]
    there = _turned(mean, now)
    left = torch.cat((q, _turned(q, now, back=True)), -1)
    right = torch.cat((there.expand_as(k), _averaged(_turned(k, now, back=True) - mean, now)), -1)
    return left @ right.transpose(-1, -2)


def _three(
    now: _Pass, layer: int, heads: Sequence[int], _query: torch.Tensor, key: torch.Tensor
) -> torch.Tensor:
    """The fit with three axes before the scale, without its term of the query."""
    k = key[:, heads]
    mean_query, mean = (side[layer, heads][:, None] for side in (now.fits.queries, now.fits.keys))
    of_lag = _turned(mean_query, now) @ _turned(mean, now).transpose(-1, -2)
    rest = _averaged(_turned(k, now, back=True) - mean, now)
    return of_lag + (rest * mean_query).sum(-1)[:, :, None, :]


def _doubled(
    now: _Pass, layer: int, heads: Sequence[int], query: torch.Tensor, key: torch.Tensor
) -> torch.Tensor:
    own = query[:, heads] @ key[:, heads].transpose(-1, -2)
    return 2 * own - _two(now, layer, heads, query, key)


def _dropped(
    now: _Pass, layer: int, heads: Sequence[int], query: torch.Tensor, key: torch.Tensor
) -> torch.Tensor:
    kept = now.fits.kept[layer, heads][:, None]
    return (query[:, heads] * kept) @ key[:, heads].transpose(-1, -2)


def _another(
    now: _Pass, layer: int, heads: Sequence[int], query: torch.Tensor, key: torch.Tensor
) -> torch.Tensor:
    return _two(now, layer, [(head + 1) % query.shape[1] for head in heads], query, key)


_OF: dict[str, Callable[..., torch.Tensor]] = dict(
    zip(KINDS, (_two, _three, _doubled, _dropped, _another), strict=True)
)


def _turned(x: torch.Tensor, now: _Pass, *, back: bool = False) -> torch.Tensor:
    """Vectors turned to their positions, or back, `(batch, heads, length or 1, head_dim)`."""
    assert now.tables is not None
    cosines, sines = (table[:, None] for table in now.tables)
    low, high = x.chunk(2, -1)
    quarter = torch.cat((-high, low), -1)
    return x * cosines - quarter * sines if back else x * cosines + quarter * sines


def _averaged(x: torch.Tensor, now: _Pass) -> torch.Tensor:
    """Keys whose products with queries are the means of the logits over the lags of the window."""
    real, imaginary = now.fits.phasors
    low, high = x.chunk(2, -1)
    # Times the conjugate of the phasor.
    return torch.cat((low * real + high * imaginary, high * real - low * imaginary), -1)
