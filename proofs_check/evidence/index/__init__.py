"""Evidence for the claims of the topic `index`.

`decoding` checks logits, answers and temperatures of drawn constructions, `margins` margins and
staircases of drawn angles; `certified` covers whole ranges of angles in balls; `constructed` runs
explicit weights in PyTorch, `fading` weights on millions of positions. `angles` holds what is drawn.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.index import (
    certified,
    constructed,
    decoding,
    fading,
    margins,
)

__all__ = ["certified", "constructed", "decoding", "fading", "margins"]
