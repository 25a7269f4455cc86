"""Scores and amplitudes of slash, index and retrieval heads, in training and when served."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.bounds import retrieval
from ropeproof.numerics.bounds.index import budget as index_budgets
from ropeproof.numerics.bounds.index import index_temperature_in
from ropeproof.numerics.bounds.index.temperature import Gaps
from ropeproof.numerics.bounds.planes import rounding_ball
from ropeproof.numerics.bounds.planes.aligned import read_aligned
from ropeproof.numerics.bounds.planes.rounding import read_arithmetic
from ropeproof.numerics.bounds.retrieval import budget as retrieval_budgets
from ropeproof.numerics.bounds.slash import budget as slash_budgets
from ropeproof.numerics.bounds.slash.learned.precision import angle_unit, table_unit
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities import types
from ropeproof.tools.assess.quantities.moves import logit_moves

__all__ = ["DecodingKept", "SlashKept", "index_kept", "retrieval_kept", "slash_kept"]

Floats = NDArray[np.float64]
_BITS = 192
_TRIES = 12
"""So often an amplitude is raised that balls leave open, each time by a larger part."""
_ANGLES = "float32"
"""The type in which models form angles, whatever that of their tables is."""


@dataclass(frozen=True)
class SlashKept:
    """The score of a slash head that was made for the trained model, in training and when served.

    - `amplitude`: of the head, in logits, rounded up; `before`: its score in training, at least;
    - `after`: the score of the same weights as they are served, enclosed, in exact arithmetic;
    - `moved`: a bound of the change of any logit in the type: tables in it, angles in float32, each
      rounded as `ropeproof.tools.assess.quantities.moves` states; `moved_any`: the same for any tables and
      angles within the units of the types (`slash.precision`);
    - `in_type`: what that leaves of the score, a lower bound, and `most_in_type`, an upper one; in balls;
    - `guaranteed`: the margin over every other lag that `slash.scaling-survival` promises, in logits, a
      lower bound; negative where it promises nothing;
    - `needed`: the amplitude that every head with the wanted score needs as it is served, in logits, rounded
      down; 0 where it was not asked for.
    """

    offset: int
    score: float
    amplitude: float
    before: float
    after: Enclosure
    moved: float
    moved_any: float
    in_type: float
    most_in_type: float
    guaranteed: float
    needed: float

    @property
    def kept(self) -> bool | None:
        """Whether the head's lag, as served, has more weight on average than all other positions together."""
        if self.in_type > 0.5:
            return True
        return False if self.after.upper < 0.5 else None


def slash_kept(
    before: RopeSpec,
    after: RopeSpec,
    *,
    offset: int,
    trained: int,
    length: int,
    dtype: str,
    score: float = 0.9,
    needed: bool = True,
) -> SlashKept:
    """The certified scores of the head of least amplitude found for `score`: trained, and as served.

    `before` and `trained` are the spec and the length of training, `after` and `length` those that
    are served; without `needed` the budget of the length that is served is left out.
    Token-independent queries and keys (`slash.emergence`); claims
    `slash.scaling-survival`, `slash.precision`. Cost: two budgets, seconds.
    Raises `InvalidArgument`; `Unsupported` as `slash_budget`.

    >>> spec = RopeSpec(128, 10000)
    >>> found = slash_kept(spec, spec, offset=1, trained=256, length=512, dtype="bfloat16")
    >>> found.before >= 0.9, found.kept, found.after.lower < found.before
    (True, True, True)
    """
    kind, count = types.read_type(dtype), types.read_length(length)
    seen = types.read_length(trained)
    made = _made(before, offset, seen, score)
    least = 0.0
    if needed:
        least = _made(after, offset, count, score).amplitude_needed
    amplitudes, phases, strays = _moved(made.amplitudes, made.phases, before, after, offset)
    found = slash_budgets.certified_score(amplitudes, phases, after, offset=offset, length=count)
    widened = Enclosure(lower=_less(found.lower, strays), upper=_more(found.upper, strays))
    any_rounding = _moves(amplitudes, after, count, kind.name, strays)
    moved = logit_moves(amplitudes, after, length=count, dtype=kind.name)
    moved = min(math.nextafter(moved + strays, math.inf), any_rounding)
    return SlashKept(
        offset=offset,
        score=made.score,
        amplitude=made.amplitude,
        before=made.attained.lower,
        after=widened,
        moved=moved,
        moved_any=any_rounding,
        in_type=_less(found.lower, moved),
        most_in_type=_more(found.upper, moved),
        guaranteed=_guaranteed(amplitudes, phases, after, offset, count),
        needed=least,
    )


