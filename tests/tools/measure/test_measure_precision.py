"""`slash.precision` of a measured head: the rounded row another way, its bounds, and where they fail."""

from dataclasses import replace

import numpy as np
import pytest

from ropeproof.numerics.bounds.slash.learned.precision import rounded_logits, rounded_weights
from ropeproof.numerics.core.spec import amplitudes_and_phases, rotate
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_head
from ropeproof.tools.measure.verdicts import judge
from ropeproof.tools.measure.verdicts.slash import precision

SPEC = RopeSpec(32, 10000)


def head(length, noise=0.0, size=1.4, lag=1, **changed):
    """Queries and keys around two vectors that meet at the lag."""
    random = np.random.default_rng(0)
    query = size * rotate(np.ones((1, 32)), np.array([-lag]), SPEC)
    queries, keys = (
        side * np.ones((length, 1)) + noise * random.normal(size=(length, 32))
        for side in (query, size * np.ones((1, 32)))
    )
    plain = {
        "queries": queries,
        "keys": keys,
        "tokens": np.arange(length),
        "spec": SPEC,
        "scale": 32**-0.5,
        "soft_cap": None,
        "layer": 0,
        "head": 0,
        "key_head": 0,
        "first": True,
        "prompt": "random",
    }
    return HeadVectors(**plain | changed)


def of(vectors, threshold=0.1):
    measure = measure_head(vectors, MeasureOptions(threshold=threshold))
    found = [v for v in judge(vectors, measure) if v.claim == "slash.precision"]
    assert all(v.consistent for v in found)
    return {v.about: v for v in found}


@pytest.mark.parametrize("what", ["angles", "tables"])
def test_the_rounded_row_is_that_of_the_claims_own_functions(what):
    vectors = head(600)
    amplitudes, phases = amplitudes_and_phases(
        vectors.queries[0], vectors.keys[0], SPEC, scale=vectors.scale
    )
    rounding = {what: "bfloat16"}
    exact, moved = (
        rounded_logits(amplitudes, phases, SPEC, row=600, **kind) for kind in ({}, rounding)
    )
    weight = rounded_weights(amplitudes, phases, 1, SPEC, row=600, **rounding)
    found = of(vectors)
    logits = found[f"largest move of a logit in the last row, bfloat16 {what}"]
    assert logits.observed == pytest.approx(np.abs(moved - exact).max(), abs=1e-9)
    last = found[f"weight at lag 1 in the last row, bfloat16 {what}, from below"]
    assert last.observed == pytest.approx(float(weight), abs=1e-9)
    assert last.guaranteed.value <= last.observed


def test_tables_keep_a_slash_of_which_angles_guarantee_nothing():
    found = of(head(1000, noise=0.05, size=2.0))
    angles, tables = (
        found[f"weight at lag 1 in the last row, bfloat16 {what}, from below"]
        for what in ("angles", "tables")
    )
    plain = tables.hypotheses[-1].measured
    assert tables.guaranteed.value > 0.5 * plain
    assert tables.verdict == "guaranteed"
    assert angles.observed < plain - 0.05
    assert angles.verdict == "vacuous"


@pytest.mark.parametrize("soft_cap", [None, 3.0])
@pytest.mark.parametrize("length", [2, 3, 70, 1030])
def test_bounds_hold_for_noisy_heads(soft_cap, length):
    assert of(head(length, noise=1.0, soft_cap=soft_cap), threshold=0.01)


def test_a_bound_without_the_key_s_position_would_be_seen(monkeypatch):
    """Errors grow with the query's and the key's position: half of them are not enough."""
    plain = precision._by_angles
    monkeypatch.setattr(precision, "_by_angles", lambda *given: plain(*given) / 8)
    vectors = head(500, noise=0.3)
    found = judge(vectors, measure_head(vectors))
    assert not all(v.consistent for v in found if v.claim == "slash.precision")


def test_no_rotation_is_not_rounded():
    """A head whose planes do not turn loses nothing by angles."""
    still = replace(head(50, noise=1.0), spec=RopeSpec(32, 10000, rotary_dim=0))
    found = of(still, threshold=0.01)
    assert found["largest move of a logit in the last row, bfloat16 angles"].observed == 0.0
