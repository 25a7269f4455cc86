r"""The amplitude that an index head needs on a spec's planes: a head found, and a lower bound.

**Found.** Aligned amplitudes `A_l` decode every integer query iff the largest
`S_i = sum_t e^{-E_t}` is below 1 (`index.temperature`). `ln S_i` is convex in the amplitudes; from the
optimum of the slash game on the window, multiplicative steps along its slopes look for a smaller
total in float64. The returned head is certified.

**Needed.** Let the query's integer leave `M` lags on both sides. For any phases and constant keys
the two sides of lag `t` together have at least the odds `2 e^{-E_t}` (AM-GM, as in
`slash.ceiling`), so decoding forces `2 sum_{t <= M} e^{-E_t} < 1`. For probabilities `y` on the lags,
Jensen's inequality gives `ln sum_t e^{-E_t} >= H(y) - sum_t y_t E_t`, with `H` the entropy in nats, and
`sum_t y_t E_t <= A max_l sum_t y_t (1 - cos(theta_l t))`. So every such head has

    A > (H(y) + ln 2)/max_l sum_t y_t (1 - cos(theta_l t)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.index.temperature import Gaps, index_temperature, integer_reach
from ropeproof.numerics.bounds.planes.aligned import read_aligned
from ropeproof.numerics.bounds.slash.balls import BITS
from ropeproof.numerics.bounds.slash.budget.tables import PlanePoints
from ropeproof.numerics.bounds.slash.game import SlashGame, optimal_slash
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["IndexBudget", "amplitude_of", "index_amplitude_needed", "index_budget"]

_MOST_POLISHED = 1 << 17
_STEPS = 120
_SPARE = 1 + 2.0**-30
"""Keeps the odds certain when they are summed over another number of lags."""


@dataclass(frozen=True, eq=False)
class IndexBudget:
    """An index head on a spec's planes that decodes every integer query of a length.

    - `spec`, `length`, `integers`: the arguments, `integers` at most `length - 1`;
    - `amplitudes`: `(planes,)` logits, aligned; `amplitude` their sum, rounded up;
    - `needed`: a certified lower bound of the amplitude of every constant-key head that decodes;
    - `odds`: the largest ratio of the other positions' weight to the target's, certified, below 1;
    - `game`: the slash game of the longest window, with the best margin per unit amplitude.
    """

    spec: RopeSpec
    length: int
    integers: int
    amplitudes: Floats
    amplitude: float
    needed: float
    odds: Enclosure
    game: SlashGame


def index_budget(spec: RopeSpec, *, length: int, integers: int | None = None) -> IndexBudget:
    """The index head of least amplitude found on the planes of a spec, certified to decode.

    `integers` as in `index_margin`.

    >>> found = index_budget(RopeSpec(128, 10000), length=64)
    >>> found.odds.upper < 1, found.needed < found.amplitude < 1.25 * found.needed
    (True, True)

    Claim `index.temperature`. Cost: a slash game, and some 100 products of `(length, planes)`.
    Raises `InvalidArgument`, also if no plane rotates; `Unsupported` above `2^24` positions.
    """
    n = read_integer("length", length, least=2)
    most = n - 1 if integers is None else min(read_integer("integers", integers, least=1), n - 1)
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    game = optimal_slash(spec, integer_reach(n, most), tolerance=1e-4)
    directions = [game.amplitudes]
    if n <= _MOST_POLISHED:
        directions.append(_polished(spec, game.amplitudes, n, most))
    found = [(index_temperature(spec, d, length=n, integers=most).upper, d) for d in directions]
    sizes = min(
        (d * beta for beta, d in found if math.isfinite(beta)), key=lambda d: float(d.sum())
    )
    sizes = sizes * _SPARE
    while not (odds := Gaps.of(read_aligned(spec, sizes), n - 1).sums(1.0).odds(n, most))[1] < 1:
        sizes = sizes * _SPARE
    sizes.flags.writeable = False
    needed = _needed(spec, sizes, n, most)
    return IndexBudget(
        spec=spec,
        length=n,
        integers=most,
        amplitudes=sizes,
        amplitude=amplitude_of(sizes),
        needed=needed,
        odds=Enclosure(lower=odds[0], upper=odds[1]),
        game=game,
    )


def amplitude_of(amplitudes: Floats) -> float:
    """The sum of a head's amplitudes in logits, rounded up."""
    with precision(2400):  # so wide that the sum of doubles is exact
        total = sum((arb(a) for a in amplitudes.tolist()), arb(0))
        return Enclosure.of(total, total).upper


