"""Attempts to get past the kernel, each in a user's file: none of them comes out proved.

Here stand those that no other test covers. What is refused is told in words; what is read is what is
written, whatever the file does to the libraries' settings.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import gmpy2
import mpmath
import numpy as np
import pytest
from certainty_claims import verdicts
from flint import ctx
from sympy.assumptions import global_assumptions
from sympy.core.parameters import global_parameters

from ropeproof.proofs_check.recheck.coq.export import comment
from ropeproof.proofs_check.run import runner, running
from ropeproof.proofs_check.run.modules import claims_of
from ropeproof.proofs_check.run.proving import prove
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.errors import InvalidClaim, Unsupported
from ropeproof.theory.language.claim import Claim, Mutant, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, by_claim
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    integer,
    le,
    lt,
    real,
    within,
)

QUICK = profile("quick")
n = integer("n")
x, y = real("x y")

OPENING = """
import sympy as sp
from ropeproof.theory import Claim, Derivation, Hypothesis, Mutant, Source, Step
from ropeproof.theory.language.derivation import ball, by_claim, smt, witness
from ropeproof.theory.language.logic import *

x, y = real("x y")
k, n = integer("k n")


def claim(goal, rule=None, id="own.goal", **more):
    more.setdefault("mutants", (Mutant("m", lt(x, y)),))
    steps = (Step("only", goal, rule or smt(), ".", tuple(h.name for h in more.get("hypotheses", ()))),)
    return Claim(id, "t", "s", conclusion=goal, derivation=Derivation(steps), **more)


"""


@pytest.fixture
def stated(tmp_path):
    """The claims of a file with the text after the opening, by id."""

    def write(text):
        path = tmp_path / f"own_{abs(hash(text))}.py"
        path.write_text(OPENING + text, encoding="utf-8")
        return {claim.id: claim for claim in claims_of(str(path))}

    return write


def proved(claims, id="own.goal"):
    return prove(claims, claims[id], QUICK)[0].verdict == "holds"


def test_the_opening_is_proved(stated):
    assert proved(stated("CLAIMS = (claim(le(0, x**2)),)"))


@pytest.mark.parametrize(
    "goal",
    [
        "le(0, sp.UnevaluatedExpr(x) ** 2)",
        "lt(x, sp.oo)",
        "ne(x, sp.nan)",
        "ne(x, sp.zoo)",
        "ne(x, sp.I)",
        "sp.ITE(lt(x, 0), lt(x, 1), le(0, x))",
        "eq(sp.Derivative(x**2, x), 2 * x)",
        "eq(sp.Integral(x, (x, 0, 1)), sp.Rational(1, 2))",
        "eq(sp.Product(k, (k, 1, 3)), 6)",
        "le(0, sp.Sum(x**2, (k, 0, sp.oo)))",
        "le(0, sp.Sum(x**2, (y, 0, 3)))",
        "le(0, sp.Sum(x**2, (k, 0, sp.Rational(1, 2))))",
        "le(0, real_function('q')(x) ** 2 + real_function('q')(x, y) ** 2)",
        "le(0, real_function('q')() ** 2)",
        "x",
        "sp.Symbol('p')",
        "eq(0 * x + sp.Pow(0, -1, evaluate=False), 1)",
        "lt(sp.Piecewise((1, lt(x, 2)), (5, lt(x, 1)), (0, True)), 1)",  # the first case that holds
        "eq(kept(sp.Pow, 0, 0), 0)",
        "eq(sp.Sum(k, (k, 3, 1)), -2)",  # SymPy's convention for reversed bounds is not ours
    ],
)
def test_what_has_no_meaning_or_another_is_not_proved(goal, stated):
    assert not proved(stated(f"CLAIMS = (claim({goal}),)"))


def test_a_float_is_refused_where_the_claim_is_made(stated):
    with pytest.raises(InvalidClaim, match=r"3\.0 is a float, and no exact number"):
        stated("CLAIMS = (claim(le(sp.Float(3), 3 + x**2)),)")


@pytest.mark.parametrize(
    "goal",
    [
        "sp.Contains(x, sp.ConditionSet(x, lt(x, 0), sp.Reals))",
        "sp.Equivalent(lt(x, 0), Negation(le(0, x)))",
        "le(0, sp.MatrixSymbol('M', 1, 1)[0, 0] ** 2)",
    ],
)
def test_a_formula_with_hidden_content_is_refused(goal, stated):
    with pytest.raises(InvalidClaim, match="allowed: SymPy's terms of numbers"):
        stated(f"CLAIMS = (claim({goal}),)")


def test_a_number_that_cannot_be_written_is_refused(stated):
    with pytest.raises(InvalidClaim, match="a number of more than 14000 bits"):
        stated("CLAIMS = (claim(le(x, x + sp.Integer(10) ** 5000)),)")


KILLED = """
import os, signal
from ropeproof.proofs_check.evidence import evidence

CLAIMS = (claim(le(0, x**2)),)


@evidence("own.goal", "property", "none")
def none(profile):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_evidence_whose_process_is_killed_fails_and_the_rest_is_judged(tmp_path):
    (tmp_path / "own.py").write_text(OPENING + KILLED, encoding="utf-8")
    tool = Path(sys.executable).with_name("ropeproof")
    words = [tool, "check", "own.*", "--module", "own.py", "--jobs", "2", "--profile", "quick"]
    said = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert said.returncode == 1
    assert "broke off: the process that ran it was ended by signal 9" in " ".join(
        said.stdout.split()
    )
    assert "1 claims: 1 proved" in said.stdout
    assert not said.stderr.startswith("Traceback")


