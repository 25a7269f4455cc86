"""The items of arXiv 2503.13305 on position generalisation, as far as it could be read."""

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

__all__ = ["POSGEN"]

POSGEN = PaperCoverage(
    key="posgen",
    paper=papers.POSGEN,
    title="Computation Mechanism Behind LLM Position Generalization",
    read="The abstract, the opening and what others write of it. Its theorems are not quoted here, and "
    "their numbers and figures are not listed.",
    items=(
        PaperItem(
            "inverse Fourier transform",
            "introduction",
            "With enough frequencies RoPE can make any function of the distance.",
            see=("rope.expressive-exists", "rope.expressive-cyclic", "rope.expressive-cost"),
            shown=(picture("rope-cost"),),
        ),
        PaperItem(
            "additive logits",
            "abstract",
            "In trained models a logit is nearly a term of the distance plus a term of the key: the two "
            "correlate with 0.959.",
            see=("posgen.two-axis", "posgen.three-axis", "posgen.pearson", "posgen.anova"),
            shown=(
                picture("posgen-anova"),
                example("experiments/additive_fits.py"),
                example("experiments/controlled_distance.py"),
                page("smollm2_posgen.md"),
                page("additive_heads.md"),
            ),
            because="the number is measured on released models; how near such a sum comes, and when, is "
            "proved beside it",
        ),
        PaperItem(
            "three-axis fit",
            "as reported",
            "Logits are fitted by a term of the query, one of the key and one of the distance. Notes of "
            "others attach the 0.959 to this fit in a table, and to the fit with two terms in a summary.",
            see=("posgen.three-axis", "posgen.gauge", "posgen.noise-floor"),
            shown=(
                example("experiments/additive_fits.py"),
                command("ropeproof measure MODEL --text FILE"),
                page("smollm2_posgen.md"),
            ),
            because="which of the two fits the number belongs to could not be read; both are measured here, "
            "each beside its own value for random features",
        ),
        PaperItem(
            "controlled distance",
            "as reported",
            "The logit of one query and one key, moved to other distances while all else stays.",
            see=("posgen.two-axis", "posgen.additive-fit"),
            shown=(example("experiments/controlled_distance.py"), page("smollm2_posgen.md")),
            because="it is measured on released models; the example measures the same on a model's folder",
        ),
        PaperItem(
            "pattern of features",
            "abstract",
            "A pattern in learned queries and keys makes the sum possible; random ones do not have it.",
            see=("posgen.anova", "posgen.null", "posgen.noise-floor", "posgen.gauge"),
            shown=(
                picture("posgen-null"),
                page("position_generalisation.md"),
                page("smollm2_posgen.md"),
                page("additive_training.md"),
            ),
            because="its theorem could not be read; that planes must be slow, concentrated or negligible is "
            "proved beside it, for our own model of the features",
        ),
        PaperItem(
            "moved tokens",
            "abstract",
            "Answers hardly change when a small share of the tokens changes places.",
            see=("posgen.transposition",),
            shown=(
                picture("posgen-transposition"),
                example("experiments/perturb_model.py"),
                page("smollm2_posgen.md"),
                page("additive_heads.md"),
            ),
            because="it is measured on released models; a bound of the change of attention is "
            "proved beside it",
        ),
        PaperItem(
            "longer texts",
            "abstract",
            "Models go on working on texts longer than those that they were trained on.",
            see=("posgen.length", "posgen.effective-length", "posgen.bounded-capacity"),
            shown=(
                example("experiments/perturb_model.py"),
                command("ropeproof budget --preset llama-3.1-8b --offset 1"),
            ),
            because="it is measured on released models; where an additive head's output settles is proved "
            "beside it",
        ),
    ),
)
