"""One nonzero product of two complex numbers determines its factors, up to one number for all."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.head.identified import forms
from ropeproof.theory.topics.head.identified.forms import g, h, multiplied, same_number

Number = Sequence[Term]
"""A complex number by its real and its imaginary part."""


def _number(name: str) -> Number:
    along, across = real(f"{name}_x {name}_y")
    return along, across


q, k, q_0, k_0 = map(_number, ("q", "k", "q_0", "k_0"))
other_q, other_k, other_q_0, other_k_0 = (
    real(f"{name}_x_other {name}_y_other") for name in ("q", "k", "q_0", "k_0")
)
MEANINGS: Meanings = {
    **forms.MEANINGS,
    k_0[0]: shown_as("k₀_x", "k_{0,x}", "a part of k₀"),
    other_k_0[0]: shown_as("k₀′_x", "k'_{0,x}", "a part of k₀′"),
    k_0[1]: shown_as("k₀_y", "k_{0,y}", "a part of k₀"),
    other_k_0[1]: shown_as("k₀′_y", "k'_{0,y}", "a part of k₀′"),
    k[0]: shown_as("k_x", "k_{x}", "a part of k"),
    other_k[0]: shown_as("k′_x", "k'_{x}", "a part of k′"),
    k[1]: shown_as("k_y", "k_{y}", "a part of k"),
    other_k[1]: shown_as("k′_y", "k'_{y}", "a part of k′"),
    q_0[0]: shown_as("q₀_x", "q_{0,x}", "a part of q₀"),
    other_q_0[0]: shown_as("q₀′_x", "q'_{0,x}", "a part of q₀′"),
    q_0[1]: shown_as("q₀_y", "q_{0,y}", "a part of q₀"),
    other_q_0[1]: shown_as("q₀′_y", "q'_{0,y}", "a part of q₀′"),
    q[0]: shown_as("q_x", "q_{x}", "a part of q"),
    other_q[0]: shown_as("q′_x", "q'_{x}", "a part of q′"),
    q[1]: shown_as("q_y", "q_{y}", "a part of q"),
    other_q[1]: shown_as("q′_y", "q'_{y}", "a part of q′"),
}


def by_conjugate(left: Number, right: Number) -> Number:
    """The product of a number and the conjugate of another."""
    return left[0] * right[0] + left[1] * right[1], left[1] * right[0] - left[0] * right[1]


def square(number: Number) -> Term | int:
    """The square of the modulus."""
    return number[0] ** 2 + number[1] ** 2


SAME = Hypothesis(
    "the two products are the same",
    same_number(by_conjugate(q_0, k_0), by_conjugate(other_q_0, other_k_0)),
)
NOT_ZERO = Hypothesis(
    "the product is not 0", Either(*(ne(part, 0) for part in by_conjugate(q_0, k_0)))
)


NAMED = Hypothesis(
    "c is the quotient of q_0' and q_0", same_number(other_q_0, multiplied(q_0, (g, h)))
)
_size = g**2 + h**2


def _conclusion(query_factor: Number, key_factor: Number) -> Any:
    query = If(
        same_number(by_conjugate(q, k_0), by_conjugate(other_q, other_k_0)),
        same_number(other_q, multiplied(q, query_factor)),
    )
    key = If(
        same_number(by_conjugate(q_0, k), by_conjugate(other_q_0, other_k)),
        same_number(other_k, multiplied(k, key_factor)),
    )
    return Both(lt(0, _size), query, key)


def _cancelled(
    scope: Scope, first: Number, second: Number, by: Number, parts: list[Fact], size: Fact
) -> Fact:
    """Two numbers are equal if their products with one that is not 0 are, given part by part."""
    turned = [
        part.times(of, "Multiply this part by a part of the common factor.")
        for part in parts
        for of in by
    ]
    scaled = [
        scope.show(
            eq(square(by) * one, square(by) * other),
            "So this part of both is the same, times the square of the modulus.",
            turned,
        )
        for one, other in zip(first, second, strict=True)
    ]
    return scope.show(
        same_number(first, second), "Divide by this square, which is not 0.", scaled, size
    )


def _key_factor(p: Proof, sizes: Fact) -> Fact:
    """k_0 is k_0' times the conjugate of c."""
    put = p.rewrite(
        same_number(by_conjugate(q_0, k_0), by_conjugate(multiplied(q_0, (g, h)), other_k_0)),
        "The two products are the same. Put c q_0 for q_0'.",
        (
            *p.use(NAMED, why="By hypothesis q_0' is c q_0.").parts("This is one part of q_0'."),
            SAME,
        ),
    )
    return _cancelled(
        p, k_0, multiplied(other_k_0, (g, -h)), q_0, put.parts("This is one part."), sizes
    )


