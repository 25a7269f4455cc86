"""Tables of what disturbances do to heads, beside the bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from disturbances.heads import Drawn
from ropeproof.numerics.bounds.perturbation import (
    displaced,
    lags_apart,
    longer_inputs,
    neighbour_swaps,
    uniform_moves,
)

__all__ = [
    "DISPLACEMENTS",
    "DRAWS",
    "FEW",
    "SHOWN_APART",
    "SHOWN_DISPLACED",
    "SHOWN_LONGER",
    "Table",
    "apart_table",
    "displaced_table",
    "longer_table",
    "show",
]

Table = list[dict[str, Any]]
DISPLACEMENTS = (1, 2, 4, 8, 16)
FEW = 0.05
GAP, DRAWS, LAGS = 0.25, 256, 4096


def displaced_table(heads: Mapping[str, Drawn]) -> Table:
    """The observed total variations and their bounds, by head and displacement."""
    rows: Table = []
    for name, head in heads.items():
        length = len(head.keys)
        cases = [
            ("few swaps", neighbour_swaps(length, FEW)),
            ("all swaps", neighbour_swaps(length)),
        ]
        cases += [("uniform", uniform_moves(length, far)) for far in DISPLACEMENTS]
        for kind, moves in cases:
            found = displaced(head.queries, head.keys, head.spec, moves)
            rows.append({"head": name, "moves": kind, **found.summary(), "holds": found.holds})
    return rows


def longer_table(heads: Mapping[str, Drawn], lengths: Sequence[int]) -> Table:
    """The effective length and the spread of the last query's output, by head and length."""
    rows: Table = []
    for name, head in heads.items():
        query = head.queries[-1]
        args = query, head.keys, head.values, head.spec
        found = longer_inputs(*args, lengths=lengths, draws=DRAWS)
        rows += [{"head": name, **asdict(row)} for row in found]
    return rows


def apart_table(heads: Mapping[str, Drawn]) -> Table:
    """The number of lags below `LAGS` that each head tells apart, and the bound on it."""
    rows: Table = []
    for name, head in heads.items():
        found = lags_apart(head.queries, head.keys, head.spec, length=LAGS, gap=GAP)
        digits = math.log10(found.bound)
        row = {"head": name, "length": LAGS, "gap": GAP, "lags": len(found.lags)}
        rows.append(row | {"bound_log10": digits, "holds": found.holds})
    return rows


def show(title: str, rows: Table, columns: Mapping[str, str]) -> None:
    """Print a table as text; `columns` maps each column's name in the rows to its format."""
    print(f"\n{title}")
    width = max(len(str(row[next(iter(columns))])) for row in rows)
    for name in columns:
        print(f"{name:<{width}}" if name == next(iter(columns)) else f"{name:>15}", end="  ")
    print()
    for row in rows:
        for place, (name, style) in enumerate(columns.items()):
            text = format(row[name], style)
            print(f"{text:<{width}}" if place == 0 else f"{text:>15}", end="  ")
        print(flush=True)


SHOWN_DISPLACED = {
    "head": "",
    "moves": "",
    "displacement": "d",
    "tilt_mean": ".3f",
    "observed_mean": ".4f",
    "true_bound_mean": ".4f",
    "bound_mean": ".4f",
    "observed_max": ".4f",
    "bound_max": ".4f",
}
SHOWN_LONGER = {
    "head": "",
    "length": "d",
    "effective": ".1f",
    "own_effective": ".1f",
    "spread": ".2e",
    "spread_error": ".1e",
    "bound": ".2e",
    "own_spread": ".2e",
    "residual": ".3f",
}
SHOWN_APART = {"head": "", "length": "d", "gap": ".2f", "lags": "d", "bound_log10": ".1f"}
