"""Retrieval heads: queries that find the token, the value or the item of a symbol.

`head` has the paper's Retrieval of pairs, `lookup` the heads that answer a query with a value;
`temperature` chooses plane and inverse temperature of both.
"""

from __future__ import annotations

from ropeproof.constructions.heads.retrieval.head import RetrievalHead, retrieval_head
from ropeproof.constructions.heads.retrieval.lookup import (
    LookupHead,
    information_retrieval_head,
    lookup,
)

__all__ = [
    "LookupHead",
    "RetrievalHead",
    "information_retrieval_head",
    "lookup",
    "retrieval_head",
]
