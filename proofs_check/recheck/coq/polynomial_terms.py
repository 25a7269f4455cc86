"""Terms as Coq reads them, together with the polynomials for the search of certificates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quicktions import Fraction

from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import Polynomial, plus, times
from ropeproof.proofs_check.recheck.coq.printing import Names, as_real

__all__ = ["Written", "constant", "joined", "power", "unknown"]

MOST_MONOMIALS = 400  # of a polynomial that a certificate is sought for
LARGEST_POWER = 12


@dataclass(frozen=True)
class Written:
    """A term as Coq text: with its unknowns, with the unknowns expanded, and as a polynomial."""

    text: str
    inner: str
    poly: Polynomial | None
    whole: str = ""  # in `Z`, with all unknowns explained


def joined(sign: str, parts: Sequence[Written], empty: str, scope: str = "") -> Written:
    """The sum or product of the parts; with a `scope` they are integers."""
    if not parts:
        return Written(empty, empty[0], {(): Fraction(1)} if empty.startswith("1") else {}, empty)
    text, inner, whole = (
        f" {sign} ".join(getattr(p, which) for p in parts) for which in ("text", "inner", "whole")
    )
    whole = f"({whole})%Z" if scope else ""
    return Written(f"({text}){scope}", f"({inner})", _combined(sign, parts), whole)


def _combined(sign: str, parts: Sequence[Written]) -> Polynomial | None:
    result: Polynomial = {} if sign == "+" else {(): Fraction(1)}
    for part in parts:
        if part.poly is None:
            return None
        result = plus(result, part.poly) if sign == "+" else times(result, part.poly)
        if len(result) > MOST_MONOMIALS:
            return None
    return result


def power(base: Written, n: int) -> Written:
    """The n-th power of a term, n >= 0."""
    if n == 1:
        return base
    poly = _combined("*", [base] * n) if n <= LARGEST_POWER else None
    return Written(f"({base.text} ^ {n})", f"({base.inner} ^ {n})", poly)


def constant(value: int | Fraction) -> Written:
    """A rational constant as a term."""
    value = Fraction(value)
    text = as_real(("q", value), Names({}))
    whole = f"({value.numerator})%Z" if value.denominator == 1 else ""
    return Written(text, text, {(): value} if value else {}, whole)


def unknown(name: str, sort: str = "R") -> Written:
    """An unknown of the lemma as a term; an integer one is cast to a real number."""
    if sort == "Z":
        return Written(name, f"(IZR {name})", {((f"#{name}", 1),): Fraction(1)}, name)
    return Written(name, name, {((name, 1),): Fraction(1)})
