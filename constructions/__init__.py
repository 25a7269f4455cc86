"""Explicit attention weights, each with a certificate of what they guarantee.

A construction returns a `Head`, and `Head.to_module()` runs it in PyTorch; `compose` stacks heads
into a network. Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.export import (
    RewrittenHead,
    WrittenHead,
    build_model,
    certify_head,
    certify_network,
    export_network,
    exported_bound,
    freeze_head,
    predict,
    rewrite_head,
    write_head,
)
from ropeproof.constructions.gauge import canonical_head
from ropeproof.constructions.head import ARITHMETICS, QUANTITIES, Certificate, Head
from ropeproof.constructions.heads.behaviour import (
    BudgetExhibit,
    Counterexample,
    GeneralReadout,
    SelfAttendingHead,
    content_logits,
    general_readout,
    index_budget,
    positional_counterexample,
    symbolic_counterexample,
    uniform_but_self,
)
from ropeproof.constructions.heads.index import (
    DecodingBound,
    DecodingHead,
    IndexHead,
    LogitTable,
    Rivals,
    absolute_index_head,
    angles_spec,
    decode_length,
    index_head,
    logit_table,
)
from ropeproof.constructions.heads.partial_induction import partial_induction_head, symbol_amplitude
from ropeproof.constructions.heads.retrieval import (
    LookupHead,
    RetrievalHead,
    information_retrieval_head,
    lookup,
    retrieval_head,
)
from ropeproof.constructions.heads.slash import (
    SlashBound,
    SlashHead,
    aliasing_head,
    aligned_head,
    certified_slash,
    low_planes_head,
    rank_one_without_cone,
    slash_head,
    spaced_profile,
    uniform_profile,
)
from ropeproof.constructions.networks import (
    AttentionNetwork,
    NetworkBound,
    compose,
    induction_network,
)
from ropeproof.constructions.rope import (
    SHARED,
    content_and_position,
    permute_columns,
    relative,
    to_layout,
    toeplitz,
)

__all__ = [
    "ARITHMETICS",
    "QUANTITIES",
    "SHARED",
    "AttentionNetwork",
    "BudgetExhibit",
    "Certificate",
    "Counterexample",
    "DecodingBound",
    "DecodingHead",
    "Directions",
    "GeneralReadout",
    "Head",
    "IndexHead",
    "LogitTable",
    "LookupHead",
    "NetworkBound",
    "RetrievalHead",
    "RewrittenHead",
    "Rivals",
    "SelfAttendingHead",
    "SlashBound",
    "SlashHead",
    "WrittenHead",
    "absolute_index_head",
    "aliasing_head",
    "aligned_head",
    "angles_spec",
    "build_model",
    "canonical_head",
    "certified_slash",
    "certify_head",
    "certify_network",
    "compose",
    "content_and_position",
    "content_logits",
    "decode_length",
    "export_network",
    "exported_bound",
    "freeze_head",
    "general_readout",
    "index_budget",
    "index_head",
    "induction_network",
    "information_retrieval_head",
    "logit_table",
    "lookup",
    "low_planes_head",
    "partial_induction_head",
    "permute_columns",
    "positional_counterexample",
    "predict",
    "rank_one_without_cone",
    "relative",
    "retrieval_head",
    "rewrite_head",
    "slash_head",
    "spaced_profile",
    "symbol_amplitude",
    "symbolic_counterexample",
    "to_layout",
    "toeplitz",
    "uniform_but_self",
    "uniform_profile",
    "write_head",
]
