"""Wrong numbers for the functions that the evidence about retrieval and separation uses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sabotaged_evidence import C, T, W, but, least, scaled, weaker

from ropeproof.proofs_check.evidence.retrieval import constructed as retrieval_constructed
from ropeproof.proofs_check.evidence.retrieval import decoding as retrieval_decoding
from ropeproof.proofs_check.evidence.retrieval import discrepancy as retrieval_discrepancy
from ropeproof.proofs_check.evidence.retrieval import margins as retrieval_margins

SABOTAGE = {
    "retrieval logit": ("retrieval.logit", T, retrieval_decoding, "logits", scaled(1.001)),
    "Retrieval": (
        "retrieval.feasible",
        T,
        retrieval_decoding,
        "retrieve_once",
        lambda found: np.array(found)[::-1],
    ),
    "retrieval feasible": (
        "retrieval.feasible",
        T,
        retrieval_decoding,
        "retrieval_margin_by_search",
        scaled(-1),
    ),
    "retrieval margin": (
        "retrieval.margin",
        T,
        retrieval_margins,
        "retrieval_margin",
        scaled(0.98),
    ),
    "retrieval search": (
        "retrieval.margin",
        T,
        retrieval_margins,
        "retrieval_margin_by_search",
        scaled(1.02),
    ),
    "retrieval margin in balls": (
        "retrieval.margin",
        C,
        retrieval_margins,
        "retrieval_margin",
        scaled(1.001),
    ),
    "retrieval odds": (
        "retrieval.temperature",
        T,
        retrieval_decoding,
        "retrieval_odds",
        scaled(1.02),
    ),
    "retrieval cold": (
        "retrieval.temperature",
        T,
        retrieval_decoding,
        "retrieval_temperature",
        scaled(1.02),
    ),
    "retrieval warm": (
        "retrieval.temperature",
        T,
        retrieval_decoding,
        "retrieval_temperature",
        scaled(0.98),
    ),
    "discrepancy of Index": (
        "separation.discrepancy",
        T,
        retrieval_discrepancy,
        "one_plane_limit",
        scaled(0.97),
    ),
    "largest discrepancy of Index": (
        "separation.discrepancy",
        T,
        retrieval_discrepancy,
        "best_one_plane_limit",
        scaled(0.97),
    ),
    "discrepancy of Retrieval": (
        "separation.discrepancy",
        T,
        retrieval_discrepancy,
        "retrieval_margin",
        scaled(1.02),
    ),
    "discrepancy of Index in balls": (
        "separation.discrepancy",
        C,
        retrieval_discrepancy,
        "one_plane_limit",
        scaled(1.001),
    ),
    "discrepancy of Retrieval in balls": (
        "separation.discrepancy",
        C,
        retrieval_discrepancy,
        "retrieval_margin",
        scaled(1.001),
    ),
    "both temperatures": (
        "separation.one-plane",
        T,
        retrieval_decoding,
        "separation",
        lambda rows: tuple(map(but("index"), rows)),
    ),
    "retrieval head's logits": (
        "retrieval.logit",
        W,
        retrieval_constructed,
        "retrieval_head",
        weaker(0.97),
    ),
    "retrieval head's answers": (
        "retrieval.feasible",
        W,
        retrieval_constructed,
        "retrieval_head",
        lambda head: replace(head, w_k=np.roll(head.w_k, 1, axis=1)),
    ),
    "retrieval head's margin": (
        "retrieval.margin",
        W,
        retrieval_constructed,
        "retrieval_head",
        weaker(0.97),
    ),
    "retrieval head too cold": (
        "retrieval.temperature",
        W,
        retrieval_constructed,
        "retrieval_head",
        least(1.02),
    ),
    "retrieval head too warm": (
        "retrieval.temperature",
        W,
        retrieval_constructed,
        "retrieval_head",
        least(0.98),
    ),
}
