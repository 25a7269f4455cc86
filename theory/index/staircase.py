"""The margin of a fixed angle against length is a staircase."""

from __future__ import annotations

from ropeproof.theory.claim import Claim
from ropeproof.theory.slash.row import OWN

__all__ = ["CLAIMS", "INDEX_STAIRCASE"]


def _staircase() -> Claim:
    return Claim(
        id="index.staircase",
        title="A fixed angle's margin falls in steps, at its near-returns",
        statement=(
            r"For a fixed angle $\theta$ the margin over all inputs, "
            r"$\min_{1\le t<n}(1-\cos t\theta)$, is a staircase in $n$: it falls at the lags where "
            r"$t\theta$ comes nearer to a whole number of turns than before, which are denominators of "
            r"convergents of $\theta/2\pi$ (besides the first lags)."
        ),
        source=OWN,
        needs=frozenset("CT"),
    )


INDEX_STAIRCASE = _staircase()

CLAIMS = (INDEX_STAIRCASE,)
