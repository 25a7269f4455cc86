"""The square of a token's distance from the mean."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.slash.cone.common import eps, size, t_, x_, y_, zeta


def _fit() -> Claim:
    A, V, P, Z, X = real("A V P Z X")
    eps_q = zeta + (1 + zeta) * eps
    goal = le(X, (eps_q * size) ** 2 * V)
    alpha = A - size
    return Claim(
        id="slash.fit",
        title="The square of a token's distance from the mean",
        statement=(
            r"$\alpha^2V+2\alpha AP+A^2Z\le(\zeta+(1+\zeta)\varepsilon)^2a^2V$ for $\alpha=A-a$, "
            r"$|\alpha|\le\zeta a$, $Z\le\varepsilon^2V$, $P^2\le VZ$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the distance", eq(X, alpha**2 * V + 2 * alpha * A * P + A**2 * Z)),
            Hypothesis("V is not negative", le(0, V)),
            Hypothesis("z is small", le(Z, eps**2 * V)),
            Hypothesis(
                "the scatter along the axis",
                le(P**2, V * Z),
                without=(
                    eq(A, 2),
                    eq(size, 1),
                    eq(zeta, 1),
                    eq(eps, 0),
                    eq(V, 1),
                    eq(Z, 0),
                    eq(P, 5),
                ),
            ),
            Hypothesis(
                "epsilon is not negative",
                Both(le(0, eps), le(eps, 1)),
                without=(
                    eq(eps, -sp.Rational(1, 2)),
                    eq(zeta, 0),
                    eq(A, 1),
                    eq(size, 1),
                    eq(V, 1),
                    eq(Z, sp.Rational(1, 4)),
                    eq(P, 0),
                ),
                unshown="a negative epsilon makes eps_q smaller than the scatter",
            ),
            Hypothesis(
                "the mean size is positive",
                lt(0, size),
                idle="|alpha| <= zeta a with zeta >= 0 forces a >= 0",
            ),
            Hypothesis(
                "sizes are close",
                Both(le(alpha, zeta * size), le(-zeta * size, alpha), le(0, zeta)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "size",
                    Both(le(A, (1 + zeta) * size), le(-(1 + zeta) * size, A)),
                    smt(),
                    "A is at most (1 + zeta) a,",
                    ("sizes are close", "the mean size is positive"),
                ),
                Step(
                    "P square",
                    le(P**2, (eps * V) ** 2),
                    smt(),
                    "P at most epsilon V",
                    ("the scatter along the axis", "z is small", "V is not negative"),
                ),
                Step(
                    "room",
                    le(0, eps * V),
                    smt(),
                    "(which is not negative)",
                    ("V is not negative", "epsilon is not negative"),
                ),
                Step(
                    "P",
                    le(sp.Abs(P), eps * V),
                    by_claim("slash.size-order", {real("z"): P, y_: eps * V}),
                    "in size,",
                    ("P square", "room"),
                ),
                Step(
                    "alpha square",
                    le(alpha**2, (zeta * size) ** 2),
                    smt(),
                    "alpha at most zeta a,",
                    ("sizes are close",),
                ),
                Step("A square", le(A**2, ((1 + zeta) * size) ** 2), smt(), "A", ("size",)),
                Step(
                    "alpha size", le(sp.Abs(alpha), zeta * size), smt(), "and", ("sizes are close",)
                ),
                Step(
                    "A size", le(sp.Abs(A), (1 + zeta) * size), smt(), "alpha in size,", ("size",)
                ),
                Step(
                    "product",
                    le(sp.Abs(alpha) * sp.Abs(A), (zeta * size) * ((1 + zeta) * size)),
                    smt(),
                    "and their product",
                    ("alpha size", "A size"),
                ),
                Step(
                    "cross first",
                    le(
                        sp.Abs(alpha) * sp.Abs(A) * sp.Abs(P), sp.Abs(alpha) * sp.Abs(A) * (eps * V)
                    ),
                    smt(),
                    "times P",
                    ("P",),
                ),
                Step(
                    "cross second",
                    le(
                        sp.Abs(alpha) * sp.Abs(A) * (eps * V),
                        (zeta * size) * ((1 + zeta) * size) * (eps * V),
                    ),
                    smt(),
                    "is",
                    ("product", "room"),
                ),
                Step(
                    "cross sign",
                    le(alpha * A * P, sp.Abs(alpha) * sp.Abs(A) * sp.Abs(P)),
                    by_claim("slash.product-size", {x_: alpha, y_: A, t_: P}),
                    "at most its size.",
                ),
                Step(
                    "first",
                    le(alpha**2 * V, (zeta * size) ** 2 * V),
                    smt(),
                    "Insert in the first term,",
                    ("alpha square", "V is not negative"),
                ),
                Step(
                    "third part",
                    le(A**2 * Z, A**2 * (eps**2 * V)),
                    smt(),
                    "in the",
                    ("z is small",),
                ),
                Step("third room", le(0, eps**2 * V), smt(), "last", ("V is not negative",)),
                Step(
                    "third",
                    le(A**2 * (eps**2 * V), ((1 + zeta) * size) ** 2 * (eps**2 * V)),
                    smt(),
                    "and in the middle.",
                    ("A square", "third room"),
                ),
                Step(
                    "square",
                    eq(
                        (eps_q * size) ** 2 * V,
                        (zeta * size) ** 2 * V
                        + 2 * ((zeta * size) * ((1 + zeta) * size) * (eps * V))
                        + ((1 + zeta) * size) ** 2 * (eps**2 * V),
                    ),
                    identity(),
                    "Together they are the square.",
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "Add up.",
                    (
                        "the distance",
                        "first",
                        "cross sign",
                        "cross first",
                        "cross second",
                        "third part",
                        "third",
                        "square",
                    ),
                ),
            )
        ),
        uses=("slash.size-order", "slash.product-size"),
        mutants=(
            Mutant("without the product", le(X, ((zeta + eps) * size) ** 2 * V)),
            Mutant("half", le(2 * X, (eps_q * size) ** 2 * V)),
        ),
    )


def _root_fit() -> Claim:
    goal = le(sp.sqrt(x_), t_ * sp.sqrt(y_))
    return Claim(
        id="slash.root-fit",
        title="Norms compare as their squares do",
        statement=r"$\sqrt x\le t\sqrt y$ if $x\le t^2y$ and $x,y,t\ge0$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the squares compare", le(x_, t_**2 * y_)),
            Hypothesis(
                "x is not negative",
                le(0, x_),
                idle="the root of a negative number is 0 by convention",
            ),
            Hypothesis(
                "y is not negative",
                le(0, y_),
                without=(eq(x_, 1),),
                idle="x >= 0 leaves only x = 0",
            ),
            Hypothesis("t is not negative", le(0, t_)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "roots",
                    Both(
                        eq(sp.sqrt(x_) ** 2, x_),
                        eq(sp.sqrt(y_) ** 2, y_),
                        le(0, sp.sqrt(x_)),
                        le(0, sp.sqrt(y_)),
                    ),
                    smt(),
                    "Both roots exist.",
                    ("x is not negative", "y is not negative"),
                ),
                Step(
                    "right square",
                    eq(sp.Pow(t_ * sp.sqrt(y_), 2, evaluate=False), t_**2 * y_),
                    identity(),
                    "The right side's square",
                    ("y is not negative",),
                ),
                Step(
                    "left square",
                    eq(sp.Pow(sp.sqrt(x_), 2, evaluate=False), x_),
                    identity(),
                    "and the left side's",
                    ("x is not negative",),
                ),
                Step(
                    "order",
                    le(
                        sp.Pow(sp.sqrt(x_), 2, evaluate=False),
                        sp.Pow(t_ * sp.sqrt(y_), 2, evaluate=False),
                    ),
                    smt(),
                    "compare,",
                    ("right square", "left square", "the squares compare"),
                ),
                Step(
                    "sign",
                    le(0, t_ * sp.sqrt(y_)),
                    smt(),
                    "both being not negative,",
                    ("roots", "t is not negative"),
                ),
                Step(
                    "size",
                    le(sp.Abs(sp.sqrt(x_)), t_ * sp.sqrt(y_)),
                    by_claim("slash.size-order", {real("z"): sp.sqrt(x_), y_: t_ * sp.sqrt(y_)}),
                    "so do they.",
                    ("order", "sign"),
                ),
                Step("root", goal, smt(), "Without the bars.", ("size",)),
            )
        ),
        uses=("slash.size-order",),
        mutants=(
            Mutant("strict", lt(sp.sqrt(x_), t_ * sp.sqrt(y_))),
            Mutant("t squared", le(sp.sqrt(x_), t_**2 * sp.sqrt(y_))),
        ),
    )


SLASH_FIT = _fit()
SLASH_ROOT_FIT = _root_fit()

CLAIMS = (SLASH_FIT, SLASH_ROOT_FIT)