@functools.lru_cache(maxsize=8)
def _made(spec: RopeSpec, offset: int, length: int, score: float) -> slash_budgets.Budget:
    """The head of least amplitude found for the trained setting, sought once for all served lengths."""
    return slash_budgets.slash_budget(spec, offset=offset, length=length, score=score, factors=())


def _moves(amplitudes: Floats, spec: RopeSpec, length: int, dtype: str, strays: float) -> float:
    """A bound on how far rounding moves a logit: tables in the type, float32 angles, and `strays`.

    `sum_l A_l min(2, 2 n u theta_l) + A (2 sqrt(2) v + 2 v^2)`: no row's query and key stand further
    along than `n` each (`slash.precision`).
    """
    with precision(_BITS):
        angle, entry = arb(angle_unit(_ANGLES)), arb(table_unit(dtype))
        per_amplitude = 2 * arb(2).sqrt() * entry + 2 * entry * entry
        found = arb(strays)
        thetas = frequencies_ball(spec, bits=_BITS)
        for size, theta in zip(amplitudes.tolist(), thetas, strict=True):
            found += arb(size) * (per_amplitude + (2 * length * angle * theta).min(arb(2)))
        return Enclosure.of(found, found).upper


def _guaranteed(
    amplitudes: Floats, phases: Floats, after: RopeSpec, offset: int, length: int
) -> float:
    """`min_e sum_l A_l (1 - cos theta'_l e) - 4 sum_l A_l |sin(delta_l/2)|`, a lower bound."""
    furthest = max(offset, length - 1 - offset)
    falls = margin(amplitudes, after, reach=furthest).lower
    with precision(_BITS):
        strays = arb(0)
        for size, angle in zip(amplitudes.tolist(), phases.tolist(), strict=True):
            strays += 4 * arb(size) * abs((arb(angle) / 2).sin())
        found = arb(falls) - strays
        return Enclosure.of(found, found).lower


def _moved(
    amplitudes: Floats, phases: Floats, before: RopeSpec, after: RopeSpec, offset: int
) -> tuple[Floats, Floats, float]:
    """The head's amplitudes and phases at displacements when its weights run under another spec.

    Also how far a logit with these doubles can be from the head's. The phase at displacement 0 was
    `phi_l` and is `phi_l + (theta'_l - theta_l) Delta`.
    """
    sizes, angles = np.zeros_like(amplitudes), np.zeros_like(phases)
    with precision(_BITS):
        old, new = (frequencies_ball(spec, bits=_BITS) for spec in (before, after))
        factors = (ball(spec.attention_factor(), bits=_BITS) for spec in (after, before))
        factor = (next(factors) / next(factors)) ** 2
        turn, strays = 2 * arb.pi(), arb(0)
        for plane in range(before.planes):
            size = arb(float(amplitudes[plane]))
            if plane < before.rotary_planes:
                size *= factor
            angle = arb(float(phases[plane])) + (new[plane] - old[plane]) * offset
            angle -= turn * round(float((angle / turn).mid()))
            sizes[plane], angles[plane] = float(size.mid()), float(angle.mid())
            strays += abs(size - arb(float(sizes[plane])))
            strays += size * abs(angle - arb(float(angles[plane])))
        return sizes, angles, Enclosure.of(strays, strays).upper


def _less(score: float, moved: float) -> float:
    """A lower bound on a mean weight after every logit has moved by at most `moved`.

    A weight `w` becomes at least `w/(w + (1 - w) e^{2 moved})`, convex in `w`, so that the mean does.
    """
    if score <= 0 or not math.isfinite(moved):
        return 0.0
    with precision(_BITS):
        weight = arb(score)
        found = weight / (weight + (1 - weight) * (2 * arb(moved)).exp())
        return max(Enclosure.of(found, found).lower, 0.0)


def _more(score: float, moved: float) -> float:
    """An upper bound on a mean weight after every logit has moved by at most `moved`."""
    with precision(_BITS):
        found = arb(score) + arb(moved) / 2
        return min(1.0, Enclosure.of(found, found).upper)


@dataclass(frozen=True)
class DecodingKept:
    """Amplitudes with which heads decode every input of a task, in training and when served.

    `before` and `after` are amplitudes that are enough, in logits, in exact arithmetic: of the best
    heads found in training and as served; `needed` is what every head needs as it is served; `in_type`, an
    amplitude enough in the type, checked in balls, infinite if none was found; `undecided` if float64 names
    an amplitude that balls do not confirm. None stands for no head found.
    """

    task: str
    before: float | None
    after: float | None
    needed: float | None
    in_type: float
    undecided: bool = False

    @property
    def kept(self) -> bool | None:
        """Whether a head is found that decodes all inputs of the served length in the number type."""
        return True if math.isfinite(self.in_type) else None


