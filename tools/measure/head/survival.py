r"""What scaled frequencies and rounded rotations would do to a head, from its rank-one factor.

The factor's head has the logits `f(t) = Re sum_l a b u_l conj(v_l) e^{i theta_l t}`, with the sizes of
`a` and `b` at the root of their mean squares and the sign of rows where target and query agree: for a
head of both signs the mean head says nothing, this one does. Scalings are those that a reader would
try to run the model at `factor` times the length, in place of the model's own:

- `linear`: positions divided by the factor; `dynamic`: the base grows with the length;
- `yarn`, `llama3`: with their usual ramps (32 to 1, and 4 to 1 turns of the length);
- `longrope`: divisors from 1 to the factor, in proportion to wavelength over length, where the
  model has no lists of its own. (Its own lists come from a search on text.)

Claims `slash.scaling-survival`, `slash.precision`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.learned.band_dominance import band_margin
from ropeproof.numerics.bounds.slash.learned.factor import RankOneFit
from ropeproof.numerics.bounds.slash.learned.precision import rounded_weights
from ropeproof.numerics.bounds.slash.learned.scaling_survival import rescaled_amplitudes, survival
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_float64
from ropeproof.theory.rotary.spec import Dynamic, Linear, Llama3, LongRope, RopeSpec, Yarn

__all__ = ["Rounded", "Survivor", "factor_planes", "rounded", "scaled_specs", "survivors"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Survivor:
    """Score and margin of a head's rank-one factor at one lag under one scaling of the frequencies.

    - `scaling`: its name; `length`: the prompt's length under it;
    - `amplitude`: the sum over its planes under the scaling, in logits;
    - `before`, `score`: the score at the lag in the measured length, and under the scaling;
    - `margin`: the margin at the lag under the scaling, in logits; `guaranteed`: its lower bound by
      `slash.scaling-survival`; `bands`: that by `slash.band-dominance`, which is larger;
    - `peak`: the lag of the largest logit under the scaling.
    """

    scaling: str
    offset: int
    length: int
    amplitude: float
    before: float
    score: float
    margin: float
    guaranteed: float
    bands: float
    peak: int

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping from name to value."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Rounded:
    """Weight of a head's factor at a lag in the last row: exact, with bfloat16 angles or tables."""

    offset: int
    exact: float
    angles: float
    tables: float

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping from name to value."""
        return asdict(self)


def factor_planes(
    query: RankOneFit, key: RankOneFit, spec: RopeSpec, lag: int, *, scale: float
) -> tuple[Floats, Floats]:
    """Amplitudes (logits) and phases (radians) of the head of a rank-one factor, `(planes,)` each.

    Its logit at the lag is not negative.
    """
    sizes = [float(np.sqrt((x.scalars**2).mean())) for x in (query, key)]
    sides = query.direction * sizes[0], key.direction * sizes[1]
    amplitudes, phases = amplitudes_and_phases(*sides, spec, scale=scale)
    theta = frequencies_float64(spec)
    if float(amplitudes @ np.cos(theta * lag + phases)) < 0:
        phases = phases + math.pi
    return amplitudes, phases


def scaled_specs(spec: RopeSpec, length: int, factor: int) -> dict[str, RopeSpec]:
    """The spec under each scaling to `factor` times `length`, by the scaling's name.

    `dynamic` is there only for two rotary planes or more.
    """
    theta = (
        2
        * math.pi
        / np.asarray(
            frequencies_float64(RopeSpec(spec.head_dim, spec.base, rotary_dim=spec.rotary_dim))
        )[: spec.rotary_planes]
    )
    own = spec.scaling if isinstance(spec.scaling, LongRope) else None
    found = np.clip(factor * theta / length, 1.0, float(factor)).tolist()
    scalings: dict[str, Any] = {
        "linear": Linear(factor),
        "dynamic": Dynamic(factor=1, original_length=length),
        "yarn": Yarn(factor=factor, original_length=length),
        "longrope": LongRope(
            short_factor=own.short_factor if own else (1,) * spec.rotary_planes,
            long_factor=own.long_factor if own else tuple(found),
            original_length=length,
            factor=factor,
        ),
        "llama3": Llama3(
            factor=factor, low_freq_factor=1, high_freq_factor=4, original_length=length
        ),
    }
    if spec.rotary_planes < 2:
        del scalings["dynamic"]
    return {
        name: RopeSpec(
            spec.head_dim,
            spec.base,
            rotary_dim=spec.rotary_dim,
            layout=spec.layout,
            scaling=scaling,
            length=factor * length,
        )
        for name, scaling in scalings.items()
    }


def survivors(
    query: RankOneFit,
    key: RankOneFit,
    spec: RopeSpec,
    lag: int,
    *,
    scale: float,
    length: int,
    factor: int,
) -> tuple[Survivor, ...]:
    """Score and margin of the factor's head at a lag under each of the `scaled_specs`, in order."""
    amplitudes, phases = factor_planes(query, key, spec, lag, scale=scale)
    before = survival(amplitudes, phases, lag, spec, length=length)
    result = []
    for name, other in scaled_specs(spec, length, factor).items():
        sizes = rescaled_amplitudes(amplitudes, spec, other)
        found = survival(sizes, phases, lag, other, length=factor * length)
        result.append(
            Survivor(
                scaling=name,
                offset=lag,
                length=factor * length,
                amplitude=float(sizes.sum()),
                before=float(before.score),
                score=float(found.score),
                margin=float(found.margin),
                guaranteed=float(found.guaranteed),
                bands=band_margin(sizes, phases, lag, other, length=factor * length),
                peak=int(found.peak),
            )
        )
    return tuple(result)


def rounded(
    query: RankOneFit, key: RankOneFit, spec: RopeSpec, lag: int, *, scale: float, length: int
) -> Rounded:
    """Weight of the factor's head at a lag in the last of `length` rows, for bfloat16 rotations."""
    head = *factor_planes(query, key, spec, lag, scale=scale), lag, spec
    return Rounded(
        offset=lag,
        exact=float(rounded_weights(*head, row=length)),
        angles=float(rounded_weights(*head, row=length, angles="bfloat16")),
        tables=float(rounded_weights(*head, row=length, tables="bfloat16")),
    )
