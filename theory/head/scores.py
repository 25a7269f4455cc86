"""Positional and symbolic scores: what of the table they see, and how they exclude each other."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, chain, identity, rewrite, smt
from ropeproof.theory.head.table import a
from ropeproof.theory.language import *

i, j = integer("i j")
x, y, u, v, z, w = real("x y u v Z Z_swapped")
kappa, phi, psi = real("kappa phi psi")
first, second, t_, y_ = real("r r_swapped t y")


def _norm(one: Any, other: Any) -> Any:
    return sp.sqrt(one**2 + other**2)


def _cosine(one: Any, other: Any, third: Any, fourth: Any) -> Any:
    """The cosine of the angle between (one, other) and (third, fourth)."""
    return (one * third + other * fourth) / (_norm(one, other) * _norm(third, fourth))


def _root() -> Claim:
    goal = eq(x, y)
    return Claim(
        id="order.root",
        title="Numbers that are not negative and have one square are one",
        statement=r"$x=y$ if $x^2=y^2$ and $x,y\ge0$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("x is not negative", le(0, x), without=(eq(x, -1), eq(y, 1))),
            Hypothesis("y is not negative", le(0, y), without=(eq(x, 1), eq(y, -1))),
            Hypothesis("the squares are equal", eq(x**2, y**2), without=(eq(x, 1), eq(y, 2))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "equal",
                    goal,
                    smt(),
                    "(x - y)(x + y) = 0.",
                    ("x is not negative", "y is not negative", "the squares are equal"),
                ),
            )
        ),
        mutants=(
            Mutant("opposite", eq(x, -y), at=(eq(x, 1), eq(y, 1))),
            Mutant("twice", eq(x, 2 * y), at=(eq(x, 1), eq(y, 1))),
        ),
    )


def _square() -> Claim:
    goal = le(x**2, y**2)
    return Claim(
        id="order.square",
        title="Squares keep the order of numbers that are not negative",
        statement=r"$x^2\le y^2$ for $0\le x\le y$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("x is not negative", le(0, x), without=(eq(x, -2), eq(y, 1))),
            Hypothesis("x comes first", le(x, y), without=(eq(x, 2), eq(y, 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "squares",
                    goal,
                    smt(),
                    "y^2 - x^2 = (y - x)(y + x).",
                    ("x is not negative", "x comes first"),
                ),
            )
        ),
        mutants=(
            Mutant("strictly", lt(x**2, y**2), at=(eq(x, 1), eq(y, 1))),
            Mutant("reversed", le(y**2, x**2), at=(eq(x, 1), eq(y, 2))),
        ),
    )


def _scale() -> Claim:
    shrunk = sp.sqrt((x / z) ** 2 + (y / z) ** 2)
    root = _norm(x, y)
    goal = eq(shrunk, root / z)
    return Claim(
        id="head.norm-scale",
        title="A vector divided by a positive number",
        statement=r"$\|v/Z\|=\|v\|/Z$ for $Z>0$, in the plane.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("Z is positive", lt(0, z), without=(eq(z, -1), eq(x, 1), eq(y, 0))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "squares",
                    eq((x / z) ** 2 + (y / z) ** 2, (x**2 + y**2) * (1 / z) ** 2),
                    identity(),
                    "The squares add up to the norm's over Z squared.",
                ),
                Step(
                    "inverse", lt(0, 1 / z), smt(), "The inverse is positive,", ("Z is positive",)
                ),
                Step("sum", le(0, x**2 + y**2), smt(), "and squares are not negative."),
                Step("inside", le(0, (x / z) ** 2 + (y / z) ** 2), smt(), "(Neither are these.)"),
                Step(
                    "shrunk",
                    Both(
                        le(0, shrunk),
                        eq(sp.Pow(shrunk, 2, evaluate=False), (x / z) ** 2 + (y / z) ** 2),
                    ),
                    smt(),
                    "So the one",
                    ("inside",),
                ),
                Step(
                    "norm",
                    Both(le(0, root), eq(sp.Pow(root, 2, evaluate=False), x**2 + y**2)),
                    smt(),
                    "and the other",
                    ("sum",),
                ),
                Step("scaled", le(0, root * (1 / z)), smt(), "are roots", ("norm", "inverse")),
                Step(
                    "equal squares",
                    eq(
                        sp.Pow(shrunk, 2, evaluate=False), sp.Pow(root * (1 / z), 2, evaluate=False)
                    ),
                    smt(),
                    "(of one number)",
                    ("shrunk", "norm", "squares"),
                ),
                Step(
                    "same",
                    eq(shrunk, root * (1 / z)),
                    by_claim("order.root", {x: shrunk, y: root * (1 / z)}),
                    "of the same square.",
                    ("shrunk", "scaled", "equal squares"),
                ),
                Step("quotient", goal, smt(), "That is the quotient.", ("same",)),
            )
        ),
        uses=("order.root",),
        mutants=(
            Mutant("by the square", eq(shrunk, _norm(x, y) / z**2), at=(eq(z, 2), eq(x, 1))),
            Mutant("not divided", eq(shrunk, _norm(x, y)), at=(eq(z, 2), eq(x, 1))),
        ),
    )


def _table() -> Claim:
    own = sp.exp(a(i, i)), sp.exp(a(j, j))
    swapped = sp.exp(a(j, i)), sp.exp(a(i, j))
    rows = own[0] / z, own[1] / z
    after = swapped[0] / w, swapped[1] / w
    positional = eq(_cosine(*after, *rows), _cosine(*swapped, *own))
    symbolic = eq(_cosine(*after, rows[1], rows[0]), _cosine(*swapped, own[1], own[0]))
    goal = Both(positional, symbolic)
    names = ("the row's normaliser is positive", "the swapped row's normaliser is positive")
    return Claim(
        id="head.score-table",
        title="The scores' cosines are functions of the table alone",
        statement=(
            r"After a swap of positions $i,j$ the weights there are $(e^{a_{ji}},e^{a_{ij}})/Z'$, before "
            r"it $(e^{a_{ii}},e^{a_{jj}})/Z$. Cosine similarity forgets both normalisers: the two "
            r"cosines of a swap, $\cos(v_{ij}(\pi x),v_{ij}(x))$ and $\cos(v_{ij}(\pi x),v_{ji}(x))$, "
            r"are functions of the table $(a_{kp})$. (The weights $\alpha(\pi)$ with which the scores "
            r"average them see $|D_i-D_j|$ of the row itself, hence its normaliser, to which the "
            r"query's own position contributes.)"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(names[0], lt(0, z), without=(eq(z, -1), eq(w, 1))),
            Hypothesis(names[1], lt(0, w), without=(eq(z, 1), eq(w, -1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "positional",
                    positional,
                    by_claim(
                        "head.cosine-scale",
                        {x: swapped[0], y: swapped[1], u: own[0], v: own[1], z: w, w: z},
                    ),
                    "Dividing by the normalisers changes no angle,",
                    names,
                ),
                Step(
                    "symbolic",
                    symbolic,
                    by_claim(
                        "head.cosine-scale",
                        {x: swapped[0], y: swapped[1], u: own[1], v: own[0], z: w, w: z},
                    ),
                    "in either order.",
                    names,
                ),
                Step("both", goal, smt(), "Both.", ("positional", "symbolic")),
            )
        ),
        uses=("head.cosine-scale",),
        mutants=(
            Mutant(
                "exchanged",
                eq(_cosine(*after, *rows), _cosine(*swapped, own[1], own[0])),
                at=(
                    eq(z, 1),
                    eq(w, 1),
                    eq(a(0, 0), 1),
                    eq(a(1, 1), 0),
                    eq(a(0, 1), 2),
                    eq(a(1, 0), 0),
                    eq(i, 0),
                    eq(j, 1),
                ),
            ),
            Mutant(
                "unswapped",
                eq(_cosine(*after, *rows), 1),
                at=(
                    eq(z, 1),
                    eq(w, 1),
                    eq(a(0, 0), 1),
                    eq(a(1, 1), 0),
                    eq(a(0, 1), 2),
                    eq(a(1, 0), 0),
                    eq(i, 0),
                    eq(j, 1),
                ),
            ),
        ),
    )


def _similar() -> Claim:
    """The cosine of two vectors divided by positive numbers."""
    left = _cosine(x / z, y / z, u / w, v / w)
    right = _cosine(x, y, u, v)
    goal = eq(left, right)
    names = ("Z is positive", "Z' is positive")
    nx, nu = _norm(x, y), _norm(u, v)
    inv = 1 / (nx / z * (nu / w))
    return Claim(
        id="head.cosine-scale",
        title="Cosine similarity forgets positive factors",
        statement=r"$\cos(v/Z,v'/Z')=\cos(v,v')$ for $Z,Z'>0$, in the plane.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                lt(0, z),
                without=(eq(z, -1), eq(w, 1), eq(x, 1), eq(u, 1), eq(y, 0), eq(v, 0)),
            ),
            Hypothesis(
                names[1],
                lt(0, w),
                without=(eq(z, 1), eq(w, -1), eq(x, 1), eq(u, 1), eq(y, 0), eq(v, 0)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "first",
                    eq(_norm(x / z, y / z), nx / z),
                    by_claim("head.norm-scale"),
                    "The first length",
                    (names[0],),
                ),
                Step(
                    "second",
                    eq(_norm(u / w, v / w), nu / w),
                    by_claim("head.norm-scale", {x: u, y: v, z: w}),
                    "and the second.",
                    (names[1],),
                ),
                Step(
                    "lengths",
                    eq(left, (x / z * (u / w) + y / z * (v / w)) * inv),
                    rewrite(),
                    "Put them in.",
                    ("first", "second"),
                ),
                Step(
                    "cancel",
                    eq((x / z * (u / w) + y / z * (v / w)) * inv, right),
                    identity(),
                    "The factors cancel.",
                    names,
                ),
                Step("same", goal, chain(), "Together.", ("lengths", "cancel")),
            )
        ),
        uses=("head.norm-scale",),
        mutants=(
            Mutant(
                "the sign lost",
                eq(left, sp.Abs(right)),
                at=(eq(z, 1), eq(w, 1), eq(x, 1), eq(u, -1), eq(y, 0), eq(v, 0)),
            ),
            Mutant(
                "divided",
                eq(left, right / z),
                at=(eq(z, 2), eq(w, 1), eq(x, 1), eq(u, 1), eq(y, 0), eq(v, 0)),
            ),
        ),
    )


def _geometry() -> Claim:
    total, gap = x + y, x - y
    positional, symbolic = x * u + y * v, y * u + x * v
    goal = Both(
        eq(sp.cos(phi) * sp.cos(psi) + sp.sin(phi) * sp.sin(psi), sp.cos(psi - phi)),
        eq(
            sp.cos(psi - phi) ** 2
            + sp.cos(psi + phi) ** 2
            - 2 * sp.cos(psi - phi) * sp.cos(psi + phi) * sp.cos(2 * phi),
            sp.sin(2 * phi) ** 2,
        ),
        le(kappa**2 * gap**2, (1 - kappa**2) * total**2),
    )
    identities = Both(*goal.args[:2])
    names = (
        "r is the first length",
        "r' is the second length",
        "lengths are positive",
        "the positional score is at least kappa",
        "the symbolic score is at least kappa",
        "kappa is not negative",
    )
    unit = (eq(first, 1), eq(second, 1))
    return Claim(
        id="head.score-geometry",
        title="The two scores of a swap as angles, and how they exclude each other",
        statement=(
            r"If $v$ makes the signed angle $\phi$ with the diagonal and $v'$ the angle $\psi$, then "
            r"$s_{\rm pos}=\cos(\psi-\phi)$, $s_{\rm sym}=\cos(\psi+\phi)$ and "
            r"$s_{\rm pos}^2+s_{\rm sym}^2-2s_{\rm pos}s_{\rm sym}\cos2\phi=\sin^22\phi$. For weights "
            r"$v=(D_i,D_j)$, $v'$, both scores at least $\kappa=1-\varepsilon\ge0$ force "
            r"$\kappa^2(D_i-D_j)^2\le(1-\kappa^2)(D_i+D_j)^2$, that is "
            r"$\frac{|D_i-D_j|}{D_i+D_j}\le\tan\arccos(1-\varepsilon)$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                names[0],
                eq(first**2, x**2 + y**2),
                unshown="a length too small allows scores over 1",
            ),
            Hypothesis(names[1], eq(second**2, u**2 + v**2), unshown="as for the first"),
            Hypothesis(
                names[2],
                Both(lt(0, first), lt(0, second)),
                unshown="a negative length turns the scores' signs",
            ),
            Hypothesis(
                names[3],
                le(kappa * first * second, positional),
                without=(
                    *(eq(first, 1), eq(second, 1), eq(x, 1), eq(y, 0), eq(u, 0), eq(v, 1)),
                    eq(kappa, 1),
                ),
            ),
            Hypothesis(
                names[4],
                le(kappa * first * second, symbolic),
                without=(
                    *(eq(first, 1), eq(second, 1), eq(x, 1), eq(y, 0), eq(u, 1), eq(v, 0)),
                    eq(kappa, 1),
                ),
            ),
            Hypothesis(
                names[5],
                le(0, kappa),
                without=(
                    *(eq(first, 1), eq(second, 1), eq(x, 1), eq(y, 0), eq(u, 0), eq(v, 1)),
                    eq(kappa, -1),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("angles", identities, identity(), "Products of cosines are sums."),
                Step(
                    "sum",
                    le(2 * kappa * (first * second), total * (u + v)),
                    smt(),
                    "The two scores add up to a product of sums.",
                    (names[3], names[4]),
                ),
                Step(
                    "diagonal",
                    le((u + v) ** 2, 2 * second**2),
                    smt(),
                    "A sum of two coordinates is at most sqrt 2 times the length.",
                    (names[1],),
                ),
                Step(
                    "product of lengths",
                    lt(0, first * second),
                    smt(),
                    "Lengths are positive",
                    (names[2],),
                ),
                Step(
                    "left side",
                    le(0, 2 * kappa * (first * second)),
                    by_claim("order.product-sign", {x: 2 * kappa, y_: first * second}),
                    "and so is their product.",
                    (names[5], "product of lengths"),
                ),
                Step(
                    "square",
                    le((2 * kappa * (first * second)) ** 2, (total * (u + v)) ** 2),
                    by_claim("order.square", {x: 2 * kappa * (first * second), y: total * (u + v)}),
                    "Square",
                    ("sum", "left side"),
                ),
                Step("total square", le(0, total**2), smt(), "(squares are not negative)"),
                Step(
                    "times",
                    le((u + v) ** 2 * total**2, 2 * second**2 * total**2),
                    by_claim("order.times", {x: (u + v) ** 2, y: 2 * second**2, t_: total**2}),
                    "and bound:",
                    ("diagonal", "total square"),
                ),
                Step(
                    "written",
                    Both(
                        eq(
                            (2 * kappa * (first * second)) ** 2,
                            2 * (2 * kappa**2 * first**2 * second**2),
                        ),
                        eq((total * (u + v)) ** 2, (u + v) ** 2 * total**2),
                        eq(2 * second**2 * total**2, 2 * (total**2 * second**2)),
                    ),
                    identity(),
                    "(written out)",
                ),
                Step(
                    "cancelled",
                    le(2 * kappa**2 * first**2 * second**2, total**2 * second**2),
                    smt(),
                    "2 kappa^2 r^2 r'^2 is at most r'^2 times the square of the sum.",
                    ("square", "times", "written"),
                ),
                Step("positive square", lt(0, second**2), smt(), "r' is not 0:", (names[2],)),
                Step(
                    "divided",
                    le(2 * kappa**2 * first**2, total**2),
                    by_claim(
                        "slash.cancel", {x: 2 * kappa**2 * first**2, y: total**2, t_: second**2}
                    ),
                    "Cancel r'^2.",
                    ("cancelled", "positive square"),
                ),
                Step(
                    "parts",
                    eq(2 * (x**2 + y**2), total**2 + gap**2),
                    identity(),
                    "And 2 r^2 is the square of the sum and that of the difference.",
                ),
                Step(
                    "divided in lengths",
                    le(kappa**2 * (2 * (x**2 + y**2)), total**2),
                    smt(),
                    "In coordinates",
                    ("divided", names[0]),
                ),
                Step(
                    "scaled parts",
                    eq(kappa**2 * (2 * (x**2 + y**2)), kappa**2 * total**2 + kappa**2 * gap**2),
                    identity(),
                    "both are bounded together.",
                ),
                Step(
                    "bound",
                    le(kappa**2 * gap**2, (1 - kappa**2) * total**2),
                    smt(),
                    "So the difference is small.",
                    ("scaled parts", "divided in lengths"),
                ),
                Step("all", goal, smt(), "All three.", ("angles", "bound")),
            )
        ),
        uses=("order.times", "slash.cancel", "order.square", "order.product-sign"),
        mutants=(
            Mutant(
                "half",
                le(2 * kappa**2 * gap**2, (1 - kappa**2) * total**2),
                at=(
                    *unit,
                    eq(x, sp.Rational(4, 5)),
                    eq(y, sp.Rational(3, 5)),
                    eq(u, sp.sqrt(2) / 2),
                    eq(v, sp.sqrt(2) / 2),
                    eq(kappa, sp.Rational(9899, 10000)),
                ),
            ),
            Mutant(
                "one score is enough",
                le(gap**2, 0),
                at=(
                    *unit,
                    eq(x, sp.Rational(4, 5)),
                    eq(y, sp.Rational(3, 5)),
                    eq(u, sp.Rational(4, 5)),
                    eq(v, sp.Rational(3, 5)),
                    eq(kappa, sp.Rational(1, 2)),
                ),
            ),
        ),
    )


def _disc() -> Claim:
    positional, symbolic = x * u + y * v, y * u + x * v
    lengths = (x**2 + y**2) * (u**2 + v**2)
    goal = le(lengths, positional**2 + symbolic**2)
    names = tuple(f"{name} is not negative" for name in ("x", "y", "u", "v"))
    return Claim(
        id="head.score-disc",
        title="No swap has two small scores",
        statement=(
            r"The two scores of a swap have $s_{\rm pos}^2+s_{\rm sym}^2\ge1$, weights not being "
            r"negative: $(xu+yv)^2+(yu+xv)^2=(x^2+y^2)(u^2+v^2)+4xyuv$. Averaged over swaps, "
            r"$s_{\rm pos}+s_{\rm sym}\ge1$, since no score exceeds 1."
        ),
        needs=frozenset("PX"),
        hypotheses=tuple(
            Hypothesis(
                name,
                le(0, symbol),
                without=tuple(eq(w_, -1 if w_ == symbol else 1) for w_ in (x, y, u, v)),
            )
            for name, symbol in zip(names, (x, y, u, v), strict=True)
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "expand",
                    eq(positional**2 + symbolic**2, lengths + 4 * ((x * y) * (u * v))),
                    identity(),
                    "Expand.",
                ),
                Step(
                    "first",
                    le(0, x * y),
                    by_claim("order.product-sign", {y_: y}),
                    "Weights are not negative,",
                    names[:2],
                ),
                Step(
                    "second",
                    le(0, u * v),
                    by_claim("order.product-sign", {x: u, y_: v}),
                    "nor are their products,",
                    names[2:],
                ),
                Step(
                    "product",
                    le(0, (x * y) * (u * v)),
                    by_claim("order.product-sign", {x: x * y, y_: u * v}),
                    "nor that of these.",
                    ("first", "second"),
                ),
                Step(
                    "disc",
                    goal,
                    smt(),
                    "So the squares exceed the lengths'.",
                    ("expand", "product"),
                ),
            )
        ),
        uses=("order.product-sign",),
        mutants=(
            Mutant(
                "strictly",
                lt(lengths, positional**2 + symbolic**2),
                at=(eq(x, 1), eq(y, 0), eq(u, 1), eq(v, 0)),
            ),
            Mutant(
                "the sum of scores is at least sqrt 2",
                le(2 * lengths, (positional + symbolic) ** 2),
                at=(eq(x, 1), eq(y, 0), eq(u, 1), eq(v, 0)),
            ),
        ),
    )


HEAD_SCORE_DISC = _disc()
ORDER_ROOT = _root()
ORDER_SQUARE = _square()
HEAD_NORM_SCALE = _scale()
HEAD_COSINE_SCALE = _similar()
HEAD_SCORE_TABLE = _table()
HEAD_SCORE_GEOMETRY = _geometry()

CLAIMS = (
    HEAD_SCORE_DISC,
    ORDER_ROOT,
    ORDER_SQUARE,
    HEAD_NORM_SCALE,
    HEAD_COSINE_SCALE,
    HEAD_SCORE_TABLE,
    HEAD_SCORE_GEOMETRY,
)
