"""No gradient is longer than what is missing allows."""

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
from ropeproof.theory.notation import j, key_x, key_y, l
from ropeproof.theory.slash.descent.convex import KEY
from ropeproof.theory.slash.descent.floor.common import NO_ROW, M, Q, z
from ropeproof.theory.slash.descent.model import (
    FEATURES,
    PLACE,
    beta,
    feature,
    gradient,
    inner,
    loss,
    psi_x,
    psi_y,
    scores,
    slope,
    square,
)
from ropeproof.theory.slash.descent.shared import PLANES, gap_size, missing, trained, v_x, v_y, x, y
from ropeproof.theory.slash.descent.step import GRADIENT, IS_GRADIENT
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.sandwich import f_x, f_y, h_x, h_y
from ropeproof.theory.slash.score import length


def _arithmetic() -> Claim:
    root, side = sp.sqrt(Q), sp.sqrt(beta)
    goal = le(Q, 4 * beta * M**2)
    return Claim(
        id="slash.gd.ceiling-arithmetic",
        title="A square below its root",
        statement=r"$Q\le2\sqrt Q\sqrt\beta M$ with $Q,\beta,M\ge0$ gives $Q\le4\beta M^2$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the square", le(Q, 2 * (root * side) * M)),
            Hypothesis("Q is not negative", le(0, Q), idle="otherwise the right side is larger"),
            Hypothesis("beta is not negative", le(0, beta)),
            Hypothesis("M is not negative", le(0, M), idle="a negative M leaves only Q = 0"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "signs",
                    Both(le(0, root), le(0, side)),
                    smt(),
                    "Roots exist,",
                    ("Q is not negative", "beta is not negative"),
                ),
                Step(
                    "root square",
                    eq(sp.Pow(root, 2, evaluate=False), Q),
                    identity(),
                    "with these",
                    ("Q is not negative",),
                ),
                Step(
                    "side square",
                    eq(sp.Pow(side, 2, evaluate=False), beta),
                    identity(),
                    "squares.",
                    ("beta is not negative",),
                ),
                Step(
                    "cancel",
                    le(root, 2 * side * M),
                    smt(),
                    "Cancel the root if it is positive,",
                    ("the square", "root square", "signs"),
                    (lt(0, root),),
                ),
                Step(
                    "squares",
                    le(sp.Pow(root, 2, evaluate=False), sp.Pow(2 * side * M, 2, evaluate=False)),
                    smt(),
                    "and square.",
                    ("cancel", "signs"),
                    (lt(0, root),),
                ),
                Step(
                    "expand",
                    eq(sp.Pow(2 * side * M, 2, evaluate=False), 4 * beta * M**2),
                    identity(),
                    "That is the bound,",
                    ("beta is not negative",),
                ),
                Step(
                    "positive",
                    goal,
                    smt(),
                    "if the root is positive.",
                    ("squares", "expand", "root square"),
                    (lt(0, root),),
                ),
                Step("M square", le(0, M**2), smt(), "Else"),
                Step(
                    "right",
                    le(0, 4 * beta * M**2),
                    smt(),
                    "the right side is not negative",
                    ("M square", "beta is not negative"),
                ),
                Step(
                    "zero",
                    goal,
                    smt(),
                    "and the left is 0.",
                    ("right", "root square"),
                    (eq(root, 0),),
                ),
                Step("either", goal, smt(), "Either way.", ("positive", "zero", "signs")),
            )
        ),
        mutants=(Mutant("half", le(Q, 2 * beta * M**2), at=(eq(Q, 4), eq(beta, 1), eq(M, 1))),),
    )


