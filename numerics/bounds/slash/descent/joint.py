r"""Gradient flow of query and key together: its conserved quantities, and the head it prefers.

The planes of query and key are free: `q' = -dL/dq`, `k' = -dL/dk`. Then `|q_l|^2 - |k_l|^2` does
not change (claim `slash.flow`), and the conjecture `slash.flow-sparse` says that from a small
balanced start the limit direction plays the game of `slash.game`. A run is evidence, not a proof.

**Time.** The flow is followed in the time `sigma = int L dt`. That changes its speed and not its
path: the amplitude then grows about exponentially, whereas in `t` it grows like a logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.descent.objective import SlashObjective, planes_of, vector_of
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    from ropeproof.numerics.bounds.slash.game import SlashGame

__all__ = ["Flow", "balanced_start", "flow", "game_of"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_LAST_TIME = 1e5


@dataclass(frozen=True, eq=False)
class Flow:
    """A recorded run of gradient flow on both query and key.

    - `times`: `sigma = int L dt`, `(records,)`; `log_losses`: `ln L`; `scores`: slash score.
    - `queries`, `keys`: plane coordinates, `(records, planes)` complex.
    - `margins`: `g(Delta) - max g(t)` over the prompt per unit amplitude, `(records,)`.
    """

    spec: RopeSpec
    offset: int
    length: int
    times: Floats
    log_losses: Floats
    scores: Floats
    queries: Complexes
    keys: Complexes
    margins: Floats

    @property
    def amplitudes(self) -> Floats:
        """The head's amplitude in logits over its rotating planes, `(records,)`."""
        objective = SlashObjective(self.spec, self.offset, self.length)
        return np.array([objective.amplitude(w) for w in self.products])

    @property
    def products(self) -> Complexes:
        """The plane products `w_l = q_l conj(k_l)`, `(records, planes)`."""
        return self.queries * self.keys.conj()

    @property
    def shares(self) -> Floats:
        """Each plane's share of `sum_l |q_l||k_l|`, `(records, planes)`."""
        sizes = np.abs(self.products)
        result: Floats = sizes / sizes.sum(1, keepdims=True)
        return result

    @property
    def drift(self) -> Floats:
        """Largest change of `|q_l|^2 - |k_l|^2` so far over `max_l |q_l||k_l|`, `(records,)`.

        0 in exact arithmetic (claim `slash.flow`), so this measures the integration's error.
        """
        kept = np.abs(self.queries) ** 2 - np.abs(self.keys) ** 2
        moved = np.maximum.accumulate(np.abs(kept - kept[0]).max(1))
        result: Floats = moved / np.abs(self.products).max(1)
        return result


def balanced_start(spec: RopeSpec, size: float, *, seed: int = 0) -> tuple[Floats, Floats]:
    """A query and a key, `(head_dim,)` each, with `|q_l| = |k_l| = size` and random arguments.

    Raises `InvalidArgument` unless `size > 0`.
    """
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    length = float(read_rational("size", size))
    if not length > 0:
        raise InvalidArgument("size", size, "a number > 0")
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, (2, spec.planes))
    q, k = length * np.exp(1j * angles)
    return vector_of(q, spec), vector_of(k, spec)


