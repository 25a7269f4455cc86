"""A step that says nothing is named and refused, and what keeps a step from becoming one."""

from __future__ import annotations

import pytest
import sympy as sp

from ropeproof.proofs_check.authoring.trial import try_claims
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.sequent import same
from ropeproof.proofs_check.run.proving import prove, refute
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.claim import Claim, Hypothesis, Source
from ropeproof.theory.language.derivation import (
    Derivation,
    Step,
    generalise,
    identity,
    instance,
    smt,
)
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    eq,
    integer,
    kept,
    le,
    lt,
    ne,
    real,
)
from ropeproof.theory.language.substitution import kept_at, substitute
from ropeproof.theory.language.wellformed import empty_step

x, y, z = real("x y z")
n, l = integer("n l")
POSITIVE = Hypothesis("x is positive", lt(0, x))
GOAL = lt(0, x + x**3)
LAST = Step("last", GOAL, smt(), "", (POSITIVE.name,))


def claim(*steps, goal=GOAL, given=(POSITIVE,), **more):
    return Claim(
        "own.test", "t", "s", Source("test"), hypotheses=given, conclusion=goal,
        derivation=Derivation(steps), **more,
    )  # fmt: skip


def found(*steps, **more):
    return prove(CLAIMS, claim(*steps, **more), profile("quick"))[0]


