"""A key between two others on a circle: by how much a query can prefer it to both."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.library.trigonometry.jordan import TRIG_JORDAN
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

alpha, beta, least, size, u = real("alpha beta mu A u")
MEANINGS: Meanings = {
    alpha: "angle to the key before",
    beta: "angle to the key behind",
    least: "by how much the key leads, in logits",
    size: "amplitude of the head",
    u: "angle from the query to the key",
}
middle, lean = (alpha + beta) / 2, (alpha - beta) / 2

NOT_NEGATIVE = Hypothesis("the amplitude is not negative", le(0, size))
BEFORE = Hypothesis("the key before is not behind", le(0, alpha))
BEHIND = Hypothesis("the key behind is not before", le(0, beta))
A_TURN = Hypothesis("the two are at most a turn apart", le(alpha + beta, 2 * sp.pi))
LEADS = Hypothesis(
    "the key leads the one before", le(least, size * (sp.cos(u) - sp.cos(u + alpha)))
)
LEADS_TOO = Hypothesis("and the one behind", le(least, size * (sp.cos(u) - sp.cos(u - beta))))


def _quarter(scope: Scope, angle: Term, *premises: Premise) -> Fact:
    """The sine and the cosine of an angle in the first quarter are not negative."""
    inside = scope.show(
        within(angle, 0, sp.pi / 2),
        "Half of this distance lies between 0 and a right angle.",
        *premises,
    )
    sine = scope.apply(
        TRIG_JORDAN,
        inside,
        why="By Jordan's inequality the sine of half of it is at least a multiple of it.",
    )
    cosine = scope.lemma(
        TRIG_JORDAN.at(x=sp.pi / 2 - angle),
        inside,
        why="By Jordan's inequality the same holds for the rest of the right angle.",
        goal=le(2 * (sp.pi / 2 - angle), sp.pi * kept(sp.sin, sp.pi / 2 - angle)),
    )
    return scope.show(
        Both(le(0, sp.sin(angle)), le(0, sp.cos(angle))),
        "The sine of the rest of the right angle is the cosine. So neither the sine nor the "
        "cosine is negative.",
        (inside, sine, cosine),
    )


_example: Values = {size: 1, alpha: 1, beta: 1, u: 0, least: sp.Rational(2, 5)}


@theorem(
    "planes.between",
    hypotheses=(NOT_NEGATIVE, BEFORE, BEHIND, A_TURN, LEADS, LEADS_TOO),
    conclusion=le(least, size * (1 - sp.cos(middle))),
    attack=Attack(
        {
            "of the whole distance": le(least, size * (1 - sp.cos(middle / 2))),
            "nothing": le(least, 0),
        },
        at={"of the whole distance": _example, "nothing": _example},
        without={NOT_NEGATIVE: {size: -1, alpha: 1, beta: 1, u: 0, least: -1}},
    ),
)
def PLANES_BETWEEN(p: Proof) -> None:
    r"""A key leads the better of its two neighbours by no more than their distance allows

    On one circle a key with neighbours at angles $\alpha$ before and $\beta$ behind it,
    $\alpha+\beta\le2\pi$, leads both by at most $A(1-\cos\frac{\alpha+\beta}2)$, whichever the
    query of amplitude $A\ge0$.
    """
    one, other = sp.cos(u + alpha), sp.cos(u - beta)
    target = p.goal
    bounds = p.show(
        Both(*(within(sp.cos(a), -1, 1) for a in (u, u + lean, middle, lean))),
        "Each of these cosines lies between -1 and 1.",
    )
    # far apart: the plain mean of the two
    far = p.under(le(sp.cos(middle), 0))
    mean = p.show(
        eq(one + other, 2 * sp.cos(u + lean) * sp.cos(middle)),
        "The sum of the two neighbours' cosines is a product of cosines.",
    )
    turned = times(
        far,
        p.show(
            le(-1 * sp.cos(u + lean), 1),
            "The factor cos(alpha/2 - beta/2 + u) is at least -1.",
            bounds,
        ),
        -sp.cos(middle),
        "If the neighbours are far apart, the other factor is not positive.",
    )
    when_far = far.show(
        target,
        "So the two falls sum to at most twice the fall of half the distance. Multiply this "
        "inequality by the amplitude, which is not negative. The margin is at most the mean "
        "of the two leads, so this bounds it.",
        (mean, turned, bounds, NOT_NEGATIVE, LEADS, LEADS_TOO),
    )

    # close: the foot of the height over the chord of the two
    close = p.under(lt(0, sp.cos(middle)))
    otherwise = p.under(lt(sp.pi / 2, middle)).apply(
        TRIG_COSINE_DECREASING,
        A_TURN,
        why="If half the distance were more than a right angle, its cosine would be at most 0.",
        goal=le(sp.cos(middle), kept(sp.cos, sp.pi / 2)),
    )
    quarter = close.show(
        le(middle, sp.pi / 2),
        "The cosine of a right angle is 0. So for a positive cosine half the distance is at "
        "most a right angle.",
        otherwise,
    )
    signs = [
        _quarter(close, angle, quarter, BEFORE, BEHIND) for angle in (alpha / 2, beta / 2, middle)
    ]
    first, second = sp.sin(beta / 2) * sp.cos(alpha / 2), sp.sin(alpha / 2) * sp.cos(beta / 2)
    foot = p.show(
        eq(
            first * (sp.cos(u) - one) + second * (sp.cos(u) - other),
            sp.sin(middle) * (2 * sp.sin(alpha / 2) * sp.sin(beta / 2)) * sp.cos(u + lean),
        ),
        "Weigh the two leads with these products and add them.",
    )
    whole = p.show(
        eq(first + second, sp.sin(middle)), "The two weights sum to the sine of half the distance."
    )
    height = p.show(
        eq(2 * sp.sin(alpha / 2) * sp.sin(beta / 2), sp.cos(lean) - sp.cos(middle)),
        "Twice the product of the sines is a difference of cosines.",
    )
    high = close.show(
        within(2 * sp.sin(alpha / 2) * sp.sin(beta / 2), 0, 1 - sp.cos(middle)),
        "So this product lies between 0 and the fall of half the distance.",
        (height, bounds, signs),
    )
    weights = close.show(
        Both(le(0, first), le(0, second)),
        "Both weights are products of numbers that are not negative.",
        signs,
    )
    lead = close.show(
        le(
            sp.sin(middle) * least,
            size * (first * (sp.cos(u) - one) + second * (sp.cos(u) - other)),
        ),
        "Sum the two weighted leads.",
        (
            times(
                close, LEADS, first, "Multiply the lead over the key before by its weight.", weights
            ),
            times(
                close,
                LEADS_TOO,
                second,
                "Multiply the lead over the key behind by its weight.",
                weights,
            ),
            whole,
        ),
    )
    wave = times(
        close,
        p.show(le(sp.cos(u + lean), 1), "A cosine is at most 1.", bounds),
        2 * sp.sin(alpha / 2) * sp.sin(beta / 2),
        "Multiply this inequality by twice the product of the sines.",
        high,
    )
    area = close.show(
        le(2 * sp.sin(alpha / 2) * sp.sin(beta / 2) * sp.cos(u + lean), 1 - sp.cos(middle)),
        "So this product with the cosine is at most the fall of half the distance.",
        (wave, high),
    ).times(
        size * sp.sin(middle),
        "Multiply by the amplitude and the sine, which are not negative.",
        (NOT_NEGATIVE, signs),
    )
    same_foot = foot.times(size, "Multiply the identity of the weighted leads by the amplitude.")
    by_sine = close.chain(
        lead, same_foot, area, why="Chain the bounds of the margin times the sine."
    )
    positive = close.under(lt(0, sp.sin(middle))).lemma(
        SLASH_CANCEL.at(x=least, y=size * (1 - sp.cos(middle)), t=sp.sin(middle)),
        (by_sine, NOT_NEGATIVE),
        why="If the sine is positive, divide by it.",
    )
    together = close.under(le(sp.sin(middle), 0))
    jordan = close.lemma(
        TRIG_JORDAN.at(x=middle),
        (quarter, BEFORE, BEHIND),
        why="If the sine is 0, Jordan's inequality bounds the distance by 0.",
    )
    nothing = together.show(
        eq(alpha, 0),
        "So the distance to the key before is 0.",
        (jordan, BEFORE, BEHIND),
        by=rules.smt(),
    )
    same = together.rewrite(
        eq(sp.cos(u + alpha), sp.cos(u)),
        "So the logits of the key and the one before coincide.",
        nothing,
    )
    none = times(
        together,
        p.show(le(0, 1 - sp.cos(middle)), "A fall is not negative.", bounds),
        size,
        "Multiply this inequality by the amplitude, which is not negative.",
        NOT_NEGATIVE,
    )
    when_together = together.show(
        target, "So the lead is 0 at most, which the bound exceeds or equals.", (LEADS, same, none)
    )
    p.qed("In each of the three cases the bound holds.", when_far, positive, when_together)
