"""Claims on slash heads with noisy queries and keys, against rows that are computed from vectors."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from oracle_values import softmax

RNG = np.random.default_rng


@pytest.mark.parametrize("tokens", [2, 4, 10])
def test_a_twentieth_is_left(tokens):
    """Claim `slash.rank-condition-not-enough`, (a) to (d): singular values of queries and keys."""
    rng, tilt = RNG(1), 1j / np.sqrt(19)
    signs = rng.permutation([1, -1] * (tokens // 2))
    for size in (1e-6, 1.0, 1e6):
        for turn in (1, -1):
            mean = size * (rng.normal() + 1j * rng.normal())
            vectors = mean * (1 + turn * signs * tilt)
            matrix = np.stack([vectors.real, vectors.imag], axis=1)
            first, second = np.linalg.svd(matrix)[1] ** 2
            assert np.isclose(first / (first + second), 0.95)
            along = matrix @ [mean.real, mean.imag]
            assert np.isclose((along**2).sum() / abs(mean) ** 2, first)


@pytest.mark.parametrize("amplitude", [0.0, 0.01, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("offset", range(1, 12))
def test_slash_sits_one_lag_off(offset, amplitude):
    """Claim `slash.rank-condition-not-enough`, (e) to (g): rows of up to 12 tokens of one sign."""
    tilt = 1j / np.sqrt(19)
    mean_query, scale = 0.7 - 0.3j, 0.25
    mean_key = (amplitude * np.exp(-0.5j * offset) / (scale * mean_query)).conjugate()
    rows = range(offset + 1, 13)
    for sign in (1, -1):
        query, key = mean_query * (1 + sign * tilt), mean_key * (1 - sign * tilt)
        for keys in rows:
            lags = np.arange(keys)
            own = scale * (query * key.conjugate() * np.exp(0.5j * lags)).real
            if sign == 1 or keys > offset + 1:
                assert softmax(own)[offset] <= 1 / (1 + np.exp(0.104 * amplitude)) + 1e-15
            mean = scale * (mean_query * mean_key.conjugate() * np.exp(0.5j * lags)).real
            assert softmax(mean)[offset] >= 1 / (1 + 11 * np.exp(-0.1224 * amplitude)) - 1e-15


def test_first_row_of_the_other_sign_is_rightly_left_out():
    """Claim `slash.rank-condition-not-enough`, (f): in row offset + 1 the target may well win."""
    logits = 100 * 20 / 19 * np.cos((np.arange(6) - 5) / 2 - 2 * np.arctan(1 / np.sqrt(19)))
    assert softmax(logits)[5] > 0.99


def test_thirteenth_row_is_rightly_left_out():
    """Claim `slash.rank-condition-not-enough`, (g): thirteen lags at angle 1/2 make nearly a turn."""
    logits = 100 * np.cos((np.arange(14) - 13) / 2)
    assert softmax(logits)[13] < 1 / (1 + 11 * np.exp(-12.24))


def turned(vectors, angles, lag):
    """Complex vectors with each plane turned by its angle times the lag."""
    return vectors * np.exp(1j * np.array(angles) * lag)


@pytest.mark.parametrize("angles", [(0.5,), (0.0, 2.0), (1.0, 0.1, np.pi)])
def test_logit_is_at_most_the_norms(angles):
    """Claim `slash.logit-size`: drawn vectors, and equality for a query turned back onto its key."""
    rng, m = RNG(2), len(angles)
    for lag in (0, 1, -3.5, 1e4):
        q, k = rng.normal(size=(2, m, 2)) @ [1, 1j]
        bound = 0.3 * np.linalg.norm(q) * np.linalg.norm(k)
        assert abs(0.3 * (turned(q, angles, lag) * k.conj()).real.sum()) <= bound + 1e-12
        attained = 0.3 * (turned(turned(k, angles, -lag), angles, lag) * k.conj()).real.sum()
        assert np.isclose(attained, 0.3 * np.linalg.norm(k) ** 2)


@pytest.mark.parametrize(("length", "offset"), [(2, 0), (2, 1), (6, 0), (6, 2), (6, 5)])
@pytest.mark.parametrize("level", [0.01, 0.5, 0.99])
def test_emergence_against_the_worst_noise(length, offset, level):
    """Claim `slash.emergence`: noise as large as allowed, at the least amplitude."""
    rng, angles = RNG(3), np.array([1.0, 0.4, 0.15])
    noise_q, noise_k = 0.01, 0.02
    lags = np.arange(length)
    shape = np.cos(np.outer(lags - offset, angles)).sum(1)
    margin = shape[offset] - np.delete(shape, offset).max()
    mixed = 2 * 3 * (noise_q + noise_k + noise_q * noise_k)
    scale = np.log(level * (length - 1) / (1 - level)) / (margin - mixed)
    if scale <= 0:  # any amplitude does
        scale = 0.01
    assert scale * margin >= scale * mixed + np.log(level * (length - 1) / (1 - level)) - 1e-9
    query, key = np.exp(-1j * angles * offset), np.ones(3, dtype=complex)
    scores = []
    for case in range(30):
        for keys in range(offset + 1, length + 1):
            errors = rng.normal(size=(keys + 1, 3, 2)) @ [1, 1j]
            if case % 2:  # the target's key is lowered, the others' are raised
                errors[0] = -turned(query, angles, offset)
                errors[1:] = -errors[0]
                errors[1 + offset] = errors[0]
                errors[0] = rng.normal(size=(3, 2)) @ [1, 1j]
            norms = np.linalg.norm(errors, axis=1, keepdims=True)
            errors = np.sqrt(3) * errors / norms
            own = query + noise_q * errors[0]
            logits = [
                scale * (turned(own, angles, j) * (key + noise_k * errors[1 + j]).conj()).real.sum()
                for j in range(keys)
            ]
            scores.append(softmax(logits)[offset])
    assert np.mean(scores) >= level - 1e-9
    assert min(scores) >= level - 1e-9


@pytest.mark.parametrize("noise", [0.0, 0.1, 1.0, 4.0])
@pytest.mark.parametrize(("length", "offset"), [(1, 0), (2, 1), (5, 0), (5, 3)])
def test_typical_noise(length, offset, noise):
    """Claim `slash.emergence-typical`: the target's key drawn apart from the others, all draws counted."""
    rng, draws, others = RNG(4), 7, 6
    g = rng.normal(0, 2, length)
    p, r = rng.dirichlet(np.ones(draws)), rng.dirichlet(np.ones(others))
    own = g[offset] + noise * rng.normal(size=draws)
    rest = g[:, None] + noise * rng.normal(size=(length, others))
    mean = 0.0
    for u, v in product(range(draws), range(others)):
        logits = rest[:, v].copy()
        logits[offset] = own[u]
        mean += p[u] * r[v] * softmax(logits)[offset]
    lowered = p @ np.exp(g[offset] - own)
    raised = np.exp(rest - g[:, None]) @ r
    odds = np.delete(np.exp(g - g[offset]) * raised, offset).sum()
    assert mean >= 1 / (1 + odds * lowered) - 1e-12
    square = 2 * np.log(max(lowered, *np.delete(raised, offset), 1.0))
    plain = np.delete(np.exp(g - g[offset]), offset).sum()
    assert mean >= 1 / (1 + np.exp(square) * plain) - 1e-12


