"""One step of descent on the lags' logits where each row is a causal softmax of them."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.topics.slash.descent.causal import rewards
from ropeproof.theory.topics.slash.descent.causal.rewards import (
    LAG_1,
    TOTAL,
    WEIGHTS,
    row,
    rows,
    weights,
)
from ropeproof.theory.topics.slash.descent.causal.row import SLASH_GD_OFFSET_CAUSAL_ROW
from ropeproof.theory.topics.slash.descent.offset import step
from ropeproof.theory.topics.slash.descent.offset.signs import lag, length, r
from ropeproof.theory.topics.slash.descent.offset.step import eta

other = integer("s")
slopes, mu = real_function("D"), real_function("mu")
before, after = real_function("g"), real_function("h")
MEANINGS: Meanings = {
    **step.MEANINGS,
    **rewards.MEANINGS,
    other: "a lag above 1",
    slopes: "derivative of the mean loss in a weight of a row",
    mu: "by how much the loss falls faster with lag 1, by row",
    before: "logit of a lag in layer 1, before the step",
    after: "logit of a lag in layer 1, after the step",
}


def mean(position: Term) -> Term:
    """The mean of a row's derivatives by its weights."""
    return sp.Sum(weights(position, r) * slopes(position, r), (r, 0, position))


def pull(position: Term, of_lag: Term | int) -> Term:
    """By how much a row moves the logit of a lag, per unit of the step."""
    return weights(position, of_lag) * (mean(position) - slopes(position, of_lag))


def move(of_lag: Term) -> Term:
    """By how much all rows that have the lag move its logit, per unit of the step."""
    return sp.Sum(pull(row, of_lag), (row, of_lag, length - 1))


def odds(logits: Callable[..., Term], of_lag: Term) -> Term:
    """y_t, the exponential of the lag against that of lag 1."""
    return sp.exp(logits(of_lag) - logits(1))


def whole(logits: Callable[..., Term]) -> Term:
    """1/a_1 in the last row: the sum of the exponentials of all lags against lag 1."""
    return sp.Sum(odds(logits, r), (r, 0, length - 1))


SOFTMAX = Hypothesis(
    "each row is the softmax of its own lags' logits",
    Every(
        (row, lag),
        If(
            Both(*within(row, 0, length - 1).args, *within(lag, 0, row).args),
            eq(weights(row, lag) * sp.Sum(sp.exp(before(r)), (r, 0, row)), sp.exp(before(lag))),
        ),
    ),
)
AHEAD = Hypothesis(
    "lag 1 has the largest logit", every(lag, 0, length - 1, le(before(lag), before(1)))
)
REWARDED = Hypothesis(
    "in each row the loss falls at least as fast with lag 1 as with any other",
    Every(
        (row, lag),
        If(
            Both(*within(row, 1, length - 1).args, *within(lag, 0, row).args),
            le(slopes(row, 1), slopes(row, lag)),
        ),
    ),
)
SIZE = Hypothesis("the step is not negative", le(0, eta))


_half, _third, _fifth = (sp.Rational(1, number) for number in (2, 3, 5))


def _three(*changes: tuple[Term, Term | int]) -> Values:
    """Three tokens and equal logits; in each row the loss falls by 1 with lag 1 alone; a step of 1.

    The logits after the step are what the step makes of these.
    """
    at: Values = {length: 3, eta: 1, other: 2, **listed(before, 0, 0, 0)}
    for j in range(3):
        at |= {weights(j, t): sp.Rational(1, j + 1) for t in range(j + 1)}
        at |= {slopes(j, t): -int(t == 1) for t in range(j + 1)}
        at[mu(j)] = 1
    at |= dict(changes)
    means = [sum(at[weights(j, t)] * at[slopes(j, t)] for t in range(j + 1)) for j in range(3)]
    for t in range(3):
        pulls = (at[weights(j, t)] * (means[j] - at[slopes(j, t)]) for j in range(t, 3))
        at.setdefault(after(t), at[before(t)] + at[eta] * sum(pulls))
    return at


_UNIFORM = {
    key: value for key, value in _three().items() if key == length or key.func in (before, weights)
}
OTHER_LAG = Hypothesis("s is a lag above 1", within(other, 2, length - 1))


