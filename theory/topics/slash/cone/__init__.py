"""Tokens on a cone give queries and keys of almost rank one; rank one alone is not enough."""

from ropeproof.theory.topics.slash.cone import cone, inequalities, near_axis

CLAIMS = (*inequalities.CLAIMS, *near_axis.CLAIMS, *cone.CLAIMS)
