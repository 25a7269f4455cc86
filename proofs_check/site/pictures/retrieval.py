"""Pictures of the retrieval construction: its exact margin, and the low temperature it needs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from matplotlib.figure import Figure

from ropeproof.numerics.bounds.retrieval import (
    printed_bound,
    retrieval_length,
    retrieval_margin,
    retrieval_margin_by_search,
    separation,
)
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]

_LETTERS = 8


def pictures() -> Iterator[Drawing]:
    """The printed and the exact margin, and the separation from Index."""
    yield _margins()
    yield _separation()


def _margins() -> Drawing:
    angle, at = 0.0027, 17
    limit = retrieval_length(letters=_LETTERS, angle=angle)
    assert limit is not None
    every = range(3, limit + 1)
    marked = (3, 5, 9, 17, 33, 65, 97, 129, limit)
    printed = [printed_bound(letters=_LETTERS, length=n, angle=angle).upper for n in every]
    exact = [retrieval_margin(letters=_LETTERS, length=n, angle=angle).lower for n in every]
    still = retrieval_margin(letters=_LETTERS, length=limit, angle=0).lower
    sought = [
        retrieval_margin_by_search(letters=_LETTERS, length=n, angle=angle).lower for n in marked
    ]
    here = retrieval_margin(letters=_LETTERS, length=at, angle=angle).lower
    claimed = printed_bound(letters=_LETTERS, length=at, angle=angle).upper
    crossing = max(n for n, p, e in zip(every, printed, exact, strict=True) if e > p)
    # The target next to the query, and the opposite letter everywhere else.
    easy = [math.cos(angle) + math.cos((n - 1) * angle) for n in every]

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=4.0)
        axis.plot(every, printed, **look.line(1, lw=2, label="printed"))
        axis.plot(every, exact, **look.line(0, label="proved, worst input"))
        axis.plot(marked, sought, **look.dots(0, label="worst input, by search"))
        axis.axhline(still, color=look.colours[2], ls="-.", label="θ = 0, every length")
        axis.set(xlim=(0, limit + 2), ylim=(0, 0.335), xlabel="length n (positions)")
        axis.set_ylabel("margin per unit amplitude")
        axis.legend(loc="upper right", bbox_to_anchor=(1, 0.85))
        inset = axis.inset_axes((0.09, 0.1, 0.35, 0.34))
        inset.plot(every, printed, **look.line(1, lw=2))
        inset.plot(every, exact, **look.line(0))
        inset.plot([at], [here], **look.dots(0, filled=True))
        inset.set(xlim=(12, 22), ylim=(0.25, 0.275))
        inset.tick_params(labelsize=7)
        axis.indicate_inset_zoom(inset, edgecolor=look.muted)
        return figure

    return Drawing(
        Picture(
            "retrieval-margin",
            f"Margin against length with {_LETTERS} letters: the proved worst margin and the printed "
            f"bound fall nearly together from about 0.29 to 0 at {limit} positions; an inset shows the "
            f"proved one above the printed one at length {at}. A horizontal line is the margin of "
            "an unrotated plane.",
            f"The worst margin of the retrieval construction at $\\theta={angle}$ is known exactly "
            f"(`retrieval.margin`): at {at} positions {here:.5f}, above the printed bound of "
            f"{claimed:.5f}, which is false up to length {crossing} (`retrieval.printed-bound`). Read "
            f"as the largest margin over inputs, {min(easy):.2f} or more, it is always false. "
            f"Rotation ends the margin at {limit} positions; without it {still:.3f} remains for "
            "ever.",
        ),
        paint,
    )


def _separation() -> Drawing:
    lengths = (4, 6, 8, 12, 17, 24, 32, 48, 64, 96, 128, 256, 512, 1024)
    rows = separation(lengths, letters=_LETTERS)
    index = [row.index.upper for row in rows]
    floor = [row.index_floor.lower for row in rows]
    enough = [row.index_enough.upper for row in rows]
    retrieval = [row.retrieval.upper for row in rows]

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.8)
        axis.fill_between(lengths, floor, enough, color=look.faint, alpha=0.6, lw=0)
        axis.plot(lengths, enough, color=look.ink, lw=0.9, label="Index, enough: (ln 3/8) n²")
        axis.plot(lengths, index, **look.series(0, label="Index at θ = 2π/n, exactly"))
        axis.plot(
            lengths, floor, color=look.ink, lw=0.9, ls="--", label="Index, every θ needs more"
        )
        axis.plot(lengths, retrieval, **look.series(1, label="Retrieval, unrotated plane"))
        axis.set(xscale="log", yscale="log", xlabel="length n (positions)")
        axis.set_ylabel("inverse temperature β needed")
        axis.legend(loc="upper left")
        return figure

    return Drawing(
        Picture(
            "retrieval-separation",
            "Inverse temperature needed against length on logarithmic scales: for Index a straight "
            "line of slope 2 within a grey strip, for Retrieval a curve that is nearly flat.",
            "To decode every input of length $n$ on one plane, Index needs an inverse temperature "
            f"that grows like $n^2$ at any angle, {index[-1]:,.0f} at {lengths[-1]} positions "
            "(`index.temperature`); Retrieval on an unrotated plane needs "
            f"$\\ln(n-1)/(1-\\cos\\omega)$, {retrieval[-1]:.1f} with {_LETTERS} letters "
            "(`retrieval.temperature`). This is the separation between positional and symbolic "
            "heads (`separation.one-plane`).",
        ),
        paint,
    )
