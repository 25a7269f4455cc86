"""A picture of Farkas' lemma in the plane: a form within a cone, and one that a point separates from it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas

__all__ = ["pictures"]

_FORMS = np.array([[1.0, 0.25], [0.3, 1.0]])
_INSIDE, _OUTSIDE, _POINT = np.array([[0.8, 0.75], [-0.55, 0.85], [-0.95, 0.2]])


def pictures() -> Iterator[Drawing]:
    """Two forms, a combination of them, and a form that is none, with the point that shows it."""
    factors = np.linalg.solve(_FORMS.T, _INSIDE)
    values, beyond = _FORMS @ _POINT, float(_OUTSIDE @ _POINT)
    assert factors.min() >= 0 >= values.max()
    assert beyond > 0

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, 2, height=2.9, sharey=True, sharex=True)
        for axis, vector in zip(axes, (_INSIDE, _OUTSIDE), strict=True):
            ends = 1.25 * _FORMS
            axis.fill(*np.vstack([[0, 0], ends[0], ends.sum(axis=0), ends[1]]).T, color=look.faint)
            for number, form in enumerate(_FORMS):
                axis.plot(*np.vstack([[0, 0], form]).T, **look.line(0, lw=2))
                _named(axis, form, f"a{'₀₁'[number]}", look)
            axis.plot(*np.vstack([[0, 0], vector]).T, **look.line(1, lw=2))
            _named(axis, vector, "g", look)
            axis.set(xlim=(-1.3, 1.7), ylim=(-0.3, 1.6))
            axis.set_aspect("equal")
        axes[1].plot(*np.vstack([[0, 0], _POINT]).T, **look.line(2))
        _named(axes[1], _POINT, "x", look)
        axes[0].set_title("a combination")
        axes[1].set_title("none: x separates")
        return figure

    yield Drawing(
        Picture(
            "duality-farkas",
            "Two pictures of a cone spanned by two arrows: in the left one a third arrow lies within the "
            "cone, in the right one outside of it, and a fourth arrow points away from the cone.",
            f"On the left $g$ is $a_0$ and $a_1$ with the factors {factors[0]:.2f} and {factors[1]:.2f}. On "
            f"the right it is no such combination, and the point $x$ shows it: $a_0$ and $a_1$ have the "
            f"values {values[0]:.2f} and {values[1]:.2f} there, and $g$ has {beyond:.2f}. One or the other "
            "is always so (`duality.farkas`).",
        ),
        paint,
    )


def _named(axis: Axes, vector: Floats, name: str, look: Look) -> None:
    """Write a name at the end of a vector."""
    x, y = 1.06 * vector
    axis.text(x, y, name, color=look.ink)
