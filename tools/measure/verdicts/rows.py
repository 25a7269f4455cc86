"""One pass over the logits of a head: what its statistics and what its verdicts need of them."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.numerics.bounds.posgen import AdditiveFit
from ropeproof.numerics.bounds.posgen.triangle import TriangleRows, Where
from ropeproof.numerics.bounds.posgen.window import plane_weights
from ropeproof.tools.measure.head.attention import AttentionRows, AttentionSums
from ropeproof.tools.measure.head.statistics import HeadMeasure
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.verdicts.index import IndexRows
from ropeproof.tools.measure.verdicts.posgen.posgen import ResidualRows
from ropeproof.tools.measure.verdicts.posgen.residuals import BOUNDED
from ropeproof.tools.measure.verdicts.record import Verdict
from ropeproof.tools.measure.verdicts.retrieval import ContentRows
from ropeproof.tools.measure.verdicts.slash.factor import FactorRows
from ropeproof.tools.measure.verdicts.slash.slash import SlashRows
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["Rows"]

Topic = SlashRows | FactorRows | IndexRows | ContentRows | ResidualRows


class Rows:
    """One pass over the rows of a plain causal head, for its statistics and its verdicts.

    `attention` and `additive` are for the statistics; `study` and `verdicts` are for the verdicts,
    which are not prepared unless `wanted`.

    Cost with verdicts: some seven matrix products of `length^2 head_dim/2` and some fifty passes over
    `length^2/2` numbers, in blocks of rows: no array of `length^2`. Raises `InvalidArgument` for fewer
    than two tokens.
    """

    def __init__(self, vectors: HeadVectors, *, wanted: bool = True) -> None:
        self.study = study = Study(vectors)
        sums = AttentionRows(vectors.length, vectors.length, vectors.device)
        triangle = TriangleRows(
            study.head,
            reference=study.last / 2,
            weights=plane_weights(vectors.spec),
            where=Where(vectors.device, vectors.single),
        )
        self._topics: tuple[Topic, ...] = ()
        if wanted:
            self._topics = (
                SlashRows(study),
                FactorRows(study),
                IndexRows(study),
                ContentRows(study),
                ResidualRows(study, triangle),
            )
        for block in study.blocks():
            inside = block.masked(block.room("own").copy_(block.logits), 0.0)
            sums.add(block.start, inside, block.powers, block.tops, block.sums)
            triangle.add(block.start, block.plain, block.gaps, block.near)
            for topic in self._topics:
                topic.add(block)
        self.attention: AttentionSums = sums.sums()
        self.additive: tuple[AdditiveFit, ...] = triangle.fits(block=BOUNDED)
        study.free()

    def verdicts(self, measure: HeadMeasure) -> Iterator[Verdict]:
        """The verdicts of the topics that need rows. Raises `InvalidArgument` as `Study.know`."""
        self.study.know(measure)
        for topic in self._topics:
            yield from topic.verdicts()
