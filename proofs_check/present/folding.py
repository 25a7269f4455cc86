"""Fold the terms of a claim into names: a topic's abbreviations, vectors, norms, inner products.

Nothing here is trusted: a term is shown by a form only if building the form gives back that very
term.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from ropeproof.proofs_check.present import forms, matching
from ropeproof.proofs_check.present.setting import Shown
from ropeproof.proofs_check.present.vectors import Vectors
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.logic import Every, Some, real_function
from ropeproof.theory.language.naming import Abbreviation
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.language.types.meaning import Meaning

__all__ = ["Folding", "form_of", "letters_in", "letters_of", "vector_of"]


@dataclass
class Folding:
    """A function from one claim's formulas to their shown forms.

    The `abbreviations` are tried in the given order, the longest first.
    """

    claim: Claim
    abbreviations: tuple[Abbreviation, ...] = ()
    used: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._vectors = Vectors(frozenset(letters_of(self.claim)))
        self._known: dict[Any, Any] = {}

    def without(self, unused: Collection[Abbreviation]) -> Folding:
        """The same folding without some abbreviations that no formula so far has used.

        What it knows of the terms seen so far is kept.
        """
        fewer = replace(self, abbreviations=tuple(a for a in self.abbreviations if a not in unused))
        fewer._known = self._known
        return fewer

    # -- formulas -------------------------------------------------------------------------------

    def __call__(self, formula: Any) -> Any:
        """The formula with its terms replaced by their shown forms."""
        if isinstance(formula, Every | Some):
            variables, body = formula.args
            return formula.func(self._bound(list(variables)), self(body))
        if isinstance(formula, Relational):
            return formula.func(*map(self.term, formula.args), evaluate=False)
        if isinstance(formula, Boolean) and formula.args and not isinstance(formula, sp.Symbol):
            return formula.func(*map(self, formula.args))
        return self.term(formula)

    def _bound(self, variables: list[Any]) -> list[Any]:
        """The variables of a quantifier, with components of a vector replaced by the vector."""
        found: list[Any] = []
        letters = {v.func.__name__ for v in variables if isinstance(v, AppliedUndef)}
        for variable in variables:
            shown = variable
            base, _, side = str(getattr(variable, "func", variable)).rpartition("_")
            if side in ("x", "y") and {f"{base}_x", f"{base}_y"} <= letters:
                pair = (real_function(f"{base}_x"), real_function(f"{base}_y"))
                both = tuple(v for v in variables if getattr(v, "func", None) in pair)
                shown = Shown(forms.Vector(f"{base}_xy", f"{base}_xy", pair, both))
            if isinstance(variable, AppliedUndef) and len(variable.args) == 1:
                told = self._meaning(variable.func)
                if told.space is not None and not told.matrix:
                    shown = Shown(replace(_vector(variable.func), variables=(variable,)))
            if shown not in found:
                found.append(shown)
        return found

    def _meaning(self, function: Any) -> Meaning:
        return self.claim.meaning_of(f"{function.__name__}()") or Meaning("")

    # -- terms ----------------------------------------------------------------------------------

    def term(self, expr: Any) -> Any:
        """The term with its parts replaced by their shown forms."""
        if not getattr(expr, "args", ()) or isinstance(expr, Shown):
            return expr
        if expr not in self._known:
            self._known[expr] = self._shown(expr)
        return self._known[expr]

    def _shown(self, expr: Any) -> Any:
        for find in (
            self._named,
            self._logit,
            self._length,
            self._product,
            self._row,
            self._softmax,
        ):
            found = find(expr)
            if found is not None:
                return found
        if isinstance(expr, sp.Sum):
            limits = [(i, self.term(a), self.term(b)) for i, a, b in expr.limits]
            return sp.Sum(self.term(expr.function), *limits)
        if isinstance(expr, sp.Piecewise):
            return expr
        if isinstance(expr, sp.Lambda):
            return sp.Lambda(expr.signature, self(expr.expr))
        arguments = [self.term(a) for a in expr.args]
        if all(new is old for new, old in zip(arguments, expr.args, strict=True)):
            return expr
        return expr.func(*arguments, evaluate=False)

    def _with(self, rest: Iterable[Any], shown: Any, kind: Any = sp.Mul) -> Any:
        others = list(map(self.term, rest))
        return kind(*others, shown, evaluate=False) if others else shown

    def _named(self, expr: Any) -> Any:
        for abbreviation in self.abbreviations:
            kind, functions, free, bound = _shape(abbreviation)
            if not (isinstance(expr, kind) or expr.func == kind) or not functions <= _functions(
                expr
            ):
                continue
            for found, rest in matching.instances(abbreviation.term, expr, free):
                values = [self._argument(p, found) for p in abbreviation.parameters]
                if any(
                    v is None or (not forms.is_vector(v) and v.has(*bound)) for v in values if bound
                ):
                    continue
                form = form_of(abbreviation)
                whole = expr.func(*(a for a in expr.args if a not in rest)) if rest else expr
                shown = Shown(form, *values)
                if form.build(shown.arguments) != whole:
                    continue
                self.used[form.key] += 1
                shown = Shown(form, *(v if forms.is_vector(v) else self.term(v) for v in values))
                return self._with(rest, shown, expr.func) if rest else shown
        return None

    def _argument(self, parameter: Any, found: dict[Any, Any]) -> Any:
        if not isinstance(parameter, tuple):
            return found.get(parameter, parameter)
        first: Any = found.get(parameter[0], parameter[0])
        second: Any = found.get(parameter[1], parameter[1])
        if parameter[1].has(m):  # by coordinates, those of a plane m apart
            vector = self._lifted(first, l, 2 * m - 1)
            apart = None if vector is None else forms.component(vector, l + m)
            return vector if apart == second else None
        product = self._vectors.found(first**2 + second**2)
        if product is None or product[0] != 1 or product[1] != product[2]:
            return None
        return product[1]

    # -- vectors by their planes -----------------------------------------------------------------

    def _plane(self, expr: Any) -> Any:
        over = isinstance(expr, sp.Sum) and expr.limits == (sp.Tuple(l, 0, m - 1),)
        return expr.function if over else None

    def _length(self, expr: Any) -> Any:
        if not (isinstance(expr, sp.Pow) and expr.exp == sp.Rational(1, 2)):
            return None
        square = self._product(expr.base)
        if isinstance(square, sp.Pow) and isinstance(square.base, Shown):
            return square.base
        return None

    def _product(self, expr: Any) -> Any:
        """An inner product or the square of a norm, if the sum is one; else None."""
        if not isinstance(expr, sp.Sum) or len(expr.limits) != 1:
            return None
        index, low, high = expr.limits[0]
        if low != 0:
            return None
        plane = self._plane(expr)
        pair = None if plane is None else self._vectors.found(plane)
        space = forms.PLANES
        if pair is None:
            pair, space = self._pair(expr.function, index, high), forms.Space(index, high)
        if pair is None:
            return None
        scale, first, second = pair
        if scale == 1 and first == second:
            norm = Shown(forms.Norm(f"norm:{space}", space), first)
            if norm.form.build(norm.arguments) ** 2 == expr:
                return sp.Pow(norm, 2, evaluate=False)
            return None
        first = first if scale == 1 else sp.Mul(scale, first, evaluate=False)
        shown = Shown(forms.Inner(f"inner:{space}", space), first, second)
        return shown if shown.form.build(shown.arguments) == expr else None

    def _logit(self, expr: Any) -> Any:
        """The form `s <R_t a, b>` if the sum is the logit of two vectors at a lag, else None."""
        plane = self._plane(expr)
        if plane is None:
            return None
        for first, second, lag in self._rotated(plane):
            shown = Shown(forms.Inner("logit"), first, second, lag)
            if shown.form.build(shown.arguments) == expr:
                return Shown(shown.form, first, second, self.term(lag))
        return None

    def _rotated(self, term: Any) -> Iterator[tuple[Any, Any, Any]]:
        for rest, lag in matching.turned_terms(term):
            found = self._vectors.found(rest)
            if found is not None:
                scale, first, second = found
                if scale == 1:
                    yield first, second, lag
                    yield second, first, lag
                else:
                    yield sp.Mul(scale, first, evaluate=False), second, lag

    # -- vectors by their coordinates --------------------------------------------------------------

    def _pair(self, body: Any, index: Any, high: Any) -> tuple[Any, Any, Any] | None:
        """`(c, a, b)` if the body is c times a coordinate of a times one of b, else None."""
        scale, vectors = sp.S.One, []
        for factor in sp.Mul.make_args(body):
            square = isinstance(factor, sp.Pow) and factor.exp == 2
            base = factor.base if square else factor
            if not base.has(index):
                scale *= factor
                continue
            lifted = self._lifted(base, index, high)
            if lifted is None:
                return None
            vectors += [lifted, lifted] if square else [lifted]
        return (self.term(scale), vectors[0], vectors[1]) if len(vectors) == 2 else None

    def _lifted(self, expr: Any, index: Any, high: Any) -> Any:
        """The vector of which an expression is a coordinate, or None."""
        found = self._lift(expr, index, high)
        if found is None or not forms.is_vector(found) or forms.component(found, index) != expr:
            return None
        return found

    def _lift(self, expr: Any, index: Any, high: Any) -> Any:
        if isinstance(expr, AppliedUndef):
            *others, last = expr.args
            told = self._meaning(expr.func)
            if last != index or told.matrix or told.space != high + 1:
                return None
            if any(a.has(index) for a in others):
                return None
            return Shown(_vector(expr.func), *map(self.term, others))
        if isinstance(expr, sp.Add):
            parts = [self._lift(a, index, high) for a in expr.args]
            return None if None in parts else sp.Add(*parts)
        if isinstance(expr, sp.Mul):
            own = [a for a in expr.args if a.has(index)]
            if len(own) != 1:
                return None
            vector = self._lift(own[0], index, high)
            others = [self.term(a) for a in expr.args if a is not own[0]]
            return None if vector is None else sp.Mul(*others, vector, evaluate=False)
        if isinstance(expr, sp.Sum):
            return self._image(expr, index)
        return None

    def _image(self, expr: Any, row: Any) -> Any:
        """The image `M a` if the expression is a row of a matrix times a vector, else None."""
        if len(expr.limits) != 1 or expr.limits[0][1] != 0:
            return None
        column, _, high = expr.limits[0]
        factors = list(sp.Mul.make_args(expr.function))
        for entry in factors:
            if not isinstance(entry, AppliedUndef) or len(entry.args) < 2:
                continue
            told = self._meaning(entry.func)
            *others, at, last = entry.args
            if not told.matrix or at != row or last != column:
                continue
            if told.space != high + 1:
                continue
            of = self._lift(sp.Mul(*(f for f in factors if f is not entry)), column, high)
            if of is None:
                return None
            form = forms.Image(
                f"image:{entry.func}:{column}:{high}",
                f"{entry.func.__name__}()",
                entry.func,
                forms.Space(column, high),
            )
            return Shown(form, *map(self.term, others), of)
        return None

    def _row(self, expr: Any) -> Any:
        """A coordinate of a matrix's image, if the sum is one; else None."""
        if not isinstance(expr, sp.Sum) or len(expr.limits) != 1:
            return None
        for entry in sp.Mul.make_args(expr.function):
            if not isinstance(entry, AppliedUndef) or len(entry.args) < 2:
                continue
            if not self._meaning(entry.func).matrix:
                continue
            image = self._image(expr, entry.args[-2])
            if image is not None:
                shown = Shown(forms.Component("component"), image, entry.args[-2])
                if shown.form.build(shown.arguments) == expr:
                    return Shown(shown.form, image, self.term(entry.args[-2]))
        return None

    # -- weights -----------------------------------------------------------------------------------

    def _softmax(self, expr: Any) -> Any:
        """The product with its softmax weight as a form, or None."""
        found = matching.softmax_in(expr)
        if found is None:
            return None
        arguments, parts = found
        shown = Shown(forms.Softmax("softmax"), *map(self.term, arguments))
        rest = list(expr.args)
        for part in parts:
            rest.remove(part)  # once: a factor that stands twice is not lost
        return self._with(rest, shown)


