"""Slow planes stay small: a key grows along features that differ, and slow planes hardly differ."""

from __future__ import annotations

from ropeproof.theory.slash.descent.low import along, low_suppressed, suppressed

__all__ = ["CLAIMS"]

CLAIMS = (*along.CLAIMS, *suppressed.CLAIMS, *low_suppressed.CLAIMS)
