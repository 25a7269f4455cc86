"""Bounded features cannot keep unboundedly many distances apart."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, n, over_planes, s, theta
from ropeproof.theory.posgen.plane import SCALE, a, c, part, phi, psi
from ropeproof.theory.posgen.plane import size as radius
from ropeproof.theory.sums.numerals import base, digit, other
from ropeproof.theory.sums.pigeonhole import code, values

i, k, v, keys, whole = integer("i k v V n_0")
gap, reach, x, y, factor, p, q = real("epsilon S x y t p q")
z = real("z")
lag, chance = real_function("tau"), real_function("p")
aligned, crossed, size = (real_function(name) for name in ("a", "c", "R"))
A, C, R = aligned(v, l), crossed(v, l), size(v, l)
PLANES, KEYS = (le(0, l), le(l, m - 1)), (le(1, v), le(v, keys))


def _turns(index: Any) -> Any:
    return theta(l) * lag(index) / (2 * sp.pi)


def _share(index: Any) -> Any:
    """The part of a turn that is left."""
    return _turns(index) - sp.floor(_turns(index))


def _cell(index: Any) -> Any:
    return sp.floor(base * _share(index))


def _code(index: Any) -> Any:
    return over_planes(_cell(index) * base ** sp.Abs(l))


def _logit(index: Any) -> Any:
    return over_planes(s * part(theta(l) * lag(index), A, C))


def _capacity() -> Claim:
    apart = sp.Sum(chance(v) * (_logit(i) - _logit(k)) ** 2, (v, 1, keys))
    where = Both(le(0, i), le(i, n - 1), le(0, k), le(k, n - 1), ne(i, k))
    sizes = Both(le(0, R), eq(R**2, A**2 + C**2))
    total = over_planes(s * R)
    names = (
        "R is the planes' size",
        "S bounds every key's amplitude",
        "chances are not negative",
        "chances add up to 1",
        "all lags are apart",
        "G cells are enough",
        "there is a cell",
        "the number of planes is not negative",
        "the number of lags is not negative",
    )
    pair = (le(0, i), le(i, n - 1), le(0, k), le(k, n - 1), ne(i, k))
    equal = (eq(_code(i), _code(k)),)
    cells_equal = every(l, 0, m - 1, eq(_cell(i), _cell(k)))
    moved = part(2 * sp.pi * _share(i), A, C) - part(2 * sp.pi * _share(k), A, C)
    turn = sp.Abs(2 * sp.pi * _share(i) - 2 * sp.pi * _share(k))
    bound = 2 * sp.pi / base
    goal = le(n, base**m)

    def of(index: Any, label: str) -> tuple[Step, ...]:
        number_of = over_planes(_cell(index) * base**l)
        return (
            Step(
                f"{label} share",
                Both(le(0, _share(index)), lt(_share(index), 1)),
                smt(),
                "What is left of a turn",
            ),
            Step(
                f"{label} scaled",
                Both(le(0, base * _share(index)), lt(base * _share(index), base)),
                smt(),
                "lies in one of G cells:",
                (f"{label} share", names[6]),
            ),
            Step(
                f"{label} rounded",
                Both(
                    le(_cell(index), base * _share(index)),
                    lt(base * _share(index), _cell(index) + 1),
                ),
                smt(),
                "round down,",
            ),
            Step(
                f"{label} cell of",
                Both(le(0, whole), le(whole, base - 1)),
                smt(),
                "(an integer",
                (),
                (le(whole, x), lt(x, whole + 1), le(0, x), lt(x, base)),
            ),
            Step(
                f"{label} cell",
                Both(le(0, _cell(index)), le(_cell(index), base - 1)),
                instance({whole: _cell(index), x: base * _share(index)}),
                "below G): a digit.",
                (f"{label} cell of", f"{label} scaled", f"{label} rounded"),
            ),
            Step(
                f"{label} digits",
                every(l, 0, m - 1, Both(le(0, _cell(index)), le(_cell(index), base - 1))),
                generalise(),
                "A digit for every plane:",
                (f"{label} cell",),
            ),
            Step(f"{label} exponent", eq(sp.Abs(l), l), smt(), "(planes count from 0)", (), PLANES),
            Step(
                f"{label} term",
                eq(_cell(index) * base ** sp.Abs(l), _cell(index) * base**l),
                rewrite(),
                "(so their powers are powers)",
                (f"{label} exponent",),
                PLANES,
            ),
            Step(
                f"{label} code",
                eq(_code(index), number_of),
                termwise(),
                "a number,",
                (f"{label} term",),
            ),
            Step(
                f"{label} bound",
                Both(le(0, number_of), le(number_of, base**m - 1)),
                by_claim("numerals.bound", {digit: sp.Lambda(l, _cell(index))}),
                "below G^m.",
                (names[6], names[7], f"{label} digits"),
            ),
            Step(
                f"{label} angle",
                eq(
                    2 * sp.pi * _share(index),
                    theta(l) * lag(index) + 2 * sp.pi * (-sp.floor(_turns(index))),
                ),
                identity(),
                "Whole turns",
            ),
            *(
                step
                for name, wave in (("cosine", sp.cos), ("sine", sp.sin))
                for step in (
                    Step(
                        f"{label} {name} there",
                        eq(
                            wave(2 * sp.pi * _share(index), evaluate=False),
                            wave(
                                theta(l) * lag(index) + 2 * sp.pi * (-sp.floor(_turns(index))),
                                evaluate=False,
                            ),
                        ),
                        rewrite(),
                        "do not",
                        (f"{label} angle",),
                    ),
                    Step(
                        f"{label} {name} of",
                        eq(wave(x + 2 * sp.pi * whole, evaluate=False), wave(x)),
                        identity(),
                        "count",
                    ),
                    Step(
                        f"{label} {name} turned",
                        eq(
                            wave(
                                theta(l) * lag(index) + 2 * sp.pi * (-sp.floor(_turns(index))),
                                evaluate=False,
                            ),
                            wave(theta(l) * lag(index)),
                        ),
                        instance({x: theta(l) * lag(index), whole: -sp.floor(_turns(index))}),
                        "here:",
                        (f"{label} {name} of",),
                    ),
                    Step(
                        f"{label} {name} left",
                        eq(
                            wave(theta(l) * lag(index)),
                            wave(2 * sp.pi * _share(index), evaluate=False),
                        ),
                        smt(),
                        "a plane",
                        (f"{label} {name} there", f"{label} {name} turned"),
                    ),
                )
            ),
            Step(
                f"{label} plane",
                eq(part(theta(l) * lag(index), A, C), part(2 * sp.pi * _share(index), A, C)),
                rewrite(),
                "A plane sees what is left.",
                (f"{label} cosine left", f"{label} sine left"),
            ),
        )

    at = (
        *(eq(n, 2), eq(m, 1), eq(s, 1), eq(keys, 1), eq(theta(0), 1), eq(chance(1), 1)),
        *(eq(aligned(1, 0), 1), eq(crossed(1, 0), 0), eq(size(1, 0), 1), eq(reach, 1)),
        *(eq(lag(0), 0), eq(lag(1), 3), eq(gap, 3), eq(base, 4)),
    )
    difference = _logit(i) - _logit(k)
    term = s * part(theta(l) * lag(i), A, C) - s * part(theta(l) * lag(k), A, C)
    term_bound = s * (R * bound)
    return Claim(
        id="posgen.bounded-capacity",
        title="Bounded features keep a bounded number of distances apart",
        statement=(
            r"At most $G^m$ lags are pairwise $\epsilon$-apart in $\mathbb E(w_t-w_{t'})^2$, for $m$ planes "
            r"and any integer $G\ge1$ with $2\pi S\le G\sqrt\epsilon$, $S=s\|q\|\|k\|\ge s\sum_l|q_l||k_l|$: "
            r"$G=\max(1,\lceil2\pi s\|q\|\|k\|/\sqrt\epsilon\rceil)$."
        ),
        needs=frozenset("PT"),
        hypotheses=(
            Hypothesis(
                SCALE.name, SCALE.formula, unshown="a negative scale turns the amplitude's sign"
            ),
            Hypothesis(
                names[0],
                every(v, 1, keys, every(l, 0, m - 1, sizes)),
                unshown="a size too small bounds nothing",
            ),
            Hypothesis(
                names[1],
                every(v, 1, keys, le(total, reach)),
                unshown="larger amplitudes keep more apart",
            ),
            Hypothesis(
                names[2], every(v, 1, keys, le(0, chance(v))), unshown="the mean is one of chances"
            ),
            Hypothesis(
                names[3],
                eq(sp.Sum(chance(v), (v, 1, keys)), 1),
                unshown="the mean is one of chances",
            ),
            Hypothesis(
                names[4], Every((i, k), If(where, lt(gap, apart))), unshown="lags may be equal"
            ),
            Hypothesis(
                names[5],
                le((2 * sp.pi * reach) ** 2, base**2 * gap),
                unshown="fewer cells do not hold them all",
            ),
            Hypothesis(names[6], le(1, base), unshown="no cell holds nothing"),
            Hypothesis(names[7], le(0, m), unshown="a negative number of planes is none"),
            Hypothesis(names[8], le(0, n), idle="a negative number is at most any power"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *of(i, "its"),
                *of(k, "the other's"),
                Step(
                    "given", eq(_code(i), _code(k)), smt(), "If two lags have one code", (), equal
                ),
                Step(
                    "numbers",
                    eq(over_planes(_cell(i) * base**l), over_planes(_cell(k) * base**l)),
                    smt(),
                    "their numbers are equal,",
                    ("given", "its code", "the other's code"),
                    equal,
                ),
                Step(
                    "cells",
                    cells_equal,
                    by_claim(
                        "numerals.unique",
                        {digit: sp.Lambda(l, _cell(i)), other: sp.Lambda(l, _cell(k))},
                    ),
                    "so are their cells,",
                    (names[6], names[7], "its digits", "the other's digits", "numbers"),
                    equal,
                ),
                Step(
                    "cell",
                    eq(_cell(i), _cell(k)),
                    instance({l: l}),
                    "in every plane,",
                    ("cells",),
                    (*equal, *PLANES),
                ),
                Step(
                    "near",
                    Both(
                        lt(base * _share(i) - base * _share(k), 1),
                        lt(-1, base * _share(i) - base * _share(k)),
                    ),
                    smt(),
                    "and what is left of their turns is less than a cell apart:",
                    ("cell", "its rounded", "the other's rounded"),
                    (*equal, *PLANES),
                ),
                Step(
                    "inverse",
                    Both(lt(0, 1 / base), eq(base * (1 / base), 1)),
                    smt(),
                    "(G is positive)",
                    (names[6],),
                ),
                Step(
                    "a cell",
                    Both(le(x - y, 1 / base), le(-(1 / base), x - y)),
                    smt(),
                    "a G-th",
                    ("inverse", names[6]),
                    (lt(base * x - base * y, 1), lt(-1, base * x - base * y)),
                ),
                Step(
                    "less than a cell",
                    Both(
                        le(_share(i) - _share(k), 1 / base), le(-(1 / base), _share(i) - _share(k))
                    ),
                    instance({x: _share(i), y: _share(k)}),
                    "of a turn,",
                    ("a cell", "near"),
                    (*equal, *PLANES),
                ),
                Step("part", eq(bound, 2 * sp.pi * (1 / base)), identity(), "in angles"),
                Step(
                    "turn of",
                    le(sp.Abs(2 * sp.pi * x - 2 * sp.pi * y), bound),
                    smt(),
                    "2 pi / G.",
                    ("part",),
                    (le(x - y, 1 / base), le(-(1 / base), x - y)),
                ),
                Step(
                    "turn",
                    le(turn, bound),
                    instance({x: _share(i), y: _share(k)}),
                    "(Here.)",
                    ("turn of", "less than a cell"),
                    (*equal, *PLANES),
                ),
                Step(
                    "planes of v",
                    every(l, 0, m - 1, sizes),
                    instance({v: v}),
                    "A key's planes",
                    (names[0],),
                    KEYS,
                ),
                Step(
                    "sizes",
                    sizes,
                    instance({l: l}),
                    "have sizes",
                    ("planes of v",),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "moves",
                    Both(
                        le(sp.Abs(part(2 * sp.pi * _share(i), A, C)), R),
                        le(sp.Abs(moved), 2 * R),
                        le(sp.Abs(moved), R * turn),
                    ),
                    by_claim(
                        "posgen.plane",
                        {
                            a: A,
                            c: C,
                            radius: R,
                            phi: 2 * sp.pi * _share(i),
                            psi: 2 * sp.pi * _share(k),
                        },
                    ),
                    "and differ by no more than that times the angle,",
                    ("sizes",),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "times the size",
                    le(turn * R, bound * R),
                    by_claim("order.times", {x: turn, y: bound, factor: R}),
                    "which is small.",
                    ("turn", "sizes"),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "moved at most",
                    le(sp.Abs(moved), R * turn),
                    smt(),
                    "(the last of these)",
                    ("moves",),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "plane",
                    le(sp.Abs(moved), R * bound),
                    chain(),
                    "So a plane moves little,",
                    ("moved at most", "times the size"),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "scaled",
                    le(sp.Abs(moved) * s, R * bound * s),
                    by_claim("order.times", {x: sp.Abs(moved), y: R * bound, factor: s}),
                    "also scaled,",
                    ("plane", SCALE.name),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "a term from above",
                    le(s * x, s * y),
                    smt(),
                    "(with either",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y * s),),
                ),
                Step(
                    "a term from below",
                    le(-(s * y), s * x),
                    smt(),
                    "sign)",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y * s),),
                ),
                Step(
                    "moved above",
                    le(s * moved, s * (R * bound)),
                    instance({x: moved, y: R * bound}),
                    "from above",
                    ("a term from above", "scaled"),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "moved below",
                    le(-(s * (R * bound)), s * moved),
                    instance({x: moved, y: R * bound}),
                    "and from below,",
                    ("a term from below", "scaled"),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "term",
                    eq(term, s * moved),
                    rewrite(),
                    "in the plane's own angles;",
                    ("its plane", "the other's plane"),
                ),
                Step(
                    "from above",
                    le(term, term_bound),
                    chain(),
                    "from above",
                    ("term", "moved above"),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "back",
                    eq(s * moved, term),
                    rewrite(),
                    "(read the other way)",
                    ("its plane", "the other's plane"),
                ),
                Step(
                    "from below",
                    le(-term_bound, term),
                    chain(),
                    "and below,",
                    ("moved below", "back"),
                    (*equal, *KEYS, *PLANES),
                ),
                Step(
                    "upper",
                    le(over_planes(term), over_planes(term_bound)),
                    termwise(),
                    "all planes",
                    ("from above",),
                    (*equal, *KEYS),
                ),
                Step(
                    "lower",
                    le(over_planes(-term_bound), over_planes(term)),
                    termwise(),
                    "together.",
                    ("from below",),
                    (*equal, *KEYS),
                ),
                Step(
                    "sums",
                    Both(
                        eq(over_planes(term), difference),
                        eq(over_planes(term_bound), bound * total),
                        eq(over_planes(-term_bound), -(bound * total)),
                    ),
                    identity(),
                    "(Sums are linear.)",
                ),
                Step(
                    "amplitude",
                    le(total, reach),
                    instance({v: v}),
                    "A key's amplitude is bounded,",
                    (names[1],),
                    KEYS,
                ),
                Step(
                    "not negative",
                    le(0, bound),
                    smt(),
                    "(the angle is not negative)",
                    ("part", "inverse"),
                ),
                Step(
                    "amplitudes",
                    le(total * bound, reach * bound),
                    by_claim("order.times", {x: total, y: reach, factor: bound}),
                    "so the logits",
                    ("amplitude", "not negative"),
                    KEYS,
                ),
                Step(
                    "size",
                    Both(le(difference, reach * bound), le(-(reach * bound), difference)),
                    smt(),
                    "differ by at most 2 pi S / G,",
                    ("upper", "lower", "sums", "amplitudes"),
                    (*equal, *KEYS),
                ),
                Step("square of", le(x**2, y**2), smt(), "(squared)", (), (le(x, y), le(-y, x))),
                Step(
                    "square",
                    le(difference**2, (reach * bound) ** 2),
                    instance({x: difference, y: reach * bound}),
                    "whose square",
                    ("square of", "size"),
                    (*equal, *KEYS),
                ),
                Step(
                    "written",
                    eq((reach * bound) ** 2, (2 * sp.pi * reach) ** 2 * (1 / base) ** 2),
                    identity(),
                    "(written out)",
                ),
                Step("inverse square", le(0, (1 / base) ** 2), smt(), "(a square)"),
                Step(
                    "times the inverse",
                    le((2 * sp.pi * reach) ** 2 * (1 / base) ** 2, gap),
                    by_claim(
                        "order.times",
                        {x: (2 * sp.pi * reach) ** 2, y: base**2 * gap, factor: (1 / base) ** 2},
                    ),
                    "(over G^2)",
                    (names[5], "inverse square", "inverse", names[6]),
                ),
                Step(
                    "cells enough",
                    le((reach * bound) ** 2, gap),
                    smt(),
                    "is at most eps.",
                    ("written", "times the inverse"),
                ),
                Step(
                    "chance", le(0, chance(v)), instance({v: v}), "In the mean", (names[2],), KEYS
                ),
                Step(
                    "small",
                    le(difference**2, gap),
                    chain(),
                    "too:",
                    ("square", "cells enough"),
                    (*equal, *KEYS),
                ),
                Step(
                    "weighed",
                    le(difference**2 * chance(v), gap * chance(v)),
                    by_claim("order.times", {x: difference**2, y: gap, factor: chance(v)}),
                    "weigh",
                    ("small", "chance"),
                    (*equal, *KEYS),
                ),
                Step(
                    "mean",
                    le(
                        sp.Sum(difference**2 * chance(v), (v, 1, keys)),
                        sp.Sum(gap * chance(v), (v, 1, keys)),
                    ),
                    termwise(),
                    "and add up,",
                    ("weighed",),
                    equal,
                ),
                Step(
                    "means",
                    Both(
                        eq(sp.Sum(difference**2 * chance(v), (v, 1, keys)), apart),
                        eq(
                            sp.Sum(gap * chance(v), (v, 1, keys)),
                            gap * sp.Sum(chance(v), (v, 1, keys)),
                        ),
                    ),
                    identity(),
                    "(in order)",
                ),
                Step(
                    "are apart",
                    lt(gap, apart),
                    instance({i: i, k: k}),
                    "but they are apart.",
                    (names[4],),
                    pair,
                ),
                Step(
                    "differ",
                    ne(_code(i), _code(k)),
                    smt(),
                    "So different lags have different codes.",
                    ("mean", "means", "are apart", names[3]),
                    pair,
                ),
                Step(
                    "all differ",
                    Every((i, k), If(where, ne(_code(i), _code(k)))),
                    generalise(),
                    "All of them.",
                    ("differ",),
                ),
                Step(
                    "code",
                    Both(le(0, _code(i)), le(_code(i), base**m - 1)),
                    smt(),
                    "A code is below G^m,",
                    ("its code", "its bound"),
                ),
                Step(
                    "codes",
                    every(i, 0, n - 1, Both(le(0, _code(i)), le(_code(i), base**m - 1))),
                    generalise(),
                    "every one.",
                    ("code",),
                ),
                Step("power", le(0, base**m), smt(), "(not negative)", (names[6],)),
                Step(
                    "pigeonhole",
                    goal,
                    by_claim("sums.pigeonhole", {code: sp.Lambda(i, _code(i)), values: base**m}),
                    "So there are at most G^m.",
                    ("codes", "all differ", names[8], "power", names[7]),
                ),
            )
        ),
        uses=(
            "numerals.bound",
            "numerals.unique",
            "sums.pigeonhole",
            "posgen.plane",
            "order.times",
        ),
        mutants=(
            Mutant("a plane less", le(n, base ** (m - 1)), at=at),
            Mutant("a quarter of the cells", le(n, (base / 4) ** m), at=at),
        ),
    )


POSGEN_BOUNDED_CAPACITY = _capacity()

CLAIMS = (POSGEN_BOUNDED_CAPACITY,)
