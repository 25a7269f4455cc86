"""The record of runs: one small JSON file with everything that is drawn or reported from them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from multi_hop_tasks.data import drawn
from multi_hop_tasks.foreseen import foresee
from multi_hop_tasks.look import look
from multi_hop_tasks.settings import Settings
from multi_hop_tasks.train import Run, data_seed, model_at

__all__ = ["recorded"]


def recorded(
    run: Run,
    folder: Path,
    *,
    held: int,
    scored: int,
    longest: int,
    said: Callable[[str], None],
) -> dict[str, Any]:
    """The record of one run as far as it has come; each checkpoint is evaluated once, and kept.

    `held` sequences for accuracy and `scored` ones for scores, drawn apart from the training's;
    `longest` is how many tokens the longest test has.
    Keys are those of `Looked` and `Foreseen`, by mark; `lead` is of the last mark, `used` the
    plane of the largest lead by mark and layer.
    """
    settings, place = Settings(**run.settings), folder / run.name
    tests = drawn(run.task, held, settings, seed=data_seed(run.seed, 1))
    few = drawn(run.task, scored, settings, seed=data_seed(run.seed, 2))
    marks: list[dict[str, Any]] = []
    for step in run.steps:
        path = place / f"look-{held}-{scored}-{step}.json"
        if not path.exists():
            _write(path, asdict(look(model_at(run, folder, step), tests, few)))
            said(f"{run.name}: looked at step {step}")
        marks.append(json.loads(path.read_text(encoding="utf-8")))
    path = place / f"longer-{longest}-{run.steps[-1]}.json"
    if not path.exists():
        model = model_at(run, folder, run.steps[-1])
        seed = data_seed(run.seed, 3)
        _write(path, asdict(foresee(model, run.task, settings, seed=seed, most=longest)))
        said(f"{run.name}: looked at longer inputs")
    return {
        "task": run.task,
        "seed": run.seed,
        "steps": run.steps,
        "of steps": settings.steps,
        "losses": [round(loss, 4) for loss in run.losses],
        "right": [mark["right"] for mark in marks],
        "of": np.bincount(tests.hops)[1:].tolist(),
        **{
            name: [mark[rows][number] for mark in marks]
            for number, kind in enumerate(("positional", "symbolic"))
            for rows, name in (("last", kind), ("chain", f"{kind} on the chain"))
        },
        "entropy": [mark["entropy"] for mark in marks],
        "used": [np.argmax(mark["lead"], axis=1).tolist() for mark in marks],
        "lead": marks[-1]["lead"],
        "longer": json.loads(path.read_text(encoding="utf-8")),
        "seconds": round(run.seconds),
        **({"where": run.where} if run.where else {}),
    }


def _write(path: Path, content: dict[str, Any]) -> None:
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content), encoding="utf-8")
    os.replace(new, path)
