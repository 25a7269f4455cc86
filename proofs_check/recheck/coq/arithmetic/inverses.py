"""Inverses and general powers among the unknowns: their values, or facts about them."""

from __future__ import annotations

from math import gcd, isqrt
from typing import TYPE_CHECKING

from quicktions import Fraction

from ropeproof.proofs_check.kernel.polynomial import as_constant, key, lead, scale
from ropeproof.proofs_check.kernel.terms import Term, mul, number
from ropeproof.proofs_check.recheck.coq.arithmetic.monomials import plain_mono, plain_term
from ropeproof.proofs_check.recheck.coq.arithmetic.points import positive
from ropeproof.proofs_check.recheck.coq.polynomial_terms import constant, joined, power
from ropeproof.proofs_check.recheck.coq.printing import as_integer, as_real, is_whole

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Unknowns

__all__ = ["inverse"]

LARGEST_APART = 10**6  # of the bases whose factors are looked for


def _general_power(u: Unknowns, name: str, t: Term) -> None:
    """Write x^e as exp(e log x) where x is known to be positive.

    Otherwise it is identified with the first power met that has the same normal form.
    """
    turned = t[1] == number(-1)
    squared = t[1][0] == "^" and t[1][2][0] == "q" and t[1][2][1] > 1
    composite = t[1][0] == "q" and _factor(t[1][1]) is not None
    if is_whole(t[2]) and (turned or squared or composite) and _whole_power(u, name, t):
        return
    if t[1][0] == "^" and t[1][2][0] != "q" and u.depth < 2:
        above = positive(u, t[1][1])
        if above is not None:
            total = mul(t[1][2], t[2])
            inner, power, outer = (as_real(x, u.names) for x in (*t[1][1:], t[2]))
            apart = f"(gpow {inner} ({power} * {outer}))"
            script = f"transitivity {apart}; [apply Powers.of_positive; {above} | "
            u.means(
                name, t, u.term(("^", t[1][1], total)), f"{script}apply f_equal; push_IZR; ring]"
            )
            return
    above = positive(u, t[1]) if u.depth < 2 else None
    if above is not None:
        meant = ("exp", mul(t[2], ("log", t[1])))
        u.means(name, t, u.term(meant), f"apply gpow_exp; {above}")
        return
    if is_whole(t[2]) and _whole_power(u, name, t):
        return
    group = ("^", "first", *(key(u.normal.poly(part)) for part in t[1:]))
    first = u.units.setdefault(group, t)
    not_0 = ("ne", t[1], number(0))
    if first == t and is_whole(t[2]) and u.depth < 2 and u.facts.known(not_0):
        u.fact(("ne", u.terms[t], constant(0)), f"apply Powers.not_zero; {u.below(not_0)}")
    if first != t:
        base, exponent = (u.equal(a, b) for a, b in zip(t[1:], first[1:], strict=True))
        u.means(name, t, u.terms[first], f"(apply f_equal2; [{base} | {exponent}])")


def _factor(q: Fraction) -> int | None:
    """The least prime factor of a composite integer; None for any other number."""
    if q.denominator != 1 or not 3 < q < LARGEST_APART:
        return None
    n = int(q)
    return next((p for p in range(2, isqrt(n) + 1) if n % p == 0), None)


def _whole_power(u: Unknowns, name: str, t: Term) -> bool:
    """Whether a power to an integer is rewritten, to other bases or with another exponent."""
    base, e = t[1:]
    if base == number(-1):
        u.means(name, t, u.term(("cos", mul(("pi",), e))), "apply Powers.of_minus_one")
        return True
    exponent = as_real(e, u.names)
    factor = _factor(base[1]) if base[0] == "q" else None
    if factor is not None:
        other = int(base[1]) // factor
        script = f"transitivity (gpow ({factor} * {other}) {exponent}); [apply f_equal2; [lra | "
        script += "reflexivity] | apply Powers.of_product]"
        u.means(name, t, u.term(mul(*(("^", number(q), e) for q in (factor, other)))), script)
        return True
    if base[0] == "*":
        parts = " * ".join(as_real(f, u.names) for f in base[1])
        script = (
            f"transitivity (gpow ({parts}) {exponent}); [apply f_equal2; [push_IZR; reflexivity | "
        )
        script += "reflexivity] | rewrite ?Powers.of_product; ring]"
        u.means(name, t, u.term(mul(*(("^", f, e) for f in base[1]))), script)
        return True
    if base[0] == "^" and is_whole(base[2]):
        inner = as_real(base[1], u.names)
        power, whole = as_real(base[2], u.names), as_integer(base[2], u.names)
        total = mul(base[2], e)
        script = f"transitivity (gpow (gpow {inner} {power}) {exponent}); [apply f_equal2; ["
        script += "first [reflexivity | (symmetry; Powers.to_number)] | reflexivity] | "
        script += f"transitivity (gpow {inner} (IZR ({whole} * {as_integer(e, u.names)})%Z)); "
        script += "[apply Powers.of_power | Powers.same_exponent]]"
        u.means(name, t, u.term(("^", base[1], total)), script)
        return True
    poly = u.normal.poly(e)
    if not poly or as_constant(poly) is not None or any(c.denominator != 1 for c in poly.values()):
        return False
    times = gcd(*map(int, poly.values())) * (1 if lead(poly) > 0 else -1)
    if times == 1:
        return False
    less = plain_term(scale(poly, Fraction(1, times)))
    if not is_whole(less):
        return False
    once: Term = ("^", base, less)
    given = f"(gpow {as_real(once, u.names)} (IZR ({times})%Z))"
    joint = f"(gpow {as_real(base, u.names)} (IZR ({as_integer(less, u.names)} * ({times}))%Z))"
    script = f"transitivity {joint}; [Powers.same_exponent | transitivity {given}; "
    script += "[symmetry; apply Powers.of_power | Powers.to_number]]"
    u.means(name, t, u.term(("^", once, number(times))), script)
    return True


def inverse(u: Unknowns, name: str, t: Term) -> None:
    """Record that 1/x has x's sign and that their product is 1."""
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
    """Whether a premise states literally that the term is positive."""
    poly = u.normal.poly(t)
    return any(
        p.formula[:2] == ("lt", number(0)) and u.normal.poly(p.formula[2]) == poly
        for p in u.premises
    )


def _factors(u: Unknowns, base: Term) -> tuple[Term, Term] | None:
    """1/base as a product of inverses, and base as the product; None if base has one factor."""
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
