"""When the softmax index construction decodes: the criterion, enough and necessary temperatures."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.topics.index import needed
from ropeproof.theory.topics.index.needed import (
    INDEX_MAJORITY,
    INDEX_TEMPERATURE_ANY,
    beta,
    competition,
    cycle,
    rate,
)
from ropeproof.theory.topics.index.temperature import (
    INDEX_CYCLE,
    INDEX_TEMPERATURE_ENOUGH,
    INDEX_TEMPERATURE_NEEDED,
    LN3,
    TURN,
)
from ropeproof.theory.topics.index.window import QUERY, angle, fall
from ropeproof.theory.topics.softmax import margin

MEANINGS: Meanings = needed.MEANINGS


def _logits(key: Term) -> Term:
    return -beta * fall(key - i)


half, share = sp.Rational(1, 2), margin.weight(_logits).xreplace({margin.a: i})
warm = le(LN3 / 8 * n**2, beta)
decodes_at_turn = Both(le(3, n), lt(competition(i, TURN), 1))
decodes_at_end = Both(le(3, n), lt(cycle(angle), 1))


@theorem(
    "index.temperature",
    needs="PCTXW",
    hypotheses=(QUERY,),
    conclusion=Both(
        iff(lt(competition(i), 1), lt(half, share)),
        If(warm, lt(competition(i, TURN), 1)),
        If(decodes_at_turn, lt(sp.log(2) / (2 * sp.sin(sp.pi / n) ** 2), beta)),
        If(decodes_at_end, lt(rate, beta)),
    ),
    attack=Attack(
        {
            "twice the competition": iff(lt(competition(i), 2), lt(half, share)),
            "a tenth of it is enough": If(le(LN3 / 80 * n**2, beta), lt(competition(i, TURN), 1)),
        },
        at={
            "twice the competition": {n: 2, i: 0, angle: 1, beta: 0},
            "a tenth of it is enough": {n: 5, i: 2, beta: LN3 / 80 * 25},
        },
        without={QUERY: {n: 3, i: 7, angle: 1, beta: 0}},
    ),
)
def INDEX_TEMPERATURE(p: Proof) -> None:
    r"""What inverse temperature the index construction needs

    At inverse temperature $\beta$ the softmax construction decodes the integer query $i$ of length
    $n$ (the target has weight over $\frac12$, see `index.majority`) if and only if
    $\sum_te^{-\beta(1-\cos t\theta)}<1$ over the window. With $\theta=\frac{2\pi}n$,
    $\beta\ge\frac{\ln3}8n^2$ suffices and, for $n\ge3$, $\beta>\frac{\ln2}{2\sin^2(\pi/n)}$ is
    necessary. For **every** $\theta$ and $n\ge3$, decoding the query at the end of the row needs
    $\beta>0.0040(n-1)^2$.
    """
    criterion, _enough, _needed, _ = p.goal.args
    none = sp.Integer(0)

    below_1 = p.lemma(
        INDEX_MAJORITY.at(a=i, w=_logits, x_letter=lambda key: none),
        QUERY,
        why="The target decodes exactly if the others' exponentials sum to less than its own, 1.",
        goal=criterion,
    )
    same = p.apply(
        INDEX_CYCLE,
        QUERY,
        why="With one turn over the length the sum of the others does not depend on the target.",
    )
    is_enough = p.under(warm).apply(
        INDEX_TEMPERATURE_ENOUGH, QUERY, why="If beta is large enough, this sum is less than 1."
    )
    is_needed = p.under(le(3, n), lt(cycle(TURN), 1)).lemma(
        INDEX_TEMPERATURE_NEEDED, why="If the sum is less than 1, beta exceeds this bound."
    )
    anywhere = p.under(decodes_at_end).lemma(
        INDEX_TEMPERATURE_ANY, why="At any other angle a beta of the order n^2 is needed too."
    )
    p.qed(
        "So every target decodes from this inverse temperature on. So a target that decodes "
        "needs an inverse temperature above this bound. The four statements together are the "
        "claim.",
        (below_1, is_enough, same, is_needed, anywhere),
    )
