"""Where the strongest slash heads have their amplitude."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ropeproof.tools.measure.report.plots.style import LOOKS, new_figure, shade_bands
from ropeproof.tools.measure.report.reading import (
    Json,
    on_prompt,
    peak,
    peak_text,
    prompt_names,
    statistics_of,
    wavelengths,
    wavelengths_shown,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["planes_figure", "strongest"]

_SHOWN = 6


def strongest(model: Json, most: int = _SHOWN) -> list[Json]:
    """The heads with the largest slash scores on the first prompt, the largest first."""
    first = prompt_names(model)[0]

    def score(head: Json) -> float:
        found = peak(statistics_of(head, first))
        return -1.0 if found is None else found.score

    return sorted(model["heads"], key=score, reverse=True)[:most]


def planes_figure(model: Json) -> Figure:
    """Amplitude of each plane against its wavelength, for the heads with the largest scores."""
    heads = strongest(model)
    columns = min(3, max(1, len(heads)))
    rows = max(1, math.ceil(len(heads) / columns))
    figure = new_figure(5.0 * columns + 0.5, 3.5 * rows + 0.9)
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for axes in panels[len(heads) :]:
        axes.set_axis_off()
    for axes, head in zip(panels, heads, strict=False):
        _panel(axes, model, head)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=9)
    figure.suptitle(
        f"{model['name']}: amplitude by plane of the heads with the largest slash scores\n"
        "bands: high frequency up to 16 positions, low from twice the length; still: planes that "
        "do not rotate"
    )
    return figure


def _panel(axes: Axes, model: Json, head: Json) -> None:
    tokens = int(model["prompts"][0]["tokens"])
    said = []
    shown = []
    for name, look in zip(prompt_names(model), LOOKS, strict=False):
        statistics = statistics_of(head, name)
        if statistics is None:
            continue
        planes = statistics["planes"]
        shown.append((name, look, np.array(wavelengths(planes)), np.array(planes["amplitudes"])))
        found = peak(statistics)
        if found is not None:
            said.append(f"{name}: {peak_text(found)}")
    waves = [w for _, _, each, _ in shown for w in each]
    low, high = wavelengths_shown(waves, tokens)
    still = any(not math.isfinite(w) for w in waves)
    axes.set_xscale("log")
    shade_bands(axes, low, high, tokens)
    for place, (name, look, each, sizes) in enumerate(shown):
        x = np.where(np.isfinite(each), each, high * 1.6) * 1.03**place
        axes.vlines(x, 0, sizes, color=look["color"], lw=1.1, ls="-" if place == 0 else "--")
        axes.plot(
            x,
            sizes,
            look["marker"],
            color=look["color"],
            ms=4,
            ls="",
            label=on_prompt(name),
            mfc=look["color"] if place == 0 else "white",
        )
    top = max([1e-9, *(float(sizes.max(initial=0.0)) for *_, sizes in shown)])
    axes.set(xlim=(low, high * (2.6 if still else 1)), ylim=(0, 1.16 * top))
    if still:
        axes.text(
            high * 1.6,
            0.98,
            "still",
            transform=axes.get_xaxis_transform(),
            va="top",
            ha="center",
            fontsize=8,
        )
    axes.set(xlabel="wavelength (positions)", ylabel="amplitude (logits)")
    axes.set_title(f"layer {head['layer']}, head {head['head']}\n" + "\n".join(said), fontsize=9)
