"""A decoding budget as JSON and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rich.console import Group
from rich.text import Text

from ropeproof.tools.budget.decoding.head_budget import SPARE, DecodingBudget
from ropeproof.tools.budget.slash import Model
from ropeproof.tools.budget.text import (
    SHOWN,
    cost_table,
    down,
    grid,
    others,
    title,
    up,
)

__all__ = ["CERTIFIED", "as_json", "table", "wanted"]

CERTIFIED: Mapping[str, str] = MappingProxyType(
    {
        "task": "input",
        "length": "input",
        "alphabet": "input: the integers 1 .. alphabet, or the number of letters",
        "amplitude": "certified: a head of this amplitude decodes every input of the length",
        "amplitude_needed": "certified: every head that decodes has at least this amplitude",
        "margin_per_amplitude": "certified lower bound, of the head given, on its worst input",
        "query_key_norm_product": "certified: enough for the amplitude, rounded up",
        "centre": "exact: positions by which the query is turned back",
        "planes.frequency": "certified: correctly rounded",
        "planes.wavelength": "not certified: float64",
        "planes.share": "not certified: float64, of the head whose amplitude is given",
        "planes.multiplier": "exact: how many times the letters go around the plane's circle",
        "longest": "certified: at this amplitude the head decodes up to this length; at most `looked`",
        "longer.length": "exact",
        "longer.amplitude_reoptimised": "certified: enough, of the best head found there",
        "longer.amplitude_frozen": "certified: enough, of the same head scaled; null if none is",
        "types.amplitude": "certified: enough, of the same head scaled; null if none is found",
        "types.length": "certified: decoded up to this length at `spare` times the amplitude",
    }
)
"""What is certified of every number of the JSON."""


def as_json(budget: DecodingBudget) -> dict[str, Any]:
    """A decoding budget as JSON, with null for what is infinite."""
    return {
        "schema": 1,
        "task": budget.task,
        "length": budget.length,
        "alphabet": budget.alphabet,
        "amplitude": budget.head.amplitude,
        "amplitude_needed": budget.head.needed,
        "margin_per_amplitude": budget.margin,
        "query_key_norm_product": budget.query_key_norm_product,
        "centre": float(budget.centre),
        "longest": budget.longest,
        "looked": budget.looked,
        "spare": SPARE,
        "planes": [
            {
                "index": plane.index,
                "frequency": plane.frequency,
                "wavelength": _finite(plane.wavelength),
                "share": plane.share,
                "multiplier": plane.multiplier,
            }
            for plane in budget.planes
        ],
        "longer": [
            {
                "length": row.length,
                "amplitude_reoptimised": _finite(row.reoptimised),
                "amplitude_frozen": _finite(row.frozen),
            }
            for row in budget.longer
        ],
        "types": [
            {
                "arithmetic": row.arithmetic,
                "angles": row.angles,
                "amplitude": _finite(row.amplitude),
                "length": row.length,
            }
            for row in budget.types
        ],
        "certified": dict(CERTIFIED),
    }


def table(budget: DecodingBudget, model: Model) -> Group:
    """A decoding budget as a table for a reader."""
    cost = cost_table()
    cost.add_row("amplitude", up(budget.head.amplitude), "logits", "yes: enough")
    cost.add_row("amplitude that every such head needs", down(budget.head.needed), "logits", "yes")
    norms = up(budget.query_key_norm_product, 3)
    cost.add_row("|query| |key|", norms, "norm product", "yes: enough")
    cost.add_row("margin per unit amplitude", down(budget.margin, 6), "at least", "yes")
    more = "+" if budget.longest >= budget.looked else ""
    cost.add_row("decodes up to the length", f"{budget.longest}{more}", "positions", "yes")
    if budget.centre:
        cost.add_row("query turned back by", f"{float(budget.centre):g}", "positions", "exact")

    planes = grid(("plane", "wavelength", "frequency", "share of amplitude", "letters go around"))
    used = [plane for plane in budget.planes if plane.share >= SHOWN]
    for plane in used:
        around = str(plane.multiplier) if budget.task == "retrieval" else "-"
        wavelength = f"{plane.wavelength:.1f}" if math.isfinite(plane.wavelength) else "unrotated"
        planes.add_row(
            str(plane.index), wavelength, f"{plane.frequency:.3e}", f"{plane.share:.3f}", around
        )

    longer = grid(("length", "re-optimised, enough", "frozen, enough"))
    for row in budget.longer:
        longer.add_row(str(row.length), up(row.reoptimised), up(row.frozen))
    headings = ("type", "angles", "amplitude, enough", f"length at {SPARE} x amplitude, at least")
    types = grid(headings, left=("type", "angles"))
    for kind in budget.types:
        more = "+" if kind.length >= budget.looked else ""
        types.add_row(kind.arithmetic, kind.angles, up(kind.amplitude), f"{kind.length}{more}")

    def titled(text: str) -> Text:
        return Text(f"\n{text}", style="bold")

    parts: list[Any] = [title(model.name, budget.spec, wanted(budget)), cost]
    parts += [titled("Which planes"), planes, others(len(budget.planes) - len(used))]
    parts += [titled("Amplitude at longer lengths, in logits (certified)"), longer]
    parts += [titled("What types leave (certified, guaranteed on every input)"), types]
    parts += [Text(f"\n{note}") for note in model.notes]
    return Group(*parts)


def wanted(budget: DecodingBudget) -> str:
    """What the head of a budget decodes, in words."""
    if budget.task == "index":
        what = f"every integer query 1 .. {budget.alphabet}"
    else:
        what = f"every functional input of {budget.alphabet} letters"
    return f"a head that decodes {what} at {budget.length} positions"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
