"""Capped distances inside models: the model is put back, and caps in one another."""

from __future__ import annotations

import pytest
import torch
from capped_models import make_model, run, same, state
from tiny_models import make_prompts

from ropeproof.numerics.models import capped
from ropeproof.numerics.models.capped import capped_distances


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_the_model_is_left_as_it_was_found(attention):
    model, tokens = make_model(attention=attention), make_prompts()
    before, own = state(model), run(model, tokens).logits
    with capped_distances(model, 2):
        assert model.config._attn_implementation == "capped_distances"
        run(model, tokens)
    same(state(model), before)
    assert torch.equal(run(model, tokens).logits, own)
    assert not capped._CAPS


def test_on_errors_too(monkeypatch):
    model, tokens = make_model(), make_prompts()
    before = state(model)

    def broken(*_arguments, **_named):
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"), capped_distances(model, 2):  # noqa: PT012
        monkeypatch.setattr(model.model.layers[1].mlp, "forward", broken)
        run(model, tokens)
    same(state(model), before)
    assert not capped._CAPS


def test_the_inner_cap_holds_and_the_outer_one_comes_back():
    model, tokens = make_model(), make_prompts()
    alone = {}
    for cap in (2, 5):
        with capped_distances(model, cap):
            alone[cap] = run(model, tokens).logits
    before = state(model)
    with capped_distances(model, 2):
        with capped_distances(model, 5):
            torch.testing.assert_close(run(model, tokens).logits, alone[5], rtol=0, atol=0)
        torch.testing.assert_close(run(model, tokens).logits, alone[2], rtol=0, atol=0)
    same(state(model), before)


def test_two_models_have_caps_of_their_own():
    first, second, tokens = make_model(), make_model("qwen2"), make_prompts()
    expected = []
    for model, cap in ((first, 2), (second, 5)):
        with capped_distances(model, cap):
            expected.append(run(model, tokens).logits)
    own = run(make_model("mistral"), tokens).logits
    with capped_distances(first, 2), capped_distances(second, 5):
        for model, logits in zip((first, second), expected, strict=True):
            torch.testing.assert_close(run(model, tokens).logits, logits, rtol=0, atol=0)
        torch.testing.assert_close(run(make_model("mistral"), tokens).logits, own, rtol=0, atol=0)
