"""Two heads with the same forms differ by one complex number in each plane whose form is not 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.topics.head.identified import factor
from ropeproof.theory.topics.head.identified.conclusion import nonzero, plane_
from ropeproof.theory.topics.head.identified.factor import HEAD_ONE_FACTOR
from ropeproof.theory.topics.head.identified.forms import (
    HEAD,
    OTHER,
    a,
    by_one_factor,
    g,
    h,
    images,
    multiplied,
    same_number,
    x,
    x_0,
    y,
    y_0,
)


def _quotient(p: Proof) -> Fact:
    """Of two complex numbers, the second not 0, there is a quotient."""
    (q_x, q_y), (other_x, other_y) = factor.q_0, factor.other_q_0
    size = q_x**2 + q_y**2
    return (
        p.under(lt(0, size))
        .witness(
            Some((g, h), same_number(factor.other_q_0, multiplied(factor.q_0, (g, h)))),
            {g: (other_x * q_x + other_y * q_y) / size, h: (other_y * q_x - other_x * q_y) / size},
            why="The quotient of two complex numbers exists if the second is not 0.",
        )
        .for_all(*factor.q_0, *factor.other_q_0, why="It is so for all such numbers.")
    )


def _not_zero(p: Proof) -> Fact:
    """A factor of a product that is not 0 is not 0."""
    (q_x, q_y), (k_x, k_y) = factor.q_0, factor.k_0
    product = Either(ne(q_x * k_x + q_y * k_y, 0), ne(q_y * k_x - q_x * k_y, 0))
    return (
        p.under(product)
        .show(lt(0, q_x**2 + q_y**2), "A factor of a product that is not 0 is not 0.")
        .for_all(*factor.q_0, *factor.k_0, why="It is so for all such numbers.")
    )


def one_number(p: Proof, known: Fact) -> Fact:
    """Where the form of a plane is not 0 the two heads differ by one number there."""
    here = p.under(plane_, nonzero(l, x_0, y_0))
    query, key = images(HEAD[:2], x_0), images(HEAD[2:], y_0)
    other_query, other_key = images(OTHER[:2], x_0), images(OTHER[2:], y_0)
    at = {
        **dict(zip(factor.q_0, query, strict=True)),
        **dict(zip(factor.k_0, key, strict=True)),
        **dict(zip(factor.other_q_0, other_query, strict=True)),
        **dict(zip(factor.other_k_0, other_key, strict=True)),
    }
    exist = here.use(
        _quotient(p),
        {of: at[of] for of in (*factor.q_0, *factor.other_q_0)},
        _not_zero(p),
        why="Let the form of the plane be other than 0 there. So the query's number is not 0. So "
        "the quotient c of the two queries' numbers exists.",
    )
    chosen = exist.body()
    same = [
        here.use(known, {x: first, y: second}, why="The two forms agree at these token vectors.")
        for first, second in ((x_0, y_0), (x, y_0), (x_0, y))
    ]
    tokens = {
        **by_name(dict(zip(factor.q, images(HEAD[:2], x), strict=True))),
        **by_name(dict(zip(factor.k, images(HEAD[2:], y), strict=True))),
        **by_name(dict(zip(factor.other_q, images(OTHER[:2], x), strict=True))),
        **by_name(dict(zip(factor.other_k, images(OTHER[2:], y), strict=True))),
    }
    parts = chosen.lemma(
        HEAD_ONE_FACTOR.at(**by_name(at), **tokens, c_x=g, c_y=h),
        same[0],
        why="Let c be this quotient. So this number takes all factors of such products to the "
        "other head's.",
    ).parts("This is one part of that lemma.")
    body = by_one_factor().args[1]
    both = chosen.show(
        body.args[1].args[1],
        "So it takes this query and this key to the other head's.",
        parts[1:],
        same,
    ).for_all(x(a), y(a), why="It is so for all token vectors.")
    found = chosen.witness(
        by_one_factor(), {g: g, h: h}, parts[0], both, why="So c is the number of this plane."
    )
    return here.choose(
        exist, found, "There is such a number, and the conclusion does not depend on it."
    )
