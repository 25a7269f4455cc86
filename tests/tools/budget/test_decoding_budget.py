"""Budgets of index and retrieval heads: the heads decode, none does for less; JSON, table, picture."""

from __future__ import annotations

import doctest
import importlib
import io
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ropeproof.numerics.bounds.index import decode_length, index_odds, index_temperature
from ropeproof.numerics.bounds.index.budget import index_amplitude_needed, index_budget
from ropeproof.numerics.bounds.retrieval import retrieval_odds
from ropeproof.numerics.bounds.retrieval.budget import retrieval_budget
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec, Yarn
from ropeproof.tools.budget.decoding import (
    CERTIFIED,
    as_json,
    decoding_budget,
    plot,
    table,
)
from ropeproof.tools.budget.decoding import head_budget as search
from ropeproof.tools.budget.slash import Model, read_model

SPEC = RopeSpec(32, 10000)
PARTIAL = RopeSpec(32, 10000, rotary_dim=16, layout="interleaved")
few = settings_for("quick", cases=40)


def model_of(spec):
    return Model("a model", spec, None, 100)


@pytest.mark.parametrize("name", ["index.budget", "retrieval.budget"])
def test_doctests(name):
    assert doctest.testmod(importlib.import_module(f"ropeproof.numerics.bounds.{name}")).failed == 0


# --- heads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [SPEC, PARTIAL, RopeSpec(2, 10000), RopeSpec(128, 500000)])
@pytest.mark.parametrize(
    ("length", "integers"), [(2, None), (3, None), (17, None), (17, 3), (40, 1)]
)
def test_an_index_head_decodes_and_hardly_less_does(spec, length, integers):
    found = index_budget(spec, length=length, integers=integers)
    odds = index_odds(1, spec, found.amplitudes, length=length, integers=integers)
    assert odds.upper < 1
    assert found.odds == odds
    assert index_odds(
        0.999, spec, found.amplitudes, length=length, integers=integers
    ).lower > 1 or (length == 2)
    assert found.needed <= found.amplitude
    assert math.fsum(found.amplitudes) <= found.amplitude
    # By the logits themselves, in float64.
    lags, thetas = np.arange(length), frequencies_float64(spec)
    for query in range(1, found.integers + 1):
        logits = (found.amplitudes * np.cos(np.outer(lags - query, thetas))).sum(1)
        weights = np.exp(logits - logits[query])
        assert weights[query] > weights.sum() / 2 * (1 - 1e-12)


def test_the_search_beats_the_games_direction():
    found = index_budget(RopeSpec(128, 10000), length=256)
    same = index_temperature(found.spec, found.game.amplitudes, length=256).lower
    assert found.amplitude < 0.97 * same
    assert found.needed > 0.8 * found.amplitude


@few
@given(data=st.data())
def test_no_head_decodes_for_less_than_is_needed(data):
    """Soundness: a random head that decodes an integer never has less amplitude than needed."""
    spec = data.draw(st.sampled_from([SPEC, PARTIAL, RopeSpec(4, 100)]))
    reach = data.draw(st.integers(1, 40))
    random = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    weights = random.random(reach) ** data.draw(st.sampled_from([0, 1, 6]))
    bound = index_amplitude_needed(spec, weights).lower
    thetas = frequencies_float64(spec)
    sizes = random.random(spec.planes) ** 3
    phases = data.draw(st.sampled_from([0.0, 0.5])) * random.uniform(-3, 3, spec.planes)
    lags = np.arange(-reach, reach + 1)
    gaps = (sizes * (np.cos(phases) - np.cos(np.outer(lags, thetas) + phases))).sum(1)
    gaps = np.delete(gaps, reach)
    if gaps.min() > 0.05:
        least = float(index_scale(gaps))
        assert least * sizes.sum() >= bound * (1 - 1e-9)


def index_scale(gaps):
    """Where `sum e^{-scale gap}` is 1, by bisection."""
    low, high = 0.0, 10 * math.log(len(gaps) + 1) / gaps.min()
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if np.exp(-middle * gaps).sum() > 1 else (low, middle)
    return high


def test_what_is_needed_has_a_closed_form_for_one_lag():
    found = index_amplitude_needed(RopeSpec(2, 10000), [1.0])
    assert found.lower == pytest.approx(math.log(2) / (1 - math.cos(1)), rel=1e-12)
    budget = index_budget(RopeSpec(2, 10000), length=3)
    assert budget.amplitude >= found.lower


@pytest.mark.parametrize("letters", [2, 3, 8, 26])
@pytest.mark.parametrize("length", [2, 3, 50])
@pytest.mark.parametrize("spec", [PARTIAL, RopeSpec(64, 10000)])
def test_a_retrieval_head_decodes_and_hardly_less_does(spec, letters, length):
    found = retrieval_budget(spec, length=length, letters=letters)
    arguments = {
        "letters": letters,
        "length": length,
        "angle": spec,
        "amplitudes": found.amplitudes,
        "multipliers": found.multipliers,
        "centre": found.centre,
    }
    assert found.odds == retrieval_odds(1, **arguments)
    assert found.odds.upper < 1
    assert found.needed <= found.amplitude
    if length > 2:
        assert retrieval_odds(0.999, **arguments).lower > 1
    used = np.flatnonzero(found.amplitudes)
    if spec is PARTIAL:
        assert used.min() >= 8
        assert found.centre == 0
        size = math.log(length - 1) * (letters - 1) / letters
        if letters <= 16:
            assert found.amplitude == pytest.approx(size, rel=1e-8, abs=2e-6)
    else:
        assert used.tolist() == list(range(spec.planes - len(used), spec.planes))


