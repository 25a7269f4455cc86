"""Monotonicity of exponential and logarithm, proved from the derivative."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Rule,
    Step,
    by_claim,
    identity,
    instance,
    mean_value,
    smt,
)
from ropeproof.theory.logic import eq, le, lt, real
from ropeproof.theory.proof import Fact, Scope

__all__ = [
    "CLAIMS",
    "EXP_ABOVE_TANGENT",
    "EXP_LOG_BELOW_IDENTITY",
    "EXP_LOG_MONOTONE",
    "EXP_LOG_POSITIVE",
    "EXP_MIDPOINT",
    "EXP_MONOTONE",
    "EXP_STRICTLY_MONOTONE",
    "exponentials",
    "log_at_least",
    "logarithms",
    "monotone",
]

_TEXTBOOK = Source("textbook", "elementary calculus", "own")
x, y, z = real("x y z")


def monotone(lower: Any, upper: Any) -> Rule:
    """The rule for a step `exp(lower) <= exp(upper)` from `lower <= upper`."""
    return by_claim("exp.monotone", {x: lower, y: upper})


def log_at_least(lower: Any, upper: Any) -> Rule:
    """The rule for a step `log(lower) <= log(upper)` from `0 < lower <= upper`."""
    return by_claim("exp.log-monotone", {x: lower, y: upper})


def exponentials(scope: Scope, lower: Any, upper: Any, why: str, *premises: Any) -> Fact:
    """The fact `exp(lower) <= exp(upper)`, from premises that give `lower <= upper`."""
    goal = le(sp.exp(lower, evaluate=False), sp.exp(upper, evaluate=False))
    return scope.lemma(EXP_MONOTONE, {x: lower, y: upper}, *premises, why=why, goal=goal)


def logarithms(scope: Scope, lower: Any, upper: Any, why: str, *premises: Any) -> Fact:
    """The fact `log(lower) <= log(upper)`, from premises that give `0 < lower <= upper`."""
    goal = le(sp.log(lower, evaluate=False), sp.log(upper, evaluate=False))
    return scope.lemma(EXP_LOG_MONOTONE, {x: lower, y: upper}, *premises, why=why, goal=goal)


def _monotone(strict: bool) -> Claim:
    compare = lt if strict else le
    goal = compare(sp.exp(x), sp.exp(y))
    word = "strictly-monotone" if strict else "monotone"
    sign = "<" if strict else r"\le"
    from_zero = (compare(0, z),)
    return Claim(
        id=f"exp.{word}",
        title=f"The exponential is {word.replace('-', ' ')}",
        statement=rf"$e^x{sign} e^y$ for $x{sign} y$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("x comes first", compare(x, y)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("at 0", le(0, 1 - 1), smt(), "e^z - 1 is 0 at z = 0"),
                Step("slope", compare(0, sp.exp(z)), smt(), "and has the positive slope e^z,"),
                Step(
                    "above 1",
                    compare(1, sp.exp(z)),
                    mean_value(z, 0),
                    "so e^z lies above 1 to the right of 0.",
                    ("at 0", "slope"),
                    from_zero,
                ),
                Step(
                    "quotient",
                    compare(1, sp.exp(y - x)),
                    instance({z: y - x}),
                    "This is so for e^(y-x),",
                    ("above 1", "x comes first"),
                ),
                Step(
                    "product",
                    eq(sp.exp(y), sp.exp(x) * sp.exp(y - x, evaluate=False)),
                    identity(),
                    "by which e^y exceeds e^x.",
                ),
                Step("positive", lt(0, sp.exp(x)), smt(), "e^x is positive."),
                Step("compare", goal, smt(), "Multiply.", ("quotient", "product", "positive")),
            )
        ),
        mutants=(
            Mutant("reversed", compare(sp.exp(y), sp.exp(x))),
            Mutant("twice", compare(2 * sp.exp(x), sp.exp(y))),
        ),
    )


def _log_monotone() -> Claim:
    goal = le(sp.log(x), sp.log(y))
    opposite = lt(sp.log(y), sp.log(x))
    return Claim(
        id="exp.log-monotone",
        title="The logarithm is monotone",
        statement=r"$\ln x\le\ln y$ for $0<x\le y$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("x is positive", lt(0, x), without=(eq(x, 0), lt(0, y), lt(y, 1))),
            Hypothesis("x comes first", le(x, y)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "y is positive",
                    lt(0, y),
                    smt(),
                    "Both are positive.",
                    ("x is positive", "x comes first"),
                ),
                Step(
                    "otherwise",
                    lt(sp.exp(sp.log(y), evaluate=False), sp.exp(sp.log(x), evaluate=False)),
                    by_claim("exp.strictly-monotone", {x: sp.log(y), y: sp.log(x)}),
                    "If log y < log x, exponentiate:",
                    (),
                    (opposite,),
                ),
                Step(
                    "inverse",
                    eq(sp.exp(sp.log(y), evaluate=False), y),
                    identity(),
                    "exp undoes log",
                    ("y is positive",),
                ),
                Step(
                    "inverse of x",
                    eq(sp.exp(sp.log(x), evaluate=False), x),
                    identity(),
                    "for both.",
                    ("x is positive",),
                ),
                Step(
                    "compare",
                    goal,
                    smt(),
                    "y < x would follow, against the hypothesis.",
                    ("otherwise", "inverse", "inverse of x", "x comes first"),
                ),
            )
        ),
        uses=("exp.strictly-monotone",),
        mutants=(
            Mutant("reversed", le(sp.log(y), sp.log(x))),
            Mutant("linear", le(x, sp.log(y))),
        ),
    )


def _log_positive() -> Claim:
    goal = lt(0, sp.log(x))
    return Claim(
        id="exp.log-positive",
        title="The logarithm is positive beyond 1",
        statement=r"$\ln x>0$ for $x>1$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("x exceeds 1", lt(1, x)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "otherwise",
                    le(sp.exp(sp.log(x), evaluate=False), sp.exp(sp.Integer(0))),
                    by_claim("exp.monotone", {x: sp.log(x), y: 0}),
                    "If log x <= 0 then x = exp(log x) <= 1,",
                    (),
                    (le(sp.log(x), 0),),
                ),
                Step(
                    "inverse",
                    eq(sp.exp(sp.log(x), evaluate=False), x),
                    identity(),
                    "exp undoing log,",
                    ("x exceeds 1",),
                ),
                Step(
                    "positive",
                    goal,
                    smt(),
                    "against the hypothesis.",
                    ("otherwise", "inverse", "x exceeds 1"),
                ),
            )
        ),
        uses=("exp.monotone",),
        mutants=(
            Mutant("at least 1", le(1, sp.log(x))),
            Mutant("negative", lt(sp.log(x), 0)),
        ),
    )


def _above_tangent() -> Claim:
    goal = le(1 + x, sp.exp(x))
    return Claim(
        id="exp.above-tangent",
        title="The exponential lies above its tangent at 0",
        statement=r"$1+x\le e^x$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("at 0", le(0, 1 - 1), smt(), "Equal at 0."),
                Step(
                    "right slope",
                    le(sp.exp(sp.Integer(0), evaluate=False), sp.exp(x)),
                    monotone(0, x),
                    "To the right",
                    (),
                    (le(0, x),),
                ),
                Step(
                    "right sign",
                    le(0, sp.exp(x) - 1),
                    smt(),
                    "the slope is not negative",
                    ("right slope",),
                    (le(0, x),),
                ),
                Step(
                    "right",
                    goal,
                    mean_value(x, 0),
                    "keeps the exponential above,",
                    ("at 0", "right sign"),
                    (le(0, x),),
                ),
                Step(
                    "left slope",
                    le(sp.exp(x), sp.exp(sp.Integer(0), evaluate=False)),
                    monotone(x, 0),
                    "and to the left",
                    (),
                    (le(x, 0),),
                ),
                Step(
                    "left sign",
                    le(0, -(sp.exp(x) - 1)),
                    smt(),
                    "not positive.",
                    ("left slope",),
                    (le(x, 0),),
                ),
                Step(
                    "left",
                    goal,
                    mean_value(x, 0),
                    "keeps it above too.",
                    ("at 0", "left sign"),
                    (le(x, 0),),
                ),
                Step("either", goal, smt(), "Either side.", ("right", "left")),
            )
        ),
        uses=("exp.monotone",),
        mutants=(
            Mutant("higher", le(1 + x + x**2 / 2, sp.exp(x))),
            Mutant("reversed", le(sp.exp(x), 1 + x)),
        ),
    )


def _midpoint() -> Claim:
    goal = le(2 * sp.exp((x + y) / 2), sp.exp(x) + sp.exp(y))
    half = (sp.exp(x / 2), sp.exp(y / 2))
    return Claim(
        id="exp.midpoint",
        title="The arithmetic mean of two exponentials is at least the geometric one",
        statement=r"$2e^{(x+y)/2}\le e^x+e^y$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "square",
                    eq(sp.exp(x) + sp.exp(y) - 2 * sp.exp((x + y) / 2), (half[0] - half[1]) ** 2),
                    identity(),
                    "The difference is a square.",
                ),
                Step("sign", le(0, (half[0] - half[1]) ** 2), smt(), "A square."),
                Step("bound", goal, smt(), "So it is not negative.", ("square", "sign")),
            )
        ),
        mutants=(
            Mutant("factor 3", le(3 * sp.exp((x + y) / 2), sp.exp(x) + sp.exp(y))),
            Mutant("reversed", le(sp.exp(x) + sp.exp(y), 2 * sp.exp((x + y) / 2))),
        ),
    )


def _log_below_identity() -> Claim:
    goal = le(sp.log(x), x - 1)
    return Claim(
        id="exp.log-below-identity",
        title="The logarithm lies below its tangent at 1",
        statement=r"$\ln x\le x-1$ for $x>0$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("x is positive", lt(0, x), without=(eq(x, 0),)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "tangent",
                    le(1 + sp.log(x), sp.exp(sp.log(x), evaluate=False)),
                    by_claim("exp.above-tangent", {x: sp.log(x)}),
                    "The exponential lies above its tangent;",
                ),
                Step(
                    "inverse",
                    eq(sp.exp(sp.log(x), evaluate=False), x),
                    identity(),
                    "exp undoes log.",
                    ("x is positive",),
                ),
                Step("bound", goal, smt(), "Together.", ("tangent", "inverse")),
            )
        ),
        uses=("exp.above-tangent",),
        mutants=(
            Mutant("by 1/100", le(sp.log(x), x - 1 - sp.Rational(1, 100)), at=(eq(x, 1),)),
            Mutant("reversed", le(x - 1, sp.log(x))),
        ),
    )


EXP_MONOTONE = _monotone(False)
EXP_STRICTLY_MONOTONE = _monotone(True)
EXP_LOG_MONOTONE = _log_monotone()
EXP_LOG_POSITIVE = _log_positive()
EXP_ABOVE_TANGENT = _above_tangent()
EXP_MIDPOINT = _midpoint()
EXP_LOG_BELOW_IDENTITY = _log_below_identity()

CLAIMS = (
    EXP_MONOTONE,
    EXP_STRICTLY_MONOTONE,
    EXP_LOG_MONOTONE,
    EXP_LOG_POSITIVE,
    EXP_ABOVE_TANGENT,
    EXP_MIDPOINT,
    EXP_LOG_BELOW_IDENTITY,
)
