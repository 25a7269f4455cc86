"""What properties alone cannot see."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_STRICTLY_DECREASING
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.topics.rope.rotation import ROPE_RELATIVE, inner, key, query, rotated

p, plane = real("p"), integer("h")
x, y, omega = real_function("x"), real_function("y"), real_function("omega")
MEANINGS: Meanings = {
    **NOTATION,
    i: "position of the query",
    j: "position of the key",
    p: "a position",
    plane: "the plane that is wrong",
    x: "first coordinates of a vector, by plane",
    y: "second coordinates of a vector, by plane",
    omega: "frequencies of the implementation",
}

after = rotated(x(l), y(l), omega(l) * p)
same_norms = eq(over_planes(inner(after, after)), over_planes(x(l) ** 2 + y(l) ** 2))
of_pair = over_planes(inner(rotated(*query, omega(l) * i), rotated(*key, omega(l) * j)))
of_lag = over_planes(inner(rotated(*query, omega(l) * (i - j)), key))
_turned = rotated(x(l), y(l), omega(l) * p)
_unturned = If(eq(p, 0), Both(eq(_turned[0], x(l)), eq(_turned[1], y(l))))
at_zero = every(l, 0, m - 1, _unturned)

POSITIVE = Hypothesis("a plane turns", lt(0, theta(plane)))
FASTER = Hypothesis("it turns faster in the implementation", lt(theta(plane), omega(plane)))
HALF_TURN = Hypothesis("by at most half a turn", le(omega(plane), sp.pi))

other = ne(sp.cos(omega(plane)), sp.cos(theta(plane)))
reversed_ = ne(sp.sin(-theta(plane)), sp.sin(theta(plane)))

_doubled = eq(same_norms.lhs, 2 * same_norms.rhs)
_unreversed = eq(sp.sin(-theta(plane)), sp.sin(theta(plane)))


@theorem(
    "conform.blind",
    needs="PXW",
    hypotheses=(POSITIVE, FASTER, HALF_TURN),
    conclusion=Both(same_norms, eq(of_pair, of_lag), at_zero, other, reversed_),
    attack=Attack(
        {
            "norms double": Both(_doubled, eq(of_pair, of_lag), at_zero, other, reversed_),
            "the direction is seen": Both(
                same_norms, eq(of_pair, of_lag), at_zero, other, _unreversed
            ),
            "lag of the wrong sign": Both(
                same_norms,
                eq(of_pair, over_planes(inner(rotated(*query, omega(l) * (j - i)), key))),
                at_zero,
                other,
                reversed_,
            ),
        },
        without={
            POSITIVE: {theta(plane): 0, omega(plane): 1, plane: 0},
            FASTER: {theta(plane): 1, omega(plane): 1, plane: 0},
            HALF_TURN: {theta(0): 1, omega(0): 2 * sp.pi - 1, plane: 0},
        },
    ),
)
def CONFORM_BLIND(proof: Proof) -> None:
    r"""Norms, relative positions and the identity at 0 hold for wrong frequencies

    For any frequencies $\omega_l$ whatever, norms are kept, $\langle R_iq,R_jk\rangle$ depends on
    $i-j$ alone, and position 0 changes nothing. Yet if $0<\theta_h<\omega_h\le\pi$ for one plane
    $h$, already position 1 is wrong: $\cos\omega_h\ne\cos\theta_h$; and so is the reversed
    direction, $\sin(-\theta_h)\ne\sin\theta_h$.
    """
    relative = proof.lemma(
        ROPE_RELATIVE.at(theta=omega),
        why="The score depends on the lag alone at any frequencies.",
        goal=eq(of_pair, of_lag),
    )
    there = proof.under(within(l, 0, m - 1), eq(p, 0))
    zero = there.given(eq(p, 0), "Consider the position p = 0.")
    halves = [
        there.rewrite(
            eq(_turned[0], x(l)),
            "There the angle is 0, so the first coordinate stays as it is.",
            zero,
        ),
        there.rewrite(
            eq(_turned[1], y(l)),
            "There the angle is 0, so the second coordinate stays as it is.",
            zero,
        ),
    ]
    here = proof.under(within(l, 0, m - 1)).show(
        _unturned, "So at position 0 both coordinates stay as they are.", halves
    )
    still = here.for_all(l, why="The plane was arbitrary, so this holds in every plane.")
    falls = proof.lemma(
        TRIG_COSINE_STRICTLY_DECREASING.at(x=theta(plane), y=omega(plane)),
        (POSITIVE, FASTER, HALF_TURN),
        why="The cosine falls between the two angles, so the two cosines differ.",
    )
    rises = proof.apply(
        TRIG_SINE_POSITIVE,
        (POSITIVE, FASTER, HALF_TURN),
        why="The sine of the angle is positive, as it lies strictly between 0 and pi.",
    )
    proof.qed(
        "A rotation keeps the norm of a plane at any frequency. Sum this equation over all "
        "planes. The sine is an odd function. All five properties together are the claim.",
        (relative, still, falls, rises),
    )
