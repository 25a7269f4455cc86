"""What the tables of all budgets share: the title, costs, planes, and bounds with few digits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SHOWN", "cost_table", "down", "grid", "others", "title", "up"]

SHOWN = 1e-3
"""Planes with less of the amplitude are not listed."""


def title(name: str, spec: RopeSpec, wanted: str) -> Text:
    """The title of a budget's table: the model with its rotation, and below it what the head is to do."""
    scaling = "none" if spec.scaling is None else type(spec.scaling).__name__.lower()
    return Text(
        f"{name}: head_dim {spec.head_dim}, rotary_dim {spec.rotary_dim}, base {spec.base}, "
        f"scaling {scaling}\n{wanted}",
        style="bold",
    )


def grid(headings: Sequence[str], left: Sequence[str] = ()) -> Table:
    """An empty table without lines; columns are flush right except those named in `left`."""
    made = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        made.add_column(heading, justify="left" if heading in left else "right")
    return made


def cost_table() -> Table:
    """An empty table with the columns of a cost: quantity, value, unit, what is certified of it."""
    made = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("quantity", "value", "unit", "certified"):
        made.add_column(heading, justify="right" if heading == "value" else "left", overflow="fold")
    return made


def others(count: int) -> Text:
    """A sentence about the planes that the table does not list."""
    return Text(f"The other {count} planes have less than {SHOWN:g} each.")


def down(value: float, digits: int = 4) -> str:
    """A lower bound as text with few digits, rounded down."""
    return f"{math.floor(value * 10**digits) / 10**digits:.{digits}f}"


def up(value: float, digits: int = 4) -> str:
    """An upper bound as text with few digits, rounded up."""
    if not math.isfinite(value):
        return "none known"
    return f"{math.ceil(value * 10**digits) / 10**digits:.{digits}f}"
