"""The items of arXiv 2511.11579, v1: positional and symbolic behaviour of heads, and its tasks."""

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

__all__ = ["DECOUPLE"]

_RELEASED = (
    "it reports measurements on a released model, which no proof can settle; the command measures the "
    "same scores on any model's folder"
)
_MEASURE = command("ropeproof measure MODEL --text FILE")
_DEFINED = "it is a definition; the claims beside it are about it"


def _model(name: str, place: str, model: str) -> PaperItem:
    return PaperItem(
        name,
        place,
        f"Both scores of the heads of {model}: six heads over the frequencies, all heads at once, and how "
        "they change when the question asks for a later block.",
        shown=(_MEASURE,),
        because=_RELEASED,
    )


DECOUPLE = PaperCoverage(
    key="decouple",
    paper=papers.DECOUPLE,
    title="Decoupling Positional and Symbolic Attention Behavior in Transformers",
    read="All numbered statements and their proofs, v1.",
    complete=True,
    items=(
        PaperItem(
            "Definition 1",
            "section 2",
            "A causal head in general: logits from any function of two vectors and two positions, softmax, "
            "values, an output function.",
            see=("head.score-table",),
            because="it fixes the setting; claims here are about the logits themselves",
        ),
        PaperItem(
            "equation (1)",
            "section 2",
            "The logits of a query and a key, each turned by its own position; RoPE and no rotation at all "
            "are special cases.",
            see=("rope.group", "rope.relative"),
            because="it fixes the form of the logits, whose properties the claims beside it prove",
        ),
        PaperItem(
            "Definition 2",
            "section 3.1",
            "Positional: exchanging the keys changes no logit. Symbolic: the logits move with the keys.",
            see=("head.exclusion", "head.robust-exclusion"),
            shown=(picture("head-tables"),),
        ),
        PaperItem(
            "section 3.1, examples",
            "section 3.1",
            "Without rotation a head is symbolic; where all keys are equal any head is positional; both at "
            "once gives even attention.",
            see=("head.uniform-excludes-self",),
        ),
        PaperItem(
            "Theorem 1",
            "section 3.2, proof in appendix A.2",
            "The variance of the logits before the query is at most the sum of the squared deviations from "
            "both behaviours, divided by $(n-1)!\\,(n-1)$: both at once only with constant logits.",
            see=("head.exclusion-identity", "head.swaps-exclusion", "head.row-exclusion"),
            shown=(picture("head-exclusion"),),
        ),
        PaperItem(
            "positional and symbolic scores",
            "section 3.3, appendix A.3",
            "For every swap of two blocks the cosine between the pair of mean weights before and after, in "
            "place or exchanged; averaged with more weight on swaps that move more attention.",
            see=(
                "head.score-table",
                "head.score-geometry",
                "head.score-disc",
                "head.row-exclusion",
            ),
            shown=(picture("head-plane"), _MEASURE),
            because=_DEFINED,
        ),
        PaperItem(
            "scores per frequency",
            "section 3.3, appendix A.3",
            "The logit is a sum over planes; the scores of one plane are those of its part alone.",
            see=("rope.fourier",),
            shown=(_MEASURE,),
            because=_DEFINED,
        ),
        PaperItem(
            "Figure 1",
            "section 3.3",
            "Gemma 2 2B on the binding task: all heads in the plane of the two scores, the scores of four "
            "heads over the frequencies, and the attention of one head at three frequencies.",
            see=("head.row-exclusion",),
            shown=(_MEASURE, picture("head-plane")),
            because=_RELEASED,
        ),
        PaperItem(
            "index task",
            "section 4",
            "Symbols and then an integer: answer with the symbol at that place.",
            see=("task.absolute-index", "head.symbolic-cannot-index"),
            because=_DEFINED,
        ),
        PaperItem(
            "Theorem 2",
            "section 4, proof in appendix B.2",
            "Whatever the values and the read-out, a one-layer model whose head is symbolic on an input that "
            "is not constant does not compute the index task.",
        ),
        PaperItem(
            "Theorem 3",
            "section 4, proof in appendix B.3",
            "For every length a purely positional head with one rotating plane computes the index task.",
            shown=(picture("index-fan"),),
        ),
        PaperItem(
            "after Theorem 3",
            "section 4",
            "The warning that above an angle of $2\\pi/n$ attention has its maximum in several positions.",
            see=("index.window", "index.staircase"),
            shown=(command("ropeproof errata"),),
        ),
        PaperItem(
            "information retrieval task",
            "section 4",
            "Pairs of a symbol and an integer, and then a symbol that one of them has: answer with "
            "that pair.",
            see=(
                "task.info-retrieval-head",
                "task.info-retrieval",
                "head.positional-cannot-retrieve",
            ),
            because=_DEFINED,
        ),
        PaperItem(
            "Theorem 4",
            "section 4, proof in appendix B.4",
            "A simple head, with one-hot tokens, identity values and a read-out of the attention "
            "alone, that is positional on an input does not compute the retrieval task.",
        ),
        PaperItem(
            "Theorem 5",
            "section 4, proof in appendix B.5",
            "For every length a purely symbolic head computes the retrieval task.",
            see=("head.nope-symbolic",),
        ),
        PaperItem(
            "Figure 2",
            "section 4",
            "A trained head with one plane: accuracy on the index and the retrieval task over the "
            "angle, and on partial induction with one and with two planes.",
            see=("task.absolute-index", "task.info-retrieval", "task.partial-induction"),
            shown=(page("experiments.md"), example("experiments/train_canonical_tasks.py")),
            because="it reports training runs, which no proof can settle; they are repeated here",
        ),
        PaperItem(
            "partial induction task",
            "section 4",
            "As retrieval, but the symbol stands at least twice: answer with the last one.",
            see=("task.partial-induction-head", "task.partial-induction"),
            because=_DEFINED,
        ),
        PaperItem(
            "Corollary 1",
            "section 4, proof in appendix B.7",
            "A simple head that computes partial induction is neither positional nor symbolic on any input.",
            shown=(command("ropeproof errata"),),
        ),
        PaperItem(
            "Theorem 6",
            "section 4, proof in appendix B.8",
            "A head with two planes, one of which does not turn, computes partial induction.",
            see=("task.partial-induction-sharp",),
        ),
        PaperItem(
            "Figure 3",
            "section 5",
            "Accuracy over the place of the answer: a U for the index task where the angle is too small, an "
            "inverted U for retrieval where it is too large; and how queries and keys lie on the plane.",
            see=("task.u-shape", "task.u-shape-index", "task.u-shape-symbol"),
            shown=(page("experiments.md"), picture("task-u-shape"), picture("index-fan")),
            because="it reports training runs, repeated here; the curves of the constructions are proved",
        ),
        PaperItem(
            "Theorem 7",
            "section 5, proof in appendix C.2",
            "The largest weight, over the place of the answer, has the form of a U for the index "
            "construction and of an inverted U for a simplified symbolic one.",
            shown=(picture("task-u-shape"),),
        ),
        PaperItem(
            "Figure 4",
            "appendix A.1",
            "Logits that stay and logits that move when two tokens are exchanged.",
            shown=(picture("head-tables"),),
            because="it illustrates Definition 2",
        ),
        PaperItem(
            "prompt templates",
            "appendix A.4",
            "How the binding task is put to three families of models.",
            because="it is material of an experiment with released models",
        ),
        PaperItem(
            "Figure 5",
            "appendix A.5",
            "The scores of every head of Gemma 2 2B over the frequencies.",
            shown=(_MEASURE,),
            because=_RELEASED,
        ),
        PaperItem(
            "Figure 6",
            "appendix A.5",
            "Six heads of Gemma 2 2B in the plane of the two scores, and over the frequencies.",
            shown=(_MEASURE,),
            because=_RELEASED,
        ),
        PaperItem(
            "Figure 7",
            "appendix A.5",
            "How the scores of Gemma 2 2B change when the question asks for a later block.",
            shown=(_MEASURE,),
            because=_RELEASED,
        ),
        PaperItem(
            "Figure 8",
            "appendix B.1",
            "One example of each of the three tasks.",
            see=("task.absolute-index", "task.info-retrieval", "task.partial-induction"),
            because="it illustrates the tasks",
        ),
        PaperItem(
            "Lemma 1",
            "appendix B.2",
            "A model with a symbolic head gives one output for all orders of the tokens before the query.",
        ),
        PaperItem(
            "Lemma 2",
            "appendix B.3",
            "The head of Theorem 3 is positional on every input.",
            see=("head.constant-key-positional",),
            because="its keys are all equal, so it is an instance of the claim beside it",
        ),
        PaperItem(
            "Lemma 3",
            "appendix B.3",
            "The head of Theorem 3, as it is printed without a scale, answers every input of its length.",
            see=("task.absolute-index",),
            shown=(command("ropeproof errata"),),
        ),
        PaperItem(
            "Lemma 4",
            "appendix B.5",
            "The head of Theorem 5 without rotation, as printed, answers every input of its length.",
            see=("task.info-retrieval",),
            shown=(command("ropeproof errata"),),
        ),
        PaperItem(
            "Lemma 5",
            "appendix B.5",
            "The head of Theorem 5 without rotation is symbolic on every input.",
            see=("head.nope-symbolic",),
            because="it has no rotation, so it is an instance of the claim beside it",
        ),
        PaperItem(
            "B.6",
            "appendix B.6",
            "With a read-out that is a small network a positional head retrieves after all, at three tokens.",
            see=("head.positional-read-out",),
        ),
        PaperItem(
            "Lemma 6",
            "appendix B.8",
            "The head of Theorem 6, as printed, answers every input of its length.",
            see=("task.partial-induction",),
            shown=(command("ropeproof errata"),),
        ),
        PaperItem(
            "training setting",
            "appendix C.1",
            "One layer, one head, one plane: lengths, angles, sizes of the data sets.",
            because="it describes the training runs of Figures 2 and 3",
        ),
        PaperItem(
            "Theorem 8",
            "appendix C.2",
            "For the simplified symbolic construction and at least five tokens the target's weight "
            "rises up to the middle and falls after it.",
            shown=(picture("task-u-shape"),),
        ),
        _model("Figure 9", "appendix D.1", "Llama 3.2 1B"),
        _model("Figure 10", "appendix D.1.1", "Llama 3.2 3B"),
        _model("Figure 11", "appendix D.2", "Qwen2 1.5B"),
        _model("Figure 12", "appendix D.3", "Qwen2 0.5B"),
    ),
)
