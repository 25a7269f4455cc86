"""The pictures of heads are drawn from what their titles say."""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_programs import load_example

from ropeproof.constructions import index_head, retrieval_head
from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.bounds.retrieval import printed_bound, retrieval_margin
from ropeproof.numerics.core.spec import frequencies_float64

pictures = load_example("head_pictures")
from head_figures import fan, margin, plane, spectrum, staircase, style  # noqa: E402  (their folder is on the path now)


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def drawn(axis, words):
    """The data of the one line whose label contains the words."""
    (line,) = [line for line in axis.get_lines() if words in str(line.get_label())]
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def texts(figure):
    return "\n".join(text.get_text() for text in figure.findobj(plt.Text))


def test_the_fan_is_the_heads_own():
    head = index_head(["A", "B", "C"], 7, 8, inverse_temperature=1.0)
    theta = float(frequencies_float64(head.spec)[0])
    keys = fan.plane_numbers(head, head.w_k)
    queries = fan.plane_numbers(head, head.w_q)
    assert np.ptp(keys.real) == np.ptp(keys.imag) == 0
    for name, lag in head.lags.items():
        turned = queries[head.number(name)] / keys[0]
        assert np.exp(-1j * theta * lag) == pytest.approx(turned, abs=1e-12)
    assert queries[head.number("A")] == pytest.approx(keys[0])
    figure = fan.fan_figure()
    heights = [bar.get_height() for bar in figure.axes[2].patches]
    assert int(np.argmax(heights)) == 3
    rest = sorted(heights)[-2]
    assert heights[3] - rest == pytest.approx(index_margin(theta, length=8).lower)
    assert "all 10 keys" in texts(figure)
    assert "margin 0.293" in texts(figure)


@pytest.mark.parametrize("kind", ["float64", "float32", "bfloat16"])
def test_measured_margins_are_within_what_is_certified(kind):
    for length in (5, 9, 17):
        head = index_head(2, length - 1, length, inverse_temperature=1.0)
        found = margin.measured_index(head, kind, length)
        exact = head.bound(length=length).margin
        floor = head.bound(kind, length=length).margin
        assert floor <= found <= 2 * exact - floor + 1e-9
    for length in (3, 9, 33):
        head = retrieval_head(8, length, angle=0.0027, inverse_temperature=1.0)
        found = margin.measured_retrieval(head, kind, length)
        exact = retrieval_margin(letters=8, length=length, angle=0.0027).lower
        floor = head.bound(kind, length=length).margin
        assert floor <= found <= 2 * exact - floor + 1e-9
        if kind == "float64":
            assert found == pytest.approx(exact, abs=1e-12)


def test_margins_show_which_bounds_are_false():
    figure = margin.margin_figure((4, 7, 17, 64), (3, 17, 65))
    index, types, retrieval, unrotated = figure.axes[:4]
    lengths, best = drawn(index, "best input, certified")
    limits = dict(zip(*drawn(index, "corrected, best input"), strict=True))
    printed = drawn(index, "printed")[1]
    assert np.allclose(printed, 2 * np.pi**2)
    assert all(value <= limits[n] for n, value in zip(lengths, best, strict=True))
    assert (best > printed[0]).all()
    assert (drawn(index, "worst input, certified")[1] <= printed[0]).all()
    (length,), (star,) = drawn(index, "witness")
    assert star / length**2 == pytest.approx(0.970004, abs=1e-6)
    assert limits[7] > star > printed[0]
    assert drawn(types, "certified in bfloat16")[0].max() < 17
    assert drawn(types, "measured in float32")[0].tolist() == [4, 7, 17, 64]
    places, values = drawn(retrieval, "by search")
    bounds = [printed_bound(letters=8, length=int(n), angle=0.0027).upper for n in places]
    assert (values > bounds).tolist() == [True, True, False]
    assert (drawn(retrieval, "two opposite letters")[1] > 1.9).all()
    assert np.ptp(drawn(unrotated, "θ = 0")[1]) < 1e-12
    for axis in (index, types, retrieval, unrotated):
        assert axis.get_legend()
        assert "per unit amplitude" in axis.get_ylabel()
        assert "positions" in axis.get_xlabel()


def test_the_opposite_letters_margin_is_that_of_the_head():
    head = retrieval_head(8, 17, angle=style.ANGLE, inverse_temperature=1.0)
    asked = head.number("BA")  # looks for A; E is opposite to A
    tokens = [head.number("A1"), head.number("E1")]
    scores = margin.typed_scores(head, "float64", [asked], tokens, 17)[0]
    rest = np.delete(scores[1], 1)
    assert scores[0, 1] - rest.max() == pytest.approx(margin.antipodal_margin(17), abs=1e-12)


def test_constructed_heads_are_pure_and_no_swap_is_in_the_disc():
    random = np.random.default_rng(1)
    for name, (model, prompts) in plane.constructed(random).items():
        scores = plane.scores_of(prompts, model)
        purity = set(scores.purity(0.05))
        assert purity == {"symbolic" if "retrieval" in name else "positional"}, name
    for common in (0.0, 4.0):
        model, prompts = plane.random_heads(random, common, 12)
        symbolic, positional, imbalance = plane.every_swap(prompts, model)
        assert (symbolic**2 + positional**2 > 1 - 1e-12).all()
        for level in (0.1, 0.2):
            corner = (symbolic >= 1 - level) & (positional >= 1 - level)
            assert imbalance[corner].max() <= plane.imbalance_bound(level).upper + 1e-12
        scores = plane.scores_of(prompts, model)
        assert (scores.symbolic + scores.positional > 1 - 1e-12).all()
        assert (imbalance <= 1).all()


def test_functional_inputs_have_what_is_asked_for():
    head = retrieval_head(8, 17)
    random = np.random.default_rng(2)
    for _ in range(20):
        names = [head.tokens[number] for number in plane.functional(head, random)]
        assert len({name[0] for name in names}) == len(set(names))
        assert head.decode(names) == next(name for name in names if name[0] == names[-1][1])


def test_the_staircase_drops_after_its_near_returns():
    figure = staircase.staircase_figure(most=2000)
    left, right = figure.axes
    lags, gaps = drawn(left, "near-returns")
    assert lags.tolist() == [1, 6, 19, 25, 44, 333, 710]
    assert np.allclose(gaps, 1 - np.cos(lags), rtol=1e-5)
    lengths, margins = drawn(right, "angle 1")
    assert lengths[:-1].tolist() == [2, 7, 20, 26, 45, 334, 711]
    assert margins[:-1].tolist() == gaps.tolist()
    assert "t = 710" in texts(figure)


def test_the_spectrum_is_far_above_one_plane():
    figure = spectrum.spectrum_figure((5, 65), (16, 64))
    left, right = figure.axes
    one, every = drawn(left, "one plane")[1], drawn(left, "optimal for each")[1]
    assert every[1] > 70 * one[1]
    assert (drawn(left, "best single plane")[1] <= one).all()
    kept = drawn(left, "then kept")[1]
    assert kept.tolist() == pytest.approx([0.404, 0.085], abs=1e-3)
    assert right.get_legend()


def test_main_writes_every_picture(tmp_path, monkeypatch, capsys):
    one = dict.fromkeys(pictures.FIGURES, plt.figure)
    monkeypatch.setattr(pictures, "FIGURES", one)
    monkeypatch.setattr(sys, "argv", ["head_pictures.py", "--output", str(tmp_path / "new")])
    pictures.main()
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(one)
    assert capsys.readouterr().out.count(".png") == len(one) == 5
