"""Statements that SymPy made empty while they were written: what is left proves nothing.

`x/x = 1` is false at 0, where 1/0 = 0, and reaches the kernel as `1 = 1`. So there is no
counterexample to what is left; the control is the statement kept as written, with its premise.
"""

from __future__ import annotations

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, kept, one, s

from ropeproof.theory.language.derivation import identity, smt
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    Some,
    eq,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

x, y = real("x y")
i, j, n = integer("i j n")
f = real_function("f")
CANCELLED = eq(x / x, 1)  # SymPy reads 1 = 1
KEPT = eq(kept(sp.Mul, x, kept(sp.Pow, x, -1)), 1)
SQUARE = le(0, x**2)


def _empty(id: str, what: str, conclusion: object, **more: object) -> FalseStatement:
    return false(f"collapse.{id}", what, "check", one(conclusion, smt()), **more)


ENTRIES = (
    _empty(
        "quotient",
        "x/x is 1 but for x = 0",
        CANCELLED,
        control=one(KEPT, identity(), {"x": ne(x, 0)}),
    ),
    _empty(
        "polynomials",
        "the quotient is cancelled although x = 1 is allowed",
        eq((x**2 - 1) / (x - 1) * (x - 1), x**2 - 1),
    ),
    _empty("literal", "nothing is left but true", sp.true),
    _empty("no-parts", "nothing is left of a conjunction", Both()),
    _empty("conjunct", "one part is empty", Both(SQUARE, CANCELLED)),
    _empty("nested-conjunct", "a part of a part is empty", Both(SQUARE, Both(SQUARE, CANCELLED))),
    _empty("for-all", "the body is empty", Every((x,), CANCELLED)),
    _empty("for-all-conjunct", "a part of the body", Every((x,), Both(SQUARE, CANCELLED))),
    _empty("for-some", "the condition on x is empty", Some((x,), CANCELLED)),
    _empty("implied", "what is implied is empty", If(le(0, x), CANCELLED)),
    _empty("premise", "the premise is empty", If(CANCELLED, SQUARE)),
    _empty("impossible-premise", "the premise has become 1 != 1", If(ne(x / x, 1), lt(x, x - 1))),
    _empty("disjunct", "one of the cases is empty", Either(lt(x, 0), CANCELLED)),
    _empty("negated", "what is denied has become 1 != 1", Negation(ne(x / x, 1))),
    _empty("reflexive", "x <= x", le(x + y - y, x)),
    _empty(
        "renamed-sum",
        "two sums that differ in the index's name alone",
        eq(sp.Sum(f(i), (i, 0, n)), sp.Sum(f(j), (j, 0, n))),
    ),
    false(
        "collapse.hypothesis",
        "the hypothesis that shall exclude x = 0 is empty",
        "check",
        claim(SQUARE, s("end", SQUARE, smt(), "h"), given={"h": CANCELLED}),
        control=claim(SQUARE, s("end", SQUARE, smt(), "h"), given={"h": KEPT}),
    ),
    false(
        "collapse.impossible-hypothesis",
        "a hypothesis has become x < x",
        "check",
        claim(lt(x, 0), s("end", lt(x, 0), smt(), "h"), given={"h": lt(x + y, x + y)}),
    ),
    false(
        "collapse.hypothesis-part",
        "a part of a hypothesis is empty",
        "check",
        claim(SQUARE, s("end", SQUARE, smt(), "h"), given={"h": Both(le(0, x), CANCELLED)}),
    ),
)
