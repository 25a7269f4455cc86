"""Rotations, and the logit as a function of the lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.papers.citations import SLASH

alpha, beta, p = real("alpha beta p")
x, y = real_function("x"), real_function("y")
MEANINGS: Meanings = {
    **NOTATION,
    i: "position of the query",
    j: "position of the key",
    alpha: "an angle",
    beta: "an angle",
    p: "a position",
    x: "first coordinates of a vector, by plane",
    y: "second coordinates of a vector, by plane",
}
query, key = (query_x(l), query_y(l)), (key_x(l), key_y(l))


def rotated(first: Term, second: Term, angle: Term) -> tuple[Term, Term]:
    """A plane's pair of coordinates, turned by the angle."""
    cosine, sine = sp.cos(angle), sp.sin(angle)
    return cosine * first - sine * second, sine * first + cosine * second


def inner(first: tuple[Any, ...], second: tuple[Any, ...]) -> Any:
    """The inner product of two planes' pairs."""
    return first[0] * second[0] + first[1] * second[1]


# -- rotations are a group ---------------------------------------------------------------

Matrix = tuple[tuple[Any, Any], ...]


def _matrix(angle: Term) -> Matrix:
    cosine, sine = sp.cos(angle, evaluate=False), sp.sin(angle, evaluate=False)
    return ((cosine, -sine), (sine, cosine))


def _transpose(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))


def _product(left: Matrix, right: Matrix) -> Matrix:
    return tuple(tuple(inner(row, column) for column in _transpose(right)) for row in left)


def _same(left: Matrix, right: Matrix) -> Formula:
    return Both(*(eq(left[r][k], right[r][k]) for r in range(2) for k in range(2)))


products = _same(_product(_matrix(alpha), _matrix(beta)), _matrix(alpha + beta))
unit = _same(_matrix(sp.Integer(0)), ((1, 0), (0, 1)))
inverse = _same(_transpose(_matrix(alpha)), _matrix(-alpha))
before, after = (x(l), y(l)), rotated(x(l), y(l), theta(l) * p)
still, turned = over_planes(inner(before, before)), over_planes(inner(after, after))


@theorem(
    "rope.group",
    role="main result",
    needs="PTX",
    conclusion=Both(
        products, unit, inverse, Both(eq(turned, still), eq(sp.sqrt(turned), sp.sqrt(still)))
    ),
    attack=Attack(
        {
            "angles subtract": _same(
                _product(_matrix(alpha), _matrix(beta)), _matrix(alpha - beta)
            ),
            "self-transpose": _same(_transpose(_matrix(alpha)), _matrix(alpha)),
            "norm doubles": eq(turned, 2 * still),
        }
    ),
)
def ROPE_GROUP(p: Proof) -> None:
    r"""Rotations add their angles and keep norms

    $R(\alpha)R(\beta)=R(\alpha+\beta)$, $R(0)=I$, $R(\alpha)^\top=R(-\alpha)$, entry by entry; so
    $\|R_px\|=\|x\|$ over all $m$ planes, with angle $p\theta_l$ in plane $l$.
    """
    added = p.show(
        products, "By the addition theorems the entries of R(a) R(b) are those of R(a + b)."
    )
    planes = p.show(
        eq(turned.function, still.function),
        "A rotation keeps the norm of its plane, as cos^2 + sin^2 = 1.",
    ).summed(l, 0, m - 1, "Summed over the planes, the squared norms are equal.")
    p.qed(
        "As cos 0 = 1 and sin 0 = 0, R(0) is the unit matrix. As cosine is even and sine is "
        "odd, the transpose of R(a) is R(-a). So their square roots, the norms, are equal. "
        "So rotations form a group of isometries.",
        (added, planes),
    )


# -- the logit depends on the lag --------------------------------------------------------


def _relative_form(turns: Term) -> Term:
    return over_planes(inner(rotated(*query, theta(l) * turns), key))


both = over_planes(inner(rotated(*query, theta(l) * i), rotated(*key, theta(l) * j)))
lag = _relative_form(i - j)


