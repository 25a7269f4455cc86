"""Through causal softmax rows lag 1 stays ahead, and each step shrinks the odds of the other lags."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.topics.slash.descent.causal import dynamics, rewards
from ropeproof.theory.topics.slash.descent.causal.derivatives import derivatives, softmax_rows
from ropeproof.theory.topics.slash.descent.causal.dynamics import k, logits, slopes, weights
from ropeproof.theory.topics.slash.descent.causal.rewards import row
from ropeproof.theory.topics.slash.descent.causal.step import (
    SLASH_GD_OFFSET_CAUSAL_STEP,
    SLASH_GD_OFFSET_CAUSAL_STEP_OWN,
    other,
)
from ropeproof.theory.topics.slash.descent.offset import signs
from ropeproof.theory.topics.slash.descent.offset.signs import floor, lag, length, r

MEANINGS: Meanings = signs.MEANINGS


def one_step(p: Proof) -> tuple[Fact, Fact, Fact]:
    """The order, and the two shrinkings, as they follow after k steps from lag 1 being ahead."""
    ordered, far_margins, near_margins = derivatives(p)
    time = p.under(le(0, k))
    softmax = softmax_rows(p)
    moves = (
        p.under(le(0, k), dynamics.lags)
        .use(dynamics.STEP, why="By hypothesis the step is one of descent.")
        .for_all(lag, why="This holds for every lag.")
    )
    first = time.use(moves, {lag: 1}, rewards.LAG_1, why="In particular for lag 1.")
    far_scope = time.under(within(other, 2, length - 1))
    far_step = far_scope.use(moves, {lag: other}, why="And for the lag s.")
    near_step = time.use(moves, {lag: 0}, rewards.LAG_1, why="And for lag 0.")
    values = {
        "a": sp.Lambda((row, lag), weights(k, row, lag)),
        "D": sp.Lambda((row, lag), slopes(k, row, lag)),
        "g": sp.Lambda(r, logits(k, r)),
        "h": sp.Lambda(r, logits(k + 1, r)),
    }
    own_mu = floor * rewards.law(row - 1) * (1 - indicator(row, length - 1))

    def moved(scope: Scope, order: Fact) -> tuple[Fact, Fact, Fact, Fact]:
        lag_s = scope.under(within(other, 2, length - 1)).lemma(
            SLASH_GD_OFFSET_CAUSAL_STEP.at(
                **values, mu=sp.Lambda(row, floor * rewards.law(row - 1))
            ),
            (rewards.LAG_1, softmax, order, ordered, far_margins, first, far_step, dynamics.SIZE),
            why="So lag 1 gains on every longer lag.",
        )
        lag_0 = scope.lemma(
            SLASH_GD_OFFSET_CAUSAL_STEP_OWN.at(**values, mu=sp.Lambda(row, own_mu)),
            (rewards.LAG_1, softmax, order, ordered, near_margins, first, near_step, dynamics.SIZE),
            why="And on lag 0.",
        )
        stays_behind, shrinks = lag_s.parts("This is one of the parts of that statement.")
        own_stays, own_shrinks = lag_0.parts("This is one of the parts of that statement.")
        return stays_behind, shrinks, own_stays, own_shrinks

    led = time.supposing(dynamics.ahead(k))
    stays_s, _, stays_0, _ = moved(
        led, led.step(dynamics.ahead(k), rules.smt(), "Suppose that lag 1 is ahead after k steps.")
    )
    every_s = stays_s.for_all(other, why="This holds for every lag above 1.")
    inside = led.under(dynamics.lags)
    above = inside.under(le(2, lag)).use(every_s, {other: lag}, why="A lag above 1 stays behind.")
    none = inside.given(eq(lag, 0), "Suppose that the lag is 0.")
    zero = none.scope.rewrite(
        eq(logits(k + 1, lag), logits(k + 1, 0)), "Then its logit is that of lag 0.", none
    )
    one = inside.given(eq(lag, 1), "Suppose that the lag is 1.")
    same = one.scope.rewrite(
        eq(logits(k + 1, lag), logits(k + 1, 1)), "Then its logit is that of lag 1.", one
    )
    next_one = inside.show(
        le(logits(k + 1, lag), logits(k + 1, 1)),
        "So lag 1 stays ahead of every lag.",
        above,
        zero,
        same,
        stays_0,
    ).for_all(lag, why="This holds for every lag.")
    start = p.step(
        dynamics.START.formula,
        rules.smt(),
        "By hypothesis lag 1 is ahead at the start.",
        dynamics.START,
    )
    always = time.induction(
        dynamics.ahead(k),
        k,
        0,
        start,
        next_one,
        why="By induction lag 1 is ahead after every number of steps.",
    )
    _, shrinks_s, _, shrinks_0 = moved(time, always)
    return always, shrinks_s, shrinks_0
