"""What is printed is what was checked: different formulas print differently, in every form."""

from __future__ import annotations

from itertools import product

import pytest
import sympy as sp

from ropeproof.proofs_check.present.latex import Latex
from ropeproof.proofs_check.present.lines import flat, lines
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.proofs_check.present.width import width
from ropeproof.theory.language.latex import PRINTER
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    Some,
    eq,
    kept,
    le,
    lt,
    real,
)

x, y = real("x y")
PARTS = (le(0, x), lt(x, y), eq(y, 1))


def latex(formula):
    return flat(Latex().formula(formula))


def unicode(formula):
    return flat(Unicode().formula(formula))


def broken(formula):
    """The lines of a narrow page, as the page has them: with their indentation."""
    return "\n".join(f"{by:g} {text}" for by, text in lines(Latex().formula(formula), 8, width))


FORMS = {
    "LaTeX": sp.latex,
    "LaTeX of the pages": latex,
    "Unicode of the terminal": unicode,
    "broken lines": broken,
    "text": plain,
    "text of SymPy": sp.sstr,
}


def formulas():
    """All formulas with two connectives or quantifiers, SymPy's own among them."""
    a, b, c = PARTS
    outer = [
        *(lambda p, q, k=k: k(p, q) for k in (Both, Either, If, sp.And, sp.Or)),
        lambda p, q: sp.Implies(p, q, evaluate=False),
    ]
    single = [Negation, lambda p: Every((x,), p), lambda p: Some((x,), p)]
    for first, second in product(outer, outer):
        yield first(second(a, b), c)
        yield first(a, second(b, c))
    for first, second in product(outer, single):
        yield first(second(a), c)
        yield first(a, second(c))
        yield second(first(a, c))
    for first, second in product(single, single):
        yield first(second(a))


def meaning(formula):
    """The formula without the difference between SymPy's connectives and ours, nor their order."""
    same = {"And": "Both", "Or": "Either", "Implies": "If", "Not": "Negation"}
    name = type(formula).__name__
    if name in ("Every", "Some"):
        return (name, meaning(formula.args[1]))
    if formula in PARTS:
        return str(formula)
    parts = [meaning(part) for part in formula.args]
    kind = same.get(name, name)
    if kind in ("Both", "Either"):  # a chain of one connective means the same however bracketed
        parts = sorted({str(q) for p in parts for q in (p[1] if p[0] == kind else [p])})
        return (kind, tuple(parts))
    return (kind, *parts)


@pytest.mark.parametrize("form", FORMS)
def test_formulas_that_mean_different_things_print_differently(form):
    seen = {}
    for formula in formulas():
        text = FORMS[form](formula).replace(" ", "").replace("\\", "")
        other = seen.setdefault(text, formula)
        assert meaning(other) == meaning(formula), text


def loose(text):
    """The text without what shows no structure, for LaTeX."""
    for mark in ("\\left", "\\right", "\\ ", "\\,", " "):
        text = text.replace(mark, "")
    return text


@pytest.mark.parametrize("form", ["LaTeX", "LaTeX of the pages", "Unicode of the terminal"])
def test_scopes_are_told_apart_without_looking_at_spaces(form):
    a, _, c = PARTS
    everywhere = Every((x,), a)
    pairs = [
        (If(everywhere, c), Every((x,), If(a, c))),
        (Both(everywhere, c), Every((x,), Both(a, c))),
        (If(If(a, c), c), If(a, If(c, c))),
        (Both(sp.Or(*PARTS[:2]), c), sp.Or(PARTS[0], Both(PARTS[1], c))),
        (sp.Or(If(a, c), lt(x, y)), If(a, sp.Or(c, lt(x, y)))),
    ]
    for one, other in pairs:
        assert loose(FORMS[form](one)) != loose(FORMS[form](other))


ROOT, SQUARE = kept(sp.Pow, x, sp.Rational(1, 2)), kept(sp.Pow, x, 2)
TERMS = {
    "1/x": (kept(sp.Pow, ROOT, -2), 1 / x),  # 0 at x = -1, where 1/x is not
    "y/x": (kept(sp.Mul, y, kept(sp.Pow, ROOT, -2)), y / x),
    "1/(1/x)": (kept(sp.Pow, 1 / sp.sqrt(x), -2), kept(sp.Pow, 1 / x, -1)),
    "1/-1": (kept(sp.Pow, kept(sp.Pow, -1, sp.Rational(1, 2)), -2), kept(sp.Pow, -1, -1)),
    "cube root": (kept(sp.Pow, kept(sp.Pow, x, sp.Rational(1, 3)), -3), 1 / x),
    "x^2": (kept(sp.Pow, ROOT, 4), SQUARE),
}


@pytest.mark.parametrize("name", TERMS)
def test_terms_that_differ_at_negative_numbers_print_differently(name):
    for form in (PRINTER.doprint, latex, unicode, plain):
        one, other = map(form, TERMS[name])
        assert one != other