def _query(p: Proof, near: Fact, sizes: Fact) -> Fact:
    """q' = c q if the products with the conjugates of k_0 and k_0' are the same."""
    both = p.given(
        same_number(by_conjugate(q, k_0), by_conjugate(other_q, other_k_0)),
        "Let q and q' be numbers with the same products.",
    )
    back = multiplied(other_k_0, (g, -h))
    put = both.scope.rewrite(
        same_number(by_conjugate(other_q, other_k_0), by_conjugate(q, back)),
        "Read the products from the right. Put k_0' times the conjugate of c for k_0.",
        (*near.parts("This is one part of k_0."), both),
    )
    conjugate = (other_k_0[0], other_k_0[1])
    return _cancelled(
        both.scope, other_q, multiplied(q, (g, h)), conjugate, put.parts("This is one part."), sizes
    )


def _key(p: Proof, positive: Fact, sizes: Fact) -> Fact:
    """k' = k / conj(c) if q_0 and q_0' have the same products with the conjugates of k and k'."""
    both = p.given(
        same_number(by_conjugate(q_0, k), by_conjugate(other_q_0, other_k)),
        "Let k and k' be numbers with the same products.",
    )
    put = both.scope.rewrite(
        same_number(by_conjugate(q_0, k), by_conjugate(multiplied(q_0, (g, h)), other_k)),
        "Put c q_0 for q_0'.",
        *p.use(NAMED, why="By hypothesis q_0' is c q_0.").parts("This is one part of q_0'."),
        both,
    )
    back = multiplied(other_k, (g, -h))
    near = _cancelled(both.scope, k, back, q_0, put.parts("This is one part."), sizes)
    return both.scope.show(
        same_number(other_k, multiplied(k, (g / _size, h / _size))),
        "So k' is k divided by the conjugate of c.",
        near,
        positive,
    )


_zero: Values = dict.fromkeys(
    (*q_0, *k_0, *other_q_0, *other_k_0, *q, *k, *other_q, *other_k, g, h), 0
)
_turned: Values = {
    **_zero, q_0[0]: 1, k_0[0]: 1, other_q_0[1]: 1, other_k_0[1]: 1, h: 1,
    q[0]: 1, other_q[1]: 1, k[0]: 1, other_k[1]: 1,
}  # fmt: skip
"""All is multiplied by i."""
_doubled: Values = {
    **_zero, q_0[0]: 1, k_0[0]: 1, other_q_0[0]: 2, other_k_0[0]: sp.Rational(1, 2), g: 2,
    q[0]: 1, other_q[0]: 2, k[0]: 1, other_k[0]: sp.Rational(1, 2),
}  # fmt: skip
"""Queries are doubled and keys halved."""


@theorem(
    "head.one-factor",
    hypotheses=(SAME, NOT_ZERO, NAMED),
    conclusion=_conclusion((g, h), (g / _size, h / _size)),
    example=where(_turned),
    attack=Attack(
        {
            "the key by the factor itself": _conclusion((g, h), (g, h)),
            "the key by the inverse": _conclusion((g, h), (g / _size, -h / _size)),
        },
        at={"the key by the factor itself": _doubled, "the key by the inverse": _turned},
        without={SAME: {**_doubled, other_k_0[0]: 1}, NOT_ZERO: _zero, NAMED: {**_doubled, g: 1}},
    ),
)
def HEAD_ONE_FACTOR(p: Proof) -> None:
    r"""One product that is not 0 determines its factors up to one complex number

    Complex numbers with $q_0\overline{k_0}=q_0'\overline{k_0'}\ne0$, and $c=q_0'/q_0$. Then
    $c\ne0$; if $q\,\overline{k_0}=q'\,\overline{k_0'}$, then $q'=cq$; and if $q_0\overline
    k=q_0'\overline{k'}$, then $k'=k/\overline c$.
    """
    sizes = p.show(
        Both(lt(0, square(q_0)), lt(0, square(other_k_0)), lt(0, square(other_q_0))),
        "As the product is not 0, no factor is 0. So the squares of the moduli are positive.",
        (SAME, NOT_ZERO),
    )
    positive = p.show(
        lt(0, _size),
        "The modulus of q_0' is that of c times that of q_0. So c is not 0.",
        (NAMED, sizes),
    )
    near = _key_factor(p, sizes)
    p.qed(
        "These are the three parts of the claim.",
        positive,
        _query(p, near, sizes),
        _key(p, positive, sizes),
    )
