"""How close the two sums of the race are."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.hyperbolic import EXP_SINH_ABOVE, EXP_SINH_QUOTIENT
from ropeproof.theory.library.sums.blocks import SUMS_TELESCOPE
from ropeproof.theory.topics.softmax.race import race
from ropeproof.theory.topics.softmax.race.race import (
    SOFTMAX_RACE_PRODUCT,
    SOFTMAX_RACE_TRANSFORM,
    E,
    T,
    a,
    alone,
    b,
    middle,
)
from ropeproof.theory.topics.softmax.race.race_notation import *

MEANINGS: Meanings = race.MEANINGS

# -- a cell --------------------------------------------------------------------------------

RATE = Hypothesis("the rate is not negative", le(0, E))
SUM = Hypothesis("the sum is not negative", le(0, T))
CELL = Hypothesis("the cell's ends are in order", le(a, b))
half = (b - a) / 2
near = sp.exp(-middle * T) * (b - a)
falls = sp.exp(-a * T) - sp.exp(-b * T)


@theorem(
    "softmax.race-cell-key",
    hypotheses=(RATE, CELL),
    conclusion=le(near * E, alone(a) - alone(b)),
    attack=Attack(
        {"twice": le(2 * near * E, alone(a) - alone(b))},
        at={"twice": {E: 1, T: 1, a: 0, b: 1}},
        without={RATE: {E: -1, T: 0, a: 0, b: 2}, CELL: {E: 1, T: 1, a: 2, b: 0}},
    ),
)
def SOFTMAX_RACE_CELL_KEY(q: Proof) -> None:
    r"""What a key gains in a cell at least

    $e^{-mT}(b-a)E\le(e^{-aE}-e^{-bE})e^{-m(T-E)}$ for $E\ge0$, $a\le b$, $m=\frac{a+b}2$.
    """
    sign = q.show(
        le(0, half * E), "The rate times half the cell's length h is not negative.", RATE, CELL
    )
    sinh = q.apply(EXP_SINH_ABOVE, sign, why="As sinh x >= x for x >= 0, sinh(hE) is at least hE.")
    q.qed(
        "The gain is 2 sinh(hE) times e^(-mT). The factor e^(-mT) is positive. Multiply the "
        "inequality 2hE <= 2 sinh(hE) by this factor. Since 2h = b - a, this is the lower "
        "bound on the gain.",
        sinh,
    )


@theorem(
    "softmax.race-cell-row",
    hypotheses=(SUM, CELL),
    conclusion=le(falls * (1 - (half * T) ** 2 / 6), near * T),
    attack=Attack(
        {"a seventh": le(falls * (1 - (half * T) ** 2 / 7), near * T)},
        at={"a seventh": {T: sp.Rational(1, 4), a: 0, b: 1}},
        without={SUM: {T: -1, a: 0, b: 2}, CELL: {T: 1, a: 2, b: 0}},
    ),
)
def SOFTMAX_RACE_CELL_ROW(q: Proof) -> None:
    r"""What all keys gain in a cell at least

    $(e^{-aT}-e^{-bT})\big(1-\frac{(hT)^2}6\big)\le e^{-mT}(b-a)T$ for $T\ge0$, $a\le b$,
    $h=\frac{b-a}2$, $m=\frac{a+b}2$.
    """
    sign = q.show(
        le(0, half * T), "The sum times half the cell's length h is not negative.", SUM, CELL
    )
    ratio = q.apply(
        EXP_SINH_QUOTIENT, sign, why="As (1 - x²/6) sinh x <= x for x >= 0, this holds at x = hT."
    )
    q.qed(
        "The left side of the claim is 2 (1 - (hT)²/6) sinh(hT) times e^(-mT). The factor "
        "e^(-mT) is positive. Multiply the inequality for sinh(hT) by this factor. Since 2h "
        "= b - a, the right side is e^(-mT) (b - a) T.",
        ratio,
    )


# -- all cells -----------------------------------------------------------------------------

A_KEY = Hypothesis("there is a key", le(1, n))
AT_0 = Hypothesis("the first point is 0", eq(v(0), 0))
here, there = v(k - 1), v(k)
point = (here + there) / 2
drop = sp.exp(-here * total) - sp.exp(-there * total)
lost = drop * ((there - here) / 2 * total) ** 2 / 6
alive = expected(sp.exp(-v(cells) * total))
width = 1 - sp.Sum(low(t), (t, 0, n - 1))


def _bound(factor: Term | int = 1) -> Term:
    return alive + factor * sp.Sum(expected(lost), (k, 1, cells))


_even = {n: 2, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0}

_signed = ((p, 0, 10), (p, 1, -9), (w, 0, -10), (w, 1, 0))


@theorem(
    "softmax.race-width",
    needs="PTX",
    hypotheses=(VALUES, A_KEY, CHANCES, ONE, AT_0, race.GRID, race.CELLS),
    conclusion=le(width, _bound()),
    attack=Attack(
        {
            "nothing is left alive": le(width, sp.Sum(expected(lost), (k, 1, cells))),
            "a tenth of the second order": le(width, _bound(sp.Rational(1, 10))),
        },
        at={
            "nothing is left alive": {**_even, cells: 0, v(0): 0},
            "a tenth of the second order": {**_even, cells: 1, v(0): 0, v(1): 1},
        },
        without={
            ONE: {n: 1, values: 1, p(0, 0): sp.Rational(1, 2), w(0, 0): 0, cells: 0, v(0): 0},
            AT_0: {**_even, cells: 0, v(0): 1},
            CHANCES: {
                **{n: 2, values: 2, cells: 1, v(0): 0, v(1): 4},
                **{of(key, value): number for key in (0, 1) for of, value, number in _signed},
            },
        },
        idle={
            VALUES: "the probabilities of no values do not add up to 1",
            A_KEY: "without a key the sum of rates is 0, and what is left alive is at least 1",
        },
    ),
)
def SOFTMAX_RACE_WIDTH(q: Proof) -> None:
    r"""How close the two sums of the race are

    As in `softmax.race`, with $v_0=0$, $h_k=\frac{v_k-v_{k-1}}2$ and $T=\sum_te^{w_t}$: the bounds
    of every lag are at the same distance $1-\sum_t\mathrm{low}_t\le\mathbb
    E\,e^{-v_KT}+\sum_{k=1}^K\mathbb E\big[(e^{-v_{k-1}T}-e^{-v_kT})\frac{(h_kT)^2}6\big]$.
    """
    step = q.under(within(k, 1, cells))
    key = step.under(within(t, 0, n - 1))
    gain = race.beside(t, here, point) - race.beside(t, there, point)
    known = (VALUES, CHANCES)
    sides = [
        key.lemma(
            SOFTMAX_RACE_PRODUCT.at(a=end, b=point),
            known,
            why="With t at this end and the others at the middle, the mean is a product.",
        )
        for end in (here, there)
    ]
    term = (transform(t, here) - transform(t, there)) * others(t, point)
    by_key = key.show(
        eq(term, all_choices(chance * gain)),
        "So a key's term of the lower sum is the expectation of its gain.",
        sides,
    ).summed(t, 0, n - 1, "Sum this equation over all keys of the row.")
    exchanged = step.swap(
        by_key.formula.rhs, "Exchange the sum over keys and the sum over outcomes."
    )
    outcome = step.under(OUTCOME)
    inside = outcome.under(within(t, 0, n - 1)).show(
        le(0, rate(t)),
        "The rate of the key t is positive. So the rate of each key of the row is not negative.",
    )
    sum_sign = inside.summed(t, 0, n - 1, "So the sum of the rates is not negative.")
    start = sp.exp(-point * total) * (there - here)
    each = inside.scope.apply(
        SOFTMAX_RACE_CELL_KEY,
        (inside, race.GRID),
        why="The points rise, so the ends of a cell are in order. In the cell a key gains at "
        "least e^(-mT) (v_k - v_(k-1)) E_t.",
        goal=le(start * rate(t), gain),
    )
    row_gain = each.summed(t, 0, n - 1, "Sum this inequality over all keys of the row.")
    row = outcome.apply(
        SOFTMAX_RACE_CELL_ROW,
        (sum_sign, race.GRID),
        why="This sum is T, with another name for its index. So T, which is that sum, is not "
        "negative. This gain is at least the fall of e^(-vT) less a part of second order.",
        goal=le(drop * (1 - ((there - here) / 2 * total) ** 2 / 6), start * total),
    )
    gains = sp.Sum(gain, (t, 0, n - 1))
    kept_part = outcome.show(
        le(drop - lost, gains),
        "The rates add up to T, and what multiplies them is the same for all keys. So all "
        "keys together gain at least the fall less that part.",
        (row_gain, row),
    )
    mean = kept_part.times(
        chance,
        "The probability of an outcome is not negative. Multiply this inequality by the "
        "outcome's probability.",
    ).summed(omega, 0, choices() - 1, "Sum this inequality over all outcomes.")

    def alive_at(place: Term | int) -> Term:
        return expected(sp.exp(-v(place) * total))

    all_cells = step.show(
        le(alive_at(k - 1) - alive_at(k) - expected(lost), sp.Sum(term, (t, 0, n - 1))),
        "The left side is the fall of E e^(-vT) less the expectation of that part. The "
        "outcome's probability is a common factor of the sum over keys. So the keys' terms "
        "of a cell add up to at least that difference.",
        (mean, exchanged, by_key),
    ).summed(k, 1, cells, "Sum these inequalities over all cells.")
    falls_sum = sp.Sum(alive_at(k - 1) - alive_at(k), (k, 1, cells))
    ends_only = q.apply(
        SUMS_TELESCOPE,
        race.CELLS,
        why="The falls telescope, so only the two ends are left.",
        goal=eq(falls_sum, alive_at(0) - alive),
    )
    turned = q.swap(
        sp.Sum(low(t), (t, 0, n - 1)), "Exchange the sum over keys and the sum over cells."
    )
    certain = q.lemma(
        SOFTMAX_RACE_TRANSFORM.at(c=sp.Lambda(u, 0)),
        (VALUES, A_KEY, CHANCES),
        why="As there is a key, the number of keys is not negative. The probabilities of all "
        "outcomes add up to the product of the keys' sums.",
    )
    at_key = q.under(within(u, 0, n - 1)).use(ONE, why="The probabilities of each key add up to 1.")
    log = at_key.image(sp.log, "So the logarithm of each key's sum is 0.")
    unity = log.summed(u, 0, n - 1, "So the sum of these logarithms is 0.").image(
        sp.exp, "So the product of the keys' sums is 1."
    )
    first = q.under(OUTCOME).show(
        eq(-v(0) * total, 0), "The first point v_0 is 0, so -v_0 T is 0.", AT_0
    )
    ones = first.image(sp.exp, "So the factor e^(-v_0 T) is equal to 1.")
    chances_only = first.scope.show(
        eq(chance * sp.exp(-v(0) * total), chance),
        "So an outcome's probability times this factor is the probability.",
        ones,
    ).summed(omega, 0, choices() - 1, "Sum this equation over all outcomes.")
    q.qed(
        "The left side is the sum of the falls less the sum of the parts lost. So 1 less all "
        "lower sums is at most E e^(-v_K T) plus the parts lost.",
        (all_cells, ends_only, turned, certain, unity, chances_only),
    )
