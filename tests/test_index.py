"""Index heads in numbers: margins by definition, near-returns, exact temperatures, low precision."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics import lag_scan
from ropeproof.numerics.index import (
    best_one_plane_limit,
    computed_margin,
    decode_length,
    drops,
    index_margin,
    index_odds,
    index_reach,
    index_temperature,
    index_temperature_in,
    logit_error,
    one_plane_limit,
    staircase,
    temperature_enough,
    temperature_floor,
    temperature_needed,
)
from ropeproof.numerics.planes import read_aligned, returns
from ropeproof.numerics.planes.returns import denominators
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.slash.game import optimal_slash
from ropeproof.numerics.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.spec import RopeSpec

few = settings_for("quick", cases=40)
SPEC = RopeSpec(16, 10000)
MODULES = ("margin", "staircase", "temperature", "decode")


def to_mp(number):
    """An exact number in mpmath, to the precision in force and some more."""
    return mpmath.mpf(str(sympy.N(sympy.sympify(number), mpmath.mp.dps + 10)))


def by_definition(thetas, sizes, length, integers):
    """The margin of each query `0 .. integers` from the logits of every key, at 60 digits."""
    with mpmath.workdps(60):
        angles = [to_mp(sympy.Rational(t) if isinstance(t, float) else t) for t in thetas]
        found = {}
        for query in range(min(integers, length - 1) + 1):
            logits = [
                mpmath.fsum(
                    a * mpmath.cos((length - j - query) * t)
                    for a, t in zip(sizes, angles, strict=True)
                )
                for j in range(1, length + 1)
            ]
            target = logits.pop(length - query - 1)
            found[query] = target - max(logits)
        return found


def decodes(theta, beta, length, integers, letters=2):
    """Whether the construction itself decodes every input of a length, by running it on each.

    Tokens below `letters` are letters, the others integers. Margins of the read-out decide.
    """
    alphabet = range(letters + integers)
    for tokens in itertools.product(alphabet, repeat=length):
        last = tokens[-1]
        query = last - letters + 1 if last >= letters else 0
        if query >= length:
            continue
        wanted = tokens[length - 1 - query]
        answer = wanted if wanted < letters else last
        lags = np.arange(length)[::-1]
        sizes = np.exp(beta * np.cos((lags - query) * theta))
        state = np.zeros(letters + integers)
        state[last] += 1
        for token, weight in zip(tokens, sizes / sizes.sum(), strict=True):
            if token < letters:
                state[token] += 2 * weight
        others = np.delete(state, answer)
        if not state[answer] > others.max() + 1e-12:
            return False
    return True


# --- margins ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    module = importlib.import_module(f"ropeproof.numerics.index.{name}")
    assert doctest.testmod(module).failed == 0


def test_the_printed_bounds_counterexample():
    theta = sympy.pi / 2 + sympy.Rational(1, 100)
    found = index_margin(theta, length=7, integers=6, inputs=3)
    bound = min(1 - math.cos(float(theta)), 2 * math.pi**2 / 49)
    assert f"{found.lower:.3f}" == "0.970"
    assert f"{bound:.4f}" == "0.4028"
    assert found.lower > bound
    assert all(index_margin(theta, length=7, inputs=query).lower > 0 for query in range(7))


@few
@given(data=st.data())
def test_margins_are_the_definition(data):
    length, integers = data.draw(st.integers(2, 14)), data.draw(st.integers(1, 14))
    kind = data.draw(st.sampled_from(["turns", "floats", "mixed", "roots"]))
    planes = data.draw(st.integers(1, 3))
    random = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    turns = [sympy.Rational(int(a), int(b)) for a, b in random.integers(1, 30, (planes, 2))]
    floats = [float(x) for x in random.uniform(0.01, 7, planes)]
    thetas = {
        "turns": [2 * sympy.pi * t for t in turns],
        "floats": floats,
        "mixed": [2 * sympy.pi * turns[0], *floats[1:]],
        "roots": [sympy.sqrt(t) for t in turns],
    }[kind]
    sizes = [float(x) for x in random.uniform(0.1, 3, planes)]
    exact = by_definition(thetas, sizes, length, integers)
    pairs = [("worst", min(exact.values())), ("best", max(exact.values())), *exact.items()]
    for inputs, value in pairs:
        # The worst input over a small alphabet is still the letter's own query.
        found = index_margin(thetas, sizes, length=length, integers=integers, inputs=inputs)
        assert found.lower - mpmath.mpf("1e-50") <= value <= found.upper + mpmath.mpf("1e-50")
        assert found.width <= 1e-14


def test_reach_is_that_of_the_definition():
    for length, integers in itertools.product(range(2, 12), range(1, 12)):
        reaches = [max(i, length - 1 - i) for i in range(min(integers, length - 1) + 1)]
        assert index_reach(length=length, integers=integers) == max(reaches)
        assert index_reach(length=length, integers=integers, inputs="best") == min(reaches)


@pytest.mark.parametrize("length", [2, 3, 7, 17, 100, 1001])
def test_the_limit_is_attained_and_no_angle_passes_it(length):
    limit = one_plane_limit(length)
    assert index_margin(2 * sympy.pi / length, length=length) == limit
    assert limit.upper <= 2 * math.pi**2 / length**2 or length == 2
    best = best_one_plane_limit(length)
    random = np.random.default_rng(0)
    for theta in random.uniform(0, 2 * np.pi, 40).tolist():
        assert index_margin(theta, length=length).upper <= limit.upper
        assert index_margin(theta, length=length, inputs="best").upper <= best.upper


def test_one_plane_by_convergents_is_the_scan():
    random = np.random.default_rng(1)
    for theta in [1.0, 0.1, *random.uniform(0, 7, 6).tolist()]:
        for reach in (1, 2, 9, 1000, 54321):
            scanned = lag_scan.margin([1.5], [theta], reach=reach)
            found = index_margin(theta, [1.5], length=reach + 1)
            assert found.lower <= scanned.upper
            assert scanned.lower <= found.upper


def test_several_planes_are_the_scan():
    sizes = np.linspace(0.1, 1, SPEC.planes)
    scanned = lag_scan.margin(sizes, SPEC, reach=4999)
    found = index_margin(SPEC, sizes, length=5000)
    assert (found.lower, found.upper) == (scanned.lower, scanned.upper)


def test_rational_multiples_of_pi_return_exactly():
    assert index_margin(2 * sympy.pi / 3, length=4).upper == 0
    assert index_margin(2 * sympy.pi / 3, length=3).lower == pytest.approx(1.5)
    thetas = [2 * sympy.pi / 6, 2 * sympy.pi / 4]
    assert index_margin(thetas, [1, 1], length=12).lower > 0
    assert index_margin(thetas, [1, 1], length=13).upper == 0
    # The float nearest to a third of a turn does not return.
    near = index_margin(2 * math.pi / 3, length=4)
    assert 0 < near.lower <= near.upper < 1e-30


def test_unrotated_planes_add_nothing():
    partial = RopeSpec(16, 10000, rotary_dim=8)
    assert index_margin(partial, [0, 0, 0, 0, 1, 1, 1, 1], length=3).upper == 0
    with_and_without = [
        index_margin(partial, [1, 1, 1, 1, size, 0, 0, 0], length=50) for size in (0, 5)
    ]
    assert with_and_without[0] == with_and_without[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: index_margin(1, length=1), "length: got 1, allowed: an integer >= 2"),
        (lambda: index_margin(1, length=True), "length: got True, allowed: an integer >= 2"),
        (lambda: index_margin(math.nan, length=3), "frequencies: got nan"),
        (lambda: index_margin(-1, length=3), "frequencies: got -1, allowed: numbers >= 0"),
        (lambda: index_margin([], length=3), "frequencies: got"),
        (lambda: index_margin([1, 2], length=3), "amplitudes: got None, allowed: 2 numbers"),
        (lambda: index_margin([1, 2], [1], length=3), r"amplitudes: got 'shape \(1,\)'"),
        (lambda: index_margin([1], [-1.0], length=3), "amplitudes: got .*one of them > 0"),
        (lambda: index_margin([1], [0.0], length=3), "amplitudes: got .*one of them > 0"),
        (lambda: index_margin([1], [math.inf], length=3), "amplitudes: got inf"),
        (lambda: index_margin(1, length=3, integers=0), "integers: got 0"),
        (lambda: index_margin(1, length=5, integers=2, inputs=3), "inputs: got 3.*from 0 to 2"),
        (lambda: index_margin(1, length=5, inputs="all"), "inputs: got 'all', allowed: 'worst'"),
        (lambda: staircase(1, []), r"lengths: got \(\)"),
        (lambda: staircase(1, 5), "lengths: got 5, allowed: integers >= 2"),
        (lambda: staircase(1, [5]).at(6), "length: got 6, allowed: an integer from 2 to 5"),
        (lambda: index_odds(-1, 1, length=3), "inverse_temperature: got -1"),
        (lambda: temperature_needed(2), "length: got 2, allowed: an integer >= 3"),
        (
            lambda: decode_length(1, arithmetic="int8"),
            "arithmetic: got 'int8', allowed: exact, float64, float32, float16, bfloat16",
        ),
        (
            lambda: decode_length(1, arithmetic="float32", angles="bfloat16"),
            "angles: got 'bfloat16', allowed: float64, float32",
        ),
        (lambda: decode_length(1, inverse_temperature=math.nan), "inverse_temperature: got nan"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()


# --- staircase --------------------------------------------------------------------------------


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


# --- temperatures -----------------------------------------------------------------------------


@pytest.mark.parametrize("length", [3, 4, 5])
def test_the_temperature_is_where_the_construction_starts_to_decode(length):
    theta = 2 * math.pi / length
    for integers in (1, length - 1):
        found = index_temperature(2 * sympy.pi / length, length=length, integers=integers)
        assert found.width <= 1e-12 * found.upper
        assert decodes(theta, found.upper * (1 + 1e-6), length, integers)
        assert not decodes(theta, found.lower * (1 - 1e-6), length, integers)


def test_another_angle_and_a_small_alphabet():
    found = index_temperature(1.3, length=5, integers=2)
    assert decodes(1.3, found.upper * 1.0001, 5, 2)
    assert not decodes(1.3, found.lower * 0.9999, 5, 2)


def odds_mp(theta, beta, length, integers):
    with mpmath.workdps(40):
        sizes = [mpmath.exp(-beta * (1 - mpmath.cos(theta * t))) for t in range(length)]
        return max(
            mpmath.fsum(sizes[1 : i + 1]) + mpmath.fsum(sizes[1 : length - i])
            for i in range(1, min(integers, length - 1) + 1)
        )


@few
@given(data=st.data())
def test_temperatures_and_odds_enclose_the_criterion(data):
    length, integers = data.draw(st.integers(2, 60)), data.draw(st.integers(1, 60))
    theta = data.draw(st.floats(0.02, 3.1))
    beta = data.draw(st.floats(0.0, 300.0))
    odds = index_odds(beta, theta, length=length, integers=integers)
    assert odds.lower <= odds_mp(theta, beta, length, integers) <= odds.upper
    found = index_temperature(theta, length=length, integers=integers)
    if math.isfinite(found.upper):
        assert found.width <= 1e-6 * found.upper + 1e-9
        above = odds_mp(theta, found.upper, length, integers)
        assert above < 1
        if found.lower > 0:
            assert odds_mp(theta, found.lower, length, integers) >= 1


@pytest.mark.parametrize("length", [3, 4, 5, 8, 17, 100, 1000])
def test_closed_forms_enclose_the_temperature(length):
    exact = index_temperature(2 * sympy.pi / length, length=length)
    # At length 3 they are equal: two terms are all there are.
    assert temperature_needed(length).lower <= exact.upper
    assert (temperature_needed(length).upper < exact.lower) == (length > 3)
    assert exact.upper <= temperature_enough(length).lower
    for theta in [2 * sympy.pi / length, sympy.pi / length, 1, sympy.Rational(19, 10)]:
        needed = index_temperature(theta, length=length)
        assert needed.lower > temperature_floor(length).upper


def test_no_temperature_is_enough_for_a_tie():
    found = index_temperature(2 * sympy.pi / 3, length=4)
    assert found.lower == found.upper == math.inf
    # With one integer the far end of the window is not seen.
    assert math.isfinite(index_temperature(2 * sympy.pi / 3, length=4, integers=1).upper)


def test_amplitudes_and_temperatures_trade():
    one = index_temperature([1, 0.2], [1.0, 2.0], length=20)
    two = index_temperature([1, 0.2], [2.0, 4.0], length=20)
    assert two.lower == pytest.approx(one.lower / 2, rel=1e-12)


# --- low precision and lengths ----------------------------------------------------------------


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
    bound = logit_error(SPEC, sizes, length=length, arithmetic=dtype)
    lags = np.arange(length)[::-1] - query
    exact = (sizes * np.cos(np.outer(lags, frequencies_float64(SPEC)))).sum(1)
    off = np.abs(computed_logits(SPEC, sizes, query, length, dtype) - exact).max()
    assert off <= bound + 1e-12 * size
    # The bound is not far from what happens.
    assert dtype == torch.float64 or off >= bound / 100


def test_computed_margins_and_exact_ones():
    theta = 2 * sympy.pi / 100
    exact = index_margin(theta, length=100)
    assert computed_margin(theta, length=100, arithmetic="exact") == exact
    widths = [
        computed_margin(theta, length=100, arithmetic=kind).width
        for kind in ("float64", "float32", "float16", "bfloat16")
    ]
    assert widths == sorted(widths)
    # Angles formed in float32 drift with the position.
    near, far = (
        computed_margin(theta, length=n, arithmetic="float32", angles="float32").width
        for n in (100, 10**6)
    )
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
    assert logit_error([1.0], [1e5], length=3, arithmetic="float16") == math.inf
    assert decode_length([1.0], [1e5], arithmetic="float16") == 1
    assert math.isfinite(logit_error([1.0], [1e5], length=3, arithmetic="bfloat16"))


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
    from ropeproof.numerics.planes import rounding

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


def test_a_margin_too_small_for_float64_sums_leaves_a_wide_enclosure():
    found = index_temperature(Fraction(104348, 33215), length=4, integers=1)  # almost pi
    assert 0 <= found.lower < 20 < found.upper < math.inf
