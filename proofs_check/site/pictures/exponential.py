"""A picture of the exponential, between its tangent and its chord."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]


def pictures() -> Iterator[Drawing]:
    """The tangent, the chord and the midpoint inequality of the exponential."""
    x = np.linspace(-2.2, 1.6, 200)
    ends = np.array([-1.6, 1.2])
    chord = np.interp(x, ends, np.exp(ends), left=np.nan, right=np.nan)
    middle = float(ends.mean())
    means = float(np.exp(middle)), float(np.exp(ends).mean())

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.2)
        axis.plot(x, np.exp(x), **look.line(0, lw=2.2, label="eˣ"))
        axis.plot(x, 1 + x, **look.line(1, label="tangent at 0: 1 + x"))
        axis.plot(x, chord, **look.line(2, label="a chord"))
        axis.plot(ends, np.exp(ends), **look.dots(2))
        axis.plot([middle] * 2, means, **look.series(3, label="means at the middle"))
        axis.set(ylim=(-1, 5), xlim=(x[0], x[-1]), xlabel="x")
        axis.legend(loc="upper left")
        return figure

    yield Drawing(
        Picture(
            "exponential-tangent",
            "The exponential, above its tangent at 0 and below a chord between two of its points; a "
            "short vertical line at the middle of the chord.",
            "The exponential is above its tangent (`exp.above-tangent`) and below its chords "
            "(`exp.chord`). The dotted line joins the geometric mean of the two ends, "
            f"{means[0]:.2f}, with the arithmetic one, {means[1]:.2f} (`exp.midpoint`): why two "
            "competitors at uneven logits take more attention than two at the mean.",
        ),
        paint,
    )
