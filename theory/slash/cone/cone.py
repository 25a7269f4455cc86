"""Tokens on a cone give almost rank-one queries."""

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
    c,
    cone,
    dimension,
    direction,
    eps,
    matrix,
    rho,
    scale,
    scatter,
    sigma,
    size,
    slope,
    test,
    token,
    top,
    zeta,
)


def _token(**changed: Any) -> tuple[Any, ...]:
    """One token, two input coordinates, one output: u = (1, 0), W = (1, 1), scatter (0, 1)."""
    values: dict[str, tuple[Any, Any]] = {
        "along": (token(0, 0), 0),
        "across": (token(0, 1), 1),
        "sigma": (sigma, 1),
        "rho": (rho, 1),
        "slope": (slope, 1),
        "eps": (eps, 1),
        "top": (top, 4),
    }
    for name, value in changed.items():
        values[name] = (values[name][0], value)
    return (
        eq(m, 1),
        eq(n, 1),
        eq(dimension, 2),
        eq(cone(0), 1),
        eq(cone(1), 0),
        eq(matrix(0, 0), 1),
        eq(matrix(0, 1), 1 if "along" not in changed else 0),
        eq(scale(0), 1),
        eq(size, 1),
        eq(zeta, 0),
        *(eq(target, value) for target, value in values.values()),
    )


