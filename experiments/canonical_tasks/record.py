"""The record of a run: one small JSON file with everything that is drawn or reported from it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

from canonical_tasks.data import CONTEXT, INTEGERS, PAIRS, SYMBOLS
from canonical_tasks.model import Heads
from canonical_tasks.scores import mean_scores
from canonical_tasks.train import BASE_ANGLES, RUNS, Run, Settings, angles_of, heads_at
from ropeproof.numerics.bounds.partial_induction import (
    absolute_index_temperature,
    info_retrieval_length,
)

__all__ = ["predictions", "recorded"]

SCORED = 128
"""The number of sequences over which a checkpoint's positional and symbolic scores are averaged."""


def recorded(run: Run, settings: Settings, folder: Path) -> dict[str, Any]:
    """The record of one run: at each mark, the right answers of each model and its head's scores.

    Models are `[seed][angle]`; by place, right answers are summed over the seeds, as is `asked`.
    """
    shape = (settings.seeds, len(BASE_ANGLES))
    right = np.array(run.right).reshape(len(run.steps), *shape, CONTEXT)
    scores = [
        mean_scores(
            heads_at(run.name, settings, folder, step), RUNS[run.name][0], SCORED, seed=step
        )
        for step in run.steps
    ]
    kinds = [
        np.round(np.reshape(kind, (len(run.steps), *shape)), 4)
        for kind in zip(*scores, strict=True)
    ]
    return {
        "task": RUNS[run.name][0],
        "angles": [round(angles[-1], 6) for angles in angles_of(run.name, 1)],
        "steps": run.steps,
        "losses": np.round(np.reshape(run.losses, (len(run.steps), *shape)), 4).tolist(),
        "right": right.sum(3).tolist(),
        "of": settings.validation,
        "by place": right.sum(1).tolist(),
        "asked": np.sum(run.asked, axis=0).tolist(),
        "positional": kinds[0].tolist(),
        "symbolic": kinds[1].tolist(),
        "seconds": round(run.seconds),
        **(
            {"amplitude": _amplitudes(heads_at(run.name, settings, folder, run.steps[-1]))}
            if run.name == "index"
            else {}
        ),
    }


@torch.no_grad()
def _amplitudes(heads: Heads) -> list[list[float]]:
    """The scale of each learned index head: the mean length of its queries times that of its keys."""
    query, key = heads.tables()
    asked = query[:, PAIRS + SYMBOLS : PAIRS + SYMBOLS + INTEGERS].abs().mean((1, 2))
    found = asked * key[:, :PAIRS].abs().mean((1, 2))
    return np.round(found.reshape(-1, len(BASE_ANGLES)).numpy(), 3).tolist()


def predictions() -> dict[str, Any]:
    """The proved, certified facts about heads of one plane at each angle.

    - `index scale`: the scale above which the construction answers every input, and below which it
      does not (`task.absolute-index`, `task.printed-scale`); None at angle 0;
    - `retrieval places`: among how many places symbols on a circle keep a margin
      (`task.info-retrieval`); None for any number.
    """
    scale, places = [], []
    for base in BASE_ANGLES:
        angle = base * math.pi / (CONTEXT + 1)
        known = absolute_index_temperature(CONTEXT, angle=angle) if angle else None
        scale.append(None if known is None else round(known.upper, 3))
        places.append(info_retrieval_length(keys=SYMBOLS, angle=angle) if angle else None)
    return {"index scale": scale, "retrieval places": places}
