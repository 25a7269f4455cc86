"""The normal form: a term as a polynomial over atoms, real exponentials and one trig factor.

A polynomial maps monomials to non-zero rationals. A monomial is (atoms, exponent, trig):
powers of atoms, exp of a polynomial, and at most one cos or sin of a polynomial, because
products of cosines and sines are written as sums (cos a cos b = (cos(a-b) + cos(a+b))/2).
Finite sums are shifted to start at 0, split into monomials, and what does not depend on the
index is pulled out. Two terms with the same normal form are equal for all values.

Cancellations that need a condition (x * 1/x = 1, sqrt(x)^2 = x, exp(log x) = x) happen only
where `facts.known(condition)` holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any, Protocol

from quicktions import Fraction

from ropeproof.proofs_check.kernel.terms import (
    UNARY,
    Malformed,
    Term,
    add,
    free,
    mul,
    number,
    sub,
    substitute,
)

__all__ = ["Facts", "Mono", "NoFacts", "Normal", "Poly", "key", "term_of"]

Key = tuple[Any, ...]
Mono = tuple[Key, Key, Key]
Poly = dict[Mono, Fraction]
ONE: Mono = ((), (), ())
EXPAND_AT_MOST = 64  # a sum of constant length up to this is written out
_HALF = Fraction(1, 2)


class Facts(Protocol):
    """What may be assumed while normalising."""

    def known(self, formula: Term) -> bool:
        """Whether the formula follows from the facts; a doubt is a no."""

    def push(self, formula: Term) -> None:
        """Assume one more fact."""

    def pop(self) -> None:
        """Forget the last fact."""


_UNCONDITIONAL: dict[Term, Poly] = {}  # normal forms that no fact was used for
REMEMBER_AT_MOST = 10_000


class NoFacts:
    """Nothing is assumed: two terms with one normal form are then equal without condition."""

    def known(self, formula: Term) -> bool:
        """Nothing is known."""
        del formula
        return False

    def push(self, formula: Term) -> None:
        """Nothing to keep."""

    def pop(self) -> None:
        """Nothing to forget."""


def key(poly: Poly) -> Key:
    """A hashable form that equal polynomials share."""
    return tuple(sorted(poly.items(), key=repr))


def constant(value: int | Fraction) -> Poly:
    """The constant polynomial."""
    return {ONE: Fraction(value)} if value else {}


def atom(a: Key) -> Poly:
    """The polynomial of one atom."""
    return {(((a, 1),), (), ()): Fraction(1)}


def plus(*polys: Poly) -> Poly:
    """The sum."""
    result: Poly = {}
    for poly in polys:
        for mono, c in poly.items():
            total = result.get(mono, Fraction(0)) + c
            if total:
                result[mono] = total
            else:
                result.pop(mono, None)
    return result


def scale(poly: Poly, c: int | Fraction) -> Poly:
    """The multiple by a rational."""
    return {mono: v * c for mono, v in poly.items()} if c else {}


def as_constant(poly: Poly) -> Fraction | None:
    """The value of a constant polynomial, else None."""
    if not poly:
        return Fraction(0)
    return poly[ONE] if set(poly) == {ONE} else None


def trig(kind: str, angle: Poly) -> Poly:
    """cos or sin of a polynomial, with multiples of pi removed and the sign made canonical."""
    turn = Fraction(0)  # the constant part of the angle in units of pi
    rest: Poly = {}
    odd: Poly = {}  # odd multiples of pi times an integer: plus and minus are the same turn
    for mono, c in angle.items():
        atoms = [a for a, power in mono[0] for _ in range(power)]
        plain = not mono[1] and not mono[2] and atoms.count(("pi",)) == 1
        if plain and len(atoms) == 1:
            turn += c
        elif plain and c.denominator == 1 and all(a == ("pi",) or _integer_atom(a) for a in atoms):
            if c % 2:  # an even multiple of pi times an integer turns nothing
                odd[mono] = Fraction(1)
        else:
            rest[mono] = c
    sign = 1
    if rest and min(rest.items(), key=repr)[1] < 0:
        rest, turn = scale(rest, -1), -turn
        sign = -1 if kind == "sin" else 1
    quarters, turn = divmod(turn % 2, _HALF)
    for _ in range(int(quarters)):  # cos(x + pi/2) = -sin x, sin(x + pi/2) = cos x
        kind, sign = ("sin", -sign) if kind == "cos" else ("cos", sign)
    if not rest and not odd:
        exact = {
            ("cos", Fraction(0)): Fraction(1),
            ("sin", Fraction(0)): Fraction(0),
            ("cos", Fraction(1, 3)): _HALF,
            ("sin", Fraction(1, 6)): _HALF,
        }
        if (kind, turn) in exact:
            return constant(sign * exact[kind, turn])
    rest = plus(rest, odd, scale(atom(("pi",)), turn))
    return {((), (), (kind, key(rest))): Fraction(sign)}


def _integer_atom(a: Key) -> bool:
    return a[0] in ("x", "f") and bool(a[2])


class Normal:
    """Computes normal forms under given facts."""

    def __init__(self, facts: Facts | None = None) -> None:
        self.facts: Facts = facts or NoFacts()
        self._depth = 0
        self._memory = _UNCONDITIONAL if facts is None else {}

    # -- arithmetic ---------------------------------------------------------------

    def times(self, *polys: Poly) -> Poly:
        """The product."""
        result = constant(1)
        for poly in polys:
            result = plus(
                *(
                    scale(self._times_mono(m1, m2), c1 * c2)
                    for m1, c1 in result.items()
                    for m2, c2 in poly.items()
                )
            )
        return result

    def power(self, poly: Poly, n: int) -> Poly:
        """The n-th power, n an integer of either sign."""
        if n < 0:
            poly, n = self.inverse(poly), -n
        return self.times(*[poly] * n)

    def _times_mono(self, a: Mono, b: Mono) -> Poly:
        powers = dict(a[0])
        for x, n in b[0]:
            powers[x] = powers.get(x, 0) + n
        factors = [self._trig_product(a[2], b[2])]
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
        kept = tuple(sorted(((x, n) for x, n in powers.items() if n), key=repr))
        core: Poly = {(kept, key(exponent), ()): Fraction(1)}
        return _product(self, core, factors)

    def _cancel(self, x: Key, powers: dict[Key, int]) -> None:
        base = dict(x[1])
        mono, c = next(iter(base.items()))
        if len(base) != 1 or c != 1 or mono[1] or mono[2] or len(mono[0]) != 1:
            return
        ((y, n),) = mono[0]
        common = min(powers[x], powers.get(y, 0)) if n == 1 else 0
        if common > 0 and self.facts.known(("ne", _atom_term(y), number(0))):
            powers[x] -= common
            powers[y] -= common

    def _square(self, x: Key) -> Poly | None:
        inside = dict(x[1])
        if x[0] == "abs":
            return self.times(inside, inside)
        return inside if self.facts.known(("le", number(0), term_of(inside))) else None

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
        """1/poly, with 1/0 = 0: factor by factor, else an atom."""
        if not poly:
            return {}
        if len(poly) > 1:
            lead = min(poly.items(), key=repr)[1]
            return scale(atom(("inv", key(scale(poly, 1 / lead)))), 1 / lead)
        ((mono, c),) = poly.items()
        parts = [constant(1 / c), self.exponential(scale(dict(mono[1]), -1))]
        for x, n in mono[0]:
            inner = dict(x[1]) if x[0] == "inv" else None
            parts.append(self.power(inner if inner is not None else atom(("inv", key(atom(x)))), n))
        if mono[2]:
            parts.append(atom(("inv", key({((), (), mono[2]): Fraction(1)}))))
        return self.times(*parts)

    def exponential(self, exponent: Poly) -> Poly:
        """exp of a polynomial; exp(n log x) becomes x^n for an integer n and x > 0."""
        rest: Poly = {}
        factors: list[Poly] = []
        for mono, c in exponent.items():
            inside = _log_argument(mono)
            if inside is not None and c.denominator == 1 and self._positive(inside):
                factors.append(self.power(inside, int(c)))
            else:
                rest[mono] = c
        return _product(self, {((), key(rest), ()): Fraction(1)}, factors)

    def _positive(self, poly: Poly) -> bool:
        value = as_constant(poly)
        if value is not None:
            return bool(value > 0)
        return self.facts.known(("lt", number(0), term_of(poly)))

    # -- terms --------------------------------------------------------------------

    def poly(self, term: Term) -> Poly:
        """The normal form of a term; outside of sums the facts are fixed, and it is remembered."""
        if self._depth:
            return self._poly(term)
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
            return self._sum(*term[1:])
        if kind in ("max", "min"):
            return atom((kind, tuple(sorted((key(self.poly(t)) for t in term[1]), key=repr))))
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
            lead = min(inside.items(), key=repr)[1]
            inside = scale(inside, 1 / lead)
            if value is not None:
                return constant(abs(value) if kind == "abs" else (1 if value > 0 else -1))
            factor = abs(lead) if kind == "abs" else (1 if lead > 0 else -1)
            return scale(atom((kind, key(inside))), factor)
        if kind == "sqrt" and value is not None and value >= 0:
            root = _exact_root(value)
            if root is not None:
                return constant(root)
        if not inside and kind in ("abs", "sign", "floor", "sqrt", "log"):
            return {}
        return atom((kind, key(inside)))

    def _condition(self, f: Term) -> Term:
        """A relation with everything on its right side; other formulas stay."""
        if f[0] not in ("eq", "ne", "le", "lt"):
            return f
        return (f[0], number(0), term_of(dict(key(self.poly(sub(f[2], f[1]))))))

    def _power(self, base: Term, exponent: Term) -> Poly:
        b, e = self.poly(base), self.poly(exponent)
        n = as_constant(e)
        if n is not None and n.denominator == 1:
            return self.power(b, int(n))
        if self._positive(b):
            return self.exponential(self.times(e, self._log(b)))
        if _integer_poly(e) and all(c % 2 == 0 for c in e.values()):  # x^(2n) = exp(n log x^2)
            square = self.times(b, b)
            if self._positive(square):
                return self.exponential(self.times(scale(e, _HALF), self._log(square)))
        if _integer_poly(e) and len(b) == 1:  # (xy)^n = x^n y^n and exp(x)^n = exp(n x)
            ((mono, c),) = b.items()
            parts = [self.exponential(self.times(e, dict(mono[1])))]
            parts += [atom(("pow", key(atom(x)), key(scale(e, k)))) for x, k in mono[0]]
            if c != 1:
                size = self.exponential(self.times(e, self._log(constant(abs(c)))))
                parts += [size] + ([atom(("pow", key(constant(-1)), key(e)))] if c < 0 else [])
            if mono[2]:
                parts.append(atom(("pow", key({((), (), mono[2]): Fraction(1)}), key(e))))
            return self.times(*parts)
        return atom(("pow", key(b), key(e)))

    def _log(self, poly: Poly) -> Poly:
        """log of a polynomial known to be positive; positive factors become summands."""
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

    def _sum(self, name: str, low: Term, high: Term, body: Term) -> Poly:
        length = self.poly(add(sub(high, low), number(1)))
        n = as_constant(length)
        if n is not None and n <= EXPAND_AT_MOST:
            terms = (substitute(body, {name: add(low, number(i))}) for i in range(max(0, int(n))))
            return plus(*(self.poly(t) for t in terms))
        self._depth += 1
        taken = {*free(body), *free(low), *free(high)}
        k = self._depth
        while f"#{k}?" in taken:
            k += 1
        index: Term = ("x", f"#{k}?", True)
        self.facts.push(("and", (("le", number(0), index), ("le", index, sub(high, low)))))
        inside = self.poly(substitute(body, {name: add(index, low)}))
        self.facts.pop()
        self._depth -= 1
        return plus(*(scale(self._sum_mono(m, index, length), c) for m, c in inside.items()))

    def _sum_mono(self, mono: Mono, index: Term, length: Poly) -> Poly:
        """The sum of one monomial: what does not mention the index is pulled out."""
        atoms_in = tuple(p for p in mono[0] if _mentions(p, index))
        atoms_out = tuple(p for p in mono[0] if not _mentions(p, index))
        exponent_in = {m: c for m, c in mono[1] if _mentions(m, index)}
        exponent_out = {m: c for m, c in mono[1] if not _mentions(m, index)}
        pulled: Poly = {(atoms_out, key(exponent_out), ()): Fraction(1)}
        parts = []
        for trig_out, trig_in in self._split_trig(mono[2], index):
            for m, c in trig_in.items():
                summed = self._sum_atom((atoms_in, key(exponent_in), m[2]), index, length)
                parts.append(self.times(pulled, trig_out, scale(summed, c)))
        return plus(*parts)

    def _split_trig(self, part: Key, index: Term) -> list[tuple[Poly, Poly]]:
        """cos(a + b) = cos a cos b - sin a sin b, with the index in b alone."""
        one = constant(1)
        if not _mentions(part, index):
            return [({((), (), part): Fraction(1)}, one)]
        inside = {m: c for m, c in part[1] if _mentions(m, index)}
        outside = {m: c for m, c in part[1] if not _mentions(m, index)}
        if not outside:
            return [(one, {((), (), part): Fraction(1)})]
        other, sign = ("sin", -1) if part[0] == "cos" else ("cos", 1)
        return [
            (trig("cos", outside), trig(part[0], inside)),
            (scale(trig("sin", outside), sign), trig(other, inside)),
        ]

    def _sum_atom(self, inner: Mono, index: Term, length: Poly) -> Poly:
        if inner == ONE:
            return self._count(length)
        name = f"#{1 + max((int(n[1:]) for n in _bound_names(inner)), default=0)}"
        renamed = self.poly(substitute(_mono_term(inner), {index[1]: ("x", name, True)}))
        ((inner, c),) = renamed.items()
        return scale(atom(("sum", name, key(length), inner)), c)

    def _count(self, length: Poly) -> Poly:
        if self.facts.known(("le", number(0), term_of(length))):
            return length
        return atom(("max", tuple(sorted((key(length), ()), key=repr))))

    # -- comparisons --------------------------------------------------------------

    def is_zero(self, term: Term) -> bool:
        """Whether the term is 0, after clearing the denominators known to be non-zero."""
        poly = self.poly(term)
        while poly:
            target = next((x for x in _denominators(poly) if self._nonzero(dict(x[1]))), None)
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
        return self.facts.known(("ne", term_of(poly), number(0)))

    def formula(self, f: Term, depth: int = 0) -> Key:
        """A hashable form that formulas equal up to arithmetic and bound names share."""
        kind = f[0]
        if kind in ("eq", "ne", "le", "lt"):
            poly = self.poly(sub(f[2], f[1]))
            value = as_constant(poly)
            if value is not None:
                holds = {"eq": value == 0, "ne": value != 0, "le": value >= 0, "lt": value > 0}
                return ("true",) if holds[kind] else ("false",)
            lead = min(poly.items(), key=repr)[1]
            return (kind, key(scale(poly, 1 / (lead if kind in ("eq", "ne") else abs(lead)))))
        if kind in ("and", "or"):
            parts = {self.formula(g, depth) for g in _flat(kind, f[1])} - {
                ("true",) if kind == "and" else ("false",)
            }
            if len(parts) == 1:
                return parts.pop()
            return (
                (kind, tuple(sorted(parts, key=repr)))
                if parts
                else (("true",) if kind == "and" else ("false",))
            )
        if kind == "if":
            premise, conclusion = self.formula(f[1], depth), self.formula(f[2], depth)
            return conclusion if premise == ("true",) else ("if", premise, conclusion)
        if kind in ("all", "some"):
            names = {v[0]: f"@{depth}.{i}" for i, v in enumerate(f[1])}
            mapping = {v[0]: _bound_value(names[v[0]], v[1], v[2]) for v in f[1]}
            sorts = tuple((v[1], v[2]) for v in f[1])
            return (kind, sorts, self.formula(substitute(f[2], mapping), depth + 1))
        if kind == "not":
            return ("not", self.formula(f[1], depth))
        if kind not in ("true", "false"):
            raise Malformed(f"not a formula: {kind}")
        return (kind,)


def _bound_value(name: str, is_int: bool, arity: int) -> Any:
    if arity == 0:
        return ("x", name, is_int)
    parameters = tuple(f"argument{i}" for i in range(arity))
    return (parameters, ("f", name, is_int, tuple(("x", p, False) for p in parameters)))


def _flat(kind: str, parts: tuple[Term, ...]) -> Iterator[Term]:
    for part in parts:
        if part[0] == kind:
            yield from _flat(kind, part[1])
        else:
            yield part


def _product(normal: Normal, core: Poly, factors: list[Poly]) -> Poly:
    """core times factors; a factor that is one plain monomial is merged without recursion."""
    for factor in factors:
        if set(factor) == {ONE}:
            core = scale(core, factor[ONE])
        elif set(core) == {ONE}:
            core = scale(factor, core[ONE])
        elif len(core) == 1 and all(not m[0] and not m[1] for m in factor):
            ((mono, c),) = core.items()
            if mono[2]:
                core = normal.times(core, factor)
            else:
                core = {(mono[0], mono[1], m[2]): c * d for m, d in factor.items()}
        else:
            core = normal.times(core, factor)
    return core


def _mentions(part: Any, index: Term) -> bool:
    return part == index or (isinstance(part, tuple) and any(_mentions(p, index) for p in part))


def _bound_names(part: Any) -> Iterator[str]:
    if isinstance(part, tuple):
        if len(part) == 3 and part[0] == "x" and part[1][0] == "#" and part[1][-1] != "?":
            yield part[1]
        for p in part:
            yield from _bound_names(p)


def _denominators(poly: Poly) -> list[Key]:
    return [x for mono in poly for x, _ in mono[0] if x[0] == "inv"]


def _log_argument(mono: Mono) -> Poly | None:
    if mono[1] or mono[2] or len(mono[0]) != 1:
        return None
    ((x, n),) = mono[0]
    return dict(x[1]) if x[0] == "log" and n == 1 else None


def _integer_poly(poly: Poly) -> bool:
    return all(
        c.denominator == 1 and not m[1] and not m[2] and all(_integer_atom(x) for x, _ in m[0])
        for m, c in poly.items()
    )


def _exact_root(value: Fraction) -> Fraction | None:
    p, q = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(p, q) if Fraction(p, q) ** 2 == value else None


def term_of(poly: Poly) -> Term:
    """A term whose normal form is the polynomial."""
    return add(*(mul(number(c), _mono_term(mono)) for mono, c in poly.items()))


def _mono_term(mono: Mono) -> Term:
    parts = [("^", _atom_term(x), number(n)) if n != 1 else _atom_term(x) for x, n in mono[0]]
    if mono[1]:
        parts.append(("exp", term_of(dict(mono[1]))))
    if mono[2]:
        parts.append((mono[2][0], term_of(dict(mono[2][1]))))
    return mul(*parts)


def _atom_term(x: Key) -> Term:
    kind = x[0]
    if kind in ("x", "pi"):
        return x
    if kind == "f":
        return (*x[:3], tuple(term_of(dict(a)) for a in x[3]))
    if kind == "inv":
        return ("^", term_of(dict(x[1])), number(-1))
    if kind == "pow":
        return ("^", term_of(dict(x[1])), term_of(dict(x[2])))
    if kind in ("max", "min"):
        return (kind, tuple(term_of(dict(a)) for a in x[1]))
    if kind == "sum":
        return ("sum", x[1], number(0), sub(term_of(dict(x[2])), number(1)), _mono_term(x[3]))
    if kind == "ite":
        return ("ite", x[1], term_of(dict(x[2])), term_of(dict(x[3])))
    return (kind, term_of(dict(x[1])))
