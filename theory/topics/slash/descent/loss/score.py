"""A small loss is a large slash score."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i
from ropeproof.theory.library.exponential.convex import EXP_TANGENT
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.arguments import partition_sign, weight_of_loss
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset

y, b, c, whole = real("y b c S")


@theorem(
    "slash.gd.score",
    role="main result",
    hypotheses=(PLACE,),
    conclusion=le(sp.exp(-loss(KEY)), slash_of(KEY)),
    attack=Attack(
        {
            "equality": lt(slash_of(KEY), sp.exp(-loss(KEY))),
            "half the loss": le(sp.exp(-loss(KEY) / 2), slash_of(KEY)),
        }
    ),
)
def SLASH_GD_SCORE(p: Proof) -> None:
    r"""A small loss is a large slash score

    $\mathrm{Slash}(\Delta)\ge e^{-\mathcal L}$, by Jensen.
    """
    row, number = p.under(ROW), length - offset
    weight = weight_of_loss(row, partition_sign(row))
    tangent = row.lemma(
        EXP_TANGENT.at(x=-row_loss(KEY), y=-loss(KEY)),
        why="The exponential of minus the row's loss lies above the tangent at the mean loss.",
        goal=le(sp.exp(-loss(KEY)) * (1 - row_loss(KEY) + loss(KEY)), kept(sp.exp, -row_loss(KEY))),
    )
    rows = row.show(
        le(tangent.formula.lhs, row_weight(KEY)),
        "So the weight of the row lies above this tangent.",
        (weight, tangent),
    ).summed(i, offset + 1, length, "Sum this bound over the rows.")
    spread = p.show(
        eq(
            sp.Sum((b - row_loss(KEY)) * c, (i, offset + 1, length)),
            number * b * c - c * over_rows(row_loss(KEY)),
        ),
        "A sum of such tangents is linear in the sum of the losses.",
        PLACE,
    )
    slopes = p.under(lt(0, y)).show(
        eq(y * (1 + whole / y) * c - c * whole, c * y),
        "About the mean the slopes of the tangents cancel.",
    )
    weight_of_mean = {c: kept(sp.exp, -loss(KEY))}
    collect = p.use(
        spread, {b: 1 + loss(KEY), **weight_of_mean}, why="Collect the tangents at the mean loss."
    )
    left = p.use(
        slopes,
        {y: number, whole: over_rows(row_loss(KEY)), **weight_of_mean},
        p.show(lt(0, number), "The number of rows is positive.", PLACE),
        why="So at the mean loss the slopes cancel.",
    )
    product = p.show(
        le(sp.exp(-loss(KEY)) * number, rows.formula.rhs),
        "So the sum of the weights is at least exp of minus the mean loss for each row.",
        (rows, collect, left),
    )
    p.qed("Divide by the number of rows, which is positive.", product, PLACE)
