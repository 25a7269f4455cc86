"""From a margin to a slash, on every prompt, in and out of distribution."""

from __future__ import annotations

from ropeproof.theory.slash.emergence import emergence, row_emergence

__all__ = ["CLAIMS"]

CLAIMS = (*row_emergence.CLAIMS, *emergence.CLAIMS)
