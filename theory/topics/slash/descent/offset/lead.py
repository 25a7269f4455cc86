"""One step of descent on the lags' logits, where lag 1 is rewarded more than any other lag by a margin."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l as index
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.slash.descent.offset import step
from ropeproof.theory.topics.slash.descent.offset.signs import attention, lag, length
from ropeproof.theory.topics.slash.descent.offset.step import after, before, eta, mean, r, slopes

c = real("c")
MEANINGS: Meanings = {
    **step.MEANINGS,
    c: "by how much the loss falls faster with lag 1 than with any other",
}

LAG_1 = Hypothesis("there is lag 1", le(2, length))
SOFTMAX = Hypothesis(
    "the weights are the softmax of the logits",
    every(
        lag,
        0,
        length - 1,
        eq(attention(lag) * sp.Sum(sp.exp(before(r)), (r, 0, length - 1)), sp.exp(before(lag))),
    ),
)
AHEAD = Hypothesis(
    "lag 1 has the largest logit", every(lag, 0, length - 1, le(before(lag), before(1)))
)
MARGIN = Hypothesis("the margin is not negative", le(0, c))
GAP = Hypothesis(
    "the loss falls with lag 1 by the margin more than with any other lag",
    Every(
        (lag,),
        If(Both(*within(lag, 0, length - 1).args, ne(lag, 1)), le(slopes(1) + c, slopes(lag))),
    ),
)
STEP = Hypothesis(
    "a step of descent on the lags' logits",
    every(
        lag,
        0,
        length - 1,
        eq(after(lag), before(lag) - eta * attention(lag) * (slopes(lag) - mean)),
    ),
)
SIZE = Hypothesis("the step is not negative", le(0, eta))


def ratio(logit: Function) -> Term:
    """(1 - a_1) / a_1 as the sum of e^{g_t - g_1} over all lags, less 1."""
    return sp.Sum(sp.exp(logit(r) - logit(1)), (r, 0, length - 1)) - 1


delta = eta * c * attention(1) * (1 - attention(1))
factor = sp.exp(-delta)
shrinks = le(ratio(after) * (1 + eta * c * attention(1) ** 2 * ratio(before)), ratio(before))
stays = every(lag, 0, length - 1, le(after(lag), after(1)))


def _weights(p: Proof) -> tuple[Fact, Fact, Fact, Fact]:
    """a_1 (1 + X) = 1; and for a lag l: 0 <= a_l, a_l <= a_1; and that they add up to 1."""
    inside = p.under(within(index, 0, length - 1))
    positive = p.under(within(r, 0, length - 1)).show(
        lt(0, sp.exp(before(r))), "The exponential of a logit is positive."
    )
    total = positive.summed(
        r, 0, length - 1, "So the sum of the exponentials is positive, as there are lags.", LAG_1
    )
    own = inside.use(
        SOFTMAX, why="By hypothesis the weight of the lag times the sum is its exponential."
    )
    one = p.use(SOFTMAX, {lag: 1}, LAG_1, why="In particular this holds for lag 1.")
    weight = inside.show(
        le(0, attention(index)),
        "The exponential of this lag's logit is positive. So no weight is negative.",
        (own, total),
    )
    ahead = inside.use(AHEAD, why="Lag 1 has the largest logit.")
    power = ahead.image(sp.exp, "So lag 1 has the largest exponential.")
    below = inside.show(
        le(attention(index), attention(1)),
        "So lag 1 has the largest weight.",
        (own, one, power, total),
    )
    shares = own.summed(index, 0, length - 1, "Sum these shares over the lags.")
    whole = p.show(
        eq(sp.Sum(attention(index), (index, 0, length - 1)), 1),
        "The sum Z of the exponentials is a common factor of the shares. So the weights add "
        "up to 1.",
        (shares, total),
    )
    known = p.show(
        eq(attention(1) * (1 + ratio(before)), 1),
        "The exponential of lag 1's logit is positive. Divide each exponential by that of "
        "lag 1. So lag 1 has the weight 1/(1 + X).",
        (one, total),
    )
    return known, weight, below, whole


def _mean(p: Proof, weight: Fact, whole: Fact) -> Fact:
    """M - D_1 >= c (1 - a_1)."""
    inside = p.under(within(index, 0, length - 1))
    chosen = indicator(index, 1)
    rest = attention(index) * (slopes(index) - slopes(1) - c) + chosen * (attention(1) * c)
    away = inside.under(ne(index, 1))
    gap = away.use(GAP, why="The loss falls less with another lag than with lag 1.")
    positive = away.show(
        le(0, rest),
        "The indicator of lag 1 is 0 at another lag. So its term is not negative.",
        (weight, gap),
    )
    same = inside.given(eq(index, 1), "Suppose that the lag is lag 1.")
    nothing = [
        same.image(attention, "Then its weight is that of lag 1."),
        same.image(slopes, "Then its slope is that of lag 1."),
        same.scope.show(eq(chosen, 1), "Then the indicator is 1."),
    ]
    none_negative = inside.show(le(0, rest), "So no term is negative.", positive, nothing)
    summed = none_negative.summed(index, 0, length - 1, "So the sum of the terms is not negative.")
    picked = p.lemma(
        SUMS_INDICATOR.at(m=length, p=1, f=sp.Lambda(index, attention(1) * c)),
        LAG_1,
        why="The indicators pick lag 1.",
    )
    return p.show(
        le(c * (1 - attention(1)), mean - slopes(1)),
        "The sum splits into the mean slope, the slope of lag 1 and the indicator's part. So "
        "the mean slope is above lag 1's by the margin times what lag 1 lacks.",
        (summed, picked, whole),
    )


def _lead(p: Proof, weight: Fact, below: Fact, mean_above: Fact) -> Fact:
    """For another lag, h_l - h_1 <= g_l - g_1 - delta."""
    away = p.under(within(index, 0, length - 1), ne(index, 1))
    own_step = away.use(STEP, why="By hypothesis this lag makes a step of descent.")
    one_step = p.use(STEP, {lag: 1}, LAG_1, why="By hypothesis lag 1 makes a step of descent.")
    a, b, d, u, q = real("A B F U Q")
    general = p.under(le(0, b), le(b, a), le(0, c), le(u + c, d), le(c * (1 - a), q - u))
    spread = general.show(
        le((a - b) * (c * (1 - a)), (a - b) * (q - u)),
        "Multiply the bound of the mean by A - B, which is not negative.",
    )
    grown = general.show(
        le(c * a * (1 - a), b * (d - q) - a * (u - q)),
        "Multiply the margin's bound by B, which is not negative. The product A B c is not "
        "negative. The two parts together are at least c A (1 - A). So the lead grows by at "
        "least c A (1 - A).",
        spread,
    )
    values = {a: attention(1), b: attention(index), d: slopes(index), u: slopes(1), q: mean}
    here = away.use(
        grown,
        values,
        (weight, below, MARGIN, GAP, mean_above),
        why="The loss falls less with another lag than with lag 1. Take the weights and slopes "
        "of this lag and of lag 1.",
    )
    return away.show(
        le(after(index) - after(1), before(index) - before(1) - delta),
        "Multiply this bound by the step size, which is not negative. So lag 1 moves ahead "
        "of this lag by at least delta.",
        (here, SIZE, own_step, one_step),
    )


def _shrunk(p: Proof, lead: Fact) -> Fact:
    """X' <= e^{-delta} X, as each of the other ratios shrinks by that factor."""
    inside = p.under(within(index, 0, length - 1))
    away, same = (
        inside.under(ne(index, 1)),
        inside.given(eq(index, 1), "Suppose that the lag is lag 1."),
    )
    chosen = indicator(index, 1)
    now, then = sp.exp(before(index) - before(1)), sp.exp(after(index) - after(1))
    power = lead.image(sp.exp, "So the exponential of this lag against lag 1 shrinks.")
    goal = le(then - chosen, factor * (now - chosen))
    elsewhere = away.show(
        goal,
        "The exponential of the lowered difference is e^-delta times the exponential. The "
        "indicator of lag 1 is 0 at another lag. So the term of another lag shrinks by the "
        "factor.",
        power,
    )
    equal = [
        same.scope.show(
            eq(side(index) - side(1), 0),
            "Then the difference of its logit and that of lag 1 is 0.",
            same.scope.rewrite(eq(side(index), side(1)), "Then its logit is that of lag 1.", same),
        )
        for side in (before, after)
    ]
    ones = [
        fact.image(sp.exp, "So the exponential of the difference is that of 0.") for fact in equal
    ]
    at_one = same.scope.show(
        goal, "Then the indicator is 1. So the term of lag 1 is 0 on both sides.", ones
    )
    shrunk = inside.show(goal, "So every term shrinks by at least the factor.", elsewhere, at_one)
    sums = shrunk.summed(index, 0, length - 1, "Sum this bound over the lags.")
    picked = p.lemma(
        SUMS_INDICATOR.at(
            m=length, p=1, f=sp.Lambda(index, 1)
        ), LAG_1,
        why="The indicators add up to 1.",
    )  # fmt: skip
    left = p.show(
        eq(sums.formula.lhs, ratio(after) + 1 - picked.formula.lhs),
        "The left side is X' after the step.",
    )
    return p.show(
        le(ratio(after), factor * ratio(before)),
        "The right side is the factor times X. So X shrinks by the factor.",
        (sums, left, picked),
    )


