"""Index heads as sequences grow: where margins drop, and how far low precision decodes."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
import torch
from index_definition import odds_mp, to_mp

from ropeproof.numerics.bounds.index import (
    decode_length,
    drops,
    index_temperature,
    index_temperature_in,
    staircase,
)
from ropeproof.numerics.bounds.planes import read_aligned, read_arithmetic, returns
from ropeproof.numerics.bounds.planes.returns import denominators
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(16, 10000)


@pytest.mark.parametrize("theta", [1, 0.0027, 2.5, sympy.sqrt(2), 2 * sympy.pi * 13 / 47])
def test_drops_are_the_records_of_all_lags(theta):
    steps = staircase(theta, range(2, 400))
    record, lags = math.inf, []
    with mpmath.workdps(40):
        angle = to_mp(sympy.Rational(theta) if isinstance(theta, float) else theta)
        for t in range(1, 399):
            value = 1 - mpmath.cos(angle * t)
            if value < record * (1 - mpmath.mpf("1e-30")) and record > 1e-35:
                record, lags = value, [*lags, t]
            at = steps.margins[t - 1]
            assert at.lower - 1e-30 <= record <= at.upper + 1e-30
    assert [drop.lag for drop in steps.drops] == lags
    assert all(drop.length == drop.lag + 1 for drop in steps.drops)


def test_several_planes_drop_at_their_records():
    sizes = np.array([0.5, 1.0, 0.25])
    thetas = [1.0, 0.37, 0.061]
    found = drops(thetas, 3000, amplitudes=sizes)
    gaps = (sizes * (1 - np.cos(np.outer(np.arange(1, 3000), thetas)))).sum(1)
    record = np.flatnonzero(gaps < np.concatenate(([9], np.minimum.accumulate(gaps)[:-1]))) + 1
    assert [drop.lag for drop in found] == record.tolist()


def test_denominators_of_known_expansions():
    # 415/93 = [4; 2, 6, 7]
    assert denominators(sympy.pi * 830 / 93, Fraction(415, 93), 1000) == (1, 2, 13, 93)
    # 1/(2 pi) = [0; 6, 3, 1, 1, 7, 2, 146, ...]
    assert denominators(sympy.Integer(1), None, 710) == (1, 6, 19, 25, 44, 333, 710)
    assert denominators(sympy.Integer(1), None, 709) == (1, 6, 19, 25, 44, 333)


def test_very_long_sequences_are_certified():
    steps = staircase(SPEC.frequencies()[3], [10**6, 10**30])
    assert steps.margins[1].upper < steps.margins[0].lower
    assert steps.margins[1].lower > 0
    assert steps.margins[1].width <= 1e-15 * steps.margins[1].upper


def logit_error(frequencies, sizes, length, arithmetic, angles="float64"):
    """The bound that `decode_length` takes for a type, in logits."""
    theta, amplitudes = read_aligned(frequencies, sizes).given
    kind = read_arithmetic(arithmetic, angles)
    return kind.logit_error(theta, amplitudes, length=length, head_dim=2 * len(amplitudes))


def computed_logits(spec, sizes, query, length, dtype):
    """Logits of an index head on the keys, in torch, as the bound counts its roundings."""
    head_dim = spec.head_dim
    norms = np.sqrt(np.asarray(sizes) * math.sqrt(head_dim))
    thetas = frequencies_float64(spec)
    real, imaginary = (list(c) for c in zip(*spec.plane_coordinates(), strict=True))
    q, k = np.zeros(head_dim), np.zeros(head_dim)
    k[real] = norms
    q[real], q[imaginary] = norms * np.cos(-query * thetas), norms * np.sin(-query * thetas)
    weights = torch.from_numpy(np.stack((q, k))).to(dtype)
    angles = np.arange(length)[:, None] * thetas
    cosine, sine = (torch.from_numpy(f(angles)).to(dtype) for f in (np.cos, np.sin))

    def turned(row):
        x, y = weights[row][real], weights[row][imaginary]
        out = torch.empty(length, head_dim, dtype=dtype)
        out[:, real], out[:, imaginary] = x * cosine - y * sine, x * sine + y * cosine
        return out

    rotated = turned(0)[-1:]
    found = (rotated @ turned(1).T) * torch.tensor(1 / math.sqrt(head_dim), dtype=dtype)
    return found[0].double().numpy()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("size", [0.3, 20.0])
def test_computed_logits_stay_within_the_error(dtype, size):
    length, query = 200, 7
    random = np.random.default_rng(3)
    sizes = size * random.random(SPEC.planes)
    sizes = (sizes**0.5) ** 2
    bound = logit_error(SPEC, sizes, length, dtype)
    lags = np.arange(length)[::-1] - query
    exact = (sizes * np.cos(np.outer(lags, frequencies_float64(SPEC)))).sum(1)
    off = np.abs(computed_logits(SPEC, sizes, query, length, dtype) - exact).max()
    assert off <= bound + 1e-12 * size
    # The bound is not far from what happens.
    assert dtype == torch.float64 or off >= bound / 100


def test_errors_grow_from_type_to_type_and_with_the_length_where_angles_are_rounded():
    kinds = ("exact", "float64", "float32", "float16", "bfloat16")
    errors = [logit_error([0.06], [1.0], 100, kind) for kind in kinds]
    assert errors[0] == 0
    assert errors == sorted(errors)
    # Angles formed in float32 drift with the position.
    near, far = (logit_error([0.06], [1.0], n, "float32", "float32") for n in (100, 10**6))
    assert far > 1000 * near


def test_decode_length_is_the_exact_criterion():
    for theta, beta, integers in [(0.2, 60.0, None), (1.0, 5.0, 3), (0.05, 900.0, None)]:
        found = decode_length(theta, inverse_temperature=beta, integers=integers)
        size = integers or 10**9
        assert odds_mp(theta, beta, found, size) < 1
        assert odds_mp(theta, beta, found + 1, size) >= 1


def test_decode_length_matches_the_temperature():
    spec = RopeSpec(128, 10000)
    game = optimal_slash(spec, 99)
    beta = index_temperature(spec, game.amplitudes, length=100).upper
    assert decode_length(spec, game.amplitudes, inverse_temperature=beta) >= 100
    assert decode_length(spec, game.amplitudes, inverse_temperature=beta * 0.999) < 100
    types = ["exact", "float64", "float32", "float16", "bfloat16"]
    lengths = [
        decode_length(spec, game.amplitudes, inverse_temperature=1.3 * beta, arithmetic=kind)
        for kind in types
    ]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[2] >= 100 > lengths[-1]


def test_hard_attention():
    assert decode_length(1) is None
    assert decode_length(SPEC, np.ones(8)) is None
    assert decode_length(2 * sympy.pi / 17) == 17
    assert decode_length(2 * sympy.pi / 17, integers=3) == 18
    single = decode_length(2 * sympy.pi / 5000, arithmetic="float32")
    double = decode_length(2 * sympy.pi / 5000, arithmetic="float64")
    # Too slow a plane: neighbours are nearer than the rounding.
    assert (single, double) == (1, 5000)
    assert decode_length([0, 1], [1.0, 0.0], arithmetic="float32") == 1


def test_float16_overflows():
    assert logit_error([1.0], [1e5], 3, "float16") == math.inf
    assert decode_length([1.0], [1e5], arithmetic="float16") == 1
    assert math.isfinite(logit_error([1.0], [1e5], 3, "bfloat16"))


@pytest.mark.parametrize("kind", ["float64", "float32", "float16", "bfloat16"])
def test_a_temperature_in_a_type_is_one_that_decodes(kind):
    for length in (7, 40):
        theta = 2 * sympy.pi / length
        beta = index_temperature_in(kind, theta, length=length)
        exact = index_temperature(theta, length=length)
        assert beta > exact.lower
        if math.isfinite(beta):
            assert decode_length(theta, inverse_temperature=beta, arithmetic=kind) >= length
        assert math.isfinite(beta) == (length == 7 or kind in ("float64", "float32"))


def test_sabotage_goes_red(monkeypatch):
    """A roundoff that is too small is caught by the computed logits, a lost lag by the definition."""
    from ropeproof.numerics.bounds.planes import rounding

    fine = dataclasses.replace(rounding.ARITHMETICS["bfloat16"], unit=2.0**-13)
    monkeypatch.setattr(rounding, "ARITHMETICS", {"bfloat16": fine})
    with pytest.raises(AssertionError):
        test_computed_logits_stay_within_the_error(torch.bfloat16, 20.0)
    monkeypatch.setattr(returns, "_strictly", lambda found, most: (1,))
    with pytest.raises(AssertionError):
        test_drops_are_the_records_of_all_lags(1)


def test_period_of_a_head():
    assert read_aligned([2 * sympy.pi / 6, 2 * sympy.pi / 4], [1, 1]).period == 12
    assert read_aligned([2 * sympy.pi / 6, 1], [1, 1]).period is None
