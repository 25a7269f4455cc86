"""The measurement of a model: its hooks, its statistics against a definition, its journal."""

from __future__ import annotations

import copy
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from nearly import assert_nearly
from threadpoolctl import threadpool_info
from tiny_models import CONFIGS, LENGTH, TOKENS, make_model, make_prompts

from ropeproof.numerics.hugging_face import visit_layers
from ropeproof.numerics.measure import (
    HeadVectors,
    Journal,
    MeasureOptions,
    measure_head,
    measure_model,
    null_scores,
)
from ropeproof.numerics.measure import model as heads
from ropeproof.numerics.measure.attention import logit_blocks
from ropeproof.numerics.measure.model import next_token_loss
from ropeproof.numerics.slash.null import null_bound
from ropeproof.numerics.slash.score import slash_scores
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.layers import layer_specs
from ropeproof.theory.spec import RopeSpec


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


def weights_of(vectors, block=4):
    """The attention weights that the blocks of logits give."""
    found = torch.zeros(vectors.length, vectors.length, dtype=torch.float64)
    for start, logits in logit_blocks(vectors, block=block):
        rows, last = logits.shape
        hidden = torch.ones(rows, last, dtype=torch.bool).triu(start + 1)
        hidden |= torch.ones_like(hidden).tril(start - vectors.reach)
        found[start : start + rows, :last] = logits.masked_fill(hidden, -torch.inf).softmax(-1)
    return found


def state_of(model):
    """All that a measurement could leave behind in a model."""
    hooks = [
        (len(module._forward_hooks), len(module._forward_pre_hooks), module.training)
        for module in model.modules()
    ]
    return hooks, {name: value.clone() for name, value in model.state_dict().items()}


# --- the hooks --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("name", ["mistral", "phi3", "gemma2"])
def test_a_head_with_a_window_is_measured_with_it(name):
    model = make_model(name, torch.float32)
    model.config.sliding_window = 6
    tokens = make_prompts(length=12)
    with torch.no_grad():
        attentions = model(tokens, output_attentions=True).attentions
    prompts = {"text": tokens[0].tolist()}
    spec = RopeSpec.from_config(model.config, length=12)
    found = measure_model(model, prompts, spec)
    assert found["skipped"] == []
    assert len(found["heads"]) == 8
    for head in found["heads"]:
        statistics = head["prompts"]["text"]
        own = attentions[head["layer"]][0, head["head"]].double().numpy()
        wanted = [float(own.diagonal(-lag).mean()) for lag in range(12)]
        np.testing.assert_allclose(statistics["slash"]["scores"], wanted, atol=1e-5)
        full = name == "gemma2" and head["layer"] == 1
        assert statistics["window"] == (None if full else 6)
        assert (sum(wanted[6:]) > 0) is full
        assert all(verdict["consistent"] for verdict in head["verdicts"])
        said = {
            verdict["about"].endswith(", on the first 6 tokens") for verdict in head["verdicts"]
        }
        assert said == {not full}


@pytest.mark.parametrize("name", ["gemma3_text", "olmo3"])
def test_layers_are_measured_with_their_own_rotation(name):
    model, prompts = make_model(name, torch.float32), {"text": make_prompts()[0].tolist()}
    specs = layer_specs(model.config, length=LENGTH)
    assert specs[0] != specs[1]
    found = measure_model(model, prompts, specs)
    assert found["prompts"]["text"]["rotation"] < 1e-5
    assert all(verdict["consistent"] for head in found["heads"] for verdict in head["verdicts"])
    assert measure_model(model, prompts, specs[1])["prompts"]["text"]["rotation"] > 1e-2
    with pytest.raises(InvalidArgument, match="one spec, or one for each of 2 layers"):
        measure_model(model, prompts, specs[:1])


def test_a_window_of_one_position_leaves_nothing_to_measure():
    model = make_model("mistral", torch.float32)
    model.config.sliding_window = 1
    prompts = {"text": make_prompts()[0].tolist()}
    found = measure_model(model, prompts, RopeSpec.from_config(model.config, length=LENGTH))
    assert found["heads"] == []
    assert [entry["layer"] for entry in found["skipped"]] == [0, 1]
    assert "own position alone" in found["skipped"][0]["why"]


def test_more_tokens_than_positions():
    model, tokens = make_model("llama", torch.float32), make_prompts(length=70)
    with pytest.raises(InvalidArgument, match="max_position_embeddings, 64 tokens"):
        visit_layers(model, tokens, print)
    seen = []
    visit_layers(model, tokens, lambda layer: seen.append(layer.keys.shape[2]), beyond=True)
    assert seen == [70, 70]
    with pytest.raises(InvalidArgument, match="64 tokens"):  # its table ends there
        visit_layers(make_model("gptj", torch.float32), tokens, print, beyond=True)


# --- the statistics ---------------------------------------------------------------------------------


