"""A picture of a decoding budget: amplitude over planes and length, and the length each type allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ropeproof.tools.budget.decoding.head_budget import SPARE, DecodingBudget
from ropeproof.tools.budget.decoding.show import wanted
from ropeproof.tools.budget.slash import Model
from ropeproof.tools.console.picture_file import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

_COLOURS = {"turning": "#4c72b0", "unrotated": "#8172b3"}


def plot(budget: DecodingBudget, model: Model, target: str) -> None:
    """Draw a decoding budget into a file: amplitude over planes and over length, and lengths by type.

    Raises `InvalidArgument` as `ropeproof.tools.console.picture_file.picture`.
    """
    with picture(target, (15, 4.8)) as figure:
        spectrum, growth, lengths = figure.subplots(1, 3)
        _draw_spectrum(spectrum, budget)
        _draw_growth(growth, budget)
        _draw_types(lengths, budget)
        figure.suptitle(f"{model.name}: {wanted(budget)}")


def _draw_spectrum(axes: Axes, budget: DecodingBudget) -> None:
    sizes = budget.head.amplitudes
    turning = [plane for plane in budget.planes if math.isfinite(plane.wavelength)]
    still = [plane for plane in budget.planes if not math.isfinite(plane.wavelength)]
    waves = [plane.wavelength for plane in turning]
    colour = _COLOURS["turning"]
    axes.vlines(waves, 0, [float(sizes[p.index]) for p in turning], color=colour)
    axes.scatter(waves, [float(sizes[p.index]) for p in turning], s=16, color=colour, zorder=3)
    axes.set_xscale("log")
    if still:
        # Unrotated planes have no wavelength: drawn beyond the slowest.
        places = max(waves) * np.geomspace(3, 30, len(still))
        values = [float(sizes[p.index]) for p in still]
        axes.vlines(places, 0, values, color=_COLOURS["unrotated"])
        axes.scatter(
            places, values, s=16, color=_COLOURS["unrotated"], zorder=3, label="unrotated planes"
        )
        axes.legend(loc="best", fontsize=9)
    axes.axvline(budget.length, color="0.4", lw=1, ls=":")
    axes.text(budget.length, 0, " length", color="0.4", rotation=90, va="bottom", ha="right")
    axes.set(
        title="Amplitude of each plane",
        xlabel="wavelength of the plane (positions)",
        ylabel="amplitude (logits)",
    )
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)


def _draw_growth(axes: Axes, budget: DecodingBudget) -> None:
    own = budget.head.amplitude
    lengths = [budget.length, *(row.length for row in budget.longer)]
    best = [own, *(row.reoptimised for row in budget.longer)]
    frozen = [own, *(row.frozen for row in budget.longer)]
    for values, style, colour, label in (
        (best, "o-", "#55a868", "re-optimised for the length"),
        (frozen, "s--", "#c44e52", "same head, scaled"),
    ):
        shown = [(n, v) for n, v in zip(lengths, values, strict=True) if math.isfinite(v)]
        axes.plot(*zip(*shown, strict=True), style, color=colour, label=label)
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
    axes.minorticks_off()
    axes.set(
        title="Amplitude that decodes longer sequences",
        xlabel="length (positions)",
        ylabel="amplitude that is enough (logits)",
    )
    axes.set_ylim(bottom=0)
    axes.legend(loc="best", fontsize=9)
    axes.grid(alpha=0.3)


def _draw_types(axes: Axes, budget: DecodingBudget) -> None:
    names = [
        row.arithmetic if row.arithmetic == "exact" else f"{row.arithmetic}\n{row.angles} angles"
        for row in budget.types
    ]
    lengths = [row.length for row in budget.types]
    axes.bar(range(len(names)), lengths, color="#8da9d4")
    for place, length in enumerate(lengths):
        more = "+" if length >= budget.looked else ""
        axes.text(place, length, f"{length:,}{more}", ha="center", va="bottom", fontsize=9)
    axes.axhline(budget.length, color="0.4", lw=1, ls=":", label=f"length {budget.length:,}")
    axes.set_yscale("log")
    axes.set_xticks(range(len(names)), names, fontsize=8, rotation=25)
    axes.set(
        title=f"Guaranteed length at {SPARE} x the amplitude",
        ylabel="length (positions), at least",
    )
    axes.legend(loc="best", fontsize=9)
    axes.grid(alpha=0.3, axis="y")
