"""Prompts of 2m tokens never determine a RoPE head of m planes, by their attention."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.expressive import expressive, expressive_exists
from ropeproof.theory.topics.rope.expressive.expressive import separated_planes
from ropeproof.theory.topics.rope.expressive.expressive_exists import ROPE_EXPRESSIVE_EXISTS

t = expressive_exists.t
x, y = real("x_1 x_2"), real("y_1 y_2")
z_x, z_y = real_function("z_x"), real_function("z_y")
MEANINGS: Meanings = {
    **expressive_exists.MEANINGS,
    j: "another plane",
    (z_x, z_y): "numbers z_l, one for each plane",
    z_x: "real part of the number z_l of a plane",
    z_y: "imaginary part of it",
    x[0]: "first coordinate of the query's token",
    x[1]: "its second coordinate",
    y[0]: "first coordinate of the key's token",
    y[1]: "its second coordinate",
}
crossed = x[1] * y[0] - x[0] * y[1]


def logit_of(lag: Term, sign: int = 1) -> Term:
    """s Re sum_l z_l x conj(y) exp(i theta_l t); with sign -1 x and y are conjugated."""
    aligned, angle = x[0] * y[0] + x[1] * y[1], theta(l) * lag
    along = z_x(l) * aligned - z_y(l) * sign * crossed
    across = z_y(l) * aligned + z_x(l) * sign * crossed
    return over_planes(s * (along * sp.cos(angle) - across * sp.sin(angle)))


def combination(lag: Term) -> Term:
    """The combination of cosines and sines by which the two heads' logits differ."""
    return expressive_exists.combination(m, lag, z_y, z_x)


same = eq(logit_of(t), logit_of(t, -1))
window = within(t, 1, 2 * m - 1)
itself = Both(eq(t, 0), eq(x[0], y[0]), eq(x[1], y[1]))
agree = Every((*x, *y, t), If(Either(window, itself), same))
differ = Some((*x, *y), ne(logit_of(2 * m), logit_of(2 * m, -1)))
NUMBERS = Some((z_x(l), z_y(l)), Both(agree, differ))

A_PLANE = Hypothesis("there is a plane", le(1, m))
_ONE = {m: 1, s: 1, theta(0): 1, z_x(0): 1, z_y(0): 0}


def _target(lag: Term) -> Term:
    """0 at the lags 1..2m - 1 and 1 at the lag 2m."""
    return sp.Piecewise((1, eq(lag, 2 * m)), (0, True))


@theorem(
    "head.identified-tokens-needed",
    needs="PX",
    hypotheses=(A_PLANE, expressive.SCALE, expressive.IN_RANGE, expressive.DISTINCT),
    conclusion=NUMBERS,
    attack=Attack(
        {"any numbers": agree, "no such numbers": Negation(NUMBERS)},
        at={"any numbers": _ONE},
        unshown={
            A_PLANE: "without planes all logits are 0; no instance shows that of all numbers",
            expressive.SCALE: "at scale 0 all logits are 0; no instance shows that of all numbers",
            expressive.IN_RANGE: "a plane that stands still adds the same at all lags; no instance shows "
            "what follows of all numbers",
            expressive.DISTINCT: "equal planes are one plane, of which fewer lags tell all; no instance "
            "shows that of all numbers",
        },
    ),
)
def HEAD_IDENTIFIED_TOKENS_NEEDED(p: Proof) -> None:
    r"""Prompts of 2m tokens never determine a RoPE head of m planes

    Let $m\ge1$, the frequencies $\theta_l\in(0,\pi)$ be distinct and the scale not 0; token
    vectors $x,y\in\mathbb R^2$ are read as complex numbers. Then there are complex numbers $z_l$
    with which the heads $q_l=z_lx,k_l=y$ and $q_l'=z_l\overline x,k_l'=\overline y$ have the same
    logits of any token on any other at the lags $1..2m-1$ and of a token on itself, so that their
    attention agrees on every prompt of $2m$ tokens; at lag $2m$ the logits of some two tokens
    differ. So the $2m+1$ tokens of `head.identified-weights` are the least number that is enough.
    """
    apart = p.show(
        eq(logit_of(t) - logit_of(t, -1), -2 * s * crossed * combination(t)),
        "The two logits differ by a multiple of a combination of cosines and sines.",
    ).for_all(*x, *y, t, why="It is so for all tokens and lags.")
    exist = p.apply(
        ROPE_EXPRESSIVE_EXISTS,
        p.show(le(0, m), "The number of planes is not negative.", A_PLANE),
        why="For separated frequencies there are coefficients for every target on 2m lags.",
    )
    found = p.use(
        exist,
        {expressive_exists.f: sp.Lambda(t, _target(t)), expressive_exists.u: 1},
        separated_planes(p),
        why="So some combination is 0 at the lags 1..2m - 1 and 1 at the lag 2m.",
    )
    fits = every(t, 1, 2 * m, eq(combination(t), _target(t)))
    taken = found.body()
    numbers = p.choose(
        found,
        taken.witness(
            Some((z_x(l), z_y(l)), fits),
            {z_y: expressive_exists.a, z_x: expressive_exists.c},
            why="Take coefficients of this combination. Let these be the parts of the numbers z_l.",
        ),
        "There are such coefficients, and so such numbers.",
    )
    inner = numbers.body()
    fit = inner.given(fits, "Take such numbers z_l.")
    here = p.use(apart, {t: t}, why="This is by what the logits differ at the lag.")
    near = inner.under(window)
    zero = near.use(fit, why="At this lag the combination is the target.")
    there = near.show(same, "So it is 0 there. So the two logits are the same.", here, zero)
    alone = p.under(*itself.args)
    own = alone.show(
        same, "A token has a real form on itself. So the two logits are the same.", here
    )
    agrees = (
        inner.under(Either(window, itself))
        .show(same, "So both logits are the same in all rows of 2m tokens.", there, own)
        .for_all(*x, *y, t, why="It is so for all tokens and at all of these lags.")
    )
    tokens = {x[0]: 0, x[1]: 1, y[0]: 1, y[1]: 0}
    end = inner.use(fit, {t: 2 * m}, A_PLANE, why="At the lag 2m the combination is the target.")
    far = p.use(apart, {**tokens, t: 2 * m}, why="Take the tokens i and 1 at the lag 2m.")
    unequal = inner.show(
        differ.args[1].xreplace(tokens),
        "Their logits differ by twice the scale.",
        far,
        end,
        expressive.SCALE,
    )
    differs = inner.witness(
        differ, tokens, unequal, why="So at lag 2m the logits of some two tokens differ."
    )
    both = inner.witness(
        NUMBERS, {z_x: z_x, z_y: z_y}, agrees, differs, why="So these numbers are as claimed."
    )
    p.choose(numbers, both, "There are such numbers.")
