"""Training on induction selects offset 1 where each lag has a logit of its own and early rows lose mass."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.slash.descent.offset import signs as offset_signs
from ropeproof.theory.topics.slash.descent.offset import step as offset_step
from ropeproof.theory.topics.slash.descent.offset.last_place import (
    SLASH_GD_OFFSET_LAST_PLACE,
    last_floor,
)
from ropeproof.theory.topics.slash.descent.offset.lead import SLASH_GD_OFFSET_LEAD
from ropeproof.theory.topics.slash.descent.offset.signs import (
    SLASH_GD_OFFSET_SIGNS,
    floor,
    index,
    lag,
    length,
    occurs,
    r,
)

k = integer("k")
weights, logits, derivative = real_function("a"), real_function("g"), real_function("D")
token, law = real_function("e"), real_function("pi")
MEANINGS: Meanings = {
    **offset_step.MEANINGS,
    **offset_signs.MEANINGS,
    n: "number of steps",
    k: "a step",
    weights: "weight of a lag in layer 1, by step",
    logits: "logit of a lag in layer 1, by step",
    derivative: "derivative of the mean loss in the weight of a lag, by step",
    token: "inner product of the last token and the one at a position, by place p",
    law: "probability of a place",
}
lags = within(lag, 0, length - 1)
places = within(occurs, 0, length - 2)


def logit(at: Term, position: Term) -> Term:
    """beta <x_last, z_j> after k steps, for the token at p."""
    return offset_signs.beta * sp.Sum(
        weights(at, r) * token(occurs, position - r), (r, 0, length - 1)
    )


def slope(at: Term, of: Term | int) -> Term:
    """The derivative of ln Z - w_(p+1) in the weight of a lag, after k steps, for the token at p."""
    whole = sp.Sum(sp.exp(logit(at, j)), (j, 0, length - 1))
    mean = sp.Sum(sp.exp(logit(at, j)) / whole * token(occurs, j - of), (j, 0, length - 1))
    return offset_signs.beta * (mean - token(occurs, occurs + 1 - of))


def ratio(at: Term | int) -> Term:
    """X after so many steps."""
    return sp.Sum(sp.exp(logits(at, r) - logits(at, 1)), (r, 0, length - 1)) - 1


def _always(condition: Formula, body: Formula) -> Formula:
    return Every((k, lag), If(Both(le(0, k), *condition.args), body))


LAG_1 = Hypothesis("there is lag 1", le(2, length))
LAW = Hypothesis("no probability is negative", Every((occurs,), If(places, le(0, law(occurs)))))
TOTAL = Hypothesis(
    "the probabilities of the places add up to 1",
    eq(sp.Sum(law(occurs), (occurs, 0, length - 2)), 1),
)
TOKENS = Hypothesis(
    "the tokens are orthonormal, and the last one occurs at p as well",
    Every(
        (occurs, index),
        If(
            Both(*places.args, *within(index, 1 - length, length - 1).args),
            Both(
                If(Either(eq(index, occurs), eq(index, length - 1)), eq(token(occurs, index), 1)),
                If(Both(ne(index, occurs), ne(index, length - 1)), eq(token(occurs, index), 0)),
            ),
        ),
    ),
)
SOFTMAX = Hypothesis(
    "the weights are the softmax of the logits",
    _always(
        lags,
        eq(
            weights(k, lag),
            sp.exp(logits(k, lag)) / sp.Sum(sp.exp(logits(k, r)), (r, 0, length - 1)),
        ),
    ),
)
DERIVATIVE = Hypothesis(
    "D is the derivative of the mean loss",
    _always(
        lags, eq(derivative(k, lag), sp.Sum(law(occurs) * slope(k, lag), (occurs, 0, length - 2)))
    ),
)
mean = sp.Sum(weights(k, r) * derivative(k, r), (r, 0, length - 1))
STEP = Hypothesis(
    "each step is one of descent on the lags' logits",
    _always(
        lags,
        eq(
            logits(k + 1, lag),
            logits(k, lag) - offset_step.eta * weights(k, lag) * (derivative(k, lag) - mean),
        ),
    ),
)
SIZE = Hypothesis("the step is not negative", le(0, offset_step.eta))
START = Hypothesis(
    "at the start lag 1 has the largest logit",
    Every((lag,), If(lags, le(logits(0, lag), logits(0, 1)))),
)
STEPS = Hypothesis("a number of steps", le(0, n))

margin = floor * (1 - law(length - 2)) + last_floor * law(length - 2)
pace = offset_step.eta * margin * weights(0, 1) ** 2


def ahead(at: Term) -> Formula:
    """Lag 1 has the largest logit."""
    return Every((lag,), If(lags, le(logits(at, lag), logits(at, 1))))


def until(at: Term) -> Formula:
    """X_k (1 + k eta c a_1(0)^2 X_0) <= X_0."""
    return le(ratio(at) * (1 + at * pace * ratio(0)), ratio(0))


share = eq(weights(n, 1) * (1 + ratio(n)), 1)

_half = sp.Rational(1, 2)
_three = (
    Every((occurs,), eq(law(occurs), _half)),
    Every(
        (occurs, index),
        eq(
            token(occurs, index),
            sp.Max(0, 1 - sp.Abs(index - occurs)) + sp.Max(0, 1 - sp.Abs(index - 2)),
        ),
    ),
    eq(length, 3), eq(offset_signs.beta, 1), eq(offset_step.eta, 1), eq(n, 1),
)  # fmt: skip
"""Three tokens, the earlier place at 0 or 1 with equal probability, and steps of size 1."""


def _share(p: Proof) -> tuple[Fact, Fact]:
    """After k steps a_t Z = e^{g_t} for a lag t; and Z, the sum of the exponentials, is positive."""
    time = p.under(le(0, k))
    each = time.under(within(r, 0, length - 1)).show(
        lt(0, sp.exp(logits(k, r))), "The exponential of a logit is positive."
    )
    total = each.summed(
        r, 0, length - 1, "So the sum of the exponentials is positive, as there are lags.", LAG_1
    )
    inside = p.under(le(0, k), within(lag, 0, length - 1))
    soft = inside.use(SOFTMAX, why="By hypothesis the weights are a softmax.")
    own = inside.show(
        eq(weights(k, lag) * total.formula.rhs, sp.exp(logits(k, lag))),
        "So the weight of the lag times the sum is its exponential.",
        (soft, total),
    )
    return own, total


def _simplex(p: Proof, own: Fact, total: Fact) -> tuple[Fact, Fact]:
    """After k steps no weight is negative; and they add up to 1."""
    inside = p.under(le(0, k), within(lag, 0, length - 1))
    time = p.under(le(0, k))
    weight = inside.show(
        le(0, weights(k, lag)),
        "The exponential of a logit is positive. So no weight is negative.",
        (own, total),
    )
    shares = own.summed(lag, 0, length - 1, "Sum these shares over the lags.")
    sum_ = sp.Sum(weights(k, lag), (lag, 0, length - 1))
    one = time.show(
        eq(sum_, 1),
        "The sum Z of the exponentials is a common factor of the shares. So the weights add "
        "up to 1.",
        (shares, total),
    )
    return weight, one


def _at_lag_1(time: Scope) -> Fact:
    """D_1 is the mean derivative at lag 1, by way of a lag that is 1."""
    one = time.under(eq(lag, 1))
    same = one.given(eq(lag, 1), "Suppose that the lag t is 1.")
    there = one.use(DERIVATIVE, LAG_1, same, why="By hypothesis D_t is the mean derivative.")
    each = one.rewrite(
        eq(token(occurs, j - lag), token(occurs, j - 1)),
        "The token seen at lag t is the one seen at lag 1.",
        same,
    )
    whole = sp.Sum(sp.exp(logit(k, j)), (j, 0, length - 1))
    seen = each.times(
        sp.exp(logit(k, j)) / whole, "Multiply both by the weight of the position."
    ).summed(j, 0, length - 1, "So the tokens seen in the mean are the same.")
    own = one.rewrite(
        eq(token(occurs, occurs + 1 - lag), token(occurs, occurs)),
        "The token of the target is the same, too.",
        same,
    )
    slopes_ = one.show(
        eq(law(occurs) * slope(k, lag), law(occurs) * slope(k, 1)),
        "So for each place p the two derivatives are equal.",
        (seen, own),
    ).summed(occurs, 0, length - 2, "So the two mean derivatives are equal.")
    mine = one.rewrite(eq(derivative(k, lag), derivative(k, 1)), "As t is 1, D_t is D_1.", same)
    both = one.show(
        eq(derivative(k, 1), slopes_.formula.rhs),
        "So D_1 is the mean derivative at lag 1.",
        (there, slopes_, mine),
    )
    return time.use(both, {lag: 1}, why="Take the lag t to be 1.")


def _gap(p: Proof, own: Fact, total: Fact) -> Fact:
    """D_1 + c <= D_t after k steps, for every other lag."""
    weight, one = _simplex(p, own, total)
    time = p.under(le(0, k))
    all_weights = weight.for_all(lag, why="This holds for every lag.")
    member = time.lemma(
        SUMS_MEMBER.at(m=length, k=1, f=sp.Lambda(r, weights(k, r))),
        (all_weights, LAG_1),
        why="So lag 1 has at most all of the weight.",
    )
    other = Both(*lags.args, ne(lag, 1))
    values = {"a": sp.Lambda(r, weights(k, r)), "e": sp.Lambda(r, token(occurs, r))}

    early = time.under(within(occurs, 0, length - 3))
    seen = (
        early.under(within(index, 1 - length, length - 1))
        .use(TOKENS, why="The tokens are orthonormal.")
        .for_all(index, why="This holds at every index.")
    )
    signs = early.lemma(
        SLASH_GD_OFFSET_SIGNS.at(**values),
        (offset_signs.POSITIVE, seen, all_weights, member, one),
        why="So the weight of lag 1 is at most 1. So the loss falls with lag 1 and with no other.",
    )
    _, down, up = signs.parts("This is one of the parts of that statement.")
    early_lag = early.under(other)
    up_here = early_lag.use(up, why="In particular this holds for this lag.")
    difference = law(occurs) * slope(k, lag) - law(occurs) * slope(k, 1)
    x, y, q = real("X Y Q")
    times = p.under(le(0, q), le(x, y)).show(
        le(q * x, q * y), "Multiply X <= Y by Q, which is not negative."
    )
    product = early_lag.use(
        times,
        {q: law(occurs), x: floor, y: slope(k, lag) - slope(k, 1)},
        (LAW, up_here, down),
        why="The probability of the place is not negative. So the derivatives differ by at least "
        "the floor of the early places. Multiply this bound by the probability of the place.",
        goal=le(law(occurs) * floor, difference),
    )
    body = product.summed(occurs, 0, length - 3, "Sum this bound over the places before the last.")

    late = time.under(eq(occurs, length - 2))
    seen_late = (
        late.under(within(index, 1 - length, length - 1))
        .use(TOKENS, LAG_1, why="The tokens are orthonormal.")
        .for_all(index, why="This holds at every index.")
    )
    last_place = late.lemma(
        SLASH_GD_OFFSET_LAST_PLACE.at(**values),
        (offset_signs.POSITIVE, LAG_1, seen_late, all_weights, one),
        why="So the weights add up to at most 1. Directly before the end the loss falls fastest "
        "with lag 1, too.",
    )
    _, leads = last_place.parts("This is one of the parts of that statement.")
    late_lag = late.under(other)
    lead = late_lag.use(leads, why="In particular this holds for this lag.")
    end = late_lag.use(
        times,
        {q: law(occurs), x: last_floor, y: slope(k, lag) - slope(k, 1)},
        (LAW, LAG_1, lead),
        why="The probability of the last place is not negative. So the derivatives differ by at "
        "least the floor of the last place. Multiply this bound by the probability of the "
        "last place.",
        goal=le(law(occurs) * last_floor, difference),
    )
    at_end = end.for_all(occurs, why="This holds for the place N - 2.")
    here = time.under(other)
    tail = here.use(at_end, {occurs: length - 2}, why="Take N - 2 for the place.")

    differences = sp.Sum(difference, (occurs, 0, length - 2))
    cut = here.last(differences, "Split the last place off the sum of the differences.", LAG_1)
    mass = here.last(
        sp.Sum(law(occurs), (occurs, 0, length - 2)),
        "Split the last place off the sum of the probabilities.",
        LAG_1,
    )
    mine = here.use(DERIVATIVE, why="By hypothesis D_t is the mean derivative.")
    ones = _at_lag_1(time)
    return here.show(
        le(derivative(k, 1) + margin, derivative(k, lag)),
        "The floor is a common factor of the sum over the places. So the sum of the "
        "differences is at least the margin c. The sum of the differences is the difference "
        "of the two sums. So D_t exceeds D_1 by at least the margin.",
        (body, cut, mass, tail, TOTAL, mine, ones),
    )


def _margin_sign(p: Proof) -> Fact:
    """0 <= c."""
    last = p.use(
        LAW, {occurs: length - 2}, LAG_1, why="The probability of the last place is not negative."
    )
    inside = p.under(within(occurs, 0, length - 2))
    each = inside.use(LAW, why="The probability of a place is not negative.")
    member = p.lemma(
        SUMS_MEMBER.at(m=length - 1, k=length - 2, f=sp.Lambda(occurs, law(occurs))),
        (each.for_all(occurs, why="This holds for all places."), LAG_1),
        why="So the last place's probability is at most the sum of all.",
        goal=le(law(length - 2), sp.Sum(law(occurs), (occurs, 0, length - 2))),
    )
    one = p.show(
        le(0, floor),
        "The exponential of beta is positive. So the floor of the places before the last is "
        "not negative.",
        (offset_signs.POSITIVE, LAG_1),
    )
    rows = p.show(
        le(0, (length - 1) * sp.exp(offset_signs.beta)),
        "The product (N - 1) e^beta is not negative.",
        LAG_1,
    )
    two = p.show(
        le(0, last_floor),
        "So the floor of the last place is not negative.",
        (rows, offset_signs.POSITIVE),
    )
    first = p.show(
        le(0, floor * (1 - law(length - 2))),
        "As this sum is 1, the probability is at most 1. The floor times 1 minus the "
        "probability of the last place is not negative.",
        (one, member, TOTAL),
    )
    second = p.show(
        le(0, last_floor * law(length - 2)),
        "The last floor times the probability of the last place is not negative.",
        (two, last),
    )
    return p.show(le(0, margin), "So the margin is not negative.", first, second)


def _steps(p: Proof) -> tuple[Fact, Fact, Fact]:
    """After k steps lag 1 is ahead; how the next one shrinks X; and a_1 (1 + X) = 1."""
    own, total = _share(p)
    gap = _gap(p, own, total)
    sign = _margin_sign(p)
    time = p.under(le(0, k))
    lag_here = time.under(within(lag, 0, length - 1))
    soft = own.for_all(lag, why="This holds at every lag.")
    step = lag_here.use(STEP, why="By hypothesis the step is one of descent.").for_all(
        lag, why="This holds at every lag."
    )
    gaps = gap.for_all(lag, why="This holds for every other lag.")

    def moved(scope: Scope, order: Fact) -> list[Fact]:
        whole = scope.apply(
            SLASH_GD_OFFSET_LEAD, LAG_1, soft, order, sign, gaps, step, SIZE,
            why="So a step shrinks X, and lag 1 stays ahead.",
        )  # fmt: skip
        return whole.parts("This is one of the parts of that statement.")

    led = time.supposing(ahead(k))
    stays, *_ = moved(
        led, led.step(ahead(k), rules.smt(), "Suppose that lag 1 is ahead after k steps.")
    )
    start = p.step(START.formula, rules.smt(), "By hypothesis lag 1 is ahead at the start.", START)
    always = time.induction(
        ahead(k), k, 0, start, stays, why="By induction lag 1 is ahead after every number of steps."
    )
    _, shrinks, odds = moved(time, always)
    return always, shrinks, odds


def _not_negative(p: Proof) -> Fact:
    """0 <= X after k steps."""
    time = p.under(le(0, k))
    member = time.lemma(
        SUMS_MEMBER.at(m=length, k=1, f=sp.Lambda(r, sp.exp(logits(k, r) - logits(k, 1)))),
        LAG_1,
        why="The exponential of a difference of logits is not negative. This holds for all lags. "
        "So their sum is at least lag 1's, which is 1.",
    )
    return time.show(le(0, ratio(k)), "So X is not negative.", member)


def _run(
    size: int,
    *probabilities: Term | int,
    steps: int = 1,
    but: Mapping[Term, Term | int] | None = None,
) -> Values:
    """So many tokens, the law of the earlier place, and steps of size 1 from equal logits.

    All that follows, the hypotheses define: weights, derivatives and the next logits. `but` has
    values that are otherwise.
    """
    at: Values = {length: size, offset_signs.beta: 1, offset_step.eta: 1, n: steps}
    at |= {law(place): value for place, value in enumerate(probabilities)}
    at |= {
        token(place, i): int(i in (place, size - 1))
        for place in range(size - 1)
        for i in range(1 - size, size)
    }
    return at | {logits(0, t): 0 for t in range(size)} | dict(but or {})


@theorem(
    "slash.gd.offset-found",
    compare=(prior.TRAINED_COPIER, prior.TRAINED_INDUCTION),
    needs="PTX",
    hypotheses=(
        LAG_1, offset_signs.POSITIVE, LAW, TOTAL, TOKENS, SOFTMAX, DERIVATIVE, STEP, SIZE, START, STEPS,
    ),
    example=_three,
    conclusion=Both(ahead(n), until(n), share),
    attack=Attack(
        {
            "eight times as fast": le(ratio(n) * (1 + 8 * n * pace * ratio(0)), ratio(0)),
            "lag 0 comes ahead": le(logits(n, 1), logits(n, 0)),
            "X grows": lt(ratio(0), ratio(n)),
        },
        at={
            "eight times as fast": _run(2, 1),
            "lag 0 comes ahead": _run(3, _half, _half, steps=2),
            "X grows": _run(3, _half, _half),
        },
        without={
            offset_signs.POSITIVE: _run(2, 1, but={offset_signs.beta: -1}),
            LAW: _run(3, -9, 10),
            TOTAL: _run(2, 0),
            TOKENS: _run(2, 1, but={token(0, 0): 0, token(0, 1): 0}),
            SOFTMAX: _run(2, 1, but={weights(1, 1): 9}),
            DERIVATIVE: _run(2, 1, but={derivative(0, 0): -9, derivative(0, 1): 0}),
            STEP: _run(2, 1, but={logits(1, 0): 5, logits(1, 1): 0}),
            SIZE: _run(2, 1, but={offset_step.eta: -1}),
            START: _run(2, 1, steps=0, but={logits(0, 0): 9}),
            STEPS: _run(2, 1, steps=-1, but={logits(-1, 0): 5, logits(-1, 1): 0}),
        },
        idle={LAG_1: "without lag 1 there is no place, and the probabilities add up to 0, not 1"},
    ),
)  # fmt: skip
def SLASH_GD_OFFSET_FOUND(p: Proof) -> None:
    r"""One free logit a lag, trained on induction, selects offset 1, at a rate of one over the steps

    Two layers as in `slash.gd.offset-signs`, the first with the same weights in every row, of which
    early rows lose the mass of the lags that they lack, read $N\ge2$ tokens; the last one occurred
    before at a random place $0\le p\le N-2$ of any law $\pi$ (also directly before the end), and
    the loss is the mean over $p$. The lags $0\le t<N$ have weights $a=\mathrm{softmax}(g)$, and
    each step of descent of size $\eta\ge0$ moves $g_t$ by $-\eta a_t\big(D_t-\sum_ra_rD_r\big)$,
    $D_t$ the derivative of the mean loss in $a_t$ ($\beta>0$). At the start $g_t\le g_1$ for all
    $t$ (all equal, say). Then $g_t\le g_1$ after $n$ steps as well, and $X=\frac{1-a_1}{a_1}$,
    which is $\sum_te^{g_t-g_1}-1$, obeys $X_n\big(1+n\,\eta\,c\,a_1(0)^2X_0\big)\le X_0$ with
    $c=\frac{\beta(N-1)}{N-1+e^\beta}(1-\pi_{N-2})+\frac{\beta}{1+(N-1)e^\beta}\pi_{N-2}$. So if
    $\eta>0$, $n\ge1$ then $1-a_1\le X_n\le\frac1{n\,\eta\,c\,a_1(0)^2}$ at any step size.
    """
    always, shrinks, odds = _steps(p)
    positive = _not_negative(p)
    time = p.under(le(0, k))
    positive_always = positive.for_all(k, why="This holds after any number of steps.")
    started = p.use(positive_always, {k: 0}, why="In particular X is not negative at the start.")
    odds_always = odds.for_all(k, why="This holds after any number of steps.")
    sign = _margin_sign(p)

    x, y, w, a, b, e, q = real("X Y W A B F Q")
    small = p.under(le(0, x), le(0, w), le(0, q), le(x * (1 + q * w), w))
    below = small.show(
        le(x, w),
        "The product X Q W of numbers that are not negative is not negative. As this product "
        "is not negative, X is at most W.",
    )
    weigh = p.under(le(0, x), le(x, w), eq(a * (1 + x), 1), eq(b * (1 + w), 1))
    first_positive = weigh.show(le(0, b), "The number B is not negative, as B (1 + W) = 1.")
    larger = weigh.show(le(b, a), "As X is at most W, the weight A is at least B.", first_positive)
    squares = weigh.show(
        le(b**2, a**2), "So the square of A is at least that of B.", (larger, first_positive)
    )
    slower = p.under(le(0, x), le(0, y), le(0, e), le(b**2, a**2), le(y * (1 + e * a**2 * x), x))
    slow = slower.show(
        le(y * (1 + e * b**2 * x), x),
        "The product F X of numbers that are not negative is not negative. Multiply B^2 <= "
        "A^2 by F X. Multiply this inequality by Y. So the bound with the smaller square B^2 "
        "holds as well.",
    )
    one_more = p.under(
        le(0, x),
        le(0, y),
        le(0, w),
        le(0, q),
        le(0, e),
        le(y * (1 + q * x), x),
        le(x * (1 + e * w), w),
    )
    some = one_more.under(lt(0, x)).show(
        le(y * (1 + (e + q) * w), w),
        "Multiply the second bound by Y. Multiply the first bound by W. Add up these two "
        "inequalities. If X is positive, cancel it on both sides.",
    )
    zero = one_more.under(eq(x, 0)).show(eq(y, 0), "If X is 0, then Y is 0.", by=rules.smt())
    none = zero.scope.show(le(y * (1 + (e + q) * w), w), "So the bound holds if X is 0.", zero)
    both = one_more.show(
        le(y * (1 + (e + q) * w), w), "So the bound holds in both cases.", (some, none)
    )

    start = p.show(kept_at(until(k), k, 0), "Before the first step both sides are X_0.")
    led = time.under(until(k))
    known = led.use(
        below,
        {x: ratio(k), w: ratio(0), q: k * pace},
        (positive, started, SIZE, sign),
        why="The product of step size and margin is not negative. The square of the first weight "
        "is not negative. So the pace eta c a_1(0)^2 is not negative. The product k times "
        "the pace is not negative. So X has not grown since the start.",
    )
    wider = led.use(
        squares,
        {x: ratio(k), w: ratio(0), a: weights(k, 1), b: weights(0, 1)},
        (positive, started, known, odds, odds_always),
        why="In particular a_1 (1 + X) = 1 at the start. So the weight of lag 1 has not shrunk "
        "since the start.",
    )
    steady = led.use(
        slow,
        {
            x: ratio(k),
            y: ratio(k + 1),
            a: weights(k, 1),
            b: weights(0, 1),
            e: offset_step.eta * margin,
        },
        (positive, positive_always, SIZE, sign, wider, shrinks),
        why="In particular X is not negative after the next step. So the step shrinks X by at "
        "least as much as the first.",
    )
    goal = led.use(
        both,
        {x: ratio(k), y: ratio(k + 1), w: ratio(0), q: pace, e: k * pace},
        (positive, positive_always, started, SIZE, sign, steady),
        why="So the bound holds with one more step.",
    )
    next_one = led.show(until(k + 1), "This is the bound after k + 1 steps.", goal)
    bound = time.induction(
        until(k),
        k,
        0,
        start,
        next_one,
        why="By induction the bound holds after any number of steps.",
    )
    ends = [
        p.use(
            fact.for_all(k, why="This holds after any number of steps."),
            STEPS,
            why="In particular it holds after n steps.",
        )
        for fact in (always, bound, odds)
    ]
    p.qed("These are the three parts of the claim.", ends)
