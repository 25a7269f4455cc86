"""Measure the attention heads of a model and compare them with the hypotheses of the theorems.

`head` computes every statistic of one head on one prompt, `verdicts` applies each theorem to it,
`model` does both for all heads of a model, `journal` keeps on disk what has been found so far.

Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.tools.measure.head.preference import LagPreference, lag_preference
from ropeproof.tools.measure.head.statistics import HeadMeasure, measure_head, null_scores
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.journal import Journal
from ropeproof.tools.measure.model import measure_and_judge, measure_model
from ropeproof.tools.measure.options import MeasureOptions
from ropeproof.tools.measure.result import HeadTable, Measured

__all__ = [
    "HeadMeasure",
    "HeadTable",
    "HeadVectors",
    "Journal",
    "LagPreference",
    "MeasureOptions",
    "Measured",
    "lag_preference",
    "measure_and_judge",
    "measure_head",
    "measure_model",
    "null_scores",
]
