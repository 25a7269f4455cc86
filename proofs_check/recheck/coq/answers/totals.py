"""Totals of what Coq accepts, over all claims and by topic, and the refusals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked

__all__ = ["by_topic", "refusals", "summary_json", "topics_table", "totals"]


def totals(found: Sequence[Rechecked]) -> Mapping[str, int]:
    """The numbers of claims by verdict, and of steps and accepted steps."""
    return {
        "claims": len(found),
        "re-checked": sum(r.verdict == "re-checked" for r in found),
        "partly": sum(r.verdict == "partly" for r in found),
        "not exported": sum(r.verdict == "not exported" for r in found),
        "steps": sum(r.steps for r in found),
        "accepted": sum(r.accepted for r in found),
    }


def by_topic(
    found: Sequence[Rechecked], topics: Mapping[str, str]
) -> Mapping[str, Mapping[str, int]]:
    """The `totals` of each topic, in order of first occurrence.

    `topics` gives the topic of each claim by its id.
    """
    named = dict.fromkeys(topics[r.id] for r in found)
    return {name: totals([r for r in found if topics[r.id] == name]) for name in named}


def summary_json(found: Sequence[Rechecked], topics: Mapping[str, str]) -> dict[str, Any]:
    """The totals over all claims and by topic, for a JSON report."""
    return {
        "summary": dict(totals(found)),
        "topics": {name: dict(of) for name, of in by_topic(found, topics).items()},
    }


def topics_table(found: Sequence[Rechecked], topics: Mapping[str, str]) -> Table:
    """A table of the totals with a row for each topic, and one for all."""
    from rich.table import Table

    grid = Table(box=None, header_style="bold", pad_edge=False)
    grid.add_column("topic", overflow="fold")
    for heading in ("claims", "re-checked by Coq", "partly", "not exported", "steps", "accepted"):
        grid.add_column(heading, justify="right")
    for name, of in (*by_topic(found, topics).items(), ("all", totals(found))):
        counts = (of["claims"], of["re-checked"], of["partly"], of["not exported"])
        grid.add_row(name, *map(str, (*counts, of["steps"], of["accepted"])))
    return grid


def refusals(found: Sequence[Rechecked]) -> Iterator[str]:
    """Lines for each claim that is not re-checked, with the reason for each refused step."""
    for r in found:
        if r.verdict != "re-checked":
            yield f"{r.id}: {r}"
            yield from (f"    {step}: {why}" for step, why in r.refused)
