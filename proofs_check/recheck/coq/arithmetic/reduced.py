"""Contradictions found after solving equations or multiplying out inverses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quicktions import Fraction

from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import (
    Polynomial,
    Search,
    SignFact,
    minus,
    plus,
    times,
    written,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.roots import without_roots

__all__ = ["cleared", "reduced"]

LEVELS = (1, 2, 3, 4)


def reduced(given: Sequence[SignFact]) -> str | None:
    """A script for a contradiction of the facts after solving equations for unknowns, or None.

    If that fails, inverses are multiplied out first, or squares of roots are replaced.
    """
    found = _with_solved(given)
    if found is None:
        facts, script = cleared(given)
        rest = _with_solved(facts) if script else None
        found = script + rest if rest else None
    if found is None:
        plain, before = _solved(given)
        facts, script = without_roots(plain)
        rest = _with_solved(facts) if script else None
        found = before + script + rest if rest else None
    return found


def _with_solved(given: Sequence[SignFact]) -> str | None:
    facts, script = _solved(given)
    if any(f.kind == "lt" and not f.poly for f in facts):
        return f"{script}lra"
    found = Search(facts).script(LEVELS)
    return script + found if found else None


def _solved(given: Sequence[SignFact]) -> tuple[list[SignFact], str]:
    """The facts with every solvable unknown eliminated, and a script for it.

    An unknown is solvable by an equation, or as its square is in a sum of squares that is at most 0.
    """
    facts, script = _without_squares(list(given))
    solved = _solvable(facts)
    while solved is not None:
        equation, name, value = solved
        text = written(value)
        script += f"assert (S_{name} : {name} = {text}) by lra; subst {name}; "
        facts = [_put(f, name, value, text) for f in facts if f is not equation]
        facts = [f for f in facts if f.poly or f.kind == "lt"]
        solved = _solvable(facts)
    return facts, script


def _without_squares(facts: list[SignFact]) -> tuple[list[SignFact], str]:
    """The facts with 0 for each unknown of a sum of squares that is at most 0, and a script."""
    script = ""
    for f in facts:
        names = [m[0][0] for m, c in f.poly if len(m) == 1 and m[0][1] == 2 and c < 0]
        if f.kind != "le" or len(names) < len(f.poly) or any(n[0] not in "tux" for n in names):
            continue
        squares = "".join(f"pose proof (Rle_0_sqr {n}) as Q_{n}; " for n in names)
        for n in names:
            zero = f"apply Rsqr_0_uniq; unfold Rsqr in *; {squares}unfold Rsqr in *; lra"
            script += f"assert (S_{n} : {n} = 0) by ({zero}); "
        for n in names:
            script += f"subst {n}; "
            facts = [_put(g, n, {}, "0") for g in facts if g is not f]
        return [g for g in facts if g.poly or g.kind == "lt"], script
    return facts, script


def _solvable(facts: Sequence[SignFact]) -> tuple[SignFact, str, Polynomial] | None:
    """An equation that expresses one unknown in the others, the unknown, and its value; or None."""
    for f in sorted((f for f in facts if f.kind == "eq"), key=lambda f: len(f.poly)):
        for m, c in f.poly:
            if len(m) == 1 and m[0][1] == 1 and m[0][0][0] in "tux":
                name = m[0][0]
                if sum(any(x == name for x, _ in n) for n, _ in f.poly) == 1:
                    return f, name, {n: -d / c for n, d in f.poly if n != m}
    return None


def cleared(given: Sequence[SignFact]) -> tuple[list[SignFact], str]:
    """The facts multiplied by the positive b wherever t b = 1 is known, without t; and a script."""
    facts, script = list(given), ""
    inverse = _inverse(facts)
    while inverse is not None:
        equation, t, b = inverse
        scale = -dict(equation.poly)[()]
        known = [f for f in facts if len(f.poly) <= 4]
        other = SignFact.of("le", minus({}, b), f"- {written(b)}")
        positive = Search([*known, other]).script((1, 2, 3))
        if positive is None:
            break
        script += f"assert (B_{t} : 0 < {written(b)}) by (apply Rnot_le_lt; intro B; {positive}); "
        following = []
        for f in facts:
            by_power = _powers(f, t)
            highest = max(by_power)
            if f is equation or highest > 2:
                continue
            if not highest:
                following.append(f)
                continue
            whole: Polynomial = {}
            quotient: Polynomial = {}
            for j, part in by_power.items():
                turned = part
                for _ in range(highest - j):
                    turned = times(turned, b)
                whole = plus(whole, turned)
                for _ in range(j):
                    quotient = plus(quotient, turned)
                    turned = times(turned, times({((t, 1),): Fraction(1)}, b))
            if all(m == () for m in whole):
                continue
            sign = {"eq": "=", "le": "<=", "lt": "<"}[f.kind]
            factor = written(b) if highest == 1 else f"({written(b)} * {written(b)})"
            product = f"({f.text}) * {factor}"
            stated = f"{product} = 0" if f.kind == "eq" else f"0 {sign} {product}"
            end = f"{written(whole)} = 0" if f.kind == "eq" else f"0 {sign} {written(whole)}"
            quotient = {m: c / scale for m, c in quotient.items()}
            script += (
                f"assert (C_{t}{len(following)} : {end}) by (assert (X : {stated}) by mult; "
                f"assert (Y : ({equation.text}) * {written(quotient)} = 0) by mult; lra); "
            )
            following.append(SignFact.of(f.kind, whole, written(whole)))
        facts = following
        inverse = _inverse(facts)
    return facts, script


def _inverse(facts: Sequence[SignFact]) -> tuple[SignFact, str, Polynomial] | None:
    """An equation t b = 1 with t and b, where t occurs in no other such b; or None."""
    found = []
    for f in facts:
        poly = dict(f.poly)
        constant = poly.pop((), None)
        if f.kind != "eq" or not constant or not poly:
            continue
        for t in sorted({x for m in poly for x, k in m if k == 1 and x[0] in "tu"}):
            if all(dict(m).get(t) == 1 for m in poly):
                b = {tuple(p for p in m if p[0] != t): -c / constant for m, c in poly.items()}
                found.append((f, t, b))
    inside = {x for _, _, b in found for m in b for x, _ in m}
    return next((e for e in found if e[1] not in inside), None)


def _powers(f: SignFact, t: str) -> dict[int, Polynomial]:
    """The coefficients of the fact's polynomial by powers of t."""
    parts: dict[int, Polynomial] = {0: {}}
    for m, c in f.poly:
        k = dict(m).get(t, 0)
        parts.setdefault(k, {})[tuple(p for p in m if p[0] != t)] = c
    return parts


def _put(f: SignFact, name: str, value: Polynomial, text: str) -> SignFact:
    """The fact with an unknown replaced by a polynomial."""
    poly: Polynomial = {}
    for m, c in f.poly:
        power = next((k for x, k in m if x == name), 0)
        part: Polynomial = {tuple((x, k) for x, k in m if x != name): c}
        for _ in range(power):
            part = times(part, value)
        poly = plus(poly, part)
    return SignFact.of(f.kind, poly, re.sub(rf"\b{name}\b", text, f.text))
