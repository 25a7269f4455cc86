"""What a weight on a symmetric window costs by three theorems, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.bounds.slash.ceiling import amplitude_needed
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.bounds.slash.soft import SoftOptimum, soft_optimum
from ropeproof.numerics.bounds.slash.soft.search import Progress
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.softmax import margin_needed
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["WindowPrices", "window_prices"]


@dataclass(frozen=True, eq=False)
class WindowPrices:
    """The amplitude of a weight on a target with `reach` lags on each side, by three theorems; in logits.

    - `optimum`: the least of any head, from both sides;
    - `neighbours`: the bound by the two nearest keys alone, None where a frequency exceeds 1, and then
      the theorem does not apply;
    - `margin`: the least with which a head holds the margin that guarantees the weight whatever the
      competitors' places, enclosed. A head can have the weight for less.
    """

    optimum: SoftOptimum
    neighbours: Enclosure | None
    margin: Enclosure


def window_prices(
    spec: RopeSpec, *, reach: int, score: float, progress: Progress | None = None
) -> WindowPrices:
    """The amplitudes of a weight on a symmetric window by three theorems.

    >>> prices = window_prices(RopeSpec(128, 10000), reach=64, score=0.9)
    >>> f"{prices.neighbours.lower:.2f} {prices.optimum.amplitude:.2f} {prices.margin.lower:.2f}"
    '6.29 10.92 19.37'

    The two nearest keys: `slash.amplitude-needed`. All keys: `slash.amplitude-needed-window` and
    `slash.soft-optimal`. The margin: `slash.game`, with what `softmax.margin-needed` asks for. Cost: that
    of `soft_optimum` and of a slash game. Arguments and errors as in `soft_optimum`.
    """
    found = soft_optimum(spec, reach=reach, score=score, progress=progress)
    near = amplitude_needed(score) if largest_frequency(spec).upper <= 1 else None
    wanted = margin_needed(score, 2 * reach + 1)
    game = optimal_slash(spec, reach)
    with precision(BITS):
        margin = arb(max(wanted.lower, 0.0)).union(arb(max(wanted.upper, 0.0)))
        value = arb(game.lower).union(arb(game.upper))
        amplitude = enclosed(margin / value)
    return WindowPrices(found, near, amplitude)
