"""Retrieval heads in numbers: the exact margin by all functional inputs, temperatures, lengths."""

from __future__ import annotations

import doctest
import importlib
import itertools
import math

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics.bounds.planes import read_arithmetic
from ropeproof.numerics.bounds.retrieval import (
    decode_length,
    printed_bound,
    retrieval_length,
    retrieval_margin,
    retrieval_margin_by_search,
    retrieval_odds,
    retrieval_temperature,
    retrieval_temperature_in,
    separation,
    symbol_margin,
    symbol_spectrum,
    temperature,
)
from ropeproof.numerics.bounds.retrieval.symbols import read_symbols
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec

few = settings_for("quick", cases=40)
MODULES = ("margin", "symbols", "temperature", "separation")


def functional_inputs(letters, length):
    """All functional inputs whose query is a letter pair that names an earlier other letter.

    An input is a tuple of left letters and a map from left to right letters.
    """
    for lefts in itertools.product(range(letters), repeat=length):
        query = lefts[-1]
        for right in set(lefts[:-1]) - {query}:
            yield lefts, right


def margins_by_definition(letters, length, theta):
    """The margin of every functional input: of the token named over all other tokens."""
    omega = 2 * math.pi / letters
    for lefts, wanted in functional_inputs(letters, length):
        logits = [
            math.cos((left - wanted) * omega + (length - 1 - j) * theta)
            for j, left in enumerate(lefts)
        ]
        named = max(w for w, left in zip(logits, lefts, strict=True) if left == wanted)
        yield named - max(w for w, left in zip(logits, lefts, strict=True) if left != wanted)


def decodes(letters, length, theta, beta):
    """Whether the construction decodes every functional input: most weight on the token named."""
    omega = 2 * math.pi / letters
    for lefts, wanted in functional_inputs(letters, length):
        mass = np.zeros(letters)
        for j, left in enumerate(lefts):
            angle = (left - wanted) * omega + (length - 1 - j) * theta
            mass[left] += math.exp(beta * math.cos(angle))
        if not mass[wanted] > np.delete(mass, wanted).max():
            return False
    return True


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    module = importlib.import_module(f"ropeproof.numerics.bounds.retrieval.{name}")
    assert doctest.testmod(module).failed == 0


# --- margins ----------------------------------------------------------------------------------


def test_the_printed_bounds_counterexample():
    found = retrieval_margin(letters=8, length=17, angle=0.0027)
    bound = printed_bound(letters=8, length=17, angle=0.0027)
    assert f"{found.lower:.5f} > {bound.upper:.5f}" == "0.26220 > 0.26119"
    assert found.lower > bound.upper


@pytest.mark.parametrize(("letters", "length"), [(3, 3), (3, 6), (4, 5), (5, 4)])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.99])
def test_the_formula_is_the_worst_functional_input(letters, length, part):
    theta = part * 2 * math.pi / letters / (2 * length - 3)
    worst = min(margins_by_definition(letters, length, theta))
    found = retrieval_margin(letters=letters, length=length, angle=theta)
    assert found.lower - 1e-14 <= worst <= found.upper + 1e-14
    assert found.lower > 0


@pytest.mark.parametrize(("letters", "length"), [(2, 2), (2, 5), (3, 2), (3, 5), (4, 4)])
@pytest.mark.parametrize("theta", [0, 0.01, 0.4, 1, 2.5, sympy.pi / 3])
def test_the_search_is_the_worst_functional_input_at_any_angle(letters, length, theta):
    worst = min(margins_by_definition(letters, length, float(theta)))
    found = retrieval_margin_by_search(letters=letters, length=length, angle=theta)
    assert found.lower - 1e-13 <= worst <= found.upper + 1e-13


def test_the_range_of_the_formula_is_decided_exactly():
    edge = 2 * sympy.pi / (8 * 31)
    assert (
        retrieval_margin(letters=8, length=17, angle=edge * (1 - sympy.Rational(1, 10**60))).lower
        > 0
    )
    with pytest.raises(InvalidArgument, match=r"angle: got .*, allowed: 0 <= angle < pi/124"):
        retrieval_margin(letters=8, length=17, angle=edge)
    with pytest.raises(InvalidArgument, match=r"angle: got -0\.001"):
        retrieval_margin(letters=8, length=17, angle=-0.001)


# --- letters on several planes ----------------------------------------------------------------


