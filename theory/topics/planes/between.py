"""A key between two others on a circle: by how much a query can prefer it to both."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.library.trigonometry.jordan import TRIG_JORDAN
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

x, y, t, alpha, beta, least, size, u = real("x y t alpha beta mu A u")
middle, lean = (alpha + beta) / 2, (alpha - beta) / 2

NOT_NEGATIVE = Hypothesis("the amplitude is not negative", le(0, size))
BEFORE = Hypothesis("the key before is not behind", le(0, alpha))
BEHIND = Hypothesis("the key behind is not before", le(0, beta))
A_TURN = Hypothesis("the two are at most a turn apart", le(alpha + beta, 2 * sp.pi))
LEADS = Hypothesis(
    "the key leads the one before", le(least, size * (sp.cos(u) - sp.cos(u + alpha)))
)
LEADS_TOO = Hypothesis("and the one behind", le(least, size * (sp.cos(u) - sp.cos(u - beta))))

_BETWEEN = Claim(
    id="planes.between",
    title="A key leads the better of its two neighbours by no more than their distance allows",
    statement=(
        r"On one circle a key with neighbours at angles $\alpha$ before and $\beta$ behind it, "
        r"$\alpha+\beta\le2\pi$, leads both by at most $A(1-\cos\frac{\alpha+\beta}2)$, whichever "
        r"the query of amplitude $A\ge0$."
    ),
    needs=frozenset("PX"),
    hypotheses=(NOT_NEGATIVE, BEFORE, BEHIND, A_TURN, LEADS, LEADS_TOO),
    conclusion=le(least, size * (1 - sp.cos(middle))),
)


def _quarter(scope: Scope, angle: Any, *premises: Premise) -> Fact:
    """The sine and the cosine of an angle in the first quarter are not negative."""
    inside = scope.show(
        within(angle, 0, sp.pi / 2), "Half of it is at most a right angle,", *premises
    )
    sine = scope.lemma(TRIG_JORDAN, {x: angle}, inside, why="so its sine is not negative,")
    cosine = scope.lemma(
        TRIG_JORDAN,
        {x: sp.pi / 2 - angle},
        inside,
        why="nor is its cosine,",
        goal=le(2 * (sp.pi / 2 - angle), sp.pi * kept(sp.sin, sp.pi / 2 - angle)),
    )
    same = scope.show(eq(kept(sp.sin, sp.pi / 2 - angle), sp.cos(angle)), "the sine of the rest.")
    return scope.show(
        Both(le(0, sp.sin(angle)), le(0, sp.cos(angle))), "So", inside, sine, cosine, same
    )


def _between(p: Proof) -> None:
    one, other = sp.cos(u + alpha), sp.cos(u - beta)
    target = p.goal
    bounds = p.show(
        Both(*(within(sp.cos(a), -1, 1) for a in (u, u + lean, middle, lean))),
        "Cosines lie between -1 and 1.",
        by=rules.smt(),
    )
    # far apart: the plain mean of the two
    far = p.under(le(sp.cos(middle), 0))
    mean = p.show(
        eq(one + other, 2 * sp.cos(u + lean) * sp.cos(middle)), "The two add up to a product,"
    )
    turned = times(
        far,
        p.show(le(-1 * sp.cos(u + lean), 1), "of which one factor is at least -1", bounds),
        -sp.cos(middle),
        "and the other is not positive, if they are far apart:",
    )
    falls = far.show(
        le(2 * sp.cos(u) - one - other, 2 * (1 - sp.cos(middle))),
        "then the mean of both falls is at most that;",
        (mean, turned, bounds),
    )
    scaled = times(far, falls, size, "times the amplitude,", NOT_NEGATIVE)
    when_far = far.show(target, "it bounds the lead.", scaled, LEADS, LEADS_TOO)

    # close: the foot of the height over the chord of the two
    close = p.under(lt(0, sp.cos(middle)))
    otherwise = p.under(lt(sp.pi / 2, middle)).lemma(
        TRIG_COSINE_DECREASING,
        {x: sp.pi / 2, y: middle},
        A_TURN,
        why="If they are close, half their distance",
        goal=le(sp.cos(middle), kept(sp.cos, sp.pi / 2)),
    )
    right = p.show(eq(kept(sp.cos, sp.pi / 2), 0), "has a positive cosine,")
    quarter = close.show(le(middle, sp.pi / 2), "so it is at most a right angle.", otherwise, right)
    signs = [
        _quarter(close, angle, quarter, BEFORE, BEHIND) for angle in (alpha / 2, beta / 2, middle)
    ]
    first, second = sp.sin(beta / 2) * sp.cos(alpha / 2), sp.sin(alpha / 2) * sp.cos(beta / 2)
    foot = p.show(
        eq(
            first * (sp.cos(u) - one) + second * (sp.cos(u) - other),
            sp.sin(middle) * (2 * sp.sin(alpha / 2) * sp.sin(beta / 2)) * sp.cos(u + lean),
        ),
        "Weigh the two leads:",
    )
    whole = p.show(eq(first + second, sp.sin(middle)), "the weights add up to a sine,")
    height = p.show(
        eq(2 * sp.sin(alpha / 2) * sp.sin(beta / 2), sp.cos(lean) - sp.cos(middle)),
        "and the product of the other two is at most 1 - cos:",
    )
    high = close.show(
        within(2 * sp.sin(alpha / 2) * sp.sin(beta / 2), 0, 1 - sp.cos(middle)),
        "it is not negative either,",
        (height, bounds, signs),
    )
    weights = close.show(Both(le(0, first), le(0, second)), "nor are the weights.", signs)
    lead = close.show(
        le(
            sp.sin(middle) * least,
            size * (first * (sp.cos(u) - one) + second * (sp.cos(u) - other)),
        ),
        "So the leads, weighed,",
        (
            times(close, LEADS, first, "the one", weights),
            times(close, LEADS_TOO, second, "and the other,", weights),
            whole,
        ),
    )
    wave = times(
        close,
        p.show(le(sp.cos(u + lean), 1), "a cosine being at most 1,", bounds),
        2 * sp.sin(alpha / 2) * sp.sin(beta / 2),
        "are at most the height",
        high,
    )
    fallen = close.show(
        le(2 * sp.sin(alpha / 2) * sp.sin(beta / 2) * sp.cos(u + lean), 1 - sp.cos(middle)),
        "of the key over the chord of its neighbours,",
        (wave, high),
    )
    area = times(close, fallen, size * sp.sin(middle), "times the sine,", NOT_NEGATIVE, signs)
    same_foot = foot.image(lambda side: size * side, "by the foot")
    by_sine = close.chain(lead, same_foot, area, why="which is common to both sides:")
    positive = close.under(lt(0, sp.sin(middle))).lemma(
        SLASH_CANCEL,
        {x: least, y: size * (1 - sp.cos(middle)), t: sp.sin(middle)},
        (by_sine, NOT_NEGATIVE),
        why="cancel it, if it is positive.",
        goal=target,
    )
    together = close.under(le(sp.sin(middle), 0))
    jordan = close.lemma(TRIG_JORDAN, {x: middle}, quarter, BEFORE, BEHIND, why="If it is 0,")
    nothing = together.show(
        eq(alpha, 0), "the three keys coincide,", (jordan, BEFORE, BEHIND), by=rules.smt()
    )
    same = together.rewrite(eq(sp.cos(u + alpha), sp.cos(u)), "and so do logits:", nothing)
    none = times(
        together, p.show(le(0, 1 - sp.cos(middle)), "there is", bounds), size, "no", NOT_NEGATIVE
    )
    when_together = together.show(target, "lead.", (LEADS, same, none))
    p.qed("In every case.", when_far, positive, when_together)


_example = {size: 1, alpha: 1, beta: 1, u: 0, least: sp.Rational(2, 5)}

PLANES_BETWEEN = prove(
    _BETWEEN,
    _between,
    Attack(
        {
            "of the whole distance": le(least, size * (1 - sp.cos(middle / 2))),
            "nothing": le(least, 0),
        },
        at={"of the whole distance": _example, "nothing": _example},
        without={NOT_NEGATIVE: {size: -1, alpha: 1, beta: 1, u: 0, least: -1}},
    ),
)

CLAIMS = (PLANES_BETWEEN,)
