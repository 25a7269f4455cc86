r"""The amplitude budget of a slash-dominant head: a head found, a lower bound, longer lengths.

A head with token-independent queries and keys has the same attention on every prompt, and is
`(kappa, Delta)`-slash-dominant at a length if the mean of `S_{i,i-Delta} = 1/(1 + Z_i)` over the rows
`i = Delta + 1 .. N` is at least `kappa` (claims `slash.dominance`, `slash.sandwich`, `slash.ood`).

`slash_budget` looks for the head of least amplitude with that score. It starts from the optimum of
the slash game on the window of the prompt, `before = Delta`, `after = N - 1 - Delta`, climbs in
amplitudes and phases to a head with a better softmax score, and takes the least amplitude at which the
certified score (`ropeproof.numerics.bounds.slash.budget.rows`) is reached. A certified lower bound
for the amplitude of every head with that score (`ropeproof.numerics.bounds.slash.budget.needed`)
bounds its distance from the best head.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.slash.budget.climb import Climb
from ropeproof.numerics.bounds.slash.budget.rows import rows_of
from ropeproof.numerics.bounds.slash.budget.search import (
    FoundHead,
    least_head,
    needed_by_all,
    score_at_amplitude,
)
from ropeproof.numerics.bounds.slash.budget.tables import Complexes
from ropeproof.numerics.bounds.slash.game import Band, SlashGame, bands, optimal_slash
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats, read_integer
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import ball, read_rational
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import Dynamic, LongRope, RopeSpec

__all__ = ["Budget", "LongerScore", "PlaneShare", "certified_score", "slash_budget"]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of the step that begins, its number from 0, and the number of steps."""

_MOST_LENGTH = 2**26
_FACTORS = (2, 4, 8)
_FAR = 0.5


@dataclass(frozen=True)
class PlaneShare:
    """One plane of a budget's head, with its frequency, wavelength, share of amplitude and band.

    The frequency is in radians per position, correctly rounded; the wavelength in positions, infinite if the
    plane does not rotate.
    """

    index: int
    frequency: float
    wavelength: float
    share: float
    band: Band


@dataclass(frozen=True)
class LongerScore:
    """Certified lower bounds of the score at a longer length, at the amplitude of the budget.

    `frozen` is that of the same head, `reoptimised` that of the best head found for that length.
    """

    length: int
    reoptimised: float
    frozen: float


@dataclass(frozen=True, eq=False)
class Budget:
    """The amplitude of a `(score, offset)`-slash-dominant head at a length: found and needed.

    - `amplitude`: of the head given here, in logits, rounded up; its score is certified.
    - `amplitude_needed`: a certified lower bound of the amplitude of every head with that score.
    - `amplitudes` (logits), `phases` (radians), `(planes,)`: the head. Its logit at displacement `e`
      from the target lag is `sum_l A_l cos(theta_l e + phi_l)`.
    - `attained`: the certified score of these very doubles.
    - `game`: the slash game of the window, with the best margin per unit amplitude.
    - `query_key_norm_product`, `query_key_norm_needed`: `|q||k|` that gives `amplitude`, attained
      with `|q_l|` proportional to `|k_l|`, rounded up; and the value that `amplitude_needed` forces, rounded
      down. They divide by `logits_per_norm`, the scale times the squared attention factor.
    - `longer`: the score at longer lengths, by default 2, 4 and 8 times this one.
    """

    spec: RopeSpec
    offset: int
    length: int
    score: float
    amplitude: float
    amplitude_needed: float
    amplitudes: Floats
    phases: Floats
    attained: Enclosure
    game: SlashGame
    logits_per_norm: Enclosure
    query_key_norm_product: float
    query_key_norm_needed: float
    planes: tuple[PlaneShare, ...]
    longer: tuple[LongerScore, ...]


