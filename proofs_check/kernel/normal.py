"""The normal form: a term as a polynomial over atoms, real exponentials and one trig factor.

Products of cosines and sines are written as sums (cos a cos b = (cos(a-b) + cos(a+b))/2).
Finite sums are shifted to start at 0, split into monomials, and what does not depend on the
index is pulled out. Two terms with the same normal form are equal for all values.

Cancellations that need a condition (x * 1/x = 1, sqrt(x)^2 = x, exp(log x) = x) happen only
where `facts.known(condition)` holds.
"""

from __future__ import annotations

from collections.abc import Collection
from math import gcd, isqrt
from typing import Protocol

from quicktions import Fraction

from ropeproof.proofs_check.kernel.polynomial import (
    ONE,
    Key,
    Mono,
    Poly,
    as_constant,
    atom,
    atom_term,
    constant,
    integer_poly,
    key,
    lead,
    log_argument,
    plus,
    scale,
    split_trig,
    term_of,
    trig,
)
from ropeproof.proofs_check.kernel.terms import (
    LARGEST_DEGREE,
    LARGEST_POWER,
    MOST_BITS,
    RELATIONS,
    REMEMBER_AT_MOST,
    UNARY,
    Malformed,
    Term,
    Variable,
    add,
    as_value,
    bind_in,
    bits_of,
    free,
    fresh,
    number,
    order,
    sub,
    substitute,
)

__all__ = ["Facts", "Normal"]

MOST_TERMS = 10_000  # of a product, before equal ones are added
MOST_PRODUCTS = 100_000  # of monomials, for one product of many factors
EXPAND_AT_MOST = 64  # a sum of constant length up to this is written out
EXPAND_WITHIN = 4096  # terms of sums within sums that are written out
_HALF = Fraction(1, 2)


class Facts(Protocol):
    """What may be assumed while normalising."""

    @property
    def names(self) -> Collection[str]:
        """The names that the facts speak about."""

    def known(self, formula: Term) -> bool:
        """Whether the formula follows from the facts; a doubt is a no."""

    def given(self, formula: Term) -> Facts:
        """These facts and one more."""


_UNCONDITIONAL: dict[Term, Poly] = {}  # normal forms that no fact was used for


