"""The order of the logits on a symbol plane and a slow recency plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.turns import TRIG_ROOTS, size
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.task import matching
from ropeproof.theory.topics.task.matching import (
    FULL,
    SYMBOL,
    d,
    early,
    late,
    later_wins,
    others_lose,
    theta,
)

MEANINGS: Meanings = {**matching.MEANINGS, n: "number of lags", size: "number of symbols"}

LAGS = (le(0, early), le(early, n), le(0, late), le(late, n))


def logit(symbol: Term | int, lag: Term) -> Term:
    """The logit of a symbol so many places on, at a lag."""
    return sp.cos(symbol * FULL) + sp.cos(theta * lag)


TWO = Hypothesis("at least two symbols", le(2, size))
POSITIVE = Hypothesis("theta is positive", lt(0, theta))
SMALL = Hypothesis("theta is small", lt(n * theta, FULL))


@theorem(
    "task.partial-induction",
    source=DECOUPLE.at("appendix B.8, the logits of the proof of Theorem 6", "repaired"),
    needs="PTXW",
    hypotheses=(TWO, POSITIVE, SMALL),
    conclusion=Both(later_wins(0, logit, LAGS), others_lose(0, logit, LAGS)),
    attack=Attack(
        {
            "the earlier wins": later_wins(0, lambda symbol, lag: -logit(symbol, lag), LAGS),
            "others lose by 1": others_lose(1, logit, LAGS),
        },
        at={"the earlier wins": {size: 2, n: 3}, "others lose by 1": {size: 5, n: 3}},
        without={
            TWO: {size: 1, n: 5, theta: sp.Rational(6, 5)},
            POSITIVE: {size: 2, n: 3, theta: 0},
            SMALL: {size: 3, n: 3, theta: sp.Rational(3, 2)},
        },
    ),
)
def TASK_PARTIAL_INDUCTION(p: Proof) -> None:
    r"""A symbol plane and a slow plane give the last occurrence of a key the largest logit

    Let the symbols be $d\,2\pi/Q$ apart, $Q\ge2$, and the logit at lag $t$ be $\cos\frac{2\pi
    d}{Q}+\cos\theta t$ with $0<n\theta<2\pi/Q$. Among equal symbols ($d=0$) at lags $0\le t\le n$
    the later one has the larger logit, and every other symbol at any of these lags has a smaller
    one than an equal symbol at any of them. This is the order of the logits; a softmax head that
    answers by it is `task.partial-induction-head`.
    """
    near, far = theta * early, theta * late
    lags = p.under(*LAGS)
    ordered = lags.under(lt(early, late))
    full = p.show(
        Both(lt(0, FULL), le(FULL, sp.pi)),
        "With at least two symbols a step is at most half a turn.",
        TWO,
    )
    reach = lags.show(
        within(far, 0, n * theta),
        "The angle of a lag lies between 0 and that of the longest.",
        POSITIVE,
    )
    known, why = (
        (reach, full, POSITIVE, SMALL),
        "So an equal symbol at a later position has the larger cosine.",
    )
    falls = falling_cosine(ordered, near, far, why, known, strict=True)
    later = ordered.show(
        lt(0, logit(0, early) - logit(0, late)), "So the later of two equal symbols leads.", falls
    ).for_all(early, late, why="The lags were arbitrary, so this holds for all of them.")
    why = "The slow plane turns by less than one step of the symbols over all lags."
    slow = falling_cosine(lags, far, FULL, why, reach, full, SMALL, strict=True)
    why = "Another symbol has at most the cosine of one step."
    other = p.under(*SYMBOL).apply(TRIG_ROOTS, why=why)
    loses = p.under(*SYMBOL, *LAGS).show(
        lt(0, logit(0, late) - logit(d, early)),
        "So another symbol is below every equal one, whatever the lags.",
        (slow, other),
    )
    p.qed(
        "The two statements together are the claim.",
        later,
        loses.for_all(
            d,
            early,
            late,
            why="The symbol and the lags were arbitrary, so this holds for all of them.",
        ),
    )
