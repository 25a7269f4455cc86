"""Slash heads: what is guaranteed holds, for any spec, type and prompt."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from rotations import SPECS
from slash_prompts import TYPES, attention, by_hand, on_target, prompts_of

from ropeproof.constructions import (
    ARITHMETICS,
    SlashHead,
    slash_head,
    to_layout,
    uniform_profile,
)
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.strategies import specs
from ropeproof.theory.errors import InvalidArgument

WINDOWS = [(0, 12), (1, 40), (20, 41), (30, 31)]


@pytest.mark.parametrize("offset_and_length", WINDOWS, ids=str)
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_score_is_guaranteed_in_every_type(spec, offset_and_length):
    offset, length = offset_and_length
    head = slash_head(spec, offset, length, 0.9)
    assert head.certificate.claim == "slash.emergence"
    assert head.certificate.arithmetic == "float64"
    assert head.certificate.quantities["score"] >= 0.9
    scores = []
    for name in ARITHMETICS:
        certificate = head.certificates[name]
        assert (certificate.claim, certificate.arithmetic) == ("slash.sandwich", name)
        scores.append(certificate.quantities["score"])
        for size in (length, offset + 1):
            weights = on_target(head, prompts_of(head, size), TYPES[name])
            assert weights.min() >= certificate.quantities["weight"]
            assert weights.mean(1).min() >= certificate.quantities["score"]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] >= head.certificate.quantities["score"]
    assert scores[1] >= 0.9


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_margin_and_leak_bound_every_logit(spec):
    """Against a computation that shares no code: the certificate's parts are bounds, and close."""
    offset, length, score = 3, 30, 0.8
    head = slash_head(spec, offset, length, score, seed=5)
    table = by_hand(head)
    bound = head.bound()
    mean = table.mean((0, 1))
    others = np.delete(mean, offset)
    margin = mean[offset] - others.max()
    assert bound.margin <= margin + 1e-12
    assert bound.margin == pytest.approx(margin, abs=1e-9)
    moved = np.abs(table - mean).max()
    assert moved <= bound.leak <= 20 * moved
    assert bound.rounding < 1e-9
    assert np.abs(table).max() <= bound.amplitude
    competition = np.exp(others - mean[offset]).sum()
    assert bound.competition == pytest.approx(competition, rel=1e-6)
    assert bound.competition >= competition * (1 - 1e-12)
    # The condition of slash.emergence, with the amplitude not larger than it needs.
    needed = 2 * bound.leak + math.log((length - 1) * score / (1 - score))
    assert needed <= bound.margin <= needed * 1.001
    # Every row of every prompt: the target against the worst tokens everywhere else.
    worst = table[:, :, offset].min(1) - np.delete(table, offset, 2).max((1, 2))
    assert bound.kept_margin <= worst.min()


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_without_leak_attention_is_the_same_on_every_prompt(spec):
    head = slash_head(spec, 2, 20, 0.9, leak=0)
    rows = attention(head, prompts_of(head))
    np.testing.assert_allclose(rows, np.broadcast_to(rows[0], rows.shape), rtol=0, atol=1e-13)
    assert head.bound().leak < 1e-11
    leaky = attention(slash_head(spec, 2, 20, 0.9), prompts_of(head))
    assert np.abs(leaky[0] - leaky[3]).max() > 1e-5


@given(spec=specs(most_planes=6), data=st.data())
@settings_for("quick", cases=40)
def test_any_spec_is_guaranteed_or_refused(spec, data):
    offset = data.draw(st.integers(0, 12))
    length = data.draw(st.integers(max(2, offset + 1), 30))
    score = data.draw(st.sampled_from([0.3, 0.9, 0.999]))
    # Float64 cannot tell positions apart if all planes are too slow.
    refused = float(frequencies_float64(spec).max()) < 1e-4
    try:
        head = slash_head(spec, offset, length, score, profile=uniform_profile(spec))
    except InvalidArgument:
        if not refused:
            raise
        return
    assert head.certificate.quantities["score"] >= score
    for name, dtype in TYPES.items():
        weights = on_target(head, prompts_of(head), dtype)
        assert weights.min() >= head.certificates[name].quantities["weight"]


