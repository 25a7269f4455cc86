"""The items of two papers of which one statement each is used here."""

from __future__ import annotations

from ropeproof.theory.papers import citations as papers
from ropeproof.theory.papers.coverage.item import PaperCoverage, PaperItem, command

__all__ = ["BASES", "LMINF"]

_READ = "The abstract and reports of others; only what is used here is listed."

LMINF = PaperCoverage(
    key="lminf",
    paper=papers.LMINF,
    title="LM-Infinite",
    read=_READ,
    items=(
        PaperItem(
            "entropy of attention",
            "theory",
            "Bounded logits over ever more tokens give attention ever more entropy.",
        ),
    ),
)

BASES = PaperCoverage(
    key="bases",
    paper=papers.BASES,
    title="Base of RoPE Bounds Context Length",
    read=_READ,
    items=(
        PaperItem(
            "criterion",
            "theory",
            "A sum of cosines of the distance must not become negative within the context; the base decides "
            "up to which distance it does not.",
            shown=(command("ropeproof check rope.base-criterion"),),
        ),
    ),
)
