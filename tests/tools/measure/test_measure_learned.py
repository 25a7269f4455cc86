"""Learned heads: the law's bounds, band dominance, other scalings, rounded rotations, what is explained."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from ropeproof.numerics.bounds.slash.learned.band_dominance import band_margin
from ropeproof.numerics.bounds.slash.learned.factor import rank_one
from ropeproof.numerics.bounds.slash.learned.independent import independent_scores
from ropeproof.numerics.core.spec import frequencies_float64, rotate
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import LongRope, RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_head
from ropeproof.tools.measure.head.explained_share import explained
from ropeproof.tools.measure.head.law import law_measure
from ropeproof.tools.measure.head.survival import factor_planes, rounded, scaled_specs, survivors
from ropeproof.tools.measure.verdicts import judge

SPEC = RopeSpec(16, 10000)


def noisy_head(length=96, *, noise=0.5, size=2.5, signs=False, cap=None, window=None, lag=2):
    """A slash head at a lag, with noise around its two vectors; with both signs if asked for."""
    random = np.random.default_rng(0)
    query = rotate(np.ones((1, 16)), np.array([-lag]), SPEC)
    sides = []
    for side in (query, np.ones((1, 16))):
        sign = random.choice([-1.0, 1.0], (length, 1)) if signs else 1.0
        sides.append(size * sign * (side + noise * random.normal(size=(length, 16))))
    return HeadVectors(
        queries=sides[0],
        keys=sides[1],
        tokens=np.arange(length),
        spec=SPEC,
        scale=0.25,
        soft_cap=cap,
        window=window,
        layer=0,
        head=0,
        key_head=0,
        first=True,
        prompt="text",
    )


@pytest.mark.parametrize(
    "options",
    [{}, {"signs": True}, {"cap": 6.0}, {"window": 40}, {"noise": 2.0}],
    ids=["plain", "signs", "cap", "window", "much noise"],
)
def test_the_bounds_contain_the_score_of_what_was_drawn(options):
    vectors = noisy_head(**options)
    found = law_measure(vectors, 2, draws=128, rows=16)
    for lower, upper in (found.law, found.quantiles, found.moments):
        assert lower <= found.score + 1e-5
        assert upper >= found.score - 1e-5
    assert found.typical <= found.score + 1e-5
    assert found.law[1] - found.law[0] < 0.05
    # The same expectation, drawn another way: other rows, other prompts.
    drawn = independent_scores(
        vectors.queries,
        vectors.keys,
        SPEC,
        (2,),
        scale=0.25,
        soft_cap=vectors.soft_cap,
        window=vectors.window,
        rows=96,
        draws=64,
    ).at(2)
    assert abs(drawn.score - found.score) < found.radius + 5 * drawn.error
    json.dumps(found.as_json(), allow_nan=False)


def test_more_confidence_and_fewer_draws_say_less():
    vectors = noisy_head()
    sure = law_measure(vectors, 2, draws=128, confidence=0.999999)
    plain = law_measure(vectors, 2, draws=128)
    few = law_measure(vectors, 2, draws=16)
    assert plain.radius < min(sure.radius, few.radius)
    assert plain.law == sure.law


def test_a_slash_head_with_noise_is_explained_where_the_sandwich_is_vacuous():
    vectors = noisy_head()
    measure = measure_head(vectors)
    found = explained(measure, judge(vectors, measure))
    assert found.lag == measure.largest == 2
    assert found.by["slash.sandwich"] < 1e-6
    assert found.by["slash.law"] > 0.1
    assert found.claim in {"slash.law", "slash.moments", "slash.emergence-typical"}
    assert found.confidence == 0.99
    assert 0.7 < found.share <= 1
    assert found.share == pytest.approx(min(1.0, found.guaranteed / found.observed))
    json.dumps(found.as_json(), allow_nan=False)


def test_a_head_without_noise_is_explained_with_certainty():
    vectors = noisy_head(noise=0.0)
    measure = measure_head(vectors)
    found = explained(measure, judge(vectors, measure))
    assert found.confidence is None
    assert found.share > 0.99


def test_what_is_no_slash_head_has_no_share():
    vectors = noisy_head(size=0.1)
    measure = measure_head(vectors)
    assert measure.law is None
    assert measure.survivors == measure.rounded == ()
    assert explained(measure, judge(vectors, measure)) is None


# --- the margin of the bands ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_bands_are_the_best_ones_of_the_claim(seed):
    random = np.random.default_rng(seed)
    spec = RopeSpec(6, 100)
    sizes, phases = random.uniform(0, 3, 3), random.normal(size=3)
    lag, length = int(random.integers(20)), 20
    theta = frequencies_float64(spec)
    shift = (theta * lag + phases + np.pi) % (2 * np.pi) - np.pi
    best, margin = np.inf, np.inf
    for t in range(length):
        if t == lag:
            continue
        e = t - lag
        gained = sizes * (1 - np.cos(theta * e))
        gained -= 4 * sizes * np.abs(np.sin(theta * e / 2) * np.sin(shift / 2))
        lost = sizes * np.minimum(2, theta * abs(e))
        sums = [
            sum(-lost[n] if n in band else gained[n] for n in range(3))
            for size in range(4)
            for band in itertools.combinations(range(3), size)
        ]
        best = min(best, max(sums))
        logits = [float(sizes @ np.cos(theta * at + phases)) for at in (lag, t)]
        margin = min(margin, logits[0] - logits[1])
    found = band_margin(sizes, phases, lag, spec, length=length)
    # Distances are looked at on both sides, up to the further end.
    assert found <= best + 1e-12
    assert found <= margin + 1e-12
    if 2 * lag == length - 1 or lag == 0:
        assert found == pytest.approx(best)


def test_what_has_no_bands():
    with pytest.raises(InvalidArgument, match="amplitudes"):
        band_margin([-1.0, 1.0], [0.0, 0.0], 0, RopeSpec(4, 100), length=4)
    with pytest.raises(InvalidArgument, match="phases"):
        band_margin([1.0, 1.0], [[0.0, 0.0]], 0, RopeSpec(4, 100), length=4)
    with pytest.raises(InvalidArgument, match="offset"):
        band_margin([1.0, 1.0], [0.0, 0.0], 4, RopeSpec(4, 100), length=4)


# --- other scalings, rounded rotations ------------------------------------------------------------


def test_the_scalings_are_what_their_names_say():
    plain = frequencies_float64(SPEC)
    found = {name: frequencies_float64(s) for name, s in scaled_specs(SPEC, 512, 4).items()}
    assert sorted(found) == ["dynamic", "linear", "llama3", "longrope", "yarn"]
    assert found["linear"] == pytest.approx(plain / 4)
    for name in ("dynamic", "llama3", "longrope", "yarn"):
        assert found[name][0] == pytest.approx(plain[0])
        assert found[name][-1] == pytest.approx(plain[-1] / 4)
        assert (found[name] <= plain * (1 + 1e-12)).all()
    own = LongRope(short_factor=(1,) * 8, long_factor=(3,) * 8, original_length=512, factor=4)
    spec = RopeSpec(16, 10000, scaling=own, length=512)
    assert frequencies_float64(scaled_specs(spec, 512, 4)["longrope"]) == pytest.approx(plain / 3)
    assert "dynamic" not in scaled_specs(RopeSpec(2, 100), 512, 4)


@pytest.mark.parametrize("signs", [False, True])
def test_short_slashes_live_and_long_ones_die(signs):
    for lag, alive in ((1, True), (64, False)):
        vectors = noisy_head(128, noise=0.05, size=3.0, signs=signs, lag=lag)
        sides = rank_one(vectors.queries), rank_one(vectors.keys)
        found = survivors(*sides, SPEC, lag, scale=0.25, length=128, factor=4)
        by = {each.scaling: each for each in found}
        assert by["linear"].score < 0.5 * by["linear"].before
        assert (by["yarn"].score > 0.8 * by["yarn"].before) == alive
        for each in found:
            assert each.guaranteed <= each.bands + 1e-9
            assert each.bands <= each.margin + 1e-9
            assert each.length == 512
            json.dumps(each.as_json(), allow_nan=False)
        sizes, phases = factor_planes(*sides, SPEC, lag, scale=0.25)
        assert sizes @ np.cos(frequencies_float64(SPEC) * lag + phases) > 0


def test_bfloat16_angles_lose_a_slash_and_tables_do_not():
    vectors = noisy_head(1024, noise=0.05, size=3.0, lag=1)
    sides = rank_one(vectors.queries), rank_one(vectors.keys)
    found = rounded(*sides, SPEC, 1, scale=0.25, length=1024)
    assert found.angles < 0.6 * found.exact
    assert found.tables == pytest.approx(found.exact, abs=0.05)


def test_a_measurement_has_what_was_asked_for():
    vectors = noisy_head()
    plain = measure_head(vectors).as_json()
    assert plain["extended"] == []
    asked = measure_head(vectors, MeasureOptions(extend=2)).as_json()
    assert {each["length"] for each in asked["extended"]} == {192}
    assert [each["offset"] for each in asked["bfloat16"]]
    assert asked["slash"]["law"]["offset"] == 2
    assert asked["factor"]["queries"]["negative"] == 0.0
    # Inside a window a longer prompt has no further lag.
    assert measure_head(noisy_head(window=40), MeasureOptions(extend=2)).survivors == ()


@pytest.mark.parametrize("extend", [1, 0, 2.5, 5000])
def test_no_such_extension(extend):
    with pytest.raises(InvalidArgument, match="extend"):
        MeasureOptions(extend=extend)