def test_a_worker_that_is_killed_is_told_and_no_claim_is_judged(monkeypatch):
    def broken(*_):
        raise BrokenProcessPool

    monkeypatch.setattr(runner.RunPlan, "run", broken)
    with pytest.raises(Unsupported, match="a worker process was ended before its evidence was"):
        running.run(["trig.sine-below-identity"], [], "quick", 1, fresh=True)


SETTINGS = """
import decimal, random
import flint, gmpy2, mpmath, numpy
import sympy.core.cache
from sympy.assumptions import Q, global_assumptions
from sympy.core.parameters import global_parameters

flint.ctx.prec = 2
mpmath.mp.prec = 3
gmpy2.get_context().precision = 2
gmpy2.get_context().round = gmpy2.RoundUp
numpy.seterr(all="ignore")
decimal.getcontext().prec = 1
random.seed(0)
sympy.core.cache.clear_cache()
global_assumptions.add(Q.positive(x), Q.integer(x))
global_parameters.evaluate = False
"""


@pytest.fixture
def settings():
    """What a file changes of the settings of libraries is put back."""
    before = ctx.prec, mpmath.mp.prec, gmpy2.get_context().copy(), np.geterr()
    yield
    ctx.prec, mpmath.mp.prec = before[:2]
    gmpy2.set_context(before[2])
    np.seterr(**before[3])
    global_assumptions.clear()
    global_parameters.evaluate = True


@pytest.mark.parametrize(
    ("goal", "rule", "verdict"),
    [
        ("lt(sp.cos(x), sp.Rational(6, 10))", "ball()", True),
        ("lt(sp.pi, sp.Rational(31415926535, 10**10) + 0 * x)", "ball()", False),
        ("lt(x, sp.sqrt(2) * sp.sqrt(2))", "smt()", False),
    ],
)
@pytest.mark.usefixtures("settings")
def test_settings_of_libraries_change_no_verdict(goal, rule, verdict, stated):
    given = "(Hypothesis('a', le(1, x)), Hypothesis('b', le(x, 2)))"
    claims = stated(f"CLAIMS = (claim({goal}, {rule}, hypotheses={given}),){SETTINGS}")
    assert proved(claims) is verdict


def test_ids_that_differ_in_their_case_are_two(stated):
    claims = stated(
        "CLAIMS = (claim(lt(x, x + 1), id='own.a'),"
        " claim(lt(x, x - 1), by_claim('own.a', {x: x}), id='own.A', uses=('own.a',)))"
    )
    assert proved(claims, "own.a")
    assert not proved(claims, "own.A")


@pytest.mark.parametrize("used", ["own.goal", "own.other"])
def test_a_cycle_of_derivations_written_later_is_refused(used):
    goal = lt(x, x - 1)

    def told(id, other):
        claim = Claim(id, "t", "s", conclusion=goal, mutants=(Mutant("m", lt(x, y)),))
        derivation = Derivation((Step("only", goal, by_claim(other, {}), "."),))
        return claim.written_later(lambda: (derivation, (other,)))

    with pytest.raises(InvalidClaim, match="in a cycle"):
        catalogue([told("own.goal", used), told("own.other", "own.goal")])


@pytest.mark.parametrize(
    "goal",
    [
        If(lt(x, x - 1), lt(x, y)),
        If(lt(x**2 + 1, x), lt(x, y)),
        Every((n,), If(within(n, 5, 1), lt(n, n - 1))),
        Both(le(0, x**2), If(Both(lt(x, 0), lt(0, x)), lt(x, y))),
    ],
)
def test_a_condition_that_is_never_met_is_not_tested(goal, monkeypatch):
    """Where there is no proof, drawn instances alone would call it tested."""
    vacuous = Claim(
        "own.vacuous",
        "t",
        "s",
        conclusion=goal,
        needs=frozenset("TX"),
        mutants=(Mutant("m", lt(x, y)),),
    )
    verdict = verdicts(monkeypatch, vacuous)["own.vacuous"]
    assert verdict.status == "open"
    assert any("no instance certainly satisfies" in reason for reason in verdict.shortfalls)


def test_a_condition_that_is_met_is_tested(monkeypatch):
    met = Claim(
        "own.met",
        "t",
        "s",
        conclusion=If(lt(x, y), lt(x, y + 1)),
        needs=frozenset("TX"),
        mutants=(Mutant("m", If(lt(x, y), lt(x + 1, y))),),
    )
    assert verdicts(monkeypatch, met)["own.met"].status == "tested"


@pytest.mark.parametrize(
    "text",
    [
        "*) Axiom bad : False. (*",
        '" *) Admitted.',
        "(*) Qed. (*)",
        "one\n*)\nAxiom bad : False.",
        "*(**)*)",
    ],
)
def test_no_text_ends_a_comment_of_coq(text):
    told = comment(text)
    assert not {"*)", "(*"} & {told[i : i + 2] for i in range(len(told))}
    assert not {'"', "\n"} & set(told)


def test_a_for_some_over_integers_finds_no_half(stated):
    claims = stated("CLAIMS = (claim(Some((n,), eq(2 * n, 1)), witness({n: sp.Rational(1, 2)})),)")
    assert not proved(claims)
