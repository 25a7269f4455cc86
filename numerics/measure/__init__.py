"""A real head against the hypotheses of the theorems.

`vectors` is what is measured, `statistics` every statistic of one head on one prompt, `verdicts`
what each theorem then says about it, `model` all heads of a model, `journal` what is found so far.
Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.numerics.measure.journal import Journal
from ropeproof.numerics.measure.model import measure_and_judge, measure_model
from ropeproof.numerics.measure.options import MeasureOptions
from ropeproof.numerics.measure.preference import LagPreference, lag_preference
from ropeproof.numerics.measure.result import HeadTable, Measured
from ropeproof.numerics.measure.statistics import HeadMeasure, measure_head, null_scores
from ropeproof.numerics.measure.vectors import HeadVectors

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