def margins(of_lag: Term, first: Term) -> Hypothesis:
    """The hypothesis that gives a lag its margins, from its first row on."""
    return Hypothesis(
        "in the rows that have the lag the loss falls faster with lag 1 by the margins",
        every(
            row,
            first,
            length - 1,
            Both(le(0, mu(row)), le(slopes(row, 1) + mu(row), slopes(row, of_lag))),
        ),
    )


def steps(of_lag: Term) -> tuple[Hypothesis, Hypothesis]:
    """The steps of descent of lag 1 and of the other lag."""
    return (
        Hypothesis("the step of lag 1", eq(after(1), before(1) + eta * move(sp.Integer(1)))),
        Hypothesis(
            "the step of the other lag", eq(after(of_lag), before(of_lag) + eta * move(of_lag))
        ),
    )


def result(of_lag: Term, first: Term, factor: int = 1) -> Formula:
    """Lag 1 stays ahead, and y_t (1 + eta M a_1 y_t) <= y_t before the step."""
    total = sp.Sum(mu(row), (row, first, length - 1))
    pace = factor * eta * total / whole(before) * odds(before, of_lag)
    return Both(
        le(after(of_lag), after(1)), le(odds(after, of_lag) * (1 + pace), odds(before, of_lag))
    )


@theorem(
    "slash.gd.offset-causal-shares",
    needs="PX",
    hypotheses=(SOFTMAX,),
    conclusion=Both(WEIGHTS.formula, TOTAL.formula),
    attack=Attack(
        {
            "no weight is positive": rows(le(weights(row, lag), 0)),
            "they add up to the number of lags": every(
                row, 0, length - 1, eq(sp.Sum(weights(row, r), (r, 0, row)), row + 1)
            ),
        },
        at={"no weight is positive": _UNIFORM, "they add up to the number of lags": _UNIFORM},
        without={SOFTMAX: {**_UNIFORM, weights(0, 0): 2}},
    ),
)
def SLASH_GD_OFFSET_CAUSAL_SHARES(p: Proof) -> None:
    r"""The weights of a causal softmax row are not negative and add up to 1

    If $a_{i,t}\sum_{r\le i}e^{g_r}=e^{g_t}$ for the lags $0\le t\le i$ of every row $0\le i<N$,
    then $a_{i,t}\ge0$ and $\sum_{t\le i}a_{i,t}=1$.
    """
    inside = p.under(within(row, 0, length - 1), within(lag, 0, row))
    here = p.under(within(row, 0, length - 1))
    each = p.show(lt(0, sp.exp(before(r))), "The exponential of a logit is positive.")
    z = sp.Sum(sp.exp(before(r)), (r, 0, row))
    total = here.step(
        lt(0, z),
        rules.termwise(),
        "The row has lag 0. So the sum of the row's exponentials is positive.",
        each,
    )
    own = inside.use(SOFTMAX, why="By hypothesis the row is a softmax.")
    weight = inside.show(
        le(0, weights(row, lag)),
        "The exponential of the lag's logit is positive. So no weight is negative.",
        (own, total),
    )
    shares = own.summed(lag, 0, row, "Sum this equation over the row's lags.")
    one = here.show(
        eq(sp.Sum(weights(row, r), (r, 0, row)), 1),
        "The sum of the exponentials is a common factor. So the weights add up to 1.",
        (shares, total),
    )
    p.qed(
        "These are the two parts of the claim.",
        weight.for_all(row, lag, why="This holds for every row and lag."),
        one.for_all(row, why="This holds for every row."),
    )


def _shares(p: Proof) -> tuple[Fact, Fact, Fact]:
    """In a row: a_t Z = e^{g_t}; no weight is negative; and the weights add up to 1."""
    inside = p.under(within(row, 0, length - 1), within(lag, 0, row))
    here = p.under(within(row, 0, length - 1))
    own = inside.use(SOFTMAX, why="By hypothesis the row is a softmax.")
    both = p.lemma(SLASH_GD_OFFSET_CAUSAL_SHARES, SOFTMAX, why="So its weights are shares.")
    signs, totals = both.parts("This is one of the parts of that statement.")
    weight = inside.use(signs, why="In particular no weight of the row is negative.")
    one = here.use(totals, why="In particular the weights of the row add up to 1.")
    return own, weight, one


