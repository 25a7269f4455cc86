"""Wrong numbers for the functions that the evidence about tasks uses."""

from __future__ import annotations

from dataclasses import replace

from sabotaged_evidence import C, T, W, both_right, but, least, scaled, shifted, weaker

from ropeproof.proofs_check.evidence.task import (
    answers,
    compose,
    induction,
    lookup,
    networks,
    u_shape,
)
from ropeproof.proofs_check.evidence.task import constructed as task_constructed


def warm(network):
    """Lower the inverse temperature of a network below the one that it was certified at."""
    heads = tuple(replace(head, w_q=0.05 * head.w_q) for head in network.heads)
    return replace(network, heads=heads)


SABOTAGE = {
    "Index iterated": ("task.compose-index", T, compose, "index_times", shifted),
    "number chain": (
        "task.compose-index",
        T,
        compose,
        "chain_number",
        lambda found: replace(found, hops=found.hops + 1),
    ),
    "Retrieval iterated": ("task.compose-retrieval", T, compose, "retrieve_times", shifted),
    "warm number stack": ("task.compose-index", W, networks, "compose", warm),
    "warm letter stack": ("task.compose-retrieval", W, networks, "compose", warm),
    "warm induction": ("task.induction", W, networks, "induction_network", warm),
    "chains of the published data": (
        "task.compose-retrieval-chain",
        T,
        compose,
        "chain_letter",
        lambda found: replace(found, hops=found.hops + 1),
    ),
    "heads that copy": (
        "task.compose-retrieval-chain",
        T,
        compose,
        "_copied",
        lambda found: [*found[:-1], found[0]],
    ),
    "warm stack on the published data": (
        "task.compose-retrieval-chain",
        W,
        networks,
        "compose",
        warm,
    ),
    "absolute margin": ("task.absolute-index", T, lookup, "absolute_index_margin", scaled(1.02)),
    "absolute temperature": (
        "task.absolute-index",
        T,
        lookup,
        "absolute_index_temperature",
        scaled(1.02),
    ),
    "masses": ("task.absolute-index", T, lookup, "absolute_index_masses", scaled(1.001)),
    "absolute head": (
        "task.absolute-index",
        W,
        task_constructed,
        "absolute_index_head",
        weaker(0.97),
    ),
    "absolute head too cold": (
        "task.absolute-index",
        W,
        task_constructed,
        "absolute_index_head",
        least(1.02),
    ),
    "keys": ("task.info-retrieval", T, lookup, "info_retrieval_margin", scaled(0.98)),
    "keys' length": (
        "task.info-retrieval",
        T,
        lookup,
        "info_retrieval_length",
        lambda found: found if found is None else found + 1,
    ),
    "keys' head": (
        "task.info-retrieval",
        W,
        task_constructed,
        "information_retrieval_head",
        weaker(0.97),
    ),
    "keys' head too warm": (
        "task.info-retrieval",
        W,
        task_constructed,
        "information_retrieval_head",
        least(0.98),
    ),
    "keys' answers": (
        "task.info-retrieval-head",
        T,
        answers,
        "info_retrieval_temperature_enough",
        scaled(0.2),
    ),
    "last values' answers": (
        "task.partial-induction-head",
        T,
        answers,
        "partial_induction_temperature_enough",
        scaled(0.2),
    ),
    "keys' answering head": (
        "task.info-retrieval-head",
        W,
        answers,
        "information_retrieval_head",
        weaker(0.1),
    ),
    "last values' answering head": (
        "task.partial-induction-head",
        W,
        answers,
        "partial_induction_head",
        weaker(0.1),
    ),
    "a head that is not cold enough": (
        "task.partial-induction-head",
        W,
        answers,
        "partial_induction_temperature_enough",
        scaled(0.9),
    ),
    "induction's recency": (
        "task.partial-induction",
        T,
        induction,
        "partial_induction_margin",
        but("recency", 1.02),
    ),
    "induction's symbols": (
        "task.partial-induction",
        T,
        induction,
        "partial_induction_margin",
        but("symbol", 0.98),
    ),
    "printed head": (
        "task.partial-induction",
        W,
        task_constructed,
        "least_temperature",
        weaker(0.97),
    ),
    "recency": ("task.partial-induction-sharp", T, induction, "sharp_recency", scaled(1.03)),
    "low recency": ("task.partial-induction-sharp", T, induction, "sharp_recency", scaled(0.97)),
    "amplitude": (
        "task.partial-induction-sharp",
        T,
        induction,
        "sharp_symbol_amplitude",
        scaled(0.98),
    ),
    "sharp symbols": (
        "task.partial-induction-sharp",
        T,
        induction,
        "sharp_partial_induction",
        but("symbol"),
    ),
    "recency in balls": (
        "task.partial-induction-sharp",
        C,
        induction,
        "sharp_recency",
        scaled(1.03),
    ),
    "amplitude in balls": (
        "task.partial-induction-sharp",
        C,
        induction,
        "sharp_symbol_amplitude",
        scaled(0.98),
    ),
    "symbols in balls": (
        "task.partial-induction-sharp",
        C,
        induction,
        "sharp_partial_induction",
        but("symbol", 1.001),
    ),
    "induction head": (
        "task.partial-induction-sharp",
        W,
        task_constructed,
        "partial_induction_head",
        weaker(0.9),
    ),
    "induction head too cold": (
        "task.partial-induction-sharp",
        W,
        task_constructed,
        "partial_induction_head",
        least(1.02),
    ),
    "both planes": (
        "task.partial-induction-needs-both",
        W,
        task_constructed,
        "partial_induction_head",
        weaker(0.0),
    ),
    "symbols alone": (
        "task.partial-induction-needs-both",
        T,
        induction,
        "symbolic_counterexample",
        both_right,
    ),
    "recency alone": (
        "task.partial-induction-needs-both",
        T,
        induction,
        "positional_counterexample",
        both_right,
    ),
    "index by place": ("task.u-shape", T, u_shape, "index_weight_by_place", scaled(1.02)),
    "symbols by place": ("task.u-shape", T, u_shape, "symbol_weight_by_place", scaled(1.02)),
}
