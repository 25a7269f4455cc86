"""Budgets of slash heads: their parts, and that none has its score for less."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics.bounds.slash.budget import certified_score, needed, rows, slash_budget
from ropeproof.numerics.bounds.slash.budget.climb import Climb
from ropeproof.numerics.bounds.slash.budget.needed import amplitude_needed
from ropeproof.numerics.bounds.slash.budget.rows import exponential, rows_of
from ropeproof.numerics.bounds.slash.budget.tables import PlanePoints
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import Dynamic, RopeSpec, Yarn

SPEC = RopeSpec(16, 10000)


PARTIAL = RopeSpec(16, 10000, rotary_dim=8)


def score_mp(spec, amplitudes, phases, offset, length):
    """The mean weight by definition, row by row, at 50 digits."""
    with mpmath.workdps(50):
        theta = [mpmath.mpf(ball.mid().str(60, radius=False)) for ball in frequencies_ball(spec)]

        def logit(lag):
            return mpmath.fsum(
                mpmath.mpf(float(a)) * mpmath.cos(t * (lag - offset) + mpmath.mpf(float(p)))
                for a, t, p in zip(amplitudes, theta, phases, strict=True)
            )

        sizes = [mpmath.exp(logit(lag)) for lag in range(length)]
        scores = [sizes[offset] / mpmath.fsum(sizes[:i]) for i in range(offset + 1, length + 1)]
        return mpmath.fsum(scores) / len(scores)


def window_of(spec, offset, length):
    planes = tuple(np.flatnonzero(frequencies_float64(spec)).tolist())
    return Window(spec, offset, length - 1 - offset, planes)


# --- parts -------------------------------------------------------------------------------------


def test_exponential_is_within_its_bound():
    random = np.random.default_rng(0)
    exponents = np.concatenate(
        (
            random.uniform(-700, 700, 3000),
            random.uniform(-1, 1, 1000),
            random.uniform(-1e-9, 1e-9, 100),
            np.arange(-64, 65) * (math.log(2) / 128),  # where the integer part changes
            [0.0, 700.0, -700.0, 5e-324],
        )
    )
    with mpmath.workdps(40):
        worst = max(
            abs(mpmath.mpf(float(y)) / mpmath.exp(mpmath.mpf(float(x))) - 1)
            for x, y in zip(exponents, exponential(exponents), strict=True)
        )
    assert worst <= rows.EXPONENTIAL_ERROR
    assert exponential(np.zeros(1))[0] == 1


def test_moments_are_within_their_bound():
    window = window_of(SPEC, 0, 3001)
    tables = PlanePoints(window)
    random = np.random.default_rng(1)
    weights = random.normal(size=2000) * 10.0 ** random.integers(-9, 3, 2000)
    found = tables.moments(weights)
    error = tables.error * np.abs(weights).sum()
    for plane, theta in enumerate(frequencies_ball(SPEC, bits=200)):
        real = sum((arb(w) * (theta * t).cos() for t, w in enumerate(weights.tolist())), arb(0))
        imaginary = sum(
            (arb(w) * (theta * t).sin() for t, w in enumerate(weights.tolist())), arb(0)
        )
        assert abs(found[plane].real - float(real)) <= error
        assert abs(found[plane].imag - float(imaginary)) <= error


@given(data=st.data())
@settings_for("quick")
def test_certified_score_contains_the_definition(data):
    spec = data.draw(st.sampled_from([SPEC, PARTIAL, RopeSpec(2, 10000)]))
    length = data.draw(st.integers(2, 40))
    offset = data.draw(st.integers(0, length - 1))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    size = data.draw(st.sampled_from([0.0, 0.1, 3.0, 30.0, 900.0]))
    amplitudes = size * random.random(spec.planes)
    phases = random.uniform(-4, 4, spec.planes) * data.draw(st.sampled_from([0, 1]))
    found = certified_score(amplitudes, phases, spec, offset=offset, length=length)
    exact = score_mp(spec, amplitudes, phases, offset, length)
    assert found.lower <= exact <= found.upper
    assert found.width <= 1e-10
    if size <= 30:
        assert found.width <= 1e-11 * exact


@given(data=st.data())
@settings_for("quick")
def test_no_head_has_its_score_for_less_than_is_needed(data):
    """Soundness: a random head's own amplitude is never below what its score is said to need."""
    spec = data.draw(st.sampled_from([SPEC, PARTIAL, RopeSpec(2, 10000), RopeSpec(64, 10000)]))
    length = data.draw(st.integers(2, 300))
    offset = data.draw(st.integers(0, length - 1))
    window = window_of(spec, offset, length)
    tables, planes = PlanePoints(window), len(window.planes)
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    size = data.draw(st.sampled_from([0.5, 3.0, 12.0, 40.0]))
    spread = data.draw(st.sampled_from([0.0, 0.1, 3.0]))
    shares = random.random(planes) ** data.draw(st.sampled_from([1, 4]))
    head = rows_of(window, size * shares / shares.sum(), spread * random.uniform(-1, 1, planes))
    score = head.average().lower
    others = [head, rows_of(window, size * np.eye(planes)[0], np.zeros(planes))]
    for about in others:
        if 0 < score < 1:
            assert amplitude_needed(about, tables, score) <= size * (1 + 1e-9)


