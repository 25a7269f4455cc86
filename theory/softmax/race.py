"""The race: a softmax weight is the chance that one of many exponential clocks rings first."""

from ropeproof.theory.exponential import exp_of_log, exponentials
from ropeproof.theory.language import *
from ropeproof.theory.notation import m as size
from ropeproof.theory.notation import n
from ropeproof.theory.order import times
from ropeproof.theory.softmax.race_cell import EXP_SINH_RATIO
from ropeproof.theory.softmax.race_cell import E as RATE
from ropeproof.theory.softmax.race_cell import T as TOTAL
from ropeproof.theory.softmax.race_cell import h as half
from ropeproof.theory.softmax.race_notation import (
    CHANCES,
    KEY,
    KEYS,
    ONE,
    OUTCOME,
    VALUES,
    all_choices,
    cells,
    chance,
    choices,
    digit,
    expected,
    k,
    low,
    omega,
    others,
    over_keys,
    p,
    rate,
    t,
    target,
    total,
    transform,
    u,
    v,
    values,
    w,
    weight,
    x,
)
from ropeproof.theory.sums.blocks import SUMS_TELESCOPE
from ropeproof.theory.sums.blocks import f as of_step
from ropeproof.theory.sums.blocks import h as steps
from ropeproof.theory.sums.expand import SUMS_EXPAND, g
from ropeproof.theory.sums.indicators import indicator
from ropeproof.theory.sums.terms import SUMS_MEMBER
from ropeproof.theory.sums.terms import f as member
from ropeproof.theory.sums.terms import k as place

c = real_function("c")
E, T, a, b = real("E T a b")

# -- the joint transform -------------------------------------------------------------------

joint = expected(sp.exp(-over_keys(c(u) * rate(u))))

_TRANSFORM = Claim(
    id="softmax.race-transform",
    title="The Laplace transform of independent keys is the product of theirs",
    statement=(
        r"Keys $u<n$ with independent logits $w_u$ (value $x<V$ of key $u$ has chance $p_u(x)>0$): "
        r"$\mathbb E\,e^{-\sum_uc_ue^{w_u}}=\prod_uL_u(c_u)$ with $L_u(v)=\mathbb E\,e^{-ve^{w_u}}$, for "
        r"any numbers $c_u$. The expectation is the sum over all $V^n$ outcomes."
    ),
    needs=frozenset("PX"),
    hypotheses=(VALUES, KEYS, CHANCES),
    conclusion=eq(joint, sp.exp(over_keys(sp.log(transform(u, c(u)))))),
)


def _transform(q: Proof) -> None:
    exponent = sp.log(p(u, x)) - c(u) * sp.exp(w(u, x))
    raw = sp.exp(exponent, evaluate=False)
    at_outcome = over_keys(sp.log(p(u, digit(u, omega))) - c(u) * rate(u))
    all_sums = sp.Sum(raw, (x, 0, values - 1))
    expanded = q.lemma(
        SUMS_EXPAND,
        {g: sp.Lambda((u, x), exponent)},
        (VALUES, KEYS),
        why="The product of the keys' sums is the sum over all outcomes,",
        goal=eq(all_choices(sp.exp(at_outcome)), sp.exp(over_keys(sp.log(all_sums)))),
    )
    outcome = q.under(OUTCOME)
    parts = outcome.show(
        eq(sp.exp(at_outcome), chance * sp.exp(-over_keys(c(u) * rate(u)))),
        "each of its chance times the exponential.",
    ).summed(omega, 0, choices() - 1, "In sum:")
    value = q.under(within(u, 0, n - 1), within(x, 0, values - 1))
    likely = value.use(CHANCES, {u: u, x: x}, why="Chances are positive,")
    inverse = exp_of_log(value, p(u, x), "so that exp undoes log:", likely)
    term = value.show(
        eq(raw, p(u, x) * sp.exp(-c(u) * sp.exp(w(u, x)))), "a term of a key's sum", inverse, likely
    )
    of_key = term.summed(x, 0, values - 1, "is one of L,")
    logs = of_key.image(sp.log, "also in logarithms,").summed(u, 0, n - 1, "in sum over the keys,")
    product = logs.image(sp.exp, "and so in the product.")
    q.qed("Together.", expanded, parts, product)


SOFTMAX_RACE_TRANSFORM = prove(
    _TRANSFORM,
    _transform,
    Attack(
        {"one key forgotten": eq(joint, sp.exp(over_keys(sp.log(transform(u, c(u))), 1)))},
        at={"one key forgotten": {n: 1, values: 1, p(0, 0): 1, w(0, 0): 0, c(0): 1}},
        without={
            KEYS: {n: -1, values: 2},
            VALUES: {n: 1, values: 0},
            CHANCES: {n: 1, values: 1, p(0, 0): -1, w(0, 0): 0, c(0): 0},
        },
    ),
)

