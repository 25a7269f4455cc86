"""A key grows along what separates the target."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import m
from ropeproof.theory.library.sums.indicators import plane
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.arguments import a_step, same_products
from ropeproof.theory.topics.slash.descent.loss.slope_below import SLASH_GD_SLOPE_BELOW
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_GRADIENT
from ropeproof.theory.topics.slash.lags import offset

LOWER = Hypothesis("other lags lie lower by c", lower_by(MOVE, gap_size))
FROM_START = (STEPS, PLACE, BETA, START, ALGORITHM, GRADIENTS)


def missed(time: Term) -> Term:
    """What was missing so far, over beta: sum_{s<tau} (1 - Slash_s) / beta."""
    return sp.Sum(missing(key_at(later)), (later, 0, time - 1)) / beta


UNTRAINED = {
    **{m: 1, length: 2, offset: 1, steps: 0, beta: 1, gap_size: 0, margin: 2},
    **{grown_x(0, 0): 0, grown_y(0, 0): 0, v_x(0): 0, v_y(0): 0},
    **{psi_x(0, 0): -1, psi_x(1, 0): 1, psi_y(0, 0): 0, psi_y(1, 0): 0},
    **{best_x(0): 1, best_y(0): 0, plane: 0},
}
"""The very start: no step was made."""


def growing(changed: Values) -> Values:
    """The first step of one plane with opposite features, along which it grows."""
    return {**UNTRAINED, steps: 1, gap_size: 2, v_x(0): 1, **changed}


@theorem(
    "slash.gd.along",
    hypotheses=(*FROM_START, LOWER),
    conclusion=le(gap_size * missed(steps), inner(key_at(steps), MOVE)),
    attack=Attack(
        {
            "half a step more": le(
                gap_size * missed(steps) + sp.Rational(1, 2), inner(key_at(steps), MOVE)
            )
        },
        at={"half a step more": UNTRAINED},
        without={
            STEPS: growing({steps: -1, grown_x(-1, 0): -5}),
            PLACE: before_the_first({v_x(0): -1, v_y(0): 0, gap_size: 1, psi_x(0, 0): 2}),
            BETA: growing({beta: -1, gap_size: 1}),
            START: growing({steps: 0, grown_x(0, 0): -5}),
            ALGORITHM: growing({grown_x(1, 0): -5}),
            GRADIENTS: growing({slope_x(0, 0): 500}),
            LOWER: growing({gap_size: 100}),
        },
    ),
)
def SLASH_GD_ALONG(p: Proof) -> None:
    r"""A key grows along what separates the target

    Gradient descent from $k=0$ with step $1/\beta$, $\beta>0$, on any features: if a vector $v$
    and a number $c$, of any sign, have $\langle v,\psi(\Delta)-\psi(j)\rangle\ge c$ for every
    other $j<N$ then $\langle k(T),v\rangle\ge c\,\frac1\beta\sum_{s<T}(1-\mathrm{Slash}_s)$ for
    every $T\ge0$. It says that keys grow where the features are separable: $c>0$.
    """

    def until(end: Term) -> Formula:
        return le(gap_size * missed(end), inner(key_at(end), MOVE))

    zero: Vector = (sp.Integer(0), sp.Integer(0))
    start = p.under(PLANE).use(START, why="At the start the key is 0 in every plane.")
    nothing = same_products(
        start, key_at(0), zero, MOVE, "So the product of the key with v is 0 at the start."
    )
    base = p.show(until(sp.Integer(0)), "At the start both sides are 0.", nothing)

    step = p.under(le(0, tau))
    is_gradient, is_step = a_step(step)
    product = same_products(
        is_step, after, moved, MOVE, "So the product of the next key with v is that of the step."
    )
    named = same_products(
        is_gradient,
        grad,
        gradient(now),
        MOVE,
        "So the product of G with v is that of the gradient.",
    )
    rise = p.lemma(
        SLASH_GD_GRADIENT.at(**by_name(taking(KEY, now))),
        why="The slope of the loss along v is the product of the gradient with v.",
    )
    slope = p.lemma(
        SLASH_GD_SLOPE_BELOW.at(**by_name(taking(KEY, now))),
        (PLACE, LOWER),
        why="This slope is at most -c times what is missing.",
    )
    divided = step.show(
        le(gap_size * missing(now), -inner(grad, MOVE)),
        "So minus the product of G with v is at least c times what is missing.",
        (named, rise, slope),
    ).times(1 / beta, "Multiply by 1/beta, which is positive.", BETA)
    more = step.last(
        sp.Sum(missing(key_at(later)), (later, 0, tau)),
        "The sum of what was missing has one more term.",
    )
    parts = more.formula.rhs
    times_c = step.rewrite(
        eq(gap_size * missed(tau + 1), gap_size * (parts / beta)),
        "Put this sum into c times the sum over beta.",
        more,
    )
    following = step.under(until(tau)).show(
        until(tau + 1),
        "The step changes the product with v by minus that of G over beta. Multiply c over "
        "beta into the two parts. So the right side grows by c over beta times what is "
        "missing. So if the inequality holds at a step, it holds at the next.",
        (product, divided, times_c),
    )
    always = step.induction(until(tau), tau, 0, base, following)
    p.use(always, {tau: steps}, STEPS, why="In particular the inequality holds at the end.")
