"""Exact real numbers and formulas of a program's elements, in a normal form.

A `ExactForm` is a polynomial with rational coefficients over atoms:

- `("v", name, element)`: a real number, an element of an input;
- `("n", name, element)`: an integer, an element of an input of integers;
- `("b", base)`: a positive rational base, which stands to a power in (0, 1);
- `("e",)`: Euler's number, to a rational power; `("log", q)` and `("pi",)`: other constants;
- `("cos", form)` and `("sin", form)`, of whose products sums are made, so that each monomial has at most
  one; the first coefficient of the argument is positive;
- `("mod", form, q)`: an integer form modulo a positive integer;
- `("arg", form)`: the form but for a whole number of turns (from `atan2`);
- `("row", table, form)`: the entry of a table of numbers in the row that an integer form says;
- `("f", name, forms)`: a function that nothing more is known of.

Equal forms have equal values for all values of the symbols. Forms that differ may be equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from quicktions import Fraction

from ropeproof.theory.errors import Unsupported

__all__ = [
    "ONE",
    "ZERO",
    "Atom",
    "ExactForm",
    "apply",
    "atom",
    "constant",
    "cosine",
    "divided",
    "exponential",
    "logarithm",
    "modulo",
    "power",
    "sine",
]

Atom = tuple[Any, ...]
Monomial = tuple[tuple[Atom, Fraction], ...]

_MOST_MONOMIALS = 4096
_SYMBOLS = ("v", "n")


class ExactForm:
    """A polynomial over atoms; immutable, equal and hashed by its content."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        if len(terms) > _MOST_MONOMIALS:
            raise Unsupported("a formula of too many terms")
        self.terms: Mapping[Monomial, Fraction] = terms
        self._hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactForm) and (
            self is other or (hash(self) == hash(other) and self.terms == other.terms)
        )

    def __repr__(self) -> str:
        return f"Form({dict(self.terms)!r})"

    def __add__(self, other: ExactForm) -> ExactForm:
        if not other.terms:
            return self
        if not self.terms:
            return other
        found = dict(self.terms)
        for mono, coefficient in other.terms.items():
            total = found.get(mono, 0) + coefficient
            if total:
                found[mono] = Fraction(total)
            else:
                del found[mono]
        return ExactForm(found)

    def __neg__(self) -> ExactForm:
        return ExactForm({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: ExactForm) -> ExactForm:
        return self + (-other)

    def __mul__(self, other: ExactForm) -> ExactForm:
        left, right = self.rational(), other.rational()
        if left is not None:
            return other.times(left)
        if right is not None:
            return self.times(right)
        found: dict[Monomial, Fraction] = {}
        for m1, c1 in self.terms.items():
            for m2, c2 in other.terms.items():
                for mono, c in _product(m1, m2):
                    total = found.get(mono, Fraction(0)) + c * c1 * c2
                    if total:
                        found[mono] = total
                    else:
                        found.pop(mono, None)
        return ExactForm(found)

    def times(self, number: Fraction) -> ExactForm:
        """The form times a rational number."""
        if number == 1:
            return self
        return ExactForm({m: c * number for m, c in self.terms.items()}) if number else ZERO

    def rational(self) -> Fraction | None:
        """The number that the form is, if it is a rational one by its form."""
        if not self.terms:
            return Fraction(0)
        if len(self.terms) == 1 and () in self.terms:
            return self.terms[()]
        return None

    def atoms(self) -> Iterator[Atom]:
        """All atoms, those inside others too."""
        for mono in self.terms:
            for one, _ in mono:
                yield one
                for part in one[1:]:
                    for form in part if isinstance(part, tuple) else (part,):
                        if isinstance(form, ExactForm):
                            yield from form.atoms()

    def is_constant(self) -> bool:
        """Whether no symbol occurs in it."""
        return not any(a[0] in _SYMBOLS or a[0] == "f" for a in self.atoms())

    def is_integer(self) -> bool:
        """Whether its values are integers for certain."""
        return all(
            c.denominator == 1
            and all(a[0] in ("n", "mod") and e.denominator == 1 and e > 0 for a, e in mono)
            for mono, c in self.terms.items()
        )


def _atom_key(one: Atom) -> str:
    return repr(one)


_KEYS: dict[Atom, str] = {}


def _sorted(mono: dict[Atom, Fraction]) -> Monomial:
    def key(item: tuple[Atom, Fraction]) -> str:
        one = item[0]
        if one not in _KEYS:
            if len(_KEYS) > 100_000:
                _KEYS.clear()
            _KEYS[one] = f"{one[0]}{hash(one)}"
        return _KEYS[one]

    return tuple(sorted(mono.items(), key=key)) if len(mono) > 1 else tuple(mono.items())


def _product(one: Monomial, two: Monomial) -> Iterator[tuple[Monomial, Fraction]]:
    if not one:
        yield two, Fraction(1)
        return
    if not two:
        yield one, Fraction(1)
        return
    powers: dict[Atom, Fraction] = {}
    waves: list[Atom] = []
    for mono in (one, two):
        for part, exponent in mono:
            if part[0] in ("cos", "sin"):
                waves += [part] * int(exponent)
            else:
                powers[part] = powers.get(part, Fraction(0)) + exponent
    coefficient = Fraction(1)
    for part in list(powers):
        exponent = powers[part]
        if part[0] == "b":  # what is whole of a power goes to the coefficient
            whole = math.floor(exponent)
            coefficient *= part[1] ** whole
            exponent -= whole
        if exponent:
            powers[part] = exponent
        else:
            del powers[part]
    if len(waves) < 2:
        for wave in waves:
            powers[wave] = Fraction(1)
        yield _sorted(powers), coefficient
        return
    sums = _wave(waves[0])
    for wave in waves[1:]:
        sums = _times_wave(sums, wave)
    for kept, own in sums.terms.items():
        yield _sorted(powers | dict(kept)), own * coefficient


def _wave(one: Atom) -> ExactForm:
    return ExactForm({((one, Fraction(1)),): Fraction(1)})


def _times_wave(sums: ExactForm, wave: Atom) -> ExactForm:
    """A sum of cosines and sines times one, as a sum of such."""
    half, kind, angle = Fraction(1, 2), wave[0], wave[1]
    found = ZERO
    for mono, c in sums.terms.items():
        if not mono:
            found = found + _wave(wave).times(c)
            continue
        (own, b) = mono[0][0]
        less, more = b - angle, b + angle
        if own == "cos" and kind == "cos":
            part = cosine(less) + cosine(more)
        elif own == "sin" and kind == "sin":
            part = cosine(less) - cosine(more)
        elif own == "sin":
            part = sine(more) + sine(less)
        else:
            part = sine(more) - sine(less)
        found = found + part.times(c * half)
    return found


ZERO = ExactForm({})


def constant(number: int | Fraction) -> ExactForm:
    """A rational number."""
    return ExactForm({(): Fraction(number)}) if number else ZERO


ONE = constant(1)


_WHOLE = Fraction(1)


def atom(one: Atom, exponent: Fraction = _WHOLE) -> ExactForm:
    """A form that is one atom to a power."""
    return ExactForm({((one, exponent),): Fraction(1)})


def apply(name: str, *forms: ExactForm) -> ExactForm:
    """A function that nothing more is known of, of some forms."""
    return atom(("f", name, forms))


def _sign(form: ExactForm) -> int:
    """1 or -1, so that one of a form and its negative has 1."""
    first = min(form.terms, key=lambda m: (len(m), hash(m)))
    return 1 if form.terms[first] > 0 else -1


def _turned(form: ExactForm) -> ExactForm:
    """An angle without atoms `arg`: what they are apart by whole turns does not matter."""
    found = form
    for mono, c in form.terms.items():
        if len(mono) == 1 and mono[0][0][0] == "arg" and mono[0][1] == 1 and c.denominator == 1:
            found = found - ExactForm({mono: c}) + mono[0][0][1].times(c)
    return found


def cosine(form: ExactForm) -> ExactForm:
    """The cosine of a form."""
    form = _turned(form)
    if not form.terms:
        return ONE
    return atom(("cos", form.times(Fraction(_sign(form)))))


def sine(form: ExactForm) -> ExactForm:
    """The sine of a form."""
    form = _turned(form)
    if not form.terms:
        return ZERO
    sign = Fraction(_sign(form))
    return atom(("sin", form.times(sign))).times(sign)


def power(base: ExactForm, exponent: ExactForm) -> ExactForm:
    """A form to the power of another."""
    number, below = exponent.rational(), base.rational()
    if number is not None and number.denominator == 1 and 0 <= number <= 64:
        found = ONE
        for _ in range(int(number)):
            found = found * base
        return found
    if number is not None and len(base.terms) == 1:
        ((mono, c),) = base.terms.items()
        plain = all(a[0] in ("b", "e") for a, _ in mono)
        if plain and c > 0:
            found = _rational_power(c, number)
            for part, e in mono:
                if part[0] == "b":
                    found = found * _rational_power(part[1], e * number)
                else:
                    found = found * atom(part, e * number)
            return found
        if number == -1 and plain:
            return power(base.times(Fraction(-1)), exponent).times(Fraction(-1))
    if below is not None and below > 0 and below != 1:
        # b**(q log a / log b) does not occur; b**(number + rest) splits at the rational part
        rational = exponent.terms.get((), Fraction(0))
        rest = exponent - constant(rational)
        if not rest.terms:
            return _rational_power(below, rational)
        if rational:
            return _rational_power(below, rational) * apply("pow", base, rest)
    return apply("pow", base, exponent)


def _rational_power(base: Fraction, exponent: Fraction) -> ExactForm:
    if base == 1:
        return ONE
    whole = math.floor(exponent)
    if abs(whole) > 4096:
        raise Unsupported(f"a power with the exponent {whole}")
    found = constant(base**whole)
    rest = exponent - whole
    if not rest:
        return found
    return found * atom(("b", base), rest)


def divided(top: ExactForm, below: ExactForm) -> ExactForm:
    """A quotient; the divisor is a constant that is not 0 or the quotient is an unknown function."""
    number = below.rational()
    if number == 0:
        raise Unsupported("a division by 0")
    if number is not None:
        return top.times(1 / number)
    if len(below.terms) == 1:
        inverse = power(below, constant(-1))
        if not any(a[0] == "f" and a[1] == "pow" for a in inverse.atoms()):
            return top * inverse
    return apply("div", top, below)


def exponential(form: ExactForm) -> ExactForm:
    """The exponential of a form."""
    found = ONE
    for mono, c in form.terms.items():
        if not mono:
            found = found * atom(("e",), c)
        elif len(mono) == 1 and mono[0][0][0] == "log" and mono[0][1] == 1:
            found = found * _rational_power(mono[0][0][1], c)
        else:
            return apply("exp", form)
    return found


def logarithm(form: ExactForm) -> ExactForm:
    """The logarithm of a form."""
    if len(form.terms) == 1:
        ((mono, c),) = form.terms.items()
        if c > 0 and all(a[0] in ("b", "e") for a, _ in mono):
            found = ZERO if c == 1 else atom(("log", c))
            for part, e in mono:
                found = found + (atom(("log", part[1])).times(e) if part[0] == "b" else constant(e))
            return found
    return apply("log", form)


def modulo(form: ExactForm, divisor: Fraction) -> ExactForm:
    """An integer form modulo a positive integer."""
    number = form.rational()
    if number is not None:
        return constant(number % divisor)
    if divisor.denominator == 1 and divisor > 0 and form.is_integer():
        return atom(("mod", form, divisor))
    return apply("mod", form, constant(divisor))
