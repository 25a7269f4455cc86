"""A head cannot be positional and symbolic at once unless its logits are constant."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.even import SUMS_EVEN, count, share, size
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head import table
from ropeproof.theory.topics.head.table import a

h, j, k = integer("h j k")
permuted = integer_function("pi")
MEANINGS: Meanings = {
    **table.MEANINGS,
    count: "number of permutations in the list",
    share: "in how many permutations a content comes to a position, or a coordinate",
    size: "number of contents",
    h: "a permutation of the list",
    j: "a position",
    permuted: "permutation of the positions; of a list, by its number",
}


def _over(variable: Term, body: Term) -> Term:
    return sp.Sum(body, (variable, 0, size - 1))


def _pairs(body: Term) -> Term:
    return _over(j, _over(k, body))


square = (2 * a(k, j) - a(j, j) - a(k, k)) ** 2
POSITIONAL = _pairs((a(k, j) - a(j, j)) ** 2)
SYMBOLIC = _pairs((a(j, k) - a(j, j)) ** 2)
MIDDLE = _pairs(square)
TOTAL, SQUARES = _over(k, a(k, k)), _over(k, a(k, k) ** 2)
N2_VARIANCE = size * SQUARES - TOTAL**2
"""N^2 times the variance of the diagonal: N sum a_kk^2 - (sum a_kk)^2."""

# -- what the deviations add up to -------------------------------------------------------

A_NUMBER = Hypothesis("the number of positions is not negative", le(0, size))


@theorem(
    "head.exclusion-identity",
    hypotheses=(A_NUMBER,),
    conclusion=eq(2 * POSITIONAL + 2 * SYMBOLIC, 2 * N2_VARIANCE + MIDDLE),
    attack=Attack(
        {
            "without the middle": eq(POSITIONAL + SYMBOLIC, N2_VARIANCE),
            "half the variance": eq(2 * POSITIONAL + 2 * SYMBOLIC, N2_VARIANCE + MIDDLE),
        },
        at={
            "without the middle": {size: 2},
            "half the variance": {size: 2, a(0, 0): 1, a(1, 1): 0},
        },
        idle={A_NUMBER: "with a negative number every sum is empty, and both sides are 0"},
    ),
)
def HEAD_EXCLUSION_IDENTITY(p: Proof) -> None:
    r"""What the two deviations add up to

    $\sum_{jk}(a_{kj}-a_{jj})^2+\sum_{jk}(a_{jk}-a_{jj})^2=N^2\mathrm{Var}_j(a_{jj})+\frac12\sum_{jk}(2a_{kj}-a_{jj}-a_{kk})^2$
    for any $N\times N$ table.
    """
    difference, other = (a(j, j) - a(k, k)) ** 2, (a(k, j) - a(k, k)) ** 2

    parallelogram = p.show(
        eq(2 * (a(k, j) - a(j, j)) ** 2 + 2 * other, difference + square),
        "Twice the sum of two squares is the square of the sum plus that of the difference.",
    )
    exchange = p.swap(_pairs(other), "Exchange the sums over j and k in the second deviation.")
    p.qed(
        "Sum this identity over k. Sum this identity over j. In the row j the squared "
        "differences of the diagonal sum to this polynomial. Sum this equation over the "
        "rows. The differences of the diagonal sum to twice N^2 times its variance.",
        (parallelogram, exchange, A_NUMBER),
    )


# -- exclusion ---------------------------------------------------------------------------

positional = sp.Sum(_over(j, (a(permuted(h, j), j) - a(j, j)) ** 2), (h, 1, count))
symbolic = sp.Sum(_over(j, (a(j, permuted(h, j)) - a(j, j)) ** 2), (h, 1, count))
in_range = Both(le(0, permuted(h, j)), le(permuted(h, j), size - 1))
often = eq(sp.Sum(indicator(k, permuted(h, j)), (h, 1, count)), share)
places_ok = Every((h, j), If(Both(le(1, h), le(h, count), le(0, j), le(j, size - 1)), in_range))
evenly = Every((j, k), If(Both(le(0, j), le(j, size - 1), le(0, k), le(k, size - 1)), often))
middle = eq(2 * a(k, j), a(j, j) + a(k, k))
all_middle = Every(
    (j, k), If(Both(*within(j, 0, size - 1).args, *within(k, 0, size - 1).args), middle)
)
bound = le(share * N2_VARIANCE, positional + symbolic)
equality = eq(share * N2_VARIANCE, positional + symbolic)

POSITIONS = Hypothesis("they are positions", places_ok)
EVENLY = Hypothesis("every content comes to every position equally often", evenly)
COME = Hypothesis("they do come", lt(0, share))
A_POSITION = Hypothesis("there is a position", le(1, size))


def _deviations(p: Proof) -> Fact:
    """Twice the deviations over all maps are c times those over all pairs."""
    at_j = p.under(within(j, 0, size - 1))
    to_places = (
        at_j.under(within(h, 1, count))
        .use(POSITIONS, why="Each of the maps takes a position to a position.")
        .for_all(h, why="This holds for each of the maps.")
    )
    come_evenly = (
        at_j.under(within(k, 0, size - 1))
        .use(EVENLY, why="Every content comes to this position c times.")
        .for_all(k, why="This holds for every content.")
    )

    def deviation(kind: str, whole: Term, squared: Term) -> tuple[Fact, ...]:
        exchange = p.swap(whole, f"Write the {kind} deviation position by position.")
        column = at_j.apply(
            SUMS_EVEN.at(f=lambda place: squared.xreplace({k: place})),
            (to_places, come_evenly),
            why="As every content comes to the position c times, the maps' sum is c times the "
            "sum over contents.",
        )
        return exchange, column.summed(j, 0, size - 1, "Sum this equation over the positions.")

    pairs = p.apply(
        HEAD_EXCLUSION_IDENTITY,
        A_POSITION,
        why="Over all pairs, the two deviations are the variance plus a sum of squares.",
    )
    return p.show(
        eq(2 * (positional + symbolic), share * (2 * N2_VARIANCE + MIDDLE)),
        "So over all maps, the two deviations are c times as much.",
        deviation("positional", positional, (a(k, j) - a(j, j)) ** 2),
        deviation("symbolic", symbolic, (a(j, k) - a(j, j)) ** 2),
        pairs,
    )


two = {size: 2, count: 2, share: 1}
maps = {permuted(1, 0): 0, permuted(1, 1): 1, permuted(2, 0): 1, permuted(2, 1): 0}
diagonal = {a(0, 0): 0, a(1, 1): 2}
halves = {a(0, 1): 1, a(1, 0): 1}


@theorem(
    "head.exclusion",
    source=DECOUPLE.at("section 3.2, Theorem 1; equality and identity own", "repaired"),
    needs="PTX",
    hypotheses=(POSITIONS, EVENLY, COME, A_POSITION),
    conclusion=Both(bound, iff(equality, all_middle)),
    attack=Attack(
        {
            "half of the deviations": le(2 * share * N2_VARIANCE, positional + symbolic),
            "always equal": equality,
        },
        at={
            "half of the deviations": two | maps | diagonal | halves,
            "always equal": two | maps | diagonal | {a(0, 1): 5, a(1, 0): 1},
        },
        without={
            POSITIONS: {
                size: 1,
                count: 2,
                share: 1,
                permuted(1, 0): 0,
                permuted(2, 0): 5,
                a(0, 0): 1,
            }
            | {a(5, 0): 2, a(0, 5): 3},
            EVENLY: two
            | {permuted(1, 0): 0, permuted(1, 1): 1, permuted(2, 0): 0, permuted(2, 1): 1}
            | diagonal
            | halves,
            COME: {size: 2, count: 0, share: 0} | diagonal | {a(0, 1): 5, a(1, 0): 1},
        },
        idle={A_POSITION: "without positions all sums are empty"},
    ),
)
def HEAD_EXCLUSION(p: Proof) -> None:
    r"""No head is positional and symbolic unless its logits are constant

    With $\delta^{\rm pos}(\pi,j)=a_{\pi(j)j}-a_{jj}$ and $\delta^{\rm
    sym}(\pi,j)=a_{j\pi(j)}-a_{jj}$ over all permutations of the $n-1$ earlier contents,
    $\mathrm{Var}_j(a_{jj})\le\frac{\|\delta^{\rm pos}\|^2+\|\delta^{\rm sym}\|^2}{(n-1)!\,(n-1)}$,
    with equality if and only if $a_{kj}=\frac12(a_{kk}+a_{jj})$ throughout. The formula is for any
    family of maps in which every content comes to every one of the $N=n-1$ positions $c$ times:
    $cN^2\,\mathrm{Var}\le\|\delta^{\rm pos}\|^2+\|\delta^{\rm sym}\|^2$; all permutations have
    $c=(n-2)!$ (`head.exclusion-all`).
    """
    at_j, at_k = within(j, 0, size - 1), within(k, 0, size - 1)
    total = _deviations(p)
    sign = p.show(le(0, square), "The square of a real number is not negative.")
    row_sign = sign.summed(k, 0, size - 1, "So the sum of the squares of a row is not negative.")
    rows = row_sign.summed(j, 0, size - 1, "So the sum of all squares is not negative.")

    equal = p.under(equality)
    row = p.under(at_j).apply(
        SUMS_MEMBER.at(f=lambda row: _over(k, square.xreplace({j: row}))),
        row_sign.for_all(j),
        why="The sum of one row is at most the sum of all rows.",
    )
    entry = p.under(at_k).apply(
        SUMS_MEMBER.at(f=lambda column: square.xreplace({k: column})),
        sign,
        why="A square is at most the sum of its row.",
    )
    vanishes = equal.under(at_j, at_k).show(
        middle,
        "If there is equality, the sum of squares is 0. Then every square is 0: each entry "
        "is the middle of two of the diagonal.",
        (total, COME, row, entry, sign),
    )
    all_are = vanishes.for_all(j, k, why="This holds for all positions and contents.")

    given = p.given(all_middle, "Conversely, suppose that every entry is such a middle.")
    each = given.scope.under(at_j, at_k).use(
        given, why="Then this entry is the middle of two of the diagonal."
    )
    none = each.scope.show(eq(square, 0), "So its square is 0.", each)
    no_rows = none.summed(k, 0, size - 1, "So the sum of the row is 0.").summed(
        j, 0, size - 1, "So the sum of all rows is 0."
    )
    is_equal = given.scope.show(
        equality, "So the deviations equal c N^2 times the variance.", total, no_rows
    )
    p.qed(
        "So the deviations are at least c N^2 times the variance. This proves the bound and "
        "when there is equality.",
        (total, rows, COME, all_are, is_equal),
    )
