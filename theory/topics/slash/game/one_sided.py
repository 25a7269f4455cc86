"""The game on a one-sided or unequal window, where phases matter.

At displacement e from the target, -B <= e <= C, the target's advantage in plane l is
cos(psi_l) - cos(theta_l e + psi_l), with psi_l the plane's angle at the target. Weights y on the
displacements meet it with the point (C_l, S_l) = sum_e y_e (1 - cos theta_l e, sin theta_l e) of
the plane; the best angle points at it, and its length is what the plane earns.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, m, over_planes, theta
from ropeproof.theory.library.trigonometry.cosine import TRIG_PROJECTION
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total
from ropeproof.theory.topics.slash.ceiling.amplitudes import SLASH_AMPLITUDES

low, high = integer("B C")
margin, upper = real("Gamma U")
p_x = real("p_x")
y, angle = real_function("y"), real_function("psi")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a lag, or a displacement",
    low: "displacements before the target",
    high: "displacements after the target",
    margin: "the margin, in logits",
    upper: "most that a plane earns against the weights",
    y: "weights of the displacements",
    angle: "angles of the planes at the target",
}


def over_window(term: Term) -> Term:
    """The sum of a term in `j` over the displacements."""
    return sp.Sum(term, (j, -low, high))


def _advantage(displacement: Term, size: Function = amplitude, turned: Function = angle) -> Term:
    """The target's logit minus that at a displacement, in a head of these amplitudes and angles."""
    return over_planes(size(l) * (sp.cos(turned(l)) - sp.cos(theta(l) * displacement + turned(l))))


def _keeps(least: Term, size: Function = amplitude, turned: Function = angle) -> Formula:
    """The head keeps this margin over every displacement but the target's own."""
    ahead = le(least, _advantage(j, size, turned))
    return Every((j,), If(Both(le(-low, j), le(j, high), ne(j, 0)), ahead))


COSINE = over_window(y(j) * (1 - sp.cos(theta(l) * j)))
SINE = over_window(y(j) * sp.sin(theta(l) * j))
meets = sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE  # the point along the plane's angle
weighted = over_window(y(j) * _advantage(j))
BY_PLANE = over_planes(amplitude(l) * meets)

HERE = Hypothesis(
    "the target is in the window",
    Both(le(0, low), le(0, high)),
    idle="outside its window the target is no displacement, and nothing changes",
)
SIGNS = Hypothesis("weights are not negative", every(j, -low, high, le(0, y(j))))
ELSEWHERE = Hypothesis("no weight lies on the target", eq(y(0), 0))
MASS = Hypothesis(
    "weights add up to 1",
    eq(over_window(y(j)), 1),
    without=where({m: 1, low: 0, high: 1, y(1): 0, y(0): 0}),
)


def _sees_planes(p: Proof) -> Fact:
    """sum_e y_e advantage(e) = sum_l A_l (C_l cos psi_l + S_l sin psi_l)."""
    term = sp.cos(angle(l)) - sp.cos(theta(l) * j + angle(l))
    nested = over_window(over_planes(y(j) * amplitude(l) * term))
    swap = p.swap(nested, "Exchange the sums over displacements and over planes.")
    return p.show(
        eq(weighted, BY_PLANE),
        "The average of the advantages is a double sum. By the addition theorem each plane "
        "meets the point (C_l, S_l) with its angle. Sum this equation over the planes. So "
        "the weights see the planes one by one.",
        swap,
    )


def _is_margin(p: Proof) -> Fact:
    return p.show(
        eq(over_window(y(j) * margin), margin * over_window(y(j))),
        "The average of the margin is the margin.",
    )


# -- weights bound every margin ----------------------------------------------------------

NOT_BELOW_0 = Hypothesis("U is not negative", le(0, upper))
BOUNDED = Hypothesis(
    "every plane earns at most U", every(l, 0, m - 1, le(COSINE**2 + SINE**2, upper**2))
)
WINS = Hypothesis("the margin", _keeps(margin))