def _first_lag(p: Proof, own: Fact) -> tuple[Fact, Fact, Fact]:
    """In a row with lag 1: a_t <= a_1; a_t = a_1 y_t; and 1 <= a_1 times the sum of all y."""
    here = p.under(within(row, 1, length - 1))
    inside = here.under(within(lag, 0, row))
    z = sp.Sum(sp.exp(before(r)), (r, 0, row))
    each = p.show(lt(0, sp.exp(before(r))), "The exponential of a logit is positive.")
    total = here.step(
        lt(0, z),
        rules.termwise(),
        "The row has lag 1. So the row's sum is positive in these rows, too.",
        each,
    )
    first = here.use(
        own.for_all(row, lag, why="This holds in every row."),
        {lag: 1},
        why="In particular for lag 1.",
    )
    ahead = inside.use(AHEAD, why="Lag 1 has the largest logit.").image(
        sp.exp, "So it has the largest exponential."
    )
    most = inside.show(
        le(weights(row, lag), weights(row, 1)),
        "So it has the largest weight.",
        (own, first, ahead, total),
    )
    times = inside.show(
        eq(weights(row, lag), weights(row, 1) * odds(before, lag)),
        "The exponential of a logit is y times that of lag 1. So the weight of a lag is y "
        "times that of lag 1.",
        (own, first, total),
    )
    everything = sp.Sum(sp.exp(before(r)), (r, 0, length - 1))
    cut = here.split(everything, row, "Split the sum of all exponentials after the row's lags.")
    rest = p.show(le(0, sp.exp(before(r))), "No exponential is negative.").summed(
        r, row + 1, length - 1, "So those of the longer lags are not negative in sum."
    )
    w, a, x, y, b = real("W A X Y B")
    general = p.under(eq(a * x, b), eq(w * b, y), le(x, y), lt(0, b), lt(0, x)).show(
        le(1, w * a), "As A X = B and W B >= X, W A is at least 1.", by=rules.smt()
    )
    least = here.use(
        general,
        {w: whole(before), a: weights(row, 1), x: z, y: everything, b: sp.exp(before(1))},
        (first, cut, rest, total),
        why="Multiply each y by the exponential of lag 1. The exponential of lag 1's logit is "
        "positive. So the row's sum is at most that of all lags. So lag 1 has at least its "
        "share among all lags.",
    )
    return most, times, least


def _gains(p: Proof, of_lag: Term, first: Term, given: Hypothesis, known: tuple[Fact, ...]) -> Fact:
    """Lag 1 gains on the other lag at least the sum of a_(j,t) mu_j."""
    weight, one, most = known
    here = p.under(within(row, 1, length - 1))
    inside = here.under(within(l, 0, row))
    in_row = {"i": row, "a": sp.Lambda(l, weights(row, l)), "D": sp.Lambda(l, slopes(row, l))}
    positive = inside.use(
        weight.for_all(row, lag, why="This holds in every row."),
        {lag: l},
        why="No weight is negative.",
    ).for_all(l, why="This holds for every lag.")
    order = inside.use(
        REWARDED, {lag: l}, why="The loss falls at least as fast with lag 1."
    ).for_all(l, why="This holds for every lag.")
    largest = most.for_all(row, lag, why="This holds in every such row.")
    none = here.lemma(
        SLASH_GD_OFFSET_CAUSAL_ROW.at(**in_row, t=1, mu=0),
        (positive, one, order),
        why="So lag 1 does not fall in any row.",
        goal=le(0, pull(row, 1)),
    )
    with_lag = p.under(within(row, first, length - 1))
    lead = with_lag.lemma(
        SLASH_GD_OFFSET_CAUSAL_ROW.at(**in_row, t=of_lag, mu=mu(row)),
        (positive, one, order, given, largest, *_place(of_lag)),
        why="By hypothesis lag 1 has a margin over the other lag. Lag 1 has the larger weight. "
        "So in such a row lag 1 gains on the other one.",
        goal=le(weights(row, of_lag) * mu(row), pull(row, 1) - pull(row, of_lag)),
    )
    sums = lead.summed(row, first, length - 1, "Sum this bound over the rows that have the lag.")
    goal = le(sums.formula.lhs, move(sp.Integer(1)) - move(of_lag))
    if of_lag == 0:
        alone = p.use(
            one.for_all(row, why="This holds in every row."),
            {row: 0},
            LAG_1,
            why="In particular in row 0.",
        )
        cut = p.split(move(of_lag), sp.Integer(0), "Split row 0 off the sum.", LAG_1)
        return p.show(
            goal,
            "The sum of the differences is the difference of the two sums. So row 0 has the "
            "weight 1 on lag 0. So row 0 moves nothing. So lag 1 gains on lag 0.",
            (sums, cut, alone),
        )
    short = none.summed(
        row, 1, of_lag - 1, "In the rows without the lag, lag 1 does not fall.", OTHER_LAG
    )
    cut = p.split(move(sp.Integer(1)), of_lag - 1, "Split these rows off the sum.", OTHER_LAG)
    return p.show(goal, "So lag 1 gains on the other lag.", sums, cut, short)


