r"""What a query can guarantee to one token wherever the query stands, per unit amplitude, certified.

The token (a sink, an instruction) is at lags `1 .. N` from the queries that follow it. Over all
amplitudes with `sum_l A_l = 1` and all phases, the least logit at these lags is at best

    v = max_{sum |a_l| <= 1} min_t sum_l a_l cos(theta_l (t - (N+1)/2))
      = min_y max_l |sum_t y_t cos(theta_l (t - (N+1)/2))|,

`y` over the probabilities on the lags (claim `head.sink-horizon`). Any signed `a` bounds `v` from
below, any `y` from above (`head.sink-even-bound`); equal weights give a Dirichlet kernel in closed
form (`head.sink-uniform`).

**Method.** A linear programme over a few lags, solved by HiGHS; a scan of all lags proposes those at
which its head does worse. **Certificate.** Nothing of the solver is trusted: `lower` is the least
enclosed logit over all lags of the head that is returned, `upper` the dual's value in balls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.bounds.planes.longest import longest
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import logit_blocks
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64, read_spec
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "SinkGuarantee",
    "best_sink",
    "certified_guarantee",
    "sink_bounds",
    "sink_horizon",
    "weights_bound",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_MOST_LAGS = 2**40
_NEW_ROWS = 40
"""Lags added to the programme in a round, the worst of all."""
_BITS = 192
_TOLERANCES = (1e-10, 1e-7)  # the least that HiGHS takes, and its own choice
_KERNEL = Stated(
    "head.sink-uniform", "body.then.below", {"lags": "N"}, {"angle": "turn"}, "no kernel exceeds U"
)


@dataclass(frozen=True, eq=False)
class SinkGuarantee:
    """The best guarantee per unit amplitude at the lags `1 .. lags`, enclosed, and a head that has it.

    - `lower <= v <= upper`, certified. `lower` is attained by the head of `amplitudes` and `phases`;
    - `amplitudes`, `phases` (radians), `(planes,)`: the head's logit at lag `t` is
      `sum_l A_l cos(theta_l t + phi_l)`; the amplitudes sum to 1 up to rounding, or all are 0 where no
      head was found that guarantees more than 0;
    - `signed`: the amplitudes with their signs about the middle of the window, `(planes,)`;
    - `places`, `weights`, `(rows,)`: lags and probabilities on them, which certify `upper`.
    """

    spec: RopeSpec
    lags: int
    lower: float
    upper: float
    amplitudes: Floats
    phases: Floats
    signed: Floats
    places: Integers
    weights: Floats
    rounds: int

    @property
    def value(self) -> Enclosure:
        """The best guarantee per unit amplitude, enclosed."""
        return Enclosure(lower=self.lower, upper=self.upper)


def sink_bounds(spec: RopeSpec, lags: int) -> Enclosure:
    r"""Bounds in closed form of the best guarantee per unit amplitude at the lags `1 .. lags`.

    Below: the slowest plane alone, `cos(theta (N - 1)/2)` while that is positive. Above: equal
    weights, `max_l |sin(N theta_l/2) / (N sin(theta_l/2))|`. A plane that stands still gives 1.

    >>> found = sink_bounds(RopeSpec(128, 10000), 8192)
    >>> f"{found.lower:.4f} {found.upper:.4f}"
    '0.8902 0.9632'

    Cost: two balls a plane. Raises `InvalidArgument` unless `spec` is a `RopeSpec` and `lags >= 1`.
    Source: claims `head.sink-uniform`, and `head.sink-horizon` for the lower bound.
    """
    spec, count = read_spec(spec), read_integer("lags", lags, least=1, most=_MOST_LAGS)
    low, high = arb(0), arb(0)
    frequencies = frequencies_ball(spec, bits=_BITS + count.bit_length())
    exact = spec.frequencies()
    with precision(_BITS + count.bit_length()):
        for theta, plane in zip(frequencies, exact, strict=True):
            if plane == 0:
                return Enclosure(lower=1.0, upper=1.0)
            high = high.max(_KERNEL.ball(lags=count, angle=theta))
            half = theta * (count - 1) / 2
            if abs(half) < arb.pi() / 2:
                low = low.max(half.cos())
        return Enclosure(
            lower=max(Enclosure.of(low, low).lower, 0.0),
            upper=min(Enclosure.of(high, high).upper, 1.0),
        )


def sink_horizon(spec: RopeSpec, share: float = 0.5) -> tuple[int, int | None]:
    """Lengths between which the best guarantee falls below a share of the amplitude, in closed form.

    Returns `(kept, lost)`: at every number of lags up to `kept` some head guarantees the share of its
    amplitude, and from `lost` on none does; `lost` is None where a plane stands still, as then one
    guarantees all of it at any length, and `kept` the longest length that was looked at, 2^40.

    >>> sink_horizon(RopeSpec(128, 10000))
    (18137, 32829)

    The bounds are those of `sink_bounds`; equal weights on fewer lags bound a longer window too, so
    that the least length at which they say less decides all longer ones.
    Raises `InvalidArgument` unless `0 < share < 1`.
    """
    spec = read_spec(spec)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise InvalidArgument("share", share, "a number between 0 and 1")
    if any(theta == 0 for theta in spec.frequencies()):
        return _MOST_LAGS, None
    kept = longest(lambda n: sink_bounds(spec, n).lower >= share, least=1, most=_MOST_LAGS)
    under = longest(lambda n: sink_bounds(spec, n).upper >= share, least=1, most=_MOST_LAGS)
    return kept, (under + 1 if under < _MOST_LAGS else None)


def best_sink(
    spec: RopeSpec, lags: int, *, tolerance: float = 1e-6, rounds: int = 60
) -> SinkGuarantee:
    """The best head, per unit amplitude, for one token at all lags `1 .. lags`, certified.

    `tolerance` is for the distance of the two bounds, which hold in any case; `rounds` is the largest
    number of linear programmes that are solved.

    >>> found = best_sink(RopeSpec(128, 10000), 8192)
    >>> f"{found.lower:.5f} {found.upper:.5f}"
    '0.89692 0.89692'

    Cost: some tens of rounds of a linear programme and a scan of half of the lags. Raises
    `InvalidArgument` on a bad argument, `Unsupported` without SciPy.
    """
    spec, count = read_spec(spec), read_integer("lags", lags, least=1, most=_MOST_LAGS)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance > 0:
        raise InvalidArgument("tolerance", tolerance, "a number > 0")
    still = np.flatnonzero(frequencies_float64(spec) == 0)
    if len(still) and all(spec.frequencies()[plane] == 0 for plane in still[:1]):
        alone = np.zeros(spec.planes)
        alone[still[0]] = 1.0
        one = np.ones(1, dtype=np.int64)
        return SinkGuarantee(spec, count, 1.0, 1.0, alone, 0 * alone, alone, one, np.ones(1), 0)
    require_extra("proofs", "the best guarantee", "scipy")
    return _Search(spec, count, float(tolerance)).run(read_integer("rounds", rounds, least=1))


class _Search:
    """Rounds of linear programme and scan, until the float64 bounds meet.

    A row is a distance `d = 2 t - (N + 1) >= 0` from the middle in half lags: the reflected lag has
    the same row.
    """

    def __init__(self, spec: RopeSpec, count: int, tolerance: float) -> None:
        self.spec, self.count, self.tolerance = spec, count, tolerance
        self.window = Window(spec, count, count, tuple(range(spec.planes)))
        self.first = (count + 1) // 2 + (count % 2 == 0)
        """The first lag at or after the middle, `t >= (N + 1)/2`."""
        self.rows: Integers = np.empty(0, dtype=np.int64)
        self.matrix: Floats = np.empty((0, spec.planes))
        self.signed = np.zeros(spec.planes)
        self.lower, self.upper = 0.0, np.inf  # no amplitude guarantees 0
        self.places: Integers = np.ones(1, dtype=np.int64)
        self.weights: Floats = np.ones(1)

    def run(self, most: int) -> SinkGuarantee:
        """The best guarantee, certified, after at most so many rounds."""
        span = self.count - self.first
        some = np.unique(np.geomspace(1, span + 1, 96).astype(np.int64)) - 1
        self._add(np.union1d(self.first + some, self.count - some[some <= span]))
        rounds = 0
        for _ in range(most):
            rounds += 1
            solved = self._solve()
            if solved is None:  # what was found so far is certified all the same
                break
            signed, weights = solved
            bound = float(np.abs(weights @ self.matrix).max())
            if bound < self.upper:
                used = weights > 0
                self.upper, self.places, self.weights = bound, self.rows[used], weights[used]
            if not signed.any():
                break
            lags, least = self._scan(signed)
            if least > self.lower:
                self.lower, self.signed = least, signed
            if self.upper - self.lower <= 0.3 * self.tolerance:
                break
            if not self._add(lags):
                break
        return self._certified(rounds)

    def _add(self, lags: Integers) -> int:
        """Add lags as rows; returns how many of them were new."""
        fresh = np.setdiff1d(lags, self.rows)
        turned = np.cos(self.window.half_angles(2 * fresh - (self.count + 1)))
        self.rows = np.concatenate((self.rows, fresh))
        self.matrix = np.concatenate((self.matrix, turned))
        return len(fresh)

    def _solve(self) -> tuple[Floats, Floats] | None:
        """The signed amplitudes and the weights of the rows, in float64; or None."""
        from scipy.optimize import linprog

        rows, planes = self.matrix.shape
        matrix = np.concatenate((-self.matrix, self.matrix, np.ones((rows, 1))), axis=1)
        for tolerance in _TOLERANCES:
            found = linprog(
                np.append(np.zeros(2 * planes), -1.0),
                A_ub=matrix,
                b_ub=np.zeros(rows),
                A_eq=np.append(np.ones(2 * planes), 0.0)[None, :],
                b_eq=[1.0],
                bounds=[(0, None)] * (2 * planes) + [(None, None)],
                method="highs",
                options={
                    "primal_feasibility_tolerance": tolerance,
                    "dual_feasibility_tolerance": tolerance,
                },
            )
            if found.status == 0:
                break
        else:
            return None
        signed = found.x[:planes] - found.x[planes:-1]
        weights = np.maximum(-found.ineqlin.marginals, 0.0)
        if not weights.sum() > 0:
            return None
        # The two parts of a plane's amplitude cancel where no head guarantees more than 0.
        return signed / (np.abs(signed).sum() or 1.0), weights / weights.sum()

    def _phases(self, signed: Floats) -> Floats:
        """The phases in radians of the head with these signed amplitudes, `(planes,)`."""
        middle = self.window.half_angles(np.array([self.count + 1]))[0]
        turned = np.where(signed < 0, np.pi, 0.0) - middle
        result: Floats = np.where(signed != 0, turned, 0.0)
        return result

    def _scan(self, signed: Floats) -> tuple[Integers, float]:
        """The lags of the head's least logits after the middle, and the least of all, uncertified."""
        blocks = logit_blocks(
            np.abs(signed),
            self._phases(signed),
            self.window.frequencies(),
            lags=self.count + 1 - self.first,
            first=self.first,
        )
        lags, values = [np.empty(0, dtype=np.int64)], [np.empty(0)]
        for block in blocks:
            low = np.ones(len(block.mid), dtype=bool)
            low[1:] &= block.mid[1:] <= block.mid[:-1]
            low[:-1] &= block.mid[:-1] <= block.mid[1:]
            index = np.flatnonzero(low)
            index = index[np.argsort(block.mid[index], kind="stable")[:_NEW_ROWS]]
            lags.append(index.astype(np.int64) + block.first)
            values.append(block.mid[index].copy())
        every, logits = np.concatenate(lags), np.concatenate(values)
        kept = np.argsort(logits, kind="stable")[:_NEW_ROWS]
        return every[kept], float(logits.min())

    def _certified(self, rounds: int) -> SinkGuarantee:
        lower = 0.0
        if self.signed.any():
            amplitudes, phases = np.abs(self.signed), self._phases(self.signed)
            lower = certified_guarantee(amplitudes, phases, self.spec, self.count)
        if lower <= 0:
            lower, self.signed = 0.0, np.zeros(self.spec.planes)
            amplitudes, phases = np.abs(self.signed), self._phases(self.signed)
        upper = weights_bound(self.spec, self.count, self.places, self.weights)
        closed = sink_bounds(self.spec, self.count)
        return SinkGuarantee(
            self.spec,
            self.count,
            lower,
            min(upper, closed.upper),
            amplitudes,
            phases,
            self.signed,
            self.places,
            self.weights,
            rounds,
        )


