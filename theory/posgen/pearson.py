"""What a small residual guarantees of the correlation with a fit."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt, termwise
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.sandwich import f_x, f_y, h_x, h_y

j, n = integer("j n")
h, r = real_function("h"), real_function("r")
x_, y, z = real("x y z")


def _over(term: Any) -> Any:
    return sp.Sum(term, (j, 0, n - 1))


def _pearson() -> Claim:
    fit, rest = _over(h(j) ** 2), _over(r(j) ** 2)
    cross, whole = _over(h(j) * r(j)), _over((h(j) + r(j)) ** 2)
    root = sp.sqrt(1 - rest / fit)
    norms = sp.sqrt(whole) * sp.sqrt(fit)
    correlation = (fit + cross) / norms
    names = ("the residual is smaller than the fit",)
    opposite = eq(cross, -rest)
    goal = Both(le(root, correlation), If(opposite, eq(root, correlation)))
    two = (eq(n, 2), eq(h(0), 1), eq(h(1), 1))
    return Claim(
        id="posgen.pearson",
        title="A small residual guarantees a high correlation",
        statement=(
            r"$w=\hat w+r$ with $\mathrm{Var}\,r=\varepsilon^2<\sigma^2=\mathrm{Var}\,\hat w$: the "
            r"correlation of $w$ with $\hat w$ is at least $\sqrt{1-\varepsilon^2/\sigma^2}$, attained "
            r"if their covariance is $-\varepsilon^2$. (Stated for the centred vectors, whose cosine "
            r"the correlation is; so 0.959 is guaranteed by $\varepsilon/\sigma\le0.283$.)"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(names[0], lt(rest, fit), without=(*two, eq(r(0), -3), eq(r(1), -3))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("square", le(0, r(j) ** 2), smt(), "Squares are not negative,"),
                Step("squares", le(0, rest), termwise(), "nor is their sum,", ("square",)),
                Step("fit", lt(0, fit), smt(), "and the fit's is positive.", ("squares", names[0])),
                Step(
                    "product",
                    le(
                        sp.Sum(h(l) * r(l) + 0 * 0, (l, 0, n - 1)) ** 2,
                        sp.Sum(h(l) ** 2 + 0**2, (l, 0, n - 1))
                        * sp.Sum(r(l) ** 2 + 0**2, (l, 0, n - 1)),
                    ),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            m: n,
                            f_x: sp.Lambda(l, h(l)),
                            f_y: sp.Lambda(l, 0),
                            h_x: sp.Lambda(l, r(l)),
                            h_y: sp.Lambda(l, 0),
                        },
                    ),
                    "By Cauchy and Schwarz",
                ),
                Step(
                    "names",
                    Both(
                        eq(sp.Sum(h(l) * r(l), (l, 0, n - 1)), cross),
                        eq(sp.Sum(h(l) ** 2, (l, 0, n - 1)), fit),
                        eq(sp.Sum(r(l) ** 2, (l, 0, n - 1)), rest),
                    ),
                    identity(),
                    "(under any name)",
                ),
                Step(
                    "cross",
                    le(cross**2, fit * rest),
                    smt(),
                    "the covariance is bounded.",
                    ("product", "names"),
                ),
                Step("whole", eq(whole, fit + 2 * cross + rest), identity(), "Expand the whole."),
                Step(
                    "above",
                    lt(-fit, cross),
                    smt(),
                    "So the covariance with the fit",
                    ("cross", names[0], "fit", "squares"),
                ),
                Step(
                    "determinant",
                    le((fit + cross) ** 2, whole * fit),
                    smt(),
                    "is positive,",
                    ("cross", "whole"),
                ),
                Step("sum", lt(0, fit + cross), smt(), "(their sum)", ("above",)),
                Step("square of sum", lt(0, (fit + cross) ** 2), smt(), "(squared)", ("sum",)),
                Step(
                    "positive",
                    lt(0, whole),
                    smt(),
                    "and the whole is not 0.",
                    ("determinant", "fit", "square of sum"),
                ),
                Step(
                    "ratio",
                    Both(eq(rest / fit, rest * (1 / fit)), lt(0, 1 / fit)),
                    smt(),
                    "The share",
                    ("fit",),
                ),
                Step(
                    "share",
                    Both(lt(0, 1 - rest / fit), eq((1 - rest / fit) * fit, fit - rest)),
                    smt(),
                    "of the fit that is left",
                    ("ratio", "fit", names[0]),
                ),
                Step(
                    "roots",
                    Both(
                        le(0, root),
                        eq(sp.Pow(root, 2, evaluate=False), 1 - rest / fit),
                        lt(0, sp.sqrt(whole)),
                        eq(sp.Pow(sp.sqrt(whole), 2, evaluate=False), whole),
                        lt(0, sp.sqrt(fit)),
                        eq(sp.Pow(sp.sqrt(fit), 2, evaluate=False), fit),
                    ),
                    smt(),
                    "has a root, as the two norms have.",
                    ("share", "positive", "fit"),
                ),
                Step(
                    "norms",
                    Both(lt(0, norms), eq(sp.Pow(norms, 2, evaluate=False), whole * fit)),
                    smt(),
                    "Their product",
                    ("roots",),
                ),
                Step(
                    "square of product",
                    eq(sp.Pow(root * norms, 2, evaluate=False), (fit - rest) * whole),
                    smt(),
                    "times the root, squared,",
                    ("roots", "norms", "share"),
                ),
                Step(
                    "difference",
                    eq(
                        (fit + cross) ** 2 - (fit - rest) * (fit + 2 * cross + rest),
                        (cross + rest) ** 2,
                    ),
                    identity(),
                    "falls short of the covariance squared by a square:",
                ),
                Step(
                    "compare",
                    le(sp.Pow(root * norms, 2, evaluate=False), (fit + cross) ** 2),
                    smt(),
                    "it is smaller,",
                    ("square of product", "difference", "whole"),
                ),
                Step(
                    "size",
                    le(sp.Abs(root * norms), fit + cross),
                    by_claim("slash.size-order", {z: root * norms, y: fit + cross}),
                    "and so is its root.",
                    ("compare", "sum"),
                ),
                Step("bound", le(root, correlation), smt(), "Divide.", ("size", "norms")),
                Step(
                    "same square",
                    eq(
                        sp.Pow(root * norms, 2, evaluate=False),
                        sp.Pow(fit + cross, 2, evaluate=False),
                    ),
                    smt(),
                    "If the covariance is minus the residual's variance the two are equal,",
                    ("square of product", "difference", "whole"),
                    (opposite,),
                ),
                Step(
                    "not negative",
                    le(0, root * norms),
                    smt(),
                    "(neither is negative)",
                    ("roots", "norms"),
                ),
                Step(
                    "same root",
                    eq(root * norms, fit + cross),
                    by_claim("order.root", {x_: root * norms, y: fit + cross}),
                    "and so are their roots.",
                    ("same square", "sum", "not negative"),
                    (opposite,),
                ),
                Step(
                    "equal",
                    eq(root, correlation),
                    smt(),
                    "Equality.",
                    ("same root", "norms"),
                    (opposite,),
                ),
                Step("both", goal, smt(), "Both.", ("bound", "equal")),
            )
        ),
        uses=("sums.cauchy-schwarz", "slash.size-order", "order.root"),
        mutants=(
            Mutant(
                "the square",
                le(1 - rest / fit, correlation**2 / 2),
                at=(*two, eq(r(0), 0), eq(r(1), 0)),
            ),
            Mutant(
                "always equal",
                eq(root, correlation),
                at=(*two, eq(r(0), sp.Rational(1, 2)), eq(r(1), 0)),
            ),
        ),
    )


POSGEN_PEARSON = _pearson()

CLAIMS = (POSGEN_PEARSON,)
