"""The verdict on one claim from the cached results of earlier runs; nothing is run for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ropeproof.proofs_check.run.cache import Kept
from ropeproof.proofs_check.run.library import LOADED
from ropeproof.proofs_check.run.runner import ClaimResult, RunPlan, outlined, plan
from ropeproof.proofs_check.run.status import Record
from ropeproof.theory.extras import require_extra

__all__ = ["Known", "known"]


@dataclass(frozen=True)
class Known:
    """The cached verdict on a claim if all results that it rests on are cached, else how many are missing.

    `records` are the results of the claim itself that are cached. `missing` counts those of the claims
    that it uses, too; it is None where not even the number of results is known.
    """

    verdict: ClaimResult | None = None
    records: tuple[Record, ...] = ()
    missing: int | None = None


def known(id: str, profiles: Sequence[str] = ("default", "quick")) -> Known:
    """The cached verdict on a claim of the catalogue, from the first profile in which it is complete.

    If it is complete in none, the partial results of the first profile that has any. Raises
    `InvalidArgument` for an unknown profile, `Unsupported` where claims cannot be checked, so that
    nothing can be cached.
    """
    require_extra("proofs", "a check of claims")
    # In a process that has read the catalogue, that one counts, whatever the sources say.
    read = bool(LOADED)
    found = Known()
    for profile in profiles:
        kept = Kept.open(profile)
        if kept is None:
            continue
        made = (
            plan([id], profile_name=profile, kept=kept) if read else outlined([id], profile, kept)
        )
        if made is None:
            continue
        if (verdicts := made.known()) is not None:
            return Known(verdicts[0])
        if found.missing is None or (not found.records and made.done):
            found = _partly(id, made)
    return found


def _partly(id: str, made: RunPlan) -> Known:
    records = tuple(result.record for result in made.done if result.item.claim == id)
    return Known(None, records, len(made.left))