def certified_guarantee(amplitudes: Floats, phases: Floats, spec: RopeSpec, lags: int) -> float:
    """A lower bound of a head's least logit at the lags `1 .. lags` per unit of its amplitude.

    `amplitudes` and `phases` (radians) are `(planes,)` and count as the exact values of their doubles.
    By a scan of enclosed logits at every lag; 0 without any amplitude. Raises `InvalidArgument` as
    `logit_blocks`.
    """
    if not np.any(amplitudes):
        return 0.0
    least = min(
        float(block.mid.min()) - block.radius
        for block in logit_blocks(
            amplitudes,
            phases,
            lambda bits: frequencies_ball(spec, bits=bits),
            lags=lags,
            first=1,
        )
    )
    with precision(2400):  # so wide that the sum of doubles is exact
        total = sum((arb(a) for a in np.asarray(amplitudes).tolist()), arb(0))
        share = arb(np.nextafter(least, -np.inf)) / total
        return Enclosure.of(share, share).lower


def weights_bound(spec: RopeSpec, lags: int, places: Integers, weights: Floats) -> float:
    """An upper bound of every head's guarantee at the lags `1 .. lags` per unit of its amplitude.

    `max_l |sum_t y_t cos(theta_l (t - (N+1)/2))|` in balls, with `y` the given doubles `weights` on the
    lags `places`, divided by their exact sum. Source: claim `head.sink-even-bound`.
    """
    bits = _BITS + int(lags).bit_length()
    best = arb(0)
    with precision(bits):
        pairs = [(int(t), arb(float(w))) for t, w in zip(places, weights, strict=True)]
        total = sum((w for _, w in pairs), arb(0))
        for theta in frequencies_ball(spec, bits=bits):
            seen = sum((w * (theta * (2 * t - lags - 1) / 2).cos() for t, w in pairs), arb(0))
            best = best.max(abs(seen) / total)
        return Enclosure.of(best, best).upper
