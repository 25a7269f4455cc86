"""The logit as a sum of cosines of the lag."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    generalise,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.papers import SLASH

alpha, beta = real("alpha beta")


def _fourier() -> Claim:
    a, b = real_function("alpha"), real_function("beta")
    norm_q = sp.sqrt(query_x(l) ** 2 + query_y(l) ** 2)
    norm_k = sp.sqrt(key_x(l) ** 2 + key_y(l) ** 2)
    aligned = query_x(l) * key_x(l) + query_y(l) * key_y(l)
    crossed = query_y(l) * key_x(l) - query_x(l) * key_y(l)
    plane = s * (aligned * sp.cos(theta(l) * t) - crossed * sp.sin(theta(l) * t))
    wave = s * norm_q * norm_k * sp.cos(theta(l) * t + a(l) - b(l))
    r_q, r_k = real_function("r_q"), real_function("r_k")
    polar_q = Both(
        le(0, r_q(l)), eq(query_x(l), r_q(l) * sp.cos(a(l))), eq(query_y(l), r_q(l) * sp.sin(a(l)))
    )
    polar_k = Both(
        le(0, r_k(l)), eq(key_x(l), r_k(l) * sp.cos(b(l))), eq(key_y(l), r_k(l) * sp.sin(b(l)))
    )
    per_plane = every(l, 0, m - 1, eq(plane, wave))
    goal = Both(per_plane, eq(logit(t), over_planes(wave)))
    inside = (le(0, l), le(l, m - 1))
    product = norm_q * norm_k
    cosine_product = sp.cos(a(l)) * sp.cos(b(l)) + sp.sin(a(l)) * sp.sin(b(l))
    sine_product = sp.sin(a(l)) * sp.cos(b(l)) - sp.cos(a(l)) * sp.sin(b(l))
    return Claim(
        id="rope.fourier",
        title="The logit is a sum of cosines of the lag",
        statement=(
            r"With $q_l=|q_l|e^{\mathrm i\alpha_l}$, $k_l=|k_l|e^{\mathrm i\beta_l}$: "
            r"$s\,\mathrm{Re}\,q_l\overline{k_l}e^{\mathrm i\theta_lt}"
            r"=A_l\cos(\theta_lt+\varphi_l)$, $A_l=s|q_l||k_l|$, "
            r"$\varphi_l=\alpha_l-\beta_l$, in each plane and summed."
        ),
        source=SLASH.at("Fourier form of the logit", "as printed"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("alpha is the argument of q", every(l, 0, m - 1, polar_q)),
            Hypothesis("beta is the argument of k", every(l, 0, m - 1, polar_k)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "q",
                    polar_q,
                    instance({l: l}),
                    "Write q_l in polar form",
                    ("alpha is the argument of q",),
                    inside,
                ),
                Step(
                    "k",
                    polar_k,
                    instance({l: l}),
                    "and k_l.",
                    ("beta is the argument of k",),
                    inside,
                ),
                Step(
                    "modulus of q",
                    eq(norm_q, r_q(l)),
                    smt(),
                    "The radius is the modulus, for q",
                    ("q",),
                    inside,
                ),
                Step("modulus of k", eq(norm_k, r_k(l)), smt(), "and k.", ("k",), inside),
                Step(
                    "aligned",
                    eq(aligned, product * cosine_product),
                    smt(),
                    "Multiply q_l by the conjugate of k_l: the real part",
                    ("q", "k", "modulus of q", "modulus of k"),
                    inside,
                ),
                Step(
                    "crossed",
                    eq(crossed, product * sine_product),
                    smt(),
                    "and the imaginary part.",
                    ("q", "k", "modulus of q", "modulus of k"),
                    inside,
                ),
                Step(
                    "plane",
                    eq(plane, wave),
                    rewrite(),
                    "The arguments subtract and the rotation adds theta_l t: one cosine,",
                    ("aligned", "crossed"),
                    inside,
                ),
                Step("each plane", per_plane, generalise(), "in every plane,", ("plane",)),
                Step(
                    "summed",
                    eq(logit(t), over_planes(wave)),
                    termwise(),
                    "and the logit is their sum.",
                    ("plane",),
                ),
                Step("together", goal, smt(), "Both statements.", ("each plane", "summed")),
            )
        ),
        mutants=(
            Mutant(
                "phases add",
                eq(logit(t), over_planes(s * norm_q * norm_k * sp.cos(theta(l) * t + a(l) + b(l)))),
            ),
            Mutant(
                "sine instead of cosine",
                eq(logit(t), over_planes(s * norm_q * norm_k * sp.sin(theta(l) * t + a(l) - b(l)))),
            ),
        ),
    )


ROPE_FOURIER = _fourier()

CLAIMS = (ROPE_FOURIER,)
