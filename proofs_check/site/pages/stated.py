"""The statement of a claim on a page: prose, beside it the formulas, below them the symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ropeproof.proofs_check.present import Statement, StatementPart, SymbolEntry
from ropeproof.proofs_check.present.width import width
from ropeproof.proofs_check.site.markup.breaking import breakable
from ropeproof.proofs_check.site.markup.text import plain, set_apart
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim

__all__ = ["formal", "side_by_side", "where", "where_in_lines"]

_SHORT = 34.0
"""The largest width in characters of a formula within a line of prose."""


def side_by_side(site: Site, claim: Claim) -> Iterator[str]:
    """The prose and the formal statement in two columns, stacked on narrow windows."""
    status = site.status(claim.id).replace(" ", "-")
    stated = site.stated(claim)
    bare = "" if stated.hypotheses or stated.parts else " alone"
    yield f'<div class="stated{bare}">'
    yield f'<section class="claim claim-{status}" aria-label="In words">'
    yield ""
    yield breakable(claim.statement)
    yield ""
    yield "</section>"
    if not bare:
        yield '<section class="formal" aria-label="As it is checked">'
        yield from formal(stated)
        yield "</section>"
    yield "</div>"
    yield from where(stated.where)
    yield ""


def formal(stated: Statement) -> Iterator[str]:
    """The hypotheses, each with whether it is needed, and the parts of the conclusion."""
    if stated.hypotheses:
        yield ""
        yield "**Hypotheses**"
        yield ""
    for hypothesis in stated.hypotheses:
        note = plain(hypothesis.note) or "needed"
        yield from _item(f"- *{plain(hypothesis.name)}* ({note}): ", hypothesis)
    if stated.parts:
        yield ""
        yield "**Conclusion**"
    for part in stated.parts:
        yield ""
        yield from _item(f"{part.name} ", part) if part.name else set_apart(part.latex_lines)
    yield ""


def _item(words: str, item: StatementPart) -> Iterator[str]:
    """A formula after a few words: on the same line if it is short, else displayed."""
    if len(item.latex_lines) == 1 and width(item.latex) <= _SHORT:
        yield f"{words}${item.latex}$"
        return
    yield words.rstrip()
    yield from set_apart(item.latex_lines, "  " if words.startswith("- ") else "")


def where(entries: Sequence[SymbolEntry]) -> Iterator[str]:
    """The table of the symbols, each with its kind and its meaning."""
    if not entries:
        return
    yield ""
    yield '<div class="where">'
    yield ""
    yield "**Where**"
    yield ""
    yield "| symbol | kind | what it stands for |"
    yield "| --- | --- | --- |"
    for entry in entries:
        meaning = [_cell(entry.meaning)] if entry.meaning else []
        if entry.definition_latex:
            meaning.append(f"${_barless(f'{entry.latex} = {entry.definition_latex}')}$")
        yield f"| ${_barless(entry.latex)}$ | {_cell(entry.kind)} | {': '.join(meaning)} |"
    yield ""
    yield "</div>"


def where_in_lines(entries: Sequence[SymbolEntry]) -> Iterator[str]:
    """The symbols as a list, for the volume, in which wide tables cannot scroll."""
    if not entries:
        return
    yield ""
    yield "**Where**"
    yield ""
    for entry in entries:
        meaning = f": {entry.meaning}" if entry.meaning else ""
        yield f"- ${entry.latex}$, {entry.kind}{meaning}"
        if entry.definition_latex:
            yield from ("", "  $$", f"  {entry.latex} = {entry.definition_latex}", "  $$", "")


def _barless(latex: str) -> str:
    """LaTeX without vertical bars, which would end a table cell."""
    return latex.replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _cell(text: str) -> str:
    """The text as Markdown for a table cell."""
    pieces = " ".join(text.split()).split("$")
    return "$".join(_barless(p) if n % 2 else p.replace("|", "\\|") for n, p in enumerate(pieces))
