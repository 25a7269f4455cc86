"""Bounds of the expected weight against the expectation itself, and against attention."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics.bounds.slash.learned import confidence, draws, law
from ropeproof.numerics.bounds.slash.learned.confidence import (
    distribution_radius,
    mean_radius,
)
from ropeproof.numerics.bounds.slash.learned.draws import independent_draws
from ropeproof.numerics.bounds.slash.learned.independent import independent_scores
from ropeproof.numerics.bounds.slash.learned.law import (
    independent_score,
    law_bounds,
    moment_bounds,
    quantile_bounds,
    typical_bound,
    typical_score,
)
from ropeproof.numerics.bounds.slash.score import slash_scores_of
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

few = settings_for("quick", cases=60)
ROUNDING = 1e-12
samples = st.lists(st.floats(-30, 30), min_size=1, max_size=12)


def pairs(target, rest):
    """The expectation, pair by pair."""
    return np.mean([[1 / (1 + np.exp(z - x)) for z in rest] for x in target])


def moments(sample):
    return np.mean(sample), np.var(sample)


@few
@given(samples, samples, st.lists(st.floats(-30, 30), min_size=1, max_size=6))
def test_every_bound_contains_the_expected_weight(target, rest, thresholds):
    exact = independent_score(target, rest)
    assert exact == pytest.approx(pairs(target, rest), abs=ROUNDING)
    found = [
        law_bounds(target, rest, thresholds=np.sort(thresholds)),
        law_bounds(target, rest, cells=3),
        law_bounds(target, rest),
        *(quantile_bounds(target, rest, cells=cells) for cells in (1, 2, 3, 5, 8)),
        moment_bounds(*moments(target), *moments(rest)),
    ]
    for lower, upper in found:
        assert lower - ROUNDING <= exact <= upper + ROUNDING
    assert typical_bound(target, rest) <= exact + ROUNDING


def test_law_and_quantiles_by_hand():
    def sigma(gap):
        return 1 / (1 + np.exp(-gap))

    def half(gap):
        return (sigma(gap) + 1) / 2

    lower, upper = law_bounds([0.0, 1.0, 2.0, 3.0], [0.0, -np.inf], thresholds=[0.5, 2.5])
    assert lower == pytest.approx(half(0.5) / 2 + half(2.5) / 4)
    assert upper == pytest.approx(half(0.5) / 4 + half(2.5) / 2 + 1 / 4)
    lower, upper = quantile_bounds([0.0, 1.0, 2.0, 3.0], [0.0, 1.0], cells=2)
    assert (lower, upper) == pytest.approx((sigma(1.0) / 4, (sigma(1.0) + 3) / 4))


@pytest.mark.parametrize("cells", [2, 3, 7, 10])
@pytest.mark.parametrize("size", [1, 2, 5, 20, 21])
def test_quantiles_are_quantiles(cells, size):
    values = np.random.default_rng(size).integers(0, 9, size).astype(float)
    for k, value in enumerate(law._quantiles(values, cells), start=1):
        assert (values <= value).sum() * cells >= k * size
        assert (values >= value).sum() * cells >= (cells - k) * size


def test_leading_axes_are_rows():
    random = np.random.default_rng(0)
    target, rest = random.normal(size=(3, 1, 20)), random.normal(size=(4, 10))
    for bound in (independent_score, law_bounds, quantile_bounds, typical_bound):
        together = np.asarray(bound(target, rest))
        assert together.shape[-2:] == (3, 4)
        one = np.asarray(bound(target[2, 0], rest[1]))
        np.testing.assert_allclose(together[..., 2, 1], one, atol=ROUNDING)
    grid = np.linspace(-1, 1, 5)
    np.testing.assert_allclose(
        law_bounds(target, rest, thresholds=grid).lower[1, 3],
        law_bounds(target[1, 0], rest[3], thresholds=grid).lower,
    )
    np.testing.assert_allclose(
        independent_score(torch.from_numpy(target), torch.from_numpy(rest)),
        independent_score(target, rest),
    )


# --- statistics --------------------------------------------------------------------------------


def test_radii():
    assert mean_radius(50, 0.9) == pytest.approx(np.sqrt(np.log(20) / 100))
    assert mean_radius(50, 0.9, comparisons=10) == pytest.approx(mean_radius(50, 0.99))
    assert mean_radius(200, 0.9) == pytest.approx(mean_radius(50, 0.9) / 2)
    assert distribution_radius(50, 0.9) == pytest.approx(mean_radius(50, 0.9))


# --- drawn prompts -----------------------------------------------------------------------------

SPECS = [
    RopeSpec(8, 100),
    RopeSpec(8, 100, layout="interleaved"),
    RopeSpec(8, 100, scaling=Yarn(factor=4, original_length=16), length=64),
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("window", [None, 3])
def test_draws_are_the_logits_of_drawn_prompts(spec, window):
    random = np.random.default_rng(2)
    queries, pool = random.normal(size=(2, 8)), random.normal(size=(5, 8))
    places, offset = np.array([1, 6]), 1
    found = independent_draws(queries, places, pool, spec, offset, draws=3, seed=7, window=window)
    assert found.target.shape == (2, 5)
    assert found.rest.shape == (2, 3)
    own = np.stack(
        [
            logits(q[None], pool, [p], [p - 1] * 5, spec)[0]
            for q, p in zip(queries, places, strict=True)
        ]
    )
    np.testing.assert_allclose(found.target, own, atol=1e-12)
    generator = np.random.default_rng(7)
    for draw in range(3):
        keys = pool[generator.integers(5, size=7)]
        every = logits(queries, keys, places, np.arange(7), spec)
        for row, place in enumerate(places):
            others = [
                every[row, j]
                for j in range(place + 1)
                if place - j != offset and (window is None or place - j < window)
            ]
            assert found.rest[row, draw] == pytest.approx(np.logaddexp.reduce(others))


def test_a_head_that_is_the_same_on_every_prompt_has_its_own_score():
    spec, length, offset = RopeSpec(8, 100), 12, 2
    random = np.random.default_rng(3)
    queries, keys = random.normal(size=(length, 8)), np.tile(random.normal(size=8), (length, 1))
    own = slash_scores_of(queries, keys, spec)[offset]
    places = np.arange(offset, length)
    found = independent_draws(queries[places], places, keys, spec, offset, draws=2, seed=0)
    assert independent_score(found.target, found.rest).mean() == pytest.approx(own)
    tensors = (torch.from_numpy(queries[places]).float(), places, torch.from_numpy(keys).float())
    again = independent_draws(*tensors, spec, offset, draws=2, seed=0)
    np.testing.assert_allclose(again.rest, found.rest, atol=1e-5)


def test_a_row_without_competitors():
    spec = RopeSpec(8, 100)
    found = independent_draws(
        np.ones((1, 8)), np.array([0]), np.ones((2, 8)), spec, 0, draws=2, seed=0
    )
    assert (found.rest == -np.inf).all()
    assert independent_score(found.target, found.rest) == 1
    assert law_bounds(found.target, found.rest).lower == 1


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: independent_score([np.nan], [0.0]), "target"),
        (lambda: independent_score([-np.inf], [0.0]), "target"),
        (lambda: independent_score([0.0], [np.inf]), "rest"),
        (lambda: independent_score([], [0.0]), "target"),
        (lambda: independent_score([0.0], 1.0), "rest"),
        (lambda: independent_score(np.zeros((2, 3)), np.zeros((3, 3))), "rest"),
        (lambda: independent_score(["a"], [0.0]), "target"),
        (lambda: law_bounds([0.0], [0.0], thresholds=[1.0, 0.0]), "thresholds"),
        (lambda: law_bounds([0.0], [0.0], cells=0), "cells"),
        (lambda: quantile_bounds([0.0], [0.0], cells=0), "cells"),
        (lambda: moment_bounds(0.0, -1.0, 0.0, 1.0), "target_variance"),
        (lambda: moment_bounds(0.0, 1.0, 0.0, -1.0), "rest_variance"),
        (lambda: moment_bounds(np.inf, 1.0, 0.0, 1.0), "target_mean"),
        (lambda: typical_score([0.0], -1.0), "noise"),
        (lambda: typical_score(0.0), "gaps"),
        (lambda: mean_radius(0, 0.9), "draws"),
        (lambda: mean_radius(1, 1.0), "confidence"),
        (lambda: mean_radius(1, 0.9, comparisons=0), "comparisons"),
        (lambda: distribution_radius(1, 0), "confidence"),
    ],
)
def test_bad_input_is_named(call, argument):
    with pytest.raises(InvalidArgument, match=f"^{argument}"):
        call()


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"queries": np.ones((1, 6))}, "queries"),
        ({"queries": np.full((1, 8), np.nan)}, "queries"),
        ({"queries": np.full((1, 8), 1e200)}, "queries"),
        ({"keys": np.ones((0, 8))}, "keys"),
        ({"keys": np.ones((2, 8), np.float32)}, "keys"),
        ({"keys": np.ones((2, 8), int)}, "keys"),
        ({"positions": np.array([0])}, "positions"),
        ({"positions": np.array([1, 2])}, "positions"),
        ({"positions": np.array([1.0])}, "positions"),
        ({"spec": None}, "spec"),
        ({"offset": -1}, "offset"),
        ({"draws": 0}, "draws"),
        ({"seed": -1}, "seed"),
        ({"window": 1}, "offset"),
        ({"own": np.ones((2, 8))}, "own"),
    ],
)
def test_bad_draws_are_named(change, argument):
    given = {
        **{"queries": np.ones((1, 8)), "positions": np.array([3]), "keys": np.ones((2, 8))},
        **{"spec": RopeSpec(8, 100), "offset": 1, "draws": 1, "seed": 0},
    } | change
    if argument == "queries" and np.abs(given["queries"]).max() > 1e100:
        given["keys"] = given["keys"] * 1e200
    with pytest.raises(InvalidArgument, match=f"^{argument}"):
        independent_draws(**given)


@pytest.mark.parametrize("module", [law, confidence, draws])
def test_doctests(module):
    assert doctest.testmod(module).failed == 0


# --- figures in statements ----------------------------------------------------------------------


def test_figures_of_quantiles_and_moments():
    """A target of mean 1, competitors of mean 0, noise of 4 logits in both, normal."""
    from scipy.special import ndtri

    places = 4 * ndtri((np.arange(2000) + 0.5) / 2000)
    target, rest = 1 + places, places
    assert independent_score(target, rest) == pytest.approx(0.57, abs=0.005)
    grid = 4 * ndtri(np.arange(1, 20) / 20)
    corners = independent_score(1 + grid, grid) * 19**2
    assert corners / 20**2 == pytest.approx(0.52, abs=0.005)
    assert (corners + 39) / 20**2 == pytest.approx(0.62, abs=0.005)
    assert quantile_bounds(target, rest, cells=20).lower == pytest.approx(0.52, abs=0.005)
    assert moment_bounds(1, 16, 0, 16) == pytest.approx((0.29, 0.87), abs=0.005)
    # E e^-X = e^(-1 + 8) and E Z = e^8.
    assert 1 / (1 + np.exp(15)) == pytest.approx(3e-7, rel=0.03)
    assert np.exp(4**2) == pytest.approx(9e6, rel=0.02)


@pytest.mark.parametrize("chance", [1.0, 4.0])
def test_second_moments_of_rivals_bound_nothing(chance):
    """Rivals of variance below 1 that are rarely, but then much, higher: the score is e^-c."""
    rivals = 10**6
    jump = np.sqrt(rivals / chance)
    one = chance / rivals
    assert jump**2 * one * (1 - one) < 1
    score = (1 - one) ** rivals / (1 + rivals * np.exp(-40.0))  # a target 40 above all rivals
    assert score == pytest.approx(np.exp(-chance), rel=1e-3)
    assert np.exp(40.0 - jump) < 1e-100  # the score where one has jumped


def test_a_drawn_token_brings_its_query_and_its_key() -> None:
    tokens = 6 * np.eye(32)[:, :32]
    found = independent_scores(tokens, tokens, RopeSpec(32, 10000), (0,), draws=4, rows=32)
    assert found.at(0).score > 0.4  # only a token that is drawn again competes with its own key


@pytest.mark.parametrize("few", [1, 40, 10**6])
@pytest.mark.parametrize("together", [1, 2, 512])
@pytest.mark.parametrize("kind", [(), ("window",), ("own",), ("own", "window", "soft_cap")])
def test_drawn_prompts_in_parts_are_the_definition(few, together, kind, monkeypatch):
    """Rows in any order, some at one place, most positions out of the window; tables have a factor."""
    monkeypatch.setattr(draws, "FEW", few)
    monkeypatch.setattr(draws, "TOGETHER", together)
    random, spec, offset = np.random.default_rng(4), SPECS[2], 2
    places = np.array([9, 2, 30, 2, 17, 5])
    queries, pool, own = (random.normal(size=(n, 8)) for n in (6, 7, 6))
    values = {"window": 4, "own": own, "soft_cap": 1.5}
    chosen = {name: values[name] for name in kind}
    found = independent_draws(queries, places, pool, spec, offset, draws=5, seed=3, **chosen)
    window, cap = chosen.get("window", 99), chosen.get("soft_cap")
    generator = np.random.default_rng(3)
    for draw in range(5):
        keys = pool[generator.integers(7, size=31)]
        for row, place in enumerate(places):
            seen = keys[: place + 1].copy()
            if "own" in chosen:
                seen[place] = own[row]
            each = logits(queries[row][None], seen, [place], np.arange(place + 1), spec)[0]
            each = each if cap is None else cap * np.tanh(each / cap)
            lags = place - np.arange(place + 1)
            others = each[(lags != offset) & (lags < window)]
            assert found.rest[row, draw] == pytest.approx(np.logaddexp.reduce(others))
