"""Position generalisation: how additive the logits of a head are, and the bounds that follow.

`head` has the fits on the triangle and on the grid, `parts` the sums and bounds of single logits,
`planes` the pattern plane by plane, `axes` least squares with a fixed gauge, `window` the null, `bounds`
the closed forms. No correlation is given without its null and its noise floor. Importing this package
does not import torch.
"""

from __future__ import annotations

from ropeproof.numerics.bounds.posgen.axes import AdditiveParts, fit_axes
from ropeproof.numerics.bounds.posgen.bounds import (
    capacity_bound,
    displacement_tilt,
    effective_length,
    effective_length_bound,
    near_output_bound,
    noise_floor,
    output_spread_bound,
    pearson_bound,
    transposition_bound,
    triangle_rank,
)
from ropeproof.numerics.bounds.posgen.fit import AdditiveFit
from ropeproof.numerics.bounds.posgen.grid import grid_fits
from ropeproof.numerics.bounds.posgen.head import (
    additive_fits,
    additive_fits_on_grid,
)
from ropeproof.numerics.bounds.posgen.parts import (
    ThreeAxes,
    TwoAxes,
    three_axis_bound,
    three_axis_parts,
    two_axis_bound,
    two_axis_parts,
)
from ropeproof.numerics.bounds.posgen.planes import PlanePattern, pattern_of, plane_pattern
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead, read_head
from ropeproof.numerics.bounds.posgen.window import (
    lag_means,
    null_correlation,
    null_r_squared,
    null_r_squared_enclosed,
)

__all__ = [
    "AdditiveFit",
    "AdditiveParts",
    "ComplexHead",
    "PlanePattern",
    "ThreeAxes",
    "TwoAxes",
    "additive_fits",
    "additive_fits_on_grid",
    "capacity_bound",
    "displacement_tilt",
    "effective_length",
    "effective_length_bound",
    "fit_axes",
    "grid_fits",
    "lag_means",
    "near_output_bound",
    "noise_floor",
    "null_correlation",
    "null_r_squared",
    "null_r_squared_enclosed",
    "output_spread_bound",
    "pattern_of",
    "pearson_bound",
    "plane_pattern",
    "read_head",
    "three_axis_bound",
    "three_axis_parts",
    "transposition_bound",
    "triangle_rank",
    "two_axis_bound",
    "two_axis_parts",
]
