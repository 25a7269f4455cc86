"""Certified properties of a rotation's frequencies and of a number type at a given length.

`angle_errors` and `blind_tables` are about the type; `returns`, `criterion` and `turns` about the
frequencies; `sink_kept`, `slash_kept`, `index_kept` and `retrieval_kept` about heads;
`rerotation` about cached keys.
"""

from ropeproof.numerics.bounds.rope.base_criterion import first_negative_lag
from ropeproof.tools.assess.quantities.angles import AngleErrors, angle_errors
from ropeproof.tools.assess.quantities.frequencies import (
    Criterion,
    Returns,
    Turns,
    criterion,
    returns,
    turns,
)
from ropeproof.tools.assess.quantities.heads import (
    DecodingKept,
    SlashKept,
    index_kept,
    retrieval_kept,
    slash_kept,
)
from ropeproof.tools.assess.quantities.moves import logit_moves
from ropeproof.tools.assess.quantities.rerotation import LEVELS, Rerotation, rerotation
from ropeproof.tools.assess.quantities.sink import SinkKept, sink_kept
from ropeproof.tools.assess.quantities.tables import BlindTables, blind_tables
from ropeproof.tools.assess.quantities.types import DTYPES, MOST_LENGTH

__all__ = [
    "DTYPES",
    "LEVELS",
    "MOST_LENGTH",
    "AngleErrors",
    "BlindTables",
    "Criterion",
    "DecodingKept",
    "Rerotation",
    "Returns",
    "SinkKept",
    "SlashKept",
    "Turns",
    "angle_errors",
    "blind_tables",
    "criterion",
    "first_negative_lag",
    "index_kept",
    "logit_moves",
    "rerotation",
    "retrieval_kept",
    "returns",
    "sink_kept",
    "slash_kept",
    "turns",
]
