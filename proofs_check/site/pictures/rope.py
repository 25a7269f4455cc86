"""Pictures of RoPE.

They show wavelengths, the possible changes of a logit, costs of targets, and what else depends on the
lag only.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.numerics.bounds.rope.expressive import expressive_cost
from ropeproof.numerics.bounds.rope.rope import band_constant, cosine_logits, step_bounds, steps
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["pictures"]

_HIGH = 16
"""Wavelengths up to this many positions are called high frequencies (`slash.game-bands`)."""


def pictures() -> Iterator[Drawing]:
    """Four pictures: wavelengths, Lipschitz envelope, cost of targets, and all encodings by lag.

    The last shows what a linear encoding can be whose logits depend on the lag alone.
    """
    yield _wavelengths()
    yield _envelope()
    yield _cost()
    yield _left()


def _wavelengths() -> Drawing:
    shown = [PRESETS[name] for name in ("gpt-j-6b", "llama-2-7b", "llama-3-8b", "llama-3.1-8b")]
    waves = {}
    for preset in shown:
        theta = frequencies_float64(preset.spec)
        waves[preset.model] = 2 * np.pi / theta[theta > 0]
    old, new = waves[shown[2].model], waves[shown[3].model]
    stretched = int((new > 1.001 * old).sum())
    slow = {p.model: int((waves[p.model] > p.context).sum()) for p in shown}

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.9)
        axis.axhspan(1, _HIGH, color=look.faint, alpha=0.6, lw=0)
        axis.text(0.985, 3.2, f"high: wavelength up to {_HIGH}", ha="right", fontsize=9)
        for number, preset in enumerate(shown):
            wave = waves[preset.model]
            share = np.arange(len(wave)) / preset.spec.planes
            axis.plot(
                share, wave, **look.series(number, markevery=(2 * number, 8), label=preset.model)
            )
            beyond = int(np.argmax(wave > preset.context)) if slow[preset.model] else None
            if beyond is not None:
                axis.plot(share[beyond], wave[beyond], **look.dots(number, filled=True, ms=9))
        axis.set(yscale="log", xlim=(0, 1), ylim=(1, 2e8))
        axis.set_xlabel("place of the plane among the head's planes, fastest first")
        axis.set_ylabel("wavelength 2π/θ (positions)")
        axis.legend(loc="upper left")
        return figure

    llama = shown[1]
    rotated = shown[0].spec.rotary_planes / shown[0].spec.planes
    return Drawing(
        Picture(
            "rope-wavelengths",
            "Wavelength of every rotated plane of four released models on a logarithmic scale: "
            "nearly straight rising lines from about 6 positions to tens of thousands or millions; "
            f"the line of GPT-J ends after {rotated:.0%} of the planes, that of Llama 3.1 leaves that "
            "of Llama 3 upwards in its slow half.",
            "Wavelengths grow geometrically from plane to plane. From the large filled mark on, a "
            "plane does not finish one turn within the model's context: "
            f"{slow[llama.model]} of the {llama.spec.planes} planes of {llama.model}. "
            f"Llama 3.1 makes {stretched} planes of Llama 3 slower and keeps their order "
            f"(`rope.scaling.llama3`); GPT-J leaves {1 - rotated:.0%} of its planes unrotated "
            "(`rope.partial`). The bands of `slash.game-bands` are cut by wavelength.",
        ),
        paint,
    )


def _envelope() -> Drawing:
    spec, peak, last = RopeSpec(64, 10_000), 24, 64
    theta = frequencies_float64(spec)
    slow = np.where(2 * np.pi / theta > last, 1.0, 0.0)
    profiles = (optimal_slash(spec, last - peak).amplitudes, slow / slow.sum())
    phases = -theta * peak
    fine, whole = np.linspace(0, last, 1200), np.arange(last + 1)
    curves = [cosine_logits(sizes, phases, spec, fine) for sizes in profiles]
    points = [cosine_logits(sizes, phases, spec, whole) for sizes in profiles]
    bounds = [step_bounds(sizes, spec) for sizes in profiles]
    band = band_constant().upper
    largest = [float(np.abs(steps(sizes, phases, spec, whole)).max()) for sizes in profiles]

    swing = [float(f(np.delete(points[0], peak))) for f in (np.min, np.max)]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 1, height=4.6, sharex=True)
        names = ("the spectrum of the best margin", "slow planes only")
        for number, (axis, name) in enumerate(zip(axes, names, strict=True)):
            slope = bounds[number].sines.upper
            under = np.maximum(1 - slope * np.abs(fine - peak), -1)
            for side in (-1, 1):
                axis.axhline(side, color=look.ink, lw=1)
            axis.fill_between(fine, -1, under, color=look.faint, alpha=0.6, lw=0, zorder=0)
            axis.plot(fine, under, color=look.muted, lw=1)
            axis.plot(fine, curves[number], **look.line(number, linestyle="-", lw=1))
            axis.plot(whole, points[number], **look.dots(number, ms=4))
            axis.text(last, 1.06, "amplitude A", ha="right", va="bottom", fontsize=9)
            axis.set_title(name)
            axis.set(xlim=(0, last), ylim=(-1.1, 1.32))
            axis.set_ylabel("logit per unit A")
        axes[1].set_xlabel("lag t (positions)")
        return figure

    return Drawing(
        Picture(
            "rope-envelope",
            f"Two logits as functions of the lag, each with its peak, the amplitude, at lag {peak}: "
            f"one swings between {swing[0]:.1f} and {swing[1]:.1f} elsewhere, the other falls "
            "slowly. Under each peak stands a shaded tent, narrow for the first and wide for the "
            "second, that the curve does not enter.",
            "A logit is a sum of cosines of the lag and never exceeds its amplitude "
            "(`rope.bounded`). From one position to the next it moves by at most "
            f"{bounds[0].sines.upper:.3f} per unit of amplitude in the first head and by "
            f"{bounds[1].sines.upper:.3f} in the second (`rope.lipschitz`), whose largest steps are "
            f"{largest[0]:.3f} and {largest[1]:.3f}; in no head by more than {band:.4f} "
            "(`rope.band`). So neither curve enters the tent under its peak, and slow planes alone "
            "cannot single out a position.",
        ),
        paint,
    )


def _cost() -> Drawing:
    dims = (4, 6, 8, 10, 12, 16, 24, 32)
    costs = {d: expressive_cost(RopeSpec(d, 10_000)) for d in dims}
    lower = [costs[d].lower for d in dims]

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.0)
        axis.plot(dims, lower, **look.series(0))
        for d in (8, 16, 32):
            axis.annotate(
                f"{costs[d].lower:.1e}",
                (d, costs[d].lower),
                (6, -10),
                textcoords="offset points",
                fontsize=9,
            )
        axis.set(yscale="log", xlabel="head dimension d: number of lags, and of free coefficients")
        axis.set_ylabel("amplitude (logits)")
        axis.set_xticks(dims)
        axis.set_xlim(3, 35.5)
        return figure

    return Drawing(
        Picture(
            "rope-cost",
            "The amplitude that the worst target of plus and minus one on d consecutive lags needs, "
            f"for head dimensions from {dims[0]} to {dims[-1]}: on a logarithmic scale it rises from "
            f"{lower[0]:.0e} to {lower[-1]:.0e}.",
            "A head reaches every pattern of logits on as many consecutive lags as it has "
            "dimensions (`rope.expressive`), but at a price that no trained head can pay: a logit "
            f"of plus or minus 1 takes an amplitude of {costs[8].lower:.2e} at 8 dimensions and "
            f"{costs[32].lower:.2e} at 32, in the worst case, certified (`rope.expressive-cost`).",
        ),
        paint,
    )


def _left() -> Drawing:
    turn, rate, last = 0.55, -0.09, 24
    lags = np.arange(last + 1)
    # Planes 0 and 1 are coordinates (0, 2) and (1, 3); coordinates 4 and 5 are alone.
    form = np.diag([0.0, 0.0, 0.0, 0.0, 1.0, -1.0])
    for plane, growth in ((0, 1.0), (1, float(np.exp(rate)))):
        rows = np.ix_((plane, plane + 2), (plane, plane + 2))
        wave = np.cos(turn), np.sin(turn)
        form[rows] = growth * np.array([[wave[0], -wave[1]], [wave[1], wave[0]]])
    basis = np.eye(6) + 0.3 * np.random.default_rng(0).normal(size=(6, 6))
    inverse = np.linalg.inv(basis)
    step = basis @ form @ inverse
    powers = np.array([inverse @ np.linalg.matrix_power(step, t) @ basis for t in lags])
    fine = np.linspace(0, last, 600)
    parts = (
        ("an angle: RoPE", 0, fine, np.cos(turn * fine)),
        ("an angle and a rate: it decays", 1, fine, np.exp(rate * fine) * np.cos(turn * fine)),
        ("no rotation: NoPE", 4, fine, np.ones_like(fine)),
        ("a change of sign at every position", 5, lags, (-1.0) ** lags),
    )

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 2, height=4.4, sharex=True, sharey=True)
        for number, (axis, (name, place, at, curve)) in enumerate(zip(axes, parts, strict=True)):
            axis.axhline(0, color=look.muted, lw=0.8)
            linestyle = ":" if at is lags else "-"
            axis.plot(at, curve, **look.line(number, linestyle=linestyle, lw=1.2))
            axis.plot(lags, powers[:, place, place], **look.dots(number, ms=4))
            axis.set_title(name)
            axis.set(xlim=(-0.5, last + 0.5), ylim=(-1.15, 1.15))
        for axis in axes[2:]:
            axis.set_xlabel("lag t (positions)")
        for axis in axes[::2]:
            axis.set_ylabel("part of the logit")
        return figure

    return Drawing(
        Picture(
            "rope-left",
            "Four parts of a logit as functions of the lag: a cosine of one height, a cosine that falls "
            f"to {np.exp(rate * last):.0%} of its height in {last} positions, a constant, and one that "
            "jumps between plus and minus 1 from each position to the next.",
            "What a linear encoding can be whose logits see the lag only, in the planes and coordinates of "
            "its normal form (`rope.only-two-sided-planes`). Marks: powers of one matrix of dimension "
            f"{len(form)}, multiplied out; curves: the formula. With one map for queries and keys the "
            "matrix is orthogonal (`rope.only`): then nothing decays, and what is left beside RoPE "
            "with some angles are coordinates that stay and coordinates that change their sign. "
            "Matrices that cannot be diagonalised, which add powers of the lag, are not shown.",
        ),
        paint,
    )