_half = sp.Rational(1, 2)


def _state(*changes: tuple[Term, Term | int]) -> Values:
    """Two lags of equal weights with slopes 0 and -1, all logits 0, the margin 1 and a step of 1."""
    at: Values = {
        length: 2, eta: 1, c: 1, **listed(attention, _half, _half), **listed(slopes, 0, -1),
        **listed(before, 0, 0), **dict(changes),
    }  # fmt: skip
    size = at[attention(0)] * at[slopes(0)] + at[attention(1)] * at[slopes(1)]
    for t in (0, 1):
        at.setdefault(after(t), at[before(t)] - at[eta] * at[attention(t)] * (at[slopes(t)] - size))
    return at


@theorem(
    "slash.gd.offset-lead",
    needs="PTX",
    hypotheses=(LAG_1, SOFTMAX, AHEAD, MARGIN, GAP, STEP, SIZE),
    conclusion=Both(stays, shrinks, eq(attention(1) * (1 + ratio(before)), 1)),
    attack=Attack(
        {
            "eight times as fast": le(
                ratio(after) * (1 + 8 * eta * c * attention(1) ** 2 * ratio(before)), ratio(before)
            ),
            "X grows": lt(ratio(before), ratio(after)),
            "lag 0 comes ahead": le(after(1), after(0)),
        },
        at={"eight times as fast": _state(), "X grows": _state(), "lag 0 comes ahead": _state()},
        without={
            SOFTMAX: _state((attention(0), 9)),
            AHEAD: _state(
                (eta, 0),
                (before(0), sp.log(3)),
                (attention(0), _half + _half / 2),
                (attention(1), _half / 2),
            ),
            MARGIN: _state((c, -1), (slopes(0), -2)),
            GAP: _state((slopes(0), -9)),
            STEP: _state((after(0), 5), (after(1), 0)),
            SIZE: _state((eta, -1)),
        },
    ),
)
def SLASH_GD_OFFSET_LEAD(p: Proof) -> None:
    r"""Where lag 1 is rewarded more than any other, a step shrinks the weight of all others

    Let $a=\mathrm{softmax}(g)$ be the weights of the lags $0\le t<N$ ($N\ge2$), $g_t\le g_1$ for
    all $t$, and let a loss have derivatives $D_t$ in them with $D_t\ge D_1+c$ for every $t\ne1$,
    $c\ge0$. A step of descent on $g$ of size $\eta\ge0$ gives $h_t=g_t-\eta
    a_t\big(D_t-\sum_ra_rD_r\big)$. Write $X=\sum_te^{g_t-g_1}-1$, which is $\frac{1-a_1}{a_1}$, and
    $X'=\sum_te^{h_t-h_1}-1$. Then $h_t\le h_1$ for all $t$, $X'(1+\eta c\,a_1^2X)\le X$, and
    $a_1(1+X)=1$.
    """
    known, weight, below, whole = _weights(p)
    mean_above = _mean(p, weight, whole)
    lead = _lead(p, weight, below, mean_above)
    inside = p.under(within(index, 0, length - 1))
    away = inside.under(ne(index, 1))
    member = p.lemma(
        SUMS_MEMBER.at(m=length, k=1, f=sp.Lambda(index, attention(index))),
        (weight.for_all(index, why="This holds for the weights of all lags."), LAG_1),
        why="So lag 1 has at most all of the weight.",
    )
    small = p.show(
        le(attention(1), 1),
        "As the weights add up to 1, that of lag 1 is at most 1.",
        (member, whole),
    )
    first = p.use(
        weight.for_all(index, why="This holds for the weights of all lags."),
        {index: 1},
        LAG_1,
        why="In particular the weight of lag 1 is not negative.",
    )
    product = p.show(
        le(0, attention(1) * (1 - attention(1))),
        "The product a_1 (1 - a_1) is not negative.",
        (first, small),
    )
    pace = p.show(
        le(0, eta * c), "The product of step size and margin is not negative.", (SIZE, MARGIN)
    )
    move = p.show(le(0, delta), "So delta is not negative.", product, pace)
    ahead = inside.use(AHEAD, why="Lag 1 has the largest logit.")
    other = away.show(
        le(after(index), after(1)),
        "After the step its logit is at most that of lag 1.",
        (lead, ahead, move),
    )
    same = inside.given(eq(index, 1), "Suppose that the lag is lag 1.")
    itself = same.image(after, "Then its logit is that of lag 1 after the step, too.")
    ordered = inside.show(
        le(after(index), after(1)),
        "So lag 1 has the largest logit after the step.",
        (other, itself),
    ).for_all(index, why="This holds for every lag.")

    fewer = _shrunk(p, lead)
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=delta), why="The exponential lies above its tangent at 0."
    )
    inverse = p.show(
        eq(kept(sp.Mul, factor, sp.exp(delta)), 1), "The factor e^-delta is the inverse of e^delta."
    )
    factor_positive = p.show(lt(0, factor), "The factor e^-delta is positive.")
    at_most = p.show(
        le(factor * (1 + delta), 1),
        "So the factor is at most 1/(1 + delta).",
        (tangent, inverse, factor_positive),
    )
    x, y, v, e, a = real("X Y V F A")
    positive_odds = p.under(le(0, a), le(a, 1), eq(a * (1 + x), 1)).show(
        le(0, x), "A weight of at most 1 leaves X at 0 or above."
    )
    not_negative = p.use(
        positive_odds,
        {a: attention(1), x: ratio(before)},
        (first, small, known),
        why="So X is not negative.",
    )
    general = p.under(le(0, x), le(0, v), le(y, e * x), le(e * (1 + v), 1))
    both = general.show(
        le(y * (1 + v), x),
        "Multiply the first bound by 1 + V, which is positive. Multiply the second bound by "
        "X, which is not negative. The two inequalities together give the bound of Y.",
    )
    done = p.use(
        both, {x: ratio(before), y: ratio(after), v: delta, e: factor},
        not_negative, move, fewer, at_most, why="Take X, X', delta and the factor for these numbers.",
    )  # fmt: skip
    last = p.show(
        shrinks,
        "What lag 1 lacks is its weight times X. So delta is eta c a_1^2 X. So X shrinks as "
        "the claim says.",
        (done, known),
    )
    stay = p.under(within(lag, 0, length - 1)).use(
        ordered, why="In particular lag 1 is ahead of this lag."
    )
    p.qed(
        "These are the three parts of the claim.",
        (stay.for_all(lag, why="This holds for every lag."), last, known),
    )
