"""Tokens on a cone give queries and keys of almost rank one; rank one alone is not enough."""

from __future__ import annotations

from ropeproof.theory.slash.cone import cone, cone_vectors, fit, quadratic

__all__ = ["CLAIMS"]

CLAIMS = (*quadratic.CLAIMS, *fit.CLAIMS, *cone_vectors.CLAIMS, *cone.CLAIMS)
