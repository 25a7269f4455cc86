r"""The slash game, solved and certified: a positional head's best margin per unit amplitude.

A head's logit at displacement `e` from its target is `sum_l a_l cos(theta_l e + phi_l)`. Over all
amplitudes with `sum_l a_l = 1` and all phases, its margin on a window is at best

    mu = max_{sum |w_l| <= 1} min_e Re sum_l w_l (1 - e^{i theta_l e})
       = min_y max_l |sum_e y_e (1 - e^{i theta_l e})|,

`w_l = a_l e^{i phi_l}`, `y` over the probabilities on the window's displacements. Any `w` bounds
`mu` from below, any `y` from above (claims `slash.game`, where the window is symmetric and `w` may
be taken real, and `slash.game-one-sided`).

**Method.** A linear programme over a few displacements and a few columns (plane, phase), solved by
HiGHS. The scan over the whole window proposes displacements where its head does worse; its dual
proposes for every plane the phase `-arg sum_e y_e (1 - e^{i theta_l e})`, which serves it best.

**Certificate.** Nothing of the solver is trusted. `lower` is the smallest gap of the amplitudes and
phases returned over all displacements, by `ropeproof.numerics.core.lag_scan.minimum_gap`; `upper`
is the dual's value in balls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.game.programme import Programme, Solution
from ropeproof.numerics.bounds.slash.game.window import Integers, Window
from ropeproof.numerics.core.enclosure import Enclosure, Extremum
from ropeproof.numerics.core.lag_scan.head import Floats, read_integer, read_vector
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import sign
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Band", "SlashGame", "bands", "frozen_margin", "optimal_slash"]

Band: TypeAlias = Literal["high", "medium", "low", "unrotated"]
Complexes: TypeAlias = NDArray[np.complex128]
Progress: TypeAlias = Callable[[int, float, float], None]
"""Called after each round with its number and the float64 lower and upper bounds so far."""

_MOST_REACH = 2**40
_MOST_ROUNDS = 120
_NEW_ROWS = 50
"""Displacements added per round and side of the window; more cost the solver more than a round."""
_MOST_ROWS = 1500
_FIRST_PHASES = 8
_KEEP = 3.0
"""A column is dropped when its dual value is this many times the largest excess below the best."""
_MIXTURES = (0.9, 0.7, 0.5, 0.3)
"""Shares of the best dual so far in mixtures with the newest, which jumps from vertex to vertex."""
_AIM = 0.3
"""The part of the tolerance at which the float64 bounds have met."""
_ALMOST = 1.2
_BINDING = 1.05
_HIGH_WAVELENGTH = 16


@dataclass(frozen=True, eq=False)
class SlashGame:
    """The best margin per unit amplitude on a window, certified, and the head that attains it.

    - `lower <= mu <= upper`, certified. `lower` is attained: it is the margin per unit amplitude
      of this very head, by a scan of all displacements.
    - `amplitudes`, `phases` (radians), `(planes,)` of the spec: the head's logit at displacement
      `e` is `sum_l a_l cos(theta_l e + phi_l)`. The amplitudes sum to 1 up to rounding; the
      planes that are not used have amplitude and phase 0, and so have all phases if
      `before == after`.
    - `lags`, `weights`, `(rows,)`: displacements and probabilities on them, which certify `upper`.
      In a symmetric window a positive displacement stands for itself and its negative.
    - `converged`: whether `upper - lower <= tolerance * lower`. The bounds hold in any case.
    - `minimum`: the certified margin of the head, with the displacement where it is smallest.
    """

    spec: RopeSpec
    before: int
    after: int
    amplitudes: Floats
    phases: Floats
    lower: float
    upper: float
    lags: Integers
    weights: Floats
    converged: bool
    rounds: int
    minimum: Extremum

    @property
    def value(self) -> Enclosure:
        """The best margin per unit amplitude, enclosed."""
        return Enclosure(lower=self.lower, upper=self.upper)

    @property
    def gap(self) -> float:
        """The relative gap `(upper - lower)/lower`, infinite if nothing positive is certified."""
        return (self.upper - self.lower) / self.lower if self.lower > 0 else np.inf


def optimal_slash(
    spec: RopeSpec,
    reach: int | None = None,
    *,
    before: int | None = None,
    after: int | None = None,
    planes: Sequence[int] | None = None,
    tolerance: float = 1e-7,
    progress: Progress | None = None,
) -> SlashGame:
    """The best head, per unit amplitude, on the displacements `-before <= e <= after`, `e != 0`.

    Give `reach` positions on each side, or `before` and `after` (either may be 0, not both).
    `planes` restricts the head to some planes; unrotated planes are never used. `tolerance` is for
    the relative distance of the two certified bounds.

    >>> game = optimal_slash(RopeSpec(128, 10000), 64)
    >>> f"{game.lower:.6f} {game.upper:.6f}", game.converged
    ('0.363862 0.363862', True)

    A target whose keys are all on one side does better with the right phases:

    >>> one_sided = optimal_slash(RopeSpec(128, 10000), before=0, after=64)
    >>> f"{one_sided.lower:.6f} {one_sided.upper:.6f}"
    '0.552400 0.552400'

    Cost: some tens of rounds of a linear programme and a scan of the window. Raises
    `InvalidArgument` on a bad argument, and if no plane that may be used rotates.
    """
    window = _window(spec, reach, before, after, planes)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance > 0:
        raise InvalidArgument("tolerance", tolerance, "a number > 0")
    require_extra("proofs", "the slash game", "scipy")
    return _Search(window, float(tolerance), progress).run()


class _Search:
    """Rounds of linear programme, scan and new columns, until the float64 bounds meet."""

    def __init__(self, window: Window, tolerance: float, progress: Progress | None) -> None:
        self.window, self.tolerance, self.progress = window, tolerance, progress
        self.programme = Programme(window)
        self.lower, self.upper = -np.inf, np.inf
        self.vector = np.full(len(window.planes), 1.0 / len(window.planes), dtype=np.complex128)
        self.slopes: Complexes = np.empty(0, dtype=np.complex128)
        self.lags: Integers = np.empty(0, dtype=np.int64)
        self.weights: Floats = np.empty(0)

    def run(self) -> SlashGame:
        """The game, solved and certified."""
        return self._certified(self.search())

    def search(self) -> int:
        """Run rounds until the float64 bounds meet; returns the number of rounds."""
        self._start()
        scale, rounds = self.programme.bound(), 0
        for rounds in range(1, _MOST_ROUNDS + 1):
            solution, solved_at = self.programme.solve(scale), scale
            if solution is None:  # what was found so far is certified all the same
                break
            rows, used = self.programme.rows, solution.weights > 0
            slopes = self.window.slopes(rows, solution.weights)
            self._offer(slopes, rows[used], solution.weights[used])
            for share in _MIXTURES:
                weights = share * self.weights, (1 - share) * solution.weights[used]
                mixture = share * self.slopes + (1 - share) * slopes
                self._offer(
                    mixture, np.concatenate((self.lags, rows[used])), np.concatenate(weights)
                )
            vector = solution.vector / np.abs(solution.vector).sum()
            places = self._scan(vector, max(solution.value, 0.0))
            if self.progress is not None:
                self.progress(rounds, self.lower, self.upper)
            if self.upper - self.lower <= _AIM * self.tolerance * self.lower:
                break
            if 0 < solution.value < scale:
                scale = solution.value
            columns = self._new_columns(slopes, solution)
            if len(rows) > _MOST_ROWS:
                gaps = self.programme.gaps(vector)
                self.programme.prune_rows(gaps, float(np.partition(gaps, _MOST_ROWS)[_MOST_ROWS]))
            added = self.programme.add_rows(places)
            if not added and not columns and solution.value >= 0.1 * solved_at:
                break
        return rounds

    def _offer(self, slopes: Complexes, lags: Integers, weights: Floats) -> None:
        """Keep the given dual if its bound is the best so far."""
        bound = float(np.abs(slopes).max())
        if bound < self.upper:
            self.upper, self.slopes, self.lags, self.weights = bound, slopes, lags, weights

    def _start(self) -> None:
        window = self.window
        reach = max(window.before, window.after)
        near = np.arange(1, min(reach, 16) + 1)
        far = np.unique(np.geomspace(1, reach, 24).astype(np.int64))
        places = np.union1d(near, far)
        after = places[places <= window.after]
        before = -places[places <= window.before]
        self.programme.add_rows(after if window.symmetric else np.concatenate((before, after)))
        common = min(window.before, window.after)
        if not window.symmetric and reach <= _ALMOST * common:
            # The game on the symmetric part is quick and almost this one: take its rows and dual.
            inner = _Search(replace(window, before=common, after=common), self.tolerance, None)
            inner.search()
            near = inner.programme.rows[
                inner.programme.gaps(inner.vector) <= _BINDING * inner.lower
            ]
            self.programme.add_rows(np.concatenate((-near, near)))
            both = np.concatenate((-inner.lags, inner.lags)), np.tile(inner.weights / 2, 2)
            self._offer(self.window.slopes(*both), *both)
        count = 1 if window.symmetric else _FIRST_PHASES
        planes = np.arange(len(window.planes))
        for phase in 2 * np.pi / count * np.arange(count):
            self.programme.add_columns(planes, np.full(len(planes), phase))
        # Some dual, should the solver never give one.
        rows = self.programme.rows
        uniform = np.full(len(rows), 1 / len(rows))
        self._offer(window.slopes(rows, uniform), rows, uniform)

    def _scan(self, vector: Complexes, value: float) -> Integers:
        """The displacements at which the head's gap is below the programme's value."""
        amplitudes, phases = np.abs(vector), np.angle(vector)
        places, gaps = self.window.violated(amplitudes, phases, value, _NEW_ROWS)
        lower = min(float(gaps.min()), value) if len(gaps) else value
        if lower > self.lower:
            self.lower, self.vector = lower, vector
        return places

    def _new_columns(self, slopes: Complexes, solution: Solution) -> int:
        """Add the best phase of every plane whose dual value exceeds the programme's value."""
        if self.window.symmetric:
            return 0
        programme, value = self.programme, solution.value
        planes = np.flatnonzero(np.abs(slopes) > value * (1 + 0.1 * self.tolerance))
        worth = (slopes[programme.columns] * np.exp(1j * programme.phases)).real
        slack = _KEEP * float((np.abs(slopes) - value).max())
        programme.prune_columns((solution.shares > 0) | (worth >= value - slack))
        programme.add_columns(planes, -np.angle(slopes[planes]))
        programme.add_columns(planes, -np.angle(self.slopes[planes]))
        return len(planes)

    def _certified(self, rounds: int) -> SlashGame:
        window, spec = self.window, self.window.spec
        amplitudes, phases = np.zeros(spec.planes), np.zeros(spec.planes)
        sizes = np.abs(self.vector)
        amplitudes[list(window.planes)] = sizes / sizes.sum()
        if not window.symmetric:
            phases[list(window.planes)] = np.where(sizes > 0, np.angle(self.vector), 0.0)
        chosen = list(window.planes)
        # A mixture of duals names a displacement more than once.
        lags, places = np.unique(self.lags, return_inverse=True)
        weights = np.bincount(places, weights=self.weights).astype(np.float64)
        minimum = window.margin(amplitudes[chosen], phases[chosen])
        with precision(192):
            bound = window.dual_bound(lags, weights)
            upper = Enclosure.of(bound, bound).upper
        return SlashGame(
            spec=spec,
            before=window.before,
            after=window.after,
            amplitudes=amplitudes,
            phases=phases,
            lower=minimum.lower,
            upper=upper,
            lags=lags,
            weights=weights,
            converged=upper - minimum.lower <= self.tolerance * minimum.lower,
            rounds=rounds,
            minimum=minimum,
        )


