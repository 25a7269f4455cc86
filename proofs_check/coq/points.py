"""Logarithms and powers at a point where they have a simple value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.proofs_check.coq.printing import as_real
from ropeproof.proofs_check.coq.written import constant
from ropeproof.proofs_check.kernel.polynomial import as_constant
from ropeproof.proofs_check.kernel.terms import Term, number

if TYPE_CHECKING:
    from ropeproof.proofs_check.coq.unknowns import Unknowns

__all__ = ["at_a_point"]


def at_a_point(u: Unknowns, name: str, t: Term) -> bool:
    """Whether the term is log 1, log(exp x), x^0 or x^1, and so written."""
    if t[0] == "log" and t[1][0] == "exp":
        u.means(name, t, u.term(t[1][1]), "apply ln_exp")
        return True
    if t[0] == "log" and as_constant(u.normal.poly(t[1])) == 1:
        equal = u.equal(t[1], number(1))
        proof = f"(transitivity (ln 1); [apply f_equal; {equal} | exact ln_1])"
        u.means(name, t, constant(0), proof)
        return True
    if t[0] == "^" and t[2][0] != "q":
        base, exponent = t[1], as_constant(u.normal.poly(t[2]))
        if exponent is None or exponent not in (0, 1):
            return False
        lemma = "gpow_1" if exponent else "(gpow_Z _ 0%Z)"
        at = f"(gpow {as_real(base, u.names)} {exponent})"
        equal = u.equal(t[2], number(exponent))
        proof = f"(transitivity {at}; [apply f_equal; {equal} | rewrite {lemma}; reflexivity])"
        u.means(name, t, u.term(base) if exponent else constant(1), proof)
        return True
    return False
