"""Up to how many lags a share of the amplitude is guaranteed, against a programme over all lags."""

from __future__ import annotations

import pytest
from oracle_values import best_guarantee

from ropeproof.numerics.bounds.head.sink import sink_horizon
from ropeproof.numerics.bounds.head.sink_reach import sink_reach
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(16, 100)


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2])
def test_the_share_is_guaranteed_up_to_one_length_and_not_from_the_other(share):
    found = sink_reach(SPEC, share)
    assert found.kept < found.lost <= max(1.001 * found.kept, found.kept + 1)
    assert best_guarantee(frequencies_float64(SPEC), found.kept) >= share - 1e-9
    assert best_guarantee(frequencies_float64(SPEC), found.lost) < share + 1e-9
    kept, lost = sink_horizon(SPEC, share)
    assert kept <= found.kept
    assert found.lost <= lost


def test_a_window_that_is_too_long_to_be_looked_at_leaves_the_closed_forms():
    found = sink_reach(RopeSpec(128, 10000), most_lags=100)
    assert (found.kept, found.lost) == sink_horizon(RopeSpec(128, 10000))


def test_a_plane_that_stands_still_guarantees_it_at_any_length():
    assert sink_reach(RopeSpec(16, 10000, rotary_dim=8)).lost is None


def test_bad_arguments_are_named():
    for call in (
        lambda: sink_reach(SPEC, 0),
        lambda: sink_reach(SPEC, True),
        lambda: sink_reach(SPEC, width=0),
        lambda: sink_reach(SPEC, width=True),
        lambda: sink_reach(SPEC, most_lags=0),
    ):
        with pytest.raises(InvalidArgument):
            call()
