"""Which planes an optimal spectrum needs: at most one of the slowest."""

from __future__ import annotations

from ropeproof.theory.slash.bands import bands, pick
from ropeproof.theory.slash.bands.common import f, here, plane

__all__ = ["CLAIMS", "f", "here", "plane"]

CLAIMS = (*pick.CLAIMS, *bands.CLAIMS)
