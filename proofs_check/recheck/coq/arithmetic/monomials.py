"""Polynomials of the normal form as terms, and monomials split by whether they use an index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import Key, Poly, key, split_trig
from ropeproof.proofs_check.kernel.terms import Term, Variable, add, free, mul, number, sub

__all__ = ["parted", "plain_mono", "plain_term"]


def plain_term(poly: Poly) -> Term:
    """A term with the given normal form, without sums and products of a single part."""
    parts = []
    for mono, c in poly.items():
        factors = [
            ("^", _plain_atom(x), number(n)) if n != 1 else _plain_atom(x) for x, n in mono[0]
        ]
        if mono[1]:
            factors.append(("exp", plain_term(dict(mono[1]))))
        if mono[2]:
            factors.append((mono[2][0], plain_term(dict(mono[2][1]))))
        if c != 1 or not factors:
            factors.insert(0, number(c))
        parts.append(factors[0] if len(factors) == 1 else mul(*factors))
    return parts[0] if len(parts) == 1 else add(*parts) if parts else number(0)


def _plain_atom(x: Key) -> Term:
    kind = x[0]
    if kind in ("x", "pi"):
        return x
    if kind == "f":
        return (*x[:3], tuple(plain_term(dict(a)) for a in x[3]))
    if kind == "inv":
        return ("^", plain_term(dict(x[1])), number(-1))
    if kind == "pow":
        return ("^", plain_term(dict(x[1])), plain_term(dict(x[2])))
    if kind in ("max", "min"):
        return (kind, tuple(plain_term(dict(a)) for a in x[1]))
    if kind == "sum":
        high = plain_term(Normal().poly(sub(plain_term(dict(x[1])), number(1))))
        return ("sum", Variable("i", True), number(0), high, plain_mono(x[2]))
    if kind == "ite":
        return ("ite", x[1], plain_term(dict(x[2])), plain_term(dict(x[3])))
    return (kind, plain_term(dict(x[1])))


def plain_mono(mono: Any) -> Term:
    """The monomial as a term."""
    return plain_term({mono: Fraction(1)})


def parted(mono: Any, c: Fraction, index: Variable) -> Iterator[tuple[Term, Term]]:
    """A monomial as products of a factor without the index and a factor with it."""
    label = index.label
    powers_in = tuple(p for p in mono[0] if label in free(p))
    powers_out = tuple(p for p in mono[0] if label not in free(p))
    exp_in = {m: v for m, v in mono[1] if label in free(m)}
    exp_out = {m: v for m, v in mono[1] if label not in free(m)}
    for trig_out, trig_in in split_trig(mono[2], index):
        for mo, co in trig_out.items():
            for mi, ci in trig_in.items():
                out = plain_term({(powers_out, key(exp_out), mo[2]): c * co * ci})
                inner = (powers_in, key(exp_in), mi[2])
                within = number(1) if inner == ((), (), ()) else plain_mono(inner)
                yield out, within
