"""Wrong numbers for the functions that the evidence about index uses."""

from __future__ import annotations

from dataclasses import replace

from sabotaged_evidence import C, T, W, least, scaled, shifted, weaker

from ropeproof.numerics.bounds.index import Staircase
from ropeproof.proofs_check.evidence.index import certified as index_certified
from ropeproof.proofs_check.evidence.index import constructed as index_constructed
from ropeproof.proofs_check.evidence.index import decoding as index_decoding
from ropeproof.proofs_check.evidence.index import fading, margins


def late(found):
    """Make a staircase fall one position too late."""
    steps = tuple(replace(d, lag=d.lag + 1, length=d.length + 1) for d in found.drops[1:])
    return Staircase(found.lengths, found.margins, (found.drops[0], *steps))


def missing(found):
    """Remove the last drop of a staircase."""
    return Staircase(found.lengths, found.margins, found.drops[:-1])


SABOTAGE = {
    "limit of groups": ("index.weyl-groups", T, fading, "log_mean", scaled(1.05)),
    "error of groups": ("index.weyl-groups", T, fading, "mean_error", scaled(0)),
    "no use of groups": ("index.weyl-groups", T, fading, "mean_error", scaled(1e9)),
    "index logit": ("index.logit", T, index_decoding, "logits", scaled(1.001)),
    "Index": ("index.feasible", T, index_decoding, "index_once", shifted),
    "index ties": ("index.feasible", T, index_decoding.index, "index_margin", scaled(0)),
    "index margin": ("index.margin", T, margins, "index_margin", scaled(1.02)),
    "one plane": ("index.margin", T, margins, "one_plane_limit", scaled(0.97)),
    "loose one plane": ("index.margin", T, margins, "one_plane_limit", scaled(1.03)),
    "best input": ("index.margin", T, margins, "best_one_plane_limit", scaled(0.97)),
    "loose best input": ("index.margin", T, margins, "best_one_plane_limit", scaled(1.03)),
    "one plane in balls": (
        "index.margin",
        C,
        index_certified.index,
        "one_plane_limit",
        scaled(0.97),
    ),
    "best in balls": (
        "index.margin",
        C,
        index_certified.index,
        "best_one_plane_limit",
        scaled(0.97),
    ),
    "margin in balls": ("index.margin", C, index_certified.index, "index_margin", scaled(1.001)),
    "late drops": ("index.staircase", T, margins, "staircase", late),
    "missing drop": ("index.staircase", T, margins, "staircase", missing),
    "late drops in balls": ("index.staircase", C, index_certified.index, "staircase", late),
    "missing in balls": ("index.staircase", C, index_certified.index, "staircase", missing),
    "index odds": ("index.temperature", T, index_decoding.index, "index_odds", scaled(1.02)),
    "index cold": ("index.temperature", T, index_decoding.index, "index_temperature", scaled(1.02)),
    "index warm": ("index.temperature", T, index_decoding.index, "index_temperature", scaled(0.98)),
    "enough": ("index.temperature", T, index_decoding.index, "temperature_enough", scaled(0.25)),
    "needed": ("index.temperature", T, index_decoding.index, "temperature_needed", scaled(1.02)),
    "floor": ("index.temperature", T, index_decoding.index, "temperature_floor", scaled(30)),
    "enough in balls": (
        "index.temperature",
        C,
        index_certified.index,
        "temperature_enough",
        scaled(0.25),
    ),
    "needed in balls": (
        "index.temperature",
        C,
        index_certified.index,
        "temperature_needed",
        scaled(1.02),
    ),
    "floor in balls": (
        "index.temperature",
        C,
        index_certified.index,
        "temperature_floor",
        scaled(30),
    ),
    "temperature in balls": (
        "index.temperature",
        C,
        index_certified.index,
        "index_temperature",
        scaled(0.98),
    ),
    "index head's logits": (
        "index.logit",
        W,
        index_constructed,
        "frequencies_float64",
        scaled(1.001),
    ),
    "index head's answers": ("index.feasible", W, index_constructed, "index_once", shifted),
    "index head's gap": (
        "index.feasible",
        W,
        index_constructed,
        "index_head",
        lambda head: replace(head, w_q=0.01 * head.w_q),
    ),
    "index head's margin": ("index.margin", W, index_constructed, "index_head", weaker(0.97)),
    "index head too cold": ("index.temperature", W, index_constructed, "index_head", least(1.02)),
    "index head too warm": ("index.temperature", W, index_constructed, "index_head", least(0.98)),
}
