"""One plane of a logit: how large it is, and how far it moves when its angle does."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes, s
from ropeproof.theory.library.order import ORDER_PRODUCT_SIGN, products
from ropeproof.theory.library.trigonometry.cosine import TRIG_PROJECTION
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_BELOW_IDENTITY
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER

a, c, size, phi, psi = real("a c R phi psi")
x, y, z, p, q, factor = real("x y z p q t")
term, bound = real_function("f"), real_function("g")
MEANINGS: Meanings = {
    **NOTATION,
    a: "real part of z",
    c: "imaginary part of z",
    size: "size of z",
    phi: "an angle",
    psi: "another angle",
    term: "terms, by plane",
    bound: "bounds of the terms",
}


def part(angle: Term, aligned: Term = a, crossed: Term = c) -> Term:
    """Re (a - i c) e^{i angle}: what a plane adds to the logit, per unit scale."""
    return aligned * sp.cos(angle) - crossed * sp.sin(angle)


# -- for the proofs of other claims ------------------------------------------------------


def not_negative(scope: Scope, one: Term, other: Term, *premises: Premise, why: str) -> Fact:
    """`0 <= one other`, with premises for the same of each."""
    return scope.lemma(ORDER_PRODUCT_SIGN.at(x=one, y=other), *premises, why=why)


def sum_size(small: Fact, why: str) -> Fact:
    """From `|f_l| <= g_l` in a plane l: `|sum of s f_l| <= sum of s g_l`."""
    size_, bound_ = small.formula.args
    every_plane = small.for_all(l, why="The plane was arbitrary, so this holds in every plane.")
    values = {"f": sp.Lambda(l, size_.args[0]), "g": sp.Lambda(l, bound_)}
    return every_plane.scope.lemma(POSGEN_SUM_SIZE.at(**values), SCALE, every_plane, why=why)


def plane_moves(
    scope: Scope,
    vector: tuple[Term, Term, Term],
    angles: tuple[Term, Term | int],
    *premises: Premise,
    why: str,
) -> Fact:
    """`posgen.plane` for a vector (a, c, R) and two angles, with premises for R being its size."""
    values = dict(zip((a, c, size, phi, psi), (*vector, *angles), strict=True))
    return scope.lemma(POSGEN_PLANE.at(**by_name(values)), *premises, why=why)


# -- the size of a sum over planes -------------------------------------------------------

SCALE = Hypothesis("the scale is not negative", le(0, s))
TERMS = Hypothesis("terms are bounded", every(l, 0, m - 1, le(sp.Abs(term(l)), bound(l))))
_scaled, _bounds = over_planes(s * term(l)), over_planes(s * bound(l))


@theorem(
    "posgen.sum-size",
    hypotheses=(SCALE, TERMS),
    conclusion=le(sp.Abs(_scaled), _bounds),
    attack=Attack(
        {"half": le(2 * sp.Abs(_scaled), _bounds), "equality": eq(sp.Abs(_scaled), _bounds)},
        at={
            "half": {m: 1, s: 1, term(0): 1, bound(0): 1},
            "equality": {m: 1, s: 1, term(0): 0, bound(0): 1},
        },
        without={
            SCALE: {m: 1, s: -1, term(0): 1, bound(0): 1},
            TERMS: {m: 1, s: 1, term(0): 2, bound(0): 1},
        },
    ),
)
def POSGEN_SUM_SIZE(proof: Proof) -> None:
    r"""A scaled sum is at most the scaled sum of its terms' bounds

    $\big|\sum_lsf_l\big|\le\sum_lsg_l$ for $s\ge0$ and $|f_l|\le g_l$.
    """
    plane = proof.under(within(l, 0, m - 1))
    bounded = plane.use(TERMS, why="The size of the term f(l) is at most g(l), by hypothesis.")
    above = plane.show(
        le(s * term(l), s * bound(l)),
        "Multiply the upper bound by the scale, which is not negative.",
        (bounded, SCALE),
    )
    below = plane.show(
        le(-(s * bound(l)), s * term(l)),
        "Multiply the lower bound by the scale, which is not negative.",
        (bounded, SCALE),
    )
    upper = above.summed(l, 0, m - 1, "Sum the upper bound over all planes.")
    lower = below.summed(l, 0, m - 1, "Sum the lower bound over all planes.")
    proof.qed("So the size of the sum is at most the sum of the bounds.", upper, lower)


# -- a plane -----------------------------------------------------------------------------

IS_SIZE = Hypothesis("R is its size", eq(size**2, a**2 + c**2))
NOT_NEGATIVE = Hypothesis("R is not negative", le(0, size))
gap, moved = phi - psi, part(phi) - part(psi)
small, slow = le(sp.Abs(part(phi)), size), le(sp.Abs(moved), size * sp.Abs(gap))
twice = le(sp.Abs(moved), 2 * size)


def _projected(proof: Proof, first: Term, second: Term, angle: Term, why: str) -> Fact:
    """A projection of the plane's vector, written as (first, second), is at most R in size."""
    value = first * sp.cos(angle) + second * sp.sin(angle)
    shorter = proof.lemma(TRIG_PROJECTION.at(p_x=first, p_y=second, psi_0=angle), why=why)
    known, why = (
        (shorter, IS_SIZE, NOT_NEGATIVE),
        "As the vector has the length R, the size of the projection is at most R.",
    )
    return proof.apply(SLASH_SIZE_ORDER.at(z=value), known, why=why)


