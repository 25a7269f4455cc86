"""The race: a softmax weight is the probability that one of many exponential clocks rings first."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import exp_of_log
from ropeproof.theory.library.exponential.hyperbolic import EXP_SINH_RATIO
from ropeproof.theory.library.sums.blocks import SUMS_TELESCOPE
from ropeproof.theory.library.sums.expand import SUMS_EXPAND
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.softmax.race import race_notation
from ropeproof.theory.topics.softmax.race.race_notation import *

c = real_function("c")
E, T, a, b = real("E T a b")
MEANINGS: Meanings = {
    **race_notation.MEANINGS,
    c: "points of the grid, by key",
    E: "rate of a clock",
    T: "sum of all rates",
    a: "a point of the grid",
    b: "another point of the grid",
}

# -- the joint transform -------------------------------------------------------------------

joint = expected(sp.exp(-over_keys(c(u) * rate(u))))


@theorem(
    "softmax.race-transform",
    hypotheses=(VALUES, KEYS, CHANCES),
    conclusion=eq(joint, sp.exp(over_keys(sp.log(transform(u, c(u)))))),
    attack=Attack(
        {"one key forgotten": eq(joint, sp.exp(over_keys(sp.log(transform(u, c(u))), 1)))},
        at={"one key forgotten": {n: 1, values: 1, p(0, 0): 1, w(0, 0): 0, c(0): 1}},
        without={
            KEYS: {n: -1, values: 2},
            VALUES: {n: 1, values: 0},
            CHANCES: {n: 1, values: 1, p(0, 0): -1, w(0, 0): 0, c(0): 0},
        },
    ),
)
def SOFTMAX_RACE_TRANSFORM(q: Proof) -> None:
    r"""The Laplace transform of independent keys is the product of theirs

    Keys $u<n$ with independent logits $w_u$ (value $x<V$ of key $u$ has probability $p_u(x)>0$):
    $\mathbb E\,e^{-\sum_uc_ue^{w_u}}=\prod_uL_u(c_u)$ with $L_u(v)=\mathbb E\,e^{-ve^{w_u}}$, for
    any numbers $c_u$. The expectation is the sum over all $V^n$ outcomes.
    """
    exponent = sp.log(p(u, x)) - c(u) * sp.exp(w(u, x))
    raw = sp.exp(exponent, evaluate=False)
    at_outcome = over_keys(sp.log(p(u, digit(u, omega))) - c(u) * rate(u))
    all_sums = sp.Sum(raw, (x, 0, values - 1))
    expanded = q.lemma(
        SUMS_EXPAND.at(g=sp.Lambda((u, x), exponent)),
        (VALUES, KEYS),
        why="The product of the keys' sums over values is a sum over all outcomes.",
        goal=eq(all_choices(sp.exp(at_outcome)), sp.exp(over_keys(sp.log(all_sums)))),
    )
    value = q.under(within(u, 0, n - 1), within(x, 0, values - 1))
    likely = value.use(CHANCES, why="Each value of each key has a positive probability.")
    inverse = exp_of_log(value, p(u, x), "As p_u(x) is positive, exp(log p_u(x)) = p_u(x).", likely)
    of_key = value.show(
        eq(raw, p(u, x) * sp.exp(-c(u) * sp.exp(w(u, x)))),
        "So a term of a key's sum is p_u(x) times e^(-c_u e^w).",
        (inverse, likely),
    ).summed(x, 0, values - 1, "Summed over the values, these terms give L_u(c_u).")
    logs = of_key.image(sp.log, "So the logarithm of a key's sum is log L_u(c_u).").summed(
        u, 0, n - 1, "Sum these logarithms over the keys."
    )
    product = logs.image(
        sp.exp, "The exponential turns these sums of logarithms into equal products."
    )
    q.qed(
        "An outcome's product is its probability times e^(-sum c_u E_u). Summed over all "
        "outcomes, this is the expectation of e^(-sum c_u E_u). So the expectation over "
        "outcomes is the product of the keys' transforms.",
        (expanded, product),
    )


# -- one key against the others ------------------------------------------------------------


def beside(key: Term, own: Term, rest: Term) -> Term:
    """exp(-own E_t - rest (T - E_t))."""
    return sp.exp(-own * rate(key) - rest * (total - rate(key)))


AT_KEY = Hypothesis("c is a at the key", eq(c(t), a))
ELSEWHERE = Hypothesis("c is b at all others", every(u, 0, n - 1, If(ne(u, t), eq(c(u), b))))
two_points = eq(expected(beside(t, a, b)), transform(t, a) * others(t, b))


_one_key = {n: 1, values: 1, p(0, 0): 1, w(0, 0): 0, t: 0}
_two_keys = {n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 1, t: 0}
_exchanged = eq(expected(beside(t, a, b)), transform(t, b) * others(t, a))
_exists = "another c has these values"


@theorem(
    "softmax.race-split",
    hypotheses=(VALUES, CHANCES, KEY, AT_KEY, ELSEWHERE),
    conclusion=two_points,
    attack=Attack(
        {"the points exchanged": _exchanged},
        at={"the points exchanged": {**_two_keys, a: 1, b: 0, c(0): 1, c(1): 0}},
        without={CHANCES: {**_one_key, p(0, 0): -1, a: 0, b: 0, c(0): 0}},
        idle={AT_KEY: _exists, ELSEWHERE: _exists},
    ),
)
def SOFTMAX_RACE_SPLIT(q: Proof) -> None:
    r"""The joint transform at one point for a key and another for all others

    If $c_t=a$ and $c_u=b$ for all $u\ne t$ then $\mathbb E\,e^{-aE_t-b(T-E_t)}=L_t(a)\prod_{u\ne
    t}L_u(b)$, $E_u=e^{w_u}$, $T=\sum_uE_u$, for independent logits.
    """
    keys = q.show(le(0, n), "As t is a key, the number of keys is not negative.", KEY)
    whole = q.apply(
        SOFTMAX_RACE_TRANSFORM,
        (VALUES, keys, CHANCES),
        why="The joint transform at the points c_u is the product of the L_u(c_u).",
    )
    outcome = q.under(OUTCOME)
    logs, rates = over_keys(sp.log(transform(u, c(u)))), over_keys(c(u) * rate(u))
    of_logs, of_rates = [], []
    for first, last in ((0, t - 1), (t + 1, n - 1)):
        key = q.under(within(u, first, last))
        at = key.use(
            ELSEWHERE,
            KEY,
            why="A key before or after t is not t. So the point of this key is c_u = b.",
        )
        of_logs.append(
            key.rewrite(
                eq(sp.log(transform(u, c(u))), sp.log(transform(u, b))),
                "So the logarithm of its factor is log L_u(b).",
                at,
            ).summed(u, first, last, "Sum these logarithms over the keys on this side of t.")
        )
        at_rate = key.show(
            eq(c(u) * rate(u), b * rate(u)), "The key's term c_u E_u of the exponent is b E_u.", at
        )
        of_rates.append(
            at_rate.summed(u, first, last, "Sum these terms over the keys on this side of t.")
        )

    def cuts(scope: Scope, term: Term) -> list[Fact]:
        return [
            scope.split(over_keys(term), t, "Split the sum over the keys after t.", KEY),
            scope.last(over_keys(term, 0, t), "Split the term of t off the first part.", KEY),
        ]

    all_rates = over_keys(rate(u))
    exps = outcome.show(
        eq(-rates, -a * rate(t) - b * (all_rates - rate(t))),
        "So the exponent is -a E_t - b (T - E_t).",
        (cuts(outcome, c(u) * rate(u)), cuts(outcome, rate(u)), of_rates, AT_KEY),
    ).image(sp.exp, "Hence the exponentials of both sides are equal.")
    weighed = outcome.rewrite(
        eq(chance * exps.formula.lhs, chance * exps.formula.rhs),
        "Multiply both sides by the outcome's probability.",
        exps,
    ).summed(omega, 0, choices() - 1, "Summed over all outcomes, the two expectations are equal.")
    value = q.under(within(x, 0, values - 1)).use(
        CHANCES, KEY, why="Each value of the key t has a positive probability."
    )
    term = value.scope.show(
        lt(0, p(t, x) * sp.exp(-a * sp.exp(w(t, x)))), "So each term of L_t(a) is positive.", value
    )
    positive = q.show(
        lt(0, transform(t, a)),
        "A sum of at least one positive term is positive. So the transform L_t(a) is positive.",
        (term, VALUES),
    )
    inverse = exp_of_log(
        q, transform(t, a), "As L_t(a) is positive, exp(log L_t(a)) = L_t(a).", positive
    )
    rest = over_keys(sp.log(transform(u, b)), 0, t - 1)
    rest += over_keys(sp.log(transform(u, b)), t + 1)
    own = q.rewrite(
        eq(sp.log(transform(t, c(t))), sp.log(transform(t, a))),
        "At the key t the point is a, so its logarithm is log L_t(a).",
        AT_KEY,
    )
    product = q.show(
        eq(logs, sp.log(transform(t, a)) + rest),
        "So the logarithms sum to log L_t(a) plus the others' log L_u(b).",
        (cuts(q, sp.log(transform(u, c(u)))), of_logs, own),
    ).image(lambda term_: sp.exp(term_, evaluate=False), "Take the exponential of both sides.")
    q.qed(
        "So the expectation is L_t(a) times the product of the others' L_u(b).",
        (whole, weighed, product, inverse),
    )


@theorem(
    "softmax.race-product",
    hypotheses=(VALUES, CHANCES, KEY),
    conclusion=two_points,
    attack=Attack(
        {"the points exchanged": _exchanged},
        at={"the points exchanged": {**_two_keys, a: 1, b: 0}},
        without={CHANCES: {**_one_key, p(0, 0): -1, a: 0, b: 0}},
    ),
)
def SOFTMAX_RACE_PRODUCT(q: Proof) -> None:
    r"""One key at one point, the others at another

    $\mathbb E\,e^{-aE_t-b(T-E_t)}=L_t(a)\prod_{u\ne t}L_u(b)$, $E_u=e^{w_u}$, $T=\sum_uE_u$, for
    independent logits.
    """
    mark = indicator(u, t)
    point = b + (a - b) * mark
    other = q.under(within(u, 0, n - 1), ne(u, t))
    at = other.show(
        eq(point, b),
        "At a key other than t the indicator of t is 0. So at that key the point b + (a - b) "
        "times the indicator is b.",
    )
    q.lemma(
        SOFTMAX_RACE_SPLIT.at(c=sp.Lambda(u, point)),
        (VALUES, CHANCES, KEY, at),
        why="This holds for all keys other than t. The points are a at t and b elsewhere, so the "
        "split at t applies.",
    )


# -- a cell --------------------------------------------------------------------------------

POSITIVE = Hypothesis("the rate is positive", lt(0, E))
ORDER = Hypothesis("the sum is no less", le(E, T))
CELL = Hypothesis("the cell's ends are in order", le(a, b))
middle = (a + b) / 2


def alone(end: Term) -> Term:
    """exp(-v E - m (T - E)) at an end v of the cell."""
    return sp.exp(-end * E - middle * (T - E))


@theorem(
    "softmax.race-cell",
    hypotheses=(POSITIVE, ORDER, CELL),
    conclusion=le(alone(a) - alone(b), E / T * (sp.exp(-a * T) - sp.exp(-b * T))),
    attack=Attack(
        {
            "the left end": le(
                sp.exp(-a * E - a * (T - E)) - sp.exp(-b * E - a * (T - E)),
                E / T * (sp.exp(-a * T) - sp.exp(-b * T)),
            )
        },
        at={"the left end": {E: 1, T: 4, a: 0, b: 2}},
        without={
            POSITIVE: {E: -1, T: 1, a: 0, b: 1},
            ORDER: {E: 2, T: 1, a: 0, b: 2},
            CELL: {E: 1, T: 3, a: 2, b: 0},
        },
    ),
)
def SOFTMAX_RACE_CELL(q: Proof) -> None:
    r"""What the clock gains in a cell beside all others

    $(e^{-aE}-e^{-bE})e^{-m(T-E)}\le\frac ET(e^{-aT}-e^{-bT})$ for $0<E\le T$, $a\le b$,
    $m=\frac{a+b}2$.
    """
    h = (b - a) / 2

    def rise(at: Term) -> Term:
        return sp.exp(h * at) - sp.exp(-h * at)

    order = q.show(
        Both(le(0, E), le(0, h), lt(0, T)),
        "The rate and half the cell are not negative, and T is positive.",
        (POSITIVE, CELL, ORDER),
    )
    ratio = q.apply(
        EXP_SINH_RATIO.at(h=h),
        (order, ORDER),
        why="The ratio sinh(hx)/x rises with x, so T sinh(hE) <= E sinh(hT).",
        goal=le(T * rise(E), E * rise(T)),
    )
    q.qed(
        "The left side is 2 sinh(hE) times e^(-mT). The fall e^(-aT) - e^(-bT) is 2 sinh(hT) "
        "times e^(-mT). The common factor e^(-mT) is positive. Dividing by the positive T "
        "gives sinh(hE) <= (E/T) sinh(hT). Multiplying by 2 e^(-mT) gives the claim.",
        (ratio, order),
    )


# -- the race ------------------------------------------------------------------------------

CELLS = Hypothesis("there are cells, or none", le(0, cells))
START = Hypothesis("the first point is not negative", le(0, v(0)))
GRID = Hypothesis("points rise", every(k, 1, cells, le(v(k - 1), v(k))))
TARGET = Hypothesis("the target is a key", within(target, 0, n - 1))


def at_points(key: Term, point: Term) -> Term:
    """E S_t exp(-v T)."""
    return expected(weight(key) * sp.exp(-point * total))


_even = {n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0}


@theorem(
    "softmax.race-lower",
    hypotheses=(VALUES, CHANCES, KEY, CELLS, START, GRID),
    conclusion=le(low(t), expected(weight(t))),
    attack=Attack(
        {
            "the others at the left end": le(
                sp.Sum(
                    (transform(t, v(k - 1)) - transform(t, v(k))) * others(t, v(k - 1)),
                    (k, 1, cells),
                ),
                expected(weight(t)),
            )
        },
        at={"the others at the left end": {**_even, t: 0, cells: 1, v(0): 0, v(1): 3}},
        without={
            START: {**_even, t: 0, cells: 1, v(0): -3, v(1): 0},
            GRID: {**_even, t: 0, cells: 2, v(0): 0, v(1): -3, v(2): 3},
            CHANCES: {
                **{n: 2, values: 1, p(0, 0): 1, p(1, 0): -1, w(0, 0): 0, w(1, 0): 10, t: 0},
                **{cells: 1, v(0): 0, v(1): 3},
            },
        },
        idle={
            VALUES: "without a value no transform has a term, and the lower sum is 0",
            CELLS: "without a cell the lower sum is 0",
        },
    ),
)
def SOFTMAX_RACE_LOWER(q: Proof) -> None:
    r"""The race, from below

    $\sum_{k=1}^K[L_t(v_{k-1})-L_t(v_k)]\prod_{u\ne t}L_u(\tfrac{v_{k-1}+v_k}2)\le\mathbb ES_t$ for
    $0\le v_0\le\dots\le v_K$.
    """
    outcome = q.under(OUTCOME)
    own = outcome.show(lt(0, rate(t)), "The rate of the key t is positive.")
    inside = outcome.under(within(u, 0, n - 1)).show(
        le(0, rate(u)),
        "The rate of any key is not negative. In particular the rate of each key of the row "
        "is not negative.",
    )
    least = outcome.apply(
        SUMS_MEMBER,
        (inside.for_all(u, why="This holds for every key of the row."), KEY),
        why="A sum of nonnegative terms is at least each of them, so E_t <= T.",
        goal=le(rate(t), total),
    )
    step = q.under(within(k, 1, cells))
    here, there = v(k - 1), v(k)
    point = (here + there) / 2
    falls = sp.exp(-here * total) - sp.exp(-there * total)
    gain = beside(t, here, point) - beside(t, there, point)
    cell = step.under(OUTCOME).apply(
        SOFTMAX_RACE_CELL,
        (own, least, GRID),
        why="The points rise, so the ends of a cell are in order. In each outcome the bound on a "
        "cell holds for E_t and T.",
        goal=le(gain, weight(t) * falls),
    )
    weighed = cell.times(
        chance,
        "The probability of an outcome is not negative. Multiply this inequality by the "
        "outcome's probability.",
    )
    summed = weighed.summed(omega, 0, choices() - 1, "Sum this inequality over all outcomes.")
    sides = [
        step.lemma(
            SOFTMAX_RACE_PRODUCT.at(a=end, b=point),
            (VALUES, CHANCES, KEY),
            why="With t at this end and the others at the middle, the mean is a product.",
        )
        for end in (here, there)
    ]
    cells_sum = step.show(
        le(
            (transform(t, here) - transform(t, there)) * others(t, point),
            at_points(t, here) - at_points(t, there),
        ),
        "The left side is the difference of the expectations at the two ends. The right side "
        "is the difference of E S_t e^(-vT) at the two ends. So the cell's term of the lower "
        "sum is at most that difference.",
        (summed, sides),
    ).summed(k, 1, cells, "Sum these inequalities over all cells.")
    ends_only = q.apply(
        SUMS_TELESCOPE,
        CELLS,
        why="The differences telescope, so only the two ends are left.",
        goal=eq(cells_sum.formula.rhs, at_points(t, v(0)) - at_points(t, v(cells))),
    )
    last = outcome.show(
        le(0, weight(t) * sp.exp(-v(cells) * total)),
        "T is positive, so the weight of t is not negative. The weight times the positive "
        "number e^(-v_K T) is not negative.",
        (own, least),
    )
    last_sum = last.times(
        chance, "Multiplied by the outcome's probability it is not negative, either."
    ).summed(omega, 0, choices() - 1, "So its sum over all outcomes is not negative.")
    factor = outcome.show(
        le(-v(0) * total, 0),
        "As v_0 and T are not negative, -v_0 T is at most 0.",
        (own, least, START),
    ).image(sp.exp, "So the factor e^(-v_0 T) is at most 1.")
    start = outcome.show(
        le(weight(t) * sp.exp(-v(0) * total), weight(t)),
        "So the weight times this factor is at most the weight.",
        (factor, own, least),
    )
    start_sum = start.times(
        chance, "Multiply this inequality by the outcome's probability."
    ).summed(omega, 0, choices() - 1, "Sum this inequality over all outcomes.")
    q.qed(
        "So E S_t e^(-v_0 T) is at most the expected weight E S_t. The expectation E S_t "
        "e^(-v_K T) is not negative. So the lower sum is at most E S_t e^(-v_0 T), which is "
        "at most E S_t.",
        (cells_sum, ends_only, start_sum, last_sum),
    )


@theorem(
    "softmax.race",
    compare=(prior.CERTIFIED,),
    role="main result",
    needs="PCTX",
    hypotheses=(VALUES, CHANCES, ONE, TARGET, CELLS, START, GRID),
    conclusion=Both(
        le(low(target), expected(weight(target))),
        le(
            expected(weight(target)),
            1 - sp.Sum(low(t), (t, 0, target - 1)) - sp.Sum(low(t), (t, target + 1, n - 1)),
        ),
    ),
    example=(
        *where({n: 3, target: 1, values: 1, cells: 2}),
        Every((u, x), eq(p(u, x), 1)),
        Every((u, x), eq(w(u, x), 0)),
        Every((k,), eq(v(k), k)),
    ),
    attack=Attack(
        {
            "the target's own sum also taken away": Both(
                le(low(target), expected(weight(target))),
                le(expected(weight(target)), 1 - sp.Sum(low(t), (t, 0, n - 1))),
            ),
            "the others at the left end": le(
                sp.Sum(
                    (transform(target, v(k - 1)) - transform(target, v(k)))
                    * others(target, v(k - 1)),
                    (k, 1, cells),
                ),
                expected(weight(target)),
            ),
        },
        at={
            "the target's own sum also taken away": {
                **_even,
                target: 0,
                cells: 3,
                v(0): 0,
                v(1): 1,
                v(2): 2,
                v(3): 4,
            },
            "the others at the left end": {**_even, target: 0, cells: 1, v(0): 0, v(1): 3},
        },
        without={
            START: {**_even, target: 0, cells: 1, v(0): -3, v(1): 0},
            # Three steps up come near to the integral, one step down takes less away.
            GRID: {**_even, target: 0, cells: 7, **{v(i): i % 4 for i in range(8)}},
        },
        idle={
            VALUES: "the probabilities of no values do not add up to 1",
            CELLS: "without a cell the lower sums are 0",
        },
    ),
)
def SOFTMAX_RACE(q: Proof) -> None:
    r"""The expected weights of a row of independent keys, between two sums

    Logits $w_u$, $u<n$, independent, each of finite support (value $x<V$ of key $u$ has probability
    $p_u(x)>0$; a key with fewer values has one of them several times). With $L_u(v)=\mathbb
    E\,e^{-ve^{w_u}}$, $0\le v_0\le\dots\le v_K$ and $m_k=\frac{v_{k-1}+v_k}2$ let
    $\mathrm{low}_t=\sum_{k=1}^K[L_t(v_{k-1})-L_t(v_k)]\prod_{u\ne t}L_u(m_k)$. Then
    $\mathrm{low}_\Delta\le\mathbb ES_\Delta\le1-\sum_{t\ne\Delta}\mathrm{low}_t$. The expectation
    is the sum over all $V^n$ outcomes, each with the product of its values' probabilities.
    """
    known = (VALUES, CHANCES, CELLS, START, GRID)
    key = q.under(within(t, 0, n - 1))
    each = key.apply(
        SOFTMAX_RACE_LOWER, known, why="For each key the lower sum is at most the expected weight."
    )
    own = q.apply(
        SOFTMAX_RACE_LOWER,
        (*known, TARGET),
        why="For the target, too, the lower sum is at most the expected weight.",
    )
    sums = [
        q.under(within(t, first, last))
        .use(each, {t: t}, TARGET, why="The same holds for each key on this side of the target.")
        .summed(t, first, last, "Sum this inequality over the keys on this side of the target.")
        for first, last in ((0, target - 1), (target + 1, n - 1))
    ]
    weights = sp.Sum(expected(weight(t)), (t, 0, n - 1))
    cut = q.split(
        weights, target, "Split the sum of all expected weights after the target.", TARGET
    )
    upto = q.last(
        sp.Sum(expected(weight(t)), (t, 0, target)),
        "Split the target's own weight off the first part.",
        TARGET,
    )
    exchanged = q.swap(weights, "Exchange the sum over keys and the sum over outcomes.")
    outcome = q.under(OUTCOME)
    positive = outcome.show(lt(0, rate(u)), "The rate of every key is positive.")
    all_one = outcome.show(
        eq(sp.Sum(chance * weight(t), (t, 0, n - 1)), chance),
        "So the sum T of the rates is positive. As the weights add up to 1, their products "
        "with the outcome's probability add up to it.",
        positive.summed(
            u,
            0,
            n - 1,
            "As the target is a key, the row has at least one key. A sum of at least one "
            "positive rate is positive.",
            TARGET,
        ),
    ).summed(omega, 0, choices() - 1, "Sum this equation over all outcomes.")
    certain = q.lemma(
        SOFTMAX_RACE_TRANSFORM.at(c=sp.Lambda(u, 0)),
        (VALUES, TARGET, CHANCES),
        why="As the target is a key, the number of keys is not negative. The probabilities of "
        "all outcomes add up to the product of the keys' sums.",
    )
    at_key = q.under(within(u, 0, n - 1)).use(ONE, why="The probabilities of each key add up to 1.")
    log = at_key.image(sp.log, "So the logarithm of each key's sum is 0.")
    logs = log.summed(u, 0, n - 1, "So the sum of these logarithms is 0.")
    unity = logs.image(sp.exp, "So the product of the keys' sums is 1.")
    q.qed(
        "So the expected weights of all keys add up to 1. The target has 1 minus the others' "
        "expected weights, each at least its lower sum.",
        (own, sums, cut, upto, exchanged, all_one, certain, unity),
    )
