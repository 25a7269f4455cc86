"""The bound of moved logits against all pairs of positions, with rounded tables."""

from __future__ import annotations

import numpy as np
import pytest
from served_specs import PARTIAL, YARN

from ropeproof.numerics.bounds.slash.learned.precision import round_to_type, table_move, table_unit
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities import logit_moves


def largest_move(sizes, spec, length, dtype):
    """The largest change of a logit over all pairs of positions and the phases of one draw."""
    phases = np.exp(1j * np.random.default_rng(1).uniform(0, 6, spec.planes))
    places = np.arange(length, dtype=np.float64)[:, None]
    thetas, factor = frequencies_float64(spec), attention_factor_float64(spec)
    angles = round_to_type(places * round_to_type(thetas, "float32"), "float32")
    exact = np.exp(1j * places * thetas)
    turning = np.arange(spec.planes) < spec.rotary_planes
    size = np.where(turning, factor, 1.0)
    near = round_to_type(size * np.cos(angles), dtype) + 1j * round_to_type(
        size * np.sin(angles), dtype
    )
    near = near / size
    found = ((sizes * phases * near) @ near.conj().T).real
    return np.abs(found - ((sizes * phases * exact) @ exact.conj().T).real).max()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("spec", [RopeSpec(64, 10000), YARN, PARTIAL], ids=["64", "yarn", "part"])
def test_no_logit_moves_by_more_and_some_by_a_third_of_it(spec, dtype):
    draw = np.random.default_rng(2)
    for sizes in (np.ones(spec.planes), draw.exponential(size=spec.planes)):
        seen = largest_move(sizes, spec, 1500, dtype)
        bound = logit_moves(sizes, spec, length=1500, dtype=dtype)
        assert seen <= bound < 3 * seen


def test_it_is_sharper_than_units_alone():
    sizes = np.ones(64)
    found = logit_moves(sizes, RopeSpec(128, 500000), length=4096, dtype="bfloat16")
    assert found < table_move(64.0, unit=table_unit("bfloat16")) / 2


@pytest.mark.parametrize("sizes", [np.ones(3), np.full(4, -1.0), np.full(4, np.nan)])
def test_bad_amplitudes_are_named(sizes):
    with pytest.raises(InvalidArgument, match="amplitudes"):
        logit_moves(sizes, RopeSpec(8, 10000), length=8, dtype="float32")