@theorem(
    "slash.game-one-sided",
    role="main result",
    needs="PCX",
    hypotheses=(NOT_NEGATIVE, HERE, SIGNS, ELSEWHERE, MASS, NOT_BELOW_0, BOUNDED, WINS),
    conclusion=le(margin, upper * total()),
    attack=Attack(
        {
            "0.9 of it": le(margin, sp.Rational(9, 10) * upper * total()),
            "strict": lt(margin, upper * total()),
        },
        at={
            "0.9 of it": {
                **{m: 1, low: 0, high: 1, y(0): 0, y(1): 1},
                **{theta(0): 3, angle(0): 0, amplitude(0): 1},
                **{upper: 2, margin: sp.Rational(198, 100)},
            }
        },
        without={
            SIGNS: {
                **{m: 1, low: 0, high: 2, amplitude(0): 1},
                **{theta(0): sp.Rational(1, 2), angle(0): sp.Rational(132, 100)},
                **{y(0): 0, y(1): sp.Rational(3, 2), y(2): -sp.Rational(1, 2)},
                **{upper: sp.Rational(31, 100), margin: sp.Rational(49, 100)},
            },
            ELSEWHERE: {
                **{m: 1, low: 0, high: 1, y(0): sp.Rational(1, 2), y(1): sp.Rational(1, 2)},
                **{theta(0): 3, angle(0): 0, amplitude(0): 1},
                **{upper: 1, margin: sp.Rational(198, 100)},
            },
            NOT_BELOW_0: {upper: -2, m: 1},
        },
    ),
)
def SLASH_GAME_ONE_SIDED(p: Proof) -> None:
    r"""On any window weights on the displacements bound every head's margin

    Let a head of amplitude $A$, with any phases, keep the margin $\Gamma$ over every displacement
    $-B\le e\le C$, $e\ne0$, from its target. Then $\Gamma\le A\max_l|1-\sum_ey_ee^{\mathrm
    i\theta_le}|$ for any probabilities $y$ on the displacements. This is the upper half of a game.
    A head that reaches the bound of some weights is known by `slash.game-slackness`, and is then
    the best of its amplitude; by `slash.game-reached` the bound of the best weights is reached up
    to any factor below 1.
    """
    window, plane, at_target = p.under(within(j, -low, high)), p.under(*INSIDE), p.under(eq(j, 0))
    off_target = window.under(ne(j, 0))
    ahead = off_target.use(WINS, why="At a displacement other than 0 the target keeps its margin.")
    weight = window.use(SIGNS, why="The weight of a displacement is not negative.")
    share = le(y(j) * margin, y(j) * _advantage(j))
    elsewhere = off_target.show(
        share, "So there the weighted advantage is at least the weighted margin.", ahead, weight
    )
    same = at_target.given(eq(j, 0), "Suppose that the displacement is 0, the target's own.").image(
        y, "Then the weight is that of the target."
    )
    here = at_target.show(share, "There the weight is 0, so both sides are 0.", same, ELSEWHERE)
    average = window.show(
        share, "So the inequality holds at every displacement.", elsewhere, here
    ).summed(j, -low, high, "Sum this inequality over the displacements.")
    mean, seen = _is_margin(p), _sees_planes(p)

    square = p.lemma(
        TRIG_PROJECTION.at(p_x=COSINE, p_y=SINE, psi_0=angle(l)),
        why="The point's projection on any angle is at most its distance from the origin.",
    )
    root = p.under(le(p_x**2, upper**2)).show(
        le(p_x, upper), "A number whose square is at most U^2 is at most U.", NOT_BELOW_0
    )
    earns = plane.use(
        root,
        {p_x: meets},
        (square, BOUNDED),
        why="The point's distance from the origin is at most U. So the square of what the plane "
        "meets is at most U^2. So a plane earns at most U per unit of amplitude.",
    )
    planes = p.apply(
        SLASH_AMPLITUDES,
        (NOT_NEGATIVE, earns.for_all(l, why="This holds for every plane, whatever its phase.")),
        why="So all planes together earn at most U A.",
    )
    p.qed("As the weights sum to 1, the margin is at most U A.", average, mean, MASS, seen, planes)


# -- when a head is optimal --------------------------------------------------------------

EARNS = Hypothesis(
    "every plane with amplitude earns U",
    every(l, 0, m - 1, eq(amplitude(l) * meets, amplitude(l) * upper)),
)
TIGHT = Hypothesis(
    "weights lie where the margin is attained",
    every(j, -low, high, eq(y(j) * _advantage(j), y(j) * margin)),
)


