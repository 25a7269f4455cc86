"""Evidence for the claims of the topic `rope`.

`algebra` and `bounds` run the numerical code on drawn heads, `base`, `expressive`, `rerotation` and
`scaling` add what is certified in balls, `constructed` runs explicit weights in PyTorch, `gauge`
rewrites them, `half` counts lags of one sign.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.rope import (
    algebra,
    base,
    bounds,
    constructed,
    expressive,
    gauge,
    half,
    rerotation,
    scaling,
)

__all__ = [
    "algebra",
    "base",
    "bounds",
    "constructed",
    "expressive",
    "gauge",
    "half",
    "rerotation",
    "scaling",
]
