"""Where in a claim a term stands, as a path that no longer resolves if the claim's shape changes.

A place is a path from the claim's conclusion, or from a hypothesis by its name, to a term. Its
steps are joined by dots:

- a number: the part of a conjunction with that number, from 1;
- `if`, `then`: premise and conclusion of an implication;
- `body`: the statement inside a quantifier (for all, or for some);
- `below`, `above`: the smaller and the larger side of an inequality;
- `left`, `right`: the sides of an equation;
- `own`: of a product or a sum, the parts that contain the arguments alone;
- `summand`: the term that a sum over an index adds up.

For example, `above` is refused where the claim has become an equation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

import sympy as sp

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.binders import symbol_name
from ropeproof.theory.language.claim import stated_by
from ropeproof.theory.language.logic import Every, If, Some, conjuncts
from ropeproof.theory.language.substitution import free_symbols
from ropeproof.theory.topics.contents import CONTENTS

__all__ = ["named_term", "spoken_of", "statement", "term_at"]

_ORDER = (sp.Le, sp.Lt)
_STEPS: Mapping[str, tuple[tuple[type, ...], Callable[[Any], Any]]] = MappingProxyType(
    {
        "if": ((If,), lambda part: part.args[0]),
        "then": ((If,), lambda part: part.args[1]),
        "body": ((Every, Some), lambda part: part.args[1]),
        "below": (_ORDER, lambda part: part.lhs),
        "above": (_ORDER, lambda part: part.rhs),
        "left": ((sp.Eq,), lambda part: part.lhs),
        "right": ((sp.Eq,), lambda part: part.rhs),
        "summand": ((sp.Sum,), lambda part: part.function),
    }
)


def statement(claim: str, hypothesis: str | None) -> tuple[Any, ModuleType]:
    """The conclusion of a claim, or one of its hypotheses, and the module that states it.

    Only that module is imported. Raises `InvalidClaim` for an unknown id or hypothesis.
    """
    if claim not in CONTENTS:
        raise InvalidClaim(f"{claim}: no claim of the catalogue has this id")
    module = import_module(f"ropeproof.theory.{CONTENTS[claim].module}")
    stated = next(c for c in stated_by(module) if c.id == claim)
    if hypothesis is None:
        return stated.conclusion, module
    found = [h.formula for h in stated.hypotheses if h.name == hypothesis]
    if len(found) != 1:
        named = ", ".join(repr(h.name) for h in stated.hypotheses)
        raise InvalidClaim(f"{claim}: it has the hypotheses {named}, and not {hypothesis!r}")
    return found[0], module


def named_term(module: ModuleType, name: str) -> Any:
    """The term with this name in a claim's module, or else in the module's one setting that has it.

    A setting is a module of `ropeproof.theory` that the claim's module imports whole (`lags`, with
    `lags.offset`). A function without arguments that builds a term counts as the term. None if there is
    no such term, or another one in each of several settings.
    """
    parts = [part for part in vars(module).values() if isinstance(part, ModuleType)]
    settings = [part for part in parts if part.__name__.startswith("ropeproof.theory.")]
    own = [module] if hasattr(module, name) else settings
    found = set()
    for value in (vars(home)[name] for home in own if name in vars(home)):
        found.add(value() if callable(value) else value)
    return found.pop() if len(found) == 1 and all(isinstance(f, sp.Expr) for f in found) else None


def term_at(claim: str, formula: Any, place: str, own: Callable[[Any], bool]) -> Any:
    """The term of a formula at a place; `own` decides whether a part contains the arguments alone.

    Raises `InvalidClaim`, with the formula at that place, if a step does not apply.
    """
    found = formula
    for step in place.split("."):
        if step.isdecimal():
            parts = conjuncts(found)
            if not 1 <= int(step) <= len(parts):
                raise _other(claim, place, step, f"{len(parts)} parts", found)
            found = parts[int(step) - 1]
        elif step == "own":
            if not isinstance(found, sp.Mul | sp.Add):
                raise _other(claim, place, step, "neither a product nor a sum", found)
            kept = [part for part in found.args if own(part)]
            if not kept or len(kept) == len(found.args):
                raise _other(claim, place, step, "no such parts beside others", found)
            found = found.func(*kept)
        elif step in _STEPS:
            kinds, onwards = _STEPS[step]
            if not isinstance(found, kinds):
                raise _other(claim, place, step, f"a {type(found).__name__}", found)
            found = onwards(found)
        else:
            raise InvalidClaim(f"{claim}: {step!r} in {place!r} is no step of a place")
    if not isinstance(found, sp.Expr) or isinstance(found, sp.logic.boolalg.Boolean):
        raise _other(claim, place, "the end", f"a {type(found).__name__}", found)
    return found


def _other(claim: str, place: str, step: str, what: str, found: Any) -> InvalidClaim:
    told = str(found)
    told = told if len(told) <= 200 else f"{told[:200]} ..."
    return InvalidClaim(f"{claim}: at {step!r} of {place!r} there is {what}: {told}")


def spoken_of(term: Any) -> set[str]:
    """The names of the free symbols and undefined functions in a term, without bound indices."""
    return set(map(symbol_name, free_symbols(term)))
