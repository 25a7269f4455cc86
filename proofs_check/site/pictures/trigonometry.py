"""A picture of trigonometry: the cosine between its two parabolas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]


def pictures() -> Iterator[Drawing]:
    """The gap of a plane, 1 - cos x, and its bounds for small and large angles."""
    turn = np.linspace(-np.pi, np.pi, 241)
    gap = 1 - np.cos(turn)
    above, below = turn**2 / 2, 2 * turn**2 / np.pi**2

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.2)
        axis.fill_between(turn, below, above, color=look.faint, alpha=0.6, lw=0)
        axis.plot(turn, above, **look.line(1, label="x²/2"))
        axis.plot(turn, gap, **look.line(0, lw=2.2, label="1 − cos x"))
        axis.plot(turn, below, **look.line(2, label="2x²/π²"))
        axis.set(ylim=(0, 2.6), xlim=(-np.pi, np.pi), xlabel="x (radians)")
        axis.set_xticks([-np.pi, 0, np.pi], ["−π", "0", "π"])
        axis.legend(loc="upper center")
        return figure

    yield Drawing(
        Picture(
            "trigonometry-gap",
            "One minus the cosine over a full turn, a bowl from 2 at minus π through 0 to 2 at π, "
            "between two parabolas.",
            "One plane’s gap between the target and a key that is $x$ away on its circle. It is never "
            "above $x^2/2$ (`trig.cosine-above-parabola`), and within half a turn never below "
            r"$2x^2/\pi^2$ (`trig.cosine-below-parabola`): both are of the order of $x^2$, and "
            f"differ by a factor of $\\pi^2/4={np.pi**2 / 4:.2f}$. This is where every $n^2$ of the "
            "site comes from.",
        ),
        paint,
    )
