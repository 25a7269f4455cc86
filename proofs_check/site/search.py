"""The search: an index of claims, by id, title and the words of the statement, and of pages.

The index is a script, so that the search also works on pages that are opened from the disk.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ropeproof.proofs_check.site.site import Site

__all__ = ["INDEX", "PAGE", "Section", "claim_entries", "index_script", "readable"]

INDEX = "search-index.js"
"""The file of the index, beside the other scripts."""

PAGE = """<h1>Search</h1>
<form class="search" role="search">
<label>Words, or the id of a claim <input type="search" name="q" autocomplete="off"></label>
</form>
<noscript><p>The search needs JavaScript. The <a href="overview.html">overview</a> lists every claim.</p>
</noscript>
<p class="found" role="status" aria-live="polite"></p>
<div class="results"></div>
<script src="_static/search-index.js"></script>
<script src="_static/search.js"></script>
"""
"""The HTML of the search page."""


@dataclass(frozen=True)
class Section:
    """A section of a written page: headings from the page's title on, address, and text."""

    title: str
    href: str
    text: str


def claim_entries(site: Site) -> Iterator[Mapping[str, str]]:
    """The search entry of each claim, main results first."""
    for claim in sorted(site.claims.values(), key=lambda c: site.roles[c.id] != "main result"):
        source = claim.source
        yield {
            "id": claim.id,
            "title": claim.title,
            "word": f"{site.word(claim)} {site.number_of[claim.id]}",
            "status": site.status(claim.id),
            "href": site.href(claim.id),
            "text": readable(claim.statement),
            "source": " ".join(filter(None, (source.paper, source.locator))),
        }


def index_script(site: Site, sections: Iterable[Section]) -> str:
    """The index as a script that the search page loads."""
    found = {"claims": list(claim_entries(site)), "pages": [vars(section) for section in sections]}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("</", r"<\/")
    return f"window.SEARCH_INDEX = {text};\n"


_SIGNS = {
    **{"le": "≤", "ge": "≥", "ne": "≠", "to": "→", "infty": "∞", "sum": "∑", "prod": "∏"},
    **{
        "cdot": "·",
        "times": "×",
        "in": "∈",
        "notin": "∉",
        "perp": "⊥",
        "forall": "∀",
        "exists": "∃",
        "pm": "±",
        "sqrt": "√",
    },
    **{"approx": "≈", "ll": "≪", "gg": "≫", "dots": "…", "ldots": "…", "cdots": "…", "top": "ᵀ"},
    **{"langle": "⟨", "rangle": "⟩", "|": "‖", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈"},
    **{"rceil": "⌉", "Rightarrow": "⇒", "iff": "⇔", "ell": "ℓ", "{": "{", "}": "}", "quad": " "},
    **{"nabla": "∇", "partial": "∂", "leftarrow": "←", "mapsto": "↦", "subset": "⊂", "cup": "∪"},
    **{name: f" {name} " for name in ("ln", "cos", "sin", "tan", "log", "exp", "max", "min")},
    **{"bmod": " mod ", "#": "#", "%": "%", "_": "_"},
}
_FRACTION = re.compile(
    r"\\[dt]?frac\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\w)\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\w)"
)
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")


def readable(text: str) -> str:
    r"""Prose with LaTeX converted to plain text, for snippets and for matching the words typed.

    >>> readable(r"A score is $\ge\frac{1}{2}$ if $\theta_l\le\pi$.")
    'A score is ≥(1)/(2) if θ_l≤π.'
    """
    pieces = re.split(r"(\$\$.+?\$\$|\$[^$]+\$)", " ".join(text.split()))
    return "".join(
        _formula(p.strip("$")) if n % 2 else p.replace("`", "") for n, p in enumerate(pieces)
    )


def _formula(latex: str) -> str:
    before = ""
    while before != latex:
        before, latex = latex, _FRACTION.sub(lambda m: f"({_bare(m[1])})/({_bare(m[2])})", latex)
    latex = _COMMAND.sub(lambda m: _sign(m[1]), latex)
    latex = re.sub(r"([_^])\{([^{}]{2,})\}", r"\1(\2)", latex)
    return " ".join(latex.replace("{", "").replace("}", "").split())


def _bare(group: str) -> str:
    return group[1:-1] if group.startswith("{") else group


def _sign(name: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    kind = "CAPITAL" if name[:1].isupper() else "SMALL"
    try:
        letter = name.removeprefix("var").upper()
        return unicodedata.lookup(
            f"GREEK {kind} LETTER {'LAMDA' if letter == 'LAMBDA' else letter}"
        )
    except KeyError:
        return ""  # a font, a size, a space
