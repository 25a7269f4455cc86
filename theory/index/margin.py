"""What margins one plane allows: on one input, on the worst and on the best."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    axiom,
    by_claim,
    choose,
    identity,
    instance,
    smt,
    witness,
)
from ropeproof.theory.index import window
from ropeproof.theory.index.window import QUERY, angle, fall, gamma, has_margin, lag
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, l, n

side, size, tau, r, nu, z = integer("M Q tau r mu z")
a, x, y = real("a x y")
nearest, alpha = integer_function("nu"), real_function("alpha")
(WINDOW,) = window.CLAIMS


def limit(parts: Any) -> Any:
    """1 - cos(2 pi / parts)."""
    return 1 - sp.cos(2 * sp.pi / parts)


def _near(at: Any, turns: Any) -> Any:
    """What is left of an angle after so many turns is at most a Q-th part of one."""
    left = at * angle - 2 * sp.pi * turns
    return Both(le(-2 * sp.pi / size, left), le(left, 2 * sp.pi / size))


RETURN = Some((tau, nu), Both(le(1, tau), le(tau, size - 1), *_near(tau, nu).args))


def _return() -> Claim:
    close = every(l, 0, 0, le(sp.Abs(tau * (angle / (2 * sp.pi)) - nearest(l)), 1 / size))
    body = (le(1, tau), lt(tau, size**1), close)
    found = Some((tau, nearest(z)), Both(*body))
    off = tau * (angle / (2 * sp.pi)) - nearest(0)
    left = tau * angle - 2 * sp.pi * nearest(0)
    large = "Q is at least 2"
    return Claim(
        id="index.return",
        title="Any angle almost returns within Q steps",
        statement=(
            r"For every $\theta$ and integer $Q\ge2$ some $1\le t<Q$ and integer $\nu$ have "
            r"$|t\theta-2\pi\nu|\le\frac{2\pi}Q$ (Dirichlet)."
        ),
        needs=frozenset("PX"),
        hypotheses=(Hypothesis(large, le(2, size), unshown="below 2 there is no such lag"),),
        conclusion=RETURN,
        derivation=Derivation(
            (
                Step(
                    "Dirichlet",
                    found,
                    axiom(
                        "Dirichlet",
                        {alpha: sp.Lambda(l, angle / (2 * sp.pi)), integer("K"): 1, size: size},
                    ),
                    "Dirichlet's theorem for one number.",
                    (large,),
                ),
                Step("given", close, smt(), "At that lag", (), body),
                Step(
                    "turns",
                    le(sp.Abs(off), 1 / size),
                    instance({l: sp.Integer(0)}),
                    "the plane is off by at most 1/Q turns,",
                    ("given",),
                    body,
                ),
                Step(
                    "in angles",
                    Both(eq(left, 2 * sp.pi * off), eq(2 * sp.pi / size, 2 * sp.pi * (1 / size))),
                    identity(),
                    "in angles",
                ),
                Step(
                    "near", _near(tau, nearest(0)), smt(), "2 pi / Q.", ("turns", "in angles"), body
                ),
                Step(
                    "this one",
                    RETURN,
                    witness({tau: tau, nu: nearest(0)}),
                    "This is the lag.",
                    ("near",),
                    body,
                ),
                Step("return", RETURN, choose(), "It exists.", ("Dirichlet", "this one")),
            )
        ),
        mutants=(
            Mutant(
                "half as near",
                Some(
                    (tau, nu),
                    Both(
                        le(1, tau),
                        le(tau, size - 1),
                        le(0, nu),
                        le(nu, 3),
                        le(sp.Abs(tau * angle - 2 * sp.pi * nu), sp.pi / size),
                    ),
                ),
                at=(eq(size, 2), eq(angle, 3 * sp.pi / 4)),
            ),
            Mutant(
                "one lag less",
                Some(
                    (tau, nu),
                    Both(
                        le(1, tau),
                        le(tau, size - 2),
                        le(0, nu),
                        le(nu, 3),
                        le(sp.Abs(tau * angle - 2 * sp.pi * nu), 2 * sp.pi / size),
                    ),
                ),
                at=(eq(size, 2), eq(angle, 1)),
            ),
        ),
    )


def _upper() -> Claim:
    bound = limit(side + 1)
    found = RETURN.xreplace({size: side + 1})
    body = found.args[1].args
    left, part = tau * angle - 2 * sp.pi * nu, 2 * sp.pi / (side + 1)
    reach = le(side, sp.Max(i, n - 1 - i))
    goal = le(gamma, bound)
    around = Every(
        (lag,), If(Both(le(1, lag), le(lag, sp.Max(i, n - 1 - i))), le(gamma, fall(lag)))
    )
    names = ("the window reaches M lags", "M is at least 1", "the margin")
    third = 2 * sp.pi / 3
    return Claim(
        id="index.margin-upper",
        title="The margin of one plane on one input",
        statement=(
            r"Whatever its angle, one plane leads the positions at lags up to $M\ge1$ around the "
            r"target by at most $1-\cos\frac{2\pi}{M+1}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                QUERY.name,
                QUERY.formula,
                without=(eq(n, 1), eq(i, -1), eq(side, 1), eq(angle, 3), eq(gamma, 3)),
            ),
            Hypothesis(
                names[0],
                reach,
                without=(eq(n, 2), eq(i, 0), eq(side, 5), eq(angle, 3), eq(gamma, 1)),
            ),
            Hypothesis(
                names[1], le(1, side), without=(eq(n, 1), eq(i, 0), eq(side, 0), eq(gamma, 1))
            ),
            Hypothesis(
                names[2],
                has_margin(gamma),
                without=(eq(n, 3), eq(i, 0), eq(side, 2), eq(angle, 1), eq(gamma, 2)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "same",
                    WINDOW.conclusion,
                    by_claim("index.window"),
                    "The margin on the input",
                    (QUERY.name,),
                ),
                Step("window", around, smt(), "is one on the window.", ("same", names[2])),
                Step(
                    "return",
                    found,
                    by_claim("index.return", {size: side + 1}),
                    "Some lag up to M almost returns,",
                    (names[1],),
                ),
                Step("inside", le(tau, side), smt(), "so", (), body),
                Step(
                    "there",
                    le(gamma, fall(tau)),
                    instance({lag: tau}),
                    "the lead is no larger than the fall there.",
                    ("window", "inside", names[0]),
                    body,
                ),
                Step(
                    "part",
                    Both(
                        eq(part, 2 * sp.pi * (1 / (side + 1))),
                        le(0, 1 / (side + 1)),
                        le(2 * (1 / (side + 1)), 1),
                    ),
                    smt(),
                    "A Q-th part",
                    (names[1],),
                ),
                Step(
                    "half a turn",
                    Both(le(0, part), le(part, sp.pi)),
                    smt(),
                    "is at most half a turn,",
                    ("part",),
                ),
                Step(
                    "turned",
                    eq(-2 * sp.pi / (side + 1), -part),
                    identity(),
                    "(in either direction)",
                ),
                Step(
                    "near",
                    Both(le(-part, left), le(left, part)),
                    smt(),
                    "and what is left",
                    ("turned",),
                    body,
                ),
                Step(
                    "right",
                    le(sp.cos(part), sp.cos(left)),
                    by_claim("trig.cosine-decreasing", {x: left, y: part}),
                    "over in one direction",
                    ("near", "half a turn"),
                    (*body, le(0, left)),
                ),
                Step(
                    "left",
                    le(sp.cos(part), sp.cos(-left)),
                    by_claim("trig.cosine-decreasing", {x: -left, y: part}),
                    "or the other",
                    ("near", "half a turn"),
                    (*body, le(left, 0)),
                ),
                Step("even", eq(sp.cos(-left), sp.cos(left)), identity(), "is no more than that;"),
                Step(
                    "periodic",
                    eq(sp.cos(left), sp.cos(tau * angle)),
                    identity(),
                    "whole turns do not count.",
                ),
                Step(
                    "bounded",
                    goal,
                    smt(),
                    "So",
                    ("there", "right", "left", "even", "periodic"),
                    body,
                ),
                Step("upper", goal, choose(), "there is a limit.", ("return", "bounded")),
            )
        ),
        uses=("index.return", "index.window", "trig.cosine-decreasing"),
        mutants=(
            Mutant(
                "one lag more",
                le(gamma, limit(side + 2)),
                at=(
                    eq(n, 3),
                    eq(i, 0),
                    eq(side, 2),
                    eq(angle, third),
                    eq(gamma, sp.Rational(3, 2) - sp.Rational(1, 1000)),
                ),
            ),
            Mutant(
                "half",
                le(gamma, bound / 2),
                at=(eq(n, 3), eq(i, 0), eq(side, 2), eq(angle, 2), eq(gamma, 1)),
            ),
        ),
    )


INDEX_RETURN = _return()
INDEX_MARGIN_UPPER = _upper()

CLAIMS = (INDEX_RETURN, INDEX_MARGIN_UPPER)
