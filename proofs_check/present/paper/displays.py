"""Formulas of a claim as LaTeX: within a line where they are short, else broken into lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ropeproof.proofs_check.present.lines import Document, flat, lines
from ropeproof.proofs_check.present.width import width

__all__ = ["LINE", "SHORT", "formula_after", "rows_of", "set_apart"]

LINE = 60.0
"""The largest estimated width of a line of a displayed formula, in characters, on a page of one column."""
SHORT = 34.0
"""The largest estimated width of a formula within a line of prose, in characters."""


def rows_of(formula: Document) -> list[tuple[int, str]]:
    """The lines of a formula, each with its indentation in characters."""
    return lines(formula, LINE, width)


def set_apart(rows: Sequence[tuple[int, str]]) -> Iterator[str]:
    r"""A displayed formula from its lines; each is a `\fitline`, so that none is wider than the text."""
    yield r"\begin{align*}"
    told = [rf"&\fitline{{{by / 2:g}em}}{{{text}}}" for by, text in rows]
    yield from (rf"{row}\\" for row in told[:-1])
    yield told[-1]
    yield r"\end{align*}"


def formula_after(words: str, formula: Document, end: str = "") -> Iterator[str]:
    """A formula after a few words: on the same line if it is short, with `end` after it, else displayed."""
    rows = rows_of(formula)
    if len(rows) == 1 and width(flat(formula)) <= SHORT:
        yield f"{words} ${flat(formula)}${end}".lstrip()
        return
    yield words
    yield from set_apart(rows)
