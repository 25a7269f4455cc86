"""How large a logit can be and how fast it can change with the lag."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.claim import Claim, Hypothesis, Mutant, Source
from theory.derivation import (
    Derivation,
    Step,
    ball,
    by_claim,
    generalise,
    identity,
    instance,
    mean_value,
    rewrite,
    smt,
    split,
    termwise,
)
from theory.exponential import log_at_least, monotone
from theory.logic import Both, Every, If, eq, every, iff, integer, le, lt, real, real_function
from theory.notation import (
    amplitude,
    cosine_logit,
    j,
    key_x,
    key_y,
    l,
    logit,
    m,
    over_planes,
    phase,
    query_x,
    query_y,
    s,
    t,
    theta,
)
from theory.rope.algebra import rotated

__all__ = ["CLAIMS"]

OWN = Source("ropeproof", "", "own")
c = integer("c")
x = real("x")
f = real_function("f")
_INSIDE = (le(0, l), le(l, m - 1))


def _zero_sum() -> Claim:
    total = over_planes(f(l))
    before, after = sp.Sum(f(l), (l, 0, c - 1)), sp.Sum(f(l), (l, c + 1, m - 1))
    upto = sp.Sum(f(l), (l, 0, c))
    goal = every(c, 0, m - 1, eq(f(c), 0))
    place = (le(0, c), le(c, m - 1))
    low, high = (le(0, l), le(l, c - 1)), (le(c + 1, l), le(l, m - 1))

    def not_negative(label: str, where: Any) -> Step:
        return Step(
            f"term {label}",
            le(0, f(l)),
            instance({l: l}),
            "No term is negative,",
            ("no term is negative",),
            (*place, *where),
        )

    return Claim(
        id="sums.zero-terms",
        title="Non-negative terms that add up to 0 are 0",
        statement=r"If $f_l\ge0$ for $0\le l<m$ and $\sum_lf_l=0$ then every $f_l=0$.",
        source=Source("textbook", "finite sums", "own"),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "no term is negative",
                every(l, 0, m - 1, le(0, f(l))),
                without=(eq(m, 2), eq(f(0), 1), eq(f(1), -1)),
            ),
            Hypothesis("the sum is 0", eq(total, 0), without=(le(1, m),)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                not_negative("before", low),
                not_negative("after", high),
                Step(
                    "sum before",
                    le(0, before),
                    termwise(),
                    "nor the sum of terms before c",
                    ("term before",),
                    place,
                ),
                Step("sum after", le(0, after), termwise(), "or after it.", ("term after",), place),
                Step("cut after", eq(total, upto + after), split(c), "Split the sum", (), place),
                Step(
                    "cut before", eq(upto, before + f(c)), split(c - 1), "at the term c.", (), place
                ),
                Step(
                    "at c",
                    le(0, f(c)),
                    instance({l: c}),
                    "The term itself is not negative either,",
                    ("no term is negative",),
                    place,
                ),
                Step(
                    "zero",
                    eq(f(c), 0),
                    smt(),
                    "so all three parts are 0.",
                    ("sum before", "sum after", "cut after", "cut before", "at c", "the sum is 0"),
                    place,
                ),
                Step("all", goal, generalise(), "For every term.", ("zero",)),
            )
        ),
        mutants=(
            Mutant("terms equal 1", every(c, 0, m - 1, eq(f(c), 1)), at=(eq(m, 1),)),
            Mutant("one term more", every(c, 0, m, eq(f(c), 0))),
        ),
    )


def _bounded() -> Claim:
    r_q, r_k = real_function("r_q"), real_function("r_k")
    size = s * r_q(l) * r_k(l)
    angle = theta(l) * t + phase(l)
    w = over_planes(size * sp.cos(angle))
    total = over_planes(size)
    squares_q, squares_k = over_planes(r_q(l) ** 2), over_planes(r_k(l) ** 2)
    product = s * sp.sqrt(squares_q) * sp.sqrt(squares_k)
    mixed = over_planes(r_q(l) * r_k(l))
    cross = (r_q(l) * r_k(j) - r_q(j) * r_k(l)) ** 2
    inner = sp.Sum(cross, (j, 0, m - 1))
    double = over_planes(inner)
    at_top = every(l, 0, m - 1, eq(size * (1 - sp.cos(angle)), 0))
    at_bottom = every(l, 0, m - 1, eq(size * (1 + sp.cos(angle)), 0))
    proportional = Every(
        (l, j), If(Both(*_INSIDE, le(0, j), le(j, m - 1)), eq(r_q(l) * r_k(j), r_q(j) * r_k(l)))
    )
    bounds = Both(le(sp.Abs(w), total), le(total, product))
    goal = Both(
        bounds,
        iff(eq(w, total), at_top),
        iff(eq(w, -total), at_bottom),
        iff(eq(total, product), proportional),
    )
    moduli = every(l, 0, m - 1, Both(le(0, r_q(l)), le(0, r_k(l))))

    def extreme(label: str, sign: int, everywhere: Any, word: str) -> tuple[Step, ...]:
        gap = size * (1 - sign * sp.cos(angle))
        return (
            Step(
                f"{label} gap",
                le(0, gap),
                smt(),
                f"A plane's distance from its {word} value is not negative;",
                ("amplitude",),
                _INSIDE,
            ),
            Step(
                f"{label} gaps",
                every(l, 0, m - 1, le(0, gap)),
                generalise(),
                "so in each plane,",
                (f"{label} gap",),
            ),
            Step(
                f"{label} sum",
                eq(over_planes(gap), total - sign * w),
                identity(),
                f"and they add up to the distance of the logit from its {word} value.",
            ),
            Step(
                f"{label} reached",
                everywhere,
                by_claim("sums.zero-terms", {f: sp.Lambda(l, gap)}),
                "If that is 0, each of them is.",
                (f"{label} gaps", f"{label} sum"),
                (eq(w, sign * total),),
            ),
            Step(
                f"{label} everywhere",
                everywhere,
                smt(),
                "Conversely",
                (),
                (everywhere,),
            ),
            Step(
                f"{label} plane",
                eq(gap, 0),
                instance({l: l}),
                "if each is 0,",
                (f"{label} everywhere",),
                (everywhere, *_INSIDE),
            ),
            Step(
                f"{label} planes",
                eq(over_planes(gap), 0),
                termwise(),
                "so is the sum.",
                (f"{label} plane",),
                (everywhere,),
            ),
            Step(
                f"{label} iff",
                iff(eq(w, sign * total), everywhere),
                smt(),
                "So equality holds exactly then.",
                (f"{label} reached", f"{label} sum", f"{label} planes"),
            ),
        )

    return Claim(
        id="rope.bounded",
        title="The amplitude bounds the logit",
        statement=(
            r"$|w|\le\sum_lA_l\le s\|q\|\|k\|$ with $A_l=s|q_l||k_l|$. $w=\pm\sum A_l$ exactly if every "
            r"plane with $A_l>0$ has $\cos(\theta_lt+\varphi_l)=\pm1$, one sign for all; the second "
            r"bound is attained exactly if $(|q_l|)$ and $(|k_l|)$ are proportional."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("moduli are not negative", moduli),
            Hypothesis("the scale is positive", lt(0, s)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "moduli",
                    Both(le(0, r_q(l)), le(0, r_k(l))),
                    instance({l: l}),
                    "Moduli are not negative,",
                    ("moduli are not negative",),
                    _INSIDE,
                ),
                Step(
                    "amplitude",
                    le(0, size),
                    smt(),
                    "nor is an amplitude.",
                    ("moduli", "the scale is positive"),
                    _INSIDE,
                ),
                Step(
                    "above",
                    le(size * sp.cos(angle), size),
                    smt(),
                    "A cosine is at most 1",
                    ("amplitude",),
                    _INSIDE,
                ),
                Step(
                    "below",
                    le(-size, size * sp.cos(angle)),
                    smt(),
                    "and at least -1.",
                    ("amplitude",),
                    _INSIDE,
                ),
                Step("sum above", le(w, total), termwise(), "Sum over the planes,", ("above",)),
                Step(
                    "sum below",
                    le(over_planes(-size), w),
                    termwise(),
                    "both ways.",
                    ("below",),
                ),
                Step(
                    "first bound",
                    le(sp.Abs(w), total),
                    smt(),
                    "So the logit is at most the amplitude.",
                    ("sum above", "sum below"),
                ),
                Step(
                    "Lagrange",
                    eq(double, 2 * (squares_q * squares_k - mixed**2)),
                    identity(),
                    "Lagrange's identity.",
                ),
                Step("square", le(0, cross), smt(), "Squares are not negative,"),
                Step("row", le(0, inner), termwise(), "nor their sum over j", ("square",)),
                Step("rows", le(0, double), termwise(), "and over l.", ("row",)),
                Step("no minus q", le(0, r_q(l) ** 2), smt(), "Likewise"),
                Step("sum q", le(0, squares_q), termwise(), "for the norm of q", ("no minus q",)),
                Step("no minus k", le(0, r_k(l) ** 2), smt(), "and"),
                Step("sum k", le(0, squares_k), termwise(), "of k,", ("no minus k",)),
                Step(
                    "mixed term",
                    le(0, r_q(l) * r_k(l)),
                    smt(),
                    "and for the products",
                    ("moduli",),
                    _INSIDE,
                ),
                Step("mixed", le(0, mixed), termwise(), "of moduli.", ("mixed term",)),
                Step("scaled", eq(total, s * mixed), identity(), "The amplitude is s times these."),
                Step(
                    "Cauchy-Schwarz",
                    le(mixed, sp.sqrt(squares_q) * sp.sqrt(squares_k)),
                    smt(),
                    "So (sum |q_l||k_l|)^2 <= |q|^2 |k|^2.",
                    ("Lagrange", "rows", "sum q", "sum k", "mixed"),
                ),
                Step(
                    "second bound",
                    le(total, product),
                    smt(),
                    "Multiply by the scale.",
                    ("scaled", "Cauchy-Schwarz", "the scale is positive"),
                ),
                *extreme("top", 1, at_top, "largest"),
                *extreme("bottom", -1, at_bottom, "smallest"),
                Step(
                    "equal products",
                    eq(double, 0),
                    smt(),
                    "If the second bound is attained Lagrange's sum is 0,",
                    ("Lagrange", "scaled", "sum q", "sum k", "the scale is positive"),
                    (eq(total, product),),
                ),
                Step(
                    "every row",
                    every(l, 0, m - 1, le(0, inner)),
                    generalise(),
                    "and as no row",
                    ("row",),
                ),
                Step(
                    "rows vanish",
                    every(c, 0, m - 1, eq(inner.subs(l, c), 0)),
                    by_claim("sums.zero-terms", {f: sp.Lambda(l, inner)}),
                    "is negative every row is 0,",
                    ("equal products", "every row"),
                    (eq(total, product),),
                ),
                Step(
                    "row vanishes",
                    eq(inner, 0),
                    instance({c: l}),
                    "each of them,",
                    ("rows vanish",),
                    (eq(total, product), *_INSIDE),
                ),
                Step(
                    "every square",
                    every(j, 0, m - 1, le(0, cross)),
                    generalise(),
                    "and as no square",
                    ("square",),
                ),
                Step(
                    "squares vanish",
                    every(c, 0, m - 1, eq(cross.subs(j, c), 0)),
                    by_claim(
                        "sums.zero-terms",
                        {f: sp.Lambda(c, cross.subs(j, c))},
                    ),
                    "is negative every square is 0.",
                    ("row vanishes", "every square"),
                    (eq(total, product), *_INSIDE),
                ),
                Step(
                    "square vanishes",
                    eq(cross, 0),
                    instance({c: j}),
                    "For each pair of planes,",
                    ("squares vanish",),
                    (eq(total, product), *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "pair",
                    eq(r_q(l) * r_k(j), r_q(j) * r_k(l)),
                    smt(),
                    "the products agree:",
                    ("square vanishes",),
                    (eq(total, product), *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "proportional",
                    proportional,
                    generalise(),
                    "the moduli are proportional.",
                    ("pair",),
                    (eq(total, product),),
                ),
                Step("given", proportional, smt(), "Conversely", (), (proportional,)),
                Step(
                    "given pair",
                    eq(r_q(l) * r_k(j), r_q(j) * r_k(l)),
                    instance({l: l, j: j}),
                    "for proportional moduli",
                    ("given",),
                    (proportional, *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "no square",
                    eq(cross, 0),
                    smt(),
                    "every square is 0,",
                    ("given pair",),
                    (proportional, *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "no row",
                    eq(inner, 0),
                    termwise(),
                    "every row",
                    ("no square",),
                    (proportional, *_INSIDE),
                ),
                Step(
                    "no rows",
                    eq(double, 0),
                    termwise(),
                    "and the sum,",
                    ("no row",),
                    (proportional,),
                ),
                Step(
                    "equal squares",
                    eq(mixed**2, squares_q * squares_k),
                    smt(),
                    "so the squares agree,",
                    ("no rows", "Lagrange"),
                    (proportional,),
                ),
                Step(
                    "equal roots",
                    eq(mixed, sp.sqrt(squares_q) * sp.sqrt(squares_k)),
                    smt(),
                    "their roots too,",
                    ("equal squares", "mixed", "sum q", "sum k"),
                    (proportional,),
                ),
                Step(
                    "attained",
                    eq(total, product),
                    smt(),
                    "and the second bound is attained.",
                    ("equal roots", "scaled"),
                    (proportional,),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "Bounds and equality cases.",
                    (
                        "first bound",
                        "second bound",
                        "top iff",
                        "bottom iff",
                        "proportional",
                        "attained",
                    ),
                ),
            )
        ),
        uses=("sums.zero-terms",),
        mutants=(
            Mutant(
                "0.99 of the amplitude",
                le(sp.Abs(w), sp.Rational(99, 100) * total),
                at=(eq(m, 1), eq(t, 0), every(l, 0, 0, eq(phase(l), 0))),
            ),
            Mutant("second bound reversed", le(product, total)),
            Mutant("never attained", lt(total, product)),
        ),
    )


_NOT_NEGATIVE = Hypothesis("amplitudes are not negative", every(l, 0, m - 1, le(0, amplitude(l))))


def _change() -> Any:
    return cosine_logit(t + 1) - cosine_logit(t)


def _lipschitz() -> Claim:
    sine = sp.Abs(sp.sin(theta(l) / 2))
    by_sine, by_angle = over_planes(2 * amplitude(l) * sine), over_planes(amplitude(l) * theta(l))
    step_term = amplitude(l) * (
        sp.cos(theta(l) * (t + 1) + phase(l)) - sp.cos(theta(l) * t + phase(l))
    )
    middle = theta(l) * t + phase(l) + theta(l) / 2
    goal = Both(le(sp.Abs(_change()), by_sine), le(by_sine, by_angle))
    return Claim(
        id="rope.lipschitz",
        title="A unit step changes the logit by at most the sum of A_l theta_l",
        statement=(
            r"$|w(t+1)-w(t)|\le2\sum_lA_l|\sin(\theta_l/2)|\le\sum_lA_l\theta_l$ for $A_l,\theta_l\ge0$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            _NOT_NEGATIVE,
            Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l)))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "Amplitudes are not negative.",
                    ("amplitudes are not negative",),
                    _INSIDE,
                ),
                Step(
                    "product",
                    eq(step_term, -2 * amplitude(l) * sp.sin(middle) * sp.sin(theta(l) / 2)),
                    identity(),
                    "A difference of cosines is a product of sines.",
                ),
                Step(
                    "sines",
                    Both(
                        le(sp.sin(middle) * sp.sin(theta(l) / 2), sine),
                        le(-sine, sp.sin(middle) * sp.sin(theta(l) / 2)),
                    ),
                    smt(),
                    "The first sine is at most 1 in size.",
                ),
                Step(
                    "above",
                    le(step_term, 2 * amplitude(l) * sine),
                    smt(),
                    "So a plane's change is at most 2 A |sin(theta/2)|",
                    ("product", "sines", "amplitude"),
                    _INSIDE,
                ),
                Step(
                    "below",
                    le(-2 * amplitude(l) * sine, step_term),
                    smt(),
                    "in either direction.",
                    ("product", "sines", "amplitude"),
                    _INSIDE,
                ),
                Step(
                    "sum above", le(over_planes(step_term), by_sine), termwise(), "Sum", ("above",)
                ),
                Step(
                    "sum below",
                    le(over_planes(-2 * amplitude(l) * sine), over_planes(step_term)),
                    termwise(),
                    "over the planes.",
                    ("below",),
                ),
                Step(
                    "linear",
                    eq(_change(), over_planes(step_term)),
                    identity(),
                    "The logit's change is the sum of the planes' changes.",
                ),
                Step(
                    "first",
                    le(sp.Abs(_change()), by_sine),
                    smt(),
                    "That is the first bound.",
                    ("linear", "sum above", "sum below"),
                ),
                Step(
                    "frequency",
                    le(0, theta(l)),
                    instance({l: l}),
                    "Frequencies are not negative,",
                    ("frequencies are not negative",),
                    _INSIDE,
                ),
                Step(
                    "half", le(0, theta(l) / 2), smt(), "nor half of them,", ("frequency",), _INSIDE
                ),
                Step(
                    "sine of half",
                    Both(
                        le(sp.sin(theta(l) / 2), theta(l) / 2),
                        le(-theta(l) / 2, sp.sin(theta(l) / 2)),
                    ),
                    by_claim("trig.sine-below-identity", {x: theta(l) / 2}),
                    "and a sine is at most its angle.",
                    ("half",),
                    _INSIDE,
                ),
                Step(
                    "plane",
                    le(2 * amplitude(l) * sine, amplitude(l) * theta(l)),
                    smt(),
                    "So 2 A |sin(theta/2)| <= A theta,",
                    ("sine of half", "amplitude"),
                    _INSIDE,
                ),
                Step("second", le(by_sine, by_angle), termwise(), "summed.", ("plane",)),
                Step("together", goal, smt(), "Both bounds.", ("first", "second")),
            )
        ),
        uses=("trig.sine-below-identity",),
        mutants=(
            Mutant("half the bound", le(sp.Abs(_change()), by_sine / 2)),
            Mutant("second bound halved", le(by_sine, by_angle / 2)),
            Mutant("reversed", le(by_angle, by_sine)),
        ),
    )


def _band() -> Claim:
    base = real("b")
    half = sp.Rational(1, 2)
    frequency = base ** (-l / m)
    standard = every(l, 0, m - 1, eq(theta(l), frequency))
    total = over_planes(amplitude(l))
    sine = sp.Abs(sp.sin(theta(l) / 2))
    by_sine = over_planes(2 * amplitude(l) * sine)
    largest = Both(eq(base ** (-sp.Integer(0) / m), 1), every(l, 0, m - 1, le(theta(l), 1)))
    bound = le(sp.Abs(_change()), 2 * sp.sin(half) * total)
    number = le(2 * sp.sin(half), sp.Rational(9589, 10000))
    goal = Both(largest, bound, le(2 * sp.sin(half) * total, sp.Rational(9589, 10000) * total))
    z = real("z")
    unit = (le(0, z), le(z, 1))
    return Claim(
        id="rope.band",
        title="With standard frequencies a unit step moves a logit by at most 0.9589 A",
        statement=(
            r"For $\theta_l=b^{-l/m}$, $b\ge1$: $\theta_0=1$ is the largest frequency, so "
            r"$|w(t+1)-w(t)|\le2\sin(\tfrac12)A\le0.9589\,A$."
        ),
        source=OWN,
        needs=frozenset("PCX"),
        hypotheses=(
            _NOT_NEGATIVE,
            Hypothesis(
                "the base is at least 1",
                le(1, base),
                without=(eq(base, sp.Rational(1, 4)), eq(m, 2)),
            ),
            Hypothesis("there is a plane", le(1, m), idle="without planes the logit is 0"),
            Hypothesis("frequencies are standard", standard),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "base", lt(0, base), smt(), "The base is positive.", ("the base is at least 1",)
                ),
                Step("m", lt(0, m), smt(), "So is the number of planes.", ("there is a plane",)),
                Step(
                    "log of base",
                    le(sp.log(sp.Integer(1)), sp.log(base)),
                    log_at_least(1, base),
                    "Its logarithm is not negative.",
                    ("the base is at least 1",),
                ),
                Step(
                    "share",
                    le(0, l / m),
                    smt(),
                    "The exponent l/m is not negative",
                    ("m",),
                    _INSIDE,
                ),
                Step(
                    "exponent",
                    le(-l / m * sp.log(base), 0),
                    smt(),
                    "so -(l/m) log b is not positive,",
                    ("share", "log of base"),
                    _INSIDE,
                ),
                Step(
                    "power",
                    le(sp.exp(-l / m * sp.log(base), evaluate=False), sp.exp(sp.Integer(0))),
                    monotone(-l / m * sp.log(base), 0),
                    "and its exponential is at most 1.",
                    ("exponent",),
                    _INSIDE,
                ),
                Step(
                    "frequency",
                    eq(theta(l), frequency),
                    instance({l: l}),
                    "That is the frequency:",
                    ("frequencies are standard",),
                    _INSIDE,
                ),
                Step(
                    "as exponential",
                    eq(frequency, sp.exp(-l / m * sp.log(base), evaluate=False)),
                    identity(),
                    "b^x = exp(x log b).",
                    ("base", "m"),
                ),
                Step(
                    "range",
                    Both(lt(0, theta(l)), le(theta(l), 1)),
                    smt(),
                    "So every frequency lies in (0, 1],",
                    ("power", "frequency", "as exponential"),
                    _INSIDE,
                ),
                Step(
                    "at most 1",
                    le(theta(l), 1),
                    smt(),
                    "is at most 1",
                    ("range",),
                    _INSIDE,
                ),
                Step(
                    "not negative",
                    le(0, theta(l)),
                    smt(),
                    "and not negative.",
                    ("range",),
                    _INSIDE,
                ),
                Step(
                    "all at most 1",
                    every(l, 0, m - 1, le(theta(l), 1)),
                    generalise(),
                    "All of them",
                    ("at most 1",),
                ),
                Step(
                    "all not negative",
                    every(l, 0, m - 1, le(0, theta(l))),
                    generalise(),
                    "are.",
                    ("not negative",),
                ),
                Step(
                    "first is 1",
                    eq(base ** (-sp.Integer(0) / m), 1),
                    smt(),
                    "The first is 1.",
                ),
                Step(
                    "Lipschitz",
                    le(sp.Abs(_change()), by_sine),
                    by_claim("rope.lipschitz"),
                    "The change is at most 2 sum A |sin(theta/2)|.",
                    ("amplitudes are not negative", "all not negative"),
                ),
                Step(
                    "at 1",
                    le(0, sp.sin(half) - sp.sin(half)),
                    smt(),
                    "sin(1/2) - sin(z/2) is 0 at z = 1",
                ),
                Step(
                    "cosine",
                    lt(0, sp.cos(z / 2)),
                    ball(),
                    "and its derivative -cos(z/2)/2 is negative on [0, 1],",
                    (),
                    unit,
                ),
                Step(
                    "slope",
                    le(-sp.cos(z / 2) / 2, 0),
                    smt(),
                    "as enclosures show,",
                    ("cosine",),
                    unit,
                ),
                Step(
                    "rising",
                    le(sp.sin(z / 2), sp.sin(half)),
                    mean_value(z, 1),
                    "so sin(z/2) <= sin(1/2).",
                    ("at 1", "slope"),
                    unit,
                ),
                Step(
                    "sine",
                    le(sp.sin(theta(l) / 2), sp.sin(half)),
                    instance({z: theta(l)}),
                    "For each frequency",
                    ("rising", "range"),
                    _INSIDE,
                ),
                Step(
                    "half angle",
                    Both(lt(0, theta(l) / 2), lt(theta(l) / 2, sp.pi)),
                    smt(),
                    "(half of it lies in (0, pi),",
                    ("range",),
                    _INSIDE,
                ),
                Step(
                    "positive sine",
                    lt(0, sp.sin(theta(l) / 2)),
                    by_claim("trig.sine-positive", {x: theta(l) / 2}),
                    "where the sine is positive)",
                    ("half angle",),
                    _INSIDE,
                ),
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "and amplitude,",
                    ("amplitudes are not negative",),
                    _INSIDE,
                ),
                Step(
                    "plane",
                    le(2 * amplitude(l) * sine, 2 * amplitude(l) * sp.sin(half)),
                    smt(),
                    "a plane contributes at most 2 A sin(1/2);",
                    ("sine", "positive sine", "amplitude"),
                    _INSIDE,
                ),
                Step(
                    "planes",
                    le(by_sine, over_planes(2 * amplitude(l) * sp.sin(half))),
                    termwise(),
                    "summed,",
                    ("plane",),
                ),
                Step("bound", bound, smt(), "2 sin(1/2) A.", ("Lipschitz", "planes")),
                Step("number", number, ball(), "2 sin(1/2) = 0.95885..."),
                Step(
                    "total",
                    le(0, total),
                    termwise(),
                    "The amplitude is not negative.",
                    ("amplitude",),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "All parts.",
                    ("all at most 1", "first is 1", "bound", "number", "total"),
                ),
            )
        ),
        uses=(
            "rope.lipschitz",
            "trig.sine-positive",
            "exp.monotone",
            "exp.log-monotone",
        ),
        mutants=(
            Mutant(
                "0.9588",
                le(sp.Abs(_change()), sp.Rational(9588, 10000) * total),
                at=(
                    eq(m, 1),
                    eq(t, 0),
                    every(l, 0, 0, Both(eq(amplitude(l), 1), eq(phase(l), sp.pi / 2 - half))),
                ),
            ),
            Mutant("sin(1/4)", le(sp.Abs(_change()), 2 * sp.sin(half / 2) * total)),
        ),
    )


def _partial() -> Claim:
    r = integer("r")
    p = real("p")
    first, second = real_function("x"), real_function("y")
    turned = rotated(first(l), second(l), theta(l) * p)
    aligned = query_x(l) * key_x(l) + query_y(l) * key_y(l)
    crossed = query_y(l) * key_x(l) - query_x(l) * key_y(l)
    plane = s * (aligned * sp.cos(theta(l) * t) - crossed * sp.sin(theta(l) * t))
    still_range = (le(r, l), le(l, m - 1))
    still = every(l, r, m - 1, Both(eq(turned[0], first(l)), eq(turned[1], second(l))))
    parts = eq(logit(t), sp.Sum(plane, (l, 0, r - 1)) + sp.Sum(s * aligned, (l, r, m - 1)))
    step = le(sp.Abs(_change()), sp.Sum(amplitude(l) * theta(l), (l, 0, r - 1)))
    goal = Both(still, parts, step)
    names = ("r is a number of planes", "r is at most m")
    return Claim(
        id="rope.partial",
        title="Partial rotary is RoPE with frequency 0 on the planes left alone",
        statement=(
            r"If $\theta_l=0$ for $r\le l<m$ (GPT-J, Pythia), coordinates of those planes do not move; "
            r"the logit is the rotary part over $l<r$ plus the plain inner product of the rest, and "
            r"$|w(t+1)-w(t)|\le\sum_{l<r}A_l\theta_l$. All statements hold with those planes included, "
            r"since they are proved for any $\theta_l\ge0$."
        ),
        source=OWN,
        needs=frozenset("PTW"),
        hypotheses=(
            Hypothesis("r is a number of planes", le(0, r), without=(eq(r, -1), eq(m, 1))),
            Hypothesis(
                "r is at most m",
                le(r, m),
                idle="beyond m there is no plane left alone",
            ),
            Hypothesis("the rest does not rotate", every(l, r, m - 1, eq(theta(l), 0))),
            _NOT_NEGATIVE,
            Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l)))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "frequency",
                    eq(theta(l), 0),
                    instance({l: l}),
                    "A plane left alone has frequency 0,",
                    ("the rest does not rotate",),
                    still_range,
                ),
                Step(
                    "coordinates",
                    eq(turned[0], first(l)),
                    rewrite(),
                    "so it turns by the angle 0: its first coordinate",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "second coordinates",
                    eq(turned[1], second(l)),
                    rewrite(),
                    "and its second stay.",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "pair",
                    Both(eq(turned[0], first(l)), eq(turned[1], second(l))),
                    smt(),
                    "Both stay,",
                    ("coordinates", "second coordinates"),
                    still_range,
                ),
                Step("still", still, generalise(), "in each such plane.", ("pair",)),
                Step(
                    "cut",
                    eq(logit(t), sp.Sum(plane, (l, 0, r - 1)) + sp.Sum(plane, (l, r, m - 1))),
                    split(r - 1),
                    "Split the logit at r.",
                    names,
                ),
                Step(
                    "plain term",
                    eq(plane, s * aligned),
                    rewrite(),
                    "A plane left alone contributes its plain inner product,",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "plain",
                    eq(sp.Sum(plane, (l, r, m - 1)), sp.Sum(s * aligned, (l, r, m - 1))),
                    termwise(),
                    "and so do all of them.",
                    ("plain term",),
                ),
                Step("parts", parts, smt(), "That splits the logit.", ("cut", "plain")),
                Step(
                    "Lipschitz",
                    le(sp.Abs(_change()), over_planes(amplitude(l) * theta(l))),
                    by_claim("rope.lipschitz"),
                    "The change is at most the sum of A theta over all planes,",
                    ("amplitudes are not negative", "frequencies are not negative"),
                ),
                Step(
                    "cut bound",
                    eq(
                        over_planes(amplitude(l) * theta(l)),
                        sp.Sum(amplitude(l) * theta(l), (l, 0, r - 1))
                        + sp.Sum(amplitude(l) * theta(l), (l, r, m - 1)),
                    ),
                    split(r - 1),
                    "split at r as well;",
                    names,
                ),
                Step(
                    "nothing",
                    eq(amplitude(l) * theta(l), 0),
                    smt(),
                    "the planes left alone",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "nothings",
                    eq(sp.Sum(amplitude(l) * theta(l), (l, r, m - 1)), 0),
                    termwise(),
                    "add nothing.",
                    ("nothing",),
                ),
                Step(
                    "step",
                    step,
                    smt(),
                    "So only rotated planes count.",
                    ("Lipschitz", "cut bound", "nothings"),
                ),
                Step("together", goal, smt(), "All three.", ("still", "parts", "step")),
            )
        ),
        uses=("rope.lipschitz",),
        mutants=(
            Mutant(
                "one plane fewer rotates",
                eq(logit(t), sp.Sum(plane, (l, 0, r - 2)) + sp.Sum(s * aligned, (l, r - 1, m - 1))),
                at=(le(1, r),),
            ),
            Mutant("the rest drops out", eq(logit(t), sp.Sum(plane, (l, 0, r - 1)))),
        ),
    )


CLAIMS = (_zero_sum(), _bounded(), _lipschitz(), _band(), _partial())
