"""Verdicts, theorem by theorem: does it speak about this head, and what does it guarantee?

`judge` goes over one head on one prompt. Each topic has a file; `record` is what comes out.
"""

from __future__ import annotations

from ropeproof.numerics.measure.statistics import HeadMeasure
from ropeproof.numerics.measure.vectors import HeadVectors
from ropeproof.numerics.measure.verdicts.factor import FactorRows
from ropeproof.numerics.measure.verdicts.head import head_verdicts
from ropeproof.numerics.measure.verdicts.index import IndexRows
from ropeproof.numerics.measure.verdicts.law import law_verdicts
from ropeproof.numerics.measure.verdicts.margin import margin_verdicts
from ropeproof.numerics.measure.verdicts.posgen import ResidualRows
from ropeproof.numerics.measure.verdicts.record import Condition, Guarantee, Verdict
from ropeproof.numerics.measure.verdicts.retrieval import ContentRows
from ropeproof.numerics.measure.verdicts.rope import rope_verdicts
from ropeproof.numerics.measure.verdicts.slash import SlashRows
from ropeproof.numerics.measure.verdicts.softmax import softmax_verdicts
from ropeproof.numerics.measure.verdicts.study import Study

__all__ = ["Condition", "Guarantee", "Verdict", "judge"]


def judge(vectors: HeadVectors, measure: HeadMeasure) -> tuple[Verdict, ...]:
    """What every theorem about single heads says of this one, in the order of the topics.

    `measure` holds the statistics of the same vectors (`ropeproof.numerics.measure.measure_head`).

    Cost: some ten matrix products of `length^2 head_dim` and some fifty passes over `length^2`
    numbers, in blocks of rows: no array of `length^2`. Raises `InvalidArgument` if the statistics
    are those of another prompt, or for fewer than two tokens.
    """
    study = Study.of(vectors, measure)
    topics = (
        SlashRows(study),
        FactorRows(study),
        IndexRows(study),
        ContentRows(study),
        ResidualRows(study),
    )
    for block in study.blocks():
        for topic in topics:
            topic.add(block)
    return (
        *rope_verdicts(study),
        *(found for topic in topics for found in topic.verdicts()),
        *margin_verdicts(study),
        *law_verdicts(study),
        *head_verdicts(study),
        *softmax_verdicts(study),
    )
