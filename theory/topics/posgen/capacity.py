"""Bounded features cannot keep unboundedly many distances apart."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import ORDER_TIMES, times
from ropeproof.theory.library.sums import pigeonhole
from ropeproof.theory.library.sums.numerals import numerals
from ropeproof.theory.library.sums.numerals.numerals import base
from ropeproof.theory.topics.posgen.plane import SCALE, part, plane_moves, sum_size
from ropeproof.theory.topics.posgen.turns import (
    LARGE_CELLS,
    POSGEN_CELL,
    POSGEN_WHOLE_TURNS,
    cell,
    left,
)

i, k, v, keys = integer("i k v V")
gap, reach, x, y = real("epsilon S x y")
lag, chance = real_function("tau"), real_function("p")
aligned, crossed, size = (real_function(name) for name in ("a", "c", "R"))
MEANINGS: Meanings = {
    **NOTATION,
    n: "number of lags",
    base: "number of cells of a turn",
    k: "a lag of the list",
    v: "a key",
    keys: "number of keys",
    gap: "mean square by which two lags' logits differ",
    reach: "bound of a key's amplitude",
    lag: "the lags",
    chance: "probabilities of the keys",
    aligned: "real parts of the planes' products of query and key",
    crossed: "imaginary parts of the planes' products of query and key",
    size: "sizes of the planes' products of query and key",
    pigeonhole.i: "a lag of the list",
}
A, C, R = aligned(v, l), crossed(v, l), size(v, l)


def _turn(index: Term) -> Term:
    return theta(l) * lag(index)


def _code(index: Term) -> Term:
    return over_planes(cell(_turn(index)) * base ** sp.Abs(l))


def _logit(index: Term) -> Term:
    return over_planes(s * part(_turn(index), A, C))


def _over_keys(term: Term) -> Term:
    return sp.Sum(term, (v, 1, keys))


def _keys(body: Formula) -> Formula:
    return every(v, 1, keys, body)


difference, key_amplitude = _logit(i) - _logit(k), over_planes(s * R)
pair = Both(le(0, i), le(i, n - 1), le(0, k), le(k, n - 1), ne(i, k))
apart = _over_keys(chance(v) * difference**2)

SIZES = Hypothesis(
    "R is the planes' size", _keys(every(l, 0, m - 1, Both(le(0, R), eq(R**2, A**2 + C**2))))
)
AMPLITUDES = Hypothesis("S bounds every key's amplitude", _keys(le(key_amplitude, reach)))
CHANCES = Hypothesis("probabilities are not negative", _keys(le(0, chance(v))))
SUM_1 = Hypothesis("probabilities add up to 1", eq(_over_keys(chance(v)), 1))
APART = Hypothesis("all lags are apart", Every((i, k), If(pair, lt(gap, apart))))
ENOUGH = Hypothesis("G cells are enough", le((2 * sp.pi * reach) ** 2, base**2 * gap))
PLANES = Hypothesis("the number of planes is not negative", le(0, m))
LAGS = Hypothesis("the number of lags is not negative", le(0, n))


class _Numeral(NamedTuple):
    """What is known of a lag: its planes' cells, that they are digits, its code's value and bound."""

    cells: Fact
    digits: Fact
    value: Fact
    bound: Fact


def _numeral(p: Proof, index: Term, whose: str) -> _Numeral:
    plane, its_cell = p.under(within(l, 0, m - 1)), cell(_turn(index))
    why = f"{whose} turn lies in a cell."
    cells = p.lemma(POSGEN_CELL.at(psi=_turn(index)), LARGE_CELLS, why=why)
    digits = plane.show(
        within(its_cell, 0, base - 1), "The number of this cell is a digit in base G.", cells
    ).for_all(l, why="This holds for every plane.")
    exponent = plane.show(
        eq(sp.Abs(l), l), "The number of a plane is not negative, so it is its own absolute value."
    )
    value = exponent.image(
        lambda place: its_cell * base**place,
        "So the power with the absolute value is the power itself.",
    ).summed(l, 0, m - 1, "Sum this equation over all planes.")
    known, why = (LARGE_CELLS, PLANES, digits), "These digits make a numeral between 0 and G^m - 1."
    bound = p.apply(numerals.NUMERALS_BOUND, known, why=why)
    return _Numeral(cells, digits, value, bound)


def _angle_between(p: Proof, same: Scope, one: _Numeral, two: _Numeral) -> Fact:
    """In every plane the turns that are left of two lags of one code differ by a cell at most."""
    plane = same.under(within(l, 0, m - 1))
    values = {"x": sp.Lambda(l, cell(_turn(i))), "y": sp.Lambda(l, cell(_turn(k)))}
    known = (LARGE_CELLS, PLANES, one.digits, two.digits, one.value, two.value)
    cells = same.lemma(
        numerals.NUMERALS_UNIQUE.at(**values),
        known,
        why="If two lags have one code, their numerals are equal. Equal numerals have equal "
        "digits, so the two lags have the same cells.",
    )
    cell_apart = p.under(lt(base * x - base * y, 1), lt(-1, base * x - base * y))
    angles = le(sp.Abs(2 * sp.pi * x - 2 * sp.pi * y), 2 * sp.pi * (1 / base))
    turned = cell_apart.show(
        angles,
        "Suppose that x and y differ by at most 1/G. Multiply by 2 pi: the angles differ by "
        "at most 2 pi / G.",
        LARGE_CELLS,
    )
    return plane.use(
        turned,
        {x: left(_turn(i)), y: left(_turn(k))},
        (cells, one.cells, two.cells),
        why="In particular they have the same cell in the plane l. So G times the two fractions "
        "differ by less than 1. In particular this holds for the two fractions of turns.",
    )


def _logits_near(p: Proof, near: Fact) -> Fact:
    """The logits of lags of one code differ by at most 2 pi S / G."""
    key = near.scope.without({l})[1].under(within(v, 1, keys))
    plane = key.under(within(l, 0, m - 1))
    turns = 2 * sp.pi * left(_turn(i)), 2 * sp.pi * left(_turn(k))
    moved, bound = part(turns[0], A, C) - part(turns[1], A, C), near.formula.rhs
    sizes = key.use(SIZES, why="The planes of a key have the sizes R(v, l), by hypothesis.")
    why = "A plane changes by at most its size times the difference of the angles."
    moves = plane_moves(plane, (A, C, R), turns, sizes, why=why)
    small = times(
        plane, near, R, "Multiply the bound of the angles by the size of the plane.", sizes
    )
    at_most = plane.show(
        le(sp.Abs(moved), R * bound), "So the plane changes by at most 2 pi R / G.", moves, small
    )
    total = sum_size(
        at_most, "So the sum over the planes changes by at most the sum of these bounds."
    )
    here, there = (
        p.lemma(
            POSGEN_WHOLE_TURNS.at(a=A, c=C, psi=_turn(index)),
            why="A plane adds the same at an angle without whole turns.",
        )
        for index in (i, k)
    )
    term = s * part(_turn(i), A, C) - s * part(_turn(k), A, C)
    same_sum = p.rewrite(
        eq(term, s * moved),
        "So the change of the plane is the same at the angles of the lags themselves.",
        (here, there),
    ).summed(l, 0, m - 1, "Sum this equation over all planes.")
    return key.show(
        within(difference, -(reach * bound), reach * bound),
        "Multiply this inequality by 2 pi / G, which is positive. So the logits of the two "
        "lags differ by at most 2 pi S / G.",
        (
            total,
            same_sum,
            key.use(AMPLITUDES, why="The scaled sizes sum to at most S, by hypothesis."),
            LARGE_CELLS,
        ),
    )


def _squares_near(p: Proof, near: Fact) -> Fact:
    """The square of that is at most eps."""
    most = (2 * sp.pi * reach) ** 2
    values = {"x": most, "y": base**2 * gap, "t": (1 / base) ** 2}
    enough = p.lemma(
        ORDER_TIMES.at(**values),
        (ENOUGH, LARGE_CELLS),
        why="By the number of cells this square is at most epsilon.",
    )
    return near.scope.show(
        le(difference**2, gap),
        "A number between -y and y has a square of at most y^2. So the squared difference of "
        "the logits is at most (2 pi S / G)^2. So the squared difference of the logits is at "
        "most epsilon.",
        (near, enough),
    )


def _codes_differ(p: Proof, near: Fact) -> Fact:
    """Lags that are apart have different codes."""
    mean = near.times(
        chance(v), "Multiply this inequality by the probability of the key.", CHANCES
    ).summed(v, 1, keys, "Sum this inequality over all keys.")
    lags = p.under(pair)
    far = lags.use(
        APART, why="By hypothesis two different lags differ by more than epsilon in the mean."
    )
    why = "This is a contradiction, so different lags have different codes."
    return lags.show(ne(_code(i), _code(k)), why, mean, far, SUM_1).for_all(
        i, k, why="The two lags were arbitrary, so this holds for every two."
    )


_planes = {m: 1, s: 1, theta(0): 1, aligned(1, 0): 1, crossed(1, 0): 0, size(1, 0): 1}
_lags = {n: 2, keys: 1, chance(1): 1, reach: 1, lag(0): 0, lag(1): 3, gap: 3, base: 4}
_one_cell = {**_lags, base: 1}
_second = {keys: 2, aligned(2, 0): 0, crossed(2, 0): 0, size(2, 0): 0}
_one_lag = {n: 1, keys: 1, chance(1): 1, reach: 0, gap: 0, s: 1, base: 4}


@theorem(
    "posgen.bounded-capacity",
    needs="PT",
    hypotheses=(SCALE, SIZES, AMPLITUDES, CHANCES, SUM_1, APART, ENOUGH, LARGE_CELLS, PLANES, LAGS),
    conclusion=le(n, base**m),
    attack=Attack(
        {"a plane less": le(n, base ** (m - 1)), "a quarter of the cells": le(n, (base / 4) ** m)},
        at={"a plane less": {**_planes, **_lags}, "a quarter of the cells": {**_planes, **_lags}},
        without={
            SCALE: {**_planes, **_one_cell, s: -1, reach: 0},
            SIZES: {**_planes, **_one_cell, size(1, 0): 0, reach: 0},
            AMPLITUDES: {**_planes, **_one_cell, reach: 0},
            CHANCES: {**_planes, **_one_cell, **_second, gap: 40, chance(1): 20, chance(2): -19},
            SUM_1: {**_planes, **_one_cell, gap: 40, chance(1): 20},
            APART: {**_planes, **_one_cell, gap: 40, lag(1): 0},
            ENOUGH: {**_planes, **_one_cell},
            LARGE_CELLS: {**_planes, **_one_lag, aligned(1, 0): 0, size(1, 0): 0, base: 0},
            PLANES: {**_one_lag, m: -1},
        },
        idle={LAGS: "a negative number is at most any power"},
    ),
)
def POSGEN_BOUNDED_CAPACITY(p: Proof) -> None:
    r"""Bounded features keep a bounded number of distances apart

    At most $G^m$ lags are pairwise apart by more than $\epsilon$ in $\mathbb E(w_t-w_{t'})^2$, for
    $m$ planes and any integer $G\ge1$ with $2\pi S\le G\sqrt\epsilon$, $S=s\|q\|\|k\|\ge
    s\sum_l|q_l||k_l|$.
    """
    one, two = _numeral(p, i, "A lag's"), _numeral(p, k, "Another lag's")
    same = p.under(eq(_code(i), _code(k)))
    near = _squares_near(p, _logits_near(p, _angle_between(p, same, one, two)))
    differ = _codes_differ(p, near)
    in_range = p.under(within(i, 0, n - 1)).show(
        within(_code(i), 0, base**m - 1),
        "The code of a lag lies between 0 and G^m - 1.",
        (one.value, one.bound),
    )
    codes = in_range.for_all(i, why="The lag was arbitrary, so this holds for every lag.")
    power = p.show(le(0, base**m), "The number G^m of codes is not negative.", LARGE_CELLS)
    known = (codes, differ, LAGS, power, PLANES)
    values_ = {"code": sp.Lambda(i, _code(i)), "K": base**m}
    p.lemma(
        pigeonhole.SUMS_PIGEONHOLE.at(**values_),
        known,
        why="By the pigeonhole principle there are at most G^m lags.",
    )
