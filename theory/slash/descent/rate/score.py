"""A small loss is a large slash score."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt, termwise
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.descent.convex import KEY
from ropeproof.theory.slash.descent.model import PLACE, loss, partition, row_loss, scores
from ropeproof.theory.slash.descent.rate.common import slash_of, x, y
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _score() -> Claim:
    share = sp.exp(scores(KEY)(offset)) / partition(KEY)
    in_row = (le(offset + 1, i), le(i, length))
    goal = le(sp.exp(-loss(KEY)), slash_of(KEY))
    tangent = sp.exp(-loss(KEY)) * (1 - row_loss(KEY) + loss(KEY))
    rows = sp.Sum(row_loss(KEY), (i, offset + 1, length))
    return Claim(
        id="slash.gd.score",
        title="A small loss is a large slash score",
        statement=r"$\mathrm{Slash}(\Delta)\ge e^{-\mathcal L}$, by Jensen.",
        needs=frozenset("PX"),
        hypotheses=(PLACE,),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("term", lt(0, sp.exp(scores(KEY)(j))), smt(), "Exponentials are positive,"),
                Step("lags", le(1, i), smt(), "and a row has a lag,", (PLACE.name,), in_row),
                Step(
                    "partition",
                    lt(0, partition(KEY)),
                    termwise(),
                    "so their sum is positive.",
                    ("term", "lags"),
                    in_row,
                ),
                Step(
                    "weight",
                    eq(share, sp.exp(-row_loss(KEY), evaluate=False)),
                    identity(),
                    "A row's weight is exp of minus its loss,",
                    ("partition",),
                    in_row,
                ),
                Step(
                    "above tangent",
                    le(tangent, sp.exp(-row_loss(KEY), evaluate=False)),
                    by_claim("exp.tangent", {x: -row_loss(KEY), y: -loss(KEY)}),
                    "above the tangent at the mean loss.",
                ),
                Step("row", le(tangent, share), smt(), "So", ("weight", "above tangent"), in_row),
                Step(
                    "rows",
                    le(
                        sp.Sum(tangent, (i, offset + 1, length)),
                        sp.Sum(share, (i, offset + 1, length)),
                    ),
                    termwise(),
                    "in sum",
                    ("row",),
                ),
                Step(
                    "collect",
                    eq(
                        sp.Sum(tangent, (i, offset + 1, length)),
                        sp.exp(-loss(KEY))
                        * ((length - offset) - rows + (length - offset) * loss(KEY)),
                    ),
                    identity(),
                    "the tangents'",
                    (PLACE.name,),
                ),
                Step(
                    "cancel",
                    eq((length - offset) * loss(KEY), rows),
                    smt(),
                    "slopes cancel.",
                    (PLACE.name,),
                ),
                Step(
                    "product",
                    le(
                        sp.exp(-loss(KEY)) * (length - offset),
                        sp.Sum(share, (i, offset + 1, length)),
                    ),
                    smt(),
                    "What is left is exp of minus the mean loss",
                    ("rows", "collect", "cancel"),
                ),
                Step("mean", goal, smt(), "per row.", ("product", PLACE.name)),
            )
        ),
        uses=("exp.tangent",),
        mutants=(
            Mutant("equality", lt(slash_of(KEY), sp.exp(-loss(KEY)))),
            Mutant("half the loss", le(sp.exp(-loss(KEY) / 2), slash_of(KEY))),
        ),
    )


SLASH_GD_SCORE = _score()

CLAIMS = (SLASH_GD_SCORE,)
