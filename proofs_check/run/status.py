"""The status of a claim, computed from its evidence. Nobody types a status.

Two words are computed. What the evidence establishes decides whether other claims may rest on a claim
and whether a run has found what it promises. The status is what is shown: the same word, except for a
definition, which states no fact and is shown as `definition`, whatever was checked of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ropeproof.theory.language.claim import Claim

__all__ = [
    "ORDER",
    "STATEMENT",
    "Record",
    "Status",
    "compute_status",
    "counted",
    "established",
    "expected_status",
    "shortfalls",
]

Status = Literal["proved", "definition", "certified", "tested", "conjecture", "refuted", "open"]
ORDER: tuple[Status, ...] = (
    "proved",
    "definition",
    "certified",
    "tested",
    "conjecture",
    "refuted",
    "open",
)
STATEMENT = "drawn instances"  # the property evidence about the formal statement itself
_LETTERS = {"P": "proof", "C": "certified", "T": "property", "X": "attack", "W": "construction"}


@dataclass(frozen=True)
class Record:
    """The outcome of one piece of evidence; an entry under `evidence` in the JSON report.

    `by` names the user's file whose code alone found this; it is empty for what this project found.
    """

    kind: str
    name: str
    outcome: str
    domain: str = ""
    cases: int = 0
    seconds: float = 0.0
    detail: str = ""
    witness: Mapping[str, str] | None = None
    kept: bool = False  # found by an earlier run on the same sources
    by: str = ""


def compute_status(claim: Claim, records: Iterable[Record], used: Mapping[str, Status]) -> Status:
    """The status of a claim that is shown: `definition` for a definition, else what is `established`.

    `used` says what is established of the claims that it uses.
    """
    return "definition" if claim.kind == "definition" else established(claim, records, used)


def established(claim: Claim, records: Iterable[Record], used: Mapping[str, Status]) -> Status:
    """What the evidence establishes of a claim, or of a definition; only outcomes `holds` raise it.

    All outcomes of a kind have to hold. `used` says what is established of the claims that it uses.
    Nothing raises a conjecture. `refuted` needs a witness against the claim itself, or a proof of its
    negation. A proof counts only if every claim it uses is proved. Unknown never counts. What nothing
    but the code of a user's file has found is a test of its claim at most, and none where drawn
    instances leave its formal statement open.
    """
    by_kind: dict[str, list[Record]] = {}
    for record in records:
        by_kind.setdefault(record.kind, []).append(record)

    def all_hold(kind: str) -> bool:
        found = by_kind.get(kind, [])
        return bool(found) and all(r.outcome == "holds" for r in found)

    def ours(kind: str) -> bool:
        return any(not r.by for r in by_kind.get(kind, []))

    grounded = all(used.get(u) == "proved" for u in claim.uses)
    if claim.kind == "printed":
        return "refuted" if all_hold("attack") and grounded else "open"
    against = [
        r for r in by_kind.get("property", []) if (r.name, r.outcome) == (STATEMENT, "fails")
    ]
    if any(r.cases for r in against):
        return "refuted"
    if against:
        return "open"  # the search broke off: it says nothing about the statement
    if claim.kind == "conjecture":
        return "conjecture"
    if any(r.outcome == "fails" for r in by_kind.get("proof", [])):
        return "open"
    if all_hold("proof") and grounded:
        return "proved"
    if all_hold("certified") and ours("certified"):
        return "certified"
    stated = any(r.name == STATEMENT for r in by_kind.get("property", []))
    if all_hold("property") or (all_hold("construction") and (ours("construction") or not stated)):
        return "tested"
    return "tested" if all_hold("certified") and not stated else "open"


def counted(statuses: Iterable[Status]) -> str:
    """The number of claims of each status, in words.

    >>> counted(["definition", "proved", "proved", "definition"])
    '2 proved, 2 definitions'
    """
    found = list(statuses)
    numbers = {status: found.count(status) for status in ORDER}
    return ", ".join(
        f"{n} {status}{'s' if status == 'definition' and n > 1 else ''}"
        for status, n in numbers.items()
        if n
    )


def expected_status(claim: Claim) -> Status:
    """The status that the claim's evidence letters and kind promise."""
    return "definition" if claim.kind == "definition" else _promised(claim)


def _promised(claim: Claim) -> Status:
    """The status that the claim's evidence has to establish, also for a definition."""
    if claim.kind == "conjecture":
        return "conjecture"
    if claim.kind == "printed":
        return "refuted"
    if "P" in claim.needs or (not claim.needs and claim.derivation is not None):
        return "proved"
    return "certified" if "C" in claim.needs else "tested"


def shortfalls(
    claim: Claim, records: Iterable[Record], status: Status, used: Mapping[str, Status]
) -> list[str]:
    """The reasons why a claim is not as expected; empty if it is.

    `used` says what is established of the claims that it uses.
    Reasons: a piece of evidence that fails, an attack that cannot tell, a letter without evidence
    that holds, a claim that it rests on and that is not proved, a status below the expected one.
    What is checked of a definition has to hold as for a theorem, although its status does not show it.
    """
    records, expected = list(records), _promised(claim)
    certificates = [r for r in records if r.kind == "certified"]
    if expected == "certified" and certificates and all(r.by for r in certificates):
        expected = "tested"  # the most that a file's own certificate can give
    of_definition = claim.kind == "definition"
    if of_definition:
        status = established(claim, records, used)
    reasons = [f"{r.kind} {r.name}: {r.detail}" for r in records if r.outcome == "fails"]
    excused = [r for r in records if r.kind == "attack" and r.outcome == "unknown"]
    reasons += [f"{r.kind} {r.name}: {r.detail}" for r in excused if claim.kind != "printed"]
    for letter in sorted(claim.needs or ("P" if expected == "proved" else "")):
        kind = _LETTERS[letter]
        mine = [r for r in records if r.kind == kind]
        if any(r.outcome == "fails" for r in mine):
            continue  # said already
        if not any(r.outcome == "holds" for r in mine):
            why = "; ".join(r.detail for r in mine) or "none was registered"
            reasons.append(f"needs {kind} evidence: {why}")
    if status != expected:
        if expected in ("proved", "refuted"):
            reasons += [f"rests on {id}, which is {s}" for id, s in used.items() if s != "proved"]
        word = "what is checked of the definition gives" if of_definition else "status"
        reasons.append(f"{word} {status}, expected {expected}")
    return reasons
