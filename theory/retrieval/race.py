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
    falls = transform(0, here) - transform(0, there)
    return sp.Sum(falls * curve(middle) ** power, (k, 1, cells))


def of_distractor(power: Any) -> Any:
    falls = curve(here) - curve(there)
    return sp.Sum(falls * curve(middle) ** power * transform(0, middle), (k, 1, cells))


RIVAL = Hypothesis("there is a distractor", le(2, n))
SAME = Hypothesis(
    "distractors have one distribution",
    Every(
        (u, x),
        If(
            Both(le(1, u), le(u, n - 1), le(0, x), le(x, values - 1)),
            Both(eq(p(u, x), share(x)), eq(w(u, x), logit(x))),
        ),
    ),
)

_RACE = Claim(
    id="retrieval.race",
    title="A needle among n - 1 distractors, from two curves",
    role="main result",
    statement=(
        r"Key 0 is the needle, keys $1,\dots,n-1$ are distractors of one distribution, all independent, "
        r"as in a head whose logits do not depend on the lag. With $L_*$ the needle's and $L$ the "
        r"distractors' transform, $0\le v_0\le\dots\le v_K$, $m_k=\frac{v_{k-1}+v_k}2$: $\sum_k[L_*("
        r"v_{k-1})-L_*(v_k)]L(m_k)^{n-1}\le\mathbb ES_*\le1-(n-1)\sum_k[L(v_{k-1})-L(v_k)]L(m_k)^{n-2}"
        r"L_*(m_k)$: two curves give every length."
    ),
    needs=frozenset("PTX"),
    hypotheses=(VALUES, CHANCES, ONE, RIVAL, SAME, CELLS, START, GRID),
    conclusion=Both(
        le(of_needle(n - 1), expected(weight(0))),
        le(expected(weight(0)), 1 - (n - 1) * of_distractor(n - 2)),
    ),
)


def _proof(q: Proof) -> None:
    at = real("z")
    known = (VALUES, CHANCES, ONE, CELLS, START, GRID)
    inside = q.show(within(sp.Integer(0), 0, n - 1), "The needle is a key.", RIVAL)
    bounds = q.lemma(
        SOFTMAX_RACE,
        {target: 0},
        (*known, q.show(le(0, n - 1), "(There are keys.)", RIVAL)),
        why="The sums of the race.",
    )
    value = q.under(within(u, 1, n - 1), within(x, 0, values - 1))
    same = value.use(SAME, {u: u, x: x}, why="Distractors have one distribution,")
    chance, number = same.parts("their chances and logits being equal,")
    term = value.rewrite(
        eq(p(u, x) * sp.exp(-at * sp.exp(w(u, x))), share(x) * sp.exp(-at * sp.exp(logit(x)))),
        "term by term",
        chance,
        number,
    )
    alike = term.summed(x, 0, values - 1, "and so one transform.")
    first = value.use(CHANCES, {u: u, x: x}, why="It is positive,")
    positive_term = value.show(
        lt(0, p(u, x) * sp.exp(-at * sp.exp(w(u, x)))), "each term being so:", first, by=rules.smt()
    )
    key = q.under(within(u, 1, n - 1))
    summed = positive_term.summed(x, 0, values - 1, "(in sum)", VALUES)
    of_key = key.show(lt(0, curve(at)), "the sum, too.", summed, alike)
    positive = q.use(of_key, {u: 1}, RIVAL, why="There is a distractor.")

    logs = alike.image(sp.log, "In logarithms")
    rest = q.show(
        eq(others(0, at), curve(at) ** (n - 1)),
        "the product of n - 1 of them is a power.",
        logs.summed(u, 1, n - 1, "(in sum)"),
        positive,
        RIVAL,
    )
    cell = q.under(within(k, 1, cells))
    at_middle = cell.use(rest, {at: middle}, why="At a cell's middle.")
    falls = transform(0, here) - transform(0, there)
    needle = cell.show(
        eq(falls * others(0, middle), falls * curve(middle) ** (n - 1)), "So is the needle's term.",
        at_middle,
    ).summed(k, 1, cells, "In sum.")

    def logs_of(low_: Any, high_: Any) -> Any:
        return over_keys(sp.log(transform(u, at)), low_, high_)

    one = q.under(within(t, 1, n - 1))
    before = one.split(
        logs_of(0, t - 1), sp.Integer(0), "The needle comes before a distractor,",
        goal=eq(logs_of(0, t - 1), sp.log(transform(0, at)) + logs_of(1, t - 1)),
    )
    sides = [
        one.under(within(u, low_, high_)).use(logs, {u: u}, why="and the others").summed(
            u, low_, high_, "in sum."
        )
        for low_, high_ in ((1, t - 1), (t + 1, n - 1))
    ]
    own = q.under(within(x, 0, values - 1)).use(CHANCES, {u: 0, x: x}, RIVAL, why="(The needle's")
    own_term = own.scope.show(
        lt(0, p(0, x) * sp.exp(-at * sp.exp(w(0, x)))), "terms are positive,", own, by=rules.smt()
    )
    own_sign = q.show(
        lt(0, transform(0, at)), "and so its transform)", own_term.summed(x, 0, values - 1, "sum", VALUES)
    )
    beside = one.show(
        eq(others(t, at), curve(at) ** (n - 2) * transform(0, at)),
        "Beside a distractor: the needle and n - 2 distractors.",
        (before, sides, positive, own_sign, RIVAL),
    )
    cell_t = one.under(within(k, 1, cells))
    there_ = cell_t.use(beside, {at: middle}, why="At a cell's middle.")
    left = cell_t.use(alike, {u: t, at: here}, why="Its transform at the left end")
    right = cell_t.use(alike, {u: t, at: there}, why="and at the right end.")
    term_t = cell_t.show(
        eq(
            (transform(t, here) - transform(t, there)) * others(t, middle),
            (curve(here) - curve(there)) * curve(middle) ** (n - 2) * transform(0, middle),
        ),
        "So a distractor's term.",
        there_,
        left,
        right,
    )
    sums = term_t.summed(k, 1, cells, "In sum over cells").summed(t, 1, n - 1, "and distractors.")
    count = q.show(
        eq(sums.formula.rhs, (n - 1) * of_distractor(n - 2)), "n - 1 equal sums.", RIVAL
    )
    none = q.show(eq(sp.Sum(low(t), (t, 0, -1)), 0), "(Nothing before the needle.)")
    q.qed("Put them in.", bounds, needle, sums, count, none)


_pair = {
    **{n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0, share(0): 1, logit(0): 0},
    **{cells: 2, v(0): 0, v(1): 1, v(2): 3},
}

RETRIEVAL_RACE = prove(
    _RACE,
    _proof,
    Attack(
        {
            "one distractor less": Both(
                le(of_needle(n - 2), expected(weight(0))),
                le(expected(weight(0)), 1 - (n - 1) * of_distractor(n - 2)),
            ),
            "a distractor more above": le(expected(weight(0)), 1 - n * of_distractor(n - 2)),
        },
        at={"one distractor less": _pair, "a distractor more above": _pair},
        without={SAME: {**_pair, logit(0): -5}},
    ),
)

CLAIMS = (RETRIEVAL_RACE,)
