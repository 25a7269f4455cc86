"""What the replacements come to: damage on plain text, what disturbances then add, contrasts, intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from additive_course.summary import interval
from released.subject import Json

from additive_heads.conditions import CONDITIONS

__all__ = ["contrasts", "quantities", "rows_of"]


def rows_of(own: Json, runs: Mapping[str, Json]) -> dict[str, Json]:
    """For each replacement the change of the plain loss, and by condition what it adds, over the prompts.

    `excess` is what a disturbance adds beyond what it adds to the unchanged model, prompt by prompt;
    negative where the model has become more tolerant. `kept` is the one mean over the other.
    """
    rows: dict[str, Json] = {}
    for name, run in {"unchanged": own, **runs}.items():
        row: Json = {"plain": interval(_less(run["plain"], own["plain"]))}
        for condition in CONDITIONS:
            row[condition] = {
                "added": interval(run[condition]),
                "excess": interval(_less(run[condition], own[condition])),
                "kept": float(np.mean(run[condition]) / np.mean(own[condition])),
            }
        rows[name] = row
    return rows


def contrasts(runs: Mapping[str, Json]) -> dict[str, Json]:
    """What each condition adds with a fit less what it adds with a control, prompt by prompt.

    The fit has two axes, the control replaces the same heads.
    """
    found: dict[str, Json] = {}
    for name, run in runs.items():
        kind, _, rest = name.partition(", ")
        fit = runs.get(f"two axes, {rest}")
        if kind == "two axes" or fit is None or kind == "three axes":
            continue
        found[name] = {
            condition: interval(_less(fit[condition], run[condition]))
            for condition in ("plain", *CONDITIONS)
        }
    return found


def quantities(
    own: Json, runs: Mapping[str, Json], fits: Json, longer: Mapping[str, Json]
) -> dict[str, float | None]:
    """All numbers that predictions can ask for, by name; see `rows_of` and `contrasts`."""
    found: dict[str, float | None] = {}

    def put(name: str, values: Json) -> None:
        for over in ("mean", "low", "high"):
            found[f"{name}: {over}"] = values[over]

    for name, row in rows_of(own, runs).items():
        put(f"{name}: plain", row["plain"])
        for condition in CONDITIONS:
            put(f"{name}: {condition} adds", row[condition]["added"])
            put(f"{name}: {condition} excess", row[condition]["excess"])
            found[f"{name}: {condition} kept"] = row[condition]["kept"]
    for name, row in contrasts(runs).items():
        for condition, values in row.items():
            put(f"fit less {name}: {condition}", values)
    for name in {name.rpartition(", random")[0] for name in runs if ", random" in name}:
        for share in {name.rpartition(", ")[2] for name in runs if ", random" in name}:
            draws = [run for each, run in runs.items() if _is_draw(each, name, share)]
            first = runs.get(f"{name}, most additive first, {share}")
            if draws and first:
                mean = np.mean([draw["plain"] for draw in draws], 0)
                put(
                    f"{name}, {share}: random order less first, plain",
                    interval(mean - first["plain"]),
                )
    for axes, row in fits.items():
        for where, value in row.items():
            found[f"fit with {axes} axes: {where}"] = value
    for name, row in longer.items():
        found[f"longer, {name}: beyond the window less within"] = (
            row["beyond"] - longer["unchanged"]["beyond"]
        ) - (row["within"] - longer["unchanged"]["within"])
    return found


def _is_draw(name: str, kind: str, share: str) -> bool:
    return name.startswith(f"{kind}, random ") and name.endswith(f", {share}")


def _less(one: Sequence[float], other: Sequence[float]) -> Any:
    return np.asarray(one) - np.asarray(other)
