"""The items of five papers on the same ground, of which no claim here is a statement.

What is said of an item is what the places named in `read` say of it.
"""

from __future__ import annotations

from ropeproof.theory.papers import citations as papers
from ropeproof.theory.papers.coverage.item import PaperCoverage, PaperItem, command, page

__all__ = ["BIAS", "LONG", "OVERWHELM", "ROUND", "SINKS"]

_KNOWN = "its text was not read, and nothing is claimed of a statement that is known from others"
_MEASURED = "it is measured on trained models"

ROUND = PaperCoverage(
    key="round",
    paper=papers.ROUND,
    title="Round and Round We Go! What makes Rotary Positional Encodings useful?",
    read="The abstract, the opening, and two summaries of others that list all numbered "
    "statements.",
    items=(
        PaperItem(
            "Proposition 3.1",
            "section 3, as reported",
            "For every query that is not 0 and every distance some key has its largest logit there "
            "and nowhere else.",
            see=("rope.no-forced-decay", "rope.nonresonant"),
            because=f"{_KNOWN}; that any lag can be a key's best is part of the first claim beside "
            "it, and that no plane returns exactly of the second",
        ),
        PaperItem(
            "Proposition 3.2",
            "section 3, as reported",
            "Independent Gaussian queries and keys have a logit of mean 0 at every distance.",
            see=("rope.no-forced-decay",),
            because=f"{_KNOWN}; the claim beside it asks less of the key, and fixes the query",
        ),
        PaperItem(
            "which frequencies are used",
            "section 4, as reported",
            "Queries and keys of Gemma 7B are largest on the lowest frequencies; the first and "
            "last layers use high ones.",
            see=("slash.band-dominance",),
            shown=(command("ropeproof measure MODEL --text FILE"), page("smollm2_slash.md")),
            because=_MEASURED,
        ),
        PaperItem(
            "Proposition 5.2",
            "section 5, as reported",
            "Without positions no head attends to its own position, or to the one before, on every "
            "prompt.",
            see=("slash.null", "head.nope-symbolic", "head.symbolic-cannot-index"),
            because=f"{_KNOWN}; the first claim beside it says how much such a head scores at best",
        ),
        PaperItem(
            "Theorem 5.3",
            "section 5, as reported",
            "With RoPE a head can attend to its own position, and to the one before, as sharply as "
            "wanted.",
            see=(
                "slash.emergence",
                "slash.uniform",
                "slash.spaced-standard",
                "slash.amplitude-needed",
            ),
            shown=(command("ropeproof budget --preset llama-3.1-8b --offset 1"), page("budget.md")),
            because=f"{_KNOWN}; the claims beside it say which amplitude is enough at a length, "
            "and which is needed",
        ),
        PaperItem(
            "positional heads of Gemma 7B",
            "section 5, as reported",
            "Two heads of layer 1 attend to their own position and to the one before, with their "
            "size on the highest frequencies.",
            see=("slash.law",),
            shown=(command("ropeproof measure MODEL --text FILE"),),
            because=_MEASURED,
        ),
        PaperItem(
            "Theorem 6.1",
            "section 6, as reported",
            "With one frequency no head attends to a chosen token at every length: turns are "
            "dense.",
            see=("rope.slow-channel", "retrieval.margin", "rope.partial"),
            because=f"{_KNOWN}; the claims beside it say up to which length it goes well, and that "
            "a plane which does not turn has no such limit",
        ),
        PaperItem(
            "p-RoPE",
            "section 6.1, as reported",
            "Not to rotate the slowest quarter of the planes gives Gemma 2B models a slightly "
            "lower loss.",
            see=("rope.partial", "retrieval.temperature"),
            because=f"{_MEASURED}; what planes without rotation can do is beside it",
        ),
    ),
)

