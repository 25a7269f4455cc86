"""Proofs while they are written: every refused step with its reasons, and what would do.

Nothing here is trusted and no status rests on it: the kernel checks each step, and what a kept
step saves is only its check in the next try.
"""

from __future__ import annotations

from ropeproof.proofs_check.authoring.trial import ProofTrial, try_claims, try_file

__all__ = ["ProofTrial", "try_claims", "try_file"]
