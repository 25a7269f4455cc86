"""A statement as LaTeX for a paper; it needs amsmath, amssymb and mathtools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ropeproof.proofs_check.present.statement import Statement, StatementPart, SymbolEntry

__all__ = ["paper"]

_SPECIAL = str.maketrans({"_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$"})


def paper(statement: Statement) -> str:
    """The LaTeX: hypotheses as a list, the conclusion as displays, and a table of symbols."""
    return "\n".join(_lines(statement)) + "\n"


def _lines(statement: Statement) -> Iterator[str]:
    yield f"% {statement.id}: needs \\usepackage{{amsmath,amssymb,array}}"
    yield rf"\paragraph{{{_prose(statement.title)}}}"
    if statement.hypotheses:
        yield r"\begin{itemize}"
        for item in statement.hypotheses:
            yield rf"\item {_prose(item.name)}:"
            yield from _display(item)
        yield r"\end{itemize}"
        yield "Then"
    for item in statement.parts:
        yield from _display(item, item.name)
    if statement.where:
        yield r"where"
        yield r"\begin{itemize}"
        for entry in statement.where:
            yield _entry(entry)
        yield r"\end{itemize}"


def _display(item: StatementPart, label: str = "") -> Iterator[str]:
    tag = rf"\tag*{{{label}}}" if label else ""
    yield r"\begin{equation*}\begin{aligned}"
    *most, last = item.latex_lines
    for by, text in most:
        yield rf"&{_space(by)}{text}\\"
    by, text = last
    yield rf"&{_space(by)}{text}"
    yield rf"\end{{aligned}}{tag}\end{{equation*}}"


def _space(by: int) -> str:
    return rf"\hspace{{{by / 2:g}em}}" if by else ""


def _entry(entry: SymbolEntry) -> str:
    told = f" ({entry.kind})" if entry.kind not in ("name", "notation") else ""
    equal = f"={entry.definition_latex}" if entry.definition_latex else ""
    words = f": {_prose(entry.meaning)}" if entry.meaning else ""
    return rf"\item ${entry.latex}{equal}${told}{words}"


def _prose(text: str) -> str:
    """Words as LaTeX, with special characters escaped and others left to the TeX engine."""
    return text.translate(_SPECIAL)
