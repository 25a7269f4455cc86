"""Sines and cosines: what the proofs of other topics need of them."""

from __future__ import annotations

from ropeproof.theory.trigonometry import basic, jordan, turns

__all__ = ["CLAIMS"]

CLAIMS = (*basic.CLAIMS, *turns.CLAIMS, *jordan.CLAIMS)
