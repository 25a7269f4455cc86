r"""Typeset formulas in LaTeX, for a paper or a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import sympy as sp
from sympy.core.function import UndefinedFunction

from ropeproof.proofs_check.present.letters import bare, latex_name
from ropeproof.proofs_check.present.lines import (
    Break,
    Document,
    Group,
    Indented,
    Sequence,
    flat,
    joined,
)
from ropeproof.proofs_check.present.setting import ATOM, MUL, POW, Setting
from ropeproof.proofs_check.present.width import width
from ropeproof.theory.language.derivation import Rule

__all__ = ["Latex", "rule_arguments"]

WIDEST_FRACTION = 60.0
"""Above this width a fraction is written with a slash, so that its lines can be broken.

With `breaks` a wider root is written as a power, and cases one after the other."""


def _subscripted(head: str) -> tuple[str, str]:
    """A name without its subscript, and the subscript."""
    depth = 0
    for place, sign in enumerate(head):
        depth += (sign == "{") - (sign == "}")
        if sign == "_" and depth == 0:
            own = head[place + 1 :]
            return head[:place], own[1:-1] if own.startswith("{") else own
    return head, ""


class Latex(Setting):
    """The rules of typesetting for LaTeX, without dollar signs."""

    minus = "-"
    pi, e = r"\pi", r"\mathrm{e}"
    relations: ClassVar = {"==": "=", "!=": r"\ne", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}
    words: ClassVar = {
        "true": r"\text{true}", "false": r"\text{false}", "or": r"\ \vee\ ", "and": r"\ \wedge\ ",
        "implies": r"\ \Rightarrow\ ", "not": r"\neg\,", "every": r"\forall\,", "some": r"\exists\,",
        "with": r"\text{ with }", "maps": r"\mapsto",
    }  # fmt: skip

    def name(self, name: str) -> tuple[str, int]:
        shown = self.names.get(name)
        if shown is None:
            return latex_name(bare(name)), ATOM
        return shown.latex, MUL if shown.loose else ATOM

    def indexed(self, head: str, arguments: tuple[Any, ...]) -> str:
        marks = ",".join(self.inline(a) for a in arguments)
        primes = len(head) - len(head.rstrip("'"))
        head = head.rstrip("'")
        base, own = _subscripted(head)
        marks = f"{own},{marks}" if own else marks
        return f"{base}{chr(39) * primes}_{{{marks}}}"

    def power(self, base: Any, exponent: Any) -> tuple[Document, int]:
        found, own = self.leveled(base)
        raised = f"^{{{self.inline(exponent)}}}"
        text = flat(found)
        if own < ATOM or text.startswith(
            ("\\cos", "\\sin", "\\tan", "\\ln", "\\max", "\\min", "\\exp")
        ):
            found = self.brackets(found)
        elif "^" in text or "'" in text or text.endswith(r"\rvert"):
            found = joined(["{", found, "}"])
        return joined([found, raised]), POW

    def root(self, below: Any) -> tuple[Document, int]:
        found = rf"\sqrt{{{self.inline(below)}}}"
        if not self.breaks or width(found) <= WIDEST_FRACTION:
            return found, POW
        return joined([self.brackets(self.term(below)), "^{1/2}"]), POW

    def fraction(self, above: list[Any], below: list[Any]) -> tuple[Document, int]:
        (top, level), (bottom, own) = self.factors(above), self.factors(below)
        whole = rf"\frac{{{flat(top)}}}{{{flat(bottom)}}}"
        if width(whole) <= WIDEST_FRACTION:
            return whole, MUL
        top = top if level >= MUL else self.brackets(top)
        bottom = bottom if own >= POW else self.brackets(bottom)
        return Group(Sequence((top, Indented(2, Sequence((r"\big/", Break("")))), bottom))), MUL

    def sum_sign(self, index: Any, low: Any, high: Any) -> str:
        return rf"\sum_{{{self.inline(index)}={self.inline(low)}}}^{{{self.inline(high)}}}"

    def function(self, name: str, arguments: tuple[Any, ...]) -> tuple[Document, int]:
        head = rf"\operatorname{{{name}}}" if name in ("sgn", "abs") else rf"\{name}"
        return joined([head, self.brackets(self.arguments(arguments))]), ATOM

    def exponential(self, exponent: Any) -> tuple[Document, int]:
        inner = self.inline(exponent)
        if width(inner) > 16 or "\\frac" in inner or "\\sum" in inner:
            return self.function("exp", (exponent,))
        return rf"\mathrm{{e}}^{{{inner}}}", POW

    def size(self, inner: Any) -> tuple[Document, int]:
        return self.between(r"\lvert ", self.term(inner), r"\rvert"), ATOM

    def floor(self, inner: Any) -> tuple[Document, int]:
        return self.between(r"\lfloor ", self.term(inner), r"\rfloor"), ATOM

    def between(self, left: str, inner: Document, right: str) -> Document:
        text = flat(inner)
        if left in "([" and ("\\sum" in text or "\\frac" in text or "\\bigl" in text):
            left, right = rf"\bigl{left}", rf"\bigr{right}"
        return Group(Sequence((left, Indented(1, inner), right)))

    def product_sign(self, before: str, after: str) -> str:
        if after[0].isdigit() or (before[-1].isdigit() and after.startswith("\\frac")):
            return r" \cdot "
        return (
            r"\,"
            if after.startswith(("\\cos", "\\sin", "\\tan", "\\ln", "\\sum", "\\m", "\\exp"))
            else " "
        )

    def cases(self, expr: Any) -> tuple[Document, int]:
        rows = []
        for value, condition in expr.args:
            last = condition == True  # noqa: E712  # a SymPy object
            told = r"\text{otherwise}" if last else rf"\text{{if }}{flat(self.formula(condition))}"
            rows.append(rf"{self.inline(value)} & {told}")
        found = r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"
        if not self.breaks or width(found) <= WIDEST_FRACTION:
            return found, ATOM
        parts: list[Document] = []
        for value, condition in expr.args:
            last = condition == True  # noqa: E712  # a SymPy object
            told = "otherwise" if last else "if }" + flat(self.formula(condition)) + r"\text{"
            parts += [
                Break("") if parts else "",
                self.term(value),
                rf"\text{{ {told}{'' if last else ';'} }}",
            ]
        return self.between(r"\bigl\{", Sequence(tuple(parts)), r"\bigr\}"), ATOM


def _symbol(key: Any) -> str:
    """The LaTeX of a symbol or a function that a rule gives a value."""
    return Latex().name(f"{key.__name__}()" if isinstance(key, UndefinedFunction) else str(key))[0]


def rule_arguments(rule: Rule, show: Callable[[Any], Document]) -> list[tuple[str, Document]]:
    """The arguments of a step's rule beside its premises, each a formula in LaTeX after a few words.

    `show` sets a formula, as `ShownClaim.latex` or `ShownClaim.paper` does. Values for the symbols of a
    claim or an axiom have no words; the symbols on their left are those of the claim that is used, which
    may mean something else in the claim whose step it is.
    """
    told: list[tuple[str, Document]] = [
        ("", joined([f"{_symbol(key)} := ", show(value)]))
        for key, value in rule.arguments.get("mapping", {}).items()
        if key != value
    ]
    for name in ("variable", "start", "end", "at"):
        if name in rule.arguments:
            told.append((name, show(sp.sympify(rule.arguments[name]))))
    return told
