"""Sines and cosines: what the proofs of other topics need of them."""

from __future__ import annotations

from ropeproof.theory.library.trigonometry import cosine, jordan, sine, turns, values

__all__ = ["CLAIMS"]

CLAIMS = (*sine.CLAIMS, *cosine.CLAIMS, *turns.CLAIMS, *jordan.CLAIMS, *values.CLAIMS)
