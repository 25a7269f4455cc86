"""A needle among any number of independent distractors, from two curves."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.softmax.race import CELLS, GRID, SOFTMAX_RACE, START
from ropeproof.theory.softmax.race_notation import (
    CHANCES,
    ONE,
    VALUES,
    cells,
    expected,
    k,
    low,
    others,
    over_keys,
    p,
    t,
    target,
    transform,
    u,
    v,
    values,
    w,
    weight,
    x,
)

share, logit = real_function("P"), real_function("W")


def curve(at: Any) -> Any:
    """L(v) of a distractor."""
    return sp.Sum(share(x) * sp.exp(-at * sp.exp(logit(x))), (x, 0, values - 1))


here, there = v(k - 1), v(k)
middle = (here + there) / 2


def of_needle(power: Any) -> Any:
    """The lower sum of the needle's expected weight."""
    falls = transform(target, here) - transform(target, there)
    return sp.Sum(falls * curve(middle) ** power, (k, 1, cells))


def of_distractor(power: Any) -> Any:
    """The lower sum of a distractor's."""
    falls = curve(here) - curve(there)
    return sp.Sum(falls * curve(middle) ** power * transform(target, middle), (k, 1, cells))


FIRST = Hypothesis("the needle is key 0", eq(target, 0))
RIVAL = Hypothesis("there is a distractor", le(2, n))
SAME = Hypothesis(
    "distractors have one distribution",
    Every(
        (u, x),
        If(
            Both(le(target + 1, u), le(u, n - 1), le(0, x), le(x, values - 1)),
            Both(eq(p(u, x), share(x)), eq(w(u, x), logit(x))),
        ),
    ),
)

_RACE = Claim(
    id="retrieval.race",
    title="A needle among n - 1 distractors, from two curves",
    statement=(
        r"Key 0 is the needle, keys $1,\dots,n-1$ are distractors of one distribution, all independent, "
        r"as in a head whose logits do not depend on the lag. With $L_*$ the needle's and $L$ the "
        r"distractors' transform, $0\le v_0\le\dots\le v_K$, $m_k=\frac{v_{k-1}+v_k}2$: $\sum_k[L_*("
        r"v_{k-1})-L_*(v_k)]L(m_k)^{n-1}\le\mathbb ES_*\le1-(n-1)\sum_k[L(v_{k-1})-L(v_k)]L(m_k)^{n-2}"
        r"L_*(m_k)$: two curves give every length."
    ),
    needs=frozenset("PTX"),
    hypotheses=(VALUES, CHANCES, ONE, FIRST, RIVAL, SAME, CELLS, START, GRID),
    conclusion=Both(
        le(of_needle(n - 1), expected(weight(target))),
        le(expected(weight(target)), 1 - (n - 1) * of_distractor(n - 2)),
    ),
)


