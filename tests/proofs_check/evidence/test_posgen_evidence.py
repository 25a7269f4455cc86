"""The evidence of the topic `posgen` holds, and fails when a bound or a formula is wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.proofs_check.evidence.posgen import (
    additive,
    capacity,
    consequences,
    design,
    drawn,
    spectrum,
)
from ropeproof.proofs_check.run.registry import registered
from ropeproof.proofs_check.semantics.profiles import profile

QUICK = profile("quick")
NEEDED = {
    "property": [
        *("two-axis", "three-axis", "pearson", "anova", "null", "gauge", "noise-floor"),
        *("transposition", "length", "length-near", "bounded-capacity"),
    ],
    "certified": ["anova", "null", "gauge", "noise-floor"],
}
OURS = [
    (claim, entry)
    for claim, entries in registered().items()
    if claim.startswith("posgen.")
    for entry in entries
]


@pytest.mark.parametrize("kind", NEEDED)
def test_every_letter_has_evidence(kind):
    found = {claim for claim, entry in OURS if entry.kind == kind}
    assert found == {f"posgen.{claim}" for claim in NEEDED[kind]}


MANY = replace(QUICK, cases=400)
"""What is wrong is looked for in many cases: which are drawn differs between machines."""


def run(claim, kind, name=""):
    """The finding of the one entry of that claim and kind whose name has this in it."""
    entries = [e for c, e in OURS if (c, e.kind) == (f"posgen.{claim}", kind) and name in e.name]
    assert len(entries) == 1
    return entries[0].run(MANY)


def scaled(factor):
    """A bound multiplied by a factor, whatever holds it."""

    def change(value):
        if isinstance(value, Enclosure):
            return replace(value, lower=factor * value.lower, upper=factor * value.upper)
        if isinstance(value, int):
            return int(factor * value)
        return Fraction(factor) * value if isinstance(value, Fraction) else factor * value

    return change


def terms(**factors):
    """The terms of a sum, some multiplied."""
    return lambda parts: parts._replace(**{k: f * getattr(parts, k) for k, f in factors.items()})


def changed(**changes):
    """Records with some fields passed through a function."""

    def change(fits):
        return tuple(
            replace(fit, **{name: how(getattr(fit, name)) for name, how in changes.items()})
            for fit in fits
        )

    return change


def pattern(name, factor):
    return lambda found: replace(found, **{name: factor * getattr(found, name)})


def less(value):
    return None if value is None else 0.5 * value


def leaning(found):
    """The same fit with the trend in the lag axis."""
    steps = 1e-6 * np.arange(found.length)
    return replace(found, query=found.query - steps, key=found.key + steps, lag=found.lag + steps)


def off(found):
    """A fit that is not the best."""
    return replace(found, constant=found.constant + 1e-6)


def unread(found):
    """A fit that does not look at the keys."""
    return replace(found, key=0 * found.key)


def one_more(value):
    return value + 1


P, C = "property", "certified"
SABOTAGE = {
    "two-axis bound": ("two-axis", P, "", additive, "two_axis_bound", scaled(0.95)),
    "lag term": ("two-axis", P, "", additive, "two_axis_parts", terms(lag=1.001)),
    "key term": ("two-axis", P, "", additive, "two_axis_parts", terms(key=0.999)),
    "streamed bound": ("two-axis", P, "", additive, "additive_fits", changed(bound=less)),
    "largest": ("two-axis", P, "", additive, "additive_fits", changed(largest_bound=less)),
    "near bound": ("length-near", P, "", consequences, "near_output_bound", scaled(0.99)),
    "near bound, high": ("length-near", P, "", consequences, "near_output_bound", scaled(1.01)),
    "three-axis bound": ("three-axis", P, "", additive, "three_axis_bound", scaled(0.95)),
    "query term": ("three-axis", P, "", additive, "three_axis_parts", terms(query=1.01)),
    "pearson": ("pearson", P, "", additive, "pearson_bound", scaled(1.0001)),
    "pearson, low": ("pearson", P, "", additive, "pearson_bound", scaled(0.9999)),
    "grid": (
        *("anova", P, "grids", spectrum.posgen, "additive_fits_on_grid"),
        changed(r_squared=lambda x: None if x is None else x - 1e-3),
    ),
    "residual": (
        *("anova", P, "grids", spectrum.posgen, "additive_fits_on_grid"),
        changed(residual=lambda x: 1.01 * x),
    ),
    "prediction": (
        *("anova", P, "circular", spectrum.posgen, "additive_fits_on_grid"),
        changed(predicted=lambda x: 0.999 * x),
    ),
    "fast energy": (
        *("anova", P, "circular", spectrum.posgen, "plane_pattern"),
        pattern("fast_energy", 1.001),
    ),
    "closed form": ("null", P, "", spectrum.posgen, "lag_means", scaled(1.0001)),
    "null": ("null", P, "", spectrum.posgen, "null_r_squared", scaled(0.999)),
    "null, enclosed": ("null", P, "", spectrum.posgen, "null_r_squared_enclosed", scaled(0.999)),
    "square": ("null", P, "", spectrum.posgen, "null_correlation", scaled(0.999)),
    "digits": ("null", C, "", spectrum.posgen, "null_correlation", scaled(1.002)),
    "float64": ("null", C, "", spectrum.posgen, "null_r_squared", scaled(1 + 1e-10)),
    "mean": ("null", C, "", spectrum.posgen, "null_r_squared_enclosed", scaled(1 + 1e-13)),
    "rank": ("gauge", P, "", design, "triangle_rank", one_more),
    "rank, exact": ("gauge", C, "", design, "triangle_rank", one_more),
    "gauge": ("gauge", P, "", design, "fit_axes", leaning),
    "fit": ("gauge", P, "", design, "fit_axes", off),
    "solver": ("noise-floor", P, "", design, "fit_axes", unread),
    "floor": ("noise-floor", P, "", design, "noise_floor", scaled(0.999)),
    "floor, exact": ("noise-floor", C, "", design, "noise_floor", scaled(0.999)),
    "trace": ("noise-floor", C, "", design, "triangle_rank", one_more),
    "tilt": ("transposition", P, "", consequences, "displacement_tilt", scaled(0.95)),
    "transposition": ("transposition", P, "", consequences, "transposition_bound", scaled(0.95)),
    "effective": ("length", P, "", consequences, "effective_length", scaled(1.001)),
    "effective, low": ("length", P, "", consequences, "effective_length_bound", scaled(1.5)),
    "spread": ("length", P, "", consequences, "output_spread_bound", scaled(0.5)),
    "capacity": ("bounded-capacity", P, "", capacity, "capacity_bound", scaled(0.5)),
}


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_bounds_are_seen(monkeypatch, name):
    claim, kind, which, module, target, change = SABOTAGE[name]
    right = getattr(module, target)
    monkeypatch.setattr(module, target, lambda *a, **options: change(right(*a, **options)))
    finding = run(claim, kind, which)
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


def test_a_mean_key_that_is_not_the_mean_is_seen(monkeypatch):
    right = drawn.circular_keys
    monkeypatch.setattr(drawn, "circular_keys", lambda sizes: right(sizes)[:-1])
    finding = run("anova", C)
    assert finding.outcome.verdict == "fails"
    assert "not the best" in finding.outcome.detail


def test_keys_that_are_not_circular_are_not_predicted(monkeypatch):
    right = drawn.circular_keys

    def flat(sizes):
        return right(sizes).real + 0j

    monkeypatch.setattr(drawn, "circular_keys", flat)
    assert run("anova", C).outcome.verdict == "fails"
    assert run("anova", P, "circular").outcome.verdict == "fails"


@pytest.mark.parametrize(
    ("claim", "name", "value"),
    [
        ("anova", "_FAST", "0.081"),
        ("null", "_NULLS", {10000: "0.586"}),
        ("null", "_NULLS", {500000: "0.585"}),
    ],
)
def test_wrong_numbers_are_seen(monkeypatch, claim, name, value):
    monkeypatch.setattr(spectrum, name, value)
    finding = run(claim, C)
    assert finding.outcome.verdict == "fails"
    assert "not 0." in finding.outcome.detail


def test_a_number_that_may_round_either_way_is_unknown(monkeypatch):
    monkeypatch.setattr(
        spectrum.posgen, "null_correlation", lambda *_: Enclosure(lower=0.5844, upper=0.5846)
    )
    assert run("null", C).outcome.verdict == "unknown"


def test_a_ball_that_decides_nothing_is_unknown(monkeypatch):
    monkeypatch.setattr(spectrum, "_BITS", 40)
    assert run("anova", C).outcome.verdict == "unknown"
    assert run("null", C).outcome.verdict == "unknown"


@pytest.mark.parametrize("column", [0, -1])
def test_a_design_without_a_column_is_seen(monkeypatch, column):
    right = design._design

    def wrong(length):
        rows = right(length)
        for row in rows:
            row[column] = 0
        return rows

    monkeypatch.setattr(design, "_design", wrong)
    assert run("gauge", C).outcome.verdict == "fails"


def test_a_design_without_lags_is_seen(monkeypatch):
    right = design._design
    monkeypatch.setattr(design, "_design", lambda n: [row[: 2 * n] for row in right(n)])
    assert run("noise-floor", C).outcome.verdict == "fails"


def test_drawn_heads_come_near_their_bounds():
    shares = []

    @settings_for("quick", cases=40)
    @given(drawn.windowed())
    def collect(case):
        options = {"length": case.length, "mean_key": case.mean_key}
        limits = additive.two_axis_bound(case.queries, case.keys, case.spec, **options)
        found = additive.two_axis_parts(case.queries, case.keys, case.spec, [0.0], **options)
        values = case.logits(case.queries, case.keys, 0)[0]
        left = np.abs(values - found.lag - found.key)
        if limits.max() > 0:
            shares.append(float((left / np.where(limits > 0, limits, 1)).max()))

    collect()
    assert max(shares) > 1 - 1e-9
