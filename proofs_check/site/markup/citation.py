"""Citations of a claim: the stable address of its page, and an entry for BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ropeproof import __version__
from ropeproof.proofs_check.site.markup.addresses import file_of
from ropeproof.proofs_check.site.site import Site, in_latex
from ropeproof.theory.language.claim import OWN, Claim
from ropeproof.theory.papers.citations import TEXTBOOK

__all__ = ["bibtex", "cited"]

_SPECIAL = {
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{c: rf"\{c}" for c in "{}#$%&_"},
}


def bibtex(site: Site, claim: Claim) -> str:
    """The BibTeX entry of a claim: title, id, version, address, and the paper it comes from."""
    note = f"Claim {_escaped(claim.id)} of ropeproof {_escaped(__version__)}"
    came_from = _source(claim)
    if came_from:
        note += f", {came_from}"
    fields = {
        "title": f"{{{_escaped(claim.title)}}}",
        "author": "{ropeproof contributors}",
        "howpublished": rf"\url{{{site.href(claim.id)}}}",
        "note": note,
    }
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{ropeproof:{file_of(claim.id)},", *lines, "}"])


def _source(claim: Claim) -> str:
    """The claim's paper, without its key in the catalogue, and how closely the claim follows it."""
    source = claim.source
    if source.paper in (OWN.paper, TEXTBOOK.paper):
        return ""
    paper = re.sub(r"^\[[^\]]*\] ", "", source.paper)
    place = ", ".join(filter(None, (paper, source.locator)))
    words = {"own": "after", "repaired": "repaired from", "as reported": "after reports of"}
    word = words.get(source.fidelity, f"{source.fidelity} in")
    return f"{word} {_escaped(place)}"


def _escaped(text: str) -> str:
    """The text escaped for LaTeX on one line, with Greek letters and exponents as mathematics."""
    return "".join(_SPECIAL.get(c, in_latex(c)) for c in " ".join(text.split()))


def cited(site: Site, claim: Claim) -> Iterator[str]:
    """The citation part of a claim's page; a script adds the server's address and a copy button."""
    yield "## Cite this"
    yield ""
    yield '<div class="cite">'
    yield ""
    yield f"This page is `{site.href(claim.id)}`{{.address}} of the site, also in later versions."
    yield ""
    yield "```bibtex"
    yield bibtex(site, claim)
    yield "```"
    yield ""
    yield "</div>"
