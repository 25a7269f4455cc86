"""Evaluating one checkpoint: right answers, scores of its heads, and the planes that they use.

Planes are told apart by their *lead*: a plane's part of the logit at the position that is
attended most, less the mean of that part over all positions. The leads of all planes add up to how far
the most attended logit is ahead of the mean one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import GPTJForCausalLM

from multi_hop_tasks.data import chain_of
from multi_hop_tasks.model import answers_of
from ropeproof.numerics.models.scores import head_scores
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.numerics.task import TaskData

__all__ = ["LayerRow", "Looked", "batches", "last_rows", "look", "right_by_hops"]

BATCH = 512
"""Sequences of 17 tokens that are run at once; fewer if they are longer."""


@dataclass(frozen=True, eq=False)
class LayerRow:
    """The last position's view of the head of one layer, for a batch of sequences.

    `query` `(batch, planes)` and `keys` `(batch, length, planes)` are complex and unrotated, the
    query times the scale; `turns` `(length, planes)` is what a key is turned by, seen from the
    query.
    """

    layer: int
    query: Tensor
    keys: Tensor
    turns: Tensor

    @property
    def parts(self) -> Tensor:
        """The contribution of each plane to each logit, `(batch, length, planes)`."""
        return (self.query.conj()[:, None] * self.keys * self.turns).real

    @classmethod
    def of(cls, seen: LayerHeads) -> LayerRow:
        rotation = seen.rotation
        query, keys = (
            torch.complex(vectors[..., list(rotation.real)], vectors[..., list(rotation.imaginary)])
            for vectors in (seen.queries[:, 0, -1].double(), seen.keys[:, 0].double())
        )
        turned = torch.complex(rotation.cosines, rotation.sines)
        return cls(seen.layer, query * seen.scale, keys, turned * turned[-1].conj())


def last_rows(model: GPTJForCausalLM, tokens: Tensor) -> tuple[list[LayerRow], Tensor]:
    """The head of every layer at the last position, and the answers' logits, from one pass."""
    found: list[LayerRow] = []
    hidden = visit_layers(model, tokens, lambda seen: found.append(LayerRow.of(seen)), rows=1)
    assert hidden is not None
    with torch.no_grad():
        return found, model.lm_head(hidden[:, -1])


@dataclass(frozen=True)
class Looked:
    """The evaluation of one checkpoint; scores and entropy are means over sequences.

    `right` by hops 1, 2, ...; `last` and `chain` are positional and symbolic score by layer, of
    the last row and of all rows on the query's chain; `entropy` of the last row, relative to that of equal
    weights; `lead` by layer and plane. Numbers are rounded as they are written.
    """

    right: list[int]
    last: list[list[float]]
    chain: list[list[float]]
    entropy: list[float]
    lead: list[list[float]]


def look(model: GPTJForCausalLM, held: TaskData, scored: TaskData) -> Looked:
    """Evaluate a model: accuracy on `held`, everything else on the fewer sequences of `scored`."""
    tokens = torch.from_numpy(scored.tokens.copy())
    found = head_scores(model, tokens, rows="all")
    pairs = np.stack([found.s_pos, found.s_sym])[:, :, :, 0]
    on = chain_of(scored)[:, list(found.rows)]
    chain = (pairs * on[None, :, None]).sum((1, 3)) / on.sum()
    entropy, lead = [], []
    for row in last_rows(model, tokens)[0]:
        parts = row.parts
        weights = parts.sum(-1).softmax(-1)
        terms = -(weights * weights.clamp_min(1e-300).log()).sum(-1)
        entropy.append(float(terms.mean()) / math.log(scored.length))
        most = weights.argmax(-1)
        ahead = parts[torch.arange(len(parts)), most] - parts.mean(1)
        lead.append(ahead.mean(0).tolist())
    return Looked(
        right_by_hops(model, held),
        _short(pairs[..., -1].mean(1)),
        _short(chain),
        _short(entropy),
        _short(lead),
    )


@torch.no_grad()
def right_by_hops(model: GPTJForCausalLM, data: TaskData) -> list[int]:
    """The number of sequences of 1, 2, ... hops that are answered right."""
    device = model.lm_head.weight.device
    hit = [
        (answers_of(model, tokens.to(device)).argmax(-1).cpu() == answers).numpy()
        for tokens, answers in batches(data)
    ]
    counts = np.bincount(data.hops, weights=np.concatenate(hit), minlength=int(data.hops.max()) + 1)
    return [round(count) for count in counts[1:]]


def batches(data: TaskData) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield tokens and answers in batches that are smaller for longer sequences."""
    size = max(1, int(BATCH * min(1.0, (17 / data.length) ** 1.5)))
    for first in range(0, len(data), size):
        rows = slice(first, first + size)
        yield (
            torch.from_numpy(data.tokens[rows].copy()),
            torch.from_numpy(data.answers[rows].copy()),
        )


def _short(values: Any) -> Any:
    return np.round(np.asarray(values, dtype=np.float64), 4).tolist()