def frozen_margin(
    amplitudes: Floats,
    phases: Floats,
    spec: RopeSpec,
    *,
    reach: int | None = None,
    before: int | None = None,
    after: int | None = None,
) -> Extremum:
    """The certified margin per unit amplitude of a given head in another window.

    `amplitudes` (any unit) and `phases` (radians) are `(planes,)`, for example those of a
    `SlashGame` of a shorter window; the window is given as in `optimal_slash`. The `lag` of the
    result is the displacement of the best competitor, with its sign. Claim `planes.frozen`.

    >>> spec = RopeSpec(128, 10000)
    >>> game = optimal_slash(spec, 16)
    >>> kept = frozen_margin(game.amplitudes, game.phases, spec, reach=1024)
    >>> f"{kept.lower:.4f}", kept.lag
    ('0.0044', 377)

    Cost: a scan of the window. Raises `InvalidArgument`, also if no amplitude is positive.
    """
    window = _window(spec, reach, before, after, None)
    sizes, angles = read_vector("amplitudes", amplitudes), read_vector("phases", phases)
    for name, values in (("amplitudes", sizes), ("phases", angles)):
        if values.shape != (spec.planes,):
            raise InvalidArgument(name, f"shape {values.shape}", f"shape ({spec.planes},)")
    chosen = list(window.planes)
    if not (sizes >= 0).all() or not sizes[chosen].any():
        raise InvalidArgument("amplitudes", amplitudes, "numbers >= 0, one > 0 on a rotated plane")
    if window.symmetric and angles[chosen][sizes[chosen] > 0].any():
        # A head with phases treats the two sides differently.
        pair = (
            Window(spec, window.before, 0, window.planes),
            Window(spec, 0, window.after, window.planes),
        )
        return min((w.margin(sizes[chosen], angles[chosen]) for w in pair), key=lambda m: m.lower)
    return window.margin(sizes[chosen], angles[chosen])


