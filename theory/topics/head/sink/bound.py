"""Weights on the lags bound what a query can guarantee to one token at every lag up to N.

Reflecting the window, t -> N + 1 - t, and taking the mean removes the phases: what is left of a
head is even about the middle (N + 1)/2 of the window, with a signed amplitude in each plane.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.cosine import TRIG_PROJECTION
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total

reach = integer("N")
guarantee, upper = real("Gamma U")
p_x = real("p_x")
y, share = real_function("y"), real_function("a")
MEANINGS: Meanings = {
    **NOTATION,
    amplitude: "amplitude of a plane",
    j: "a lag",
    l: "a content, or a plane",
    phase: "phase of a plane",
    reach: "number of lags",
    guarantee: "logit that the query guarantees at every lag",
    upper: "a bound of what the weights see of a plane",
    y: "weights on the lags",
    share: "signed shares of the amplitude, by plane",
}
middle = (reach + 1) / 2


def over_window(term: Term) -> Term:
    """The sum of a term in `j` over the lags from 1 to `reach`."""
    return sp.Sum(term, (j, 1, reach))


def centred(lag: Term) -> Term:
    """cos(theta_l (lag - (N+1)/2)): a plane's cosine about the middle of the window."""
    return sp.cos(theta(l) * (lag - middle))


def seen(weights: Callable[..., Term]) -> Term:
    """sum_t y_t cos(theta_l (t - (N+1)/2)): what the weights see of a plane."""
    return over_window(weights(j) * centred(j))


def even_logit(size: Callable[..., Term], lag: Term) -> Term:
    """sum_l a_l cos(theta_l (lag - (N+1)/2)), with signed a_l."""
    return over_planes(size(l) * centred(lag))


GUARANTEE = Hypothesis(
    "the query gives the token this logit at every lag",
    every(j, 1, reach, le(guarantee, cosine_logit(j))),
)
WEIGHTS = Hypothesis("weights are not negative", every(j, 1, reach, le(0, y(j))))
MASS = Hypothesis("weights add up to 1", eq(over_window(y(j)), 1))

# -- reflection --------------------------------------------------------------------------


def reflected(plane: Term) -> Term:
    """A_l cos(phi_l + theta_l (N+1)/2): the signed amplitude that the reflection leaves."""
    return (amplitude(l) * sp.cos(phase(l) + theta(l) * middle)).xreplace({l: plane})


KEPT = every(j, 1, reach, le(guarantee, even_logit(reflected, j)))
NO_MORE = every(l, 0, m - 1, le(sp.Abs(reflected(l)), amplitude(l)))
_ONE: Values = {m: 1, reach: 2, theta(0): 1, amplitude(0): 1, phase(0): -sp.Rational(3, 2)}


@theorem(
    "head.sink-reflection",
    hypotheses=(NOT_NEGATIVE, GUARANTEE),
    conclusion=Both(KEPT, NO_MORE),
    attack=Attack(
        {
            "about N/2": every(
                j,
                1,
                reach,
                le(guarantee, over_planes(reflected(l) * sp.cos(theta(l) * (j - reach / 2)))),
            ),
            "with the same amplitudes": every(j, 1, reach, lt(even_logit(amplitude, j), guarantee)),
            "with half of them": every(l, 0, m - 1, le(sp.Abs(reflected(l)), amplitude(l) / 2)),
        },
        at={
            "about N/2": {**_ONE, theta(0): 2, phase(0): -3, guarantee: sp.Rational(54, 100)},
            "with the same amplitudes": {**_ONE, guarantee: sp.Rational(87, 100)},
            "with half of them": {**_ONE, guarantee: sp.Rational(87, 100)},
        },
        without={
            NOT_NEGATIVE: {**_ONE, amplitude(0): -1, guarantee: -1},
            GUARANTEE: {**_ONE, guarantee: 2},
        },
    ),
)
def HEAD_SINK_REFLECTION(p: Proof) -> None:
    r"""What any head guarantees on a window, a head without phases does

    If $\sum_lA_l\cos(\theta_lt+\varphi_l)\ge\Gamma$ at every lag $1\le t\le N$, then also
    $\sum_la_l\cos\theta_l(t-\frac{N+1}2)\ge\Gamma$ there, with the signed amplitudes
    $a_l=A_l\cos(\varphi_l+\theta_l\frac{N+1}2)$, $|a_l|\le A_l$: the mean of the logit and of its
    reflection $t\mapsto N+1-t$. So the best guarantee needs no phases but signs.
    """
    window, plane = p.under(within(j, 1, reach)), p.under(*INSIDE)
    here = window.use(GUARANTEE, {j: j}, why="The guarantee holds at the lag t.")
    there = window.use(
        GUARANTEE, {j: reach + 1 - j}, why="The guarantee holds at the reflected lag N + 1 - t."
    )
    mean = p.show(
        eq(cosine_logit(j) + cosine_logit(reach + 1 - j), 2 * even_logit(reflected, j)),
        "In each plane the two cosines add up to twice the one about the middle.",
    )
    even = window.show(
        le(guarantee, even_logit(reflected, j)),
        "So the mean of both logits is at least the guarantee.",
        here,
        there,
        mean,
    ).for_all(j, why="This holds at every lag of the window.")
    own = plane.use(NOT_NEGATIVE, why="The amplitude of each plane is not negative.")
    size = plane.show(
        le(sp.Abs(reflected(l)), amplitude(l)),
        "As a cosine is at most 1 in size, the signed amplitude is at most the amplitude.",
        own,
    ).for_all(l, why="This holds in every plane.")
    p.qed("These are the guarantee and the sizes of the signed amplitudes.", even, size)


