"""How additive the logits of each head are: over the null, and against what is predicted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ropeproof.tools.measure.report.plots.style import LOOKS, new_figure, on_prompts
from ropeproof.tools.measure.report.reading import Json, grid_fit, on_prompt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["correlation_figure", "predicted_figure"]

_KINDS = ("optimal", "three-axis")


def correlation_figure(model: Json) -> Figure:
    """Additive correlation of every head with its null and noise floor, one panel per prompt."""
    every = list(on_prompts(model))
    count = max(1, len(model["heads"]))
    # With hundreds of heads the marks get smaller instead of the figure wider.
    size = 6.0 if count <= 150 else 3.0
    figure = new_figure(min(24.0, max(9.0, 0.13 * count + 3)), 3.9 * len(every) + 0.9)
    panels = figure.subplots(len(every), 1, sharex=True, squeeze=False)[:, 0]
    place = {(head["layer"], head["head"]): n for n, head in enumerate(model["heads"])}
    starts = [n for (_, number), n in place.items() if number == 0]
    for axes, (name, _, found) in zip(panels, every, strict=True):
        lowest = 0.0
        for kind, look in zip(_KINDS, LOOKS, strict=False):
            rows = [
                (place[head["layer"], head["head"]], fit)
                for head, statistics in found
                for fit in statistics["additive"]
                if (fit["kind"], fit["domain"], fit["centred"]) == (kind, "triangle", True)
                and fit["correlation"] is not None
            ]
            if not rows:
                continue
            # Side by side, so that no mark hides another.
            x = np.array([n for n, _ in rows]) + (-0.17 if kind == "optimal" else 0.17)
            null = [fit["null_correlation"] for _, fit in rows]
            found_at = [fit["correlation"] for _, fit in rows]
            lowest = min(lowest, *found_at)
            axes.vlines(x, null, found_at, color=look["color"], lw=1, alpha=0.5)
            axes.plot(
                x,
                found_at,
                look["marker"],
                color=look["color"],
                mfc="none",
                ms=size,
                label=f"{kind}: correlation",
                ls="",
            )
            axes.plot(
                x,
                null,
                "_" if kind == "optimal" else "x",
                color=look["color"],
                ms=size + 1,
                ls="",
                label=f"{kind}: null, of random features",
            )
            if kind == "three-axis":
                floor = [math.sqrt(fit["floor"]) for _, fit in rows]
                axes.plot(
                    x,
                    floor,
                    ".",
                    color="black",
                    ms=4,
                    ls="",
                    label=f"{kind}: root of the noise floor",
                )
        for start in starts[1:]:
            axes.axvline(start - 0.5, color="0.8", lw=0.8, zorder=0)
        axes.set(title=on_prompt(name), ylabel="correlation", ylim=(lowest - 0.05, 1.05))
        axes.grid(axis="y", alpha=0.3)
    figure.legend(
        *panels[0].get_legend_handles_labels(), ncols=3, fontsize=8, loc="outside lower center"
    )
    layers = [str(head["layer"]) for head in model["heads"] if head["head"] == 0]
    panels[-1].set_xticks(starts, layers)
    panels[-1].set_xlabel("heads in order; the number is the layer, at its first head")
    figure.suptitle(
        f"{model['name']}: how additive the row-centred logits on causal pairs are\n"
        "what counts is the distance to the null; optimal takes its terms from the features and "
        "has floor 0"
    )
    return figure


def predicted_figure(model: Json) -> Figure:
    """Measured R^2 on the grid against that of `posgen.anova`, pooled and row-centred."""
    figure = new_figure(11.5, 6.6)
    panels = figure.subplots(1, 2)
    for axes, centred in zip(panels, (False, True), strict=True):
        said = [_points(axes, model, centred)]
        axes.plot([0, 1], [0, 1], color="black", lw=1, label="measured = predicted")
        axes.set(xlabel="R² predicted (posgen.anova)", ylabel="R² measured", aspect="equal")
        low = min(0.0, axes.dataLim.x0, axes.dataLim.y0)
        axes.set(xlim=(low - 0.02, 1.02), ylim=(low - 0.02, 1.02))
        axes.set_title(f"{'row-centred' if centred else 'pooled'}: {'; '.join(said)}", fontsize=10)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, loc="upper left")
    figure.suptitle(
        f"{model['name']}: best additive fit on the grid, measured against predicted\n"
        "off the diagonal, fluctuations are not circular or planes go together"
    )
    return figure


def _points(axes: Axes, model: Json, centred: bool) -> str:
    said = []
    for name, look, found in on_prompts(model):
        fits = [grid_fit(statistics, centred=centred) for _, statistics in found]
        known = [
            (fit["predicted"], fit["r_squared"], fit["null_r_squared"], fit["floor"])
            for fit in fits
            if fit is not None and None not in (fit["predicted"], fit["r_squared"])
        ]
        if not known:
            continue
        predicted, measured, null, floor = np.array(known).T
        difference = float(np.sqrt(((measured - predicted) ** 2).mean()))
        said.append(f"{name} rms difference {difference:.3f}")
        axes.plot(
            predicted,
            measured,
            look["marker"],
            color=look["color"],
            mfc="none",
            ls="",
            label=f"{on_prompt(name)} (noise floor {np.median(floor):.3f})",
        )
        axes.axhline(
            float(np.median(null)),
            color=look["color"],
            lw=1,
            ls="--" if look["marker"] == "o" else ":",
            label=f"null {on_prompt(name)}: random features",
        )
    return "; ".join(said) or "no variance"
