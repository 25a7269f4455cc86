"""Coverage of papers: each item with the claims that state it, and their statuses in a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.proofs_check.reports.listing import roles_of
from ropeproof.proofs_check.reports.report import COLOURS, WIDE
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.papers.coverage import PaperCoverage, PaperItem
from ropeproof.tools.console.pieces import Lines, words

__all__ = ["CoverageRow", "as_json", "ids_of", "rows", "shown_by", "summary", "table"]


@dataclass(frozen=True)
class CoverageRow:
    """An item of a paper, the claims that state it, and claims of our own that bear on it."""

    item: PaperItem
    stating: tuple[Claim, ...]
    beside: tuple[Claim, ...]

    @property
    def covered(self) -> str:
        """The kind of coverage.

        `stated` by a claim, `beside` if only claims of our own bear on it, else `not covered`.
        """
        return "stated" if self.stating else "beside" if self.beside else "not covered"

    @property
    def because(self) -> str:
        """The reason why no claim states the item; "" if one does."""
        return "" if self.stating else self.item.because


def rows(paper: PaperCoverage, claims: Mapping[str, Claim]) -> tuple[CoverageRow, ...]:
    """The items of a paper in order, with the claims of a catalogue."""
    found = []
    for item in paper.items:
        stating = paper.stating(item, claims)
        there = {claim.id for claim in stating}
        repairs = [c.repaired_by for c in stating if c.repaired_by]
        others = dict.fromkeys(id for id in (*repairs, *item.see) if id not in there)
        found.append(CoverageRow(item, stating, tuple(claims[id] for id in others if id in claims)))
    return tuple(found)


def ids_of(papers: Iterable[PaperCoverage], claims: Mapping[str, Claim]) -> list[str]:
    """The ids of the claims that state or bear on items of the papers, in the catalogue's order."""
    spoken = {
        claim.id
        for paper in papers
        for row in rows(paper, claims)
        for claim in (*row.stating, *row.beside)
    }
    return [id for id in claims if id in spoken]


def summary(found: Sequence[CoverageRow]) -> dict[str, int]:
    """The number of items, and of items with each kind of coverage."""
    kinds = ("stated", "beside", "not covered")
    return {"items": len(found)} | {k: sum(row.covered == k for row in found) for k in kinds}


def shown_by(row: CoverageRow) -> list[str]:
    """The illustrations of an item as text: commands and examples as they are typed."""
    words = {"picture": "picture {}", "page": "docs/{}", "example": "{}", "command": "{}"}
    return [words[shown.kind].format(shown.what) for shown in row.item.shown]


def as_json(
    papers: Sequence[PaperCoverage], claims: Mapping[str, Claim], verdicts: Iterable[ClaimResult]
) -> dict[str, Any]:
    """The JSON of `ropeproof coverage`; a claim that was not run has the status `not run`."""
    statuses = {v.claim.id: v.status for v in verdicts}
    found = roles_of(claims)

    def entry(claim: Claim) -> dict[str, str]:
        return {
            "id": claim.id,
            "role": found[claim.id],
            "status": statuses.get(claim.id, "not run"),
            "fidelity": claim.source.fidelity,
            "locator": claim.source.locator,
        }

    return {
        "schema": 2,
        "papers": [
            {
                "key": paper.key,
                "paper": paper.paper.cited,
                "title": paper.title,
                "read": paper.read,
                "complete": paper.complete,
                "summary": summary(listed),
                "compared": [claim.id for claim in paper.compared(claims)],
                "items": [
                    {
                        "name": row.item.name,
                        "place": row.item.place,
                        "states": row.item.states,
                        "covered": row.covered,
                        "claims": [entry(claim) for claim in row.stating],
                        "beside": [entry(claim) for claim in row.beside],
                        "shown": [{"kind": s.kind, "what": s.what} for s in row.item.shown],
                        "because": row.because,
                    }
                    for row in listed
                ],
            }
            for paper in papers
            for listed in [rows(paper, claims)]
        ],
    }


def table(
    papers: Sequence[PaperCoverage],
    claims: Mapping[str, Claim],
    verdicts: Iterable[ClaimResult],
    width: int = WIDE,
) -> Group:
    """A table per paper: item, place, claims with statuses; illustrations, or the reason."""
    statuses = {v.claim.id: v.status for v in verdicts}
    parts: list[Any] = []
    for paper in papers:
        listed = rows(paper, claims)
        grid = Table(box=None, header_style="bold", pad_edge=False, expand=width < WIDE)
        grid.add_column("item", max_width=24, overflow="fold")
        grid.add_column("claims, what shows it, or why there is none", overflow="fold")
        for row in listed:
            place = Text.assemble((row.item.name, "bold"), (f"\n{row.item.place}", "dim"))
            grid.add_row(place, Lines(_lines(row, statuses)))
        counts = summary(listed)
        named = ", ".join(claim.id for claim in paper.compared(claims))
        also = f"Named as prior work, with what differs, by: {named}\n" if named else ""
        parts += [
            Text(f"{paper.title} ({paper.paper.cited})", style="bold"),
            Text(f"Read: {paper.read}", style="dim"),
            grid,
            Text(
                f"{counts['items']} items: {counts['stated']} stated by claims, {counts['beside']} with "
                f"claims of our own beside them, {counts['not covered']} not covered\n{also}"
            ),
        ]
    return Group(*parts)


def _lines(row: CoverageRow, statuses: Mapping[str, str]) -> list[list[Text]]:
    lines = [_claims("", row.stating, statuses)] if row.stating else []
    if row.because:
        word = "no claim states it" if row.beside else "not covered"
        lines.append(words(f"{word}, because {row.because}"))
    if row.beside:
        lines.append(_claims("beside it: ", row.beside, statuses))
    if row.item.shown:
        last = len(shown := shown_by(row)) - 1
        pieces = [f"{text};" if n < last else text for n, text in enumerate(shown)]
        lines.append([*words("shown by:", "dim"), *(Text(piece, "dim") for piece in pieces)])
    return lines


def _claims(before: str, claims: Sequence[Claim], statuses: Mapping[str, str]) -> list[Text]:
    """The claims, each with its status on the same line."""
    pieces = words(before)
    for number, claim in enumerate(claims, 1):
        status = statuses.get(claim.id, "not run")
        piece = Text.assemble(f"{claim.id} ", (status, COLOURS.get(status, "dim")))
        pieces.append(piece.append("," if number < len(claims) else ""))
    return pieces
