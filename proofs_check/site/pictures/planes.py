"""Pictures of several planes: their gain over one, a fixed spectrum's margins, their number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.numerics.bounds.planes import (
    angles_drawn,
    digits_margin,
    frozen_margins,
    one_plane_against_all,
    planes_enough,
    planes_needed,
    upper_margin,
)
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["pictures"]

_SPEC = RopeSpec(128, 10_000)


def pictures() -> Iterator[Drawing]:
    """Three pictures: one plane against all, margins as powers of the length, and the planes needed.

    The first also has the spectrum that is best for one length at other lengths; the last shows that the
    number of planes grows like the logarithm of the length.
    """
    yield _all()
    yield _powers()
    yield _log()


def _all() -> Drawing:
    lengths = (3, 5, 9, 17, 33, 65, 129, 257, 513, 1025)
    rows = one_plane_against_all(_SPEC, lengths)
    best = [row.all_planes.lower for row in rows]
    one = [row.one_plane.lower for row in rows]
    kept = frozen_margins(_SPEC, (16, 32, 64, 128, 256, 512, 1024), optimal_at=16)
    frozen = [row.frozen.lower for row in kept]

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.8)
        axis.plot(lengths, best, **look.series(0, label="all planes, best for each length"))
        axis.plot(lengths, one, **look.series(1, label="one plane, best angle for each length"))
        axis.plot(
            [row.reach + 1 for row in kept],
            frozen,
            **look.series(2, label="all planes, best for 17 positions and kept"),
        )
        axis.set(xscale="log", yscale="log", xlabel="length n (positions)")
        axis.set_ylabel("worst margin per unit amplitude")
        axis.legend(loc="lower left")
        return figure

    return Drawing(
        Picture(
            "planes-all",
            "Worst margin against length on logarithmic scales: nearly flat for all planes together, "
            "a line of slope minus 2 for one plane, and between them a curve that starts with the "
            "first at 17 positions and falls off.",
            f"All planes of a head of dimension {_SPEC.head_dim} together keep a margin of "
            f"{best[-1]:.2f} at {lengths[-1]} positions, where the best single plane has "
            f"{one[-1]:.1e} (`index.margin`, `slash.game`). The spectrum that is best for 17 "
            f"positions is left with {frozen[-1]:.4f} there (`planes.frozen`): a positional head "
            "that fails at length has fitted the near-returns of its own length.",
        ),
        paint,
    )


def _powers() -> Drawing:
    most = 1 << 16
    counts = (1, 2, 3, 4)
    digits = {
        m: [(q**m, digits_margin(planes=m, parts=q).lower) for q in range(3, most) if q**m <= most]
        for m in counts
    }
    digits[1] = [(n, margin) for n, margin in _thin(digits[1])]
    lengths = {m: np.unique(np.geomspace(2**m, most, 120).astype(int)) for m in counts}
    above = {m: [upper_margin(planes=m, reach=int(n)).upper for n in lengths[m]] for m in counts}

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=4.0)
        for number, m in enumerate(counts):
            n, margin = np.array(digits[m]).T
            style = look.series(number, ms=4, markevery=max(1, len(n) // 8))
            axis.plot(n, margin, **style, label=f"{m} plane{'s' if m > 1 else ''}, one per digit")
            axis.plot(
                lengths[m], above[m], color=look.colours[number], lw=0.8, drawstyle="steps-post"
            )
        axis.set(xscale="log", yscale="log", xlabel="length n, or positions on each side")
        axis.set_ylabel("margin per unit amplitude")
        axis.legend(loc="lower left")
        return figure

    low, high = digits[4][-1][1], above[4][-1]
    return Drawing(
        Picture(
            "planes-powers",
            "Margin against length on logarithmic scales for 1 to 4 planes: lines with marks that "
            "fall with slopes of about minus 2, 1, two thirds and one half, and above each a thin "
            "staircase of the same slope.",
            "With $m$ planes, one for each digit of the lag, $n=Q^m$ positions are told apart with "
            r"the margin $(1-\cos(2\pi/Q))/m$, the marked lines (`planes.digits`). No $m$ planes "
            r"have more than $1-\cos(2\pi/Q)$ with $Q^m$ positions on both sides, the thin "
            "staircases (`planes.upper`). So the best margin falls like $n^{-2/m}$: at "
            f"{most:,} positions four planes have between {low:.2f} and {high:.2f}.",
        ),
        paint,
    )


def _log() -> Drawing:
    length, share = 256, 0.5
    counts = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
    found = []
    for m in counts:
        margins = []
        for seed in range(12):
            angles = angles_drawn(m, seed=seed)
            gaps = (1 - np.cos(np.outer(np.arange(1, length), angles))).mean(1)
            margins.append(float(gaps.min()))
        found.append(margins)
    low, middle, high = np.array([np.quantile(row, (0, 0.5, 1)) for row in found]).T
    enough = planes_enough(length, loss=share)
    needed = planes_needed(length, share=share)

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.6)
        axis.fill_between(counts, low, high, color=look.colours[0], alpha=0.15, lw=0)
        axis.plot(
            counts, middle, **look.series(0, label="random angles: median, least and most of 12")
        )
        axis.axhline(share, color=look.muted, lw=1)
        for number, (at, name) in enumerate(
            ((needed, f"fewer than {needed} never have it"), (enough, f"{enough} can have it")), 1
        ):
            axis.axvline(at, **look.line(number, label=name))
        axis.set(xscale="log", xlabel="planes m", ylim=(0, 1))
        axis.set_xticks([1, 2, 4, 8, 16, 32, 64], ["1", "2", "4", "8", "16", "32", "64"])
        axis.minorticks_off()
        axis.set_ylabel("margin per unit amplitude")
        axis.legend(loc="upper left")
        return figure

    return Drawing(
        Picture(
            "planes-log",
            f"Margin at {length} positions of heads with random angles against the number of planes: "
            "near 0 for few planes, rising steadily with their logarithm. Two vertical lines mark "
            f"{needed} and {enough} planes.",
            f"Half of the amplitude as margin at {length} positions. Fewer than {needed} planes "
            "never have it, whatever their angles (`planes.log-needed`); at "
            f"{enough} a random choice has it with positive probability (`planes.log`). Both "
            "numbers grow like the logarithm of the length. Drawn: heads of equal amplitudes and "
            "angles at random.",
        ),
        paint,
    )


def _thin(pairs: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """About a hundred of the points, evenly spaced on a logarithmic scale."""
    chosen = np.unique(np.geomspace(1, len(pairs), 100).astype(int)) - 1
    return [pairs[place] for place in chosen]
