"""Small claims about functions over the reals and the integers, and their verdicts."""

from __future__ import annotations

import sympy as sp

from ropeproof.proofs_check.run import library
from ropeproof.proofs_check.run.library import Library
from ropeproof.proofs_check.run.runner import check
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Source, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, instance
from ropeproof.theory.language.logic import (
    Every,
    If,
    Negation,
    eq,
    integer,
    le,
    real,
    real_function,
)

x, y, z = real("x y z")
j, k, n = integer("j k n")
f, g = real_function("f"), real_function("g")
QUICK = profile("quick")
OWN = Source("test")
half = sp.Rational(1, 2)

MONOTONE = Every((x, y), If(le(x, y), le(f(x), f(y))))
CONVEX = Every((x, y), le(2 * f((x + y) / 2), f(x) + f(y)))
LIPSCHITZ = Every((x, y), le(sp.Abs(f(x) - f(y)), sp.Abs(x - y)))
ON_SQUARES = Every((n,), eq(f(n**2), 0))
BELOW_100 = Every((n,), le(n, 100))


def claim(goal, *steps, given=None, mutants=None, id="own.test", **more):
    hypotheses = tuple(Hypothesis(*item) for item in (given or {}).items())
    mutants = (Mutant("negated", Negation(goal)),) if mutants is None else mutants
    more.setdefault("needs", frozenset("PTX"))
    return Claim(
        id, "a title", "a statement", OWN, conclusion=goal, hypotheses=hypotheses,
        mutants=mutants, derivation=Derivation(steps) if steps else None, **more,
    )  # fmt: skip


def instantiated(goal, mapping, hypothesis, at=()):
    """The claim that instantiates a `for all` at some values, with its proof.

    `at` is where to attack it.
    """
    taken = Step("taken", goal, instance(mapping), "an instance", ("h",))
    mutant = Mutant("negated", Negation(goal), "", at)
    return claim(goal, taken, given={"h": hypothesis}, mutants=(mutant,))


def verdicts(monkeypatch, *claims):
    monkeypatch.setitem(library.LOADED, (), Library(catalogue(claims), {}))
    return {v.claim.id: v for v in check(profile_name="quick")}
