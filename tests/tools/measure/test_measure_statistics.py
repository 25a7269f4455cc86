"""The statistics of a head, against a definition, and what they are asked of."""

from __future__ import annotations

import json

import numpy as np
import pytest
from attention_weights import weights_of

from ropeproof.numerics.bounds.slash.null import null_bound
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_head, null_scores
from ropeproof.tools.measure.head.attention import logit_blocks


def head(length=40, soft_cap=None, seed=0, window=None):
    random = np.random.default_rng(seed)
    spec = RopeSpec(8, 100)
    return HeadVectors(
        queries=random.normal(size=(length, 8)) + 1,
        keys=random.normal(size=(length, 8)) - 0.5,
        tokens=random.integers(0, 9, size=length),
        spec=spec,
        scale=0.7,
        soft_cap=soft_cap,
        layer=2,
        head=1,
        key_head=0,
        first=False,
        prompt="text",
        window=window,
    )


@pytest.mark.parametrize("soft_cap", [None, 1.5])
@pytest.mark.parametrize(
    ("length", "window"),
    [
        (2, None),
        (3, None),
        (3, 2),
        (40, None),
        (40, 2),
        (40, 39),
        (300, None),
        (300, 9),
        (300, 140),
    ],
)
def test_attention_sums_are_those_of_the_matrix(length, window, soft_cap):
    vectors = head(length, soft_cap, window=window)
    measure = measure_head(vectors)
    weights = weights_of(vectors, block=7).numpy()
    np.testing.assert_allclose(measure.attention.scores, slash_scores(weights), atol=1e-14)
    logs = np.log(np.where(weights > 0, weights, 1))
    seen = np.arange(2, length + 1).clip(max=window)
    entropies = -(weights * logs).sum(1)[1:] / np.log(seen)
    assert measure.attention.entropy == pytest.approx(entropies.mean(), abs=1e-12)
    logits = np.concatenate(
        [
            row[max(0, start + place + 1 - (window or length)) : start + place + 1]
            for start, block in logit_blocks(vectors)
            for place, row in enumerate(block.numpy())
        ]
    )
    found = measure.attention
    assert found.mean == pytest.approx(logits.mean(), abs=1e-12)
    assert found.deviation == pytest.approx(logits.std(), abs=1e-12)
    assert found.largest == pytest.approx(abs(logits).max(), abs=1e-12)


def test_the_null_is_that_of_the_claim():
    found = null_scores(50)
    assert np.isnan(found[0])
    for offset in (1, 2, 30, 49):
        bound = null_bound(50, offset)
        assert bound.lower - 1e-15 <= found[offset] <= bound.upper + 1e-15


@pytest.mark.parametrize("window", [2, 7, 49])
def test_the_null_in_a_window_is_that_of_equal_weights(window):
    """Equal weights are what the bound of every row allows, but for the query's own share."""
    found = null_scores(50, window)
    for lag in (1, 2, 6, 30):
        rows = [1 / min(i, window - 1) if lag < window else 0 for i in range(lag, 50)]
        assert found[lag] == pytest.approx(np.mean(rows), abs=1e-15)
    assert found[window:].max(initial=0) == 0
    np.testing.assert_array_equal(null_scores(50, 50), null_scores(50))


@pytest.mark.parametrize("length", [40, 400])
def test_a_window_is_the_prompt_cut_to_it(length):
    """Lags alone count: the last row is that of the last tokens, the first rows of the first."""
    window = length - 7
    vectors = head(length, window=window)
    parts = {name: getattr(vectors, name)[-window:] for name in ("queries", "keys", "tokens")}
    cut = HeadVectors(**{**vars(vectors), **parts, "window": None})
    options = MeasureOptions(tau=1e-2)
    found, wanted = measure_head(vectors, options), measure_head(cut, options)
    assert found.positional == pytest.approx(wanted.positional, abs=1e-9)
    assert found.symbolic == pytest.approx(wanted.symbolic, abs=1e-9)
    assert found.positional != pytest.approx(
        measure_head(head(length), options).positional, abs=1e-6
    )
    assert found.additive == measure_head(vectors.unwindowed).additive
    assert found.largest < window
    assert vectors.unwindowed.length == vectors.reach == window
    assert cut.unwindowed is cut
    block = measure_head(vectors, MeasureOptions(block=3))
    assert block.positional == pytest.approx(measure_head(cut, MeasureOptions(block=3)).positional)


def test_everything_is_json():
    measure = measure_head(head(), MeasureOptions(threshold=0.05))
    text = json.dumps(measure.as_json(), allow_nan=False)
    found = json.loads(text)
    assert found["slash"]["null"][0] is None
    assert found["slash"]["largest"]["offset"] == measure.largest >= 1
    assert [lag["offset"] for lag in found["slash"]["dominant"]] == list(measure.dominant)
    assert len(found["additive"]) == 16
    assert all("null_correlation" in fit and "floor" in fit for fit in found["additive"])


def test_a_head_without_numbers():
    vectors = head(6)
    zero = HeadVectors(**{**vars(vectors), "queries": np.zeros((6, 8))})
    found = json.loads(json.dumps(measure_head(zero).as_json(), allow_nan=False))
    assert found["rank"]["queries"] == {"r1": None, "r095": None, "epsilon": None}
    assert found["bands"] is None
    assert found["entropy"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"queries": np.zeros((3, 8))}, "queries: got 'shape (3, 8)', allowed: shape (6, 8)"),
        ({"keys": np.full((6, 8), np.nan)}, "not finite (layer 2, head 1)"),
        ({"window": 1}, "window: got 1"),
        ({"window": 6}, "window: got 6, allowed: None, or fewer than the 6 tokens"),
    ],
)
def test_vectors_that_do_not_fit(change, message):
    with pytest.raises(InvalidArgument) as error:
        HeadVectors(**{**vars(head(6)), **change})
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0}, "threshold: got 0, allowed: 0 < number <= 1"),
        ({"threshold": 1.5}, "threshold"),
        ({"gamma": 0.5}, "gamma: got 0.5, allowed: 0 < number < 0.5"),
        ({"tau": -1}, "tau: got -1, allowed: 0 < number"),
        ({"block": 0}, "block"),
    ],
)
def test_options_that_mean_nothing(options, message):
    with pytest.raises(InvalidArgument) as error:
        MeasureOptions(**options)
    assert message in str(error.value)
