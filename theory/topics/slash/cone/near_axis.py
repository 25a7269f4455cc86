"""Vectors near one axis have almost rank one.

Token j's query is q_j = a_j (v + z_j): v is the axis, z_j the token's scatter, a_j its size. The
vectors' coordinates are numbered by l, and `top` is sigma_1^2, the most that one direction has of
the squares.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import SUMS_CAUCHY_SCHWARZ
from ropeproof.theory.topics.slash.cone import inequalities
from ropeproof.theory.topics.slash.cone.inequalities import (
    SLASH_CANCEL,
    SLASH_CONE_ANGLE,
    SLASH_FIT,
    SLASH_RELATIVE,
    SLASH_ROOT_FIT,
    eps,
    eps_q,
    half,
    size,
    zeta,
)

top = real("top")
direction, scatter, scale = real_function("v"), real_function("z"), real_function("a_token")
test = real_function("x")
MEANINGS: Meanings = {
    **inequalities.MEANINGS,
    j: "a vector",
    l: "a coordinate",
    m: "dimension of the vectors",
    n: "number of vectors",
    size: shown_as("ā", r"\bar a", "mean size of the vectors"),
    zeta: "relative spread of the sizes",
    top: shown_as("σ₁²", r"\sigma_1^2", "the most that one direction has of the squares"),
    direction: "the axis",
    scatter: "scatter of the vectors",
    scale: shown_as("a", "a", "sizes of the vectors"),
    test: "any vector",
}


def inner(first: Term, second: Term) -> Term:
    """The inner product of two vectors, given by their coordinates l = 0..m-1."""
    return sp.Sum(first * second, (l, 0, m - 1))


def square(vector: Term) -> Term:
    """The square of a vector's length."""
    return inner(vector, vector)


def over_tokens(term: Term) -> Term:
    """The sum of a term in j over the tokens 0..n-1."""
    return sp.Sum(term, (j, 0, n - 1))


def query(v: Callable[..., Term] = direction, z: Callable[..., Term] = scatter) -> Term:
    """Coordinate l of q_j = a_j (v + z_j); `v(l)` and `z(j, l)` give the vectors."""
    return scale(j) * (v(l) + z(j, l))


def no_direction_has_more(
    v: Callable[..., Term] = direction, z: Callable[..., Term] = scatter
) -> Formula:
    """sum_j <q_j, x>^2 <= top |x|^2 for every x: `top` is at least the first singular value^2."""
    return Every(
        (test(l),), le(over_tokens(inner(query(v, z), test(l)) ** 2), top * square(test(l)))
    )


def if_close(formula: Formula) -> Formula:
    """The formula for every token whose size is within zeta of a, relatively."""
    close = Both(lt(0, size), le(sp.Abs(scale(j) / size - 1), zeta))
    return every(j, 0, n - 1, If(close, formula))


def almost_rank_one(
    v: Callable[..., Term] = direction, z: Callable[..., Term] = scatter
) -> tuple[Formula, Formula, Formula, Formula]:
    """r_1 >= 1 - eps^2 without and with the division, r_0.95 = 1, and |q_j - q| <= eps_q |q|."""
    total, mean = over_tokens(square(query(v, z))), size * v(l)
    near = le(sp.sqrt(square(query(v, z) - mean)), eps_q * sp.sqrt(square(mean)))
    return (
        le((1 - eps**2) * total, top),
        If(lt(0, total), le(1 - eps**2, top / total)),
        If(le(eps**2, sp.Rational(5, 100)), le(sp.Rational(95, 100) * total, top)),
        if_close(near),
    )


POSITIVE_SIZES = Hypothesis(
    "sizes are positive",
    every(j, 0, n - 1, lt(0, scale(j))),
    idle="r_1 forgets signs, and |a_i/a - 1| <= zeta bounds the sizes that the fit sees; "
    "a negative size is allowed only by zeta >= 1, where the bound is above 1",
)
AXIS = Hypothesis("the axis is not 0", lt(0, square(direction(l))))
EPSILON = Hypothesis("epsilon is between 0 and 1", within(eps, 0, 1))
SCATTER = Hypothesis(
    "scatter is small", every(j, 0, n - 1, le(square(scatter(j, l)), eps**2 * square(direction(l))))
)
TOP = Hypothesis("no direction has more", no_direction_has_more())


axis, mixed, small = square(direction(l)), inner(direction(l), scatter(j, l)), square(scatter(j, l))
total = over_tokens(square(query()))


def _top(p: Proof, scattered: Fact, ranges: Fact) -> Fact:
    """(1 - eps^2) times the sum of all squares is at most `top`."""
    narrow = (1 - eps**2) * axis
    along = inner(query(), direction(l))
    token = scattered.scope
    angle = token.apply(
        SLASH_CONE_ANGLE.at(P=mixed),
        (scattered, ranges),
        why="As its scatter is small, the token makes a small angle with the axis.",
    )
    every_one = token.show(
        le(narrow * square(query()), along**2),
        "Multiply this inequality by the square of the token's size. The token's squared "
        "length scales with the square of its size. The token's component along the axis "
        "scales with its size, too. So a token has almost all its square along the axis.",
        angle,
    ).summed(j, 0, n - 1, "Sum this inequality over the tokens.")
    rayleigh = p.use(
        TOP,
        {test: direction},
        why="By definition no direction has more of the squares than the top one.",
    )
    return p.lemma(
        SLASH_CANCEL.at(x=(1 - eps**2) * total, y=top, t=axis),
        (every_one, rayleigh, AXIS),
        why="So (1 - epsilon^2) times all squares is at most the top one's, both times the axis' "
        "square. Divide by the axis' square, which is positive.",
    )


