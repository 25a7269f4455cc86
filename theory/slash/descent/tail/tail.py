"""A loss of at most one row is mostly what is missing."""

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
from ropeproof.theory.notation import i, j, key_x, key_y, m
from ropeproof.theory.slash.descent.convex import KEY
from ropeproof.theory.slash.descent.log_sum import share
from ropeproof.theory.slash.descent.log_sum import x as chord_x
from ropeproof.theory.slash.descent.log_sum import y as chord_y
from ropeproof.theory.slash.descent.model import PLACE, loss, partition, row_loss, scores
from ropeproof.theory.slash.descent.shared import (
    IN_ROW,
    SHARE,
    missing,
    one_plane,
    row_missing,
    row_step,
    x,
    y,
)
from ropeproof.theory.slash.descent.tail.common import row
from ropeproof.theory.slash.row import OFFSET, offset
from ropeproof.theory.slash.score import length


def _features() -> tuple[Any, ...]:
    return tuple(f for f in one_plane() if "psi" in str(f))


def _row_losses() -> Claim:
    losses = sp.Sum(row_loss(KEY), (i, offset + 1, length))
    at_row = row_loss(KEY).xreplace({i: row})
    upto = sp.Sum(row_loss(KEY), (i, offset + 1, row))
    before = sp.Sum(row_loss(KEY), (i, offset + 1, row - 1))
    after = sp.Sum(row_loss(KEY), (i, row + 1, length))
    place = (le(offset + 1, row), le(row, length))
    in_rows = Both(
        every(i, offset + 1, length, le(0, row_loss(KEY))),
        every(row, offset + 1, length, le(at_row, (length - offset) * loss(KEY))),
        le(0, loss(KEY)),
    )
    here = sp.exp(scores(KEY)(offset))

    def sign(label: str, *where: Any) -> Step:
        return Step(
            f"sign {label}",
            le(0, row_loss(KEY)),
            instance({i: i}),
            f"Losses {label} a row are not negative,",
            ("row sign", PLACE.name),
            (*place, *where),
        )

    return Claim(
        id="slash.gd.row-losses",
        title="No row's loss is negative, or above the sum of all",
        statement=r"$0\le\ell_i\le\sum_{i'}\ell_{i'}=(N-\Delta)\mathcal L$ for every row.",
        needs=frozenset("PX"),
        hypotheses=(Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row"),),
        conclusion=in_rows,
        derivation=Derivation(
            (
                Step(
                    "in the row",
                    OFFSET.formula,
                    smt(),
                    "A row holds the target,",
                    (PLACE.name,),
                    IN_ROW,
                ),
                row_step("parts", scores(KEY), IN_ROW),
                Step("positive", lt(0, here), smt(), "which is positive"),
                Step(
                    "at least",
                    le(here, partition(KEY)),
                    smt(),
                    "and one of the sum's terms,",
                    ("parts",),
                    IN_ROW,
                ),
                Step(
                    "log",
                    le(sp.log(here, evaluate=False), sp.log(partition(KEY))),
                    by_claim("exp.log-monotone", {x: here, y: partition(KEY)}),
                    "so the sum's logarithm",
                    ("at least", "positive"),
                    IN_ROW,
                ),
                Step(
                    "undo",
                    eq(sp.log(here, evaluate=False), scores(KEY)(offset)),
                    identity(),
                    "is at least the target's score:",
                ),
                Step(
                    "row sign",
                    le(0, row_loss(KEY)),
                    smt(),
                    "the loss is not negative,",
                    ("log", "undo"),
                    IN_ROW,
                ),
                Step(
                    "row signs",
                    every(i, offset + 1, length, le(0, row_loss(KEY))),
                    generalise(),
                    "in any row.",
                    ("row sign",),
                ),
                sign("before", le(offset + 1, i), le(i, row - 1)),
                sign("after", le(row + 1, i), le(i, length)),
                Step(
                    "before", le(0, before), termwise(), "nor is their sum", ("sign before",), place
                ),
                Step("after", le(0, after), termwise(), "on either side.", ("sign after",), place),
                Step("cut after", eq(losses, upto + after), split(row), "Split the sum", (), place),
                Step(
                    "cut before",
                    eq(upto, before + at_row),
                    split(row - 1),
                    "at the row:",
                    (),
                    place,
                ),
                Step(
                    "total",
                    eq((length - offset) * loss(KEY), losses),
                    identity(),
                    "the sum of all,",
                    (PLACE.name,),
                ),
                Step(
                    "row bound",
                    le(at_row, (length - offset) * loss(KEY)),
                    smt(),
                    "which no row exceeds.",
                    ("before", "after", "cut after", "cut before", "total"),
                    place,
                ),
                Step(
                    "row bounds",
                    every(row, offset + 1, length, le(at_row, (length - offset) * loss(KEY))),
                    generalise(),
                    "Whichever.",
                    ("row bound",),
                ),
                Step("sum", le(0, losses), termwise(), "The sum", ("row sign",)),
                Step(
                    "mean",
                    le(0, loss(KEY)),
                    smt(),
                    "and the mean are not negative.",
                    ("sum", PLACE.name),
                ),
                Step("all", in_rows, smt(), "All three.", ("row signs", "row bounds", "mean")),
            )
        ),
        uses=("softmax.partition", "exp.log-monotone"),
        mutants=(
            Mutant(
                "half the sum",
                every(row, offset + 1, length, le(2 * at_row, (length - offset) * loss(KEY))),
            ),
            Mutant("above 1", lt(sp.Integer(1), loss(KEY))),
        ),
    )


def _tail() -> Claim:
    goal = le(SHARE * loss(KEY), missing(KEY))
    few = le((length - offset) * loss(KEY), 1)
    losses = sp.Sum(row_loss(KEY), (i, offset + 1, length))
    minus_one = sp.exp(-sp.Integer(1), evaluate=False)
    chord = row_loss(KEY) * minus_one + (1 - row_loss(KEY)) * sp.exp(sp.Integer(0), evaluate=False)
    at_row = row_loss(KEY)
    return Claim(
        id="slash.gd.tail",
        title="A loss of at most one row is mostly what is missing",
        statement=(
            r"If $(N-\Delta)\mathcal L\le1$ then $1-\mathrm{Slash}(\Delta)\ge(1-\frac1e)\mathcal L$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row"),
            Hypothesis(
                "the rows' losses add up to at most 1",
                few,
                without=(
                    eq(m, 1),
                    eq(length, 2),
                    eq(offset, 1),
                    eq(key_x(0), -10),
                    eq(key_y(0), 0),
                    *_features(),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "losses",
                    Both(
                        every(i, offset + 1, length, le(0, row_loss(KEY))),
                        every(
                            row,
                            offset + 1,
                            length,
                            le(row_loss(KEY).xreplace({i: row}), (length - offset) * loss(KEY)),
                        ),
                        le(0, loss(KEY)),
                    ),
                    by_claim("slash.gd.row-losses"),
                    "No row's loss is negative or above the sum.",
                    (PLACE.name,),
                ),
                Step(
                    "signs",
                    every(i, offset + 1, length, le(0, row_loss(KEY))),
                    smt(),
                    "The",
                    ("losses",),
                ),
                Step(
                    "bounds",
                    every(
                        row,
                        offset + 1,
                        length,
                        le(row_loss(KEY).xreplace({i: row}), (length - offset) * loss(KEY)),
                    ),
                    smt(),
                    "row's",
                    ("losses",),
                ),
                Step("sign", le(0, at_row), instance({i: i}), "loss lies", ("signs",), IN_ROW),
                Step(
                    "bound",
                    le(at_row, (length - offset) * loss(KEY)),
                    instance({row: i}),
                    "between 0",
                    ("bounds",),
                    IN_ROW,
                ),
                Step(
                    "at most 1",
                    le(at_row, 1),
                    smt(),
                    "and 1,",
                    ("bound", "the rows' losses add up to at most 1"),
                    IN_ROW,
                ),
                Step(
                    "chord",
                    le(sp.exp(-row_loss(KEY), evaluate=False), chord),
                    by_claim(
                        "exp.chord",
                        {chord_x: sp.Integer(-1), chord_y: sp.Integer(0), share: row_loss(KEY)},
                    ),
                    "so its exponential lies below the chord,",
                    ("sign", "at most 1"),
                    IN_ROW,
                ),
                Step("term", lt(0, sp.exp(scores(KEY)(j))), smt(), "and the row's weight"),
                Step("lags", le(1, i), smt(), "(its sum", (PLACE.name,), IN_ROW),
                Step(
                    "partition",
                    lt(0, partition(KEY)),
                    termwise(),
                    "being positive)",
                    ("term", "lags"),
                    IN_ROW,
                ),
                Step(
                    "weight",
                    eq(
                        sp.exp(scores(KEY)(offset)) / partition(KEY),
                        sp.exp(-row_loss(KEY), evaluate=False),
                    ),
                    identity(),
                    "is that exponential.",
                    ("partition",),
                    IN_ROW,
                ),
                Step(
                    "zero", eq(sp.exp(sp.Integer(0), evaluate=False), 1), identity(), "exp 0 = 1."
                ),
                Step(
                    "row",
                    le(SHARE * row_loss(KEY), row_missing(KEY)),
                    smt(),
                    "So what is missing is at least 1 - 1/e times the loss,",
                    ("chord", "weight", "zero"),
                    IN_ROW,
                ),
                Step(
                    "rows",
                    le(
                        sp.Sum(SHARE * row_loss(KEY), (i, offset + 1, length)),
                        sp.Sum(row_missing(KEY), (i, offset + 1, length)),
                    ),
                    termwise(),
                    "in sum",
                    ("row",),
                ),
                Step(
                    "factor",
                    eq(sp.Sum(SHARE * row_loss(KEY), (i, offset + 1, length)), SHARE * losses),
                    identity(),
                    "and",
                ),
                Step("mean", goal, smt(), "on average.", ("rows", "factor", PLACE.name)),
            )
        ),
        uses=("slash.gd.row-losses", "exp.chord"),
        mutants=(Mutant("all of it", le(loss(KEY), missing(KEY))),),
    )


SLASH_GD_ROW_LOSSES = _row_losses()
SLASH_GD_TAIL = _tail()

CLAIMS = (SLASH_GD_ROW_LOSSES, SLASH_GD_TAIL)