def _cone() -> Claim:
    def image(vector: Any) -> Any:
        return lambda row: sp.Sum(matrix(row, c) * vector(c), (c, 0, dimension - 1))

    axis = image(cone)

    def scattered(which: Any, row: Any) -> Any:
        return sp.Sum(matrix(row, c) * token(which, c), (c, 0, dimension - 1))

    def over_inputs(term: Any) -> Any:
        return sp.Sum(term, (c, 0, dimension - 1))

    b = integer("b")
    overlap = sp.Sum(cone(b) * test(b), (b, 0, dimension - 1))
    projected = over_inputs(matrix(l, c) * (test(c) - cone(c) * overlap))
    leak = Every((test(c),), le(_row(projected**2), (rho * sigma) ** 2 * over_inputs(test(c) ** 2)))
    own_overlap = sp.Sum(cone(b) * token(j, b), (b, 0, dimension - 1))
    own_projected = over_inputs(matrix(l, c) * (token(j, c) - cone(c) * own_overlap))
    inside = (le(0, j), le(j, n - 1))
    across = over_inputs(cone(c) * token(j, c))
    goal = Both(*_statement(axis, scattered))
    axis_square = _row(axis(l) ** 2)
    return Claim(
        id="slash.cone",
        title="Tokens on a cone give almost rank-one queries",
        statement=(
            r"$h_i=a_i(u+\xi_i)$, $a_i>0$, $\|u\|=1$, $\xi_i\perp u$, $\|\xi_i\|\le\tan\alpha$; "
            r"$\|Wu\|=\sigma>0$, $\|W(I-uu^\top)\|\le\rho\sigma$, $\varepsilon=\rho\tan\alpha\le1$. Then "
            r"$q_i=Wh_i$ has $r_1\ge1-\varepsilon^2$, so $\varepsilon\le\sqrt{0.05}$ gives "
            r"$r_{0.95}=1$. If also $|a_i/a-1|\le\zeta$ then $\|q_i-\bar q\|\le\varepsilon_q\|\bar q\|$ "
            r"with $\bar q=aWu$, $\varepsilon_q=\zeta+(1+\zeta)\varepsilon$. (`top` is $\sigma_1^2$: no "
            r"direction has more of the squares.)"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                "sizes are positive",
                every(j, 0, n - 1, lt(0, scale(j))),
                idle="r_1 forgets signs, and |a_i/a - 1| <= zeta bounds the sizes that the fit sees; "
                "a negative size is allowed only by zeta >= 1, where the bound is above 1",
            ),
            Hypothesis(
                "u is a unit vector",
                eq(over_inputs(cone(c) ** 2), 1),
                idle="only the images of u and of the scatter enter",
            ),
            Hypothesis(
                "scatter is orthogonal to u",
                every(j, 0, n - 1, eq(across, 0)),
                without=_token(across=0, along=1, rho=0, eps=0),
            ),
            Hypothesis(
                "scatter lies within the cone",
                every(j, 0, n - 1, le(over_inputs(token(j, c) ** 2), slope**2)),
                without=_token(slope=0, eps=0),
            ),
            Hypothesis(
                "the image of u",
                Both(eq(axis_square, sigma**2), lt(0, sigma)),
                without=_token(sigma=2, rho=sp.Rational(1, 2), eps=sp.Rational(1, 2)),
            ),
            Hypothesis("W leaks little across u", leak, without=_token(rho=0, eps=0)),
            Hypothesis("the leak is not negative", le(0, rho), without=_token(rho=-1, eps=-1)),
            Hypothesis("the cone is open", le(0, slope), without=_token(slope=-1, eps=-1)),
            Hypothesis("epsilon", Both(eq(eps, rho * slope), le(eps, 1)), without=_token(eps=0)),
            Hypothesis(
                "no direction has more",
                _rayleigh(axis, scattered),
                without=_token(along=0, across=0, rho=0, eps=0, top=0),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "leak",
                    le(_row(own_projected**2), (rho * sigma) ** 2 * over_inputs(token(j, c) ** 2)),
                    instance({test: sp.Lambda(c, token(j, c))}),
                    "W leaks little of a token's scatter,",
                    ("W leaks little across u",),
                ),
                Step(
                    "across",
                    eq(across, 0),
                    instance({j: j}),
                    "which is orthogonal to u,",
                    ("scatter is orthogonal to u",),
                    inside,
                ),
                Step(
                    "own",
                    eq(own_projected, scattered(j, l) - axis(l) * own_overlap),
                    identity(),
                    "so that it is",
                ),
                Step("overlap", eq(own_overlap, across), identity(), "its"),
                Step(
                    "projection",
                    eq(own_projected**2, scattered(j, l) ** 2),
                    smt(),
                    "own projection,",
                    ("own", "overlap", "across"),
                    inside,
                ),
                Step(
                    "image",
                    eq(_row(own_projected**2), _row(scattered(j, l) ** 2)),
                    termwise(),
                    "in every coordinate.",
                    ("projection",),
                    inside,
                ),
                Step(
                    "width",
                    le(over_inputs(token(j, c) ** 2), slope**2),
                    instance({j: j}),
                    "It lies within the cone,",
                    ("scatter lies within the cone",),
                    inside,
                ),
                Step(
                    "scale",
                    le(
                        (rho * sigma) ** 2 * over_inputs(token(j, c) ** 2),
                        (rho * sigma) ** 2 * slope**2,
                    ),
                    smt(),
                    "so its image",
                    ("width",),
                    inside,
                ),
                Step(
                    "product",
                    eq((rho * sigma) ** 2 * slope**2, (rho * slope) ** 2 * sigma**2),
                    identity(),
                    "is at most",
                ),
                Step(
                    "small",
                    le(_row(scattered(j, l) ** 2), eps**2 * axis_square),
                    smt(),
                    "epsilon times that of u.",
                    ("leak", "image", "scale", "product", "the image of u", "epsilon"),
                    inside,
                ),
                Step(
                    "all small",
                    every(j, 0, n - 1, le(_row(scattered(j, l) ** 2), eps**2 * axis_square)),
                    generalise(),
                    "For every token.",
                    ("small",),
                ),
                Step(
                    "axis",
                    lt(0, axis_square),
                    smt(),
                    "The axis' image is not 0,",
                    ("the image of u",),
                ),
                Step(
                    "epsilon range",
                    Both(le(0, eps), le(eps, 1)),
                    smt(),
                    "and epsilon is between 0 and 1:",
                    ("the leak is not negative", "the cone is open", "epsilon"),
                ),
                Step(
                    "cone",
                    goal,
                    by_claim(
                        "slash.cone-vectors",
                        {
                            direction: sp.Lambda(l, axis(l)),
                            scatter: sp.Lambda((j, l), scattered(j, l)),
                        },
                    ),
                    "vectors near one axis.",
                    (
                        "sizes are positive",
                        "axis",
                        "epsilon range",
                        "all small",
                        "no direction has more",
                    ),
                ),
            )
        ),
        uses=("slash.cone-vectors",),
        mutants=(
            Mutant(
                "all of it",
                lt(
                    top, (1 - eps**2) * _tokens(_row((scale(j) * (axis(l) + scattered(j, l))) ** 2))
                ),
                at=(
                    eq(m, 1),
                    eq(n, 1),
                    eq(dimension, 1),
                    eq(cone(0), 1),
                    eq(token(0, 0), 0),
                    eq(matrix(0, 0), 1),
                    eq(sigma, 1),
                    eq(rho, 0),
                    eq(slope, 0),
                    eq(eps, 0),
                    eq(scale(0), 1),
                    eq(top, 1),
                ),
            ),
        ),
    )


SLASH_CONE = _cone()

CLAIMS = (SLASH_CONE,)
