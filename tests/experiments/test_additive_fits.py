"""The example of measured and predicted R² prints and draws what it computed."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_programs import load_example
from rich.console import Console

from ropeproof.constructions import index_head
from ropeproof.numerics.bounds.posgen import additive_fits_on_grid, null_r_squared
from ropeproof.theory.rotary.spec import RopeSpec

example = load_example("additive_fits")


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def points():
    random = np.random.default_rng(3)
    return [
        *example.random_points(random, (24, 48, 192), 3),
        *example.constructed_points(random, 40, 1),
    ]


def printed(points):
    console = Console(width=140)
    with console.capture() as captured:
        console.print(example.table(points))
    return captured.get().splitlines()


def of(points, group):
    return [point.fit for point in points if point.group == group]


def test_the_fit_is_the_pooled_optimal_one():
    queries, keys = np.random.default_rng(0).normal(size=(2, 9, 8))
    rope = RopeSpec(8, 100)
    fit = example.best_fit(queries, keys, rope, scale=1.0)
    assert (fit.kind, fit.domain, fit.centred) == ("optimal", "grid", False)
    assert fit in additive_fits_on_grid(queries, keys, rope, scale=1.0)


def test_random_features_are_as_additive_as_predicted_and_as_the_null(points):
    for name, rope in example.SPECS.items():
        fits = of(points, f"random features, {name}")
        assert len(fits) == 9
        for fit in fits:
            length = round(fit.observations ** (1 / 3))
            assert fit.observations == length**3
            near = 2 / length**0.5
            assert fit.r_squared == pytest.approx(fit.predicted, abs=near)
            assert fit.predicted == pytest.approx(null_r_squared(rope, length), abs=near)
            assert 0 < fit.floor < fit.r_squared < 1


def test_constructed_heads_have_the_logits_that_they_were_built_with(points):
    for group in ("slash_head", "index_head"):
        # One key for all, or nearly.
        assert all(fit.r_squared > 0.99 for fit in of(points, group))
    symbolic = of(points, "retrieval_head")
    still, turning = symbolic[0], symbolic[-1]
    assert still.r_squared == pytest.approx(1)
    assert turning.r_squared < 0.999
    assert turning.r_squared == pytest.approx(turning.predicted, abs=0.05)
    head = index_head(3, 4, 9)
    fit = example.of_head(head, head.embeddings[[0, 1, 5, 3, 2]])
    assert fit.r_squared == pytest.approx(1)


def test_every_row_has_its_null_and_its_floor(points):
    lines = printed(points)
    assert lines[0].split()[-2:] == ["its", "noise"]
    assert lines[1].split()[-4:] == ["null", "floor", "of", "R²"]
    rows = lines[2:]
    assert len(rows) == len(example.groups(points)) == 5
    for row, group in zip(rows, example.groups(points), strict=True):
        fits = of(points, group)
        assert row.startswith(group)
        gaps = np.array([fit.r_squared - fit.predicted for fit in fits])
        assert f" {np.sqrt((gaps**2).mean()):.4f} " in row
        nulls = sorted(f"{fit.null_correlation:.3f}" for fit in fits)
        assert nulls[0] in row
        assert nulls[-1] in row
        assert f"{max(fit.floor for fit in fits):.3f}" in row
    assert max(map(len, lines)) <= 140


def test_heads_without_variance_have_no_number():
    constant = np.ones((5, 8))
    fit = example.best_fit(0 * constant, constant, RopeSpec(8, 100))
    assert fit.r_squared is None
    points = [example.Point("constant", fit)]
    assert printed(points)[2].split() == ["constant", "1", *["none"] * 7]


def test_the_picture_has_the_diagonal_and_the_null(points):
    left, right = example.picture(points).axes
    marks = {text.split(":")[0]: text for text in left.get_legend_handles_labels()[1]}
    assert set(example.groups(points)) < set(marks)
    for group in example.groups(points):
        assert "null R²" in marks[group]
        assert "floor" in marks[group]
    drawn = sum(len(found.get_offsets()) for found in left.collections)
    assert drawn == len(points)
    (diagonal,) = left.get_lines()
    assert np.array_equal(*diagonal.get_data())
    labels = [str(line.get_label()) for line in right.get_lines()]
    for name in example.SPECS:
        assert f"null R², {name} (posgen.null)" in labels
        assert f"measured, {name}" in labels
    assert "noise floor of R²" in labels


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small model with a tokenizer."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    target = tmp_path_factory.mktemp("model")
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=8,
        hidden_size=32,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    LlamaForCausalLM(config).save_pretrained(target)
    words = Tokenizer(models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(target)
    (target / "text.txt").write_text("a b b a c " * 20)
    return target


def test_a_models_heads_are_measured_on_both_prompts(folder):
    points = example.load_points(str(folder), str(folder / "text.txt"), 40)
    assert example.groups(points) == ["model, random tokens", "model, text"]
    assert len(points) == 2 * 2 * 4
    for point in points:
        assert point.fit.observations == 40**3
        assert point.fit.r_squared == pytest.approx(point.fit.predicted, abs=0.2)


def test_main_prints_and_draws(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(example, "random_points", lambda _: iter(()))
    monkeypatch.setattr(example, "constructed_points", lambda _: iter(()))
    monkeypatch.setattr(example, "picture", lambda _: plt.figure())
    target = tmp_path / "new"
    example.main(["--output", str(target), "--model", str(folder), "--length", "20"])
    assert [path.name for path in target.iterdir()] == ["additive_fits.png"]
    said = capsys.readouterr().out
    assert "model, random tokens" in said
    assert "additive_fits.png" in said


def test_bad_arguments_say_what_is_allowed(folder, tmp_path, capsys):
    file = tmp_path / "file"
    file.touch()
    text = str(folder / "text.txt")
    output = ["--output", str(tmp_path / "new")]
    cases = {
        "allowed: at least 2": [*output, "--length", "1"],
        "only with --model": [*output, "--text", text],
        "allowed: a folder": ["--output", str(file)],
        "allowed: a Hugging Face model directory": [*output, "--model", str(tmp_path)],
        "allowed: at least --length, 200": [
            *output, "--model", str(folder), "--text", text, "--length", "200",
        ],
        "No such file": [*output, "--model", str(folder), "--text", text + ".no", "--length", "9"],
    }  # fmt: skip
    for said, arguments in cases.items():
        with pytest.raises(SystemExit) as stop:
            example.main(arguments)
        assert stop.value.code == 2
        assert said in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
