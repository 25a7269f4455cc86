"""How well a linear fit explains pure noise."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator

i, j, cells = integer("i j M")
rank, own, other = real("rho E_own E_other")
entry = real_function("P")
MEANINGS: Meanings = {
    i: "a cell",
    j: "an index of keys, cells or planes",
    cells: "number of cells",
    rank: "rank of the fit beside the constant",
    own: shown_as("E₌", "E_=", "mean of a cell's share, squared"),
    other: shown_as("E≠", r"E_{\ne}", "mean of the product of two cells' shares"),
    entry: "the projection of the fit beside the constant, by two cells",
}

row, diagonal = sp.Sum(entry(i, j), (j, 0, cells - 1)), sp.Sum(entry(i, i), (i, 0, cells - 1))
of_row = sp.Sum(entry(i, j) * (other + (own - other) * indicator(j, i)), (j, 0, cells - 1))
explained = sp.Sum(of_row, (i, 0, cells - 1))

CONSTANTS = Hypothesis("the fit is orthogonal to constants", every(i, 0, cells - 1, eq(row, 0)))
RANK = Hypothesis("its rank beside the constant is rho", eq(diagonal, rank))
SHARES = Hypothesis("the moments' shares add up to 1", eq((cells - 1) * (own - other), 1))
TWO = Hypothesis("there are two cells", le(2, cells))


_half = sp.Rational(1, 2)
_two: Values = {cells: 2, entry(0, 0): _half, entry(1, 1): _half}
_signs: Values = {**_two, entry(0, 1): -_half, entry(1, 0): -_half, rank: 1, own: 1, other: 0}


@theorem(
    "posgen.noise-floor",
    needs="PCT",
    hypotheses=(CONSTANTS, RANK, SHARES, TWO),
    conclusion=eq(explained, rank / (cells - 1)),
    attack=Attack(
        {
            "of all cells": eq(explained, rank / cells),
            "rank 1 less": eq(explained, (rank - 1) / (cells - 1)),
        },
        at={"of all cells": _signs, "rank 1 less": _signs},
        without={
            CONSTANTS: {**_two, entry(0, 1): 0, entry(1, 0): 0, rank: 1, own: 2, other: 1},
            RANK: {**_signs, rank: 5},
            SHARES: {**_signs, own: 5},
        },
        idle={
            TWO: "no shares of one cell add up to 1, and without cells all sums are empty: 0 = "
            "0/(M - 1)"
        },
    ),
)
def POSGEN_NOISE_FLOOR(p: Proof) -> None:
    r"""Of pure noise a fit explains rank/(cells − 1) on average

    For exchangeable noise on $M$ cells a linear fit whose design has rank $\rho$ beside the
    constant has expected $R^2=\frac\rho{M-1}$; the three-axis fit on the causal triangle has
    $\rho=3n-4$ (`posgen.gauge`) and $M=\frac{n(n+1)}2$. Formally: $P$ is the projection beside the
    constant (rows add up to 0, trace $\rho$), $E_{\rm own}$ and $E_{\rm other}$ the expected
    $\epsilon_i^2$ and $\epsilon_i\epsilon_j$ over the total sum of squares, for which $(M-1)(E_{\rm
    own}-E_{\rm other})=1$.
    """
    cell = p.under(within(i, 0, cells - 1))
    picked = cell.lemma(
        SUMS_INDICATOR.at(m=cells, p=i, f=lambda place: entry(i, place)),
        why="The sum of a row against the indicator of the diagonal is its diagonal entry.",
    )
    no_constant = cell.use(
        CONSTANTS, why="The row of the projection sums to 0, as the fit is orthogonal to constants."
    )
    share = eq(of_row, (own - other) * entry(i, i))
    total = cell.show(
        share,
        "So a row contributes its diagonal entry times the moments' difference.",
        (picked, no_constant),
    ).summed(i, 0, cells - 1, "Sum this equation over all rows.")
    p.qed("The diagonal sums to the rank, so the total is this share.", total, RANK, SHARES, TWO)
