"""How heads that match symbols choose their plane and their inverse temperature."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ropeproof.constructions.heads.index.decoding import DecodingHead
from ropeproof.constructions.heads.index.planes import angles_spec, exact_angle, read_temperature
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SUM", "least_temperature", "read_symbol_plane"]

Matching = TypeVar("Matching", bound=DecodingHead)
SUM = 1 + 2.0**-36
"""Makes a float64 sum of at most 2^15 exponentials in float64 an upper bound."""


def read_symbol_plane(spec: RopeSpec | None, angle: object) -> tuple[RopeSpec, int]:
    """The spec and the plane in which symbols turn: the slowest, or one of the angle asked for.

    Raises `InvalidArgument`.
    """
    exact = exact_angle("angle", angle)
    if spec is not None:
        if not isinstance(spec, RopeSpec):
            raise InvalidArgument("spec", spec, "a RopeSpec or None")
        if exact != 0:
            raise InvalidArgument("angle", angle, "0, as the spec has the angles")
        return spec, int(np.argmin(frequencies_float64(spec)))
    if exact == 0:
        # A spec rotates at least one plane; this head does not use it.
        return angles_spec([1], unrotated=1), 1
    return angles_spec([exact]), 0


def least_temperature(
    made: Callable[[float], Matching],
    inverse_temperature: object,
    *,
    name: str = "angle",
    got: object = None,
) -> Matching:
    """The certified head at a given inverse temperature, or at twice the least one that decodes.

    Without `inverse_temperature` it is twice the least one, and at least 1.

    `made(beta)` builds it; its logits must be proportional to `beta`. Raises `InvalidArgument` if
    no inverse temperature decodes, blaming the argument `name`.
    """
    unit = made(1.0)
    rivals = unit.rivals(unit.table())
    if not rivals.gap > 0:
        allowed = f"one at which every target wins; the closest wins by {rivals.gap:.3g}"
        raise InvalidArgument(name, got, allowed)

    decodes = _Decodes(lambda beta: made(beta).bound().excess)
    low, high = 0.0, 1.0
    while not decodes(high):
        low, high = high, 2 * high
        if high > 2.0**60:
            raise InvalidArgument(name, got, "one at which every target wins by more")
    decodes.narrow()
    # With one competitor any inverse temperature decodes, and the least is 0.
    while high - low > 2.0**-20 * high and high > 2.0**-20:
        middle = (low + high) / 2
        low, high = (low, middle) if decodes(middle) else (middle, high)
    beta = max(2 * high, 1.0)
    if inverse_temperature is not None:
        beta = read_temperature(inverse_temperature)
    return replace(made(beta), least_inverse_temperature=high).certified()


class _Decodes:
    """A test of whether a head decodes at an inverse temperature, which reuses earlier results."""

    def __init__(self, excess: Callable[[float], float]) -> None:
        self._excess = excess
        self._fails, self._works = (0.0, math.inf), (math.inf, 0.0)
        """The largest at which it does not and the least at which it does, each with the excess there."""

    def __call__(self, beta: float) -> bool:
        if self._fails[0] < beta < self._works[0]:
            excess = self._excess(beta)
            if excess < 1:
                self._works = beta, excess
            else:
                self._fails = beta, excess
        return beta >= self._works[0]

    def narrow(self) -> None:
        """Try temperatures near the one where the excess, nearly an exponential, should be 1."""
        while self._fails[0] == 0 and 2.0**-20 < self._works[0] < math.inf:
            self(self._works[0] / 2)
        for beside in (0.0, 0.0, 2.0**-12, 2.0**-18, 2.0**-20):
            (low, above), (high, below) = self._fails, self._works
            if not (0 < below < 1 <= above < math.inf and high < math.inf):
                return
            step = math.log(above) / (math.log(above) - math.log(below))
            place = low + (high - low) * step
            self(place * (1 - beside))
            self(place * (1 + beside))
