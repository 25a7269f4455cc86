r"""Formulas with display abbreviations, as a reader sees them.

`named(claim)` folds the terms of a claim: a logit becomes `g(t)`, the sum over planes of
`a_x b_x + a_y b_y` the inner product `<a, b>`, `sqrt(<a, a>)` the norm `|a|`, the logit of two
vectors `s <R_t a, b>`, and `exp(w(a)) / sum exp(w(j))` a softmax weight. A name is written only where
building what it stands for gives back the very term that it replaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from ropeproof.proofs_check.present.matching import softmax_in, turned_terms
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.present.vectors import Leaf, Vectors
from ropeproof.theory.language import logic
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.latex import PRINTER
from ropeproof.theory.language.logic import Every, eq
from ropeproof.theory.language.naming import Notation
from ropeproof.theory.language.notation import j, l, m, n, over_planes, t, theta
from ropeproof.theory.topics.names import NAMES
from ropeproof.theory.topics.slash.sandwich import cluster

__all__ = ["Definition", "NamedFormulas", "named"]


@dataclass(frozen=True)
class Definition:
    """An equation between a name and what it stands for, with its meaning in words."""

    equation: Any
    meaning: str


@dataclass
class NamedFormulas:
    """The formulas of one claim with names; `definitions` collects what was used, by name.

    `letters` are the names of the claim's own symbols: no notation is used that would be
    mistaken for one of them.
    """

    letters: frozenset[str]
    definitions: dict[str, Definition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._vectors = Vectors(self.letters)
        self._shown: dict[Any, Any] = {}
        self._terms: dict[Any, Any] = {}

    def __call__(self, formula: Any) -> Any:
        """The formula with names, to be printed: it is not to be reasoned with."""
        return self._map(formula, self._term)

    def written_out(self, shown: Any) -> Any:
        """What a formula that is shown with names stands for."""
        return self._map(shown, lambda term: term.xreplace(self._terms))

    def _map(self, formula: Any, change: Callable[[Any], Any]) -> Any:
        """A formula whose terms are changed."""
        if isinstance(formula, Every | logic.Some):
            return formula.func(formula.args[0], self._map(formula.args[1], change))
        if isinstance(formula, Relational):
            return formula.func(*map(change, formula.args), evaluate=False)
        if isinstance(formula, Boolean) and formula.args:
            return formula.func(*(self._map(part, change) for part in formula.args))
        return change(formula)

    def _term(self, expr: Any) -> Any:
        if expr in self._shown:
            return self._shown[expr]
        shown = self._shown[expr] = self._named(expr)
        return shown

    def _named(self, expr: Any) -> Any:
        if not getattr(expr, "args", ()) or isinstance(expr, sp.Piecewise | sp.Lambda | sp.Tuple):
            return expr
        for find in (self._notation, self._logit, self._norm, self._inner, self._weight):
            found = find(expr)
            if found is not None:
                return found
        if isinstance(expr, sp.Sum):
            return self._sum(expr)
        arguments = [self(a) for a in expr.args]
        if all(new is old for new, old in zip(arguments, expr.args, strict=True)):
            return expr
        return expr.func(*arguments, evaluate=False)

    def _sum(self, expr: Any) -> Any:
        """The outermost sum first: SymPy writes nested sums as one with several ranges."""
        *inner, (index, low, high) = expr.limits
        body = sp.Sum(expr.function, *inner) if inner else expr.function
        return sp.Sum(self(body), (index, self(low), self(high)))

    # -- names that the catalogue gives --------------------------------------------------------

    def _notation(self, expr: Any) -> Any:
        for notation in NAMES:
            if not self.letters.isdisjoint(notation.letters) or not _alike(notation, expr):
                continue
            for shown, value in self._arguments(notation, expr):
                term = notation.term() if value is None else notation.stands_for(value)
                rest = _without(expr, term)
                if rest is not None:
                    name = _written(notation, _A if notation.of_vector else notation.argument)
                    self._say(notation.name, eq(name, notation.term()), notation.meaning)
                    return self._times(rest, self._stands(_written(notation, shown), term))
        return None

    def _times(self, factors: tuple[Any, ...], shown: Any) -> Any:
        if shown is None or not factors:
            return shown
        return sp.Mul(*map(self, factors), shown, evaluate=False)

    def _arguments(self, notation: Notation, expr: Any) -> Iterator[tuple[Any, Any]]:
        """What the notation's argument may be here: as it is shown, and its value."""
        if notation.argument is None:
            yield None, None
        elif notation.of_vector:
            found = (self._vectors.product(_plane(part)) for part in expr.atoms(sp.Sum))
            vectors = {vector for f in found if f for vector in f[1:]}
            yield from ((v, self._vectors.planes(v)) for v in sorted(vectors, key=str))
        else:
            yield from ((self(lag), lag) for lag in _lags(expr))

    def _stands(self, leaf: Any, term: Any) -> Any:
        """The leaf, if it stands for nothing else in this claim."""
        return leaf if self._terms.setdefault(leaf, term) == term else None

    def _say(self, name: str, equation: Any, meaning: str) -> None:
        self.definitions.setdefault(name, Definition(equation, meaning))

    # -- vectors by their planes ---------------------------------------------------------------

    def _inner(self, expr: Any) -> Any:
        """`<a, b>` or `|a|^2` for a sum over all planes."""
        found = self._vectors.product(_plane(expr))
        if found is None:
            return None
        scale, first, second = found
        if scale == 1 and first == second:
            length = self._length(first, sp.sqrt(expr))
            return None if length is None else sp.Pow(length, 2, evaluate=False)
        (a_x, a_y), (b_x, b_y) = map(self._vectors.planes, (scale * first, second))
        if over_planes(a_x * b_x + a_y * b_y) != expr:
            return None
        self._say("<a, b>", eq(_brackets(_A, _B), _INNER), "the inner product")
        return self._stands(_brackets(scale * first, second), expr)

    def _norm(self, expr: Any) -> Any:
        if not (isinstance(expr, sp.Pow) and expr.exp == sp.Rational(1, 2)):
            return None
        found = self._vectors.product(_plane(expr.base))
        same = found and found[0] == 1 and found[1] == found[2]
        return self._length(found[1], expr) if found and same else None

    def _length(self, vector: Any, expr: Any) -> Any:
        if cluster.norm(*self._vectors.planes(vector)) != expr:
            return None
        self._say("|a|", eq(_bars(_A), cluster.norm(_a_x(l), _a_y(l))), "the Euclidean norm")
        return self._stands(_bars(vector), expr)

    def _logit(self, expr: Any) -> Any:
        """`s <R_t a, b>` for the logit of two vectors at a lag."""
        for first, second, lag in self._rotated(_plane(expr)):
            a, b = self._vectors.planes(first), self._vectors.planes(second)
            if cluster.bilinear(*a, *b, lag) == expr:
                general = eq(
                    _turned(_A, _B, t), cluster.bilinear(_a_x(l), _a_y(l), _b_x(l), _b_y(l), t)
                )
                self._say("s <R[t] a, b>", general, "the logit of two vectors at lag t")
                return self._stands(_turned(first, second, self(lag)), expr)
        return None

    def _rotated(self, term: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Which vectors, at which lag, may have this term in their logit."""
        for rest, lag in turned_terms(term) if term is not None else ():
            found = self._vectors.product(rest)
            if found is not None:
                scale, first, second = found
                yield scale * first, second, lag
                yield scale * second, first, lag

    # -- weights -------------------------------------------------------------------------------

    def _weight(self, expr: Any) -> Any:
        """A softmax weight, with what it is multiplied by."""
        found = softmax_in(expr)
        if found is None:
            return None
        arguments, parts = found
        general = eq(_softmax(_w(j), j, sp.S.Zero, n - 1, t), _SOFTMAX)
        self._say("softmax", general, "an attention weight")
        shown = _softmax(*map(self, arguments))
        return self._times(_left(expr.args, parts) or (), self._stands(shown, sp.Mul(*parts)))


def named(claim: Claim) -> NamedFormulas:
    """The names for one claim."""
    formulas = [h.formula for h in claim.hypotheses]
    formulas += [] if claim.conclusion is None else [claim.conclusion]
    formulas += [mutant.conclusion for mutant in claim.mutants]
    formulas += [f for reading in claim.readings for f in (*reading.hypotheses, reading.conclusion)]
    for step in claim.derivation.steps if claim.derivation else ():
        formulas += [step.conclusion, *step.assuming]
    return NamedFormulas(frozenset(name for formula in formulas for name in _letters(formula)))


@lru_cache(maxsize=100_000)
def _letters(expr: Any) -> frozenset[str]:
    """The names of symbols and functions in a term, from those of its parts, which many terms share."""
    own = {expr.name} if isinstance(expr, sp.Symbol) else set()
    own |= {expr.func.__name__} if isinstance(expr, AppliedUndef) else set()
    return frozenset(own).union(*(_letters(a) for a in expr.args if isinstance(a, sp.Basic)))


# -- notations by guess and comparison ---------------------------------------------------------


@cache
def _signature(notation: Notation) -> tuple[type, frozenset[str]]:
    term, own = notation.term(), set()
    if notation.of_vector:
        own = {part.func.__name__ for part in notation.argument}
    return type(term), frozenset(a.func.__name__ for a in term.atoms(AppliedUndef)) - own


def _alike(notation: Notation, expr: Any) -> bool:
    kind, functions = _signature(notation)
    return bool(expr.func == kind) and functions <= _letters(expr)


def _lags(expr: Any) -> list[Any]:
    """What stands beside a frequency in an angle."""
    quotients = (turn.args[0] / theta(l) for turn in expr.atoms(sp.cos))
    return list(dict.fromkeys(q for q in quotients if not q.has(l)))


def _without(expr: Any, term: Any) -> tuple[Any, ...] | None:
    """The other factors of an expression that holds the term as a factor, or None."""
    if expr == term:
        return ()
    if isinstance(expr, sp.Mul) and isinstance(term, sp.Mul):
        return _left(expr.args, term.args)
    return None


def _left(factors: tuple[Any, ...], taken: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The factors without those taken; one that stands twice is taken once. None if one is missing."""
    left = list(factors)
    for factor in taken:
        if factor not in left:
            return None
        left.remove(factor)
    return tuple(left)


# -- how names are written ---------------------------------------------------------------------

_a_x, _a_y, _b_x, _b_y = (logic.real_function(name) for name in ("a_x", "a_y", "b_x", "b_y"))
_w = logic.real_function("w")
_A, _B = Leaf("a", "a"), Leaf("b", "b")
_INNER = over_planes(_a_x(l) * _b_x(l) + _a_y(l) * _b_y(l))
_SOFTMAX = sp.exp(_w(t)) / sp.Sum(sp.exp(_w(j)), (j, 0, n - 1))


def _latex(expr: Any) -> str:
    return str(PRINTER.doprint(expr))


def _written(notation: Notation, argument: Any) -> Any:
    if argument is None:
        return Leaf(notation.text, notation.latex)
    return Leaf(notation.text.format(plain(argument)), notation.latex.format(_latex(argument)))


def _vector(vector: Any) -> tuple[str, str]:
    """A linear term of vectors as text and as LaTeX, what is subtracted last."""
    parts = sorted(sp.Add.make_args(vector), key=lambda part: part.could_extract_minus_sign())
    texts = []
    for show in (plain, _latex):
        text = show(parts[0])
        for part in parts[1:]:
            minus = part.could_extract_minus_sign()
            text += f" - {show(-part)}" if minus else f" + {show(part)}"
        texts.append(text)
    return texts[0], texts[1]


def _bars(vector: Any) -> Any:
    text, latex = _vector(vector)
    return Leaf(f"|{text}|", rf"\lVert {latex}\rVert")


def _brackets(first: Any, second: Any) -> Any:
    (a, tex_a), (b, tex_b) = map(_vector, (first, second))
    return Leaf(f"<{a}, {b}>", rf"\langle {tex_a},\,{tex_b}\rangle")


def _turned(first: Any, second: Any, lag: Any) -> Any:
    (a, tex_a), (b, tex_b) = map(_vector, (first, second))
    if isinstance(first, sp.Add):
        a, tex_a = f"({a})", f"({tex_a})"
    return Leaf(
        f"s <R[{plain(lag)}] {a}, {b}>",
        rf"s\,\langle R_{{{_latex(lag)}}}\,{tex_a},\,{tex_b}\rangle",
    )


def _softmax(logits: Any, index: Any, low: Any, high: Any, place: Any) -> Any:
    bounds = rf"{_latex(low)}\le {_latex(index)}\le {_latex(high)}"
    return Leaf(
        f"softmax[{plain(index)}={plain(low)}..{plain(high)}]({plain(logits)})[{plain(place)}]",
        rf"\operatorname{{softmax}}_{{{bounds}}}\bigl({_latex(logits)}\bigr)_{{{_latex(place)}}}",
    )


def _plane(expr: Any) -> Any:
    """The term of a sum over all planes, or None."""
    planes = isinstance(expr, sp.Sum) and expr.limits == (sp.Tuple(l, 0, m - 1),)
    return expr.function if planes else None
