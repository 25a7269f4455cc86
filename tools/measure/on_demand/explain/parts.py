r"""A logit as a sum of parts, by plane and by direction, each beside what a theorem bounds it by.

With the query $q=\bar q+\delta$ and the key $k=\bar k+\kappa$, the means over the prompt's tokens, a logit
before the soft cap is, by bilinearity of $w(t,q,k)=s\,\mathrm{Re}\sum_lq_l\overline{k_l}e^{i\theta_lt}$,

$$w(t,q,k)=w(t,\bar q,\bar k)+w(t,\delta,\bar k)+w(t,\bar q,\kappa)+w(t,\delta,\kappa).$$

The first term is the logit of the common directions, a function of the lag alone (`rope.toeplitz`); its
mean over the keys of the row is the same for all of them, so that the softmax does not see it, and the
rest of it is what position does. Each term is bounded by its amplitude (`rope.bounded`).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "DIRECTIONS",
    "LogitPart",
    "PlanePart",
    "TurnedHead",
    "direction_parts",
    "plane_parts",
    "theorem_parts",
]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

DIRECTIONS = ("common direction", "position", "query's token", "key's token", "remainder")
"""The parts by direction, in their order; the remainder is that of both tokens together."""

ROUNDING = 2.0**-40
"""Allowance, relative to the sizes that are multiplied, for a bound that is compared in float64."""


@dataclass(frozen=True, kw_only=True)
class LogitPart:
    """One part of a logit, in logits.

    - `value`; `bound`: what its absolute value is at most; `claim`: the id of the theorem that says so.
      Both None where no theorem is about it.
    """

    name: str
    value: float
    bound: float | None = None
    claim: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the value keeps its bound, up to rounding."""
        return self.bound is None or abs(self.value) <= self.bound * (1 + ROUNDING) + 1e-300

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class PlanePart:
    """The part of one plane in a logit: `value = amplitude cos(theta lag + phase)` (`rope.fourier`).

    - `plane`: its number; `frequency`: `theta`, in radians per position, 0 on planes without rotation;
    - `value`, `amplitude`: in logits; no lag gives the plane more than the amplitude.
    """

    plane: int
    frequency: float
    value: float
    amplitude: float
    claim: str = "rope.fourier"

    @property
    def holds(self) -> bool:
        """Whether the value is at most the amplitude, up to rounding."""
        return abs(self.value) <= self.amplitude * (1 + ROUNDING) + 1e-300

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping."""
        return asdict(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class TurnedHead:
    """One head on one prompt, before rotation and with the model's own tables, in float64.

    - `queries`, `keys`: `(length, head_dim)`; `turns`: cosine plus `i` times sine, `(length, planes)`,
      with the attention factor and the rounding of the model's tables;
    - `real`, `imaginary`: the coordinates of the planes; `scale`, `soft_cap`: of the logits;
    - `window`: how many positions a query sees, or None; `spec`: the exact rotation.
    """

    queries: Floats
    keys: Floats
    turns: Complexes
    real: tuple[int, ...]
    imaginary: tuple[int, ...]
    scale: float
    soft_cap: float | None
    window: int | None
    spec: RopeSpec

    @property
    def length(self) -> int:
        """The number of tokens."""
        return len(self.keys)

    def first(self, query: int) -> int:
        """The first key that the query sees."""
        return 0 if self.window is None else max(0, query - self.window + 1)

    def planes_of(self, vectors: Floats) -> Complexes:
        """Vectors `(..., head_dim)` as complex numbers, one for each plane, `(..., planes)`."""
        result: Complexes = vectors[..., list(self.real)] + 1j * vectors[..., list(self.imaginary)]
        return result

    def rotated(self, vectors: Floats, places: Any) -> Floats:
        """Vectors `(..., head_dim)` turned to their places, real parts before imaginary parts."""
        both = self.planes_of(vectors) * self.turns[places]
        result: Floats = np.concatenate((both.real, both.imag), -1)
        return result

    def logits(self, query: int) -> Floats:
        """The logits of the keys that the query sees, before the soft cap, `(keys,)`.

        Scalar products of rotated vectors, as the model forms them.
        """
        seen = np.arange(self.first(query), query + 1)
        turned = self.rotated(self.queries[query], query)
        result: Floats = self.scale * (self.rotated(self.keys[seen], seen) @ turned)
        return result

    def capped(self, logits: Floats) -> Floats:
        """Logits after the soft cap, where the head has one."""
        if self.soft_cap is None:
            return logits
        result: Floats = self.soft_cap * np.tanh(logits / self.soft_cap)
        return result

    def by_plane(self, q: Floats, k: Floats, query: int, key: int) -> Complexes:
        """`s q_l conj(k_l) e^(i theta_l t)` of each plane, for any vectors at two places, `(planes,)`."""
        turned = self.planes_of(q) * self.turns[query]
        result: Complexes = self.scale * turned * (self.planes_of(k) * self.turns[key]).conj()
        return result

    def part(
        self, name: str, q: Floats, k: Floats, query: int, key: int, claim: str = "rope.bounded"
    ) -> LogitPart:
        """The logit of any two vectors at two places, with the sum of its planes' amplitudes."""
        each = self.by_plane(q, k, query, key)
        value, bound = math.fsum(each.real), math.fsum(np.abs(each))
        return LogitPart(name=name, value=value, bound=bound, claim=claim)


