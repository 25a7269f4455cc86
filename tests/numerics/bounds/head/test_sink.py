"""What a query can guarantee to one token: closed forms, the linear programme, and its certificates."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.numerics.bounds.head.sink import best_sink, sink_bounds, sink_horizon
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(128, 10000)


@pytest.mark.parametrize("lags", [1, 2, 3, 10, 257])
def test_head_and_weights_meet_in_float64(lags):
    spec = RopeSpec(16, 100)
    found = best_sink(spec, lags)
    theta, places = frequencies_float64(spec), np.arange(1, lags + 1)
    logits = np.cos(np.outer(places, theta) + found.phases) @ found.amplitudes
    assert abs(logits.min() - found.lower) < 1e-9
    seen = found.weights @ np.cos(np.outer(found.places - (lags + 1) / 2, theta))
    assert np.abs(seen).max() / found.weights.sum() <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-5
    closed = sink_bounds(spec, lags)
    assert closed.lower <= found.upper
    assert found.lower <= closed.upper


def test_a_plane_that_stands_still_gives_everything():
    spec = RopeSpec(16, 10000, rotary_dim=8)
    found = best_sink(spec, 100_000)
    assert (found.lower, found.upper) == (1.0, 1.0)
    assert sink_horizon(spec)[1] is None


@pytest.mark.parametrize("lags", [292, 552])
def test_where_no_head_guarantees_anything_the_value_is_0(lags):
    """Beyond some length weights on the lags leave no plane anything; the lower bound was -inf there."""
    found = best_sink(RopeSpec(16, 100), lags)
    assert found.lower == 0
    assert 0 <= found.upper < 1e-12
    assert not found.amplitudes.any()


def test_the_horizon_is_where_the_closed_forms_say():
    kept, lost = sink_horizon(SPEC)
    assert sink_bounds(SPEC, kept).lower >= 0.5 > sink_bounds(SPEC, kept + 1).lower
    assert sink_bounds(SPEC, lost).upper < 0.5 <= sink_bounds(SPEC, lost - 1).upper


def test_bad_arguments_are_named():
    for call in (
        lambda: best_sink(SPEC, 0),
        lambda: best_sink(SPEC, 10, tolerance=0),
        lambda: best_sink(SPEC, 10, rounds=0),
        lambda: sink_bounds(SPEC, 0),
        lambda: sink_horizon(SPEC, 1),
        lambda: sink_horizon(SPEC, True),
    ):
        with pytest.raises(InvalidArgument):
            call()
