"""Typeset formulas in Unicode, for a terminal."""

from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp

from ropeproof.proofs_check.present.letters import SUPERSCRIPT, bare, text_name
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

__all__ = ["Unicode"]

_ARGUMENT_FIRST = ("cos", "sin", "tan", "sinh", "cosh", "tanh", "ln")


class Unicode(Setting):
    """The typesetting rules for Unicode: Greek letters, subscripts `θ_l`, superscripts, signs."""

    minus = "−"
    pi, e = "π", "e"
    relations: ClassVar = {"==": "=", "!=": "≠", "<=": "≤", "<": "<", ">=": "≥", ">": ">"}
    words: ClassVar = {
        "true": "true", "false": "false", "or": "or", "and": "and", "implies": "⇒", "not": "not ",
        "every": "∀ ", "some": "∃ ", "with": " with ", "maps": "↦",
    }  # fmt: skip

    def name(self, name: str) -> tuple[str, int]:
        shown = self.names.get(name)
        if shown is None:
            return text_name(bare(name)), ATOM
        return shown.text, MUL if shown.loose else ATOM

    def indexed(self, head: str, arguments: tuple[Any, ...]) -> str:
        marks = ",".join(self.inline(a).replace(" ", "") for a in arguments)
        head, primes = head.rstrip("′"), "′" * (len(head) - len(head.rstrip("′")))
        base, _, own = head.partition("_")
        marks = f"{own.strip('{}')},{marks}" if own else marks
        return f"{base}{primes}_{marks}" if len(marks) == 1 else f"{base}{primes}_{{{marks}}}"

    def power(self, base: Any, exponent: Any) -> tuple[Document, int]:
        found, own = self.leveled(base)
        if isinstance(exponent, sp.Integer) and exponent > 0:
            raised = "".join(SUPERSCRIPT[d] for d in str(exponent))
            text = flat(found)
            for name in _ARGUMENT_FIRST:
                if text.startswith(f"{name}(") and own == ATOM and self._closes(text, len(name)):
                    return f"{name}{raised}{text[len(name) :]}", POW
        else:
            inner = self.inline(exponent)
            simple = exponent.is_Symbol or (isinstance(exponent, sp.Integer) and exponent >= 0)
            raised = f"^{inner}" if simple else f"^({inner})"
        if own < ATOM or _is_function(flat(found)):
            found = self.brackets(found)
        return joined([found, raised]), POW

    @staticmethod
    def _closes(text: str, at: int) -> bool:
        """Whether the bracket that opens at the given place closes at the end of the text."""
        depth = 0
        for place, sign in enumerate(text[at:], at):
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                return place == len(text) - 1
        return False

    def root(self, below: Any) -> tuple[Document, int]:
        found, own = self.leveled(below)
        simple = own == ATOM and not _is_function(flat(found))
        return joined(["√", found if simple else self.brackets(found)]), POW

    def fraction(self, above: list[Any], below: list[Any]) -> tuple[Document, int]:
        top, level = self.factors(above)
        bottom, own = self.factors(below)
        top = top if level >= MUL else self.brackets(top)
        bottom = (
            bottom if own >= POW and not flat(bottom).startswith("√(") else self.brackets(bottom)
        )
        return Group(Sequence((top, Indented(2, Sequence(("/", Break("")))), bottom))), MUL

    def sum_sign(self, index: Any, low: Any, high: Any) -> str:
        return f"Σ_{{{self._tight(index)}={self._tight(low)}}}^{{{self._tight(high)}}}"

    def _tight(self, expr: Any) -> str:
        return self.inline(expr).replace(" ", "")

    def function(self, name: str, arguments: tuple[Any, ...]) -> tuple[Document, int]:
        return joined([name, self.brackets(self.arguments(arguments))]), ATOM

    def exponential(self, exponent: Any) -> tuple[Document, int]:
        return self.function("exp", (exponent,))

    def size(self, inner: Any) -> tuple[Document, int]:
        found = self.term(inner)
        if "|" in flat(found):
            return self.function("abs", (inner,))
        return self.between("|", found, "|"), ATOM

    def floor(self, inner: Any) -> tuple[Document, int]:
        return self.between("⌊", self.term(inner), "⌋"), ATOM

    def between(self, left: str, inner: Document, right: str) -> Document:
        return Group(Sequence((left, Indented(len(left), inner), right)))

    def product_sign(self, before: str, after: str) -> str:
        plain = after[0].isalpha() and not _is_function(after) and before[-1] not in ")|⟩‖⌋}"
        return " " if plain else "·"

    def cases(self, expr: Any) -> tuple[Document, int]:
        parts = []
        for value, condition in expr.args:
            last = condition == True  # noqa: E712  # a SymPy object
            told = " otherwise" if last else f" if {flat(self.formula(condition))}"
            parts.append(joined([self.term(value), told]))
        return self.between("{", joined(parts, Sequence((";", Break()))), "}"), ATOM


def _is_function(text: str) -> bool:
    """Whether the text is a word followed by a bracket."""
    word, bracket, _ = text.partition("(")
    return bool(bracket) and word.isalpha() and len(word) > 1
