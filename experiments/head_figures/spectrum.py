"""One plane against the optimal spectrum over all planes of a spec."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from head_figures.style import BLUE, GREEN, RED, SPEC, SPECTRUM_LENGTHS
from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.bounds.planes import frozen_margins, one_plane_against_all
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.spec import frequencies_float64


def spectrum_figure(
    lengths: tuple[int, ...] = SPECTRUM_LENGTHS, kept: tuple[int, ...] = (16, 64, 256, 1024)
) -> Figure:
    """A figure of the margins of one plane, of all planes and of frozen ones, and of two spectra."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 6.2), constrained_layout=True)
    rows = one_plane_against_all(SPEC, lengths)
    best = [row.all_planes.lower for row in rows]
    left.plot(lengths, best, "o-", color=GREEN, label="all planes, optimal for each length")
    left.plot(
        lengths,
        [row.one_plane.lower for row in rows],
        "k:",
        lw=2,
        label="one plane of the best angle: 1 - cos(2π/n)",
    )
    single = [
        max(index_margin(float(t), length=n).lower for t in frequencies_float64(SPEC))
        for n in lengths
    ]
    left.plot(
        lengths,
        single,
        "s--",
        color=BLUE,
        mfc="none",
        label="RoPE's best single plane",
    )
    rows_kept = frozen_margins(SPEC, kept, optimal_at=kept[0])
    left.plot(
        [row.reach + 1 for row in rows_kept],
        [row.frozen.lower for row in rows_kept],
        "v-.",
        color=RED,
        ms=8,
        label=f"all planes, optimal for {kept[0] + 1} positions and then kept",
    )
    left.set(xscale="log", yscale="log", xlabel="length n (positions)")
    left.set_ylabel("worst margin (logits per unit amplitude)")
    left.set_title(
        "One plane loses its margin like 1/n²; all planes together keep\n"
        "about 0.3, if their amplitudes fit the length"
    )
    left.legend(loc="lower left", fontsize=10)
    waves = 2 * np.pi / frequencies_float64(SPEC)
    for reach, colour, marker, style in ((kept[0], RED, "v", "-."), (kept[-1], GREEN, "o", "-")):
        sizes = optimal_slash(SPEC, reach).amplitudes
        used = sizes > 1e-4
        right.vlines(waves[used], 0, sizes[used], color=colour, ls=style, lw=1.2)
        right.plot(
            waves[used],
            sizes[used],
            marker,
            color=colour,
            ms=6,
            mfc="none",
            label=f"{reach + 1} positions",
        )
    right.set(xscale="log", xlabel="wavelength of the plane (positions)", ylim=(0, None))
    right.set_ylabel("share of the amplitude")
    right.set_title("The optimal spectrum uses wavelengths\nup to about the length")
    right.legend(title="optimal for", fontsize=10)
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.suptitle("What the other planes buy (head_dim 128, base 10000)")
    return figure