BIAS = PaperCoverage(
    key="bias",
    paper=papers.BIAS,
    title="Positional Encoding via Token-Aware Phase Attention",
    read="A text of 2025, up to the proofs of Theorems 2.1 to 2.3 in appendices A to D; not the "
    "proofs about the encoding that it introduces.",
    items=(
        PaperItem(
            "Assumption 2.1",
            "section 2.2",
            "In all planes and at all positions the products of query and key have the same mean, "
            "as cosine and as sine part.",
            see=("rope.no-forced-decay",),
            because="it is a hypothesis; the claim beside it is the case in which both means are 0",
        ),
        PaperItem(
            "Theorem 2.1",
            "section 2.2",
            "If the frequencies from the second on are independent over the rationals, the mean "
            "logit comes, up to a term of the order 1/D, near every value between two bounds as "
            "the lag grows.",
            see=("index.weyl", "rope.nonresonant"),
            because="no claim is about the mean under this assumption. Its condition excludes base "
            "10^4 at head dimension 128, where ten times the 17th frequency is the first, and "
            "holds at base 5 10^5. Multiples by integers are dense only if 1 is independent as "
            "well, which the remark below it has and its condition has not",
        ),
        PaperItem(
            "Theorem 2.2",
            "section 2.2",
            "For a small lowest frequency and large D the mean logit at short lags leads that at "
            "lags beyond its inverse by an eighth of the mean product.",
            see=("rope.no-forced-decay", "rope.base-criterion", "rope.base-expectation"),
            because="no claim states it; the claims beside it say when nothing decays, and when a "
            "sum of cosines stays positive",
        ),
        PaperItem(
            "Theorem 2.3",
            "section 2.2",
            "Between any two given lags the difference of the mean logits vanishes as the lowest "
            "frequency falls and D grows.",
            see=("rope.lipschitz",),
            because="no claim states it; what one step of the lag changes at most is beside it",
        ),
        PaperItem(
            "Lemmas C.1 and C.2",
            "appendix C",
            "Estimates of the mean cosine and sine over frequencies in a geometric row.",
            see=("posgen.concentration", "rope.base-criterion"),
            because="no claim states them; the claims beside it are about the same sums",
        ),
        PaperItem(
            "Definition 3.1",
            "section 3",
            "Attention whose phase is a function of query and key times a power of the distance.",
            because="it is another encoding",
        ),
        PaperItem(
            "Theorems 3.2 and 3.3",
            "section 3",
            "For that encoding the mean decays fast with the distance, and the variance does not "
            "vanish.",
            because="they are about another encoding",
        ),
        PaperItem(
            "Tables 1 to 3",
            "section 4",
            "Perplexities at 1k to 64k tokens of models of 7B trained at 8k.",
            because=_MEASURED,
        ),
    ),
)

LONG = PaperCoverage(
    key="long",
    paper=papers.LONG,
    title="RoPE Distinguishes Neither Positions Nor Tokens in Long Contexts, Provably",
    read="The abstract, and two notes of others that go through its four theorems.",
    items=(
        PaperItem(
            "normal approximation",
            "as reported",
            "At a random lag a logit is nearly normal: slow planes give its mean, fast ones its "
            "variance.",
            see=("index.weyl", "index.weyl-groups"),
            because=f"{_KNOWN}; limits over all lags are beside it, for means of exponentials and "
            "without an approximation",
        ),
        PaperItem(
            "Theorem 1",
            "position inversion, as reported",
            "The probability that a far position has the larger logit than a near one approaches "
            "one half.",
            see=("rope.slow-channel", "rope.no-forced-decay", "slash.emergence"),
            shown=(page("open_questions.md"),),
            because=f"{_KNOWN}; how far from one half it is for a fixed number of planes is an "
            "open question here",
        ),
        PaperItem(
            "Theorem 2",
            "position aliasing, as reported",
            "Two distances have the same logit in a floating-point type with a probability that "
            "approaches 1.",
            see=("posgen.bounded-capacity", "slash.precision", "slash.alias"),
            because=f"{_KNOWN}; how many lags can be told apart at all is beside it",
        ),
        PaperItem(
            "Theorem 3",
            "token inversion, as reported",
            "The probability that two keys change their order with the distance approaches one "
            "half; a larger base delays it.",
            see=("rope.slow-channel", "retrieval.margin"),
            shown=(page("open_questions.md"),),
            because=f"{_KNOWN}; for one plane the claims beside it say exactly when it happens",
        ),
        PaperItem(
            "Theorem 4",
            "token aliasing, as reported",
            "The number of positions at which two keys have the same logit in a floating-point "
            "type grows in proportion to the length.",
            see=("slash.precision", "rope.rerotation"),
            because=f"{_KNOWN}; what rounding changes at most is beside it",
        ),
        PaperItem(
            "trade-off of the base",
            "as reported",
            "A larger base helps to tell tokens apart and harms telling positions apart.",
            see=("rope.base-criterion", "slash.band-uniform"),
            shown=(command("ropeproof assess --preset llama-3.1-8b"),),
            because=_KNOWN,
        ),
        PaperItem(
            "indexing task",
            "as reported",
            "Which of four elements of a list is asked for: models of 7B to 405B are at chance "
            "from 4,000 to 8,000 tokens on.",
            see=("index.margin", "planes.order"),
            shown=(
                command("ropeproof budget --preset llama-3.1-8b --task index"),
                page("decoding.md"),
            ),
            because=f"{_MEASURED}; which amplitude indexing takes at a model's own length is "
            "beside it",
        ),
    ),
)

