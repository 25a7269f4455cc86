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
    **{"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "lt": "<", "gt": ">"},
    **{"to": "→", "rightarrow": "→", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫"},
    **{
        "cdot": "·",
        "times": "×",
        "in": "∈",
        "notin": "∉",
        "perp": "⊥",
        "forall": "∀",
        "exists": "∃",
    },
    **{"pm": "±", "mp": "∓", "circ": "∘", "wedge": "∧", "vee": "∨", "neg": "¬", "not": "¬"},
    **{"approx": "≈", "sim": "∼", "equiv": "≡", "propto": "∝", "ll": "≪", "gg": "≫", "top": "ᵀ"},
    **{
        "dots": "…",
        "ldots": "…",
        "cdots": "…",
        "vdots": "…",
        "odot": "⊙",
        "otimes": "⊗",
        "oplus": "⊕",
    },
    **{"langle": "⟨", "rangle": "⟩", "|": "‖", "lVert": "‖", "rVert": "‖", "Vert": "‖"},
    **{
        "lvert": "|",
        "rvert": "|",
        "vert": "|",
        "mid": "|",
        "colon": ":",
        "prime": "′",
        "setminus": "∖",
    },
    **{
        "lfloor": "⌊",
        "rfloor": "⌋",
        "lceil": "⌈",
        "rceil": "⌉",
        "emptyset": "∅",
        "varnothing": "∅",
    },
    **{"Rightarrow": "⇒", "iff": "⇔", "Leftrightarrow": "⇔", "implies": "⇒", "ell": "ℓ"},
    **{
        "nabla": "∇",
        "partial": "∂",
        "leftarrow": "←",
        "mapsto": "↦",
        "subset": "⊂",
        "subseteq": "⊆",
    },
    **{
        "cup": "∪",
        "cap": "∩",
        "bmod": " mod ",
        "{": "{",
        "}": "}",
        "#": "#",
        "%": "%",
        "_": "_",
        "&": "&",
    },
}
_SILENT = frozenset(
    [
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "left",
        "right",
        "middle",
        "displaystyle",
        "textstyle",
        "limits",
        "nolimits",
        "rm",
        "bf",
        "it",
        "quad",
        "qquad",
        ",",
        ";",
        ":",
        "!",
        ">",
        "\\",
    ]
) | {" "}
"""Commands that set a size, a font or a space, and no sign."""
_FONTS = frozenset(
    [
        "mathrm",
        "mathbf",
        "mathbb",
        "mathcal",
        "mathsf",
        "mathit",
        "mathfrak",
        "boldsymbol",
        "text",
        "textrm",
        "textbf",
        "textit",
        "operatorname",
        "mbox",
    ]
)
_ACCENTS = {
    **{
        "bar": "\u0304",
        "overline": "\u0304",
        "hat": "\u0302",
        "widehat": "\u0302",
        "tilde": "\u0303",
    },
    **{"widetilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7"},
}
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|\s+|.")


def readable(text: str) -> str:
    r"""Prose with LaTeX converted to plain text, for snippets and for matching the words typed.

    A command that has no sign keeps its name, so that nothing of a formula is lost.

    >>> readable(r"A score is $\ge\frac{1}{2}$ if $\theta_l\le\pi$.")
    'A score is ≥1/2 if θ_l≤π.'
    >>> readable(r"$\frac1\lambda\tanh\frac{a+b}2$")
    '1/λ tanh (a+b)/2'
    """
    pieces = re.split(r"(\$\$.+?\$\$|\$[^$]+\$)", " ".join(text.split()))
    return "".join(
        _formula(p.strip("$")) if n % 2 else p.replace("`", "") for n, p in enumerate(pieces)
    )


def _formula(latex: str) -> str:
    return " ".join(_said(iter(_TOKEN.findall(latex)), None).split())


def _said(tokens: Iterator[str], end: str | None) -> str:
    """The text of the tokens up to `end`, which is taken too."""
    pieces: list[str] = []
    for token in tokens:
        if token == end:
            break
        pieces.append(_one(token, tokens))
    return "".join(pieces)


def _argument(tokens: Iterator[str]) -> str:
    """The text of the next argument: a group, a command with its own arguments, or a character."""
    for token in tokens:
        if not token.isspace():
            return _one(token, tokens).strip()
    return ""


def _one(token: str, tokens: Iterator[str]) -> str:
    """The text of one token, with the arguments that it takes."""
    if token == "{":
        return _said(tokens, "}")
    if token in "_^":
        script = _argument(tokens)
        return token + (f"({script})" if len(script) > 1 and script[-1] not in _MARKS else script)
    if token == "~":
        return " "
    if len(token) < 2 or token[0] != "\\":
        return "" if token == "}" else token
    name = token[1:]
    if name in ("frac", "dfrac", "tfrac", "cfrac"):
        above = _part(_argument(tokens))
        return f"{above}/{_part(_argument(tokens))}"
    if name in ("binom", "tbinom", "dbinom"):
        return f"({_argument(tokens)} choose {_argument(tokens)})"
    if name == "sqrt":
        return f"√{_part(_argument(tokens))}"
    if name in _ACCENTS:
        base = _argument(tokens)
        return base + _ACCENTS[name] if len(base) == 1 else _part(base)
    if name in _FONTS:
        font = _argument(tokens)
        return f" {font} " if name == "operatorname" else font
    return _sign(name)


_MARKS = frozenset(_ACCENTS.values())


def _part(text: str) -> str:
    """A part of a fraction, in parentheses unless it is one number, letter or bracket."""
    bare = re.fullmatch(
        r"\w+|[^\W\d][_^]?\w?|\([^()]*\)", "".join(c for c in text if c not in _MARKS)
    )
    return text if bare else f"({text})"


def _sign(name: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    if name in _SILENT:
        return " " if "quad" in name or name in (",", ";", ":", " ", "\\") else ""
    kind = "CAPITAL" if name[:1].isupper() else "SMALL"
    try:
        letter = name.removeprefix("var").upper()
        return unicodedata.lookup(
            f"GREEK {kind} LETTER {'LAMDA' if letter == 'LAMBDA' else letter}"
        )
    except KeyError:
        return f" {name} "  # the name of a function, and all else: nothing is dropped
