"""A row on independent tokens: its target's token from one prompt, all others from another.

The row's query is that of prompt P. The target's token is drawn with probability p(u) from those at its
place in the prompts u, the tokens of all other places together with probability q(r) from the prompts r:
tokens drawn independently, each place having a distribution of its own, are such, as there may be a
prompt for every outcome.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.rotation import inner as in_plane
from ropeproof.theory.topics.rope.rotation import rotated
from ropeproof.theory.topics.slash.corpus import length, prompt, prompts
from ropeproof.theory.topics.slash.headline.terms import in_planes, w_k, w_q
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.learned.law.draw import (
    OTHER_LAG,
    OTHER_OUTCOME,
    OUTCOME,
    others,
    r,
)
from ropeproof.theory.topics.slash.learned.law.draw import logit as drawn
from ropeproof.theory.topics.slash.learned.quantiles.grid import outcomes, u


@named(
    "w_i({}; {}, P)", "w_i({};{},P)", "logit at a lag's key of another prompt",
    integer("t"), integer("r"),
)  # fmt: skip
def crossing(lag: Term, which: Term) -> Term | int:
    """The logit of the row's query at the key that stands at a lag in another prompt."""
    q = rotated(*in_planes(w_q, i), theta(l) * i)
    k = rotated(*in_planes(w_k, i - lag, which), theta(l) * (i - lag))
    return s * over_planes(in_plane(q, k))


SHORT = Hypothesis("the row is in the prompts", le(i, length))
PROMPT = Hypothesis("the query is a prompt's", within(prompt, 0, prompts - 1))
OUTCOMES = Hypothesis("the target's tokens are prompts' own", le(outcomes, prompts))
OTHERS = Hypothesis("the others' tokens are prompts' own", le(others, prompts))
AT_TARGET = Hypothesis(
    "the target's key is that of prompt u",
    Every((u, r), If(Both(OUTCOME, OTHER_OUTCOME), eq(drawn(offset, u, r), crossing(offset, u)))),
)
ELSEWHERE = Hypothesis(
    "the other keys are those of prompt r",
    Every(
        (j, u, r), If(Both(OTHER_LAG, OUTCOME, OTHER_OUTCOME), eq(drawn(j, u, r), crossing(j, r)))
    ),
)
