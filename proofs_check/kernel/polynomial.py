"""Polynomials over atoms: the values of the normal form, and their arithmetic without conditions.

A polynomial maps monomials to non-zero rationals. A monomial is (atoms, exponent, trig):
powers of atoms, exp of a polynomial, and at most one cos or sin of a polynomial.
"""

from __future__ import annotations

from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel.terms import Term, Variable, add, free, mul, number, order, sub

__all__ = [
    "ONE", "Key", "Mono", "Poly", "as_constant", "atom", "atom_term", "constant",
    "integer_atom", "integer_poly", "key", "lead", "log_argument",
    "plus", "scale", "split_trig", "term_of", "trig",
]  # fmt: skip

Key = tuple[Any, ...]
Mono = tuple[Key, Key, Key]
Poly = dict[Mono, Fraction]
ONE: Mono = ((), (), ())
_HALF = Fraction(1, 2)


def key(poly: Poly) -> Key:
    """A hashable form that equal polynomials share."""
    return tuple(sorted(poly.items(), key=order) if len(poly) > 1 else poly.items())


def constant(value: int | Fraction) -> Poly:
    """The constant polynomial."""
    return {ONE: Fraction(value)} if value else {}


def atom(a: Key) -> Poly:
    """The polynomial of one atom."""
    return {(((a, 1),), (), ()): Fraction(1)}


def lead(poly: Poly) -> Fraction:
    """The coefficient by which a polynomial is divided to make its scaling canonical."""
    return min(poly.items(), key=order if len(poly) > 1 else None)[1]


def plus(*polys: Poly) -> Poly:
    """The sum of polynomials."""
    result: Poly = {}
    for poly in polys:
        for mono, c in poly.items():
            total = result[mono] + c if mono in result else c
            if total:
                result[mono] = total
            else:
                result.pop(mono, None)
    return result


def scale(poly: Poly, c: int | Fraction) -> Poly:
    """The product of a polynomial and a rational."""
    return {mono: v * c for mono, v in poly.items()} if c else {}


def as_constant(poly: Poly) -> Fraction | None:
    """The value of a constant polynomial, else None."""
    if not poly:
        return Fraction(0)
    return poly[ONE] if set(poly) == {ONE} else None


def trig(kind: str, angle: Poly) -> Poly:
    """The cosine or sine of a polynomial, with multiples of pi removed and the sign made canonical."""
    turn = Fraction(0)  # the constant part of the angle in units of pi
    rest: Poly = {}
    odd: Poly = {}  # odd multiples of pi times an integer: plus and minus are the same turn
    for mono, c in angle.items():
        plain = not mono[1] and not mono[2] and dict(mono[0]).get(("pi",)) == 1
        whole = c.denominator == 1 and all(a == ("pi",) or integer_atom(a) for a, _ in mono[0])
        if plain and len(mono[0]) == 1:
            turn += c
        elif plain and whole:
            if c % 2:  # an even multiple of pi times an integer turns nothing
                odd[mono] = Fraction(1)
        else:
            rest[mono] = c
    sign = 1
    if rest and lead(rest) < 0:
        rest, turn = scale(rest, -1), -turn
        sign = -1 if kind == "sin" else 1
    quarters, turn = divmod(turn % 2, _HALF)
    for _ in range(int(quarters)):  # cos(x + pi/2) = -sin x, sin(x + pi/2) = cos x
        kind, sign = ("sin", -sign) if kind == "cos" else ("cos", sign)
    if not rest and not turn and kind == "sin":
        return {}  # at an integer times pi
    if not rest and not odd:
        exact = {
            ("cos", Fraction(0)): Fraction(1),
            ("cos", Fraction(1, 3)): _HALF,
            ("sin", Fraction(1, 6)): _HALF,
        }
        if (kind, turn) in exact:
            return constant(sign * exact[kind, turn])
    rest = plus(rest, odd, scale(atom(("pi",)), turn))
    return {((), (), (kind, key(rest))): Fraction(sign)}


def integer_atom(a: Key) -> bool:
    """Whether the atom is an integer by its sort."""
    return a[0] in ("x", "f") and bool(a[2])


def integer_poly(poly: Poly) -> bool:
    """Whether all atoms of a polynomial are integers and all its coefficients, too."""
    return all(
        c.denominator == 1 and not m[1] and not m[2] and all(integer_atom(x) for x, _ in m[0])
        for m, c in poly.items()
    )


def log_argument(mono: Mono) -> Poly | None:
    """The argument x if the monomial is log(x), else None."""
    if mono[1] or mono[2] or len(mono[0]) != 1:
        return None
    ((x, n),) = mono[0]
    return dict(x[1]) if x[0] == "log" and n == 1 else None


def split_trig(part: Key, index: Variable) -> list[tuple[Poly, Poly]]:
    """The addends of cos or sin of a + b, each as a factor of a and one of b, which alone has the index."""
    one = constant(1)
    if index.label not in free(part):
        return [({((), (), part): Fraction(1)}, one)]
    inside = {m: c for m, c in part[1] if index.label in free(m)}
    outside = {m: c for m, c in part[1] if index.label not in free(m)}
    if not outside:
        return [(one, {((), (), part): Fraction(1)})]
    other, sign = ("sin", -1) if part[0] == "cos" else ("cos", 1)
    return [
        (trig("cos", outside), trig(part[0], inside)),
        (scale(trig("sin", outside), sign), trig(other, inside)),
    ]


def term_of(poly: Poly) -> Term:
    """A term whose normal form is the polynomial."""
    return add(*(mul(number(c), mono_term(mono)) for mono, c in poly.items()))


def mono_term(mono: Mono) -> Term:
    """The monomial as a term."""
    parts = [("^", atom_term(x), number(n)) if n != 1 else atom_term(x) for x, n in mono[0]]
    if mono[1]:
        parts.append(("exp", term_of(dict(mono[1]))))
    if mono[2]:
        parts.append((mono[2][0], term_of(dict(mono[2][1]))))
    return mul(*parts)


def atom_term(x: Key) -> Term:
    """The atom as a term."""
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
        high = sub(term_of(dict(x[1])), number(1))
        return ("sum", Variable("", True), number(0), high, mono_term(x[2]))
    if kind == "ite":
        return ("ite", x[1], term_of(dict(x[2])), term_of(dict(x[3])))
    return (kind, term_of(dict(x[1])))
