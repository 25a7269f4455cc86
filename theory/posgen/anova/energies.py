"""Planes that fluctuate in circles and apart add their energies."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    identity,
    instance,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes
from ropeproof.theory.posgen.anova.common import (
    ONE_PLANE,
    chance,
    cosine,
    energy,
    first,
    h,
    k,
    moments_of,
    over_keys,
    second,
    sine,
    v,
)
from ropeproof.theory.sums import f, here, indicator, plane


def _energy() -> Claim:
    def part(at: Any) -> Any:
        return first(at, v) * cosine(at) - second(at, v) * sine(at)

    half = energy(h) / 2 * indicator(k, h)
    pull = sp.Sum(part(h), (h, 0, m - 1))
    square = over_keys(chance(v) * pull**2)
    product = chance(v) * (part(h) * part(k))
    planes_h, planes_k = (h, 0, m - 1), (k, 0, m - 1)
    double = sp.Sum(sp.Sum(product, planes_k), planes_h)
    triple = over_keys(double)
    after = sp.Sum(over_keys(sp.Sum(product, planes_k)), planes_h)
    inner_before, inner_after = (
        over_keys(sp.Sum(product, planes_k)),
        sp.Sum(over_keys(product), planes_k),
    )
    second_form = sp.Sum(inner_after, planes_h)
    at_both = (le(0, h), le(h, m - 1), le(0, k), le(k, m - 1))
    at_h = at_both[:2]
    names = ("first parts are uncorrelated", "second parts too", "nor with each other")
    moments = {
        (a, b): over_keys(chance(v) * (x(h, v) * y(k, v)))
        for a, x in (("x", first), ("y", second))
        for b, y in (("x", first), ("y", second))
    }
    pair = indicator(k, h) * (energy(h) / 2 * (cosine(h) * cosine(k) + sine(h) * sine(k)))
    picked = sp.Sum(
        indicator(l, h) * (energy(h) / 2 * (cosine(h) * cosine(l) + sine(h) * sine(l))),
        (l, 0, m - 1),
    )
    own = energy(h) / 2 * (cosine(h) * cosine(h) + sine(h) * sine(h))
    goal = eq(square, over_planes(energy(l) / 2 * (cosine(l) ** 2 + sine(l) ** 2)))
    return Claim(
        id="posgen.energy",
        title="Planes that fluctuate in circles and apart add their energies",
        statement=(
            r"If the planes' fluctuations $z_l=x_l+\mathrm iy_l$ are circular and uncorrelated, "
            r"$\mathbb E|z_l|^2=e_l$, then $\mathbb E(\sum_l\mathrm{Re}\,z_l\overline{c_l})^2"
            r"=\frac12\sum_le_l|c_l|^2$ for any numbers $c_l=C_l-\mathrm iS_l$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                moments_of(first, first, half),
                unshown="correlated planes add up otherwise",
            ),
            Hypothesis(names[1], moments_of(second, second, half), unshown="as for the first"),
            Hypothesis(names[2], moments_of(first, second, 0), unshown="as for the first"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "double",
                    eq(chance(v) * pull**2, double),
                    identity(),
                    "A squared sum is a double sum,",
                ),
                Step(
                    "triple", eq(square, triple), termwise(), "its mean a triple one.", ("double",)
                ),
                Step("exchange", eq(triple, after), swap(), "Take the mean"),
                Step("inner", eq(inner_before, inner_after), swap(), "of each pair of planes"),
                Step("inner sums", eq(after, second_form), termwise(), "first:", ("inner",)),
                Step(
                    "moments",
                    eq(
                        over_keys(product),
                        cosine(h) * cosine(k) * moments["x", "x"]
                        + sine(h) * sine(k) * moments["y", "y"]
                        - cosine(h) * sine(k) * moments["x", "y"]
                        - sine(h) * cosine(k) * moments["y", "x"],
                    ),
                    identity(),
                    "four moments,",
                ),
                Step(
                    "xx",
                    eq(moments["x", "x"], half),
                    instance({h: h, k: k}),
                    "which are",
                    (names[0],),
                    at_both,
                ),
                Step(
                    "yy",
                    eq(moments["y", "y"], half),
                    instance({h: h, k: k}),
                    "half the energy",
                    (names[1],),
                    at_both,
                ),
                Step(
                    "xy",
                    eq(moments["x", "y"], 0),
                    instance({h: h, k: k}),
                    "of the plane",
                    (names[2],),
                    at_both,
                ),
                Step(
                    "yx there",
                    eq(over_keys(chance(v) * (first(k, v) * second(h, v))), 0),
                    instance({h: k, k: h}),
                    "with itself,",
                    (names[2],),
                    at_both,
                ),
                Step(
                    "yx",
                    eq(moments["y", "x"], over_keys(chance(v) * (first(k, v) * second(h, v)))),
                    identity(),
                    "(in any order)",
                ),
                Step(
                    "pair",
                    eq(over_keys(product), pair),
                    smt(),
                    "else 0.",
                    ("moments", "xx", "yy", "xy", "yx", "yx there"),
                    at_both,
                ),
                Step(
                    "row",
                    eq(inner_after, sp.Sum(pair, planes_k)),
                    termwise(),
                    "So a plane",
                    ("pair",),
                    at_h,
                ),
                Step("one", eq(indicator(h, h), 1), smt(), "meets"),
                Step("none", eq(indicator(l, h), 0), smt(), "itself", (), (ne(l, h),)),
                Step(
                    "none elsewhere",
                    every(l, 0, m - 1, If(ne(l, h), eq(indicator(l, h), 0))),
                    generalise(),
                    "alone:",
                    ("none",),
                ),
                Step(
                    "pick",
                    eq(picked, own),
                    by_claim(
                        "sums.pick",
                        {
                            plane: h,
                            here: sp.Lambda(l, indicator(l, h)),
                            f: sp.Lambda(
                                l, energy(h) / 2 * (cosine(h) * cosine(l) + sine(h) * sine(l))
                            ),
                        },
                    ),
                    "its own energy",
                    ("one", "none elsewhere"),
                    at_h,
                ),
                Step("rename", eq(sp.Sum(pair, planes_k), picked), identity(), "(under any name)"),
                Step(
                    "plane",
                    eq(inner_after, own),
                    chain(),
                    "is what",
                    ("row", "rename", "pick"),
                    at_h,
                ),
                Step(
                    "planes",
                    eq(second_form, sp.Sum(own, planes_h)),
                    termwise(),
                    "it adds.",
                    ("plane",),
                ),
                Step(
                    "names",
                    eq(
                        sp.Sum(own, planes_h),
                        over_planes(energy(l) / 2 * (cosine(l) ** 2 + sine(l) ** 2)),
                    ),
                    identity(),
                    "Add up.",
                ),
                Step(
                    "together",
                    goal,
                    chain(),
                    "Together.",
                    ("triple", "exchange", "inner sums", "planes", "names"),
                ),
            )
        ),
        uses=("sums.pick",),
        mutants=(
            Mutant(
                "the whole energy",
                eq(square, over_planes(energy(l) * (cosine(l) ** 2 + sine(l) ** 2))),
                at=ONE_PLANE,
            ),
            Mutant("no energy", eq(square, 0), at=ONE_PLANE),
        ),
    )


POSGEN_ENERGY = _energy()

CLAIMS = (POSGEN_ENERGY,)