# another head of the same amplitude
rival, rival_angle, rival_margin = real_function("A_rival"), real_function("psi_rival"), real("mu")
MEANINGS = {
    **MEANINGS,
    rival: shown_as("A′", "A'", "amplitudes of another head"),
    rival_angle: shown_as("ψ′", r"\psi'", "its angles at the target"),
    rival_margin: shown_as("Γ′", r"\Gamma'", "its margin, in logits"),
}
CERTIFICATE = Both(*(h.formula for h in (HERE, SIGNS, ELSEWHERE, NOT_BELOW_0, BOUNDED)))
A_RIVAL = Both(
    every(l, 0, m - 1, le(0, rival(l))),
    eq(over_planes(rival(l)), total()),
    _keeps(rival_margin, rival, rival_angle),
)
EARNED = eq(margin, upper * total())


def _best(given: Formula, ahead: Callable[..., Any] = le) -> Formula:
    """Under these conditions no other head of the same amplitude keeps more."""
    return Both(EARNED, If(Both(given, A_RIVAL), ahead(rival_margin, margin)))


_STILL = {y(0): 0, y(1): 1, amplitude(0): 1, theta(0): 0, angle(0): 0}  # a plane that stands
_RIVAL = {m: 1, low: 0, high: 1, **_STILL, margin: 0, upper: 0, rival(0): 1, rival_angle(0): 0}
_TWO = {m: 2, amplitude(1): 1, theta(1): 0, angle(1): 0, rival(1): 1, rival_angle(1): 0}
_FASTER = {amplitude(1): 0, angle(1): 0, theta(1): 1, rival(1): 1, rival_angle(1): 0}


@theorem(
    "slash.game-slackness",
    hypotheses=(MASS, EARNS, TIGHT),
    conclusion=_best(CERTIFICATE),
    conditions=(where({**_RIVAL, **_TWO, rival_margin: 0}),),
    attack=Attack(
        {
            "less": lt(margin, upper * total()),
            "one unit more": eq(margin, (upper + 1) * total()),
            "every other head keeps less": _best(CERTIFICATE, lt),
            "a plane may earn more than U": _best(Both(*CERTIFICATE.args[:-1])),
        },
        at={
            "one unit more": _RIVAL,
            "every other head keeps less": {**_RIVAL, rival_margin: 0},
            "a plane may earn more than U": {
                **{**_RIVAL, m: 2, rival(0): 0},
                **{**_FASTER, rival_margin: sp.Rational(2, 5)},
            },
        },
        without={EARNS: {m: 1, low: 0, high: 1, **_STILL, margin: 0, upper: 1}},
    ),
)
def SLASH_GAME_SLACKNESS(p: Proof) -> None:
    r"""When a head is optimal on a window

    Let weights $y$ on the displacements add up to 1. If a head's margin $\Gamma$ is attained
    wherever the weights lie, and every plane with amplitude earns the same $U$ against them,
    $\sum_ey_e[\cos\psi_l-\cos(\theta_le+\psi_l)]=U$, then $\Gamma=UA$. If moreover $y\ge0$,
    $y_0=0$, and no plane earns more than $U$ at any angle, $|\sum_ey_e(1-e^{\mathrm
    i\theta_le})|\le U$, then no other head of the amplitude $A$, whatever its angles, keeps a
    larger margin over every displacement $-B\le e\le C$, $e\ne0$ ($B,C\ge0$).
    """
    tight = p.under(within(j, -low, high)).use(
        TIGHT, why="The weights lie where the margin is attained."
    )
    average = tight.summed(
        j, -low, high, "Summed over the displacements, the average advantage is the average margin."
    )
    mean, seen = _is_margin(p), _sees_planes(p)
    earns = p.under(*INSIDE).use(EARNS, why="Each plane with amplitude earns U per unit of it.")
    planes = earns.summed(l, 0, m - 1, "Summed over the planes, they earn U A.")
    other = p.under(Both(CERTIFICATE, A_RIVAL))
    bound = other.lemma(
        SLASH_GAME_ONE_SIDED.at(A=rival, psi=rival_angle, Gamma=rival_margin),
        MASS,
        why="Let the weights be probabilities against which no plane earns more than U; take "
        "another head. No head keeps more than U times its amplitude against such weights.",
    )
    p.qed(
        "As the weights sum to 1, the margin is U A. Its amplitude is A, so it keeps no more "
        "than this head. So the margin is U A, and the best under these conditions.",
        (average, mean, MASS, seen, planes, bound),
    )
