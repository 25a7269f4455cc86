"""A small loss is a large slash score."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i
from ropeproof.theory.library.exponential import EXP_ABOVE_TANGENT
from ropeproof.theory.topics.slash.descent.arguments import partition_sign, weight_of_loss
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.row import offset
from ropeproof.theory.topics.slash.score import length

x, y = real("x y")
b, c, whole = real("b c S")

# -- the exponential and its tangents ----------------------------------------------------

_TANGENT = Claim(
    id="exp.tangent",
    title="The exponential lies above its tangents",
    statement=r"$e^y(1+x-y)\le e^x$.",
    needs=frozenset("PX"),
    conclusion=le(sp.exp(y) * (1 + x - y), sp.exp(x)),
)


def _tangent(p: Proof) -> None:
    at_0 = p.lemma(
        EXP_ABOVE_TANGENT, {x: x - y}, why="The exponential at x - y lies above its tangent at 0."
    )
    shift = p.show(
        eq(sp.exp(x), sp.exp(y) * kept(sp.exp, x - y)),
        "The exponential e^x is e^y times e^(x - y).",
    )
    p.qed(
        "Multiply the inequality by e^y, which is positive.",
        at_0,
        shift,
        p.show(lt(0, sp.exp(y)), "The exponential e^y is positive."),
    )


EXP_TANGENT = prove(
    _TANGENT,
    _tangent,
    Attack(
        {
            "higher": le(sp.exp(y) * (2 + x - y), sp.exp(x)),
            "reversed": le(sp.exp(x), sp.exp(y) * (1 + x - y)),
        }
    ),
)

# -- the slash score ---------------------------------------------------------------------

_SCORE = Claim(
    id="slash.gd.score",
    title="A small loss is a large slash score",
    role="main result",
    statement=r"$\mathrm{Slash}(\Delta)\ge e^{-\mathcal L}$, by Jensen.",
    needs=frozenset("PX"),
    hypotheses=(PLACE,),
    conclusion=le(sp.exp(-loss(KEY)), slash_of(KEY)),
)


def _score(p: Proof) -> None:
    row, number = p.under(ROW), length - offset
    weight = weight_of_loss(row, partition_sign(row))
    tangent = row.lemma(
        EXP_TANGENT,
        {x: -row_loss(KEY), y: -loss(KEY)},
        why="That lies above the tangent at the mean loss,",
        goal=le(sp.exp(-loss(KEY)) * (1 - row_loss(KEY) + loss(KEY)), kept(sp.exp, -row_loss(KEY))),
    )
    above = row.show(
        le(tangent.formula.lhs, row_weight(KEY)), "and so does the weight,", weight, tangent
    )
    rows = above.summed(i, offset + 1, length, "also in sum.")
    spread = p.show(
        eq(
            sp.Sum((b - row_loss(KEY)) * c, (i, offset + 1, length)),
            number * b * c - c * over_rows(row_loss(KEY)),
        ),
        "A sum of tangents is linear in the sum of the losses,",
        PLACE,
    )
    slopes = p.under(lt(0, y)).show(
        eq(y * (1 + whole / y) * c - c * whole, c * y), "and about the mean the slopes cancel."
    )
    weight_of_mean = {c: kept(sp.exp, -loss(KEY))}
    collect = p.use(spread, {b: 1 + loss(KEY), **weight_of_mean}, why="Collect the tangents:")
    left = p.use(
        slopes,
        {y: number, whole: over_rows(row_loss(KEY)), **weight_of_mean},
        p.show(lt(0, number), "there are rows,", PLACE),
        why="their slopes cancel,",
    )
    product = p.show(
        le(sp.exp(-loss(KEY)) * number, rows.formula.rhs),
        "what is left is exp of minus the mean loss",
        (rows, collect, left),
    )
    p.qed("per row.", product, PLACE)


SLASH_GD_SCORE = prove(
    _SCORE,
    _score,
    Attack(
        {
            "equality": lt(slash_of(KEY), sp.exp(-loss(KEY))),
            "half the loss": le(sp.exp(-loss(KEY) / 2), slash_of(KEY)),
        }
    ),
)

CLAIMS = (EXP_TANGENT, SLASH_GD_SCORE)
