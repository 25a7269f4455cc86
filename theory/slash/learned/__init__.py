"""Heads as they are learned: queries and keys of rank one with scalars of their own (section 10)."""

from ropeproof.theory.slash.learned import factor, factor_emergence, signed

CLAIMS = (*factor.CLAIMS, *factor_emergence.CLAIMS, *signed.CLAIMS)