class Normal:
    """Computes normal forms under given facts."""

    def __init__(self, facts: Facts | None = None) -> None:
        self.facts = facts
        self.names = facts.names if facts else ()
        self._memory = _UNCONDITIONAL if facts is None else {}
        self._inner: dict[Term, Normal] = {}
        self._expanding = 1  # terms of the sums that are being written out

    def _known(self, formula: Term) -> bool:
        return self.facts is not None and self.facts.known(formula)

    # -- arithmetic ---------------------------------------------------------------

    def times(self, *polys: Poly) -> Poly:
        """The normal form of a product of polynomials."""
        result = constant(1)
        products = 0
        for poly in polys:
            products += len(result) * len(poly)
            if len(result) * len(poly) > MOST_TERMS or products > MOST_PRODUCTS:
                raise Malformed("a product has too many terms to be multiplied out")
            result = plus(
                *(
                    scale(self._times_mono(m1, m2), c1 * c2)
                    for m1, c1 in result.items()
                    for m2, c2 in poly.items()
                )
            )
        return result

    def power(self, poly: Poly, n: int) -> Poly:
        """The n-th power of a polynomial, n an integer of either sign.

        What is too large is refused before it is multiplied out, powers of powers too: a power is
        all that makes numbers and degrees grow faster than what was written.
        """
        if n < 0:
            poly, n = self.inverse(poly), -n
        degree = max((k for mono in poly for _, k in mono[0]), default=0)
        bits = max(map(bits_of, poly.values()), default=0)
        if n > LARGEST_POWER or (n > 1 and (n * degree > LARGEST_DEGREE or n * bits > MOST_BITS)):
            power = str(n) if bits_of(Fraction(n)) < MOST_BITS else "of that size"
            raise Malformed(f"the power {power} is too large to be multiplied out")
        return self.times(*[poly] * n)

    def _times_mono(self, a: Mono, b: Mono) -> Poly:
        if ONE in (a, b):
            return {b if a == ONE else a: Fraction(1)}
        powers = dict(a[0])
        for x, n in b[0]:
            powers[x] = powers.get(x, 0) + n
        factors = [self._trig_product(a[2], b[2])] if a[2] or b[2] else []
        exponent = plus(dict(a[1]), dict(b[1]))
        if a[1] and b[1]:
            factors.append(self.exponential(exponent))
            exponent = {}
        for x in [x for x in powers if x[0] == "inv"]:
            self._cancel(x, powers)
        for x in [x for x in powers if x[0] in ("sqrt", "abs") and powers[x] >= 2]:
            squared = self._square(x)
            if squared is not None:
                n, powers[x] = divmod(powers[x], 2)
                factors.append(self.power(squared, n))
        left = [(x, n) for x, n in powers.items() if n]
        kept = tuple(sorted(left, key=order) if len(left) > 1 else left)
        core: Poly = {(kept, key(exponent), ()): Fraction(1)}
        return _product(self, core, factors)

    def _cancel(self, x: Key, powers: dict[Key, int]) -> None:
        base = dict(x[1])
        mono, c = next(iter(base.items()))
        if len(base) != 1 or c != 1 or mono[1] or mono[2] or len(mono[0]) != 1:
            return
        ((y, n),) = mono[0]
        common = min(powers[x], powers.get(y, 0)) if n == 1 else 0
        if common > 0 and self._known(("ne", atom_term(y), number(0))):
            powers[x] -= common
            powers[y] -= common

    def _square(self, x: Key) -> Poly | None:
        inside = dict(x[1])
        if x[0] == "abs":
            return self.times(inside, inside)
        return inside if self._known(("le", number(0), term_of(inside))) else None

    def _trig_product(self, a: Key, b: Key) -> Poly:
        if not a or not b:
            return {((), (), a or b): Fraction(1)}
        (f, x), (g, y) = (a[0], dict(a[1])), (b[0], dict(b[1]))
        low, high = plus(x, scale(y, -1)), plus(x, y)
        if f == g:
            sign = 1 if f == "cos" else -1
            return plus(scale(trig("cos", low), _HALF), scale(trig("cos", high), sign * _HALF))
        sign = 1 if f == "sin" else -1
        return plus(scale(trig("sin", high), _HALF), scale(trig("sin", low), sign * _HALF))

    def inverse(self, poly: Poly) -> Poly:
        """The inverse 1/poly, with 1/0 = 0, taken factor by factor, else as an atom."""
        if not poly:
            return {}
        if len(poly) > 1:
            c = lead(poly)
            return scale(atom(("inv", key(scale(poly, 1 / c)))), 1 / c)
        ((mono, c),) = poly.items()
        parts = [constant(1 / c), self.exponential(scale(dict(mono[1]), -1))]
        for x, n in mono[0]:
            inner = dict(x[1]) if x[0] == "inv" else None
            parts.append(self.power(inner if inner is not None else atom(("inv", key(atom(x)))), n))
        if mono[2]:
            parts.append(atom(("inv", key({((), (), mono[2]): Fraction(1)}))))
        return self.times(*parts)

    def exponential(self, exponent: Poly) -> Poly:
        """The exponential of a polynomial; exp(n log x) becomes x^n for an integer n and x > 0."""
        rest: Poly = {}
        factors: list[Poly] = []
        for mono, c in exponent.items():
            inside = log_argument(mono)
            if inside is not None and c.denominator == 1 and self._positive(inside):
                factors.append(self.power(inside, int(c)))
            else:
                rest[mono] = c
        return _product(self, {((), key(rest), ()): Fraction(1)}, factors)

    def _positive(self, poly: Poly) -> bool:
        value = as_constant(poly)
        if value is not None:
            return bool(value > 0)
        return self._known(("lt", number(0), term_of(poly)))

    # -- terms --------------------------------------------------------------------

    def poly(self, term: Term) -> Poly:
        """The normal form of a term; it is computed once and remembered."""
        found = self._memory.get(term)
        if found is None:
            if len(self._memory) > REMEMBER_AT_MOST:
                self._memory.clear()
            found = self._memory[term] = self._poly(term)
        return dict(found)

    def _poly(self, term: Term) -> Poly:
        kind = term[0]
        if kind == "q":
            return constant(term[1])
        if kind in ("x", "pi"):
            return atom(term)
        if kind == "+":
            return plus(*(self.poly(t) for t in term[1]))
        if kind == "*":
            return self.times(*(self.poly(t) for t in term[1]))
        if kind == "^":
            return self._power(term[1], term[2])
        if kind in ("cos", "sin"):
            return trig(kind, self.poly(term[1]))
        if kind == "exp":
            return self.exponential(self.poly(term[1]))
        if kind == "log":
            inside = self.poly(term[1])
            positive = len(inside) == 1 and self._positive(inside)
            return self._log(inside) if positive else self._unary("log", inside)
        if kind == "f":
            return atom((*term[:3], tuple(key(self.poly(t)) for t in term[3])))
        if kind == "sum":
            return self._sum(term)
        if kind in ("max", "min"):
            return atom((kind, tuple(sorted((key(self.poly(t)) for t in term[1]), key=order))))
        if kind == "ite":
            a, b = self.poly(term[2]), self.poly(term[3])
            return a if a == b else atom(("ite", self._condition(term[1]), key(a), key(b)))
        if kind not in UNARY:
            raise Malformed(f"not a term: {kind}")
        return self._unary(kind, self.poly(term[1]))

    def _unary(self, kind: str, inside: Poly) -> Poly:
        value = as_constant(inside)
        if kind == "log":
            if value == 1:
                return {}
            if len(inside) == 1:
                ((mono, c),) = inside.items()
                if c == 1 and not mono[0] and not mono[2]:
                    return dict(mono[1])  # log(exp(x)) = x
        if kind in ("abs", "sign") and inside:
            c = lead(inside)
            size = abs(c) if kind == "abs" else 1 if c > 0 else -1
            return constant(size) if value else scale(atom((kind, key(scale(inside, 1 / c)))), size)
        if kind == "sqrt" and value is not None and value >= 0:
            root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
            if root**2 == value:
                return constant(root)
        if not inside and kind in ("abs", "sign", "floor", "sqrt", "log"):
            return {}
        return atom((kind, key(inside)))

    def _condition(self, f: Term) -> Term:
        """A relation with everything on its right side; any other formula unchanged."""
        if f[0] not in RELATIONS:
            return f
        return (f[0], number(0), term_of(dict(key(self.poly(sub(f[2], f[1]))))))

    def _power(self, base: Term, exponent: Term) -> Poly:
        b, e = self.poly(base), self.poly(exponent)
        n = as_constant(e)
        if n is not None and n.denominator == 1:
            return self.power(b, int(n))
        if self._positive(b):
            return self.exponential(self.times(e, self._log(b)))
        if integer_poly(e) and all(c % 2 == 0 for c in e.values()):  # x^(2n) = exp(n log x^2)
            square = self.times(b, b)
            if self._positive(square):
                return self.exponential(self.times(scale(e, _HALF), self._log(square)))
        if integer_poly(e) and len(b) == 1:  # (xy)^n = x^n y^n and exp(x)^n = exp(n x)
            ((mono, c),) = b.items()
            parts = [self.exponential(self.times(e, dict(mono[1])))]
            parts += [self._whole_power(atom(x), scale(e, k)) for x, k in mono[0]]
            parts += [self.exponential(self.times(e, self._log(constant(abs(c)))))]
            parts += [trig("cos", self.times(atom(("pi",)), e))] if c < 0 else []  # (-1)^n
            if mono[2]:
                parts.append(self._whole_power({((), (), mono[2]): Fraction(1)}, e))
            return self.times(*parts)
        return self._whole_power(b, e) if integer_poly(e) else atom(("pow", key(b), key(e)))

    def _whole_power(self, base: Poly, e: Poly) -> Poly:
        """The power base^e for an integer e: (y^n)^m = y^(nm), also where y = 0 and 1/0 = 0."""
        x = next((x for mono in base for x, _ in mono[0] if base == atom(x)), ONE)
        if x[0] == "inv":  # 1/y = y^-1
            return self._whole_power(dict(x[1]), scale(e, -1))
        if x[0] == "pow" and integer_poly(dict(x[2])):
            return self._whole_power(dict(x[1]), self.times(dict(x[2]), e))
        times = gcd(*map(int, e.values())) * (1 if lead(e) > 0 else -1)
        return self.power(atom(("pow", key(base), key(scale(e, Fraction(1, times))))), times)

    def _log(self, poly: Poly) -> Poly:
        """The logarithm of a polynomial known to be positive; positive factors become summands."""
        if len(poly) != 1:
            return self._unary("log", poly)
        ((mono, c),) = poly.items()
        parts: list[Poly] = [dict(mono[1])]
        rest: list[tuple[Key, int]] = []
        for x, n in mono[0]:
            if x[0] == "inv" and self._positive(dict(x[1])):
                parts.append(scale(self._log(dict(x[1])), -n))
            elif self._positive(atom(x)):
                parts.append(scale(self._unary("log", atom(x)), n))
            else:
                rest.append((x, n))
        if abs(c) != 1:
            parts.append(self._unary("log", constant(abs(c))))
        remaining: Poly = {(tuple(rest), (), mono[2]): Fraction(1 if c > 0 else -1)}
        return plus(*parts, self._unary("log", remaining))

    # -- sums ---------------------------------------------------------------------

    def _sum(self, term: Term) -> Poly:
        _, _, low, high, body = term
        length = self.poly(add(sub(high, low), number(1)))
        n = as_constant(length)
        if n is not None and n <= EXPAND_AT_MOST and n.denominator == 1:
            around, self._expanding = self._expanding, self._expanding * max(1, int(n))
            try:
                if self._expanding > EXPAND_WITHIN:
                    raise Malformed("sums within sums have too many terms to be written out")
                terms = (substitute(body, {0: add(low, number(i))}) for i in range(max(0, int(n))))
                return plus(*(self.poly(t) for t in terms))
            finally:
                self._expanding = around
        (index,) = fresh(term, self.names)
        place = as_value(index)
        within = ("and", (("le", number(0), place), ("le", place, sub(high, low))))
        if within not in self._inner:
            self._inner[within] = Normal(self.facts.given(within)) if self.facts else self
        inner = self._inner[within]
        inside = inner.lowered(inner.poly(substitute(body, {0: add(place, low)})), place)
        return plus(*(scale(self._sum_mono(m, index, length), c) for m, c in inside.items()))

    def lowered(self, poly: Poly, y: Key) -> Poly:
        """The polynomial with y/(y + r) written as 1 - r/(y + r) where y + r is known not to be 0.

        Shifted to start at 0, the sum of k/k from k = 1 has the term (k + 1)/(k + 1).
        """
        for (atoms, exponent, tr), c in poly.items():
            for x, _ in atoms if y in dict(atoms) else ():
                base = dict(x[1]) if x[0] == "inv" else {}
                first = base.pop((((y, 1),), (), ()), None)
                if first is None or y[1] in free(*base) or not self._nonzero(dict(x[1])):
                    continue
                lower = {a: m - (a in (x, y)) for a, m in atoms}
                rest: Poly = {
                    (tuple((a, m) for a, m in lower.items() if m), exponent, tr): c / first
                }
                quotient = plus(constant(1), scale(self.times(base, atom(x)), -1))
                others = {m: d for m, d in poly.items() if m != (atoms, exponent, tr)}
                return self.lowered(plus(others, self.times(rest, quotient)), y)
        return poly

    def _sum_mono(self, mono: Mono, index: Variable, length: Poly) -> Poly:
        """The sum of one monomial over a range, with the factors that do not mention the index pulled out."""
        moving = {p for p in (*mono[0], *mono[1]) if index.label in free(p[0])}
        atoms_in = tuple(p for p in mono[0] if p in moving)
        atoms_out = tuple(p for p in mono[0] if p not in moving)
        exponent_in = dict(p for p in mono[1] if p in moving)
        exponent_out = dict(p for p in mono[1] if p not in moving)
        pulled: Poly = {(atoms_out, key(exponent_out), ()): Fraction(1)}
        parts = []
        for trig_out, trig_in in split_trig(mono[2], index):
            for m, c in trig_in.items():
                inner = (atoms_in, key(exponent_in), m[2])
                summed = (
                    self._count(length)
                    if inner == ONE
                    else atom(("sum", key(length), bind_in(inner, index)))
                )
                parts.append(self.times(pulled, trig_out, scale(summed, c)))
        return plus(*parts)

    def _count(self, length: Poly) -> Poly:
        if self._known(("le", number(0), term_of(length))):
            return length
        return atom(("max", tuple(sorted((key(length), ()), key=order))))

    # -- comparisons --------------------------------------------------------------

    def is_zero(self, term: Term) -> bool:
        """Whether the term is 0, after clearing the denominators known to be non-zero."""
        poly = self.poly(term)
        while poly:
            below = (x for mono in poly for x, _ in mono[0] if x[0] == "inv")
            target = next((x for x in below if self._nonzero(dict(x[1]))), None)
            if target is None:
                return False
            most = max(n for mono in poly for x, n in mono[0] if x == target)
            base = dict(target[1])
            cleared: list[Poly] = []
            for (atoms, exponent, tr), c in poly.items():
                n = dict(atoms).get(target, 0)
                rest = tuple(p for p in atoms if p[0] != target)
                cleared.append(self.times({(rest, exponent, tr): c}, self.power(base, most - n)))
            poly = plus(*cleared)
        return True

    def _nonzero(self, poly: Poly) -> bool:
        return self._known(("ne", term_of(poly), number(0)))


def _product(normal: Normal, core: Poly, factors: list[Poly]) -> Poly:
    """The product of core and factors; a factor of trig terms alone joins a plain monomial directly."""
    for factor in factors:
        mono, c = next(iter(core.items()), (ONE, 0))
        if len(core) == 1 and not mono[2] and all(not m[0] and not m[1] for m in factor):
            core = {(mono[0], mono[1], m[2]): c * d for m, d in factor.items()}
        else:
            core = normal.times(core, factor)
    return core
