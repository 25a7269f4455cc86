"""What is called certain is exact or enclosed: rounding refutes nothing and satisfies nothing."""

from __future__ import annotations

import gmpy2
import pytest
import sympy as sp

from ropeproof.proofs_check.attack.mutants import attack_mutants
from ropeproof.proofs_check.attack.statement import recheck, satisfiable, test_instances
from ropeproof.proofs_check.run.proving import prove
from ropeproof.proofs_check.run.status import STATEMENT, Record, compute_status
from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.certain import certain, surely
from ropeproof.proofs_check.semantics.enclosed import enclosed_truth
from ropeproof.proofs_check.semantics.evaluate import enclosing, evaluate, truth
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.proofs_check.semantics.values import BITS, Fraction, Instance
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Reading, Source
from ropeproof.theory.language.derivation import Derivation, Step, generalise, identity, smt
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    Some,
    eq,
    every,
    integer,
    kept,
    le,
    lt,
    ne,
    real,
    real_function,
)

x, y, z = real("x y z")
l, n = integer("l n")
f, g = real_function("f"), real_function("g")
QUICK = profile("quick")
TINY = sp.exp(-200)
NOTHING = Instance({})
ZERO = sp.log(6) - sp.log(2) - sp.log(3)  # no digit of it is correct


def claim(goal, *steps, given=None, **more):
    hypotheses = tuple(Hypothesis(name, h) for name, h in (given or {}).items())
    more.setdefault("mutants", (Mutant("negated", Negation(goal)),))
    return Claim(
        "own.test", "a title", "a statement", Source("test"), conclusion=goal,
        hypotheses=hypotheses, derivation=Derivation(steps) if steps else None, **more,
    )  # fmt: skip


# -- true statements that rounded numbers contradict ------------------------------------------

