"""Whether a claim needs its hypotheses, from the records of a run, for reports and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ropeproof.proofs_check.attack.needs import Need, read
from ropeproof.proofs_check.run.items import HYPOTHESES
from ropeproof.proofs_check.run.status import Record
from ropeproof.theory.language.claim import Claim

__all__ = ["needs_of"]


def needs_of(claim: Claim, records: Iterable[Record]) -> Mapping[str, Need]:
    """The need of each hypothesis by name, as the record of the attack on them says.

    `not known` where there is no such record or it does not hold.
    """
    for record in records:
        if (record.kind, record.name, record.outcome) == ("attack", HYPOTHESES, "holds"):
            return read(claim, record.detail)
    return {h.name: Need() for h in claim.hypotheses}