# -- one key against the others ------------------------------------------------------------


def beside(key: Any, own: Any, rest: Any) -> Any:
    """exp(-own E_t - rest (T - E_t))."""
    return sp.exp(-own * rate(key) - rest * (total - rate(key)))


AT_KEY = Hypothesis("c is a at the key", eq(c(t), a))
ELSEWHERE = Hypothesis("c is b at all others", every(u, 0, n - 1, If(ne(u, t), eq(c(u), b))))
two_points = eq(expected(beside(t, a, b)), transform(t, a) * others(t, b))

_SPLIT = Claim(
    id="softmax.race-split",
    title="The joint transform at one point for a key and another for all others",
    statement=(
        r"If $c_t=a$ and $c_u=b$ for all $u\ne t$ then $\mathbb E\,e^{-aE_t-b(T-E_t)}=L_t(a)"
        r"\prod_{u\ne t}L_u(b)$, $E_u=e^{w_u}$, $T=\sum_uE_u$, for independent logits."
    ),
    needs=frozenset("PX"),
    hypotheses=(VALUES, CHANCES, KEY, AT_KEY, ELSEWHERE),
    conclusion=two_points,
)


def _split(q: Proof) -> None:
    keys = q.show(le(0, n), "There are keys.", KEY, by=rules.smt())
    whole = q.lemma(
        SOFTMAX_RACE_TRANSFORM, None, (VALUES, keys, CHANCES), why="The joint transform at c."
    )
    outcome = q.under(OUTCOME)
    logs, rates = over_keys(sp.log(transform(u, c(u)))), over_keys(c(u) * rate(u))
    of_logs, of_rates = [], []
    for first, last in ((0, t - 1), (t + 1, n - 1)):
        key = q.under(within(u, first, last))
        apart = key.show(ne(u, t), "(Another key)", by=rules.smt())
        at = key.use(ELSEWHERE, {u: u}, apart, KEY, why="(has c = b,")
        of_logs.append(
            key.rewrite(
                eq(sp.log(transform(u, c(u))), sp.log(transform(u, b))), "and the factor L(b))", at
            ).summed(u, first, last, "in sum,")
        )
        at_rate = key.show(eq(c(u) * rate(u), b * rate(u)), "(its rate times b)", at)
        of_rates.append(at_rate.summed(u, first, last, "in sum."))

    def cuts(scope: Scope, term: Any) -> list[Fact]:
        return [
            scope.split(over_keys(term), t, "Split after the key", KEY),
            scope.last(over_keys(term, 0, t), "and before it.", KEY),
        ]

    all_rates = over_keys(rate(u))
    exponent = outcome.show(
        eq(-rates, -a * rate(t) - b * (all_rates - rate(t))),
        "So the exponent is this,",
        (cuts(outcome, c(u) * rate(u)), cuts(outcome, rate(u)), of_rates, AT_KEY),
        by=rules.smt(),
    )
    exps = exponent.image(sp.exp, "its exponential too,")
    weighed = outcome.rewrite(
        eq(chance * exps.formula.lhs, chance * exps.formula.rhs), "weighed,", exps
    ).summed(omega, 0, choices() - 1, "and in sum.")
    value = q.under(within(x, 0, values - 1)).use(
        CHANCES, {u: t, x: x}, KEY, why="Chances are positive,"
    )
    term = value.scope.show(
        lt(0, p(t, x) * sp.exp(-a * sp.exp(w(t, x)))), "as are exponentials,", value, by=rules.smt()
    )
    positive = q.show(
        lt(0, transform(t, a)),
        "so L is.",
        term.summed(x, 0, values - 1, "and sums of them,", VALUES),
    )
    inverse = exp_of_log(q, transform(t, a), "exp undoes log,", positive)
    rest = over_keys(sp.log(transform(u, b)), 0, t - 1)
    rest += over_keys(sp.log(transform(u, b)), t + 1)
    own = q.rewrite(
        eq(sp.log(transform(t, c(t))), sp.log(transform(t, a))), "At the key it is L(a),", AT_KEY
    )
    total_log = q.show(
        eq(logs, sp.log(transform(t, a)) + rest),
        "The logarithm of the product",
        (cuts(q, sp.log(transform(u, c(u)))), of_logs, own),
    )
    product = total_log.image(lambda term_: sp.exp(term_, evaluate=False), "in exponentials")
    q.qed("is this product.", whole, weighed, product, inverse)


