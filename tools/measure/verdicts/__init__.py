"""Verdicts, theorem by theorem: does it apply to this head, and what does it guarantee?

`judge` goes over one head on one prompt. Each topic has a file; `record` is what comes out.
"""

from __future__ import annotations

from ropeproof.tools.measure.head.statistics import HeadMeasure
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.verdicts.head import head_verdicts
from ropeproof.tools.measure.verdicts.record import Condition, Guarantee, Verdict
from ropeproof.tools.measure.verdicts.rope import rope_verdicts
from ropeproof.tools.measure.verdicts.rows import Rows
from ropeproof.tools.measure.verdicts.slash.law import law_verdicts
from ropeproof.tools.measure.verdicts.slash.margin import margin_verdicts
from ropeproof.tools.measure.verdicts.slash.precision import precision_verdicts
from ropeproof.tools.measure.verdicts.softmax import softmax_verdicts

__all__ = ["Condition", "Guarantee", "Rows", "Verdict", "judge"]


def judge(
    vectors: HeadVectors, measure: HeadMeasure, rows: Rows | None = None
) -> tuple[Verdict, ...]:
    """The verdicts of every theorem about single heads on this one, in the order of the topics.

    `measure` holds the statistics of the same vectors (`ropeproof.tools.measure.measure_head`);
    `rows` is what a pass over them found, by default made here, at the cost of `Rows`.

    Raises `InvalidArgument` if the statistics are those of another prompt, or for fewer than two
    tokens.
    """
    rows = rows or Rows(vectors)
    found = tuple(rows.verdicts(measure))
    study = rows.study
    return (
        *rope_verdicts(study),
        *found,
        *margin_verdicts(study),
        *law_verdicts(study),
        *precision_verdicts(study),
        *head_verdicts(study),
        *softmax_verdicts(study),
    )