@pytest.mark.parametrize("letters", [2, 3, 4, 5, 8, 13, 120])
def test_all_letters_equally_far(letters):
    multipliers, shares = symbol_spectrum(letters)
    assert shares.sum() == pytest.approx(1)
    steps = np.arange(1, letters)
    angles = 2 * np.pi / letters * np.outer(steps, multipliers)
    np.testing.assert_allclose((shares * (1 - np.cos(angles))).sum(1), letters / (letters - 1))
    found = symbol_margin(letters=letters, amplitudes=shares, multipliers=multipliers)
    assert found.lower == pytest.approx(letters / (letters - 1))


def test_more_planes_serve_letters_better():
    margins = []
    for planes in (1, 2, 4, 8, 16, 60):
        multipliers, shares = symbol_spectrum(120, planes=planes)
        assert len(set(multipliers)) == planes
        found = symbol_margin(letters=120, amplitudes=shares, multipliers=multipliers)
        margins.append(found.lower)
    assert margins == sorted(margins)
    assert margins[0] == pytest.approx(1 - math.cos(2 * math.pi / 120))
    assert margins[3] > 0.5


# --- temperatures -----------------------------------------------------------------------------


@pytest.mark.parametrize(("letters", "length"), [(2, 3), (3, 4), (4, 4), (3, 6)])
@pytest.mark.parametrize("theta", [0.0, 0.05, 0.2])
def test_the_temperature_is_where_the_construction_starts_to_decode(letters, length, theta):
    found = retrieval_temperature(letters=letters, length=length, angle=theta)
    if math.isinf(found.upper):
        assert not decodes(letters, length, theta, 1000.0)
        return
    assert found.width <= 1e-9 * found.upper
    assert decodes(letters, length, theta, found.upper * (1 + 1e-6))
    assert not decodes(letters, length, theta, found.lower * (1 - 1e-6))


def odds_mp(letters, length, theta, beta, centre=0):
    with mpmath.workdps(40):
        omega, worst = 2 * mpmath.pi / letters, mpmath.mpf(0)
        for z in range(1, letters):
            rivals = [
                mpmath.exp(beta * mpmath.cos(z * omega + theta * (b - centre)))
                for b in range(length)
            ]
            total = mpmath.fsum(rivals)
            for a in range(1, length):
                own = mpmath.exp(beta * mpmath.cos(theta * (a - centre)))
                worst = max(worst, (total - rivals[a]) / own)
        return worst


@few
@given(data=st.data())
def test_odds_and_temperatures_enclose_the_criterion(data):
    letters, length = data.draw(st.integers(2, 9)), data.draw(st.integers(2, 20))
    theta = data.draw(st.sampled_from([0.0, 0.001, 0.02, 0.3, 2.0]))
    centre = data.draw(st.sampled_from([0, 2, (length - 1) / 2]))
    beta = data.draw(st.floats(0, 60))
    arguments = {"letters": letters, "length": length, "angle": theta, "centre": centre}
    odds = retrieval_odds(beta, **arguments)
    exact = odds_mp(letters, length, theta, beta, centre)
    assert odds.lower <= exact * (1 + 1e-30)
    assert exact * (1 - 1e-30) <= odds.upper
    assert odds.width <= 1e-9 * odds.upper
    found = retrieval_temperature(**arguments)
    if math.isfinite(found.upper):
        assert odds_mp(letters, length, theta, found.upper + 1e-9, centre) < 1
        if found.lower > 0:
            assert odds_mp(letters, length, theta, found.lower * (1 - 1e-12), centre) > 1


def test_a_centred_query_reaches_twice_as_far():
    theta, n = 0.005, 120
    assert decode_length(letters=8, angle=theta) == 80
    assert retrieval_temperature(letters=8, length=n, angle=theta).upper == math.inf
    centred = retrieval_temperature(letters=8, length=n, angle=theta, centre=(n - 1) / 2)
    assert math.isfinite(centred.upper)


# --- lengths and low precision ----------------------------------------------------------------


def test_hard_attention_is_the_formulas_range():
    assert decode_length(letters=8) is None
    for theta in (0.0027, 0.02, 0.1):
        assert decode_length(letters=8, angle=theta) == retrieval_length(letters=8, angle=theta)
    assert decode_length(letters=2, angle=3.1) == 2


def test_decode_length_is_the_exact_criterion():
    for theta, beta in [(0.0, 12.0), (0.001, 15.0), (0.01, 12.0)]:
        n = decode_length(letters=8, angle=theta, inverse_temperature=beta)
        assert odds_mp(8, n, theta, beta) < 1
        assert odds_mp(8, n + 1, theta, beta) >= 1


def test_without_rotation_the_length_is_the_closed_form():
    for beta in (0.0, 1.0, 10.0, 60.0, 1000.0):
        n = decode_length(letters=8, inverse_temperature=beta)
        with mpmath.workdps(400):
            odds = mpmath.exp(mpmath.mpf(beta) * (1 - mpmath.cos(mpmath.pi / 4)))
            assert n - 1 < odds or beta == 0
            assert n >= odds
    assert decode_length(letters=8, inverse_temperature=0) == 1


