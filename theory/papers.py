"""The papers whose claims are stated here, as they are cited."""

from __future__ import annotations

from ropeproof.theory.claim import Paper, Source

__all__ = ["BASES", "DECOUPLE", "HEADS", "LMINF", "PAPERS", "POSGEN", "SLASH", "TEXTBOOK"]

SLASH = Paper("[SLASH] Cheng et al., arXiv 2601.08297")
HEADS = Paper("[HEADS] Urrutia et al., arXiv 2605.31558")
DECOUPLE = Paper("[DECOUPLE] Urrutia et al., arXiv 2511.11579")
POSGEN = Paper("[POSGEN] Han & Ji, arXiv 2503.13305")
LMINF = Paper("[LMINF] Han et al., arXiv 2308.16137")
BASES = Paper("arXiv 2405.14591")
PAPERS = (HEADS, DECOUPLE, SLASH, POSGEN, LMINF, BASES)
"""All of them, in the order in which their coverage is shown."""

TEXTBOOK = Source("textbook", "elementary calculus")