def _vector(function: Any) -> forms.Vector:
    return forms.Vector(f"vector:{function.__name__}", f"{function.__name__}()", (function,))


@cache
def form_of(abbreviation: Abbreviation) -> forms.Named:
    """The form that shows the term of an abbreviation."""
    key = f"{abbreviation.text} {abbreviation.module}: {abbreviation.meaning}"
    return forms.Named(key, abbreviation.text, abbreviation.latex, abbreviation.build)


def vector_of(parameter: tuple[Any, Any]) -> Any:
    """The vector whose components have these names in a definition."""
    first, second = (p.func for p in parameter)
    if first == second:
        return Shown(forms.Vector(f"vector:{first.__name__}", f"{first.__name__}()", (first,)))
    base = str(first.__name__).removesuffix("_x")
    return Shown(forms.Vector(f"{base}_xy", f"{base}_xy", (first, second)))


@cache
def _shape(abbreviation: Abbreviation) -> tuple[Any, frozenset[str], frozenset[Any], list[Any]]:
    """The abbreviation's kind of term, its functions, its free parts, and its bound variables."""
    term = abbreviation.term
    free = {p for q in abbreviation.parameters for p in (q if isinstance(q, tuple) else (q,))}
    own = {p.func.__name__ for p in free if isinstance(p, AppliedUndef)}
    bound = [limit[0] for found in term.atoms(sp.Sum) for limit in found.limits]
    return type(term), _functions(term) - own, frozenset(free), bound


@cache
def _functions(expr: Any) -> frozenset[str]:
    return frozenset(a.func.__name__ for a in expr.atoms(AppliedUndef))


def letters_of(claim: Claim) -> set[str]:
    """The names of the claim's symbols and functions."""
    formulas = [h.formula for h in claim.hypotheses]
    formulas += [] if claim.conclusion is None else [claim.conclusion]
    return set().union(*map(letters_in, formulas))


@cache
def letters_in(formula: Any) -> frozenset[str]:
    """The names of the symbols and functions in a formula."""
    names = frozenset[str]().union(*map(letters_in, formula.args))
    if isinstance(formula, sp.Symbol):
        return names | {str(formula.name)}
    return names | {formula.func.__name__} if isinstance(formula, AppliedUndef) else names