def certified_score(
    amplitudes: Floats, phases: Floats, spec: RopeSpec, *, offset: int, length: int
) -> Enclosure:
    """The certified slash score of a head: the mean of `S_{i,i-offset}` over its rows.

    The rows are `offset < i <= length`. The logit at displacement `e = lag - offset` is
    `sum_l A_l cos(theta_l e + phi_l)`, with
    `amplitudes` in logits and `phases` in radians, `(planes,)`, exact doubles.

    >>> flat = certified_score(np.zeros(4), np.zeros(4), RopeSpec(8, 100), offset=1, length=3)
    >>> (1 / 2 + 1 / 3) / 2 in flat, flat.width < 1e-13
    (True, True)

    Cost: a scan and an exponential per lag. Raises `InvalidArgument`.
    """
    window = _window(spec, offset, length)
    sizes, angles = np.asarray(amplitudes, np.float64), np.asarray(phases, np.float64)
    for name, values in (("amplitudes", sizes), ("phases", angles)):
        if values.shape != (spec.planes,):
            raise InvalidArgument(name, f"shape {values.shape}", f"shape ({spec.planes},)")
    chosen = list(window.planes)
    return rows_of(window, sizes[chosen], angles[chosen]).average()


def slash_budget(
    spec: RopeSpec,
    *,
    offset: int,
    length: int,
    score: float,
    scale: object = None,
    factors: Sequence[int] = _FACTORS,
    progress: Progress | None = None,
) -> Budget:
    """The head of least amplitude found for a score at an offset and a length, with a lower bound.

    `scale` is the model's factor on `<q, k>`, `1/sqrt(head_dim)` if None. With dynamic or
    longrope scaling the frequencies are those of `spec.length` positions; longer lengths, which are
    `factors` times the length, use those that the model has there.

    >>> budget = slash_budget(RopeSpec(128, 10000), offset=1, length=256, score=0.9)
    >>> budget.attained.lower >= 0.9, budget.amplitude_needed <= budget.amplitude
    (True, True)
    >>> f"{budget.amplitude_needed:.1f} {budget.amplitude:.1f}"
    '11.2 11.4'

    Cost: four games and some hundred passes over the lags, seconds for 131072 positions. Raises
    `InvalidArgument` on a bad argument; `Unsupported` if float64 cannot certify the score, as for
    scores within about `1e-9` of 1 or planes that cannot tell the lags of the window apart.
    """
    window = _window(spec, offset, length)
    exact = read_rational("score", score)
    if not 0 < exact < 1:
        raise InvalidArgument("score", score, "a number > 0 and < 1")
    factor = _logits_per_norm(spec, scale)
    require_extra("proofs", "the search for a head", "scipy")
    times = tuple(read_integer("factors", f, 2, _MOST_LENGTH) for f in factors)
    step = _Steps(progress, 3 + len(times))
    step("game")
    game = _game(window)
    climb = Climb(window)
    step("amplitude")
    enough = float(exact) if float(exact) >= exact else math.nextafter(float(exact), 1.0)
    if enough >= 1:
        raise InvalidArgument("score", score, "a number that float64 tells from 1")
    found = least_head(window, climb, _direction(window, game), enough)
    step("amplitude needed")
    wanted = float(exact) if float(exact) <= exact else math.nextafter(float(exact), 0.0)
    needed = needed_by_all(found, climb, wanted)
    longer = _longer(found, times, step)
    with precision(2400):  # so wide that the sum of doubles is exact
        total = sum((arb(a) for a in found.amplitudes.tolist()), arb(0))
    with precision(192):
        amplitude = Enclosure.of(total, total).upper + 0.0  # no negative zero
        norms = Enclosure.of(arb(needed) / factor, total / factor)
        rate = Enclosure.of(factor, factor)
    amplitudes, phases = np.zeros(spec.planes), np.zeros(spec.planes)
    amplitudes[list(window.planes)], phases[list(window.planes)] = found.amplitudes, found.phases
    return Budget(
        spec=spec,
        offset=offset,
        length=length,
        score=float(exact),
        amplitude=amplitude,
        amplitude_needed=min(needed, amplitude),
        amplitudes=amplitudes,
        phases=phases,
        attained=found.score,
        game=game,
        logits_per_norm=rate,
        query_key_norm_product=norms.upper + 0.0,
        query_key_norm_needed=norms.lower,
        planes=_shares(spec, amplitudes, length),
        longer=longer,
    )


