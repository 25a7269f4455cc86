"""One causal softmax row: a lag that is rewarded most, and has the largest weight, gains most."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, l
from ropeproof.theory.topics.slash.descent.offset import signs
from ropeproof.theory.topics.slash.descent.offset.signs import lag, r

a, slopes, mu = real_function("a"), real_function("D"), real("mu")
MEANINGS: Meanings = {
    **signs.MEANINGS,
    i: "the last lag of the row",
    l: "a lag",
    lag: "another lag",
    a: "weight of a lag",
    slopes: "derivative of the loss in the weight of a lag",
    mu: "by how much the loss falls faster with lag 1 than with t",
}

mean = sp.Sum(a(r) * slopes(r), (r, 0, i))
gain = a(1) * (mean - slopes(1))
other_gain = a(lag) * (mean - slopes(lag))

ROW = Hypothesis("the row has lag 1", le(1, i))
WEIGHTS = Hypothesis("no weight is negative", every(l, 0, i, le(0, a(l))))
TOTAL = Hypothesis("the weights add up to 1", eq(sp.Sum(a(l), (l, 0, i)), 1))
REWARDED = Hypothesis(
    "the loss falls at least as fast with lag 1 as with any other",
    every(l, 0, i, le(slopes(1), slopes(l))),
)
LAG = Hypothesis("t is a lag of the row", within(lag, 0, i))
AHEAD = Hypothesis("lag 1 has at least its weight", le(a(lag), a(1)))
MARGIN = Hypothesis("the margin is not negative", le(0, mu))
GAP = Hypothesis("the loss falls faster with lag 1 by the margin", le(slopes(1) + mu, slopes(lag)))


def _row(*changes: tuple[Term, Term | int]) -> Values:
    """Two lags of equal weights, with slopes 1 and 0, and the margin 1."""
    at: Values = {i: 1, lag: 0, mu: 1, **listed(slopes, 1, 0)}
    return at | listed(a, sp.Rational(1, 2), sp.Rational(1, 2)) | dict(changes)


@theorem(
    "slash.gd.offset-causal-row",
    needs="PX",
    hypotheses=(ROW, WEIGHTS, TOTAL, REWARDED, LAG, AHEAD, MARGIN, GAP),
    conclusion=Both(le(0, gain), le(a(lag) * mu, gain - other_gain)),
    attack=Attack(
        {
            "three times the margin": le(3 * a(lag) * mu, gain - other_gain),
            "lag 1 does not gain": le(gain, 0),
            "the other lag gains": le(0, other_gain),
        },
        at={
            "three times the margin": _row(),
            "lag 1 does not gain": _row(),
            "the other lag gains": _row(),
        },
        without={
            WEIGHTS: _row((a(0), -1), (a(1), 2)),
            TOTAL: _row((a(0), 0), (slopes(0), 2), (slopes(1), 1)),
            REWARDED: _row((i, 2), (a(0), 0), (a(2), sp.Rational(1, 2)), (slopes(2), -9)),
            LAG: _row((lag, 2), (a(2), -1), (slopes(0), 0), (slopes(2), 5)),
            AHEAD: _row((a(0), sp.Rational(3, 4)), (a(1), sp.Rational(1, 4))),
            GAP: _row((mu, 9)),
        },
        idle={
            ROW: "in a row of one lag the mean is D_0, and a_1 is at least a_0 = 1",
            MARGIN: "with a margin below 0 the bound for the margin 0 is stronger, and holds",
        },
    ),
)  # fmt: skip
def SLASH_GD_OFFSET_CAUSAL_ROW(p: Proof) -> None:
    r"""In a softmax row the lag that is rewarded most, and has the largest weight, gains most

    Weights $a_r\ge0$ of the lags $0\le r\le i$ of a row, $i\ge1$, add up to 1, and a loss has the
    derivatives $D_r\ge D_1$ in them, with the mean $M=\sum_ra_rD_r$. If $a_t\le a_1$ and
    $D_t\ge D_1+\mu$ for a lag $t$ of the row, $\mu\ge0$, then $0\le a_1(M-D_1)$ and $a_t\mu\le
    a_1(M-D_1)-a_t(M-D_t)$: by these numbers descent moves the logits of the two lags.
    """
    inside = p.under(within(l, 0, i))
    weight = inside.use(WEIGHTS, why="The weight of a lag is not negative.")
    slope = inside.use(REWARDED, why="The loss falls at least as fast with lag 1.")
    terms = inside.show(
        le(0, a(l) * (slopes(l) - slopes(1))),
        "So the product of these is not negative.",
        weight,
        slope,
    ).summed(l, 0, i, "So the sum of the products is not negative.")
    x, y, m, c, d, e = real("A B M C F E")
    general = p.under(le(0, y), le(y, x), le(c, m), le(c + e, d), le(0, e))
    some = general.show(le(y * e, y * (d - c)), "Multiply E <= F - C by B, which is not negative.")
    lead = general.show(
        le(y * e, x * (m - c) - y * (m - d)),
        "The product (A - B)(M - C) is not negative. Add up these two inequalities.",
        some,
    )
    grows = general.show(
        le(0, x * (m - c)), "The product A (M - C) is not negative, as A is at least B."
    )
    values = {x: a(1), y: a(lag), m: mean, c: slopes(1), d: slopes(lag), e: mu}
    known = (WEIGHTS, LAG, AHEAD, terms, TOTAL, GAP, MARGIN)
    first_part = p.use(
        grows,
        values,
        known,
        why="This sum is the mean less D_1 times the sum of the weights. So the mean is at least "
        "D_1. The weight of t is not negative. Take the weights and slopes of the two lags.",
    )
    second_part = p.use(lead, values, known, why="Take them here, too.")
    p.qed("These are the two parts of the claim.", first_part, second_part)
