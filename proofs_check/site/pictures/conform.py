"""A picture of wrong rotations: logits that depend on the lag alone, as those of the right one do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["pictures"]

_PLANES, _BASE, _WRONG, _FACTOR = 32, 10_000, 500_000, 4


def pictures() -> Iterator[Drawing]:
    """The logit of a vector with itself by lag: as configured, with another base, without the scaling."""
    lags = np.arange(257.0)
    right = _logit(lags / _FACTOR, _BASE)
    other = _logit(lags / _FACTOR, _WRONG)
    unscaled = _logit(lags, _BASE)
    off = max(float(np.abs(wrong - right).max()) for wrong in (other, unscaled))

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.2)
        axis.plot(lags, right, **look.line(0, lw=2.2, label=f"base {_BASE:,}, scaled by {_FACTOR}"))
        axis.plot(lags, other, **look.line(1, label=f"base {_WRONG:,}, scaled by {_FACTOR}"))
        axis.plot(lags, unscaled, **look.line(2, label=f"base {_BASE:,}, not scaled"))
        axis.set(xlim=(0, lags[-1]), xlabel="lag", ylabel="logit per unit amplitude")
        axis.legend(loc="upper right")
        return figure

    yield Drawing(
        Picture(
            "conform-blind",
            "Three curves of a logit against the lag that all begin at 1 and fall: the one that is "
            "configured, one with another base, which falls more slowly, and one without the scaling, "
            "which falls faster.",
            "One vector as query and key, under the rotation that a configuration asks for and under two "
            "wrong ones. All three keep norms, depend on the lag alone and leave position 0 as it is, so "
            f"that tests of these properties pass (`conform.blind`). The logits differ by up to {off:.2f}; "
            "a test of every vector of a basis finds that (`conform.basis`).",
        ),
        paint,
    )


def _logit(lags: Floats, base: int) -> Floats:
    """The logit of a vector with equal parts on all planes with itself, `(lags,)`, 1 at lag 0."""
    spec = RopeSpec(2 * _PLANES, base)
    angles = np.array([float(theta) for theta in spec.frequencies()])
    mean: Floats = np.cos(np.outer(lags, angles)).mean(axis=1)
    return mean