unit = {a: 1, c: 0, psi: 0}


@theorem(
    "posgen.plane",
    hypotheses=(IS_SIZE, NOT_NEGATIVE),
    conclusion=Both(small, twice, slow),
    attack=Attack(
        {"half": le(2 * sp.Abs(moved), size * sp.Abs(gap)), "at most R": le(sp.Abs(moved), size)},
        at={
            "half": {a: 0, c: 1, size: 1, psi: 0, phi: sp.Rational(1, 2)},
            "at most R": {**unit, size: 1, phi: 3},
        },
        without={IS_SIZE: {**unit, size: 0, phi: 3}, NOT_NEGATIVE: {**unit, size: -1, phi: 3}},
    ),
)
def POSGEN_PLANE(proof: Proof) -> None:
    r"""One plane of a logit moves by at most its size times the angle

    For $z=a+\mathrm ic$, $|z|=R$: $|\mathrm{Re}\,ze^{\mathrm i\phi}|\le R$ and
    $|\mathrm{Re}\,z(e^{\mathrm i\phi}-e^{\mathrm i\psi})|\le R\min\{2,|\phi-\psi|\}$.
    """
    half, middle = gap / 2, (phi + psi) / 2
    sine, turned = sp.sin(half), c * sp.cos(middle) + a * sp.sin(middle)
    at_phi = _projected(
        proof, a, -c, phi, "A projection of the plane's vector is no longer than the vector."
    )
    at_psi = _projected(
        proof, a, -c, psi, "At the other angle the projection is no longer than the vector either."
    )
    both = proof.show(twice, "So the two values differ by at most 2 R.", at_phi, at_psi)
    projected = _projected(
        proof, c, a, middle, "The projection at the mean angle is no longer than the vector."
    )
    below = "The sine of half the difference is at most that angle, if it is not negative."
    forward = proof.under(le(0, gap)).lemma(TRIG_SINE_BELOW_IDENTITY.at(x=half), why=below)
    below = "The sine of half the difference is at most minus that angle, if it is not positive."
    backward = proof.under(le(gap, 0)).lemma(TRIG_SINE_BELOW_IDENTITY.at(x=-half), why=below)
    small_sine = proof.show(
        le(sp.Abs(2 * sine), sp.Abs(gap)),
        "So twice the size of this sine is at most the size of the difference.",
        (forward, backward),
    )
    bounds = products(
        proof,
        small_sine,
        projected,
        why="So the product of the two sizes is at most R times the difference.",
    )
    of_product = proof.under(eq(z, -x * y), le(sp.Abs(x) * sp.Abs(y), p)).show(
        le(sp.Abs(z), p), "The size of a product is the product of the sizes."
    )
    values = {z: moved, x: 2 * sine, y: turned, p: sp.Abs(gap) * size}
    bounded = proof.use(
        of_product,
        values,
        bounds,
        why="The difference of the two values is a product of a projection and a sine. So the "
        "difference of the two values is at most R times that of the angles.",
    )
    proof.qed("The bounds together are the claim.", at_phi, both, bounded)
