"""Some optimum uses at most one plane slower than pi/N."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import amplitude, j, l, m, over_planes, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.bands.common import c, f, h, here, moved, plane, slow
from ropeproof.theory.slash.ceiling import INSIDE, total
from ropeproof.theory.slash.game import reach
from ropeproof.theory.slash.row import x, y


def _bands() -> Claim:
    bound = sp.pi / reach
    is_slow = le(theta(l), bound)
    gain = 1 - sp.cos(theta(l) * j)
    top_gain = 1 - sp.cos(theta(plane) * j)
    mass = sp.Sum(amplitude(c) * slow(c), (c, 0, m - 1))
    value = amplitude(l) * (1 - slow(l)) + here(l) * mass

    def better(shares: Any) -> tuple[Any, ...]:
        return (
            every(l, 0, m - 1, le(0, shares(l))),
            every(l, 0, m - 1, If(Both(is_slow, ne(l, plane)), eq(shares(l), 0))),
            eq(over_planes(shares(l)), total()),
            every(j, 1, reach, le(over_planes(amplitude(l) * gain), over_planes(shares(l) * gain))),
        )

    goal = Some((moved(h),), Both(*better(moved)))
    slow_marks = every(
        l, 0, m - 1, Both(If(is_slow, eq(slow(l), 1)), If(lt(bound, theta(l)), eq(slow(l), 0)))
    )
    is_here = eq(here(plane), 1)
    elsewhere = every(l, 0, m - 1, If(ne(l, plane), eq(here(l), 0)))
    defined = every(l, 0, m - 1, eq(moved(l), value))
    given = (slow_marks, is_here, elsewhere, defined)
    inside_lags = (le(1, j), le(j, reach))
    kept = over_planes(amplitude(l) * (1 - slow(l)) * gain)
    slow_part = over_planes(amplitude(l) * slow(l) * gain)
    first, second, third, fourth = better(moved)
    return Claim(
        id="slash.game-bands",
        title="Some optimum uses at most one plane slower than pi/N",
        statement=(
            r"Let $p$ be the fastest plane with $\theta_p\le\pi/N$. For any amplitudes $A_l\ge0$ there "
            r"are amplitudes of the same sum, 0 on every plane with $\theta_l\le\pi/N$ but $p$, whose "
            r"fall $E_t$ is at least as large at every $1\le t\le N$. So some optimum of `slash.game` "
            r"puts weight on at most one plane with $\theta_l\le\pi/N$. (b) With bands by wavelength "
            r"$2\pi/\theta$ (high: at most 16, low: more than $2N$, else medium), at $d=128$, $b=10^4$, "
            r"$N=1024$ the certified values are: all planes $.328$, high only $.300$, medium only "
            r"$.063$, low only $3.7\cdot10^{-6}$."
        ),
        needs=frozenset("PC"),
        hypotheses=(
            Hypothesis(
                NOT_NEGATIVE.name,
                NOT_NEGATIVE.formula,
                unshown="a negative amplitude on a fast plane cannot be made positive at no cost; "
                "drawing refutes no existence of functions",
            ),
            Hypothesis(
                "there is a lag",
                le(1, reach),
                idle="without lags every amplitude is as good: put it all on the plane p",
            ),
            Hypothesis(
                "the plane is one of the planes",
                Both(le(0, plane), le(plane, m - 1)),
                unshown="the weight must go somewhere; drawing refutes no existence of functions",
            ),
            Hypothesis(
                "it is slow",
                le(theta(plane), bound),
                unshown="a fast plane may have returned; drawing refutes no existence of functions",
            ),
            Hypothesis(
                "it is the fastest of the slow",
                every(l, 0, m - 1, Both(le(0, theta(l)), If(is_slow, le(theta(l), theta(plane))))),
                unshown="weight moved to a slower plane is lost; drawing refutes no existence of "
                "functions",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "slow or not",
                    Some((slow(h),), slow_marks),
                    witness({slow: sp.Lambda(l, sp.Piecewise((1, is_slow), (0, True)))}),
                    "Mark the slow planes",
                ),
                Step(
                    "this plane",
                    Some((here(h),), Both(is_here, elsewhere)),
                    witness({here: sp.Lambda(l, sp.Piecewise((1, eq(l, plane)), (0, True)))}),
                    "and the plane p.",
                ),
                Step(
                    "movable",
                    Some((moved(h),), defined),
                    witness({moved: sp.Lambda(l, value)}),
                    "Move the amplitude of the slow planes to p.",
                ),
                Step("marks", slow_marks, smt(), "A plane", (), (slow_marks,)),
                Step(
                    "mark",
                    Both(If(is_slow, eq(slow(l), 1)), If(lt(bound, theta(l)), eq(slow(l), 0))),
                    instance({l: l}),
                    "is marked if it is slow,",
                    ("marks",),
                    (slow_marks, *INSIDE),
                ),
                Step(
                    "two kinds",
                    Both(le(0, slow(l)), le(slow(l), 1)),
                    smt(),
                    "by 1, and else by 0.",
                    ("mark",),
                    (slow_marks, *INSIDE),
                ),
                Step("definition", defined, smt(), "By definition", (), (defined,)),
                Step(
                    "new",
                    eq(moved(l), value),
                    instance({l: l}),
                    "a plane keeps its amplitude if it is fast, and p gets the slow ones'.",
                    ("definition",),
                    (defined, *INSIDE),
                ),
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "Amplitudes are not negative,",
                    (NOT_NEGATIVE.name,),
                    INSIDE,
                ),
                Step(
                    "marked amplitude",
                    le(0, amplitude(l) * slow(l)),
                    smt(),
                    "marked ones neither,",
                    ("amplitude", "two kinds"),
                    (slow_marks, *INSIDE),
                ),
                Step(
                    "renamed",
                    le(0, amplitude(c) * slow(c)),
                    instance({l: c}),
                    "whatever the plane is called,",
                    ("marked amplitude",),
                    (slow_marks, le(0, c), le(c, m - 1)),
                ),
                Step(
                    "mass",
                    le(0, mass),
                    termwise(),
                    "nor is what is moved.",
                    ("renamed",),
                    (slow_marks,),
                ),
                Step("indicator", elsewhere, smt(), "The indicator of p", (), (elsewhere,)),
                Step(
                    "indicator at l",
                    If(ne(l, plane), eq(here(l), 0)),
                    instance({l: l}),
                    "is 0 elsewhere",
                    ("indicator",),
                    (elsewhere, *INSIDE),
                ),
                Step("same plane", eq(l, plane), smt(), "and at p", (), (eq(l, plane),)),
                Step(
                    "indicator there",
                    eq(here(l), here(plane)),
                    rewrite(),
                    "it is 1,",
                    ("same plane",),
                    (eq(l, plane),),
                ),
                Step(
                    "indicator sign",
                    le(0, here(l)),
                    smt(),
                    "so never negative.",
                    ("indicator at l", "indicator there"),
                    (is_here, elsewhere, *INSIDE),
                ),
                Step(
                    "sign",
                    le(0, moved(l)),
                    smt(),
                    "Hence no new amplitude is negative,",
                    ("new", "amplitude", "two kinds", "mass", "indicator sign"),
                    (*given, *INSIDE),
                ),
                Step("signs", first, generalise(), "whatever the plane,", ("sign",), given),
                Step(
                    "zero",
                    If(Both(is_slow, ne(l, plane)), eq(moved(l), 0)),
                    smt(),
                    "and that of a slow plane other than p is 0.",
                    ("new", "mark", "indicator at l"),
                    (*given, *INSIDE),
                ),
                Step("zeros", second, generalise(), "For every plane.", ("zero",), given),
                Step(
                    "new sum",
                    eq(over_planes(moved(l)), over_planes(value)),
                    termwise(),
                    "The new amplitudes add up to",
                    ("new",),
                    (defined,),
                ),
                Step(
                    "sum parts",
                    eq(
                        over_planes(value),
                        total() - over_planes(amplitude(l) * slow(l)) + over_planes(here(l) * mass),
                    ),
                    identity(),
                    "the old ones, less those moved, plus what p gets,",
                ),
                Step(
                    "p gets",
                    eq(over_planes(here(l) * mass), mass),
                    by_claim("sums.pick", {f: sp.Lambda(l, mass)}),
                    "which is the same:",
                    ("the plane is one of the planes", "indicator"),
                    (is_here, elsewhere),
                ),
                Step(
                    "same mass",
                    eq(over_planes(amplitude(l) * slow(l)), mass),
                    identity(),
                    "nothing is lost.",
                ),
                Step(
                    "sum",
                    third,
                    smt(),
                    "The sum is the old one.",
                    ("new sum", "sum parts", "p gets", "same mass"),
                    given,
                ),
                Step(
                    "new term",
                    eq(moved(l) * gain, value * gain),
                    smt(),
                    "The new fall",
                    ("new",),
                    (defined, *INSIDE),
                ),
                Step(
                    "new fall",
                    eq(over_planes(moved(l) * gain), over_planes(value * gain)),
                    termwise(),
                    "at distance t",
                    ("new term",),
                    (defined,),
                ),
                Step(
                    "fall parts",
                    eq(over_planes(value * gain), kept + over_planes(here(l) * (mass * gain))),
                    identity(),
                    "is that of the fast planes and that of p,",
                ),
                Step(
                    "p falls",
                    eq(over_planes(here(l) * (mass * gain)), mass * top_gain),
                    by_claim("sums.pick", {f: sp.Lambda(l, mass * gain)}),
                    "which has the moved amplitude;",
                    ("the plane is one of the planes", "indicator"),
                    (is_here, elsewhere),
                ),
                Step(
                    "old fall",
                    eq(over_planes(amplitude(l) * gain), kept + slow_part),
                    identity(),
                    "the old one is that of the fast planes and of the slow ones.",
                ),
                Step(
                    "order",
                    Both(le(0, theta(l)), If(is_slow, le(theta(l), theta(plane)))),
                    instance({l: l}),
                    "A slow plane is at most as fast as p,",
                    ("it is the fastest of the slow",),
                    INSIDE,
                ),
                Step(
                    "half a turn",
                    le(theta(plane) * j, bound * j),
                    smt(),
                    "and p turns",
                    ("it is slow",),
                    inside_lags,
                ),
                Step(
                    "lag share",
                    le(bound * j, bound * reach),
                    smt(),
                    "by at most",
                    ("there is a lag",),
                    inside_lags,
                ),
                Step(
                    "bound is pi",
                    eq(bound * reach, sp.pi),
                    identity(),
                    "half a turn in N steps.",
                    ("there is a lag",),
                ),
                Step(
                    "angles",
                    Both(
                        le(0, theta(l) * j),
                        le(theta(l) * j, theta(plane) * j),
                        le(theta(plane) * j, sp.pi),
                    ),
                    smt(),
                    "So both angles lie in half a turn, in order,",
                    ("order", "half a turn", "lag share", "bound is pi"),
                    (*INSIDE, *inside_lags, is_slow),
                ),
                Step(
                    "cosines",
                    le(sp.cos(theta(plane) * j), sp.cos(theta(l) * j)),
                    by_claim("trig.cosine-decreasing", {x: theta(l) * j, y: theta(plane) * j}),
                    "p's cosine is the smaller,",
                    ("angles",),
                    (*INSIDE, *inside_lags, is_slow),
                ),
                Step(
                    "slow term",
                    le(amplitude(l) * slow(l) * gain, amplitude(l) * slow(l) * top_gain),
                    smt(),
                    "and moving amplitude to p loses nothing.",
                    ("cosines", "mark", "marked amplitude"),
                    (slow_marks, *INSIDE, *inside_lags),
                ),
                Step(
                    "slow sum",
                    le(slow_part, over_planes(amplitude(l) * slow(l) * top_gain)),
                    termwise(),
                    "Sum:",
                    ("slow term",),
                    (slow_marks, *inside_lags),
                ),
                Step(
                    "slow factor",
                    eq(over_planes(amplitude(l) * slow(l) * top_gain), mass * top_gain),
                    identity(),
                    "at most what p gets.",
                ),
                Step(
                    "fall",
                    le(over_planes(amplitude(l) * gain), over_planes(moved(l) * gain)),
                    smt(),
                    "So the fall has not shrunk,",
                    ("new fall", "fall parts", "p falls", "old fall", "slow sum", "slow factor"),
                    (*given, *inside_lags),
                ),
                Step("falls", fourth, generalise(), "at any distance.", ("fall",), given),
                Step(
                    "better",
                    goal,
                    witness({moved: sp.Lambda(l, moved(l))}),
                    "These amplitudes are as claimed.",
                    ("signs", "zeros", "sum", "falls"),
                    given,
                ),
                Step(
                    "choose amplitudes",
                    goal,
                    choose(),
                    "They exist,",
                    ("movable", "better"),
                    (slow_marks, is_here, elsewhere),
                ),
                Step(
                    "choose p",
                    goal,
                    choose(),
                    "as do the indicator",
                    ("this plane", "choose amplitudes"),
                    (slow_marks,),
                ),
                Step("choose marks", goal, choose(), "and the marks.", ("slow or not", "choose p")),
            )
        ),
        uses=("sums.pick", "trig.cosine-decreasing"),
        mutants=(
            Mutant(
                "all amplitude may go to p",
                every(j, 1, reach, le(over_planes(amplitude(l) * gain), total() * top_gain)),
            ),
        ),
    )


SLASH_GAME_BANDS = _bands()

CLAIMS = (SLASH_GAME_BANDS,)
