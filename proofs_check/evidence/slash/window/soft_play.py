"""Drawn inputs of the soft game: probabilities on the lags of a window, and an aligned head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.strategies import amplitudes, distributions, specs
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
SPEC = RopeSpec(128, 10000)
SCORE = 0.9
OPTIMA = {16: "8.933", 64: "10.924", 256: "12.648", 1024: "14.499"}
"""The least amplitude, rounded to three digits, with so many lags on each side; score .9."""


@dataclass(frozen=True)
class SoftPlay:
    """Probabilities on the lags of a window, and an aligned head."""

    spec: RopeSpec
    weights: Floats
    amplitudes: Floats

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"spec": self.spec, "weights": self.weights, "amplitudes": self.amplitudes}


@st.composite
def plays(draw: st.DrawFn) -> SoftPlay:
    """Draws a specification of up to 5 planes, amplitudes up to 8, and up to 24 lags on each side."""
    spec = draw(specs(most_planes=5))
    reach = draw(st.integers(1, 24))
    sizes = draw(amplitudes(planes=spec.planes, bound=8.0))
    return SoftPlay(spec, draw(distributions(keys=reach)), sizes)