def test_low_precision_shortens():
    kinds = ["exact", "float64", "float32", "float16", "bfloat16"]
    for theta in (0.0, 0.0005):
        lengths = [
            decode_length(letters=8, angle=theta, inverse_temperature=25, arithmetic=kind)
            for kind in kinds
        ]
        assert lengths == sorted(lengths, reverse=True)
        assert lengths[2] > 200


def test_slow_planes_lose_nothing_to_the_angles():
    kind = read_arithmetic("float32", "float32")
    fast, slow, flat = (
        read_symbols(8, angle, None, None, 0).error(1.0, 10**6, kind) for angle in (1.0, 1e-6, 0)
    )
    assert flat <= slow < 3e-6
    assert fast > 0.1


@pytest.mark.parametrize("kind", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("theta", [0, 0.001])
def test_a_temperature_in_a_type_is_one_that_decodes(kind, theta):
    arguments = {"letters": 5, "angle": theta}
    beta = retrieval_temperature_in(kind, length=20, **arguments)
    assert beta > retrieval_temperature(length=20, **arguments).lower
    found = decode_length(inverse_temperature=beta, arithmetic=kind, **arguments)
    assert math.isfinite(beta)
    assert found >= 20


def test_several_planes_of_a_spec():
    spec = RopeSpec(16, 10000, rotary_dim=8)
    sizes = np.array([0, 0, 0, 0, 2, 2, 2, 1]) / 7
    multipliers = (1, 1, 1, 1, 1, 2, 3, 4)
    found = retrieval_temperature(
        letters=8, length=1000, angle=spec, amplitudes=sizes, multipliers=multipliers
    )
    assert found.lower == pytest.approx(math.log(999) * 7 / 8)
    single = retrieval_temperature(letters=8, length=1000)
    assert found.upper < 0.3 * single.lower


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: retrieval_margin(letters=2, length=5, angle=0), "letters: got 2, .*>= 3"),
        (lambda: retrieval_margin(letters=3, length=2, angle=0), "length: got 2, .*>= 3"),
        (lambda: retrieval_margin(letters=3, length=3, angle=math.nan), "angle: got nan"),
        (lambda: retrieval_margin(letters=True, length=3, angle=0), "letters: got True"),
        (lambda: retrieval_length(letters=8, angle=1), "angle: got 1, allowed: 0 <= angle < pi/12"),
        (lambda: symbol_spectrum(8, planes=5), "planes: got 5, allowed: an integer from 1 to 4"),
        (lambda: symbol_margin(letters=8, multipliers=[1, 2]), "amplitudes: got None"),
        (
            lambda: retrieval_odds(
                1, letters=3, length=3, angle=[0, 0], amplitudes=[1, 1], multipliers=[1]
            ),
            "multipliers: got '1 of them', allowed: 2 integers",
        ),
        (lambda: retrieval_odds(-1, letters=3, length=3), "inverse_temperature: got -1"),
        (lambda: decode_length(letters=3, arithmetic="int"), "arithmetic: got 'int'"),
        (lambda: separation(5, letters=3), "lengths: got 5"),
        (lambda: separation([2], letters=3), "lengths: got 2"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_too_much_work_is_refused_by_name():
    with pytest.raises(Unsupported, match="2\\^22"):
        retrieval_margin_by_search(letters=100, length=10**6, angle=1)


def test_sabotage_goes_red(monkeypatch):
    """The printed off-by-one in the largest lag, and odds that forget a key, are caught."""
    monkeypatch.setitem(globals(), "retrieval_margin", printed_bound)
    with pytest.raises(AssertionError):
        test_the_formula_is_the_worst_functional_input(4, 5, 0.3)
    right = temperature.running
    monkeypatch.setattr(temperature, "running", lambda terms: 0.6 * right(terms))
    with pytest.raises(AssertionError):
        test_decode_length_is_the_exact_criterion()


def test_a_fast_plane_loses_no_digits_of_its_temperature():
    found = retrieval_temperature(letters=4, length=3, angle=21 * sympy.pi / 128)
    assert 0 < found.lower <= found.upper < found.lower * (1 + 1e-6)
    assert retrieval_odds(found.upper, letters=4, length=3, angle=21 * sympy.pi / 128).lower < 1
    assert (
        retrieval_odds(found.lower * 0.999, letters=4, length=3, angle=21 * sympy.pi / 128).upper
        > 1
    )
