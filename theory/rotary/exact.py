"""Exact real numbers: reading an argument as one, and certified decisions about its sign and floor.

A number here is a SymPy constant built from rationals, rational powers of positive numbers,
logarithms and pi. A comparison of two of them is decided by balls at rising precision
(python-flint), never by a float; a comparison that stays open is refused, never guessed.

A record keeps a rational as a `Fraction` until somebody computes with it (`ExactField`): a configuration can
then be read, and be found right or wrong, without SymPy, whose import takes most of a second.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.later import sympy

__all__ = [
    "ExactField",
    "ball",
    "exact_fields",
    "floor",
    "fraction_of",
    "read_fraction",
    "read_integer",
    "read_rational",
    "sign",
]

_Record = TypeVar("_Record")
_VALUES, _HASH = "_values", "_hash"
_FIRST_BITS = 64
_LAST_BITS = 1 << 14
_LARGEST_EXPONENT = 400  # of a decimal string: above every double, below a memory hazard


def read_rational(name: str, value: object) -> Any:
    """A number as an exact SymPy `Rational`; a float stands for its binary value.

    >>> read_rational("base", "0.1"), read_rational("base", 0.5)
    (1/10, 1/2)

    Raises `InvalidArgument` on a boolean, NaN, an infinity, or anything that is not a number.
    """
    return _sympy_number(read_fraction(name, value))


def read_fraction(name: str, value: object) -> Fraction:
    """The value as an exact `Fraction`, without importing SymPy; raises the errors of `read_rational`."""
    if type(value) is int:
        return Fraction(value)
    allowed = "a finite number: int, float, Fraction, Decimal, SymPy Rational or decimal string"
    got = value
    try:
        if isinstance(value, bool):
            raise InvalidArgument(name, got, allowed)
        if isinstance(value, numbers.Rational):  # SymPy's are registered as such
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, str):
            value = Decimal(value)
        if isinstance(value, Decimal) and abs(value.adjusted()) > _LARGEST_EXPONENT:
            raise InvalidArgument(name, got, allowed)
        if isinstance(value, Decimal):
            return Fraction(value)
        if isinstance(value, numbers.Real):
            return Fraction(float(value))
    except (ArithmeticError, ValueError):
        pass
    raise InvalidArgument(name, got, allowed)


def _sympy_number(value: Any) -> Any:
    """The value with each `Fraction`, alone or in a tuple, turned into a SymPy number."""
    if isinstance(value, tuple):
        return tuple(map(_sympy_number, value))
    return (
        sympy.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value
    )


class ExactField:
    """A field of a frozen record that holds a rational, or a tuple of them, or None.

    It is set as a `Fraction` and read as an exact SymPy `Rational`, into which it is turned when it is first
    read; `fraction_of` reads it without SymPy.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __set__(self, record: object, value: object) -> None:
        vars(record)[self.name] = value

    def __get__(self, record: object | None, owner: type | None = None) -> Any:
        if record is None:
            return self
        value = vars(record).get(self.name, ...)
        if value is ...:
            raise AttributeError(self.name)
        if isinstance(value, Fraction) or (
            isinstance(value, tuple) and any(isinstance(each, Fraction) for each in value)
        ):
            value = vars(record)[self.name] = _sympy_number(value)
        return value


def exact_fields(*names: str) -> Callable[[type[_Record]], type[_Record]]:
    """A decorator of frozen dataclasses that makes each of the named fields an `ExactField`.

    Records are compared by the rationals in them, and each computes its hash once: they are the keys of
    what is kept about a spec, and SymPy's numbers take long to compare.
    """

    def attach(record: type[_Record]) -> type[_Record]:
        for name in names:
            setattr(record, name, ExactField(name))
        methods = {"__eq__": equal, "__hash__": hashed, "__getstate__": state}
        for method, function in methods.items():
            setattr(record, method, function)
        return record

    def values_of(record: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] | None = vars(record).get(_VALUES)
        if found is None:
            own = record.__dataclass_fields__
            found = tuple(
                _ratio(fraction_of(record, n)) if n in names else vars(record)[n] for n in own
            )
            vars(record)[_VALUES] = found
        return found

    def equal(self: Any, other: object) -> bool:
        if self is other:
            return True
        return values_of(self) == values_of(other) if type(other) is type(self) else NotImplemented

    def hashed(self: Any) -> int:
        found: int | None = vars(self).get(_HASH)
        if found is None:
            found = vars(self)[_HASH] = hash((type(self), values_of(self)))
        return found

    def state(self: Any) -> dict[str, Any]:
        # Hashes of text differ between processes.
        return {n: value for n, value in vars(self).items() if n not in (_VALUES, _HASH)}

    return attach