def _place(of_lag: Term) -> tuple[Hypothesis, ...]:
    return () if of_lag == 0 else (OTHER_LAG,)


def _prove(p: Proof, of_lag: Term, first: Term) -> None:
    """The proof for one other lag."""
    given, (step_1, step_other) = margins(of_lag, first), steps(of_lag)
    own, weight, one = _shares(p)
    most, times, least = _first_lag(p, own)
    gains = _gains(p, of_lag, first, given, (weight, one, most))
    with_lag = p.under(within(row, first, length - 1))
    gap = with_lag.use(given, why="The margin is not negative.")
    place = _place(of_lag)
    part = with_lag.use(
        times.for_all(row, lag, why="This holds in every such row."), {lag: of_lag}, place,
        why="The weight of the other lag is y times that of lag 1.",
    )  # fmt: skip
    share = with_lag.use(
        least.for_all(row, why="This holds in every such row."),
        place,
        why="Lag 1 has at least its share.",
    )
    y = p.show(lt(0, odds(before, of_lag)), "The number y is positive.")
    whole_positive = p.show(lt(0, odds(before, r)), "Each y is positive.").summed(
        r, 0, length - 1, "So their sum is positive, as there are lags.", LAG_1
    )
    w, a, q, m = real("W A Q M")
    general = p.under(le(1, w * a), lt(0, w), lt(0, q), le(0, m))
    weighed = general.show(
        le((q / w) * m, a * q * m),
        "Divide by W, which is positive. Multiply this bound by Q M, which is not negative.",
        general.show(le(0, q * m), "The product Q M is not negative."),
    )
    each = with_lag.use(
        weighed, {w: whole(before), a: weights(row, 1), q: odds(before, of_lag), m: mu(row)},
        (share, y, gap, whole_positive), why="So the row adds at least y mu over the sum of all y.",
    )  # fmt: skip
    equal = with_lag.show(
        le(each.formula.lhs, weights(row, of_lag) * mu(row)),
        "So it adds at least this.",
        each,
        part,
    ).summed(row, first, length - 1, "Sum this bound over the rows that have the lag.")
    total = sp.Sum(mu(row), (row, first, length - 1))
    pace = total / whole(before) * odds(before, of_lag)
    factor = p.show(eq(equal.formula.lhs, pace), "The factor y over the sum is common to all rows.")
    no_less = gap.scope.show(le(0, mu(row)), "No margin is negative.", gap).summed(
        row, first, length - 1, "So their sum is not negative."
    )
    u, v, x = real("U V X")
    positive = p.under(le(0, u), lt(0, w), lt(0, q)).show(
        le(0, u / w * q), "The quotient of U and W, times Q, is not negative."
    )
    pace_sign = p.use(
        positive, {u: total, w: whole(before), q: odds(before, of_lag)}, no_less, whole_positive, y,
        why="So the pace is not negative.",
    )  # fmt: skip
    lead = p.show(
        le(pace, move(sp.Integer(1)) - move(of_lag)),
        "So lag 1 gains at least the pace.",
        gains,
        equal,
        factor,
    )
    scaled = p.under(le(0, eta), le(u, v)).show(
        le(eta * u, eta * v), "Multiply U <= V by the step size, which is not negative."
    )
    far = p.use(
        scaled, {u: pace, v: lead.formula.rhs}, SIZE, lead, why="Multiply this bound by the step size."
    )  # fmt: skip
    delta = eta * total / whole(before) * odds(before, of_lag)
    delta_sign = p.under(le(0, eta), le(0, u)).show(
        le(0, eta * u), "A product of such numbers is not negative."
    )
    signed = p.use(delta_sign, {u: pace}, SIZE, pace_sign, why="So the gain is not negative.")
    falls = p.show(
        le(after(of_lag) - after(1), before(of_lag) - before(1) - delta),
        "So the other lag falls behind lag 1 by at least delta.",
        (far, step_1, step_other),
    )
    start = p.use(AHEAD, {lag: of_lag}, LAG_1, place, why="Lag 1 was ahead.")
    power = falls.image(sp.exp, "So y shrinks in this step.")
    parted = p.show(
        eq(sp.exp(before(of_lag) - before(1) - delta), sp.exp(-delta) * odds(before, of_lag)),
        "The exponential of the lowered difference is e^-delta times y.",
    )
    tangent = p.lemma(EXP_ABOVE_TANGENT.at(x=delta), why="The exponential lies above its tangent.")
    inverse = p.show(
        eq(kept(sp.Mul, sp.exp(-delta), sp.exp(delta)), 1),
        "The factor e^-delta is the inverse of e^delta.",
    )
    e, f, d = real("E F G")
    small = p.under(le(0, d), le(1 + d, f), eq(e * f, 1), le(x, e * q), lt(0, q), le(0, e))
    done = small.show(
        le(x * (1 + d), q),
        "As E F = 1 and F is at least 1 + G, E (1 + G) is at most 1. Multiply the bound of X "
        "by 1 + G. Multiply this bound by Q, which is positive. So X (1 + G) is at most Q.",
    )
    size = p.show(le(0, sp.exp(-delta)), "An exponential is not negative.")
    shrunk = p.show(
        le(odds(after, of_lag), sp.exp(-delta) * odds(before, of_lag)),
        "So y shrinks by that factor.",
        power,
        parted,
    )
    last = p.use(
        done,
        {
            d: delta,
            f: sp.exp(delta),
            e: sp.exp(-delta),
            x: odds(after, of_lag),
            q: odds(before, of_lag),
        },
        (signed, tangent, inverse, shrunk, y, size),
        why="So y shrinks by at least the factor 1 + delta.",
    )
    p.qed("So lag 1 stays ahead. These are the two parts of the claim.", falls, start, signed, last)


