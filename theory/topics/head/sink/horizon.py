"""The best guarantee of a logit at every lag up to N: the value of a linear programme."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.duality import packing
from ropeproof.theory.library.duality.minimax_signed import DUALITY_MINIMAX_SIGNED
from ropeproof.theory.topics.head.sink.bound import (
    GUARANTEE,
    HEAD_SINK_EVEN_BOUND,
    MASS,
    centred,
    even_logit,
    guarantee,
    middle,
    over_window,
    reach,
    seen,
    share,
    upper,
    y,
)
from ropeproof.theory.topics.head.sink.uniform import A_LAG
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total

h = integer("h")
v = real("v")
dual = real_function("z")
A_PLANE = Hypothesis("there is a plane", le(1, m))
spent = over_planes(sp.Abs(share(l)))  # the amplitude of the signed shares


@named("phi*_{}", r"\varphi^*_{{}}", "phase of the best head's plane", l)
def best_phase(plane: Any) -> Any:
    """The phase with which a plane of amplitude |a_l| is a_l cos(theta_l (t - (N+1)/2))."""
    return (sp.pi * (1 - sp.sign(share(l))) / 2 - theta(l) * middle).xreplace({l: plane})


def best_logit(lag: Any) -> Any:
    """The logit of the head with the amplitudes |a_l| and these phases."""
    return over_planes(sp.Abs(share(l)) * sp.cos(theta(l) * lag + best_phase(l)))


AS_A_HEAD = Every((j,), eq(best_logit(j), even_logit(share, j)))
PAIR = Both(
    every(j, 1, reach, le(0, dual(j))),
    eq(over_window(dual(j)), 1),
    le(spent, 1),
    every(j, 1, reach, le(v, even_logit(share, j))),
    every(l, 0, m - 1, le(sp.Abs(seen(dual)), v)),
)
ANY_HEAD = Every(
    (amplitude(h), phase(h), guarantee),
    If(Both(NOT_NEGATIVE.formula, GUARANTEE.formula), le(guarantee, v * total())),
)
VALUE = Some((v, share(h), dual(h)), Both(PAIR, AS_A_HEAD, ANY_HEAD))


_STILL = {m: 1, reach: 2, theta(0): 0, share(0): 1, dual(1): sp.Rational(1, 2)}


@theorem(
    "head.sink-horizon",
    role="main result",
    needs="PCTXW",
    hypotheses=(A_PLANE, A_LAG),
    conclusion=VALUE,
    attack=Attack(
        {
            "a tenth more": Both(*PAIR.args[:4]).xreplace({v: sp.Rational(11, 10) * v}),
            "any weights": every(l, 0, m - 1, le(sp.Abs(seen(dual)), v)),
        },
        at={
            "a tenth more": {**_STILL, dual(2): sp.Rational(1, 2), v: 1},
            "any weights": {**_STILL, dual(2): sp.Rational(1, 2), v: sp.Rational(1, 2)},
        },
        without={A_LAG: {m: 1, reach: 0}},
        idle={A_PLANE: "without planes every logit is 0, and so is the value"},
    ),
)
def HEAD_SINK_HORIZON(p: Proof) -> None:
    r"""How far a query can guarantee a token its logit: the value of a linear programme

    For lags $1..N$ there are a number $v$, signed shares $a_l$ with $\sum_l|a_l|\le1$ and
    probabilities $y$ on the lags with $\sum_la_l\cos\theta_l(t-\frac{N+1}2)\ge v$ at every lag
    $1\le t\le N$ and $|\sum_ty_t\cos\theta_l(t-\frac{N+1}2)|\le v$ in every plane. The signed head
    is a head of amplitudes $|a_l|$ with the phases $\varphi^*_l=-\theta_l\frac{N+1}2$, and $\pi$
    more where $a_l<0$. Of all heads of any amplitude $A$ and any phases none guarantees more than
    $vA$ to a token at all these lags. So $v$ is the best guarantee per unit amplitude. That $a,y$
    exist is `duality.minimax-signed`.
    """
    exists = p.lemma(
        DUALITY_MINIMAX_SIGNED,
        {packing.payoff: sp.Lambda((l, j), centred(j)), packing.rows: m, packing.columns: reach},
        (A_PLANE, A_LAG),
        why="The game with payoff cos(theta_l (t - (N+1)/2)), each plane with either sign, has a value.",
        goal=Some((v, share(h), dual(h)), PAIR),
    )
    pair = exists.body()
    known = pair.given(PAIR, "Take these shares and weights.")
    angle = theta(l) * j - theta(l) * middle

    def turned(sign: Any) -> Any:
        return sp.cos(angle + sp.pi * (1 - sign) / 2)

    term = eq(sp.Abs(share(l)) * sp.cos(theta(l) * j + best_phase(l)), share(l) * centred(j))
    signs = [
        p.under(case).show(
            term,
            f"{why}, so the plane is as claimed.",
            p.under(case)
            .show(eq(sp.sign(share(l)), value), f"{where} the sign is {value}.")
            .image(turned, f"{why}."),
            p.show(eq(centred(j), sp.cos(angle)), "Multiply out the angle about the middle."),
            by=rules.smt(),
        )
        for case, value, where, why in (
            (lt(share(l), 0), -1, "Below 0", "Half a turn changes the sign of a cosine"),
            (lt(0, share(l)), 1, "Above 0", "No turn is added to the phase"),
        )
    ]
    nothing = p.under(eq(share(l), 0)).show(
        term, "Without amplitude both sides are 0.", by=rules.smt()
    )
    as_a_head = (
        p.show(
            term,
            "In each plane the signed cosine is a cosine of positive amplitude with its phase.",
            (*signs, nothing),
            by=rules.smt(),
        )
        .summed(l, 0, m - 1, "Sum this equation over the planes.")
        .for_all(j, why="This holds at every lag.")
    )
    head = pair.under(NOT_NEGATIVE.formula, GUARANTEE.formula)
    any_head = head.lemma(
        HEAD_SINK_EVEN_BOUND,
        {y: dual, upper: v},
        known,
        head.given(
            Both(NOT_NEGATIVE.formula, GUARANTEE.formula), "Take any head that keeps its guarantee."
        ),
        why="No head guarantees more than v A against these weights.",
    ).for_all(amplitude(h), phase(h), guarantee, why="This holds for every head.")
    found = pair.witness(
        VALUE,
        {v: v, share: share, dual: dual},
        (known, as_a_head, any_head),
        why="So these shares and weights are as claimed.",
    )
    p.choose(exists, found, "The value exists, as such shares and weights do.")


# -- when a head is the best ---------------------------------------------------------------

SEEN_WHOLE = Hypothesis(
    "every plane with amplitude is seen as U, with its sign",
    every(l, 0, m - 1, eq(share(l) * seen(y), sp.Abs(share(l)) * upper)),
)
TIGHT = Hypothesis(
    "weights lie where the guarantee is attained",
    every(j, 1, reach, eq(y(j) * even_logit(share, j), y(j) * guarantee)),
)
rival = real("mu")
CERTIFICATE = Both(every(j, 1, reach, le(0, y(j))), every(l, 0, m - 1, le(sp.Abs(seen(y)), upper)))
A_RIVAL = Both(
    NOT_NEGATIVE.formula, eq(total(), spent), every(j, 1, reach, le(rival, cosine_logit(j)))
)
EARNED = eq(guarantee, upper * spent)


def _best(given: Any, behind: Any = le) -> Any:
    """Under these conditions no other head of the same amplitude guarantees more."""
    return Both(EARNED, If(Both(given, A_RIVAL), behind(rival, guarantee)))


_STANDS = {
    **{m: 1, reach: 1, theta(0): 0, share(0): 1, amplitude(0): 1, phase(0): 0, y(1): 1},
    **{upper: 1, guarantee: 1, rival: 1},
}


@theorem(
    "head.sink-slackness",
    hypotheses=(MASS, SEEN_WHOLE, TIGHT),
    conclusion=_best(CERTIFICATE),
    conditions=(where(_STANDS),),
    attack=Attack(
        {
            "less": lt(guarantee, upper * spent),
            "one unit more": eq(guarantee, (upper + 1) * spent),
            "every other head guarantees less": _best(CERTIFICATE, lt),
            "a plane may be seen above U": _best(CERTIFICATE.args[0]),
        },
        at={
            "one unit more": _STANDS,
            "every other head guarantees less": _STANDS,
            "a plane may be seen above U": {
                **{**_STANDS, m: 2, reach: 2, theta(0): 3, y(1): 0, y(2): 1, amplitude(0): 0},
                **{upper: sp.cos(sp.Rational(3, 2)), guarantee: sp.cos(sp.Rational(3, 2))},
                **{theta(1): 0, share(1): 0, amplitude(1): 1, phase(1): 0},
            },
        },
        without={
            MASS: {**_STANDS, y(1): 0, upper: 0, guarantee: 5},
            SEEN_WHOLE: {**_STANDS, upper: 2},
            TIGHT: {**_STANDS, guarantee: 2},
        },
    ),
)
def HEAD_SINK_SLACKNESS(p: Proof) -> None:
    r"""When a head's guarantee is the best of its amplitude

    Let weights $y$ on the lags $1..N$ add up to 1. If the signed head
    $\sum_la_l\cos\theta_l(t-\frac{N+1}2)$ has the logit $\Gamma$ wherever the weights lie, and
    $a_l\sum_ty_t\cos\theta_l(t-\frac{N+1}2)=|a_l|U$ in every plane, then $\Gamma=U\sum_l|a_l|$. If
    moreover $y\ge0$ and $|\sum_ty_t\cos\theta_l(t-\frac{N+1}2)|\le U$ in every plane, then no head
    of the same amplitude, whatever its phases, guarantees more at these lags.
    """
    tight = p.under(within(j, 1, reach)).use(
        TIGHT, why="The weights lie where the guarantee is attained."
    )
    average = tight.summed(j, 1, reach, "So the weighted logit is the weighted guarantee.")
    mean = p.show(
        eq(over_window(y(j) * guarantee), guarantee * over_window(y(j))),
        "The guarantee is a common factor of its weighted sum.",
    )
    nested = over_window(over_planes(y(j) * share(l) * centred(j)))
    double = p.show(
        eq(over_window(y(j) * even_logit(share, j)), nested),
        "The weighted sum of the logits is a double sum.",
    )
    swap = p.swap(nested, "Exchange the sums over lags and over planes.")
    by_plane = p.show(
        eq(swap.formula.rhs, over_planes(share(l) * seen(y))),
        "So it is a sum over the planes of what the weights see of each.",
    )
    whole = p.under(*INSIDE).use(
        SEEN_WHOLE, why="The weights see each plane with amplitude as U, with its sign."
    )
    planes = whole.summed(l, 0, m - 1, "Sum this equation over the planes.")
    factor = p.show(eq(planes.formula.rhs, upper * spent), "The factor U is common to all planes.")
    earned = p.show(
        EARNED,
        "As the weights sum to 1, the guarantee is U times the amplitude.",
        (average, mean, MASS, double, swap, by_plane, planes, factor),
    )
    other = p.under(Both(CERTIFICATE, A_RIVAL))
    given = other.given(
        Both(CERTIFICATE, A_RIVAL),
        "Let the weights be probabilities that see no plane above U; take another head.",
    )
    bound = other.lemma(
        HEAD_SINK_EVEN_BOUND,
        {guarantee: rival},
        given,
        MASS,
        why="No head guarantees more than U times its amplitude against such weights.",
    )
    most = other.show(
        le(rival, guarantee),
        "Its amplitude is the same, so it guarantees no more than this head.",
        bound,
        earned,
        given,
    )
    p.qed("So the guarantee is U times the amplitude, and the best.", earned, most)
