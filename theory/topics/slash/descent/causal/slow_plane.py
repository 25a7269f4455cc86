"""One slow plane inside the two layers: lag 1 is overtaken at the first step."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.cosine import (
    TRIG_COSINE_DECREASING,
    TRIG_COSINE_STRICTLY_DECREASING,
)
from ropeproof.theory.topics.slash.descent.offset import step
from ropeproof.theory.topics.slash.descent.offset.step import eta

angle = real("theta")
MEANINGS: Meanings = {**step.MEANINGS, angle: "angle of the plane"}
_half = sp.Rational(1, 2)
_WIDTHS = (sp.Integer(1), _half, sp.Rational(2, 3))
"""The logits of layer 2 at the three positions if the token occurred at 0, for equal weights."""


def share(place: int, position: int) -> Any:
    """The weight of a position in layer 2 at the first step, if the token occurred at the place."""
    logits = [_WIDTHS[j] if j >= place else sp.Integer(0) for j in range(3)]
    return sp.exp(logits[position]) / sum(sp.exp(logit) for logit in logits)


SLOPES = {
    (1, 0): share(1, 1) / 2,
    (1, 1): (share(0, 1) - 1) / 2,
    (2, 0): (share(0, 2) + share(1, 2) - 1) / 2,
    (2, 1): (share(1, 2) - 1) / 2,
    (2, 2): share(0, 2) / 2,
}
"""The derivatives of the mean loss in the weight of a lag, by row and lag; row 0 has one weight, 1."""
_MEANS = [sum(SLOPES[row, lag] for lag in range(row + 1)) / (row + 1) for row in (1, 2)]


def pull(lag: int) -> Any:
    """Minus the derivative of the mean loss in a lag's logit, at equal logits."""
    rows = range(max(lag, 1), 3)
    return sum((_MEANS[row - 1] - SLOPES[row, lag]) / (row + 1) for row in rows)


def moved(lag: int) -> Any:
    """The logit of a lag after one step of descent from the vector 0."""
    return eta * sum(pull(seen) * sp.cos(angle * (lag - seen)) for seen in range(3))


SIZE = Hypothesis("the step is positive", lt(0, eta))
TURNS = Hypothesis("the plane turns", lt(0, angle))
SLOW = Hypothesis("the plane is slow", le(angle, _half))


@theorem(
    "slash.gd.offset-rope-slow",
    needs="PTX",
    hypotheses=(SIZE, TURNS, SLOW),
    conclusion=lt(moved(1), moved(2)),
    attack=Attack(
        {
            "lag 1 leads": lt(moved(2), moved(1)),
            "lag 0 leads": lt(moved(2), moved(0)),
            "by a tenth of the step": lt(moved(1) + eta / 10, moved(2)),
        },
        at={
            "lag 1 leads": {eta: 1, angle: sp.Rational(1, 10)},
            "lag 0 leads": {eta: 1, angle: sp.Rational(1, 10)},
            "by a tenth of the step": {eta: 1, angle: sp.Rational(1, 10)},
        },
        without={
            SIZE: {eta: -1, angle: _half},
            TURNS: {eta: 1, angle: -1},
            SLOW: {eta: 1, angle: 1},
        },
    ),
)
def SLASH_GD_OFFSET_ROPE_SLOW(p: Proof) -> None:
    r"""With three tokens and one slow plane lag 1 is overtaken at the first step, whatever its size

    The two layers of `slash.gd.offset-causal` read $N=3$ tokens, $\beta=1$, the last one's earlier
    place is 0 or 1 with equal probability. The logits of the lags are those of a RoPE head of one
    plane, $g_t=\mathrm{Re}\,c\,e^{\mathrm i\theta t}$, trained from $c=0$, so that a step of size
    $\eta>0$ gives $g_t=\eta\sum_{u<3}G_u\cos\theta(t-u)$, $G_u$ minus the derivative of the mean loss in
    $g_u$ at equal logits. Then $g_1<g_2$ after the first step for every $0<\theta\le\frac12$: for lags
    whose features are not apart nothing like `slash.gd.offset-causal` holds.
    """
    first, last = pull(0), pull(2)
    c = sp.cos(angle)
    twice = p.show(eq(sp.cos(2 * angle), 2 * c**2 - 1), "The cosine of twice the angle.")
    a, d, x, y = real("A F x y")
    b = -a - d  # the pulls add up to 0
    known = p.under(eq(y, 2 * x**2 - 1))
    general = known.rewrite(
        eq(eta * (a * y + b * x + d) - eta * (a * x + b + d * x), 2 * eta * (1 - x) * (d - x * a)),
        "For pulls that add up to 0 the difference of the two logits has this form, if y is that cosine.",
        known.given(eq(y, 2 * x**2 - 1), "Suppose that y is that cosine."),
    )
    apart = p.use(
        general, {a: first, d: last, x: c, y: sp.cos(2 * angle)}, twice, why="Take the three pulls."
    )
    ahead = p.show(
        lt(sp.cos(_half) * first, last),
        "At the angle 1/2 lag 2 is pulled less back.",
        by=rules.ball(),
    )
    negative = p.show(lt(first, 0), "Lag 0 is pulled back.", by=rules.ball())
    small = p.show(lt(_half, sp.pi), "And so is 1/2.", by=rules.ball())
    below = p.lemma(
        TRIG_COSINE_STRICTLY_DECREASING.at(x=0, y=angle),
        (TURNS, SLOW),
        why="The angle is below pi. So the cosine of the angle is below that of 0.",
        goal=lt(c, 1),
    )
    above = p.lemma(
        TRIG_COSINE_DECREASING.at(
            x=angle, y=_half
        ), TURNS, SLOW, small,
        why="And at least that of 1/2.",
    )  # fmt: skip
    u, v = real("U V")
    sign = p.under(le(u, x), lt(a, 0), lt(u * a, d)).show(
        lt(0, d - x * a), "As A is negative, F - x A is at least F - U A, which is positive."
    )
    second = p.use(
        sign, {u: sp.cos(_half), x: c, a: first, d: last}, above, negative, ahead,
        why="So lag 2 is ahead by this number.",
    )  # fmt: skip
    positive = p.under(lt(0, eta), lt(x, 1), lt(0, v)).show(
        lt(0, 2 * eta * (1 - x) * v), "The product of three positive numbers is positive."
    )
    whole = p.use(
        positive, {x: c, v: last - c * first}, SIZE, below, second, why="The difference is such a product."
    )  # fmt: skip
    p.qed("So lag 2 overtakes lag 1.", apart, whole)