@pytest.mark.parametrize("score", [1e-3, 0.2, 0.5, 0.7, 0.9, 0.999])
def test_lines_are_above_the_score(score):
    """Step 2 of the bound, at many logits up to the largest that a row may have."""
    random = np.random.default_rng(2)
    least = needed._least_scores(60, score)
    least = least[least > needed._LEAST]
    most = needed._largest_logits(least)
    assert (1 / (1 + np.exp(most)) <= least).all()
    odds = np.exp(random.uniform(-12, 4, len(least)))
    heights, slopes = needed._lines(odds, most)
    logits = most[:, None] - np.concatenate(([0], np.geomspace(1e-6, 60, 400)))
    lines = heights[:, None] - slopes[:, None] * logits
    assert (lines >= 1 / (1 + np.exp(logits))).all()
    assert (slopes >= 0).all()
    if score >= 0.7:
        assert (slopes[:5] > 0).all()


@pytest.mark.parametrize("score", [0.01, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_least_scores_are_those_of_a_step(score, count):
    """Step 1: with weight 1 on earlier rows and the same on later ones, `m_j` is attained."""
    found = needed._least_scores(count, score)
    for row in {1, count, (count + 1) // 2}:
        exact = (count * Fraction(score) - (row - 1)) / (count - row + 1)
        assert Fraction(found[row - 1]) <= exact
        assert found[row - 1] == pytest.approx(float(exact), rel=1e-11, abs=1e-11)


def test_slopes_of_the_score_are_its_derivatives():
    window = window_of(SPEC, 5, 70)
    climb = Climb(window)
    random = np.random.default_rng(3)
    vector = random.normal(size=8) + 1j * random.normal(size=8)
    step = 1e-6 * (random.normal(size=8) + 1j * random.normal(size=8))
    for count in (None, 1, 30):
        up, _ = climb.score_and_slopes(vector + step, count)
        down, _ = climb.score_and_slopes(vector - step, count)
        score, slopes = climb.score_and_slopes(vector, count)
        assert (up - down) / 2 == pytest.approx((slopes * step).real.sum(), rel=1e-6)
        if count is None:
            exact = rows_of(window, np.abs(vector), np.angle(vector)).average()
            assert score == pytest.approx(exact.lower, rel=1e-11)


# --- budgets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offset", "length"), [(0, 2), (1, 2), (0, 30), (1, 30), (15, 30), (29, 30)]
)
@pytest.mark.parametrize("spec", [SPEC, PARTIAL, RopeSpec(64, 500000)])
@pytest.mark.parametrize("score", [0.3, 0.9, 0.999])
def test_a_budgets_head_has_its_score_and_none_has_it_for_less(spec, offset, length, score):
    found = slash_budget(spec, offset=offset, length=length, score=score)
    exact = score_mp(spec, found.amplitudes, found.phases, offset, length)
    assert score <= found.attained.lower <= exact <= found.attained.upper
    assert found.amplitudes.sum() == pytest.approx(found.amplitude, rel=1e-14)
    assert 0 <= found.amplitude_needed <= found.amplitude
    # Enough is hardly more than enough: without the head's last percent the score is missed.
    if found.amplitude:
        less = score_mp(spec, 0.99 * found.amplitudes, found.phases, offset, length)
        assert less < score
    if score >= 0.9:
        assert found.amplitude_needed >= 0.85 * found.amplitude
    for longer in found.longer:
        assert longer.frozen <= longer.reoptimised <= 1
    first = found.longer[0]
    frozen = score_mp(spec, found.amplitudes, found.phases, offset, first.length)
    assert first.frozen <= frozen
    assert float(frozen) == pytest.approx(first.frozen, rel=1e-9)


def test_the_budget_beats_the_games_direction_and_is_near_the_bound():
    spec = RopeSpec(128, 10000)
    found = slash_budget(spec, offset=512, length=1024, score=0.9)
    game = found.game
    same = certified_score(
        found.amplitude * game.amplitudes, game.phases, spec, offset=512, length=1024
    )
    assert same.upper < 0.9
    assert found.amplitude_needed > 0.99 * found.amplitude
    # What a margin alone guarantees costs far more.
    assert found.amplitude < 0.8 * math.log(1023 * 9) / game.upper


def test_two_positions_are_solved_in_closed_form():
    """Offset 1 of 2: one row, one competitor; the best head has the chord of every plane."""
    spec, score = RopeSpec(2, 10000), 0.9
    found = slash_budget(spec, offset=1, length=2, score=score)
    exact = math.log(score / (1 - score)) / (2 * math.sin(0.5))
    assert found.amplitude == pytest.approx(exact, rel=1e-6)
    assert found.amplitude_needed == pytest.approx(exact, rel=1e-6)


def test_a_low_score_is_free():
    found = slash_budget(SPEC, offset=1, length=50, score=0.001)
    assert found.amplitude == found.amplitude_needed == found.query_key_norm_product == 0
    assert not found.amplitudes.any()
    assert all(plane.share == 0 for plane in found.planes)


def test_norms_follow_scale_and_attention_factor():
    plain = slash_budget(SPEC, offset=1, length=20, score=0.9)
    assert plain.query_key_norm_product == pytest.approx(4 * plain.amplitude, rel=1e-14)
    assert plain.query_key_norm_needed == pytest.approx(4 * plain.amplitude_needed, rel=1e-14)
    scaled = slash_budget(SPEC, offset=1, length=20, score=0.9, scale=0.5)
    assert scaled.query_key_norm_product == pytest.approx(2 * plain.amplitude, rel=1e-14)
    yarn = RopeSpec(16, 10000, scaling=Yarn(factor=4, original_length=64), length=256)
    found = slash_budget(yarn, offset=1, length=20, score=0.9)
    factor = 1 + 0.1 * math.log(4)
    assert found.query_key_norm_product == pytest.approx(4 * found.amplitude / factor**2, rel=1e-13)
    with mpmath.workdps(40):
        exact = mpmath.mpf(found.amplitude) * 4 / (1 + mpmath.log(4) / 10) ** 2
        assert exact * (1 - mpmath.mpf(2) ** -51) <= found.query_key_norm_product


def test_longer_lengths_use_the_frequencies_that_the_model_has_there():
    def spec(length):
        return RopeSpec(16, 10000, scaling=Dynamic(factor=2, original_length=32), length=length)

    found = slash_budget(spec(32), offset=1, length=32, score=0.9)
    there = certified_score(found.amplitudes, found.phases, spec(64), offset=1, length=64)
    here = certified_score(found.amplitudes, found.phases, spec(32), offset=1, length=64)
    assert found.longer[0].frozen == pytest.approx(there.lower, rel=1e-12)
    assert abs(there.lower - here.lower) > 1e-4


def test_progress_names_the_steps():
    told = []
    slash_budget(SPEC, offset=1, length=20, score=0.5, progress=lambda *step: told.append(step))
    assert [number for _, number, _ in told] == list(range(6))
    assert {of for _, _, of in told} == {6}
    assert told[0][0] == "game"
    assert told[-1][0] == "length 160"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"spec": "llama"}, "spec: got 'llama'"),
        ({"length": 1}, "length: got 1"),
        ({"length": 20.0}, "length: got 20.0"),
        ({"offset": 20}, "offset: got 20, allowed: an integer from 0 to 19"),
        ({"offset": -1}, "offset: got -1"),
        ({"score": 0}, "score: got 0, allowed: a number > 0 and < 1"),
        ({"score": 1}, "score: got 1"),
        ({"score": math.nan}, "score: got nan"),
        ({"scale": 0}, "scale: got 0"),
        ({"scale": "much"}, "scale: got 'much'"),
    ],
)
def test_bad_input_is_named(arguments, message):
    good = {"spec": SPEC, "offset": 1, "length": 20, "score": 0.9}
    with pytest.raises(InvalidArgument) as error:
        slash_budget(**{**good, **arguments})
    assert message in str(error.value)


