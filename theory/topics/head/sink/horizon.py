"""The best guarantee of a logit at every lag up to N: the value of a linear programme."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.duality.minimax_signed import DUALITY_MINIMAX_SIGNED
from ropeproof.theory.topics.head.sink import bound
from ropeproof.theory.topics.head.sink.bound import (
    GUARANTEE,
    HEAD_SINK_EVEN_BOUND,
    centred,
    even_logit,
    guarantee,
    middle,
    over_window,
    reach,
    seen,
    share,
)
from ropeproof.theory.topics.head.sink.uniform import A_LAG
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total

h = integer("h")
v = real("v")
dual = real_function("z")
MEANINGS: Meanings = {
    **bound.MEANINGS,
    v: "the best guarantee per unit amplitude",
    dual: "weights on the lags that prove the value",
}
A_PLANE = Hypothesis("there is a plane", le(1, m))
spent = over_planes(sp.Abs(share(l)))  # the amplitude of the signed shares


@named("phi*_{}", r"\varphi^*_{{}}", "phase of the best head's plane", l)
def best_phase(plane: Term) -> Term:
    """The phase with which a plane of amplitude |a_l| is a_l cos(theta_l (t - (N+1)/2))."""
    return (sp.pi * (1 - sp.sign(share(l))) / 2 - theta(l) * middle).xreplace({l: plane})


def best_logit(lag: Term) -> Term:
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


_STILL: Values = {m: 1, reach: 2, theta(0): 0, share(0): 1, dual(1): sp.Rational(1, 2)}


@theorem(
    "head.sink-horizon",
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
    probabilities $z$ on the lags with $\sum_la_l\cos\theta_l(t-\frac{N+1}2)\ge v$ at every lag
    $1\le t\le N$ and $|\sum_tz_t\cos\theta_l(t-\frac{N+1}2)|\le v$ in every plane. The signed
    head is a head of amplitudes $|a_l|$ with the phases $\varphi^*_l=-\theta_l\frac{N+1}2$, and
    $\pi$ more where $a_l<0$. Of all heads of any amplitude $A$ and any phases none guarantees
    more than $vA$ to a token at all these lags. So $v$ is the best guarantee per unit amplitude.
    That $a,z$ exist is `duality.minimax-signed`.
    """
    exists = p.lemma(
        DUALITY_MINIMAX_SIGNED.at(P=sp.Lambda((l, j), centred(j)), R=m, C=reach),
        (A_PLANE, A_LAG),
        why="The game with payoff cos(theta_l (t - (N+1)/2)), each plane with either sign, has a value.",
        goal=Some((v, share(h), dual(h)), PAIR),
    )
    pair = exists.body()
    angle = theta(l) * j - theta(l) * middle

    def turned(sign: Term) -> Term:
        return sp.cos(angle + sp.pi * (1 - sign) / 2)

    term = eq(sp.Abs(share(l)) * sp.cos(theta(l) * j + best_phase(l)), share(l) * centred(j))
    signs = [
        p.under(case).show(
            term,
            f"Multiply out the angle about the middle. {why}, so the plane is as claimed.",
            p.under(case)
            .show(eq(sp.sign(share(l)), value), f"{where} the sign is {value}.")
            .image(turned, f"{why}."),
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
        HEAD_SINK_EVEN_BOUND.at(y=dual, U=v),
        why="Take these shares and weights. Take any head that keeps its guarantee. No head "
        "guarantees more than v A against these weights.",
    ).for_all(amplitude(h), phase(h), guarantee, why="This holds for every head.")
    found = pair.witness(
        VALUE,
        {v: v, share: share, dual: dual},
        (as_a_head, any_head),
        why="So these shares and weights are as claimed.",
    )
    p.choose(exists, found, "The value exists, as such shares and weights do.")
