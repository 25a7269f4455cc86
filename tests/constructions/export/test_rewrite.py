"""A head of a model rewritten by a gauge: the same logits within the stated bound, or a refusal by name."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_models import CONFIGS, make_model, make_prompts

from ropeproof.constructions.export.rewrite import rewrite_head
from ropeproof.numerics.forms.distance import same_head
from ropeproof.numerics.forms.of_model import layer_weights
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.visit import attentions_of, visit_layers
from ropeproof.numerics.models.weights import projection, vector_norm
from ropeproof.theory.errors import InvalidArgument, Unsupported

NORMED = {
    "qwen3", "qwen3_moe", "olmo2", "olmo3", "phi, normed", "stablelm, normed", "cohere, normed",
    "gemma3_text",
}  # fmt: skip
CLIPPED = {"olmo, clipped"}
FREE = [name for name in CONFIGS if name not in NORMED | CLIPPED]
TYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}


def gauge(planes, seed=0, spread=1.5):
    random = np.random.default_rng(seed)
    sizes = np.exp(random.uniform(-spread, spread, planes))
    return sizes * np.exp(2j * np.pi * random.random(planes))


def planes_of(model, layer=1):
    return layer_weights(model, layers=[layer])[0].spec.planes


def logits_in(model, layer=1):
    """A layer's logits, as its own arithmetic gives them, and the inputs of its projections."""
    base, _, family = read_model(model)
    attention = attentions_of(base, family)[layer]
    linear = projection(attention, "queries", family, base.config, 2).linear
    inputs, seen = [], []
    hook = linear.register_forward_pre_hook(lambda _m, given: inputs.append(given[0].detach()))
    try:
        visit_layers(model, make_prompts(1), seen.append, layers=[layer])
    finally:
        hook.remove()
    (found,) = seen
    rotation = found.rotation
    tables = [t.to(found.queries.dtype) for t in (rotation.cosines, rotation.sines)]
    sides = []
    for vectors in (found.queries[0], found.keys[0]):
        real, imaginary = vectors[..., list(rotation.real)], vectors[..., list(rotation.imaginary)]
        sides.append(
            torch.cat(
                (
                    real * tables[0] - imaginary * tables[1],
                    real * tables[1] + imaginary * tables[0],
                ),
                -1,
            )
        )
    groups = len(sides[0]) // len(sides[1])
    keys = sides[1].repeat_interleave(groups, 0)
    logits = (sides[0] @ keys.transpose(1, 2)) * found.scale
    return logits.double().numpy(), inputs[0][0].double().numpy()


def output(model):
    with torch.no_grad():
        return model(make_prompts()).logits.double()


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", FREE)
def test_the_logits_move_within_the_stated_bound(name, kind):
    model = make_model(name).to(TYPES[kind])
    before, inputs = logits_in(model)
    last = len(before) - 1
    forms = [layer.forms(last) for layer in layer_weights(model)]
    c = gauge(planes_of(model))
    found = rewrite_head(model, 1, last, c)
    assert last in found.heads
    after, inputs_after = logits_in(model)
    assert (inputs == inputs_after).all()
    for head in found.heads:
        bound = found.logit_bound(head, inputs, inputs)
        off = np.abs(before[head] - after[head])
        assert (off <= bound).all()
        # And it is a bound of rounding: a few times the unit times what is summed.
        unit = {"float64": 2.0**-53, "float32": 2.0**-24, "bfloat16": 2.0**-8}[kind]
        assert bound.max() < 600 * unit * max(1.0, np.abs(before).max() * 8)
        assert off.max() > 0 or kind == "bfloat16"
    others = [h for h in range(len(before)) if h not in found.heads]
    assert (before[others] == after[others]).all()
    same = same_head(forms[1], layer_weights(model)[1].forms(last))
    assert same.same_within({"float64": 2.0**-53, "float32": 2.0**-24, "bfloat16": 2.0**-8}[kind])
    assert same_head(forms[0], layer_weights(model)[0].forms(last)).distance == 0.0


