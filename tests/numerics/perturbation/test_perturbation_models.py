"""Whole models with displaced tokens, the example and the page."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from example_programs import load_example

from ropeproof.numerics.bounds import perturbation
from ropeproof.numerics.bounds.perturbation import (
    loss_by_position,
    losses,
    moves,
    neighbour_swaps,
    token_losses,
    unmoved,
)
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument, Unsupported

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()


# --- whole models ---------------------------------------------------------------------------------------

TOKENS = 40


def make_model(kind="llama"):
    torch.manual_seed(1)
    shape = {"vocab_size": TOKENS, "bos_token_id": None, "eos_token_id": None}
    if kind == "gptj":
        config = transformers.GPTJConfig(
            **shape, n_embd=32, n_layer=2, n_head=2, n_positions=32, rotary_dim=8
        )
    else:
        config = transformers.LlamaConfig(
            **shape,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=8,
            rope_parameters={"rope_type": "default", "rope_theta": 100.0},
        )
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    return model


def prompts(batch=2, length=12):
    return torch.from_numpy(np.random.default_rng(0).integers(0, TOKENS, size=(batch, length)))


@pytest.mark.parametrize("kind", ["llama", "gptj"])
def test_losses_are_the_models_own(kind):
    model, tokens = make_model(kind), prompts()
    found = token_losses(model, tokens)
    assert found.shape == (2, 11)
    assert found.dtype == np.float64
    with torch.no_grad():
        chances = model(tokens).logits.double().log_softmax(-1)
        own = model(tokens[:1], labels=tokens[:1]).loss
    for b, i in np.ndindex(2, 11):
        assert found[b, i] == pytest.approx(-float(chances[b, i, tokens[b, i + 1]]), abs=1e-5)
    assert found[0].mean() == pytest.approx(float(own), abs=1e-5)


@pytest.mark.parametrize("kind", ["llama", "gptj"])
def test_displaced_tokens_are_at_their_positions(kind):
    model, tokens = make_model(kind), prompts()
    own = token_losses(model, tokens)
    # A whole shift changes no lag, either way.
    for shift in (5, -5):
        found = token_losses(model, tokens, moves=[shift] * 12)
        np.testing.assert_allclose(found, own, atol=1e-4)
    shifts = np.arange(12)  # every lag doubled
    found = token_losses(model, tokens, moves=shifts)
    assert abs(found - own)[:, 1:].max() > 1e-3
    with torch.no_grad():
        # The mask says that this is one sequence, in spite of the gaps between positions.
        named = {"position_ids": torch.arange(12)[None] * 2, "attention_mask": torch.ones(1, 12)}
        scores = model(tokens[:1], use_cache=False, **named).logits[0, :-1].double()
    expected = torch.nn.functional.cross_entropy(scores, tokens[0, 1:], reduction="none")
    np.testing.assert_allclose(found[0], expected.numpy(), atol=1e-5)


@pytest.mark.parametrize("shifts", [[1, -1] * 6, [0] * 12, [3, 0, -2] * 4])
def test_displaced_tokens_see_all_earlier_ones(shifts):
    """The order of the mask is that of the tokens, whatever their positions are."""
    model = make_model().double()
    tokens = prompts(1)
    other = tokens.clone()
    other[0, 0] = (other[0, 0] + 1) % TOKENS
    one, two = (token_losses(model, t, moves=shifts)[0] for t in (tokens, other))
    assert (abs(one - two)[:] > 1e-9).all()


def test_the_model_is_left_as_it_was_found(monkeypatch):
    model = make_model("gptj").train()
    model.transformer.h[0].eval()
    model.transformer.drop.p = 0.5
    training = [m.training for m in model.modules()]
    first, second = (token_losses(model, prompts()) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert [m.training for m in model.modules()] == training

    def broken(*_arguments, **_named):
        raise RuntimeError("out of order")

    monkeypatch.setattr(model.transformer.h[1].mlp, "forward", broken)
    with pytest.raises(RuntimeError, match="out of order"):
        token_losses(model, prompts())
    assert [m.training for m in model.modules()] == training


def test_buckets_of_positions():
    values = np.arange(12.0).reshape(2, 6)
    mean, error = loss_by_position(values, [0, 1, 4])
    np.testing.assert_allclose(mean, [3, 5])
    np.testing.assert_allclose(error, [3, 3])
    assert np.isnan(loss_by_position(values[:1], [0, 6])[1]).all()


@pytest.mark.parametrize("edges", [[0], [0, 7], [-1, 3], [2, 2], [3, 1], []])
def test_bad_edges_are_refused(edges):
    with pytest.raises(InvalidArgument) as error:
        loss_by_position(np.ones((2, 6)), edges)
    assert error.value.argument == "edges"


def test_swapped_tokens_and_their_neighbours_are_not_compared():
    swaps = neighbour_swaps(100, 0.2, seed=0)
    order = np.arange(100) + swaps
    tokens = np.arange(100)
    after = np.empty(100, dtype=int)
    after[order] = tokens
    same = (after == tokens)[:-1] & (after == tokens)[1:]
    np.testing.assert_array_equal(unmoved(swaps), same)
    assert 0 < same.sum() < 99


@pytest.mark.parametrize(
    ("tokens", "options", "argument"),
    [
        (prompts()[0], {}, "input_ids"),
        (prompts(length=1), {}, "input_ids"),
        (prompts() + TOKENS, {}, "input_ids"),
        (prompts(), {"moves": [1, 2]}, "moves"),
        (prompts(), {"moves": [0.5] * 12}, "moves"),
    ],
)
def test_bad_tokens_are_refused(tokens, options, argument):
    with pytest.raises(InvalidArgument) as error:
        token_losses(make_model(), tokens, **options)
    assert error.value.argument == argument


def test_bad_models_are_refused():
    with pytest.raises(InvalidArgument) as error:
        token_losses(make_model().model, prompts())
    assert (error.value.argument, error.value.allowed) == ("model", "a model that predicts tokens")
    with pytest.raises(InvalidArgument, match="max_position_embeddings, 32"):
        token_losses(make_model("gptj"), prompts(length=33))
    with pytest.raises(InvalidArgument, match=r"position 33.*positions below max_position"):
        token_losses(make_model("gptj"), prompts(), moves=[0] * 11 + [22])
    config = transformers.GPT2Config(vocab_size=TOKENS, n_embd=16, n_layer=1, n_head=2)
    with pytest.raises(Unsupported, match="gpt2"):
        token_losses(transformers.AutoModelForCausalLM.from_config(config), prompts())


def test_the_public_surface():
    for name in perturbation.__all__:
        assert getattr(perturbation, name).__doc__
    assert moves.__all__
    assert losses.__all__


# --- the example and the page ---------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def example():
    return load_example("perturb_model")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model's folder with a tokenizer of numbers, and a text of them beside it."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    place = tmp_path_factory.mktemp("small")
    make_model().save_pretrained(place / "model")
    tokenizer = Tokenizer(WordLevel({str(n): n for n in range(TOKENS)}, unk_token="0"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(
        place / "model"
    )
    words = np.random.default_rng(0).integers(TOKENS, size=400)
    (place / "held_out.txt").write_text(" ".join(map(str, words)), encoding="utf-8")
    return place


def test_the_example_measures_a_model(example, folder, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("disturbances.heads.LENGTH", 16)
    monkeypatch.setattr(example, "LENGTHS", (4, 32))
    monkeypatch.setattr("disturbances.tables.DRAWS", 8)
    monkeypatch.setattr("disturbances.tables.LAGS", 64)
    options = ["--model", str(folder / "model"), "--prompts", "3", "--factor", "2"]
    example.main([*options, "--output", str(tmp_path / "out")])
    written = {path.name for path in (tmp_path / "out").iterdir()}
    pictures = {"displaced.png", "longer.png", "model_heads.png", "model_loss.png"}
    assert written == {"numbers.json", *pictures}
    numbers = json.loads((tmp_path / "out/numbers.json").read_text(encoding="utf-8"))
    for name in ("displaced", "apart", "model_displaced", "model_disturbed"):
        assert all(row["holds"] for row in numbers[name])
    names = {row["head"] for row in numbers["displaced"]}
    assert "slash head, 3 back" in names
    assert len(names) == 6
    assert {row["head"] for row in numbers["model_displaced"]} == {
        f"{layer}.{head}" for layer in range(2) for head in range(4)
    }
    # A head that reads no position does not move; one of slow planes has a bound that says so.
    still = [row for row in numbers["displaced"] if row["head"].endswith("no rotation")]
    assert max(row["bound_max"] for row in still) == 0
    # Within the context a cap below which no lag is changes nothing.
    position = {(row["attention"], row["first"]): row["loss"] for row in numbers["model_position"]}
    assert position["plain", 0] == pytest.approx(position["lags capped at 7", 0], abs=1e-5)
    changes = {(r["attention"], r["first"]): r["change"] for r in numbers["model_position"]}
    assert changes["plain", 11] == 0
    assert abs(changes["lags capped at 7", 11]) > 1e-4
    assert all(math.isfinite(row["loss"]) for row in numbers["model_disturbed"])
    assert numbers["model_disturbed"][-1]["disturbed"] == "positions moved, up to 16"
    text = capsys.readouterr().out
    assert "Loss by position, nats" in text
    assert "layer.head" in text


def test_heads_of_the_model_have_its_own_logits(example, folder):
    model, tokens = example.load(folder / "model", None, 2, 1)
    assert tokens.shape == (2, 8)
    with torch.no_grad():
        attentions = model(tokens[:1], output_attentions=True).attentions
    for name, head in example.model_heads(model, tokens).items():
        layer, number = map(int, name.split("."))
        table = logits(head.queries, head.keys, np.arange(8), np.arange(8), head.spec)
        table = np.where(np.tri(8, dtype=bool), table, -np.inf)
        own = attentions[layer][0, number].numpy()
        np.testing.assert_allclose(softmax.weights(table), own, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "nowhere"], "nowhere is not a model's folder"),
        (["--model", "MODEL", "--text", "nothing.txt"], "there is no file nothing.txt"),
        (["--model", "MODEL", "--prompts", "90"], "400 tokens, but 90 prompts of 32"),
        (["--prompts", "1"], "--prompts: 1, allowed: an integer >= 2"),
    ],
)
def test_bad_options_leave_nothing_behind(example, folder, options, message, capsys, tmp_path):
    options = [str(folder / "model") if option == "MODEL" else option for option in options]
    with pytest.raises(SystemExit) as error:
        example.main([*options, "--output", str(tmp_path / "out")])
    assert message in str(error.value) + capsys.readouterr().err
    assert error.value.code != 0
    assert not (tmp_path / "out").exists()


def test_the_code_of_the_page_runs():
    text = (ROOT / "docs/position_generalisation.md").read_text(encoding="utf-8")
    blocks = text.split("```python\n")[1:]
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block.split("```", 1)[0], names)
