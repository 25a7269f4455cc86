"""The exact spec: its frequencies, its layouts, and what it refuses."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy

from ropeproof.numerics.core.spec import rotate
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.spec import Axes, Dynamic, Linear, LongRope, Proportional, RopeSpec


def test_exact_frequencies():
    assert RopeSpec(8, 10000).frequencies() == (1, *(sympy.Rational(1, 10**i) for i in (1, 2, 3)))
    partial = RopeSpec(8, 16, rotary_dim=4, layout="interleaved")
    assert partial.frequencies() == (1, sympy.Rational(1, 4), 0, 0)
    assert partial.wavelengths() == (2 * sympy.pi, 8 * sympy.pi, sympy.oo, sympy.oo)
    assert (partial.planes, partial.rotary_planes) == (4, 2)


def test_frequency_order():
    assert RopeSpec(12, 10000, rotary_dim=8).frequency_order() == tuple(range(6))
    reordered = LongRope(
        short_factor=[1000, 4, 1, 1], long_factor=[1] * 4, original_length=64, factor=2
    )
    # 1/1000, 1/40, 1/100, 1/1000: the tie is decided by plane.
    assert RopeSpec(8, 10000, scaling=reordered).frequency_order() == (1, 2, 0, 3)


@pytest.mark.parametrize("rotary_dim", [2, 6, 10])
def test_layout_permutation_makes_the_layouts_agree(rotary_dim: int):
    inter = RopeSpec(10, 100, rotary_dim=rotary_dim, layout="interleaved")
    half = RopeSpec(10, 100, rotary_dim=rotary_dim)
    p = list(inter.layout_permutation())
    assert p == list(half.layout_permutation())
    assert sorted(p) == list(range(10))
    assert p[rotary_dim:] == list(range(rotary_dim, 10))
    x = np.random.default_rng(0).normal(size=(7, 10))
    turned = rotate(x, np.arange(7), inter)
    np.testing.assert_array_equal(turned[:, p], rotate(x[:, p], np.arange(7), half))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"head_dim": 7}, "head_dim: got 7, allowed: an even integer >= 2"),
        ({"head_dim": 0}, "head_dim: got 0, allowed: an integer >= 2"),
        ({"head_dim": True}, "head_dim: got True, allowed: an integer >= 2"),
        ({"head_dim": 8.0}, "head_dim: got 8.0, allowed: an integer >= 2"),
        ({"base": 1}, "base: got 1, allowed: a number > 1"),
        ({"base": -10000.0}, "base: got -10000.0, allowed: a number > 1"),
        ({"base": math.nan}, "base: got nan, allowed: a finite number"),
        ({"base": math.inf}, "base: got inf, allowed: a finite number"),
        ({"base": "ten"}, "base: got 'ten', allowed: a finite number"),
        ({"base": "1e999999999"}, "base: got '1e999999999', allowed: a finite number"),
        ({"base": "nan"}, "base: got 'nan', allowed: a finite number"),
        ({"base": Decimal("Infinity")}, "base: got Decimal('Infinity'), allowed: a finite"),
        ({"base": None}, "base: got None, allowed: a finite number"),
        ({"base": True}, "base: got True, allowed: a finite number"),
        ({"base": sympy.pi}, "base: got pi, allowed: a finite number"),
        ({"rotary_dim": 3}, "rotary_dim: got 3, allowed: an even integer from 0 to 8"),
        ({"rotary_dim": 10}, "rotary_dim: got 10, allowed: an even integer from 0 to 8"),
        ({"rotary_dim": -2}, "rotary_dim: got -2, allowed: an integer >= 0"),
        ({"rotary_start": 1, "rotary_dim": 4}, "rotary_start: got 1, allowed: an even integer"),
        ({"rotary_start": 2}, "rotary_start: got 2, allowed: an even integer from 0 to 0"),
        ({"axes": (1, 2, 1)}, "axes: got (1, 2, 1), allowed: None or an Axes"),
        ({"axes": Axes.grid(2)}, "axes: got '2 planes', allowed: 4 rotated planes"),
        ({"axes": Axes.grid(4), "scaling": Linear(2)}, "scaling: got Linear(factor=2), allowed: N"),
        (
            {"axes": Axes.sections((2, 1, 1)), "scaling": Dynamic(2, 64)},
            "scaling: got Dynamic(factor=2, original_length=64), allowed: a scaling that does not",
        ),
        ({"scaling": Proportional(5)}, "turning: got 5, allowed: at most 4 rotated planes"),
        ({"layout": "full"}, "layout: got 'full', allowed: 'half' or 'interleaved'"),
        ({"layout": None}, "layout: got None, allowed: 'half' or 'interleaved'"),
        ({"length": 0}, "length: got 0, allowed: an integer >= 1"),
        ({"length": False}, "length: got False, allowed: an integer >= 1"),
        ({"scaling": "yarn"}, "scaling: got 'yarn', allowed: None, Linear, Dynamic"),
        ({"scaling": Dynamic(2, 64), "rotary_dim": 2}, "rotary_dim: got 2, allowed: at least 4"),
        (
            {"scaling": LongRope(short_factor=[1], long_factor=[1], original_length=9, factor=1)},
            "short_factor: got '1 numbers', allowed: one per rotated plane, 4",
        ),
    ],
)
def test_bad_spec_is_refused_by_name(arguments: dict[str, object], message: str):
    with pytest.raises(InvalidArgument) as caught:
        RopeSpec(**{"head_dim": 8, "base": 10000, **arguments})
    assert str(caught.value).startswith(message)


def test_a_base_is_exact():
    values = [("0.1", Fraction(1, 10)), (0.1, Fraction(0.1)), (Fraction(1, 3), Fraction(1, 3))]
    values += [(np.float32(0.1), Fraction(float(np.float32(0.1)))), (np.int64(1), Fraction(1))]
    for given_as, expected in values:
        shifted = exact.read_rational("base", given_as)
        assert Fraction(int(shifted.p), int(shifted.q)) == expected
    assert RopeSpec(8, "10000.0") == RopeSpec(8, 1e4) == RopeSpec(8, sympy.Integer(10000))


def test_equal_specs_have_one_hash_whatever_was_read_of_them():
    read, unread = (RopeSpec(8, "10000.5", scaling=Linear(Fraction(3, 2))) for _ in range(2))
    assert read.base == sympy.Rational(20001, 2)
    assert read.scaling.factor == sympy.Rational(3, 2)
    assert read == unread
    assert hash(read) == hash(unread)
    assert read != RopeSpec(8, "10000.5", scaling=Linear(Fraction(4, 3)))
    assert read.scaling != Linear(1)
    assert read != "a spec"
    # Hashes of text differ between processes, so none travels.
    copied = pickle.loads(pickle.dumps(read))
    assert vars(copied).keys() == vars(unread).keys() - {"_values", "_hash"}
    assert {unread: 1}[copied] == 1


def test_certified_decisions():
    near = sympy.log(sympy.Rational(10**60 + 1, 10**60))
    assert exact.sign(near) == 1
    assert exact.sign(-near) == -1
    assert exact.sign(sympy.Integer(0)) == 0
    assert exact.floor(3 - near) == 2
    assert exact.floor(3 + near) == 3
    assert exact.floor(sympy.Rational(-7, 2)) == -4
    hidden_zero = sympy.log(6) - sympy.log(2) - sympy.log(3)
    with pytest.raises(Unsupported, match="not decided at 16384 bits"):
        exact.sign(hidden_zero)
    with pytest.raises(Unsupported, match="no ball for"):
        exact.ball(sympy.sin(1), bits=64)
