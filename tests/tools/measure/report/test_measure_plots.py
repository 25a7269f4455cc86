"""The pictures of a report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
from fake_reports import fake_report, with_nothing

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.report import plots, reading

KINDS = ("slash", "scores", "additive", "planes", "predicted")


# --- the pictures ---------------------------------------------------------------------------------


def drawn(report: dict[str, Any]) -> dict[str, Any]:
    return dict(plots.figures(report))


def words(figure: Any) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(plt.Text))


def points(axes: Any, label: str) -> list[tuple[float, float]]:
    """The data of all lines of a label that starts so."""
    lines = [line for line in axes.get_lines() if str(line.get_label()).startswith(label)]
    assert lines, label
    return [(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)]


def test_the_map_has_the_lag_of_every_head_and_frames_the_slash_heads():
    report = fake_report(layers=3, heads=4)
    figure = drawn(report)["slash"]
    heads = report["models"][0]["heads"]
    for axes, name in zip(figure.axes[:2], ("text", "random"), strict=True):
        assert axes.get_title() == reading.on_prompt(name)
        (image,) = axes.get_images()
        assert image.get_array().shape == (3, 4)
        numbers = [text.get_text() for text in axes.texts]
        found = [reading.peak(head["prompts"][name]) for head in heads]
        assert numbers == [str(peak.offset) for peak in found]
        assert image.get_array().ravel().tolist() == pytest.approx([peak.score for peak in found])
        marked = [head for head in heads if reading.is_slash(head["prompts"][name], 0.1)]
        assert len(axes.get_lines()) == len(marked)
    assert "score at least 0.1\nand above the null" in words(figure)


def test_the_scores_have_the_line_that_no_head_crosses():
    report = fake_report()
    axes = drawn(report)["scores"].axes[0]
    assert [len(marks.get_offsets()) for marks in axes.collections] == [12, 12]
    first = report["models"][0]["heads"][0]["prompts"]["text"]["scores"]
    at = axes.collections[0].get_offsets()[0]
    assert tuple(at) == pytest.approx((first["symbolic"], first["positional"]))
    (line,) = axes.get_lines()
    assert [x + y for x, y in zip(*line.get_data(), strict=True)] == [1, 1]
    assert "head.score-disc" in words(axes.figure)


def test_every_correlation_that_is_drawn_has_its_null_and_its_floor():
    report = fake_report()
    figure = drawn(report)["additive"]
    for axes in figure.axes:
        for kind in ("optimal", "three-axis"):
            found, null = points(axes, f"{kind}: corr"), points(axes, f"{kind}: null")
            assert [x for x, _ in found] == [x for x, _ in null]
            assert len(found) == 12
            assert {y for _, y in null} == {0.6}
        assert {y for _, y in points(axes, "three-axis: root of the")} == {0.0117**0.5}
    assert "what counts is the distance to the null" in words(figure)


def test_the_strongest_slash_heads_show_their_amplitudes_over_the_bands():
    report = fake_report(layers=3, heads=4)
    figure = drawn(report)["planes"]
    assert len(figure.axes) == 6
    best = max(
        report["models"][0]["heads"], key=lambda head: reading.peak(head["prompts"]["text"]).score
    )
    axes = figure.axes[0]
    assert axes.get_title().startswith(f"layer {best['layer']}, head {best['head']}\ntext: ")
    assert "(null 0.01" in axes.get_title()
    sizes = [y for _, y in points(axes, "on text")]
    assert sizes == pytest.approx(best["prompts"]["text"]["planes"]["amplitudes"])
    for name in ("high", "medium", "low", "still"):
        assert name in [text.get_text() for text in axes.texts]


def test_measured_against_predicted_says_the_difference_and_the_null():
    report = fake_report()
    heads = report["models"][0]["heads"]
    figure = drawn(report)["predicted"]
    for axes, centred in zip(figure.axes, (False, True), strict=True):
        fits = [reading.grid_fit(head["prompts"]["text"], centred=centred) for head in heads]
        found = points(axes, "on text (noise floor 0.012)")
        assert found == [(fit["predicted"], fit["r_squared"]) for fit in fits]
        rms = (sum((y - x) ** 2 for x, y in found) / len(found)) ** 0.5
        assert f"text rms difference {rms:.3f}" in axes.get_title()
        assert {y for _, y in points(axes, "null on text")} == {0.36}


def test_negative_values_are_inside_the_picture():
    report = fake_report()
    for head in report["models"][0]["heads"]:
        for fit in head["prompts"]["text"]["additive"]:
            fit |= {"r_squared": -0.4, "correlation": -0.3}
    figures = drawn(report)
    assert figures["additive"].axes[0].get_ylim()[0] < -0.3
    assert figures["predicted"].axes[0].get_ylim()[0] < -0.4


def test_pictures_are_written_and_closed(tmp_path, recwarn):
    folder = tmp_path / "a" / "pictures"
    plt.close("all")
    found = plots.write(with_nothing(fake_report(layers=2, heads=2)), folder)
    names = [f"{kind}.png" for kind in KINDS]
    assert [path.name for path in found] == names
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in found)
    assert plt.get_fignums() == []
    assert [str(warning.message) for warning in recwarn] == []


def test_pictures_of_several_models_have_their_names():
    report = fake_report("o/n e", "<two>", layers=1, heads=1)
    names = [f"{start}-{kind}" for start in ("1-o-n-e", "2-two") for kind in KINDS]
    assert list(drawn(report)) == names


def test_targets_of_the_pictures_are_checked(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    for target in (file, file / "folder"):
        with pytest.raises(InvalidArgument, match=r"plots: got .* allowed: a folder that can be"):
            plots.check(target)
    assert plots.check(tmp_path / "new" / "folder") == tmp_path / "new" / "folder"
    assert not (tmp_path / "new").exists()
    one = {"slash": plt.figure()}
    plt.close("all")
    monkeypatch.setattr(plots, "figures", lambda report: iter(one.items()))

    def full(self, content):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InvalidArgument, match=r"plots: got .*No space left"):
        plots.write(fake_report(layers=1, heads=1), tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidArgument, match="a folder that can be made and written to"):
        plots.check(tmp_path)
