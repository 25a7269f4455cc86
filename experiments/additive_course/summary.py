"""What the courses from several seeds come to: each figure before, after and between, over the seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from released.subject import Json
from scipy.stats import t as student

from additive_course.measured import FITS

__all__ = ["interval", "quantities", "table"]

_OVER = ("least", "mean", "most", "low", "high")


def interval(values: Sequence[float]) -> Json:
    """The least, mean and largest value, and the ends of a 95 % interval of the mean by Student's t.

    The ends are None for one value.
    """
    array = np.asarray(values, dtype=np.float64)
    mean = float(array.mean())
    found: Json = {"least": float(array.min()), "mean": mean, "most": float(array.max())}
    found |= {"low": None, "high": None, "n": len(array)}
    if len(array) > 1:
        half = float(student.ppf(0.975, len(array) - 1) * array.std(ddof=1) / math.sqrt(len(array)))
        found |= {"low": mean - half, "high": mean + half}
    return found


def followed(mark: Json) -> dict[str, float]:
    """The figures of one mark that are followed over the training, by name."""
    found = {
        f"{fit}, {tokens}": mark["additive"][tokens][fit]["correlation"]["median"]
        for fit in FITS
        for tokens in ("text", "random")
    }
    return found | {
        "loss": mark["loss"],
        "key term": mark["dummy"]["correlation"]["median"],
        "key term from the planes": mark["dummy"]["foreseen"]["median"],
        "alike queries": mark["alike"]["queries"],
        "alike keys": mark["alike"]["keys"],
        "slash heads": mark["slash"]["heads at .1"],
        "largest slash score": mark["slash"]["largest"],
        "induction heads": mark["kinds"].get("induction", 0),
    }


def half_way(course: Json, name: str) -> int | None:
    """The first mark's step at which half of the whole change of a figure is done; None without a change."""
    values = [followed(mark)[name] for mark in course["marks"]]
    change = values[-1] - values[0]
    if change == 0:
        return None
    done = [(value - values[0]) / change >= 0.5 for value in values]
    return int(course["marks"][done.index(True)]["step"])


def table(courses: Sequence[Json]) -> Json:
    """Each followed figure before the training, after it, and its change, over the seeds."""
    names = followed(courses[0]["marks"][0])
    found: dict[str, Any] = {}
    for name in names:
        ends = [(followed(c["marks"][0])[name], followed(c["marks"][-1])[name]) for c in courses]
        found[name] = {
            "before": interval([first for first, _ in ends]),
            "after": interval([last for _, last in ends]),
            "change": interval([last - first for first, last in ends]),
            "half way at step": [half_way(course, name) for course in courses],
        }
    return found


def quantities(courses: Mapping[str, Sequence[Json]]) -> dict[str, float | None]:
    """All numbers that predictions can ask for, by name: `shape: figure, before, least`, for example."""
    found: dict[str, float | None] = {}
    for shape, runs in courses.items():
        for name, ends in table(runs).items():
            for when in ("before", "after", "change"):
                for over in _OVER:
                    found[f"{shape}: {name}, {when}, {over}"] = ends[when][over]
            steps = [step for step in ends["half way at step"] if step is not None]
            last = runs[0]["marks"][-1]["step"]
            found[f"{shape}: {name}, half way, latest share of the steps"] = (
                max(steps) / last if steps else None
            )
        found[f"{shape}: seeds with two axes half way before slash heads"] = sum(
            _no_later(run, "two axes, text", "slash heads") for run in runs
        )
    return found


def _no_later(course: Json, one: str, other: str) -> bool:
    first, second = half_way(course, one), half_way(course, other)
    return first is not None and (second is None or first <= second)
