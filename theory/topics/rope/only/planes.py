"""The powers of one orthogonal matrix in its normal form: RoPE, planes that stay, and changes of sign."""

from ropeproof.theory.language import *
from ropeproof.theory.language import substitution
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.topics.rope.only import only, two_sided
from ropeproof.theory.topics.rope.only import two_sided_planes as general
from ropeproof.theory.topics.rope.only.only import encoding
from ropeproof.theory.topics.rope.only.two_sided import a, b, c, dimension, i, j, p
from ropeproof.theory.topics.rope.only.two_sided_planes import (
    ROPE_ONLY_TWO_SIDED_PLANES,
    basis,
    factor,
    h,
)

MEANINGS: Meanings = {
    **only.MEANINGS,
    **general.MEANINGS,
    basis: "entries of the orthonormal basis",
    general.k: "a coordinate of the basis",
}

_whole = Both(
    *(h_.formula for h_ in ROPE_ONLY_TWO_SIDED_PLANES.hypotheses),
    ROPE_ONLY_TWO_SIDED_PLANES.conclusion,
)
VALUES: Substitution = {
    **only.BOTH,
    general.dual: sp.Lambda((general.k, b), basis(b, general.k)),
    general.rate: sp.Lambda(l, 0),
}
"""One encoding, an orthonormal basis, and no rates."""


def orthonormal(formula: Formula) -> Any:
    """A formula of the two-sided claim for one encoding and an orthonormal basis."""
    return substitution.substitute(formula, substitution.as_values(VALUES, _whole))


@named("x_{}[{}]", r"x_{{}}[{}]", "coordinate of the fixed map of queries and keys", general.k, b)
def fixed(place: Term, of: Term) -> Term:
    """The coordinate of R_0 e_of in the basis: (V^T R_0)."""
    return two_sided.over(a, encoding(0, a, of) * basis(a, place))


ORTHONORMAL = Hypothesis("the basis is orthonormal", orthonormal(general.INVERSE.formula))
TURNS = Hypothesis("U_1 turns the planes by their angles", orthonormal(general.TURNS.formula))
LONE = Hypothesis(general.LONE.name, orthonormal(general.LONE.formula))
_alone = within(h, 2 * m, dimension - 1)
SIGNS = Hypothesis(
    "each factor is 1, or 1 and -1 in turn",
    Every(
        (p, h),
        If(
            _alone,
            Both(
                eq(factor(0, h), 1),
                Either(eq(factor(1, h), 1), eq(factor(1, h), -1)),
                eq(factor(p + 1, h), factor(p, h) * factor(1, h)),
            ),
        ),
    ),
)


def part(at: Term, plane: Term, first: Term, second: Term) -> Term:
    """What RoPE on a plane contributes at a lag to the logit of two unit vectors."""
    x, y = fixed(plane, first), fixed(plane + m, first)
    z, w = fixed(plane, second), fixed(plane + m, second)
    angle = at * theta(plane)
    return sp.cos(angle) * (x * z + y * w) + sp.sin(angle) * (y * z - x * w)


def logit(at: Term, plane: Callable[..., Term] = part, power: Callable[..., Term] = factor) -> Term:
    """The logit of the unit vectors b and c at a lag."""
    lone = power(at, h) * fixed(h, b) * fixed(h, c)
    return sp.Sum(plane(at, l, b, c), (l, 0, m - 1)) + sp.Sum(lone, (h, 2 * m, dimension - 1))


def logits(value: Term) -> Formula:
    """The logits of all unit vectors are these."""
    return Every(
        (i, j, b, c),
        If(
            two_sided.entries(b, c),
            eq(
                two_sided.over(
                    two_sided.v, encoding(i, two_sided.v, b) * encoding(j, two_sided.v, c)
                ),
                value,
            ),
        ),
    )


def _line(encoded: Term | int, **values: Term | int) -> tuple[Formula, ...]:
    """One coordinate, whose map depends on the position."""
    given: dict[str, Term | int] = {"S": 1, "V": 1, "m": 0, "lambda": 1, **values}
    return (
        eq(dimension, 1),
        eq(m, given["m"]),
        Every((p, a, b), eq(encoding(p, a, b), encoded)),
        Every((a, b), eq(only.undo(a, b), given["S"])),
        Every((a, b), eq(basis(a, b), given["V"])),
        Every((a,), eq(theta(a), 0)),
        Every((p, a), eq(factor(p, a), given["lambda"])),
    )