def _proof(q: Proof) -> None:  # noqa: PLR0915  # two parts that share most steps
    at = real("z")
    known = (VALUES, CHANCES, ONE, CELLS, START, GRID)
    bounds = q.lemma(SOFTMAX_RACE, None, (*known, FIRST, RIVAL), why="The sums of the race.")
    value = q.under(within(u, target + 1, n - 1), within(x, 0, values - 1))
    same = value.use(SAME, {u: u, x: x}, why="Distractors have one distribution,")
    chance, number = same.parts("their chances and logits being equal,")
    term = value.rewrite(
        eq(p(u, x) * sp.exp(-at * sp.exp(w(u, x))), share(x) * sp.exp(-at * sp.exp(logit(x)))),
        "term by term",
        (chance, number),
    )
    alike = term.summed(x, 0, values - 1, "and so one transform.")
    first = value.use(CHANCES, {u: u, x: x}, FIRST, why="It is positive,")
    positive_term = value.show(
        lt(0, p(u, x) * sp.exp(-at * sp.exp(w(u, x)))), "each term being so:", first, by=rules.smt()
    )
    key = q.under(within(u, target + 1, n - 1))
    summed = positive_term.summed(x, 0, values - 1, "(in sum)", VALUES)
    of_key = key.show(lt(0, curve(at)), "the sum, too.", summed, alike)
    positive = q.use(of_key, {u: target + 1}, (FIRST, RIVAL), why="There is a distractor.")
    logs = alike.image(sp.log, "In logarithms")

    def logs_of(low_: Any, high_: Any) -> Any:
        return over_keys(sp.log(transform(u, at)), low_, high_)

    before = (
        q.under(within(u, 0, target - 1))
        .show(
            eq(sp.log(transform(u, at)), 0),
            "No key comes before the needle,",
            FIRST,
            by=rules.smt(),
        )
        .summed(u, 0, target - 1, "none counts.")
    )
    tail = logs.summed(u, target + 1, n - 1, "The distractors in sum")
    number_of = q.show(
        eq(tail.formula.rhs, (n - 1 - target) * sp.log(curve(at))), "are n - 1.", FIRST, RIVAL
    )
    whole = logs_of(0, target - 1) + logs_of(target + 1, n - 1)
    total = q.show(
        eq(whole, (n - 1) * sp.log(curve(at))),
        "So beside the needle",
        (before, tail, number_of, FIRST),
        by=rules.smt(),
    )
    up = total.image(lambda term_: sp.exp(term_, evaluate=False), "in exponentials")
    as_power = q.show(eq(up.formula.rhs, curve(at) ** (n - 1)), "stands a power:", positive)
    rest = q.chain(up, as_power, why="the product is it.")
    cell = q.under(within(k, 1, cells))
    at_middle = cell.use(rest, {at: middle}, why="At a cell's middle.")
    falls = transform(target, here) - transform(target, there)
    needle = cell.show(
        eq(falls * others(target, middle), falls * curve(middle) ** (n - 1)),
        "So is the needle's term.",
        at_middle,
    ).summed(k, 1, cells, "In sum.")

    one = q.under(within(t, target + 1, n - 1))
    cut = one.split(logs_of(0, t - 1), target, "The needle comes before a distractor,", FIRST)
    last = q.last(logs_of(0, target), "after no key.", FIRST)
    sides = []
    for low_, high_ in ((target + 1, t - 1), (t + 1, n - 1)):
        side = (
            one.under(within(u, low_, high_))
            .use(logs, {u: u}, why="The others")
            .summed(u, low_, high_, "in sum")
        )
        count = high_ - low_ + 1
        sides += [
            side,
            one.show(eq(side.formula.rhs, count * sp.log(curve(at))), "are equal.", RIVAL, FIRST),
        ]
    own = q.under(within(x, 0, values - 1)).use(
        CHANCES, {u: target, x: x}, (FIRST, RIVAL), why="(The needle's"
    )
    own_term = own.scope.show(
        lt(0, p(target, x) * sp.exp(-at * sp.exp(w(target, x)))),
        "terms are positive,",
        own,
        by=rules.smt(),
    )
    own_sign = q.show(
        lt(0, transform(target, at)),
        "and so its transform)",
        own_term.summed(x, 0, values - 1, "sum", VALUES),
    )
    own_log = sp.log(transform(target, at))
    total_t = one.show(
        eq(logs_of(0, t - 1) + logs_of(t + 1, n - 1), (n - 2) * sp.log(curve(at)) + own_log),
        "Beside a distractor",
        (cut, last, before, sides, FIRST),
        by=rules.smt(),
    )
    up_t = total_t.image(lambda term_: sp.exp(term_, evaluate=False), "in exponentials")
    as_power_t = one.show(
        eq(up_t.formula.rhs, curve(at) ** (n - 2) * transform(target, at)),
        "stand the needle and n - 2 distractors.",
        positive,
        own_sign,
    )
    beside = one.chain(up_t, as_power_t, why="So its product.")
    cell_t = one.under(within(k, 1, cells))
    there_ = cell_t.use(beside, {at: middle}, why="At a cell's middle.")
    left = cell_t.use(alike, {u: t, at: here}, why="Its transform at the left end")
    right = cell_t.use(alike, {u: t, at: there}, why="and at the right end.")
    term_t = cell_t.show(
        eq(
            (transform(t, here) - transform(t, there)) * others(t, middle),
            (curve(here) - curve(there)) * curve(middle) ** (n - 2) * transform(target, middle),
        ),
        "So a distractor's term.",
        (there_, left, right),
    )
    sums = term_t.summed(k, 1, cells, "In sum over cells").summed(t, target + 1, n - 1, "and keys.")
    count = q.show(
        eq(sums.formula.rhs, (n - 1 - target) * of_distractor(n - 2)),
        "n - 1 equal sums.",
        RIVAL,
        FIRST,
    )
    none = (
        q.under(within(t, 0, target - 1))
        .show(eq(low(t), 0), "(No key is before the needle,", FIRST, by=rules.smt())
        .summed(t, 0, target - 1, "and none counts.)")
    )
    lower = q.show(q.goal.args[0], "The lower sum.", bounds, needle)
    upper = q.show(
        q.goal.args[1], "The upper sum.", (bounds, sums, count, none, FIRST), by=rules.smt()
    )
    q.qed("Both.", lower, upper)


_HALF = sp.Rational(1, 2)
_pair = {
    **{n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0, share(0): 1, logit(0): 0},
    **{target: 0, cells: 2, v(0): 0, v(1): 1, v(2): 3},
}

RETRIEVAL_RACE = prove(
    _RACE,
    _proof,
    Attack(
        {
            "one distractor less": Both(
                le(of_needle(n - 2), expected(weight(target))),
                le(expected(weight(target)), 1 - (n - 1) * of_distractor(n - 2)),
            ),
            "a distractor more above": le(expected(weight(target)), 1 - n * of_distractor(n - 2)),
        },
        at={"one distractor less": _pair, "a distractor more above": _pair},
        without={
            SAME: {**_pair, logit(0): -5},
            CHANCES: {
                **{n: 2, values: 2, target: 0, cells: 0, v(0): 0},
                **{p(0, 0): _HALF, p(0, 1): _HALF, p(1, 0): 2, p(1, 1): -1, share(0): 2},
                **{share(1): -1, w(0, 0): 0, w(0, 1): 0, w(1, 0): -10, w(1, 1): -10},
                **{logit(0): -10, logit(1): -10},
            },
            START: {**_pair, cells: 1, v(0): -3, v(1): 0},
            GRID: {**_pair, cells: 7, **{v(i): i % 4 for i in range(8)}},
        },
        idle={
            VALUES: "the chances of no values do not add up to 1",
            CELLS: "without a cell the lower sums are 0",
        },
    ),
)

CLAIMS = (RETRIEVAL_RACE,)
