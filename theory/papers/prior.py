"""Prior work on the ground of some claims: what it has, and what the claim has beside it.

Each stands as a line `Compare:` below the source of the claims that name it. Works that have a table of their
items are cited in `citations.py`, the others here. What is said of a work whose text was not read is what
the places named with it say.
"""

from __future__ import annotations

from ropeproof.theory.language.claim import Paper
from ropeproof.theory.papers.citations import BIAS, LONG, OVERWHELM, ROUND, SINKS

__all__ = [
    "CERTIFIED",
    "CIRCUIT",
    "CLUSTERS",
    "DECAY",
    "GAUGE",
    "GENERATORS",
    "HALF",
    "INVERSIONS",
    "JETS",
    "JORDAN",
    "JORDAN_TWO_SIDED",
    "LAG_BIAS",
    "MEAN_BIAS",
    "NOPE",
    "PROFILER",
    "REROTATION",
    "SEMANTIC",
    "SIMILAR_QUERIES",
    "SINK_HORIZON",
    "TRAINED_COPIER",
    "TRAINED_INDUCTION",
]

_ABSTRACT = "its abstract"

GENERATORS = Paper("Liu et al., arXiv 2504.06308", reported=_ABSTRACT).compared(
    "From relativity and reversibility it characterises RoPE in one or more dimensions as a basis "
    "of a maximal abelian subalgebra of the rotations' Lie algebra. The claim assumes neither "
    "rotations nor a group: both follow from logits that see the lag only, for matrices of which "
    "the first is invertible."
)
_JORDAN = Paper("Zhang, arXiv 2605.04217", reported="its abstracts, v1 and v2")
JORDAN = _JORDAN.compared(
    "It builds a relative encoding from a rotation and a nilpotent matrix in one Jordan block, "
    "whose logits have terms t cos(omega t), and names the other map that queries then need. With "
    "one map for queries and keys, as here, the powers are orthogonal, which leaves no such block."
)
JORDAN_TWO_SIDED = _JORDAN.compared(
    "Its block of a rotation and a nilpotent matrix adds terms t cos(omega t) to the logits. The "
    "claim is about matrices with a basis of eigenvectors, which exclude that block."
)
JETS = Paper("Zhang, arXiv 2606.05345", reported="its abstracts, v1 and v2").compared(
    "It sorts relative kernels by the roots of a difference equation in the lag: simple roots are "
    "RoPE, repeated ones add powers of the lag (and ALiBi at the root 1). The claim has the simple "
    "roots; repeated ones are what its basis of eigenvectors excludes."
)
TRAINED_COPIER = Paper("Chen et al., arXiv 2409.10559", reported=_ABSTRACT).compared(
    "Gradient flow on n-gram Markov chains is proved to reach, in a model of two attention layers "
    "with relative positions and a feed-forward layer, a first layer that copies and a second that "
    "compares. The claim is about discrete steps of any size, for one logit a lag and a fixed "
    "second layer, and has a rate."
)
TRAINED_INDUCTION = Paper(
    "Musat et al., arXiv 2511.01033", reported="its abstract; a note on its proof"
).compared(
    "Training of a modified two-layer transformer from zero is proved to stay in 19 dimensions, "
    "three of which were seen to matter, and the time until an induction head is there grows as "
    "the square of the context. The claim fixes the second layer and proves which lag the first "
    "one selects, and how fast."
)
SIMILAR_QUERIES = Paper(
    "Yang et al., arXiv 2601.21709", reported="its abstract; a note that lists its theorems"
).compared(
    "Diagonal patterns are explained by queries and keys that change little from one position to "
    "the next. The claim asks for queries and keys near one vector each, and gives the weight at "
    "the lag from below."
)
DECAY = ROUND.compared(
    "Its Propositions 3.1 and 3.2, as reported: for every query some key has its largest logit at "
    "any lag asked for, and Gaussian queries and keys have the mean 0 at every lag. The claim "
    "fixes the query, asks of the key only a mean of 0 and circular planes that are uncorrelated, "
    "and has the mean square as well."
)
MEAN_BIAS = BIAS.compared(
    "Its Theorem 2.2: where all planes have one mean product, positive and the same at all "
    "positions, near keys lead far ones on average by an eighth of it, for a small lowest "
    "frequency and many planes. That is the case of keys whose mean is not 0, which the claim "
    "excludes."
)
NOPE = ROUND.compared(
    "Its Proposition 5.2, as reported: without positions no head attends to its own position, or "
    "to the one before, on every prompt, as two equal tokens get equal weights. The claim bounds "
    "the score of such a head at every lag from 1 on."
)
SEMANTIC = ROUND.compared(
    "Its Theorem 6.1, as reported: with a single frequency no head attends to a chosen token at "
    "every length. The claim has one plane as well; it says how soon two contents change their "
    "order, and that a plane which does not turn never changes it."
)
INVERSIONS = LONG.compared(
    "As reported, it models a logit at a random lag as normal and finds that the order of two "
    "positions, and of two tokens, is inverted with a probability that approaches one half. The "
    "claim is exact, for one plane."
)
HALF = LONG.compared(
    "As reported, it models a logit at a random lag as normal, with an error that shrinks with the "
    "number of fast planes, and finds that the order of two tokens is inverted with a probability "
    "that approaches one half. The claim uses no normal approximation and is exact for any number "
    "of planes whose angles are independent."
)
LAG_BIAS = BIAS.compared(
    "Its Theorems 2.1 and 2.2 assume one mean product for all planes: its mean logit then comes "
    "near every value between two bounds as the lag grows, and falls from near lags to far ones. "
    "The claim asks for a single plane whose mean product is not 0, and says that the mean depends "
    "on the lag."
)
GAUGE = Paper(
    "Basu, a survey of symmetries checked in Lean", reported="one page of its site"
).compared(
    "It asks what commutes with RoPE's rotations, and apart from that which changes a chosen "
    "measurement does not see. The claim starts from equal logits at two lags, for two matrices."
)
REROTATION = Paper("Liu, arXiv 2602.10959", reported="its title; notes of others").compared(
    "As reported, it derives limits of RoPE's base from periodicity, from phase errors that add up "
    "over layers and from floating point. The claim bounds what rounding adds when stored keys are "
    "turned again and again, and no layers."
)
SINK_HORIZON = SINKS.compared(
    "As reported, keys and queries of trained models form separate clusters, which RoPE drives "
    "together on longer inputs, so that the weight on the first token collapses; it is proved for "
    "rank one that the largest singular value falls."
)
CLUSTERS = SINKS.compared(
    "As reported, keys and queries of trained models form tight clusters away from 0, each nearly of "
    "rank one, which RoPE spreads on longer inputs. The claim says how far queries and keys before "
    "rotation may be from their means."
)
CERTIFIED = OVERWHELM.compared(
    "It computes proofs that a trained model of one layer, with RoPE, gives one output whatever "
    "follows a given prompt. The claim encloses an expected weight of one head, over independent "
    "keys."
)
PROFILER = Paper(
    "Wu et al., arXiv 2609.39929", version="its abstract and introduction, v1"
).compared(
    "For fixed queries and keys, with planes of any sizes, it bounds how likely two keys change "
    "their order and how little a step of one position shows, and measures both on heads of "
    "trained models. The claim holds at every lag, without a probability."
)
CIRCUIT = Paper("Somani, arXiv 2605.24033", reported=_ABSTRACT).compared(
    "It turns circuits of small transformers without softmax into statements that an SMT solver "
    "checks on a finite domain. The claim is about softmax attention and RoPE, for prompts of "
    "every length that it allows."
)
