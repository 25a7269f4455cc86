"""The statement of a claim on a page: prose, beside it the formulas, below them the symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ropeproof.proofs_check.present import Statement, StatementPart, SymbolEntry
from ropeproof.proofs_check.present.statement import parted
from ropeproof.proofs_check.present.width import width
from ropeproof.proofs_check.site.markup.breaking import breakable
from ropeproof.proofs_check.site.markup.text import plain, set_apart
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim

__all__ = ["formal", "side_by_side", "where", "where_in_lines"]

_SHORT = 34.0
"""The largest width in characters of a formula within a line of prose."""


def side_by_side(site: Site, claim: Claim) -> Iterator[str]:
    """The prose and the formal statement in two columns, stacked on narrow windows.

    Where the prose marks the parts of the conclusion, each part's words stand beside its formulas.
    """
    stated, told = site.stated(claim), parted(claim)
    bare = "" if stated.hypotheses or stated.parts else " alone"
    yield f'<div class="stated{bare}">'
    if told is None:
        yield from _in_words(site, claim, claim.statement)
        if not bare:
            yield from _as_checked(formal(stated))
    else:
        if told.before or stated.hypotheses:
            yield from _in_words(site, claim, told.before)
            yield from _as_checked(_hypotheses(stated))
        parts = iter(stated.parts)
        for (mark, words), size in zip(told.words, told.sizes, strict=True):
            yield from _in_words(site, claim, f"{mark} {words}", f"{mark} in words")
            own = _conclusions(list(islice(parts, size)))
            yield from _as_checked(own, f"{mark} as it is checked")
    yield "</div>"
    yield from where(stated.where)
    yield ""


def _in_words(site: Site, claim: Claim, prose: str, label: str = "In words") -> Iterator[str]:
    status = site.status(claim.id).replace(" ", "-")
    yield f'<section class="claim claim-{status}" aria-label="{label}">'
    yield ""
    yield breakable(prose)
    yield ""
    yield "</section>"


def _as_checked(lines: Iterator[str], label: str = "As it is checked") -> Iterator[str]:
    yield f'<section class="formal" aria-label="{label}">'
    yield from lines
    yield "</section>"


def formal(stated: Statement) -> Iterator[str]:
    """The hypotheses, each with what is known of its need, and the parts of the conclusion."""
    yield from _hypotheses(stated)
    if stated.parts:
        yield ""
        yield "**Conclusion**"
    yield from _conclusions(stated.parts)


def _hypotheses(stated: Statement) -> Iterator[str]:
    if stated.hypotheses:
        yield ""
        yield "**Hypotheses**"
        yield ""
    for hypothesis in stated.hypotheses:
        note = f" ({plain(hypothesis.note)})" if hypothesis.note else ""
        yield from _item(f"- *{plain(hypothesis.name)}*{note}: ", hypothesis)


def _conclusions(parts: Sequence[StatementPart]) -> Iterator[str]:
    for part in parts:
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
