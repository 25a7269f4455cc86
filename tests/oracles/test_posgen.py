"""Claims on logits that are nearly additive in position and content, against softmax rows and vectors."""

from __future__ import annotations

import numpy as np
import pytest
from oracle_values import softmax

RNG = np.random.default_rng


@pytest.mark.parametrize("keys", [1, 2, 3, 20])
@pytest.mark.parametrize("rest", [0.0, 1e-6, 0.5, 3.0, 40.0])
def test_output_of_a_nearly_additive_head(keys, rest):
    """Claim `posgen.length-near`: rests drawn and at their limits, values of any size."""
    rng = RNG(1)
    for case in range(60):
        additive, values = (
            rng.normal(0, 3, keys),
            rng.normal(size=(keys, 2)) * 10.0 ** rng.uniform(-3, 3),
        )
        left = rest * (rng.choice([-1, 1], keys) if case % 2 else rng.uniform(-1, 1, keys))
        moved = np.linalg.norm((softmax(additive + left) - softmax(additive)) @ values)
        diameter = np.linalg.norm(values[:, None] - values, axis=-1).max()
        assert moved <= np.tanh(rest / 2) * diameter * (1 + 1e-9) + 1e-12 * np.abs(values).max()


@pytest.mark.parametrize("rest", [0.0, 0.1, 1.0, 5.0])
def test_two_keys_attain_the_bound(rest):
    """Claim `posgen.length-near`: two keys whose order of logits the rest turns round."""
    additive, left = np.array([-rest, 0.0]), np.array([rest, -rest])
    gained = (softmax(additive + left) - softmax(additive))[0]
    assert np.isclose(gained, np.tanh(rest / 2))
    assert np.isclose(1 / (1 + np.exp(-rest)) - 1 / (1 + np.exp(rest)), np.tanh(rest / 2))


@pytest.mark.parametrize("middle", [0.0, 0.5, 10.0, 1000.0])
@pytest.mark.parametrize("angles", [(), (0.0,), (1.0,), (0.1,), (1e-3, 0.1, 3.0)])
def test_three_axes(angles, middle):
    """Claim `posgen.three-axis`: deviations drawn and as large as allowed, at lags of the whole window."""
    rng, m, scale = RNG(2), len(angles), 0.6
    angles = np.array(angles)
    slow = middle * angles <= 1
    for case in range(40):
        q, k, dq, dk = rng.normal(size=(4, m, 2)) @ [1, 1j]
        a, b = rng.exponential(size=(2, m)) * 10.0 ** rng.uniform(-3, 1)
        room = 1 if case % 2 else rng.uniform(size=m)
        dq = dq / np.abs(dq) * a * np.abs(q) * room
        dk = dk / np.abs(dk) * b * np.abs(k) * room
        lag = rng.choice([0.0, middle, 2 * middle, rng.uniform(0, 2 * middle)])
        turned, mid = np.exp(1j * angles * lag), np.exp(1j * angles * middle)
        whole = ((q + dq) * (k + dk).conj() * turned).real.sum()
        parts = (q * k.conj() * turned).real.sum()
        parts += ((dq * k.conj() + q * dk.conj()) * mid).real[slow].sum()
        error = (np.abs(q * k) * (a * b + (a + b) * np.minimum(1, angles * middle))).sum()
        assert scale * abs(whole - parts) <= scale * error * (1 + 1e-9) + 1e-12


def test_three_axes_is_nearly_attained():
    """Claim `posgen.three-axis`: in one fast plane all of the deviation counts."""
    q, k, a, b = 1.0, 1.0, 0.3, 0.2
    whole, parts = (1 + a) * (1 + b), 1.0  # lag 0, deviations along query and key, theta t_0 > 1
    assert np.isclose(abs(whole - parts), q * k * (a * b + a + b))


@pytest.mark.parametrize("cells", [2, 3])
@pytest.mark.parametrize("m", [1, 2])
def test_bounded_features_crowd(m, cells):
    """Claim `posgen.bounded-capacity`: more than G^m lags, of which two are near in the mean square."""
    rng, scale = RNG(35), 0.7
    for _ in range(40):
        angles = rng.uniform(0, np.pi, m)
        outcomes = rng.normal(size=(4, 2, m)) + 1j * rng.normal(size=(4, 2, m))
        outcomes /= np.sqrt(
            (np.abs(outcomes) ** 2).sum(2, keepdims=True)
        )  # queries and keys of norm 1
        lags = rng.choice(10_000, cells**m + 1, replace=False)
        turned = np.exp(1j * np.outer(lags, angles))
        logits = scale * ((outcomes[:, 0] * outcomes[:, 1].conj()) @ turned.T).real
        apart = ((logits[:, :, None] - logits[:, None]) ** 2).mean(0)
        nearest = apart[np.triu_indices(len(lags), 1)].min()
        assert nearest <= (2 * np.pi * scale / cells) ** 2 + 1e-12
