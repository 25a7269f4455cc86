"""A logit is at most the product of the norms, by the Cauchy-Schwarz inequality."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.inequalities import cauchy_schwarz
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import SUMS_CAUCHY_SCHWARZ, f_x, f_y
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import x, y
from ropeproof.theory.topics.slash.sandwich.cluster import SCALE

z_ = real("z")
MEANINGS: Meanings = {**cauchy_schwarz.MEANINGS, **lags.MEANINGS, z_: "a number"}

# -- the norm ----------------------------------------------------------------------------

square_f = over_planes(f_x(l) ** 2 + f_y(l) ** 2)


@theorem(
    "slash.norm",
    conclusion=Both(le(0, square_f), le(0, sp.sqrt(square_f))),
    attack=Attack({"positive": lt(0, sp.sqrt(square_f)), "at most 1": le(sp.sqrt(square_f), 1)}),
)
def SLASH_NORM(p: Proof) -> None:
    r"""A norm and its square are not negative

    $\|f\|^2=\sum_l|f_l|^2\ge0$ and $\|f\|\ge0$ for vectors of the plane.
    """
    square = p.show(le(0, f_x(l) ** 2 + f_y(l) ** 2), "A sum of two squares is not negative.")
    p.qed(
        "The square root of such a sum is not negative either.",
        square.summed(l, 0, m - 1, "So the sum of the squares over the planes is not negative."),
    )


# -- sizes -------------------------------------------------------------------------------

SQUARES_COMPARE = Hypothesis("the squares compare", le(z_**2, y**2))
POSITIVE = Hypothesis("y is not negative", le(0, y))


@theorem(
    "slash.size-order",
    hypotheses=(SQUARES_COMPARE, POSITIVE),
    conclusion=le(sp.Abs(z_), y),
    attack=Attack({"strict": lt(sp.Abs(z_), y), "reversed": le(y, sp.Abs(z_))}),
)
def SLASH_SIZE_ORDER(p: Proof) -> None:
    r"""Sizes compare as their squares do

    $|z|\le y$ if $z^2\le y^2$ and $y\ge0$.
    """
    p.qed("If |z| exceeded y, the squares would compare the other way.", SQUARES_COMPARE, POSITIVE)


BELOW_PRODUCT = Hypothesis("the squares compare", le(z_**2, x * y))
X_POSITIVE = Hypothesis(
    "x is not negative", le(0, x), idle="if y > 0 it follows, and if y = 0 then z = 0"
)
Y_POSITIVE = Hypothesis(
    "y is not negative", le(0, y), idle="if x > 0 it follows, and if x = 0 then z = 0"
)
roots = sp.sqrt(x) * sp.sqrt(y)


@theorem(
    "slash.root-order",
    hypotheses=(BELOW_PRODUCT, X_POSITIVE, Y_POSITIVE),
    conclusion=le(sp.Abs(z_), roots),
    attack=Attack(
        {"strict": lt(sp.Abs(z_), roots), "without the second": le(sp.Abs(z_), sp.sqrt(x))}
    ),
)
def SLASH_ROOT_ORDER(p: Proof) -> None:
    r"""A size below the product of two roots

    $|z|\le\sqrt x\sqrt y$ if $z^2\le xy$ and $x,y\ge0$.
    """
    signs = (X_POSITIVE, Y_POSITIVE)
    square = p.show(
        le(z_**2, kept(sp.Pow, roots, 2)),
        "The product of the two roots has the square xy.",
        (BELOW_PRODUCT, signs),
    )
    p.apply(
        SLASH_SIZE_ORDER,
        (square, signs),
        why="So |z| is at most the product, as sizes compare like their squares.",
    )


# -- the logit ---------------------------------------------------------------------------

square_q, square_k = query_x(l) ** 2 + query_y(l) ** 2, key_x(l) ** 2 + key_y(l) ** 2
norm_q, norm_k = sp.sqrt(over_planes(square_q)), sp.sqrt(over_planes(square_k))


@theorem(
    "slash.logit-size",
    hypotheses=(SCALE,),
    conclusion=le(sp.Abs(logit(t)), s * norm_q * norm_k),
    attack=Attack(
        {
            "half": le(2 * sp.Abs(logit(t)), s * norm_q * norm_k),
            "of the query alone": le(sp.Abs(logit(t)), s * norm_q),
        }
    ),
)
def SLASH_LOGIT_SIZE(p: Proof) -> None:
    r"""A logit is at most the product of the norms

    $|w(t,q,k)|\le s\|q\|\|k\|$ for $s\ge0$, in Cartesian coordinates.
    """
    angle = theta(l) * t
    turned_x = query_x(l) * sp.cos(angle) - query_y(l) * sp.sin(angle)
    turned_y = query_y(l) * sp.cos(angle) + query_x(l) * sp.sin(angle)
    inner = over_planes(turned_x * key_x(l) + turned_y * key_y(l))

    product = p.lemma(
        SUMS_CAUCHY_SCHWARZ.at(
            f_x=sp.Lambda(l, turned_x), f_y=sp.Lambda(l, turned_y), h_x=key_x, h_y=key_y
        ),
        why="By Cauchy-Schwarz its square is at most the product of the squared norms.",
    )
    signs = (
        p.lemma(
            SLASH_NORM.at(f_x=query_x, f_y=query_y),
            why="The squared norm of the query is not negative.",
        ),
        p.lemma(
            SLASH_NORM.at(f_x=key_x, f_y=key_y), why="The squared norm of the key is not negative."
        ),
    )
    size = p.lemma(
        SLASH_ROOT_ORDER.at(z=inner, x=over_planes(square_q), y=over_planes(square_k)),
        (product, signs),
        why="Turning a query keeps its squared norm. So the square of the inner product is at "
        "most the product of these squared norms. So the size of the inner product is at "
        "most the product of the norms.",
    )
    p.qed(
        "The logit is s times the inner product of the turned query with the key. Multiply "
        "by the scale s, which is not negative.",
        (size, SCALE),
    )