def flow(
    spec: RopeSpec,
    query: Any,
    key: Any,
    offset: int,
    length: int,
    *,
    amplitude: float | Sequence[float] = 1000.0,
    records: int = 200,
    tolerance: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Flow:
    """Gradient flow of query and key from `query` and `key`, `(head_dim,)` each.

    The loss is that of `ropeproof.numerics.bounds.slash.descent.objective`, with scale
    `1/sqrt(head_dim)`. The run ends when the head's amplitude reaches `amplitude` logits, and
    `records` moments of it are kept, equally far apart in `sigma`. Given several amplitudes, rising,
    it ends at the last one, and the start and the moment at which each is reached are kept instead.
    Integrated by LSODA, which turns to implicit steps late in the run, when the direction settles much
    faster than the amplitude grows, with `tolerance` for its relative error per step; `progress` is
    called with amplitudes.

    Raises `InvalidArgument` on a bad argument, `Unsupported` if the amplitude is not reached: from
    0, from which the flow does not move, or where no head has a positive margin.
    """
    from scipy.integrate import solve_ivp

    objective = SlashObjective(spec, offset, length)
    q, k = planes_of("query", query, spec), planes_of("key", key, spec)
    ends = _rising(amplitude, above=objective.amplitude(q * k.conj()))
    count = read_integer("records", records, least=2)
    accuracy = float(read_rational("tolerance", tolerance))
    if not 0 < accuracy < 1:
        raise InvalidArgument("tolerance", tolerance, "0 < number < 1")
    planes = spec.planes

    def products_of(state: Floats) -> Complexes:
        values = state.view(np.complex128)
        result: Complexes = values[:planes] * values[planes:].conj()
        return result

    def velocity(_: float, state: Floats) -> Floats:
        values = state.view(np.complex128)
        slope = objective.slope(products_of(state))
        speed: Floats = np.concatenate((-slope.conj() * values[planes:], -slope * values[:planes]))
        return speed.view(np.float64)

    def distance_to(end: float) -> Callable[[float, Floats], float]:
        def distance(_: float, state: Floats) -> float:
            reached = objective.amplitude(products_of(state))
            if progress is not None and end == ends[-1]:
                progress(reached)
            return reached - end

        distance.terminal = end == ends[-1]  # type: ignore[attr-defined]
        return distance

    # Between the ends nothing is asked for where only ends are kept.
    between = not _several(amplitude) and count > 2
    start = np.concatenate((q, k)).view(np.float64)
    smallest = float(np.abs(start[start != 0]).min()) if start.any() else 1.0
    solution = solve_ivp(
        velocity,
        (0.0, _LAST_TIME),
        start,
        method="LSODA",
        events=[distance_to(end) for end in ends],
        dense_output=between,
        rtol=accuracy,
        atol=accuracy * smallest,
    )
    if solution.status != 1:
        raise Unsupported(f"gradient flow to an amplitude of {ends[-1]:g}: {solution.message}")
    if between:
        moments = np.linspace(0.0, solution.t[-1], count)
        rows = solution.sol(moments).T
    else:
        moments = np.array([0.0, *(times[0] for times in solution.t_events)])
        rows = np.stack([start, *(found[0] for found in solution.y_events)])
    states = np.ascontiguousarray(rows).view(np.complex128)
    queries, keys = states[:, :planes], states[:, planes:]
    products = queries * keys.conj()
    found = [objective.evaluate(w) for w in products]
    return Flow(
        spec=spec,
        offset=objective.offset,
        length=objective.length,
        times=moments,
        log_losses=np.array([e.log_loss for e in found]),
        scores=np.array([e.score for e in found]),
        queries=queries,
        keys=keys,
        margins=np.array([_margin(objective, w) for w in products]),
    )


def _rising(amplitude: float | Sequence[float], *, above: float) -> list[float]:
    """The amplitudes at which a run is looked at, in logits, `(ends,)`."""
    listed: Any = amplitude if _several(amplitude) else [amplitude]
    ends = [float(read_rational("amplitude", each)) for each in listed]
    if not ends or not all(more > less for less, more in pairwise([above, *ends])):
        allowed = "more than the amplitude at the start, and rising if there are several"
        raise InvalidArgument("amplitude", amplitude, allowed)
    return ends


def _several(amplitude: object) -> bool:
    """Whether amplitudes are listed; a decimal number as text is one."""
    return isinstance(amplitude, Sequence | np.ndarray) and not isinstance(amplitude, str)


def game_of(spec: RopeSpec, offset: int, length: int) -> SlashGame:
    """The slash game to whose optimum, by conjecture `slash.flow-sparse`, the flow converges.

    The window holds every competitor of some row: `offset` lags before the target and
    `length - 1 - offset` after it.
    """
    from ropeproof.numerics.bounds.slash.game import optimal_slash

    objective = SlashObjective(spec, offset, length)
    after = objective.length - 1 - objective.offset
    return optimal_slash(spec, before=objective.offset, after=after)


def _margin(objective: SlashObjective, products: Complexes) -> float:
    amplitude = objective.amplitude(products)
    return objective.margin(products) / amplitude if amplitude > 0 else math.nan
