"""False statements by misuse of axioms and other claims, and from contradictions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s

from ropeproof.proofs_check.semantics.evaluate import evaluate
from ropeproof.proofs_check.semantics.values import Instance
from ropeproof.theory.language.derivation import axiom, by_claim, identity, instance, smt
from ropeproof.theory.language.logic import (
    Both,
    Every,
    eq,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real,
    real_function,
)
from ropeproof.theory.library.sums.inequalities.norm import SUMS_TRIANGLE_INEQUALITY

__all__ = ["ENTRIES"]

x, y, z = real("x y z")
i, j, k, l, m, n, p, q = integer("i j k l m n p q")
real_n, real_p = real("n p")
f, g = real_function("f"), real_function("g")
integer_f = integer_function("f")
Sum = sp.Sum


def turn(of: Any) -> Any:
    """cos(2 pi t) = 1, as written: true for every integer t."""
    return eq(kept(sp.cos, 2 * sp.pi * of), 1)


def _axioms() -> tuple[FalseStatement, ...]:
    def lindemann(goal: Any, mapping: Any, given: Any = None) -> Any:
        return one(goal, axiom("Lindemann", mapping), given)

    powers = {"m": le(1, m), "q": ne(q, 0)}
    return (
        false(
            "axiom.lindemann-real-for-integer",
            "pi = 1 * pi for the real p = pi",
            "axiom",
            lindemann(ne(sp.pi, kept(sp.Mul, 1, sp.pi)), {p: sp.pi, q: 1, m: 1}),
            at={},
        ),
        false(
            "axiom.lindemann-real-key",
            "the key p is declared real",
            "axiom",
            lindemann(ne(sp.pi, kept(sp.Mul, 1, sp.pi)), {real_p: sp.pi, q: 1, m: 1}),
            at={},
        ),
        false(
            "axiom.lindemann-half",
            "a real x may be q pi^m",
            "axiom",
            lindemann(ne(x, q * sp.pi**m), {p: x}, powers),
            at={"x": evaluate(sp.pi, Instance({})), "q": 1, "m": 1},
        ),
        false(
            "axiom.lindemann-zero-factor",
            "0 = 0 * pi",
            "axiom",
            lindemann(ne(p, q * sp.pi**m), {}, {"m": le(1, m)}),
            at={"p": 0, "q": 0, "m": 1},
            control=lindemann(ne(p, q * sp.pi**m), {}, powers),
        ),
        false(
            "axiom.lindemann-zeroth-power",
            "5 = 5 * pi^0",
            "axiom",
            lindemann(ne(p, q * sp.pi**m), {}, {"m": le(0, m), "q": ne(q, 0)}),
            at={"p": 5, "q": 5, "m": 0},
        ),
        false(
            "axiom.unknown",
            "there is no such axiom",
            "axiom",
            one(ne(sp.exp(1), x), axiom("Schanuel")),
            at={"x": evaluate(sp.E, Instance({}))},
        ),
    )


def _triangles() -> tuple[FalseStatement, ...]:
    """Two misuses of the catalogue's triangle inequality."""
    lemma = SUMS_TRIANGLE_INEQUALITY
    triangle, weights = lemma.conclusion, {"weights": lemma.hypotheses[0].formula}

    def misused(goal: Any, given: Any = None) -> Any:
        step = s("end", goal, by_claim(lemma.id), ";".join(given or {}))
        return claim(goal, step, given=given, uses=(lemma.id,))

    return (
        false(
            "by-claim.triangle-negative-weights",
            "a negative weight turns the inequality",
            "by_claim",
            misused(triangle),
            others=(lemma,),
            at={"D": 1, "n": 1, "p": lambda v: Fraction(-1), "u": lambda v, w: Fraction(1)},
            control=misused(triangle, weights),
        ),
        false(
            "by-claim.triangle-reversed",
            "the inequality the other way round",
            "by_claim",
            misused(le(triangle.rhs, triangle.lhs), weights),
            others=(lemma,),
            at={"D": 1, "n": 2, "p": lambda v: Fraction(1), "u": lambda v, w: 1 - 2 * v},
        ),
    )


