"""The loss is convex in the key, with curvature at most beta."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.slash.descent.convex.common import KEY, MOVE, _two_lags, moved
from ropeproof.theory.slash.descent.model import (
    FEATURES,
    PLACE,
    beta,
    feature,
    loss,
    row_loss,
    row_slope,
    slope,
    square,
)
from ropeproof.theory.slash.row import OFFSET, offset
from ropeproof.theory.slash.score import length


def _convex() -> Claim:
    after = moved(KEY, MOVE)
    in_row = (le(offset + 1, i), le(i, length))
    inside = (le(0, j), le(j, i - 1))
    quarter = beta * square(MOVE) / 2
    lower = le(loss(KEY) + slope(KEY, MOVE), loss(after))
    upper = le(loss(after), loss(KEY) + slope(KEY, MOVE) + quarter)
    goal = Both(lower, upper)

    def rows(term: Any) -> Any:
        return sp.Sum(term, (i, offset + 1, length))

    low_term = row_loss(KEY) + row_slope(KEY, MOVE)
    high_term = low_term + quarter
    return Claim(
        id="slash.gd.convex",
        title="The loss is convex in the key, with curvature at most beta",
        statement=(
            r"For all $k,v$: $\mathcal L(k)+\langle\nabla\mathcal L(k),v\rangle\le\mathcal L(k+v)"
            r"\le\mathcal L(k)+\langle\nabla\mathcal L(k),v\rangle+\frac\beta2\|v\|^2$; that is, "
            r"$\mathcal L$ is convex with Hessian $\preceq\beta I$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(PLACE.name, PLACE.formula, idle="rows without keys have a linear loss"),
            Hypothesis(
                "beta is not negative",
                le(0, beta),
                idle="it bounds a square as soon as there is a lag",
            ),
            FEATURES,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "feature",
                    le(square(feature(j)), beta),
                    instance({j: j}),
                    "Features are short",
                    (FEATURES.name,),
                    (*in_row, *inside),
                ),
                Step(
                    "features",
                    every(j, 0, i - 1, le(square(feature(j)), beta)),
                    generalise(),
                    "in every row,",
                    ("feature",),
                    in_row,
                ),
                Step(
                    "in the row",
                    OFFSET.formula,
                    smt(),
                    "which reaches back to the target,",
                    (PLACE.name,),
                    in_row,
                ),
                Step(
                    "row",
                    Both(le(low_term, row_loss(after)), le(row_loss(after), high_term)),
                    by_claim("slash.gd.row-convex"),
                    "so its loss lies between tangent and parabola.",
                    ("in the row", "beta is not negative", "features"),
                    in_row,
                ),
                Step("row low", le(low_term, row_loss(after)), smt(), "Sum", ("row",), in_row),
                Step("row high", le(row_loss(after), high_term), smt(), "over", ("row",), in_row),
                Step(
                    "sum low",
                    le(rows(low_term), rows(row_loss(after))),
                    termwise(),
                    "the",
                    ("row low",),
                ),
                Step(
                    "sum high",
                    le(rows(row_loss(after)), rows(high_term)),
                    termwise(),
                    "rows,",
                    ("row high",),
                ),
                Step(
                    "parts",
                    Both(
                        eq(rows(low_term), rows(row_loss(KEY)) + rows(row_slope(KEY, MOVE))),
                        eq(
                            rows(high_term),
                            rows(row_loss(KEY))
                            + rows(row_slope(KEY, MOVE))
                            + (length - offset) * quarter,
                        ),
                    ),
                    identity(),
                    "part by part,",
                    (PLACE.name,),
                ),
                Step(
                    "mean",
                    goal,
                    smt(),
                    "and divide by their number.",
                    ("sum low", "sum high", "parts", PLACE.name),
                ),
            )
        ),
        uses=("slash.gd.row-convex",),
        mutants=(
            Mutant(
                "half the curvature",
                le(loss(after), loss(KEY) + slope(KEY, MOVE) + quarter / 2),
                at=_two_lags(),
            ),
            Mutant("below the tangent", lt(loss(after), loss(KEY) + slope(KEY, MOVE))),
        ),
    )


SLASH_GD_CONVEX = _convex()

CLAIMS = (SLASH_GD_CONVEX,)
