"""The order of the logits on one plane that turns from symbol to symbol and slowly with the lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.library.trigonometry.turns import TRIG_COSINE_BAND, size
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.task import matching
from ropeproof.theory.topics.task.matching import EARLY, FULL, LATE, SYMBOL, d, early, late, theta

MEANINGS: Meanings = {**matching.MEANINGS, n: "number of lags", size: "number of symbols"}

half = (n - 1) * theta / 2
margin = sp.cos(half) - sp.cos(FULL - half)
product = 2 * sp.sin(FULL / 2) * sp.sin((FULL - 2 * half) / 2)
other_symbol = (*SYMBOL, *EARLY, *LATE)


def logit(symbol: Term | int, lag: Term) -> Term:
    """The logit of a symbol so many places on, at a lag, the query centred."""
    return sp.cos(FULL * symbol + theta * lag - half)


gap = logit(0, late) - logit(d, early)

TWO = Hypothesis("at least two symbols", le(2, size))
A_POSITION = Hypothesis("there is a position", le(1, n))
NOT_NEGATIVE = Hypothesis("theta is not negative", le(0, theta))
LESS = Hypothesis("the lags turn less than a symbol", lt((n - 1) * theta, FULL))


def _wins(by: Term, lead: Term) -> Formula:
    return Every((d, early, late), If(Both(*other_symbol), le(by, lead)))


def _wins_proof(p: Proof, full: Fact, half_turn: Fact) -> Fact:
    """The right symbol at any lag leads every other at any lag."""
    at_late, symbol = p.under(*LATE), p.under(*SYMBOL)
    centred, shifted = theta * late - half, theta * early - half
    angle, rest = FULL * d + shifted, FULL - half
    known, why = (
        (NOT_NEGATIVE, half_turn),
        "If its lag is in the later half, the right symbol has at least this cosine.",
    )
    one_side = falling_cosine(at_late.under(le(0, centred)), centred, half, why, known)
    other = at_late.under(le(centred, 0))
    other_side = falling_cosine(
        other,
        -centred,
        half,
        "If its lag is in the earlier half, the right symbol has at least this cosine.",
        known,
    )
    away = symbol.under(*EARLY).show(
        Both(le(0, rest), le(rest, angle), le(angle, 2 * sp.pi - rest)),
        "Another symbol is at least one step away from a whole turn. With its lag it is at "
        "least a step less half of the window's angle away.",
        (TWO, half_turn, full, NOT_NEGATIVE),
    )
    why = "So its cosine is at most that of this angle."
    wrong = away.scope.apply(TRIG_COSINE_BAND, away, why=why)
    wins = p.under(*other_symbol).show(
        le(margin, gap),
        "So the right symbol leads by at least this difference.",
        (one_side, other_side, wrong),
    )
    return wins.for_all(
        d, early, late, why="The symbol and the lags were arbitrary, so this holds for all of them."
    )


def _positive(p: Proof, full: Fact, half_turn: Fact) -> tuple[Fact, Fact]:
    """The margin is a product of two sines, of angles below half a turn."""
    as_product = p.show(eq(margin, product), "The difference of the cosines is a product of sines.")
    known = (full, half_turn, A_POSITION, NOT_NEGATIVE)
    sines = [
        p.lemma(
            TRIG_SINE_POSITIVE.at(x=angle),
            known,
            why="The sine of this angle is positive, as it lies strictly between 0 and pi.",
        )
        for angle in (FULL / 2, (FULL - 2 * half) / 2)
    ]
    return as_product, p.show(lt(0, margin), "So the difference is positive.", as_product, sines)


_third: Values = {size: 3, n: 3, theta: sp.Rational(1, 2)}


@theorem(
    "task.info-retrieval",
    source=DECOUPLE.at("appendix B.5, the logits of the proof of Theorem 5", "own"),
    needs="PTXW",
    hypotheses=(TWO, A_POSITION, NOT_NEGATIVE, LESS),
    conclusion=Both(
        _wins(margin, gap),
        Some((d, early, late), Both(*other_symbol, eq(gap, margin))),
        eq(margin, product),
        lt(0, margin),
        If(eq(theta, 0), eq(margin, 1 - sp.cos(FULL))),
    ),
    attack=Attack(
        {
            "the margin of no turning": _wins(1 - sp.cos(FULL), gap),
            "not centred": _wins(margin, sp.cos(theta * late) - sp.cos(FULL * d + theta * early)),
        },
        at={"the margin of no turning": _third, "not centred": _third},
        without={
            A_POSITION: {size: 3, n: 0, theta: 5},
            NOT_NEGATIVE: {size: 3, n: 2, theta: -5},
            LESS: {size: 3, n: 2, theta: 3},
        },
        unshown={
            TWO: "with one symbol the margin is exactly 0, a tie that drawn instances cannot decide"
        },
    ),
)
def TASK_INFO_RETRIEVAL(p: Proof) -> None:
    r"""On one plane the right symbol has the largest logit, whatever the lag

    Let the symbols' vectors be $\omega=2\pi/Q$ apart, $Q\ge2$, and the query be centred: the
    logit of a symbol $d$ places on at lag $t$ is $\cos(d\omega+\theta t-h)$ with
    $h=\frac{(n-1)\theta}2$. For $\theta\ge0$ and $h<\omega/2$ the right symbol at any lag $0\le
    t<n$ leads every other at any such lag by at least $\cos
    h-\cos(\omega-h)=2\sin\frac\omega2\sin\frac{\omega-2h}2>0$, which is attained; at $\theta=0$
    that is $1-\cos\omega$. (This is the order of the logits; the softmax head that answers by it
    is `task.info-retrieval-head`.)
    """
    full = p.show(
        Both(lt(0, FULL), le(FULL, sp.pi)),
        "With at least two symbols a step is at most half a turn.",
        TWO,
    )
    half_turn = p.show(
        Both(lt(half, FULL / 2), lt(half, sp.pi)),
        "All lags together turn by less than a step.",
        (full, LESS),
    )
    wins = _wins_proof(p, full, half_turn)
    attained = p.witness(
        p.goal.args[1],
        {d: 1, early: 0, late: n - 1},
        (TWO, A_POSITION),
        why="The next symbol at lag 0 against the last lag attains the difference.",
    )
    positive = _positive(p, full, half_turn)
    no_turn = p.given(eq(theta, 0), "Suppose that the plane does not turn with the lag.")
    still = no_turn.scope.rewrite(
        eq(margin, kept(sp.cos, 0) - sp.cos(FULL)),
        "Then the difference is that of one step of the symbols.",
        no_turn,
    )
    p.qed("These statements together are the claim.", wins, attained, positive, still)
