"""Evidence on slash heads: each letter has it, and it sees wrong numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from ropeproof.numerics.bounds.slash import emergence
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.proofs_check.evidence.slash import ceiling as ceiling_evidence
from ropeproof.proofs_check.evidence.slash import cone as cone_evidence
from ropeproof.proofs_check.evidence.slash import descent as descent_evidence
from ropeproof.proofs_check.evidence.slash import emergence as emergence_evidence
from ropeproof.proofs_check.evidence.slash import flow as flow_evidence
from ropeproof.proofs_check.evidence.slash import game as game_evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.evidence.slash import null as null_evidence
from ropeproof.proofs_check.evidence.slash import returns as returns_evidence
from ropeproof.proofs_check.run.registry import registered
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.rotary.spec import RopeSpec

few = settings_for("quick", cases=40)
STANDARD = RopeSpec(128, 10000)

QUICK = profile("quick")


# The evidence.

NEEDED = {
    "property": [
        *("cone", "sandwich", "emergence", "ood", "null", "ceiling", "low-only"),
        *("lipschitz-ceiling", "game", "uniform", "flow", "flow-sparse", "composition"),
        *(f"gd.{x}" for x in ("rank-one", "convex", "rate", "rate-sharp", "low-suppressed", "ood")),
        *(f"gd.offset-{x}" for x in ("causal", "rope", "rope-slow")),
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
    "lower side": (
        "sandwich",
        "property",
        emergence_evidence.stated,
        "sandwich_bounds",
        scaled(1.05),
    ),
    "upper side": ("sandwich", "property", emergence_evidence.stated, "sandwich_bounds", narrowed),
    "deviation": (
        "sandwich",
        "property",
        emergence_evidence.stated,
        "logit_deviation",
        scaled(0.9),
    ),
    "margin": ("emergence", "property", emergence_evidence.stated, "emergence_margin", scaled(0.9)),
    "odds": ("ood", "property", emergence_evidence.stated, "prompt_odds_factor", lambda _: UNMOVED),
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
    "pulls on a RoPE key": (
        "gd.offset-rope",
        "property",
        flow_evidence.CausalInduction,
        "pulls",
        scaled(-1),
    ),
    "pulls on free logits": (
        "gd.offset-causal",
        "property",
        flow_evidence.CausalInduction,
        "pulls",
        scaled(-1),
    ),
    "direction": ("flow-sparse", "property", flow_evidence, "game_of", worse),
}


UNMOVED = Enclosure(lower=1.0, upper=1.0)


def off_direction(found):
    """A trained matrix with something off the shared direction."""
    return replace(found, off_direction=found.off_direction + 1e-6)


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
        emergence_evidence.stated, "emergence_score", lambda *_: Enclosure(lower=0.89, upper=0.91)
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


def test_a_run_that_comes_no_nearer_to_the_game_is_seen(monkeypatch):
    right = flow_evidence.flow

    def halted(*arguments, amplitude, **options):
        """The same run, which stands still from an amplitude of 1000 on."""
        reached = [each for each in amplitude if each < 1000] + [1000.0]
        found = right(*arguments, **options, amplitude=reached)
        kept = np.minimum(np.arange(len(amplitude) + 1), len(reached))
        return replace(found, margins=found.margins[kept])

    monkeypatch.setattr(flow_evidence, "flow", halted)
    finding = run("flow-sparse", "property")
    assert finding.outcome.verdict == "fails"
    assert "does not approach" in finding.outcome.detail


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
