"""Pictures of position generalisation: the null, measured and predicted fits, displaced keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.numerics.bounds.posgen import (
    additive_fits_on_grid,
    displacement_tilt,
    null_correlation,
    transposition_bound,
)
from ropeproof.numerics.core.softmax import total_variation, weights
from ropeproof.numerics.core.spec import logits
from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["pictures"]

_PAPER = 0.959
"""The correlation that the paper reports for trained models."""


def pictures() -> Iterator[Drawing]:
    """Three pictures: the null correlation by length, predicted R², the effect of displaced keys."""
    yield _null()
    yield _fits()
    yield _transposition()


def _null() -> Drawing:
    bases = (10_000, 500_000, 10_000_000)
    lengths = np.unique(np.geomspace(1, 131_072, 60).astype(int))
    curves = {
        base: [null_correlation(RopeSpec(128, base), int(n)).lower for n in lengths]
        for base in bases
    }
    at = {base: null_correlation(RopeSpec(128, base), 1000).lower for base in bases}

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.5)
        axis.axhline(_PAPER, color=look.ink, lw=1)
        axis.text(1.2e5, _PAPER - 0.015, f"reported: {_PAPER}", ha="right", va="top", fontsize=9)
        for number, (base, curve) in enumerate(curves.items()):
            style = look.series(number, ms=4.5, markevery=(2 * number, 8))
            axis.plot(lengths, curve, **style, label=f"base {base:,}")
        axis.set(xscale="log", ylim=(0, 1.05), xlabel="length N (positions)")
        axis.set_ylabel("correlation R₀ of random features")
        axis.legend(loc="lower left")
        return figure

    return Drawing(
        Picture(
            "posgen-null",
            "Correlation of random features with their best additive fit against length, for three "
            "bases: falling curves from 1, higher for larger bases, and a horizontal line at "
            f"{_PAPER}.",
            "Features that know nothing of additivity already fit a sum of a function of the lag "
            f"and one of the key: at 1000 positions with correlation {at[bases[0]]:.3f} for base "
            f"{bases[0]:,} and {at[bases[1]]:.3f} for base {bases[1]:,} (`posgen.null`). Planes that "
            "hardly turn within the window are additive by themselves. The reported "
            f"{_PAPER} has to be read against these curves.",
        ),
        paint,
    )


def _fits() -> Drawing:
    spec, tokens = RopeSpec(64, 10_000), 64
    random = np.random.default_rng(7)
    rows: dict[str, list[tuple[float, float]]] = {
        "random": [],
        "common part": [],
        "slow planes": [],
    }
    speed = np.repeat(np.arange(spec.planes) / spec.planes, 1)
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    for kind, points in rows.items():
        for step in range(12):
            sides = random.standard_normal((2, tokens, spec.head_dim))
            if kind == "common part":
                sides += (step + 1) / 4 * random.standard_normal((2, 1, spec.head_dim))
            if kind == "slow planes":
                tilt = np.exp((step + 1) / 3 * (speed - 1))
                sides[..., real] *= tilt
                sides[..., imaginary] *= tilt
            window = int(random.choice([16, 64, 256, 1024]))
            fits = additive_fits_on_grid(sides[0], sides[1], spec, length=window)
            (best,) = [f for f in fits if f.kind == "optimal" and not f.centred]
            assert best.r_squared is not None
            assert best.predicted is not None
            points.append((best.predicted, best.r_squared))
    gap = max(abs(p - r) for points in rows.values() for p, r in points)
    names = ("random features", "with a common part", "energy in slow planes")

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.9)
        axis.plot([0, 1], [0, 1], color=look.ink, lw=1)
        for number, (name, points) in enumerate(zip(names, rows.values(), strict=True)):
            axis.plot(*np.array(points).T, **look.dots(number, label=name))
        axis.axhline(_PAPER**2, color=look.muted, lw=0.9, ls=":")
        axis.text(0.01, _PAPER**2 + 0.01, f"R² = {_PAPER}²", fontsize=9)
        axis.set(xlim=(0, 1.02), ylim=(0, 1.02))
        axis.set_xlabel("R² predicted from energies and frequencies")
        axis.set_ylabel("R² of the best additive fit")
        axis.legend(loc="lower right")
        return figure

    return Drawing(
        Picture(
            "posgen-anova",
            "Scatter of measured against predicted R² for three kinds of random heads: all marks lie "
            "near the diagonal.",
            "The share of a head’s logits that an additive fit explains follows from the energy "
            "that each plane’s fluctuations have and from how far it turns in the window "
            f"(`posgen.anova`); these drawn heads, {tokens} tokens each and windows of 16 to 1024 "
            f"lags, are within {gap:.2f} of it. Planes have to be slow, concentrated around "
            "a common part, or negligible for a head to be additive.",
        ),
        paint,
    )


def _transposition() -> Drawing:
    spec, count, place = RopeSpec(64, 10_000), 96, 400
    random = np.random.default_rng(11)
    drawn = 1.2 * random.standard_normal((count + 1, spec.head_dim))
    coordinates = np.array(spec.plane_coordinates())
    slow = np.zeros(spec.head_dim)
    slow[coordinates[spec.planes // 2 :].ravel()] = np.sqrt(2)
    heads = {"all planes": drawn, "the slower half of the planes": drawn * slow}
    places = place - 2 * count + 2 * np.arange(count)
    moved = np.arange(count) % 4 == 0
    displacements = (1, 2, 4, 8, 16, 32, 64)
    bounds: dict[str, list[float]] = {name: [] for name in heads}
    seen: dict[str, list[float]] = {name: [] for name in heads}
    for name, vectors in heads.items():
        query, keys = vectors[0], vectors[1:]

        def row(at: Floats, query: Floats = query, keys: Floats = keys) -> Floats:
            return weights(logits(query[np.newaxis], keys, np.array([place]), at, spec)[0])

        before = row(places.astype(float))
        mass = float(before[moved].sum())
        for far in displacements:
            tilt = displacement_tilt(query, keys[moved], spec, displacement=far)
            bounds[name].append(transposition_bound(mass, tilt).upper)
            shifts = random.integers(-far, far + 1, size=(40, count)) * moved
            found = [float(total_variation(before, row(places + shift))) for shift in shifts]
            seen[name].append(max(found))

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.7)
        for number, name in enumerate(heads):
            axis.plot(displacements, bounds[name], **look.line(number, label=f"bound, {name}"))
            style = look.dots(number, label=f"seen, {name}")
            axis.plot(displacements, seen[name], **style)
        axis.set(xscale="log", yscale="log", xlabel="displacement Δ (positions)", ylim=(None, 3))
        axis.set_xticks(displacements, [str(far) for far in displacements])
        axis.minorticks_off()
        axis.set_ylabel("total variation of the attention")
        axis.legend(loc="lower right")
        return figure

    fast, calm = heads
    return Drawing(
        Picture(
            "posgen-transposition",
            "Change of an attention row against how far a quarter of its keys is displaced, for two "
            "heads: bounds that rise to 1 and marks below them. Both are far lower for the head "
            "that uses the slower half of its planes.",
            "A quarter of the keys is displaced by up to $\\Delta$ positions each. The attention changes by "
            "at most the bound in total variation (`posgen.transposition`), and by less in the draws "
            f"(largest of 40 each): at $\\Delta=1$ by at most {bounds[fast][0]:.2f} for a head on all "
            f"planes, {bounds[calm][0]:.3f} for one on the slower half, where "
            f"{seen[fast][0]:.3f} and {seen[calm][0]:.4f} are seen. Slow planes do not notice where "
            "a key stands.",
        ),
        paint,
    )