EMPTY = {
    "numbers": le(0, 0),
    "an order of numbers": lt(0, 1),
    "an inverse": eq(x * (1 / x), 1),
    "both sides": eq(sp.cos(-x), sp.cos(x)),
    "a conjunct": Both(le(0, x**2), eq(1, 1)),
    "the sides of an alternative": Either(lt(x, y), le(y, y)),
    "from a premise": If(lt(0, y), eq(y / y, 1)),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_step_that_says_nothing_is_refused(name):
    empty = Step("idle", EMPTY[name], smt(), "", (POSITIVE.name,))
    outcome = found(empty, LAST)
    assert outcome.verdict == "unknown"
    assert outcome.detail.startswith("step idle: ")
    assert "says nothing" in outcome.detail
    assert found(LAST).verdict == "holds"


def test_every_such_step_is_named():
    steps = [Step(name, EMPTY[name], smt(), "", (POSITIVE.name,)) for name in EMPTY]
    outcome = found(*steps, LAST)
    assert all(f"step {name}: " in outcome.detail for name in EMPTY)


def test_an_assumption_that_says_nothing_is_refused():
    step = Step("supposed", le(0, x), smt(), "", (POSITIVE.name,), (le(y, y),))
    assert "step supposed: y <= y says nothing" in found(step, LAST).detail


def test_a_contradiction_says_something():
    """What is false as it stands, under what cannot be."""
    below = Every((y,), lt(y, x))
    known = Step("all", below, smt(), "", (), (below,))
    for absurd in (lt(x, x), lt(1, 0), Both(lt(y, x), lt(x, x))):
        step = Step("there", absurd, instance({y: x}), "", ("all",), (below,))
        assert empty_step(step) == ""
        assert empty_step(Step("typed", absurd, smt(), "", ("all",), (below,))) == ""
        assert "says nothing" in empty_step(Step("if", If(absurd, lt(x, y)), smt(), "", ("all",)))
    no = Step("no", Negation(below), smt(), "", ("there",))
    step = Step("there", lt(x, x), instance({y: x}), "", ("all",), (below,))
    assert found(known, step, no, goal=Negation(below), given=()).verdict == "holds"


def test_what_is_wrong_for_itself_comes_first():
    wrong = Step("wrong", lt(x, 0), smt(), "", (POSITIVE.name,))
    empty = Step("idle", le(0, 0), smt(), "")
    assert "step wrong: " in found(wrong, empty, LAST).detail


def test_an_instance_may_say_less_at_an_end():
    """What another fact says at a place where a part of it holds by itself."""
    larger = Step("larger", Both(lt(y, x + y), lt(0, x)), smt(), "", (POSITIVE.name,))
    every = Step("all", Every((y,), larger.conclusion), generalise(), "", ("larger",))
    there = Step(
        "there", Both(lt(-x, kept(sp.Add, x, -x)), lt(0, x)), instance({y: -x}), "", ("all",)
    )
    part = Step("there", Both(lt(0, 1), lt(0, x)), instance({y: 0}), "", ("all",))
    whole = Step("there", Every((z,), Both(le(z, z), eq(1, 1))), instance({y: 0}), "", ("all",))
    assert found(larger, every, there, LAST).verdict == "holds"
    assert empty_step(part) == ""
    assert "says nothing" in empty_step(whole)


def test_a_refutation_says_something_at_every_step():
    false = lt(sp.pi, 3)
    no = Step("no", Negation(false), smt(), "")
    for steps in ((no,), (Step("idle", le(0, 0), smt(), ""), no)):
        printed = claim(*steps, goal=false, given=(), kind="printed", repaired_by="own.other")
        outcome = refute(CLAIMS, printed, profile("quick"))[0]
        assert outcome.verdict == ("holds" if len(steps) == 1 else "unknown")
        assert ("says nothing" in outcome.detail) == (len(steps) == 2)


def test_try_names_it_once():
    own = claim(Step("idle", eq(x * (1 / x), 1), identity(), "", (POSITIVE.name,)), LAST)
    (tried,) = try_claims(own).claims
    (refused, good) = tried.steps
    assert good.refusal is None
    assert refused.refusal is not None
    ((rule, why),) = refused.refusal.tried
    assert rule == "identity"
    assert "Eq(1, 1) says nothing" in why
    assert not refused.refusal.hints


def test_no_step_of_the_catalogue_says_nothing():
    steps = [(c.id, s) for c in CLAIMS.values() if c.derivation for s in c.derivation.steps]
    assert len(steps) > 5000
    assert not [(id, s.label, why) for id, s in steps if (why := empty_step(s))]


# -- a formula at a number ------------------------------------------------------------------------

AT = {
    "a chord": (le(y * sp.cos(y), sp.sin(y)), y, 0),
    "a power": (le(1, x**n), n, 0),
    "a sum": (le(n * x, sp.Sum(x**l, (l, 0, n - 1)) + n), n, 0),
    "a quotient": (le(sp.sin(y) / (1 + y), y + sp.exp(y)), y, 1),
    "under a premise": (If(le(n, l), eq(x**n, x * x ** (n - 1))), n, 1),
    "a quantifier": (Every((x,), le(y * x, sp.Abs(x) + y)), y, 0),
    "a maximum": (le(sp.Max(x, y), sp.Max(y, 0)), y, 0),
}


@pytest.mark.parametrize("name", AT)
def test_a_formula_at_a_number_stays_as_it_is_written(name):
    formula, symbol, number = AT[name]
    there = kept_at(formula, symbol, number)
    assert symbol not in there.free_symbols
    assert empty_step(Step("there", there, smt(), "")) == ""
    assert same(read(there), read(substitute(formula, {symbol: sp.Integer(number)})))


def test_a_formula_without_the_symbol_is_itself():
    assert kept_at(lt(x, y), z, 0) is not None
    assert kept_at(lt(x, y), z, 0) == lt(x, y)
    assert kept_at(ne(z, 0), z, 2) == ne(2, 0)


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        (Every((y,), le(x, y)), y),
        (If(le(0, n), le(sp.Sum(x, (l, 0, n)), 9)), l),
        (le(sp.Sum(x**n, (n, 0, n)), 1), 0),
    ],
)
def test_no_binder_takes_what_is_put_under_it(formula, number):
    symbol = n if number == 0 else x
    with pytest.raises(InvalidArgument, match="under a binder"):
        kept_at(formula, symbol, number)