def plane_parts(head: TurnedHead, query: int, key: int) -> tuple[PlanePart, ...]:
    """The part of each plane in the logit of a query and a key."""
    each = head.by_plane(head.queries[query], head.keys[key], query, key)
    frequencies = frequencies_float64(head.spec)
    return tuple(
        PlanePart(
            plane=plane,
            frequency=float(frequencies[plane]),
            value=float(each[plane].real),
            amplitude=float(abs(each[plane])),
        )
        for plane in range(len(each))
    )


def direction_parts(head: TurnedHead, query: int, key: int) -> tuple[LogitPart, ...]:
    """The parts of a logit by direction, named as in `DIRECTIONS`, which add up to it.

    The means of queries and of keys are those over all tokens of the prompt.
    """
    mean_query, mean_key = head.queries.mean(0), head.keys.mean(0)
    moved, off = head.queries[query] - mean_query, head.keys[key] - mean_key
    every = [
        head.part("", mean_query, mean_key, query, other)
        for other in range(head.first(query), query + 1)
    ]
    common = math.fsum(part.value for part in every) / len(every)
    largest = max(part.bound or 0.0 for part in every)
    own = every[key - head.first(query)]
    return (
        LogitPart(name=DIRECTIONS[0], value=common, bound=largest, claim="rope.bounded"),
        LogitPart(
            name=DIRECTIONS[1],
            value=own.value - common,
            bound=(own.bound or 0.0) + largest,
            claim="rope.bounded",
        ),
        head.part(DIRECTIONS[2], moved, mean_key, query, key),
        head.part(DIRECTIONS[3], mean_query, off, query, key),
        head.part(DIRECTIONS[4], moved, off, query, key),
    )


def theorem_parts(head: TurnedHead, query: int, key: int) -> tuple[LogitPart, ...]:
    """What sums and mean heads leave of a logit, each beside the theorem that bounds it.

    - the logit less that of the mean query and the mean key at this lag (`slash.logit-close`);
    - the logit less `a(lag) + b(query) + c(key)` and less `f(query, lag) + g(query, key)`, the sums at
      the middle lag (`posgen.three-axis`, `posgen.two-axis`), with the exact rotation;
    - how far the model's own tables move the logit from that of the exact rotation, without a bound;
    - by how much a step of one position changes the logit at most (`rope.lipschitz`); its value is the
      change to the lag one larger.
    """
    queries, keys, spec = head.queries, head.keys, head.spec
    mean_query, mean_key = queries.mean(0), keys.mean(0)
    moved, off = queries[query] - mean_query, keys[key] - mean_key

    def size(vector: Floats, place: int) -> float:
        return float(np.linalg.norm(head.planes_of(vector) * head.turns[place]))

    logit = math.fsum(head.by_plane(queries[query], keys[key], query, key).real)
    mean = math.fsum(head.by_plane(mean_query, mean_key, query, key).real)
    sizes = size(mean_query, query), size(mean_key, key), size(moved, query), size(off, key)
    # Differences of terms of these sizes are rounded.
    slack = ROUNDING * abs(head.scale) * (sizes[0] + sizes[2]) * (sizes[1] + sizes[3])
    near = abs(head.scale) * (sizes[2] * sizes[1] + sizes[0] * sizes[3] + sizes[2] * sizes[3])
    found = [
        LogitPart(
            name="beyond the mean head",
            value=logit - mean,
            bound=near + slack,
            claim="slash.logit-close",
        )
    ]
    lag = query - key
    pair = queries[[query]], keys[[key]]
    exact_head = posgen.read_head(*pair, spec, head.scale)
    exact = float(
        (exact_head.queries * exact_head.keys.conj() * exact_head.turns([lag])).real.sum()
    )
    if head.scale >= 0:
        common: dict[str, Any] = {"length": head.length, "scale": head.scale}
        three = posgen.three_axis_parts(
            *pair, spec, [lag], mean_query=mean_query, mean_key=mean_key, **common
        )
        bound = posgen.three_axis_bound(
            *pair, spec, mean_query=mean_query, mean_key=mean_key, **common
        )
        rest = exact - float(three.lag[0] + three.query[0] + three.key[0])
        found.append(
            LogitPart(
                name="beyond lag + query + key",
                value=rest,
                bound=float(bound[0, 0]) + slack,
                claim="posgen.three-axis",
            )
        )
        two = posgen.two_axis_parts(*pair, spec, [lag], mean_key=mean_key, **common)
        bound = posgen.two_axis_bound(*pair, spec, mean_key=mean_key, **common)
        found.append(
            LogitPart(
                name="beyond f(q, lag) + g(q, key)",
                value=exact - float(two.lag[0, 0] + two.key[0, 0]),
                bound=float(bound[0, 0]) + slack,
                claim="posgen.two-axis",
            )
        )
    frequencies = frequencies_float64(spec)
    amplitudes = np.abs(exact_head.queries * exact_head.keys.conj())[0]
    further = float(
        (exact_head.queries * exact_head.keys.conj() * exact_head.turns([lag + 1])).real.sum()
    )
    found.append(
        LogitPart(
            name="one position further",
            value=further - exact,
            bound=float(amplitudes @ frequencies) + slack,
            claim="rope.lipschitz",
        )
    )
    found.append(LogitPart(name="rounded tables of the model", value=logit - exact))
    return tuple(found)
