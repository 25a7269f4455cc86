"""The look that all pictures share: they read in grey and for the colour-blind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ropeproof.tools.measure.report.reading import (
    Json,
    bands_between,
    prompt_names,
    statistics_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BANDS", "LOOKS", "Look", "new_figure", "on_prompts", "shade_bands"]

Look = Mapping[str, str]

# Okabe and Ito's colours; the marker says the same without them.
LOOKS: tuple[Look, ...] = (
    {"color": "#0072B2", "marker": "o"},
    {"color": "#D55E00", "marker": "^"},
    {"color": "#009E73", "marker": "s"},
    {"color": "#CC79A7", "marker": "D"},
)
BANDS: Mapping[str, tuple[str, str]] = {
    "high": ("#CFE5F3", ""),
    "medium": ("#D5EADF", "//"),
    "low": ("#F6DCCB", ".."),
}


def new_figure(width: float, height: float) -> Figure:
    """A figure that only its caller keeps, with a canvas for PNG; width and height in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def on_prompts(model: Json) -> Iterator[tuple[str, Look, list[tuple[Json, Json]]]]:
    """Yield each prompt, its look, and the heads measured on it, each with its statistics."""
    for place, name in enumerate(prompt_names(model)):
        found = [
            (head, statistics)
            for head in model["heads"]
            if (statistics := statistics_of(head, name)) is not None
        ]
        yield name, LOOKS[place % len(LOOKS)], found


def shade_bands(axes: Axes, low: float, high: float, tokens: int) -> None:
    """Shade the wavelength bands behind a logarithmic axis, split at 16 and at twice the length."""
    for name, start, end in bands_between(low, high, tokens):
        colour, hatch = BANDS[name]
        axes.axvspan(start, end, facecolor=colour, edgecolor="white", hatch=hatch, lw=0, zorder=0)
        axes.text(
            math.sqrt(start * end),
            0.98,
            name,
            transform=axes.get_xaxis_transform(),
            ha="center",
            va="top",
            fontsize=8,
        )