def index_kept(
    before: RopeSpec, after: RopeSpec, *, trained: int, length: int, dtype: str
) -> DecodingKept:
    """The amplitudes with which index heads decode every integer, in training and when served.

    A head decodes an integer if it answers with the letter that far back.

    Claim `index.temperature`. `in_type` counts on angles in float32. Cost: two budgets. Raises
    `InvalidArgument`.
    """
    kind, count = types.read_type(dtype), types.read_length(length)
    seen = types.read_length(trained)
    head = _found(lambda: index_budgets.index_budget(after, length=count))
    first = head
    if (before, seen) != (after, count):
        first = _found(lambda: index_budgets.index_budget(before, length=seen))
    if head is None:
        return _kept("index", first, None, math.inf)
    factor = index_temperature_in(kind.name, after, head.amplitudes, length=count, angles=_ANGLES)
    gaps = Gaps.of(read_aligned(after, head.amplitudes), count - 1)
    certain = _certain(kind.name, after, count, Fraction(1, 2))

    def odds(beta: float) -> float:
        return gaps.sums(beta).odds(count, None)[1]

    return _kept(
        "index", first, head, factor, lambda beta: certain(head.amplitudes, beta, odds(beta))
    )


def retrieval_kept(
    before: RopeSpec, after: RopeSpec, *, trained: int, length: int, dtype: str, letters: int = 8
) -> DecodingKept:
    """The amplitudes with which retrieval heads find every letter's token, wherever it stands.

    They are those in training and when served.

    Claim `retrieval.temperature`. `in_type` counts on angles in float32. Cost: two budgets. Raises
    `InvalidArgument`.
    """
    kind, count = types.read_type(dtype), types.read_length(length)
    seen = types.read_length(trained)
    head = _found(lambda: retrieval_budgets.retrieval_budget(after, length=count, letters=letters))
    first = head
    if (before, seen) != (after, count):
        first = _found(
            lambda: retrieval_budgets.retrieval_budget(before, length=seen, letters=letters)
        )
    if head is None:
        return _kept("retrieval", first, None, math.inf)
    weights: dict[str, Any] = {
        "letters": letters,
        "length": count,
        "angle": after,
        "amplitudes": head.amplitudes,
        "multipliers": head.multipliers,
        "centre": head.centre,
    }
    factor = retrieval.retrieval_temperature_in(kind.name, angles=_ANGLES, **weights)
    certain = _certain(kind.name, after, count, Fraction(1, letters))

    def confirmed(beta: float) -> bool:
        return certain(head.amplitudes, beta, retrieval.retrieval_odds(beta, **weights).upper)

    return _kept("retrieval", first, head, factor, confirmed)


_Budget = TypeVar("_Budget", index_budgets.IndexBudget, retrieval_budgets.RetrievalBudget)


def _found(budget: Callable[[], _Budget]) -> _Budget | None:
    """The budget that a search returns; None where it finds no head."""
    try:
        return budget()
    except Unsupported:
        return None


def _certain(
    dtype: str, spec: RopeSpec, length: int, weight: Fraction
) -> Callable[[Floats, float, float], bool]:
    """Whether amplitudes times a factor certainly decode in a number type, given their exact odds."""
    kind = read_arithmetic(dtype, _ANGLES)
    thetas = frequencies_ball(spec, bits=rounding_ball.BITS)

    def certain(amplitudes: Floats, beta: float, odds: float) -> bool:
        sizes = beta * amplitudes
        # The odds are those of the exact product, which may be a unit in the last place smaller.
        sizes = np.nextafter(sizes, np.inf, where=sizes > 0, out=np.zeros_like(sizes))
        return rounding_ball.certain_in_type(
            kind, thetas, sizes, length=length, odds=odds, weight=weight
        )

    return certain


def _kept(
    task: str,
    first: _Budget | None,
    head: _Budget | None,
    factor: float,
    confirmed: Callable[[float], bool] = lambda _: False,
) -> DecodingKept:
    before = None if first is None else first.amplitude
    if head is None:
        return DecodingKept(task, before, None, None, math.inf)
    exact = head.amplitude, head.needed
    if not math.isfinite(factor):
        return DecodingKept(task, before, *exact, math.inf)
    for power in range(_TRIES):
        # The first is the factor itself, which float64 has chosen with room for its own rounding.
        beta = factor * (1 + 2.0 ** (power - 30)) if power else factor
        if confirmed(beta):
            with precision(_BITS):
                found = arb(head.amplitude) * arb(beta)
                return DecodingKept(task, before, *exact, Enclosure.of(found, found).upper)
    return DecodingKept(task, before, *exact, math.inf, undecided=True)
