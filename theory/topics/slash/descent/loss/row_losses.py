"""No row's loss is negative, or above the sum of all."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, key_x, key_y
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset, partition_of

row = integer("r")
MEANINGS = {**notation.MEANINGS, row: "a row"}
number, at_row = length - offset, row_loss(KEY).xreplace({i: row})
SIGNS = every(i, offset + 1, length, le(0, row_loss(KEY)))
BOUNDS = every(row, offset + 1, length, le(at_row, number * loss(KEY)))


@theorem(
    "slash.gd.row-losses",
    hypotheses=(PLACE,),
    conclusion=Both(SIGNS, BOUNDS, le(0, loss(KEY))),
    attack=Attack(
        {
            "half the sum": every(row, offset + 1, length, le(2 * at_row, number * loss(KEY))),
            "above 1": lt(1, loss(KEY)),
        },
        without={PLACE: before_the_first({key_x(0): 1, key_y(0): 0})},
    ),
)
def SLASH_GD_ROW_LOSSES(p: Proof) -> None:
    r"""No row's loss is negative, or above the sum of all

    $0\le\ell_i\le\sum_{i'}\ell_{i'}=(N-\Delta)\mathcal L$ for every row.
    """
    target = scores(KEY)(offset)
    here, losses = sp.exp(target), over_rows(row_loss(KEY))
    in_row = p.under(ROW)
    parts = partition_of(in_row, scores(KEY), PLACE)
    logs = in_row.show(
        le(here, partition(KEY)),
        "The target's term is at most the whole sum, as no part is negative.",
        parts,
    ).image(sp.log, "Take logarithms: the target's score is at most the logarithm of the sum.")
    sign = in_row.show(le(0, row_loss(KEY)), "So the row's loss is not negative.", logs)
    signs = sign.for_all(i, why="This holds for every row.")

    one = p.under(within(row, offset + 1, length))

    def beside(low: Term, high: Term, word: str) -> Fact:
        other = one.under(within(i, low, high))
        return other.use(
            sign, None, PLACE, why=f"The loss of a row {word} this one is not negative."
        ).summed(i, low, high, "So the sum of the losses of these rows is not negative.")

    before, after = beside(offset + 1, row - 1, "before"), beside(row + 1, length, "after")
    cut_after = one.split(losses, row, "Split the sum of the losses after this row.")
    cut_before = one.last(
        cut_after.formula.rhs.args[0], "Split this row's loss off the first part."
    )
    bounds = one.show(
        le(at_row, number * loss(KEY)),
        "So this row's loss is at most the sum of all, (N - Delta) L.",
        (before, after, cut_after, cut_before, PLACE),
    ).for_all(row, why="This holds for every row.")
    whole = sign.summed(i, offset + 1, length, "So the sum of all losses is not negative.")
    p.qed(
        "So the mean of the losses is not negative. This proves both bounds of a row's loss "
        "and the sign of the mean.",
        (signs, bounds, whole, PLACE),
    )


def loss_sign(scope: Scope, key: Vector, why: str) -> Fact:
    """0 <= L(k)."""
    return scope.lemma(
        SLASH_GD_ROW_LOSSES.at(**by_name(taking(KEY, key))), PLACE, why=why, goal=le(0, loss(key))
    )
