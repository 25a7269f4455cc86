"""Copies of what a user's file states, made of plain parts alone."""

from __future__ import annotations

import sys
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from ropeproof.proofs_check.kernel.outcome import UNSEEN
from ropeproof.proofs_check.run.apart.terms import MOST_BITS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation, logic
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, PriorWork, Reading, Source
from ropeproof.theory.language.types.meaning import Meaning

__all__ = ["copied"]

_RECORDS = (
    Claim,
    Source,
    PriorWork,
    Hypothesis,
    Mutant,
    Reading,
    Meaning,
    derivation.Derivation,
    derivation.Step,
    derivation.Rule,
    derivation.TermName,
)
_PLAIN = (str, int, bool, type(None))
_OF_SYMPY = frozenset({"nargs", "_argset"})
"""The attributes that SymPy itself gives to formulas beside those of their class."""


def copied(value: Any) -> Any:
    """A copy of a value made of plain parts, so that nothing it came from can change it.

    Raises `InvalidClaim` on an object of another type, also on a subclass of an allowed one: it
    might say one thing to one reader and another to the next.
    """
    kind = type(value)
    if kind is str and UNSEEN.search(value):
        raise InvalidClaim(f"{value!r}: a text with characters that a screen does not show")
    if kind in _PLAIN:
        return value
    if kind in _RECORDS:
        return kind(**{f.name: copied(getattr(value, f.name)) for f in fields(value)})
    if kind in (tuple, list):
        return tuple(map(copied, value))
    if kind in (set, frozenset):
        return frozenset(map(copied, value))
    if kind in (dict, MappingProxyType):
        return MappingProxyType({copied(k): copied(v) for k, v in value.items()})
    if isinstance(value, _RECORDS):
        base = next(r for r in _RECORDS if isinstance(value, r)).__name__
        raise InvalidClaim(f"{value!r} is of type {kind.__name__}; allowed: {base} itself")
    _plain_formula(value, set())
    return value


def _plain_formula(value: Any, seen: set[int]) -> None:
    """Raise `InvalidClaim` unless an object is made of SymPy's own types and those of `logic`."""
    if id(value) in seen:
        return
    seen.add(id(value))
    kind = type(value)
    if kind is UndefinedFunction or (
        isinstance(value, AppliedUndef) and type(kind) is UndefinedFunction
    ):
        head = value if kind is UndefinedFunction else kind
        if not _is_plain_function(head):
            raise InvalidClaim(
                f"{head.__name__}: allowed: functions made by real_function, integer_function"
            )
    elif not isinstance(value, sp.Basic) or not (
        _is_of_sympy(kind) or getattr(logic, kind.__name__, None) is kind
    ):
        raise InvalidClaim(
            f"{object.__repr__(value)} is of type {kind.__name__}; allowed: SymPy's formulas"
        )
    if isinstance(value, sp.Rational) and max(map(int.bit_length, (value.p, value.q))) > MOST_BITS:
        raise InvalidClaim(
            f"a number of more than {MOST_BITS} bits; allowed: numbers that can be written out"
        )
    if kind is not UndefinedFunction and (
        own := vars(value).keys() - _OF_SYMPY if hasattr(value, "__dict__") else ()
    ):
        raise InvalidClaim(
            f"a {kind.__name__} has {min(own)} of its own; allowed: formulas as SymPy makes them"
        )
    for part in value.args if kind is not UndefinedFunction else ():
        _plain_formula(part, seen)


def _is_of_sympy(kind: type) -> bool:
    """Whether a class is the one that SymPy's own module has under its name."""
    home = sys.modules.get(kind.__module__) if kind.__module__.startswith("sympy.") else None
    return getattr(home, kind.__qualname__, None) is kind


def _is_plain_function(head: Any) -> bool:
    """Whether a function symbol is real or integer, with the attributes and bases that SymPy gives it."""
    sorts = [UndefinedFunction(head.__name__, **{sort: True}) for sort in ("real", "integer")]
    same = next((plain for plain in sorts if head == plain), None)
    return (
        same is not None
        and head.__bases__ == same.__bases__
        and vars(head).keys() == vars(same).keys()
    )