def _attack(
    of_lag: Term, first: Term, without: dict[Hypothesis, Values], idle: dict[Hypothesis, str]
) -> Attack:
    """Mutants, and instances without each hypothesis, for one other lag."""
    step_1, step_other = steps(of_lag)
    mutants = {
        "eight times as fast": result(of_lag, first, 8).args[1],
        "the other lag comes ahead": le(after(1), after(of_lag)),
        "y grows": lt(odds(before, of_lag), odds(after, of_lag)),
    }
    broken = {
        margins(of_lag, first): _three((mu(1), 9), (mu(2), 9)),
        step_1: _three((after(1), -5)),
        step_other: _three((after(0 if of_lag == 0 else 2), 5)),
        SIZE: _three((eta, -1)),
    }
    at = dict.fromkeys(mutants, _three())
    return Attack(mutants, at=at, without={**without, **broken}, idle=idle)


def _hypotheses(of_lag: Term, first: Term) -> tuple[Hypothesis, ...]:
    return (
        LAG_1,
        SOFTMAX,
        AHEAD,
        REWARDED,
        *_place(of_lag),
        margins(of_lag, first),
        *steps(of_lag),
        SIZE,
    )


@theorem(
    "slash.gd.offset-causal-step",
    needs="PX",
    hypotheses=_hypotheses(other, other),
    conclusion=result(other, other),
    attack=_attack(
        other,
        other,
        {
            SOFTMAX: _three((weights(2, 1), -5)),
            AHEAD: _three(
                *((eta, 0), (before(2), sp.log(2)), (weights(2, 0), _half / 2)),
                *((weights(2, 1), _half / 2), (weights(2, 2), _half)),
            ),
            REWARDED: _three((slopes(1, 0), -9)),
            OTHER_LAG: _three((other, 3), (before(3), 5), (after(3), 5)),
        },
        {LAG_1: "a lag above 1 is a second lag"},
    ),
)
def SLASH_GD_OFFSET_CAUSAL_STEP(p: Proof) -> None:
    r"""A step of descent on causal rows widens the lead of lag 1 over longer lags

    In each row $0\le j<N$, $N\ge2$, let the weights of the lags $0\le t\le j$ be the softmax of their
    logits $g_t\le g_1$, and let a loss have derivatives $D_{j,t}$ in them. Let $D_{j,t}\ge D_{j,1}$ for
    all $t$ in the rows $j\ge1$, and $D_{j,s}\ge D_{j,1}+\mu_j$, $\mu_j\ge0$, in the rows $j\ge s$ for a
    lag $2\le s<N$. With $M_j=\sum_{t\le j}a_{j,t}D_{j,t}$ a step of descent of size $\eta\ge0$ gives
    $h_t=g_t+\eta\sum_{j=t}^{N-1}a_{j,t}(M_j-D_{j,t})$. Write $y=e^{g_s-g_1}$, $y'=e^{h_s-h_1}$ and
    $Y=\sum_{t<N}e^{g_t-g_1}$. Then $h_s\le h_1$ and
    $y'\big(1+\eta\,\frac yY\sum_{j=s}^{N-1}\mu_j\big)\le y$.
    """
    _prove(p, other, other)


