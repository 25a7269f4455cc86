"""The expected preference by lag against expectations taken over all pairs of drawn tokens."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.numerics.bounds.rope.base_criterion import first_negative_lag
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import lag_preference

SPEC = RopeSpec(8, 100, layout="half")


def expected(queries, keys, lag):
    """The mean logit with the token's own key less that with any key, each pair once."""
    there, here = np.full(len(queries), lag), np.zeros(len(keys), dtype=int)
    table = logits(queries, keys, there, here, SPEC)
    return table.diagonal().mean() - table.mean()


@pytest.mark.parametrize("lag", [0, 1, 5])
def test_both_curves_are_differences_of_expected_logits(lag):
    random = np.random.default_rng(3)
    queries, keys = random.normal(size=(2, 6, 8)) + 0.5
    found = lag_preference(queries, keys, SPEC, lags=6)
    assert found.own[lag] == pytest.approx(expected(queries, keys, lag))
    assert found.similar[lag] == pytest.approx(expected(queries, queries, lag))


def test_equal_variances_give_the_base_criterion():
    spec = RopeSpec(32, 100)
    spread = np.vstack((np.eye(32), -np.eye(32)))
    found = lag_preference(spread, spread, spec, lags=2000)
    np.testing.assert_allclose(found.similar / found.similar[0], found.uniform, atol=1e-12)
    assert found.uniform_negative == first_negative_lag(spec, below=2000) is not None
    assert found.similar_negative == found.uniform_negative


def test_a_plane_without_rotation_is_never_negative():
    spec = RopeSpec(8, 100, rotary_dim=4)
    still = np.zeros((4, 8))
    still[:, 7] = [1, -1, 2, -2]
    found = lag_preference(still, still, spec, lags=500)
    assert found.similar_negative is None
    assert found.own_negative is None


@pytest.mark.parametrize(
    ("queries", "keys", "lags", "named"),
    [
        (np.ones((3, 8)), np.ones((4, 8)), 5, "queries"),
        (np.ones((1, 8)), np.ones((1, 8)), 5, "queries"),
        (np.ones((3, 6)), np.ones((3, 6)), 5, "queries"),
        (np.ones((3, 8)), np.full((3, 8), np.nan), 5, "keys"),
        (np.ones((3, 8)), np.ones((3, 8)), 0, "lags"),
    ],
)
def test_bad_input_is_named(queries, keys, lags, named):
    with pytest.raises(InvalidArgument, match=named):
        lag_preference(queries, keys, SPEC, lags=lags)
