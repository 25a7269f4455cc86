"""Write remedies for refused steps into a file: `ropeproof try FILE --write`.

The call that created the step gets the rule, the premises or the products that `remedy` found, by the
names that the file itself has for them. If there is no such name, or if several steps are
created by one call and need different remedies, nothing is written and the reason is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.printing.str import StrPrinter

from ropeproof.proofs_check.authoring.remedy import Place, Remedy
from ropeproof.theory.language.claim import Hypothesis
from ropeproof.theory.language.derivation import Step
from ropeproof.theory.language.proof import Fact, Scope

__all__ = ["StepPlace", "WrittenFile", "place_of", "with_remedies"]

_BEFORE_PREMISES = {"show": 2, "qed": 1}
"""The number of arguments before the premises in a call that creates a step."""


@dataclass(frozen=True)
class StepPlace:
    """The place where a step is created: the line of the call, and the file's names.

    `names` are those of premises and assumptions, `symbols` those of symbols and functions.
    """

    line: int
    names: Mapping[Place, str]
    symbols: Mapping[Any, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenFile:
    """A file's text with remedies written in, the changed lines, and the remedies left out."""

    text: str
    changed: Mapping[int, str]
    left: Sequence[str]


def place_of(frame: Any, step: Step) -> StepPlace:
    """The place of a step that the given frame creates, with the names visible there."""
    names: dict[Place, str] = {}
    symbols: dict[Any, str] = {}
    settings = _of_settings(frame.f_globals)
    for name, value in [*settings, *frame.f_globals.items(), *frame.f_locals.items()]:
        parts = (
            {f"{name}[{i}]": v for i, v in enumerate(value)} if type(value) in (list, tuple) else {}
        )
        for text, one in {**parts, name: value}.items():
            if isinstance(one, sp.Symbol | UndefinedFunction):
                symbols[one] = text
            elif isinstance(one, Fact):
                names[one.label] = text
            elif isinstance(one, Hypothesis):
                names[one.name] = text
            elif isinstance(one, Scope) and one.assuming == step.assuming:
                names |= {i: f"{text}.assuming[{i}]" for i in range(len(one.assuming))}
    return StepPlace(frame.f_lineno, names, symbols)


def _of_settings(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The names a file sees through modules that it imports as a whole, such as `lags.OFFSET`."""
    for name, module in names.items():
        if isinstance(module, ModuleType) and module.__name__.startswith("ropeproof.theory."):
            yield from ((f"{name}.{own}", value) for own, value in vars(module).items())


def with_remedies(path: str, found: Sequence[tuple[StepPlace, Remedy]]) -> WrittenFile:
    """The text of the file with each remedy written into the call at its place."""
    text = Path(path).read_text(encoding="utf-8")
    calls: dict[int, list[ast.Call]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _BEFORE_PREMISES:
            calls.setdefault(node.lineno, []).append(node)
    wanted: dict[int, set[tuple[str, ...]]] = {}
    left: list[str] = []
    edits: list[tuple[int, int, str]] = []
    changed: dict[int, str] = {}
    for place, remedy in found:
        try:
            parts = _arguments(place, remedy)
        except KeyError as error:
            left.append(f"line {place.line}: the file has no name for {error.args[0]}; give it one")
            continue
        wanted.setdefault(place.line, set()).add(parts)
    remedies = {place.line: remedy for place, remedy in found}
    for line, ways in sorted(wanted.items()):
        if len(ways) > 1 or len(calls.get(line, ())) != 1:
            left.append(f"line {line}: several steps are made there; write it by hand")
            continue
        (parts,) = ways
        (call,) = calls[line]
        if any(k.arg in ("by", "products", "monotone", "cases") for k in call.keywords):
            left.append(
                f"line {line}: the call names a rule or products already; change them by hand"
            )
            continue
        edits.append(_edit(text, call, parts, remedies[line]))
        changed[line] = ", ".join(parts)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return WrittenFile(text, changed, tuple(left))


def _arguments(place: StepPlace, remedy: Remedy) -> tuple[str, ...]:
    """The arguments to write, as text. Raises `KeyError` for a premise without a name."""
    names = {**place.names}

    def name(of: Place) -> str:
        if of not in names:
            raise KeyError(
                f"assumption {of + 1}" if isinstance(of, int) else f"step or hypothesis {of}"
            )
        return names[of]

    parts = [name(n) for n in remedy.premises]
    if remedy.rule:
        parts.append(f"by=rules.{remedy.rule}()")
    if remedy.products:
        pairs = ", ".join(f"({name(a)}, {name(b)})" for a, b in remedy.products)
        parts.append(f"products=({pairs}{',' if len(remedy.products) == 1 else ''})")
    if remedy.monotone:
        parts.append(f"monotone=({''.join(f'{name(n)}, ' for n in remedy.monotone).rstrip()})")
    if remedy.cases:
        parts.append(f"cases=({', '.join(_comparison(c, place.symbols) for c in remedy.cases)},)")
    return tuple(parts)


def _comparison(case: Any, symbols: Mapping[Any, str]) -> str:
    """The text of `left <= right` in the file's names. Raises `KeyError` where it has no name."""
    for part in case.atoms(sp.Symbol, AppliedUndef):
        head = part if isinstance(part, sp.Symbol) else part.func
        if head not in symbols:
            raise KeyError(f"the symbol {head}")
    if any(not n.is_Integer for n in case.atoms(sp.Number)):
        raise KeyError(f"the case {case}, which has a fraction")
    printer = _Named(symbols)
    return f"le({printer.doprint(case.lhs)}, {printer.doprint(case.rhs)})"


class _Named(StrPrinter):  # type: ignore[misc]  # SymPy is untyped
    """A printer of terms as Python code with the file's names of symbols and functions."""

    def __init__(self, symbols: Mapping[Any, str]) -> None:
        super().__init__()
        self._symbols = symbols

    def _print_Symbol(self, expr: Any) -> str:  # noqa: N802 (SymPy's name)
        return self._symbols[expr]

    def _print_Function(self, expr: Any) -> str:  # noqa: N802 (SymPy's name)
        name = self._symbols[expr.func] if isinstance(expr, AppliedUndef) else f"sp.{expr.func}"
        return f"{name}({', '.join(map(self._print, expr.args))})"


def _edit(text: str, call: ast.Call, parts: Sequence[str], remedy: Remedy) -> tuple[int, int, str]:
    """The start, end and replacement of an edit: after the call's arguments, or in their place."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def at(row: int, column: int) -> int:  # ast counts columns in bytes of UTF-8
        return starts[row - 1] + len(lines[row - 1].encode()[:column].decode())

    before = _BEFORE_PREMISES[call.func.attr]  # type: ignore[attr-defined]
    kept: list[ast.expr] = [*call.args[:before]] if remedy.alone else [*call.args]
    kept += [k.value for k in call.keywords]
    last = max(kept, key=lambda e: (e.end_lineno, e.end_col_offset))
    begin = at(last.end_lineno or 0, last.end_col_offset or 0)
    rest = text[begin : at(call.end_lineno or 0, call.end_col_offset or 0) - 1]
    if not remedy.alone:  # behind what stands there, a closing parenthesis or a comma
        begin += len(rest.rstrip().rstrip(",").rstrip())
    end = at(call.end_lineno or 0, call.end_col_offset or 0) - 1
    space = rest[len(rest.rstrip()) :]
    tail = f",{space}" if "\n" in space else ""
    return begin, end, "".join(f", {part}" for part in parts) + tail
