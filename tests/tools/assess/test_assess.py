"""Angles, tables, lags and turns at a length, in a number type: against brute force."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import torch
from served_specs import PARTIAL, SMALL, YARN

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.scaling import Linear, Proportional
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.answers import of_criterion
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
    found = turns(spec, spec, trained=63, length=63)  # 62 steps: 9.87 turns of plane 0, 0.987 of 1
    assert found.partial == (1, 2, 3)
    assert found.new == ()
    found = turns(spec, spec, trained=64, length=65)  # 63 steps are 1.0027 turns of plane 1
    assert found.partial == found.new == (2, 3)
    slowed = RopeSpec(8, 10000, scaling=Linear(2))
    assert turns(spec, slowed, trained=64, length=127).new == ()  # the same angles, exactly
    assert turns(spec, slowed, trained=64, length=128).new == (2, 3)
    assert found.seen[0].lower == pytest.approx(63 / (2 * math.pi))
    with pytest.raises(InvalidArgument, match="rotated planes"):
        turns(spec, RopeSpec(8, 10000, rotary_dim=4), trained=64, length=64)
