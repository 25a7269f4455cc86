"""Capped distances inside models: against the model's own attention and loops over pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from capped_models import CONFIGS, make_model, run
from tiny_models import LENGTH, make_prompts

from ropeproof.numerics.models import FAMILIES, capped, visit_layers
from ropeproof.numerics.models.capped import CAPPED_FAMILIES, capped_distances


def test_all_families_but_some_are_covered():
    assert {CONFIGS[name]().model_type for name in CONFIGS} == set(CAPPED_FAMILIES)
    assert set(FAMILIES) - set(CAPPED_FAMILIES) == {
        "cohere",
        "gemma3_text",
        "gptj",
        "olmo3",
    }


# --- a cap that no lag exceeds ----------------------------------------------------------------------


# The sdpa implementation leaves out the soft cap of gemma2.
OWN = [(n, a) for n in CONFIGS for a in ("eager", "sdpa") if (n, a) != ("gemma2", "sdpa")]


@pytest.mark.parametrize(("name", "attention"), OWN)
def test_a_cap_that_no_lag_exceeds_changes_nothing(name, attention):
    model, tokens = make_model(name, attention=attention), make_prompts()
    own = run(model, tokens).logits
    for cap in (LENGTH - 1, LENGTH, 10**6):
        with capped_distances(model, cap) as found:
            assert found is model
            torch.testing.assert_close(run(model, tokens).logits, own, rtol=0, atol=1e-5)
    with capped_distances(model, LENGTH - 2):
        other = run(model, tokens).logits
    assert (other - own)[:, -1].abs().max() > 1e-4  # the cap below it does


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_the_same_in_other_types(dtype):
    model, tokens = make_model("llama", dtype), make_prompts()
    own = run(model, tokens).logits
    with capped_distances(model, LENGTH):
        found = run(model, tokens).logits
    assert found.dtype == dtype
    # The eager implementation has its softmax in float32.
    torch.testing.assert_close(found, own, rtol=0, atol=1e-5)


# --- smaller caps -------------------------------------------------------------------------------------


def by_loops(layer, cap):
    """The weights of one layer, pair by pair, from its queries and keys before rotation."""
    queries, keys = layer.queries.double().numpy(), layer.keys.double().numpy()
    cosines, sines = (t.numpy() for t in (layer.rotation.cosines, layer.rotation.sines))
    real, imaginary = list(layer.rotation.real), list(layer.rotation.imaginary)
    batch, heads, length, _ = queries.shape
    weights = np.zeros((batch, heads, length, length))

    def turned(x, place):
        return (x[real] + 1j * x[imaginary]) * (cosines[place] + 1j * sines[place])

    for b, h, i in np.ndindex(batch, heads, length):
        row = []
        for j in range(i + 1):
            query, key = queries[b, h, i], keys[b, h // (heads // keys.shape[1]), j]
            at = (i, j) if i - j <= cap else (cap, 0)
            logit = layer.scale * (turned(query, at[0]) * turned(key, at[1]).conj()).sum().real
            if layer.soft_cap is not None:
                logit = layer.soft_cap * math.tanh(logit / layer.soft_cap)
            row.append(logit)
        sizes = np.exp(np.array(row) - max(row))
        weights[b, h, i, : i + 1] = sizes / sizes.sum()
    return weights


@pytest.mark.parametrize("cap", [0, 1, 3, LENGTH - 2])
@pytest.mark.parametrize("name", CONFIGS)
def test_weights_are_those_of_loops_over_pairs(name, cap):
    model, tokens = make_model(name, torch.float64), make_prompts()
    layers = []
    with capped_distances(model, cap):
        visit_layers(model, tokens, layers.append)
        found = run(model, tokens, output_attentions=True).attentions
    for layer, weights in zip(layers, found, strict=True):
        expected = by_loops(layer, cap)
        np.testing.assert_allclose(weights.numpy(), expected, rtol=0, atol=1e-7)
        assert abs(expected - by_loops(layer, cap + 1)).max() > 1e-5  # another cap would show


@pytest.mark.parametrize("name", CONFIGS)
def test_no_lag_at_all_is_every_token_at_one_position(name):
    """With every token at position 0 all lags are 0: two ways to say the same thing."""
    model, tokens = make_model(name), make_prompts()
    nowhere = torch.zeros_like(tokens)
    with capped_distances(model, 0):
        found = run(model, tokens).logits
    # Equal positions look like packed sequences unless the mask is given.
    mask = torch.ones_like(tokens)
    expected = run(model, tokens, position_ids=nowhere, attention_mask=mask).logits
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


def test_lags_are_those_of_the_positions():
    model, tokens = make_model(), make_prompts()
    mask, twice = torch.ones_like(tokens), torch.arange(LENGTH)[None] * 2
    own = run(model, tokens, position_ids=twice, attention_mask=mask).logits
    with capped_distances(model, 2 * LENGTH - 2):
        wide = run(model, tokens, position_ids=twice, attention_mask=mask).logits
    with capped_distances(model, LENGTH):
        narrow = run(model, tokens, position_ids=twice, attention_mask=mask).logits
    torch.testing.assert_close(wide, own, rtol=0, atol=1e-5)
    assert (narrow - own).abs().max() > 1e-3


def test_nothing_depends_on_how_many_logits_are_formed_at_once(monkeypatch):
    model, tokens = make_model("gemma2"), make_prompts()
    with capped_distances(model, 3):
        whole = run(model, tokens, output_attentions=True)
        monkeypatch.setattr(capped, "_AT_ONCE", 100)
        parts = run(model, tokens, output_attentions=True)
    torch.testing.assert_close(parts.logits, whole.logits, rtol=0, atol=1e-5)
    for part, full in zip(parts.attentions, whole.attentions, strict=True):
        torch.testing.assert_close(part, full, rtol=0, atol=1e-6)


def test_padding_is_not_seen():
    model, tokens = make_model(), make_prompts()
    mask = torch.ones_like(tokens)
    mask[:, :2] = 0
    with capped_distances(model, 3):
        found = run(model, tokens, attention_mask=mask).logits
        tokens[:, :2] = 7
        other = run(model, tokens, attention_mask=mask).logits
        without = run(model, tokens[:, 2:]).logits
    torch.testing.assert_close(found[:, 2:], other[:, 2:], rtol=0, atol=1e-6)
    torch.testing.assert_close(found[:, 2:], without, rtol=0, atol=1e-5)


def test_masks_of_a_users_own_are_added_or_read_as_booleans():
    model, tokens = make_model(), make_prompts()
    seen = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    seen[4:, 2] = False
    added = torch.zeros(LENGTH, LENGTH).masked_fill(~seen, torch.finfo(torch.float32).min)
    with capped_distances(model, 3):
        plain = run(model, tokens).logits
        found = [
            run(model, tokens, attention_mask=mask.expand(2, 1, -1, -1)).logits
            for mask in (seen, added)
        ]
    torch.testing.assert_close(found[0], found[1], rtol=0, atol=1e-6)
    assert (found[0] - plain)[:, 4:].abs().max() > 1e-3


def test_a_mask_that_is_not_there_is_causal():
    logits = torch.zeros(1, 1, 1, 2, 4)
    found = capped._mask(None, slice(1, 3), logits)[0, 0, 0]
    assert (found == 0).tolist() == [[True, True, False, False], [True, True, True, False]]


def test_gradients_and_dropout_go_through():
    model, tokens = make_model("gpt_neox"), make_prompts()
    for layer in model.gpt_neox.layers:
        layer.attention.attention_dropout = 0.5
    with capped_distances(model, 3):
        model(tokens, use_cache=False).logits.sum().backward()
        assert model.gpt_neox.layers[0].attention.query_key_value.weight.grad.abs().max() > 0
        still = [run(model, tokens).logits for _ in range(2)]
        model.train()
        torch.manual_seed(0)
        drawn = [run(model, tokens).logits for _ in range(2)]
    torch.testing.assert_close(still[0], still[1], rtol=0, atol=0)
    assert (drawn[0] - drawn[1]).abs().max() > 1e-3
