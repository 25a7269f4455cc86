"""Finite sums: the same terms in another order, and a term that is no larger than the mean."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    choose,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    swap,
    termwise,
    witness,
)
from ropeproof.theory.logic import (
    Both,
    If,
    Some,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real_function,
)
from ropeproof.theory.notation import j, l, m, n
from ropeproof.theory.sums.indicators import indicator

__all__ = [
    "CLAIMS",
    "SUMS_LEAST",
    "SUMS_PERMUTE",
    "back",
    "f",
    "forth",
    "here",
    "indicator",
    "k",
    "plane",
]

OWN = Source("ropeproof", "", "own")
k, r, plane = integer("k r p")
f, here = real_function("f"), real_function("here")
forth, back = integer_function("pi"), integer_function("rho")


def _permute() -> Claim:
    terms = sp.Sum(f(j), (j, 0, n - 1))
    permuted = sp.Sum(f(forth(j)), (j, 0, n - 1))
    at_j, at_k = (le(0, j), le(j, n - 1)), (le(0, k), le(k, n - 1))
    both = (*at_j, *at_k)
    match = indicator(k, forth(j))
    inverse = indicator(j, back(k))
    picked = sp.Sum(match * f(k), (k, 0, n - 1))
    nested = sp.Sum(picked, (j, 0, n - 1))
    swapped = sp.Sum(sp.Sum(match * f(k), (j, 0, n - 1)), (k, 0, n - 1))
    into = every(j, 0, n - 1, Both(le(0, forth(j)), le(forth(j), n - 1)))
    onto = every(k, 0, n - 1, Both(le(0, back(k)), le(back(k), n - 1)))
    there = every(j, 0, n - 1, eq(back(forth(j)), j))
    again = every(k, 0, n - 1, eq(forth(back(k)), k))
    names = ("pi stays in the range", "rho too", "rho undoes pi", "pi undoes rho")
    goal = eq(permuted, terms)
    return Claim(
        id="sums.permute",
        title="A sum does not depend on the order of its terms",
        statement=(
            r"$\sum_{j<n}f(\pi(j))=\sum_{j<n}f(j)$ for a permutation $\pi$ of $0,\dots,n-1$ with "
            r"inverse $\rho$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=tuple(
            Hypothesis(name, formula, idle="it follows from the other three by counting")
            for name, formula in zip(names, (into, onto, there, again), strict=True)
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "in the range",
                    Both(le(0, forth(j)), le(forth(j), n - 1)),
                    instance({j: j}),
                    "The place that j goes to is in the range,",
                    (names[0],),
                    at_j,
                ),
                Step(
                    "one there", eq(indicator(forth(j), forth(j)), 1), smt(), "the indicator is 1"
                ),
                Step(
                    "none",
                    eq(indicator(l, forth(j)), 0),
                    smt(),
                    "there and 0",
                    (),
                    (ne(l, forth(j)),),
                ),
                Step(
                    "none elsewhere",
                    every(l, 0, n - 1, If(ne(l, forth(j)), eq(indicator(l, forth(j)), 0))),
                    generalise(),
                    "elsewhere:",
                    ("none",),
                ),
                Step(
                    "pick",
                    eq(picked, f(forth(j))),
                    by_claim(
                        "sums.pick",
                        {
                            m: n,
                            plane: forth(j),
                            here: sp.Lambda(l, indicator(l, forth(j))),
                            f: sp.Lambda(l, f(l)),
                        },
                    ),
                    "the sum against it picks f there.",
                    ("in the range", "one there", "none elsewhere"),
                    at_j,
                ),
                Step("as nested", eq(permuted, nested), termwise(), "For all j.", ("pick",)),
                Step("exchange", eq(nested, swapped), swap(), "Exchange the sums."),
                Step(
                    "back again", eq(back(forth(j)), j), instance({j: j}), "As", (names[2],), at_j
                ),
                Step(
                    "forth again",
                    eq(forth(back(k)), k),
                    instance({k: k}),
                    "both",
                    (names[3],),
                    at_k,
                ),
                Step("if there", eq(k, forth(j)), smt(), "maps", (), (eq(k, forth(j)),)),
                Step(
                    "then back",
                    eq(back(k), back(forth(j))),
                    rewrite(),
                    "undo",
                    ("if there",),
                    (eq(k, forth(j)),),
                ),
                Step("if back", eq(j, back(k)), smt(), "each", (), (eq(j, back(k)),)),
                Step(
                    "then there",
                    eq(forth(j), forth(back(k))),
                    rewrite(),
                    "other,",
                    ("if back",),
                    (eq(j, back(k)),),
                ),
                Step(
                    "one way",
                    eq(match, inverse),
                    smt(),
                    "k is where j goes",
                    ("then back", "back again", "then there", "forth again"),
                    both,
                ),
                Step(
                    "one there again", eq(indicator(back(k), back(k)), 1), smt(), "if and only if"
                ),
                Step(
                    "none again",
                    eq(indicator(l, back(k)), 0),
                    smt(),
                    "j is where k",
                    (),
                    (ne(l, back(k)),),
                ),
                Step(
                    "none elsewhere again",
                    every(l, 0, n - 1, If(ne(l, back(k)), eq(indicator(l, back(k)), 0))),
                    generalise(),
                    "comes from.",
                    ("none again",),
                ),
                Step(
                    "in the range again",
                    Both(le(0, back(k)), le(back(k), n - 1)),
                    instance({k: k}),
                    "That place is one of the range,",
                    (names[1],),
                    at_k,
                ),
                Step(
                    "count",
                    eq(sp.Sum(inverse * 1, (j, 0, n - 1)), 1),
                    by_claim(
                        "sums.pick",
                        {
                            m: n,
                            plane: back(k),
                            here: sp.Lambda(l, indicator(l, back(k))),
                            f: sp.Lambda(l, 1),
                        },
                    ),
                    "so every k is met once:",
                    ("in the range again", "one there again", "none elsewhere again"),
                    at_k,
                ),
                Step(
                    "weighed",
                    eq(match * f(k), inverse * f(k)),
                    smt(),
                    "Weighed with f(k),",
                    ("one way",),
                    both,
                ),
                Step(
                    "matches",
                    eq(sp.Sum(match * f(k), (j, 0, n - 1)), sp.Sum(inverse * f(k), (j, 0, n - 1))),
                    termwise(),
                    "the column",
                    ("weighed",),
                    at_k,
                ),
                Step(
                    "factor",
                    eq(
                        sp.Sum(inverse * f(k), (j, 0, n - 1)),
                        f(k) * sp.Sum(inverse * 1, (j, 0, n - 1)),
                    ),
                    identity(),
                    "of k",
                ),
                Step(
                    "column",
                    eq(sp.Sum(match * f(k), (j, 0, n - 1)), f(k)),
                    smt(),
                    "adds up to f(k).",
                    ("matches", "factor", "count"),
                    at_k,
                ),
                Step(
                    "columns",
                    eq(swapped, sp.Sum(f(k), (k, 0, n - 1))),
                    termwise(),
                    "Sum the columns.",
                    ("column",),
                ),
                Step(
                    "rename",
                    eq(sp.Sum(f(k), (k, 0, n - 1)), terms),
                    identity(),
                    "The name of the index does not matter.",
                ),
                Step(
                    "same sum",
                    goal,
                    chain(),
                    "Together.",
                    ("as nested", "exchange", "columns", "rename"),
                ),
            )
        ),
        uses=("sums.pick",),
        mutants=(Mutant("twice", eq(permuted, 2 * terms)),),
    )


def _least() -> Claim:
    terms = sp.Sum(f(j), (j, 0, n - 1))

    def lowest(count: Any) -> Any:
        body = Both(le(0, k), le(k, count - 1), every(j, 0, count - 1, le(f(k), f(j))))
        return Some((k,), body)

    body = (le(0, k), le(k, r - 1), every(j, 0, r - 1, le(f(k), f(j))))
    at_j = (le(0, j), le(j, r))
    found = (le(0, k), le(k, n - 1), every(j, 0, n - 1, le(f(k), f(j))))
    mean = Both(le(0, k), le(k, n - 1), le(n * f(k), terms))
    goal = Some((k,), mean)
    some_term = "there is a term"

    def keep(label: str, chosen: Any, where: Any) -> tuple[Step, ...]:
        """The lowest of the first r stays lowest, or the next one takes its place."""
        return (
            Step(
                f"before, {label}",
                le(f(k), f(j)),
                instance({j: j}),
                "Among the terms before, none is lower,",
                ("lowest so far",),
                (*body, le(0, j), le(j, r - 1)),
            ),
            Step(
                f"last, {label}",
                If(eq(j, r), eq(f(j), f(r))),
                smt(),
                "and the last",
                (f"rewritten, {label}",),
            ),
            Step(
                f"each, {label}",
                le(f(chosen), f(j)),
                smt(),
                "compares as assumed:",
                (f"before, {label}", f"last, {label}"),
                (*body, where, *at_j),
            ),
            Step(
                f"all, {label}",
                every(j, 0, r, le(f(chosen), f(j))),
                generalise(),
                "so it is lowest now.",
                (f"each, {label}",),
                (*body, where),
            ),
            Step(
                f"still one, {label}",
                lowest(r + 1),
                witness({k: chosen}),
                "It is the one.",
                (f"all, {label}",),
                (*body, where, le(1, r)),
            ),
        )

    return Claim(
        id="sums.least",
        title="Some term is no larger than the mean",
        statement=r"For $n\ge1$ there is $0\le k<n$ with $f_k\le\frac1n\sum_{j<n}f_j$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis(some_term, le(1, n), without=(eq(n, 0),)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("only", eq(j, 0), smt(), "A single term", (), (le(0, j), le(j, 0))),
                Step(
                    "itself",
                    eq(f(j), f(0)),
                    rewrite(),
                    "is",
                    ("only",),
                    (le(0, j), le(j, 0)),
                ),
                Step("is lowest", le(f(0), f(j)), smt(), "its", ("itself",), (le(0, j), le(j, 0))),
                Step(
                    "one is lowest",
                    every(j, 0, 0, le(f(0), f(j))),
                    generalise(),
                    "own",
                    ("is lowest",),
                ),
                Step("start", lowest(1), witness({k: 0}), "minimum.", ("one is lowest",)),
                Step("lowest so far", body[2], smt(), "Let k be lowest so far.", (), body),
                *(
                    Step(
                        f"same, {label}",
                        eq(j, r),
                        smt(),
                        "The new term",
                        (),
                        (eq(j, r),),
                    )
                    for label in ("stays", "falls")
                ),
                *(
                    Step(
                        f"rewritten, {label}",
                        eq(f(j), f(r)),
                        rewrite(),
                        "is f(r).",
                        (f"same, {label}",),
                        (eq(j, r),),
                    )
                    for label in ("stays", "falls")
                ),
                *keep("stays", k, le(f(k), f(r))),
                *keep("falls", r, lt(f(r), f(k))),
                Step(
                    "one more",
                    lowest(r + 1),
                    smt(),
                    "Either way there is a lowest of one more.",
                    ("still one, stays", "still one, falls"),
                    (*body, le(1, r)),
                ),
                Step("given", lowest(r), smt(), "If there is one,", (), (lowest(r),)),
                Step(
                    "next",
                    lowest(r + 1),
                    choose(),
                    "there is a next.",
                    ("given", "one more"),
                    (lowest(r), le(1, r)),
                ),
                Step(
                    "every count",
                    lowest(r),
                    induction(r, 1),
                    "So any number of terms has a lowest.",
                    ("start", "next"),
                    (le(1, r),),
                ),
                Step(
                    "all terms",
                    lowest(n),
                    instance({r: n}),
                    "Take all n.",
                    ("every count", some_term),
                ),
                Step("the lowest", found[2], smt(), "Let k be it.", (), found),
                Step(
                    "a term",
                    le(f(k), f(j)),
                    instance({j: j}),
                    "No term is lower,",
                    ("the lowest",),
                    (*found, le(0, j), le(j, n - 1)),
                ),
                Step(
                    "summed",
                    le(sp.Sum(f(k), (j, 0, n - 1)), terms),
                    termwise(),
                    "so n times it",
                    ("a term",),
                    found,
                ),
                Step(
                    "counted",
                    eq(sp.Sum(f(k), (j, 0, n - 1)), n * f(k)),
                    identity(),
                    "is at most",
                    (some_term,),
                ),
                Step("mean", mean, smt(), "the sum.", ("summed", "counted"), found),
                Step("it exists", goal, witness({k: k}), "So there is one.", ("mean",), found),
                Step("some", goal, choose(), "By choice.", ("all terms", "it exists")),
            )
        ),
        mutants=(
            Mutant(
                "strictly",
                Some((k,), Both(le(0, k), le(k, n - 1), lt(n * f(k), terms))),
                at=(eq(n, 1),),
            ),
            Mutant("half", Some((k,), Both(le(0, k), le(k, n - 1), le(2 * n * f(k), terms)))),
        ),
    )


SUMS_PERMUTE = _permute()
SUMS_LEAST = _least()

CLAIMS = (SUMS_PERMUTE, SUMS_LEAST)
