"""A picture of gradient descent making a slash head, with the proved bounds."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ropeproof.numerics.bounds.slash.descent import descend
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["training"]


def training(steps: int = 30_000) -> Drawing:
    """The loss with its bounds, and the shares of the planes."""
    spec, offset, length = RopeSpec(64, 10_000), 16, 64
    run = descend(spec, np.ones(spec.head_dim), offset, length, steps)
    at, losses = run.steps[1:], run.losses[1:]
    curves = (run.rate_bound()[1:], run.sharp_rate_bound()[1:], run.floor()[1:])
    waves = 2 * np.pi / frequencies_float64(spec)
    shares, limits = run.shares[-1], np.minimum(run.slow_bounds, 1)
    low = waves > 2 * length

    def paint(look: Look) -> Figure:
        figure, (upper, lower) = canvas(2, 1, height=5.6)
        upper.plot(at, losses, **look.line(0, lw=2.2, label="loss of the run"))
        names = ("upper bound", "upper bound, sharp in the long run", "lower bound")
        for number, (name, curve) in enumerate(zip(names, curves, strict=True), 1):
            shown = np.isfinite(curve) & (curve > 0)
            upper.plot(at[shown], curve[shown], **look.line(number, label=name))
        upper.set(xscale="log", yscale="log", xlabel="step of gradient descent")
        upper.set_ylabel("loss")
        upper.set_ylim(losses[-1] / 1e5, None)
        upper.legend(loc="lower left")
        lower.plot(waves, limits, color=look.ink, lw=1.2, ls="--", label="bound at every step")
        lower.plot(waves, shares, **look.series(0, lw=0.8, label="share at the end"))
        lower.set(xscale="log", yscale="log", xlabel="wavelength of the plane (positions)")
        lower.set_ylabel("plane's part of the key")
        lower.legend(loc="lower left")
        return figure

    ratio = curves[1][-1] / losses[-1]
    return Drawing(
        Picture(
            "slash-training",
            "Above, the loss against the step on logarithmic scales: it falls to "
            f"{losses[-1]:.1e} after {steps:,} steps, between two upper bounds and one lower bound. "
            "Below, the part of each plane in the learned key, which falls with the wavelength and "
            "stays under a bound that falls too.",
            "Gradient descent on the key of one head, from zero, to copy the token "
            f"{offset} back on prompts of {length} tokens; the slash score ends at "
            f"{run.scores[-1]:.3f}. The loss stays under the bounds of `slash.gd.rate` and of "
            f"`slash.gd.rate-sharp`, which ends {ratio:.1f} times above it, and over that of "
            "`slash.gd.rate-floor`. Below: planes slower than twice the prompt end with at most "
            f"{shares[low].max():.1e} of the key's length each, as `slash.gd.low-suppressed` has "
            "it at every step.",
        ),
        paint,
    )