@pytest.mark.parametrize("length", [3, 4])
def test_exchangeable_keys(length):
    """Claim `slash.null-exchange`: all orders of some tokens, places before the query's."""
    rng = RNG(5)
    logit = rng.normal(0, 2, (3, 3))
    prompts = [
        order for tokens in ([0, 1, 2, 2], [0, 0, 1, 2]) for order in permutations(tokens, length)
    ]
    for row in range(2, length + 1):
        weights = [softmax([logit[x[j], x[row - 1]] for j in range(row)]) for x in prompts]
        mean = np.mean(weights, axis=0)
        assert np.allclose(mean[: row - 1], mean[0])
        assert not np.isclose(mean[row - 1], mean[0])  # the query's own place is rightly left out


def test_of_two_neighbouring_planes_one_has_fallen():
    """Claim `slash.neighbours`: 3 (1 - cos 1) on a grid of the box, near its corners, and not below them."""
    least = 3 * (1 - np.cos(1.0))
    x, y = np.meshgrid(np.linspace(1, np.pi, 1500), np.linspace(1.5, 3, 700))
    falls = 2 - np.cos(x) - np.cos(x * y)
    assert falls.min() >= least - 1e-12
    assert falls.min() < least + 0.2  # the constant is not far from the best one
    assert 2 - np.cos(0.6) - np.cos(0.6 * 1.5) < least  # below x = 1
    assert 2 - np.cos(np.pi) - np.cos(np.pi * 2) > least
    assert 2 - np.cos(1.9) - np.cos(1.9 * 3.4) < least  # above y = 3


