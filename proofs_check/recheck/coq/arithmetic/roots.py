"""Square roots in facts: where t^2 = P is known, t^2 is replaced by P."""

from __future__ import annotations

from collections.abc import Sequence

from quicktions import Fraction

from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import (
    Polynomial,
    SignFact,
    minus,
    plus,
    times,
    written,
)

__all__ = ["of_squares", "without_roots"]

MOST_SQUARES = 4  # a root to a higher power stays
MOST_ROUNDS = 12  # two roots whose squares have a known sum would take turns for ever


def of_squares(poly: Polynomial) -> bool:
    """Whether the polynomial is a positive combination of even powers, hence nonnegative."""
    return all(c > 0 and all(k % 2 == 0 for _, k in m) for m, c in poly.items())


def without_roots(given: Sequence[SignFact]) -> tuple[list[SignFact], str]:
    """The facts with the squares of known roots replaced, and a script that proves them."""
    facts, script = list(given), ""
    for _ in range(MOST_ROUNDS):
        known = _root(facts)
        if known is None:
            break
        equation, t, value = known
        scale = dict(equation.poly)[((t, 2),)]
        following = [f for f in facts if f is equation]
        for f in facts:
            poly, quotient = _divided(f, t, value)
            if f is equation or not quotient:
                following += [f] if f is not equation else []
                continue
            quotient = {m: c / scale for m, c in quotient.items()}
            sign = {"eq": "=", "le": "<=", "lt": "<"}[f.kind]
            text = written(poly) if poly else "0"
            stated = f"{text} = 0" if f.kind == "eq" else f"0 {sign} {text}"
            script += (
                f"assert (R_{t}{len(following)} : {stated}) by "
                f"(assert (Y : ({equation.text}) * {written(quotient)} = 0) by mult; lra); "
            )
            following.append(SignFact.of(f.kind, poly, text))
        facts = following
    return facts, script


def _root(facts: Sequence[SignFact]) -> tuple[SignFact, str, Polynomial] | None:
    """An equation for the square of an unknown root, with the unknown and its value; or None."""
    signed = {f.poly for f in facts if f.kind == "le"}
    for f in facts:
        for m, c in f.poly if f.kind == "eq" else ():
            if len(m) != 1 or m[0][1] != 2:
                continue
            t = m[0][0]
            once = sum(any(x == t for x, _ in n) for n, _ in f.poly) == 1
            value = {n: -d / c for n, d in f.poly if n != m}
            root = ((((t, 1),), Fraction(1)),) in signed or value.keys() == {()}
            if not once or not root:
                continue
            if any(g is not f and _divided(g, t, value)[1] for g in facts):
                return f, t, value
    return None


def _divided(f: SignFact, t: str, value: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The polynomial with t^2 replaced by `value`, and the quotient by t^2 - value."""
    rest: Polynomial = {}
    quotient: Polynomial = {}
    square: Polynomial = {((t, 2),): Fraction(1)}
    for m, c in f.poly:
        k = dict(m).get(t, 0)
        part: Polynomial = {tuple(p for p in m if p[0] != t): c}
        if k % 2:
            part = times(part, {((t, 1),): Fraction(1)})
        if k // 2 > MOST_SQUARES:
            return dict(f.poly), {}
        for left in range(k // 2 - 1, -1, -1):
            higher = part
            for _ in range(left):
                higher = times(higher, square)
            quotient = plus(quotient, higher)
            part = times(part, value)
        rest = plus(rest, part)
    return (rest, quotient) if quotient else (minus(dict(f.poly), {}), {})
