"""Definition: the rank statistics of a head's queries or keys, by their squared singular values."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.papers.citations import SLASH

square, r = real_function("sigma_squared"), integer("r")
MEANINGS: Meanings = {
    n: "number of singular values",
    square: shown_as("σ²", r"\sigma^2", "squares of the singular values"),
    r: "an index",
}
total = sp.Sum(square(r), (r, 1, n))
largest = sp.Sum(square(r), (r, 1, 1))
share = square(1) / total
most = sp.Rational(95, 100)
ENOUGH = iff(le(most * total, largest), le(most, share))

A_VALUE = Hypothesis(
    "there is a singular value", le(1, n), idle="without one the total is not positive"
)
SQUARES = Hypothesis(
    "squares are not negative",
    every(r, 1, n, le(0, square(r))),
    without=where({n: 2, square(1): 3, square(2): -1}),
)
ORDER = Hypothesis("the first is the largest", every(r, 1, n, le(square(r), square(1))))
NOT_ZERO = Hypothesis("the matrix is not 0", lt(0, total), without=where({n: 1, square(1): 0}))


@theorem(
    "slash.rank-statistics",
    source=SLASH.at("rank statistics"),
    kind="definition",
    hypotheses=(A_VALUE, SQUARES, ORDER, NOT_ZERO),
    conclusion=Both(le(1 / n, share), le(share, 1), ENOUGH),
    attack=Attack({"at least half": le(sp.Rational(1, 2), share), "below 1": lt(share, 1)}),
)
def SLASH_RANK_STATISTICS(p: Proof) -> None:
    r"""The rank statistics r₁ and r₀.₉₅

    On the uncentred pre-RoPE matrix of one head (rows are queries, or keys), with singular values
    $\sigma_1\ge\dots\ge\sigma_n$: $r_1=\sigma_1^2/\sum_i\sigma_i^2$ and
    $r_{0.95}=\min\{r:\sum_{i\le r}\sigma_i^2\ge0.95\sum_i\sigma_i^2\}$. So $\frac1n\le r_1\le1$,
    and $r_{0.95}=1$ exactly if $r_1\ge0.95$.
    """
    below = p.under(within(r, 1, n)).use(ORDER, why="No square exceeds the first one.")
    at_most = below.summed(r, 1, n, "Sum this bound over the n squares.")
    count = p.show(
        eq(sp.Sum(square(1), (r, 1, n)), n * square(1)),
        "The sum of n equal squares is n times the square.",
        A_VALUE,
    )
    cut = p.split(total, sp.Integer(1), "Split the first square off the sum.", A_VALUE)
    sign = p.under(within(r, 2, n)).use(SQUARES, why="The other squares are not negative.")
    rest = sign.summed(r, 2, n, "So the sum of the other squares is not negative.")
    p.qed(
        "The sum of the first square alone is this square. So the first's share of the sum "
        "lies between 1/n and 1. One singular value suffices exactly if its share is at "
        "least 0.95. This proves the two bounds of r_1 and when r_0.95 is 1.",
        (at_most, count, cut, rest, NOT_ZERO, A_VALUE),
    )
