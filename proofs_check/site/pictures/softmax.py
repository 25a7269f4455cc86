"""Pictures of the softmax: the weight from a margin, and the step from hard to soft attention."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.numerics.core.softmax import (
    inverse_temperature_needed,
    margin_needed,
    top_weight_bounds,
    weight_bound,
)
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]


def pictures() -> Iterator[Drawing]:
    """The weight that a margin guarantees, and the weights of tied keys as attention hardens."""
    yield _margin()
    yield _hard()


def _margin() -> Drawing:
    keys, wanted = (16, 256, 4096, 65_536), 0.9
    gaps = np.linspace(0, 18, 145)
    curves = {n: [weight_bound(float(g), n).lower for g in gaps] for n in keys}
    needed = {n: margin_needed(wanted, n).upper for n in keys}

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.5)
        axis.axhline(wanted, color=look.muted, lw=1)
        axis.text(0.1, wanted + 0.015, f"weight {wanted}", fontsize=9)
        for number, n in enumerate(keys):
            axis.plot(gaps, curves[n], **look.line(number))
            axis.plot([needed[n]], [wanted], **look.dots(number, ms=7))
            axis.plot([], [], **look.series(number, ms=7, label=f"{n:,} keys"))
        axis.set(xlim=(0, 18), ylim=(0, 1.05), xlabel="margin γ of the target (logits)")
        axis.set_ylabel("guaranteed attention weight")
        axis.legend(loc="lower right")
        return figure

    step = keys[1] // keys[0]
    return Drawing(
        Picture(
            "softmax-margin",
            "Guaranteed attention weight of the target against its margin, four S-shaped curves "
            f"for {keys[0]} to {keys[-1]:,} keys, each shifted to the right by the same distance.",
            r"A margin of $\gamma$ logits over $n-1$ other keys guarantees the weight "
            r"$1/(1+(n-1)e^{-\gamma})$, and no more if all gaps equal $\gamma$ (`softmax.margin`). "
            f"The marks are at the margin that weight {wanted} needs (`softmax.margin-needed`): "
            f"{step} times as many keys cost about $\\ln {step}={np.log(step):.2f}$ logits more.",
        ),
        paint,
    )


def _hard() -> Drawing:
    n, ties, betas = 64, (1, 2, 4), np.linspace(0, 12, 121)
    bounds = {
        k: [[e.lower for e in top_weight_bounds(float(b), 1, n, ties=k)] for b in betas]
        for k in ties
    }
    gap, diameter = 1, 2
    enough = {
        k: inverse_temperature_needed(1, n, ties=k, gap=gap, diameter=diameter).upper for k in ties
    }

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.5)
        for number, k in enumerate(ties):
            low, high = np.array(bounds[k]).T
            axis.fill_between(betas, low, high, color=look.colours[number], alpha=0.13, lw=0)
            axis.plot(betas, low, **look.line(number))
            axis.plot(betas, high, color=look.colours[number], lw=0.8)
            at = float(np.interp(enough[k], betas, low))
            axis.plot([enough[k]], [at], **look.dots(number, ms=7))
            name = "one key at the top" if k == 1 else f"{k} keys tied at the top"
            axis.plot([], [], **look.series(number, ms=7, label=name))
        axis.set(xlim=(0, 12), ylim=(0, 1.05), xlabel="inverse temperature β times margin λ")
        axis.set_ylabel("weight of each top key")
        axis.legend(loc="center right", bbox_to_anchor=(1, 0.72))
        return figure

    return Drawing(
        Picture(
            "softmax-hard-to-soft",
            f"Weight of each of 1, 2 or 4 tied top keys among {n} keys against the inverse "
            "temperature: a band between a rising lower curve and the constant 1/k closes as the "
            "temperature falls.",
            "Hard attention shares its weight among the keys at the top. Soft attention gives each "
            r"of them a weight in the shaded band, which closes exponentially in $\beta\lambda$. From the "
            f"marks on, a decoder of gap {gap} that moves by at most 1 per unit, on values of "
            f"diameter {diameter}, decodes what hard attention decodes (`softmax.hard-to-soft`), "
            f"at $\\beta\\lambda={enough[1]:.2f}$ for one top key of {n}.",
        ),
        paint,
    )
