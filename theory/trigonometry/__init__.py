"""Sines and cosines: what the proofs of other topics need of them."""

from __future__ import annotations

from ropeproof.theory.trigonometry import basic, jordan, sine, turns

__all__ = ["CLAIMS"]

CLAIMS = (*sine.CLAIMS, *basic.CLAIMS, *turns.CLAIMS, *jordan.CLAIMS)
