"""The best additive fit of logits, what it explains, and what that asks of the planes."""

from ropeproof.theory.topics.posgen.anova import energies, explained, fit, pattern

CLAIMS = (*fit.CLAIMS, *energies.CLAIMS, *explained.CLAIMS, *pattern.CLAIMS)
