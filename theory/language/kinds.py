"""The free symbols of a claim with their kinds, for whoever uses the claim as a lemma.

>>> from ropeproof.theory import CLAIMS
>>> kinds_of(CLAIMS["exp.monotone"])
{'x': 'real', 'y': 'real'}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.substitution import free_symbols
from sympy.core.function import AppliedUndef, UndefinedFunction

__all__ = ["check_values", "kinds_of", "listed_kinds"]


def kinds_of(claim: Claim) -> dict[str, str]:
    """The free symbols as they are written, `n` or `w(.)`, with their kinds, sorted by name.

    The kinds are `real` and `integer` for numbers, `reals` and `integers` for sequences (functions of
    integers), `real function` and `integer function` otherwise.
    """
    found = {_written(symbol): _kind(symbol, _formulas(claim)) for symbol in _symbols(claim)}
    return dict(sorted(found.items(), key=lambda pair: (pair[0].casefold(), pair[0])))


def listed_kinds(claim: Claim) -> str:
    """A line such as `Symbols of softmax.partition: a (integer), n (integer), w(.) (reals)`."""
    named = ", ".join(f"{name} ({kind})" for name, kind in kinds_of(claim).items())
    return f"Symbols of {claim.id}: {named or 'none'}"


def check_values(claim: Claim, values: Mapping[Any, Any]) -> None:
    """Raise `InvalidClaim` unless every key is a symbol of the claim and every value fits its kind."""
    symbols = _symbols(claim)
    named = {_written(symbol).removesuffix("(.)"): symbol for symbol in symbols}
    for key, value in values.items():
        if key not in symbols:
            raise InvalidClaim(f"lemma {claim.id}: {_strange(key, named)}. {listed_kinds(claim)}")
        whole = isinstance(key, sp.Symbol) and key.is_integer
        if whole and sp.sympify(value).is_integer is False:
            said = f"{key} is an integer there, and {value} is none"
            raise InvalidClaim(f"lemma {claim.id}: {said}. {listed_kinds(claim)}")


def _strange(key: Any, named: Mapping[str, Any]) -> str:
    """The reason why a key is not a symbol of the claim."""
    name = str(getattr(key, "func", key) if isinstance(key, AppliedUndef) else key)
    if isinstance(key, AppliedUndef):
        return f"{key} is a term; a function is given by its name alone, as {name}"
    if name in named:
        kind = "function" if isinstance(named[name], UndefinedFunction) else "real number"
        kind = "integer" if kind == "real number" and named[name].is_integer else kind
        return f"its {name} is another symbol of that name, declared as {kind}"
    return f"it has no symbol {name}"


def _formulas(claim: Claim) -> list[Any]:
    formulas = [h.formula for h in claim.hypotheses]
    return formulas if claim.conclusion is None else [*formulas, claim.conclusion]


def _symbols(claim: Claim) -> frozenset[Any]:
    return frozenset().union(*map(free_symbols, _formulas(claim)))


def _written(symbol: Any) -> str:
    return f"{symbol.__name__}(.)" if isinstance(symbol, UndefinedFunction) else str(symbol.name)


@lru_cache(maxsize=100)
def _applied(formula: Any) -> tuple[Any, ...]:
    """The applied functions in a formula, cached for all symbols of a claim."""
    return tuple(formula.atoms(AppliedUndef))


def _kind(symbol: Any, formulas: list[Any]) -> str:
    if not isinstance(symbol, UndefinedFunction):
        return "integer" if symbol.is_integer else "real"
    uses = [a for f in formulas for a in _applied(f) if a.func == symbol]
    whole = "integer" if uses[0].is_integer else "real"
    if all(part.is_integer for a in uses for part in a.args):
        return f"{whole}s" if len(uses[0].args) == 1 else f"{whole}s, {len(uses[0].args)} indices"
    return f"{whole} function"
