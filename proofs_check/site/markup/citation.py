"""Citations of a claim: how it is found in any version, an entry for BibTeX, and one for `CITATION.cff`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ropeproof import __version__
from ropeproof.proofs_check.site.markup.addresses import file_of
from ropeproof.proofs_check.site.site import in_latex
from ropeproof.theory.language.claim import OWN, Claim
from ropeproof.theory.papers.citations import TEXTBOOK

__all__ = ["RELEASED", "bibtex", "cff", "cited"]

RELEASED = "2026-11-28"
"""The date of this version, as `CITATION.cff` has it."""

_SPECIAL = {
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{c: rf"\{c}" for c in "{}#$%&_"},
}


def bibtex(claim: Claim) -> str:
    """The BibTeX entry of a claim: title, year, id, version, how it is printed, and the paper it comes from.

    The site's script adds the address of the page where the site is served; a file on a disk has none.
    """
    note = f"Claim {_escaped(claim.id)} of ropeproof {_escaped(__version__)}"
    came_from = _source(claim)
    if came_from:
        note += f", {came_from}"
    fields = {
        "title": f"{{{_escaped(claim.title)}}}",
        "author": "{ropeproof contributors}",
        "year": RELEASED[:4],
        "version": _escaped(__version__),
        "howpublished": rf"\texttt{{ropeproof show {_escaped(claim.id)}}}",
        "note": note,
    }
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{ropeproof:{file_of(claim.id)},", *lines, "}"])


def cff(claim: Claim) -> str:
    """The claim as the fields of a `CITATION.cff`, version 1.2.0."""
    title = f"{claim.title} (claim {claim.id} of ropeproof)".replace("\\", r"\\").replace(
        '"', r"\""
    )
    return "\n".join(
        [
            "cff-version: 1.2.0",
            'message: "If you use this claim, please cite it by these fields, and its paper."',
            "type: software",
            f'title: "{" ".join(title.split())}"',
            "authors:",
            '  - name: "ropeproof contributors"',
            f'version: "{__version__}"',
            f'date-released: "{RELEASED}"',
        ]
    )


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


def cited(claim: Claim) -> Iterator[str]:
    """The citation part of a claim's page; a script adds the server's address and a copy button."""
    yield "## Cite this"
    yield ""
    yield '<div class="cite">'
    yield ""
    yield f"`ropeproof show {claim.id}` prints this claim in this version and in later ones, which keep its"
    yield "id; [its page has one address in all of them]{.address}."
    yield ""
    yield "```bibtex"
    yield bibtex(claim)
    yield "```"
    yield ""
    yield "As `CITATION.cff`:"
    yield ""
    yield "```yaml"
    yield cff(claim)
    yield "```"
    yield ""
    yield "</div>"
