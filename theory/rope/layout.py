"""Interleaved and half layout: one permutation of the coordinates."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    choose,
    generalise,
    identity,
    induction,
    instance,
    smt,
    split,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.rope.rotation import inner, rotated

x, y = real_function("x"), real_function("y")
c = integer("c")


def _layout() -> Claim:
    X, Y, U, W = (real_function(name) for name in ("x", "y", "u", "v"))

    def interleaved(f: Any, row: Any) -> tuple[Any, Any]:
        return rotated(f(2 * l), f(2 * l + 1), theta(l) * row)

    def half(f: Any, row: Any) -> tuple[Any, Any]:
        return rotated(f(l), f(l + m), theta(l) * row)

    left = over_planes(inner(interleaved(X, i), interleaved(Y, j)))
    right = over_planes(inner(half(U, i), half(W, j)))
    inside = (le(0, l), le(l, m - 1))

    def same(f: Any, g: Any) -> Any:
        return Both(eq(f(2 * l), g(l)), eq(f(2 * l + 1), g(l + m)))

    def moved(f: Any, g: Any) -> Any:
        return every(l, 0, m - 1, same(f, g))

    def inner_all(f: Any, g: Any, count: Any) -> Any:
        return sp.Sum(f(c) * g(c), (c, 0, 2 * count - 1))

    def pairs(f: Any, g: Any, count: Any) -> Any:
        return sp.Sum(f(2 * l) * g(2 * l) + f(2 * l + 1) * g(2 * l + 1), (l, 0, count - 1))

    unrotated = eq(inner_all(X, Y, m), inner_all(U, W, m))
    conjugate = every(
        l,
        0,
        m - 1,
        Both(eq(interleaved(X, i)[0], half(U, i)[0]), eq(interleaved(X, i)[1], half(U, i)[1])),
    )
    coordinate = (le(0, c), le(c, 2 * m - 1))
    pair_inside = (*inside, le(0, j), le(j, m - 1))

    def covers(first: Any, second: Any) -> Any:
        found = Some((l,), Both(*inside, Either(eq(c, first), eq(c, second))))
        return Every((c,), If(Both(*coordinate), found))

    def apart(first: Any, second: Any) -> Any:
        mixed = Both(ne(first, second.subs(l, j)), ne(second, first.subs(l, j)))
        once = Both(
            If(eq(first, first.subs(l, j)), eq(l, j)), If(eq(second, second.subs(l, j)), eq(l, j))
        )
        return Every((l, j), If(Both(*pair_inside), Both(mixed, once)))

    permutation = Both(
        covers(l, l + m), apart(l, l + m), covers(2 * l, 2 * l + 1), apart(2 * l, 2 * l + 1)
    )

    even_or_odd = Both(le(0, l), Either(eq(c, 2 * l), eq(c, 2 * l + 1)))
    found_pair = covers(2 * l, 2 * l + 1).args[1].args[1]

    def parity(number: Any) -> Any:
        halves = Either(eq(number, 2 * l), eq(number, 2 * l + 1))
        return Some((l,), Both(le(0, l), halves))

    def parity_steps() -> tuple[Step, ...]:
        zero = sp.Integer(0)
        counted = (le(0, c), parity(c))
        return (
            Step("zero is even", parity(zero), witness({l: 0}), "Zero is even;"),
            Step(
                "after even",
                parity(c + 1),
                witness({l: l}),
                "after an even number comes an odd one,",
                (),
                (le(0, l), eq(c, 2 * l)),
            ),
            Step(
                "after odd",
                parity(c + 1),
                witness({l: l + 1}),
                "after an odd one an even one;",
                (),
                (le(0, l), eq(c, 2 * l + 1)),
            ),
            Step(
                "after either",
                parity(c + 1),
                smt(),
                "so after either",
                ("after even", "after odd"),
                (even_or_odd,),
            ),
            Step("parity", parity(c), smt(), "(by assumption)", (), counted),
            Step(
                "next parity",
                parity(c + 1),
                choose(),
                "the next number is even or odd,",
                ("parity", "after either"),
                counted,
            ),
            Step(
                "even or odd",
                parity(c),
                induction(c, 0),
                "and every number is.",
                ("zero is even", "next parity"),
                (le(0, c),),
            ),
            Step(
                "interleaved place",
                found_pair,
                witness({l: l}),
                "Below 2m its half is a plane:",
                (),
                (*coordinate, even_or_odd),
            ),
            Step(
                "interleaved coordinate",
                found_pair,
                choose(),
                "every coordinate belongs to a plane,",
                ("even or odd", "interleaved place"),
                coordinate,
            ),
        )

    def bijection(label: str, first: Any, second: Any, cases: Any) -> tuple[Step, ...]:
        cover, distinct = covers(first, second), apart(first, second)
        found = cover.args[1].args[1]
        return (
            *(
                Step(
                    f"{label} coordinate {number}",
                    found,
                    witness({l: plane}),
                    "Every coordinate belongs to a plane,",
                    (),
                    (*coordinate, where),
                )
                for number, (plane, where) in enumerate(cases, 1)
            ),
            *(
                Step(
                    f"{label} coordinate",
                    found,
                    smt(),
                    "in either case,",
                    tuple(f"{label} coordinate {k}" for k in range(1, len(cases) + 1)),
                    coordinate,
                )
                for _ in cases[:1]
            ),
            Step(f"{label} covers", cover, generalise(), "all of them,", (f"{label} coordinate",)),
            Step(
                f"{label} pair",
                distinct.args[1].args[1],
                smt(),
                "and to one plane only, in one place,",
                (),
                pair_inside,
            ),
            Step(f"{label} apart", distinct, generalise(), "for all pairs.", (f"{label} pair",)),
        )

    goal = Both(permutation, conjugate, eq(left, right), unrotated)
    by_pairs = eq(inner_all(X, Y, m), pairs(X, Y, m))
    halves = eq(
        inner_all(U, W, m),
        sp.Sum(U(l) * W(l), (l, 0, m - 1)) + sp.Sum(U(l + m) * W(l + m), (l, 0, m - 1)),
    )
    return Claim(
        id="rope.layout",
        title="Interleaved and half layout differ by one fixed permutation of coordinates",
        statement=(
            r"Let coordinate $2l$ of the interleaved layout be coordinate $l$ of the half layout and "
            r"$2l+1$ be $l+m$: a permutation of the $2m$ coordinates, the same for every vector. Then "
            r"rotating at any position commutes with it, so logits agree after permuting the columns of "
            r"$W_Q,W_K$; plain inner products over all $2m$ coordinates agree as well."
        ),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis("there are planes", le(0, m), idle="without planes all sums are empty"),
            Hypothesis("the query is permuted", moved(X, U)),
            Hypothesis("the key is permuted", moved(Y, W)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "query",
                    same(X, U),
                    instance({l: l}),
                    "The two coordinates of a plane, for the query",
                    ("the query is permuted",),
                    inside,
                ),
                Step(
                    "key",
                    same(Y, W),
                    instance({l: l}),
                    "and the key.",
                    ("the key is permuted",),
                    inside,
                ),
                Step(
                    "rotated",
                    Both(
                        eq(interleaved(X, i)[0], half(U, i)[0]),
                        eq(interleaved(X, i)[1], half(U, i)[1]),
                    ),
                    smt(),
                    "Rotating acts on the same pair of numbers in both layouts.",
                    ("query",),
                    inside,
                ),
                Step("conjugate", conjugate, generalise(), "In every plane.", ("rotated",)),
                Step(
                    "term",
                    eq(inner(interleaved(X, i), interleaved(Y, j)), inner(half(U, i), half(W, j))),
                    smt(),
                    "So a plane's contribution is the same,",
                    ("query", "key"),
                    inside,
                ),
                Step("logits", eq(left, right), termwise(), "and so is the logit.", ("term",)),
                Step(
                    "no pairs",
                    eq(inner_all(X, Y, sp.Integer(0)), pairs(X, Y, sp.Integer(0))),
                    identity(),
                    "Coordinates counted in pairs: none,",
                ),
                Step(
                    "one pair more",
                    eq(
                        inner_all(X, Y, m + 1),
                        inner_all(X, Y, m) + X(2 * m) * Y(2 * m) + X(2 * m + 1) * Y(2 * m + 1),
                    ),
                    split(2 * m - 1),
                    "then one pair after the other,",
                    (),
                    (le(0, m),),
                ),
                Step(
                    "one plane more",
                    eq(
                        pairs(X, Y, m + 1),
                        pairs(X, Y, m) + X(2 * m) * Y(2 * m) + X(2 * m + 1) * Y(2 * m + 1),
                    ),
                    split(m - 1),
                    "plane by plane,",
                    (),
                    (le(0, m),),
                ),
                Step(
                    "next",
                    eq(inner_all(X, Y, m + 1), pairs(X, Y, m + 1)),
                    smt(),
                    "so both counts stay equal",
                    ("one pair more", "one plane more"),
                    (le(0, m), by_pairs),
                ),
                Step(
                    "by pairs",
                    by_pairs,
                    induction(m, 0),
                    "by induction.",
                    ("no pairs", "next", "there are planes"),
                ),
                Step(
                    "halves",
                    halves,
                    split(m - 1),
                    "In the half layout: first halves, second halves.",
                    ("there are planes",),
                ),
                Step(
                    "pair",
                    eq(
                        X(2 * l) * Y(2 * l) + X(2 * l + 1) * Y(2 * l + 1),
                        U(l) * W(l) + U(l + m) * W(l + m),
                    ),
                    smt(),
                    "A pair contributes the same to both.",
                    ("query", "key"),
                    inside,
                ),
                Step(
                    "all pairs",
                    eq(pairs(X, Y, m), sp.Sum(U(l) * W(l) + U(l + m) * W(l + m), (l, 0, m - 1))),
                    termwise(),
                    "Summed.",
                    ("pair",),
                ),
                Step(
                    "unrotated",
                    unrotated,
                    smt(),
                    "So inner products over all coordinates agree.",
                    ("by pairs", "halves", "all pairs"),
                ),
                *bijection("half", l, l + m, ((c, le(c, m - 1)), (c - m, le(m, c)))),
                *parity_steps(),
                *bijection("interleaved", 2 * l, 2 * l + 1, ()),
                Step(
                    "together",
                    goal,
                    smt(),
                    "So the map between the layouts is a permutation with these properties.",
                    (
                        "half covers",
                        "half apart",
                        "interleaved covers",
                        "interleaved apart",
                        "conjugate",
                        "logits",
                        "unrotated",
                    ),
                ),
            )
        ),
        mutants=(
            Mutant("halves overlap", apart(l, l + m - 1)),
            Mutant("one coordinate more", covers(l, l + m - 1)),
            Mutant(
                "halves swapped",
                eq(left, over_planes(inner(half(U, i), rotated(W(l + m), W(l), theta(l) * j)))),
            ),
            Mutant(
                "half layout read as interleaved",
                eq(left, over_planes(inner(interleaved(U, i), interleaved(W, j)))),
            ),
        ),
    )


ROPE_LAYOUT = _layout()

CLAIMS = (ROPE_LAYOUT,)
