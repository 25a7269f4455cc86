"""Capped distances inside models: against loops over pairs, and the model put back."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tiny_models
import torch
import transformers
from tiny_models import QWEN
from transformers import (
    Gemma2Config,
    GemmaConfig,
    GPT2Config,
    GPTJConfig,
    GPTNeoXConfig,
    LlamaConfig,
    MistralConfig,
    Phi3Config,
    Qwen2Config,
    Qwen2MoeConfig,
    Qwen3Config,
    Qwen3MoeConfig,
)

from ropeproof.numerics.hugging_face import FAMILIES, capped, visit_layers
from ropeproof.numerics.hugging_face.capped import CAPPED_FAMILIES, capped_distances
from ropeproof.theory.errors import InvalidArgument, Unsupported

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

TOKENS, LAYERS, LENGTH = 40, 2, 9
ONE = {"num_hidden_layers": LAYERS, "vocab_size": TOKENS, "max_position_embeddings": 64}
ONE |= {"hidden_size": 32, "intermediate_size": 48, "bos_token_id": None}
ONE |= {"eos_token_id": None, "pad_token_id": None, "attn_implementation": "eager"}
GROUPED = {**ONE, "num_attention_heads": 4, "num_key_value_heads": 2}
PLAIN = {"rope_type": "default", "rope_theta": 100.0}
YARN = {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0}
YARN |= {"original_max_position_embeddings": 16}
HALF = {**PLAIN, "partial_rotary_factor": 0.5}

CONFIGS = {
    "gpt_neox": lambda: GPTNeoXConfig(**ONE, num_attention_heads=2, rope_parameters=HALF),
    "llama": lambda: LlamaConfig(**GROUPED, rope_parameters=PLAIN),
    "llama, yarn": lambda: LlamaConfig(**GROUPED, rope_parameters=YARN),
    "mistral": lambda: MistralConfig(**GROUPED, rope_parameters=PLAIN, sliding_window=LENGTH),
    "qwen2": lambda: Qwen2Config(**GROUPED, rope_parameters=PLAIN),
    "qwen3": lambda: Qwen3Config(**GROUPED, rope_parameters=PLAIN, head_dim=8),
    "gemma": lambda: GemmaConfig(**GROUPED, rope_parameters=PLAIN, head_dim=10),
    "gemma2": lambda: Gemma2Config(
        **GROUPED,
        rope_parameters=PLAIN,
        head_dim=10,
        sliding_window=LENGTH,
        query_pre_attn_scalar=7,
        attn_logit_softcapping=2.0,
    ),
    "phi3": lambda: Phi3Config(**GROUPED, rope_parameters=HALF, sliding_window=None),
    "qwen2_moe": lambda: Qwen2MoeConfig(
        **GROUPED, **QWEN, rope_parameters=PLAIN, shared_expert_intermediate_size=16
    ),
    "qwen3_moe": lambda: Qwen3MoeConfig(**GROUPED, **QWEN, rope_parameters=PLAIN, head_dim=8),
    **{
        name: tiny_models.CONFIGS[name]
        for name in ("granite", "mixtral", "olmo, clipped", "olmo2", "phi, normed", "stablelm")
    },
}


def make_model(name="llama", dtype=torch.float32, attention="eager"):
    """Random weights, large enough for logits that differ, and biases and norms that are not 0."""
    torch.manual_seed(1)
    model = transformers.AutoModelForCausalLM.from_config(CONFIGS[name]()).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    model.set_attn_implementation(attention)
    return model.to(dtype)


def make_prompts(batch=2, length=LENGTH):
    return torch.from_numpy(np.random.default_rng(0).integers(0, TOKENS, size=(batch, length)))


@torch.no_grad()
def run(model, tokens, **named):
    return model(tokens, use_cache=False, **named)


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


# --- the model is left as it was ----------------------------------------------------------------------


def state(model):
    hooks = [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in model.modules()]
    kind = model.config._attn_implementation, model.base_model.config._attn_implementation
    tables = {name: value.clone() for name, value in model.named_buffers()}
    return hooks, kind, model.config.to_dict(), [m.training for m in model.modules()], tables


def same(one, other):
    assert one[:4] == other[:4]
    assert one[4].keys() == other[4].keys()
    assert all(torch.equal(one[4][name], other[4][name]) for name in one[4])


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


# --- what is refused ----------------------------------------------------------------------------------


def refused(model, tokens=None, *, cap=2, **named):
    before = state(model)
    with pytest.raises(Unsupported) as error, capped_distances(model, cap):
        run(model, make_prompts() if tokens is None else tokens, **named)
    same(state(model), before)
    return str(error.value)


def from_config(config):
    return transformers.AutoModelForCausalLM.from_config(config)


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
