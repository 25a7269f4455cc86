"""What a weight costs where the target has as many keys on each side: the soft optimum and other routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rich.console import Group
from rich.text import Text

from ropeproof.numerics.bounds.slash.soft.prices import WindowPrices, window_prices
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.tools.budget.slash import Model
from ropeproof.tools.budget.text import cost_table, down, up

__all__ = ["CERTIFIED", "as_json", "priced", "reach_of", "table"]

CERTIFIED: Mapping[str, str] = MappingProxyType(
    {
        "window.reach": "input",
        "window.amplitude": "certified: a head of this amplitude has the score in every such row",
        "window.amplitude_needed": "certified: every head with the score in such a row has at least "
        "this amplitude",
        "window.needed_by_neighbours": "certified lower bound, by the two nearest keys alone; null where a "
        "frequency exceeds 1",
        "window.amplitude_by_margin.lower": "certified lower bound of what the margin costs; a head can have "
        "the score for less",
        "window.amplitude_by_margin.upper": "certified upper bound of what the margin costs",
    }
)
"""What is certified of the numbers about a window."""

_MOST_UNASKED = 2**16
"""The most lags on each side that are priced without being asked for, which takes a few seconds."""


def reach_of(length: int, reach: int | None) -> int:
    """The lags on each side of the target: as given, or as many as a prompt of the length has, at most 65536.

    It is 0 where the prompt has no target with a key on each side. Raises `InvalidArgument` for more lags
    than fit in the prompt, or fewer than 1.
    """
    most = (length - 1) // 2
    if reach is None:
        return min(most, _MOST_UNASKED)
    cost = (
        f"a target with so many keys on each side needs a row of {2 * reach + 1} keys; see --length"
    )
    return read_integer("reach", reach, least=1, most=most, cost=cost)


def priced(
    model: Model, reach: int, score: float, show: Callable[[str, int, int], None]
) -> WindowPrices:
    """The prices of a window; `show` is told of each step of the search."""
    steps = 0

    def progress(*_: float) -> None:
        nonlocal steps
        steps += 1
        show(f"window, step {steps}", 0, 1)

    return window_prices(model.spec, reach=reach, score=score, progress=progress)


def as_json(prices: WindowPrices | None) -> dict[str, Any] | None:
    """The prices as JSON; None for a prompt without such a window."""
    if prices is None:
        return None
    near = prices.neighbours
    return {
        "reach": prices.optimum.reach,
        "amplitude": prices.optimum.amplitude,
        "amplitude_needed": prices.optimum.amplitude_needed,
        "needed_by_neighbours": None if near is None else max(near.lower, 0.0),
        "amplitude_by_margin": {"lower": prices.margin.lower, "upper": prices.margin.upper},
    }


def table(prices: WindowPrices) -> Group:
    """The prices as a table for a reader."""
    best, near = prices.optimum, prices.neighbours
    place = f"a target with {best.reach} keys on each side"
    heading = f"\nThe weight of {place} in its row: {best.score:g}"
    cost = cost_table()
    cost.add_row("amplitude of the best head", up(best.amplitude), "logits", "yes: enough")
    cost.add_row("amplitude that every head needs", down(best.amplitude_needed), "logits", "yes")
    if near is None:
        cost.add_row(
            "needed by its two neighbours alone", "none known", "", "a frequency exceeds 1"
        )
    else:
        cost.add_row(
            "needed by its two neighbours alone", down(max(near.lower, 0.0)), "logits", "yes"
        )
    cost.add_row("amplitude by the margin", up(prices.margin.upper), "logits", "yes: enough")
    return Group(Text(heading, style="bold"), cost)
