"""One softmax head computes Retrieval on every proper input of up to n0 tokens."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_STRICTLY_DECREASING
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.retrieval import feasible, softmax_head
from ropeproof.theory.topics.retrieval.construction import LETTERS, angle, letters, query, step
from ropeproof.theory.topics.retrieval.softmax_head import (
    LONGEST,
    RETRIEVAL_SOFTMAX,
    beta,
    longest,
    span,
)
from ropeproof.theory.topics.softmax.token import sigma

MEANINGS: Meanings = softmax_head.MEANINGS

# -- there is a head -----------------------------------------------------------------------


_LETTERS: Values = {letters: 2, longest: 2}


@theorem(
    "retrieval.one-head",
    source=HEADS.at("section 3.4, Theorem 3.1, T_Retrieval; appendix F.2.2"),
    needs="PTX",
    hypotheses=(LETTERS, softmax_head.TWO, LONGEST),
    conclusion=Some(
        (angle, beta),
        Both(
            *softmax_head.SLOW.formula.args,
            lt(0, beta),
            Every(
                (n, feasible.a, query, feasible.left(softmax_head.z), sigma(softmax_head.z)),
                If(softmax_head.INPUT, softmax_head.RETRIEVAL),
            ),
        ),
    ),
    attack=Attack(
        {
            "any head": If(softmax_head.INPUT, softmax_head.RETRIEVAL),
            "the query's token": If(
                softmax_head.INPUT,
                Every(
                    (softmax_head.c,),
                    If(
                        ne(softmax_head.c, sigma(n - 1)),
                        lt(softmax_head.out(softmax_head.c), softmax_head.out(sigma(n - 1))),
                    ),
                ),
            ),
        },
        at={
            "any head": softmax_head.three | {beta: 0},
            "the query's token": softmax_head.an_input(),
        },
        idle={LONGEST: "of one token every head returns it"},
        without={LETTERS: {**_LETTERS, step: -1}, softmax_head.TWO: {**_LETTERS, letters: 0}},
    ),
)
def RETRIEVAL_ONE_HEAD(p: Proof) -> None:
    r"""There is a softmax head that computes Retrieval on every input up to a length

    For every $n_0>1$ and $r\ge2$ letters there are an angle $0<\theta<\omega/2n_0$ and an inverse
    temperature $\beta>0$ such that on all inputs of $n\le n_0$ tokens that are proper at the query
    the softmax head of `retrieval.softmax` returns $\mathrm{Retrieval}(\sigma)_n$.
    """
    part, small = 1 / longest, Both(*softmax_head.SLOW.formula.args)
    quarter = step * part / 4
    exists = p.witness(
        Some((angle,), small),
        {angle: quarter},
        (LONGEST, LETTERS, softmax_head.TWO),
        why="The longest length is positive, so it has an inverse. With at least two letters a "
        "step is at most half a turn. A quarter of a step over n_0 turns by less than one "
        "step over the length. So there is an angle theta that is positive and small enough.",
    )
    chosen = exists.body()
    angles = chosen.show(
        Both(
            *(lt(0, angle), lt(angle, 2 * sp.pi), le(0, span), lt(span, step - span)),
            lt(step - span, 2 * sp.pi - span),
        ),
        "The angles of one step and of the longest length lie in these ranges.",
        (LONGEST, LETTERS, softmax_head.TWO),
    )
    falls = chosen.lemma(
        TRIG_COSINE_STRICTLY_DECREASING.at(x=0, y=angle),
        angles,
        why="So the cosine of one step is less than 1.",
    )
    wider = chosen.apply(
        TRIG_COSINE_STRICTLY_DECREASING,
        angles,
        why="The cosine at the longest length exceeds that of the rest of a step.",
    )
    least = sp.Min(softmax_head.letter_gap, softmax_head.self_gap)
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=longest), why="The exponential of n_0 is greater than n_0."
    )
    product = kept(sp.Mul, longest / least, least)
    cold = chosen.show(
        Both(le(0, longest / least), lt(longest, sp.exp(product, evaluate=False))),
        "So the less of the two differences, the margin, is positive. The quotient of n_0 "
        "and the margin, times the margin, is n_0. So the exponential of this product is "
        "that of n_0. So this inverse temperature is not negative and large enough.",
        (tangent, falls, wider, LONGEST),
    )
    computes = chosen.under(softmax_head.INPUT).apply(
        RETRIEVAL_SOFTMAX,
        (LETTERS, softmax_head.TWO, cold),
        why="The less of two numbers is at most each of them. So the head computes Retrieval on "
        "this input.",
    )
    every_input = computes.for_all(
        n,
        feasible.a,
        query,
        feasible.left(softmax_head.z),
        sigma(softmax_head.z),
        why="The input was arbitrary, so the head computes Retrieval on every input.",
    )
    found = chosen.witness(
        p.goal,
        {angle: angle, beta: longest / least},
        (every_input, falls, wider, LONGEST),
        why="So there are an angle and an inverse temperature of this kind.",
    )
    p.choose(exists, found, "Such an angle exists, and the conclusion does not depend on it.")
