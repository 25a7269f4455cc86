"""Prompts of two tokens do not tell two heads of one plane apart."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE

theta = real("theta")
x, y = real("x_1 x_2"), real("y_1 y_2")
Number = Sequence[Term]
"""A token vector with two coordinates, read as a complex number."""


def logit_of(query: Number, key: Number, lag: Term | int, sign: int = 1) -> Term:
    """Re(e^(-i theta) x conj(y) e^(i theta t)); with sign -1 x and y are conjugated."""
    aligned = query[0] * key[0] + query[1] * key[1]
    crossed = sign * (query[1] * key[0] - query[0] * key[1])
    turn = theta * (lag - 1)
    return aligned * sp.cos(turn) - crossed * sp.sin(turn)


def same(query: Number, key: Number, lag: Term | int) -> Any:
    """The formula that both heads have the same logit."""
    return eq(logit_of(query, key, lag), logit_of(query, key, lag, -1))


ANGLE = Hypothesis("the frequency lies in (0, pi)", Both(lt(0, theta), lt(theta, sp.pi)))
lag = real("t")
MEANINGS: Meanings = {
    theta: "the plane's angle per position, in radians",
    lag: "the place asked for, or a lag",
    x[0]: "first coordinate of the query's token",
    x[1]: "its second coordinate",
    y[0]: "first coordinate of the key's token",
    y[1]: "its second coordinate",
}
first_rows = Either(eq(lag, 1), Both(eq(lag, 0), eq(x[0], y[0]), eq(x[1], y[1])))
"""The logits of rows 1 and 2: of a token on the one before it, and on itself."""
agree = Every((*x, *y, lag), If(first_rows, same(x, y, lag)))
differ = Some((*x, *y), Negation(same(x, y, sp.Integer(2))))


@theorem(
    "head.identified-two-tokens",
    needs="PX",
    hypotheses=(ANGLE,),
    conclusion=Both(agree, differ),
    attack=Attack(
        {
            "they agree at lag 2 as well": Both(agree, Every((*x, *y), same(x, y, sp.Integer(2)))),
            "lag 0 of any two tokens": Both(
                Every((*x, *y, lag), If(Either(eq(lag, 1), eq(lag, 0)), same(x, y, lag))), differ
            ),
        },
        at={
            name: {theta: 1} for name in ("they agree at lag 2 as well", "lag 0 of any two tokens")
        },
        without={ANGLE: {theta: 0}},
    ),
)
def HEAD_IDENTIFIED_TWO_TOKENS(p: Proof) -> None:
    r"""Two tokens do not determine the form of one plane

    One plane, $0<\theta<\pi$, and token vectors $x,y\in\mathbb R^2$ read as complex numbers. The
    heads $q=e^{-\mathrm i\theta}x,k=y$ and $q'=e^{-\mathrm i\theta}\overline x,k'=\overline y$
    have the same logits of a token on itself and of any token on any token directly before it, so
    rows 1 and 2 of their attention agree on every prompt; at lag 2 the logits of some two tokens
    differ.
    """
    sine_of = sp.sin(theta * (lag - 1))
    there = p.under(first_rows)
    one = p.under(eq(lag, 1))
    still = one.rewrite(
        eq(sine_of, 0),
        "At lag 1 the fixed turn undoes the rotation.",
        one.given(eq(lag, 1), "Let t be 1."),
    )
    agrees = there.show(
        same(x, y, lag),
        "A token has a real form on itself. So in both rows the part that is conjugated is "
        "0. So both logits are the same.",
        still,
    ).for_all(*x, *y, lag, why="It is so for all tokens of these rows.")
    sine = p.apply(TRIG_SINE_POSITIVE, ANGLE, why="The sine of the frequency is positive.")
    values = {x[0]: 0, x[1]: 1, y[0]: 1, y[1]: 0}
    apart = p.witness(
        differ, values, sine, why="At lag 2 the logits of i on 1 differ by twice the sine."
    )
    p.qed("These are the two parts of the claim.", agrees, apart)
