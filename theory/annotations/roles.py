"""The roles of claims for a reader: main results and lemmas.

A theorem is a main result if it is declared so, if a paper states it, if it repairs what a paper
prints, or if no other proof uses it; what a textbook has is none. Every other theorem is a lemma:
it is there for the proofs that use it. What is not a theorem is what its kind says.
"""

from __future__ import annotations

from collections.abc import Mapping

from ropeproof.theory.language.claim import Claim
from ropeproof.theory.papers.citations import PAPERS, TEXTBOOK

__all__ = ["HEADINGS", "ROLES", "roles"]

ROLES = ("main result", "lemma", "definition", "printed", "conjecture")
"""All roles, the most telling first; a printed statement is one that is false as it stands."""

HEADINGS: Mapping[str, str] = {
    "main result": "Theorem",
    "lemma": "Lemma",
    "definition": "Definition",
    "printed": "Printed statement",
    "conjecture": "Conjecture",
}
"""The word before the title of a claim of each role, in a text that is typeset."""

_CITED = frozenset(paper.cited for paper in PAPERS)


def roles(claims: Mapping[str, Claim]) -> Mapping[str, str]:
    """The role of each claim of a catalogue, one of `ROLES`, by its id.

    >>> from ropeproof.theory import CLAIMS
    >>> found = roles(CLAIMS)
    >>> found["slash.emergence"], found["slash.row-emergence"], found["slash.score"]
    ('main result', 'lemma', 'definition')
    """
    used = {other for claim in claims.values() for other in claim.uses}
    repairs = {claim.repaired_by for claim in claims.values() if claim.repaired_by}
    found: dict[str, str] = {}
    for id, claim in claims.items():
        if claim.kind != "theorem":
            found[id] = claim.kind
        elif claim.role is not None:
            found[id] = claim.role
        else:
            stated = claim.source.paper in _CITED or id in repairs
            last = id not in used and claim.source.paper != TEXTBOOK.paper
            found[id] = "main result" if stated or last else "lemma"
    return found