@theorem(
    "rope.relative",
    role="main result",
    needs="PTXW",
    conclusion=Both(eq(both, lag), eq(s * both, logit(i - j))),
    attack=Attack(
        {
            "lag of the wrong sign": eq(both, _relative_form(j - i)),
            "sum of positions": eq(both, _relative_form(i + j)),
            "lag off by one": eq(s * both, logit(i - j - 1)),
        }
    ),
)
def ROPE_RELATIVE(p: Proof) -> None:
    r"""The logit depends on positions through the lag only

    $\langle R_iq,R_jk\rangle=\langle R_{i-j}q,k\rangle$ over all $m$ planes, and $s$ times it is
    $w(i-j)=s\,\mathrm{Re}\sum_lq_l\overline{k_l}e^{\mathrm i\theta_l(i-j)}$.
    """
    p.qed(
        "In one plane the two rotations combine to the difference of their angles. Sum this "
        "equation over the planes. In coordinates s times this sum is the logit, s Re sum q "
        "conj(k) exp(i theta t). So the scaled inner product is the logit."
    )


# -- constant queries and keys -----------------------------------------------------------

h = integer("h")
Q_x, Q_y, K_x, K_y = (real_function(name) for name in ("Q_x", "Q_y", "K_x", "K_y"))
MEANINGS = {
    **MEANINGS,
    h: "a shift of positions",
    (Q_x, Q_y): "queries, by position",
    Q_x: "first coordinates of the queries, by position and plane",
    Q_y: "second coordinates of the queries, by position and plane",
    (K_x, K_y): "keys, by position",
    K_x: "first coordinates of the keys, by position and plane",
    K_y: "second coordinates of the keys, by position and plane",
}


def _at(row: Term, column: Term) -> Term:
    of_row = rotated(Q_x(row, l), Q_y(row, l), theta(l) * row)
    of_column = rotated(K_x(column, l), K_y(column, l), theta(l) * column)
    return s * over_planes(inner(of_row, of_column))


QUERIES = Hypothesis(
    "queries are constant",
    Every((i, l), Both(eq(Q_x(i, l), query_x(l)), eq(Q_y(i, l), query_y(l)))),
)
KEYS = Hypothesis(
    "keys are constant", Every((j, l), Both(eq(K_x(j, l), key_x(l)), eq(K_y(j, l), key_y(l))))
)


@theorem(
    "rope.toeplitz",
    source=SLASH.at("constant queries and keys"),
    needs="PTXW",
    hypotheses=(QUERIES, KEYS),
    conclusion=Both(
        Every((i, j), eq(_at(i, j), logit(i - j))),
        Every((i, j, h), eq(_at(i + h, j + h), _at(i, j))),
    ),
    attack=Attack(
        {
            "lag off by one": eq(_at(i, j), logit(i - j + 1)),
            "constant along antidiagonals": eq(_at(i + h, j - h), _at(i, j)),
        }
    ),
)
def ROPE_TOEPLITZ(p: Proof) -> None:
    r"""Constant queries and keys give logits that depend on the lag alone

    If $Q_i=q$ and $K_j=k$ for all tokens, $w_{ij}=g(i-j)$ with $g$ the logit function of $q,k$,
    whatever the tokens are; the logit matrix is constant along its diagonals.
    """
    same_query = p.use(QUERIES, why="Every token has the same query.")
    same_key = p.use(KEYS, why="Every token has the same key.")
    of_token = inner(
        rotated(Q_x(i, l), Q_y(i, l), theta(l) * i), rotated(K_x(j, l), K_y(j, l), theta(l) * j)
    )
    planes = p.show(
        eq(of_token, both.function),
        "So each plane contributes what it does for the common query and key.",
        (same_query, same_key),
    ).summed(l, 0, m - 1, "So the sums over the planes are equal.")
    relative = p.lemma(
        ROPE_RELATIVE,
        why="By the relative form the logit depends on the lag only.",
        goal=eq(s * both, logit(i - j)),
    )
    of_lag = p.show(
        eq(_at(i, j), logit(i - j)),
        "So the logit of any two tokens is a function of their lag.",
        (planes, relative),
    )
    moved = of_lag.at({i: i + h, j: j + h}, why="Moving both positions by h keeps their lag.")
    same = p.show(
        eq(_at(i + h, j + h), _at(i, j)),
        "So moving both positions by h keeps the logit.",
        (moved, of_lag),
    )
    everywhere = of_lag.for_all(i, j, why="The logit depends on the lag alone at all positions.")
    diagonals = same.for_all(i, j, h, why="The logits are constant along every diagonal.")
    p.qed(
        "This proves that the logit depends on the lag alone and is constant along diagonals.",
        (everywhere, diagonals),
    )
