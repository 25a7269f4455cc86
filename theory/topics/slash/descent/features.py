"""A key's logits are its scores on the features of the lags, psi(t) = s R_t qbar."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, logit, over_planes, query_x, query_y, s, t, theta
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.notation import KEY, Vector, inner, square
from ropeproof.theory.topics.slash.lags import offset

MEANINGS: Meanings = notation.MEANINGS


def rope_feature(lag: Any) -> Vector:
    """psi(t) = s R_t qbar in its planes."""
    angle = theta(l) * lag
    return (
        s * (query_x(l) * sp.cos(angle) - query_y(l) * sp.sin(angle)),
        s * (query_x(l) * sp.sin(angle) + query_y(l) * sp.cos(angle)),
    )


here, there = rope_feature(offset), rope_feature(t)
gap = theta(l) * (t - offset)
apart = (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2
size = s**2 * (query_x(l) ** 2 + query_y(l) ** 2)


@theorem(
    "slash.gd.features",
    conclusion=Both(
        eq(square(rope_feature(t)), s**2 * over_planes(query_x(l) ** 2 + query_y(l) ** 2)),
        eq(inner(KEY, rope_feature(t)), logit(t)),
        le(apart, size * gap**2),
    ),
    attack=Attack(
        {
            "half the arc": le(apart, size * gap**2 / 2),
            "the other turn": eq(inner(KEY, rope_feature(-t)), logit(t)),
        }
    ),
)
def SLASH_GD_FEATURES(p: Proof) -> None:
    r"""A key's logits are its scores on the features of the lags

    With $\psi(t)=sR_tq$: $\|\psi(t)\|^2=s^2\|q\|^2$ (so $\beta=\|q\|^2/d$ at
    $s=d^{-1/2}$), $\langle k,\psi(t)\rangle=w(t,q,k)$, and in plane $l$
    $|\psi_l(\Delta)-\psi_l(t)|\le s|q_l|\,\theta_l|t-\Delta|$.
    """
    _norm, _score, _ = p.goal.args
    arc = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA.at(x=gap),
        why="The number 1 - cos x is at most half the square of x.",
    )
    scaled = arc.times(
        size, "The square s^2 |q_l|^2 is not negative. Multiply this bound by s^2 |q_l|^2."
    )
    chord = (
        p.calc(apart)
        .eq(
            2 * size * (1 - sp.cos(gap)),
            "Two turns of one vector differ by the chord of the angle between them.",
        )
        .le(size * gap**2, "The square of the chord is at most that of the arc.", scaled)
        .done("So the squared difference is at most that of the arc.")
    )
    p.qed(
        "Turning a vector keeps its norm, so psi(t) has the norm s |q|. The product of key "
        "and feature is the logit at the lag. This proves the norm, the score and the bound "
        "of the difference.",
        chord,
    )