def _reuse() -> tuple[FalseStatement, ...]:
    root = claim(
        le(x, y),
        s("end", le(x, y), smt(), "h; x; y"),
        given={"h": le(x**2, y**2), "x": le(0, x), "y": le(0, y)},
        id="lemma.root",
    )
    whole = claim(turn(n), s("end", turn(n), identity()), id="lemma.turn")
    peak = claim(
        lt(0, f(i)),
        s("end", lt(0, f(i)), smt(), "h"),
        given={"h": lt(0, f(i))},
        id="lemma.positive",
    )
    square = claim(le(0, x * x), s("end", le(0, x * x), smt()), id="lemma.square")
    a = claim(eq(1, 0), s("end", eq(1, 0), by_claim("circle.b")), uses=("circle.b",), id="circle.a")
    b = claim(eq(1, 0), s("end", eq(1, 0), by_claim("circle.a")), uses=("circle.a",), id="circle.b")
    own = claim(
        eq(1, 0), s("end", eq(1, 0), by_claim("circle.own")), uses=("circle.own",), id="circle.own"
    )
    missing = claim(
        eq(1, 0),
        s("end", eq(1, 0), by_claim("circle.nowhere")),
        uses=("circle.nowhere",),
        id="circle.missing",
    )

    def reuse(goal: Any, of: Any, mapping: Any, given: Any = None, uses: Any = None) -> Any:
        names = (of.id,) if uses is None else uses
        return claim(
            goal,
            s("end", goal, by_claim(of.id, mapping), ";".join(given or {})),
            given=given,
            uses=names,
        )

    signs = {"x": le(0, x), "y": le(0, y)}
    ordered = {"h": le(x**2, y**2), **signs}
    return (
        false(
            "by-claim.hypothesis-not-discharged",
            "the signs are missing",
            "by_claim",
            reuse(le(x, y), root, {}, {"h": ordered["h"]}),
            others=(root,),
            at={"x": 1, "y": -2},
            control=None,
        ),
        false(
            "by-claim.swapped-arguments",
            "x and y change places in the conclusion only",
            "by_claim",
            reuse(le(y, x), root, {x: y, y: x}, ordered),
            others=(root,),
            at={"x": 1, "y": 2},
        ),
        false(
            "by-claim.conclusion-of-another-instance",
            "the instance is about z",
            "by_claim",
            reuse(le(x, y), root, {x: z}, {"h": le(z**2, y**2), "z": le(0, z), "y": le(0, y)}),
            others=(root,),
            at={"x": 5, "y": 1, "z": 0},
        ),
        false(
            "by-claim.real-for-integer",
            "1/2 stands for an integer",
            "by_claim",
            reuse(eq(-1, 1), whole, {n: half}),
            others=(whole,),
            at={},
        ),
        false(
            "by-claim.real-key",
            "the key is declared real",
            "by_claim",
            reuse(eq(-1, 1), whole, {real_n: half}),
            others=(whole,),
            at={},
        ),
        false(
            "by-claim.real-symbol-of-the-same-name",
            "the real n is not the lemma's integer n",
            "by_claim",
            reuse(turn(real_n), whole, {}),
            others=(whole,),
            at={"n": "1/2"},
        ),
        false(
            "by-claim.not-listed",
            "the lemma is not among `uses`",
            "by_claim",
            reuse(le(x, y), root, {}, {"h": ordered["h"]}, ()),
            others=(root,),
            at={"x": 1, "y": -2},
        ),
        false(
            "by-claim.unknown-symbol",
            "the lemma knows no k",
            "by_claim",
            reuse(le(0, f(j)), peak, {k: j}, {"h": lt(0, f(i))}),
            others=(peak,),
            at={"i": 0, "j": 1, "f": lambda v: 1 - 2 * v},
        ),
        false(
            "by-claim.function-of-wrong-arity",
            "the lemma's f takes one argument",
            "by_claim",
            reuse(lt(0, g(0, 1)), peak, {f: sp.Lambda((i, j), g(i, j))}, {"h": lt(0, g(1, 0))}),
            others=(peak,),
            at={"g": lambda u, v: u - v},
        ),
        false(
            "by-claim.name-clash",
            "the lemma's i is this claim's i unless mapped",
            "by_claim",
            reuse(lt(0, f(j)), peak, {}, {"h": lt(0, f(i))}),
            others=(peak,),
            at={"i": 0, "j": 1, "f": lambda v: 1 - 2 * v},
        ),
        false(
            "by-claim.more-than-the-lemma",
            "0 <= x^2 does not give 0 < x^2",
            "by_claim",
            reuse(lt(0, x * x), square, {}),
            others=(square,),
            at={"x": 0},
        ),
        false(
            "circular.two",
            "a rests on b and b on a",
            "catalogue",
            a,
            others=(b,),
            at={},
            level="catalogue",
        ),
        false(
            "circular.itself",
            "the claim is its own lemma",
            "catalogue",
            own,
            at={},
            level="catalogue",
        ),
        false(
            "circular.unlisted-itself",
            "a claim that uses itself without saying so",
            "by_claim",
            claim(eq(1, 0), s("end", eq(1, 0), by_claim("circle.hidden")), id="circle.hidden"),
            at={},
        ),
        false(
            "circular.nowhere",
            "the claim that is used does not exist",
            "catalogue",
            missing,
            at={},
            level="catalogue",
        ),
    )


def _contradictions() -> tuple[FalseStatement, ...]:
    def vacuous(given: Any) -> Any:
        return claim(eq(1, 0), s("end", eq(1, 0), smt(), ";".join(given)), given=given)

    nowhere = Every((l,), Both(lt(f(l), 0), lt(0, f(l))))
    return (
        false(
            "vacuous.order",
            "x < 0 and 0 < x",
            "runner",
            vacuous({"low": lt(x, 0), "high": lt(0, x)}),
            level="runner",
        ),
        false(
            "vacuous.integer-gap",
            "no integer between 0 and 1",
            "runner",
            vacuous({"low": lt(0, n), "high": lt(n, 1)}),
            level="runner",
        ),
        false(
            "vacuous.circle",
            "x^2 + y^2 = -1",
            "runner",
            vacuous({"circle": eq(x**2 + y**2, -1)}),
            level="runner",
        ),
        false(
            "vacuous.cosine",
            "cos x = 2",
            "runner",
            vacuous({"cosine": eq(sp.cos(x), 2)}),
            level="runner",
        ),
        false(
            "vacuous.everywhere",
            "f < 0 < f",
            "runner",
            claim(eq(1, 0), s("at 0", eq(1, 0), instance({l: 0}), "f"), given={"f": nowhere}),
            level="runner",
        ),
    )


ENTRIES = (*_axioms(), *_triangles(), *_reuse(), *_contradictions())
