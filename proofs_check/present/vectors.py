r"""Find vectors that are given by their planes: `q_x(l)` and `q_y(l)` are the components of q.

A vector found is only a way to show a term; `forms.planes` gives the components back, so that the
caller can compare.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.present import forms
from ropeproof.proofs_check.present.setting import Shown
from ropeproof.theory.language.logic import real_function
from ropeproof.theory.language.notation import l, theta

__all__ = ["Vectors"]

_FORMS = (re.compile(r"(?P<base>.+)_(?P<side>[xy])"), re.compile(r"(?P<side>[XY])_(?P<base>.+)"))


class _Mark(sp.Symbol):  # type: ignore[misc]  # SymPy is untyped
    """A symbol for one component of a vector, in place of the component's term."""

    def __new__(cls, leaf: Any, side: str) -> Any:
        made = super().__new__(cls, f"{leaf.name}|{side}", real=True)
        made.leaf, made.side = leaf, side
        return made


@dataclass
class Vectors:
    """The vectors of one claim; `letters` are names by which no vector may be shown.

    While a term is read a symbol stands for each vector; `shown` maps it to the shown form, and
    `components` to the terms of its components.
    """

    letters: frozenset[str]
    components: dict[Any, dict[str, Any]] = field(default_factory=dict)
    shown: dict[Any, Any] = field(default_factory=dict)

    def found(self, term: Any) -> tuple[Any, Any, Any] | None:
        """`(c, a, b)` if the term of a sum over planes is c (a_x b_x + a_y b_y), else None."""
        product = self._product(self._marked(term))
        if product is None:
            return None
        scale, first, second = product
        return scale, first.xreplace(self.shown), second.xreplace(self.shown)

    def _product(self, term: Any) -> tuple[Any, Any, Any] | None:
        if isinstance(term, sp.Mul):
            for candidate in (f for f in term.args if isinstance(f, sp.Add)):
                found = self._product(candidate)
                rest = sp.Mul(*(f for f in term.args if f is not candidate))
                if found is not None and not rest.has(l, _Mark):
                    return rest * found[0], found[1], found[2]
            return None
        if not isinstance(term, sp.Add):
            return None
        sides: dict[str, list[Any]] = {"x": [], "y": []}
        for part in term.args:
            found_sides = {mark.side for mark in part.atoms(_Mark)}
            if len(found_sides) != 1:
                return None
            sides[found_sides.pop()].append(part)
        first, second = (
            sum(p.xreplace({mark: mark.leaf for mark in p.atoms(_Mark)}) for p in parts)
            for parts in sides.values()
        )
        if first != second or first == 0 or first.has(l):
            return None
        return self._factors(first)

    def _factors(self, lifted: Any) -> tuple[Any, Any, Any] | None:
        scale, linear = sp.S.One, []
        for factor in sp.Mul.make_args(lifted):
            if isinstance(factor, sp.Pow) and factor.exp == 2 and self._linear(factor.base):
                linear += [factor.base, factor.base]
            elif self._linear(factor):
                linear.append(factor)
            elif self._speaks(factor):
                return None
            else:
                scale *= factor
        return (scale, linear[0], linear[1]) if len(linear) == 2 else None

    def _speaks(self, term: Any) -> bool:
        return any(v in self.components for v in term.free_symbols)

    def _linear(self, term: Any) -> bool:
        if isinstance(term, sp.Add):
            return all(map(self._linear, term.args))
        if isinstance(term, sp.Mul):
            speaking = [f for f in term.args if self._speaks(f)]
            return len(speaking) == 1 and self._linear(speaking[0])
        return term in self.components

    def _marked(self, term: Any) -> Any:
        """The term with components replaced by marks, those of rotated vectors first."""
        turned = {add: mark for add in term.atoms(sp.Add) if (mark := self._turned(add))}
        term = term.xreplace(turned)
        return term.xreplace(
            {applied: mark for applied in term.atoms(AppliedUndef) if (mark := self._mark(applied))}
        )

    def _mark(self, applied: Any) -> Any:
        found = _component(applied)
        leaf = found and self._leaf(found[0], applied.args[:-1])
        return self._of(leaf, found[1], applied) if found and leaf else None

    def _of(self, leaf: Any, side: str, term: Any) -> Any:
        """The mark of a component, or None if the name already stands for another vector."""
        known = self.components.setdefault(leaf, {})
        return _Mark(leaf, side) if known.setdefault(side, term) == term else None

    def _turned(self, add: Any) -> Any:
        """The mark of v_x cos(theta_l a) - v_y sin(theta_l a), or its other component; or None."""
        for first, second in (add.args, add.args[::-1]) if len(add.args) == 2 else ():
            cosine, sine = _factor(first, sp.cos), _factor(second, sp.sin)
            if not cosine or not sine or cosine.args != sine.args:
                continue
            lag, along, across = cosine.args[0] / theta(l), first / cosine, second / sine
            sign = -1 if across.could_extract_minus_sign() else 1
            own, other = self._applied(along), self._applied(sign * across)
            if lag.has(l) or not own or not other or own.leaf != other.leaf:
                continue
            if own.side != other.side:
                turn = lag if (own.side == "x") == (sign == -1) else -lag
                leaf = sp.Symbol(f"R[{turn}] {own.leaf.name}", real=True)
                self.shown[leaf] = Shown(forms.Turned("turned"), turn, self.shown[own.leaf])
                return self._of(leaf, own.side, add)
        return None

    def _applied(self, term: Any) -> Any:
        return self._mark(term) if isinstance(term, AppliedUndef) else None

    def _leaf(self, base: str, arguments: tuple[Any, ...]) -> Any:
        """The symbol of a vector, or None if a symbol of the claim has the same name."""
        letter, tilde = base.rstrip("~"), base.endswith("~")
        if letter in self.letters and not tilde:
            return None
        sides = (f"X_{letter}", f"Y_{letter}") if tilde else (f"{base}_x", f"{base}_y")
        form = forms.Vector(f"{base}_xy", f"{base}_xy", tuple(map(real_function, sides)))
        leaf = sp.Symbol(f"{base}{arguments}", real=True)
        self.shown[leaf] = Shown(form, *arguments)
        return leaf


def _factor(term: Any, kind: Any) -> Any:
    return next((f for f in sp.Mul.make_args(term) if isinstance(f, kind)), None)


def _component(applied: Any) -> tuple[str, str] | None:
    """The vector's name and the side, `x` or `y`, of a component in the plane `l`; or None."""
    if not applied.args or applied.args[-1] != l:
        return None
    for mark, form in zip(("", "~"), _FORMS, strict=True):
        found = form.fullmatch(applied.func.__name__)
        if found:
            return found["base"] + mark, found["side"].lower()
    return None
