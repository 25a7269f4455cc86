"""A model that copies, trained from scratch: what is written, that it learns, and that it repeats."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from example_programs import load_example
from saved_models import equal, weights_in
from transformers import AutoModelForCausalLM

lm = load_example("train_copying_lm")
from small_lm import copying  # noqa: E402  (its folder is on the path now)

SMALL = ["--steps=60", "--length=16", "--heads=2", "--width=16", "--vocabulary=8"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    threads = torch.get_num_threads()
    folder = tmp_path_factory.mktemp("made") / "new" / "folder"
    assert lm.main([f"--output={folder}", *SMALL]) == 0
    torch.set_num_threads(threads)
    return folder


def test_the_folder_holds_two_models_tokens_and_a_report(made):
    assert sorted(path.name for path in made.iterdir()) == sorted(lm.NAMES)
    for name in ("trained", "initial"):
        config = AutoModelForCausalLM.from_pretrained(made / name).config
        assert config.model_type == "llama"
        assert config.rope_parameters["rope_theta"] == 10_000
        assert (config.head_dim, config.max_position_embeddings) == (8, 16)
    report = json.loads((made / "training.json").read_text())
    held = report["held_out"]
    lines = (made / "held_out.txt").read_text().splitlines()
    tokens = np.array([line.split() for line in lines], dtype=int)
    assert tokens.shape == (held["sequences"], held["length"]) == (lm.HELD_OUT, 8 * 16)
    for line, period in zip(tokens, held["periods"], strict=True):
        assert 2 <= period <= 8
        assert (line[period:] == line[:-period]).all()
    assert 0 <= tokens.min() < tokens.max() < 8


def test_the_loss_falls_and_the_report_says_so(made):
    report = json.loads((made / "training.json").read_text())
    held = report["held_out"]
    assert abs(held["initial"] - report["log_vocabulary"]) < 0.1  # knows nothing
    assert held["trained"] < held["initial"] - 0.1
    assert report["curve"][-1]["step"] == report["steps"] == 60
    assert report["tokens"] == 60 * 32 * 16
    assert [len(report["heads"][name]) for name in ("trained", "initial")] == [4, 4]


def test_the_same_settings_make_the_same_weights(made, tmp_path, capsys):
    torch.rand(3)  # what was drawn before must not matter
    assert lm.main([f"--output={tmp_path}", *SMALL]) == 0
    for name in ("trained", "initial"):
        assert equal(weights_in(made / name), weights_in(tmp_path / name))
    assert (made / "held_out.txt").read_bytes() == (tmp_path / "held_out.txt").read_bytes()
    said = capsys.readouterr()  # no terminal: no progress bar, no control sequences
    assert not {"\r", "\x1b"} & set(said.out)
    assert said.err == ""
    other = tmp_path / "other"
    assert lm.main([f"--output={other}", *SMALL, "--steps=1", "--seed=1"]) == 0
    assert not equal(weights_in(made / "initial"), weights_in(other / "initial"))


def test_what_was_trained_on_is_not_held_out():
    settings = copying.CopySettings()
    trained, _ = copying.draw(settings, 700 * 32, np.random.default_rng([settings.seed, 0]))
    held_out, _ = copying.draw(settings, lm.HELD_OUT, np.random.default_rng([settings.seed, 1]))
    seen = {row.tobytes() for row in trained[:, :8]}
    assert sum(row.tobytes() in seen for row in held_out[:, :8]) == 0


def test_a_perfect_model_loses_nothing_and_its_heads_are_seen():
    """Logits that name what came next one period ago; attention at given lags."""

    class Perfect:
        def __init__(self, period):
            self.period = period

        def __call__(self, input_ids, use_cache):
            ahead = torch.roll(input_ids, self.period - 1, 1)
            return type("Output", (), {"logits": 40.0 * torch.nn.functional.one_hot(ahead, 5)})

    first = np.random.default_rng(0).integers(5, size=(3, 4))
    tokens = np.concatenate([first] * 4, 1)
    assert copying.repeated_loss(Perfect(4), tokens, np.full(3, 4)) < 1e-6
    wrong = copying.repeated_loss(Perfect(3), tokens, np.full(3, 4))
    assert wrong > 1

    class Attends:
        config = type(
            "Config",
            (),
            {"_attn_implementation": "sdpa", "num_hidden_layers": 1, "num_attention_heads": 3},
        )

        def set_attn_implementation(self, name):
            self.config._attn_implementation = name

        def __call__(self, input_ids, output_attentions):
            matrix = torch.zeros(1, 3, 16, 16)
            for head, lag in enumerate((1, 3, 4)):
                for row in range(16):
                    matrix[0, head, row, max(0, row - lag)] = 1.0
            return type("Output", (), {"attentions": (matrix,)})

    found = copying.copy_head_scores(Attends(), tokens, np.full(3, 4))
    assert [(h.previous_token, h.induction, h.matching) for h in found] == [
        (1, pytest.approx(0, abs=0.1), pytest.approx(0, abs=0.1)),
        (pytest.approx(0, abs=0.1), 1, pytest.approx(0, abs=0.1)),
        (pytest.approx(0, abs=0.1), pytest.approx(0, abs=0.1), 1),
    ]
    assert Attends.config._attn_implementation == "sdpa"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--steps=0", "--steps: got 0, allowed: 1 to 1000000000"),
        ("--length=8", "--length: got 8, allowed: 16 to 8192"),
        ("--layers=0", "--layers: got 0, allowed: 1 to 64"),
        ("--heads=3", "--width: got 64, allowed: a multiple of 6, so that each of the heads"),
        ("--vocabulary=1", "--vocabulary: got 1, allowed: 2 to 60000"),
        ("--seed=-1", "--seed: got -1, allowed: 0 to 4294967295"),
        ("--threads=0", "--threads: got 0, allowed: 1 to 1024"),
        ("--seed=a", "argument --seed: invalid int value: 'a'"),
        ("--minutes=1", "unrecognized arguments: --minutes=1"),
    ],
)
def test_bad_options_are_one_line(option, message, tmp_path, capsys):
    output = tmp_path / "new"
    with pytest.raises(SystemExit) as end:
        lm.main([f"--output={output}", option])
    said = capsys.readouterr()
    assert end.value.code == 2
    assert message in said.err
    assert said.err.startswith("train_copying_lm.py: ")
    assert said.err.count("\n") == 1
    assert not output.exists()


def test_an_interrupt_or_a_diverged_training_writes_nothing(tmp_path, monkeypatch, capsys):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    output = tmp_path / "new"
    monkeypatch.setattr(copying, "RATE", float("inf"))
    assert lm.main([f"--output={output}", *SMALL]) == 1
    assert "the loss is not finite at step" in capsys.readouterr().err
    monkeypatch.setattr(lm, "train_copying", interrupt)
    assert lm.main([f"--output={output}", *SMALL]) == 130
    assert "interrupted, nothing written" in capsys.readouterr().err
    assert not output.exists()