def head(length=40, soft_cap=None, seed=0, window=None):
    random = np.random.default_rng(seed)
    spec = RopeSpec(8, 100)
    return HeadVectors(
        queries=random.normal(size=(length, 8)) + 1,
        keys=random.normal(size=(length, 8)) - 0.5,
        tokens=random.integers(0, 9, size=length),
        spec=spec,
        scale=0.7,
        soft_cap=soft_cap,
        layer=2,
        head=1,
        key_head=0,
        first=False,
        prompt="text",
        window=window,
    )


@pytest.mark.parametrize("soft_cap", [None, 1.5])
@pytest.mark.parametrize(
    ("length", "window"),
    [
        (2, None),
        (3, None),
        (3, 2),
        (40, None),
        (40, 2),
        (40, 39),
        (300, None),
        (300, 9),
        (300, 140),
    ],
)
def test_attention_sums_are_those_of_the_matrix(length, window, soft_cap):
    vectors = head(length, soft_cap, window=window)
    measure = measure_head(vectors)
    weights = weights_of(vectors, block=7).numpy()
    np.testing.assert_allclose(measure.attention.scores, slash_scores(weights), atol=1e-14)
    logs = np.log(np.where(weights > 0, weights, 1))
    seen = np.arange(2, length + 1).clip(max=window)
    entropies = -(weights * logs).sum(1)[1:] / np.log(seen)
    assert measure.attention.entropy == pytest.approx(entropies.mean(), abs=1e-12)
    logits = np.concatenate(
        [
            row[max(0, start + place + 1 - (window or length)) : start + place + 1]
            for start, block in logit_blocks(vectors)
            for place, row in enumerate(block.numpy())
        ]
    )
    found = measure.attention
    assert found.mean == pytest.approx(logits.mean(), abs=1e-12)
    assert found.deviation == pytest.approx(logits.std(), abs=1e-12)
    assert found.largest == pytest.approx(abs(logits).max(), abs=1e-12)


def test_the_null_is_that_of_the_claim():
    found = null_scores(50)
    assert np.isnan(found[0])
    for offset in (1, 2, 30, 49):
        bound = null_bound(50, offset)
        assert bound.lower - 1e-15 <= found[offset] <= bound.upper + 1e-15


@pytest.mark.parametrize("window", [2, 7, 49])
def test_the_null_in_a_window_is_that_of_equal_weights(window):
    """Equal weights are what the bound of every row allows, but for the query's own share."""
    found = null_scores(50, window)
    for lag in (1, 2, 6, 30):
        rows = [1 / min(i, window - 1) if lag < window else 0 for i in range(lag, 50)]
        assert found[lag] == pytest.approx(np.mean(rows), abs=1e-15)
    assert found[window:].max(initial=0) == 0
    np.testing.assert_array_equal(null_scores(50, 50), null_scores(50))


@pytest.mark.parametrize("length", [40, 400])
def test_a_window_is_the_prompt_cut_to_it(length):
    """Lags alone count: the last row is that of the last tokens, the first rows of the first."""
    window = length - 7
    vectors = head(length, window=window)
    parts = {name: getattr(vectors, name)[-window:] for name in ("queries", "keys", "tokens")}
    cut = HeadVectors(**{**vars(vectors), **parts, "window": None})
    options = MeasureOptions(tau=1e-2)
    found, wanted = measure_head(vectors, options), measure_head(cut, options)
    assert found.positional == pytest.approx(wanted.positional, abs=1e-9)
    assert found.symbolic == pytest.approx(wanted.symbolic, abs=1e-9)
    assert found.positional != pytest.approx(
        measure_head(head(length), options).positional, abs=1e-6
    )
    assert found.additive == measure_head(vectors.unwindowed).additive
    assert found.largest < window
    assert vectors.unwindowed.length == vectors.reach == window
    assert cut.unwindowed is cut
    block = measure_head(vectors, MeasureOptions(block=3))
    assert block.positional == pytest.approx(measure_head(cut, MeasureOptions(block=3)).positional)


def test_everything_is_json():
    measure = measure_head(head(), MeasureOptions(threshold=0.05))
    text = json.dumps(measure.as_json(), allow_nan=False)
    found = json.loads(text)
    assert found["slash"]["null"][0] is None
    assert found["slash"]["largest"]["offset"] == measure.largest >= 1
    assert [lag["offset"] for lag in found["slash"]["dominant"]] == list(measure.dominant)
    assert len(found["additive"]) == 16
    assert all("null_correlation" in fit and "floor" in fit for fit in found["additive"])


def test_a_head_without_numbers():
    vectors = head(6)
    zero = HeadVectors(**{**vars(vectors), "queries": np.zeros((6, 8))})
    found = json.loads(json.dumps(measure_head(zero).as_json(), allow_nan=False))
    assert found["rank"]["queries"] == {"r1": None, "r095": None, "epsilon": None}
    assert found["bands"] is None
    assert found["entropy"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"queries": np.zeros((3, 8))}, "queries: got 'shape (3, 8)', allowed: shape (6, 8)"),
        ({"keys": np.full((6, 8), np.nan)}, "not finite (layer 2, head 1)"),
        ({"window": 1}, "window: got 1"),
        ({"window": 6}, "window: got 6, allowed: None, or fewer than the 6 tokens"),
    ],
)
def test_vectors_that_do_not_fit(change, message):
    with pytest.raises(InvalidArgument) as error:
        HeadVectors(**{**vars(head(6)), **change})
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0}, "threshold: got 0, allowed: 0 < number <= 1"),
        ({"threshold": 1.5}, "threshold"),
        ({"gamma": 0.5}, "gamma: got 0.5, allowed: 0 < number < 0.5"),
        ({"tau": -1}, "tau: got -1, allowed: 0 < number"),
        ({"block": 0}, "block"),
    ],
)
def test_options_that_mean_nothing(options, message):
    with pytest.raises(InvalidArgument) as error:
        MeasureOptions(**options)
    assert message in str(error.value)


