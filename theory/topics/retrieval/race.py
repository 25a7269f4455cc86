"""A needle among any number of independent distractors, from two curves."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.topics.softmax.race import race_notation
from ropeproof.theory.topics.softmax.race.race import CELLS, GRID, SOFTMAX_RACE, START
from ropeproof.theory.topics.softmax.race.race_notation import *

share, logit = real_function("P"), real_function("W")
MEANINGS: Meanings = {
    **race_notation.MEANINGS,
    n: "length of the input",
    target: "the needle",
    share: "probabilities of a distractor's values",
    logit: "logits of a distractor's values",
}


def curve(at: Term) -> Term:
    """L(v) of a distractor."""
    return sp.Sum(share(x) * sp.exp(-at * sp.exp(logit(x))), (x, 0, values - 1))


here, there = v(k - 1), v(k)
middle = (here + there) / 2


def of_needle(power: Term) -> Term:
    """The lower sum of the needle's expected weight."""
    falls = transform(target, here) - transform(target, there)
    return sp.Sum(falls * curve(middle) ** power, (k, 1, cells))


def of_distractor(power: Term) -> Term:
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


_HALF = sp.Rational(1, 2)
_pair = {
    **{n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0, share(0): 1, logit(0): 0},
    **{target: 0, cells: 2, v(0): 0, v(1): 1, v(2): 3},
}


