"""Claims on weighted means and on entropy, against direct computation."""

from __future__ import annotations

import numpy as np
import pytest
from oracle_values import entropy

RNG = np.random.default_rng


def diameter(values):
    """The largest distance of two rows."""
    return np.linalg.norm(values[:, None] - values, axis=-1).max(initial=0)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("width", [0, 1, 4])
def test_moved_mean(count, width):
    """Claim `softmax.output-moved`: any changes of sum 0, also of weights that are negative afterwards."""
    rng = RNG(1)
    for scale in (1e-9, 1.0, 1e9):
        values, change = rng.normal(size=(count, width)) * scale, rng.standard_cauchy(count)
        change -= change.mean() if count else 0.0
        bound = diameter(values) * np.abs(change).sum() / 2
        assert np.linalg.norm(change @ values) <= bound * (1 + 1e-9) + 1e-12 * scale


def test_moved_mean_is_attained():
    """Claim `softmax.output-moved`: mass moved from one end of the values to the other."""
    values, change = np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]]), np.array([-0.7, 0.7, 0.0])
    assert np.isclose(np.linalg.norm(change @ values), diameter(values) * np.abs(change).sum() / 2)


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_gibbs(count):
    """Claim `softmax.gibbs`: probabilities with zeros, sizes over many orders of magnitude."""
    rng = RNG(2)
    for _ in range(200):
        p = rng.dirichlet(np.full(count, 0.3)) * (rng.uniform(size=count) < 0.7)
        if not p.sum():
            continue
        p = p / p.sum()
        z = np.exp(rng.normal(0, 8, count)) * ((p > 0) | (rng.uniform(size=count) < 0.5))
        cross = sum(a * np.log(b) for a, b in zip(p, z, strict=True) if a > 0)
        top = np.log(z.sum())
        assert entropy(p) + cross <= top + 1e-9 * (1 + abs(top))


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_gibbs_is_attained(count):
    """Claim `softmax.gibbs`: equality at p = z/sum z."""
    z = np.exp(RNG(3).normal(0, 3, count))
    p = z / z.sum()
    assert np.isclose(entropy(p) + p @ np.log(z), np.log(z.sum()))


@pytest.mark.parametrize("total", [0.5, 2.0])
def test_gibbs_needs_a_sum_of_1(total):
    """Claim `softmax.gibbs`: for some sizes the bound fails if the numbers p do not add up to 1."""
    p, z = np.array([total]), np.array([1e9 if total > 1 else 1e-9])
    assert entropy(p) + p @ np.log(z) > np.log(z.sum())
