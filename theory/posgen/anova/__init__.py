"""The best additive fit of logits, and what it explains: every plane slow, concentrated or negligible."""

from __future__ import annotations

from ropeproof.theory.posgen.anova import energies, explained, fit

__all__ = ["CLAIMS"]

CLAIMS = (*fit.CLAIMS, *energies.CLAIMS, *explained.CLAIMS)
