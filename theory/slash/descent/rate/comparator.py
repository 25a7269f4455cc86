"""A multiple of the separating direction has loss 1/T."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.descent.model import PLACE, loss, partition, row_loss, scores
from ropeproof.theory.slash.descent.rate.common import (
    BEST,
    SEPARATES,
    SEPARATES_PLAIN,
    WINS,
    margin,
    one_plane,
    row_step,
    steps,
    t_,
    x,
    y,
)
from ropeproof.theory.slash.row import OFFSET, offset
from ropeproof.theory.slash.score import length


def _comparator() -> Claim:
    """A multiple of the separating direction has a small loss."""
    size = sp.log((length - 1) * steps) / margin
    target = (size * BEST[0], size * BEST[1])
    score, unit = scores(target), scores(BEST)
    in_row = (le(offset + 1, i), le(i, length))
    here = sp.exp(score(offset))
    bound = here / ((length - 1) * steps)
    parts_before = sp.Sum(sp.exp(score(j)), (j, 0, offset - 1))
    parts_after = sp.Sum(sp.exp(score(j)), (j, offset + 1, i - 1))
    goal = le(loss(target), 1 / steps)
    enough = "there are two positions and a step"

    def part(label: str, low: Any, high: Any, total: Any) -> tuple[Step, ...]:
        where = (*in_row, le(low, j), le(j, high))
        return (
            Step(
                f"gap {label}",
                le(unit(j) + margin, unit(offset)),
                instance({j: j}),
                f"A lag {label} the target is separated,",
                (WINS.name, PLACE.name),
                where,
            ),
            Step(
                f"scaled {label}",
                le((unit(j) + margin) * size, unit(offset) * size),
                by_claim("order.times", {x: unit(j) + margin, y: unit(offset), t_: size}),
                "and scaled by the logarithm,",
                (f"gap {label}", "size"),
                where,
            ),
            Step(
                f"score {label}",
                le(score(j), score(offset) - sp.log((length - 1) * steps)),
                smt(),
                "it is that much lower,",
                (f"scaled {label}", "linear", "linear target", SEPARATES.name),
                where,
            ),
            Step(
                f"exponential {label}",
                le(
                    sp.exp(score(j)),
                    sp.exp(score(offset) - sp.log((length - 1) * steps), evaluate=False),
                ),
                monotone(score(j), score(offset) - sp.log((length - 1) * steps)),
                "so its exponential",
                (f"score {label}",),
                where,
            ),
            Step(
                f"term {label}",
                le(sp.exp(score(j)), bound),
                smt(),
                "is small",
                (f"exponential {label}", "divided"),
                where,
            ),
            Step(
                f"sum {label}",
                le(total, sp.Sum(bound, (j, low, high))),
                termwise(),
                "in sum.",
                (f"term {label}",),
                in_row,
            ),
        )

    return Claim(
        id="slash.gd.comparator",
        title="A multiple of the separating direction has loss 1/T",
        statement=(
            r"If the unit vector $k_*$ separates the target by $\gamma>0$ then "
            r"$u=\frac{\ln((N-1)T)}\gamma k_*$ has $\mathcal L(u)\le\frac1T$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            PLACE,
            Hypothesis(
                enough,
                Both(le(2, length), le(1, steps)),
                unshown="with one position the loss is 0; without steps 1/T is 0 by convention",
            ),
            SEPARATES_PLAIN,
            WINS,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "count",
                    Both(lt(0, (length - 1) * steps), le(1, length - 1)),
                    smt(),
                    "(N - 1) T is positive,",
                    (enough,),
                ),
                Step(
                    "at least 1",
                    le(1, (length - 1) * steps),
                    smt(),
                    "at least 1,",
                    (enough, "count"),
                ),
                Step(
                    "log",
                    le(sp.log(sp.Integer(1), evaluate=False), sp.log((length - 1) * steps)),
                    by_claim("exp.log-monotone", {x: sp.Integer(1), y: (length - 1) * steps}),
                    "so its logarithm",
                    ("at least 1",),
                ),
                Step(
                    "log 1",
                    eq(sp.log(sp.Integer(1), evaluate=False), 0),
                    identity(),
                    "is not negative,",
                ),
                Step(
                    "scale",
                    eq(size * margin, sp.log((length - 1) * steps)),
                    identity(),
                    "gamma times the size of u,",
                    (SEPARATES.name,),
                ),
                Step(
                    "size",
                    le(0, size),
                    smt(),
                    "which is not negative either.",
                    ("log", "log 1", SEPARATES.name),
                ),
                Step("linear", eq(score(j), size * unit(j)), identity(), "Scores scale with it,"),
                Step(
                    "linear target",
                    eq(score(offset), size * unit(offset)),
                    identity(),
                    "the target's too.",
                ),
                Step(
                    "divided",
                    eq(sp.exp(score(offset) - sp.log((length - 1) * steps), evaluate=False), bound),
                    identity(),
                    "Taking the logarithm off divides by (N - 1) T.",
                    ("count",),
                ),
                *part("before", sp.Integer(0), offset - 1, parts_before),
                *part("after", offset + 1, i - 1, parts_after),
                Step(
                    "in the row",
                    OFFSET.formula,
                    smt(),
                    "The target is in the row.",
                    (PLACE.name,),
                    in_row,
                ),
                row_step("parts", score, in_row),
                Step(
                    "number",
                    eq(
                        sp.Sum(bound, (j, 0, offset - 1)) + sp.Sum(bound, (j, offset + 1, i - 1)),
                        (i - 1) * bound,
                    ),
                    identity(),
                    "There are i - 1 others.",
                    ("in the row",),
                    in_row,
                ),
                Step("here", lt(0, here), smt(), "The target's exponential is positive,"),
                Step("bound sign", lt(0, bound), smt(), "so is its share,", ("here", "count")),
                Step(
                    "longest",
                    le((i - 1) * bound, (length - 1) * bound),
                    by_claim("order.times", {x: i - 1, y: length - 1, t_: bound}),
                    "and a row is no longer than the prompt.",
                    ("bound sign", "count"),
                    in_row,
                ),
                Step(
                    "share",
                    eq((length - 1) * bound, here / steps),
                    identity(),
                    "All together the others have at most 1/T of the target's,",
                    (enough, "count"),
                ),
                Step(
                    "partition",
                    le(partition(target), here * (1 + 1 / steps)),
                    smt(),
                    "and the sum at most 1 + 1/T.",
                    ("parts", "sum before", "sum after", "number", "longest", "share"),
                    in_row,
                ),
                Step("inverse", lt(0, 1 / steps), smt(), "(1/T is positive.)", (enough,)),
                Step(
                    "partition sign",
                    Both(lt(0, partition(target)), lt(0, here * (1 + 1 / steps))),
                    smt(),
                    "Both being positive,",
                    ("parts", "here", "inverse"),
                    in_row,
                ),
                Step(
                    "log partition",
                    le(sp.log(partition(target)), sp.log(here * (1 + 1 / steps))),
                    by_claim("exp.log-monotone", {x: partition(target), y: here * (1 + 1 / steps)}),
                    "take logarithms:",
                    ("partition", "partition sign"),
                    in_row,
                ),
                Step(
                    "product form",
                    eq(
                        here * (1 + 1 / steps),
                        sp.exp(score(offset) + sp.log(1 + 1 / steps), evaluate=False),
                    ),
                    identity(),
                    "that of a product",
                    ("inverse",),
                ),
                Step(
                    "log product",
                    eq(
                        sp.log(here * (1 + 1 / steps)),
                        sp.log(
                            sp.exp(score(offset) + sp.log(1 + 1 / steps), evaluate=False),
                            evaluate=False,
                        ),
                    ),
                    rewrite(),
                    "is",
                    ("product form",),
                ),
                Step(
                    "undo",
                    eq(
                        sp.log(
                            sp.exp(score(offset) + sp.log(1 + 1 / steps), evaluate=False),
                            evaluate=False,
                        ),
                        score(offset) + sp.log(1 + 1 / steps),
                    ),
                    identity(),
                    "a sum.",
                ),
                Step(
                    "tangent",
                    le(sp.log(1 + 1 / steps), 1 + 1 / steps - 1),
                    by_claim("exp.log-below-identity", {x: 1 + 1 / steps}),
                    "The logarithm of 1 + 1/T is at most 1/T,",
                    ("inverse",),
                ),
                Step(
                    "row",
                    le(row_loss(target), 1 / steps),
                    smt(),
                    "and so is a row's loss,",
                    ("log partition", "log product", "undo", "tangent"),
                    in_row,
                ),
                Step(
                    "rows",
                    le(
                        sp.Sum(row_loss(target), (i, offset + 1, length)),
                        sp.Sum(1 / steps, (i, offset + 1, length)),
                    ),
                    termwise(),
                    "summed",
                    ("row",),
                ),
                Step(
                    "row number",
                    eq(sp.Sum(1 / steps, (i, offset + 1, length)), (length - offset) * (1 / steps)),
                    identity(),
                    "and",
                    (PLACE.name,),
                ),
                Step("mean", goal, smt(), "averaged.", ("rows", "row number", PLACE.name)),
            )
        ),
        uses=(
            "softmax.partition",
            "exp.monotone",
            "exp.log-monotone",
            "exp.log-below-identity",
            "order.times",
        ),
        mutants=(
            Mutant("1/(2T)", le(loss(target), 1 / (2 * steps)), at=(*one_plane(), eq(steps, 2))),
        ),
    )


SLASH_GD_COMPARATOR = _comparator()

CLAIMS = (SLASH_GD_COMPARATOR,)