class _Steps:
    """Calls the progress function with each step of a budget as the step begins."""

    def __init__(self, progress: Progress | None, steps: int) -> None:
        self.progress, self.done, self.steps = progress, 0, steps

    def __call__(self, name: str) -> None:
        if self.progress is not None:
            self.progress(name, self.done, self.steps)
        self.done += 1


def _game(window: Window) -> SlashGame:
    return optimal_slash(window.spec, before=window.before, after=window.after)


def _direction(window: Window, game: SlashGame) -> Complexes:
    chosen = list(window.planes)
    result: Complexes = game.amplitudes[chosen] * np.exp(1j * game.phases[chosen])
    return result


def _longer(found: FoundHead, factors: tuple[int, ...], step: _Steps) -> tuple[LongerScore, ...]:
    """The scores at multiples of the length, with the frequencies that the model uses there."""
    window, results = found.window, []
    amplitude = float(found.amplitudes.sum())
    last = found.vector
    for factor in factors:
        length = factor * (window.before + window.after + 1)
        step(f"length {length}")
        there = Window(
            _at_length(window.spec, length),
            window.before,
            length - 1 - window.before,
            window.planes,
        )
        frozen = FoundHead(there, found.amplitudes, found.phases).score.lower
        best = frozen
        if amplitude > 0:
            starts = [last]
            if frozen < _FAR:  # so far from what it was that the climb may stop elsewhere
                starts.append(_direction(there, _game(there)))
            score, last = score_at_amplitude(there, starts, amplitude)
            best = max(best, score)
        results.append(LongerScore(length, best, frozen))
    return tuple(results)


def _at_length(spec: RopeSpec, length: int) -> RopeSpec:
    """The spec with the frequencies that the model uses for a longer sequence."""
    if not isinstance(spec.scaling, Dynamic | LongRope) or length <= (spec.length or 0):
        return spec
    return RopeSpec(
        spec.head_dim,
        spec.base,
        rotary_dim=spec.rotary_dim,
        layout=spec.layout,
        scaling=spec.scaling,
        length=length,
    )


def _shares(spec: RopeSpec, amplitudes: Floats, length: int) -> tuple[PlaneShare, ...]:
    total = float(amplitudes.sum())
    frequencies = frequencies_float64(spec)
    rows = zip(frequencies.tolist(), amplitudes.tolist(), bands(spec, length), strict=True)
    return tuple(
        PlaneShare(
            index,
            frequency,
            2 * math.pi / frequency if frequency else math.inf,
            size / total if total else 0.0,
            band,
        )
        for index, (frequency, size, band) in enumerate(rows)
    )


def _window(spec: object, offset: object, length: object) -> Window:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    count = read_integer("length", length, 2, _MOST_LENGTH)
    lag = read_integer("offset", offset, 0, count - 1)
    rotated = tuple(np.flatnonzero(frequencies_float64(spec)).tolist())
    return Window(spec, lag, count - 1 - lag, rotated)


def _logits_per_norm(spec: RopeSpec, scale: object) -> Any:
    """A ball for the amplitude per unit of `|q||k|`: scale times squared attention factor."""
    bits = 192
    with precision(bits):
        if scale is None:
            rate = 1 / arb(spec.head_dim).sqrt()
        else:
            exact = read_rational("scale", scale)
            if exact <= 0:
                raise InvalidArgument("scale", scale, "a number > 0")
            rate = ball(exact, bits=bits)
        attention = ball(spec.attention_factor(), bits=bits)
        return rate * attention * attention
