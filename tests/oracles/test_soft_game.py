"""Claims on the weight of a slash with a window on each side, against rows of drawn and of best heads."""

from __future__ import annotations

import numpy as np
import pytest
from oracle_values import entropy, softmax

RNG = np.random.default_rng
ANGLES = [(1.0,), (0.0, 2.0), (np.pi, 0.1), (1.0, 0.3, 0.05), (7.0, -0.4, 1.0)]


def earned(angles, reach):
    """1 - cos theta_l t, a row for each lag 1..M."""
    return 1 - np.cos(np.outer(np.arange(1, reach + 1), angles))


def weight(angles, amplitudes, phases, keys, target):
    """The softmax weight of the target's lag in a row of so many keys."""
    logits = np.cos(np.outer(np.arange(keys), angles) + phases) @ amplitudes
    return 1 / np.exp(logits - logits[target]).sum()


@pytest.mark.parametrize("reach", [1, 2, 5, 30])
@pytest.mark.parametrize("angles", ANGLES)
def test_ceiling_of_any_head(angles, reach):
    """Claims `slash.mean-fall`, `slash.soft-ceiling`, `slash.amplitude-needed-window`: drawn heads."""
    rng, m = RNG(1), len(angles)
    gains = earned(angles, reach)
    for case in range(40):
        amplitudes = rng.exponential(1, m) * 10.0 ** rng.uniform(-3, 1.5)
        target = reach + int(rng.integers(0, 3))
        keys = target + reach + 1 + int(rng.integers(0, 3))
        phases = -target * np.array(angles) + (rng.normal(0, 0.3, m) if case % 3 else 0)
        found = weight(angles, amplitudes, phases, keys, target)
        falls, total = gains @ amplitudes, amplitudes.sum()
        for y in (rng.dirichlet(np.full(reach, 0.2)), softmax(-falls), np.eye(reach)[-1]):
            most = (y @ gains).max()
            assert np.isclose(y @ falls, amplitudes @ (y @ gains))
            assert y @ falls <= most * total + 1e-9
            first = 1 / (1 + 2 * np.exp(entropy(y) - y @ falls))
            second = 1 / (1 + 2 * np.exp(entropy(y) - most * total))
            assert found <= first * (1 + 1e-9)
            assert first <= second * (1 + 1e-9)
            for level in (found, found / 2):
                if most > 0 and level < 1 - 1e-9:
                    needed = (np.log(2 * level / (1 - level)) + entropy(y)) / most
                    assert needed <= total * (1 + 1e-6) + 1e-6


def two_planes(angles, reach, total):
    """The split of an amplitude over two planes at which both earn the same, by bisection; or None."""
    gains = earned(angles, reach)

    def apart(share):
        y = softmax(-gains @ [total * share, total * (1 - share)])
        return np.subtract(*(y @ gains))

    low, high = 0.0, 1.0
    if not apart(low) > 0 > apart(high):
        return None
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if apart(middle) > 0 else (low, middle)
    return total * np.array([low, 1 - low])


@pytest.mark.parametrize("total", [0.0, 1e-3, 0.5, 3.0, 20.0])
@pytest.mark.parametrize(
    ("angles", "reach"), [((1.0,), 4), ((1.0, 0.3), 8), ((2.0, 0.2), 12), ((3.0, 1.0), 3)]
)
def test_best_head_of_an_amplitude(angles, reach, total):
    """Claim `slash.soft-optimal`: equalities at a balanced head, and no drawn head above it."""
    rng, gains = RNG(2), earned(angles, reach)
    head = np.array([total]) if len(angles) == 1 else two_planes(angles, reach, total)
    if head is None:  # one of the planes alone earns more
        lone = [np.array([total, 0.0]), np.array([0.0, total])]
        head = next(a for a in lone if np.argmax(softmax(-gains @ a) @ gains) == np.argmax(a))
    y = softmax(-gains @ head)
    most = (y @ gains).max()
    found = weight(angles, head, -reach * np.array(angles), 2 * reach + 1, reach)
    assert np.isclose(found, 1 / (1 + 2 * np.exp(entropy(y) - y @ gains @ head)))
    assert np.isclose(found, 1 / (1 + 2 * np.exp(entropy(y) - most * total)))
    for case in range(200):
        other = rng.dirichlet(np.ones(len(angles))) * total * (1 if case % 2 else rng.uniform())
        target = reach + int(rng.integers(0, 4))
        keys = target + reach + 1 + int(rng.integers(0, 4))
        phases = -target * np.array(angles) + (
            rng.uniform(-3, 3, len(angles)) if case % 4 == 3 else 0
        )
        assert weight(angles, other, phases, keys, target) <= found * (1 + 1e-9)


def test_one_lag_less_is_not_bounded():
    """Claim `slash.soft-ceiling`: without lags on one side a head has more weight."""
    bound = 1 / (1 + 2 * np.exp(-2 * (1 - np.cos(1.0))))
    assert weight([1.0], [2.0], -0.5, 2, 0) < bound < weight([1.0], [2.0], 1.0, 2, 0)


@pytest.mark.parametrize("reach", [1, 2, 9])
@pytest.mark.parametrize("angles", ANGLES)
def test_sum_of_competitors_is_convex(angles, reach):
    """Claim `slash.soft-convex`: amplitudes of any sign and size, shares from 0 to 1."""
    rng, gains = RNG(3), earned(angles, reach)

    def log_sum(amplitudes):
        falls = -gains @ amplitudes
        return falls.max() + np.log(np.exp(falls - falls.max()).sum())

    for share in (0.0, 1e-6, 0.3, 0.5, 1.0):
        for _ in range(20):
            one, other = rng.standard_cauchy((2, len(angles)))
            between = share * log_sum(other) + (1 - share) * log_sum(one)
            assert log_sum(share * other + (1 - share) * one) <= between + 1e-9 * (1 + abs(between))


def test_amplitude_of_the_standard_frequencies():
    """Claim `slash.amplitude-needed-window`: base 10^4, 64 planes, 1024 lags on each side, weight .9."""
    gains = earned(1e4 ** (-np.arange(64) / 64), 1024)
    total, amplitudes, lower = 14.5, np.full(64, 14.5 / 64), 0.0
    for step in range(800):
        y = softmax(-gains @ amplitudes)
        earn = y @ gains
        lower = max(lower, (np.log(18) + entropy(y)) / earn.max())
        amplitudes = amplitudes * np.exp(min(1.0, 40 / (step + 1)) * (earn - earn.max()))
        amplitudes *= total / amplitudes.sum()
    reached = 1 / (1 + 2 * np.exp(-gains @ amplitudes).sum())
    assert 14.3 < lower < 14.6
    assert 0.895 < reached < 0.905
