"""Evidence for the claims of the topic `retrieval`.

`decoding` checks logits, answers and temperatures of drawn constructions, `margins` the margin over
all inputs, one by one and, certified, for whole ranges of angles; `discrepancy` compares it with that of
Index; `constructed` runs explicit weights in PyTorch. `inputs` holds the drawn inputs.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.retrieval import constructed, decoding, discrepancy, margins

__all__ = ["constructed", "decoding", "discrepancy", "margins"]
