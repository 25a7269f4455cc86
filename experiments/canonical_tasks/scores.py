"""Positional and symbolic scores of trained heads by the table method (`head.score-table`)."""

from __future__ import annotations

import numpy as np
import torch

from canonical_tasks.data import CONTEXT, draw
from canonical_tasks.model import Heads
from ropeproof.numerics.bounds.head.scores import swap_scores
from ropeproof.numerics.bounds.head.table import ContentTable

__all__ = ["mean_scores"]


@torch.no_grad()
def mean_scores(heads: Heads, task: str, count: int, seed: int) -> tuple[list[float], list[float]]:
    """The mean positional and symbolic score of every model on `count` new sequences of the task.

    The table of one sequence holds the logit of each of its 32 contents at each of their 32 places,
    the query at the last; no forward pass after a swap is needed.
    """
    drawn = draw(task, count, np.random.default_rng([seed, 1]))
    tokens = torch.from_numpy(drawn.tokens)
    query, key = heads.tables()
    found = []
    for model, turns in enumerate(heads.turns):
        asked = query[model][tokens[:, -1]].conj().to(torch.complex128)
        keys = key[model][tokens].to(torch.complex128)
        whole = torch.einsum("sp,skp,pi->ski", asked, keys, turns.to(torch.complex128)).real
        table = ContentTable(whole[:, :CONTEXT, :CONTEXT], whole[:, CONTEXT, CONTEXT])
        scores = swap_scores(table)
        found.append((float(scores.positional.mean()), float(scores.symbolic.mean())))
    positional, symbolic = zip(*found, strict=True)
    return list(positional), list(symbolic)
