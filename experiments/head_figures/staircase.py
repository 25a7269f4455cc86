"""The worst margin of one fixed angle as sequences grow, and its near-returns."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import sympy
from matplotlib.figure import Figure

from head_figures.style import BLACK, BLUE, RED
from ropeproof.numerics.bounds.index import one_plane_limit, staircase


def staircase_figure(most: int = 1_000_000, near: int = 800) -> Figure:
    """A figure of the logits that come close to the target's, and of the steps of the worst margin."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 6.2), constrained_layout=True)
    steps = staircase(1, [most])
    lags = np.arange(1, near)
    left.plot(lags, 1 - np.cos(lags), ".", color="0.65", ms=4, label="1 - cos t, each lag t")
    records = [drop for drop in steps.drops if drop.lag < near]
    left.plot(
        [drop.lag for drop in records],
        [drop.margin.lower for drop in records],
        "o",
        ms=10,
        mfc="none",
        mec=RED,
        mew=2,
        label="near-returns: closer than every shorter lag",
    )
    for drop in records:
        # The next one is close by: this label goes to the other side.
        crowded = any(drop.lag < other.lag < 1.5 * drop.lag for other in records)
        left.annotate(
            f"t = {drop.lag}",
            (drop.lag, drop.margin.lower),
            (-8, -4) if crowded or drop.lag > near / 2 else (8, -12),
            textcoords="offset points",
            ha="right" if crowded or drop.lag > near / 2 else "left",
            va="center" if crowded else "baseline",
        )
    left.set(xscale="log", yscale="log", xlabel="lag t (positions)", ylim=(1e-10, 6))
    left.set_ylabel("gap to the target (logits per unit amplitude)")
    left.set_title(
        "One plane of 1 radian per position nearly returns\nafter 6, 44, 710, ... positions"
    )

    def draw(drops: Any, colour: str, style: str, text: str) -> None:
        lengths = [drop.length for drop in drops]
        margins = [drop.margin.lower for drop in drops]
        right.step(
            [*lengths, most], [*margins, margins[-1]], style, where="post", color=colour, label=text
        )

    draw(steps.drops, RED, "-", "angle 1, RoPE's fastest plane")
    golden = staircase(sympy.pi * (sympy.sqrt(5) - 1), [most])
    draw(golden.drops, BLUE, "--", "golden angle: no early return is near")
    lengths = np.unique(np.geomspace(3, most, 60).astype(int)).tolist()
    right.plot(
        lengths,
        [one_plane_limit(n).upper for n in lengths],
        ":",
        color=BLACK,
        lw=2,
        label="limit of any angle: 1 - cos(2π/n)",
    )
    for drop in steps.drops:
        if drop.length in (7, 45, 711, 103994):
            right.annotate(
                f"{drop.lag:,}",
                (drop.length, drop.margin.lower),
                (-6, -4),
                textcoords="offset points",
                ha="right",
                va="top",
                color=RED,
            )
    right.set(xscale="log", yscale="log", xlabel="length n (positions)")
    right.set_ylabel("worst margin (logits per unit amplitude)")
    right.set_title(
        "The worst margin is a staircase that drops one position\nafter each near-return (lags labelled)"
    )
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend(loc="lower left", fontsize=10)
    figure.suptitle("A fixed angle: how the index construction's margin falls as sequences grow")
    return figure
