"""Equal keys have equal loss."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m
from ropeproof.theory.slash.descent.notation import (
    KEY,
    OTHER,
    PLANE,
    feature,
    loss,
    row_loss,
    same,
    same_products,
)
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

AGREE = Hypothesis("the keys agree", every(l, 0, m - 1, same(OTHER, KEY)))

_SAME_LOSS = Claim(
    id="slash.gd.same-loss",
    title="Equal keys have equal loss",
    statement=r"Keys that agree in every plane have the same loss.",
    needs=frozenset("PX"),
    hypotheses=(AGREE,),
    conclusion=eq(loss(OTHER), loss(KEY)),
)


def _proof(p: Proof) -> None:
    agree = p.under(PLANE).use(AGREE, why="They agree in a plane.")
    score = same_products(agree, OTHER, KEY, feature(j), "so their scores do,")
    exponential = score.image(sp.exp, "exponentials,")
    total = exponential.summed(j, 0, i - 1, "partition functions,")
    logarithm = total.image(sp.log, "their logarithms,")
    target = p.use(score, {j: offset}, why="targets")
    row = p.show(eq(row_loss(OTHER), row_loss(KEY)), "and rows.", logarithm, target)
    p.qed("Divide.", row.summed(i, offset + 1, length, "Sum over the rows,"))


SLASH_GD_SAME_LOSS = prove(_SAME_LOSS, _proof, Attack({"one more": eq(loss(OTHER), loss(KEY) + 1)}))

CLAIMS = (SLASH_GD_SAME_LOSS,)
