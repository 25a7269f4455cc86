"""Vectors near one axis have almost rank one."""

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
from ropeproof.theory.notation import j, l, m, n
from ropeproof.theory.slash.cone.common import (
    _rayleigh,
    _row,
    _statement,
    _tokens,
    direction,
    eps,
    scale,
    scatter,
    size,
    t_,
    test,
    top,
    x_,
    y_,
    zeta,
)
from ropeproof.theory.slash.sandwich import f_x, f_y, h_x, h_y


def _two_tokens() -> tuple[Any, ...]:
    half = sp.Rational(1, 2)
    return (
        eq(m, 2),
        eq(n, 2),
        eq(eps, half),
        eq(zeta, half),
        eq(size, 1),
        eq(scale(0), 1),
        eq(scale(1), 1 + half),
        eq(direction(0), 1),
        eq(direction(1), 0),
        eq(scatter(0, 0), 0),
        eq(scatter(0, 1), half),
        eq(scatter(1, 0), 0),
        eq(scatter(1, 1), -half),
        eq(top, sp.Rational(326, 100)),
    )


def _cone_vectors() -> Claim:
    query = scale(j) * (direction(l) + scatter(j, l))
    squares = _row(direction(l) ** 2)
    mixed = _row(direction(l) * scatter(j, l))
    small = _row(scatter(j, l) ** 2)
    total = _tokens(_row(query**2))
    along = _row(query * direction(l))
    first, share, one, near = _statement(direction, scatter)
    goal = Both(first, share, one, near)
    inside = (le(0, j), le(j, n - 1))
    fit = (*inside, lt(0, size), le(sp.Abs(scale(j) / size - 1), zeta))
    eps_q = zeta + (1 + zeta) * eps
    distance = _row((query - size * direction(l)) ** 2)
    mean = _row((size * direction(l)) ** 2)
    return Claim(
        id="slash.cone-vectors",
        title="Vectors near one axis have almost rank one",
        statement=(
            r"For $q_i=a_i(v+z_i)$, $a_i>0$, $\|z_i\|\le\varepsilon\|v\|$, $0\le\varepsilon\le1$: "
            r"$r_1\ge1-\varepsilon^2$, and with $|a_i/a-1|\le\zeta$, "
            r"$\|q_i-av\|\le(\zeta+(1+\zeta)\varepsilon)\|av\|$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "sizes are positive",
                every(j, 0, n - 1, lt(0, scale(j))),
                idle="r_1 forgets signs, and |a_i/a - 1| <= zeta bounds the sizes that the fit sees; "
                "a negative size is allowed only by zeta >= 1, where the bound is above 1",
            ),
            Hypothesis("the axis is not 0", lt(0, squares)),
            Hypothesis("epsilon is between 0 and 1", Both(le(0, eps), le(eps, 1))),
            Hypothesis("scatter is small", every(j, 0, n - 1, le(small, eps**2 * squares))),
            Hypothesis("no direction has more", _rayleigh(direction, scatter)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "scatter",
                    le(small, eps**2 * squares),
                    instance({j: j}),
                    "Every token's scatter is small,",
                    ("scatter is small",),
                    inside,
                ),
                Step(
                    "range",
                    Both(le(eps**2, 1), le(0, squares)),
                    smt(),
                    "and epsilon at most 1,",
                    ("epsilon is between 0 and 1", "the axis is not 0"),
                ),
                Step(
                    "angle",
                    le(
                        (1 - eps**2) * squares * (squares + 2 * mixed + small),
                        (squares + mixed) ** 2,
                    ),
                    by_claim(
                        "slash.cone-angle", {real("V"): squares, real("P"): mixed, real("Z"): small}
                    ),
                    "so it makes a small angle with the axis.",
                    ("scatter", "range"),
                    inside,
                ),
                Step(
                    "along",
                    eq(along, scale(j) * (squares + mixed)),
                    identity(),
                    "Its component along the axis",
                ),
                Step(
                    "length",
                    eq(_row(query**2), scale(j) ** 2 * (squares + 2 * mixed + small)),
                    identity(),
                    "and its length scale with its size.",
                ),
                Step("size square", le(0, scale(j) ** 2), smt(), "A square is not negative,"),
                Step(
                    "scaled",
                    le(
                        scale(j) ** 2 * ((1 - eps**2) * squares * (squares + 2 * mixed + small)),
                        scale(j) ** 2 * (squares + mixed) ** 2,
                    ),
                    smt(),
                    "so the inequality scales,",
                    ("angle", "size square"),
                    inside,
                ),
                Step(
                    "token left",
                    eq(
                        (1 - eps**2) * squares * _row(query**2),
                        scale(j) ** 2 * ((1 - eps**2) * squares * (squares + 2 * mixed + small)),
                    ),
                    identity(),
                    "on the left",
                ),
                Step(
                    "token right",
                    eq(along**2, scale(j) ** 2 * (squares + mixed) ** 2),
                    identity(),
                    "and on the right.",
                ),
                Step(
                    "token",
                    le((1 - eps**2) * squares * _row(query**2), along**2),
                    smt(),
                    "A token has almost all its square along the axis,",
                    ("scaled", "token left", "token right"),
                    inside,
                ),
                Step(
                    "tokens",
                    le(_tokens((1 - eps**2) * squares * _row(query**2)), _tokens(along**2)),
                    termwise(),
                    "and so have all.",
                    ("token",),
                ),
                Step(
                    "factor",
                    eq(
                        _tokens((1 - eps**2) * squares * _row(query**2)),
                        (1 - eps**2) * squares * total,
                    ),
                    identity(),
                    "Take the factor out;",
                ),
                Step(
                    "Rayleigh",
                    le(_tokens(along**2), top * squares),
                    instance({test: sp.Lambda(l, direction(l))}),
                    "no direction has more than the top one.",
                    ("no direction has more",),
                ),
                Step(
                    "cancelled",
                    le(((1 - eps**2) * total) * squares, top * squares),
                    smt(),
                    "So",
                    ("tokens", "factor", "Rayleigh"),
                ),
                Step(
                    "top",
                    first,
                    by_claim("slash.cancel", {x_: (1 - eps**2) * total, y_: top, t_: squares}),
                    "cancel the axis' square.",
                    ("cancelled", "the axis is not 0"),
                ),
                Step("share", share, smt(), "Divide by the total,", ("top",)),
                Step("query square", le(0, query**2), smt(), "which is"),
                Step(
                    "row square", le(0, _row(query**2)), termwise(), "a sum of", ("query square",)
                ),
                Step("total", le(0, total), termwise(), "squares.", ("row square",)),
                Step(
                    "one",
                    one,
                    smt(),
                    "One direction has 95% of it if epsilon^2 <= 0.05.",
                    ("top", "total"),
                ),
                Step(
                    "Cauchy",
                    le(
                        _row(direction(l) * scatter(j, l) + sp.Integer(0)) ** 2,
                        _row(direction(l) ** 2) * _row(scatter(j, l) ** 2),
                    ),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            f_x: sp.Lambda(l, direction(l)),
                            f_y: sp.Lambda(l, sp.Integer(0)),
                            h_x: sp.Lambda(l, scatter(j, l)),
                            h_y: sp.Lambda(l, sp.Integer(0)),
                        },
                    ),
                    "For the fit: the scatter along the axis is at most its length.",
                ),
                Step(
                    "expand",
                    eq(
                        distance,
                        (scale(j) - size) ** 2 * squares
                        + 2 * (scale(j) - size) * scale(j) * mixed
                        + scale(j) ** 2 * small,
                    ),
                    identity(),
                    "The distance from the mean",
                ),
                Step("mean", eq(mean, size**2 * squares), identity(), "and the mean's length."),
                Step(
                    "relative",
                    Both(
                        le(scale(j) - size, zeta * size),
                        le(-zeta * size, scale(j) - size),
                        le(0, zeta),
                    ),
                    by_claim("slash.relative", {x_: scale(j), y_: size, t_: zeta}),
                    "Sizes differ by at most zeta a.",
                    (),
                    fit,
                ),
                Step(
                    "distance",
                    le(distance, (eps_q * size) ** 2 * squares),
                    by_claim(
                        "slash.fit",
                        {
                            real("A"): scale(j),
                            real("V"): squares,
                            real("P"): mixed,
                            real("Z"): small,
                            real("X"): distance,
                        },
                    ),
                    "So the distance is at most eps_q times the mean,",
                    (
                        "expand",
                        "relative",
                        "Cauchy",
                        "scatter",
                        "range",
                        "epsilon is between 0 and 1",
                    ),
                    fit,
                ),
                Step("distance term", le(0, (query - size * direction(l)) ** 2), smt(), "squares"),
                Step(
                    "distance sign",
                    le(0, distance),
                    termwise(),
                    "not being negative",
                    ("distance term",),
                ),
                Step("mean sign", le(0, mean), smt(), "on either side,", ("mean", "range")),
                Step(
                    "eps_q sign",
                    le(0, eps_q),
                    smt(),
                    "nor eps_q,",
                    ("relative", "epsilon is between 0 and 1"),
                    fit,
                ),
                Step(
                    "square order",
                    le(distance, eps_q**2 * mean),
                    smt(),
                    "the squares compare,",
                    ("distance", "mean"),
                    fit,
                ),
                Step(
                    "near",
                    le(sp.sqrt(distance), eps_q * sp.sqrt(mean)),
                    by_claim("slash.root-fit", {x_: distance, y_: mean, t_: eps_q}),
                    "and so do the norms,",
                    ("square order", "distance sign", "mean sign", "eps_q sign"),
                    fit,
                ),
                Step("all near", near, generalise(), "for every token.", ("near",)),
                Step("all", goal, smt(), "All four.", ("top", "share", "one", "all near")),
            )
        ),
        uses=(
            "slash.cone-angle",
            "slash.cancel",
            "slash.relative",
            "slash.fit",
            "slash.root-fit",
            "sums.cauchy-schwarz",
        ),
        mutants=(
            Mutant("epsilon to the fourth", le((1 - eps**4) * total, top), at=_two_tokens()),
            Mutant(
                "sizes do not matter",
                every(
                    j,
                    0,
                    n - 1,
                    If(
                        Both(lt(0, size), le(sp.Abs(scale(j) / size - 1), zeta)),
                        le(sp.sqrt(distance), eps * sp.sqrt(mean)),
                    ),
                ),
                at=_two_tokens(),
            ),
        ),
    )


SLASH_CONE_VECTORS = _cone_vectors()

CLAIMS = (SLASH_CONE_VECTORS,)
