"""Composed networks as GPT-J and Llama models: their own predictions, certified and saved."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file
from task_networks import sought
from transformers import AutoModelForCausalLM, GPTJForCausalLM, LlamaConfig, LlamaForCausalLM

from ropeproof.constructions.export.network import (
    certify_network,
    export_network,
    exported_bound,
    predict,
)
from ropeproof.constructions.networks import compose
from ropeproof.numerics.task import every_letter_input, every_number_input, letter_task, number_task
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import Linear, RopeSpec

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

FAMILIES = {"gptj": GPTJForCausalLM, "llama": LlamaForCausalLM}
TASKS = ["number", "letter"]
TYPES = [torch.float64, torch.float32, torch.bfloat16]
HOPS = 3
SPEC = RopeSpec(64, 10000)


@pytest.fixture(scope="module")
def networks():
    return {
        "number": compose(
            "number", hops=HOPS, length=10, letters=6, integers=9, planes="several", spec=SPEC
        ),
        "letter": compose(
            "letter", hops=HOPS, length=10, letters=4, digits=3, planes="several", spec=SPEC
        ),
    }


@pytest.fixture(scope="module")
def data():
    return {
        "number": number_task(
            400, seed=0, letters=6, integers=9, targets=5, links=4, hops=range(1, HOPS + 1)
        ),
        "letter": letter_task(
            400, seed=0, letters=4, digits=3, targets=1, links=3, hops=range(1, HOPS + 1)
        ),
    }


@pytest.fixture(scope="module")
def models(networks):
    return {
        (family, task, dtype): export_network(networks[task], family, dtype=dtype)
        for family, task, dtype in itertools.product(FAMILIES, TASKS, TYPES)
    }


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_models_own_predictions_are_the_answers(models, networks, data, family, task):
    for dtype in TYPES:
        model = models[family, task, dtype]
        assert type(model) is FAMILIES[family]
        assert model.config.num_attention_heads == 1
        certificate = certify_network(model, networks[task])
        assert certificate.arithmetic == str(dtype).removeprefix("torch.")
        assert certificate.quantities["length"] >= 10 >= data[task].length
        assert (predict(model, data[task].tokens) == data[task].answers).all()
    assert certificate.claim.startswith("task.compose-")


def chain_weights(network, tokens, attentions):
    """Weight of the last row on the tokens that each layer should find."""
    last = tokens.shape[1] - 1
    place, found = np.full(len(tokens), last), []
    for attention in attentions:
        match = sought(network, tokens, place)
        place = place if network.task == "number" else match.argmax(1)
        row = attention[:, 0, last].double().numpy()
        found.append(np.where(match, row, 0.0).sum(1).min())
    return min(found)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_certificate_is_kept(models, networks, data, family, task):
    network, tokens = networks[task], data[task].tokens
    for dtype in TYPES:
        model = models[family, task, dtype]
        bound = exported_bound(model, network, length=tokens.shape[1])
        norms: list[torch.Tensor] = []

        def keep(_module, _inputs, output, kept=norms):
            kept.append(output.detach().double())

        hooks = [
            module.register_forward_hook(keep)
            for name, module in model.named_modules()
            if name.endswith(("ln_1", "ln_f", "input_layernorm", "model.norm"))
        ]
        with torch.no_grad():
            out = model(torch.from_numpy(tokens.copy()), output_attentions=True, use_cache=False)
        for hook in hooks:
            hook.remove()
        assert len(hooks) == HOPS + 1
        assert bound.holds
        assert chain_weights(network, tokens, out.attentions) >= bound.weight
        constants = torch.stack([y[..., 0] for y in norms])
        grown = 1 + 2.0 ** (-7 if dtype == torch.bfloat16 else -20)
        assert 1 <= float(constants.max() / constants.min()) <= bound.spread * grown
        if family == "gptj":
            assert float(torch.stack(norms).mean(-1).abs().max()) < 0.01
        logits = out.logits[:, -1].double().numpy()
        rows = np.arange(len(tokens))
        right = logits[rows, data[task].answers].copy()
        logits[rows, data[task].answers] = -np.inf
        unit = constants[-1].min() / 256
        assert (right - logits.max(1)).min() >= bound.gap * float(unit) * 0.99


@pytest.mark.parametrize("family", FAMILIES)
def test_every_input_of_a_small_task(family):
    number = compose("number", hops=3, length=6, letters=2, integers=4, planes="several", spec=SPEC)
    model = export_network(number, family)
    assert certify_network(model, number).quantities["length"] >= 6
    for tokens in every_number_input(letters=2, integers=4, length=6):
        expected = number.decode(tokens)
        assert (predict(model, tokens) == expected).all()
    letter = compose("letter", hops=3, length=5, letters=4, digits=1, planes="several", spec=SPEC)
    model = export_network(letter, family)
    assert certify_network(model, letter).quantities["length"] >= 5
    for tokens in every_letter_input(letters=4, digits=1, length=5):
        assert (predict(model, tokens) == letter.decode(tokens)).all()


@pytest.mark.parametrize("task", TASKS)
def test_the_papers_sizes_fit_into_width_128(task):
    sizes = {"code": "pairs"} if task == "number" else {}
    spec = RopeSpec(128, 10000, layout="interleaved")
    network = compose(task, planes="several", spec=spec, **sizes)
    model = export_network(network, "gptj")
    config = model.config
    assert (config.n_embd, config.n_head, config.n_layer) == (128, 1, 4)
    drawn = (number_task if task == "number" else letter_task)(200, seed=5)
    for dtype in (torch.float32, torch.bfloat16):
        model = export_network(network, "gptj", dtype=dtype)
        assert certify_network(model, network).quantities["length"] >= 17
        assert (predict(model, drawn.tokens, rows=128) == drawn.answers).all()


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("family", FAMILIES)
def test_saved_and_loaded_it_is_the_same_bit_for_bit(
    models, networks, data, family, task, tmp_path
):
    for dtype in TYPES:
        folder = tmp_path / str(dtype)
        model = models[family, task, dtype]
        model.save_pretrained(folder)
        stored = load_file(folder / "model.safetensors")
        loaded = AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, attn_implementation="eager"
        ).eval()
        assert type(loaded) is FAMILIES[family]
        ours, theirs = model.state_dict(), loaded.state_dict()
        assert set(ours) == set(theirs) == set(stored)
        assert all(torch.equal(ours[name], theirs[name]) for name in ours)
        assert all(torch.equal(ours[name], stored[name]) for name in ours)
        tokens = torch.from_numpy(data[task].tokens.copy())
        with torch.no_grad():
            assert torch.equal(model(tokens).logits, loaded(tokens).logits)
        before, after = (exported_bound(m, networks[task]) for m in (model, loaded))
        assert before == after


def test_a_llama_with_the_angle_of_the_paper():
    spec = RopeSpec(32, 10000, scaling=Linear(17 / (2 * math.pi)))
    network = compose("number", hops=2, letters=8, spec=spec, code="pairs")
    model = export_network(network, "llama")
    assert model.config.rope_parameters["rope_type"] == "linear"
    assert certify_network(model, network).quantities["length"] == 17
    drawn = number_task(200, seed=2, letters=8, hops=(1, 2))
    assert (predict(model, drawn.tokens) == drawn.answers).all()


def test_a_gptj_whose_letters_lie_on_one_unrotated_plane():
    spec = RopeSpec(64, 10000, rotary_dim=32, layout="interleaved")
    network = compose("letter", hops=2, letters=5, digits=2, length=12, spec=spec)
    model = export_network(network, "gptj", positions=300)
    assert model.config.rotary_dim == 32
    assert certify_network(model, network).quantities["length"] == 300


@pytest.mark.parametrize("family", FAMILIES)
def test_sabotage_goes_red(networks, data, family):
    network, tokens = networks["number"], data["number"].tokens
    weak = compose(
        "number",
        hops=HOPS,
        length=10,
        letters=6,
        integers=9,
        planes="several",
        spec=SPEC,
        inverse_temperature=network.inverse_temperature / 12,
    )
    model = export_network(weak, family)
    assert not exported_bound(model, weak).holds
    assert certify_network(model, weak).quantities["length"] < 10
    assert (predict(model, tokens) != data["number"].answers).any()
    # Without the constant norms make attention depend on what a register holds.
    model = export_network(network, family, constant=1)
    assert not exported_bound(model, network).holds
    model = export_network(network, family)
    bound = exported_bound(model, network)
    assert bound.holds
    layer = (model.transformer.h if family == "gptj" else model.model.layers)[1]
    attention = layer.attn if family == "gptj" else layer.self_attn
    with torch.no_grad():
        attention.q_proj.weight.mul_(0.1)
    assert not exported_bound(model, network).holds
    assert exported_bound(model, network).margins[1] < 0.2 * bound.margins[1]


def tampered(family, where):
    network = compose(
        "number", hops=2, length=6, letters=4, integers=3, planes="several", spec=SPEC
    )
    model = export_network(network, family)
    gptj = family == "gptj"
    layer = (model.transformer.h if gptj else model.model.layers)[1]
    tensor = {
        "mlp": layer.mlp.fc_out.weight if gptj else layer.mlp.down_proj.weight,
        "norm": layer.ln_1.weight if gptj else layer.input_layernorm.weight,
        "last norm": model.transformer.ln_f.weight if gptj else model.model.norm.weight,
        "keys": (layer.attn if gptj else layer.self_attn).k_proj.weight,
        "embedding": model.get_input_embeddings().weight,
        "read-out": model.get_output_embeddings().weight,
    }[where]
    with torch.no_grad():
        tensor.view(-1)[-1] += 0.25
    return model, network


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("mlp", "model: got 'MLP of layer 1 that is not 0', allowed: a model of export_network"),
        ("norm", "model: got 'the norm of layer 1 with weights', allowed: weight 1 and bias 0"),
        ("last norm", "model: got 'the last norm with weights', allowed: weight 1 and bias 0"),
        ("keys", "weights: got 'keys of layer 1 read coordinate "),
        ("embedding", "embeddings: got 'token 6', allowed: the composed network's embeddings"),
        ("read-out", "readout: got 'token 6', allowed: the composed network's read-out"),
    ],
)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_model_that_was_changed_is_refused(family, where, message):
    model, network = tampered(family, where)
    with pytest.raises(InvalidArgument) as caught:
        exported_bound(model, network)
    assert str(caught.value).startswith(message)


def test_arguments_are_refused_by_name(networks):
    network = networks["number"]
    wide = compose("number", hops=1, letters=100, planes="several", spec=RopeSpec(64, 10000))
    partial = compose("letter", hops=1, spec=RopeSpec(64, 10000, rotary_dim=32))
    scaled = compose("letter", hops=1, spec=RopeSpec(64, 500))
    for call, message in (
        (lambda: export_network("number"), "network: got 'str', allowed: an AttentionNetwork"),
        (lambda: export_network(network, "gpt2"), "family: got 'gpt2', allowed: 'gptj' or 'llama'"),
        (lambda: export_network(network, constant=0), "constant: got 0, allowed: a number > 0"),
        (lambda: export_network(network, positions=5), "positions: got 5, allowed: an integer >="),
        (lambda: export_network(wide), "network: got 'width 118', allowed: at most 62"),
        (lambda: export_network(wide, "llama"), "network: got '100 values per head', allowed: at"),
        (lambda: export_network(partial, "llama"), "head.spec: got 'rotary_dim 32', allowed: rot"),
        (lambda: export_network(scaled, "gptj"), "head.spec: got 'base 500', allowed: base 10000"),
        (
            lambda: exported_bound(export_network(network), networks["letter"]),
            "embeddings: got 'shape (15, 64)', allowed: 28 rows of at least 37",
        ),
        (lambda: exported_bound(export_network(network).train(), network), "model: got 'training"),
        (lambda: predict(export_network(network), [[99]]), "tokens: got [99, 99], allowed: token"),
        (lambda: predict(export_network(network), [0.5]), "tokens: got 'float64 of shape (1,)'"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            call()
        assert str(caught.value).startswith(message)
    other = LlamaForCausalLM(
        LlamaConfig(
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            vocab_size=11,
        )
    )
    with pytest.raises(InvalidArgument, match="got '1 layers of 2 heads', allowed: 3 layers of"):
        exported_bound(other, network)
    with pytest.raises(Unsupported, match="parameters in float16"):
        export_network(network, "llama", dtype=torch.float16)
