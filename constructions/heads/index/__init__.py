"""Index heads, and what every head with an arg max read-out guarantees.

`head` builds them; `decoding` says which inputs a head of the family decodes in each type, from the
logits of `table`; `planes` has specs with any angles.
"""

from __future__ import annotations

from ropeproof.constructions.heads.index.decoding import (
    DecodingBound,
    DecodingHead,
    Rivals,
    decode_length,
)
from ropeproof.constructions.heads.index.head import IndexHead, absolute_index_head, index_head
from ropeproof.constructions.heads.index.planes import angles_spec
from ropeproof.constructions.heads.index.table import LogitTable, logit_table

__all__ = [
    "DecodingBound",
    "DecodingHead",
    "IndexHead",
    "LogitTable",
    "Rivals",
    "absolute_index_head",
    "angles_spec",
    "decode_length",
    "index_head",
    "logit_table",
]
