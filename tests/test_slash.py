"""Bounds of slash heads against mpmath; the topic's evidence holds, and fails when it should."""

from __future__ import annotations

import doctest
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ropeproof.numerics.enclosure import Enclosure
from ropeproof.numerics.lag_scan import margin
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.slash import ceiling, cone, emergence, null, returns
from ropeproof.numerics.strategies import amplitudes, specs
from ropeproof.proofs_check.evidence import drawing
from ropeproof.proofs_check.evidence.slash import ceiling as ceiling_evidence
from ropeproof.proofs_check.evidence.slash import cone as cone_evidence
from ropeproof.proofs_check.evidence.slash import descent as descent_evidence
from ropeproof.proofs_check.evidence.slash import emergence as emergence_evidence
from ropeproof.proofs_check.evidence.slash import flow as flow_evidence
from ropeproof.proofs_check.evidence.slash import game as game_evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.evidence.slash import null as null_evidence
from ropeproof.proofs_check.evidence.slash import returns as returns_evidence
from ropeproof.proofs_check.profiles import profile
from ropeproof.proofs_check.registry import registered
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.scaling import Linear
from ropeproof.theory.spec import RopeSpec

few = settings_for("quick", cases=40)
QUICK = profile("quick")
STANDARD = RopeSpec(128, 10000)


def close(enclosure, value, width=1e-15):
    """The enclosure holds an mpmath number and is as sharp as doubles allow."""
    low, high = mpmath.mpf(enclosure.lower), mpmath.mpf(enclosure.upper)
    return low <= value <= high and enclosure.width <= width * max(1.0, abs(enclosure.upper))


unit = st.floats(0.0, 0.9)
sizes = st.floats(0.0, 20.0)


@few
@given(sizes, unit, unit, sizes)
def test_cone_and_deviation_against_mpmath(size, first, second, spread):
    with mpmath.workdps(50):
        a, b, c, d = (mpmath.mpf(x) for x in (size, first, second, spread))
        assert close(cone.cone_epsilon(spread, first), d * b)
        assert close(cone.rank_one_share(first), 1 - b * b)
        assert close(cone.relative_radius(first, second), c + (1 + c) * b)
        assert close(emergence.logit_deviation(size, first, second), a * (b + c + b * c))
        assert close(emergence.copy_error(first, size, spread), a * b * d)
        assert close(emergence.prompt_odds_factor(first), mpmath.exp(4 * b))


@few
@given(st.floats(0.01, 0.99), st.integers(2, 10**6), st.floats(0.0, 5.0), st.floats(-9.0, 30.0))
def test_emergence_against_mpmath(score, length, deviation, gap):
    with mpmath.workdps(50):
        kappa, eta = mpmath.mpf(score), mpmath.mpf(deviation)
        needed = 2 * eta + mpmath.log((length - 1) * kappa / (1 - kappa))
        assert close(emergence.emergence_margin(score, length, deviation), needed)
        found = 1 / (1 + (length - 1) * mpmath.exp(2 * eta - mpmath.mpf(gap)))
        assert close(emergence.emergence_score(gap, length, deviation), found)
        rest = mpmath.mpf(length)
        sides = emergence.sandwich_bounds(length, deviation)
        assert close(sides.lower, 1 / (1 + mpmath.exp(2 * eta) * rest))
        assert close(sides.upper, 1 / (1 + mpmath.exp(-2 * eta) * rest))
    # The needed margin gives back the score.
    again = emergence.emergence_score(
        emergence.emergence_margin(score, length, deviation).upper, length, deviation
    )
    assert again.lower >= score * (1 - 1e-14)


@few
@given(st.integers(1, 300), st.integers(1, 300))
def test_null_bound_is_a_sum_of_inverses(offset, more):
    length = offset + more
    with mpmath.workdps(50):
        exact = sum(Fraction(1, row - 1) for row in range(offset + 1, length + 1)) / more
        assert close(
            null.null_bound(length, offset), mpmath.mpf(exact.numerator) / exact.denominator
        )


