"""The citations of the papers whose claims are stated here."""

from __future__ import annotations

from ropeproof.theory.language.claim import Paper, Source

__all__ = ["BASES", "DECOUPLE", "HEADS", "LMINF", "PAPERS", "POSGEN", "SLASH", "TEXTBOOK"]

SLASH = Paper(
    "[SLASH] Cheng et al., arXiv 2601.08297",
    reported="its abstract and opening; the authors' page "
    '"Demystifying the Slash Pattern in Attention"; overviews of 2601.08297 on alphaxiv and '
    "emergentmind",
)
HEADS = Paper("[HEADS] Urrutia et al., arXiv 2605.31558", version="v1")
DECOUPLE = Paper("[DECOUPLE] Urrutia et al., arXiv 2511.11579", version="v1")
POSGEN = Paper(
    "[POSGEN] Han & Ji, arXiv 2503.13305", reported="its abstract and opening; notes of others"
)
LMINF = Paper("[LMINF] Han et al., arXiv 2308.16137", reported="its abstract; reports of others")
BASES = Paper("arXiv 2405.14591", reported="its abstract; reports of others")
PAPERS = (HEADS, DECOUPLE, SLASH, POSGEN, LMINF, BASES)
"""All of them, in the order in which their coverage is shown."""

TEXTBOOK = Source("textbook", "elementary calculus")
