"""The score of queries and keys that read one direction, against all vertices of the interval."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ropeproof.constructions.heads.slash.certify import Projected
from ropeproof.constructions.heads.slash.direction import direction_bound
from ropeproof.constructions.heads.slash.head import lag_profile, mean_vectors
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(8, 100)


def sides(amplitude, offset, length, error=0.0):
    bars = mean_vectors(SPEC, *lag_profile(SPEC, offset, length))
    return [
        Projected(np.sqrt(amplitude) * bar[np.newaxis], error, float(np.linalg.norm(bar)), 9)
        for bar in bars
    ]


def smallest_weight(query, key, offset, length, lower, upper):
    """The smallest weight over the vertices of the box of components, all of them."""
    amplitudes, phases = amplitudes_and_phases(query.vectors[0], key.vectors[0], SPEC)
    lags = np.arange(length)[:, np.newaxis]
    g = (amplitudes * np.cos(frequencies_float64(SPEC) * lags + phases)).sum(1)
    least = 1.0
    for own, target in itertools.product((lower, upper), (lower, 5 * upper)):
        for others in itertools.product((0.0, upper), repeat=length - 1):
            components = np.insert(others, offset, target)
            logits = own * components * g
            least = min(least, np.exp(logits[offset]) / np.exp(logits).sum())
    return least


@pytest.mark.parametrize("offset", [0, 1, 3])
@pytest.mark.parametrize("interval", [(1.0, 1.0), (0.95, 1.05)])
def test_the_bound_is_that_of_the_worst_vertex(offset, interval):
    length = 6
    query, key = sides(60.0, offset, length)
    bound = direction_bound(
        query,
        key,
        SPEC,
        offset=offset,
        length=length,
        lower=interval[0],
        upper=interval[1],
        rounding=None,
    )
    least = smallest_weight(query, key, offset, length, *interval)
    assert 0.05 < bound.sandwich_score <= least
    assert bound.sandwich_score == pytest.approx(least, rel=1e-6)


def test_an_error_of_queries_and_keys_costs_what_it_can_move():
    given = {"offset": 1, "length": 6, "lower": 0.95, "upper": 1.05, "rounding": None}
    exact = direction_bound(*sides(60.0, 1, 6), SPEC, **given)
    moved = direction_bound(*sides(60.0, 1, 6, error=0.01), SPEC, **given)
    assert moved.deviation > 0 == pytest.approx(exact.deviation, abs=1e-9)
    assert moved.sandwich_score < exact.sandwich_score


def test_an_interval_that_is_too_wide_leaves_nothing():
    given = {"offset": 1, "length": 6, "rounding": None}
    bound = direction_bound(*sides(60.0, 1, 6), SPEC, lower=0.3, upper=1.5, **given)
    assert bound.certificate("slash.one-direction", None).quantities["score"] == 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"lower": 0.0}, "lower"),
        ({"lower": True}, "lower"),
        ({"upper": float("inf")}, "upper"),
        ({"lower": 2.0}, "lower"),
        ({"length": 1}, "length"),
        ({"offset": 6}, "length"),
    ],
)
def test_bad_arguments_are_named(change, named):
    given = {"offset": 1, "length": 6, "lower": 0.9, "upper": 1.1, "rounding": None, **change}
    with pytest.raises(InvalidArgument, match=f"^{named}"):
        direction_bound(*sides(60.0, 1, 6), SPEC, **given)


def test_one_query_and_one_key_are_asked_for():
    query, key = sides(60.0, 1, 6)
    two = Projected(np.vstack([query.vectors, query.vectors]), 0.0, 1.0, 9)
    given = {"offset": 1, "length": 6, "lower": 0.9, "upper": 1.1, "rounding": None}
    with pytest.raises(InvalidArgument, match=r"^query"):
        direction_bound(two, key, SPEC, **given)
