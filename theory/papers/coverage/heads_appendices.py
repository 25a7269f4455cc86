"""The items in the appendices of arXiv 2605.31558."""

from __future__ import annotations

from ropeproof.theory.papers.coverage.item import PaperItem, command, example, page, picture

__all__ = ["APPENDICES", "MEASURED"]

MEASURED = "it reports measurements on trained models, which no proof can settle"

APPENDICES = (
    PaperItem(
        "appendix B.1",
        "appendix B",
        "The number task in symbols: which integers make a chain, and the index of the answer.",
        see=("task.compose-index",),
    ),
    PaperItem(
        "appendix B.2",
        "appendix B",
        "The letter task in symbols.",
        see=("task.compose-retrieval", "task.compose-retrieval-chain"),
        because="it fixes the task, whose solution the claims beside it prove",
    ),
    PaperItem(
        "Definition C.1",
        "appendix C",
        "A causal head in general: logits from any function of two vectors and two positions, softmax, "
        "values, an output function.",
        see=("rope.relative", "head.score-table"),
        because="it fixes the setting; claims here are about the logits themselves",
    ),
    PaperItem(
        "RoPE logits",
        "appendix C",
        "A logit depends on the two positions through their difference.",
        see=("rope.group", "rope.relative", "rope.fourier"),
        because="it is RoPE's own property, proved by the claims beside it",
    ),
    PaperItem(
        "Definition D.1",
        "appendix D",
        "Positional: exchanging the keys changes no logit. Symbolic: the logits move with the keys.",
        see=("head.nope-symbolic", "head.constant-key-positional", "head.exclusion"),
        because="it repeats Definition 2 of the earlier paper, where the claims are",
    ),
    PaperItem(
        "positional and symbolic scores",
        "appendix D",
        "Over all swaps of two tokens, weighted by how much attention they move: the mean cosine "
        "between the pair of weights after the swap and before, in place or exchanged.",
        see=("head.score-table", "head.score-geometry", "head.score-disc", "head.row-exclusion"),
        shown=(picture("head-plane"), command("ropeproof measure MODEL --text FILE")),
        because="it is a definition; what follows from it is proved by the claims beside it",
    ),
    PaperItem(
        "restricting to swaps",
        "appendix D",
        "To look at swaps of two tokens alone loses nothing, since they make up every permutation.",
    ),
    PaperItem(
        "Figure 6",
        "appendix E",
        "Both scores of every layer over training.",
        shown=(page("multi_hop.md"), example("experiments/train_multi_hop_tasks.py")),
        because=MEASURED,
    ),
    PaperItem(
        "Figure 7",
        "appendix E",
        "How many heads are pure over training, for two thresholds.",
        shown=(
            page("multi_hop.md"),
            page("multi_hop_seeds.md"),
            example("experiments/train_multi_hop_tasks.py"),
            example("experiments/multi_hop_seeds.py"),
        ),
        because=MEASURED,
    ),
    PaperItem(
        "Definition F.1",
        "appendix F.1",
        "Index: an integer is replaced by the letter that many places back, if a letter is there; "
        "everything else stays.",
        see=("index.feasible", "task.compose-index"),
        because="it is a definition; the claims beside it are about this function",
    ),
    PaperItem(
        "Definition F.2",
        "appendix F.1",
        "Retrieval, on inputs in which every letter that is asked for begins one token: a pair of "
        "letters is replaced by that token, everything else stays.",
        see=("retrieval.feasible", "task.compose-retrieval"),
        because="it is a definition; the claims beside it are about this function, on inputs "
        "without two different tokens for one left letter",
    ),
    PaperItem(
        "Definition F.3",
        "appendix F.1",
        "Reflexive: every token stays what it is.",
        see=("task.compose-index", "task.compose-retrieval"),
    ),
    PaperItem(
        "index construction",
        "appendix F.2.1",
        "The weights that compute Index, and the logit that they give: the cosine of the distance "
        "from the place asked for, times the angle.",
        shown=(picture("index-fan"), page("decoding.md")),
    ),
    PaperItem(
        "discrepancy computation",
        "appendix F.2.1",
        "When the largest logit is unique, what the discrepancy of an input and of a length is, and two "
        "upper bounds of it.",
        see=("separation.discrepancy", "rope.nonresonant", "index.margin"),
        shown=(command("ropeproof errata"),),
    ),
    PaperItem(
        "Lemma F.1",
        "appendix F.2.1",
        "What averages over the largest logits computes, softmax computes, too, at some inverse "
        "temperature, for all inputs up to a length.",
        shown=(picture("softmax-hard-to-soft"),),
    ),
    PaperItem(
        "property (ii) of the logits",
        "appendix F.2.2",
        "Where all tokens have one left letter, all are attended equally and are the same token.",
        see=("retrieval.feasible",),
        shown=(command("ropeproof errata"),),
    ),
    PaperItem(
        "retrieval construction",
        "appendix F.2.2",
        "The weights that compute Retrieval, and the logit that they give.",
        shown=(picture("retrieval-margin"), page("decoding.md")),
    ),
    PaperItem(
        "discrepancy of Retrieval",
        "appendix F.2.2",
        "The target's logit less the largest over all other letters and all positions, those of the "
        "input or not, and an upper bound of it.",
        see=("separation.discrepancy", "retrieval.margin", "retrieval.printed-bound"),
        shown=(picture("retrieval-margin"), command("ropeproof errata")),
        because="its maximum runs over letters at every position, so it belongs to no input; the claims "
        "beside it are about the rivals that an input has",
    ),
    PaperItem(
        "Figure 8",
        "appendix G",
        "How much each frequency is used by each layer of the two trained models.",
        shown=(page("multi_hop.md"), command("ropeproof measure MODEL --text FILE")),
        because=MEASURED,
    ),
    PaperItem(
        "Table 1",
        "appendix G",
        "The frequency that each layer of the trained models uses most, on average.",
        see=("planes.frozen", "slash.low-only"),
        shown=(page("multi_hop.md"),),
        because=MEASURED,
    ),
    PaperItem(
        "Table 2",
        "appendix H",
        "The prompts for the released chat models.",
        shown=(page("one_hop.md"), example("experiments/one_hop_prompts.py")),
        because="it is material of an experiment with models of others, which is repeated with its "
        "rules in other words",
    ),
    PaperItem(
        "Table 3",
        "appendix H",
        "Accuracy of the chat models per length, as in Figures 5C and 5D.",
        shown=(page("one_hop.md"),),
        because="the paper's models need paid access; the page has the accuracy of a small model "
        "whose weights are open beside it",
    ),
    PaperItem(
        "Table 4",
        "appendix I",
        "Computers and hours that the experiments took.",
        see=("head.score-table",),
        because="it reports costs; that scores need one table of logits and no second run of the "
        "layer is proved beside it",
    ),
)
