"""Evidence for the claims of the topic `planes`.

`drawn` checks drawn heads against the limits, `addresses` checks keys on one circle,
`certified` digits and frozen spectra in ball arithmetic,
`constructed` runs explicit weights in PyTorch.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.planes import addresses, certified, constructed, drawn

__all__ = ["addresses", "certified", "constructed", "drawn"]
