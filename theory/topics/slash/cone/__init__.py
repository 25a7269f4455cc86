"""Tokens on a cone give queries and keys of almost rank one; rank one alone is not enough."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "inequalities", "near_axis", "axis")
