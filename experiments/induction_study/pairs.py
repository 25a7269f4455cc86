"""Comparing a pair of layers with the hypotheses of `task.induction`, on repeated tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

__all__ = ["PairHead", "accuracy", "head_table", "repeated"]


@dataclass(frozen=True)
class PairHead:
    """The measurements of one head on sequences of distinct tokens that come twice.

    - `previous`: mean attention to the position before; `least`: the least of a row, `1 - epsilon` of the
      theorem; `leads`: the share of rows in which that position has the largest weight;
    - `previous_lead`: the least lead of that logit over all others, in logits: `beta_1 gamma`;
    - `target`: mean attention to the token after the last occurrence; `half`: the share of rows where that
      is more than half, the theorem's conclusion; `target_lead`: the least lead, in logits, which must be
      more than `needed`, `ln(n_0 + 1)`, wherever nothing is said of the other tokens;
    - `median_lead`: the median lead of the target's logit.

    A lead that floating point cannot hold (weights of 0) is infinite.
    """

    layer: int
    head: int
    previous: float
    least: float
    leads: float
    previous_lead: float
    target: float
    half: float
    target_lead: float
    median_lead: float
    needed: float


def repeated(vocabulary: int, period: int, count: int, seed: int) -> NDArray[np.int64]:
    """The given number of sequences, `(count, 2 period)`: distinct tokens, then the same tokens again."""
    random = np.random.default_rng([seed, 2])
    once = np.array([random.permutation(vocabulary)[:period] for _ in range(count)])
    return np.concatenate((once, once), 1)


def head_table(model: Any, tokens: NDArray[np.int64]) -> list[PairHead]:
    """The measurements of all heads of a transformers model, in its own arithmetic."""
    length = tokens.shape[1]
    period = length // 2
    rows = np.arange(1, length)
    later = np.arange(period, length)
    kept: dict[tuple[int, int], list[NDArray[np.float64]]] = {}
    usual = model.config._attn_implementation
    model.set_attn_implementation("eager")  # the fused kernel does not return its weights
    try:
        for sequence in torch.from_numpy(tokens):
            with torch.no_grad():
                layers = model(sequence[None], output_attentions=True, use_cache=False).attentions
            for layer, weights in enumerate(layers):
                for head, matrix in enumerate(weights[0].double().numpy()):
                    found = (*_at(matrix, rows, rows - 1), *_at(matrix, later, later - period + 1))
                    kept.setdefault((layer, head), []).append(np.concatenate(found))
    finally:
        model.set_attn_implementation(usual)
    result = []
    cuts = np.cumsum([len(rows), len(rows), len(later)])
    for (layer, head), each in kept.items():
        before, ahead, target, lead = np.split(np.array(each), cuts, axis=1)
        result.append(
            PairHead(
                layer,
                head,
                float(before.mean()),
                float(before.min()),
                float((ahead > 0).mean()),
                float(ahead[:, 1:].min()),
                float(target.mean()),
                float((target > 0.5).mean()),
                float(lead.min()),
                float(np.median(lead)),
                math.log(length),
            )
        )
    return result


def _at(
    matrix: NDArray[np.float64], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights at the given places, and how far their logits lead the largest other of the row."""
    others = matrix[rows].copy()
    own = others[np.arange(len(rows)), columns].copy()
    others[np.arange(len(rows)), columns] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        # Logits are known up to a constant of the row; two weights of 0 cannot be compared.
        lead = np.log(own) - np.log(others.max(1))
    return own, np.where(np.isnan(lead), -np.inf, lead)


def accuracy(model: Any, tokens: NDArray[np.int64], answers: NDArray[np.int64]) -> float:
    """The share of prompts, `(prompts, length)`, whose next token is the answer."""
    right = 0
    with torch.no_grad():
        for first in range(0, len(tokens), 16):
            block = torch.tensor(tokens[first : first + 16])
            logits = model(block, use_cache=False, logits_to_keep=1).logits[:, -1]
            right += int((logits.argmax(-1).numpy() == answers[first : first + 16]).sum())
    return right / len(tokens)
