"""Logarithms and powers with simple values, and logarithms of products."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.proofs_check.kernel.polynomial import as_constant
from ropeproof.proofs_check.kernel.terms import Term, add, mul, number
from ropeproof.proofs_check.recheck.coq.polynomial_terms import constant
from ropeproof.proofs_check.recheck.coq.printing import as_real

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Unknowns

__all__ = ["at_a_point", "log_apart", "positive"]


def at_a_point(u: Unknowns, name: str, t: Term) -> bool:
    """Whether the term is log 1, log(exp x), x^0 or x^1; if so, it is replaced by its value."""
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


def positive(u: Unknowns, t: Term) -> str | None:
    """A script for 0 < t where that is known of t or of its parts, else None."""
    if t[0] == "*":
        parts = [positive(u, f) for f in t[1]]
        found = [f"({p})" for p in parts if p is not None]
        script = found[0] if found else ""
        for one in found[1:]:
            script = f"(apply Rmult_lt_0_compat; [{script} | {one}])"
        return script if len(found) == len(parts) else None
    if t[0] == "exp":
        return "apply exp_pos"
    if t[0] == "^" and t[2][0] != "q":
        base = positive(u, t[1])
        return None if base is None else f"rewrite gpow_exp; [apply exp_pos | {base}]"
    known = ("lt", number(0), t)
    return u.below(known) if u.depth < 2 and u.facts.known(known) else None


def log_apart(u: Unknowns, name: str, t: Term) -> bool:
    """Whether the logarithm is of a positive product, inverse or power; if so, it is expanded."""
    inside = t[1]
    if u.depth > 1 or inside[0] not in ("*", "^"):
        return False
    factors = inside[1] if inside[0] == "*" else inside[1:2]
    proofs = [positive(u, f) for f in factors]
    if None in proofs or (inside[0] == "^" and inside[2][0] == "q" and inside[2][1] != -1):
        return False
    if inside[0] == "*":
        meant = add(*(("log", f) for f in factors))
        script, product = "reflexivity", f"({proofs[0]})"
        for proof in proofs[1:]:
            script = f"rewrite ln_mult; [{script} | {product} | {proof}]"
            product = f"(apply Rmult_lt_0_compat; [{product} | {proof}])"
    else:
        meant = mul(inside[2], ("log", inside[1]))
        script = f"rewrite gpow_exp; [apply ln_exp | {proofs[0]}]"
        if inside[2][0] == "q":
            at = as_real(inside[1], u.names)
            script = f"transitivity (- ln {at}); [apply ln_Rinv; {proofs[0]} | ring]"
    u.means(name, t, u.term(meant), f"({script})")
    return True