@theorem(
    "slash.gd.offset-causal-step-own",
    needs="PX",
    hypotheses=_hypotheses(sp.Integer(0), sp.Integer(1)),
    conclusion=result(sp.Integer(0), sp.Integer(1)),
    attack=_attack(
        sp.Integer(0),
        sp.Integer(1),
        {
            LAG_1: {length: 0, eta: 1, before(0): 5, before(1): 0, after(0): 5, after(1): 0},
            SOFTMAX: _three((weights(2, 1), -5)),
            AHEAD: _three(
                *((eta, 0), (before(0), sp.log(2)), (weights(1, 0), 2 * _third)),
                *((weights(1, 1), _third), (weights(2, 0), _half)),
                *((weights(2, 1), _half / 2), (weights(2, 2), _half / 2)),
            ),
            REWARDED: _three(
                *((before(0), -sp.log(2)), (weights(1, 0), _third), (weights(1, 1), 2 * _third)),
                *(
                    (weights(2, 0), _fifth),
                    (weights(2, 1), 2 * _fifth),
                    (weights(2, 2), 2 * _fifth),
                ),
                (slopes(2, 2), -99),
            ),
        },
        {},
    ),
)
def SLASH_GD_OFFSET_CAUSAL_STEP_OWN(p: Proof) -> None:
    r"""A step of descent on causal rows widens the lead of lag 1 over lag 0

    In each row $0\le j<N$, $N\ge2$, let the weights of the lags $0\le t\le j$ be the softmax of their
    logits $g_t\le g_1$, and let a loss have derivatives $D_{j,t}$ in them. In the rows $j\ge1$ let
    $D_{j,t}\ge D_{j,1}$ for all $t$, and $D_{j,0}\ge D_{j,1}+\mu_j$, $\mu_j\ge0$, for lag 0.
    With $M_j=\sum_{t\le j}a_{j,t}D_{j,t}$ a step of descent of size $\eta\ge0$ gives
    $h_t=g_t+\eta\sum_{j=t}^{N-1}a_{j,t}(M_j-D_{j,t})$. Write $y=e^{g_0-g_1}$, $y'=e^{h_0-h_1}$ and
    $Y=\sum_{t<N}e^{g_t-g_1}$. Then $h_0\le h_1$ and
    $y'\big(1+\eta\,\frac yY\sum_{j=1}^{N-1}\mu_j\big)\le y$.
    """
    _prove(p, sp.Integer(0), sp.Integer(1))
