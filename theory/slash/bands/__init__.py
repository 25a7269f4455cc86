"""Which planes an optimal spectrum needs: at most one of the slowest."""

from ropeproof.theory.slash.bands import bands
from ropeproof.theory.sums.indicators import f, here, plane

__all__ = ["CLAIMS", "f", "here", "plane"]

CLAIMS = bands.CLAIMS