# -- weights bound every guarantee ---------------------------------------------------------

SEEN = Hypothesis("no plane is seen above U", every(l, 0, m - 1, le(sp.Abs(seen(y)), upper)))
_WEIGHED: Values = {
    **{m: 1, reach: 2, theta(0): 1, amplitude(0): 1, phase(0): -sp.Rational(3, 2)},
    **{y(1): sp.Rational(1, 2), y(2): sp.Rational(1, 2)},
    **{upper: sp.Rational(88, 100), guarantee: sp.Rational(87, 100)},
}


@theorem(
    "head.sink-even-bound",
    hypotheses=(NOT_NEGATIVE, WEIGHTS, MASS, SEEN, GUARANTEE),
    conclusion=le(guarantee, upper * total()),
    attack=Attack(
        {
            "0.9 of it": le(guarantee, sp.Rational(9, 10) * upper * total()),
            "strict": lt(guarantee, upper * total()),
        },
        at={
            "0.9 of it": _WEIGHED,
            "strict": {**_WEIGHED, theta(0): 0, phase(0): 0, upper: 1, guarantee: 1},
        },
        without={
            NOT_NEGATIVE: {**_WEIGHED, amplitude(0): -1, phase(0): sp.Rational(164, 100)},
            WEIGHTS: {
                **{m: 1, reach: 3, theta(0): 1, amplitude(0): 1, phase(0): -2},
                **{y(1): 1, y(2): -1, y(3): 1, upper: sp.Rational(9, 100)},
                **{guarantee: sp.Rational(1, 2)},
            },
            MASS: {**_WEIGHED, y(1): 0, y(2): 0, upper: 0},
            SEEN: {**_WEIGHED, upper: 0},
            GUARANTEE: {**_WEIGHED, guarantee: 2},
        },
    ),
)
def HEAD_SINK_EVEN_BOUND(p: Proof) -> None:
    r"""Weights on the lags bound every guarantee, plane by plane about the middle

    If a head of amplitude $A$, with any phases, gives a token a logit of at least $\Gamma$ at every
    lag $1\le t\le N$, then $\Gamma\le A\max_l|\sum_ty_t\cos\theta_l(t-\frac{N+1}2)|$ for any
    probabilities $y_1,\dots,y_N$.
    """
    window, plane = p.under(within(j, 1, reach)), p.under(*INSIDE)
    even = p.apply(
        HEAD_SINK_REFLECTION,
        (NOT_NEGATIVE, GUARANTEE),
        why="The head without phases keeps the same guarantee.",
    )
    there = window.use(
        p.show(KEPT, "Its logit is at least the guarantee at every lag.", even),
        why="So it keeps the guarantee at this lag.",
    )
    weight = window.use(WEIGHTS, why="The weight of a lag is not negative.")
    average = window.show(
        le(y(j) * guarantee, y(j) * even_logit(reflected, j)),
        "So the weighted logit is at least the weighted guarantee.",
        there,
        weight,
    ).summed(j, 1, reach, "Sum this inequality over the lags.")
    mean = p.show(
        eq(over_window(y(j) * guarantee), guarantee * over_window(y(j))),
        "The guarantee is a common factor of its weighted sum.",
    )
    nested = over_window(over_planes(y(j) * reflected(l) * centred(j)))
    double = p.show(
        eq(over_window(y(j) * even_logit(reflected, j)), nested),
        "The weighted sum of the logits is a double sum.",
    )
    swap = p.swap(nested, "Exchange the sums over lags and over planes.")
    by_plane = p.show(
        eq(swap.formula.rhs, over_planes(reflected(l) * seen(y))),
        "So it is a sum over the planes of what the weights see of each.",
    )
    own = plane.use(NOT_NEGATIVE, why="The amplitude of each plane is not negative.")
    bounded = plane.use(SEEN, why="The weights see no plane above U.")
    earns = plane.show(
        le(sp.cos(phase(l) + theta(l) * middle) * seen(y), upper),
        "As a cosine is at most 1 in size, a plane gives at most U per unit of amplitude.",
        bounded,
    )
    planes = plane.show(
        le(reflected(l) * seen(y), upper * amplitude(l)),
        "Multiply by the amplitude, which is not negative.",
        own,
        earns,
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")
    whole = p.show(
        eq(over_planes(upper * amplitude(l)), upper * total()),
        "The factor U is common to all planes.",
    )
    p.qed(
        "As the weights sum to 1, the guarantee is at most U A.",
        (average, mean, MASS, double, swap, by_plane, planes, whole),
    )


COSINE = over_window(y(j) * sp.cos(theta(l) * j))
SINE = over_window(y(j) * sp.sin(theta(l) * j))
NOT_BELOW_0 = Hypothesis("U is not negative", le(0, upper))
BOUNDED = Hypothesis(
    "the weights see no plane above U", every(l, 0, m - 1, le(COSINE**2 + SINE**2, upper**2))
)


@theorem(
    "head.sink-bound",
    hypotheses=(NOT_NEGATIVE, WEIGHTS, MASS, NOT_BELOW_0, BOUNDED, GUARANTEE),
    conclusion=le(guarantee, upper * total()),
    attack=Attack(
        {
            "0.9 of it": le(guarantee, sp.Rational(9, 10) * upper * total()),
            "strict": lt(guarantee, upper * total()),
        },
        at={
            "0.9 of it": _WEIGHED,
            "strict": {**_WEIGHED, theta(0): 0, phase(0): 0, upper: 1, guarantee: 1},
        },
        without={
            NOT_NEGATIVE: {**_WEIGHED, amplitude(0): -1, phase(0): sp.Rational(164, 100)},
            WEIGHTS: {
                **{m: 1, reach: 3, theta(0): 1, amplitude(0): 1, phase(0): -2},
                **{y(1): 1, y(2): -1, y(3): 1, upper: sp.Rational(9, 100)},
                **{guarantee: sp.Rational(1, 2)},
            },
            MASS: {**_WEIGHED, y(1): 0, y(2): 0, upper: 0},
            NOT_BELOW_0: {**_WEIGHED, upper: -1},
            BOUNDED: {**_WEIGHED, upper: 0},
            GUARANTEE: {**_WEIGHED, guarantee: 2},
        },
    ),
)
def HEAD_SINK_BOUND(p: Proof) -> None:
    r"""Weights on the lags bound what any query can guarantee to one token

    If a head of amplitude $A$, with any phases, gives a token a logit of at least $\Gamma$ at every
    lag $1\le t\le N$, then $\Gamma\le A\max_l|\sum_ty_te^{\mathrm i\theta_lt}|$ for any
    probabilities $y_1,\dots,y_N$.
    """
    plane = p.under(*INSIDE)
    turned = p.show(
        eq(seen(y), COSINE * sp.cos(theta(l) * middle) + SINE * sp.sin(theta(l) * middle)),
        "About the middle the weights see the point (C_l, S_l) along the angle of the middle.",
    )
    square = p.lemma(
        TRIG_PROJECTION.at(p_x=COSINE, p_y=SINE, psi_0=theta(l) * middle),
        why="Along any angle the point reaches at most its distance from the origin.",
    )
    root = p.under(le(p_x**2, upper**2)).show(
        le(sp.Abs(p_x), upper), "A number whose square is at most U^2 is at most U.", NOT_BELOW_0
    )
    size = plane.use(
        root,
        {p_x: square.formula.lhs.base},
        (square, BOUNDED),
        why="The distance of the point from the origin is at most U. So the square of what it "
        "reaches is at most U^2. So what the point reaches is at most U in size.",
    )
    near = plane.show(
        le(sp.Abs(seen(y)), upper), "So about the middle no plane is seen above U.", turned, size
    ).for_all(l, why="This holds in every plane.")
    p.apply(
        HEAD_SINK_EVEN_BOUND,
        (NOT_NEGATIVE, WEIGHTS, MASS, near, GUARANTEE),
        why="So the guarantee is at most U A.",
        goal=p.goal,
    )
