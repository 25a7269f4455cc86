"""Scores of the heads of a model are those of its layer run again."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from tiny_models import (
    CONFIGS,
    LAYERS,
    LENGTH,
    make_model,
    make_prompts,
    state,
)
from torch.nn import functional
from transformers.models.cohere import modeling_cohere
from transformers.models.gptj import modeling_gptj

from ropeproof.numerics.bounds.head import vector_scores
from ropeproof.numerics.models import FAMILIES, capture_heads, head_scores
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec


@pytest.fixture
def double_softmax(monkeypatch):
    """The attention of the library in float64, where it casts to float32.

    All do so for their softmax, Cohere for its rotation too.
    """
    plain = functional.softmax

    def softmax(scores, dim=-1, dtype=None, _stacklevel=3):
        return plain(scores, dim=dim)

    def gptj(self, query, key, value, attention_mask=None):
        scores = query @ key.transpose(-1, -2) / self.scale_attn
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = plain(scores, dim=-1)
        return weights @ value, weights

    def cohere(query, key, cosines, sines):
        cosines, sines = cosines.unsqueeze(1), sines.unsqueeze(1)
        half = modeling_cohere.rotate_half
        return [x * cosines + half(x) * sines for x in (query, key)]

    monkeypatch.setattr(functional, "softmax", softmax)
    monkeypatch.setattr(modeling_cohere, "apply_rotary_pos_emb", cohere)
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
    """`(2, batch, layers, heads)`: contents swapped, the layer run again, nothing else.

    Only what the query sees is swapped: keys with a weight in the layer as it is.
    """
    length = tokens.shape[1]
    last = row % length
    scores = []
    for call in layer_calls(model, tokens):
        plain = attention_after(call, list(range(length)))[:, :, last]
        first = int((plain > 0).all((0, 1)).argmax())
        blocks = [list(range(f, f + block)) for f in range(first, last - block + 1, block)]
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
        found = vector_scores(queries, keys, spec, scale=scale).positional.flatten(2, 3)
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
    exact = vector_scores(queries, heads.keys.unsqueeze(3), spec, tau=1, scale=heads.scale)
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


# --- modules that another library has put in place --------------------------------------------------


class Elsewhere(torch.nn.Module):
    """An attention that makes its queries and keys without the modules that are hooked."""

    def __init__(self, attention):
        super().__init__()
        self.attention, self.head_size = attention, attention.head_size
        self.query_key_value, self.scaling = attention.query_key_value, attention.scaling

    def forward(self, hidden_states, **named):
        return torch.zeros_like(hidden_states), None


class Turned(torch.nn.Module):
    """A norm of queries or keys that has heads before positions, as some wrappers have."""

    def __init__(self, norm):
        super().__init__()
        self.norm = norm

    def forward(self, states):
        return self.norm(states).transpose(1, 2)


def refused_model(model, tokens=None):
    before = state(model)
    with pytest.raises(Unsupported) as error:
        head_scores(model, make_prompts() if tokens is None else tokens)
    assert state(model) == before
    return str(error.value)


def test_a_hook_that_does_not_fire_is_told():
    model = make_model("gpt_neox")
    layer = model.gpt_neox.layers[1]
    layer.attention = Elsewhere(layer.attention)
    assert refused_model(model) == (
        "layer 1: the module that makes the queries did not run inside Elsewhere"
    )
    model.gpt_neox.layers[0].attention = torch.nn.Identity()
    assert refused_model(model) == "layer 0: Identity without 'query_key_value'"
    del model.gpt_neox.layers[1].attention
    assert refused_model(model) == "layer 1: no 'attention' in GPTNeoXLayer"


def test_a_hook_that_sees_another_shape_is_told():
    model = make_model("qwen3")
    attention = model.model.layers[0].self_attn
    attention.k_norm = Turned(attention.k_norm)
    wanted = f"not (2, {LENGTH}, at most 4 heads, head_dim)"
    assert refused_model(model) == f"layer 0: keys at Turned of shape (2, 2, {LENGTH}, 8), {wanted}"
    attention.q_norm = Turned(attention.q_norm)
    wanted = f"not (2, {LENGTH}, 4 heads, head_dim)"
    assert refused_model(model) == (
        f"layer 0: queries at Turned of shape (2, 4, {LENGTH}, 8), {wanted}"
    )
    # As many tokens as heads: no shape tells that the axes are turned.
    assert refused_model(model, make_prompts(length=4)) == (
        "layer 0: 4 tokens and as many heads at Turned cannot be told apart: another length can"
    )
    attention.q_norm, attention.k_norm = attention.q_norm.norm, attention.k_norm.norm
    assert head_scores(model, make_prompts(length=4)).s_pos.shape == (2, LAYERS, 4)
    llama = make_model("llama")
    first = llama.model.layers[0].self_attn
    first.q_proj = torch.nn.Sequential(first.q_proj, torch.nn.Unflatten(-1, (4, 8)))
    assert "queries at Sequential of shape" in refused_model(llama)
    first.q_proj = torch.nn.Linear(32, 30).double()
    assert "queries at Linear of shape (2, 9, 30), not (2, 9, 4" in refused_model(llama)