@pytest.mark.parametrize("name", FREE)
def test_the_models_own_output_is_unchanged_in_float64(name):
    model = make_model(name)
    before = output(model)
    rewrite_head(model, 0, 0, gauge(planes_of(model)))
    last = int(model.config.num_attention_heads) - 1 if "gptj" not in name else 0
    rewrite_head(model, 1, last, gauge(planes_of(model), 3))
    # Norms run in float32 whatever the type is, which magnifies 1e-16 to 1e-7 where it rounds apart.
    assert (output(model) - before).abs().max() < 2e-6


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", ["llama", "gpt_neox", "gptj", "qwen2", "llama, own head_dim"])
def test_signs_and_powers_of_two_change_no_bit(name, kind):
    model = make_model(name).to(TYPES[kind])
    before = output(model)
    planes = planes_of(model)
    c = np.array([2.0, -1.0, -0.25, 1.0] * planes)[:planes]
    rewrite_head(model, 1, 0, c)
    assert torch.equal(output(model), before)


def test_a_single_number_and_grouped_heads():
    model = make_model("llama")
    weights = {name: value.clone() for name, value in model.named_parameters()}
    found = rewrite_head(model, 0, 3, 2j)
    assert found.heads == (2, 3)
    assert found.key_head == 1
    assert found.factors.tolist() == [2j] * 4
    changed = {n for n, v in model.named_parameters() if not torch.equal(v, weights[n])}
    assert changed == {f"model.layers.0.self_attn.{side}_proj.weight" for side in "qk"}
    own, before = (
        model.model.layers[0].self_attn.q_proj.weight,
        "model.layers.0.self_attn.q_proj.weight",
    )
    assert torch.equal(own[:16], weights[before][:16])


def equal_norms(model, value=1.5):
    """The model with norms over queries and keys whose weights have one size, with signs."""
    base, _, family = read_model(model)
    with torch.no_grad():
        for attention in attentions_of(base, family):
            for side in ("q", "k"):
                module = vector_norm(attention, side)
                for part in getattr(module, "norms", [module]):
                    offset = 1.0 if "Gemma" in type(part).__name__ else 0.0
                    signs = torch.where(torch.arange(part.weight.numel()) % 3 == 0, -1.0, 1.0)
                    part.weight.copy_((value * signs - offset).reshape(part.weight.shape))
    return model


PHASES = {"qwen3": False, "qwen3_moe": False, "gemma3_text": False, "olmo2": True, "olmo3": True}
"""Whether sizes can be merged into the norm's weight as well."""


@pytest.mark.parametrize("kind", ["float64", "float32", "bfloat16"])
@pytest.mark.parametrize("name", PHASES)
def test_behind_an_rms_norm_with_even_weights_every_phase_is_a_gauge(name, kind):
    model = equal_norms(make_model(name).double()).to(TYPES[kind])
    c = gauge(planes_of_normed(model))
    if not PHASES[name]:
        with pytest.raises(Unsupported, match=r"plane 0, queries of head 0: \|c\| = .*shared"):
            rewrite_head(model, 1, 0, c)
        c = c / np.abs(c)
    compare(model, c, kind)


def planes_of_normed(model):
    from ropeproof.theory.rotary.layers import layer_specs

    return layer_specs(model.config)[1].planes


def compare(model, c, kind):
    before, inputs = logits_in(model)
    found = rewrite_head(model, 1, 0, c)
    after, _ = logits_in(model)
    changed = np.abs(before[0] - after[0])
    for head in found.moved:
        bound = found.logit_bound(head, inputs, inputs)
        assert (np.abs(before[head] - after[head]) <= bound).all()
        unit = max({"float64": 2.0**-24, "float32": 2.0**-24, "bfloat16": 2.0**-8}[kind], 2.0**-24)
        assert bound.max() < 4000 * unit * max(1.0, np.abs(before).max())
    others = [h for h in range(len(before)) if h not in found.moved]
    assert (before[others] == after[others]).all()
    return changed


def test_behind_an_rms_norm_with_uneven_weights_only_signs_are():
    model = make_model("qwen3")
    planes = planes_of_normed(model)
    for c in (1j, np.exp(0.3j), 1 + 1e-9):
        with pytest.raises(Unsupported, match="plane 0, queries of head 0"):
            rewrite_head(model, 1, 0, c)
    compare(model, np.where(np.arange(planes) % 2, -1.0, 1.0), "float64")


