"""Up to how many lags a share of the amplitude is guaranteed, against a programme over all lags."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from ropeproof.numerics.bounds.head.sink import sink_horizon
from ropeproof.numerics.bounds.head.sink_reach import sink_reach
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(16, 100)


def best_of_all_lags(spec, lags):
    """The best least logit per unit amplitude, by cosines and sines of each plane at all lags."""
    theta, places = frequencies_float64(spec), np.arange(1, lags + 1)
    angles = np.outer(places, theta) - theta * (lags + 1) / 2
    parts = np.cos(angles)
    rows = np.concatenate((-parts, parts, np.ones((lags, 1))), axis=1)
    count = len(theta)
    found = linprog(
        np.append(np.zeros(2 * count), -1.0),
        A_ub=rows,
        b_ub=np.zeros(lags),
        A_eq=np.append(np.ones(2 * count), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * (2 * count) + [(None, None)],
    )
    return float(-found.fun)


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2])
def test_the_share_is_guaranteed_up_to_one_length_and_not_from_the_other(share):
    found = sink_reach(SPEC, share)
    assert found.kept < found.lost <= max(1.001 * found.kept, found.kept + 1)
    assert best_of_all_lags(SPEC, found.kept) >= share - 1e-9
    assert best_of_all_lags(SPEC, found.lost) < share + 1e-9
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
