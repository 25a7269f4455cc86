"""Claims on the logit that a query can guarantee to one token at many lags, against linear programmes."""

from __future__ import annotations

import numpy as np
import pytest
from oracle_values import game

RNG = np.random.default_rng


def guarantee(angles, amplitudes, phases, count):
    """The least of the logits at the lags 1..count."""
    lags = np.arange(1, count + 1)[:, None]
    return (np.cos(lags * np.array(angles) + phases) @ amplitudes).min()


def centred(angles, count):
    """cos theta_l (t - (N+1)/2), a row for each lag 1..N."""
    return np.cos(np.outer(np.arange(1, count + 1) - (count + 1) / 2, angles))


ANGLES = [(0.5,), (0.0, 1.0), (np.pi, 3.0), (1.0, 0.1, 0.01), (6.0, -1.0, 2 * np.pi), ()]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 101])
@pytest.mark.parametrize("angles", ANGLES)
def test_bounds_of_a_guarantee(angles, count):
    """Claims `head.sink-reflection`, `-even-bound`, `-bound`, `-uniform`: drawn heads and weights."""
    rng, m = RNG(1), len(angles)
    lags = np.arange(1, count + 1)
    middle = (count + 1) / 2
    for case in range(30):
        amplitudes, phases = rng.exponential(size=m) ** 2, rng.uniform(0, 7, m)
        if case % 2:  # in phase at the middle, as the best head is but for signs
            phases = -np.array(angles) * middle
        total = amplitudes.sum()
        found = guarantee(angles, amplitudes, phases, count)
        signed = amplitudes * np.cos(phases + np.array(angles) * middle)
        assert (centred(angles, count) @ signed).min(initial=np.inf) >= found - 1e-9
        assert (np.abs(signed) <= amplitudes).all()
        for weights in (rng.dirichlet(np.full(count, 0.2)), np.full(count, 1 / count)):
            even = np.abs(weights @ centred(angles, count)).max(initial=0)
            both = np.abs(weights @ np.exp(1j * np.outer(lags, angles))).max(initial=0)
            assert found <= even * total + 1e-9
            assert even <= both + 1e-9


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
@pytest.mark.parametrize("angle", [1e-4, 0.5, np.pi, 6.0, -2.0, 40.0])
def test_dirichlet_kernel(angle, count):
    """Claim `head.sink-uniform`, (a): the mean of e^(i theta t) over 1..N, and the bound of one plane."""
    mean = np.exp(1j * angle * np.arange(1, count + 1)).mean()
    kernel = abs(np.sin(count * angle / 2) / (count * np.sin(angle / 2)))
    assert np.isclose(abs(mean), kernel, atol=1e-12)
    for phase in np.linspace(0, 2 * np.pi, 60):
        assert guarantee([angle], [2.0], phase, count) <= 2 * kernel + 1e-9


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 4), (4, 1), (3, 3), (2, 7)])
@pytest.mark.parametrize("size", [0.0, 1e-3, 1.0, 1e3])
def test_signed_game_has_a_value(rows, columns, size):
    """Claim `duality.minimax-signed`: the two linear programmes meet, and their solutions prove it."""
    payoff = RNG(2).normal(size=(rows, columns)) * size
    low, x, high, y = game(payoff)
    near = 1e-6 * max(size, 1)
    assert abs(low - high) <= near
    assert np.abs(x).sum() <= 1 + 1e-6
    assert (x @ payoff >= low - near).all()
    assert (np.abs(payoff @ y) <= low + near).all()
    assert y.min() >= -1e-9
    assert np.isclose(y.sum(), 1)


@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.parametrize("angles", ANGLES[:-1])
def test_horizon_is_a_linear_programme(angles, count):
    """Claim `head.sink-horizon`: value, head with its phases, and no drawn or climbed head above it."""
    rng, m = RNG(3), len(angles)
    value, shares, dual, _ = game(centred(angles, count).T)
    assert np.isclose(value, dual, atol=1e-7)
    phases = -np.array(angles) * (count + 1) / 2 + np.pi * (1 - np.sign(shares)) / 2
    lags = np.arange(-5, count + 5)
    as_head = np.cos(lags[:, None] * np.array(angles) + phases) @ np.abs(shares)
    assert np.allclose(as_head, np.cos(np.outer(lags - (count + 1) / 2, angles)) @ shares)
    assert guarantee(angles, np.abs(shares), phases, count) >= value - 1e-7
    best, at = -np.inf, (np.full(m, 1 / m), phases)
    for step in range(150):
        size = 0.5 ** (step // 20)
        amplitudes = np.abs(at[0] + rng.normal(0, size, m))
        amplitudes /= amplitudes.sum()
        tried = amplitudes, at[1] + rng.normal(0, size, m)
        found = guarantee(angles, *tried, count)
        assert found <= value + 1e-7
        if found > best:
            best, at = found, tried


@pytest.mark.parametrize("count", [2, 9, 40])
@pytest.mark.parametrize("angles", [(0.5,), (1.0, 0.1), (2.0, 0.7, 0.2)])
def test_slackness(angles, count):
    """Claim `head.sink-slackness`: at an optimum its two equations hold, and give the value."""
    value, shares, _, weights = game(centred(angles, count).T)
    seen, logits = weights @ centred(angles, count), centred(angles, count) @ shares
    assert np.allclose(shares * seen, np.abs(shares) * value, atol=1e-6)
    assert np.allclose(weights * logits, weights * value, atol=1e-6)
    assert np.isclose(value, value * np.abs(shares).sum(), atol=1e-6)


def test_slackness_needs_its_conditions():
    """Claim `head.sink-slackness`: weights of any sign do for the first part, not for the second."""
    angles, count, amplitude = [0.9], 2, 1.5
    weights = np.array([1.5, -0.5])
    level = np.cos(0.45) * amplitude
    seen = weights @ centred(angles, count)
    assert np.isclose(seen[0] * amplitude, np.cos(0.45) * amplitude)
    assert np.isclose(level, np.cos(0.45) * amplitude)
    assert guarantee([0.9, 0.0], [0.0, 1.5], 0.0, count) > level


@pytest.mark.parametrize(("count", "printed"), [(1024, 0.99826)])
def test_horizon_of_the_standard_frequencies(count, printed):
    """Claim `head.sink-horizon`: base 10^4, 64 planes; the notes print the value for each length."""
    value, _, dual, _ = game(centred(1e4 ** (-np.arange(64) / 64), count)[: (count + 1) // 2].T)
    assert np.isclose(value, dual, atol=1e-7)
    assert abs(value - printed) < 1e-5
