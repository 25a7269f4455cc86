"""Evidence for the claims of the topic `posgen`.

`additive` checks the proved bounds of additive fits, `spectrum` the best fit and random features,
`design` least squares on the triangle, `consequences` what follows from additive logits, `capacity` how
many lags features tell apart.
`drawn` holds the drawn inputs.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.posgen import (
    additive,
    capacity,
    consequences,
    design,
    spectrum,
)

__all__ = ["additive", "capacity", "consequences", "design", "spectrum"]
