"""The measurement of a whole model: every layer and head, in threads, and interrupted."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from nearly import assert_nearly
from threadpoolctl import threadpool_info
from tiny_models import LENGTH, make_model, make_prompts

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import Journal, measure_model
from ropeproof.tools.measure import model as heads

# --- layers with windows and rotations of their own -----------------------------------------------


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


# --- a whole model, interrupted and not -----------------------------------------------------------


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
