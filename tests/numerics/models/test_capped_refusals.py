"""Capped distances inside models: which models, inputs and caps are refused."""

from __future__ import annotations

import pytest
import torch
from capped_models import CONFIGS, from_config, make_model, run, same, state
from tiny_models import GROUPED, LENGTH, PLAIN, TOKENS, make_prompts
from transformers import (
    Gemma2Config,
    GPT2Config,
    GPTJConfig,
    LlamaConfig,
    MistralConfig,
    Phi3Config,
    Qwen2Config,
)

from ropeproof.numerics.models import FAMILIES
from ropeproof.numerics.models.capped import CAPPED_FAMILIES, capped_distances
from ropeproof.theory.errors import InvalidArgument, Unsupported


def refused(model, tokens=None, *, cap=2, **named):
    before = state(model)
    with pytest.raises(Unsupported) as error, capped_distances(model, cap):
        run(model, make_prompts() if tokens is None else tokens, **named)
    same(state(model), before)
    return str(error.value)


def test_gptj_and_other_families_are_refused_by_name():
    gptj = GPTJConfig(vocab_size=TOKENS, n_embd=32, n_layer=1, n_head=2, rotary_dim=8)
    assert refused(from_config(gptj)) == (
        "model_type 'gptj': its attention does not go through transformers' attention interface, "
        f"as that of {', '.join(CAPPED_FAMILIES)} does"
    )
    gpt2 = from_config(GPT2Config(vocab_size=TOKENS, n_embd=16, n_layer=1, n_head=2))
    assert refused(gpt2) == f"model_type 'gpt2': not one of {', '.join(FAMILIES)}"


@pytest.mark.parametrize(
    ("make", "options", "layer"),
    [
        (MistralConfig, {"sliding_window": 4}, 0),
        (Phi3Config, {"sliding_window": 4}, 0),
        (Gemma2Config, {"sliding_window": 4, "head_dim": 8}, 0),
        (
            Qwen2Config,
            {"sliding_window": 4, "use_sliding_window": True, "max_window_layers": 1},
            1,
        ),
    ],
)
def test_sliding_windows_shorter_than_the_input_are_refused(make, options, layer):
    model = from_config(make(**GROUPED, rope_parameters=PLAIN, **options)).eval()
    message = f"layer {layer}: a sliding window of 4 positions for {LENGTH} tokens"
    assert refused(model) == message
    with capped_distances(model, 2):
        assert run(model, make_prompts(length=4)).logits.shape == (2, 4, TOKENS)


@pytest.mark.parametrize("kind", ["dynamic", "longrope"])
def test_frequencies_that_change_with_the_length_are_refused(kind):
    rope = {"rope_type": kind, "rope_theta": 100.0, "factor": 2.0}
    rope |= {"short_factor": [1.0] * 4, "long_factor": [2.0] * 4} if kind == "longrope" else {}
    model = from_config(LlamaConfig(**GROUPED, rope_parameters=rope))
    assert refused(model) == f"rope_type '{kind}': not one of default, linear, llama3, yarn"


def test_attention_to_the_future_is_refused():
    model = make_model("gemma")
    model.model.layers[1].self_attn.is_causal = False
    assert refused(model) == "model_type 'gemma' with attention that is not causal"


def test_a_cache_of_earlier_keys_is_refused():
    model, tokens = make_model(), make_prompts()
    with torch.no_grad(), capped_distances(model, 2):
        # One pass that fills a cache sees no earlier keys; the next one does.
        cache = model(tokens[:, :5], use_cache=True).past_key_values
        with pytest.raises(Unsupported, match="9 keys for 4 queries: use_cache=False"):
            model(tokens[:, 5:], past_key_values=cache)


def test_a_layer_outside_its_model_is_refused():
    model = make_model()
    attention = model.model.layers[0].self_attn
    x, tables = torch.ones(1, 3, 32), (torch.ones(1, 3, 8), torch.zeros(1, 3, 8))
    with capped_distances(model, 2), pytest.raises(Unsupported, match="outside its model"):
        attention(x, position_embeddings=tables)


def test_a_model_that_shares_the_configuration_is_refused():
    model, other = make_model(), make_model()
    other.base_model.config = model.base_model.config
    for layer in other.model.layers:
        layer.self_attn.config = model.base_model.config
    with (
        capped_distances(model, 2),
        pytest.raises(Unsupported, match="a model that shares its configuration"),
    ):
        run(other, make_prompts())


@pytest.mark.parametrize("cap", [-1, 2.5, True, None, "far"])
def test_bad_caps_are_refused(cap):
    model = make_model()
    with pytest.raises(InvalidArgument) as error, capped_distances(model, cap):
        pass
    assert error.value.argument == "cap"


def test_what_is_not_a_model_is_refused():
    with torch.device("meta"):
        meta = from_config(CONFIGS["llama"]())
    for thing in (None, "llama", torch.nn.Linear(2, 2), meta):
        with pytest.raises(InvalidArgument) as error, capped_distances(thing, 2):
            pass
        assert error.value.argument == "model"
