"""What is missing is at most the loss."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, key_x, key_y
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.arguments import weight_of_loss
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset, partition_of

x = real("x")


@theorem(
    "slash.gd.missing-below",
    hypotheses=(PLACE,),
    conclusion=Both(le(0, missing(KEY)), le(missing(KEY), loss(KEY))),
    attack=Attack(
        {"half the loss": le(2 * missing(KEY), loss(KEY))},
        without={PLACE: before_the_first({key_x(0): 1, key_y(0): 0})},
    ),
)
def SLASH_GD_MISSING_BELOW(p: Proof) -> None:
    r"""What is missing is at most the loss

    $0\le1-\mathrm{Slash}(\Delta)\le\mathcal L$.
    """
    row = p.under(ROW)
    parts = partition_of(row, scores(KEY), PLACE)
    sign = row.show(
        le(0, row_missing(KEY)), "A weight is at most 1, so what is missing is not negative.", parts
    )
    weight = weight_of_loss(row, parts)
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=-row_loss(KEY)),
        why="The exponential exp(-l) is at least 1 - l, its tangent.",
        goal=le(1 - row_loss(KEY), kept(sp.exp, -row_loss(KEY))),
    )
    below = row.show(
        le(row_missing(KEY), row_loss(KEY)),
        "So what is missing in a row is at most its loss.",
        (weight, tangent),
    )
    signs = sign.summed(i, offset + 1, length, "Sum this sign over the rows.")
    p.qed(
        "Divide both sums by the number of rows, which is positive.",
        (signs, below.summed(i, offset + 1, length, "Sum this bound over the rows."), PLACE),
    )
