"""The hooks that read queries and keys in the layers of a model, which is left as it was."""

from __future__ import annotations

import copy

import pytest
import torch
from attention_weights import weights_of
from tiny_models import CONFIGS, LENGTH, TOKENS, make_model, make_prompts

from ropeproof.numerics.models import visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.tools.measure import HeadVectors
from ropeproof.tools.measure.model import next_token_loss


def vectors_of(layer, spec, tokens, head, prompt=0):
    groups = layer.queries.shape[1] // layer.keys.shape[1]
    return HeadVectors(
        queries=layer.queries[prompt, head].double().numpy(),
        keys=layer.keys[prompt, head // groups].double().numpy(),
        tokens=tokens[prompt].numpy(),
        spec=spec,
        scale=layer.scale,
        soft_cap=layer.soft_cap,
        layer=layer.layer,
        head=head,
        key_head=head // groups,
        first=layer.layer == 0,
        prompt="text",
        window=layer.window,
    )


def state_of(model):
    """All that a measurement could leave behind in a model."""
    hooks = [
        (len(module._forward_hooks), len(module._forward_pre_hooks), module.training)
        for module in model.modules()
    ]
    return hooks, {name: value.clone() for name, value in model.state_dict().items()}


@pytest.mark.parametrize("name", CONFIGS)
def test_weights_are_the_models_own_attention(name):
    """Queries and keys as read, the exact rotation: the weights of the eager implementation."""
    model, tokens = make_model(name, torch.float32), make_prompts()
    specs = layer_specs(model.config, length=LENGTH)
    with torch.no_grad():
        output = model(tokens, output_attentions=True)
    layers = []
    hidden = visit_layers(model, tokens, layers.append)
    assert [layer.layer for layer in layers] == list(range(len(output.attentions)))
    for layer, attention in zip(layers, output.attentions, strict=True):
        for prompt in range(len(tokens)):
            for head in range(attention.shape[1]):
                spec = specs[layer.layer]
                found = weights_of(vectors_of(layer, spec, tokens, head, prompt))
                torch.testing.assert_close(
                    found, attention[prompt, head].double(), rtol=0, atol=1e-5
                )
    assert hidden.shape == (2, LENGTH, hidden.shape[-1])
    loss = next_token_loss(model, hidden[:1], tokens[0].numpy(), block=3)
    wanted = torch.nn.functional.cross_entropy(output.logits[0, :-1], tokens[0, 1:])
    assert loss == pytest.approx(float(wanted), abs=1e-5)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_model_is_left_as_it_was_found(name):
    model, tokens = make_model(name, torch.float32).train(), make_prompts()
    before, config = state_of(model), copy.deepcopy(model.config.to_dict())
    visit_layers(model, tokens, lambda layer: None, layers=[0])

    def fail(layer):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        visit_layers(model, tokens, fail)
    after = state_of(model)
    assert before[0] == after[0]
    assert config == model.config.to_dict()
    assert all(torch.equal(before[1][key], after[1][key]) for key in before[1])


def test_only_the_layers_that_are_asked_for_run():
    model, tokens = make_model("llama", torch.float32), make_prompts()
    ran = []
    for number, layer in enumerate(model.model.layers):
        layer.register_forward_hook(lambda *_, number=number: ran.append(number))
    seen = []
    hidden = visit_layers(model, tokens, lambda layer: seen.append(layer.layer), layers=[0])
    assert (seen, ran, hidden) == ([0], [], None)  # layer 0 is left behind its attention
    hidden = visit_layers(model, tokens, lambda layer: seen.append(layer.layer), layers=[1])
    assert seen == [0, 1]
    assert hidden is not None
    for layers in ([], [2], [-1]):
        with pytest.raises(InvalidArgument, match="layers"):
            visit_layers(model, tokens, print, layers=layers)


def test_a_sliding_window_is_told():
    model = make_model("mistral", torch.float32)
    tokens = make_prompts(length=LENGTH + 3)
    windows = []
    visit_layers(model, tokens, lambda layer: windows.append(layer.window))
    assert windows == [LENGTH, LENGTH]


def test_more_tokens_than_positions():
    model, tokens = make_model("llama", torch.float32), make_prompts(length=70)
    with pytest.raises(InvalidArgument, match="max_position_embeddings, 64 tokens"):
        visit_layers(model, tokens, print)
    seen = []
    visit_layers(model, tokens, lambda layer: seen.append(layer.keys.shape[2]), beyond=True)
    assert seen == [70, 70]
    with pytest.raises(InvalidArgument, match="64 tokens"):  # its table ends there
        visit_layers(make_model("gptj", torch.float32), tokens, print, beyond=True)


def test_models_that_are_refused():
    from transformers import GPT2Config

    shape = {"n_embd": 8, "n_layer": 1, "n_head": 1, "vocab_size": TOKENS}
    import transformers

    model = transformers.AutoModelForCausalLM.from_config(GPT2Config(**shape))
    with pytest.raises(Unsupported, match="model_type 'gpt2'"):
        visit_layers(model, make_prompts(), print)
