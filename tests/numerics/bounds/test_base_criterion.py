"""The first negative lag: against the definition lag by lag, and what it refuses."""

import numpy as np
import pytest

from ropeproof.numerics.bounds.rope.base_criterion import first_negative_lag
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec


@pytest.mark.parametrize("base", [2, 100, 10_000, 26_250, 57_000])
@pytest.mark.parametrize("dim", [2, 8, 128])
def test_it_is_the_definition_lag_by_lag(base, dim):
    spec, lags = RopeSpec(dim, base), np.arange(6000)
    negative = np.cos(np.outer(lags, frequencies_float64(spec))).sum(1) < 0
    expected = int(negative.argmax()) if negative.any() else None
    assert first_negative_lag(spec, below=len(lags)) == expected


def test_the_reported_lags_and_that_a_larger_base_can_fail():
    reported = {500_000: 18438, 1_000_000: 27115, 10_000_000: 144660}
    assert {base: first_negative_lag(RopeSpec(128, base)) for base in reported} == reported
    assert first_negative_lag(RopeSpec(128, 29_000), below=4096) is None
    assert first_negative_lag(RopeSpec(128, 58_700), below=4096) == 4000


def test_the_lag_itself_must_be_below():
    assert first_negative_lag(RopeSpec(128, 500_000), below=18438) is None
    assert first_negative_lag(RopeSpec(128, 500_000), below=18439) == 18438


def test_planes_at_rest_count_in_full():
    assert first_negative_lag(RopeSpec(4, 10_000, rotary_dim=2), below=1000) is None
    assert first_negative_lag(RopeSpec(2, 10_000), below=1000) == 2


def test_a_sum_that_is_0_is_not_negative():
    assert first_negative_lag(RopeSpec(2, 10_000), below=2) is None


@pytest.mark.parametrize("below", [0, -1, 2.5, 2**41])
def test_what_is_no_length_is_refused(below):
    with pytest.raises(InvalidArgument, match="below"):
        first_negative_lag(RopeSpec(8, 10_000), below=below)
