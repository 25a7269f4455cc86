"""Evidence for the claims of the topic `posgen`.

`additive` is about the proved bounds of sums, `spectrum` about what is best and what random
features do, `design` about least squares on the triangle, `consequences` about what follows.
`drawn` holds what is drawn.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.posgen import additive, consequences, design, spectrum

__all__ = ["additive", "consequences", "design", "spectrum"]
