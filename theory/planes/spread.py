"""The margin of the planes 2 pi / Q, 2 pi / Q^2, ..., 2 pi / Q^m."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.planes.digits import CLAIMS as DIGITS
from ropeproof.theory.planes.digits import LARGE, a, amount, digit_energy, f, h, k, lag, r, size, v
from ropeproof.theory.trigonometry.turns import r as part


def _fall() -> Any:
    return 1 - sp.cos(2 * sp.pi / size)


def _digits() -> Claim:
    term = amount / m * (1 - sp.cos(2 * sp.pi * lag / size ** (l + 1)))
    at_v = term.xreplace({l: v})
    angle = 2 * sp.pi * lag / size ** (v + 1)
    found = DIGITS[1].conclusion
    body = found.args[1].args
    here = (le(1, lag), lt(lag, size**m))
    bound = amount / m * _fall()
    last = size ** (m - 1)
    attained = eq(digit_energy(last), bound)
    every_lag = every(lag, 1, size**m - 1, le(bound, digit_energy(lag)))
    goal = Both(every_lag, attained)
    is_plane, positive = "there is a plane", "the amplitude is not negative"
    slow = (le(0, l), le(l, m - 2))
    whole = Some((k,), eq(k, size**h))
    turned = eq(sp.cos(2 * sp.pi * size**h), 1)
    first = sp.Sum(amount / m * (1 - sp.cos(2 * sp.pi * last / size ** (l + 1))), (l, 0, m - 2))
    return Claim(
        id="planes.digits",
        title="One plane per digit",
        statement=(
            r"With $\theta_k=2\pi Q^{-k}$, $k=1,\dots,m$, and equal aligned amplitudes $A/m$, "
            r"$E_t\ge\frac Am(1-\cos\frac{2\pi}Q)$ for every $1\le t<Q^m$, with equality at "
            r"$t=Q^{m-1}$. So $n\le Q^m$ positions are told apart with that margin."
        ),
        needs=frozenset("PCTW"),
        hypotheses=(
            Hypothesis(
                LARGE.name,
                LARGE.formula,
                idle="a negative base acts as its size, and below 2 there are no lags",
            ),
            Hypothesis(is_plane, le(1, m)),
            Hypothesis(positive, le(0, amount), without=(eq(size, 3), eq(m, 2), eq(amount, -1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "digit",
                    found,
                    by_claim("planes.digit"),
                    "Write the lag as Q^v (Q a + r).",
                    (LARGE.name, is_plane),
                    here,
                ),
                Step(
                    "power",
                    eq(size ** (v + 1), size * size**v),
                    identity(),
                    "In the plane of that digit",
                    (LARGE.name,),
                ),
                Step("positive power", lt(0, size**v), smt(), "(Q is positive)", (LARGE.name,)),
                Step("written", eq(lag, size**v * (size * a + r)), smt(), "the lag", (), body),
                Step(
                    "turns",
                    eq(angle, 2 * sp.pi * (size**v * (size * a + r)) / size ** (v + 1)),
                    rewrite(),
                    "is",
                    ("written",),
                    body,
                ),
                Step(
                    "angle",
                    eq(
                        2 * sp.pi * (size**v * (size * a + r)) / size ** (v + 1),
                        2 * sp.pi * a + 2 * sp.pi * r / size,
                    ),
                    identity(),
                    "a whole turns and r Q-th parts of one;",
                    (LARGE.name, "positive power"),
                ),
                Step(
                    "same angle",
                    eq(angle, 2 * sp.pi * a + 2 * sp.pi * r / size),
                    smt(),
                    "so",
                    ("turns", "angle"),
                    body,
                ),
                Step(
                    "cosine",
                    eq(sp.cos(angle), sp.cos(2 * sp.pi * a + 2 * sp.pi * r / size)),
                    rewrite(),
                    "its cosine",
                    ("same angle",),
                    body,
                ),
                Step(
                    "periodic",
                    eq(sp.cos(2 * sp.pi * a + 2 * sp.pi * r / size), sp.cos(2 * sp.pi * r / size)),
                    identity(),
                    "is that of the r parts,",
                ),
                Step(
                    "roots",
                    le(sp.cos(2 * sp.pi * r / size), sp.cos(2 * sp.pi / size)),
                    by_claim("trig.roots", {part: r}),
                    "at most that of one part.",
                    (),
                    body,
                ),
                Step(
                    "share",
                    Both(le(0, 1 / m), le(0, amount / m)),
                    smt(),
                    "Amplitudes are not negative.",
                    (is_plane, positive),
                ),
                Step(
                    "this plane",
                    le(bound, at_v),
                    smt(),
                    "So this plane falls by that much,",
                    ("cosine", "periodic", "roots", "share"),
                    body,
                ),
                Step("term", le(0, term), smt(), "no plane rises,", ("share",)),
                Step(
                    "no plane rises",
                    every(l, 0, m - 1, le(0, term)),
                    generalise(),
                    "none at all,",
                    ("term",),
                ),
                Step(
                    "member",
                    le(at_v, digit_energy(lag)),
                    by_claim("sums.member", {f: sp.Lambda(l, term), k: v}),
                    "and the sum is at least this plane's fall.",
                    ("no plane rises",),
                    body,
                ),
                Step(
                    "enough",
                    le(bound, digit_energy(lag)),
                    smt(),
                    "Enough.",
                    ("this plane", "member"),
                    body,
                ),
                Step(
                    "some digit",
                    le(bound, digit_energy(lag)),
                    choose(),
                    "There is such a digit.",
                    ("digit", "enough"),
                    here,
                ),
                Step("inside", lt(lag, size**m), smt(), "That holds", (), (le(lag, size**m - 1),)),
                Step(
                    "this lag",
                    le(bound, digit_energy(lag)),
                    smt(),
                    "for every lag",
                    ("some digit", "inside"),
                    (le(1, lag), le(lag, size**m - 1)),
                ),
                Step("every lag", every_lag, generalise(), "below Q^m.", ("this lag",)),
                Step("first power", Some((k,), eq(k, size**0)), witness({k: 1}), "Powers of Q"),
                Step(
                    "power step",
                    eq(size ** (h + 1), size * size**h),
                    identity(),
                    "with exponents",
                    (LARGE.name,),
                ),
                Step(
                    "next integer",
                    eq(size * k, size ** (h + 1)),
                    smt(),
                    "that are not",
                    ("power step",),
                    (eq(k, size**h),),
                ),
                Step(
                    "next is one",
                    Some((k,), eq(k, size ** (h + 1))),
                    witness({k: size * k}),
                    "negative",
                    ("next integer",),
                    (eq(k, size**h),),
                ),
                Step("given", whole, smt(), "are", (), (whole,)),
                Step(
                    "next power",
                    Some((k,), eq(k, size ** (h + 1))),
                    choose(),
                    "integers",
                    ("given", "next is one"),
                    (whole, le(0, h)),
                ),
                Step(
                    "integers",
                    whole,
                    induction(h, 0),
                    "(by induction),",
                    ("first power", "next power"),
                    (le(0, h),),
                ),
                Step("one turn", eq(sp.cos(2 * sp.pi * k), 1), identity(), "and so many turns"),
                Step("the same", eq(size**h, k), smt(), "have", (), (eq(k, size**h),)),
                Step(
                    "as turns",
                    eq(sp.cos(2 * sp.pi * size**h), sp.cos(2 * sp.pi * k)),
                    rewrite(),
                    "cosine",
                    ("the same",),
                    (eq(k, size**h),),
                ),
                Step(
                    "turned here",
                    turned,
                    smt(),
                    "1.",
                    ("one turn", "as turns"),
                    (eq(k, size**h), le(0, h)),
                ),
                Step("turned", turned, choose(), "So", ("integers", "turned here"), (le(0, h),)),
                Step(
                    "turned at",
                    eq(sp.cos(2 * sp.pi * size ** (m - 2 - l)), 1),
                    instance({h: m - 2 - l}),
                    "at the lag Q^(m-1)",
                    ("turned",),
                    slow,
                ),
                Step(
                    "whole turns",
                    eq(2 * sp.pi * last / size ** (l + 1), 2 * sp.pi * size ** (m - 2 - l)),
                    identity(),
                    "every plane but the last",
                    (LARGE.name,),
                ),
                Step(
                    "same cosine",
                    eq(
                        sp.cos(2 * sp.pi * last / size ** (l + 1)),
                        sp.cos(2 * sp.pi * size ** (m - 2 - l)),
                    ),
                    rewrite(),
                    "has made whole turns",
                    ("whole turns",),
                ),
                Step(
                    "no fall",
                    eq(amount / m * (1 - sp.cos(2 * sp.pi * last / size ** (l + 1))), 0),
                    smt(),
                    "and has not fallen,",
                    ("turned at", "same cosine"),
                    slow,
                ),
                Step("none fall", eq(first, 0), termwise(), "none of them,", ("no fall",)),
                Step(
                    "cut",
                    eq(
                        digit_energy(last),
                        first + amount / m * (1 - sp.cos(2 * sp.pi * last / size**m)),
                    ),
                    split(m - 2),
                    "and the last",
                    (is_plane,),
                ),
                Step(
                    "one part",
                    eq(2 * sp.pi * last / size**m, 2 * sp.pi / size),
                    identity(),
                    "has made",
                    (LARGE.name,),
                ),
                Step(
                    "last cosine",
                    eq(sp.cos(2 * sp.pi * last / size**m), sp.cos(2 * sp.pi / size)),
                    rewrite(),
                    "one Q-th part:",
                    ("one part",),
                ),
                Step("attained", attained, smt(), "equality.", ("cut", "none fall", "last cosine")),
                Step("both", goal, smt(), "Both.", ("every lag", "attained")),
            )
        ),
        uses=("planes.digit", "sums.member", "trig.roots"),
        mutants=(
            Mutant(
                "twice",
                every(lag, 1, size**m - 1, le(2 * bound, digit_energy(lag))),
                at=(eq(size, 3), eq(m, 2), eq(amount, 1)),
            ),
            Mutant(
                "one lag more",
                every(lag, 1, size**m, le(bound, digit_energy(lag))),
                at=(eq(size, 3), eq(m, 2), eq(amount, 1)),
            ),
        ),
    )


PLANES_DIGITS = _digits()

CLAIMS = (PLANES_DIGITS,)
