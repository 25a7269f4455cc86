"""Scores of heads from tensors that somebody else captured: arrays, patterns, caches with names of hooks."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tiny_models import make_model, make_prompts

from ropeproof import RopeSpec, Yarn
from ropeproof.numerics.core.spec import rotate
from ropeproof.numerics.models.visit import visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.tools.measure import (
    HeadMonitor,
    head_scores_from,
    scores_from_cache,
    scores_from_patterns,
)
from ropeproof.tools.measure.monitor.rows import COLUMNS

LENGTH, DIM = 24, 16
BHLD = "batch heads length dim"
DRAW = np.random.default_rng(0)
QUERIES, KEYS = DRAW.normal(size=(4, 4, LENGTH, DIM)), DRAW.normal(size=(4, 2, LENGTH, DIM))
SPECS = {
    "plain": RopeSpec(DIM, 10000),
    "partial": RopeSpec(DIM, 10000, rotary_dim=8),
    "interleaved": RopeSpec(DIM, 100, layout="interleaved"),
    "attention factor": RopeSpec(DIM, 10000, scaling=Yarn(factor=4, original_length=16)),
}


def values(table):
    return [row["value"] for row in table]


def captured(model, tokens):
    """Queries, keys and patterns of all layers, with the axes that transformers gives them."""
    layers, rows = [], []
    visit_layers(model, tokens, layers.append)
    with torch.no_grad():
        rows = model(tokens, output_attentions=True).attentions
    return layers, rows


@pytest.mark.parametrize(
    "name", ["llama", "llama, yarn", "gptj", "phi3", "gemma2", "mistral, window"]
)
def test_captured_tensors_give_what_the_monitor_gives(name):
    model = make_model(name, torch.float32)
    model.set_attn_implementation("eager")
    tokens = make_prompts(batch=4, length=18)
    monitor = HeadMonitor(None, during="evaluation", shortest=8, lags=(2,))
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=tokens)
        wanted = monitor.record(step=0)
    layers, patterns = captured(model, tokens)
    specs = layer_specs(model.config, length=18)
    found, weights = [], []
    for layer, pattern in zip(layers, patterns, strict=True):
        common = {"window": layer.window, "lags": (2,), "layer": layer.layer}
        found += head_scores_from(
            *(layer.queries, layer.keys, specs[layer.layer]),
            axes=BHLD,
            rotated=False,
            scale=layer.scale,
            soft_cap=layer.soft_cap,
            **common,
        )
        weights += scores_from_patterns(pattern, axes="batch heads query key", **common)
    for one, two in zip(wanted, found, strict=True):
        assert tuple(two) == COLUMNS
        assert {**one, "source": "", "value": None, "spread": None} == {
            **two,
            "source": "",
            "value": None,
            "spread": None,
        }
        assert two["value"] == pytest.approx(one["value"], abs=1e-5)
    by_weights = {(r["layer"], r["head"], r["quantity"]): r for r in weights}
    for row in wanted:
        other = by_weights.get((row["layer"], row["head"], row["quantity"]))
        if row["quantity"] in ("previous-token", "slash", "sink", "uniform", "slash_score"):
            assert other["value"] == pytest.approx(row["value"], abs=1e-5)
        elif other is not None:
            assert (other["value"], other["verdict"]) == (None, "not measured")


@pytest.mark.parametrize("name", SPECS)
def test_rotated_vectors_give_what_unrotated_ones_give(name):
    spec, places = SPECS[name], np.arange(5, 5 + LENGTH)
    plain = head_scores_from(QUERIES, KEYS, spec, axes=BHLD, rotated=False, lags=(3,))
    turned = [rotate(x, places, spec) for x in (QUERIES, KEYS)]
    again = head_scores_from(*turned, spec, axes=BHLD, rotated=True, positions=places, lags=(3,))
    assert values(again) == pytest.approx(values(plain), abs=1e-9)
    alone = head_scores_from(*turned, None, axes=BHLD, rotated=True, lags=(3,))
    for one, two in zip(plain, alone, strict=True):
        if one["quantity"] in ("positional", "symbolic", "additive_r2_two_axes"):
            assert (two["value"], two["unit"]) == (None, "not measured")
        else:
            assert two["value"] == pytest.approx(one["value"], abs=1e-9)


@pytest.mark.parametrize("kind", ["numpy", "torch", "float16", "saved by nnsight"])
@pytest.mark.parametrize("axes", ["batch length heads dim", "heads dim length batch", BHLD])
def test_any_order_of_axes_and_any_kind_of_array(kind, axes):
    spec = SPECS["plain"]
    wanted = head_scores_from(QUERIES, KEYS, spec, axes=BHLD, rotated=False)
    order = [BHLD.split().index(axis) for axis in axes.split()]
    given = [x.transpose(order) for x in (QUERIES, KEYS)]
    if kind != "numpy":
        given = [torch.from_numpy(x.copy()) for x in given]
    if kind == "float16":
        given = [x.half() for x in given]
    if kind == "saved by nnsight":
        given = [SimpleNamespace(value=x) for x in given]
    found = head_scores_from(*given, spec, axes=axes, rotated=False)
    assert values(found) == pytest.approx(values(wanted), abs=2e-2 if kind == "float16" else 1e-9)


def test_one_sequence_and_chosen_heads():
    spec = SPECS["plain"]
    every = head_scores_from(QUERIES[:1], KEYS[:1], spec, axes=BHLD, rotated=False)
    one = head_scores_from(
        QUERIES[0], KEYS[0], spec, axes="heads length dim", rotated=False, heads=[3]
    )
    assert values(one) == [row["value"] for row in every if row["head"] == 3]
    assert {row["n"] for row in one} == {0, 1}
    assert {row["verdict"] for row in one} == {"not decided", "not measured", None}


# --- a cache with the names of TransformerLens' hooks -----------------------------------------------


def cache_of(model, tokens, *names):
    """What a cache of TransformerLens has under these names, for a model of transformers."""
    layers, patterns = captured(model, tokens)
    specs, found = layer_specs(model.config, length=tokens.shape[1]), {}
    for layer, pattern in zip(layers, patterns, strict=True):
        at = f"blocks.{layer.layer}.attn."
        for side, x in (("q", layer.queries), ("k", layer.keys)):
            turned = rotate(x, np.arange(x.shape[2]), specs[layer.layer])
            found |= {f"{at}hook_{side}": x.transpose(1, 2)}
            found |= {f"{at}hook_rot_{side}": turned.transpose(1, 2)}
            found |= {f"{at}hook_{side}_normed": x}
        found[f"{at}hook_pattern"] = pattern
    return {name: x for name, x in found.items() if name.rpartition(".")[2] in names}


def test_a_cache_says_by_its_names_what_is_rotated():
    model = make_model("llama")
    tokens = make_prompts(batch=4, length=18)
    spec = layer_specs(model.config)[0]
    plain = cache_of(model, tokens, "hook_q", "hook_k", "hook_pattern")
    wanted = scores_from_cache(plain, spec, lags=(2,))
    assert {(row["layer"], row["head"]) for row in wanted} == {
        (n, h) for n in (0, 1) for h in range(4)
    }
    turned = cache_of(model, tokens, "hook_rot_q", "hook_rot_k", "hook_pattern")
    assert values(scores_from_cache(turned, spec, lags=(2,))) == pytest.approx(
        values(wanted), abs=1e-9
    )
    normed = cache_of(model, tokens, "hook_q_normed", "hook_k_normed", "hook_q", "hook_k")
    with pytest.raises(InvalidArgument, match="hook_q_normed, which depends on the family"):
        scores_from_cache(normed, spec)
    assert values(scores_from_cache(normed, spec, axes=BHLD, lags=(2,))) == values(wanted)
    one = {name: x[0] for name, x in plain.items()}
    assert len(scores_from_cache(one, spec, heads="1.3")) == len(wanted) // 8 - 1
    weights = scores_from_cache(cache_of(model, tokens, "hook_pattern"))
    assert {row["source"] for row in weights} == {"patterns"}


@pytest.mark.parametrize(
    "wrong", [{"spec": RopeSpec(8, 10000)}, {"scale": 1.0}, {"soft_cap": 0.1}, {"window": 4}]
)
def test_vectors_that_do_not_give_the_caches_own_pattern_are_refused(wrong):
    model = make_model("llama")
    cache = cache_of(model, make_prompts(batch=2, length=18), "hook_q", "hook_k", "hook_pattern")
    given = {"spec": layer_specs(model.config)[0]} | wrong
    with pytest.raises(InvalidArgument, match=r"weights of blocks\.0\.attn\.hook_q off by"):
        scores_from_cache(cache, **given)


# --- refused by name --------------------------------------------------------------------------------

GOOD = {"queries": QUERIES, "keys": KEYS, "spec": SPECS["plain"], "axes": BHLD, "rotated": False}


@pytest.mark.parametrize(
    ("named", "change"),
    [
        ("axes", {"axes": "batch heads dim"}),
        ("axes", {"axes": None}),
        ("axes", {"axes": "b h l d"}),
        ("queries", {"axes": "heads length dim"}),
        ("queries", {"queries": QUERIES[0]}),
        ("queries", {"queries": QUERIES.astype(int)}),
        ("queries", {"queries": QUERIES.tolist()}),
        ("queries", {"queries": QUERIES * np.nan}),
        ("queries", {"queries": QUERIES[:, :, :3], "keys": KEYS[:, :, :3]}),
        ("queries", {"queries": QUERIES[:0], "keys": KEYS[:0]}),
        ("keys", {"keys": KEYS[:, :, :5]}),
        ("keys", {"keys": np.concatenate((KEYS, KEYS[:, :1]), 1)}),
        ("spec", {"spec": None}),
        ("spec", {"spec": RopeSpec(8, 100)}),
        ("spec", {"spec": 10000}),
        ("rotated", {"rotated": None}),
        ("positions", {"positions": np.arange(LENGTH) * 2}),
        ("positions", {"positions": np.arange(3)}),
        ("positions", {"positions": np.arange(LENGTH) * 1.0}),
        ("scale", {"scale": "half"}),
        ("soft_cap", {"soft_cap": -1.0}),
        ("window", {"window": 1}),
        ("heads", {"heads": [4]}),
        ("lags", {"lags": (0.5,)}),
        ("layer", {"layer": -1}),
    ],
)
def test_bad_arguments_are_named(named, change):
    with pytest.raises(InvalidArgument) as error:
        head_scores_from(**(GOOD | change))
    assert error.value.argument == named


def test_patterns_that_are_none_are_named():
    uniform = np.tri(8) / np.arange(1, 9)[:, None]
    for wrong in (uniform[None, :, :4], 2 * uniform[None], np.full((1, 8, 8), 1 / 8)):
        with pytest.raises(InvalidArgument):
            scores_from_patterns(wrong, axes="heads query key")
    with pytest.raises(InvalidArgument, match="axes"):
        scores_from_patterns(uniform[None], axes="heads key")


def test_caches_that_are_none_are_named():
    spec = SPECS["plain"]
    q = torch.from_numpy(QUERIES).transpose(1, 2)
    for named, cache, more in (
        ("cache", [1, 2], {}),
        ("cache", {"hook_embed": q}, {}),
        ("cache", {"blocks.0.attn.hook_q": q}, {}),
        ("spec", {"blocks.0.attn.hook_q": q, "blocks.0.attn.hook_k": q}, {"spec": None}),
        ("spec", {"blocks.1.attn.hook_q": q, "blocks.1.attn.hook_k": q}, {"spec": [spec]}),
        ("heads", {"blocks.0.attn.hook_q": q, "blocks.0.attn.hook_k": q}, {"heads": "1.0"}),
    ):
        with pytest.raises(InvalidArgument) as error:
            scores_from_cache(cache, **({"spec": spec} | more))
        assert error.value.argument == named


def test_positions_of_several_coordinates_are_refused():
    from ropeproof.theory.rotary.presets import PRESETS

    several = [preset.spec for preset in PRESETS.values() if preset.spec.axes is not None]
    for spec in several[:1]:
        x = DRAW.normal(size=(1, 1, 8, spec.head_dim))
        with pytest.raises(Unsupported, match="several axes"):
            head_scores_from(x, x, spec, axes=BHLD, rotated=False)
