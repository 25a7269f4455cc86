"""One step of descent where a loss falls with the weight of lag 1 and with no other."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l as index
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.slash.descent.offset import signs
from ropeproof.theory.topics.slash.descent.offset.signs import attention, lag, length

other, r = integer("s r")
eta = real("eta")
slopes, before, after = real_function("D"), real_function("g"), real_function("h")
MEANINGS: Meanings = {
    **signs.MEANINGS,
    length: "number of lags",
    other: "another lag than 1",
    eta: "size of the step",
    slopes: "derivative of the loss in the weight of a lag",
    before: "logit of a lag before the step",
    after: "logit of a lag after the step",
}
mean = sp.Sum(attention(r) * slopes(r), (r, 0, length - 1))

LAG_1 = Hypothesis("there is lag 1", le(2, length))
WEIGHTS = Hypothesis("no weight is negative", every(lag, 0, length - 1, le(0, attention(lag))))
AT_MOST_1 = Hypothesis("the weight of lag 1 is at most 1", le(attention(1), 1))
REWARDED = Hypothesis("the loss does not rise with lag 1", le(slopes(1), 0))
PUNISHED = Hypothesis(
    "it does not fall with any other",
    Every((lag,), If(Both(*within(lag, 0, length - 1).args, ne(lag, 1)), le(0, slopes(lag)))),
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
LAG = Hypothesis("s is a lag", within(other, 0, length - 1))
NOT_1 = Hypothesis("it is not lag 1", ne(other, 1))
AHEAD = Hypothesis("lag 1 has at least its weight", le(attention(other), attention(1)))

gain = eta * attention(1) * (-slopes(1)) * (1 - attention(1) + attention(other))
lead = le(before(1) - before(other) + gain, after(1) - after(other))
rises = le(before(1), after(1))


def _state(*changes: tuple[Term, Term | int]) -> Values:
    """Two lags of equal weights with slopes 0 and -1, all logits 0, and a step of 1."""
    at: Values = {
        length: 2, other: 0, eta: 1, **listed(attention, *(sp.Rational(1, 2),) * 2),
        **listed(slopes, 0, -1), **listed(before, 0, 0),
        **dict(changes),
    }  # fmt: skip
    size = at[attention(0)] * at[slopes(0)] + at[attention(1)] * at[slopes(1)]
    for t in (0, 1):
        at.setdefault(after(t), at[before(t)] - at[eta] * at[attention(t)] * (at[slopes(t)] - size))
    return at


_half = sp.Rational(1, 2)


@theorem(
    "slash.gd.offset-step",
    needs="PTX",
    hypotheses=(
        LAG_1, WEIGHTS, AT_MOST_1, REWARDED, PUNISHED, STEP, SIZE, LAG, NOT_1, AHEAD,
    ),
    conclusion=Both(lead, rises),
    attack=Attack(
        {
            "twice the gain": le(before(1) - before(other) + 2 * gain, after(1) - after(other)),
            "the other lag rises": le(before(other), after(other)),
            "it does not grow": le(after(1) - after(other), before(1) - before(other)),
        },
        at={
            "twice the gain": _state(),
            "the other lag rises": _state(),
            "it does not grow": _state(),
        },
        without={
            AT_MOST_1: _state((attention(1), 4), (attention(0), 0)),
            REWARDED: _state((slopes(1), 1)),
            PUNISHED: _state((slopes(0), -9)),
            STEP: _state((after(1), -5), (after(0), 0)),
            SIZE: _state((eta, -1)),
            AHEAD: _state((attention(0), 9), (attention(1), _half)),
        },
    ),
)  # fmt: skip
def SLASH_GD_OFFSET_STEP(p: Proof) -> None:
    r"""A step of descent on induction widens the lead of lag 1

    Weights $a_t\ge0$, $a_1\le1$, of the lags $0\le t<N$ ($N\ge2$), as $a=\mathrm{softmax}(g)$ has
    them, and a loss whose derivatives in them are $D_1\le0$ and $D_t\ge0$ for $t\ne1$. A step of
    descent on $g$ of size $\eta\ge0$ gives $h_t=g_t-\eta a_t\big(D_t-\sum_ra_rD_r\big)$. Then
    $g_1\le h_1$, and for every lag $s\ne1$ with $a_s\le a_1$: $h_1-h_s\ge g_1-g_s+\eta
    a_1|D_1|(1-a_1+a_s)$.
    """
    rest = attention(index) * slopes(index) - indicator(index, 1) * (attention(1) * slopes(1))
    inside = p.under(within(index, 0, length - 1))
    weight = inside.use(WEIGHTS, why="The weight of a lag is not negative.")
    away = inside.under(ne(index, 1))
    slope = away.use(PUNISHED, why="The loss does not fall with another lag.")
    positive = away.show(
        le(0, rest),
        "The indicator of lag 1 is 0 at another lag. So its product is not negative.",
        (weight, slope),
    )
    same = inside.given(eq(index, 1), "Suppose that the lag is lag 1.")
    nothing = [
        same.scope.rewrite(
            eq(attention(index) * slopes(index), attention(1) * slopes(1)),
            "Then its product is that of lag 1.",
            same,
        ),
        same.scope.show(eq(indicator(index, 1), 1), "Then the indicator is 1."),
    ]
    term_ = inside.show(le(0, rest), "So no term is negative.", positive, nothing)
    member = p.apply(
        SUMS_MEMBER,
        (term_.for_all(index, why="This holds for every lag."), LAG),
        why="So the sum of the terms is at least that of the lag s.",
    )
    picked = p.lemma(
        SUMS_INDICATOR.at(m=length, p=1, f=sp.Lambda(index, attention(1) * slopes(1))),
        LAG_1,
        why="The indicators pick the product of lag 1.",
    )
    mean_above = p.show(
        le(attention(1) * slopes(1) + attention(other) * slopes(other), mean),
        "The sum of the terms is the mean slope less that. The indicator of s is 0. So the "
        "mean slope is at least the products of lag 1 and of the lag s.",
        (member, picked, NOT_1),
    )
    step = [
        p.use(STEP, {lag: at}, LAG_1, LAG, why="By hypothesis this lag makes a step of descent.")
        for at in (sp.Integer(1), other)
    ]
    of_other = [WEIGHTS, LAG, PUNISHED, NOT_1]
    a, b, c, d, e, z = real("A B C F M Z")
    abstract = p.under(
        le(0, a), le(a, 1), le(0, b), le(b, a), le(c, 0), le(0, d), le(a * c + b * d, e)
    )
    general = abstract.show(
        le(a * (-c) * (1 - a + b), -(a * (c - e)) + b * (d - e)),
        "Multiply the bound of the mean by A - B, which is not negative. The product B F (1 "
        "+ A - B) is not negative. So the lead grows by at least this.",
    )
    up = abstract.show(
        le(0, -(a * (c - e))),
        "The product B F is not negative. So the mean is at least lag 1's product. As C is "
        "not positive and A at most 1, A C is at least C. So lag 1's logit does not fall.",
    )
    values = {a: attention(1), b: attention(other), c: slopes(1), d: slopes(other), e: mean}
    known = (WEIGHTS, LAG_1, AT_MOST_1, of_other, AHEAD, REWARDED, mean_above)
    grown = p.use(
        general,
        values,
        known,
        why="The weight of s is not negative. The slope of s is not negative. The weight of lag "
        "1 is not negative. Take the weights and slopes of these lags.",
    )
    grows = p.use(up, values, known, why="Take the weights and slopes for lag 1.")
    times = p.under(le(0, eta), le(z, a)).show(
        le(eta * z, eta * a), "An inequality may be multiplied."
    )
    scaled = [
        p.use(
            times,
            {z: fact.formula.lhs, a: fact.formula.rhs},
            (SIZE, fact),
            why="Multiply this bound by the step size, which is not negative.",
        )
        for fact in (grown, grows)
    ]
    p.qed(
        "So the lead of lag 1 grows. So its logit does not fall. These are the two parts of "
        "the claim.",
        (scaled[0], step, scaled[1]),
    )
