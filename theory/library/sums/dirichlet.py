"""Dirichlet's theorem: some multiple of any K numbers is near integers in all of them at once."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.numerals.fractions import NUMERALS_FRACTION, fraction, part, x
from ropeproof.theory.library.sums.numerals.highest import (
    NUMERALS_CODES,
    NUMERALS_HIGHEST,
    code,
    power,
)
from ropeproof.theory.library.sums.numerals.numerals import NUMERALS_BOUND, NUMERALS_UNIQUE, base
from ropeproof.theory.library.sums.pigeonhole import SUMS_PIGEONHOLE
from ropeproof.theory.library.sums.plain import SUMS_POWER

size, target, multiple, i, k, v, z = integer("Q K t i k v z")
alpha, nearest = real_function("alpha"), integer_function("nu")
MEANINGS: Meanings = {
    l: "an index",
    size: "number of parts of 1",
    target: "number of numbers",
    multiple: "the common factor",
    alpha: "the numbers",
    nearest: "integers near the multiples",
}
boxes = size**target
NUMERAL = {base: size, m: target}


def _near(count: Term, wholes: Function) -> Formula:
    """The formula that this multiple, below Q^K, of every number is within 1/Q of integers."""
    off = sp.Abs(count * alpha(l) - wholes(l))
    return Both(le(1, count), lt(count, boxes), every(l, 0, target - 1, le(off, 1 / size)))


NUMBERS = Hypothesis("there is a number", le(1, target))
PARTS = Hypothesis("Q is at least 2", le(2, size))
NEAR = Some((multiple, nearest(z)), _near(multiple, nearest))
NEVER = Negation(NEAR)


def _digit(index: Term, place: Term = l) -> Term:
    """The index of the Q-th of [0, 1), from 0 on, in which the fraction of a multiple lies."""
    return part(index * alpha(place), size)


def _box(index: Term) -> Term:
    """The index of the box in which a multiple of all numbers lies, as a numeral to the base Q."""
    return sp.Sum(_digit(index) * size**l, (l, 0, target - 1))


class _Multiple(NamedTuple):
    """Facts about a multiple: its parts, that they are digits, and the range of its box."""

    parts: Fact
    digits: Fact
    bound: Fact


def _multiple(p: Proof, index: Term, whose: str) -> _Multiple:
    why = f"The fraction of {whose} lies in one of Q parts."
    parts = p.lemma(NUMERALS_FRACTION.at(G=size, x=index * alpha(l)), PARTS, why=why)
    one = p.under(within(l, 0, target - 1))
    digits = one.show(
        within(_digit(index), 0, size - 1),
        "So the number of this part is a digit in base Q.",
        parts,
    ).for_all(l, why="This holds for each of the K numbers.")
    given = {**by_name(NUMERAL), "x": sp.Lambda(l, _digit(index))}
    known, why = (
        (NUMBERS, PARTS, digits),
        "These digits make a numeral that lies between 0 and Q^K - 1.",
    )
    return _Multiple(parts, digits, p.lemma(NUMERALS_BOUND.at(**given), known, why=why))


def _not_last(p: Proof, one: _Multiple) -> Fact:
    """No multiple lies in the last box, since it would be near the integers above it."""
    here = p.under(NEVER, within(i, 0, boxes - 1), eq(_box(i), boxes - 1))
    last = p.lemma(
        NUMERALS_HIGHEST.at(**by_name(NUMERAL)),
        (NUMBERS, PARTS),
        why="The numeral Q^K - 1 consists of the digits Q - 1.",
    )
    digits = here.lemma(
        NUMERALS_UNIQUE.at(**by_name(NUMERAL), x=sp.Lambda(l, _digit(i)), y=sp.Lambda(l, size - 1)),
        (NUMBERS, PARTS, one.digits, last),
        why="So the numeral of this multiple has the highest digit at every place. As Q is at "
        "least 1, the highest digit Q - 1 is not negative. Equal numerals have equal digits, "
        "so in the last box every digit is Q - 1.",
    )
    each = here.under(within(l, 0, target - 1))
    top = each.use(digits, why="So the digit of the number l is Q - 1.")
    off = each.show(
        le(sp.Abs(i * alpha(l) - (sp.floor(i * alpha(l)) + 1)), 1 / size),
        "So i alpha(l) lies at most 1/Q below an integer.",
        (top, one.parts, PARTS),
    )
    zero, left = each.under(eq(i, 0)), fraction(i * alpha(l))
    product = zero.show(
        eq(i * alpha(l), 0), "Consider the case that the multiple i alpha(l) is 0.", by=rules.smt()
    )
    number = i * alpha(l)
    floor = sp.floor(number)
    rounded = p.show(
        Both(le(floor, number), lt(number, floor + 1)),
        "The floor of a number is at most the number and more than it less 1.",
    )
    whole = p.under(le(v, x), lt(x, v + 1), eq(x, 0)).show(
        within(v, 0, 0), "An integer in [0, 1) is 0."
    )
    nothing = zero.use(
        whole, {x: number, v: floor}, rounded, product, why="So the floor of this multiple is 0."
    )
    no_rest = zero.show(eq(left, 0), "So the fraction of the multiple is 0.", nothing, product)
    scaled = zero.show(eq(size * left, 0), "Q times this fraction is 0 too.", no_rest)
    lowest = zero.show(
        le(_digit(i), 0), "So the digit of the multiple by 0 is at most 0.", one.parts, scaled
    )
    not_0 = each.show(
        le(1, i),
        "The digit is Q - 1, at least 1, so the factor i is at least 1.",
        (top, lowest, PARTS),
    ).for_all(l, why="This was seen from an arbitrary one of the K numbers.")
    least = here.use(
        not_0, {l: 0}, NUMBERS, why="There is at least one number, so i is at least 1."
    )
    found = here.witness(
        NEAR,
        {multiple: i, nearest: sp.Lambda(l, sp.floor(i * alpha(l)) + 1)},
        (least, off.for_all(l, why="Each of the K multiples is at most 1/Q from an integer.")),
        why="So the factor i and these integers are such an approximation.",
    )
    return p.under(NEVER, within(i, 0, boxes - 1)).show(
        ne(_box(i), boxes - 1),
        "If there is no approximation, no multiple lies in the last box.",
        found,
    )


def _differ(p: Proof, one: _Multiple, two: _Multiple) -> Fact:
    """No two multiples lie in the same box, since their difference would be near integers."""
    pair = within(i, 0, boxes - 1), within(k, 0, boxes - 1), lt(i, k)
    same = p.under(NEVER, *pair, eq(_box(i), _box(k)))
    digits = same.apply(
        NUMERALS_UNIQUE,
        (NUMBERS, PARTS, one.digits, two.digits),
        why="If two multiples lie in one box, their numerals are equal and so their digits.",
    )
    each = same.under(within(l, 0, target - 1))
    digit_too = each.use(digits, why="In particular the digits of the number l are equal.")
    wholes = sp.Lambda(l, sp.floor(k * alpha(l)) - sp.floor(i * alpha(l)))
    off = each.show(
        le(sp.Abs((k - i) * alpha(l) - wholes(l)), 1 / size),
        "So Q times the two fractions differ by less than 1. Divide by Q: the fractions "
        "differ by at most 1/Q.",
        (digit_too, one.parts, two.parts, PARTS),
    )
    found = same.witness(
        NEAR,
        {multiple: k - i, nearest: wholes},
        off.for_all(l, why="This holds for each of the K numbers."),
        why="So the difference of the two factors is such an approximation.",
    )
    return p.under(NEVER, *pair).show(
        ne(_box(i), _box(k)),
        "If there is no approximation, no two multiples lie in one box.",
        found,
    )


def _rounded(most: Term, distance: Term) -> Formula:
    """The formula that some multiple up to `most` is within `distance` of integers, for all."""
    number = multiple * alpha(l)
    off = sp.Abs(number - sp.floor(number + sp.Rational(1, 2)))
    near = every(l, 0, target - 1, le(off, distance))
    return Some((multiple,), Both(le(1, multiple), le(multiple, most), near))


_half = {alpha(0): sp.Rational(1, 2)}


@theorem(
    "sums.dirichlet",
    source=Source("textbook", "Dirichlet's approximation theorem"),
    hypotheses=(NUMBERS, PARTS),
    conclusion=NEAR,
    attack=Attack(
        {
            "half as near": _rounded(boxes - 1, 1 / (2 * size)),
            "one multiple less": _rounded(boxes - 2, 1 / size),
            "below Q": _rounded(size - 1, 1 / size),
        },
        at={
            "half as near": {target: 1, size: 2, **_half},
            "one multiple less": {target: 1, size: 2, **_half},
            "below Q": {target: 2, size: 3, **_half, alpha(1): sp.Rational(1, 4)},
        },
        without={NUMBERS: {target: 0, size: 2}, PARTS: {target: 1, size: 1}},
    ),
)
def SUMS_DIRICHLET(p: Proof) -> None:
    r"""Dirichlet's theorem on simultaneous approximation

    For real $\alpha_0,\dots,\alpha_{K-1}$, $K\ge1$, and an integer $Q\ge2$ there are an integer
    $1\le t<Q^K$ and integers $\nu_l$ with $|t\alpha_l-\nu_l|\le\frac1Q$ for all $l$.
    """
    one, two = _multiple(p, i, "a multiple"), _multiple(p, k, "another")
    last, ordered = _not_last(p, one), _differ(p, one, two)
    given = {**by_name(NUMERAL), "x": sp.Lambda((i, l), _digit(i))}
    exist = p.lemma(
        NUMERALS_CODES.at(**given),
        (NUMBERS, PARTS),
        why="There are an integer P for Q^K and integers for the numerals.",
    )
    there = exist.body()
    own_power, own_codes = there.assuming[-2:]
    codes, is_power = (
        there.given(own_codes, "Let code(i) be the numeral of the multiple by i."),
        there.given(own_power, "Let P be the integer Q^K, the number of boxes."),
    )
    code_i, code_k = codes.at({i: i}), codes.at({i: k})
    never = there.under(NEVER)
    index, other_index = within(i, 0, power - 1), within(k, 0, power - 1)
    box = never.under(*index.args).show(
        Both(le(0, code(i)), le(code(i), power - 1), ne(code(i), power - 1)),
        "Every multiple lies in one of the boxes other than the last.",
        (code_i, is_power, one.bound, last),
    )
    below = p.under(le(0, v), le(v, power - 1), ne(v, power - 1)).show(
        within(v, 0, power - 2), "An integer between 0 and P - 1 other than P - 1 is at most P - 2."
    )
    in_range = box.scope.use(below, {v: code(i)}, box, why="So every code is one of P - 1 values.")
    turned = ordered.for_all(
        i, k, why="The two factors were arbitrary, so this holds for every two."
    )
    swapped = never.under(*index.args, *other_index.args, lt(k, i)).use(
        turned, {i: k, k: i}, is_power, why="The same holds with the two factors exchanged."
    )
    differ = never.under(*index.args, *other_index.args, ne(i, k)).show(
        ne(code(i), code(k)),
        "So different factors have different codes.",
        (ordered, swapped, code_i, code_k, is_power),
    )
    is_there = p.lemma(
        SUMS_POWER.at(x=size, k=target),
        (NUMBERS, PARTS),
        why="A power of Q, which is at least 1, is at least 1.",
    )
    holes = never.apply(
        SUMS_PIGEONHOLE.at(K=power - 1),
        (in_range.for_all(i), differ.for_all(i, k), is_power, is_there),
        why="So P, which is this power, is at least 1. By the pigeonhole principle P different "
        "codes need P values, but there are P - 1.",
    )
    found = there.show(NEAR, "This is a contradiction, so there is such an approximation.", holes)
    p.choose(exist, found, "These integers exist, and the conclusion does not depend on them.")
