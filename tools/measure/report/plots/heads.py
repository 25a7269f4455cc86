"""The map of heads by their largest slash score, and their positional and symbolic scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropeproof.tools.measure.report.plots.style import new_figure, on_prompts
from ropeproof.tools.measure.report.reading import (
    Json,
    heads_per_layer,
    is_slash,
    on_prompt,
    peak,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["scores_figure", "slash_figure"]


def slash_figure(model: Json, threshold: float) -> Figure:
    """Map of heads by layer, a panel per prompt: colour is the slash score, the number its lag."""
    every = list(on_prompts(model))
    layers = sorted({int(head["layer"]) for head in model["heads"]})
    row = {layer: place for place, layer in enumerate(layers)}
    wide, high = heads_per_layer(model), len(layers)
    cell = 0.5 if wide <= 16 else 0.34
    figure = new_figure(
        max(6.5, len(every) * (cell * wide + 1.4) + 1.2), max(3.8, cell * high + 2.2)
    )
    panels = figure.subplots(1, len(every), sharey=True, squeeze=False)[0]
    image = None
    for axes, (name, _, found) in zip(panels, every, strict=True):
        table = np.full((high, wide), np.nan)
        for head, statistics in found:
            best = peak(statistics)
            if best is None:
                continue
            at = int(head["head"]), row[int(head["layer"])]
            table[at[1], at[0]] = best.score
            marked = is_slash(statistics, threshold)
            axes.text(
                *at,
                str(best.offset),
                ha="center",
                va="center",
                fontsize=9 if wide <= 16 else 6,
                color="black" if best.score > 0.5 else "white",
                weight="bold" if marked else "normal",
            )
            if marked:
                axes.plot(*at, "s", ms=55 * cell, mfc="none", mec="#D55E00", mew=2)
        axes.set_facecolor("0.85")
        image = axes.imshow(table, vmin=0, vmax=1, cmap="cividis", aspect="equal")
        axes.set_xticks(range(0, wide, 1 if wide <= 16 else 4))
        axes.set_yticks(range(high), [str(layer) for layer in layers])
        axes.set(title=on_prompt(name), xlabel="head")
    panels[0].set_ylabel("layer")
    if image is not None:
        figure.colorbar(image, ax=list(panels), label="largest slash score", shrink=0.8)
    figure.suptitle(
        f"{model['name']}: which heads look back by a fixed lag\n"
        f"number: the lag; framed: score at least {threshold:g}\nand above the null of tokens "
        "without position"
    )
    return figure


def scores_figure(model: Json, gamma: float) -> Figure:
    """Symbolic against positional score, a mark per head and prompt."""
    from matplotlib.patches import Rectangle

    figure = new_figure(7.6, 8.0)
    axes = figure.subplots()
    for name, look, found in on_prompts(model):
        pairs = [(s["scores"]["symbolic"], s["scores"]["positional"]) for _, s in found]
        known = [pair for pair in pairs if None not in pair]
        x, y = np.array(known).reshape(-1, 2).T
        axes.scatter(
            x,
            y,
            s=46,
            marker=look["marker"],
            facecolors="none",
            edgecolors=look["color"],
            linewidths=1.4,
            label=on_prompt(name),
            zorder=3,
        )
    axes.plot([0, 1], [1, 0], ":", color="black")
    axes.text(
        0.3,
        0.66,
        "sum 1: no head lies below (head.score-disc)",
        rotation=-45,
        ha="center",
        va="center",
        fontsize=9,
        bbox={"facecolor": "white", "lw": 0, "pad": 2},
    )
    corners = {
        "positional": (0.0, 1 - gamma, gamma + 0.01, 1 - gamma / 2, "left"),
        "symbolic": (1 - gamma, 0.0, 1 - gamma / 2, gamma + 0.02, "center"),
        "both": (1 - gamma, 1 - gamma, 0.99 - gamma, 1 - gamma / 2, "right"),
    }
    for name, (x0, y0, text_x, text_y, side) in corners.items():
        box = Rectangle((x0, y0), gamma, gamma, facecolor="0.9", edgecolor="0.4", hatch="//")
        axes.add_patch(box)
        axes.text(text_x, text_y, name, ha=side, va="center", fontsize=9)
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
    axes.set_xlabel("symbolic score (1: the weights follow the tokens)")
    axes.set_ylabel("positional score (1: the weights stay at their positions)")
    axes.legend(loc="lower left")
    axes.set_title(
        f"{model['name']}: positional against symbolic heads\n"
        f"boxes: pure at level {gamma:g}; near the upper right corner swaps hardly matter"
    )
    return figure