@few
@given(specs(most_planes=4, scaling=False), st.data(), st.integers(0, 12), st.integers(0, 12))
def test_ceilings_are_sums_over_lags(spec, data, before, after):
    found = data.draw(amplitudes(planes=spec.planes))
    with mpmath.workdps(40):
        base, rotated = mpmath.mpf(int(spec.base)), spec.rotary_planes
        angles = [base ** (-mpmath.mpf(l) / rotated) for l in range(rotated)]
        angles += [mpmath.mpf(0)] * (spec.planes - rotated)

        def fall(lag):
            pairs = zip(found.tolist(), angles, strict=True)
            return sum(mpmath.mpf(a) * (1 - mpmath.cos(x * lag)) for a, x in pairs)

        weights = [mpmath.exp(-fall(t)) for t in range(1, 13)]
        one = 1 / (1 + 2 * sum(weights[:before]))
        both = 1 / (1 + sum(weights[:before]) + sum(weights[:after]))
        assert close(ceiling.slash_ceiling(found, spec, reach=before), one, 1e-12)
        row = before + after + 1
        aligned = ceiling.aligned_score(found, spec, offset=before, row=row)
        assert close(aligned, both, 1e-12)


@few
@given(st.floats(0.0, 30.0), st.integers(0, 40), st.integers(1, 40))
def test_lipschitz_ceilings_are_one_sum(rate, offset, more):
    row = offset + more
    with mpmath.workdps(60):
        decay = mpmath.exp(-mpmath.mpf(rate))
        exact = 1 / sum(decay ** abs(t - offset) for t in range(row))
        assert close(ceiling.lipschitz_ceiling(rate, offset=offset, row=row), exact)
        assert close(ceiling.lipschitz_limit(rate), mpmath.tanh(mpmath.mpf(rate) / 2))
        if rate > 1e-3:
            exact = 1 / sum(decay ** abs(t - offset) for t in range(2 * offset + 1))
            assert close(ceiling.lipschitz_two_sided(rate, offset=offset), exact)


@few
@given(st.floats(0.05, 0.99))
def test_amplitude_needed_is_attained(score):
    needed = ceiling.amplitude_needed(score)
    with mpmath.workdps(40):
        kappa = mpmath.mpf(score)
        assert close(needed, mpmath.log(2 * kappa / (1 - kappa)) / (1 - mpmath.cos(1)))
    if needed.lower > 0:
        attained = ceiling.aligned_score([needed.upper], [1], offset=1, row=3)
        assert attained.upper >= score
        assert attained.lower == pytest.approx(score, rel=1e-12)


def test_the_number_of_near_lags_is_exact():
    def lags(amplitude, frequency, reach=10**6):
        limit = ceiling.low_only_ceiling(amplitude, frequency, reach=reach).upper
        return round((1 / limit - 1) / 2 * math.exp(0.5))

    assert lags(16, "0.01") == 25
    # The double nearest to 0.01 is a little larger, so 25 lags are too far.
    assert lags(16, 0.01) == 24
    assert lags(16, 0.01, reach=7) == 7
    assert lags(0, 1, reach=9) == lags(1, 0, reach=9) == 9
    assert lags(2, 1) == 0
    assert lags(1, 1) == 1


def test_returns_are_bounded_and_found():
    assert returns.alias_bound(3, 2) == Enclosure(lower=6.0, upper=6.0)
    assert returns.alias_bound(2, 6).upper == pytest.approx(1.0, rel=1e-15)
    found = returns.nearest_return([1.0, 2.0], [1, Fraction(1, 7)], parts=30)
    assert found == margin([1.0, 2.0], [1, Fraction(1, 7)], reach=899)
    with pytest.raises(Unsupported, match=r"100\^8"):
        returns.nearest_return(np.ones(8), RopeSpec(16, 10000), parts=100)