def bands(spec: RopeSpec, length: int) -> tuple[Band, ...]:
    """Each plane's band in a window with `length` positions on each side, `(planes,)`.

    By wavelength `2 pi/theta` in positions: at most 16 is `high`, above `2 length` is `low`, else
    `medium`; a plane with `theta = 0` is `unrotated`. Decided exactly. Claim `slash.game-bands`.

    >>> bands(RopeSpec(8, 10000), 100)
    ('high', 'medium', 'low', 'low')

    Raises `InvalidArgument` unless `length >= 1`.
    """
    return _bands(_read_spec(spec), 2 * read_integer("length", length, 1, _MOST_REACH))


@lru_cache(maxsize=64)
def _bands(spec: RopeSpec, longest: int) -> tuple[Band, ...]:
    """The cached bands of a spec, for wavelengths up to `longest`, `(planes,)`."""

    def band(theta: object, wavelength: object) -> Band:
        if theta == 0:
            return "unrotated"
        if sign(wavelength - sympy.Integer(_HIGH_WAVELENGTH)) <= 0:
            return "high"
        return "low" if sign(wavelength - sympy.Integer(longest)) > 0 else "medium"

    return tuple(map(band, spec.frequencies(), spec.wavelengths()))


def _read_spec(spec: object) -> RopeSpec:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    return spec


def _window(
    spec: RopeSpec,
    reach: int | None,
    before: int | None,
    after: int | None,
    planes: Sequence[int] | None,
) -> Window:
    _read_spec(spec)
    if reach is not None:
        if before is not None or after is not None:
            raise InvalidArgument("reach", reach, "either reach, or before and after")
        before = after = read_integer("reach", reach, 1, _MOST_REACH)
    before = read_integer("before", before, 0, _MOST_REACH)
    after = read_integer("after", after, 0, _MOST_REACH)
    if before == after == 0:
        raise InvalidArgument("after", after, "a window with at least one displacement")
    chosen = range(spec.planes) if planes is None else planes
    listed = sorted({read_integer("planes", int(p), 0, spec.planes - 1) for p in chosen})
    rotated = frequencies_float64(spec) != 0
    usable = tuple(plane for plane in listed if rotated[plane])
    if not usable:
        raise InvalidArgument("planes", planes, "at least one plane that rotates")
    return Window(spec, before, after, usable)
