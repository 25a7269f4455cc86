"""The logit as a sum of cosines of the lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.papers.citations import SLASH

a, b = real_function("alpha"), real_function("beta")
r_q, r_k = real_function("r_q"), real_function("r_k")
MEANINGS: Meanings = {
    **NOTATION,
    a: "arguments of the query's planes",
    b: "arguments of the key's planes",
    r_q: "moduli of the query's planes",
    r_k: "moduli of the key's planes",
}
norm_q = sp.sqrt(query_x(l) ** 2 + query_y(l) ** 2)
norm_k = sp.sqrt(key_x(l) ** 2 + key_y(l) ** 2)
aligned = query_x(l) * key_x(l) + query_y(l) * key_y(l)
crossed = query_y(l) * key_x(l) - query_x(l) * key_y(l)
plane = s * (aligned * sp.cos(theta(l) * t) - crossed * sp.sin(theta(l) * t))


def _wave(curve: Callable[..., Term], angle: Term) -> Term:
    return s * norm_q * norm_k * curve(theta(l) * t + angle)


def _polar(x: Function, y: Function, radius: Function, angle: Function) -> Formula:
    return every(
        l,
        0,
        m - 1,
        Both(
            le(0, radius(l)),
            eq(x(l), radius(l) * sp.cos(angle(l))),
            eq(y(l), radius(l) * sp.sin(angle(l))),
        ),
    )


wave = _wave(sp.cos, a(l) - b(l))
ALPHA = Hypothesis("alpha is the argument of q", _polar(query_x, query_y, r_q, a))
BETA = Hypothesis("beta is the argument of k", _polar(key_x, key_y, r_k, b))


@theorem(
    "rope.fourier",
    source=SLASH.at("Fourier form of the logit"),
    needs="PTX",
    hypotheses=(ALPHA, BETA),
    conclusion=Both(every(l, 0, m - 1, eq(plane, wave)), eq(logit(t), over_planes(wave))),
    attack=Attack(
        {
            "phases add": eq(logit(t), over_planes(_wave(sp.cos, a(l) + b(l)))),
            "sine instead of cosine": eq(logit(t), over_planes(_wave(sp.sin, a(l) - b(l)))),
        }
    ),
)
def ROPE_FOURIER(p: Proof) -> None:
    r"""The logit is a sum of cosines of the lag

    With $q_l=|q_l|e^{\mathrm i\alpha_l}$, $k_l=|k_l|e^{\mathrm i\beta_l}$:
    $s\,\mathrm{Re}\,q_l\overline{k_l}e^{\mathrm i\theta_lt}=A_l\cos(\theta_lt+\varphi_l)$,
    $A_l=s|q_l||k_l|$, $\varphi_l=\alpha_l-\beta_l$, in each plane and summed.
    """
    one = p.under(within(l, 0, m - 1))
    cosine = sp.cos(a(l)) * sp.cos(b(l)) + sp.sin(a(l)) * sp.sin(b(l))
    sine = sp.sin(a(l)) * sp.cos(b(l)) - sp.cos(a(l)) * sp.sin(b(l))

    q = one.use(ALPHA, why="Write q_l in polar form with radius r_q and angle alpha.")
    k = one.use(BETA, why="Write k_l in polar form with radius r_k and angle beta.")
    moduli = (
        one.show(eq(norm_q, r_q(l)), "The radius of q_l is its modulus.", q),
        one.show(eq(norm_k, r_k(l)), "The radius of k_l is its modulus.", k),
    )
    real_part = one.show(
        eq(aligned, norm_q * norm_k * cosine),
        "The real part of q_l times the conjugate of k_l is |q_l||k_l| cos(alpha - beta).",
        (q, k, moduli),
    )
    imaginary = one.show(
        eq(crossed, norm_q * norm_k * sine),
        "The imaginary part of this product is |q_l||k_l| sin(alpha - beta).",
        (q, k, moduli),
    )
    same = one.rewrite(
        eq(plane, wave),
        "The rotation adds theta_l t to the angle alpha - beta, so the plane's term is one cosine.",
        (real_part, imaginary),
    )
    each = same.for_all(l, why="This holds in every plane.")
    p.qed(
        "So the logit is the sum of these cosines over the planes.",
        (each, same.summed(l, 0, m - 1, "Sum this equation over the planes.")),
    )
