"""A result as JSON, and back; a value is accepted only if it has exactly this form."""

from __future__ import annotations

from typing import Any

from ropeproof.proofs_check.kernel.outcome import Kills
from ropeproof.proofs_check.run.items import Item, Result
from ropeproof.proofs_check.run.status import Record

__all__ = ["keepable", "read", "written"]

_FIELDS = {"item", "outcome", "domain", "cases", "seconds", "detail", "witness", "axioms", "kills"}


def keepable(result: Result) -> bool:
    """Whether a result is the same at every run, so that it may be cached.

    A failure is looked at anew each time. So is what is unknown or unsupported, since a clock or an
    installation may have decided it; only drawn cases, which no clock ends, are kept as unknown. What a
    user's own code found is not kept: it may rest on whatever that code reads.
    """
    record = result.record
    if result.second is not None or record.by:  # cvc5 is bounded by a clock
        return False
    return record.outcome == "holds" or (record.outcome == "unknown" and record.kind == "property")


def written(result: Result) -> dict[str, Any]:
    """A result as a JSON value."""
    record = result.record
    return {
        "item": [result.item.claim, result.item.kind, result.item.name],
        "outcome": record.outcome,
        "domain": record.domain,
        "cases": record.cases,
        "seconds": record.seconds,
        "detail": record.detail,
        "witness": dict(record.witness) if record.witness else None,
        "axioms": list(result.axioms),
        "kills": [result.kills.tried, result.kills.killed],
    }


def read(content: Any, item: Item) -> Result | None:
    """The result of an item from its JSON value, marked as cached; None for the value of anything else."""
    if not isinstance(content, dict) or set(content) != _FIELDS:
        return None
    if content["item"] != [item.claim, item.kind, item.name]:
        return None
    texts = [content["outcome"], content["domain"], content["detail"]]
    witness, axioms, kills = content["witness"], content["axioms"], content["kills"]
    if not all(isinstance(text, str) for text in texts) or not _texts(axioms):
        return None
    if not (witness is None or (isinstance(witness, dict) and _texts(list(witness.values())))):
        return None
    if not (isinstance(kills, list) and len(kills) == 2 and all(map(_count, kills))):
        return None
    if not _count(content["cases"]) or type(content["seconds"]) not in (int, float):
        return None
    record = Record(
        item.kind,
        item.name,
        content["outcome"],
        content["domain"],
        content["cases"],
        float(content["seconds"]),
        content["detail"],
        witness,
        kept=True,
    )
    result = Result(item, record, tuple(axioms), Kills(*kills))
    return result if keepable(result) else None


def _texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _count(value: Any) -> bool:
    return type(value) is int and value >= 0