_one_key = {n: 1, values: 1, p(0, 0): 1, w(0, 0): 0, t: 0}
_two_keys = {n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 1, t: 0}
_exchanged = eq(expected(beside(t, a, b)), transform(t, b) * others(t, a))
_exists = "another c has these values"

SOFTMAX_RACE_SPLIT = prove(
    _SPLIT,
    _split,
    Attack(
        {"the points exchanged": _exchanged},
        at={"the points exchanged": {**_two_keys, a: 1, b: 0, c(0): 1, c(1): 0}},
        without={CHANCES: {**_one_key, p(0, 0): -1, a: 0, b: 0, c(0): 0}},
        idle={AT_KEY: _exists, ELSEWHERE: _exists},
    ),
)

_PRODUCT = Claim(
    id="softmax.race-product",
    title="One key at one point, the others at another",
    statement=(
        r"$\mathbb E\,e^{-aE_t-b(T-E_t)}=L_t(a)\prod_{u\ne t}L_u(b)$, $E_u=e^{w_u}$, $T=\sum_uE_u$, for "
        r"independent logits."
    ),
    needs=frozenset("PX"),
    hypotheses=(VALUES, CHANCES, KEY),
    conclusion=two_points,
)


def _product(q: Proof) -> None:
    mark = indicator(u, t)
    point = b + (a - b) * mark
    other = q.under(within(u, 0, n - 1), ne(u, t))
    apart = other.show(eq(mark, 0), "At another key the indicator of t is 0,", by=rules.smt())
    at = other.show(eq(point, b), "so that b + (a - b) times it is b,", apart)
    q.lemma(
        SOFTMAX_RACE_SPLIT,
        {c: sp.Lambda(u, point)},
        (VALUES, CHANCES, KEY, at.for_all(u)),
        why="and at t it is a.",
    )


SOFTMAX_RACE_PRODUCT = prove(
    _PRODUCT,
    _product,
    Attack(
        {"the points exchanged": _exchanged},
        at={"the points exchanged": {**_two_keys, a: 1, b: 0}},
        without={CHANCES: {**_one_key, p(0, 0): -1, a: 0, b: 0}},
    ),
)

# -- a cell --------------------------------------------------------------------------------

POSITIVE = Hypothesis("the rate is positive", lt(0, E))
ORDER = Hypothesis("the sum is no less", le(E, T))
CELL = Hypothesis("the cell's ends are in order", le(a, b))
middle = (a + b) / 2


def alone(end: Any) -> Any:
    """exp(-v E - m (T - E)) at an end v of the cell."""
    return sp.exp(-end * E - middle * (T - E))


_CELL = Claim(
    id="softmax.race-cell",
    title="What the clock gains in a cell beside all others",
    statement=(
        r"$(e^{-aE}-e^{-bE})e^{-m(T-E)}\le\frac ET(e^{-aT}-e^{-bT})$ for $0<E\le T$, $a\le b$, "
        r"$m=\frac{a+b}2$."
    ),
    needs=frozenset("PX"),
    hypotheses=(POSITIVE, ORDER, CELL),
    conclusion=le(alone(a) - alone(b), E / T * (sp.exp(-a * T) - sp.exp(-b * T))),
)


def _cell(q: Proof) -> None:
    h = (b - a) / 2

    def rise(at: Any) -> Any:
        return sp.exp(h * at) - sp.exp(-h * at)

    order = q.show(Both(le(0, E), le(0, h), lt(0, T)), "All is positive.", POSITIVE, CELL, ORDER)
    ratio = q.lemma(
        EXP_SINH_RATIO,
        {RATE: E, TOTAL: T, half: h},
        (order, ORDER),
        why="sinh(hx)/x rises:",
        goal=le(T * rise(E), E * rise(T)),
    )
    left = q.show(
        eq(alone(a) - alone(b), sp.exp(-middle * T) * rise(E)), "The left side has the one,"
    )
    right = q.show(
        eq(sp.exp(-a * T) - sp.exp(-b * T), sp.exp(-middle * T) * rise(T)),
        "the right side the other,",
    )
    sign = q.show(lt(0, sp.exp(-middle * T)), "with a positive factor.")
    fraction = q.show(le(rise(E), E / T * rise(T)), "Divide by T:", ratio, order, by=rules.smt())
    q.qed("So it is.", left, right, sign, fraction)


