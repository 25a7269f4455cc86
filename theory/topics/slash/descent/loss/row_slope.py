"""A direction that lowers every competitor lowers the row's loss."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, key_x, key_y, m
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import OFFSET, offset, partition_of

g, h = scores(KEY), scores(MOVE)
high = h(offset) - gap_size

IN_ROW = Hypothesis(OFFSET.name, OFFSET.formula)
LOWER = Hypothesis(
    "other lags lie lower by c",
    Every((j,), If(Both(le(0, j), le(j, i - 1), ne(j, offset)), le(h(j), high))),
)


_BEYOND = {
    **{m: 1, i: 1, offset: 5, gap_size: -1, psi_x(0, 0): 1, psi_x(5, 0): 0},
    **{psi_y(0, 0): 0, psi_y(5, 0): 0},
}
"""A row of one lag, and a target beyond it that lies lower."""


@theorem(
    "slash.gd.row-slope",
    hypotheses=(IN_ROW, LOWER),
    conclusion=le(row_slope(KEY, MOVE), -gap_size * row_missing(KEY)),
    attack=Attack(
        {
            "twice": le(row_slope(KEY, MOVE), -2 * gap_size * row_missing(KEY)),
            "rises": le(row_slope(KEY, MOVE), gap_size * (1 - row_missing(KEY))),
        },
        without={IN_ROW: {**_BEYOND, key_x(0): 0, key_y(0): 0, v_x(0): 1, v_y(0): 0}},
    ),
)
def SLASH_GD_ROW_SLOPE(p: Proof) -> None:
    r"""A direction that lowers every competitor lowers the row's loss

    If $\langle v,\psi(j)\rangle\le\langle v,\psi(\Delta)\rangle-c$ for every other lag of the
    row, then $\langle\nabla\ell_i,v\rangle\le-c(1-S_{i,i-\Delta})$.
    """
    weight, here, total = sp.exp(g(j)), sp.exp(g(offset)), partition(KEY)
    weighted = sp.Sum(weight * h(j), (j, 0, i - 1))

    def others(low: Term, last: Term, word: str) -> Fact:
        """The weighted scores from `low` to `last` add up to at most `high` times the weights."""
        lag = p.under(within(j, low, last))
        lower = lag.use(
            LOWER, None, IN_ROW, why=f"The score of a lag {word} the target is lower by c along v."
        )
        return lag.show(
            le(weight * h(j), weight * high),
            "Multiply this bound by the weight of the lag, which is positive.",
            lower,
        ).summed(j, low, last, "Sum this bound over these lags.")

    before = others(sp.Integer(0), offset - 1, "before")
    after = others(offset + 1, i - 1, "after")
    cut_after = p.split(weighted, offset, "Split the weighted sum after the target.", IN_ROW)
    cut_before = p.last(
        cut_after.formula.rhs.args[0], "Split the target's term off the first part.", IN_ROW
    )
    parts = partition_of(p, g, IN_ROW)
    mean = p.show(
        le(weighted, h(offset) * total - gap_size * (total - here)),
        "So the weighted sum is at most the target's score times the sum minus c times the rest.",
        (cut_after, cut_before, before, after, parts),
    ).times(1 / total, "Divide by the normaliser, which is positive.", parts)
    p.qed(
        "The right side is the target's score minus c times what is missing. So the slope of "
        "the row's loss is at most -c times what is missing.",
        (mean, parts),
    )
