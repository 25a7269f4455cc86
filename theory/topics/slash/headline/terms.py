"""The head of the headline theorem: matrices, tokens on a cone, logits, the mean head.

The token at position z of prompt P is the embedding a(P, z) (u + xi(P, z)): u is the cone's axis, a
unit vector of the D-dimensional input, a(P, z) > 0 the token's size, xi(P, z) its scatter across
u. The matrices W_q, W_k have 2m rows; plane l has the rows l and l + m, and frequency theta_l.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language import substitution
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope import fourier, rotation
from ropeproof.theory.topics.slash import corpus, lags
from ropeproof.theory.topics.slash.cone import axis, inequalities
from ropeproof.theory.topics.slash.cone.axis import c, over_inputs
from ropeproof.theory.topics.slash.cone.near_axis import test
from ropeproof.theory.topics.slash.corpus import prompt
from ropeproof.theory.topics.slash.distribution.ood import odds as odds_of
from ropeproof.theory.topics.slash.emergence import contest
from ropeproof.theory.topics.slash.headline import band_spaced
from ropeproof.theory.topics.slash.headline.band_uniform import RIVAL
from ropeproof.theory.topics.slash.headline.cone_planes import over_rows
from ropeproof.theory.topics.slash.learned import band_dominance
from ropeproof.theory.topics.slash.spaced import ladder

place, other, coordinate = integer("z P_other d")
token_size, scatter = real_function("a_token"), real_function("xi")
w_q, w_k = real_function("W_q"), real_function("W_k")
sigma_q, sigma_k, rho_q, rho_k = real("sigma_q sigma_k rho_q rho_k")
MEANINGS: Meanings = {
    **axis.MEANINGS,
    **corpus.MEANINGS,
    i: "a row",
    j: "a lag",
    theta: "frequencies",
    test: vector_in(axis.dimension, "any vector"),
    place: "a position",
    other: shown_as("P′", "P'", "another prompt"),
    coordinate: "a coordinate",
    w_q: vector_in(axis.dimension, "query and key matrix, 2m × D", "W_Q", "W_Q", matrix=True),
    w_k: vector_in(axis.dimension, "query and key matrix, 2m × D", "W_K", "W_K", matrix=True),
    sigma_q: shown_as("σ_Q", r"\sigma_Q", "lengths of the images of u"),
    sigma_k: shown_as("σ_K", r"\sigma_K", "lengths of the images of u"),
    rho_q: shown_as("ρ_Q", r"\rho_Q", "leak of the matrices across u"),
    rho_k: shown_as("ρ_K", r"\rho_K", "leak of the matrices across u"),
}
SIDES = ((w_q, sigma_q, rho_q), (w_k, sigma_k, rho_k))
Matrix = Function

FIRST, SECOND = ((of(l), of(l + m)) for of in (real_function("a"), real_function("b")))
"""Vectors by their coordinates: plane l has l and l + m."""


@named(
    "⟨R_{} {}, R_{} {}⟩", r"\langle R_{{}}\,{},R_{{}}\,{}\rangle",
    "inner product of turned vectors",
    integer("i"), FIRST, integer("j"), SECOND, once=True,
)  # fmt: skip
def turned_product(first_place: Any, first: Any, second_place: Any, second: Any) -> Any:
    """<R_i a, R_j b> of two vectors, each given in plane l."""
    (a_x, a_y), (b_x, b_y) = first, second
    a = rotation.rotated(a_x, a_y, theta(l) * first_place)
    return over_planes(rotation.inner(a, rotation.rotated(b_x, b_y, theta(l) * second_place)))


# -- the head on a prompt ----------------------------------------------------------------


def seen(of: Matrix, position: Term, row: Term, which: Term = prompt) -> Term:
    """A coordinate of the query or key of the token a (u + xi) at a position of a prompt."""
    embedding = token_size(which, position) * (axis.cone(c) + scatter(which, position, c))
    return over_inputs(of(row, c) * embedding)


def mean(of: Matrix, row: Term) -> Term | int:
    """The same of the mean token, a u."""
    return inequalities.size * over_inputs(of(row, c) * axis.cone(c))


def in_planes(of: Matrix, position: Term, which: Term = prompt) -> tuple[Term, Term]:
    """A query or key in plane l."""
    return seen(of, position, l, which), seen(of, position, l + m, which)


def mean_in_planes(of: Matrix) -> tuple[Any, Any]:
    """The mean query or key in plane l."""
    return mean(of, l), mean(of, l + m)


@named("w_i({}; {})", "w_i({};{})", "logit of row i at a lag", integer("t"), prompt)
def own(lag: Term, which: Term = prompt) -> Term:
    """The logit of row i at a lag, by the definition of RoPE: s <R_i q_i, R_{i-t} k_{i-t}>."""
    q = rotation.rotated(*in_planes(w_q, i, which), theta(l) * i)
    k = rotation.rotated(*in_planes(w_k, i - lag, which), theta(l) * (i - lag))
    return s * over_planes(rotation.inner(q, k))


@named("odds_i({})", r"\mathrm{odds}_i({})", "odds of the target", prompt)
def own_odds(which: Any = prompt) -> Any:
    """The odds of S_{i,i-Delta} on a prompt."""
    return odds_of(lambda lag: own(lag, which))


# -- its mean head, in amplitudes and phases ---------------------------------------------


def length_in_plane(of: Matrix) -> Term:
    """|q_l| of the mean."""
    x, y = mean_in_planes(of)
    return sp.sqrt(x**2 + y**2)


size_in_plane = s * length_in_plane(w_q) * length_in_plane(w_k)
named("A_{}", "A_{{}}", "amplitudes of the mean head's planes", l)(
    lambda plane: size_in_plane.xreplace({l: plane})
)
lead = theta(l) * lags.offset + fourier.a(l) - fourier.b(l)
BAND: Substitution = {
    amplitude: sp.Lambda(l, size_in_plane),
    phase: sp.Lambda(l, lead),
    band_dominance.target: lags.offset,
    t: j,
}


def polar(of: Matrix, radius: Function, angle: Function) -> Formula:
    """The mean query or key in polar form."""
    x, y = mean_in_planes(of)
    parts = (
        le(0, radius(l)),
        eq(x, radius(l) * sp.cos(angle(l))),
        eq(y, radius(l) * sp.sin(angle(l))),
    )
    return every(l, 0, m - 1, Both(*parts))


def taking(term: Any, values: Any) -> Any:
    """The term with values for its symbols."""
    return substitution.substitute(term, substitution.as_values(values, term))


gain = taking(
    over_planes((1 - band_dominance.slow(l)) * band_dominance.gained)
    - over_planes(band_dominance.slow(l) * band_dominance.lost),
    BAND,
)
named("G({})", "G({})", "lead over another lag by the planes outside the band", j)(
    lambda lag: gain.xreplace({j: lag})
)
POLAR_FORM: Substitution = {name: BAND[name] for name in (amplitude, phase)}

# -- hypotheses --------------------------------------------------------------------------


def radius(leak: Term) -> Term:
    """How far a query or key lies from the mean, relatively."""
    return inequalities.zeta + (1 + inequalities.zeta) * (leak * axis.slope)


eta = (
    s
    * (inequalities.size * sigma_q)
    * (inequalities.size * sigma_k)
    * (radius(rho_q) + radius(rho_k) + radius(rho_q) * radius(rho_k))
)


named("η", r"\eta", "distance of a logit from the mean head's", once=True)(lambda: eta)


def of_every_token(formula: Formula) -> Formula:
    """The formula for every position of every prompt."""
    inside = Both(*corpus.IN_PROMPT, le(1, place), le(place, corpus.length))
    return Every((prompt, place), If(inside, formula))


def _image(of: Matrix, long: Term, _: Term) -> Formula:
    return Both(eq(over_rows(over_inputs(of(l, c) * axis.cone(c)) ** 2), long**2), lt(0, long))


def _leak(of: Matrix, long: Term, leak: Term) -> Formula:
    overlap = over_inputs(axis.cone(coordinate) * test(coordinate), coordinate)
    image = over_rows(over_inputs(of(l, c) * (test(c) - axis.cone(c) * overlap)) ** 2)
    return Every((test(c),), le(image, (leak * long) ** 2 * over_inputs(test(c) ** 2)))


ORTHOGONAL = Hypothesis(
    "scatter is orthogonal to u",
    of_every_token(eq(over_inputs(axis.cone(c) * scatter(prompt, place, c)), 0)),
)
WIDTH = Hypothesis(
    "tokens lie on the cone",
    of_every_token(le(over_inputs(scatter(prompt, place, c) ** 2), axis.slope**2)),
)
SIZES = Hypothesis(
    "tokens are about equally long",
    of_every_token(
        Both(
            lt(0, token_size(prompt, place)),
            le(sp.Abs(token_size(prompt, place) / inequalities.size - 1), inequalities.zeta),
        )
    ),
)
MEAN_SIZE = Hypothesis("their mean size is positive", lt(0, inequalities.size))
IMAGES = Hypothesis("the images of u", Both(*(_image(*side) for side in SIDES)))
LEAKS = Hypothesis("the matrices leak little across u", Both(*(_leak(*side) for side in SIDES)))
LEAKS_POSITIVE = Hypothesis("the leaks are not negative", Both(le(0, rho_q), le(0, rho_k)))
NARROW = Hypothesis(
    "the head sees little of the cone's width",
    Both(le(rho_q * axis.slope, 1), le(rho_k * axis.slope, 1)),
)
POLAR = Hypothesis(
    "alpha, beta are the arguments of the mean query and key",
    Both(polar(w_q, fourier.r_q, fourier.a), polar(w_k, fourier.r_k, fourier.b)),
)
WEIGHTS = Hypothesis(
    "the weights are the head's", corpus.in_every_row(eq(corpus.slash(prompt, i), lags.weight(own)))
)
ENOUGH = Hypothesis(
    "the margin is large enough", le(2 * eta + sp.log(contest.odds), contest.margin)
)


# -- which frequencies are enough ---------------------------------------------------------

DOMINATES = Every((j,), If(RIVAL, le(contest.margin, gain)))
"""The planes outside the band dominate it: at every other lag they leave the margin."""
SHARES = (
    ladder.PLANES,
    ladder.CHOSEN,
    band_spaced.OUTSIDE,
    ladder.FLOOR,
    ladder.TREBLE,
    ladder.UNIT,
    ladder.RATIOS,
    band_spaced.WINDOW,
)


def spaced_planes(*dropped: Hypothesis) -> Formula:
    """A few spaced planes have some amplitude each, and that is margin enough; less some of it."""
    return Both(
        *(taking(known.formula, POLAR_FORM) for known in SHARES if known not in dropped),
        le(
            contest.margin,
            taking(
                ladder.credit * ladder.floor - band_spaced.strays - band_spaced.drags, POLAR_FORM
            ),
        ),
    )


SPACED = spaced_planes()
