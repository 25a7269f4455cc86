"""Equal keys have equal loss."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, m
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.arguments import same_products
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset

MEANINGS = {
    **notation.MEANINGS,
    (real_function("a_x"), real_function("a_y")): "another key",
    real_function("a_x"): "first coordinate of another key in a plane",
    real_function("a_y"): "second coordinate of another key in a plane",
}

AGREE = Hypothesis("the keys agree", every(l, 0, m - 1, same(OTHER, KEY)))


@theorem(
    "slash.gd.same-loss",
    hypotheses=(AGREE,),
    conclusion=eq(loss(OTHER), loss(KEY)),
    attack=Attack({"one more": eq(loss(OTHER), loss(KEY) + 1)}),
)
def SLASH_GD_SAME_LOSS(p: Proof) -> None:
    """Equal keys have equal loss

    Keys that agree in every plane have the same loss.
    """
    agree = p.under(PLANE).use(AGREE, why="The two keys agree in every plane.")
    score = same_products(agree, OTHER, KEY, feature(j), "So the scores of the two keys are equal.")
    exponential = score.image(sp.exp, "So the exponentials of the scores are equal.")
    total = exponential.summed(j, 0, i - 1, "Sum this equation over the lags of a row.")
    logarithm = total.image(sp.log, "So the logarithms of the two sums are equal.")
    target = p.use(score, {j: offset}, why="In particular the scores at the target are equal.")
    row = p.show(
        eq(row_loss(OTHER), row_loss(KEY)), "So the losses of a row are equal.", logarithm, target
    )
    p.qed(
        "Divide both sums by the number of rows.",
        row.summed(i, offset + 1, length, "Sum this equation over the rows."),
    )


def next_loss(scope: Scope, is_step: Fact) -> Fact:
    """L(k(tau + 1)) is the loss after the step."""
    keys = {**by_name(taking(OTHER, after)), **by_name(taking(KEY, moved))}
    agree = is_step.for_all(l, why="The next key and that of the step agree in every plane.")
    return scope.lemma(
        SLASH_GD_SAME_LOSS.at(**keys), agree, why="So the losses of these two keys are equal."
    )