def _ceiling() -> Claim:
    grad = GRADIENT
    exact = gradient(KEY)
    h = scores(grad)
    root = sp.sqrt(square(grad)) * sp.sqrt(beta)
    inside = (le(0, j), le(j, length - 1))
    wins = Every((j,), If(Both(*inside, ne(j, offset)), le(h(j), h(offset) - (-2 * root))))
    mapping = {v_x: sp.Lambda(l, grad[0]), v_y: sp.Lambda(l, grad[1])}
    goal = le(square(grad), 4 * beta * missing(KEY) ** 2)
    return Claim(
        id="slash.gd.gradient-ceiling",
        title="No gradient is longer than what is missing allows",
        statement=r"$\|\nabla\mathcal L(k)\|\le2\sqrt\beta\,(1-\mathrm{Slash}(\Delta))$.",
        needs=frozenset("PX"),
        hypotheses=(
            NO_ROW,
            Hypothesis("beta is not negative", le(0, beta), idle="it bounds a square"),
            Hypothesis(
                FEATURES.name, FEATURES.formula, unshown="longer features, longer gradients"
            ),
            Hypothesis(
                IS_GRADIENT.name, IS_GRADIENT.formula, unshown="another vector may be longer"
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "gradient",
                    Both(*(eq(g, e) for g, e in zip(grad, exact, strict=True))),
                    instance({l: l}),
                    "G is the gradient.",
                    (IS_GRADIENT.name,),
                    PLANES,
                ),
                Step(
                    "length",
                    le(square(feature(j)), beta),
                    instance({j: j}),
                    "Features are short,",
                    (FEATURES.name,),
                    inside,
                ),
                Step(
                    "product",
                    le(h(j) ** 2, square(grad) * square(feature(j))),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            f_x: sp.Lambda(l, grad[0]),
                            f_y: sp.Lambda(l, grad[1]),
                            h_x: sp.Lambda(l, psi_x(j, l)),
                            h_y: sp.Lambda(l, psi_y(j, l)),
                        },
                    ),
                    "so by Cauchy-Schwarz",
                ),
                Step("term", le(0, grad[0] ** 2 + grad[1] ** 2), smt(), "a score"),
                Step("sign", le(0, square(grad)), termwise(), "along", ("term",)),
                Step(
                    "short",
                    le(h(j) ** 2, square(grad) * beta),
                    smt(),
                    "the gradient",
                    ("product", "length", "sign"),
                    inside,
                ),
                Step(
                    "size",
                    le(sp.Abs(h(j)), root),
                    by_claim("slash.root-order", {z: h(j), x: square(grad), y: beta}),
                    "is at most its length times sqrt(beta),",
                    ("short", "sign", "beta is not negative"),
                    inside,
                ),
                Step(
                    "target size",
                    le(sp.Abs(h(offset)), root),
                    instance({j: offset}),
                    "the target's too,",
                    ("size", PLACE.name),
                ),
                Step(
                    "apart",
                    le(h(j), h(offset) - (-2 * root)),
                    smt(),
                    "so no lag is higher by more than twice that:",
                    ("size", "target size"),
                    inside,
                ),
                Step("wins", wins, generalise(), "at any lag.", ("apart",)),
                Step(
                    "slope",
                    le(slope(KEY, grad), -(-2 * root) * missing(KEY)),
                    by_claim("slash.gd.slope-below", {**mapping, gap_size: -2 * root}),
                    "So the loss rises along the gradient by at most that times what is missing;",
                    (PLACE.name, "wins"),
                ),
                Step(
                    "is product",
                    eq(slope(KEY, grad), inner(exact, grad)),
                    by_claim("slash.gd.gradient", mapping),
                    "and it rises",
                ),
                Step(
                    "plane",
                    eq(exact[0] * grad[0] + exact[1] * grad[1], grad[0] ** 2 + grad[1] ** 2),
                    smt(),
                    "by",
                    ("gradient",),
                    PLANES,
                ),
                Step(
                    "own square",
                    eq(inner(exact, grad), square(grad)),
                    termwise(),
                    "its square.",
                    ("plane",),
                ),
                Step(
                    "square",
                    le(square(grad), 2 * root * missing(KEY)),
                    smt(),
                    "Compare,",
                    ("slope", "is product", "own square"),
                ),
                Step(
                    "missing",
                    Both(le(0, missing(KEY)), le(missing(KEY), loss(KEY))),
                    by_claim("slash.gd.missing-below"),
                    "what is missing not being negative,",
                    (PLACE.name,),
                ),
                Step("missing sign", le(0, missing(KEY)), smt(), "as it is not,", ("missing",)),
                Step(
                    "ceiling",
                    goal,
                    by_claim("slash.gd.ceiling-arithmetic", {Q: square(grad), M: missing(KEY)}),
                    "and cancel.",
                    ("square", "sign", "beta is not negative", "missing sign"),
                ),
            )
        ),
        uses=(
            "sums.cauchy-schwarz",
            "slash.root-order",
            "slash.gd.slope-below",
            "slash.gd.gradient",
            "slash.gd.missing-below",
            "slash.gd.ceiling-arithmetic",
        ),
        mutants=(
            Mutant(
                "a third of it",
                le(3 * square(grad), beta * missing(KEY) ** 2),
                at=(*trained(0), eq(key_x(0), 0), eq(key_y(0), 0)),
            ),
        ),
    )


SLASH_GD_CEILING_ARITHMETIC = _arithmetic()
SLASH_GD_GRADIENT_CEILING = _ceiling()

CLAIMS = (SLASH_GD_CEILING_ARITHMETIC, SLASH_GD_GRADIENT_CEILING)