@theorem(
    "retrieval.race",
    needs="PTX",
    hypotheses=(VALUES, CHANCES, ONE, FIRST, RIVAL, SAME, CELLS, START, GRID),
    conclusion=Both(
        le(of_needle(n - 1), expected(weight(target))),
        le(expected(weight(target)), 1 - (n - 1) * of_distractor(n - 2)),
    ),
    attack=Attack(
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
            VALUES: "the probabilities of no values do not add up to 1",
            CELLS: "without a cell the lower sums are 0",
        },
    ),
)
def RETRIEVAL_RACE(q: Proof) -> None:  # two parts that share most steps
    r"""A needle among n - 1 distractors, from two curves

    Key 0 is the needle, keys $1,\dots,n-1$ are distractors of one distribution, all independent, as
    in a head whose logits do not depend on the lag; each has finitely many values, of positive
    probability. With $L_*$ the needle's and $L$ the distractors' transform, $0\le v_0\le\dots\le
    v_K$, $m_k=\frac{v_{k-1}+v_k}2$: $\sum_k[L_*(v_{k-1})-L_*(v_k)]L(m_k)^{n-1}\le\mathbb
    ES_*\le1-(n-1)\sum_k[L(v_{k-1})-L(v_k)]L(m_k)^{n-2}L_*(m_k)$: two curves give every length.
    """
    at = real("z")
    known = (VALUES, CHANCES, ONE, CELLS, START, GRID)
    bounds = q.lemma(
        SOFTMAX_RACE,
        (*known, FIRST, RIVAL),
        why="The needle's expected weight lies between the two sums of the race.",
    )
    value = q.under(within(u, target + 1, n - 1), within(x, 0, values - 1))
    same = value.use(SAME, why="A distractor has the common probabilities and logits.")
    chance, number = same.parts("Its probability and its logit are the common ones.")
    alike = value.rewrite(
        eq(p(u, x) * sp.exp(-at * sp.exp(w(u, x))), share(x) * sp.exp(-at * sp.exp(logit(x)))),
        "So each term of its transform is that of the common transform L.",
        (chance, number),
    ).summed(x, 0, values - 1, "Summed over the values, its transform is the common transform L.")
    first = value.use(CHANCES, FIRST, why="Each value of a distractor has a positive probability.")
    positive_term = value.show(
        lt(0, p(u, x) * sp.exp(-at * sp.exp(w(u, x)))),
        "So each term of its transform is positive.",
        first,
    )
    key = q.under(within(u, target + 1, n - 1))
    summed = positive_term.summed(
        x, 0, values - 1, "A sum of at least one positive term is positive.", VALUES
    )
    of_key = key.show(
        lt(0, curve(at)),
        "So the common transform L(z) is positive if there is a distractor.",
        (summed, alike),
    )
    positive = q.use(
        of_key, {u: target + 1}, (FIRST, RIVAL), why="As there is a distractor, L(z) is positive."
    )
    logs = alike.image(sp.log, "Take the logarithms of both transforms.")

    def logs_of(low_: Term | int, high_: Term) -> Term:
        return over_keys(sp.log(transform(u, at)), low_, high_)

    before = (
        q.under(within(u, 0, target - 1))
        .show(
            eq(sp.log(transform(u, at)), 0),
            "The needle is key 0, so no key comes before it.",
            FIRST,
            by=rules.smt(),
        )
        .summed(u, 0, target - 1, "So the sum of logarithms over the keys before the needle is 0.")
    )
    tail = logs.summed(u, target + 1, n - 1, "Sum the logarithms over all distractors.")
    whole = logs_of(0, target - 1) + logs_of(target + 1, n - 1)
    up = q.show(
        eq(whole, (n - 1) * sp.log(curve(at))),
        "These logarithms are equal, so the sum is their number times log L(z). So the "
        "logarithms of all keys but the needle sum to (n - 1) log L(z).",
        (before, tail, FIRST, RIVAL),
    ).image(lambda term_: sp.exp(term_, evaluate=False), "Take the exponential of both sides.")
    as_power = q.show(
        eq(up.formula.rhs, curve(at) ** (n - 1)),
        "As L(z) is positive, exp((n - 1) log L(z)) is the power L(z)^(n-1).",
        positive,
    )
    rest = q.chain(up, as_power, why="So the product of the other keys' transforms is that power.")
    cell = q.under(within(k, 1, cells))
    at_middle = cell.use(rest, {at: middle}, why="Take this product at the middle of a cell.")
    falls = transform(target, here) - transform(target, there)
    needle = cell.show(
        eq(falls * others(target, middle), falls * curve(middle) ** (n - 1)),
        "So the needle's term is its fall times L(m_k)^(n-1).",
        at_middle,
    ).summed(k, 1, cells, "Sum these terms over all cells.")

    one = q.under(within(t, target + 1, n - 1))
    cut = one.split(
        logs_of(0, t - 1),
        target,
        "Split the sum over the keys before a distractor after the needle.",
        FIRST,
    )
    last = q.last(
        logs_of(0, target), "Split off the needle's term, the last of the first part.", FIRST
    )
    sides = []
    for low_, high_ in ((target + 1, t - 1), (t + 1, n - 1)):
        side = (
            one.under(within(u, low_, high_))
            .use(logs, {u: u}, why="Another distractor has the logarithm log L(z).")
            .summed(u, low_, high_, "Sum these logarithms over the distractors on this side of t.")
        )
        count = high_ - low_ + 1
        sides += [
            side,
            one.show(
                eq(side.formula.rhs, count * sp.log(curve(at))),
                "These logarithms are equal, so the sum is their number times log L(z).",
                (RIVAL, FIRST),
            ),
        ]
    own = q.under(within(x, 0, values - 1)).use(
        CHANCES,
        {u: target, x: x},
        (FIRST, RIVAL),
        why="Each value of the needle has a positive probability.",
    )
    own_term = own.scope.show(
        lt(0, p(target, x) * sp.exp(-at * sp.exp(w(target, x)))),
        "So each term of the needle's transform is positive.",
        own,
    )
    own_log = sp.log(transform(target, at))
    up_t = one.show(
        eq(logs_of(0, t - 1) + logs_of(t + 1, n - 1), (n - 2) * sp.log(curve(at)) + own_log),
        "So beside t the logarithms sum to (n - 2) log L(z) plus the needle's.",
        (cut, last, before, sides, FIRST),
    ).image(lambda term_: sp.exp(term_, evaluate=False), "Take the exponential of both sides.")
    as_power_t = one.show(
        eq(up_t.formula.rhs, curve(at) ** (n - 2) * transform(target, at)),
        "So the needle's transform is positive. The exponential is L(z)^(n-2) times the "
        "needle's transform.",
        (
            positive,
            own_term.summed(
                x, 0, values - 1, "A sum of at least one positive term is positive.", VALUES
            ),
        ),
    )
    beside = one.chain(
        up_t, as_power_t, why="So the product beside t is L(z)^(n-2) times the needle's transform."
    )
    cell_t = one.under(within(k, 1, cells))
    there_ = cell_t.use(beside, {at: middle}, why="Take this product at the middle of a cell.")
    left = cell_t.use(
        alike, {u: t, at: here}, why="A distractor's transform at the left end is the common one."
    )
    right = cell_t.use(
        alike, {u: t, at: there}, why="A distractor's transform at the right end is the common one."
    )
    term_t = cell_t.show(
        eq(
            (transform(t, here) - transform(t, there)) * others(t, middle),
            (curve(here) - curve(there)) * curve(middle) ** (n - 2) * transform(target, middle),
        ),
        "So a distractor's term is given by the two curves alone.",
        (there_, left, right),
    )
    sums = term_t.summed(k, 1, cells, "Sum these terms over all cells.").summed(
        t, target + 1, n - 1, "Sum these equations over all distractors."
    )
    counted = q.show(
        eq(sums.formula.rhs, (n - 1 - target) * of_distractor(n - 2)),
        "All distractors have the same sum, so the total is that sum times their number.",
        (RIVAL, FIRST),
    )
    none = (
        q.under(within(t, 0, target - 1))
        .show(
            eq(low(t), 0),
            "The needle is key 0, so there is no key t before it.",
            FIRST,
            by=rules.smt(),
        )
        .summed(t, 0, target - 1, "So the lower sums of keys before the needle add up to 0.")
    )
    upper = q.show(
        q.goal.args[1],
        "The race's upper bound, with n - 1 equal sums, is the second part.",
        (bounds, sums, counted, none, FIRST),
    )
    q.qed(
        "The race's lower bound, its terms written with powers, is the first part. Both "
        "bounds together are the claim.",
        (bounds, needle, upper),
    )
