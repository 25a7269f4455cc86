"""Scores of transformers models against the definition run on the model's own layers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
import transformers
from tiny_models import CONFIGS, GROUPED, LAYERS, LENGTH, PLAIN, TOKENS, make_model, make_prompts
from torch.nn import functional
from transformers import (
    Gemma2Config,
    GemmaConfig,
    GPT2Config,
    LlamaConfig,
    MistralConfig,
    Phi3Config,
    Qwen2Config,
)
from transformers.models.gptj import modeling_gptj

from ropeproof.numerics.head import head_scores_of
from ropeproof.numerics.hugging_face import FAMILIES, capture_heads, head_scores
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.spec import RopeSpec


@pytest.fixture
def double_softmax(monkeypatch):
    """The attention of the library, which casts to float32 for its softmax, in float64."""
    plain = functional.softmax

    def softmax(scores, dim=-1, dtype=None):
        return plain(scores, dim=dim)

    def gptj(self, query, key, value, attention_mask=None):
        scores = query @ key.transpose(-1, -2) / self.scale_attn
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = plain(scores, dim=-1)
        return weights @ value, weights

    monkeypatch.setattr(functional, "softmax", softmax)
    monkeypatch.setattr(modeling_gptj.GPTJAttention, "_attn", gptj)


def layer_calls(model, tokens):
    """Every layer, its attention, and the arguments that it is called with in a forward pass."""
    base, calls = model.base_model, []
    layers = base.h if hasattr(base, "h") else base.layers

    def note(layer, arguments, named):
        calls.append((layer, arguments, named))

    hooks = [layer.register_forward_pre_hook(note, with_kwargs=True) for layer in layers]
    with torch.no_grad():
        base(input_ids=tokens, use_cache=False)
    for hook in hooks:
        hook.remove()
    return calls


def attention_after(call, order):
    """`(batch, heads, length, length)` of the layer run again on permuted contents."""
    layer, (hidden, *rest), named = call
    attention = next(
        getattr(layer, n) for n in ("attn", "attention", "self_attn") if hasattr(layer, n)
    )
    found = []
    hook = attention.register_forward_hook(lambda _m, _a, output: found.append(output[1]))
    with torch.no_grad():
        layer(hidden[:, order], *rest, **named)
    hook.remove()
    return found[0].double().numpy()


def by_definition(model, tokens, *, block=1, tau=1e-4, row=-1):
    """`(2, batch, layers, heads)`: contents swapped, the layer run again, nothing else."""
    length = tokens.shape[1]
    last = row % length
    blocks = [list(range(f, f + block)) for f in range(0, last - block + 1, block)]
    scores = []
    for call in layer_calls(model, tokens):
        plain = attention_after(call, list(range(length)))[:, :, last]
        terms = []
        for left, right in itertools.combinations(blocks, 2):
            order = list(range(length))
            for i, j in zip(left, right, strict=True):
                order[i], order[j] = j, i
            swapped = attention_after(call, order)[:, :, last]
            v = np.stack([plain[..., b].mean(-1) for b in (left, right)])
            u = np.stack([swapped[..., b].mean(-1) for b in (left, right)])
            norm = np.sqrt((v * v).sum(0) * (u * u).sum(0))
            cosines = [(u * v).sum(0) / norm, (u * v[::-1]).sum(0) / norm]
            terms.append((abs(v[0] - v[1]) / tau, *cosines))
        gaps, positional, symbolic = (np.stack(part) for part in zip(*terms, strict=True))
        weights = np.exp(gaps - gaps.max(0))
        weights /= weights.sum(0)
        scores.append([(weights * positional).sum(0), (weights * symbolic).sum(0)])
    return np.array(scores).transpose(1, 2, 0, 3)


# --- the definition ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.usefixtures("double_softmax")
def test_scores_are_those_of_the_layer_run_again(name, block):
    model, tokens = make_model(name), make_prompts()
    found = head_scores(model, tokens, block=block)
    expected = by_definition(model, tokens, block=block)
    heads = model.config.num_attention_heads
    assert found.s_pos.shape == found.s_sym.shape == found.purity.shape == (2, LAYERS, heads)
    np.testing.assert_allclose(found.s_pos, expected[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.s_sym, expected[1], rtol=0, atol=1e-10)
    assert found.s_pos.std() > 1e-4  # not all alike, or there is nothing to compare
    assert found.family == model.config.model_type
    assert found.rows == (LENGTH - 1,)


def test_every_family_is_covered():
    assert {CONFIGS[name]().model_type for name in CONFIGS} == set(FAMILIES)


@pytest.mark.parametrize("name", ["gptj", "llama", "gemma2"])
@pytest.mark.usefixtures("double_softmax")
def test_every_row_is_scored(name):
    model, tokens = make_model(name), make_prompts()
    found = head_scores(model, tokens, rows="all", tau=1e-2)
    assert found.rows == tuple(range(2, LENGTH))
    for place, row in enumerate(found.rows):
        expected = by_definition(model, tokens, tau=1e-2, row=row)
        np.testing.assert_allclose(found.s_pos[..., place], expected[0], rtol=0, atol=1e-10)
        np.testing.assert_allclose(found.s_sym[..., place], expected[1], rtol=0, atol=1e-10)


@pytest.mark.usefixtures("double_softmax")
def test_the_comparison_can_fail():
    """Another layout, another scale or the positions moved with the contents would show."""
    model, tokens = make_model("llama"), make_prompts()
    expected = by_definition(model, tokens)[0]
    heads = capture_heads(model, tokens)
    queries = heads.queries.unflatten(2, (-1, heads.groups))
    keys = heads.keys.unsqueeze(3)
    right = RopeSpec(8, 100)
    for spec, scale, least in (
        (right, None, 0.0),
        (RopeSpec(8, 100, layout="interleaved"), None, 1e-3),
        (right, 0.3, 1e-3),
        (RopeSpec(8, 101), None, 1e-5),
    ):
        found = head_scores_of(queries, keys, spec, scale=scale).positional.flatten(2, 3)
        off = abs(found.numpy() - expected).max()
        # With the exact frequencies all that differs is the float32 of the model's tables.
        assert off <= 1e-2 if spec is right and scale is None else off > least


@pytest.mark.parametrize("name", ["gptj", "gpt_neox", "llama", "qwen2", "gemma"])
def test_the_tables_are_those_of_the_spec_up_to_float32(name):
    model, tokens = make_model(name), make_prompts()
    heads = capture_heads(model, tokens)
    spec = RopeSpec.from_config(model.config)
    pairs = tuple(zip(heads.rotation.real, heads.rotation.imaginary, strict=True))
    assert pairs == spec.plane_coordinates()
    queries = heads.queries.unflatten(2, (-1, heads.groups))
    exact = head_scores_of(queries, heads.keys.unsqueeze(3), spec, tau=1, scale=heads.scale)
    found = head_scores(model, tokens, tau=1)
    np.testing.assert_allclose(
        exact.positional.flatten(2, 3).numpy(), found.s_pos, rtol=0, atol=1e-6
    )


@pytest.mark.parametrize("name", ["gptj", "phi3"])
def test_planes_of_a_model(name):
    model, tokens = make_model(name), make_prompts()
    found = head_scores(model, tokens, planes=True)
    heads = capture_heads(model, tokens)
    count = heads.rotation.planes
    assert found.s_pos.shape == (2, LAYERS, model.config.num_attention_heads, count)
    still = heads.rotation.sines.abs().sum(0) == 0
    assert int(still.sum()) == {"gptj": 4, "phi3": 2}[name]
    np.testing.assert_allclose(found.s_sym[..., still.numpy()], 1, atol=1e-9)
    assert found.s_sym[..., ~still.numpy()].min() < 0.99
    rows = head_scores(model, tokens, planes=True, rows="all")
    assert rows.s_pos.shape == (*found.s_pos.shape, LENGTH - 2)
    np.testing.assert_allclose(rows.s_pos[..., -1], found.s_pos, atol=1e-10)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_models_of_lower_types_give_float64(dtype):
    model = make_model("qwen2", dtype)
    found = head_scores(model, make_prompts(), tau=1.0)
    assert found.s_pos.dtype == np.float64
    near = head_scores(make_model("qwen2"), make_prompts(), tau=1.0)
    tolerance = 1e-4 if dtype == torch.float32 else 0.2
    np.testing.assert_allclose(found.s_pos, near.s_pos, atol=tolerance)


@pytest.mark.parametrize("kind", [np.asarray, lambda t: t.tolist(), lambda t: t.int()])
def test_tokens_of_every_kind(kind):
    model, tokens = make_model("llama"), make_prompts()
    expected = head_scores(model, tokens)
    found = head_scores(model, kind(tokens))
    np.testing.assert_array_equal(found.s_pos, expected.s_pos)
    alone = head_scores(model.base_model, tokens[1:])
    np.testing.assert_allclose(alone.s_pos[0], expected.s_pos[1], atol=1e-9)


def test_purity_is_of_the_level():
    model, tokens = make_model("gptj"), make_prompts()
    wide, narrow = (head_scores(model, tokens, gamma=g) for g in (0.4, 1e-9))
    assert (wide.gamma, narrow.gamma) == (0.4, 1e-9)
    assert set(narrow.purity.ravel()) <= {"neither", "both", "symbolic", "positional"}
    assert (wide.purity != "neither").sum() > (narrow.purity != "neither").sum()


# --- the model is left as it was ----------------------------------------------------------------------


def state(model):
    hooks = [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in model.modules()]
    return hooks, [m.training for m in model.modules()], model.config.to_dict()


def test_the_model_is_left_as_it_was_found():
    model, tokens = make_model("llama"), make_prompts()
    model.train()
    model.model.layers[1].mlp.eval()
    weights = {name: value.clone() for name, value in model.state_dict().items()}
    before = state(model)
    found = head_scores(model, tokens)
    assert state(model) == before
    assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())
    assert torch.is_grad_enabled()
    model.eval()
    np.testing.assert_array_equal(found.s_pos, head_scores(model, tokens).s_pos)


def test_dropout_of_a_model_in_training_is_off():
    model = make_model("gptj").train()
    model.transformer.drop.p = 0.5
    first, second = (head_scores(model, make_prompts()).s_pos for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert model.training


def test_hooks_are_removed_on_an_error(monkeypatch):
    model = make_model("gpt_neox").train()
    before = state(model)

    def broken(*_arguments, **_named):
        raise RuntimeError("out of order")

    monkeypatch.setattr(model.gpt_neox.layers[1].mlp, "forward", broken)
    with pytest.raises(RuntimeError, match="out of order"):
        head_scores(model, make_prompts())
    assert state(model) == before


# --- what is refused ----------------------------------------------------------------------------------


def refused(config, tokens=None):
    model = transformers.AutoModelForCausalLM.from_config(config)
    with pytest.raises(Unsupported) as error:
        head_scores(model, make_prompts() if tokens is None else tokens)
    return str(error.value)


def test_other_families_are_refused_by_name():
    config = GPT2Config(vocab_size=TOKENS, n_embd=16, n_layer=1, n_head=2)
    assert refused(config) == f"model_type 'gpt2': not one of {', '.join(FAMILIES)}"


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
def test_sliding_windows_shorter_than_the_prompt_are_refused(make, options, layer):
    config = make(**GROUPED, rope_parameters=PLAIN, **options)
    message = f"layer {layer}: a sliding window of 4 positions for {LENGTH} tokens"
    assert refused(config) == message
    model = transformers.AutoModelForCausalLM.from_config(config)
    assert head_scores(model, make_prompts(length=4)).s_pos.shape == (2, LAYERS, 4)


def test_changing_frequencies_and_attention_to_the_future_are_refused():
    rope = {"rope_type": "dynamic", "rope_theta": 100.0, "factor": 2.0}
    message = refused(LlamaConfig(**GROUPED, rope_parameters=rope))
    assert message == "rope_type 'dynamic': not one of default, linear, llama3, yarn"
    config = GemmaConfig(
        **GROUPED, rope_parameters=PLAIN, head_dim=8, use_bidirectional_attention=True
    )
    assert refused(config) == "model_type 'gemma' with attention that is not causal"


@pytest.mark.parametrize(
    ("tokens", "options", "argument"),
    [
        (make_prompts()[0], {}, "input_ids"),
        (make_prompts().double(), {}, "input_ids"),
        (make_prompts() > 3, {}, "input_ids"),
        (make_prompts() + TOKENS, {}, "input_ids"),
        (make_prompts() - TOKENS, {}, "input_ids"),
        (make_prompts()[:0], {}, "input_ids"),
        (make_prompts(length=65), {}, "input_ids"),
        ([[1, 2, 3], [4]], {}, "input_ids"),
        (None, {}, "input_ids"),
        ("prompt", {}, "input_ids"),
        (make_prompts(length=2), {}, "block"),
        (make_prompts(), {"block": 5}, "block"),
        (make_prompts(), {"block": 0}, "block"),
        (make_prompts(), {"gamma": 0.5}, "gamma"),
        (make_prompts(), {"gamma": 0}, "gamma"),
        (make_prompts(), {"tau": 0}, "tau"),
        (make_prompts(), {"rows": "some"}, "rows"),
    ],
)
def test_bad_arguments_are_refused(tokens, options, argument):
    with pytest.raises(InvalidArgument) as error:
        head_scores(make_model("llama"), tokens, **options)
    assert error.value.argument == argument


@pytest.mark.parametrize("rows", [0, LENGTH + 1, 2.5])
def test_a_capture_of_rows_that_are_not_there_is_refused(rows):
    with pytest.raises(InvalidArgument) as error:
        capture_heads(make_model("llama"), make_prompts(), rows=rows)
    assert error.value.argument == "rows"


def test_what_is_not_a_model_is_refused():
    for thing in (None, "llama", torch.nn.Linear(2, 2)):
        with pytest.raises(InvalidArgument) as error:
            head_scores(thing, make_prompts())
        assert error.value.argument == "model"
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(CONFIGS["llama"]())
    with pytest.raises(InvalidArgument, match="meta"):
        head_scores(model, make_prompts())