def test_too_fast_planes_are_refused_by_name():
    with pytest.raises(Unsupported, match="turn slowly enough for 8 letters at 50 positions"):
        retrieval_budget(RopeSpec(2, 10000), length=50, letters=8)


# --- the budget -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def budgets():
    return {
        "index": decoding_budget(SPEC, task="index", length=60),
        "retrieval": decoding_budget(RopeSpec(32, 500000), task="retrieval", length=60),
        "unrotated": decoding_budget(PARTIAL, task="retrieval", length=60, letters=5),
    }


@pytest.mark.parametrize("name", ["index", "retrieval", "unrotated"])
def test_numbers_are_in_order(budgets, name):
    found = budgets[name]
    assert found.longest >= 60
    assert 0 < found.head.needed <= found.head.amplitude
    assert sum(plane.share for plane in found.planes) == pytest.approx(1)
    for row in found.longer:
        assert found.head.amplitude < row.reoptimised <= row.frozen
    lengths = [row.length for row in found.types]
    assert found.types[0].arithmetic == "exact"
    assert all(length <= lengths[0] for length in lengths)
    for row in found.types:
        assert row.amplitude >= found.head.amplitude * (1 - 1e-8)
    assert found.types[0].amplitude == found.head.amplitude
    assert found.types[2].length >= 60


def test_the_frozen_head_is_the_same_head(budgets):
    found = budgets["index"]
    row = found.longer[0]
    scaled = found.head.amplitudes * (row.frozen / found.head.amplitude) * (1 + 1e-9)
    assert index_odds(1, SPEC, scaled, length=row.length).upper < 1
    assert found.longest == decode_length(SPEC, found.head.amplitudes, inverse_temperature=1)


def test_norms_follow_scale_and_attention_factor(budgets):
    plain = budgets["index"]
    assert plain.query_key_norm_product == pytest.approx(plain.head.amplitude * math.sqrt(32))
    scaled = decoding_budget(SPEC, task="index", length=60, scale=0.5)
    assert scaled.query_key_norm_product == pytest.approx(2 * scaled.head.amplitude)
    yarn = RopeSpec(32, 10000, scaling=Yarn(factor=4, original_length=16), length=64)
    found = decoding_budget(yarn, task="index", length=60)
    factor = float(yarn.attention_factor())
    assert found.query_key_norm_product == pytest.approx(
        found.head.amplitude * math.sqrt(32) / factor**2
    )


@pytest.mark.parametrize("name", ["index", "retrieval", "unrotated"])
def test_json_table_and_picture(budgets, name, tmp_path):
    found = budgets[name]
    data = json.loads(json.dumps(as_json(found), allow_nan=False))
    assert data["schema"] == 1
    assert data["amplitude"] == found.head.amplitude
    flat = {key for key in data if key not in ("schema", "certified", "looked", "spare")}
    named = {key.split(".")[0] for key in CERTIFIED}
    assert flat == named
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(table(found, model_of(found.spec)))
    text = console.export_text()
    assert f"{found.alphabet}" in text
    assert "yes: enough" in text
    assert "bfloat16" in text
    target = tmp_path / "budget.png"
    plot(found, model_of(found.spec), str(target))
    assert target.stat().st_size > 10000


def test_a_preset_is_read_and_progress_told():
    model = read_model(None, "pythia-1.4b", 64)
    steps = []
    found = decoding_budget(
        model.spec,
        task="retrieval",
        length=model.length,
        scale=model.scale,
        progress=lambda step, done, of: steps.append((step, done, of)),
    )
    assert found.centre == 0
    assert steps[0] == ("head", 0, 11)
    assert steps[-1] == ("done", 11, 11)
    # The unrotated planes do not see the length: the amplitude is a logarithm.
    assert found.longer[2].frozen == pytest.approx(math.log(511) * 7 / 8, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "slash", "length": 5}, "task: got 'slash', allowed: index, retrieval"),
        ({"task": "index", "length": 2}, "length: got 2, allowed: an integer >= 3"),
        ({"task": "index", "length": 5, "integers": 0}, "integers: got 0"),
        ({"task": "retrieval", "length": 5, "letters": 1}, "letters: got 1"),
        ({"task": "index", "length": 5, "scale": -1}, "scale: got -1, allowed: a number > 0"),
        ({"task": "index", "length": 5, "scale": math.nan}, "scale: got nan"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        decoding_budget(SPEC, **arguments)


def test_a_bad_picture_is_refused(budgets):
    with pytest.raises(InvalidArgument, match="plot: got"):
        plot(budgets["index"], model_of(SPEC), "picture.xyz")


def test_sabotage_goes_red(monkeypatch):
    """A head that is a little too weak is caught by its own odds."""
    whole = search.index_budget

    def weaker(spec, **arguments):
        found = whole(spec, **arguments)
        object.__setattr__(found, "amplitudes", 0.99 * found.amplitudes)
        return found

    monkeypatch.setattr(search, "index_budget", weaker)
    found = decoding_budget(SPEC, task="index", length=60)
    assert found.longest < 60
