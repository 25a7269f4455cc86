"""The best additive fit of logits, and what it explains: every plane slow, concentrated or negligible."""

from ropeproof.theory.posgen.anova import energies, explained, fit

CLAIMS = (*fit.CLAIMS, *energies.CLAIMS, *explained.CLAIMS)
