"""Slash heads in models of transformers: the guaranteed score in the model's own attention."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    LlamaModel,
    MistralConfig,
    Qwen2Config,
)

from ropeproof.constructions import (
    aliasing_head,
    build_model,
    certified_slash,
    certify_head,
    low_planes_head,
    rank_one_without_cone,
    slash_head,
    to_layout,
    write_head,
)
from ropeproof.constructions.hugging_face.slots import SLOTS, open_slot
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.spec import Linear, Llama3, LongRope, RopeSpec, Yarn

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

OFFSET, LENGTH, TOKENS = 3, 48, 16
SPECS = {
    "llama": RopeSpec(32, 10000),
    "gpt_neox": RopeSpec(32, 10000, rotary_dim=16),
    "gptj": RopeSpec(32, 10000, rotary_dim=24, layout="interleaved"),
}
SCALED = {
    "linear": RopeSpec(32, 10000, scaling=Linear(4)),
    "yarn": RopeSpec(32, 10000, scaling=Yarn(factor=4, original_length=32)),
    "llama3": RopeSpec(
        32,
        500000,
        scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=64),
    ),
}
TYPES = [torch.float64, torch.float32, torch.bfloat16]


def prompts(tokens=TOKENS, length=LENGTH, seed=0):
    """Uniform tokens; then out of distribution: half of the vocabulary, one token, repeats."""
    rng = np.random.default_rng(seed)
    return torch.tensor(
        np.array(
            [
                *rng.integers(0, tokens, (6, length)),
                rng.integers(tokens // 2, tokens, length),
                np.full(length, tokens - 1),
                np.resize(rng.permutation(tokens)[:2], length),
                np.repeat([0, tokens - 1], [length // 2, length - length // 2]),
            ]
        )
    )


def on_target(model, ids, *, layer=0, head_index=0, offset=OFFSET):
    """The weights at the offset in the model's own attention, `(prompts, rows)` in float64."""
    with torch.no_grad():
        rows = model(ids, output_attentions=True, use_cache=False).attentions[layer][:, head_index]
    return torch.diagonal(rows.double(), -offset, dim1=1, dim2=2).numpy()


def certificate(model, *, layer=0, head_index=0, offset=OFFSET, length=LENGTH):
    return certify_head(
        model, layer=layer, head_index=head_index, offset=offset, length=length
    ).quantities


@pytest.fixture(scope="module")
def heads():
    return {family: slash_head(spec, OFFSET, LENGTH, 0.9) for family, spec in SPECS.items()}


@pytest.fixture(params=SPECS)
def family(request):
    return request.param


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_the_models_own_attention_shows_the_score(heads, family, dtype):
    model = build_model(family, heads[family], dtype=dtype)
    assert next(model.parameters()).dtype == dtype
    found = certify_head(model, offset=OFFSET, length=LENGTH)
    assert found.claim == "slash.sandwich"
    assert found.arithmetic == str(dtype).removeprefix("torch.")
    score = found.quantities["score"]
    assert score >= (0.3 if dtype == torch.bfloat16 else 0.9)
    for length in (LENGTH, 17, OFFSET + 1):
        weights = on_target(model, prompts(length=length))
        assert weights.min() >= found.quantities["weight"]
        assert weights.mean(1).min() >= score
    # The guarantee is no larger than what happens, and not far below it.
    if dtype != torch.bfloat16:
        assert on_target(model, prompts()).mean() - score < 0.05


def test_its_logits_are_those_of_the_head(heads, family):
    """Attention of the model against that of the head's own module, position by position."""
    model = build_model(family, heads[family], dtype=torch.float64)
    ids = prompts()
    x = torch.tensor(np.array([heads[family].embed(p) for p in ids.tolist()]))
    with torch.no_grad():
        expected = heads[family].to_module()(x, return_attention=True)[1]
        found = model(ids, output_attentions=True).attentions[0][:, 0]
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-5)


def test_a_model_in_another_type_is_certified_as_it_is(heads, family):
    """Weights rounded to float32, then run in float64: the certificate is about those."""
    model = build_model(family, heads[family]).double()
    found = certificate(model)
    assert found["score"] >= 0.9
    assert on_target(model, prompts()).min() >= found["weight"]


@pytest.mark.parametrize("name", SCALED)
def test_scaled_frequencies(name):
    head = slash_head(SCALED[name], OFFSET, LENGTH, 0.9)
    for dtype in TYPES[:2]:
        model = build_model("llama", head, dtype=dtype)
        found = certificate(model)
        assert found["score"] >= 0.9
        assert on_target(model, prompts()).min() >= found["weight"]


def test_saved_and_loaded_unchanged(heads, family, tmp_path):
    model = build_model(family, heads[family])
    model.save_pretrained(tmp_path)
    assert [p.name for p in tmp_path.glob("*.safetensors")] == ["model.safetensors"]
    loaded = AutoModelForCausalLM.from_pretrained(tmp_path, attn_implementation="eager").eval()
    before, after = model.state_dict(), loaded.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    np.testing.assert_array_equal(on_target(loaded, prompts()), on_target(model, prompts()))
    assert certificate(loaded) == certificate(model)


