"""The rank-one factor with signs, and the score on independently drawn positions."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.numerics.bounds.slash.learned.factor import rank_one
from ropeproof.numerics.bounds.slash.learned.independent import independent_scores
from ropeproof.numerics.bounds.slash.learned.rank import rank_statistics
from ropeproof.numerics.core.spec import rotate
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

SPEC = RopeSpec(8, 10000)


def test_the_factor_is_the_best_of_rank_one():
    random = np.random.default_rng(1)
    values = random.normal(size=(40, 8)) + 3 * random.choice([-1, 1], (40, 1)) * np.ones(8)
    found = rank_one(values)
    assert found.outside == pytest.approx(1 - rank_statistics(values).r1, abs=1e-12)
    left = values - np.outer(found.scalars, found.direction)
    assert found.rests == pytest.approx(np.linalg.norm(left, axis=1), abs=1e-12)
    assert left @ found.direction == pytest.approx(np.zeros(40), abs=1e-12)
    assert found.scalars.sum() >= 0
    assert np.linalg.norm(found.direction) == pytest.approx(1)


def test_both_signs_have_a_direction_and_no_mean():
    signs = np.where(np.arange(20) % 2, 1.0, -1.0)[:, np.newaxis]
    found = rank_one(signs * np.arange(1.0, 9.0))
    assert found.outside < 1e-15
    assert found.negative == 0.5
    assert abs(found.mean_over_size) < 1e-12
    assert rank_one(np.ones((5, 8))).mean_over_size == pytest.approx(1)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_sizes_at_the_end_of_the_range(size):
    found = rank_one(np.diag([3.0, 1.0]) * size)
    assert found.outside == pytest.approx(0.1)
    assert found.scalars == pytest.approx(np.array([3.0, 0.0]) * size)
    assert rank_one(np.zeros((3, 4))).outside == 0.0


def exact_scores(q, k, spec, lag, *, length, scale, cap=None):
    """E of the weight over all that is drawn, by drawing often, from the definition."""
    random = np.random.default_rng(5)
    weights = []
    for _ in range(6000):
        row = int(random.integers(length))
        if row < lag:
            continue
        tokens = random.integers(length, size=row + 1)
        keys = k[tokens]
        query = rotate(q[tokens[row]][np.newaxis], [row], spec)
        row_logits = scale * (rotate(keys, np.arange(row + 1), spec) @ query[0])
        if cap is not None:
            row_logits = cap * np.tanh(row_logits / cap)
        sizes = np.exp(row_logits - row_logits.max())
        weights.append(sizes[row - lag] / sizes.sum())
    return np.mean(weights), np.std(weights) / len(weights) ** 0.5


@pytest.mark.parametrize("cap", [None, 1.5])
@pytest.mark.parametrize("lag", [0, 2, 9])
def test_the_score_on_independent_positions_is_its_expectation(lag, cap):
    random = np.random.default_rng(0)
    length = 12
    spec = RopeSpec(8, 100, scaling=Yarn(factor=2, original_length=8))
    q, k = random.normal(size=(2, length, 8)) + random.normal(size=8)
    wanted, error = exact_scores(q, k, spec, lag, length=length, scale=0.4, cap=cap)
    found = independent_scores(
        q, k, spec, (lag,), scale=0.4, soft_cap=cap, draws=400, rows=12, seed=3
    ).at(lag)
    assert found.score == pytest.approx(wanted, abs=5 * (error + found.error))
    assert found.error < 0.02
    # The target and the rest make the weight.
    assert found.weights == pytest.approx(1 / (1 + np.exp(found.rest - found.target)))


def test_a_window_hides_what_is_further_away():
    random = np.random.default_rng(4)
    q, k = random.normal(size=(2, 30, 8))
    seen, whole = (independent_scores(q, k, SPEC, (2, 9), window=w) for w in (5, None))
    assert (seen.at(2).target == whole.at(2).target).all()
    assert (seen.at(2).rest <= whole.at(2).rest).all()
    assert (seen.at(9).score, seen.at(9).error) == (0.0, 0.0)
    # Equal logits: a row has as many keys as it sees.
    same = np.zeros((30, 8))
    found = independent_scores(same, same, SPEC, (2,), window=5).at(2)
    assert found.weights == pytest.approx(1 / np.minimum(found.rows + 1, 5))


def test_a_seed_draws_the_same_and_another_one_does_not():
    random = np.random.default_rng(0)
    q, k = random.normal(size=(2, 20, 8))
    one, same, other = (independent_scores(q, k, SPEC, (1,), seed=s).at(1) for s in (0, 0, 1))
    assert one.score == same.score != other.score
    assert independent_scores(q, k, SPEC, (1,), draws=1).at(1).error is None


@pytest.mark.parametrize(
    ("lags", "options", "message"),
    [
        ((20,), {}, "lags"),
        ((1,), {"draws": 0}, "draws"),
        ((1,), {"rows": 0}, "rows"),
    ],
)
def test_what_cannot_be_drawn(lags, options, message):
    vectors = np.ones((20, 8))
    with pytest.raises(InvalidArgument, match=message):
        independent_scores(vectors, vectors, SPEC, lags, **options)
    with pytest.raises(InvalidArgument, match="keys"):
        independent_scores(vectors, vectors[:5], SPEC, (1,))
    with pytest.raises(InvalidArgument, match="lag"):
        independent_scores(vectors, vectors, SPEC, (1,)).at(2)