SINKS = PaperCoverage(
    key="sinks",
    paper=papers.SINKS,
    title="Frayed RoPE and Long Inputs: A Geometric Perspective",
    read="The abstract, a note of others on its lemmas and tables, and its referees' reports.",
    items=(
        PaperItem(
            "clusters of keys and queries",
            "as reported",
            "In trained models keys and queries are two tight clusters away from 0, on opposite "
            "sides, each nearly of rank one; the first token's key is near 0 and wins by default.",
            see=("slash.cone", "slash.rank-statistics", "slash.sandwich"),
            shown=(command("ropeproof measure MODEL --text FILE"), page("smollm2_slash.md")),
            because=_MEASURED,
        ),
        PaperItem(
            "Lemma 1",
            "as reported",
            "For vectors that are all equal up to size, RoPE lowers the largest singular value by "
            "a factor between the roots of 2 and of d as their number grows.",
            see=("slash.rank-statistics",),
            because=_KNOWN,
        ),
        PaperItem(
            "Lemma 2",
            "as reported",
            "RoPE keeps the sum of all squares.",
            see=("rope.group",),
            because=f"{_KNOWN}; that each vector keeps its length is part of the claim beside it",
        ),
        PaperItem(
            "Theorem 1",
            "as reported",
            "So the stable rank grows by a factor between 2 and d: clusters spread around 0 as the "
            "input gets longer.",
            see=("slash.rank-statistics",),
            because=_KNOWN,
        ),
        PaperItem(
            "sinks beyond the training's length",
            "as reported",
            "The weight on the first token falls to nearly 0 once the input is longer than those "
            "of the training.",
            see=("rope.slow-channel",),
            shown=(command("ropeproof measure MODEL --text FILE"), page("smollm2_kinds.md")),
            because=_MEASURED,
        ),
        PaperItem(
            "RoPE-ID",
            "as reported",
            "High frequencies on half of the channels and no rotation on the rest, with a "
            "temperature for the length.",
            see=("rope.partial", "softmax.entropy"),
            because="it is another choice of frequencies, compared on models of 1B and 3B",
        ),
    ),
)

OVERWHELM = PaperCoverage(
    key="overwhelm",
    paper=papers.OVERWHELM,
    title="Provably Overwhelming Transformer Models with Designed Inputs",
    read="The abstract and summaries of others.",
    items=(
        PaperItem(
            "overwhelmed models",
            "abstract",
            "A model is overwhelmed by a prompt if its output is the same whatever short text "
            "follows.",
            see=("softmax.tv", "softmax.tv-mass"),
            because="it is a definition about whole models; how far attention can move is beside "
            "it",
        ),
        PaperItem(
            "algorithm",
            "abstract",
            "It decides that a trained model is overwhelmed by a prompt, with a proof, in time "
            "that is quadratic in the prompt and cubic in what may follow.",
            see=("softmax.race",),
            shown=(
                command("ropeproof certificate make record.json DIRECTORY --text FILE"),
                page("certificate.md"),
            ),
            because=f"{_KNOWN}; what is certified here is one layer's expected weights",
        ),
        PaperItem(
            "worst-case over-squashing",
            "abstract",
            "A bound of how far the output can differ, in the worst case over what follows.",
            see=("softmax.perturb", "posgen.transposition"),
            because=_KNOWN,
        ),
        PaperItem(
            "model of one layer",
            "abstract",
            "The algorithm is tried on a trained layer of attention, norm and feed-forward network "
            "with RoPE.",
            because=_MEASURED,
        ),
    ),
)
