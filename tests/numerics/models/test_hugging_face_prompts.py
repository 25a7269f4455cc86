"""Prompts of different lengths, frequencies of a length, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers
from tiny_models import (
    CONFIGS,
    GROUPED,
    LAYERS,
    LENGTH,
    PLAIN,
    TOKENS,
    WINDOW,
    make_model,
    make_prompts,
    state,
)
from transformers import GemmaConfig, GPT2Config

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models import FAMILIES, capture_heads, head_scores
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec

LENGTHS = (9, 5, 7, 5)


OUTSIDE = TOKENS + 3  # no token: what stands at padding is not read


def padded(side, lengths=LENGTHS):
    """Prompts of these lengths in one batch with padding on one side or both, and their mask."""
    longest = max(lengths) + (2 if side == "both" else 0)
    prompts = make_prompts(len(lengths), max(lengths))
    tokens = torch.full((len(lengths), longest), OUTSIDE)
    mask = torch.zeros(len(lengths), longest, dtype=torch.long)
    for row, length in enumerate(lengths):
        free = longest - length
        start = {"left": free, "right": 0, "both": min(free, 1)}[side]
        tokens[row, start : start + length] = prompts[row, :length]
        mask[row, start : start + length] = 1
    return tokens, mask, [prompts[row, :length][None] for row, length in enumerate(lengths)]


@pytest.mark.parametrize(
    ("name", "side"),
    [(name, "left") for name in CONFIGS]
    + [(name, side) for name in ("llama", "gemma3_text") for side in ("right", "both")],
)
def test_padding_on_any_side_is_no_part_of_a_prompt(name, side):
    """Each prompt of the batch has the scores that it has alone."""
    tokens, mask, alone = padded(side)
    found = head_scores(make_model(name), tokens, mask, tau=1e-2)
    assert found.lengths == LENGTHS
    assert found.rows == tuple(length - 1 for length in LENGTHS)
    for row, prompt in enumerate(alone):
        wanted = head_scores(make_model(name), prompt, tau=1e-2)
        np.testing.assert_allclose(found.s_pos[row], wanted.s_pos[0], rtol=0, atol=1e-9)
        np.testing.assert_allclose(found.s_sym[row], wanted.s_sym[0], rtol=0, atol=1e-9)
        assert (found.purity[row] == wanted.purity[0]).all()


@pytest.mark.parametrize("name", ["llama", "gemma3_text", "llama, dynamic"])
@pytest.mark.parametrize("planes", [False, True])
def test_every_row_of_prompts_of_different_lengths(name, planes):
    tokens, mask, alone = padded("left")
    found = head_scores(make_model(name), tokens, mask.bool(), rows="all", tau=1, planes=planes)
    assert found.rows == tuple(range(2, 9))
    for row, prompt in enumerate(alone):
        wanted = head_scores(make_model(name), prompt, rows="all", tau=1, planes=planes)
        count = len(wanted.rows)
        np.testing.assert_allclose(found.s_pos[row, ..., :count], wanted.s_pos[0], atol=1e-9)
        assert np.isnan(found.s_pos[row, ..., count:]).all()
        assert (found.purity[row, ..., count:] == "").all()
        assert (found.purity[row, ..., :count] != "").all()


@pytest.mark.parametrize("name", ["llama", "gptj", "mistral, window", "gemma3_text", "llama, yarn"])
def test_left_padding_is_what_the_model_does_with_it(name):
    """The model's own forward pass on a padded batch, with the positions that generation uses."""
    model = make_model(name, torch.float32)
    tokens, mask, _ = padded("left")
    tokens = tokens.where(mask == 1, torch.zeros(()).long())
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    with torch.no_grad():
        own = model(tokens, attention_mask=mask, position_ids=positions, output_attentions=True)
    heads = capture_heads(model, tokens, mask)
    for row, length in enumerate(LENGTHS):
        for layer, attention in enumerate(own.attentions):
            turns, window = heads.rotations[layer], heads.windows[layer] or length
            keys = heads.keys[row, layer].repeat_interleave(heads.groups, 0)[:, :length].double()
            for place in range(length):
                first = max(0, place + 1 - window)
                query = heads.queries[row, layer, :, place].double() * heads.scale
                back = turns.since(first).turned_back(query, place - first)
                logits = (keys[:, first : place + 1] * back).sum(-1)
                wanted = attention[row, :, -length + place, -length + first :][
                    :, : place + 1 - first
                ]
                torch.testing.assert_close(logits.softmax(-1), wanted.double(), rtol=0, atol=1e-5)


def test_capture_of_prompts_of_different_lengths():
    model = make_model("qwen2, window")
    tokens, mask, alone = padded("left")
    whole = capture_heads(model, tokens, mask)
    last = capture_heads(model, tokens, mask, rows=3)
    assert whole.lengths == LENGTHS
    assert whole.windows == (WINDOW, None)
    for row, prompt in enumerate(alone):
        wanted, length = capture_heads(model, prompt), LENGTHS[row]
        assert wanted.windows == ((WINDOW, None) if length > WINDOW else (None, None))
        torch.testing.assert_close(whole.queries[row, :, :, :length], wanted.queries[0])
        torch.testing.assert_close(whole.keys[row, :, :, :length], wanted.keys[0])
        assert not whole.keys[row, :, :, length:].any()
        assert not whole.queries[row, :, :, length:].any()
        torch.testing.assert_close(last.queries[row], wanted.queries[0, :, :, -3:])
    with pytest.raises(InvalidArgument, match="rows: got 6, allowed: at most the length, 5"):
        capture_heads(model, tokens, mask, rows=6)


