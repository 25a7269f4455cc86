"""The hash of a claim's formal content, the same in every process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, FunctionClass, UndefinedFunction

from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, PriorWork, Reading, Source
from ropeproof.theory.language.derivation import Derivation, Rule, Step, TermName

__all__ = ["PartHasher", "Unreadable", "claim_digest", "statement_digest"]

_RECORDS = (
    *(Claim, Derivation, Hypothesis, Mutant, PriorWork, Reading, Rule, Source, Step, TermName),
)
_CONSTANTS = (
    sp.core.numbers.NumberSymbol,
    sp.core.numbers.Infinity,
    sp.core.numbers.NegativeInfinity,
    sp.core.numbers.ComplexInfinity,
    sp.core.numbers.ImaginaryUnit,
    sp.core.numbers.NaN,
    sp.logic.boolalg.BooleanAtom,
)


class Unreadable(Exception):
    """Raised for an object whose parts may not be its whole content; its claim's results are not cached."""


def claim_digest(claim: Claim) -> str:
    """The hash of a claim with its hypotheses, conclusion, derivation, mutants and readings, in hexadecimal.

    Raises `Unreadable` for an object of a kind that no claim of the catalogue has.
    """
    return PartHasher().digest(claim).hex()


def statement_digest(claim: Claim) -> str:
    """The hash of the parts of a claim that a proof may use: its hypotheses, its conclusion, its kind."""
    reader = PartHasher()
    parts = [reader.digest(h.formula) for h in claim.hypotheses]
    return _join("statement", claim.kind, *parts, reader.digest(claim.conclusion)).hex()


class PartHasher:
    """Hashes objects by their parts; each object is read once."""

    def __init__(self) -> None:
        # The object is held with its hash, so that its id stays its own.
        self._known: dict[int, tuple[Any, bytes]] = {}

    def digest(self, thing: Any) -> bytes:
        """The hash of one object, 32 bytes; raises `Unreadable`."""
        known = self._known.get(id(thing))
        if known is None:
            known = self._known[id(thing)] = (thing, self._read(thing))
        return known[1]

    def _read(self, thing: Any) -> bytes:
        kind = type(thing)
        if thing is None or kind in (bool, int, str):
            return _join(kind.__name__, repr(thing))
        if kind in (tuple, list):
            return _join(kind.__name__, *map(self.digest, thing))
        if kind is frozenset:
            return _join("set", *sorted(map(self.digest, thing)))
        if isinstance(thing, Mapping):
            return _join("map", *(self.digest(x) for pair in thing.items() for x in pair))
        if kind in _RECORDS:
            said = (f.name for f in fields(thing) if f.compare)  # not the meanings of symbols
            parts = ((name, self.digest(getattr(thing, name))) for name in said)
            return _join(kind.__name__, *(x for part in parts for x in part))
        if isinstance(thing, FunctionClass):
            return self._function(thing)
        if isinstance(thing, sp.Basic):
            return self._expression(thing)
        raise Unreadable(f"{kind.__module__}.{kind.__qualname__}")

    def _function(self, thing: Any) -> bytes:
        if isinstance(thing, UndefinedFunction):
            return _join("function", thing.__name__, repr(sorted(thing._kwargs.items())))
        return _join("function", f"{thing.__module__}.{thing.__qualname__}")

    def _expression(self, thing: Any) -> bytes:
        kind = type(thing)
        if isinstance(thing, AppliedUndef):
            return _join("applied", self.digest(thing.func), *map(self.digest, thing.args))
        name = f"{kind.__module__}.{kind.__qualname__}"
        if kind is sp.Symbol:
            return _join(name, thing.name, repr(sorted(thing.assumptions0.items())))
        if isinstance(thing, sp.Rational):
            return _join("rational", f"{thing.p}/{thing.q}")
        if isinstance(thing, sp.Float):
            return _join("float", repr(thing._mpf_), repr(thing._prec))
        if not kind.__module__.startswith(("sympy.", "ropeproof.theory.")):
            raise Unreadable(name)
        constant = isinstance(thing, (*_CONSTANTS, sp.Tuple)) or name.startswith("ropeproof.")
        if not thing.args and not constant:
            raise Unreadable(name)
        return _join(name, *map(self.digest, thing.args))


def _join(*parts: str | bytes) -> bytes:
    """The hash of a list of parts, each with its length, so that no two lists have the same input."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        total.update(f"{len(data)}:".encode() + data)
    return total.digest()
