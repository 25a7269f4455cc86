"""Angles, tables, lags and turns at a length, in a number type: against brute force."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from served_specs import PARTIAL, SMALL, YARN

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.scaling import (
    Dynamic,
    Linear,
    Llama3,
    LongRope,
    Proportional,
    Yarn,
)
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess import read_setting
from ropeproof.tools.assess.answers import of_criterion, of_turns
from ropeproof.tools.assess.quantities import (
    DTYPES,
    Criterion,
    angle_errors,
    blind_tables,
    criterion,
    returns,
    slash_kept,
    turns,
)
from ropeproof.tools.assess.quantities.types import rounded
from ropeproof.tools.conform.golden import TYPES, golden


@pytest.mark.parametrize("dtype", DTYPES)
def test_rounding_of_arrays_is_torchs(dtype):
    draw = np.random.default_rng(0)
    values = draw.normal(size=5000) * 10.0 ** draw.integers(-8, 6, 5000)
    if dtype == "bfloat16":  # torch goes by float32, so that it must hold the values
        values = values.astype(np.float32).astype(np.float64)
    values = np.concatenate((values, [0.0, 257.0, 259.0, -257.0, 1.5]))
    theirs = torch.from_numpy(values).to(getattr(torch, dtype)).double().numpy()
    assert np.array_equal(rounded(values, TYPES[dtype]), theirs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("spec", [SMALL, YARN, PARTIAL], ids=["plain", "yarn", "partial"])
def test_angle_errors_are_those_of_torch_against_mpmath(spec, dtype):
    length = 700
    found = angle_errors(spec, length=length, dtype=dtype)
    kind = getattr(torch, dtype)
    near = torch.from_numpy(frequencies_float64(spec)).to(kind)
    formed = torch.arange(length).to(kind)[:, None] * near
    with mpmath.workdps(50):
        for plane in range(spec.rotary_planes):
            theta = mpmath.mpmathify(spec.frequencies()[plane].evalf(50))
            errors = [
                abs(mpmath.mpf(formed[p, plane].double().item()) - p * theta) for p in range(length)
            ]
            enclosure = found.planes[plane]
            assert enclosure.lower <= max(errors) <= enclosure.upper
            assert enclosure.width <= 1e-12 * max(1, enclosure.upper)
            assert float(errors[found.positions[plane]]) == pytest.approx(enclosure.lower)
            assert found.mistaken[plane] == (max(errors) > theta / 2)
            equal = (formed[1:, plane] == formed[:-1, plane]).nonzero()
            assert found.same[plane] == (int(equal[0]) if len(equal) else None)
    assert len(found.planes) == spec.rotary_planes
    worst = max(e.upper for e in found.planes)
    assert found.worst_logit == pytest.approx(min(2, 2 * worst))


def test_positions_in_bfloat16_stop_at_256_and_in_float32_nowhere():
    found = angle_errors(RopeSpec(128, 500000), length=4096, dtype="bfloat16")
    assert found.same[0] == 256
    assert min(p for p in found.same if p is not None) < 256
    assert all(m for m in found.mistaken)
    single = angle_errors(RopeSpec(128, 500000), length=4096, dtype="float32")
    assert single.same == (None,) * 64
    assert not any(single.mistaken)


def test_blocks_of_positions_meet(monkeypatch):
    from ropeproof.tools.assess.quantities import angles

    whole = angle_errors(SMALL, length=700, dtype="bfloat16")
    for width in (1, 129, 256, 257):
        monkeypatch.setattr(angles, "_BLOCK", width)
        assert angle_errors(SMALL, length=700, dtype="bfloat16") == whole


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("spec", [SMALL, YARN, PARTIAL], ids=["plain", "yarn", "partial"])
def test_blind_tables_are_those_of_golden_vectors(spec, dtype):
    length = 300
    found = blind_tables(spec, length=length, dtype=dtype)
    (vectors,) = golden(spec, positions=range(length), dtypes=(dtype,)).types
    cosines, sines = vectors.cosines.values, vectors.sines.values
    equal = (cosines[1:] == cosines[:-1]) & (sines[1:] == sines[:-1])
    for plane in range(spec.rotary_planes):
        places = np.flatnonzero(equal[:, plane])
        assert found.pairs[plane] == len(places)
        assert found.first[plane] == (places[0] if len(places) else None)
    if dtype == "bfloat16" and spec is not PARTIAL:
        assert any(found.pairs)


def test_planes_that_are_still_are_not_asked():
    spec = RopeSpec(8, 10000, scaling=Proportional(2), length=64)
    errors, tables = (f(spec, length=300, dtype="bfloat16") for f in (angle_errors, blind_tables))
    assert errors.mistaken[2:] == (False, False)
    assert errors.same[2:] == (None, None)
    assert tables.pairs[2:] == (0, 0)
    assert returns(spec, length=300).planes[2:] == (None, None)
    assert turns(spec, spec, trained=300, length=600).partial == ()
    assert slash_kept(spec, spec, offset=1, trained=16, length=16, dtype="float32").kept is True


@pytest.mark.parametrize("dtype", DTYPES)
def test_entries_that_a_scan_leaves_open_are_settled(monkeypatch, dtype):
    """With a scan that is far less sharp, and off, nothing changes."""
    from ropeproof.tools.assess.quantities import tables

    sharp, scan = blind_tables(SMALL, length=400, dtype=dtype), tables.logit_enclosure

    def blunt(*given, **also):
        found = scan(*given, **also)
        noise = 1e-3 * (-1.0) ** np.arange(len(found.mid))
        return type(found)(found.mid + noise, 2e-3, found.first)

    monkeypatch.setattr(tables, "logit_enclosure", blunt)
    assert blind_tables(SMALL, length=400, dtype=dtype) == sharp


def test_returns_are_those_of_a_scan():
    spec = RopeSpec(8, 10)
    found = returns(spec, length=3000)
    lags = np.arange(1, 3000)
    falls = (1 - np.cos(lags[:, None] * frequencies_float64(spec))).sum(-1)
    assert found.least.lower <= falls.min() * (1 + 1e-12) + 1e-12
    assert found.least.lag == 1 + int(falls.argmin())
    assert found.ghost is True
    assert found.step.lower == pytest.approx(falls[0])
    turned = lags[:, None] * frequencies_float64(spec) / (2 * np.pi)
    apart = np.abs(turned - np.round(turned))
    for plane in range(4):
        nearer = np.flatnonzero(apart[:, plane] < apart[0, plane] - 1e-12)
        assert found.planes[plane] == 1 + int(nearer[0])
    assert returns(spec, length=3).ghost is False
    assert returns(SMALL, length=3).planes[3] is None


def test_the_criterion_and_that_it_is_not_monotone():
    small, large = (criterion(RopeSpec(128, base), length=4096) for base in (29_000, 58_700))
    assert (small.first_negative, large.first_negative) == (None, 4000)
    lags = np.arange(4096)
    for base, lag in small.others:
        sums = np.cos(lags[:, None] * base ** (-np.arange(64) / 64)).sum(-1)
        negative = np.flatnonzero(sums < 0)
        assert lag == (negative[0] if len(negative) else None)
    both = Criterion(4096, 29_000.0, None, ((58_700.0, 4000),))
    assert both.not_monotone == (29_000.0, 58_700.0)
    assert "Here 29000 holds and the larger 58700 does not" in of_criterion(both).text
    assert small.not_monotone is None
    assert len(criterion(RopeSpec(8, 3), length=64).others) == 3  # 3/4 is no base


def test_turns_are_counted_exactly():
    spec = RopeSpec(8, 10000)
    found = turns(spec, spec, trained=62, length=62)  # 9.87 turns of plane 0, 0.987 of 1
    assert found.partial == (1, 2, 3)
    assert found.new == ()
    found = turns(spec, spec, trained=63, length=64)  # 1.0027 turns of plane 1
    assert found.partial == found.new == (2, 3)
    assert found.seen[0].lower == pytest.approx(63 / (2 * math.pi))
    assert found.served[0].lower == pytest.approx(64 / (2 * math.pi))
    with pytest.raises(InvalidArgument, match="rotated planes"):
        turns(spec, RopeSpec(8, 10000, rotary_dim=4), trained=64, length=64)


def scaled(kind, factor, trained):
    """A spec of that scaling, whose original length is that of training."""
    spec = RopeSpec(32, 10000)
    made = {
        "none": None,
        "linear": Linear(factor),
        "yarn": Yarn(factor=factor, original_length=trained),
        "yarn, no truncation": Yarn(factor=factor, original_length=trained, truncate=False),
        "llama3": Llama3(
            factor=factor, low_freq_factor=1, high_freq_factor=4, original_length=trained
        ),
        "longrope": LongRope(
            short_factor=[1] * 16,
            long_factor=[factor] * 16,
            original_length=trained,
            factor=factor,
        ),
        "proportional": Proportional(14, factor),
    }
    return spec, made[kind]


DIVIDED = ("linear", "yarn", "yarn, no truncation", "llama3", "longrope", "proportional")
"""Scalings that divide the frequencies of all slow planes by their factor."""


@pytest.mark.parametrize("trained", [63, 64, 512, 8191, 8192])
@pytest.mark.parametrize("factor", [1, 2, 4, 40, 2.5, 1.25])
@pytest.mark.parametrize("kind", ["none", *DIVIDED])
def test_a_factor_serves_so_many_times_the_trained_positions_and_not_one_more(
    kind, factor, trained
):
    plain, scaling = scaled(kind, factor, trained)
    times = 1 if scaling is None else Fraction(factor)
    # The last position of so many is the largest that lies before the first without training.
    most = math.ceil(times * trained)
    for length, new in ((most - 1, False), (most, False), (most + 1, True), (most + 2, True)):
        after = plain.changed(scaling=scaling, length=length)
        found = turns(plain, after, trained=trained, length=length)
        moved = [plane for plane in found.partial if after.frequencies()[plane] != 0]
        assert found.partial, "the test is about planes that turned less than once"
        assert found.new == (tuple(moved) if new else ())
        assert of_turns(found).verdict is not new


@pytest.mark.parametrize("kind", ["dynamic", "longrope", "yarn", "llama3", "linear"])
def test_the_criterion_is_that_of_a_walk_over_all_positions(kind):
    """Also for scalings that divide each plane by a number of its own, at any length."""
    trained, plain = 48, RopeSpec(16, 500)
    scalings = {
        "dynamic": Dynamic(2, trained),
        "longrope": LongRope(
            short_factor=[1] * 8,
            long_factor=[1, 1.1, 1.5, 1.9, 2, 2, 2.25, 3],
            original_length=trained,
            factor=2,
        ),
        "yarn": Yarn(factor=2, original_length=trained, beta_fast=4, beta_slow=0.5),
        "llama3": Llama3(factor=2, low_freq_factor=0.5, high_freq_factor=2, original_length=24),
        "linear": Linear(Fraction(5, 3)),
    }
    answers = set()
    for length in (*range(40, 60), *range(78, 100), 107, 108, 109, 144, 145):
        after = plain.changed(scaling=scalings[kind], length=length)
        found = turns(plain, after, trained=trained, length=length)
        with mpmath.workdps(60):
            old, new = (
                [mpmath.mpmathify(theta.evalf(60)) for theta in spec.frequencies()]
                for spec in (plain, after)
            )
            partial = [l for l in range(8) if old[l] * trained < 2 * mpmath.pi]
            told = [
                l
                for l in partial
                if any(
                    new[l] * p >= old[l] * trained * (1 - mpmath.mpf(10) ** -40)
                    for p in range(length)
                )
            ]
        assert found.partial == tuple(partial)
        assert found.new == tuple(told)
        answers.add(bool(told))
    assert answers == {False, True}


@pytest.mark.parametrize("scaling", ["yarn:4", "llama3:4", "linear:4"])
def test_readmes_own_example_stays_within_training(scaling):
    at, one_more = (
        read_setting(None, "llama-3-8b", length=length, scaling=scaling)
        for length in (4 * 8192, 4 * 8192 + 1)
    )
    assert not turns(at.before, at.after, trained=at.trained, length=at.length).new
    assert turns(at.before, one_more.after, trained=at.trained, length=one_more.length).new
