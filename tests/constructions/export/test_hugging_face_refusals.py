"""What slash heads in models of transformers refuse by name: models, heads and arguments."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from slash_models import (
    LENGTH,
    OFFSET,
    SPECS,
    TOKENS,
    certificate,
    on_target,
    prompts,
    random_llama,
    slash_heads,
)
from transformers import AutoConfig, AutoModelForCausalLM, LlamaForCausalLM, LlamaModel

from ropeproof.constructions import (
    build_model,
    certified_slash,
    certify_head,
    slash_head,
    write_head,
)
from ropeproof.constructions.export.slots import open_slot
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import LongRope, RopeSpec


@pytest.fixture(scope="module")
def heads():
    return slash_heads()


def other_model(name, **fields):
    base = {
        "vocab_size": 20,
        "hidden_size": 64,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "pad_token_id": 0,
    }
    config = AutoConfig.for_model(name, **{**base, **fields})
    return AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: other_model("qwen3"), "model_type 'qwen3': queries and keys pass through a norm"),
        (lambda: other_model("gemma2"), "model_type 'gemma2': logits are capped"),
        (lambda: other_model("bloom", n_head=2), "model_type 'bloom': ALiBi"),
        (lambda: other_model("gpt2", n_embd=64, n_head=2, n_layer=1), "'gpt2': learned absolute"),
        (lambda: other_model("phi"), "model_type 'phi': not one of gpt_neox, gptj"),
        (
            lambda: other_model("mistral", sliding_window=LENGTH - 1),
            f"a sliding window of {LENGTH - 1} positions for {LENGTH} tokens",
        ),
        (
            lambda: other_model(
                "llama",
                max_position_embeddings=32,
                rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0},
            ),
            "frequencies that change with the prompt's length",
        ),
        (
            lambda: LlamaModel(random_llama().config),
            "LlamaModel: not a causal language model",
        ),
        (lambda: random_llama().half(), "parameters in float16"),
    ],
)
def test_what_cannot_be_guaranteed_is_refused_by_name(heads, make, message):
    model = make()
    with pytest.raises(Unsupported) as caught:
        write_head(model, heads["llama"])
    assert message in str(caught.value)
    with pytest.raises(Unsupported):
        certify_head(model, offset=OFFSET, length=LENGTH)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gpt_oss", "attention sinks"),
        ("granite_swa", "attention sinks"),
        ("deepseek_v3", "multi-head latent attention"),
        ("granite", "multipliers"),
        ("granitemoe", "multipliers"),
        ("vaultgemma", "capped by tanh"),
        ("olmo2", "pass through a norm"),
        ("gemma3", "pass through a norm"),
    ],
)
def test_what_is_known_of_a_family_refuses_it(name, message):
    model = SimpleNamespace(config=SimpleNamespace(model_type=name), get_input_embeddings=None)
    with pytest.raises(Unsupported, match=f"model_type '{name}': .*{message}"):
        open_slot(model, 0, 0)


def test_another_scale_is_refused(heads):
    model = random_llama()
    model.model.layers[0].self_attn.scaling = 0.125
    with pytest.raises(Unsupported, match=r"a scale of 0\.125"):
        write_head(model, heads["llama"])


def test_loud_layers_and_dropout_are_refused(heads):
    model = build_model("llama", heads["llama"], layers=2, layer=1)
    assert on_target(model, prompts(), layer=1).min() >= certificate(model, layer=1)["weight"]
    with torch.no_grad():
        model.model.layers[0].mlp.down_proj.weight[0, 0] = 1
    with pytest.raises(Unsupported, match="layer 0 adds to the residual stream before layer 1"):
        certificate(model, layer=1)
    neox = build_model("gpt_neox", heads["gpt_neox"])
    neox.config.attention_dropout = 0.1
    certificate(neox)
    with pytest.raises(InvalidArgument, match="model: got 'training mode with dropout'"):
        certificate(neox.train())


LONGROPE = LongRope(short_factor=[1] * 16, long_factor=[2] * 16, original_length=64, factor=2)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("head", lambda h: build_model("llama", "head")),
        ("head", lambda h: write_head(random_llama(), "head")),
        ("model", lambda h: write_head(torch.nn.Linear(2, 2), h)),
        ("model", lambda h: write_head(None, h)),
        ("family", lambda h: build_model("gemma", h)),
        ("layers", lambda h: build_model("llama", h, layers=0)),
        ("layer", lambda h: build_model("llama", h, layer=1)),
        ("layer", lambda h: write_head(random_llama(), h, layer=-1)),
        ("head_index", lambda h: write_head(random_llama(), h, head_index=4)),
        ("earlier", lambda h: write_head(random_llama(), h, earlier="keep")),
        ("sharing", lambda h: write_head(random_llama(), h, sharing="refuse")),
        ("key_heads", lambda h: build_model("gptj", h, key_heads=1)),
        ("head.spec", lambda h: write_head(random_llama(head_dim=16), h)),
        (
            "head.spec",
            lambda h: write_head(
                random_llama(rope_parameters={"rope_theta": 500.0, "rope_type": "default"}), h
            ),
        ),
        ("head.spec", lambda h: build_model("gptj", h)),
        ("head.width", lambda h: write_head(random_llama(hidden_size=16), h)),
        ("offset", lambda h: certify_head(random_llama(), offset=-1, length=8)),
        ("length", lambda h: certify_head(random_llama(), offset=8, length=8)),
        ("length", lambda h: certify_head(random_llama(), offset=0, length=1)),
        ("length", lambda h: certify_head(build_model("gptj", GPTJ()), offset=1, length=999)),
    ],
)
def test_bad_arguments_are_refused_by_name(heads, argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call(heads["llama"])
    assert caught.value.argument == argument


def GPTJ():  # noqa: N802
    return slash_head(SPECS["gptj"], 1, 8, 0.5)


def test_heads_that_do_not_fit_are_refused(heads):
    many = [f"t{n}" for n in range(40)]
    head = slash_head(SPECS["llama"], 1, 8, 0.9, tokens=many)
    with pytest.raises(InvalidArgument, match="head: got 'copies 40 dimensions'"):
        build_model("llama", head)
    parts = np.random.default_rng(0).normal(size=(40, 20))
    model = build_model("llama", slash_head(SPECS["llama"], 1, 8, 0.9, tokens=many, parts=parts))
    assert on_target(model, prompts(40, 8), offset=1).min() >= 0.9
    good = heads["llama"]
    uneven = certified_slash(
        good.w_q,
        good.w_k,
        good.w_v,
        good.w_o,
        good.spec,
        good.directions,
        good.embeddings * np.linspace(1, 1.1, TOKENS)[:, np.newaxis],
        OFFSET,
        LENGTH,
    )
    with pytest.raises(InvalidArgument, match="rows of one length"):
        build_model("llama", uneven)
    with pytest.raises(Unsupported, match="LongRope scaling"):
        build_model(
            "llama", slash_head(RopeSpec(32, 10000, scaling=LONGROPE, length=48), 1, 8, 0.9)
        )


def test_a_model_without_weights_is_refused(heads):
    with torch.device("meta"):
        model = LlamaForCausalLM(random_llama().config)
    with pytest.raises(InvalidArgument, match="meta device"):
        write_head(model, heads["llama"])
