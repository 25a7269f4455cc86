"""Equal amplitudes on standard frequencies reach every lag of a long window."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, over_planes, theta
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE
from ropeproof.theory.topics.slash.game import game_bounds
from ropeproof.theory.topics.slash.game.game_bounds import reach

base = real("b")
plane, r, h = integer("p r h")
MEANINGS: Meanings = {
    **game_bounds.MEANINGS,
    j: "a lag",
    base: "base of the frequencies",
    plane: "a plane whose angle lies between 1 and π",
}
t = real("t")

# -- some angle lies between 1 and pi ----------------------------------------------------


def crossed(last: Term | int, low: int = 1) -> Formula:
    """Some angle lies between `low` and pi, up to this plane."""
    angle = t * theta(plane)
    return Some((plane,), Both(le(0, plane), le(plane, last), le(low, angle), le(angle, sp.pi)))


def _until(last: Term) -> Formula:
    return Either(crossed(last), lt(sp.pi, t * theta(last)))


A_PLANE = Hypothesis("there is a plane", le(1, m), without=where({m: 0}))
FIRST = Hypothesis("the first angle is at least 1", le(1, t * theta(0)))
LAST = Hypothesis("the last angle is at most pi", le(t * theta(m - 1), sp.pi))
SLOWLY = Hypothesis(
    "no angle falls by more than a factor pi",
    every(l, 0, m - 2, le(t * theta(l), sp.pi * (t * theta(l + 1)))),
)


@theorem(
    "slash.crossing",
    hypotheses=(A_PLANE, FIRST, LAST, SLOWLY),
    conclusion=crossed(m - 1),
    attack=Attack(
        {"between 2 and pi": crossed(m - 1, low=2)},
        without={
            FIRST: {m: 1, t: 1, theta(0): sp.Rational(1, 2)},
            LAST: {m: 1, t: 1, theta(0): 4},
            SLOWLY: {m: 2, t: 1, theta(0): 4, theta(1): sp.Rational(1, 2)},
        },
    ),
)
def SLASH_CROSSING(p: Proof) -> None:
    r"""Slowly falling angles pass between 1 and π

    If $t\theta_0\ge1$, $t\theta_{m-1}\le\pi$ and $\theta_l\le\pi\theta_{l+1}$, then some
    $t\theta_l$ lies in $[1,\pi]$.
    """
    near = p.under(le(t * theta(0), sp.pi)).witness(
        crossed(0), {plane: 0}, FIRST, why="If the first angle is at most pi, it is such an angle."
    )
    start = p.show(
        If(le(0, m - 1), _until(sp.Integer(0))), "Otherwise the first angle exceeds pi.", near
    )

    before = p.given(crossed(r), "Suppose that such an angle was found up to plane r.")
    kept = before.body().witness(
        crossed(r + 1), {plane: plane}, why="Then the same angle is one up to plane r + 1."
    )
    again = before.scope.choose(before, kept, "So such an angle is found up to plane r + 1.")

    planes = p.under(within(r, 0, m - 2))
    large = planes.under(lt(sp.pi, t * theta(r)))
    slow = planes.use(SLOWLY, why="The next angle is smaller by a factor of at most pi.")
    small = large.under(le(t * theta(r + 1), sp.pi))
    following = small.witness(
        crossed(r + 1),
        {plane: r + 1},
        slow,
        why="If the angle of plane r exceeds pi, the next is at least 1. If the next angle is at "
        "most pi, too, it is such an angle.",
    )
    upto = If(le(r, m - 1), _until(r))
    counted = p.under(le(0, r))
    step = counted.under(upto).show(
        If(le(r + 1, m - 1), _until(r + 1)),
        "Otherwise the next angle exceeds pi in its turn.",
        (again, following),
    )
    always = counted.induction(
        upto,
        r,
        0,
        start,
        step,
        why="By induction such an angle is found up to any plane, or the last angle exceeds pi.",
    )
    at_last = p.use(
        always, {r: m - 1}, A_PLANE, why="In particular this holds up to the last plane."
    )
    p.qed("As the last angle is at most pi, such an angle exists.", at_last, LAST)


# -- equal amplitudes --------------------------------------------------------------------

root = sp.log(base) / m
gain = 1 - sp.cos(1)
fall = 1 - sp.cos(theta(l) * j)

ABOVE_1 = Hypothesis(
    "the base is at least 1",
    le(1, base),
    idle="below 1 the frequencies do not fall and no lag but 1 is left, where theta_0 = 1",
)
STANDARD = Hypothesis("standard frequencies", every(l, 0, m - 1, eq(theta(l), sp.exp(-root * l))))
WINDOW = Hypothesis("the window is not too long", le(reach - 1, sp.exp(sp.log(base) - root)))
NEIGHBOURS = Hypothesis(
    "neighbouring frequencies are at most a factor pi apart", le(sp.log(base), m * sp.log(sp.pi))
)


@theorem(
    "slash.uniform",
    role="main result",
    needs="PCTXW",
    hypotheses=(A_PLANE, ABOVE_1, STANDARD, WINDOW, NEIGHBOURS),
    conclusion=every(j, 1, reach - 1, le(gain, over_planes(fall))),
    attack=Attack(
        {
            "twice as much": every(j, 1, reach - 1, le(2 * gain, over_planes(fall))),
            "also at lag N": every(j, 1, reach + 6, le(gain, over_planes(fall))),
        },
        without={
            A_PLANE: {m: 0, reach: 2},
            WINDOW: {m: 1, base: 3, reach: 8},
            NEIGHBOURS: {m: 2, base: 10000, reach: 45},
        },
    ),
)
def SLASH_UNIFORM(p: Proof) -> None:
    r"""A uniform head reaches every lag of a long window

    With $\theta_l=b^{-l/m}$, $b\ge1$, $N-1\le b^{1-1/m}$ and $m\ln\pi\ge\ln b$:
    $\sum_l(1-\cos\theta_lt)\ge1-\cos1$ for every $1\le t<N$.
    """
    lag = p.under(within(j, 1, reach - 1))
    pair = p.under(within(l, 0, m - 2))
    own = p.under(*INSIDE).use(STANDARD, why="The frequency of a plane is standard.")
    following = pair.use(
        STANDARD, {l: l + 1}, why="The frequency of the next plane is standard, smaller by b^(1/m)."
    )
    small = p.show(
        le(root, sp.log(sp.pi)),
        "The logarithm of b^(1/m) is at most that of pi.",
        (NEIGHBOURS, A_PLANE),
    )
    factor = exponentials(
        p, root, sp.log(sp.pi), "So the exponentials have this order, too.", small
    )
    slowly = pair.under(*lag.assuming).show(
        le(j * theta(l), sp.pi * (j * theta(l + 1))),
        "So no angle falls by more than a factor pi.",
        (own, following, factor),
    )
    all_slowly = slowly.for_all(l, why="This holds from every plane to the next.")

    at_last = p.use(
        STANDARD,
        {l: m - 1},
        A_PLANE,
        why="The last frequency is standard, the inverse of b^(1-1/m).",
    )
    last = lag.show(
        le(j * theta(m - 1), sp.pi),
        "So the last angle is at most pi.",
        (at_last, WINDOW, A_PLANE, ABOVE_1),
    )

    crossing = lag.apply(
        SLASH_CROSSING,
        (A_PLANE, STANDARD, last, all_slowly),
        why="The frequency of the first plane is standard. This frequency is 1, so the first "
        "angle is at least 1. So some angle lies between 1 and pi.",
    )
    found = crossing.body()
    cosine = found.apply(
        TRIG_COSINE_DECREASING.at(x=1), why="The cosine of this angle is at most cos 1."
    )
    term = p.show(le(0, fall), "The fall 1 - cos of a plane is not negative.")
    rest = (
        term.summed(l, 0, plane - 1, "So the sum of the falls before this plane is not negative."),
        term.summed(
            l, plane + 1, m - 1, "So the sum of the falls after this plane is not negative."
        ),
    )
    upto, before = sp.Sum(fall, (l, 0, plane)), sp.Sum(fall, (l, 0, plane - 1))
    cut = (
        found.split(over_planes(fall), plane, "Split the sum of the falls after this plane."),
        found.split(
            upto,
            plane - 1,
            "Split this plane's fall off the first part.",
            goal=eq(upto, before + 1 - sp.cos(theta(plane) * j)),
        ),
    )
    enough = found.show(
        le(gain, over_planes(fall)),
        "This plane alone falls by at least 1 - cos 1.",
        (cosine, rest, cut),
    )
    one = lag.choose(crossing, enough, "The bound holds, as such a plane exists.")
    one.for_all(j, why="This holds at every lag of the window.")
