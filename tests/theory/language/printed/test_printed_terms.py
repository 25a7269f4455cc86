r"""What is printed is what is checked: every printer's text is read back by the ordinary rules.

Terms are drawn as no author would write them, with `evaluate=False` throughout; an independent reader
of the printed text (`formula_parser`) must get the value that the kernel's reading of the term has.
"""

import random
from fractions import Fraction

import pytest
import sympy as sp
from formula_parser import Reader, apply, opaque, power
from sympy.core.facts import InconsistentAssumptions

from ropeproof.proofs_check.present.latex import Latex
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.theory.language.binders import distinct
from ropeproof.theory.language.latex import PRINTER
from ropeproof.theory.language.logic import (
    Every,
    If,
    Some,
    eq,
    integer,
    kept,
    le,
    real,
    real_function,
)

a, b, x = real("a b x")
i, j = integer("i j")
VALUES = {"a": Fraction(3, 2), "b": Fraction(-5, 7), "x": Fraction(11, 5), "i": Fraction(3),
          "j": Fraction(2), "i'": Fraction(99), "j'": Fraction(98)}  # fmt: skip

PRINTERS = {
    "plain": plain,
    "PRINTER": PRINTER.doprint,
    "Unicode": lambda term: Unicode().inline(distinct(term)),
    "Latex": lambda term: Latex().inline(distinct(term)),
}


def value(term, values):
    """The value of a term as it is built: nothing is simplified."""
    if isinstance(term, sp.Rational):
        return Fraction(int(term.p), int(term.q))
    if isinstance(term, sp.Symbol):
        return values[term.name]
    if isinstance(term, sp.Add):
        return sum((value(part, values) for part in term.args), Fraction(0))
    if isinstance(term, sp.Mul):
        found = Fraction(1)
        for part in term.args:
            found *= value(part, values)
        return found
    if isinstance(term, sp.Pow):
        base, exponent = (value(part, values) for part in term.args)
        return power(base, exponent)
    if isinstance(term, sp.Sum):
        (index, low, high), inner = term.limits[-1], term.limits[:-1]
        body = sp.Sum(term.function, *inner) if inner else term.function
        low, high = (int(value(end, values)) for end in (low, high))
        places = range(low, high + 1)
        return sum((value(body, {**values, index.name: Fraction(p)}) for p in places), Fraction(0))
    if term == sp.E:
        return opaque("exp", Fraction(1))
    name = {sp.exp: "exp", sp.Abs: "abs", sp.Max: "max"}.get(term.func, term.func.__name__)
    return apply(name, [value(part, values) for part in term.args])


def drawn(rng, depth, letters=(a, b, x)):
    """A term, its parts as they are drawn."""
    if depth == 0 or rng.random() < 0.15:
        number = sp.Rational(rng.randint(-3, 4), rng.choice((1, 1, 1, 2, 3)))
        return rng.choice((*letters, number, *letters))
    kind = rng.choice("+*^-/*^/fsm|SS")
    one = drawn(rng, depth - 1, letters)
    if kind in "^s" and not one.free_symbols:
        one = rng.choice(letters)  # the root of 1/3 is 1 over that of 3: both are right
    if kind == "^":
        exponents = (2, 3, -1, -2, sp.Rational(1, 2), sp.Rational(-1, 2), sp.Rational(3, 2), b, -1)
        return kept(sp.Pow, one, rng.choice(exponents))
    if kind == "f":
        return rng.choice((sp.cos, sp.exp, real_function("f")))(one, evaluate=False)
    if kind == "s":
        return kept(sp.Pow, one, sp.Rational(1, 2))
    if kind == "|":
        return sp.Abs(one, evaluate=False)
    if kind == "S":
        index = rng.choice((i, j))
        body = drawn(rng, depth - 1, (*letters, index, index))
        low, high = sp.Integer(rng.randint(0, 1)), rng.choice((sp.Integer(2), i, j))
        return sp.Sum(body, (index, low, high)) if high != index else sp.Sum(body, (index, 0, 1))
    other = drawn(rng, depth - 1, letters)
    if kind == "m":
        return sp.Max(one, other, evaluate=False)
    if kind == "-":
        return kept(sp.Add, one, kept(sp.Mul, -1, other))
    if kind == "/":
        return kept(sp.Mul, one, kept(sp.Pow, other, -1))
    return kept(sp.Add if kind == "+" else sp.Mul, one, other)


