"""A loss of at most one row is mostly what is missing."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, key_x, key_y, m
from ropeproof.theory.library.exponential.convex import EXP_CHORD
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.arguments import partition_sign, weight_of_loss
from ropeproof.theory.topics.slash.descent.loss.row_losses import (
    BOUNDS,
    SIGNS,
    SLASH_GD_ROW_LOSSES,
    number,
)
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset

FEW = Hypothesis("the rows' losses add up to at most 1", le(number * loss(KEY), 1))


_KEY = {key_x(0): -10, key_y(0): 0}
_FAR = {
    **{m: 1, length: 2, offset: 1, **_KEY},
    **{psi_x(0, 0): -1, psi_x(1, 0): 1, psi_y(0, 0): 0, psi_y(1, 0): 0},
}


@theorem(
    "slash.gd.tail",
    hypotheses=(PLACE, FEW),
    conclusion=le(SHARE * loss(KEY), missing(KEY)),
    attack=Attack(
        {"all of it": le(loss(KEY), missing(KEY))},
        without={PLACE: before_the_first({**_KEY, psi_x(0, 0): sp.Rational(39, 20)}), FEW: _FAR},
    ),
)
def SLASH_GD_TAIL(p: Proof) -> None:
    r"""A loss of at most one row is mostly what is missing

    If $(N-\Delta)\mathcal L\le1$ then $1-\mathrm{Slash}(\Delta)\ge(1-\frac1{\mathrm e})\mathcal
    L$.
    """
    mine, in_row = row_loss(KEY), p.under(ROW)
    signs = p.apply(
        SLASH_GD_ROW_LOSSES, PLACE, why="The loss of every row is not negative.", goal=SIGNS
    )
    bounds = p.apply(
        SLASH_GD_ROW_LOSSES,
        PLACE,
        why="The loss of every row is at most the sum of all.",
        goal=BOUNDS,
    )
    sign = in_row.use(signs, why="In particular the loss of this row is not negative.")
    bound = in_row.use(bounds, why="In particular the loss of this row is at most the sum of all.")
    chord = in_row.lemma(
        EXP_CHORD.at(x=-1, y=0, lambda_=mine),
        (sign, bound, FEW),
        why="As the sum is at most 1, so is the row's loss. So the exponential of minus the loss "
        "lies below its chord on [0, 1].",
        goal=le(kept(sp.exp, -mine), mine * kept(sp.exp, -1) + (1 - mine)),
    )
    weight = weight_of_loss(in_row, partition_sign(in_row))
    rows = in_row.show(
        le(SHARE * mine, row_missing(KEY)),
        "So what is missing in the row is at least 1 - 1/e times its loss.",
        (chord, weight),
    ).summed(i, offset + 1, length, "Sum this bound over the rows.")
    p.qed("Divide by the number of rows, which is positive.", rows, PLACE)
