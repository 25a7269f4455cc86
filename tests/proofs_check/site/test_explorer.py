"""The formulas of the explorers, run by node, against `numerics` at the same settings."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy
from needs import need_program

from ropeproof.numerics.bounds.index import (
    index_margin,
    index_odds,
    one_plane_limit,
    staircase,
    temperature_enough,
    temperature_needed,
)
from ropeproof.numerics.bounds.rope import rope
from ropeproof.numerics.bounds.slash.ceiling import aligned_score, slash_ceiling
from ropeproof.numerics.bounds.slash.game import bands
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

STATIC = Path(__file__).resolve().parents[3] / "docs/_static"
TOLERANCE = 1e-9
SETTINGS = [
    # head dimension, base, band, length, offset, amplitude
    (16, 1_000, "all", 32, 5, 8.0),
    (64, 10_000, "high", 256, 64, 20.0),
    (64, 10_000, "medium", 200, 0, 35.5),
    (128, 500_000, "low", 512, 511, 60.0),
    (128, 1_000_000, "all", 4096, 2048, 100.0),
]


def run(expression: str, **values: object) -> object:
    """The value of a JavaScript expression over the explorer's functions `e` and the values `v`."""
    node = need_program("node")
    path = json.dumps(str(STATIC / "explorer.js"))
    code = f"const e = require({path}); const v = JSON.parse(process.argv[1]);"
    code += f"process.stdout.write(JSON.stringify({expression}));"
    finished = subprocess.run(
        [node, "-e", code, json.dumps(values)], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def shares(spec: RopeSpec, band: str, length: int, amplitude: float) -> np.ndarray:
    chosen = np.array([band in ("all", name) for name in bands(spec, length)])
    return np.where(chosen, amplitude / chosen.sum(), 0.0)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_slash_explorer_shows_what_numerics_computes(setting):
    head_dim, base, band, length, offset, amplitude = setting
    spec = RopeSpec(head_dim, base)
    thetas = frequencies_float64(spec)
    amplitudes = shares(spec, band, length, amplitude)
    logits = rope.cosine_logits(amplitudes, -thetas * offset, spec, np.arange(length))
    weights = softmax.weights(logits)
    found = run(
        """(() => {
          const thetas = e.frequencies(v.headDim, v.base);
          const range = e.bandRange(thetas, v.band, v.length);
          const amplitudes = e.equalShares(thetas.length, range, v.amplitude);
          const logits = e.slashLogits(amplitudes, thetas, v.offset, v.length);
          return {
            thetas, amplitudes, logits,
            weights: e.softmax(logits),
            score: e.slashScore(logits, v.offset),
            margin: e.margin(logits, v.offset),
            ceiling: e.ceiling(amplitudes, thetas, v.offset, v.length),
            needed: e.marginNeeded(0.9, v.length),
          };
        })()""",
        headDim=head_dim,
        base=base,
        band=band,
        length=length,
        offset=offset,
        amplitude=amplitude,
    )
    for name, value in {"thetas": thetas, "amplitudes": amplitudes, "logits": logits}.items():
        np.testing.assert_allclose(found[name], value, rtol=0, atol=TOLERANCE, err_msg=name)
    np.testing.assert_allclose(found["weights"], weights, rtol=0, atol=TOLERANCE)
    assert math.isclose(found["weights"][offset], middle(aligned(amplitudes, spec, offset, length)))
    rival = found["margin"]["rival"]
    assert rival != offset
    others = np.delete(logits, offset)
    assert found["margin"]["margin"] == pytest.approx(softmax.margin(logits, offset), abs=TOLERANCE)
    assert logits[rival] == pytest.approx(others.max(), abs=TOLERANCE)
    reach = min(offset, length - 1 - offset)
    ceiling = 1.0 if reach == 0 else middle(slash_ceiling(amplitudes, spec, reach=reach))
    assert found["ceiling"] == pytest.approx(ceiling, abs=TOLERANCE)
    assert found["needed"] == pytest.approx(
        middle(softmax.margin_needed("0.9", length)), abs=TOLERANCE
    )
    if length <= 512:
        lags = np.arange(length)[:, None] - np.arange(length)
        rows = [softmax.weights(np.where(lag >= 0, logits[lag], -np.inf)) for lag in lags]
        assert found["score"] == pytest.approx(slash_scores(np.array(rows))[offset], abs=TOLERANCE)


def aligned(amplitudes, spec, offset, length):
    return aligned_score(amplitudes, spec, offset=offset, row=length)


def middle(enclosure) -> float:
    assert enclosure.upper - enclosure.lower <= TOLERANCE * max(1, abs(enclosure.upper))
    return (enclosure.lower + enclosure.upper) / 2


@pytest.mark.parametrize(("head_dim", "base"), [(16, 1000), (64, 10_000), (128, 1_000_000)])
@pytest.mark.parametrize("length", [1, 32, 333, 4096])
def test_the_bands_are_those_of_the_game(head_dim, base, length):
    names = bands(RopeSpec(head_dim, base), length)
    found = run(
        "['all', 'high', 'medium', 'low'].map("
        "(band) => e.bandRange(e.frequencies(v.headDim, v.base), band, v.length))",
        headDim=head_dim,
        base=base,
        length=length,
    )
    for band, span in zip(("all", "high", "medium", "low"), found, strict=True):
        planes = [plane for plane, name in enumerate(names) if band in ("all", name)]
        assert span == ([planes[0], planes[-1]] if planes else None)


@pytest.mark.parametrize("angle", [1, sympy.Rational(1, 3), 2 * sympy.pi / 17])
def test_the_staircase_of_one_plane_is_that_of_numerics(angle):
    lengths = [2, 7, 8, 17, 18, 45, 333, 334, 711, 4096]
    if isinstance(angle, sympy.Expr) and angle.has(sympy.pi):
        lengths = [n for n in lengths if n <= 17]  # beyond it margins are 0 but for rounding
    expected = [middle(value) for value in staircase(angle, lengths).margins]
    found = run("e.staircase([1], [v.angle], v.longest)", angle=float(angle), longest=lengths[-1])
    assert len(found) == lengths[-1] - 1
    np.testing.assert_allclose([found[n - 2] for n in lengths], expected, rtol=0, atol=TOLERANCE)


def test_the_margins_of_ropes_planes_are_those_of_numerics():
    spec, longest = RopeSpec(64, 10_000), 300
    amplitudes = shares(spec, "medium", longest, 1.0)
    found = run(
        "e.staircase(v.amplitudes, e.frequencies(64, 10000), v.longest)",
        amplitudes=amplitudes.tolist(),
        longest=longest,
    )
    for length in (2, 20, 100, 300):
        expected = middle(index_margin(spec, amplitudes, length=length))
        assert found[length - 2] == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("length", [3, 17, 100, 4096])
def test_the_limits_of_one_plane_are_those_of_numerics(length):
    limit, temperatures = run(
        "[e.onePlaneLimit(v.length), e.indexTemperatures(v.length)]", length=length
    )
    assert limit == pytest.approx(middle(one_plane_limit(length)), abs=TOLERANCE)
    assert temperatures["enough"] == pytest.approx(middle(temperature_enough(length)), rel=1e-12)
    assert temperatures["needed"] == pytest.approx(middle(temperature_needed(length)), rel=1e-12)


@pytest.mark.parametrize(("beta", "length"), [(5.0, 17), (15.0, 17), (200.0, 40)])
def test_the_odds_of_the_worst_integer_are_those_of_numerics(beta, length):
    found = run(
        "Array.from({length: v.n - 1}, (_, i) => e.indexOdds([1], [2*Math.PI/v.n], v.beta, i+1, v.n))",
        beta=beta,
        n=length,
    )
    angle = 2 * sympy.pi / length
    assert max(found) == pytest.approx(
        middle(index_odds(beta, angle, length=length)), abs=TOLERANCE
    )


def test_a_wrong_formula_would_be_seen():
    """The comparison has teeth: one offset further the logits differ by far more than allowed."""
    found = run("e.slashLogits([1, 1], [1, 0.1], 3, 9)")
    wrong = run("e.slashLogits([1, 1], [1, 0.1], 4, 9)")
    assert np.abs(np.array(found) - np.array(wrong)).max() > 0.1


def test_the_script_asks_for_nothing_from_outside():
    text = (STATIC / "explorer.js").read_text(encoding="utf-8")
    text += (STATIC / "explorer.css").read_text(encoding="utf-8")
    text = text.replace("http://www.w3.org/2000/svg", "")  # a namespace, never fetched
    for word in ("http:", "https:", "fetch(", "XMLHttpRequest", "import(", "@import", "url("):
        assert word not in text
