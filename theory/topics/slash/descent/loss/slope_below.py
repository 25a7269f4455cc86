"""The loss falls at least as fast as what is missing."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, key_x, key_y
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.loss.row_slope import SLASH_GD_ROW_SLOPE
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset

LOWER = Hypothesis("other lags lie lower by c", lower_by(MOVE, gap_size))


@theorem(
    "slash.gd.slope-below",
    hypotheses=(PLACE, LOWER),
    conclusion=le(slope(KEY, MOVE), -gap_size * missing(KEY)),
    attack=Attack(
        {"twice": le(slope(KEY, MOVE), -2 * gap_size * missing(KEY))},
        without={
            PLACE: before_the_first(
                {key_x(0): 0, key_y(0): 0, v_x(0): -1, v_y(0): 0, psi_x(0, 0): 2, gap_size: 1}
            )
        },
    ),
)
def SLASH_GD_SLOPE_BELOW(p: Proof) -> None:
    r"""The loss falls at least as fast as what is missing

    If $\langle v,\psi(j)\rangle\le\langle v,\psi(\Delta)\rangle-c$ for every other $j<N$, then
    $\langle\nabla\mathcal L,v\rangle\le-c\,(1-\mathrm{Slash}(\Delta))$.
    """
    row = p.under(ROW)
    lag = row.under(within(j, 0, i - 1), ne(j, offset))
    lower = lag.use(LOWER, why="The score of another lag of the row is lower by c along v.")
    rows = row.lemma(
        SLASH_GD_ROW_SLOPE,
        (PLACE, lower.for_all(j, why="This holds for every other lag of the row.")),
        why="So the slope of the row's loss is at most -c times what is missing.",
    ).summed(i, offset + 1, length, "Sum this bound over the rows.")
    p.qed("Divide by the number of rows, which is positive.", rows, PLACE)
