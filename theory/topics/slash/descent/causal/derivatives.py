"""In each causal softmax row the loss falls fastest with lag 1, after any number of steps."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.topics.slash.descent.causal import dynamics, rewards
from ropeproof.theory.topics.slash.descent.causal.dynamics import k, logits, slopes, weights
from ropeproof.theory.topics.slash.descent.causal.rewards import law, row
from ropeproof.theory.topics.slash.descent.causal.step import SLASH_GD_OFFSET_CAUSAL_SHARES, other
from ropeproof.theory.topics.slash.descent.offset.signs import (
    POSITIVE,
    floor,
    lag,
    length,
    occurs,
    r,
)


def softmax_rows(p: Proof) -> Fact:
    """After k steps a_(j,t) times the sum of the row's exponentials is e^{g_t}."""
    inside = p.under(le(0, k), dynamics.in_row)
    each = p.show(lt(0, sp.exp(logits(k, r))), "The exponential of a logit is positive.")
    z = sp.Sum(sp.exp(logits(k, r)), (r, 0, row))
    total = p.under(le(0, row)).step(
        lt(0, z),
        rules.termwise(),
        "The row has lag 0. So the sum of the row's exponentials is positive.",
        each,
    )
    own = inside.use(dynamics.SOFTMAX, why="By hypothesis each row is a softmax.")
    return inside.show(
        eq(weights(k, row, lag) * z, sp.exp(logits(k, lag))), "Multiply by that sum.", own, total
    ).for_all(row, lag, why="This holds for every row and lag.")


def derivatives(p: Proof) -> tuple[Fact, Fact, Fact]:
    """After k steps: D_1 <= D_t in every row with lag 1; the margins of a lag s; those of lag 0."""
    time = p.under(le(0, k))
    rows = softmax_rows(p)
    shares = time.lemma(
        SLASH_GD_OFFSET_CAUSAL_SHARES.at(
            a=sp.Lambda((row, lag), weights(k, row, lag)), g=sp.Lambda(r, logits(k, r))
        ),
        rows,
        why="So its weights are shares.",
    )
    signs, totals = shares.parts("This is one of the parts of that statement.")
    both = time.lemma(
        rewards.SLASH_GD_OFFSET_CAUSAL_REWARDS.at(a=sp.Lambda((row, lag), weights(k, row, lag))),
        (rewards.LAG_1, POSITIVE, rewards.LAW, rewards.TOKENS, signs, totals),
        why="So in each row the loss falls fastest with lag 1.",
    )
    leads, last = both.parts("This is one of the parts of that statement.")
    given = p.under(le(0, k), dynamics.in_row).use(
        dynamics.DERIVATIVE, why="By hypothesis D is the derivative."
    )
    known = given.for_all(row, lag, why="This holds for every row and lag.")
    here = time.under(within(row, 1, length - 1))
    first = here.use(known, {lag: 1}, why="In particular for lag 1.")
    inside = here.under(within(lag, 0, row), ne(lag, 1))
    some = inside.under(rewards.NOT_BOTH)
    lead = some.use(leads, why="Lag 1 has the margin here.")
    own = inside.use(known, why="And for the other lag.")
    margin = some.show(
        le(slopes(k, row, 1) + floor * law(row - 1), slopes(k, row, lag)),
        "So D of the lag exceeds that of lag 1 by the margin.",
        (lead, first, own),
    )
    weigh = here.use(
        rewards.LAW, {occurs: row - 1}, why="The probability of the place before is not negative."
    )
    positive = here.show(
        le(0, floor * law(row - 1)),
        "The exponential of beta is positive. So the floor is not negative. So the margin is "
        "not negative.",
        (POSITIVE, rewards.LAG_1, weigh),
    )
    order = le(slopes(k, row, 1), slopes(k, row, lag))
    above = some.show(order, "So D of the lag is at least that of lag 1.", margin, positive)
    at_end = time.use(
        known,
        {row: length - 1, lag: 1},
        rewards.LAG_1,
        why="In particular for lag 1 of the last row.",
    )
    own_end = time.use(known, {row: length - 1, lag: 0}, rewards.LAG_1, why="And for its lag 0.")
    corner = inside.under(lt(length - 2, row), lt(lag, 1))
    place = [
        corner.show(eq(row, length - 1), "Then the row is the last one.", by=rules.smt()),
        corner.show(eq(lag, 0), "And the lag is 0.", by=rules.smt()),
    ]
    end = corner.rewrite(
        eq(slopes(k, row, lag), slopes(k, length - 1, 0)),
        "So D is that of lag 0 of the last row.",
        place,
    )
    one = corner.rewrite(
        eq(slopes(k, row, 1), slopes(k, length - 1, 1)),
        "And that of lag 1 is the last row's.",
        place[0],
    )
    there = corner.show(
        order,
        "So in the last row D of lag 0 is at least that of lag 1. So the order holds there.",
        (end, one, at_end, own_end, last),
    )
    itself = here.given(eq(lag, 1), "Suppose that the lag is 1.")
    equal = itself.scope.rewrite(
        eq(slopes(k, row, lag), slopes(k, row, 1)), "Then its D is that of lag 1.", itself
    )
    ordered = (
        here.under(within(lag, 0, row))
        .show(order, "So the order holds for every lag of the row.", above, there, equal)
        .for_all(row, lag, why="This holds for every such row and lag.")
    )

    high = time.under(within(other, 2, length - 1), within(row, other, length - 1))
    upper = high.use(
        margin.for_all(row, lag, why="This holds for every such row and lag."), {lag: other},
        why="A lag above 1 has the margin in each of its rows.",
    )  # fmt: skip
    lower = high.use(
        positive.for_all(row, why="This holds in every such row."), why="No margin is negative."
    )
    far_margins = high.show(
        Both(lower.formula, upper.formula), "These are its margins.", lower, upper
    ).for_all(row, why="This holds in each of its rows.")

    mu = floor * law(row - 1) * (1 - indicator(row, length - 1))
    goal = Both(le(0, mu), le(slopes(k, row, 1) + mu, slopes(k, row, 0)))
    early = here.under(le(row, length - 2))
    early_margin = early.use(
        margin.for_all(row, lag, why="This holds for every such row and lag."), {lag: 0},
        why="Before the last row lag 0 has the margin, too.",
    )  # fmt: skip
    before_end = early.show(
        goal,
        "The indicator of the last row is 0 before. So it has its margin there.",
        (early_margin, positive),
    )
    late = here.given(eq(row, length - 1), "Suppose that the row is the last.")
    moved = [
        late.scope.rewrite(
            eq(slopes(k, row, which), slopes(k, length - 1, which)),
            "Then D is that of the last row.",
            late,
        )
        for which in (sp.Integer(0), sp.Integer(1))
    ]
    at_last = late.scope.show(
        goal,
        "Then the indicator is 1. So its margin there is 0.",
        (moved, at_end, own_end, last, late),
    )
    near_margins = here.show(goal, "So lag 0 has its margins.", before_end, at_last).for_all(
        row, why="This holds in every such row."
    )
    return ordered, far_margins, near_margins
