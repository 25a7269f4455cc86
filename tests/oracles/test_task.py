"""The printed claim that constructed heads answer on every input: inputs on which they do not."""

from __future__ import annotations

import numpy as np


def answer(logits, tokens):
    """The token of the largest softmax mass, or None at a tie."""
    weights = np.exp(logits - logits.max())
    weights /= weights.sum()
    mass = {
        token: sum(w for w, t in zip(weights, tokens, strict=True) if t == token)
        for token in tokens
    }
    best = max(mass.values())
    winners = [token for token, w in mass.items() if w > best - 1e-12]
    return winners[0] if len(winners) == 1 else None


def circle(count):
    """Evenly spaced unit vectors."""
    turns = 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def test_index_without_a_scale():
    """Claim `task.printed-scale`, Lemma 3: one token at the index, another one everywhere else."""
    n, asked = 4, 1
    tokens = ["other"] * n
    tokens[asked] = "right"
    logits = np.cos(np.pi / n * (asked - np.arange(n)))
    assert answer(logits, tokens) == "other"
    assert answer(100 * logits, tokens) == "right"


def test_retrieval_without_a_scale():
    """Claim `task.printed-scale`, Lemma 4: the queried symbol once, the others with one value in common."""
    vectors = circle(8)
    logits = vectors @ vectors[0]
    tokens = ["right", *["other"] * 7]
    assert answer(logits, tokens) == "other"
    assert answer(100 * logits, tokens) == "right"


def test_last_pair_without_a_scale():
    """Claim `task.printed-scale`, Lemma 6: the queried symbol twice before its last pair."""
    vectors, slow = circle(3), 0.01
    symbols, tokens = [0, 0, 0], ["other", "other", "right"]
    places = np.arange(3)
    logits = vectors[symbols] @ vectors[0] + np.cos(slow * (3 - places))
    assert answer(logits, tokens) == "other"
    assert answer(1e5 * logits, tokens) == "right"


def test_a_slow_plane_prefers_the_later_position():
    """Claim `task.induction-recency`: all pairs of lags at several lengths, and a phase that would not do."""
    for longest in (1, 2, 9, 60):
        for turn in (np.pi / 2 / longest, 0.3 / longest, 1e-5):
            values = np.cos(turn * np.arange(longest + 1) + np.pi / 4)
            gap = np.sqrt(2) * np.sin(turn / 2)
            assert 0 < gap <= 1
            assert (values[:-1] - values[1:] >= gap - 1e-12).all()  # so for any two lags
            assert (np.abs(values) <= np.sqrt(0.5) + 1e-12).all()
    assert np.cos(np.pi / 2 - np.pi / 4) - np.cos(np.pi / 4 - np.pi / 4) < 0