def random_llama(seed=0, **changes):
    fields = {
        "vocab_size": 40,
        "hidden_size": 128,
        "intermediate_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "max_position_embeddings": 64,
        "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
        "attention_bias": True,
        "mlp_bias": True,
    }
    torch.manual_seed(seed)
    config = LlamaConfig(**{**fields, **changes})
    model = LlamaForCausalLM._from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.2)
    return model


def test_a_chosen_head_of_a_larger_model_with_shared_keys(heads):
    model = random_llama()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    with pytest.raises(InvalidArgument, match="layer: got '1, after layer 0'"):
        write_head(model, heads["llama"], layer=1, head_index=2)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    written = write_head(model, heads["llama"], layer=1, head_index=2, earlier="silence")
    assert (written.layer, written.head_index, written.sharing) == (1, 2, (3,))
    assert written.certificate.quantities["score"] >= 0.9
    weights = on_target(model, prompts(40), layer=1, head_index=2)
    assert weights.min() >= written.certificate.quantities["weight"]
    for name in ("q", "k", "v"):
        assert not open_slot(model, 1, 2).projections()[name][1].any()
    # Nothing else changed: other heads' queries, the other keys, layer 2, the reader.
    after = model.state_dict()
    attention = "model.layers.1.self_attn."
    for name, rows in (("q_proj", [0, 1, 3]), ("k_proj", [0]), ("v_proj", [0])):
        for part in ("weight", "bias"):
            shape = (-1, 32, 128) if part == "weight" else (-1, 32)
            old, new = (s[f"{attention}{name}.{part}"].view(shape) for s in (before, after))
            assert torch.equal(old[rows], new[rows])
    columns = [s[attention + "o_proj.weight"].view(128, 4, 32) for s in (before, after)]
    assert torch.equal(columns[0][:, [0, 1, 3]], columns[1][:, [0, 1, 3]])
    untouched = [n for n in before if ".2." in n or n.startswith("lm_head") or ".1.mlp" in n]
    assert all(torch.equal(before[name], after[name]) for name in untouched)


def test_a_chosen_head_among_random_ones(heads, family):
    """Every family: random weights and biases everywhere, then one head written into layer 1."""
    model = build_model(family, heads[family], layers=3, head_index=2)
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))
    before = {name: value.clone() for name, value in model.named_parameters()}
    written = write_head(model, heads[family], layer=1, head_index=1, earlier="silence")
    assert written.sharing == ()
    ids = prompts()
    x = torch.tensor(np.array([heads[family].embed(p) for p in ids.tolist()]))
    with torch.no_grad():
        expected = heads[family].to_module()(x, return_attention=True)[1]
        found = model(ids, output_attentions=True, use_cache=False).attentions[1]
    torch.testing.assert_close(found[:, 1].double(), expected, rtol=0, atol=1e-4)
    assert (found[:, [0, 2]].double() - expected[:, None]).abs().max() > 0.1
    assert (
        on_target(model, ids, layer=1, head_index=1).min()
        >= written.certificate.quantities["weight"]
    )
    # Four blocks of one head, their three biases, the norm, the embeddings, and layer 0's outputs.
    width, block = model.config.hidden_size, 32 * model.config.hidden_size
    changed = {
        name: int((value != before[name]).sum())
        for name, value in model.named_parameters()
        if not torch.equal(value, before[name])
    }
    ours = {name: count for name, count in changed.items() if ".1." in name}
    weights = sum(count for name, count in ours.items() if "norm" not in name and "ln_" not in name)
    biases = 3 * 32 if family == "gpt_neox" else 0
    assert 4 * block - 200 <= weights <= 4 * block + biases
    assert sum(ours.values()) <= weights + 2 * width
    assert not any(".2." in name or "lm_head" in name for name in changed)


def test_the_other_heads_of_the_group_can_be_silenced(heads):
    model = random_llama()
    write_head(model, heads["llama"], layer=0, head_index=1, sharing="silence")
    slot = open_slot(model, 0, 0).projections()
    assert not slot["q"][0].any()
    assert not slot["o"][0].any()
    assert (
        on_target(model, prompts(40), head_index=1).min()
        >= certificate(model, head_index=1)["weight"]
    )


def test_it_adds_the_attended_token_to_the_stream(heads, family):
    """The head's output is the token part of the position three back, in embedding units."""
    model = build_model(family, heads[family], dtype=torch.float64)
    ids = prompts()[:2]
    slot, states = open_slot(model, 0, 0), []
    hook = slot.writers(0)[0].register_forward_hook(lambda _m, _i, out: states.append(out))
    with torch.no_grad():
        model(ids)
        hook.remove()
        # Token parts around their mean: the shared direction is no part of what is added.
        parts = slot.embedding - slot.embedding.mean(0)
        off = states[0][:, OFFSET:] - parts[ids[:, :-OFFSET]]
        spread = (off - off.mean((0, 1))).norm(dim=-1).max() / parts.norm(dim=-1).max()
    assert float(spread) < 2 * (1 - certificate(model)["weight"])


