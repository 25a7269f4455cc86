"""A sum over planes is close to that over its slow planes at the middle of the window."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes, s, t, theta
from ropeproof.theory.posgen.additive.common import (
    INSIDE,
    MARKS,
    SCALE,
    SIZES,
    SPEED,
    WINDOW,
    A,
    C,
    R,
    X,
    aligned,
    crossed,
    factor,
    marked,
    middle,
    size,
    slow,
    x,
    y_,
)
from ropeproof.theory.posgen.plane import a, c, part, phi, psi
from ropeproof.theory.posgen.plane import size as radius


def _slow_part() -> Claim:
    there, middle_ = part(theta(l) * t, A, C), part(theta(l) * middle, A, C)
    whole, kept = over_planes(s * there), over_planes(s * (X * middle_))
    bound_term = s * (R * slow())
    bound = over_planes(bound_term)
    angle = sp.Abs(theta(l) * t - theta(l) * middle)
    is_slow, is_fast = (le(theta(l) * middle, 1),), (lt(1, theta(l) * middle),)
    off = sp.Abs(there - X * middle_)
    goal = le(sp.Abs(whole - kept), bound)
    one = (eq(m, 1), eq(s, 1), eq(aligned(0), 1), eq(crossed(0), 0), eq(size(0), 1))
    wide = (eq(t, 0), eq(middle, 1), eq(theta(0), 3))
    return Claim(
        id="posgen.slow-part",
        title="A sum over planes, but for its slow planes at the middle of the window",
        statement=(
            r"For $0\le t\le2t_0$ and $z_l=a_l-\mathrm ic_l$: $\big|s\,\mathrm{Re}\sum_lz_l"
            r"e^{\mathrm i\theta_lt}-s\,\mathrm{Re}\sum_{\theta_lt_0\le1}z_l"
            r"e^{\mathrm i\theta_lt_0}\big|\le s\sum_l|z_l|\min\{1,\theta_lt_0\}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(SCALE.name, SCALE.formula, without=(*one[:1], eq(s, -1), *one[2:], *wide)),
            Hypothesis(
                SPEED.name, SPEED.formula, without=(*one, eq(theta(0), -1), eq(t, 0), eq(middle, 1))
            ),
            Hypothesis(
                WINDOW.name,
                WINDOW.formula,
                without=(
                    *(*one, eq(theta(0), sp.Rational(1, 2)), eq(t, 6)),
                    eq(middle, sp.Rational(1, 2)),
                ),
            ),
            Hypothesis(SIZES.name, SIZES.formula, without=(*one[:4], eq(size(0), 0), *wide)),
            Hypothesis(MARKS.name, MARKS.formula, without=(*one, *wide, eq(marked(0), 9))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "speed",
                    le(0, theta(l)),
                    instance({l: l}),
                    "Frequencies are not negative.",
                    (SPEED.name,),
                    INSIDE,
                ),
                Step(
                    "size",
                    Both(le(0, R), eq(R**2, A**2 + C**2)),
                    instance({l: l}),
                    "A plane has a size,",
                    (SIZES.name,),
                    INSIDE,
                ),
                Step(
                    "mark",
                    Both(
                        If(le(theta(l) * middle, 1), eq(X, 1)),
                        If(lt(1, theta(l) * middle), eq(X, 0)),
                    ),
                    instance({l: l}),
                    "is marked or not,",
                    (MARKS.name,),
                    INSIDE,
                ),
                Step(
                    "moves",
                    Both(
                        le(sp.Abs(there), R),
                        le(sp.Abs(there - middle_), 2 * R),
                        le(sp.Abs(there - middle_), R * angle),
                    ),
                    by_claim(
                        "posgen.plane",
                        {a: A, c: C, radius: R, phi: theta(l) * t, psi: theta(l) * middle},
                    ),
                    "and moves by no more than that times its angle.",
                    ("size",),
                    INSIDE,
                ),
                Step(
                    "distance",
                    le(sp.Abs(t - middle), middle),
                    smt(),
                    "No lag of the window is farther than t_0 from its middle,",
                    (WINDOW.name,),
                ),
                Step(
                    "angle",
                    eq(angle, theta(l) * sp.Abs(t - middle)),
                    smt(),
                    "so no plane",
                    ("speed",),
                    INSIDE,
                ),
                Step(
                    "angle bound",
                    le(sp.Abs(t - middle) * theta(l), middle * theta(l)),
                    by_claim("order.times", {x: sp.Abs(t - middle), y_: middle, factor: theta(l)}),
                    "turns by more than theta_l t_0 from there.",
                    ("distance", "speed"),
                    INSIDE,
                ),
                Step(
                    "angle at most",
                    le(angle, theta(l) * middle),
                    smt(),
                    "(in all)",
                    ("angle", "angle bound"),
                    INSIDE,
                ),
                Step(
                    "slow move",
                    le(angle * R, theta(l) * middle * R),
                    by_claim("order.times", {x: angle, y_: theta(l) * middle, factor: R}),
                    "A slow plane moves by no more than that,",
                    ("angle at most", "size"),
                    INSIDE,
                ),
                Step(
                    "slow plane",
                    le(off, R * slow()),
                    smt(),
                    "times its size;",
                    ("moves", "slow move", "mark"),
                    (*INSIDE, *is_slow),
                ),
                Step(
                    "fast plane",
                    le(off, R * slow()),
                    smt(),
                    "a fast one is left out, and no larger than its size.",
                    ("moves", "mark"),
                    (*INSIDE, *is_fast),
                ),
                Step(
                    "plane",
                    le(off, R * slow()),
                    smt(),
                    "Either way.",
                    ("slow plane", "fast plane"),
                    INSIDE,
                ),
                Step(
                    "scaled",
                    le(off * s, R * slow() * s),
                    by_claim("order.times", {x: off, y_: R * slow(), factor: s}),
                    "Scale,",
                    ("plane", SCALE.name),
                    INSIDE,
                ),
                Step(
                    "a term from above",
                    le(s * x, s * y_),
                    smt(),
                    "(with either",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y_ * s),),
                ),
                Step(
                    "a term from below",
                    le(-(s * y_), s * x),
                    smt(),
                    "sign)",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y_ * s),),
                ),
                Step(
                    "from above",
                    le(s * there - s * (X * middle_), bound_term),
                    instance({x: there - X * middle_, y_: R * slow()}),
                    "from above",
                    ("a term from above", "scaled"),
                    INSIDE,
                ),
                Step(
                    "from below",
                    le(-bound_term, s * there - s * (X * middle_)),
                    instance({x: there - X * middle_, y_: R * slow()}),
                    "and below,",
                    ("a term from below", "scaled"),
                    INSIDE,
                ),
                Step(
                    "upper",
                    le(over_planes(s * there - s * (X * middle_)), bound),
                    termwise(),
                    "add up",
                    ("from above",),
                ),
                Step(
                    "lower",
                    le(over_planes(-bound_term), over_planes(s * there - s * (X * middle_))),
                    termwise(),
                    "over the planes.",
                    ("from below",),
                ),
                Step(
                    "difference",
                    eq(over_planes(s * there - s * (X * middle_)), whole - kept),
                    identity(),
                    "(Sums are linear,",
                ),
                Step("negative", eq(over_planes(-bound_term), -bound), identity(), "both.)"),
                Step(
                    "bounded",
                    goal,
                    smt(),
                    "Together.",
                    ("upper", "lower", "difference", "negative"),
                ),
            )
        ),
        uses=("posgen.plane", "order.times"),
        mutants=(
            Mutant("half", le(2 * sp.Abs(whole - kept), bound), at=(*one, *wide)),
            Mutant(
                "nothing kept",
                le(sp.Abs(whole), bound),
                at=(*one, eq(theta(0), sp.Rational(1, 2)), eq(t, 1), eq(middle, 1)),
            ),
        ),
    )


POSGEN_SLOW_PART = _slow_part()

CLAIMS = (POSGEN_SLOW_PART,)
