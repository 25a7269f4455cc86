r"""The soft optimum of a window: the least amplitude with which a head has a weight on its target.

The target has `M` lags on each side in its row. A head of amplitude `A` has at most the weight
`[1 + 2 e^{H(y) - A max_l sum_t y_t (1 - cos(theta_l t))}]^{-1}` for every probability vector `y` on the
lags, `H` the entropy (claim `slash.soft-ceiling`); solved for `A` this is a lower bound of the
amplitude that a weight needs (`slash.amplitude-needed-window`), and the best `y` is attained by a
head (`slash.soft-optimal`). `soft_optimum` finds both and certifies each by itself in ball arithmetic: the
bound from its weights alone, and the head from its amplitudes alone. How they were found (`search`) does not
matter for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, rational
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.bounds.slash.soft.certified import WindowBalls, entropy
from ropeproof.numerics.bounds.slash.soft.passes import Falls
from ropeproof.numerics.bounds.slash.soft.search import Progress, least_amplitude
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats, read_vector
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.core.threads import one_blas_thread
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import ball, read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SoftOptimum", "amplitude_needed_window", "soft_ceiling", "soft_optimum"]

_MOST_REACH = 2**20
_NEAR = 1e-6
"""How near, in logits, a target may be to that of equal weights before float64 loses digits of it."""
_COST = "each lag costs an exponential and a logarithm in balls, about 10 s for a million lags"
_NEEDED = Stated(
    "slash.amplitude-needed-window",
    "below",
    {"score": "kappa", "most": "U"},
    {"entropy": "entropy"},
)
_CEILING = Stated(
    "slash.soft-ceiling", "2.above", {"most": "U"}, {"entropy": "entropy", "amplitude": "total"}
)


@dataclass(frozen=True, eq=False)
class SoftOptimum:
    """The least amplitude with which a head has a weight on its target, from both sides; in logits.

    - `reach`: the lags on each side of the target; `score`: the weight wanted;
    - `amplitude_needed`: a certified lower bound for every head, whatever its phases;
    - `amplitude`: that of the head given here, rounded up, whose weight is certified;
    - `amplitudes`, `(planes,)`: the aligned head; its logit falls by `sum_l A_l (1 - cos(theta_l t))` at
      distance `t` on both sides;
    - `attained`: the weight of the target of these very doubles in the row of `2 reach + 1` keys;
    - `weights`, `(reach,)`: the probabilities on the lags that prove the bound, up to their sum;
    - `tolerance`: the relative distance of the two bounds that was asked for; `converged` says whether
      it was reached.
    """

    spec: RopeSpec
    reach: int
    score: float
    amplitude_needed: float
    amplitude: float
    amplitudes: Floats
    attained: Enclosure
    weights: Floats
    tolerance: float

    @property
    def converged(self) -> bool:
        """Whether the certified bounds are as near to each other as was asked for."""
        return self.amplitude - self.amplitude_needed <= self.tolerance * self.amplitude


def soft_optimum(
    spec: RopeSpec,
    *,
    reach: int,
    score: float,
    tolerance: float = 1e-6,
    progress: Progress | None = None,
) -> SoftOptimum:
    """The least amplitude of any head whose target, with `reach` lags on each side, has a weight.

    The head found has the weight `score` in every row whose target has at most `reach` lags on each side, on
    every prompt; no head of less than `amplitude_needed` has it in a row with at least `reach` lags on each
    side. Unrotated planes do not help, so their amplitude is 0.

    >>> best = soft_optimum(RopeSpec(128, 10000), reach=1024, score=0.9)
    >>> f"{best.amplitude_needed:.3f} {best.amplitude:.3f}", best.attained.lower >= 0.9
    ('14.499 14.499', True)

    Claims `slash.amplitude-needed-window`, `slash.soft-optimal`. `progress` is called after each step of the
    search. Cost: some ten passes over lags and planes, and a few balls a lag: 0.3 s for 1024 lags and 64
    planes, 3 s for 65536. Raises `InvalidArgument` unless `1 <= reach <= 2**20`, `0 < score < 1` and
    `tolerance > 0`, or if no plane rotates; `Unsupported` if no amplitude up to `1e12` is known to be
    enough.
    """
    window = _window(spec, reach)
    exact = rational("score", score, above=0, below=1)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance > 0:
        raise InvalidArgument("tolerance", tolerance, "a number > 0")
    require_extra("proofs", "the search for a head", "scipy")
    amplitudes, weights = np.zeros(spec.planes), np.full(reach, 1 / reach)
    balls = WindowBalls(window)
    chosen = list(window.planes)
    if exact * (2 * reach + 1) > 1:
        with precision(BITS):
            short = arb(reach).log() - _log_odds(exact)
        if float(short) > _NEAR:
            target = float(_log_odds(exact))
            with one_blas_thread():
                found = least_amplitude(Falls(window), target, tolerance / 4, progress)
            weights, proposed = found.weights, found.amplitudes
        else:
            proposed = _almost_flat(balls, short)
        amplitudes[chosen] = _enough(balls, proposed, exact)
    with precision(2400):  # so wide that the sum of doubles is exact
        total = sum((arb(a) for a in amplitudes.tolist()), arb(0))
        amplitude = Enclosure.of(total, total).upper + 0.0  # no negative zero
    needed = amplitude_needed_window(weights, spec, score=score).lower
    return SoftOptimum(
        spec=spec,
        reach=reach,
        score=float(exact),
        amplitude_needed=min(max(needed, 0.0), amplitude),
        amplitude=amplitude,
        amplitudes=amplitudes,
        attained=_attained(balls, amplitudes[chosen]),
        weights=weights,
        tolerance=float(tolerance),
    )


def amplitude_needed_window(weights: ArrayLike, spec: RopeSpec, *, score: object) -> Enclosure:
    """`[ln(2 kappa/(1 - kappa)) + H(y)]/max_l sum_t y_t (1 - cos(theta_l t))`, in logits, enclosed.

    Every head that gives the weight `score` to a target with at least `M` lags on each side has at
    least this amplitude, whatever its phases and whatever the probabilities `y`: `weights`, `(M,)`,
    divided by their exact sum. The bound can be negative, and then says nothing.

    >>> f"{amplitude_needed_window([1.0], RopeSpec(128, 10000), score=0.9).lower:.2f}"
    '6.29'

    Claim `slash.amplitude-needed-window`. Raises `InvalidArgument` on weights that are negative, not
    finite or all 0, unless `0 < score < 1`, and if no plane that the lags of positive weight see rotates.
    """
    exact = rational("score", score, above=0, below=1)
    shares, window = _shares(weights, spec)
    with precision(BITS):
        balls = WindowBalls(window)
        most = _largest(balls.gains(shares))
        if not most > 0:
            raise InvalidArgument("weights", "lags at which no plane has turned", "other lags")
        return enclosed(_NEEDED.ball(score=exact, most=most, entropy=entropy(shares)))


def soft_ceiling(weights: ArrayLike, spec: RopeSpec, *, amplitude: object) -> Enclosure:
    """`[1 + 2 e^{H(y) - A max_l sum_t y_t (1 - cos(theta_l t))}]^{-1}`, enclosed.

    No head of amplitude `A` or less, in logits, gives a target with at least `M` lags on each side more
    weight, whatever its phases and whatever the probabilities `y`: `weights`, `(M,)`, divided by their
    exact sum.

    >>> f"{soft_ceiling([1.0, 1.0], RopeSpec(128, 10000), amplitude=0).upper:.3f}"
    '0.200'

    Claim `slash.soft-ceiling`. Raises `InvalidArgument` as `amplitude_needed_window`, and unless
    `amplitude >= 0`.
    """
    exact = rational("amplitude", amplitude, least=0)
    shares, window = _shares(weights, spec)
    with precision(BITS):
        most = _largest(WindowBalls(window).gains(shares))
        return enclosed(_CEILING.ball(most=most, entropy=entropy(shares), amplitude=exact))


def _window(spec: object, reach: object) -> Window:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    lags = read_integer("reach", reach, least=1, most=_MOST_REACH, cost=_COST)
    rotated = tuple(np.flatnonzero(frequencies_float64(spec)).tolist())
    if not rotated:
        raise InvalidArgument("spec", spec, "a spec of which at least one plane rotates")
    return Window(spec, lags, lags, rotated)


def _shares(weights: ArrayLike, spec: object) -> tuple[list[Any], Window]:
    """The weights as balls that add up to 1, and the window that they speak of."""
    array = read_vector("weights", weights)
    if (array < 0).any() or not array.any():
        raise InvalidArgument("weights", "a negative one, or none", "numbers >= 0, not all 0")
    window = _window(spec, len(array))
    with precision(BITS):
        exact = [arb(y) for y in array.tolist()]
        total = sum(exact, arb(0))
        return [y / total if y != 0 else y for y in exact], window


def _largest(values: list[Any]) -> Any:
    best = values[0]
    for value in values[1:]:
        best = best.max(value)
    return best


def _log_odds(score: Any) -> Any:
    """`ln((1 - kappa)/(2 kappa))`, as a ball."""
    with precision(BITS):
        return ball((1 - score) / (2 * score), bits=BITS).log()


def _attained(balls: WindowBalls, amplitudes: Floats) -> Enclosure:
    """The weight `1/(1 + 2 sum_t e^{-E_t})` of an aligned head of the window's planes."""
    with precision(balls.bits):
        return enclosed(1 / (1 + 2 * balls.competitors(amplitudes)))


def _almost_flat(balls: WindowBalls, short: Any) -> Floats:
    """The least amplitudes for a target that equal weights miss by little, `short = ln M - c`.

    To first order a plane lowers `ln sum_t e^{-E_t}` by what it earns against equal weights, so the best
    plane has all the amplitude.
    """
    reach = balls.window.after
    with precision(balls.bits):
        gains = balls.gains([1 / arb(reach)] * reach)
        sizes = [float(gain) for gain in gains]
        best = max(range(len(sizes)), key=sizes.__getitem__)
        amplitudes = np.zeros(len(sizes))
        amplitudes[best] = float(short / gains[best])
    return amplitudes


def _enough(balls: WindowBalls, amplitudes: Floats, score: Any) -> Floats:
    """The amplitudes, times the least factor tried with which the certified weight is the score."""
    grown = 2.0**-50
    with precision(balls.bits):
        wanted = ball(score, bits=balls.bits)
        while grown < 1:
            scaled: Floats = amplitudes * (1 + grown)
            if 1 / (1 + 2 * balls.competitors(scaled)) >= wanted:
                return scaled
            grown *= 16
    raise Unsupported(f"score {score}: no head found is certified to have it in float64")