_sign = sp.Piecewise((1, eq(2 * sp.floor(p / 2), p)), (-1, True))  # (-1)^p
_unit = sp.Piecewise((0, ne(a, b)), (1, True))
_plane = (
    eq(dimension, 2),
    eq(m, 1),
    Every((p, a, b), eq(encoding(p, a, b), general.quarter(a, b, p))),
    *(Every((a, b), eq(of(a, b), _unit)) for of in (only.undo, basis)),
    Every((a,), eq(theta(a), sp.pi / 2)),
    Every((p, a), eq(factor(p, a), 1)),
)
"""RoPE with a quarter turn."""
_both = (
    eq(dimension, 3),
    eq(m, 1),
    Every(
        (p, a, b), eq(encoding(p, a, b), sp.Piecewise((0, ne(a, b)), (_sign, eq(a, 2)), (1, True)))
    ),
    *(Every((a, b), eq(of(a, b), _unit)) for of in (only.undo, basis)),
    Every((a,), eq(theta(a), 0)),
    Every((p, a), eq(factor(p, a), _sign)),
)
"""A plane that stays, and a coordinate that changes its sign at every position."""


def _turned_back(at: Term, plane: Term, first: Term, second: Term) -> Term:
    return part(-at, plane, first, second)


@theorem(
    "rope.only-planes",
    example=_both,
    hypotheses=(only.RELATIVE, only.INVERSE, general.PLANES, ORTHONORMAL, TURNS, LONE, SIGNS),
    conclusion=logits(logit(j - i)),
    attack=Attack(
        {
            "turned the other way": logits(logit(j - i, plane=_turned_back)),
            "lone coordinates stay": logits(logit(j - i, power=lambda at, place: sp.Integer(1))),
            "RoPE alone": logits(logit(j - i, power=lambda at, place: sp.Integer(0))),
        },
        at={
            "turned the other way": _plane,
            "lone coordinates stay": _line(_sign, **{"lambda": _sign}),
            "RoPE alone": _line(1),
        },
        without={
            only.RELATIVE: _line(1 + p * (p - 1)),
            only.INVERSE: _line(1, S=-1, **{"lambda": _sign}),
            general.PLANES: _line(1, m=1),
            ORTHONORMAL: _line(1, V=2),
            TURNS: (*_plane[:-2], Every((a,), eq(theta(a), 0)), _plane[-1]),
            LONE: _line(1, **{"lambda": _sign}),
            SIGNS: _line(1, **{"lambda": 1 + p * (p - 1)}),
        },
    ),
)
def ROPE_ONLY_PLANES(p_: Proof) -> None:
    r"""What is left of one linear map: RoPE with some angles, coordinates that stay, changes of sign

    Matrices $R_p$ whose logits see the lag only, as in `rope.only`; their orthogonal matrix
    $U_1=R_1R_0^{-1}$ in a real normal form: an orthonormal basis $V$ in which $U_1$ turns the
    planes of the coordinates $l$ and $l+m$ by $\theta_l$, $l<m$, and multiplies each coordinate
    $2m\le h<d$ by $\lambda_h=\pm1$. Then the logit of all $q,k$ at lag $t=j-i$ is that of RoPE with
    the angles $\theta_l$, of the vectors $V^\top R_0q$ and $V^\top R_0k$, plus
    $\sum_h\lambda_h^tx_hy_h$: coordinates without rotation, and coordinates that change their sign
    at every position.
    """
    lone = p_.under(_alone)
    signs = lone.use(SIGNS, why="By hypothesis each factor is 1, or 1 and -1 in turn.")
    powers = lone.show(
        Both(eq(factor(0, h), 1), eq(factor(p + 1, h), factor(p, h) * factor(1, h))),
        "So the factors are the powers of the first one.",
        signs,
    ).for_all(p, h, why="So it is at every exponent.")
    whole = p_.lemma(
        ROPE_ONLY_TWO_SIDED_PLANES.at(**by_name(VALUES)),
        (only.RELATIVE, only.INVERSE, general.PLANES, ORTHONORMAL, TURNS, LONE, powers),
        why="Take the two-sided claim with one encoding, an orthonormal basis and no rates.",
    )
    known = whole.parts("This is one part of the two-sided claim.")[-1]
    place = p_.under(two_sided.entries(b, c))
    here = place.use(known, why="So the logits have this form at these positions.")
    same = p_.show(
        eq(here.formula.rhs, logit(j - i)),
        "Plane by plane this is the logit of RoPE and the lone part.",
    )
    logit_ = place.chain(here, same, why="So they are those of RoPE and the rest.")
    logit_.for_all(i, j, b, c, why="It is so at all positions and in every entry.")
