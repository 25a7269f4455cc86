"""The items of arXiv 2605.31558: learning dynamics, geometry and length of two kinds of heads."""

from __future__ import annotations

from ropeproof.theory import papers
from ropeproof.theory.coverage.item import Coverage, Item, command, example, page, picture

__all__ = ["HEADS"]

_MEASURED = "it reports measurements on trained models, which no proof can settle"

HEADS = Coverage(
    key="heads",
    paper=papers.HEADS,
    title="Positional versus Symbolic Attention Heads",
    read="All numbered statements and their proofs, v1.",
    complete=True,
    items=(
        Item(
            "number task",
            "section 2.1",
            "A row of letters, a row of integers, an integer to begin with. An integer sends the "
            "reader that many places back; the first letter reached is the answer.",
            shown=(example("examples/solve_tasks.py"), picture("task-network")),
        ),
        Item(
            "letter task",
            "section 2.1",
            "Pairs. The second letter of a pair sends the reader to the earlier pair that begins with "
            "it; the pair of letter and digit that ends the chain is the answer.",
            shown=(example("examples/solve_tasks.py"),),
        ),
        Item(
            "Figure 1",
            "section 2.1",
            "One example of each task, with four hops.",
            see=("task.compose-index", "task.compose-retrieval-chain", "task.printed-answer"),
            shown=(example("examples/solve_tasks.py"),),
            because="it is an illustration; on its number example the printed formula of the answer "
            "is wrong, see appendix B.1",
        ),
        Item(
            "Figure 2",
            "section 3.1",
            "Over training: accuracy per number of hops, both scores and the entropy of three layers, "
            "and how many heads are pure.",
            see=("head.row-exclusion", "head.uniform-excludes-self"),
            shown=(page("multi_hop.md"), example("examples/train_multi_hop_tasks.py")),
            because=_MEASURED
            + "; that both scores are high at the start where attention is even is "
            "what the claims beside it make exact",
        ),
        Item(
            "Figure 3",
            "section 3.2",
            "What each layer holds at each place, in a trained model and in the idealised stack.",
            see=("task.compose-index", "task.compose-retrieval-chain"),
            shown=(example("examples/solve_tasks.py"),),
            because="its trained half is a measurement; its idealised half is what the stacks beside it "
            "are proved to do",
        ),
        Item(
            "Listing 1",
            "section 3.2",
            "Index, Retrieval and Reflexive as short programmes. The programme of Retrieval takes the "
            "first match, where the definition needs it to be the only one.",
            see=("index.feasible", "retrieval.feasible"),
            shown=(page("decoding.md"),),
            because="it says in code what Definitions F.1 to F.3 say in words",
        ),
        Item(
            "number task as a composition",
            "section 3.2",
            "As many applications of Index as there are hops, and then nothing but carrying on, answer "
            "the number task.",
            see=("task.soft-stack",),
            shown=(example("examples/solve_tasks.py"),),
        ),
        Item(
            "letter task as a composition",
            "section 3.2",
            "The same with Retrieval for the letter task.",
            see=("task.soft-stack",),
            shown=(example("examples/solve_tasks.py"),),
        ),
        Item(
            "published generator",
            "the authors' code",
            "How the sequences of the letter task are drawn: the query's own chain is right and unique, "
            "elsewhere a token may have no parent or several.",
            shown=(example("examples/solve_tasks.py"),),
        ),
        Item(
            "Theorem 3.1",
            "section 3.4, proof in appendix F.2",
            "For every bound on the length there is a Transformer with one head and one rotating plane "
            "that computes Index on all valid inputs within it, and another one for Retrieval.",
            see=("index.temperature", "retrieval.temperature", "index.margin", "retrieval.margin"),
            shown=(picture("index-fan"), page("decoding.md")),
        ),
        Item(
            "Figure 4",
            "section 3.4",
            "The mechanism of Index: keys that point one way, queries turned by the offset that they ask "
            "for; beside it the same plane of a trained layer.",
            see=("index.logit",),
            shown=(picture("index-fan"), command("ropeproof measure MODEL --text FILE")),
            because="it is an illustration; its trained half is a measurement",
        ),
        Item(
            "Remark 3.1",
            "section 3.4, appendix F.2.3",
            "The two constructions are purely positional and purely symbolic; and Index cannot be "
            "had from a symbolic head, nor Retrieval from a positional one.",
            see=("head.symbolic-cannot-index", "head.positional-cannot-retrieve"),
        ),
        Item(
            "Definition 3.1",
            "section 3.5",
            "The discrepancy at a length: the gap between the largest logit and the next, at its largest "
            "over the inputs of that length.",
            see=("index.margin", "retrieval.margin"),
        ),
        Item(
            "Theorem 3.2",
            "section 3.5, proof in appendix F.2",
            "Upper bounds of the discrepancy of the two constructions: of order one over the squared "
            "length for Index, and a bound for Retrieval that stays away from zero without rotation.",
            see=("index.margin", "retrieval.margin", "index.staircase"),
            shown=(
                picture("index-bounds"),
                picture("retrieval-margin"),
                command("ropeproof errata"),
            ),
        ),
        Item(
            "Remark 3.2",
            "section 3.5",
            "Index loses its discrepancy with the length, Retrieval without rotation does not: the two "
            "are separated.",
            see=("index.temperature", "retrieval.temperature", "planes.order", "planes.address"),
            shown=(picture("retrieval-separation"),),
            because="it reads Theorem 3.2; the separation itself is proved, with rates, by the claims "
            "beside it",
        ),
        Item(
            "Figure 5A",
            "section 3.5",
            "The two bounds of Theorem 3.2 drawn over the length.",
            see=("index.margin", "retrieval.margin"),
            shown=(picture("index-bounds"), picture("retrieval-margin")),
            because="it draws Theorem 3.2, next to which the pictures draw the exact margins",
        ),
        Item(
            "Figure 5B",
            "section 3.6",
            "Accuracy of the two trained models on longer inputs: the letter task holds, the number task "
            "does not.",
            see=("planes.frozen", "index.weyl", "retrieval.temperature"),
            shown=(
                page("multi_hop.md"),
                example("examples/train_multi_hop_tasks.py"),
                example("examples/predict_break.py"),
                command("ropeproof budget --task index"),
            ),
            because=_MEASURED,
        ),
        Item(
            "Figures 5C and 5D",
            "section 3.6",
            "Accuracy of three released chat models on one-hop versions of both tasks.",
            because="it needs paid access to models whose weights nobody else has",
        ),
        Item(
            "appendix B.1",
            "appendix B",
            "The number task in symbols: which integers make a chain, and the index of the answer.",
            see=("task.compose-index",),
        ),
        Item(
            "appendix B.2",
            "appendix B",
            "The letter task in symbols.",
            see=("task.compose-retrieval", "task.compose-retrieval-chain"),
            because="it fixes the task, whose solution the claims beside it prove",
        ),
        Item(
            "Definition C.1",
            "appendix C",
            "A causal head in general: logits from any function of two vectors and two positions, softmax, "
            "values, an output function.",
            see=("rope.relative", "head.score-table"),
            because="it fixes the setting; claims here are about the logits themselves",
        ),
        Item(
            "RoPE logits",
            "appendix C",
            "A logit depends on the two positions through their difference.",
            see=("rope.group", "rope.relative", "rope.fourier"),
            because="it is RoPE's own property, proved by the claims beside it",
        ),
        Item(
            "Definition D.1",
            "appendix D",
            "Positional: exchanging the keys changes no logit. Symbolic: the logits move with the keys.",
            see=("head.nope-symbolic", "head.constant-key-positional", "head.exclusion"),
            because="it repeats Definition 2 of the earlier paper, where the claims are",
        ),
        Item(
            "positional and symbolic scores",
            "appendix D",
            "Over all swaps of two tokens, weighted by how much attention they move: the mean cosine "
            "between the pair of weights after the swap and before, in place or exchanged.",
            see=(
                "head.score-table",
                "head.score-geometry",
                "head.score-disc",
                "head.row-exclusion",
            ),
            shown=(picture("head-plane"), command("ropeproof measure MODEL --text FILE")),
            because="it is a definition; what follows from it is proved by the claims beside it",
        ),
        Item(
            "restricting to swaps",
            "appendix D",
            "To look at swaps of two tokens alone loses nothing, since they make up every permutation.",
        ),
        Item(
            "Figure 6",
            "appendix E",
            "Both scores of every layer over training.",
            shown=(page("multi_hop.md"), example("examples/train_multi_hop_tasks.py")),
            because=_MEASURED,
        ),
        Item(
            "Figure 7",
            "appendix E",
            "How many heads are pure over training, for two thresholds.",
            shown=(page("multi_hop.md"), example("examples/train_multi_hop_tasks.py")),
            because=_MEASURED,
        ),
        Item(
            "Definition F.1",
            "appendix F.1",
            "Index: an integer is replaced by the letter that many places back, if a letter is there; "
            "everything else stays.",
            see=("index.feasible", "task.compose-index"),
            because="it is a definition; the claims beside it are about this function",
        ),
        Item(
            "Definition F.2",
            "appendix F.1",
            "Retrieval, on inputs in which every letter that is asked for begins one token: a pair of "
            "letters is replaced by that token, everything else stays.",
            see=("retrieval.feasible", "task.compose-retrieval"),
            because="it is a definition; the claims beside it are about this function, on inputs "
            "without two different tokens for one left letter",
        ),
        Item(
            "Definition F.3",
            "appendix F.1",
            "Reflexive: every token stays what it is.",
            see=("task.compose-index", "task.compose-retrieval"),
        ),
        Item(
            "index construction",
            "appendix F.2.1",
            "The weights that compute Index, and the logit that they give: the cosine of the distance "
            "from the place asked for, times the angle.",
            shown=(picture("index-fan"), page("decoding.md")),
        ),
        Item(
            "discrepancy computation",
            "appendix F.2.1",
            "When the largest logit is unique, and two upper bounds of the gap below it.",
            see=("rope.nonresonant", "index.margin"),
            shown=(command("ropeproof errata"),),
        ),
        Item(
            "Lemma F.1",
            "appendix F.2.1",
            "What averages over the largest logits computes, softmax computes, too, at some inverse "
            "temperature, for all inputs up to a length.",
            shown=(picture("softmax-hard-to-soft"),),
        ),
        Item(
            "retrieval construction",
            "appendix F.2.2",
            "The weights that compute Retrieval, and the logit that they give.",
            shown=(picture("retrieval-margin"), page("decoding.md")),
        ),
        Item(
            "Figure 8",
            "appendix G",
            "How much each frequency is used by each layer of the two trained models.",
            shown=(page("multi_hop.md"), command("ropeproof measure MODEL --text FILE")),
            because=_MEASURED,
        ),
        Item(
            "Table 1",
            "appendix G",
            "The frequency that each layer of the trained models uses most, on average.",
            see=("planes.frozen", "slash.low-only"),
            shown=(page("multi_hop.md"),),
            because=_MEASURED,
        ),
        Item(
            "Table 2",
            "appendix H",
            "The prompts for the released chat models.",
            because="it is material of an experiment with models of others",
        ),
        Item(
            "Table 3",
            "appendix H",
            "Accuracy of the chat models per length, as in Figures 5C and 5D.",
            because="it needs paid access to models whose weights nobody else has",
        ),
        Item(
            "Table 4",
            "appendix I",
            "Computers and hours that the experiments took.",
            see=("head.score-table",),
            because="it reports costs; that scores need one table of logits and no second run of the "
            "layer is proved beside it",
        ),
    ),
)