class TestFailures:
    """A condition of the theory left out, or a certificate for other weights, is seen."""

    def test_low_planes_only(self):
        offset, length, amplitude = 24, 64, 30.0
        head = low_planes_head(SPECS["llama"], offset, length, amplitude, wavelength=300)
        model = build_model("llama", head)
        weights = on_target(model, prompts(2, length), offset=offset)
        omega = 2 * np.pi / 300
        rows = np.arange(offset + 1, length + 1)
        few = np.minimum(np.minimum(offset, rows - 1 - offset), int(1 / (omega * amplitude**0.5)))
        bound = 1 / (1 + 2 * np.exp(-0.5) * few)
        assert (weights <= bound + 1e-5).all()
        assert bound[-1] < 0.25
        assert certificate(model, offset=offset, length=length)["score"] <= bound[-1]

    def test_rank_one_without_a_cone(self):
        head = rank_one_without_cone(SPECS["llama"], OFFSET, LENGTH, 0.9)
        model = build_model("llama", head)
        ids = torch.tensor([[0] * LENGTH, [1] * LENGTH])
        weights = on_target(model, ids)
        assert weights[0].min() >= 0.9
        assert weights[1].mean() <= 0.2
        assert certificate(model)["score"] == 0

    def test_a_ghost(self):
        offset, length, amplitude = 60, 160, 40.0
        head = aliasing_head(SPECS["gpt_neox"], offset, length, amplitude)
        model = build_model("gpt_neox", head)
        with torch.no_grad():
            row = model(prompts(2, length), output_attentions=True).attentions[0][0, 0, -1]
        target = length - 1 - offset
        ghost = float(row[target + 44] / row[target])
        assert ghost == pytest.approx(np.exp(-amplitude * (1 - np.cos(44))), rel=1e-2)
        assert certificate(model, offset=offset, length=length)["score"] < 0.5

    def test_changed_weights_have_no_certificate(self, heads, family):
        model = build_model(family, heads[family])
        old = certificate(model)
        with torch.no_grad():
            open_slot(model, 0, 0).projections()["q"][0].mul_(0.5)
        assert on_target(model, prompts()).min() < old["weight"]
        new = certificate(model)
        assert new["weight"] < old["weight"]
        assert on_target(model, prompts()).min() >= new["weight"]

    def test_embeddings_off_the_cone_have_no_certificate(self, heads, family):
        model = build_model(family, heads[family])
        with torch.no_grad():
            open_slot(model, 0, 0).embedding[5].mul_(-1)
        assert on_target(model, torch.full((1, LENGTH), 5)).min() >= 0.9  # both signs flip
        assert on_target(model, prompts()).min() < 0.1
        assert certificate(model)["score"] == 0

    def test_wrong_rotation_tables_have_no_certificate(self, heads):
        """Frequencies rounded to bfloat16, as `model.to(torch.bfloat16)` does."""
        whole = build_model("llama", heads["llama"], dtype=torch.bfloat16)
        cast = build_model("llama", heads["llama"]).to(torch.bfloat16)
        assert certificate(cast)["score"] < certificate(whole)["score"]
        for model in (whole, cast):
            assert on_target(model, prompts()).min() >= certificate(model)["weight"]

    def test_the_wrong_layout_is_seen(self, heads):
        other = to_layout(heads["llama"], "interleaved")
        with pytest.raises(InvalidArgument, match="layout interleaved"):
            build_model("llama", other)
        model = build_model("llama", heads["llama"], dtype=torch.float64)
        slot = open_slot(model, 0, 0).projections()
        with torch.no_grad():
            for name in ("q", "k"):
                half = slot[name][0]
                half.copy_(torch.cat((half[0::2], half[1::2])).clone())
        assert on_target(model, prompts()).min() < 0.5
        assert certificate(model)["weight"] <= on_target(model, prompts()).min()


@pytest.mark.parametrize(
    "config",
    [
        MistralConfig(
            vocab_size=20,
            hidden_size=64,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=32,
            sliding_window=LENGTH,
        ),
        Qwen2Config(
            vocab_size=20,
            hidden_size=64,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
        ),
    ],
    ids=["mistral", "qwen2"],
)
def test_relatives_of_llama(heads, config):
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    head = slash_head(
        RopeSpec.from_config(config), OFFSET, LENGTH, 0.9, tokens=[f"t{n}" for n in range(20)]
    )
    written = write_head(model, head, head_index=1)
    assert (
        on_target(model, prompts(20), head_index=1).min()
        >= written.certificate.quantities["weight"]
    )
    assert written.certificate.quantities["score"] >= 0.9


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


def test_families_are_those_of_the_readme():
    assert set(SLOTS) == {"llama", "mistral", "qwen2", "gpt_neox", "gptj"}