def test_uniform_heads():
    assert returns.uniform_length(RopeSpec(2, 3)) == 2
    assert returns.uniform_length(RopeSpec(16, 256)) == 1 + 128
    length = returns.uniform_length(STANDARD)
    assert length == 1 + math.floor(10000 ** (63 / 64))
    assert returns.uniform_margin(STANDARD, 100) == margin(np.ones(64), STANDARD, reach=99)
    assert close(returns.uniform_floor(), 1 - mpmath.cos(1))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: cone.rank_one_share(1), "epsilon"),
        (lambda: cone.relative_radius(0.5, -1), "unevenness"),
        (lambda: cone.cone_epsilon(float("nan"), 1), "spread"),
        (lambda: emergence.logit_deviation(1, -0.1, 0), "query_radius"),
        (lambda: emergence.emergence_margin(1, 8), "score"),
        (lambda: emergence.emergence_margin(0.5, 1), "length"),
        (lambda: emergence.emergence_score("x", 8), "margin"),
        (lambda: emergence.sandwich_bounds(-1, 0), "competition"),
        (lambda: emergence.prompt_odds_factor(-1), "deviation"),
        (lambda: emergence.copy_error(0.1, -1), "diameter"),
        (lambda: null.null_bound(4, 0), "offset"),
        (lambda: null.null_bound(4, 4), "offset"),
        (lambda: ceiling.slash_ceiling([-1.0], [1], reach=1), "amplitudes"),
        (lambda: ceiling.slash_ceiling([1.0], [1], reach=-1), "reach"),
        (lambda: ceiling.aligned_score([1.0], [1], offset=3, row=3), "offset"),
        (lambda: ceiling.amplitude_needed(0), "score"),
        (lambda: ceiling.low_only_ceiling(-1, 1, reach=1), "amplitude"),
        (lambda: ceiling.low_only_ceiling(1, -1, reach=1), "largest_frequency"),
        (lambda: ceiling.lipschitz_ceiling(-1, offset=0, row=1), "rate"),
        (lambda: ceiling.lipschitz_two_sided(0, offset=0), "rate"),
        (lambda: ceiling.lipschitz_limit(float("inf")), "rate"),
        (lambda: returns.alias_bound(1, 1), "parts"),
        (lambda: returns.nearest_return([1.0], [1], parts=True), "parts"),
        (lambda: returns.uniform_length(RopeSpec(4, 10000)), "spec"),
        (lambda: returns.uniform_length(RopeSpec(128, 10000, rotary_dim=64)), "spec"),
        (lambda: returns.uniform_margin(RopeSpec(64, 100, scaling=Linear(2)), 9), "spec"),
        (lambda: returns.uniform_margin(STANDARD, 1), "length"),
        (lambda: returns.uniform_length(10000), "spec"),
    ],
)
def test_bad_arguments_never_yield_a_number(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


@pytest.mark.parametrize("module", [cone, emergence, null, ceiling, returns])
def test_doctests(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


# The evidence.

NEEDED = {
    "property": [
        *("cone", "sandwich", "emergence", "ood", "null", "ceiling", "low-only"),
        *("lipschitz-ceiling", "game", "uniform", "flow", "flow-sparse", "composition"),
        *(f"gd.{x}" for x in ("rank-one", "convex", "rate", "rate-sharp", "low-suppressed", "ood")),
    ],
    "certified": [
        *("emergence", "null", "amplitude-needed", "alias", "game", "game-bands"),
        *("game-one-sided", "uniform"),
    ],
}
OURS = [
    (claim, entry)
    for claim, entries in registered().items()
    if claim.startswith("slash.")
    for entry in entries
    if entry.kind in NEEDED
]


@pytest.mark.parametrize("kind", NEEDED)
def test_every_letter_has_evidence(kind):
    found = {claim for claim, entry in OURS if entry.kind == kind}
    assert {f"slash.{claim}" for claim in NEEDED[kind]} <= found


MANY = replace(QUICK, cases=400)
"""What is wrong is looked for in many cases: which are drawn differs between machines."""


def run(claim, kind):
    entries = [entry for name, entry in OURS if (name, entry.kind) == (f"slash.{claim}", kind)]
    return entries[0].run(MANY)


def scaled(factor):
    """A bound multiplied by a factor, or its sides, and the same for floats and arrays."""

    def change(value):
        if isinstance(value, emergence.SandwichBounds):
            return emergence.SandwichBounds(change(value.lower), value.upper)
        if isinstance(value, Enclosure):
            return replace(value, lower=factor * value.lower, upper=factor * value.upper)
        return factor * value

    return change


def narrowed(bounds):
    """A sandwich whose upper side is too low."""
    return emergence.SandwichBounds(bounds.lower, scaled(0.9)(bounds.upper))


def worse(found):
    """A game with both bounds too low."""
    return replace(found, lower=0.9 * found.lower, upper=0.9 * found.upper)


def other_shares(found):
    """A descent whose key leans to the last plane."""
    keys = found.keys + 0.5 * np.abs(found.keys).max() * (np.arange(found.keys.shape[1]) > 1)
    return replace(found, keys=keys, slow_bounds=found.slow_bounds)


def slower(found):
    """A descent that stands still."""
    still = np.broadcast_to(found.losses[0], found.losses.shape)
    return replace(found, losses=still)


SABOTAGE = {
    "rank one": ("cone", "property", cone_evidence, "rank_one_share", scaled(1.05)),
    "radius": ("cone", "property", cone_evidence, "relative_radius", scaled(0.5)),
    "copy": ("composition", "property", cone_evidence, "copy_error", scaled(0.9)),
    "lower side": ("sandwich", "property", emergence_evidence, "sandwich_bounds", scaled(1.05)),
    "upper side": ("sandwich", "property", emergence_evidence, "sandwich_bounds", narrowed),
    "deviation": ("sandwich", "property", emergence_evidence, "logit_deviation", scaled(0.9)),
    "margin": ("emergence", "property", emergence_evidence, "emergence_margin", scaled(0.9)),
    "odds": ("ood", "property", emergence_evidence, "prompt_odds_factor", lambda _: UNMOVED),
    "null": ("null", "property", null_evidence, "null_bound", scaled(0.7)),
    "null in balls": ("null", "certified", null_evidence, "null_bound", scaled(0.7)),
    "ceiling": ("ceiling", "property", ceiling_evidence, "slash_ceiling", scaled(0.99)),
    "aligned": ("ceiling", "property", ceiling_evidence, "aligned_score", scaled(1.001)),
    "slow planes": ("low-only", "property", ceiling_evidence, "low_only_ceiling", scaled(0.6)),
    "slope": (
        "lipschitz-ceiling",
        "property",
        ceiling_evidence,
        "lipschitz_ceiling",
        scaled(0.99),
    ),
    "closed form": (
        "lipschitz-ceiling",
        "property",
        ceiling_evidence,
        "lipschitz_two_sided",
        scaled(1.001),
    ),
    "limit": ("lipschitz-ceiling", "property", ceiling_evidence, "lipschitz_limit", scaled(1.01)),
    "amplitude": (
        "amplitude-needed",
        "certified",
        ceiling_evidence,
        "amplitude_needed",
        scaled(1.0005),
    ),
    "alias": ("alias", "certified", returns_evidence, "alias_bound", scaled(0.001)),
    "uniform": ("uniform", "property", returns_evidence, "uniform_floor", scaled(1.01)),
    "uniform in balls": ("uniform", "certified", returns_evidence, "uniform_floor", scaled(2)),
    "value": ("game", "property", game_evidence, "optimal_slash", worse),
    "key": ("gd.rank-one", "property", descent_evidence, "descend_fully", None),
    "rate": ("gd.rate", "property", descent_evidence, "rate_bound", scaled(0.01)),
    "losses": ("gd.rate", "property", descent_evidence, "descend", slower),
    "sharp rate": ("gd.rate-sharp", "property", descent_evidence, "sharp_rate_bound", scaled(0.3)),
    "floor": ("gd.rate-sharp", "property", descent_evidence, "floor_bound", scaled(3)),
    "shares": ("gd.low-suppressed", "property", descent_evidence, "descend", other_shares),
    "attention": ("gd.ood", "property", descent_evidence, "logits", scaled(1.001)),
    "velocity": ("flow", "property", flow_evidence, "_force", scaled(1.001)),
    "step": ("flow", "property", flow_evidence, "_runge_kutta", scaled(1.001)),
    "direction": ("flow-sparse", "property", flow_evidence, "game_of", worse),
}
UNMOVED = Enclosure(lower=1.0, upper=1.0)


def off_direction(found):
    """A trained matrix with something off the shared direction."""
    return replace(found, off_direction=found.off_direction + 1e-6)


@pytest.fixture
def unshrunk(monkeypatch):
    """Stop at the first case that breaks."""
    right = drawing.settings_for

    def chosen(name, *, cases):
        return settings(right(name, cases=cases), phases=(Phase.generate,))

    monkeypatch.setattr(drawing, "settings_for", chosen)


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_bounds_are_seen(monkeypatch, name):
    claim, kind, module, target, change = SABOTAGE[name]
    right = getattr(module, target)
    change = off_direction if change is None else change
    monkeypatch.setattr(module, target, lambda *a, **options: change(right(*a, **options)))
    finding = run(claim, kind)
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


def test_a_score_that_is_not_reached_is_not_certified(monkeypatch):
    monkeypatch.setattr(
        emergence_evidence, "emergence_score", lambda *_: Enclosure(lower=0.89, upper=0.91)
    )
    assert run("emergence", "certified").outcome.verdict == "unknown"


@pytest.mark.usefixtures("unshrunk")
def test_a_head_that_favours_the_target_breaks_the_null(monkeypatch):
    right = null_evidence.softmax.weights

    def wrong(values):
        weights = right(values)
        length = weights.shape[-1]
        return weights if length < 3 else np.where(np.eye(length, k=-2) > 0, 0.9, weights)

    monkeypatch.setattr(null_evidence.softmax, "weights", wrong)
    assert run("null", "property").outcome.verdict == "fails"


def test_a_prompt_that_is_not_exchangeable_breaks_the_null(monkeypatch):
    def ordered(prompt, kinds):
        return Fraction(int(prompt == tuple(t % kinds for t in range(len(prompt)))))

    monkeypatch.setattr(null_evidence, "_PROMPTS", {"in order": ordered})
    finding = run("null", "certified")
    assert finding.outcome.verdict == "fails"


def test_a_preset_above_frequency_one_is_seen(monkeypatch):
    monkeypatch.setattr(
        ceiling_evidence, "largest_frequency", lambda spec: Enclosure(lower=1.0, upper=1.5)
    )
    assert run("amplitude-needed", "certified").outcome.verdict == "unknown"


def test_wrong_ghosts_are_seen(monkeypatch):
    monkeypatch.setattr(returns_evidence, "_GHOSTS", {44: ("1.8e-9", "1.9e-9")})
    assert run("alias", "certified").outcome.verdict == "fails"


@pytest.mark.parametrize(
    ("claim", "table", "key", "text"),
    [
        ("game", "_REACHES", 256, ".347"),
        ("game-bands", "_BANDS", "low", "3.8e-6"),
        ("game-bands", "_BANDS", "high", ".301"),
    ],
)
def test_wrong_values_of_the_game_are_seen(monkeypatch, claim, table, key, text):
    monkeypatch.setattr(game_evidence, table, {**getattr(game_evidence, table), key: text})
    finding = run(claim, "certified")
    assert finding.outcome.verdict == "fails"
    assert text in finding.outcome.detail


def test_a_value_that_may_round_either_way_is_unknown():
    game = Enclosure(lower=0.3464, upper=0.3466)
    assert game_evidence._rounds_to(game, ".347").verdict == "unknown"
    assert game_evidence._rounds_to(Enclosure(lower=0.3466, upper=0.3467), ".347") is None


@pytest.mark.parametrize("claim", ["game", "game-one-sided"])
def test_bounds_that_float64_does_not_find_are_seen(monkeypatch, claim):
    def wrong(*arguments, **options):
        found = RIGHT_GAME(*arguments, **options)
        return replace(found, amplitudes=np.roll(found.amplitudes, 1))

    game_evidence._solved.cache_clear()
    monkeypatch.setattr(game_evidence, "optimal_slash", wrong)
    try:
        assert run(claim, "certified").outcome.verdict == "fails"
    finally:
        game_evidence._solved.cache_clear()


RIGHT_GAME = game_evidence.optimal_slash


def test_one_side_without_a_gain_is_unknown(monkeypatch):
    monkeypatch.setattr(game_evidence, "_solved", lambda reach: RIGHT_GAME(STANDARD, 4))
    assert run("game-one-sided", "certified").outcome.verdict == "unknown"


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("factor", [0.5, -1.0])
def test_a_wrong_smoothness_or_slope_is_seen(monkeypatch, factor):
    task = descent_evidence.Task
    if factor > 0:
        right = task.smoothness.fget
        monkeypatch.setattr(task, "smoothness", property(lambda self: factor * right(self)))
    else:
        slope = task.gradient
        monkeypatch.setattr(task, "gradient", lambda self, key: factor * slope(self, key))
    assert run("gd.convex", "property").outcome.verdict == "fails"


def test_a_run_in_another_direction_is_seen(monkeypatch):
    right = flow_evidence.flow

    def early(*arguments, **options):
        return right(*arguments, **{**options, "amplitude": 2.0})

    monkeypatch.setattr(flow_evidence, "flow", early)
    finding = run("flow-sparse", "property")
    assert finding.outcome.verdict == "fails"
    assert "another direction" in finding.outcome.detail


def test_drawn_prompts_stay_within_their_radii():
    seen = []

    @few
    @given(heads.prompts())
    def collect(case):
        (prompt,) = case
        query_radius, key_radius = prompt.radii
        assert query_radius <= 0.5 + 1e-9
        assert key_radius <= 0.5 + 1e-9
        assert prompt.logits().shape == (prompt.length, prompt.length)
        seen.append(key_radius)

    collect()
    assert max(seen) > 0.2
    assert min(seen) == 0
