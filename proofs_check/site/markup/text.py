"""Pieces of MyST Markdown: prose without markup, formulas, badges."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from ropeproof.proofs_check.present import formulas

__all__ = ["badge", "display", "first_sentence", "fold", "inline", "plain", "unfold"]

_MARKS = ("\\", "*", "_", "<", ">", "$", "`", "|", "[", "]", "{", "}", "~", "#")


def plain(text: str) -> str:
    r"""Prose that Markdown shows as it stands, on one line; what stands in backticks is code.

    >>> print(plain("a_1 < 2, as `sums.split` has it"))
    a\_1 \< 2, as `sums.split` has it
    """
    parts = re.split(r"(`[^`|]+`)", " ".join(text.split()))
    return "".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    for mark in _MARKS:
        text = text.replace(mark, "\\" + mark)
    return text


def inline(formula: Any) -> str:
    """A formula within a line of prose; a wide one is set apart by `display` instead."""
    return f"${formulas.inline(formula)}$"


def display(formula: Any, line: float = formulas.LINE) -> Iterator[str]:
    """A displayed formula, on as many lines as its width asks for."""
    lines = formulas.display(formula, line)
    yield ""
    yield "$$"
    if len(lines) == 1:
        yield lines[0]
    else:
        yield r"\begin{aligned}"
        yield " \\\\\n".join(f"&{text}" for text in lines)
        yield r"\end{aligned}"
    yield "$$"
    yield ""


_SHORT = 240
"""Characters of a first sentence that still is one line or two of a list."""


def first_sentence(statement: str) -> str:
    r"""The first sentence of a statement, or as much of a long one as fits; formulas stay whole.

    >>> first_sentence("With $a<1.5$ it holds. It fails otherwise.")
    'With $a<1.5$ it holds.'
    >>> first_sentence("word " * 100)[-10:]
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
    """A status as a word with a colour; the word alone says it.

    >>> badge("not run")
    '[not run]{.status .status-not-run}'
    """
    return f"[{status}]{{.status .status-{status.replace(' ', '-')}}}"


def fold(summary: str, kind: str, *, anchor: str = "") -> Iterator[str]:
    """The beginning of a part that opens on a click; `summary` is plain text."""
    where = f' id="{anchor}"' if anchor else ""
    yield ""
    yield f'<details class="{kind}"{where}>'
    yield f"<summary>{html.escape(summary, quote=False)}</summary>"
    yield ""


def unfold() -> Iterator[str]:
    """The end of such a part."""
    yield ""
    yield "</details>"
    yield ""