@pytest.mark.parametrize("name", PRINTERS)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_printed_term_reads_as_its_value(name, depth):
    rng = random.Random(f"{name} {depth}")
    for _ in range(250):
        term = drawn(rng, depth)
        text = PRINTERS[name](term)
        try:
            known = value(term, VALUES)
        except (OverflowError, ZeroDivisionError):
            continue
        assert Reader(text, VALUES).value() == known, (text, sp.srepr(term))


@pytest.mark.parametrize("name", PRINTERS)
@pytest.mark.parametrize(
    "term",
    [
        kept(sp.Mul, kept(sp.Pow, kept(sp.Pow, x, -1), -1), 2),
        kept(sp.Pow, kept(sp.Pow, x, 2), 3),
        kept(sp.Pow, sp.Integer(-2), 2),
        kept(sp.Pow, sp.Rational(2, 3), 2),
        kept(sp.Mul, a, kept(sp.Add, a, b)),
        kept(sp.Mul, -1, kept(sp.Mul, -1, x)),
        kept(sp.Add, a, kept(sp.Mul, -1, kept(sp.Add, b, x))),
        kept(sp.Mul, kept(sp.Pow, x, sp.Rational(1, 2)), kept(sp.Pow, a, -1)),
        kept(sp.Mul, sp.Sum(i, (i, 0, 2)), x),
        kept(sp.Add, sp.Sum(i, (i, 0, 2)), x),
        sp.Sum(kept(sp.Add, i, x), (i, 0, 2)),
        kept(sp.Pow, sp.cos(x), 2),
        kept(sp.Pow, sp.exp(x), 2),
    ],
)
def test_terms_that_were_misread(name, term):
    assert Reader(PRINTERS[name](term), VALUES).value() == value(term, VALUES)


# -- bound names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRINTERS)
@pytest.mark.parametrize(
    "term",
    [
        sp.Sum(sp.Sum(1, (i, 0, 3)), (j, 0, i)),
        sp.Sum(sp.Sum(i * j, (i, 0, j)), (j, 0, i)),
        sp.Sum(sp.Sum(sp.Sum(i + 2 * j, (i, 0, j)), (j, 0, i)), (i, 0, j)),
        i + sp.Sum(i, (i, 0, 3)),
    ],
)
def test_a_sum_over_a_name_that_is_free_reads_as_it_is(name, term):
    assert Reader(PRINTERS[name](term), VALUES).value() == value(term, VALUES)


def test_the_double_sum_is_four_times_i_plus_one():
    shown = plain(sp.Sum(sp.Sum(1, (i, 0, 3)), (j, 0, i)))
    assert shown == "Sum(Sum(1, (i', 0, 3)), (j, 0, i))"
    assert Reader(shown, VALUES).value() == 4 * (VALUES["i"] + 1)


def test_quantifiers_that_shadow_are_told_apart():
    shadowed = Every((x,), If(le(0, x), Every((x,), le(x, 1))))
    assert plain(shadowed) == "for all x: ((0 <= x) => (for all x': (x' <= 1)))"
    assert "x'" in PRINTER.doprint(shadowed)
    assert "x′" in "".join(Unicode().inline(distinct(p)) for p in [x]) + _unicode(shadowed)
    f = real_function("f")
    functions = Every((f(i),), Some((f(i),), eq(f(0), f(1))))
    assert plain(functions) == "for all f(i): (for some f'(i): (f'(0) = f'(1)))"


def _unicode(formula):
    from ropeproof.proofs_check.present.lines import flat

    return flat(Unicode().formula(distinct(formula)))


def test_a_bound_name_of_another_sort_is_told_apart():
    other = sp.Symbol("i", real=True)
    assert plain(sp.Sum(i + other, (i, 0, 3))) == "Sum(i + i', (i', 0, 3))"


def test_sorts_of_names_side_by_side_stay():
    term = sp.Sum(i, (i, 0, 2)) + sp.Sum(i**2, (i, 0, 2))
    assert distinct(term) == term


@pytest.mark.parametrize("name", [name for name in PRINTERS if name != "PRINTER"])
def test_a_term_about_which_sympy_contradicts_itself_is_printed(name, monkeypatch):
    def ask(_):
        raise InconsistentAssumptions({}, "even", True)

    place = kept(sp.Add, a, kept(sp.Mul, -1, b))
    monkeypatch.setattr(type(place), "is_integer", property(ask))
    assert PRINTERS[name](sp.Function("f", real=True)(place))
