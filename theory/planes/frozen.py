"""A spectrum that is best for one length loses its margin at longer ones."""

from __future__ import annotations

from ropeproof.theory.claim import Claim
from ropeproof.theory.slash.row import OWN

__all__ = ["CLAIMS", "PLANES_FROZEN"]


def _frozen() -> Claim:
    return Claim(
        id="planes.frozen",
        title="The spectrum that is best for 16 positions fails at 1024",
        statement=(
            r"For $d=128$, $b=10^4$: the amplitudes that are optimal for $N=16$ keep, per unit "
            r"amplitude, the margins $0.404$, $0.085$, $0.046$, $0.0044$ at $N=16,64,256,1024$, while "
            r"re-optimised ones keep $0.404$, $0.364$, $0.346$, $0.328$ (`slash.game`). Positional "
            r"heads fail at length because their spectrum over-fits the near-returns of the lengths "
            r"it was made for, not because RoPE cannot index."
        ),
        source=OWN,
        needs=frozenset("C"),
    )


PLANES_FROZEN = _frozen()

CLAIMS = (PLANES_FROZEN,)