def test_a_score_that_float64_cannot_certify_is_refused():
    with pytest.raises(Unsupported, match="certified to reach it in float64"):
        slash_budget(SPEC, offset=1, length=100, score=1 - 2.0**-52)


def test_a_part_of_the_lags_costs_its_own_blocks_and_gives_the_same_numbers():
    from ropeproof.numerics.bounds.slash.budget.tables import PlanePoints
    from ropeproof.numerics.bounds.slash.game.window import Window

    tables = PlanePoints(Window(RopeSpec(16, 1000), 3, 5000, tuple(range(8))))
    vector = np.random.default_rng(0).normal(size=8) + 0.5j
    whole = tables.logits(vector, np.empty(tables.size)).copy()
    part = tables.logits(vector, np.empty(tables.covering(3)))
    assert len(part) == tables.block < tables.size
    np.testing.assert_allclose(part, whole[: len(part)], atol=1e-12)
    weights = np.random.default_rng(1).random(tables.block + 7)
    padded = np.concatenate((weights, np.zeros(tables.size - len(weights))))
    np.testing.assert_allclose(tables.moments(weights), tables.moments(padded), atol=1e-11)
    assert tables.covering(tables.block - 1) == tables.block == tables.covering(0)
    assert tables.covering(tables.block) == 2 * tables.block


def test_the_least_amplitude_of_a_direction_is_certified_and_least():
    from ropeproof.numerics.bounds.slash.budget.rows import rows_of
    from ropeproof.numerics.bounds.slash.budget.search import _least_amplitude
    from ropeproof.numerics.bounds.slash.game.window import Window

    window = Window(RopeSpec(16, 1000), 1, 500, tuple(range(8)))
    sizes = np.ones(8) / 8
    rows = rows_of(window, sizes, np.zeros(8))
    for score in (0.5, 0.9, 0.999):
        found = _least_amplitude(window, sizes.astype(complex), score)
        assert rows.average(found).lower >= score
        assert rows.average(found * (1 - 1e-9)).lower < score
