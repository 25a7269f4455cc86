"""Measure the attention heads of a model and compare them with the hypotheses of the theorems.

`head` computes every statistic of one head on one prompt, `verdicts` applies each theorem to it,
`model` does both for all heads of a model, `journal` keeps on disk what has been found so far. `monitor`
follows heads in other people's loops, `on_demand` has what is computed only when asked.

Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.tools.lazy_names import lazy_names

if TYPE_CHECKING:
    from ropeproof.tools.measure.head.preference import LagPreference, lag_preference
    from ropeproof.tools.measure.head.statistics import HeadMeasure, measure_head, null_scores
    from ropeproof.tools.measure.head.vectors import HeadVectors
    from ropeproof.tools.measure.journal import Journal
    from ropeproof.tools.measure.model import measure_and_judge, measure_model
    from ropeproof.tools.measure.monitor import (
        HeadMonitor,
        head_scores_from,
        scores_from_cache,
        scores_from_patterns,
    )
    from ropeproof.tools.measure.on_demand.explain import ExplainedQuery, explain_query
    from ropeproof.tools.measure.options import MeasureOptions
    from ropeproof.tools.measure.result import HeadTable, Measured

__all__ = [
    "ExplainedQuery",
    "HeadMeasure",
    "HeadMonitor",
    "HeadTable",
    "HeadVectors",
    "Journal",
    "LagPreference",
    "MeasureOptions",
    "Measured",
    "explain_query",
    "head_scores_from",
    "lag_preference",
    "measure_and_judge",
    "measure_head",
    "measure_model",
    "null_scores",
    "scores_from_cache",
    "scores_from_patterns",
]

__getattr__ = lazy_names(
    __name__,
    {
        "LagPreference": "head.preference",
        "lag_preference": "head.preference",
        "HeadMeasure": "head.statistics",
        "measure_head": "head.statistics",
        "null_scores": "head.statistics",
        "HeadVectors": "head.vectors",
        "Journal": "journal",
        "measure_and_judge": "model",
        "measure_model": "model",
        "HeadMonitor": "monitor",
        "head_scores_from": "monitor",
        "scores_from_cache": "monitor",
        "scores_from_patterns": "monitor",
        "ExplainedQuery": "on_demand.explain",
        "explain_query": "on_demand.explain",
        "MeasureOptions": "options",
        "HeadTable": "result",
        "Measured": "result",
    },
)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return list(__all__)
