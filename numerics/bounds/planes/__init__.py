"""Positional heads with several planes: the margins that they reach, exactly and in float types."""

from __future__ import annotations

from ropeproof.numerics.bounds.planes.aligned import Aligned, Angles, read_aligned
from ropeproof.numerics.bounds.planes.limits import (
    angles_drawn,
    chord,
    digit_angles,
    digits_margin,
    planes_enough,
    planes_needed,
    upper_margin,
    whole_root,
)
from ropeproof.numerics.bounds.planes.rounding import (
    ANGLES,
    ARITHMETICS,
    Arithmetic,
    read_arithmetic,
)
from ropeproof.numerics.bounds.planes.spectrum import (
    FrozenMargin,
    OnePlaneRow,
    frozen_margins,
    one_plane_against_all,
)

__all__ = [
    "ANGLES",
    "ARITHMETICS",
    "Aligned",
    "Angles",
    "Arithmetic",
    "FrozenMargin",
    "OnePlaneRow",
    "angles_drawn",
    "chord",
    "digit_angles",
    "digits_margin",
    "frozen_margins",
    "one_plane_against_all",
    "planes_enough",
    "planes_needed",
    "read_aligned",
    "read_arithmetic",
    "upper_margin",
    "whole_root",
]