def _near(p: Proof, scattered: Fact, ranges: Fact) -> Fact:
    """Every token with a size near a is near a v."""
    mean, deviation = size * direction(l), scale(j) - size
    distance = square(query() - mean)
    close = scattered.scope.under(lt(0, size), le(sp.Abs(scale(j) / size - 1), zeta))
    cauchy = p.lemma(
        SUMS_CAUCHY_SCHWARZ.at(
            f_x=direction, f_y=lambda l: 0, h_x=lambda l: scatter(j, l), h_y=lambda l: 0
        ),
        why="By Cauchy-Schwarz, the scatter along the axis is at most the product of both lengths.",
    )
    expand = p.show(
        eq(
            distance, deviation**2 * axis + 2 * deviation * scale(j) * mixed + scale(j) ** 2 * small
        ),
        "Multiply out the squared distance from the mean.",
    )
    relative = close.lemma(
        SLASH_RELATIVE.at(x=scale(j), y=size, t=zeta),
        why="A close token's size differs from a by at most zeta a.",
    )
    fit = close.apply(
        SLASH_FIT,
        (expand, relative, cauchy, scattered, ranges, EPSILON),
        why="So the squared distance is at most (eps_q a)^2 times the axis' square.",
    )
    squares = close.show(
        le(distance, eps_q**2 * square(mean)),
        "The squared length of the mean is a^2 times that of the axis. So the squared "
        "distance is at most eps_q^2 times the mean's square.",
        fit,
    )
    term = p.show(le(0, (query() - mean) ** 2), "The square of a coordinate is not negative.")
    positive = term.summed(l, 0, m - 1, "So the squared distance is not negative.")
    reference = p.show(
        le(0, square(mean)), "The squared length of the mean is not negative.", ranges
    )
    norms = close.apply(
        SLASH_ROOT_FIT,
        (squares, positive, reference, relative, EPSILON),
        why="The number eps_q is not negative. So the norms compare as their squares.",
    )
    return p.step(
        almost_rank_one()[3],
        rules.generalise(),
        "This holds for every token whose size is close to a.",
        norms,
    )


two_tokens: Values = {
    m: 2, n: 2, eps: half, zeta: half, size: 1, scale(0): 1, scale(1): 1 + half,
    direction(0): 1, direction(1): 0, scatter(0, 0): 0, scatter(0, 1): half,
    scatter(1, 0): 0, scatter(1, 1): -half, top: sp.Rational(326, 100),
}  # fmt: skip
off_mean = square(query() - size * direction(l))


@theorem(
    "slash.cone-vectors",
    hypotheses=(POSITIVE_SIZES, AXIS, EPSILON, SCATTER, TOP),
    conclusion=Both(*almost_rank_one()),
    example=(
        *where({m: 1, n: 2, eps: 0, top: 2, size: 1, zeta: 0}),
        *(Every((l,), eq(direction(l), 1)), Every((j,), eq(scale(j), 1))),
        Every((j, l), eq(scatter(j, l), 0)),
    ),
    attack=Attack(
        {
            "epsilon to the fourth": le((1 - eps**4) * total, top),
            "sizes do not matter": if_close(
                le(sp.sqrt(off_mean), eps * sp.sqrt(square(size * direction(l))))
            ),
        },
        at={"epsilon to the fourth": two_tokens, "sizes do not matter": two_tokens},
    ),
)
def SLASH_CONE_VECTORS(p: Proof) -> None:
    r"""Vectors near one axis have almost rank one

    For $q_i=a_i(v+z_i)$, $a_i>0$, $\|z_i\|\le\varepsilon\|v\|$, $0\le\varepsilon\le1$, $v\ne0$:
    $r_1\ge1-\varepsilon^2$, and with $|a_i/\bar a-1|\le\zeta$, $\bar a>0$, $\|q_i-\bar
    av\|\le(\zeta+(1+\zeta)\varepsilon)\|\bar av\|$.
    """
    _, _share, _one, _ = almost_rank_one()
    token = p.under(within(j, 0, n - 1))
    scattered = token.use(SCATTER, why="The scatter of every token is small by hypothesis.")
    ranges = p.show(
        Both(le(eps**2, 1), le(0, axis)),
        "As epsilon is at most 1, so is its square; the axis' square is not negative.",
        (EPSILON, AXIS),
    )
    most = _top(p, scattered, ranges)
    term = p.show(le(0, query() ** 2), "The square of a coordinate is not negative.")
    row = term.summed(l, 0, m - 1, "So the sum of a token's squares is not negative.")
    positive = row.summed(j, 0, n - 1, "So the sum of all squares is not negative.")
    p.qed(
        "Divide by the total of the squares, where it is positive. If epsilon^2 is at most "
        "0.05, one direction has 95% of all squares. This proves the bounds of the rank and "
        "the distance from the mean.",
        (most, positive, _near(p, scattered, ranges)),
    )