@pytest.mark.parametrize("name", ["olmo2", "olmo3"])
def test_a_weight_of_its_own_takes_sizes_and_quarter_turns(name):
    model = make_model(name)
    with pytest.raises(Unsupported, match="1, i, -1, -i and their multiples"):
        rewrite_head(model, 1, 0, np.exp(0.3j))
    planes = planes_of_normed(model)
    compare(model, np.array([2.0, -1.5, 3j, -0.2j] * planes)[:planes], "float64")


@pytest.mark.parametrize("name", ["stablelm, normed", "cohere, normed"])
def test_a_layer_norm_of_its_own_takes_real_and_imaginary_factors(name):
    model = make_model(name)
    with pytest.raises(Unsupported, match="real and imaginary factors alone"):
        rewrite_head(model, 1, 0, np.exp(0.3j))
    planes = planes_of_normed(model)
    compare(model, np.array([2.0, -1.5, 3j, -0.2j] * planes)[:planes], "float64")


def test_a_shared_layer_norm_takes_nothing():
    model = make_model("phi, normed")
    for c in (-1, 1j, 2):
        with pytest.raises(Unsupported, match="shared with other heads, commutes with 1 alone"):
            rewrite_head(model, 1, 0, c)
    assert compare(model, 1.0, "float64").max() == 0.0


def test_clipped_queries_and_keys_take_quarter_turns():
    model = make_model("olmo, clipped")
    for c in (np.exp(0.3j), 2.0):
        with pytest.raises(Unsupported, match="clipped, which only 1, i, -1 and -i commute"):
            rewrite_head(model, 1, 0, c)
    compare(model, np.array([1j, -1, -1j, 1]), "float64")


def test_nothing_is_written_where_something_is_refused():
    model = make_model("qwen3")
    weights = {name: value.clone() for name, value in model.named_parameters()}
    with pytest.raises(Unsupported):
        rewrite_head(model, 1, 0, [-1, -1, -1, 1j])
    model16 = make_model("llama").half()
    weights16 = {name: value.clone() for name, value in model16.named_parameters()}
    with pytest.raises(InvalidArgument, match="keys beyond the range of float16"):
        rewrite_head(model16, 0, 0, 1e-7)
    for one, kept in ((model, weights), (model16, weights16)):
        assert all(torch.equal(value, kept[name]) for name, value in one.named_parameters())


@pytest.mark.parametrize(
    ("where", "allowed"),
    [
        ((2, 0, 1.0), "layer"), ((0, 4, 1.0), "head"), ((0, -1, 1.0), "head"),
        ((0, 0, 0.0), "0 or not finite"), ((0, 0, [1, 1, 1, np.nan]), "0 or not finite"),
        ((0, 0, [1, 2, 3]), "one number, or one for each of 4 planes"), ((0, 0, "1"), "one number"),
        ((0, 0, 1e-320), "0 or not finite"),
    ],
)  # fmt: skip
def test_arguments_are_checked(where, allowed):
    with pytest.raises(InvalidArgument, match=allowed):
        rewrite_head(make_model("llama"), *where)


def test_what_is_no_plain_linear_map_is_refused():
    model = make_model("llama")
    attention = model.model.layers[0].self_attn
    attention.q_proj = torch.nn.Sequential(attention.q_proj)
    with pytest.raises(Unsupported, match="Sequential in place of a linear map of queries"):
        rewrite_head(model, 0, 0, 1j)
    model = make_model("llama")
    layers = model.model.layers
    layers[1].self_attn.q_proj.weight = layers[0].self_attn.q_proj.weight
    with pytest.raises(Unsupported, match="shared with another module"):
        rewrite_head(model, 0, 0, 1j)
    with pytest.raises(InvalidArgument, match="a model of transformers"):
        rewrite_head(torch.nn.Linear(2, 2), 0, 0, 1j)


def test_the_bound_asks_for_a_rewritten_head_and_inputs_of_its_width():
    model = make_model("llama")
    found = rewrite_head(model, 0, 0, 1j)
    x = np.ones((2, 32))
    assert found.weight_bound(1, x, x).shape == (2,)
    with pytest.raises(InvalidArgument, match="one of 0, 1"):
        found.logit_bound(2, x, x)
    with pytest.raises(InvalidArgument, match=r"\(tokens, 32\)"):
        found.logit_bound(0, x[:, :5], x)
    half = rewrite_head(make_model("llama").half(), 0, 0, 1j)
    with pytest.raises(Unsupported, match="rounding in float16"):
        half.logit_bound(0, x, x)
