"""Permutations that bring every content to every position equally often."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.sums import f, here, indicator, plane

h, k = integer("h k")
count, size, share = integer("P N c")
places = integer_function("pi")


def _even() -> Claim:
    whole = sp.Sum(f(k), (k, 0, size - 1))
    taken = sp.Sum(f(places(h)), (h, 1, count))
    match = indicator(k, places(h))
    picked = sp.Sum(match * f(k), (k, 0, size - 1))
    nested = sp.Sum(picked, (h, 1, count))
    swapped = sp.Sum(sp.Sum(match * f(k), (h, 1, count)), (k, 0, size - 1))
    at_h, at_k = (le(1, h), le(h, count)), (le(0, k), le(k, size - 1))
    names = ("they are places", "every place comes equally often")
    goal = eq(taken, share * whole)
    return Claim(
        id="sums.even",
        title="A sum over places that come equally often",
        statement=(
            r"If the places $\pi_1,\dots,\pi_P$ in $0..N-1$ take every value $c$ times, then "
            r"$\sum_hf(\pi_h)=c\sum_kf(k)$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                every(h, 1, count, Both(le(0, places(h)), le(places(h), size - 1))),
                without=(
                    *(eq(count, 2), eq(size, 1), eq(share, 1), eq(places(1), 0), eq(places(2), 5)),
                    *(eq(f(0), 1), eq(f(5), 1)),
                ),
            ),
            Hypothesis(
                names[1],
                every(k, 0, size - 1, eq(sp.Sum(match, (h, 1, count)), share)),
                without=(
                    *(eq(count, 1), eq(size, 2), eq(share, 1), eq(places(1), 0)),
                    *(eq(f(0), 1), eq(f(1), 1)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "one there",
                    eq(indicator(places(h), places(h)), 1),
                    smt(),
                    "The indicator of a place",
                ),
                Step(
                    "none", eq(indicator(l, places(h)), 0), smt(), "is 0", (), (ne(l, places(h)),)
                ),
                Step(
                    "none elsewhere",
                    every(l, 0, size - 1, If(ne(l, places(h)), eq(indicator(l, places(h)), 0))),
                    generalise(),
                    "elsewhere,",
                    ("none",),
                ),
                Step(
                    "place",
                    Both(le(0, places(h)), le(places(h), size - 1)),
                    instance({h: h}),
                    "so a sum",
                    (names[0],),
                    at_h,
                ),
                Step(
                    "pick",
                    eq(sp.Sum(indicator(l, places(h)) * f(l), (l, 0, size - 1)), f(places(h))),
                    by_claim(
                        "sums.pick",
                        {
                            m: size,
                            plane: places(h),
                            here: sp.Lambda(l, indicator(l, places(h))),
                            f: sp.Lambda(l, f(l)),
                        },
                    ),
                    "against it picks that place.",
                    ("place", "one there", "none elsewhere"),
                    at_h,
                ),
                Step(
                    "rename",
                    eq(sp.Sum(indicator(l, places(h)) * f(l), (l, 0, size - 1)), picked),
                    identity(),
                    "(Under any name.)",
                ),
                Step(
                    "picked",
                    eq(f(places(h)), picked),
                    smt(),
                    "Write each term so,",
                    ("pick", "rename"),
                    at_h,
                ),
                Step("as nested", eq(taken, nested), termwise(), "all of them.", ("picked",)),
                Step("exchange", eq(nested, swapped), swap(), "Exchange the sums:"),
                Step(
                    "often",
                    eq(sp.Sum(match, (h, 1, count)), share),
                    instance({k: k}),
                    "each k comes c times.",
                    (names[1],),
                    at_k,
                ),
                Step(
                    "factor",
                    eq(sp.Sum(match * f(k), (h, 1, count)), f(k) * sp.Sum(match, (h, 1, count))),
                    identity(),
                    "So its column",
                ),
                Step(
                    "column",
                    eq(sp.Sum(match * f(k), (h, 1, count)), share * f(k)),
                    smt(),
                    "is c f(k).",
                    ("often", "factor"),
                    at_k,
                ),
                Step(
                    "columns",
                    eq(swapped, sp.Sum(share * f(k), (k, 0, size - 1))),
                    termwise(),
                    "Sum the columns",
                    ("column",),
                ),
                Step(
                    "common",
                    eq(sp.Sum(share * f(k), (k, 0, size - 1)), share * whole),
                    identity(),
                    "and take out c.",
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "Together.",
                    ("as nested", "exchange", "columns", "common"),
                ),
            )
        ),
        uses=("sums.pick",),
        mutants=(
            Mutant(
                "once",
                eq(taken, whole),
                at=(
                    eq(count, 2),
                    eq(size, 1),
                    eq(share, 2),
                    eq(places(1), 0),
                    eq(places(2), 0),
                    eq(f(0), 1),
                ),
            ),
            Mutant(
                "one more",
                eq(taken, (share + 1) * whole),
                at=(eq(count, 1), eq(size, 1), eq(share, 1), eq(places(1), 0), eq(f(0), 1)),
            ),
        ),
    )


SUMS_EVEN = _even()

CLAIMS = (SUMS_EVEN,)
