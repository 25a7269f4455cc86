"""Predictions of when a learned slash head breaks: bounds that contain what is drawn, and runs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from example_programs import load_example
from transformers import AutoModelForCausalLM

from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

command, lm = load_example("predict_break"), load_example("train_copying_lm")
from breaks import bounds, runs, settings  # noqa: E402  (their folder is on the path now)
from breaks.populations import Population, populations  # noqa: E402

SPEC = RopeSpec(8, 100)
OPTIONS = [
    "--rows=128",
    "--prompts=4",
    "--tokens=64",
    "--factors",
    "2",
    "--threshold=0.05",
    "--threads=1",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    threads = torch.get_num_threads()
    folder = tmp_path_factory.mktemp("made") / "small"
    small = ["--steps=60", "--length=16", "--heads=2", "--width=16", "--vocabulary=8"]
    assert lm.main([f"--output={folder}", *small]) == 0
    yield folder / "trained"
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def few_tokens(monkeypatch):
    monkeypatch.setattr(command, "POSITIONS", 64)


def population(seed: int, *, exact: bool = False) -> Population:
    """Forty positions of a noisy head that looks one back."""
    draw = np.random.default_rng(seed)
    query, noise = draw.normal(size=8), draw.normal(size=(2, 40, 8))
    turn = np.exp(-1j * np.array([1, 10**-0.5, 0.1, 10**-1.5]))
    plane = (query[:4] + 1j * query[4:]) * turn.conj()
    key = np.concatenate([plane.real, plane.imag])
    return Population(0, 0, 2 * query + noise[0], key + noise[1], 8**-0.5, exact)


@pytest.mark.parametrize("lag", [0, 1, 3])
@pytest.mark.parametrize("kind", ["none", "bfloat16 angles"])
def test_a_guarantee_contains_the_score_of_drawn_positions(lag, kind):
    """Scores from matrices of logits, which share no code with the bounds."""
    setting = settings.Setting(kind, 1, 12)
    one, draw = population(3), np.random.default_rng(5)
    found = bounds.guarantee(
        one, SPEC, setting, lag, rows=4000, confidence=0.999, comparisons=1, generator=draw
    )
    scores = []
    for _ in range(1500):
        drawn = draw.integers(40, size=12)
        places = np.arange(12)
        matrix = logits(one.queries[drawn], one.keys[drawn], places, places, SPEC)
        weights = np.exp(np.where(np.tri(12, dtype=bool), matrix, -np.inf))
        weights /= weights.sum(1, keepdims=True)
        scores.append(np.diagonal(weights, -lag).mean())
    seen, error = float(np.mean(scores)), float(np.std(scores)) / 1500**0.5
    assert found.lower < seen < found.upper
    assert found.lower > 0
    assert found.upper - found.lower < 0.2
    assert found.estimate == pytest.approx(seen, abs=0.01 + 5 * error)
    assert found.upper <= found.signed


def test_the_signed_bound_needs_rows_that_are_lost():
    """Queries of both signs: half of the rows are lost, and the score is below one half or so."""
    one = population(3)
    signs = np.where(np.arange(40) % 2, 1.0, -1.0)[:, None]
    both = replace(one, queries=3 * signs * one.queries, keys=3 * one.keys)
    draw = np.random.default_rng(0)
    args = {"rows": 4000, "confidence": 0.99, "comparisons": 1, "generator": draw}
    found = bounds.guarantee(both, SPEC, settings.Setting("none", 1, 12), 1, **args)
    assert 0.4 < found.behind < 0.8
    assert found.signed < 0.75


def test_margins_are_those_of_the_mean_head_and_never_promise_more():
    for seed in range(20):
        one = population(seed)
        exact, left = bounds.margins(one, SPEC, 1, 12)
        means = one.queries.mean(0)[None], one.keys.mean(0)[None]
        by_lag = [
            float(logits(*means, np.array([t]), np.array([0]), SPEC)[0, 0]) for t in range(12)
        ]
        leads = np.array([by_lag[1] - by_lag[t] for t in range(2, 12)])
        np.testing.assert_allclose(exact, leads, atol=1e-12)
        assert (left <= exact + 1e-12).all()


def test_an_aligned_head_keeps_its_whole_margin():
    query = np.ones((1, 8))
    one = Population(0, 0, query, query, 1.0, False)
    exact, left = bounds.margins(one, SPEC, 0, 12)
    np.testing.assert_allclose(exact, left, atol=1e-12)


def test_the_radius_covers_the_mean_of_small_samples():
    draw = np.random.default_rng(0)
    missed = 0
    for _ in range(400):
        values = draw.beta(0.3, 1.0, size=200)
        missed += float(values.mean()) - bounds.sample_radius(values, 0.05) > 0.3 / 1.3
    assert missed <= 20
    assert bounds.sample_radius(np.zeros(200), 0.05) > 0


def test_every_setting_is_the_librarys_rotation(made):
    model = AutoModelForCausalLM.from_pretrained(made)
    usual = model.model.rotary_emb
    all_of_them = settings.settings_of(16, (2, 8))
    assert {one.kind for one in all_of_them} == set(settings.KINDS)
    for setting in all_of_them:
        with settings.under(model, setting):
            pass
        assert model.model.rotary_emb is usual


def test_a_rotation_that_is_not_the_librarys_is_refused(made, monkeypatch):
    model = AutoModelForCausalLM.from_pretrained(made)
    monkeypatch.setattr(settings, "spec_of", lambda config, setting: RopeSpec(8, 9000))
    with (
        pytest.raises(InvalidArgument, match="the library's rotation within its rounding"),
        settings.under(model, settings.Setting("none", 1, 16)),
    ):
        pass


def test_the_first_layer_on_random_tokens_is_known_whole(made):
    model = AutoModelForCausalLM.from_pretrained(made).eval()
    prompts = torch.randint(8, (4, 16), generator=torch.Generator().manual_seed(0))
    known = populations(model, prompts, drawn=True)
    assert [(one.layer, one.head, one.exact) for one in known] == [
        (0, 0, True),
        (0, 1, True),
        (1, 0, False),
        (1, 1, False),
    ]
    assert [len(one.keys) for one in known] == [8, 8, 64, 64]
    sampled = populations(model, prompts, drawn=False)
    np.testing.assert_allclose(
        known[0].queries[prompts[0]], sampled[0].queries[:16], rtol=1e-5, atol=1e-6
    )


def test_a_run_sees_the_models_own_attention(made):
    model = AutoModelForCausalLM.from_pretrained(made, attn_implementation="eager").eval()
    prompts = torch.randint(8, (3, 16), generator=torch.Generator().manual_seed(1))
    own = command.own_scores(model, prompts)
    setting = settings.Setting("none", 1, 16)
    found = runs.on_prompts(model, prompts, setting, {(1, 1): 2, (0, 0): 1}, seed=0)
    assert found[1, 1].scores == pytest.approx(own[:, 1, 1, 2].tolist(), abs=1e-6)
    assert found[0, 0].scores == pytest.approx(own[:, 0, 0, 1].tolist(), abs=1e-6)
    assert model.config._attn_implementation == "eager"


def test_predictions_are_written_first_and_none_is_violated(made, tmp_path, capsys):
    options = [str(made), f"--output={tmp_path}", *OPTIONS]
    assert command.main([*options, "--predict-only"]) == 0
    before = (tmp_path / "predictions.json").read_text()
    assert not (tmp_path / "report.json").exists()
    capsys.readouterr()
    assert command.main(options) == 0
    said = capsys.readouterr()
    assert said.err == ""
    written = json.loads((tmp_path / "predictions.json").read_text())
    again = json.loads(before)
    assert written["predictions"] == again["predictions"]
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["predictions_sha256"] == command.digest(tmp_path / "predictions.json")
    assert report["summary"]["violated"] == 0
    assert report["predictions"]
    assert {row["setting"] for row in report["predictions"]} >= {"none x1", "yarn x2"}
    assert all("predicted" in row and "model_run" in row for row in report["predictions"])
    for name in ("scores.png", "kept.png"):
        assert (tmp_path / name).stat().st_size > 10_000
    assert "Predicted and observed" in said.out


@pytest.mark.parametrize("broken", ["lower", "upper", "margin_guaranteed"])
def test_a_violated_guarantee_is_named_and_ends_with_1(made, tmp_path, capsys, monkeypatch, broken):
    honest = command.guarantee

    def wrong(*arguments, **options):
        found = honest(*arguments, **options)
        value = {"lower": 0.99, "upper": 0.0, "margin_guaranteed": found.margin + 100}[broken]
        return replace(found, **{broken: value})

    monkeypatch.setattr(command, "guarantee", wrong)
    assert command.main([str(made), f"--output={tmp_path}", *OPTIONS]) == 1
    assert f"violated: {broken.partition('_')[0]}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rows=3"], "--rows: got 3, allowed: 16 to 1000000"),
        (["--prompts=2"], "--prompts: got 2, allowed: 3 to 10000"),
        (["--threshold=0"], "--threshold: got 0.0, allowed: above 0 and below 1"),
        (["--confidence=nan"], "--confidence: got nan, allowed: above 0 and below 1"),
        (["--factors", "1"], "--factors: got [1], allowed: whole numbers from 2 to 64"),
        (["--tokens=0"], "--tokens: got 0, allowed: 1 to 1000000000"),
        (["--seed=-1"], "--seed: got -1, allowed: 0 to 4294967295"),
    ],
)
def test_bad_options_are_one_line(made, tmp_path, capsys, options, message):
    with pytest.raises(SystemExit) as end:
        command.main([str(made), f"--output={tmp_path / 'new'}", *options])
    said = capsys.readouterr()
    assert end.value.code == 2
    assert message in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_threshold_that_no_head_reaches_is_one_line(made, tmp_path, capsys):
    output = tmp_path / "new"
    assert command.main([str(made), f"--output={output}", *OPTIONS, "--threshold=0.99"]) == 2
    assert "threshold: got 0.99, allowed: at most the largest score, 0." in capsys.readouterr().err
    assert not output.exists()


def test_what_is_no_model_is_one_line(made, tmp_path, capsys):
    for folder in (tmp_path, made.parent):
        with pytest.raises(SystemExit) as end:
            command.main([str(folder), f"--output={tmp_path / 'new'}"])
        assert end.value.code == 2
        assert "is not a model's folder" in capsys.readouterr().err