def _ratio(value: Any) -> Any:
    """The value with each `Fraction`, alone or in a tuple, as a pair of integers, which compare fast."""
    if isinstance(value, tuple):
        return tuple(map(_ratio, value))
    return value.as_integer_ratio() if isinstance(value, Fraction) else value


def fraction_of(record: object, name: str) -> Any:
    """The value of an `ExactField`, without SymPy: a `Fraction`, a tuple of them, or None."""
    value = vars(record)[name]
    if isinstance(value, tuple):
        return tuple(read_fraction(name, each) for each in value)
    return None if value is None else read_fraction(name, value)


def read_integer(
    name: str, value: object, *, least: int, most: int | None = None, cost: str = ""
) -> int:
    """The value as an integer of at least `least`, and at most `most` where one is given.

    `cost` says in the message why more would cost too much. Raises `InvalidArgument`; a boolean is not an
    integer.
    """
    if type(value) is int and value >= least and (most is None or value <= most):
        return value  # nearly always
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or int(value) < least:
        raise InvalidArgument(name, value, f"an integer >= {least}")
    if most is not None and int(value) > most:
        raise InvalidArgument(name, value, f"an integer from {least} to {most}: {cost}")
    return int(value)


def ball(number: Any, *, bits: int) -> Any:
    """An `arb` ball that contains an exact number, computed at `bits` bits.

    Raises `Unsupported` on an expression outside the module's language.
    """
    return _kept_ball(sympy.sympify(number), bits)


@lru_cache(maxsize=1024)
def _kept_ball(number: Any, bits: int) -> Any:
    """The ball of a SymPy number: the same few frequencies are asked for again and again."""
    from ropeproof.theory.rotary.precision import precision

    with precision(bits):
        return _ball(number)


def sign(number: Any) -> int:
    """The sign of an exact number, -1, 0 or 1, certified.

    Cost: one ball per doubling of the precision, from 64 to 16384 bits.
    Raises `Unsupported` if the sign is still open at 16384 bits.
    """
    number = sympy.sympify(number)
    if number.is_Rational:
        return int(sympy.sign(number))
    bits = _FIRST_BITS
    while bits <= _LAST_BITS:
        found = ball(number, bits=bits)
        if found > 0:
            return 1
        if found < 0:
            return -1
        bits *= 2
    raise Unsupported(f"the sign of {number} is not decided at {_LAST_BITS} bits")


def floor(number: Any) -> int:
    """The largest integer at most an exact number, certified; cost and errors as `sign`."""
    from ropeproof.theory.rotary.precision import precision

    number = sympy.sympify(number)
    if number.is_Rational:
        return int(number.p // number.q)
    bits = _FIRST_BITS
    while bits <= _LAST_BITS:
        with precision(bits):
            whole = _ball(number).floor().unique_fmpz()
        if whole is not None:
            return int(whole)
        bits *= 2
    raise Unsupported(f"the integer part of {number} is not decided at {_LAST_BITS} bits")


def _ball(number: Any) -> Any:
    from flint import arb, fmpq

    if number.is_Rational:
        return arb(fmpq(int(number.p), int(number.q)))
    if number == sympy.pi:
        return arb.pi()
    if number.is_Add:
        total = arb(0)
        for term in number.args:
            total += _ball(term)
        return total
    if number.is_Mul:
        product = arb(1)
        for term in number.args:
            product *= _ball(term)
        return product
    if isinstance(number, sympy.log):
        return _ball(number.args[0]).log()
    if number.is_Pow and number.exp.is_Rational:
        exponent = number.exp
        return _ball(number.base) ** arb(fmpq(int(exponent.p), int(exponent.q)))
    raise Unsupported(f"no ball for {number}: not made of rationals, powers, log and pi")