# --- a whole model, interrupted and not ---------------------------------------------------------------


def measured(**options):
    model = make_model("llama", torch.float32)
    prompts = {
        "text": make_prompts(length=12)[0].tolist(),
        "random": make_prompts(length=12)[1].tolist(),
    }
    spec = RopeSpec.from_config(model.config, length=12)
    return measure_model(model, prompts, spec, **options)


def test_every_head_on_every_prompt():
    told = []
    found = measured(progress=lambda *what: told.append(what))
    assert [(h["layer"], h["head"], h["key_head"]) for h in found["heads"]] == [
        (layer, number, number // 2) for layer in range(2) for number in range(4)
    ]
    assert all(list(h["prompts"]) == ["text", "random"] for h in found["heads"])
    assert told[-1][1:] == (16, 16)
    assert found["prompts"]["text"]["loss"] > 0
    assert found["prompts"]["text"]["rotation"] < 1e-5
    assert all(v["consistent"] for h in found["heads"] for v in h["verdicts"])
    assert {v["prompt"] for h in found["heads"] for v in h["verdicts"]} == {"text", "random"}


def test_an_executor_finds_the_same():
    with ThreadPoolExecutor(3) as pool:
        assert_nearly(measured(executor=pool, workers=3), measured(workers=1))


def test_threads_of_this_process_find_the_same_and_leave_its_settings():
    alone = measured(workers=1)
    before = torch.get_num_threads(), sys.getswitchinterval(), threadpool_info()
    assert_nearly(measured(), alone)
    assert_nearly(measured(workers=3), alone)
    assert (torch.get_num_threads(), sys.getswitchinterval(), threadpool_info()) == before


def test_an_error_in_a_thread_ends_the_run(monkeypatch):
    def broken(vectors, options):
        raise Interrupted

    monkeypatch.setattr(heads, "measure_and_judge", broken)
    with pytest.raises(Interrupted):
        measured()


def test_a_wrong_rotation_is_seen():
    model = make_model("llama", torch.float32)
    prompts = {"text": make_prompts(length=12)[0].tolist()}
    for spec in (RopeSpec(8, 101), RopeSpec(8, 100, layout="interleaved")):
        found = measure_model(model, prompts, spec)
        assert found["prompts"]["text"]["rotation"] > 1e-3


class Interrupted(Exception):
    pass


def test_an_interrupted_run_goes_on(tmp_path):
    path = tmp_path / "journal"
    whole = measured()

    def stop(_what, done, _of):
        if done == 5:
            raise Interrupted

    journal = Journal(path, "run")
    with pytest.raises(Interrupted):
        measured(journal=journal, progress=stop)
    journal.close()
    with path.open("ab") as file:  # and the last line is cut short
        file.write(b'{"prompt": "text", "layer": 1, "he')
    counted = []
    journal = Journal(path, "run")
    assert len(journal.results) == 5
    found = measured(journal=journal, progress=lambda what, done, of: counted.append(done))
    journal.close()
    assert_nearly(found, whole)
    assert counted == list(range(6, 17))  # nothing measured twice
    journal = Journal(path, "run")
    ran = []
    again = measured(journal=journal, progress=lambda *what: ran.append(what))
    assert_nearly(again, whole)
    assert [done for _, done, _ in ran] == [16, 16]  # nothing measured, and no model run
    journal.close(remove=True)
    assert not path.exists()


def test_journals_of_other_runs(tmp_path):
    path = tmp_path / "journal"
    Journal(path, "one").close()
    with pytest.raises(InvalidArgument, match="the journal of another run"):
        Journal(path, "two")
    for text in ("a report\n", "[]\n", '{"run": "one"}\n{"prompt": 1}\n'):
        path.write_text(text)
        with pytest.raises(InvalidArgument, match="a journal of `ropeproof measure`"):
            Journal(path, "one")
    with pytest.raises(InvalidArgument, match="journal"):
        Journal(tmp_path / "none" / "journal", "one")


def test_models_that_are_refused():
    from transformers import GPT2Config

    shape = {"n_embd": 8, "n_layer": 1, "n_head": 1, "vocab_size": TOKENS}
    import transformers

    model = transformers.AutoModelForCausalLM.from_config(GPT2Config(**shape))
    with pytest.raises(Unsupported, match="model_type 'gpt2'"):
        visit_layers(model, make_prompts(), print)
