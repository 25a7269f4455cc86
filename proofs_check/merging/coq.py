"""Put back the steps without which Coq does not accept the step that took over their premises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ropeproof.proofs_check.merging.search import Removal, Thinned
from ropeproof.proofs_check.recheck.coq.answers.check import recheck
from ropeproof.theory.language.claim import Claim

__all__ = ["lost_in_coq"]


def lost_in_coq(
    proof: Thinned, lookup: Callable[[str], Claim], folder: Path, *, jobs: int = 1
) -> tuple[str, set[str]]:
    """Coq's verdict on the claim's own steps as they are left, and the labels of those it refuses.

    What other claims say is admitted. Raises `Unsupported` without Coq.
    """
    (found,) = recheck([proof.merged()], lookup, folder, fresh=False, jobs=jobs, alone=True)
    labels = {s.label for s in proof.steps}
    return str(found), {label for label, _ in found.refused if label in labels}


def removals_into(proof: Thinned, labels: set[str]) -> list[Removal]:
    """The removals whose premises the steps with these labels have taken over."""
    assert proof.claim.derivation is not None
    found: list[Removal] = []
    for step in proof.claim.derivation.steps:
        if step.label in proof.gone and _reaches(proof, step.label, labels):
            found.append(proof.gone[step.label])
    return found


def _reaches(proof: Thinned, label: str, labels: set[str]) -> bool:
    """Whether a step left out was, directly or through others left out, a premise of one of the steps."""
    assert proof.claim.derivation is not None
    for step in proof.claim.derivation.steps:
        if label in step.using and (
            step.label in labels
            or (step.label in proof.gone and _reaches(proof, step.label, labels))
        ):
            return True
    return False
