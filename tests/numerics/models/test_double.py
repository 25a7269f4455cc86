"""A float64 model has float64's numbers: those of a row do not depend on the rows behind it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_models import CONFIGS, LENGTH, make_model, make_prompts

from ropeproof.numerics.bounds.perturbation.losses import token_losses
from ropeproof.numerics.models import head_scores
from ropeproof.numerics.models.double import attention_in_double
from ropeproof.numerics.models.patterns import changed_patterns
from ropeproof.numerics.models.visit import visit_layers
from ropeproof.tools.measure.kinds.rows import PromptHeads, attention_of
from ropeproof.tools.measure.on_demand.ablation import ablate_heads

FIXED = [name for name in CONFIGS if "dynamic" not in name and "longrope" not in name]
"""Those whose frequencies do not depend on the length of the prompt."""


@pytest.mark.parametrize("name", FIXED)
def test_all_rows_are_the_rows_one_by_one(name):
    model, tokens = make_model(name), make_prompts(1)
    every = head_scores(model, tokens, rows="all", tau=1e-2)
    for place, row in enumerate(every.rows):
        alone = head_scores(model, tokens[:, : row + 1], tau=1e-2)
        np.testing.assert_allclose(every.s_pos[..., place], alone.s_pos, rtol=0, atol=1e-11)
        np.testing.assert_allclose(every.s_sym[..., place], alone.s_sym, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", FIXED)
def test_every_layer_is_given_the_same_whatever_stands_behind(name):
    model, tokens = make_model(name), make_prompts(1)
    seen = [[], []]
    for found, prompt in zip(seen, (tokens, tokens[:, :5]), strict=True):
        visit_layers(model, prompt, lambda layer, found=found: found.append(layer.queries))
    for long, short in zip(*seen, strict=True):
        torch.testing.assert_close(long[:, :, :5], short, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["llama", "gptj", "gpt_neox", "qwen2_moe", "cohere"])
def test_losses_of_a_prompt_are_those_of_a_longer_one(name):
    model, tokens = make_model(name), make_prompts(1)
    long, short = token_losses(model, tokens), token_losses(model, tokens[:, :5])
    np.testing.assert_allclose(long[:, :4], short, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", ["llama", "gptj", "gemma2"])
def test_patterns_that_are_caught_are_float64(name):
    model, tokens = make_model(name), make_prompts(1)
    caught = []
    with torch.no_grad(), changed_patterns(model, {1: caught.append}):
        model(tokens, use_cache=False)
    assert caught[0].dtype == torch.float64
    torch.testing.assert_close(
        caught[0].sum(-1), torch.ones_like(caught[0][..., 0]), rtol=0, atol=1e-15
    )


def test_an_ablation_does_not_depend_on_the_attention_that_was_chosen():
    """The fused attention is float64 throughout; its losses are those of the eager one."""
    prompts, found = make_prompts(2).tolist(), {}
    for attention in ("eager", "sdpa"):
        model = make_model("llama")
        model.set_attn_implementation(attention)
        found[attention] = ablate_heads(model, prompts, [(0, 0)], draws=2)
    one, other = found.values()
    assert one.loss == pytest.approx(other.loss, abs=1e-12)
    assert one.heads[0].change == pytest.approx(other.heads[0].change, abs=1e-11)


def test_the_weights_of_kinds_are_of_the_models_type():
    model, tokens = make_model("llama"), make_prompts(1)
    types = set()

    def visit(layer):
        types.update(weights.dtype for _, weights in attention_of(PromptHeads.of(layer)))

    visit_layers(model, tokens, visit)
    visit_layers(make_model("llama", torch.float32), tokens, visit)
    assert types == {torch.float32, torch.float64}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_models_of_other_types_run_as_they_are(dtype):
    model, tokens = make_model("llama", dtype), make_prompts(1)
    with torch.no_grad():
        before = model(tokens).logits
        with attention_in_double(model.base_model):
            assert "forward" not in model.base_model.__dict__
            torch.testing.assert_close(model(tokens).logits, before, rtol=0, atol=0)


def test_the_model_is_left_as_it_was_found_on_errors_too():
    model, tokens = make_model("llama"), make_prompts(1)
    own = model.base_model.forward
    with torch.no_grad():
        before = model(tokens).logits
        with attention_in_double(model.base_model):
            inside = model(tokens).logits
        with pytest.raises(IndexError), attention_in_double(model.base_model):
            model(tokens + 10**6)
        assert model.base_model.forward == own
        assert "forward" not in model.base_model.__dict__
        torch.testing.assert_close(model(tokens).logits, before, rtol=0, atol=0)
    assert 0 < (inside - before).abs().max() < 1e-5
    assert before.shape[1] == LENGTH