FAR = sp.Integer(10) ** 70
ROUNDED = {
    "cosine": (
        eq(sp.cos(n + 1), sp.cos(n) * sp.cos(1) - sp.sin(n) * sp.sin(1)),
        Instance({"n": Fraction(10**70)}),
    ),
    "sine": (
        le(kept(sp.Add, sp.sin(n) ** 2, sp.cos(n) ** 2, -sp.cos(kept(sp.Add, n, -n))), TINY),
        Instance({"n": Fraction(10**70)}),
    ),
    "root": (le(kept(sp.Pow, ZERO, sp.Rational(1, 1000)), sp.Rational(1, 2)), NOTHING),
    "square root": (le(kept(sp.Pow, ZERO, sp.Rational(1, 2)), sp.Rational(1, 10**60)), NOTHING),
    "cancelling": (
        le((sp.exp(x) + sp.exp(-x)) * sp.exp(x) - sp.exp(2 * x), 2),
        Instance({"x": Fraction(90)}),
    ),
    "logarithm": (
        le(1 - sp.Rational(1, 10**6), 10**70 * sp.log(1 + sp.Rational(1, 10**70))),
        NOTHING,
    ),
    "exponential": (
        lt(1, 1 + 10**80 * (sp.exp(kept(sp.Add, sp.log(6) + sp.Rational(1, 10**70), -sp.log(6))) - 1)),
        NOTHING,
    ),
    "larger": (
        lt(x, sp.Max(x, x + sp.Rational(1, 10**70), evaluate=False)),
        Instance({"x": evaluate(sp.log(6), NOTHING)}),
    ),
    "floor": (
        le(sp.floor(sp.cosh(x) ** 2 - sp.sinh(x) ** 2), 1),
        Instance({"x": Fraction(200)}),
    ),
    "one object": (
        lt(x, y),  # y is defined as the larger of x and a little more than x
        Instance(dict.fromkeys("xy", evaluate(sp.log(6), NOTHING))),
    ),
    "sign": (le(sp.sign(ZERO - TINY), 0), NOTHING),
    "range": (
        every(n, 0, sp.cosh(x) ** 2 - sp.sinh(x) ** 2 + sp.Rational(1, 2), le(n, 1)),
        Instance({"x": Fraction(100)}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROUNDED)
def test_no_rounding_contradicts_a_true_statement(name):
    formula, at = ROUNDED[name]
    assert surely(formula, at) is not False
    assert surely(Negation(formula), at) is not True


BELIEVED = [
    "cosine",
    "root",
    "square root",
    "cancelling",
    "logarithm",
    "exponential",
    "larger",
    "one object",
]


@pytest.mark.parametrize("name", BELIEVED)
def test_the_second_witness_alone_would_have(name):
    formula, at = ROUNDED[name]
    assert truth(formula, at.doubting()) is False


@pytest.mark.parametrize("name", ["root", "cancelling", "logarithm"])
def test_what_is_enclosed_is_decided(name):
    formula, at = ROUNDED[name]
    assert enclosed_truth(formula, at) is True
    assert enclosed_truth(Negation(formula), at) is False


def test_a_provable_statement_about_far_integers_is_not_refuted():
    formula, _ = ROUNDED["cosine"]
    step = Step("only", formula, identity(), "an angle sum")
    far = claim(formula, step, given={"far": le(FAR, n)})
    assert test_instances(far, QUICK)[0].verdict != "fails"
    assert "kernel accepted too much" not in prove({}, far, QUICK)[0].detail


def test_a_reading_that_only_rounding_breaks_is_not_refuted():
    formula, _ = ROUNDED["cosine"]
    reading = Reading("as printed", (le(FAR, n),), formula, (eq(n, FAR),))
    printed = Claim(
        "own.printed", "", "", kind="printed", conclusion=formula, readings=(reading,),
        repaired_by="own.other",
    )  # fmt: skip
    assert recheck(printed, reading).verdict != "holds"


@pytest.mark.parametrize("name", ["cancelling", "logarithm"])
def test_a_true_mutant_is_not_killed_by_rounding(name):
    formula, at = ROUNDED[name]
    where = tuple(eq(real(k) if k == "x" else integer(k), int(v)) for k, v in at.values.items())
    mutant = Mutant("true", formula, at=where)
    given = {"h": le(y, 0)}
    entry = claim(lt(y, 1), given=given, mutants=(mutant, Mutant("false", lt(0, y))))
    outcome, kills = attack_mutants(entry, QUICK)
    assert outcome.verdict == "fails"
    assert "true" in outcome.detail
    assert kills.killed == 1


# -- the two ways to evaluate say the same -----------------------------------------------------

AGREE = [
    (eq(sp.Sum(f(l), (l, 0, n)) / 2, sp.Rational(15, 2)), True),
    (eq(sp.Sum(f(l), (l, 0, -n)), 0), True),
    (lt(sp.sqrt(2), sp.Rational(3, 2)), True),
    (lt(sp.pi, sp.Rational(22, 7)), True),
    (le(sp.E, sp.Rational(27, 10)), False),
    (ne(sp.log(2), sp.tanh(1)), True),
    (eq(1 / y, 0), True),
    (eq(kept(sp.Pow, -8, sp.Rational(1, 3)), 0), True),
    (eq(y**-3, 0), True),
    (eq(y**0, 1), True),
    (lt(kept(sp.Pow, sp.pi, -n), sp.Rational(1, 3)), True),
    (lt(sp.sinh(1) + sp.sin(1) + sp.tan(1), 4), True),
    (eq(sp.log(-1 - x**2), 0), True),
    (eq(sp.floor(-sp.pi), -4), True),
    (eq(sp.sign(sp.log(2) - 1), -1), True),
    (lt(sp.Max(sp.pi, 3), sp.Min(sp.pi, 4) + sp.exp(-9)), True),
    (lt(sp.Abs(sp.cos(3)), 1), True),
    (every(l, 0, n, lt(sp.exp(-f(l)), 1)), True),
    (every(l, 0, sp.pi, le(l, 3)), True),
    (Some((l,), Both(le(0, l), le(l, n), eq(f(l), 4))), True),
    (Either(lt(sp.exp(1), 2), lt(2, sp.exp(1))), True),
    (If(lt(sp.exp(1), 2), lt(3, 2)), True),
    (eq(sp.Piecewise((1, lt(sp.exp(1), 2)), (x, True)), x), True),
]


@pytest.mark.parametrize(("formula", "expected"), AGREE, ids=str)
def test_both_ways_to_evaluate_agree(formula, expected):
    at = Instance({"x": Fraction(1, 3), "y": 0, "n": 4, "f": lambda n: n + 1})
    assert truth(formula, at) is expected
    assert enclosed_truth(formula, at) is expected
    assert enclosed_truth(Negation(formula), at) is (not expected)


def test_a_number_is_not_taken_for_a_ball_that_is_kept_under_it():
    root = enclosing.value_of(sp.sqrt(2))(NOTHING)  # kept under its identity, which is an integer
    values = [enclosing.value_of(sp.cos(x))(Instance({"x": v})) for v in (root, Fraction(id(root)))]
    assert not values[0].overlaps(values[1])


# -- equations that define each other ----------------------------------------------------------

CIRCLES = {
    "two": (eq(x, y + TINY), eq(y, x + TINY)),
    "one of them exact": (eq(x, y + TINY), eq(y, x)),
    "three": (eq(x, y + TINY), eq(y, z + TINY), eq(z, x + TINY)),
    "a value and a bound": (eq(x, sp.log(6) + TINY), le(x, sp.log(2) + sp.log(3))),
    "twice": (eq(x, sp.log(6) + TINY), eq(x, sp.log(6))),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_hypotheses_that_contradict_each_other_by_less_than_rounding_prove_nothing(name):
    given = {f"h{k}": h for k, h in enumerate(CIRCLES[name])}
    absurd = Some((n,), Both(eq(2 * n, 2 * n + 1), le(x, z)))
    w = real("w")
    steps = (
        Step("nothing", absurd, smt(), "from a contradiction", tuple(given)),
        Step("for all", Every((w,), absurd), generalise(), "for all", ("nothing",)),
    )
    vacuous = claim(Every((w,), absurd), *steps, given=given, mutants=(Mutant("m", lt(x, x - 1)),))
    assert satisfiable(vacuous, QUICK).verdict != "holds"
    assert prove({}, vacuous, QUICK)[0].verdict != "holds"


def test_definitions_in_any_order_are_satisfied():
    given = {"z": eq(z, x * y), "y": eq(y, sp.exp(x)), "x": eq(x, sp.log(2) + 1)}
    given["w"] = eq(real("w"), sp.Sum(x**l, (l, 0, 3)))
    assert satisfiable(claim(lt(1, z), given=given), QUICK).verdict == "holds"


def test_a_symbol_stands_for_what_it_is_defined_as():
    value = evaluate(sp.log(6), NOTHING)
    at = Instance({"x": value, "y": value})
    tiny = sp.Rational(1, 10**70)
    assert certain([eq(x, sp.log(6)), eq(y, sp.log(6) + tiny)], at)
    assert surely(le(x, y), at) is None
    assert surely(eq(x, y), at) is not False
    assert surely(eq(x, sp.log(6) + 1), at) is False


def test_drawn_values_of_functions_are_no_exact_values():
    a, b = (gmpy2.mpfr(1, BITS) for _ in range(2))
    at = Instance({"f": lambda _: a, "g": lambda _: b})
    assert surely(le(f(0), g(0)), at) is None
    assert surely(le(f(0), f(0) + x), at.having(x=1)) is True
    assert surely(le(f(0), f(1)), at) is None  # one object, but not one value of a function
    assert surely(If(eq(l, n), le(f(l), f(n))), at.having(l=2, n=2)) is True


# -- a search that broke off -------------------------------------------------------------------


def test_a_search_that_broke_off_refutes_nothing():
    proof = Record("proof", "derivation", "holds")
    broke = Record("property", STATEMENT, "fails", detail="broke off: KeyError: 'l'")
    witness = Record("property", STATEMENT, "fails", cases=3, witness={"x": "1"})
    entry = claim(le(0, x**2))
    assert compute_status(entry, [proof], {}) == "proved"
    assert compute_status(entry, [proof, broke], {}) == "open"
    assert compute_status(entry, [proof, witness], {}) == "refuted"


@pytest.mark.parametrize(
    "limits",
    [((l, 0, l),), ((l, l, l + 2),), ((n, 0, l), (l, 0, 2)), ((n, 0, 2), (l, n, n + 1))],
    ids=str,
)
def test_a_bound_may_name_what_the_sum_binds(limits):
    total = sp.Sum(l**2 + n**2, *limits)
    assert set(free_names([total])) == {s.name for s in total.free_symbols}
    assert test_instances(claim(le(0, total)), QUICK)[0].verdict == "holds"


def test_a_sum_that_rests_on_samples_is_not_remembered_as_certain():
    at = Instance({"n": Fraction(1), "x": Fraction(0)}, lambda *_: [Fraction(0), Fraction(1)])
    case = sp.Piecewise((1, Every((x,), le(x, 5))), (0, True))  # no sample is above 5
    formula = lt(0, sp.Sum(case * l, (l, 0, n)))
    assert enclosed_truth(formula, at, samples=True) is True
    assert enclosed_truth(formula, at) is None
