"""A direction that lowers every competitor lowers the row's loss."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.descent.convex import KEY
from ropeproof.theory.slash.descent.model import PLACE, partition, row_slope, scores, slope
from ropeproof.theory.slash.descent.shared import margin, row_step, x
from ropeproof.theory.slash.descent.shared import y as y_
from ropeproof.theory.slash.descent.sharp.common import IN_ROW, MOVE, gap_size, missing, row_missing
from ropeproof.theory.slash.row import OFFSET, offset
from ropeproof.theory.slash.score import length


def _row_slope() -> Claim:
    g, h = scores(KEY), scores(MOVE)
    weighted = sp.Sum(sp.exp(g(j)) * h(j), (j, 0, i - 1))
    high = h(offset) - gap_size
    here = sp.exp(g(offset))
    below, above = (
        sp.Sum(sp.exp(g(j)), (j, 0, offset - 1)),
        sp.Sum(sp.exp(g(j)), (j, offset + 1, i - 1)),
    )
    upto = sp.Sum(sp.exp(g(j)) * h(j), (j, 0, offset))
    low_part = sp.Sum(sp.exp(g(j)) * h(j), (j, 0, offset - 1))
    high_part = sp.Sum(sp.exp(g(j)) * h(j), (j, offset + 1, i - 1))
    wins = "other lags lie lower by c"
    goal = le(row_slope(KEY, MOVE), -gap_size * row_missing(KEY))

    def part(label: str, low: Any, last: Any, mine: Any, plain: Any) -> tuple[Step, ...]:
        where = (le(low, j), le(j, last))
        return (
            Step(
                f"lower {label}",
                le(h(j), high),
                instance({j: j}),
                f"A lag {label} the target lies lower,",
                (wins, OFFSET.name),
                where,
            ),
            Step(
                f"term {label}",
                le(sp.exp(g(j)) * h(j), sp.exp(g(j)) * high),
                smt(),
                "weighted",
                (f"lower {label}", "positive"),
                where,
            ),
            Step(
                f"sum {label}",
                le(mine, sp.Sum(sp.exp(g(j)) * high, (j, low, last))),
                termwise(),
                "and summed.",
                (f"term {label}",),
            ),
            Step(
                f"factor {label}",
                eq(sp.Sum(sp.exp(g(j)) * high, (j, low, last)), high * plain),
                identity(),
                "Take it out.",
            ),
        )

    return Claim(
        id="slash.gd.row-slope",
        title="A direction that lowers every competitor lowers the row's loss",
        statement=(
            r"If $\langle v,\psi(t)\rangle\le\langle v,\psi(\Delta)\rangle-c$ for every other lag of the "
            r"row, then $\langle\nabla\ell_i,v\rangle\le-c(1-S_{i,i-\Delta})$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                OFFSET.name, OFFSET.formula, unshown="otherwise the target is no lag of the row"
            ),
            Hypothesis(
                wins, Every((j,), If(Both(le(0, j), le(j, i - 1), ne(j, offset)), le(h(j), high)))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("positive", lt(0, sp.exp(g(j))), smt(), "Exponentials are positive."),
                *part("before", sp.Integer(0), offset - 1, low_part, below),
                *part("after", offset + 1, i - 1, high_part, above),
                Step(
                    "cut after",
                    eq(weighted, upto + high_part),
                    split(offset),
                    "Split at the target",
                    (OFFSET.name,),
                ),
                Step(
                    "cut before",
                    eq(upto, low_part + here * h(offset)),
                    split(offset - 1),
                    "the mean",
                    (OFFSET.name,),
                ),
                Step("in the row", OFFSET.formula, smt(), "and", (OFFSET.name,)),
                row_step("parts", g, ()),
                Step(
                    "numerator",
                    le(weighted, h(offset) * partition(KEY) - gap_size * (partition(KEY) - here)),
                    smt(),
                    "the sum.",
                    (
                        "cut after",
                        "cut before",
                        "sum before",
                        "factor before",
                        "sum after",
                        "factor after",
                        "parts",
                    ),
                ),
                Step("inverse", lt(0, 1 / partition(KEY)), smt(), "Divide", ("parts",)),
                Step(
                    "mean",
                    le(
                        weighted * (1 / partition(KEY)),
                        (h(offset) * partition(KEY) - gap_size * (partition(KEY) - here))
                        * (1 / partition(KEY)),
                    ),
                    by_claim(
                        "order.times",
                        {
                            x: weighted,
                            y_: h(offset) * partition(KEY) - gap_size * (partition(KEY) - here),
                            real("t"): 1 / partition(KEY),
                        },
                    ),
                    "by it:",
                    ("numerator", "inverse"),
                ),
                Step(
                    "divided",
                    eq(
                        (h(offset) * partition(KEY) - gap_size * (partition(KEY) - here))
                        * (1 / partition(KEY)),
                        h(offset) - gap_size * row_missing(KEY),
                    ),
                    identity(),
                    "the target's score less c times what is missing.",
                    ("parts",),
                ),
                Step("slope", goal, smt(), "That is the slope.", ("mean", "divided")),
            )
        ),
        uses=("softmax.partition", "order.times"),
        mutants=(
            Mutant("twice", le(row_slope(KEY, MOVE), -2 * gap_size * row_missing(KEY))),
            Mutant("rises", le(row_slope(KEY, MOVE), gap_size * (1 - row_missing(KEY)))),
        ),
    )


def _slope_below() -> Claim:
    h = scores(MOVE)
    wins = Every(
        (j,), If(Both(le(0, j), le(j, length - 1), ne(j, offset)), le(h(j), h(offset) - gap_size))
    )
    in_row_wins = Every(
        (j,), If(Both(le(0, j), le(j, i - 1), ne(j, offset)), le(h(j), h(offset) - gap_size))
    )
    inside = (le(0, j), le(j, i - 1), ne(j, offset))
    total = sp.Sum(row_slope(KEY, MOVE), (i, offset + 1, length))
    lost = sp.Sum(-gap_size * row_missing(KEY), (i, offset + 1, length))
    goal = le(slope(KEY, MOVE), -gap_size * missing(KEY))
    return Claim(
        id="slash.gd.slope-below",
        title="The loss falls at least as fast as what is missing",
        statement=(
            r"If $\langle v,\psi(t)\rangle\le\langle v,\psi(\Delta)\rangle-c$ for every other $t<N$, then "
            r"$\langle\nabla\mathcal L,v\rangle\le-c\,(1-\mathrm{Slash}(\Delta))$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row to average"),
            Hypothesis("other lags lie lower by c", wins),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "lower",
                    le(h(j), h(offset) - gap_size),
                    instance({j: j}),
                    "Every competitor",
                    ("other lags lie lower by c",),
                    (*IN_ROW, *inside),
                ),
                Step(
                    "lowers", in_row_wins, generalise(), "of a row lies lower,", ("lower",), IN_ROW
                ),
                Step(
                    "in the row",
                    OFFSET.formula,
                    smt(),
                    "the row reaching back,",
                    (PLACE.name,),
                    IN_ROW,
                ),
                Step(
                    "row",
                    le(row_slope(KEY, MOVE), -gap_size * row_missing(KEY)),
                    by_claim("slash.gd.row-slope"),
                    "so the row's loss falls,",
                    ("in the row", "lowers"),
                    IN_ROW,
                ),
                Step("rows", le(total, lost), termwise(), "and their sum", ("row",)),
                Step(
                    "factor",
                    eq(lost, -gap_size * sp.Sum(row_missing(KEY), (i, offset + 1, length))),
                    identity(),
                    "by what is missing",
                ),
                Step("mean", goal, smt(), "on average.", ("rows", "factor", PLACE.name)),
            )
        ),
        uses=("slash.gd.row-slope",),
        mutants=(Mutant("twice", le(slope(KEY, MOVE), -2 * gap_size * missing(KEY))),),
    )


def _square_order() -> Claim:
    A, M, Q = real("A M Q")
    goal = le(margin**2 * M**2, Q)
    return Claim(
        id="slash.gd.square-order",
        title="A slope below minus gamma M, squared",
        statement=r"If $A\le-\gamma M\le0$ and $A^2\le Q$ then $\gamma^2M^2\le Q$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("gamma is not negative", le(0, margin)),
            Hypothesis("M is not negative", le(0, M)),
            Hypothesis("the slope", le(A, -margin * M)),
            Hypothesis("its square", le(A**2, Q)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "sign",
                    le(0, margin * M),
                    smt(),
                    "The product is not negative,",
                    ("gamma is not negative", "M is not negative"),
                ),
                Step(
                    "square",
                    le((margin * M) ** 2, A**2),
                    smt(),
                    "so squares compare.",
                    ("sign", "the slope"),
                ),
                Step(
                    "expand",
                    eq((margin * M) ** 2, margin**2 * M**2),
                    identity(),
                    "The square of the product",
                ),
                Step("bound", goal, smt(), "is at most Q.", ("square", "expand", "its square")),
            )
        ),
        mutants=(Mutant("twice", le(2 * margin**2 * M**2, Q)),),
    )


SLASH_GD_ROW_SLOPE = _row_slope()
SLASH_GD_SLOPE_BELOW = _slope_below()
SLASH_GD_SQUARE_ORDER = _square_order()

CLAIMS = (SLASH_GD_ROW_SLOPE, SLASH_GD_SLOPE_BELOW, SLASH_GD_SQUARE_ORDER)
