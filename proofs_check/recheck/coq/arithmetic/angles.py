"""Cosine, sine and exponential of a sum, expanded in those of its monomials."""

from __future__ import annotations

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import Poly, key
from ropeproof.proofs_check.kernel.terms import Term, add, mul, neg, number
from ropeproof.proofs_check.recheck.coq.arithmetic.monomials import plain_mono, plain_term
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Unknowns
from ropeproof.proofs_check.recheck.coq.polynomial_terms import (
    Written,
    constant,
    joined,
    power,
    unknown,
)
from ropeproof.proofs_check.recheck.coq.printing import as_integer, as_real, is_whole

__all__ = ["expand"]

MOST_COPIES = 8  # of a basic angle or exponent in one term


def expand(u: Unknowns, name: str, t: Term) -> None:
    """Expand cos, sin or exp of a sum in those of its monomials."""
    poly = u.normal.poly(t[1])
    if _cancelled(u, name, t, poly):
        return
    parts: list[tuple[Term, int]] = []
    for mono, c in sorted(poly.items(), key=repr):
        grain = u.grain.get((mono,), c.denominator)
        n = c * grain
        if n.denominator != 1 or abs(n) > MOST_COPIES:
            grain, n = c.denominator, Fraction(c.numerator)
            if abs(n) > MOST_COPIES:
                grain, n = 1, Fraction(1)
                mono_c = mul(number(c), plain_mono(mono))
                parts.append((mono_c, 1))
                continue
        base = plain_mono(mono) if grain == 1 else mul(number(Fraction(1, grain)), plain_mono(mono))
        parts.append((base, int(n)))
    if len(parts) == 1 and parts[0][1] == 1 and parts[0][0][0] != "q":
        _alone(u, name, t, poly)
        return
    if t[0] == "exp":
        units = [_exp(u, b if n > 0 else neg(b)) for b, n in parts]
        copies = [
            u.unit_terms[x] for x, (_, n) in zip(units, parts, strict=True) for _ in range(abs(n))
        ]
        factors = [power(unknown(x), abs(n)) for x, (_, n) in zip(units, parts, strict=True)]
        meant = joined("*", factors, "1")
        total = add(*copies) if len(copies) != 1 else copies[0]
        inside = u.equal(t[1], total)
        script = f"transitivity (exp {as_real(total, u.names)}); [apply f_equal; {inside} | "
        script += "rewrite ?exp_plus, ?exp_0; ring]"
    else:
        found = [_circle(u, b) for b, _ in parts]
        pairs = [(unknown(c), unknown(s)) for c, s in found]
        angles = [u.unit_terms[c] for c, _ in found]
        copies = [
            b if n > 0 else neg(b)
            for b, (_, n) in zip(angles, parts, strict=True)
            for _ in range(abs(n))
        ]
        total = add(*copies) if len(copies) != 1 else copies[0]
        inside = u.equal(t[1], total)
        minus_one = Written("(-1)", "(-1)", {(): Fraction(-1)})
        turns = [
            p if n > 0 else (p[0], joined("*", [minus_one, p[1]], ""))
            for p, (_, n) in zip(pairs, parts, strict=True)
            for _ in range(abs(n))
        ]
        c, s = turns[0] if turns else (Written("1", "1", {(): Fraction(1)}), Written("0", "0", {}))
        for c2, s2 in turns[1:]:
            opposite = joined("*", [minus_one, s, s2], "")
            c, s = (
                joined("+", [joined("*", [c, c2], ""), opposite], ""),
                joined("+", [joined("*", [s, c2], ""), joined("*", [c, s2], "")], ""),
            )
        meant = c if t[0] == "cos" else s
        script = f"transitivity ({t[0]} {as_real(total, u.names)}); [apply f_equal; {inside} | "
        script += (
            "repeat progress (rewrite ?cos_plus, ?sin_plus, ?ncos, ?nsin, ?cos_0, ?sin_0); ring]"
        )
    u.means(name, t, meant, script)
    if u.more and t[0] != "exp":
        within = (("le", constant(-1), u.terms[t]), ("le", u.terms[t], constant(1)))
        u.fact(("and", within), f"apply {t[0]}_within")


def _cancelled(u: Unknowns, name: str, t: Term, poly: Poly) -> bool:
    """Whether a factor x/x cancels in the angle or exponent; if so, it is rewritten that way."""
    if u.depth > 1 or not any(x[0] == "inv" for mono in poly for x, _ in mono[0]):
        return False
    shorter = Normal(u.facts).poly(t[1])
    if shorter == poly:
        return False
    other = plain_term(shorter)
    u.means(name, t, u.term((t[0], other)), f"apply f_equal; {u.below(('eq', t[1], other))}")
    return True


def _exp(u: Unknowns, exponent: Term) -> str:
    poly = u.normal.poly(exponent)
    name, new = u.unit(("exp", key(poly)), ("exp", exponent))
    if new:
        _about_exp(u, name, exponent)
    return name


