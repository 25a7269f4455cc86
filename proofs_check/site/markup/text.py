"""Pieces of MyST Markdown: prose without markup, formulas, badges."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from ropeproof.proofs_check.present.lines import Document, flat, lines
from ropeproof.proofs_check.present.width import width

__all__ = ["badge", "display", "first_sentence", "fold", "inline", "plain", "set_apart", "unfold"]

_MARKS = ("\\", "*", "_", "<", ">", "$", "`", "|", "[", "]", "{", "}", "~", "#")


def plain(text: str) -> str:
    r"""Prose escaped so that Markdown shows it unchanged, on one line; text in backticks is code.

    >>> print(plain("a_1 < 2, as `sums.split` has it"))
    a\_1 \< 2, as `sums.split` has it
    """
    parts = re.split(r"(`[^`|]+`)", " ".join(text.split()))
    return "".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    for mark in _MARKS:
        text = text.replace(mark, "\\" + mark)
    return text


_LINE = 58.0
"""The largest width in characters of a line of a displayed formula, about that of a step's box."""


def inline(formula: Document) -> str:
    """A formula in LaTeX within a line of prose; `display` is for wide ones."""
    return f"${flat(formula)}$"


def display(formula: Document, indent: str = "") -> Iterator[str]:
    """A displayed formula in LaTeX, broken into as many lines as its width requires."""
    yield from set_apart(lines(formula, _LINE, width), indent)


def set_apart(rows: Sequence[tuple[int, str]], indent: str = "") -> Iterator[str]:
    """A displayed formula from its lines, each with its indentation in characters."""
    yield ""
    yield f"{indent}$$"
    if len(rows) == 1:
        yield f"{indent}{rows[0][1]}"
    else:
        told = [f"&{_moved(by)}{text}" for by, text in rows]
        yield rf"{indent}\begin{{aligned}}"
        yield from (f"{indent}{row} \\\\" for row in told[:-1])
        yield f"{indent}{told[-1]}"
        yield rf"{indent}\end{{aligned}}"
    yield f"{indent}$$"
    yield ""


def _moved(by: float) -> str:
    """A horizontal space of the given number of characters, each half an em wide."""
    return rf"\hspace{{{by / 2:g}em}}" if by else ""


_SHORT = 240
"""The largest number of characters of a first sentence, which fit on one or two lines of a list."""


def first_sentence(statement: str) -> str:
    r"""The first sentence of a statement, cut short if it is long; formulas stay whole.

    >>> first_sentence("With $a<1.5$ it holds. It fails otherwise.")
    'With $a<1.5$ it holds.'
    >>> first_sentence("word " * 100)[-11:]
    'word word …'
    """
    text = " ".join(statement.split())
    pieces: list[str] = re.findall(r"\$\$.+?\$\$|\$[^$]+\$|`[^`]*`|[^\s$`]+|\s|[$`]", text)
    said = ""
    for number, piece in enumerate(pieces):
        after = pieces[number + 1] if number + 1 < len(pieces) else " "
        said += piece
        if after.isspace() and piece.endswith(".") and len(said) > 20:
            return said
        if len(said) > _SHORT and after.isspace():
            return f"{said} …"
    return said.strip()


def badge(status: str) -> str:
    """A status as a coloured word.

    >>> badge("not run")
    '[not run]{.status .status-not-run}'
    """
    return f"[{status}]{{.status .status-{status.replace(' ', '-')}}}"


def fold(summary: str, kind: str, *, anchor: str = "") -> Iterator[str]:
    """The beginning of a part that opens on a click, with a plain-text `summary`."""
    where = f' id="{anchor}"' if anchor else ""
    yield ""
    yield f'<details class="{kind}"{where}>'
    yield f"<summary>{html.escape(summary, quote=False)}</summary>"
    yield ""


def unfold() -> Iterator[str]:
    """The end of a part that opens on a click, begun by `fold`."""
    yield ""
    yield "</details>"
    yield ""
