"""A few spaced planes hold a margin at every lag of a long window.

At any lag the slowest plane that has turned by 1 counts together with the one before it.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, l, m, over_planes, t, theta
from ropeproof.theory.library.sums.terms import SUMS_MEMBER, SUMS_TWO_MEMBERS
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.spaced.uniform import SLASH_CROSSING

x, y = real("x y")
k, chosen = integer("k K")
spaced = integer_function("nu")
floor = real("A_low")
MEANINGS: Meanings = {
    **NOTATION,
    x: "a number",
    y: "a number",
    k: "an index",
    chosen: "number of spaced planes",
    spaced: "the spaced planes, the fastest first",
    floor: "least amplitude of a spaced plane",
}
credit = 3 * (1 - sp.cos(1))
half_more, thrice = sp.Rational(3, 2), sp.Integer(3)

# -- two neighbours ----------------------------------------------------------------------

X_FROM_1 = Hypothesis("the slower plane turns by 1 at least", le(1, x))
X_TO_PI = Hypothesis("and by half a turn at most", le(x, sp.pi))
RATIO = Hypothesis("the faster one turns 3/2 to 3 times as far", within(y, half_more, thrice))
both = (1 - sp.cos(x)) + (1 - sp.cos(x * y))


@theorem(
    "slash.neighbours",
    hypotheses=(X_FROM_1, X_TO_PI, RATIO),
    conclusion=le(credit, both),
    attack=Attack(
        {
            "a hundredth more": le(credit + sp.Rational(1, 100), both),
            "the faster one alone": le(credit, 1 - sp.cos(x * y)),
            "the slower one alone": le(credit, 1 - sp.cos(x)),
        },
        at={
            "a hundredth more": {x: 1, y: half_more},
            "the faster one alone": {x: 2, y: 3},
            "the slower one alone": {x: 1, y: 2},
        },
        without={
            X_FROM_1: {x: sp.Rational(1, 2), y: 2},
            X_TO_PI: {x: 6, y: 2},
            RATIO: {x: 1, y: 6},
        },
    ),
)
def SLASH_NEIGHBOURS(p: Proof) -> None:
    r"""Of two planes a factor 3/2 to 3 apart one has always fallen

    $(1-\cos x)+(1-\cos xy)\ge3(1-\cos1)=1.379\dots$ for $1\le x\le\pi$, $\frac32\le y\le3$.
    """
    near, far = p.under(le(x, 2)), p.under(le(2, x))
    first = near.show(
        p.goal, "Up to x = 2 the bound holds on every small cell of the box.", X_FROM_1, near.given(le(x, 2)),
        RATIO, by=rules.ball(),
    )  # fmt: skip
    up_to = far.show(
        within(x, 2, sp.Rational(22, 7)),
        "In the other case x lies between 2 and 22/7.",
        (far.given(le(2, x)), X_TO_PI),
    )
    low = far.show(
        le(sp.cos(x), -sp.Rational(2, 5)),
        "There the slower plane has a cosine of at most -0.4.",
        up_to,
        by=rules.ball(),
    )
    small = p.show(
        le(credit, sp.Rational(7, 5)), "The bound 3(1 - cos 1) is at most 1.4.", by=rules.ball()
    )
    second = far.show(
        p.goal,
        "The fall 1 - cos of the faster plane is not negative. So the slower plane alone "
        "falls by at least 1.4.",
        (low, small),
    )
    p.qed("So the bound holds for all x between 1 and pi.", first, second)


# -- spaced planes of any frequencies -----------------------------------------------------

PLANES = Hypothesis("there is a spaced plane", le(1, chosen))
CHOSEN = Hypothesis(
    "spaced planes are planes", every(k, 0, chosen - 1, within(spaced(k), 0, m - 1))
)
FLOOR = Hypothesis(
    "every spaced plane has some amplitude",
    every(k, 0, chosen - 1, le(floor, amplitude(spaced(k)))),
)
TREBLE = Hypothesis("the first has three times as much", le(3 * floor, amplitude(spaced(0))))
UNIT = Hypothesis("the first has frequency 1", eq(theta(spaced(0)), 1))
RATIOS = Hypothesis(
    "each is 3/2 to 3 times as fast as the next",
    every(
        k,
        0,
        chosen - 2,
        within(theta(spaced(k)), half_more * theta(spaced(k + 1)), thrice * theta(spaced(k + 1))),
    ),
)
APART = Hypothesis("the lag is at least 1", le(1, t))
SLOWEST = Hypothesis(
    "the last turns by half a turn at most", le(t * theta(spaced(chosen - 1)), sp.pi)
)
fall = 1 - sp.cos(theta(l) * t)
falls = over_planes(amplitude(l) * fall)


def _fallen(number: Term | int) -> Term:
    """The fall of a spaced plane, by its number."""
    return 1 - sp.cos(theta(spaced(number)) * t)


def _alone(p: Proof, here: Scope, terms: Fact) -> Fact:
    """If the first spaced plane lies between 1 and pi, it falls enough by itself."""
    is_first = here.given(eq(k, 0), "Suppose that this plane is the first one.")
    same = here.rewrite(
        eq(theta(spaced(k)), theta(spaced(0))),
        "Then its frequency is that of the first spaced plane.",
        is_first,
    )
    lag = here.show(
        within(t, 1, sp.pi),
        "The angle of this plane lies between 1 and pi. As the first frequency is 1, the lag "
        "itself lies between 1 and pi.",
        (same, UNIT),
    )
    cosine = falling_cosine(here, sp.Integer(1), t, "The cosine of the lag is at most cos 1.", lag)
    place = p.use(CHOSEN, {k: 0}, PLANES, why="The first spaced plane is one of the planes.")
    size = p.use(
        NOT_NEGATIVE, place, why="The amplitude of the first spaced plane is not negative."
    )
    unit = p.rewrite(
        eq(sp.cos(theta(spaced(0)) * t), sp.cos(t)),
        "As its frequency is 1, its cosine is that of the lag.",
        UNIT,
    )
    in_sum = p.apply(
        SUMS_MEMBER,
        (terms, place),
        why="The term of this plane is at most the sum over all planes.",
    )
    return here.show(
        p.goal,
        "The number 1 - cos 1 is not negative. As its amplitude is at least 3 A_-, its fall "
        "at 1 is at least the bound. At this lag the plane falls by at least as much as at "
        "1. So the first spaced plane alone holds the margin.",
        (TREBLE, cosine, unit, size, in_sum),
    )


def _pair(p: Proof, here: Scope, terms: Fact, no_less: Fact) -> Fact:
    """If another one does, it falls enough together with the one before it."""
    own, before = theta(spaced(k)), theta(spaced(k - 1))
    ratio = here.use(
        RATIOS,
        {k: k - 1},
        why="If this plane is not the first, one stands before it, 3/2 to 3 times as fast.",
    )
    turned = kept(sp.Mul, t * own, frac(before, own))
    neighbours = here.apply(
        SLASH_NEIGHBOURS.at(y=before / own),
        (ratio, APART),
        why="The angle of this plane lies between 1 and pi. So its frequency is positive. So the "
        "ratio of the two frequencies lies between 3/2 and 3. So the two planes together "
        "fall by at least 3(1 - cos 1).",
        goal=le(credit, (1 - sp.cos(t * own)) + (1 - kept(sp.cos, turned))),
    )
    place = here.use(CHOSEN, why="This spaced plane is one of the planes.")
    place_before = here.use(CHOSEN, {k: k - 1}, why="The one before it is one of the planes, too.")
    one = here.under(eq(spaced(k - 1), spaced(k)))
    if_one = one.given(eq(spaced(k - 1), spaced(k)), "Suppose that both are the same plane.")
    if_same = one.rewrite(eq(before, own), "Then both have the same frequency.", if_one)
    differ = here.show(
        ne(spaced(k - 1), spaced(k)),
        "As their frequencies differ, they are two planes.",
        (if_same, ratio, APART),
    )
    in_sum = here.apply(
        SUMS_TWO_MEMBERS,
        (terms, place, place_before, differ),
        why="Their two terms together are at most the sum over all planes.",
    )
    large = here.use(FLOOR, why="The amplitude of this plane is at least A_-.")
    large_before = here.use(
        FLOOR, {k: k - 1}, why="The amplitude of the one before it is at least A_-."
    )
    falls_each = [
        p.show(le(0, _fallen(number)), why)
        for number, why in (
            (k, "The fall 1 - cos of this plane is not negative."),
            (k - 1, "The fall 1 - cos of the one before it is not negative."),
        )
    ]
    parts = [
        here.show(
            le(floor * _fallen(number), amplitude(spaced(number)) * _fallen(number)), why, some
        )
        for number, why, some in (
            (k, "So A_- times the fall of this plane is at most its term.", (large, falls_each[0])),
            (
                k - 1,
                "So A_- times the fall of the one before it is at most its term.",
                (large_before, falls_each[1]),
            ),
        )
    ]
    high, low = here.under(le(0, floor)), here.under(lt(floor, 0))
    enough = high.show(
        p.goal,
        "The angle of the faster plane is its frequency times the lag. So its cosine is that "
        "of this angle. So the falls of the two spaced planes sum to at least 3(1 - cos 1). "
        "If A_- is not negative, multiply the bound of the falls by it. So the planes hold "
        "the margin.",
        (neighbours, APART, parts, in_sum),
    )
    nothing = low.show(
        p.goal,
        "The number 1 - cos 1 is not negative. If A_- is negative, the bound is not "
        "positive. So the planes hold the margin, as their sum is not negative.",
        no_less,
    )
    return here.show(
        p.goal, "So the two spaced planes hold the margin in either case.", enough, nothing
    )


_TWO: Values = {
    **{m: 2, chosen: 2, spaced(0): 0, spaced(1): 1, floor: 1, amplitude(0): 3, amplitude(1): 1},
    **{theta(0): 1, theta(1): frac(1, 3)},
}
_ONE: Values = {m: 1, chosen: 1, spaced(0): 0, floor: 1, amplitude(0): 3, theta(0): 1}


@theorem(
    "slash.spaced",
    role="main result",
    hypotheses=(
        NOT_NEGATIVE, PLANES, CHOSEN, FLOOR, TREBLE, UNIT, RATIOS, APART, SLOWEST,
    ),
    conclusion=le(credit * floor, falls),
    attack=Attack(
        {
            "four times": le(4 * (1 - sp.cos(1)) * floor, falls),
            "the first plane alone": le(credit * floor, amplitude(spaced(0)) * _fallen(0)),
        },
        at={"four times": {**_TWO, t: 1}, "the first plane alone": {**_TWO, t: 6}},
        without={
            NOT_NEGATIVE: {**_TWO, chosen: 1, amplitude(1): -10, theta(1): 1, t: 1},
            PLANES: {**_ONE, m: 0, chosen: 0, spaced(-1): 0, t: 1},
            CHOSEN: {**_ONE, m: 0, t: 1},
            FLOOR: {**_TWO, amplitude(1): 0, t: 6},
            TREBLE: {**_TWO, amplitude(0): 1, t: 1},
            UNIT: {**_ONE, theta(0): frac(1, 2), t: 1},
            RATIOS: {**_TWO, theta(1): frac(1, 6), t: 6},
            APART: {**_ONE, t: frac(1, 2)},
            SLOWEST: {**_ONE, t: 6},
        },
    ),
)  # fmt: skip
def SLASH_SPACED(p: Proof) -> None:
    r"""Few spaced planes hold a margin at every lag of a long window

    Let planes $\nu_0,\dots,\nu_{K-1}$ have amplitudes $A_{\nu_k}\ge A_-$, the first
    $A_{\nu_0}\ge3A_-$ and $\theta_{\nu_0}=1$, each $\frac32$ to 3 times as fast as the next; all
    other planes may have any amplitudes $A_l\ge0$. Then
    $\sum_lA_l(1-\cos\theta_lt)\ge3(1-\cos1)A_-$ at every real $t\ge1$ with
    $\theta_{\nu_{K-1}}t\le\pi$.
    """
    step = p.under(within(l, 0, chosen - 2))
    ratio = step.use(RATIOS, why="A spaced plane is at most 3 times as fast as the next.")
    next_positive = step.show(
        le(0, theta(spaced(l + 1))), "So the frequency of the next plane is not negative.", ratio
    )
    slowly = step.show(
        le(t * theta(spaced(l)), sp.pi * (t * theta(spaced(l + 1)))),
        "So no angle falls by more than a factor pi from plane to plane.",
        (ratio, next_positive, APART),
    )
    turning = {"theta": sp.Lambda(l, theta(spaced(l))), "m": chosen}
    angle = t * theta(spaced(k))
    some = Some((k,), Both(le(0, k), le(k, chosen - 1), le(1, angle), le(angle, sp.pi)))
    crossing = p.lemma(
        SLASH_CROSSING.at(**turning, t=t),
        (PLANES, UNIT, APART, slowly.for_all(l), SLOWEST),
        why="The angle of the first spaced plane is at least 1. So one of these angles lies "
        "between 1 and pi.",
        goal=some,
    )
    plane = p.under(within(l, 0, m - 1))
    size = plane.use(NOT_NEGATIVE, why="The amplitude of a plane is not negative.")
    term = plane.show(
        le(0, amplitude(l) * fall),
        "The fall 1 - cos of a plane is not negative. So the term of a plane is not negative.",
        size,
    )
    terms = term.for_all(l)
    no_less = term.summed(l, 0, m - 1, "So the sum of the terms is not negative.")
    here = crossing.body()
    alone = _alone(p, here.under(eq(k, 0)), terms)
    pair = _pair(p, here.under(le(1, k)), terms, no_less)
    either = here.show(p.goal, "In both cases the planes hold the margin.", alone, pair)
    p.choose(crossing, either, "The claim holds, as such a spaced plane exists.")
