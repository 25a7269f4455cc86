"""Symbols of a lemma that a proof means only by their letter.

SymPy's symbols are equal if name and kind are. So a symbol of a lemma to which a proof gives no value is
the proof's own symbol of that name, whether or not the two have anything to do with each other. Where a
symbol comes from is read off the files: where it is declared, and how it is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import UndefinedFunction

from ropeproof.theory.language.binders import symbol_name
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.instance import symbols_of

__all__ = ["ByLetter", "by_letter", "origins"]

MAKERS = ("real", "integer", "real_function", "integer_function")


class ByLetter(NamedTuple):
    """A symbol that a step leaves to itself, although the file has it from elsewhere than the lemma."""

    claim: str
    step: str
    lemma: str
    symbol: Any
    here: frozenset[str]
    there: frozenset[str]


def by_letter(
    claims: Iterable[Claim], lemmas: Mapping[str, Claim], house: str = "ropeproof.theory."
) -> Iterator[ByLetter]:
    """The symbols that instances of lemmas share with the file of the claim by their letter alone.

    `house` is how the names of the modules begin whose imports are followed.
    """
    for claim in claims:
        steps = claim.derivation.steps if claim.derivation else ()
        for step in steps:
            if step.rule.name != "by_claim":
                continue
            lemma = lemmas[step.rule.arguments["id"]]
            for symbol in symbols_of(lemma) - set(step.rule.arguments["mapping"]):
                here = origins(claim.stated_in, symbol, house)
                there = here and _origins_of_terms(lemma.stated_in, symbol, house)
                if there and not here & there:
                    yield ByLetter(claim.id, step.label, lemma.id, symbol, here, there)


@cache
def origins(module: str, symbol: Any, house: str) -> frozenset[str]:
    """The modules that declare the symbols of this name and kind that a module declares, imports or reads."""
    return frozenset(_declaring(module, symbol, house, set()))


def _declaring(module: str, symbol: Any, house: str, seen: set[str]) -> set[str]:
    if module in seen:
        return set()
    seen.add(module)
    found = {module} if (_maker(symbol), symbol_name(symbol)) in _declared(module) else set()
    for source, name in _taken(module, house):
        value = vars(import_module(source)).get(name)
        if isinstance(value, sp.Symbol | UndefinedFunction) and value == symbol:
            found |= _declaring(source, symbol, house, seen)
    return found


@cache
def _origins_of_terms(module: str, symbol: Any, house: str) -> frozenset[str]:
    """The same, for a symbol that a module has only inside of terms by the modules that it has them from."""
    found, waiting, seen = set[str](), [module], set[str]()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        there = origins(one, symbol, house)
        found |= there
        waiting += [] if there else [source for source, _ in _taken(one, house)]
    return frozenset(found)


def _maker(symbol: Any) -> str:
    alone = isinstance(symbol, sp.Symbol)
    kind = "integer" if (symbol if alone else symbol(0)).is_integer else "real"
    return kind if alone else f"{kind}_function"


class _WithoutMeanings(ast.NodeTransformer):
    """A file without its tables of meanings: a symbol that only has a meaning there is in no term."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        return None if ast.unparse(node.targets[0]) == "MEANINGS" else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return None if ast.unparse(node.target) == "MEANINGS" else self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg == "meanings" else self.generic_visit(node)


@cache
def _tree(module: str) -> ast.Module:
    text = Path(str(import_module(module).__file__)).read_text(encoding="utf-8")
    found = _WithoutMeanings().visit(ast.parse(text))
    assert isinstance(found, ast.Module)
    return found


@cache
def _declared(module: str) -> frozenset[tuple[str, str]]:
    """The kinds and names of the symbols that a file declares, as `real("x y")`."""
    calls = (n for n in ast.walk(_tree(module)) if isinstance(n, ast.Call) and n.args)
    return frozenset(
        (call.func.id, name)
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in MAKERS
        for letters in call.args
        if isinstance(letters, ast.Constant)
        for name in str(letters.value).replace(",", " ").split()
    )


@cache
def _taken(module: str, house: str) -> frozenset[tuple[str, str]]:
    """The names that a file imports, and reads as attributes of imported modules, with their modules."""
    found, modules = set(), {}
    for node in ast.walk(_tree(module)):
        if not isinstance(node, ast.ImportFrom) or not f"{node.module}.".startswith(house):
            continue
        source = str(node.module)
        for alias in node.names:
            if alias.name == "*":
                public = vars(import_module(source)).get("__all__") or vars(import_module(source))
                found |= {(source, name) for name in public}
            elif _is_module(f"{source}.{alias.name}"):
                modules[alias.asname or alias.name] = f"{source}.{alias.name}"
            else:
                found.add((source, alias.name))
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {(modules[node.value.id], node.attr)} if node.value.id in modules else set()
    return frozenset(found)


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
