"""False statements by derivations that do not hang together."""

from __future__ import annotations

from typing import Any

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, kept, one, s

from ropeproof.theory.language.derivation import ball, identity, instance, smt
from ropeproof.theory.language.logic import (
    Both,
    If,
    eq,
    integer,
    integer_function,
    le,
    lt,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

x, y = real("x y")
i, j, k, l, m, n = integer("i j k l m n")
real_n = real("n")
f = real_function("f")
integer_f = integer_function("f")
Sum = sp.Sum


def _structure() -> tuple[FalseStatement, ...]:
    wrong_end = le(0, x**2 + 1)
    return (
        false(
            "structure.last-step-is-not-the-claim",
            "0 <= x^2 is shown, 1 <= x^2 claimed",
            "check",
            claim(le(1, x**2), s("end", le(0, x**2), smt())),
            at={"x": 0},
            control=claim(le(0, x**2), s("end", le(0, x**2), smt())),
        ),
        false(
            "structure.rests-on-an-assumption",
            "the assumption is no hypothesis",
            "check",
            claim(le(0, x), s("end", le(0, x), smt(), "", (lt(1, x),))),
            at={"x": -1},
            control=claim(
                If(lt(1, x), le(0, x)),
                s("a", le(0, x), smt(), "", (lt(1, x),)),
                s("end", If(lt(1, x), le(0, x)), smt(), "a"),
            ),
        ),
        false(
            "structure.assumption-dropped",
            "the next step forgets what was assumed",
            "smt",
            claim(
                le(0, x), s("a", le(0, x), smt(), "", (lt(1, x),)), s("end", le(0, x), smt(), "a")
            ),
            at={"x": -1},
        ),
        false(
            "structure.uses-a-later-step",
            "the first step uses the second",
            "check",
            claim(
                lt(x, x + y),
                s("a", lt(x, x + y), smt(), "b"),
                s("b", lt(0, y), smt(), "a"),
                s("end", lt(x, x + y), smt(), "b"),
            ),
            at={"x": 0, "y": -1},
        ),
        false(
            "structure.uses-itself",
            "a step that rests on itself",
            "check",
            claim(le(1, x), s("end", le(1, x), smt(), "end")),
            at={"x": 0},
        ),
        false(
            "structure.uses-a-failed-step",
            "a step that did not hold is not there",
            "check",
            claim(le(1, x), s("bad", le(2, x), smt()), s("end", le(1, x), smt(), "bad")),
            at={"x": 0},
        ),
        false(
            "structure.invented-hypothesis",
            "nobody stated that hypothesis",
            "check",
            claim(le(1, x), s("end", le(1, x), smt(), "x is large")),
            at={"x": 0},
        ),
        false(
            "structure.unused-hypothesis",
            "a hypothesis counts only where it is named",
            "smt",
            claim(le(2, x), s("end", le(2, x), smt(), "h"), given={"h": le(1, x)}),
            at={"x": 1},
        ),
        false(
            "structure.unknown-rule",
            "there is no rule of that name",
            "check",
            claim(le(1, x), s("end", le(1, x), _obvious())),
            at={"x": 0},
        ),
        false(
            "structure.stronger-than-shown",
            "a part that no step shows",
            "smt",
            claim(
                Both(wrong_end, le(2, x**2 + 1)),
                s("a", wrong_end, smt()),
                s("end", Both(wrong_end, le(2, x**2 + 1)), smt(), "a"),
            ),
            at={"x": 0},
        ),
        false(
            "structure.converse",
            "an implication is read backwards",
            "smt",
            claim(eq(x, 1), s("end", eq(x, 1), smt(), "h"), given={"h": eq(x**2, 1)}),
            at={"x": -1},
            control=claim(eq(x**2, 1), s("end", eq(x**2, 1), smt(), "h"), given={"h": eq(x, 1)}),
        ),
        false(
            "structure.formula-as-a-number",
            "x <= 1 and x <= 2 are not equal numbers",
            "identity",
            one(sp.Eq(le(x, 1), le(x, 2), evaluate=False), identity()),
        ),
    )


def _obvious() -> Any:
    rule = smt()
    return type(rule)("obvious")


def _huge() -> tuple[FalseStatement, ...]:
    """Statements that nobody can write out: refused at once, by each rule that would try."""
    large = 10**9
    box = {"a": le(0, x), "b": le(x, 1)}
    wide = kept(sp.Pow, x + y + real("z"), 999)
    return (
        false("huge.power", "x^(10^9) is not 0", "identity", one(eq(x**large, 0), identity())),
        false("huge.root", "1/x^(10^9) is not 0", "smt", one(eq(x**-large, 0), smt())),
        false("huge.polynomial", "(x+y)^(10^9)", "smt", one(eq((x + y) ** large, 0), smt())),
        false("huge.ball", "x^(10^9) is 1 at 1", "ball", one(lt(x**large, 1), ball(), box)),
        false("huge.expansion", "half a million terms", "identity", one(eq(wide, 0), identity())),
        false(
            "huge.exponential",
            "exp(10^9 x) is not exp(x)",
            "smt",
            one(eq(sp.exp(large * x), sp.exp(x)), smt()),
            at={"x": "1/1000000000"},
        ),
        false(
            "huge.substituted",
            "10^9 is put for an exponent",
            "instance",
            claim(
                eq(x**large, 1),
                s("same", eq(kept(sp.Mul, x**n, x), x ** (n + 1)), identity(), "h"),
                s("end", eq(x**large, 1), instance({n: large}), "same"),
                given={"h": lt(0, x)},
            ),
        ),
    )


ENTRIES = (*_structure(), *_huge())