@pytest.mark.parametrize("eta", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_rows_of_products(length, eta):
    """Claim `slash.row-one-direction`: drawn products of components in an interval, and noise."""
    rng = RNG(31)
    for _ in range(200):
        low, high = np.sort(rng.exponential(size=2)) + 0.01
        target = int(rng.integers(length))
        mean = rng.normal(0, 3, length)
        ceiling = np.maximum(mean, 0) + rng.exponential(size=length)
        mean[target] = high / low * np.delete(ceiling, target).max(initial=0) + rng.exponential()
        own = low + rng.exponential()
        keys = rng.uniform(0, high, length)
        keys[target] = rng.uniform(low, high)
        logits = own * keys * mean + rng.uniform(-eta, eta, length)
        falls = np.delete(low * (low * mean[target] - high * ceiling), target)
        assert softmax(logits)[target] >= (1 - 1e-12) / (1 + np.exp(2 * eta) * np.exp(-falls).sum())


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.3])
def test_queries_and_keys_of_one_direction(noise):
    """Claim `slash.one-direction`: vectors near multiples of one query and one key, rotated by matrices."""
    rng, length, target, scale = RNG(32), 6, 2, 0.4
    angles, checked = np.array([1.0, 0.3, 0.05]), 0
    for _ in range(200):
        query = rng.normal(size=3) + 1j * rng.normal(size=3)
        key = 2 * query * np.exp(1j * angles * target)  # in phase at the target
        turned = np.exp(1j * np.outer(np.arange(length), angles))
        mean = scale * (query * key.conj() * turned).real.sum(1)
        low, high = 0.9, 1.1
        ceiling = np.maximum(mean, 0)
        if high * np.delete(ceiling, target).max() > low * mean[target]:
            continue
        checked += 1
        own, keys = rng.uniform(low, high), rng.uniform(0, high, length)
        keys[target] = rng.uniform(low, high)
        drawn = rng.normal(size=(length + 1, 3)) + 1j * rng.normal(size=(length + 1, 3))
        drawn *= noise / np.linalg.norm(drawn, axis=1, keepdims=True)
        q, k = own * query + drawn[0], keys[:, None] * key + drawn[1:]
        logits = scale * (q * k.conj() * turned).real.sum(1)
        sizes = np.linalg.norm(query), np.linalg.norm(key)
        eta = scale * (high * sum(sizes) * noise + noise**2)
        falls = np.delete(low * (low * mean[target] - high * ceiling), target)
        bound = 1 / (1 + np.exp(2 * eta) * np.exp(-falls).sum())
        assert softmax(logits)[target] >= bound * (1 - 1e-12)
    assert checked > 20
