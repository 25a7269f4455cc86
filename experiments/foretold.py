"""Predictions that were committed before a run, held against what the run observed.

A file of predictions is TOML: each `[[prediction]]` has a sentence, `says`, the name of a number that
the command computes, `quantity`, and the range that it must lie in, `least` or `most` or both, ends
included. The file's hash goes into the record, so that a later change of it shows.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["held_against", "lines_of"]

Json = dict[str, Any]


def held_against(path: Path, quantities: Mapping[str, float | None]) -> Json:
    """The file's hash and, for each prediction, the observed number and whether it is in the range.

    `same` is None where the run has no such number. Raises `ValueError`, naming the prediction, for one
    without a range or with a quantity that no run computes.
    """
    words = path.read_bytes()
    rows = []
    for each in tomllib.loads(words.decode())["prediction"]:
        least, most = each.get("least", -math.inf), each.get("most", math.inf)
        if least == -math.inf and most == math.inf:
            raise ValueError(f"{path.name}: {each['says']!r} has neither 'least' nor 'most'")
        if each["quantity"] not in quantities:
            raise ValueError(f"{path.name}: {each['says']!r} asks for {each['quantity']!r}")
        seen = quantities[each["quantity"]]
        same = None if seen is None or math.isnan(seen) else bool(least <= seen <= most)
        rows.append({**each, "observed": seen, "same": same})
    return {"file": path.name, "sha256": hashlib.sha256(words).hexdigest(), "rows": rows}


def lines_of(found: Json) -> list[str]:
    """One line for each prediction: what it says, its range, what was observed, same or not."""
    lines = []
    for row in found["rows"]:
        ends = [f"{word} {row[word]:g}" for word in ("least", "most") if word in row]
        seen = "nothing" if row["observed"] is None else f"{row['observed']:.3f}"
        verdict = {True: "same", False: "NOT THE SAME", None: "not checked"}[row["same"]]
        lines.append(f"{verdict:12}  predicted at {', at '.join(ends)}; observed {seen}")
        lines.append(f"              {row['says']}")
    told = [row["same"] for row in found["rows"]]
    lines.append(
        f"{told.count(True)} of {len(told)} as predicted, {told.count(False)} not, "
        f"{told.count(None)} not checked"
    )
    return lines
