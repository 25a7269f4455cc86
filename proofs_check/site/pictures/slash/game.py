"""Pictures of the slash game: the margin per unit amplitude, and the optimal spectrum."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.bounds.slash.game import bands, optimal_slash
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["spectrum", "values"]

_SPEC = RopeSpec(128, 10_000)
_BANDS = ("high", "medium", "low")


def spectrum(reach: int = 256) -> Drawing:
    """The optimal amplitudes by wavelength, and the logit they make."""
    game = optimal_slash(_SPEC, reach, tolerance=1e-4)
    waves = 2 * np.pi / frequencies_float64(_SPEC)
    used = game.amplitudes > 1e-4
    of_plane = np.array(bands(_SPEC, reach))
    shares = {band: float(game.amplitudes[of_plane == band].sum()) for band in _BANDS}
    places = np.arange(-reach, reach + 1)
    logit = cosine_logits(game.amplitudes, game.phases, _SPEC, places)
    level = 1 - game.lower
    ties = int((np.abs(logit - level) < 1e-3).sum())

    def paint(look: Look) -> Figure:
        figure, (upper, lower) = canvas(2, 1, height=5.2)
        for number, band in enumerate(_BANDS):
            chosen = used & (of_plane == band)
            upper.vlines(waves[chosen], 0, game.amplitudes[chosen], color=look.colours[number])
            upper.plot(
                waves[chosen],
                game.amplitudes[chosen],
                **look.dots(number, label=f"{band}: {shares[band]:.2f} in all"),
            )
        unused = waves[~used]
        upper.plot(unused, np.zeros(len(unused)), "|", color=look.muted, ms=6, label="not used")
        upper.set(xscale="log", ylim=(0, None), xlabel="wavelength of the plane (positions)")
        upper.set_ylabel("share of the amplitude")
        upper.legend(title="band and its share")
        lower.axhline(level, color=look.ink, lw=1, ls="--")
        lower.plot(places, logit, **look.line(0, lw=1))
        lower.plot([0], [1], **look.dots(0, filled=True))
        lower.annotate(
            "",
            (0.06 * reach, level),
            (0.06 * reach, 1.0),
            arrowprops={"arrowstyle": "<->", "color": look.ink, "shrinkA": 0, "shrinkB": 0},
        )
        lower.text(0.1 * reach, (1 + level) / 2, f"margin {game.lower:.4f}", **look.note())
        lower.set(xlim=(-reach, reach), xlabel="position relative to the target")
        lower.set_ylabel("logit per unit amplitude")
        return figure

    return Drawing(
        Picture(
            "slash-spectrum",
            f"Above, the optimal amplitudes against wavelength: {int(used.sum())} of "
            f"{_SPEC.planes} planes are used, nearly all of them of high and medium frequency. Below, "
            "the logit that they make: 1 at the target, and nowhere else above a dashed line.",
            f"The amplitudes with the largest margin over {reach} positions on each side of the "
            f"target: {game.lower:.4f} of the amplitude, with a certificate that no head has more than "
            f"{game.upper:.4f} (`slash.game`). Below, what they do: the logit touches the same height at "
            f"{ties} positions, and other amplitudes lose at one what they gain at another. High "
            f"frequencies get {shares['high']:.2f} of the amplitude, medium ones "
            f"{shares['medium']:.2f} (`slash.game-bands`).",
        ),
        paint,
    )


def values() -> Drawing:
    """The value of the game against reach, for both kinds of windows and for bands."""
    reaches = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
    both = [optimal_slash(_SPEC, n, tolerance=1e-4).lower for n in reaches]
    one = [optimal_slash(_SPEC, before=0, after=n, tolerance=1e-4).lower for n in reaches]
    of_band: dict[str, list[float]] = {band: [] for band in ("high", "low")}
    for n in reaches:
        names = bands(_SPEC, n)
        for band, found in of_band.items():
            chosen = [plane for plane, name in enumerate(names) if name == band]
            value = optimal_slash(_SPEC, n, planes=chosen, tolerance=1e-4).lower
            found.append(value)
    rows = (
        ("all planes, keys on one side", one),
        ("all planes, keys on both sides", both),
        ("high frequencies only, both sides", of_band["high"]),
        ("low frequencies only, both sides", of_band["low"]),
    )

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.8)
        for number, (name, found) in enumerate(rows):
            axis.plot(reaches, found, **look.series(number, label=name))
        axis.set(xscale="log", xlabel="positions N on a side of the target")
        axis.set_ylabel("best margin per unit amplitude")
        axis.set_ylim(-0.03, 1.05)
        axis.legend(loc="upper right")
        return figure

    return Drawing(
        Picture(
            "slash-game",
            "Best margin per unit of amplitude against the number of positions: three curves fall "
            f"slowly, to between {of_band['high'][-1]:.2f} and {one[-1]:.2f} at {reaches[-1]} positions; "
            "the one for low frequencies starts below 0.1 and is soon at 0.",
            f"What the best head of dimension {_SPEC.head_dim} gets from a unit of amplitude: "
            f"{both[-1]:.3f} against {reaches[-1]} positions on each side (`slash.game`), "
            f"{one[-1]:.3f} if all keys are on one side (`slash.game-one-sided`). Doubling the "
            f"length hardly lowers it. High frequencies alone keep {of_band['high'][-1]:.3f}; low "
            f"ones alone have {of_band['low'][0]:.3f} at best and are left with "
            f"{of_band['low'][-1]:.1e} (`slash.game-bands`).",
        ),
        paint,
    )
