"""A claim or an axiom at values of its symbols, each given by the name that the symbol has there.

The names come with their kinds, for whoever uses the claim as a lemma.

>>> from ropeproof.theory import CLAIMS
>>> kinds_of(CLAIMS["exp.monotone"])
{'x': 'real', 'y': 'real'}
>>> CLAIMS["exp.monotone"].at(x=1, y=2)
<exp.monotone at x = 1, y = 2>
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.binders import symbol_name
from ropeproof.theory.language.logic import Both
from ropeproof.theory.language.substitution import as_values, free_symbols, substitute
from sympy.core.function import AppliedUndef, UndefinedFunction

if TYPE_CHECKING:
    from ropeproof.theory.language.axioms import Axiom
    from ropeproof.theory.language.claim import Claim
    from ropeproof.theory.language.types.terms import Formula, Function, Substitution, Term

__all__ = ["LemmaInstance", "by_name", "formulas_of", "kinds_of", "listed_kinds", "symbols_of"]


@dataclass(frozen=True, eq=False, repr=False)
class LemmaInstance:
    """A claim or an axiom at values of its symbols; `CLAIM.at(x=3)` makes one.

    A symbol without a value stands for itself.
    """

    of: Claim | Axiom
    values: Substitution

    @classmethod
    def by_keyword(
        cls, of: Claim | Axiom, given: Mapping[str, Term | int | Callable[..., Term | int]]
    ) -> LemmaInstance:
        """The instance at values that are given by the names of the symbols, as `at` takes them.

        Raises `InvalidClaim`, with the names that there are, for one that there is not, and for a value that
        does not fit its symbol.
        """
        symbols = symbols_of(of)
        named: dict[str, list[Term | Function]] = {}
        for symbol in symbols:
            named.setdefault(symbol_name(symbol), []).append(symbol)
        values: dict[Term | Function, Term | int | Callable[..., Term | int]] = {}
        for name, value in given.items():
            found = named.get(name) or named.get(_unescaped(name), [])
            if not found:
                raise InvalidClaim(f"{of.id}: it has no symbol {name}{_nearest(name, of)}")
            if len(found) > 1:
                raise InvalidClaim(
                    f"{of.id}: two of its symbols have the name {name}, which does not say what has the "
                    f"value; allowed: another name for one of them. {listed_kinds(of)}"
                )
            values[found[0]] = value
        return cls.at_symbols(of, values)

    @classmethod
    def at_symbols(cls, of: Claim | Axiom, values: Substitution) -> LemmaInstance:
        """The instance at values of the symbols themselves, as matching finds them."""
        for symbol, value in values.items():
            whole = isinstance(symbol, sp.Symbol) and symbol.is_integer
            if whole and sp.sympify(value).is_integer is False:
                said = f"{symbol} is an integer there, and {value} is none"
                raise InvalidClaim(f"{of.id}: {said}. {listed_kinds(of)}")
        return cls(of, as_values(values, Both(*formulas_of(of))) if values else {})

    def __repr__(self) -> str:
        at = ", ".join(f"{symbol} = {value}" for symbol, value in self.values.items())
        return f"<{self.of.id} at {at}>" if at else f"<{self.of.id}>"

    @property
    def conclusion(self) -> Formula:
        """What the claim says at these values."""
        said: Formula = substitute(self.of.conclusion, self.values)
        return said

    @property
    def rule(self) -> rules.Rule:
        """The rule by which a step takes this instance of a claim."""
        return rules.by_claim(self.of.id, self.values)


def by_name(values: Substitution) -> dict[str, Term | int | Callable[..., Term | int]]:
    """Values of symbols as values by name, for those that are computed: `CLAIM.at(**by_name(values))`.

    >>> from ropeproof.theory.language import real, real_function
    >>> by_name({real("x"): 1, real_function("w"): 2})
    {'x': 1, 'w': 2}

    Raises `InvalidClaim` for a key that is no symbol, and for two of one name.
    """
    found: dict[str, Term | int | Callable[..., Term | int]] = {}
    for symbol, value in values.items():
        if isinstance(symbol, AppliedUndef):
            alone = f"a function is given by its name alone, as {symbol_name(symbol.func)}"
            raise InvalidClaim(f"by_name: {symbol} is a term; {alone}")
        if not isinstance(symbol, sp.Symbol | UndefinedFunction):
            raise InvalidClaim(f"by_name: got {symbol!r}; allowed: a symbol or a function")
        name = symbol_name(symbol)
        if name in found:
            raise InvalidClaim(f"by_name: two symbols of the name {name}; allowed: one of a name")
        found[name] = value
    return found


def _unescaped(name: str) -> str:
    """The name without the underscore that a keyword of Python takes: `lambda_` is `lambda`."""
    bare = name.removesuffix("_")
    return bare if iskeyword(bare) else name


def _nearest(name: str, of: Claim | Axiom) -> str:
    """The end of a message: the symbols that there are, the nearest to the name first."""

    def distance(pair: tuple[str, str]) -> float:
        return -SequenceMatcher(None, name.casefold(), pair[0].casefold()).ratio()

    there = sorted(kinds_of(of).items(), key=distance)
    if not there:
        return ", and no other that could have a value"
    return f"; allowed: {', '.join(f'{other} ({kind})' for other, kind in there)}"


def kinds_of(claim: Claim | Axiom) -> dict[str, str]:
    """The free symbols as they are written, `n` or `w(.)`, with their kinds, sorted by name.

    The kinds are `real` and `integer` for numbers, `reals` and `integers` for sequences (functions of
    integers), `real function` and `integer function` otherwise.
    """
    formulas = formulas_of(claim)
    found = {_written(symbol): _kind(symbol, formulas) for symbol in symbols_of(claim)}
    return dict(sorted(found.items(), key=lambda pair: (pair[0].casefold(), pair[0])))


def listed_kinds(claim: Claim | Axiom) -> str:
    """A line such as `Symbols of softmax.partition: a (integer), n (integer), w(.) (reals)`."""
    named = ", ".join(f"{name} ({kind})" for name, kind in kinds_of(claim).items())
    return f"Symbols of {claim.id}: {named or 'none'}"


def formulas_of(claim: Claim | Axiom) -> list[Formula]:
    """The formulas of the hypotheses, and the conclusion if there is one."""
    formulas: list[Any] = [getattr(h, "formula", h) for h in claim.hypotheses]
    return formulas if claim.conclusion is None else [*formulas, claim.conclusion]


def symbols_of(claim: Claim | Axiom) -> frozenset[Term | Function]:
    """The free symbols and functions of the formulas."""
    return frozenset().union(*map(free_symbols, formulas_of(claim)))


def _written(symbol: Term | Function) -> str:
    places = "(.)" if isinstance(symbol, UndefinedFunction) else ""
    return f"{symbol_name(symbol)}{places}"


@lru_cache(maxsize=100)
def _applied(formula: Formula) -> tuple[Term, ...]:
    """The applied functions in a formula, cached for all symbols of a claim."""
    return tuple(formula.atoms(AppliedUndef))


def _kind(symbol: Any, formulas: list[Formula]) -> str:
    if not isinstance(symbol, UndefinedFunction):
        return "integer" if symbol.is_integer else "real"
    uses = [a for f in formulas for a in _applied(f) if a.func == symbol]
    whole = "integer" if uses[0].is_integer else "real"
    if all(part.is_integer for a in uses for part in a.args):
        return f"{whole}s" if len(uses[0].args) == 1 else f"{whole}s, {len(uses[0].args)} indices"
    return f"{whole} function"
