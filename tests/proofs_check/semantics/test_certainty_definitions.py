"""Values that are said and not drawn: examples of claims, and recursive definitions."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest
import sympy as sp
from certainty_claims import BELOW_100, QUICK, claim, f, g, j, k, n, x, y, z

from ropeproof.proofs_check.attack.statement import satisfiable, test_instances
from ropeproof.proofs_check.semantics.certain import certain, example_of, surely
from ropeproof.proofs_check.semantics.instances import Sampler
from ropeproof.proofs_check.semantics.recursion import definitions
from ropeproof.proofs_check.semantics.values import Fraction, Instance
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.logic import Both, Every, If, eq, integer_function, le, lt

# -- examples -----------------------------------------------------------------------------


HALVES = Every((n,), eq(2 * f(n + 1), f(n)))  # not bounded below: no recursion defines it


def test_an_example_satisfies_what_drawing_cannot():
    told = claim(eq(2 * f(1), f(0)), given={"h": HALVES}, example=(Every((n,), eq(f(n), 0)),))
    assert satisfiable(told, QUICK).verdict == "holds"
    wrong = dataclasses.replace(told, example=(Every((n,), eq(f(n), 1)),))
    outcome = satisfiable(wrong, QUICK)
    assert (outcome.verdict, outcome.detail) == (
        "fails",
        "the example does not certainly satisfy: h",
    )


def test_an_example_of_the_impossible_is_refused():
    vacuous = claim(lt(z, z**2 + 1), given={"h": BELOW_100}, example=(eq(z, 1),))
    assert satisfiable(vacuous, QUICK).verdict == "fails"


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (le(x, 1), "gives no symbol"),
        (Every((n,), eq(f(n), y)), "is no closed form"),
        (Every((n,), eq(f(n), g(n))), "is no closed form"),
        (Every((n,), eq(f(n + 1), 0)), "gives no symbol"),
        (eq(f(1), 0), "gives no symbol"),
        (eq(x, sp.pi), "does not give a fraction"),
    ],
)
def test_an_example_gives_values_and_nothing_else(formula, message):
    with pytest.raises(InvalidClaim, match=message):
        example_of((formula,))


def test_an_example_may_use_its_own_numbers():
    found = example_of((eq(x, 3), Every((n,), eq(f(n), x * n))))
    assert found.values["f"](Fraction(2)) == 6


# -- recursive definitions ----------------------------------------------------------------


def every(body, *guard):
    return Every((n,), If(Both(*guard, le(n, 100 + n**2)), body) if guard else body)


@pytest.mark.parametrize(
    "formulas",
    [
        (every(eq(f(n + 1), f(n) / 2 + x), le(0, n)),),
        (every(eq(f(n + 1), f(n) + g(n)), le(0, n)), every(eq(g(n), f(n) ** 2), le(0, n))),
        (Every((n,), eq(f(n), x * n)),),
        (every(eq(f(n + 2), f(n + 1) + f(n)), le(0, n)),),
    ],
)
def test_a_recursive_definition_is_read(formulas):
    assert set(definitions(formulas)) == set(formulas)


@pytest.mark.parametrize(
    "formulas",
    [
        (every(eq(f(n + 1), f(n) / 2)),),  # for ever down
        (every(eq(f(n + 1), f(n)), le(k, n)),),  # from no known place on
        (every(eq(f(n), f(n) + 1), le(0, n)),),  # in terms of itself
        (every(eq(f(n), g(n) + 1), le(0, n)), every(eq(g(n), f(n)), le(0, n))),  # in a circle
        (every(eq(f(n), f(n + 1)), le(0, n)),),  # in terms of what comes later
        (every(eq(f(n), f(2 * n)), le(0, n)),),
        (every(eq(f(n), n), le(0, n)), every(eq(f(n + 1), 0), le(0, n))),  # twice
        (every(eq(f(n), n), le(0, n)), Every((j,), eq(f(j), 0))),
        (Every((n, k), eq(f(n), k)),),  # more than one value
        (Every((x,), eq(f(x), f(x - 1) + 1)),),  # over the reals
        (every(eq(f(n + 1), sp.Sum(f(j), (j, 0, n + 2))), le(0, n)),),
        (Every((n,), eq(integer_function("h")(n), x)),),  # not integers
    ],
)
def test_what_is_no_recursive_definition_is_not_read_as_one(formulas):
    assert len(definitions(formulas)) < len(formulas)


THIRDS = Every((j,), eq(f(j), 2 * sp.pi / 3))
TWO_APART = Every((k,), If(Both(le(2, k), le(k, n - 1)), eq(sp.cos(k * f(0)), sp.cos(f(0)))))


@pytest.mark.parametrize(("lags", "expected"), [(2, True), (3, True), (4, False)])
def test_cosines_of_a_defined_angle_are_compared_exactly_at_each_value_of_a_range(lags, expected):
    """No enclosure decides cos(4 pi/3) = cos(2 pi/3), and z3 knows no cosine of an unknown multiple."""
    given = [THIRDS, TWO_APART]
    at = Sampler([THIRDS, eq(n, lags)], [TWO_APART]).draw(Random(0))
    assert at is not None
    assert certain(given, at) is expected
    assert surely(TWO_APART, at, given=given) is expected


def test_an_angle_that_is_defined_at_some_places_only_is_no_closed_form():
    """The angle at -1 is free there, so that nothing is known of its multiples."""
    partly = Every((j,), If(le(0, j), eq(f(j), 2 * sp.pi / 3)))
    free = Every((k,), If(Both(le(2, k), le(k, n - 1)), eq(sp.cos(k * f(-1)), sp.cos(f(-1)))))
    at = Sampler([partly, eq(n, 3)], [free]).draw(Random(0))
    assert at is not None
    assert surely(free, at, given=[partly, free]) is not True


def test_values_that_contradict_a_definition_are_no_instance():
    doubling = every(eq(f(n + 1), 2 * f(n)), le(0, n))
    good = claim(eq(f(3), 8 * f(0)), given={"h": doubling})
    assert satisfiable(good, QUICK).verdict == "holds"
    assert test_instances(good, QUICK)[0].verdict == "holds"
    false = claim(eq(f(3), 7 * f(0)), given={"h": doubling}, mutants=())
    assert test_instances(false, QUICK)[0].verdict == "fails"
    clash = {"h": doubling, "at 1": eq(f(1), 1), "at 4": eq(f(4), 9)}
    assert satisfiable(claim(eq(x, 1), given=clash), QUICK).verdict == "unknown"


def test_a_symbol_is_defined_once():
    at = Instance({"x": sp.N(0)})
    value = surely(eq(x, sp.cos(1)), at.having(x=Fraction(1)))
    assert value is False
    from ropeproof.proofs_check.semantics.evaluate import evaluate

    drawn = Instance({"x": evaluate(sp.cos(1) + 1, Instance({}))})
    assert certain([eq(x, sp.cos(1) + 1)], drawn)
    nearly = sp.cos(1) + 1 + sp.Rational(1, 10**55)
    assert not certain([eq(x, sp.cos(1) + 1), eq(x, nearly)], drawn)