def test_the_largest_leak_is_named_and_anything_below_it_works():
    spec = SPECS["half"]
    with pytest.raises(InvalidArgument, match=r"leak: got 0\.9, allowed: a smaller one"):
        slash_head(spec, 1, 32, 0.9, leak=0.9)
    small, large = (slash_head(spec, 1, 32, 0.9, leak=leak) for leak in (0.01, 0.04))
    assert large.certificate.quantities["amplitude"] > small.certificate.quantities["amplitude"]
    for head in (small, large):
        assert on_target(head, prompts_of(head)).min() >= 0.9


def test_the_leak_and_the_cone_are_as_asked():
    head = slash_head(SPECS["partial half"], 1, 32, 0.9, leak=0.02, token_size=0.5)
    assert head.directions is not None
    shared = head.directions.place("shared")
    assert (head.embeddings[:, shared] == 1).all()
    parts = np.delete(head.embeddings, shared, 1)
    np.testing.assert_allclose(np.linalg.norm(parts, axis=1), 0.5)
    for weights in (head.w_q, head.w_k):
        rest = np.linalg.norm(np.delete(weights, shared, 1), 2)
        assert rest == pytest.approx(0.02 * np.linalg.norm(weights[:, shared]))


def test_more_tokens_than_dimensions():
    parts = np.random.default_rng(3).normal(size=(100, 7))
    names = [f"word {n}" for n in range(100)]
    head = slash_head(SPECS["half"], 1, 40, 0.9, tokens=names, parts=parts)
    assert head.width == 8
    assert on_target(head, prompts_of(head)).min() >= head.certificate.quantities["weight"] >= 0.9


def test_it_copies_the_previous_token():
    """Claim slash.composition: the output is within (1 - S) diam of the copied part."""
    head = slash_head(SPECS["model"], 1, 32, 0.99)
    prompt = prompts_of(head)[0]
    x = torch.tensor(head.embed(prompt))
    with torch.no_grad():
        output = head.to_module()(x).numpy()
    parts = head.embed(prompt) @ head.w_v.T @ head.w_o.T
    off = np.linalg.norm(output[1:] - parts[:-1], axis=1)
    assert off.max() <= (1 - head.certificate.quantities["weight"]) * math.sqrt(2) + 1e-12
    assert parts[:, 0].tolist() == [0.0] * 32


def test_the_other_layout_has_the_same_guarantee():
    head = slash_head(SPECS["half"], 2, 30, 0.9)
    other = to_layout(head, "interleaved")
    assert isinstance(other, SlashHead)
    assert other.certificate.quantities == head.certificate.quantities
    np.testing.assert_allclose(
        attention(other, prompts_of(head)), attention(head, prompts_of(head)), rtol=0, atol=1e-12
    )


def test_equal_amplitudes():
    head = slash_head(SPECS["model"], 5, 64, 0.9, profile=uniform_profile(SPECS["model"]))
    best = slash_head(SPECS["model"], 5, 64, 0.9)
    assert on_target(head, prompts_of(head)).min() >= 0.9
    sizes = [h.certificate.quantities["amplitude"] for h in (head, best)]
    assert sizes[0] > 5 * sizes[1]


def test_nothing_is_left_in_a_type_that_is_too_narrow():
    spec = SPECS["model"]
    head = slash_head(spec, 5, 64, 0.9, profile=uniform_profile(spec))
    narrow = head.certificates["bfloat16"].quantities
    assert dict(narrow) == {"length": 64, "score": 0.0, "weight": 0.0}
    assert head.certificates["float32"].quantities["score"] > 0.9
