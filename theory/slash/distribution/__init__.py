"""Other prompts: nearly the same attention; and what a slash head hands to the network after it."""

from __future__ import annotations

from ropeproof.theory.slash.distribution import composition, ood

__all__ = ["CLAIMS"]

CLAIMS = (*ood.CLAIMS, *composition.CLAIMS)
