"""A head cannot be positional and symbolic at once unless its logits are constant."""

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
from ropeproof.theory.head.even import count, places, share, size
from ropeproof.theory.head.table import a
from ropeproof.theory.language import *
from ropeproof.theory.notation import l
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.planes.digits import f as term_
from ropeproof.theory.planes.digits import k as index
from ropeproof.theory.sums import f, indicator

h, j, k, m = integer("h j k m")
permuted = integer_function("pi")


def _over(variable: Any, body: Any) -> Any:
    return sp.Sum(body, (variable, 0, size - 1))


def _pairs(body: Any) -> Any:
    return _over(j, _over(k, body))


POSITIONAL = _pairs((a(k, j) - a(j, j)) ** 2)
SYMBOLIC = _pairs((a(j, k) - a(j, j)) ** 2)
MIDDLE = _pairs((2 * a(k, j) - a(j, j) - a(k, k)) ** 2)
TOTAL, SQUARES = _over(k, a(k, k)), _over(k, a(k, k) ** 2)
N2_VARIANCE = size * SQUARES - TOTAL**2
"""N^2 times the variance of the diagonal: N sum a_kk^2 - (sum a_kk)^2."""


def _identity() -> Claim:
    difference = (a(j, j) - a(k, k)) ** 2
    other = (a(k, j) - a(k, k)) ** 2
    inner = size * a(j, j) ** 2 - 2 * a(j, j) * TOTAL + SQUARES
    goal = eq(2 * POSITIONAL + 2 * SYMBOLIC, 2 * N2_VARIANCE + MIDDLE)
    positive = "the number of positions is not negative"
    expanded = 2 * (a(k, j) - a(j, j)) ** 2 + 2 * other
    return Claim(
        id="head.exclusion-identity",
        title="What the two deviations add up to",
        statement=(
            r"$\sum_{jk}(a_{kj}-a_{jj})^2+\sum_{jk}(a_{jk}-a_{jj})^2=N^2\mathrm{Var}_j(a_{jj})+"
            r"\frac12\sum_{jk}(2a_{kj}-a_{jj}-a_{kk})^2$ for any $N\times N$ table."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                positive,
                le(0, size),
                unshown="a negative number stands for empty sums, but not as a factor",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "parallelogram",
                    eq(expanded, difference + (2 * a(k, j) - a(j, j) - a(k, k)) ** 2),
                    identity(),
                    "2x^2 + 2y^2 = (x+y)^2 + (x-y)^2.",
                ),
                Step(
                    "rows",
                    eq(
                        _over(k, expanded),
                        _over(k, difference + (2 * a(k, j) - a(j, j) - a(k, k)) ** 2),
                    ),
                    termwise(),
                    "Sum over k",
                    ("parallelogram",),
                ),
                Step(
                    "sums",
                    eq(
                        _pairs(expanded),
                        _pairs(difference + (2 * a(k, j) - a(j, j) - a(k, k)) ** 2),
                    ),
                    termwise(),
                    "and j.",
                    ("rows",),
                ),
                Step(
                    "left",
                    eq(_pairs(expanded), 2 * POSITIONAL + 2 * _pairs(other)),
                    identity(),
                    "On the left are the two deviations:",
                ),
                Step(
                    "exchange",
                    eq(_pairs(other), _over(k, _over(j, other))),
                    swap(),
                    "exchange the sums of the second",
                ),
                Step(
                    "rename", eq(_over(k, _over(j, other)), SYMBOLIC), identity(), "and the names."
                ),
                Step(
                    "right",
                    eq(
                        _pairs(difference + (2 * a(k, j) - a(j, j) - a(k, k)) ** 2),
                        _pairs(difference) + MIDDLE,
                    ),
                    identity(),
                    "On the right are the differences of the diagonal,",
                ),
                Step(
                    "row of differences",
                    eq(_over(k, difference), inner),
                    identity(),
                    "which row by row",
                    (positive,),
                ),
                Step(
                    "differences",
                    eq(_pairs(difference), _over(j, inner)),
                    termwise(),
                    "add up",
                    ("row of differences",),
                ),
                Step(
                    "all",
                    eq(_over(j, inner), 2 * N2_VARIANCE),
                    identity(),
                    "to twice N^2 times the variance.",
                    (positive,),
                ),
                Step(
                    "identity",
                    goal,
                    smt(),
                    "Together.",
                    ("sums", "left", "exchange", "rename", "right", "differences", "all"),
                ),
            )
        ),
        mutants=(
            Mutant("without the middle", eq(POSITIONAL + SYMBOLIC, N2_VARIANCE), at=(eq(size, 2),)),
            Mutant(
                "half the variance",
                eq(2 * POSITIONAL + 2 * SYMBOLIC, N2_VARIANCE + MIDDLE),
                at=(eq(size, 2), eq(a(0, 0), 1), eq(a(1, 1), 0)),
            ),
        ),
    )


