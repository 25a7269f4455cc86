r"""Checking that a claim prints as what was checked: no two things in it may look alike.

`x1` and `x_1` both print as $x_1$, `xabs` prints as $|x|$, and a symbol called `pi` as the number.
A formula about such names reads as another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.latex import PRINTER

__all__ = ["check_names"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SHAPE = re.compile(
    r"(\\[a-z]+\{)?(\\[A-Za-z]+|[A-Za-z]+|\\mathrm\{[A-Z]\})\}?(_\{[A-Za-z0-9\\, ]*\})?"
)
_WORDS = frozenset(
    """
    abs acos arccos arcsin arctan asin atan ceiling cos cosh cot csc diff exp floor frac integral lim
    limit ln log max min mod oo sec sign sin sinh sqrt sum tan tanh
    """.split()  # noqa: SIM905  # a list of words
)


def check_names(claim: Claim) -> None:
    """Raise `InvalidClaim` if a claim has names that print like another name, a number or a function.

    Its formulas print, in LaTeX and as text, so that a reader can tell any two names apart, bound
    or free, and none from a number or a known function.
    """
    things: set[Any] = set()
    seen: set[int] = set()
    formulas = list(_formulas(claim))  # held, so that an id is one object
    for formula in formulas:
        _collect(formula, things, seen)
    names = {n for n in map(_name, things) if n is not None}
    for name in sorted(names):
        _check_name(claim.id, name)
    number = {
        "pi": sp.pi in things or any(isinstance(t, sp.Symbol) and t.name == "pi" for t in things)
    }
    number["E"] = id(sp.E) in seen
    for name in sorted(names & {n for n, there in number.items() if there}):
        raise InvalidClaim(f"{claim.id}: the name {name} prints like the number")
    shown: dict[str, Any] = {}
    for thing in sorted(things, key=lambda thing: (str(thing), str(sp.srepr(thing)))):
        text = _printed(thing)
        other = shown.setdefault(text, thing)
        if other != thing:
            raise InvalidClaim(
                f"{claim.id}: {_said(other)} and {_said(thing)} both print as {text}"
            )
    letters = {text for text in shown if len(text) == 1}
    for name in sorted(n for n in names if len(n) > 1 and n.isalpha() and n == _latex(n)):
        if set(name) <= letters:
            product = " ".join(name)
            raise InvalidClaim(f"{claim.id}: {name} prints like the product {product}")


def _check_name(id: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidClaim(f"{id}: {name!r} is no name; allowed: letters, digits and _")
    if name.lower() in _WORDS or name in ("I", "nan", "zoo"):
        raise InvalidClaim(f"{id}: {name!r} prints like a known function or number")
    if not _SHAPE.fullmatch(_latex(name)):
        raise InvalidClaim(f"{id}: {name!r} prints as the formula {_latex(name)}")


def _said(thing: Any) -> str:
    if isinstance(thing, sp.Symbol):
        return f"the {'integer' if thing.is_integer else 'real'} {thing.name}"
    if isinstance(thing, UndefinedFunction):
        return f"the function {thing.__name__}"
    return "the number e" if thing == sp.E else str(thing)


def _name(thing: Any) -> str | None:
    if isinstance(thing, sp.Symbol):
        return str(thing.name)
    return str(thing.__name__) if isinstance(thing, UndefinedFunction) else None


@cache
def _latex(name: str) -> str:
    return str(PRINTER.doprint(sp.Symbol(name))).replace("_{}", "")


def _printed(thing: Any) -> str:
    if isinstance(thing, UndefinedFunction):
        return f"{_latex(thing.__name__)} as a function"
    text = "e" if thing == sp.E else str(PRINTER.doprint(thing))
    return text.replace(" ", "").replace("_{}", "")


def _collect(part: Any, things: set[Any], seen: set[int]) -> None:
    """Add the symbols, applied functions and their heads, and named numbers of a formula to `things`."""
    if id(part) in seen:
        return
    seen.add(id(part))
    if isinstance(part, sp.Symbol) or part is sp.pi:
        things.add(part)
    elif isinstance(part, sp.exp) or part is sp.E:
        things.add(sp.E)
    elif isinstance(part, UndefinedFunction):
        things.add(part)
        return
    elif isinstance(part, AppliedUndef):
        things.update((part, part.func))
    for argument in getattr(part, "args", ()):
        _collect(argument, things, seen)


def _formulas(claim: Claim) -> Iterator[Any]:
    """Yield all formulas that the pages of a claim may print."""
    for h in claim.hypotheses:
        yield from (h.formula, *h.without)
    for m in claim.mutants:
        yield from (m.conclusion, *m.at)
    for r in claim.readings:
        yield from (*r.hypotheses, r.conclusion, *r.at)
    yield from claim.example if claim.conclusion is None else (claim.conclusion, *claim.example)
    for step in claim.derivation.steps if claim.derivation else ():
        yield from (step.conclusion, *step.assuming, *_values(step.rule.arguments.values()))


def _values(arguments: Iterable[Any]) -> Iterator[Any]:
    """Yield the formulas among a rule's arguments; the names of another claim do not belong to this one."""
    for value in arguments:
        if hasattr(value, "values"):
            yield from _values(value.values())
        elif isinstance(value, sp.Basic):
            yield value
