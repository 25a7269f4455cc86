"""Runs of several seeds: when heads become pure against when the task is solved, with intervals.

Each run is followed as its page does: accuracy on held-out sequences and the swap scores of the
last row, a mean over sequences, at every mark, and accuracy on longer inputs at the end. Of the
runs of a task the mean is given with its 95 % interval by Student's t, exact for normal values.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.stats import spearmanr, t

from multi_hop_tasks.data import drawn, longer
from multi_hop_tasks.foreseen import LENGTHS
from multi_hop_tasks.look import right_by_hops
from multi_hop_tasks.settings import Settings
from multi_hop_tasks.train import Run, data_seed, model_at
from ropeproof.numerics.bounds.head.scores import purity
from ropeproof.numerics.models.scores import head_scores
from ropeproof.proofs_check.site.pictures.recorded import multi_hop

__all__ = ["LEVEL", "followed", "interval", "observed", "summary_of"]

Json = dict[str, Any]

LEVEL = 0.1
"""The paper's level of purity."""
SOLVED, HALF = 0.99, 0.9
"""The accuracy that counts as solved, and that from which on a number of hops counts as learned."""
TESTED = 48_000
"""Tokens of the tests of one length."""


def followed(
    run: Run, folder: Path, *, held: int, scored: int, longest: int, said: Callable[[str], None]
) -> Json:
    """The record of one run that was kept in `folder`; each checkpoint is looked at once, and kept.

    `held` sequences for accuracy and `scored` ones for scores, drawn apart from the training's, the
    same as `multi_hop_tasks.record` draws; `longest` is how many tokens the longest test has.
    """
    settings, place = Settings(**run.settings), folder / run.name
    tests = drawn(run.task, held, settings, seed=data_seed(run.seed, 1))
    few = drawn(run.task, scored, settings, seed=data_seed(run.seed, 2))
    tokens = torch.from_numpy(few.tokens.copy())

    def at(step: int) -> Json:
        model = model_at(run, folder, step)
        found = head_scores(model, tokens, rows="last")
        return {
            "right": right_by_hops(model, tests),
            "positional": found.s_pos[:, :, 0].mean(0).round(4).tolist(),
            "symbolic": found.s_sym[:, :, 0].mean(0).round(4).tolist(),
        }

    def beyond() -> Json:
        model, seed = model_at(run, folder, run.steps[-1]), data_seed(run.seed, 3)
        lengths = [n for n in LENGTHS if settings.length < n <= longest]
        right, of = [], []
        for length in lengths:
            data = drawn(run.task, min(1_200, TESTED // length), settings, seed=seed)
            right.append(sum(right_by_hops(model, longer(data, length, seed=seed + length))))
            of.append(len(data))
        return {"lengths": lengths, "right": right, "of": of}

    marks = []
    for step in run.steps:
        path = place / f"followed-{held}-{scored}-{step}.json"
        marks.append(_kept(path, lambda step=step: at(step)))
    far = _kept(place / f"beyond-{longest}-{run.steps[-1]}.json", beyond)
    said(f"{run.name}: followed to step {run.steps[-1]}")
    return {
        "task": run.task,
        "seed": run.seed,
        "steps": run.steps,
        "of": np.bincount(tests.hops)[1:].tolist(),
        **{name: [mark[name] for mark in marks] for name in ("right", "positional", "symbolic")},
        "longer": far,
        "seconds": round(run.seconds),
        "where": run.where,
    }


def summary_of(run: Mapping[str, Any]) -> Json:
    """What is compared of one run; steps are marks, and None stands for what did not happen.

    - `accuracy` at the last mark, `solved at` the first mark within .01 of the largest accuracy;
    - `learned at`: the first mark with an accuracy of .9, by hops;
    - `ends`: `positional`, `symbolic` or None by layer, at level .1; `pure from`: the mark from
      which a layer is of that kind for good;
    - `lead`: the mean over the layers that end pure of `solved at` less `pure from`, in steps;
    - `rank correlation` of the number of pure heads with the accuracy, over the marks;
    - `longer`: accuracy by length.
    """
    became = multi_hop.became_pure(run, LEVEL)
    accuracy, solved = multi_hop.accuracy(run), multi_hop.accuracy_reached(run)
    share = np.array(run["right"]) / np.array(run["of"])
    kinds = purity(np.array(run["positional"]), np.array(run["symbolic"]), LEVEL)
    pure = np.isin(kinds, ("positional", "symbolic")).sum(1)
    going = len(set(pure.tolist())) > 1 and len(set(accuracy.tolist())) > 1
    far = run["longer"]
    return {
        "accuracy": float(accuracy[-1]),
        "solved at": solved,
        "learned at": [_first(run["steps"], column >= HALF) for column in share.T],
        "ends": [None if each is None else each[1] for each in became],
        "pure from": [None if each is None else each[0] for each in became],
        "lead": _mean([solved - each[0] for each in became if each is not None]),
        "rank correlation": float(spearmanr(pure, accuracy).statistic) if going else None,
        "longer": {
            str(n): right / of
            for n, right, of in zip(far["lengths"], far["right"], far["of"], strict=True)
        },
    }


def interval(values: Sequence[float | None]) -> Json:
    """The mean of the values that are there, `low` and `high` of its 95 % interval by t, and `of`.

    With fewer than two values there is no interval, and `low` and `high` are None.
    """
    there = [value for value in values if value is not None]
    low = high = None
    if len(there) > 1:
        half = float(t.ppf(0.975, len(there) - 1) * np.std(there, ddof=1) / math.sqrt(len(there)))
        low, high = float(np.mean(there)) - half, float(np.mean(there)) + half
    return {"mean": _mean(there), "low": low, "high": high, "of": len(there)}


def observed(summaries: Mapping[str, Sequence[Json]]) -> tuple[dict[str, float | None], Json]:
    """The numbers that predictions are about, and the intervals behind them, from summaries by task.

    The counts `runs ...` are of runs; a run in which a number of hops is never learned counts as one
    in which the second hop is not later.
    """
    found: dict[str, float | None] = {}
    intervals: Json = {}
    for task, runs in summaries.items():
        counted = {
            "solved": [run["accuracy"] >= SOLVED for run in runs],
            "with the second hop later": [(_lag(run) or 0) > 0 for run in runs],
            "with all heads symbolic": [set(run["ends"]) == {"symbolic"} for run in runs],
            "with a positional head": ["positional" in run["ends"] for run in runs],
            "with the last layer symbolic": [run["ends"][-1] == "symbolic" for run in runs],
            "with a head that ends impure": [None in run["ends"] for run in runs],
            "with all purity first": [_first_of_all(run) for run in runs],
        }
        found |= {f"{task}: runs {name}": float(sum(each)) for name, each in counted.items()}
        measured = {
            "accuracy": [run["accuracy"] for run in runs],
            "solved at": [run["solved at"] for run in runs],
            "steps from first to second hop": [_lag(run) for run in runs],
            "lead": [run["lead"] for run in runs],
            "rank correlation": [run["rank correlation"] for run in runs],
            "share of pure heads before": [_share_before(run) for run in runs],
            **{
                f"accuracy at {n} tokens": [run["longer"][n] for run in runs]
                for n in runs[0]["longer"]
            },
        }
        intervals[task] = {name: interval(values) for name, values in measured.items()}
        for name, each in intervals[task].items():
            found |= {f"{task}: {end} of {name}": each[end] for end in ("mean", "low", "high")}
    if {"number", "letter"} <= set(summaries):
        pairs = zip(summaries["number"], summaries["letter"], strict=True)
        lags = [(_lag(one), _lag(other)) for one, other in pairs]
        between = interval([None if None in pair else pair[0] - pair[1] for pair in lags])
        name = "steps from first to second hop, number less letter"
        intervals[name] = between
        found |= {f"{end}: {name}": between[end] for end in ("mean", "low", "high")}
    return found, intervals


def _lag(run: Json) -> float | None:
    """The steps from when one hop is learned to when two are; None if either never is."""
    one, two = (run["learned at"] + [None])[:2]
    return None if one is None or two is None else float(two - one)


def _first_of_all(run: Json) -> bool:
    """Whether some head ends pure, and every head that does is so before the task is solved."""
    pure = [step for step in run["pure from"] if step is not None]
    return bool(pure) and max(pure) <= run["solved at"]


def _share_before(run: Json) -> float | None:
    """The share of the heads that end pure that are so for good before the task is solved."""
    return _mean([float(s <= run["solved at"]) for s in run["pure from"] if s is not None])


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _first(steps: Sequence[int], holds: Any) -> int | None:
    return steps[int(np.argmax(holds))] if np.any(holds) else None


def _kept(path: Path, find: Callable[[], Json]) -> Json:
    """The result of `find`, read from `path` if it is kept there."""
    if not path.exists():
        new = path.with_suffix(".new")
        new.write_text(json.dumps(find()), encoding="utf-8")
        os.replace(new, path)
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found