def _exclusion() -> Claim:
    positional = sp.Sum(_over(j, (a(permuted(h, j), j) - a(j, j)) ** 2), (h, 1, count))
    symbolic = sp.Sum(_over(j, (a(j, permuted(h, j)) - a(j, j)) ** 2), (h, 1, count))
    in_range = Both(le(0, permuted(h, j)), le(permuted(h, j), size - 1))
    places_ok = Every((h, j), If(Both(le(1, h), le(h, count), le(0, j), le(j, size - 1)), in_range))
    often = eq(sp.Sum(indicator(k, permuted(h, j)), (h, 1, count)), share)
    evenly = Every((j, k), If(Both(le(0, j), le(j, size - 1), le(0, k), le(k, size - 1)), often))
    at_j, at_k = (le(0, j), le(j, size - 1)), (le(0, k), le(k, size - 1))
    middle = eq(2 * a(k, j), a(j, j) + a(k, k))
    all_middle = Every((j, k), If(Both(*at_j, *at_k), middle))
    bound = le(share * N2_VARIANCE, positional + symbolic)
    equality = eq(share * N2_VARIANCE, positional + symbolic)
    goal = Both(bound, iff(equality, all_middle))
    names = ("they are positions", "every content comes to every position equally often")
    positive = "they do come"
    some = "there is a position"
    sides = (
        (
            "positional",
            positional,
            (a(permuted(h, j), j) - a(j, j)) ** 2,
            (a(k, j) - a(j, j)) ** 2,
            POSITIONAL,
        ),
        (
            "symbolic",
            symbolic,
            (a(j, permuted(h, j)) - a(j, j)) ** 2,
            (a(j, k) - a(j, j)) ** 2,
            SYMBOLIC,
        ),
    )
    square = (2 * a(k, j) - a(j, j) - a(k, k)) ** 2

    def deviation(
        label: str, whole: Any, moved: Any, square_of: Any, mean: Any
    ) -> tuple[Step, ...]:
        column = sp.Sum(moved, (h, 1, count))
        return (
            Step(
                f"{label} exchange",
                eq(whole, _over(j, column)),
                swap(),
                f"The {label} deviation, position by position:",
            ),
            Step(
                f"{label} column",
                eq(column, share * _over(k, square_of)),
                by_claim(
                    "sums.even", {places: sp.Lambda(h, permuted(h, j)), f: sp.Lambda(k, square_of)}
                ),
                "every content comes c times.",
                ("places of j", "evenly at j"),
                at_j,
            ),
            Step(
                f"{label} columns",
                eq(_over(j, column), _over(j, share * _over(k, square_of))),
                termwise(),
                "Sum over the positions",
                (f"{label} column",),
            ),
            Step(
                f"{label} common",
                eq(_over(j, share * _over(k, square_of)), share * mean),
                identity(),
                "and take out c.",
            ),
        )

    two = (eq(size, 2), eq(count, 2), eq(share, 1))
    maps = (
        eq(permuted(1, 0), 0),
        eq(permuted(1, 1), 1),
        eq(permuted(2, 0), 1),
        eq(permuted(2, 1), 0),
    )
    diagonal = (eq(a(0, 0), 0), eq(a(1, 1), 2))
    halves = (eq(a(0, 1), 1), eq(a(1, 0), 1))
    return Claim(
        id="head.exclusion",
        title="No head is positional and symbolic unless its logits are constant",
        statement=(
            r"With $\delta^{\rm pos}(\pi,j)=a_{\pi(j)j}-a_{jj}$ and "
            r"$\delta^{\rm sym}(\pi,j)=a_{j\pi(j)}-a_{jj}$ over all permutations of the $n-1$ earlier "
            r"contents, $\mathrm{Var}_j(a_{jj})\le\frac{\|\delta^{\rm pos}\|^2+\|\delta^{\rm sym}\|^2}"
            r"{(n-1)!\,(n-1)}$, with equality if and only if $a_{kj}=\frac12(a_{kk}+a_{jj})$ "
            r"throughout. Formally for any family of maps in which every content comes to every one of "
            r"the $N=n-1$ positions $c$ times: $cN^2\,\mathrm{Var}\le\|\delta^{\rm pos}\|^2+"
            r"\|\delta^{\rm sym}\|^2$; all permutations have $c=(n-2)!$, the cyclic shifts $c=1$."
        ),
        source=DECOUPLE.at("Theorem 1; equality and identity own", "repaired"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                names[0],
                places_ok,
                without=(
                    *(eq(size, 1), eq(count, 2), eq(share, 1), eq(permuted(1, 0), 0)),
                    *(eq(permuted(2, 0), 5), eq(a(0, 0), 1), eq(a(5, 0), 2), eq(a(0, 5), 3)),
                ),
            ),
            Hypothesis(
                names[1],
                evenly,
                without=(
                    *two,
                    *(eq(permuted(1, 0), 0), eq(permuted(1, 1), 1)),
                    *(eq(permuted(2, 0), 0), eq(permuted(2, 1), 1)),
                    *(*diagonal, *halves),
                ),
            ),
            Hypothesis(
                positive,
                lt(0, share),
                without=(
                    eq(size, 2),
                    eq(count, 0),
                    eq(share, 0),
                    *diagonal,
                    eq(a(0, 1), 5),
                    eq(a(1, 0), 1),
                ),
            ),
            Hypothesis(some, le(1, size), idle="without positions all sums are empty"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "place",
                    in_range,
                    instance({h: h, j: j}),
                    "At one position",
                    (names[0],),
                    (le(1, h), le(h, count), *at_j),
                ),
                Step(
                    "places of j",
                    every(h, 1, count, in_range),
                    generalise(),
                    "the maps give places,",
                    ("place",),
                    at_j,
                ),
                Step("often", often, instance({j: j, k: k}), "each", (names[1],), (*at_j, *at_k)),
                Step(
                    "evenly at j",
                    every(k, 0, size - 1, often),
                    generalise(),
                    "equally often.",
                    ("often",),
                    at_j,
                ),
                *(step for side in sides for step in deviation(*side)),
                Step(
                    "identity",
                    eq(2 * POSITIONAL + 2 * SYMBOLIC, 2 * N2_VARIANCE + MIDDLE),
                    by_claim("head.exclusion-identity"),
                    "The two deviations add up to the variance and a sum of squares.",
                    (some,),
                ),
                Step("square", le(0, square), smt(), "Squares"),
                Step("row", le(0, _over(k, square)), termwise(), "add up", ("square",)),
                Step("rows", le(0, MIDDLE), termwise(), "to something not negative,", ("row",)),
                Step(
                    "sum",
                    eq(2 * (positional + symbolic), share * (2 * N2_VARIANCE + MIDDLE)),
                    smt(),
                    "c times",
                    (
                        "identity",
                        *(
                            f"{s[0]} {part}"
                            for s in sides
                            for part in ("exchange", "columns", "common")
                        ),
                    ),
                ),
                Step(
                    "share of rows",
                    le(0, share * MIDDLE),
                    smt(),
                    "that being positive too.",
                    ("rows", positive),
                ),
                Step("bound", bound, smt(), "So the bound holds,", ("sum", "share of rows")),
                Step(
                    "no rest",
                    eq(MIDDLE, 0),
                    smt(),
                    "with equality only if the squares vanish,",
                    ("sum", positive),
                    (equality,),
                ),
                Step("square at l", le(0, square.xreplace({k: l})), smt(), "(squares again)"),
                Step("square in row l", le(0, square.xreplace({j: l})), smt(), "(and again)"),
                Step(
                    "row at l",
                    le(0, _over(k, square.xreplace({j: l}))),
                    termwise(),
                    "(their sums)",
                    ("square in row l",),
                ),
                Step(
                    "row signs",
                    every(l, 0, size - 1, le(0, _over(k, square.xreplace({j: l})))),
                    generalise(),
                    "row by row",
                    ("row at l",),
                ),
                Step(
                    "row in rows",
                    le(
                        _over(k, square),
                        sp.Sum(_over(k, square.xreplace({j: l})), (l, 0, size - 1)),
                    ),
                    by_claim(
                        "sums.member",
                        {term_: sp.Lambda(l, _over(k, square.xreplace({j: l}))), index: j, m: size},
                    ),
                    "(each is at most the whole)",
                    ("row signs",),
                    at_j,
                ),
                Step(
                    "the rows",
                    eq(sp.Sum(_over(k, square.xreplace({j: l})), (l, 0, size - 1)), MIDDLE),
                    identity(),
                    "(under any name)",
                ),
                Step(
                    "signs",
                    every(l, 0, size - 1, le(0, square.xreplace({k: l}))),
                    generalise(),
                    "and one",
                    ("square at l",),
                ),
                Step(
                    "one in row",
                    le(square, sp.Sum(square.xreplace({k: l}), (l, 0, size - 1))),
                    by_claim(
                        "sums.member",
                        {term_: sp.Lambda(l, square.xreplace({k: l})), index: k, m: size},
                    ),
                    "by one.",
                    ("signs",),
                    at_k,
                ),
                Step(
                    "the row",
                    eq(sp.Sum(square.xreplace({k: l}), (l, 0, size - 1)), _over(k, square)),
                    identity(),
                    "(again)",
                ),
                Step(
                    "zero",
                    middle,
                    smt(),
                    "Then every entry is the middle of two of the diagonal.",
                    ("no rest", "row in rows", "the rows", "one in row", "the row", "square"),
                    (equality, *at_j, *at_k),
                ),
                Step(
                    "all middle", all_middle, generalise(), "All of them.", ("zero",), (equality,)
                ),
                Step("given", all_middle, smt(), "If they are,", (), (all_middle,)),
                Step(
                    "entry",
                    middle,
                    instance({j: j, k: k}),
                    "each",
                    ("given",),
                    (all_middle, *at_j, *at_k),
                ),
                Step(
                    "no square",
                    eq(square, 0),
                    smt(),
                    "square vanishes,",
                    ("entry",),
                    (all_middle, *at_j, *at_k),
                ),
                Step(
                    "no row",
                    eq(_over(k, square), _over(k, sp.Integer(0))),
                    termwise(),
                    "so does each",
                    ("no square",),
                    (all_middle, *at_j),
                ),
                Step(
                    "no rows",
                    eq(MIDDLE, _over(j, _over(k, sp.Integer(0)))),
                    termwise(),
                    "row, and",
                    ("no row",),
                    (all_middle,),
                ),
                Step(
                    "nothing", eq(_over(j, _over(k, sp.Integer(0))), 0), identity(), "all of them,"
                ),
                Step(
                    "equal",
                    equality,
                    smt(),
                    "and there is equality.",
                    ("sum", "no rows", "nothing"),
                    (all_middle,),
                ),
                Step("both", goal, smt(), "Both.", ("bound", "all middle", "equal")),
            )
        ),
        uses=("sums.even", "sums.member", "head.exclusion-identity"),
        mutants=(
            Mutant(
                "half of the deviations",
                le(2 * share * N2_VARIANCE, positional + symbolic),
                at=(*two, *maps, *diagonal, *halves),
            ),
            Mutant(
                "always equal",
                equality,
                at=(*two, *maps, *diagonal, eq(a(0, 1), 5), eq(a(1, 0), 1)),
            ),
        ),
    )


HEAD_EXCLUSION_IDENTITY = _identity()
HEAD_EXCLUSION = _exclusion()

CLAIMS = (HEAD_EXCLUSION_IDENTITY, HEAD_EXCLUSION)