def index_amplitude_needed(spec: RopeSpec, weights: Floats) -> Enclosure:
    """`(H(y) + ln 2)/max_l sum_t y_t (1 - cos(theta_l t))` for weights `y` on the lags `1 .. M`.

    `weights` are `(M,)`, not negative, and are divided by their sum. Any constant-key head that decodes an
    integer query with `M` lags on both sides has an amplitude of at least the lower end. In logits.

    Derived in the module's docstring. Raises `InvalidArgument`.
    """
    values = np.asarray(weights, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise InvalidArgument("weights", f"shape {values.shape}", "numbers >= 0, one of them > 0")
    planes = tuple(np.flatnonzero(frequencies_float64(spec)).tolist())
    if not planes:
        raise InvalidArgument("spec", spec, "a spec with a plane that rotates")
    values = values / values.sum()
    tables = PlanePoints(Window(spec, len(values), len(values), planes))
    moments = tables.moments(np.concatenate(([0.0], values))).real
    with precision(BITS):
        total = sum((arb(y) for y in values.tolist()), arb(0))
        entropy = sum((-arb(y) * arb(y).log() for y in values.tolist() if y > 0), arb(0))
        entropy = entropy / total + total.log()
        smallest = arb(float(moments.min())) - arb(tables.error) * total.upper()
        slope = (1 - smallest / total).upper()
        bound = (entropy + arb(2).log()) / slope
        return Enclosure.of(bound, bound)


def _needed(spec: RopeSpec, amplitudes: Floats, length: int, integers: int) -> float:
    reach = min(integers, (length - 1) // 2)
    if reach < 1:
        return 0.0
    gaps = Gaps.of(read_aligned(spec, amplitudes), reach)
    # The head's own weights are the best probabilities where it is optimal.
    bounds = [
        index_amplitude_needed(spec, np.exp(-factor * (gaps.mid - gaps.mid.min()))).lower
        for factor in (0.0, 0.5, 1.0)
    ]
    return max(0.0, *bounds)


def _polished(spec: RopeSpec, start: Floats, length: int, integers: int) -> Floats:
    """Shares of the planes, of sum 1, for which a smaller amplitude brings the odds to 1."""
    thetas = frequencies_float64(spec)
    planes = np.flatnonzero(thetas)
    lags = np.arange(1, length)[:, None]
    sines = np.sin(lags * (thetas[planes] / 2))
    gains = 2 * sines * sines
    share = 0.9 * start[planes] / start.sum() + 0.1 / len(planes)
    scale, best, best_scale = 1.0, share, math.inf
    for step in range(_STEPS):
        gaps = gains @ share
        scale, slope, weights = _scale(gaps, length, integers, scale)
        if scale < best_scale:
            best, best_scale = share, scale
        slopes = (weights @ gains) / slope - 1
        share = share * np.exp(np.clip(0.7 / (1 + step / 30) * slopes, -2, 2))
        share = share / share.sum()
    result = np.zeros(len(thetas))
    result[planes] = np.where(best > 1e-9, best, 0.0)
    found: Floats = result / result.sum()
    return found


def _scale(gaps: Floats, length: int, integers: int, start: float) -> tuple[float, float, Floats]:
    """The factor on given gaps that makes the odds 1, the slope there and the lags' weights."""
    scale, last = start, length - 1
    weights, slope = np.zeros_like(gaps), 1.0
    for _ in range(60):
        sizes = np.exp(-scale * gaps)
        sums = np.concatenate(([0.0], np.cumsum(sizes)))
        both = sums[1 : integers + 1] + sums[last - integers : last][::-1]
        query = int(np.argmax(both)) + 1
        odds = float(both[query - 1])
        weights = sizes * (
            (np.arange(1, length) <= query).astype(float) + (np.arange(1, length) <= last - query)
        )
        slope = float(weights @ gaps) / odds
        change = math.log(odds) / slope
        scale = max(scale + change, scale / 4)
        if abs(change) <= 1e-9 * scale:
            break
    return scale, slope, weights / weights.sum()
