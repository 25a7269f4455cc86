"""The two scores of a swap as cosines of angles: both large, or both small, they cannot be."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import ORDER_PRODUCT_SIGN, ORDER_SQUARE
from ropeproof.theory.topics.head.scores import u, v, x, y
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

kappa, phi, psi = real("kappa phi psi")
first, second = real("r r_swapped")
MEANINGS: Meanings = {
    u: "first weight after the swap",
    v: "second weight after the swap",
    x: "first weight before the swap",
    y: "second weight before the swap",
    kappa: "the level that both scores reach",
    phi: "angle of (x, y) with the diagonal",
    psi: "angle of (u, v) with the diagonal",
    first: "length of (x, y)",
    second: shown_as("r′", "r'", "length of (u, v)"),
}
positional, symbolic = x * u + y * v, y * u + x * v

# -- not both small ----------------------------------------------------------------------

NOT_NEGATIVE = tuple(Hypothesis(f"{name} is not negative", le(0, name)) for name in (x, y, u, v))
lengths = (x**2 + y**2) * (u**2 + v**2)


on_one = {x: 1, y: 0, u: 1, v: 0}


@theorem(
    "head.score-disc",
    hypotheses=NOT_NEGATIVE,
    conclusion=le(lengths, positional**2 + symbolic**2),
    attack=Attack(
        {
            "strictly": lt(lengths, positional**2 + symbolic**2),
            "the sum of scores is at least sqrt 2": le(2 * lengths, (positional + symbolic) ** 2),
        },
        at={"strictly": on_one, "the sum of scores is at least sqrt 2": on_one},
        without={
            hypothesis: {other: -1 if other == symbol else 1 for other in (x, y, u, v)}
            for hypothesis, symbol in zip(NOT_NEGATIVE, (x, y, u, v), strict=True)
        },
    ),
)
def HEAD_SCORE_DISC(p: Proof) -> None:
    r"""No swap has two small scores

    For weights $x,y$ of two positions before a swap and $u,v$ after it, none negative:
    $(x^2+y^2)(u^2+v^2)\le(xu+yv)^2+(yu+xv)^2$, that is $s_{\rm pos}^2+s_{\rm sym}^2\ge1$ for the
    two scores of the swap, multiplied by the squared lengths.
    """
    one = p.apply(
        ORDER_PRODUCT_SIGN.at(y=y),
        NOT_NEGATIVE,
        why="As x and y are not negative, neither is their product.",
    )
    other = p.lemma(
        ORDER_PRODUCT_SIGN.at(x=u, y=v),
        NOT_NEGATIVE,
        why="As u and v are not negative, neither is their product.",
    )
    product = p.apply(
        ORDER_PRODUCT_SIGN.at(y=u * v), (one, other), why="So the product xyuv is not negative."
    )
    p.qed(
        "Expand the two squares: four times the product xyuv remains. So the two squares are "
        "at least the product of the squared lengths.",
        product,
    )


# -- not both large ----------------------------------------------------------------------

total, gap = x + y, x - y
identities = (
    eq(sp.cos(phi) * sp.cos(psi) + sp.sin(phi) * sp.sin(psi), sp.cos(psi - phi)),
    eq(
        sp.cos(psi - phi) ** 2
        + sp.cos(psi + phi) ** 2
        - 2 * sp.cos(psi - phi) * sp.cos(psi + phi) * sp.cos(2 * phi),
        sp.sin(2 * phi) ** 2,
    ),
)

FIRST = Hypothesis("r is the first length", eq(first**2, x**2 + y**2))
SECOND = Hypothesis("r' is the second length", eq(second**2, u**2 + v**2))
POSITIVE = Hypothesis("lengths are positive", Both(lt(0, first), lt(0, second)))
POSITIONAL = Hypothesis(
    "the positional score is at least kappa", le(kappa * first * second, positional)
)
SYMBOLIC = Hypothesis("the symbolic score is at least kappa", le(kappa * first * second, symbolic))
KAPPA = Hypothesis("kappa is not negative", le(0, kappa))


unit: Values = {first: 1, second: 1}
_apart: Values = {**unit, x: 1, y: 0, u: sp.Rational(3, 5), v: sp.Rational(4, 5), kappa: 1}


@theorem(
    "head.score-geometry",
    needs="PTX",
    hypotheses=(FIRST, SECOND, POSITIVE, POSITIONAL, SYMBOLIC, KAPPA),
    conclusion=Both(*identities, le(kappa**2 * gap**2, (1 - kappa**2) * total**2)),
    attack=Attack(
        {
            "half": le(2 * kappa**2 * gap**2, (1 - kappa**2) * total**2),
            "one score is enough": le(gap**2, 0),
        },
        at={
            "half": unit
            | {x: sp.Rational(4, 5), y: sp.Rational(3, 5), u: sp.sqrt(2) / 2}
            | {v: sp.sqrt(2) / 2, kappa: sp.Rational(9899, 10000)},
            "one score is enough": unit
            | {x: sp.Rational(4, 5), y: sp.Rational(3, 5), u: sp.Rational(4, 5)}
            | {v: sp.Rational(3, 5), kappa: sp.Rational(1, 2)},
        },
        without={
            POSITIONAL: {first: 1, second: 1, x: 1, y: 0, u: 0, v: 1, kappa: 1},
            SYMBOLIC: {first: 1, second: 1, x: 1, y: 0, u: 1, v: 0, kappa: 1},
            KAPPA: {first: 1, second: 1, x: 1, y: 0, u: 0, v: 1, kappa: -1},
            FIRST: {**_apart, first: sp.Rational(1, 2)},
            SECOND: {**_apart, second: sp.Rational(1, 2)},
            POSITIVE: {**_apart, first: -1},
        },
    ),
)
def HEAD_SCORE_GEOMETRY(p: Proof) -> None:
    r"""The two scores of a swap as angles, and how they exclude each other

    If $(x,y)$ makes the signed angle $\phi$ with the diagonal and $(u,v)$ the angle $\psi$, then
    $s_{\rm pos}=\cos(\psi-\phi)$, $s_{\rm sym}=\cos(\psi+\phi)$ and $s_{\rm pos}^2+s_{\rm
    sym}^2-2s_{\rm pos}s_{\rm sym}\cos2\phi=\sin^22\phi$. For weights $(x,y)$ before and $(u,v)$
    after a swap, both scores at least $\kappa\ge0$ force $\kappa^2(x-y)^2\le(1-\kappa^2)(x+y)^2$.
    """
    twice, other = 2 * kappa * (first * second), u + v

    angles = p.show(Both(*identities), "These are identities between products and sums of cosines.")
    both = p.show(
        le(twice, total * other),
        "The two scores together are (x + y)(u + v), so this is at least 2 kappa r r'.",
        (POSITIONAL, SYMBOLIC),
    )
    diagonal = p.show(
        le(other**2, 2 * second**2),
        "A sum of two coordinates is at most sqrt 2 times the length.",
        SECOND,
    )
    sign = p.lemma(
        ORDER_PRODUCT_SIGN.at(x=2 * kappa, y=first * second),
        (KAPPA, POSITIVE),
        why="The product 2 kappa r r' of numbers that are not negative is not negative.",
    )
    squared = p.apply(
        ORDER_SQUARE,
        (sign, both),
        why="Squares keep the order of numbers that are not negative.",
        goal=le(kept(sp.Pow, twice, 2), kept(sp.Pow, total * other, 2)),
    )
    bounded = diagonal.times(
        total**2, "Multiply the bound of (u + v)^2 by (x + y)^2, which is not negative."
    )
    divided = p.lemma(
        SLASH_CANCEL.at(x=2 * kappa**2 * first**2, y=total**2, t=second**2),
        (squared, bounded, POSITIVE),
        why="So 2 kappa^2 r^2 r'^2 is at most r'^2 (x + y)^2; cancel r'^2.",
    )
    p.qed(
        "The square of x + y plus that of x - y is 2 r^2. This proves both identities and "
        "the bound.",
        (angles, divided, FIRST),
    )
