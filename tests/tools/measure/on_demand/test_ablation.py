"""Patterns replaced inside models: by themselves, by nothing, and what the loss says of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from tiny_models import CONFIGS, make_model, make_prompts

from ropeproof.numerics.bounds.race import race_bounds
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.models.patterns import changed_patterns, own_patterns
from ropeproof.numerics.models.visit import visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.on_demand.ablation import PATTERNS, ablate_heads, expected_patterns


def logits(model, tokens):
    with torch.no_grad():
        return model(input_ids=tokens, use_cache=False).logits


@pytest.mark.parametrize("name", CONFIGS)
def test_a_pattern_replaced_by_itself_changes_nothing(name):
    model, tokens = make_model(name), make_prompts()
    kept = {}

    def keep(patterns):
        kept["own"] = patterns.clone()

    with changed_patterns(model, {0: keep}):
        own = logits(model, tokens)
    assert kept["own"].shape[0] == len(tokens)
    rows = kept["own"].sum(-1)
    torch.testing.assert_close(rows, torch.ones_like(rows))
    assert (kept["own"].triu(1) == 0).all()
    with changed_patterns(model, {0: lambda _: kept["own"].clone()}):
        assert (logits(model, tokens) == own).all()
    with changed_patterns(model, {0: torch.zeros_like}):
        assert (logits(model, tokens) - own).abs().max() > 1e-6


@pytest.mark.parametrize("name", ["llama", "gptj", "gemma2", "mistral, window"])
def test_own_patterns_are_those_of_the_model(name):
    model, tokens = make_model(name), make_prompts(batch=1)
    with torch.no_grad():
        wanted = model(tokens, output_attentions=True).attentions
    model.train()
    found = own_patterns(model, tokens[0].tolist(), [(1, 0), (0, 1)])
    assert model.training
    assert list(found) == [(1, 0), (0, 1)]
    for (layer, head), weights in found.items():
        own = torch.as_tensor(weights)
        torch.testing.assert_close(own, wanted[layer][0, head].float(), atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize(
    ("heads", "tokens"), [([(0, 99)], [1, 2]), ([(9, 0)], [1]), ([(0, 0)], [-1])]
)
def test_own_patterns_of_heads_that_there_are_not(heads, tokens):
    with pytest.raises(InvalidArgument):
        own_patterns(make_model("llama"), tokens, heads)


def test_the_model_is_as_before_even_after_an_error():
    model, tokens = make_model("llama"), make_prompts()
    attention = model.base_model.layers[0].self_attn
    before, implementation = logits(model, tokens), model.config._attn_implementation
    with (
        pytest.raises(InvalidArgument, match="shape"),
        changed_patterns(model, {0: lambda patterns: patterns[..., :1]}),
    ):
        logits(model, tokens)
    assert "forward" not in vars(attention)
    assert model.config._attn_implementation == implementation
    assert (logits(model, tokens) == before).all()


def test_attention_without_one_softmax_is_refused():
    model, tokens = make_model("llama"), make_prompts()
    attention = model.base_model.layers[0].self_attn
    attention.forward = lambda hidden_states, **_: (hidden_states, None)
    with (
        pytest.raises(Unsupported, match="layer 0: 0 softmaxes"),
        changed_patterns(model, {0: lambda _: None}),
    ):
        logits(model, tokens)


@pytest.mark.parametrize("name", ["llama", "gptj", "mistral, window"])
def test_the_change_is_that_of_the_loss(name):
    model, tokens = make_model(name), make_prompts()
    found = ablate_heads(model, tokens.tolist(), [(1, 1), (0, 0)], draws=3)
    assert [(head.layer, head.head) for head in found.heads] == [(1, 1), (0, 0)]
    assert found.passes == 3 + 2 * (1 + 3 * 2)

    def loss(changes):
        with changed_patterns(model, changes):
            scores = logits(model, tokens)[:, :-1].flatten(0, 1)
        return float(torch.nn.functional.cross_entropy(scores, tokens[:, 1:].flatten()))

    def nothing(patterns):
        patterns[:, 1] = 0
        return patterns

    # GPT-J forms its logits in float32, whose rounding depends on the batch.
    near = 1e-6 if name == "gptj" else 1e-9
    assert math.isclose(found.loss, loss({}), abs_tol=near)
    none = loss({1: nothing}) - loss({})
    assert math.isclose(found.heads[0].change["none"], none, abs_tol=near)
    assert all(set(head.change) == set(PATTERNS) for head in found.heads)


def test_a_head_that_is_uniform_loses_nothing_by_it():
    model, tokens = make_model("llama"), make_prompts()
    with torch.no_grad():
        model.base_model.layers[0].self_attn.q_proj.weight.zero_()
    found = ablate_heads(model, tokens.tolist(), [(0, 1)], draws=2).heads[0]
    assert abs(found.change["uniform"]) < 1e-9
    assert abs(found.change["expected"]) < 1e-9
    assert abs(found.change["none"]) > 1e-6


@pytest.mark.parametrize("heads", [[], [(9, 0)], [(0, 9)], [(0,)], [3]])
def test_heads_that_there_are_not(heads):
    with pytest.raises(InvalidArgument, match="heads"):
        ablate_heads(make_model("llama"), make_prompts().tolist(), heads)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_last_layer_alone_changed_gives_what_the_whole_model_would(name):
    model, tokens = make_model(name), make_prompts(batch=2)
    last = model.config.num_hidden_layers - 1
    found = ablate_heads(model, tokens.tolist(), [(last, 0)], draws=1)

    def silent(patterns):
        other = patterns.clone()
        other[:, 0] = 0
        return other

    with changed_patterns(model, {last: silent}):
        scores = logits(model, tokens)
    own = logits(model, tokens)
    both = [
        torch.nn.functional.cross_entropy(
            each[:, :-1].flatten(0, 1).double(), tokens[:, 1:].flatten()
        )
        for each in (scores, own)
    ]
    assert found.heads[0].change["none"] == pytest.approx(float(both[0] - both[1]), abs=1e-5)
    assert all("forward" not in layer.__dict__ for layer in model.modules())


def test_the_expected_pattern_of_layer_0_lies_in_the_races_enclosure():
    """There queries and keys depend on the token alone, so that the race knows the mean exactly."""
    model, tokens = make_model("llama"), make_prompts(batch=1, length=6)
    places = [(0, head) for head in range(model.config.num_attention_heads)]
    draws = 400
    patterns = expected_patterns(model, tokens.tolist(), places, draws=draws)
    seen = []
    visit_layers(model, tokens, seen.append, layers=[0])
    (layer,) = seen
    spec = RopeSpec.from_config(model.config)
    row = tokens.shape[1] - 1
    turns = np.exp(1j * np.arange(row + 1)[:, None] * np.array(frequencies_float64(spec)))
    real, imaginary = list(layer.rotation.real), list(layer.rotation.imaginary)
    for _, head in places:
        group = head // (layer.queries.shape[1] // layer.keys.shape[1])
        flat = (layer.queries[0, head].numpy(), layer.keys[0, group].numpy())
        queries, keys = (part[:, real] + 1j * part[:, imaginary] for part in flat)
        lower, upper = np.zeros(row + 1), np.zeros(row + 1)
        for number, query in enumerate(queries):
            table = ((query * turns) @ keys.conj().T).real * layer.scale
            table[0] = table[0, number]
            bounds = race_bounds(table)
            lower, upper = lower + bounds[0] / len(queries), upper + bounds[1] / len(queries)
        found = patterns[0, head][row].numpy()[::-1]
        margin = 5 * np.sqrt(upper * (1 - lower) / draws)
        assert (lower - margin <= found).all()
        assert (found <= upper + margin).all()
        # Another head's would not pass: the enclosures are narrow.
        assert (upper - lower).max() < 1e-2
