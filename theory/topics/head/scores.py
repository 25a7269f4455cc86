"""The scores of a swap are functions of the table: cosines forget the normalisers."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import ORDER_ROOT
from ropeproof.theory.topics.head import table
from ropeproof.theory.topics.head.table import a

i, j = integer("i j")
x, y, u, v, z, w = real("x y u v Z Z_swapped")
MEANINGS: Meanings = {
    **table.MEANINGS,
    i: "a position",
    j: "a position",
    **dict.fromkeys((x, y, u, v, z), "a number"),
    w: shown_as("Z′", "Z'", "a number"),
}

# -- lengths -----------------------------------------------------------------------------


def _norm(one: Term, other: Term) -> Term:
    return sp.sqrt(one**2 + other**2)


Z_SIGN = Hypothesis("Z is positive", lt(0, z))
shrunk, root = _norm(x / z, y / z), _norm(x, y)


@theorem(
    "head.norm-scale",
    hypotheses=(Z_SIGN,),
    conclusion=eq(shrunk, root / z),
    attack=Attack(
        {"by the square": eq(shrunk, _norm(x, y) / z**2), "not divided": eq(shrunk, _norm(x, y))},
        at={"by the square": {z: 2, x: 1}, "not divided": {z: 2, x: 1}},
        without={Z_SIGN: {z: -1, x: 1, y: 0}},
    ),
)
def HEAD_NORM_SCALE(p: Proof) -> None:
    r"""A vector divided by a positive number

    $\|(x,y)/Z\|=\|(x,y)\|/Z$ for $Z>0$, in the plane.
    """

    def is_root(term: Term, inside: Term, why: str) -> Fact:
        squared = eq(kept(sp.Pow, term, 2), inside)
        return p.show(Both(le(0, term), squared), why)

    first = is_root(
        shrunk, (x / z) ** 2 + (y / z) ** 2, "The norm of the divided vector is a square root."
    )
    second = is_root(root, x**2 + y**2, "The norm of the vector is a square root.")
    p.apply(
        ORDER_ROOT.at(y=root / z),
        (first, second, Z_SIGN),
        why="Divided by Z, the second root has the square of the first, so both are equal.",
    )


# -- cosines -----------------------------------------------------------------------------


def cosine(one: Term, other: Term, third: Term, fourth: Term) -> Term:
    """The cosine of the angle between (one, other) and (third, fourth)."""
    return (one * third + other * fourth) / (_norm(one, other) * _norm(third, fourth))


W_SIGN = Hypothesis("Z' is positive", lt(0, w))
left, right = cosine(x / z, y / z, u / w, v / w), cosine(x, y, u, v)


@theorem(
    "head.cosine-scale",
    hypotheses=(Z_SIGN, W_SIGN),
    conclusion=eq(left, right),
    attack=Attack(
        {"the sign lost": eq(left, sp.Abs(right)), "divided": eq(left, right / z)},
        at={
            "the sign lost": {z: 1, w: 1, x: 1, u: -1, y: 0, v: 0},
            "divided": {z: 2, w: 1, x: 1, u: 1, y: 0, v: 0},
        },
        without={
            Z_SIGN: {z: -1, w: 1, x: 1, u: 1, y: 0, v: 0},
            W_SIGN: {z: 1, w: -1, x: 1, u: 1, y: 0, v: 0},
        },
    ),
)
def HEAD_COSINE_SCALE(p: Proof) -> None:
    r"""Cosine similarity forgets positive factors

    $\cos(v/Z,v'/Z')=\cos(v,v')$ for $Z,Z'>0$, in the plane.
    """
    product = x / z * (u / w) + y / z * (v / w)
    first = p.apply(
        HEAD_NORM_SCALE, Z_SIGN, why="The length of (x, y)/Z is the length of (x, y) divided by Z."
    )
    second = p.lemma(
        HEAD_NORM_SCALE.at(x=u, y=v, Z=w),
        W_SIGN,
        why="The length of (u, v)/Z' is the length of (u, v) divided by Z'.",
    )
    divided = product * (1 / (_norm(x, y) / z * (_norm(u, v) / w)))
    put_in = p.rewrite(eq(left, divided), "Put these two lengths into the cosine.", first, second)
    cancel = p.show(eq(divided, right), "The factors 1/Z and 1/Z' cancel.", Z_SIGN, W_SIGN)
    p.chain(put_in, cancel)


# -- the scores of a swap ----------------------------------------------------------------

own = sp.exp(a(i, i)), sp.exp(a(j, j))
swapped = sp.exp(a(j, i)), sp.exp(a(i, j))
rows, after = (own[0] / z, own[1] / z), (swapped[0] / w, swapped[1] / w)
ROW = Hypothesis("the row's normaliser is positive", lt(0, z))
SWAPPED = Hypothesis("the swapped row's normaliser is positive", lt(0, w))


one_swap = {z: 1, w: 1, a(0, 0): 1, a(1, 1): 0, a(0, 1): 2, a(1, 0): 0, i: 0, j: 1}


@theorem(
    "head.score-table",
    meanings={z: "normaliser of the row", w: shown_as("Z′", "Z'", "normaliser after the swap")},
    needs="PTX",
    hypotheses=(ROW, SWAPPED),
    conclusion=Both(
        eq(cosine(*after, *rows), cosine(*swapped, *own)),
        eq(cosine(*after, rows[1], rows[0]), cosine(*swapped, own[1], own[0])),
    ),
    attack=Attack(
        {
            "exchanged": eq(cosine(*after, *rows), cosine(*swapped, own[1], own[0])),
            "unswapped": eq(cosine(*after, *rows), 1),
        },
        at={"exchanged": one_swap, "unswapped": one_swap},
        without={ROW: {z: -1, w: 1}, SWAPPED: {z: 1, w: -1}},
    ),
)
def HEAD_SCORE_TABLE(p: Proof) -> None:
    r"""The scores' cosines are functions of the table alone

    After a swap of positions $i,j$ the weights there are $(e^{a_{ji}},e^{a_{ij}})/Z'$, before it
    $(e^{a_{ii}},e^{a_{jj}})/Z$. Cosine similarity forgets both normalisers: the two cosines of a
    swap, $\cos(v_{ij}(\pi x),v_{ij}(x))$ and $\cos(v_{ij}(\pi x),v_{ji}(x))$, are functions of the
    table $(a_{kp})$.
    """

    def forgotten(first: Term, second: Term, why: str) -> Fact:
        values = {"x": swapped[0], "y": swapped[1], "u": first, "v": second, "Z": w, "Z_swapped": z}
        return p.lemma(HEAD_COSINE_SCALE.at(**values), ROW, SWAPPED, why=why)

    positional = forgotten(
        *own, "Dividing by the normalisers does not change the positional cosine."
    )
    symbolic = forgotten(
        own[1], own[0], "Dividing by the normalisers does not change the symbolic cosine."
    )
    p.qed("So both cosines are functions of the table alone.", positional, symbolic)