def _about_exp(u: Unknowns, name: str, exponent: Term) -> None:
    value = unknown(name)
    u.fact(("lt", constant(0), value), "apply exp_pos")
    if exponent[0] == "log" and u.depth < 3:
        inside = ("lt", number(0), exponent[1])
        if u.facts.known(inside):
            same = ("eq", value, u.term(exponent[1]))
            u.fact(same, f"apply exp_ln; {u.below(inside)}")
    if exponent[0] == "*" and exponent[1][0] == number(-1) and exponent[1][1][0] == "log":
        _inverse_of_log(u, value, exponent[1][1])
    opposite = neg(exponent)
    other = u.units.get(("exp", key(u.normal.poly(opposite))))
    if other:
        at = u.unit_terms[other]
        total = add(exponent, at)
        both = u.equal(total, number(0))
        if is_whole(total):
            both = f"transitivity ({as_real(total, u.names)}); [push_IZR; ring | {both}]"
        as_0 = "rewrite <- exp_0; apply f_equal"
        if _says_1(exponent) or _says_1(at):  # which would be written as exp 0, too
            as_0 = "transitivity (exp 0); [apply f_equal | exact exp_0]"
        script = f"rewrite <- exp_plus; {as_0}; {both}"
        partner = unknown(other)
        u.fact(("eq", joined("*", [value, partner], ""), constant(1)), script)


def _says_1(t: Term) -> bool:
    if t[0] == "q":
        return bool(t[1].numerator == 1)
    return any(_says_1(part) for part in t if type(part) is tuple and part)


def _inverse_of_log(u: Unknowns, value: Written, log: Term) -> None:
    """Record exp(-log x) x = 1 where x is known to be positive."""
    inside = ("lt", number(0), log[1])
    if u.depth < 3 and u.facts.known(inside):
        whole = as_real(log, u.names)
        script = (
            f"transitivity (exp ((-1) * {whole}) * exp ({whole})); [apply f_equal2; [reflexivity | "
            f"symmetry; apply exp_ln; {u.below(inside)}] | "
            "rewrite <- exp_plus; rewrite <- exp_0; apply f_equal; ring]"
        )
        u.fact(("eq", joined("*", [value, u.term(log[1])], ""), constant(1)), script)


def _circle(u: Unknowns, angle: Term) -> tuple[str, str]:
    poly = key(u.normal.poly(angle))
    known = u.units.get(("cos", poly)) or u.units.get(("sin", poly))
    angle = u.unit_terms[known] if known else angle
    c, new = u.unit(("cos", poly), ("cos", angle))
    s, new_too = u.unit(("sin", poly), ("sin", angle))
    if new or new_too:
        squares = [joined("*", [unknown(x)] * 2, "") for x in (c, s)]
        u.fact(("eq", joined("+", squares, ""), constant(1)), "apply circle'")
        for x, name in ((c, "cos"), (s, "sin")):
            value = unknown(x)
            within = (("le", constant(-1), value), ("le", value, constant(1)))
            u.fact(("and", within), f"apply {name}_within")
        _special(u, angle, c, s)
    return c, s


def _alone(u: Unknowns, name: str, t: Term, poly: Poly) -> None:
    """Identify an unexpanded exp, cos or sin with the first one met that has the same normal form."""
    group = (t[0], key(poly))
    if group in u.units:
        first = u.units[group]
        script = u.equal(t[1], u.unit_terms[first])
        u.means(name, t, unknown(first), f"(apply f_equal; {script})")
        return
    u.units[group], u.unit_terms[name] = name, t[1]
    if t[0] == "exp":
        _about_exp(u, name, t[1])
    else:
        _circle(u, t[1])


_KNOWN = {  # cosine and sine of pi over a number
    1: (("cos", -1, "PI"), ("sin", 0, "PI")),
    2: (("cos", 0, "PI2"), ("sin", 1, "PI2")),
    3: (("cos", Fraction(1, 2), "PI3"),),
    6: (("sin", Fraction(1, 2), "PI6"),),
}


def _special(u: Unknowns, angle: Term, c: str, s: str) -> None:
    """Record the known values at pi/n and at integer multiples of pi."""
    poly = u.normal.poly(angle)
    if len(poly) != 1:
        return
    ((mono, factor),) = poly.items()
    if mono == (((("pi",), 1),), (), ()):
        parts = factor.denominator
        for f, value, lemma in _KNOWN.get(parts, ()) if factor.numerator == 1 else ():
            at = "PI" if parts == 1 else f"(PI / {parts})"
            equation = ("eq", unknown(c if f == "cos" else s), constant(value))
            script = f"transitivity ({f} {at}); "
            script += f"[apply f_equal; first [reflexivity | field] | apply {f}_{lemma}]"
            u.fact(equation, script)
        if parts == 4 and factor.numerator == 1:
            same = "first [reflexivity | field]"
            script = f"transitivity (cos (PI / 4)); [apply f_equal; {same} | rewrite cos_PI4, <- sin_PI4; "
            u.fact(("eq", unknown(c), unknown(s)), f"{script}apply f_equal; {same}]")
        return
    atoms = [a for a, times in mono[0] for _ in range(times)]
    whole = [plain_mono((((a, 1),), (), ())) for a in atoms if a != ("pi",)]
    turns = not mono[1] and not mono[2] and len(atoms) == len(whole) + 1
    if turns and factor.denominator == 1 and all(is_whole(a) and a[0] in "xf" for a in whole):
        times = " * ".join(as_integer(a, u.names) for a in whole)
        value = f"({factor.numerator} * ({times}))%Z"
        script = f"apply sin_eq_0_1; exists {value}; push_IZR; ring"
        u.fact(("eq", unknown(s), constant(0)), script)
