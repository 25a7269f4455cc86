"""Derivatives of terms, with the conditions under which they are the derivative."""

from __future__ import annotations

from ropeproof.proofs_check.kernel.terms import Malformed, Term, add, free, mul, neg, number

__all__ = ["conditions", "derivative"]


def derivative(term: Term, name: str) -> Term:
    """d term / d name, by the rules of differentiation alone.

    Raises `Malformed` where the term is not built from differentiable parts.
    """
    if name not in free(term):
        return number(0)
    kind = term[0]
    if kind == "x":
        return number(1)
    if kind == "+":
        return add(*(derivative(t, name) for t in term[1]))
    if kind == "*":
        parts = term[1]
        return add(
            *(
                mul(*(derivative(t, name) if i == j else t for j, t in enumerate(parts)))
                for i in range(len(parts))
            )
        )
    if kind == "^" and name not in free(term[2]) and term[2][0] == "q":
        n = term[2][1]
        return mul(number(n), ("^", term[1], number(n - 1)), derivative(term[1], name))
    if kind in ("cos", "sin", "exp", "log", "sqrt"):
        outer = {
            "cos": neg(("sin", term[1])),
            "sin": ("cos", term[1]),
            "exp": term,
            "log": ("^", term[1], number(-1)),
            "sqrt": ("^", mul(number(2), term), number(-1)),
        }[kind]
        return mul(outer, derivative(term[1], name))
    raise Malformed(f"not differentiated here: {kind}")


def conditions(term: Term, name: str) -> list[Term]:
    """What must hold on the whole closed range for the term to be differentiable there."""
    if name not in free(term):
        return []
    kind = term[0]
    if kind in ("+", "*"):
        return [c for t in term[1] for c in conditions(t, name)]
    if kind == "^":
        n = term[2][1] if term[2][0] == "q" else None
        if n is None or n.denominator != 1:
            raise Malformed("only integer powers are differentiated")
        return conditions(term[1], name) + ([("ne", term[1], number(0))] if n < 0 else [])
    if kind in ("log", "sqrt"):
        return [*conditions(term[1], name), ("lt", number(0), term[1])]
    if kind in ("cos", "sin", "exp"):
        return conditions(term[1], name)
    return []
