"""What kind of head each head of a model is: scores over many rows and prompts, with confidence.

`table` names the kinds, their thresholds and nulls, `prompts` makes the prompts that decide them,
`rows` scores the heads of one layer on one prompt, `decide` says what holds over prompts and with which
confidence, `model` does that for all heads of a model. Importing this package does not import torch.
"""

from __future__ import annotations

from ropeproof.tools.measure.kinds.decide import HeadKinds, KindScore
from ropeproof.tools.measure.kinds.model import ModelKinds, head_kinds
from ropeproof.tools.measure.kinds.prompts import KindPrompts, kind_prompts
from ropeproof.tools.measure.kinds.table import KINDS, LABELS, Kind, KindOptions

__all__ = [
    "KINDS",
    "LABELS",
    "HeadKinds",
    "Kind",
    "KindOptions",
    "KindPrompts",
    "KindScore",
    "ModelKinds",
    "head_kinds",
    "kind_prompts",
]
