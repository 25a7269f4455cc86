"""The citations of the papers whose items are gone through, one by one."""

from __future__ import annotations

from ropeproof.theory.language.claim import Paper, Source

__all__ = [
    "BASES",
    "BIAS",
    "DECOUPLE",
    "HEADS",
    "LMINF",
    "LONG",
    "OVERWHELM",
    "PAPERS",
    "POSGEN",
    "ROUND",
    "SINKS",
    "SLASH",
    "TEXTBOOK",
]

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
ROUND = Paper(
    "[ROUND] Barbero et al., arXiv 2410.06205",
    reported="its abstract and opening; two summaries of it with all numbered statements",
)
BIAS = Paper("[BIAS] Wang et al., arXiv 2509.12635", version="a text of 2025 (v1 or v2)")
LONG = Paper(
    "[LONG] Du et al., arXiv 2605.15514",
    reported="its abstract; two notes that go through its four theorems",
)
SINKS = Paper(
    "[SINKS] Wertheimer et al., arXiv 2603.18017",
    reported="its abstract; a note on its lemmas and tables; its referees' reports",
)
OVERWHELM = Paper(
    "[OVERWHELM] Stambler et al., arXiv 2502.06038", reported="its abstract; summaries of it"
)
PAPERS = (HEADS, DECOUPLE, SLASH, POSGEN, LMINF, BASES, ROUND, BIAS, LONG, SINKS, OVERWHELM)
"""All papers that have a table of their items, in the order in which their coverage is shown."""

TEXTBOOK = Source("textbook", "elementary calculus")
