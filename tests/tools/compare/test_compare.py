"""Two models compared head by head: gauges, permutations, merges, seeds, and what is not compared."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from tiny_models import make_model
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.constructions import rewrite_head
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.tools.compare.run import compare_models
from ropeproof.tools.compare.show import lines

TYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}
SOME = ["llama", "gptj", "gpt_neox", "qwen2", "gemma2", "phi3", "llama, own head_dim", "cohere"]


def gauged(model, seed=0):
    """The model with every head rewritten by random complex numbers."""
    random = np.random.default_rng(seed)
    config = model.config
    for layer in range(2):
        planes = layer_specs(config)[layer].planes
        heads = int(config.num_attention_heads)
        shared = int(getattr(config, "num_key_value_heads", None) or heads)
        for head in range(0, heads, heads // shared):
            sizes = np.exp(random.uniform(-1, 1, planes))
            rewrite_head(model, layer, head, sizes * np.exp(2j * np.pi * random.random(planes)))
    return model


def other_seed(name, seed=2):
    """A model whose weights are drawn apart from those of `make_model`."""
    model = make_model(name)
    torch.manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.2)
    return model


def permuted(model, layer, order):
    """The Llama with the key heads of a layer, and the query heads that read them, in another order."""
    attention = model.model.layers[layer].self_attn
    size = int(attention.head_dim)
    groups = int(attention.num_key_value_groups)
    with torch.no_grad():
        for linear, each in ((attention.q_proj, groups), (attention.k_proj, 1)):
            rows = linear.weight.reshape(len(order), each * size, -1)
            linear.weight.copy_(rows[order].reshape(linear.weight.shape))
    return model


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", SOME)
def test_a_rewritten_model_is_the_same_to_rounding(name, kind):
    one, other = (make_model(name).to(TYPES[kind]) for _ in range(2))
    found = compare_models(one, gauged(other))
    assert found.on == "weights"
    assert found.same
    assert not found.moved()
    unit = {"float64": 2.0**-53, "float32": 2.0**-24, "bfloat16": 2.0**-8}[kind]
    assert found.type == kind
    for head in found.heads:
        assert head.nearest == head.head
        assert head.own.relative < 4.1 * unit + 4e-15
        assert head.own.relative > 0


def test_a_model_is_at_distance_zero_from_itself():
    model = make_model("llama")
    found = compare_models(model, model)
    assert found.same
    assert all(head.own.distance == 0.0 for head in found.heads)


@pytest.mark.parametrize("name", ["llama", "gpt_neox"])
def test_two_seeds_are_compared_on_tokens_and_are_far_apart(name):
    one, other = make_model(name), other_seed(name)
    found = compare_models(one, other)
    assert found.on == "tokens"
    assert {head.head[0] for head in found.heads} == {0}
    assert not found.same
    assert all(head.own.relative > 0.7 for head in found.heads)
    forced = compare_models(one, other, on="weights")
    assert any("need not mean the same" in note for note in forced.notes)
    assert len({head.head[0] for head in forced.heads}) == 2


def rotated_basis(model, seed=0):
    """The Llama in another orthonormal basis of its residual stream, after folding its norms."""
    width = model.config.hidden_size
    turn, _ = torch.linalg.qr(
        torch.randn(
            width, width, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)
        )
    )
    with torch.no_grad():
        base = model.model
        base.embed_tokens.weight.copy_(base.embed_tokens.weight @ turn)
        for layer in base.layers:
            for norm, readers in (
                (layer.input_layernorm, [layer.self_attn.q_proj, layer.self_attn.k_proj,
                                         layer.self_attn.v_proj]),
                (layer.post_attention_layernorm, [layer.mlp.gate_proj, layer.mlp.up_proj]),
            ):  # fmt: skip
                for reader in readers:
                    reader.weight.copy_((reader.weight * norm.weight) @ turn)
                norm.weight.fill_(1.0)
            for writer in (layer.self_attn.o_proj, layer.mlp.down_proj):
                writer.weight.copy_(turn.T @ writer.weight)
    return model


def test_another_basis_of_the_residual_stream_is_the_same_model_on_tokens_and_on_a_text(tmp_path):
    one, other = make_model("llama"), rotated_basis(make_model("llama"))
    found = compare_models(one, other)
    assert found.on == "tokens"
    assert found.same
    by_weights = compare_models(one, other, on="weights")
    assert not by_weights.same
    assert any("need not mean the same" in note for note in by_weights.notes)


def test_a_factor_that_moves_from_the_norm_to_the_projections_changes_nothing():
    one, other = make_model("llama"), make_model("llama")
    with torch.no_grad():
        layer = other.model.layers[1]
        for reader in (layer.self_attn.q_proj, layer.self_attn.k_proj, layer.self_attn.v_proj):
            reader.weight.mul_(layer.input_layernorm.weight)
        layer.input_layernorm.weight.fill_(1.0)
    assert compare_models(one, other).same


def test_what_a_layer_norm_never_sees_is_left_out():
    one, other = make_model("gpt_neox"), make_model("gpt_neox")
    with torch.no_grad():
        layer = other.gpt_neox.layers[0]
        fused, scale = layer.attention.query_key_value.weight, layer.input_layernorm.weight
        away = torch.randn(len(fused), 1, dtype=fused.dtype) / scale
        fused.add_(away)
        layer.attention.query_key_value.bias.sub_(away @ layer.input_layernorm.bias)
    assert compare_models(one, other).same


def test_permuted_heads_are_found_at_their_new_places():
    found = compare_models(make_model("llama"), permuted(make_model("llama"), 1, [1, 0]))
    assert not found.same
    moved = {head.head: head.nearest for head in found.moved()}
    assert moved == {(1, 0): (1, 2), (1, 1): (1, 3), (1, 2): (1, 0), (1, 3): (1, 1)}
    text = "\n".join(lines(found, heads=False))
    assert "4 of 8 heads are the same" in text
    assert "4 more are the same as a head at another place: 1.0 is 1.2" in text


def test_heads_that_went_to_another_layer_are_found_across():
    one, other = make_model("llama"), make_model("llama")
    with torch.no_grad():
        first, second = other.model.layers
        for part in ("self_attn.q_proj", "self_attn.k_proj", "input_layernorm"):
            a, b = first.get_submodule(part).weight, second.get_submodule(part).weight
            kept = a.clone()
            a.copy_(b)
            b.copy_(kept)
    assert not compare_models(one, other).moved()
    found = compare_models(one, other, across=True)
    assert {h.head: h.nearest for h in found.moved()} == {
        (layer, head): (1 - layer, head) for layer in range(2) for head in range(4)
    }


def test_a_merge_lies_between_its_parents():
    one, parent, merged = make_model("llama"), make_model("llama"), make_model("llama")
    torch.manual_seed(5)
    with torch.no_grad():
        for mine, theirs, both in zip(
            one.parameters(), parent.parameters(), merged.parameters(), strict=True
        ):
            theirs.add_(0.05 * torch.randn_like(theirs))
            both.copy_((mine + theirs) / 2)
    far, near = compare_models(one, parent), compare_models(one, merged)
    assert far.on == near.on == "weights"
    for whole, half in zip(far.heads, near.heads, strict=True):
        assert 0.3 < half.own.distance / whole.own.distance < 0.7
        assert half.nearest == half.head


def test_the_bound_holds_for_the_models_own_weights_of_attention():
    one, other = make_model("llama"), make_model("llama")
    with torch.no_grad():
        other.model.layers[0].self_attn.q_proj.weight.mul_(1.002)
    found = compare_models(one, other, layers=[0])
    tokens = torch.arange(40)[None]
    with torch.no_grad():
        a, b = (m(tokens, output_attentions=True).attentions[0][0] for m in (one, other))
    off = (a - b).abs().sum(-1).max(-1).values / 2
    for head, moved in zip(found.heads, off.tolist(), strict=True):
        assert 0 < moved <= head.own.weight_bound() < 1


REFUSED = {
    "qwen3": "pass through a norm of their own",
    "olmo2": "pass through a norm of their own",
    "olmo, clipped": "clipped at 0.5",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_bilinear_form_is_compared_on_tokens_and_by_weights_not_at_all(name):
    model = make_model(name)
    found = compare_models(model, model, on="weights")
    assert not found.same
    assert not found.heads
    assert {each.layer for each in found.not_compared} == {0, 1}
    assert all(REFUSED[name] in each.reason for each in found.not_compared)
    text = "\n".join(lines(found, heads=True))
    assert "not compared: layers 0 to 1" in text
    auto = compare_models(model, model)
    assert auto.on == "tokens"
    assert auto.same
    assert any(REFUSED[name] in note for note in auto.notes)


def changed(name, change):
    model = make_model(name)
    change(model)
    return model


def second_eps(model):
    model.model.layers[1].input_layernorm.variance_epsilon = 1e-3


def test_layers_that_differ_in_what_no_form_shows_are_not_compared():
    found = compare_models(make_model("llama"), changed("llama", second_eps))
    (refused,) = found.not_compared
    assert refused.layer == 1
    assert "eps 1e-06" in refused.reason
    assert "eps 0.001" in refused.reason
    assert not found.same
    window = compare_models(make_model("mistral"), make_model("mistral, window"))
    assert {r.reason for r in window.not_compared} == {
        "their queries see 9 positions and 6 positions"
    }
    capped = compare_models(make_model("gemma2"), changed_cap(make_model("gemma2")))
    assert {r.reason for r in capped.not_compared} == {"logits capped at 2.0 and at 3.0"}
    rotation = compare_models(make_model("llama"), make_model("llama, yarn"))
    assert all("another rotation" in r.reason for r in rotation.not_compared)
    assert len(rotation.not_compared) == 2


def changed_cap(model):
    for layer in model.model.layers:
        layer.self_attn.attn_logit_softcapping = 3.0
    return model


def test_a_layer_that_does_something_else_is_not_compared():
    model = make_model("llama")
    linear = model.model.layers[1].self_attn.k_proj
    linear.register_forward_hook(lambda _m, _given, output: output * 1.01)
    found = compare_models(make_model("llama"), model)
    (refused,) = found.not_compared
    assert refused.reason == "its keys on a probe are not those that its weights say"


def test_missing_layers_and_other_widths_are_told():
    small = make_model("llama")
    small.model.layers = small.model.layers[:1]
    small.config.num_hidden_layers = 1
    found = compare_models(make_model("llama"), small)
    assert [r.reason for r in found.not_compared] == ["the other model has no such layer"]
    assert any("2 and 1 layers" in note for note in found.notes)
    with pytest.raises(InvalidArgument, match="a model of transformers"):
        compare_models(3, make_model("llama"))


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({"on": "values"}, "weights, tokens or text"), ({"on": "text"}, "a file with a text"),
        ({"on": "tokens", "layers": [1]}, "0 alone"), ({"layers": [7]}, "some layers from 0 to 1"),
        ({"on": "weights", "text": "x"}, "only on text"), ({"length": 1}, "integer >= 2"),
    ],
)  # fmt: skip
def test_options_are_checked(options, allowed):
    with pytest.raises(InvalidArgument, match=allowed):
        compare_models(make_model("llama"), make_model("llama"), **options)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    from saved_models import save_model

    folder = tmp_path_factory.mktemp("models")
    one = save_model(folder / "one")
    save_model(folder / "other", seed=5)
    model = gauged(read_saved(one))
    model.save_pretrained(folder / "rewritten")
    (folder / "text").write_text("The quick brown fox jumps over the lazy dog. " * 9)
    return folder


def read_saved(folder):
    import transformers

    return transformers.AutoModelForCausalLM.from_pretrained(folder)


def run(*words):
    return CliRunner().invoke(app, ["compare", *map(str, words), "--quiet"])


def test_the_command_says_the_same_in_words_and_as_json(folders, tmp_path):
    result = run(folders / "one", folders / "rewritten", "--heads", "--json", tmp_path / "found")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    assert "8 of 8 heads are the same, up to the rounding of float32." in result.output
    found = json.loads((tmp_path / "found").read_text())
    assert found["same"] is True
    assert found["summary"] == {
        "heads": 8, "same": 8, "same_elsewhere": 0, "layers_not_compared": 0,
    }  # fmt: skip
    assert len(found["heads"][0]["own"]["planes"]) == 4
    text = run(folders / "one", folders / "other", "--text", folders / "text", "--length", 50)
    assert text.exit_code == 1
    assert "on text: 50 places of a prompt" in text.output
    assert "0 of 8 heads are the same" in text.output
    assert max(map(len, text.output.splitlines())) <= 80


def test_usage_is_exit_code_2(folders):
    for words in ([folders / "one"], [], [folders / "one", folders / "none"]):
        result = CliRunner().invoke(app, ["compare", *map(str, words)])
        assert isinstance(result.exception, InvalidArgument)
