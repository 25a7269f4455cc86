"""The kernel: the only code that has to be trusted for a claim to be called proved.

Read in this order: `terms` and `read` (the language), `polynomial` and `normal` (equality), `query`,
`smt` and `balls` (inequalities), `derivative`, `sequent`, `rules`, `check`.
"""

from __future__ import annotations

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.kernel.outcome import DerivationReport, StepReport

__all__ = ["DerivationReport", "StepReport", "check_derivation"]
