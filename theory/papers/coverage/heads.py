"""The items of arXiv 2605.31558: learning dynamics, geometry and length of two kinds of heads."""

from __future__ import annotations

from ropeproof.theory.papers import citations as papers
from ropeproof.theory.papers.coverage.heads_appendices import APPENDICES, MEASURED
from ropeproof.theory.papers.coverage.item import (
    PaperCoverage,
    PaperItem,
    command,
    example,
    page,
    picture,
)

__all__ = ["HEADS"]

HEADS = PaperCoverage(
    key="heads",
    paper=papers.HEADS,
    title="Positional versus Symbolic Attention Heads",
    read="All numbered statements and their proofs, v1.",
    complete=True,
    items=(
        PaperItem(
            "number task",
            "section 2.1",
            "A row of letters, a row of integers, an integer to begin with. An integer sends the "
            "reader that many places back; the first letter reached is the answer.",
            shown=(example("experiments/solve_tasks.py"), picture("task-network")),
        ),
        PaperItem(
            "letter task",
            "section 2.1",
            "Pairs. The second letter of a pair sends the reader to the earlier pair that begins with "
            "it; the pair of letter and digit that ends the chain is the answer.",
            shown=(example("experiments/solve_tasks.py"),),
        ),
        PaperItem(
            "Figure 1",
            "section 2.1",
            "One example of each task, with four hops.",
            see=("task.compose-index", "task.compose-retrieval-chain", "task.printed-answer"),
            shown=(example("experiments/solve_tasks.py"),),
            because="it is an illustration; on its number example the printed formula of the answer "
            "is wrong, see appendix B.1",
        ),
        PaperItem(
            "Figure 2",
            "section 3.1",
            "Over training: accuracy per number of hops, both scores and the entropy of three layers, "
            "and how many heads are pure.",
            see=("head.row-exclusion", "head.uniform-excludes-self"),
            shown=(
                page("multi_hop.md"),
                page("multi_hop_seeds.md"),
                example("experiments/train_multi_hop_tasks.py"),
                example("experiments/multi_hop_seeds.py"),
            ),
            because=MEASURED
            + "; that both scores are high at the start where attention is even is "
            "what the claims beside it make exact",
        ),
        PaperItem(
            "Figure 3",
            "section 3.2",
            "What each layer holds at each place, in a trained model and in the idealised stack.",
            see=("task.compose-index", "task.compose-retrieval-chain"),
            shown=(example("experiments/solve_tasks.py"),),
            because="its trained half is a measurement; its idealised half is what the stacks beside it "
            "are proved to do",
        ),
        PaperItem(
            "Listing 1",
            "section 3.2",
            "Index, Retrieval and Reflexive as short programmes. The programme of Retrieval takes the "
            "first match, where the definition needs it to be the only one.",
            see=("index.feasible", "retrieval.feasible"),
            shown=(page("decoding.md"),),
            because="it says in code what Definitions F.1 to F.3 say in words",
        ),
        PaperItem(
            "number task as a composition",
            "section 3.2",
            "As many applications of Index as there are hops, and then nothing but carrying on, answer "
            "the number task.",
            see=("task.soft-stack",),
            shown=(example("experiments/solve_tasks.py"),),
        ),
        PaperItem(
            "letter task as a composition",
            "section 3.2",
            "The same with Retrieval for the letter task.",
            see=("task.soft-stack",),
            shown=(example("experiments/solve_tasks.py"),),
        ),
        PaperItem(
            "published generator",
            "the authors' code",
            "How the sequences of the letter task are drawn: the query's own chain is right and unique, "
            "elsewhere a token may have no parent or several.",
            shown=(example("experiments/solve_tasks.py"),),
        ),
        PaperItem(
            "Theorem 3.1",
            "section 3.4, proof in appendix F.2",
            "For every bound on the length there is a Transformer with one head and one rotating plane "
            "that computes Index on all valid inputs within it, and another one for Retrieval.",
            see=("index.temperature", "retrieval.temperature", "index.margin", "retrieval.margin"),
            shown=(picture("index-fan"), page("decoding.md")),
        ),
        PaperItem(
            "Figure 4",
            "section 3.4",
            "The mechanism of Index: keys that point one way, queries turned by the offset that they ask "
            "for; beside it the same plane of a trained layer.",
            see=("index.logit",),
            shown=(picture("index-fan"), command("ropeproof measure MODEL --text FILE")),
            because="it is an illustration; its trained half is a measurement",
        ),
        PaperItem(
            "Remark 3.1",
            "section 3.4, appendix F.2.3",
            "The two constructions are purely positional and purely symbolic; and Index cannot be "
            "had from a symbolic head, nor Retrieval from a positional one.",
            see=("head.symbolic-cannot-index", "head.positional-cannot-retrieve"),
        ),
        PaperItem(
            "Definition 3.1",
            "section 3.5",
            "The discrepancy at a length: the gap between the largest logit and the next, at its largest "
            "over the inputs of that length.",
            see=("separation.discrepancy", "index.window", "index.margin", "retrieval.margin"),
        ),
        PaperItem(
            "Theorem 3.2",
            "section 3.5, proof in appendix F.2",
            "Upper bounds of the discrepancy of the two constructions: of order one over the squared "
            "length for Index, and a bound for Retrieval that stays away from zero without rotation.",
            see=(
                "head.discrepancy",
                "index.printed-bound",
                "retrieval.printed-bound",
                "index.margin",
                "retrieval.margin",
                "index.staircase",
            ),
            shown=(
                picture("index-bounds"),
                picture("retrieval-margin"),
                command("ropeproof errata"),
            ),
        ),
        PaperItem(
            "Remark 3.2",
            "section 3.5",
            "Index loses its discrepancy with the length, Retrieval without rotation does not: the two "
            "are separated.",
            see=("index.temperature", "retrieval.temperature", "planes.order", "planes.address"),
            shown=(picture("retrieval-separation"),),
        ),
        PaperItem(
            "Figure 5A",
            "section 3.5",
            "The two bounds of Theorem 3.2 drawn over the length.",
            see=("index.margin", "retrieval.margin"),
            shown=(picture("index-bounds"), picture("retrieval-margin")),
            because="it draws Theorem 3.2, next to which the pictures draw the exact margins",
        ),
        PaperItem(
            "Figure 5B",
            "section 3.6",
            "Accuracy of the two trained models on longer inputs: the letter task holds, the number task "
            "does not.",
            see=("planes.frozen", "index.weyl-groups", "retrieval.temperature"),
            shown=(
                page("multi_hop.md"),
                example("experiments/train_multi_hop_tasks.py"),
                example("experiments/predict_break.py"),
                command("ropeproof budget --task index"),
            ),
            because=MEASURED,
        ),
        PaperItem(
            "Figures 5C and 5D",
            "section 3.6",
            "Accuracy of three released chat models on one-hop versions of both tasks.",
            shown=(page("one_hop.md"), example("experiments/one_hop_prompts.py")),
            because="the paper's models need paid access; the page asks a small model whose weights "
            "are open in the paper's design",
        ),
        *APPENDICES,
    ),
)
