"""A statement as LaTeX for a paper: hypotheses, conclusion, and what the symbols stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ropeproof.proofs_check.present.lines import Sequence as Joined
from ropeproof.proofs_check.present.paper.displays import formula_after, set_apart
from ropeproof.proofs_check.present.paper.document import FIT, needs_line
from ropeproof.proofs_check.present.paper.words import in_words

if TYPE_CHECKING:
    from ropeproof.proofs_check.present.statement import Statement, StatementPart, SymbolEntry

__all__ = ["listed", "paper", "stated", "where"]


def paper(statement: Statement) -> str:
    """The LaTeX: hypotheses as a list, the conclusion as displays, and a table of symbols."""
    return "\n".join(_lines(statement)) + "\n"


def _lines(statement: Statement) -> Iterator[str]:
    yield needs_line(statement.id)
    yield FIT
    yield rf"\paragraph{{{in_words(statement.title)}}}"
    yield from stated(statement)
    yield from where(statement.where, "where")


def stated(statement: Statement) -> Iterator[str]:
    """The hypotheses, numbered (H1), (H2), ..., and the parts of the conclusion."""
    if statement.hypotheses:
        labels = [f"(H{number})" for number in range(1, len(statement.hypotheses) + 1)]
        yield from listed(zip(labels, map(_hypothesis, statement.hypotheses), strict=True))
        yield "Then"
    if len(statement.parts) == 1:
        yield from set_apart(statement.parts[0].latex_lines)
    elif statement.parts:
        yield from listed((part.name, set_apart(part.latex_lines)) for part in statement.parts)


def where(entries: Sequence[SymbolEntry], heading: str) -> Iterator[str]:
    """The symbols as a list, each with its kind, its meaning and its definition."""
    if entries:
        yield heading
        yield from listed(("", _entry(entry)) for entry in entries)


def listed(
    items: Iterator[tuple[str, Iterator[str]]] | Sequence[tuple[str, Iterator[str]]],
) -> Iterator[str]:
    """A list of items, each with a label, or a bullet for an empty one."""
    yield r"\begin{itemize}"
    for label, lines in items:
        yield rf"\item[{label}]" if label else r"\item[$\bullet$]"
        yield from lines
    yield r"\end{itemize}"


def _hypothesis(item: StatementPart) -> Iterator[str]:
    yield f"{in_words(item.name)}:"
    yield from set_apart(item.latex_lines)


def _entry(entry: SymbolEntry) -> Iterator[str]:
    told = f" ({entry.kind})" if entry.kind not in ("name", "notation") else ""
    words = f": {in_words(entry.meaning)}" if entry.meaning else ""
    if not entry.definition_latex:
        yield f"${entry.latex}${told}{words}"
        return
    formula = Joined((f"{entry.latex} = ", entry.latex_document or entry.definition_latex))
    yield from formula_after(f"{in_words(entry.meaning)}:" if entry.meaning else "", formula)
