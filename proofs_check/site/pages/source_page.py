"""The page of a source file: its text in colour, each line with an anchor."""

from __future__ import annotations

import html
from functools import cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

__all__ = ["source_body"]


def source_body(shown: str, text: str) -> str:
    """The HTML of the page's body; `shown` is the file's name as it is shown."""
    return (
        f"<h1><code>{html.escape(shown)}</code></h1>"
        f'<div class="code-page" role="region" tabindex="0" aria-label="Source of {shown}">'
        f"{highlight(text, *_tools())}</div>"
    )


@cache
def _tools() -> tuple[PythonLexer, HtmlFormatter[str]]:
    return PythonLexer(), HtmlFormatter(
        linenos="inline", lineanchors="L", anchorlinenos=False, cssclass="highlight"
    )