SOFTMAX_RACE_CELL = prove(
    _CELL,
    _cell,
    Attack(
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

# -- the race ------------------------------------------------------------------------------

CELLS = Hypothesis("there are cells, or none", le(0, cells))
START = Hypothesis("the first point is not negative", le(0, v(0)))
GRID = Hypothesis("points rise", every(k, 1, cells, le(v(k - 1), v(k))))
TARGET = Hypothesis("the target is a key", within(target, 0, n - 1))


def at_points(key: Any, point: Any) -> Any:
    """E S_t exp(-v T)."""
    return expected(weight(key) * sp.exp(-point * total))


_LOWER = Claim(
    id="softmax.race-lower",
    title="The race, from below",
    statement=(
        r"$\sum_{k=1}^K[L_t(v_{k-1})-L_t(v_k)]\prod_{u\ne t}L_u(\tfrac{v_{k-1}+v_k}2)\le\mathbb ES_t$ for "
        r"$0\le v_0\le\dots\le v_K$."
    ),
    needs=frozenset("PX"),
    hypotheses=(VALUES, CHANCES, KEY, CELLS, START, GRID),
    conclusion=le(low(t), expected(weight(t))),
)


def _lower(q: Proof) -> None:
    outcome = q.under(OUTCOME)
    own = outcome.show(lt(0, rate(t)), "A rate is positive,")
    key_rate = outcome.show(le(0, rate(u)), "as all are,")
    inside = outcome.under(within(u, 0, n - 1)).show(le(0, rate(u)), "(each key's)", key_rate)
    least = outcome.lemma(
        SUMS_MEMBER,
        {member: sp.Lambda(u, rate(u)), size: n, place: t},
        (inside.for_all(u), KEY),
        why="and at most their sum.",
        goal=le(rate(t), total),
    )
    likely = q.show(le(0, chance), "A chance is not negative.")
    step = q.under(within(k, 1, cells))
    ends = step.use(GRID, {k: k}, why="A cell's ends are in order.")
    here, there = v(k - 1), v(k)
    point = (here + there) / 2
    falls = sp.exp(-here * total) - sp.exp(-there * total)
    gain = beside(t, here, point) - beside(t, there, point)
    cell = step.under(OUTCOME).lemma(
        SOFTMAX_RACE_CELL,
        {E: rate(t), T: total, a: here, b: there},
        (own, least, ends),
        why="In each outcome a cell",
        goal=le(gain, weight(t) * falls),
    )
    weighed = times(cell.scope, cell, chance, "weighed by its chance", likely)
    summed = weighed.summed(omega, 0, choices() - 1, "and in sum,")
    sides = [
        step.lemma(
            SOFTMAX_RACE_PRODUCT,
            {a: end, b: point},
            (VALUES, CHANCES, KEY),
            why="whose left side is a product,",
        )
        for end in (here, there)
    ]
    first = step.show(
        eq(
            summed.formula.lhs, expected(beside(t, here, point)) - expected(beside(t, there, point))
        ),
        "taken at both ends,",
    )
    second = step.show(
        eq(summed.formula.rhs, at_points(t, here) - at_points(t, there)), "and the right side too,"
    )
    each = step.show(
        le(
            (transform(t, here) - transform(t, there)) * others(t, point),
            at_points(t, here) - at_points(t, there),
        ),
        "adds at most that.",
        summed,
        first,
        second,
        sides,
    )
    cells_sum = each.summed(k, 1, cells, "All cells:")
    ends_only = q.lemma(
        SUMS_TELESCOPE,
        {of_step: sp.Lambda(k, at_points(t, v(k))), steps: cells},
        CELLS,
        why="what is left are the ends,",
        goal=eq(cells_sum.formula.rhs, at_points(t, v(0)) - at_points(t, v(cells))),
    )
    sign = outcome.show(
        Both(lt(0, total), le(0, weight(t))), "A weight is not negative", own, least, by=rules.smt()
    )
    last = outcome.show(
        le(0, weight(t) * sp.exp(-v(cells) * total)), "(at the last point", sign, by=rules.smt()
    )
    last_sum = times(outcome, last, chance, "weighed", likely).summed(
        omega, 0, choices() - 1, "in sum)"
    )
    exponent = outcome.show(
        le(-v(0) * total, 0), "and at the first the factor", sign, START, by=rules.smt()
    )
    factor = exponentials(outcome, -v(0) * total, 0, "is at most 1,", exponent)
    start = outcome.show(
        le(weight(t) * sp.exp(-v(0) * total), weight(t)),
        "so that less is left",
        factor,
        sign,
        by=rules.smt(),
    )
    start_sum = times(outcome, start, chance, "weighed", likely).summed(
        omega, 0, choices() - 1, "in sum"
    )
    at_start = q.show(le(at_points(t, v(0)), expected(weight(t))), "than the weight.", start_sum)
    at_end = q.show(le(0, at_points(t, v(cells))), "Nothing is negative.", last_sum)
    q.qed("Together.", cells_sum, ends_only, at_start, at_end)


_even = {n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0}
SOFTMAX_RACE_LOWER = prove(
    _LOWER,
    _lower,
    Attack(
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

_RACE = Claim(
    id="softmax.race",
    title="The expected weights of a row of independent keys, between two sums",
    role="main result",
    statement=(
        r"Logits $w_u$, $u<n$, independent, each of finite support (value $x<V$ of key $u$ has chance "
        r"$p_u(x)>0$; a key with fewer values has one of them several times). With $L_u(v)=\mathbb E\,"
        r"e^{-ve^{w_u}}$, $0\le v_0\le\dots\le v_K$ and $m_k=\frac{v_{k-1}+v_k}2$ let $\mathrm{low}_t="
        r"\sum_{k=1}^K[L_t(v_{k-1})-L_t(v_k)]\prod_{u\ne t}L_u(m_k)$. Then $\mathrm{low}_\Delta\le"
        r"\mathbb ES_\Delta\le1-\sum_{t\ne\Delta}\mathrm{low}_t$. The expectation is the sum over all "
        r"$V^n$ outcomes, each with the product of its values' chances."
    ),
    needs=frozenset("PCTX"),
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
)


def _race(q: Proof) -> None:
    known = (VALUES, CHANCES, CELLS, START, GRID)
    key = q.under(within(t, 0, n - 1))
    each = key.lemma(
        SOFTMAX_RACE_LOWER, None, known, why="Each key's sum is at most its expected weight,"
    )
    own = q.lemma(SOFTMAX_RACE_LOWER, {t: target}, (*known, TARGET), why="the target's too.")
    sums = [
        q.under(within(t, first, last))
        .use(each, {t: t}, TARGET, why="Add up the others")
        .summed(t, first, last, "before and after.")
        for first, last in ((0, target - 1), (target + 1, n - 1))
    ]
    weights = sp.Sum(expected(weight(t)), (t, 0, n - 1))
    cut = q.split(weights, target, "All weights are those after the target,", TARGET)
    upto = q.last(sp.Sum(expected(weight(t)), (t, 0, target)), "its own, and those before.", TARGET)
    exchanged = q.swap(weights, "Exchange the sums:")
    outcome = q.under(OUTCOME)
    positive = outcome.show(lt(0, rate(u)), "Rates are positive,")
    some = q.show(le(0, n - 1), "(there is a key)", TARGET, by=rules.smt())
    total_sign = outcome.show(
        lt(0, total), "and so is their sum,", positive.summed(u, 0, n - 1, "summed", some)
    )
    one = outcome.show(
        eq(sp.Sum(chance * weight(t), (t, 0, n - 1)), chance),
        "so an outcome's weights add up to 1.",
        total_sign,
    )
    all_one = one.summed(omega, 0, choices() - 1, "In sum")
    keys = q.show(le(0, n), "(there are keys)", TARGET, by=rules.smt())
    certain = q.lemma(
        SOFTMAX_RACE_TRANSFORM,
        {c: sp.Lambda(u, 0)},
        (VALUES, keys, CHANCES),
        why="the chances of all outcomes",
        goal=eq(
            all_choices(chance), sp.exp(over_keys(sp.log(sp.Sum(p(u, x), (x, 0, values - 1)))))
        ),
    )
    at_key = q.under(within(u, 0, n - 1)).use(ONE, {u: u}, why="(a key's being 1)")
    log = at_key.scope.rewrite(
        eq(sp.log(at_key.formula.lhs), sp.log(1)), "(its logarithm 0)", at_key
    )
    logs = log.summed(u, 0, n - 1, "(in sum)")
    unity = logs.image(sp.exp, "add up to 1.")
    whole = q.show(
        eq(weights, 1), "So the expected weights do.", exchanged, all_one, certain, unity
    )
    q.qed("The target has what the others leave.", own, sums, cut, upto, whole)


SOFTMAX_RACE = prove(
    _RACE,
    _race,
    Attack(
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
            VALUES: "the chances of no values do not add up to 1",
            CELLS: "without a cell the lower sums are 0",
        },
    ),
)

CLAIMS = (
    SOFTMAX_RACE_TRANSFORM,
    SOFTMAX_RACE_SPLIT,
    SOFTMAX_RACE_PRODUCT,
    SOFTMAX_RACE_CELL,
    SOFTMAX_RACE_LOWER,
    SOFTMAX_RACE,
)
