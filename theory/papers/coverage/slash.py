"""The items of arXiv 2601.08297 on slash-dominant heads, as far as it could be read."""

from __future__ import annotations

from ropeproof.theory.papers import citations as papers
from ropeproof.theory.papers.coverage.item import (
    PaperCoverage,
    PaperItem,
    command,
    example,
    page,
    picture,
)

__all__ = ["SLASH"]

SLASH = PaperCoverage(
    key="slash",
    paper=papers.SLASH,
    title="Demystifying the Slash Pattern in Attention: The Role of RoPE",
    read="The abstract, the opening and what others write of it. Its theorems are not quoted here, and "
    "their numbers and figures are not listed.",
    items=(
        PaperItem(
            "average slash score",
            "definitions",
            "The mean weight that a head puts on the token a fixed number of places back.",
            see=("slash.null",),
            shown=(picture("slash-maps"), command("ropeproof measure MODEL --text FILE")),
        ),
        PaperItem(
            "slash dominance",
            "definitions",
            "A head whose average slash score at one distance is at least a given share.",
            see=("slash.emergence",),
            shown=(
                picture("slash-maps"),
                command("ropeproof budget --preset llama-3.1-8b --offset 1"),
            ),
        ),
        PaperItem(
            "rank statistics",
            "definitions",
            "How near queries or keys are to rank one: the share of the largest singular value, and how many "
            "of them hold 95 %.",
            see=("slash.cone", "slash.rank-not-enough"),
            shown=(command("ropeproof measure MODEL --text FILE"),),
        ),
        PaperItem(
            "Fourier form of the logit",
            "theory",
            "A logit is a sum of cosines of the distance, one per plane.",
            shown=(picture("rope-envelope"),),
        ),
        PaperItem(
            "constant queries and keys",
            "theory",
            "Where all queries are equal and all keys are, the logit depends on the distance alone.",
            shown=(picture("slash-maps"),),
        ),
        PaperItem(
            "two conditions",
            "abstract",
            "Queries and keys almost of rank one, and a rotation whose medium and high frequencies prevail, "
            "make slash-dominant heads, and make them generalise to prompts out of distribution.",
            see=(
                "slash.head",
                "slash.cone",
                "slash.band-dominance",
                "slash.emergence",
                "slash.ood",
            ),
            shown=(picture("slash-spectrum"), picture("slash-sandwich"), page("learned_heads.md")),
            because="its theorem could not be read; the claims beside it are our own, from weights "
            "to attention",
        ),
        PaperItem(
            "training",
            "abstract",
            "Under the two conditions gradient descent leads to slash-dominant heads.",
            see=("slash.gd.head", "slash.gd.rate-sharp", "slash.gd.rank-one", "slash.gd.ood"),
            shown=(
                picture("slash-training"),
                example("experiments/train_slash.py"),
                page("training.md"),
            ),
            because="its theorem could not be read; the claims beside it are our own, for our own setting",
        ),
        PaperItem(
            "measurements",
            "abstract",
            "Slash-dominant heads of Gemma 7B, Llama 3 8B and Qwen2.5 7B.",
            see=("slash.factor-emergence", "slash.law", "slash.signed"),
            shown=(
                command("ropeproof measure MODEL --text FILE"),
                page("learned_heads.md"),
                page("smollm2_slash.md"),
            ),
            because="it reports measurements on released models; what holds of heads as they are learned is "
            "proved beside it",
        ),
    ),
)
