"""Bounds compiled from claims: which term, to which numbers, and what is refused."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import sympy as sp
from flint import arb

from ropeproof.numerics import bounds
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.compiled import Stated, place, sharp
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, Unsupported
from ropeproof.theory.language import (
    Both,
    Claim,
    Every,
    If,
    eq,
    integer,
    le,
    real,
    real_function,
    within,
)
from ropeproof.theory.rotary.precision import precision

HOMES = [softmax] + [
    import_module(f"ropeproof.numerics.bounds.{'.'.join(path.with_suffix('').parts)}")
    for path in (p.relative_to(bounds.__path__[0]) for p in Path(bounds.__path__[0]).rglob("*.py"))
    if "= Stated(" in (Path(bounds.__path__[0]) / path).read_text(encoding="utf-8")
]
COMPILED = {
    f"{home.__name__.partition('.numerics.')[2]}.{name}": value
    for home in HOMES
    for name, value in vars(home).items()
    if isinstance(value, Stated)
}
x, y = real("x y")
n, k = integer("n k")
f = real_function("f")


@pytest.fixture
def stated(monkeypatch):
    """`Stated` of a claim with this conclusion."""

    def make(conclusion, where, arguments, **options):
        claim = Claim("own.made", "t", "s", conclusion=conclusion)
        monkeypatch.setattr(place, "statement", lambda *_: (claim.conclusion, softmax))
        return Stated("own.made", where, arguments, **options)

    return make


# -- every bound that is compiled ----------------------------------------------------------------


def test_bounds_of_both_floors_are_among_them():
    assert len(COMPILED) > 60


@pytest.mark.parametrize("name", COMPILED)
def test_float64_lies_in_the_ball(name):
    bound = COMPILED[name]
    drawn = np.random.default_rng(0)
    seen = 0
    for _ in range(40):
        values = {a: _drawn(drawn, a, arity) for a, arity in bound.arity.items()}
        with precision(192):
            exact = bound.ball(**values)
            if not exact.is_finite():
                continue
            seen += 1
            around = bound.enclose(**values)
            assert arb(around.lower) <= exact <= arb(around.upper)
            assert around.width <= 2.0**-51 * max(abs(around.lower), abs(around.upper))
        assert float(bound.float64(**values)) == pytest.approx(float(exact), rel=1e-12, abs=1e-13)
    assert seen >= 10


def _drawn(drawn, name, arity):
    if name == "planes" and not arity:
        return PLANES
    if name in WHOLE:
        return int(drawn.integers(2, 9))
    found = drawn.uniform(0.05, 0.95, (PLANES,) * arity).round(3)
    return found.tolist() if arity else float(found)


PLANES = 4
WHOLE = {"keys", "ties", "lags", "offset", "length", "parts", "items", "reach", "steps", "symbols"}


# -- one formula, two kinds of numbers ---------------------------------------------------------


def test_what_the_claim_says_is_computed(stated):
    bound = stated(le(x, sp.exp(-y) / (1 + 2 * y)), "above", {"rate": "y"})
    assert bound.float64(rate=[0.0, 1.0]) == pytest.approx([1.0, np.exp(-1) / 3])
    assert bound.ball(rate=1).overlaps(arb(-1).exp() / 3)
    other = stated(le(x, sp.exp(-y) / (1 + 3 * y)), "above", {"rate": "y"})
    assert other.float64(rate=1.0) == pytest.approx(np.exp(-1) / 4)  # the claim decides


def test_a_sum_goes_along_an_axis(stated):
    total = sp.Sum(f(k) * sp.cos(k * x), (k, 0, n - 1))
    bound = stated(le(y, total), "above", {"values": "f", "angle": "x", "count": "n"})
    values, angle = np.array([[1.0, 2.0, 3.0], [0.5, 0.0, -1.0]]), np.array([0.1, 0.7])
    expected = (values * np.cos(np.arange(3) * angle[:, None])).sum(-1)
    assert bound.float64(values=values, angle=angle, count=3) == pytest.approx(expected)
    assert float(bound.ball(values=[1, 2, 3], angle=0.1, count=3)) == pytest.approx(expected[0])


def test_a_sum_may_end_where_the_sum_around_it_stands(stated):
    inner = sp.Sum(f(k, n) * x, (n, k - 1, k + 1))
    names = {"table": "f", "factor": "x", "last": "y"}
    double = stated(le(sp.Sum(f(k, 0) * inner, (k, 1, y)), 0), "below", names)
    table = np.arange(30.0).reshape(5, 6)
    rows = [table[row, 0] * 2.0 * table[row, row - 1 : row + 2].sum() for row in (1, 2, 3)]
    assert double.float64(table=table, factor=2.0, last=3) == pytest.approx(sum(rows))
    with precision(128):
        assert float(double.ball(table=table.tolist(), factor=2, last=3)) == pytest.approx(
            sum(rows)
        )
    backwards = sp.Sum(sp.Sum(f(k, n), (n, k, 1)), (k, 1, y))
    with pytest.raises(InvalidArgument, match="at least an empty sum"):
        stated(le(backwards, 0), "below", {"table": "f", "last": "y"}).float64(table=table, last=3)


def test_places_lead_through_a_conclusion(stated):
    whole = Both(le(0, x), Every((k,), If(within(k, 0, n), le(f(k), y + 1))))
    assert stated(whole, "2.body.then.above", {"size": "y"}).float64(size=2.0) == 3.0
    assert stated(le(x * (1 + y), 3), "below.own", {"size": "y"}).float64(size=2.0) == 3.0


def test_a_term_is_named_by_the_claims_module_or_by_one_of_its_settings():
    inner, outer, other = (ModuleType(f"ropeproof.theory.topics.{n}") for n in ("a", "b", "c"))
    inner.size, outer.inner = (lambda: x + 1), inner
    assert place.named_term(outer, "size") == x + 1
    outer.other, other.size = other, x + 1
    assert place.named_term(outer, "size") == x + 1
    other.size = x + 2
    assert place.named_term(outer, "size") is None, "which of the two is meant"
    outer.size = y
    assert place.named_term(outer, "size") == y
    assert place.named_term(outer, "nosuch") is None


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conclusion", "where", "arguments", "message"),
    [
        (eq(x, y), "above", {"a": "y"}, "at 'above' of 'above' there is a Equality"),
        (le(x, y), "2.above", {"a": "y"}, "there is 1 parts"),
        (le(x, y + n), "above", {"a": "y"}, "it speaks of n"),
        (le(x, 2), "above", {"a": "y"}, "it speaks of less"),
        (le(x, y), "beyond", {"a": "y"}, "'beyond' in 'beyond' is no step of a place"),
    ],
)
def test_another_shape_of_the_claim_is_refused_by_name(
    stated, conclusion, where, arguments, message
):
    with pytest.raises(InvalidClaim, match=message):
        _ = stated(conclusion, where, arguments).term


def test_an_unknown_claim_and_a_construct_without_code_are_refused(stated):
    with pytest.raises(InvalidClaim, match="no claim of the catalogue has this id"):
        _ = Stated("slash.nosuch", "above", {}).term
    with pytest.raises(Unsupported, match="zeta in a term to compile"):
        stated(le(x, sp.zeta(y)), "above", {"a": "y"}).float64(a=2.0)


def test_arguments_are_checked(stated):
    bound = stated(le(x, 1 / y), "above", {"size": "y"})
    for given in ({}, {"size": np.nan}, {"size": "1"}, {"size": 1.0, "more": 2}, {"size": 0.0}):
        with pytest.raises(InvalidArgument):
            bound.float64(**given)
    assert not bound.ball(size=0).is_finite()


def test_precision_is_raised_until_doubles_are_sharp():
    around = sharp(lambda: (1 + arb(10) ** -40) - 1)
    assert around.lower <= 1e-40 <= around.upper
    assert around.upper - around.lower < 1e-55


def test_a_bound_depends_on_the_module_of_its_claim():
    """So that kept evidence is not shown once the claim has changed."""
    reached = PackageSources().reached("ropeproof.numerics.bounds.slash.cone")
    assert "ropeproof.theory.topics.slash.cone.axis" in reached
