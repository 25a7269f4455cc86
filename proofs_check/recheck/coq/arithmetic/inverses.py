"""Inverses and general powers in the unknowns: what they are, or what is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quicktions import Fraction

from ropeproof.proofs_check.kernel.polynomial import key, lead, scale
from ropeproof.proofs_check.kernel.terms import Term, mul, number
from ropeproof.proofs_check.recheck.coq.arithmetic.monomials import plain_mono, plain_term
from ropeproof.proofs_check.recheck.coq.arithmetic.points import positive
from ropeproof.proofs_check.recheck.coq.printing import as_real
from ropeproof.proofs_check.recheck.coq.written import constant, joined, power

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Unknowns

__all__ = ["inverse"]


def _general_power(u: Unknowns, name: str, t: Term) -> None:
    """x^e is exp(e log x) where x is known to be positive; else the first of its normal form."""
    above = positive(u, t[1]) if u.depth < 2 else None
    if above is not None:
        meant = ("exp", mul(t[2], ("log", t[1])))
        u.means(name, t, u.term(meant), f"apply gpow_exp; {above}")
        return
    group = ("^", "first", *(key(u.normal.poly(part)) for part in t[1:]))
    first = u.units.setdefault(group, t)
    if first != t:
        base, exponent = (u.equal(a, b) for a, b in zip(t[1:], first[1:], strict=True))
        u.means(name, t, u.terms[first], f"(apply f_equal2; [{base} | {exponent}])")


def inverse(u: Unknowns, name: str, t: Term) -> None:
    """1/x, of which is known that it has x's sign and gives 1 with it."""
    if t[2][0] != "q" or t[2][1] >= 0:
        _general_power(u, name, t)
        return
    if t[2][1] != -1:
        once: Term = ("^", t[1], number(-1))
        u.means(name, t, power(u.term(once), int(-t[2][1])), "symmetry; apply pow_inv")
        return
    base = t[1]
    if base[0] == "^" and base[2] == number(-1):
        u.means(name, t, u.term(base[1]), "apply Rinv_inv")
        return
    group = ("inverse", key(u.normal.poly(t)))
    first = u.units.setdefault(group, t)
    if first != t:
        script = u.equal(base, first[1])
        u.means(name, t, u.terms[first], f"(apply f_equal; {script})")
        return
    factors = _factors(u, base)
    if factors is not None:
        apart, product = factors
        script = f"transitivity (/ {as_real(product, u.names)}); "
        script += f"[apply f_equal; {u.equal(base, product)} | inverses]"
        u.means(name, t, u.term(apart), script)
        return
    x, over, one = u.term(base), u.terms[t], constant(1)
    product = ("eq", joined("*", [over, x], ""), one)
    zero = number(0)
    if u.depth < 2 and u.facts.known(("lt", zero, base)):
        u.fact(("lt", constant(0), over), f"apply Rinv_0_lt_compat; {u.below(('lt', zero, base))}")
        u.fact(product, f"apply inv_fact; apply Rgt_not_eq; {u.below(('lt', zero, base))}")
    elif u.depth < 2 and _said_positive(u, t):
        above = u.below(("lt", zero, t))
        u.fact(("lt", constant(0), over), above)
        turned = f"rewrite <- (Rinv_inv {as_real(base, u.names)}); apply Rinv_0_lt_compat"
        u.fact(("lt", constant(0), x), f"{turned}; {above}")
        u.fact(product, f"apply inv_fact; apply Rgt_not_eq; {turned}; {above}")
    elif u.depth < 2 and u.facts.known(("ne", base, zero)):
        u.fact(product, f"apply inv_fact; {u.below(('ne', base, zero))}")
    else:
        u.fact(("if", ("ne", x, constant(0)), product), "intro; apply inv_fact; assumption")


def _said_positive(u: Unknowns, t: Term) -> bool:
    """Whether a premise says, as it is, that the term is positive."""
    poly = u.normal.poly(t)
    return any(
        p.formula[:2] == ("lt", number(0)) and u.normal.poly(p.formula[2]) == poly
        for p in u.premises
    )


def _factors(u: Unknowns, base: Term) -> tuple[Term, Term] | None:
    """1/base as a product of inverses, and the product, if base is more than one factor."""
    poly = u.normal.poly(base)
    factors: list[Term]
    if len(poly) == 1:
        ((mono, c),) = poly.items()
        if not mono[0]:
            return None
        factors = [plain_mono((((x, 1),), (), ())) for x, n in mono[0] for _ in range(n)]
        factors += [plain_mono(((), mono[1], ()))] if mono[1] else []
        factors += [plain_mono(((), (), mono[2]))] if mono[2] else []
    else:
        c = lead(poly) if poly else Fraction(1)
        factors = [plain_term(scale(poly, 1 / c))] if c != 1 else []
    if c == 1 and len(factors) < 2:
        return None
    if c != 1:
        factors.insert(0, number(c))
    inverses = [number(1 / f[1]) if f[0] == "q" else ("^", f, number(-1)) for f in factors]
    return (mul(*inverses), mul(*factors)) if len(factors) > 1 else None