@pytest.mark.parametrize("name", ["llama, dynamic", "llama, longrope"])
def test_one_batch_has_one_rotation(name):
    tokens, mask, _ = padded("right")
    kind = name.split(", ")[1]
    with pytest.raises(Unsupported) as error:
        capture_heads(make_model(name), tokens, mask)
    assert str(error.value).startswith(
        f"rope_type {kind}: one batch of prompts of different lengths"
    )
    assert capture_heads(make_model(name), tokens[1::2], mask[1::2]).lengths == (5, 5)


def test_layers_that_turn_differently():
    heads = capture_heads(make_model("gemma3_text"), make_prompts())
    with pytest.raises(Unsupported, match="rotations that differ between layers"):
        _ = heads.rotation
    specs = layer_specs(make_model("gemma3_text").config, length=LENGTH)
    for found, spec in zip(heads.rotations, specs, strict=True):
        exact = Rotation.of(spec, LENGTH, torch.device("cpu"))
        torch.testing.assert_close(found.cosines, exact.cosines, rtol=0, atol=1e-5)
    assert specs[0] != specs[1]


MASK = torch.ones(2, LENGTH, dtype=torch.long)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (MASK[:1], "torch.int64 of shape (1, 9)"),
        (MASK[:, None, None], "torch.int64 of shape (2, 1, 1, 9)"),
        (MASK * 2, "other numbers than 0 and 1"),
        (MASK * 0.5, "other numbers than 0 and 1"),
        ("mask", "'mask'"),
        (MASK * torch.tensor([[1], [0]]), "row 1 with no token"),
        (MASK * (torch.arange(LENGTH) != 3), "row 0 with padding between tokens"),
    ],
)
def test_masks_that_are_none(mask, message):
    with pytest.raises(InvalidArgument) as error:
        head_scores(make_model("llama"), make_prompts(), mask)
    assert error.value.argument == "attention_mask"
    assert message in str(error.value)
    too_short = MASK.clone()
    too_short[1, 2:] = 0
    with pytest.raises(InvalidArgument, match="block: got 1, allowed: at most half of the 1 pos"):
        head_scores(make_model("llama"), make_prompts(), too_short)


# --- frequencies of the prompt's length ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["llama, dynamic", "llama, longrope"])
def test_what_ran_before_does_not_count(name):
    """Dynamic scaling keeps the frequencies of the longest prompt it has seen; not here."""
    model, tokens = make_model(name), make_prompts(length=LENGTH)
    wanted = head_scores(model, tokens)
    with torch.no_grad():
        model(make_prompts(length=40))
        before, logits = state(model), model(tokens).logits
    kept = {field: value.clone() for field, value in model.model.rotary_emb.named_buffers()}
    attributes = {
        field: value
        for field, value in vars(model.model.rotary_emb).items()
        if isinstance(value, int | float | torch.Tensor)
    }
    found = head_scores(model, tokens)
    np.testing.assert_array_equal(found.s_pos, wanted.s_pos)
    assert state(model) == before
    after = dict(model.model.rotary_emb.named_buffers())
    assert kept.keys() == after.keys()
    assert all(torch.equal(value, after[field]) for field, value in kept.items())
    for field, value in attributes.items():
        assert torch.as_tensor(vars(model.model.rotary_emb)[field]).equal(torch.as_tensor(value))
    with torch.no_grad():
        torch.testing.assert_close(model(tokens).logits, logits, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["llama, dynamic", "llama, longrope"])
@pytest.mark.parametrize("length", [5, 7, 8, 30])
def test_frequencies_are_those_of_the_length(name, length):
    model = make_model(name)
    with torch.no_grad():
        model(make_prompts(length=20))
    spec = RopeSpec.from_config(model.config, length=length)
    found = capture_heads(model, make_prompts(length=length)).rotation
    exact = Rotation.of(spec, length, torch.device("cpu"))
    torch.testing.assert_close(found.cosines, exact.cosines, rtol=0, atol=2e-6)
    torch.testing.assert_close(found.sines, exact.sines, rtol=0, atol=2e-6)
    short = RopeSpec.from_config(model.config, length=5)
    assert (Rotation.of(short, length, torch.device("cpu")).sines == exact.sines).all() == (
        length <= 7
    )


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


def test_a_window_too_small_for_two_blocks_is_refused():
    model = make_model("gemma2, window")
    assert head_scores(model, make_prompts(), block=2).s_pos.shape == (2, LAYERS, 4)
    with pytest.raises(InvalidArgument) as error:
        head_scores(model, make_prompts(), block=3)
    allowed = "at most half of the 5 positions that layer 0 sees before the query"
    assert str(error.value) == f"block: got 3, allowed: {allowed}"
    assert head_scores(model, make_prompts(length=WINDOW), block=2).s_pos.shape == (2, LAYERS, 4)


def test_unknown_frequencies_and_attention_to_the_future_are_refused():
    model = make_model("llama")
    model.config.rope_parameters = {**PLAIN, "rope_type": "ntk"}
    with pytest.raises(Unsupported) as error:
        head_scores(model, make_prompts())
    known = "default, dynamic, linear, llama3, longrope, yarn"
    assert str(error.value) == f"rope_type 'ntk': not one of {known}"
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
