r"""Estimate the typeset width of LaTeX from its source alone."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["width"]

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}_^]|[^\\{}_^]")
_NO_WIDTH = {
    "left",
    "right",
    "displaystyle",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "limits",
    "operatorname",
}
_WIDE = {"sum": 2.0, "quad": 2.0, "cos": 3.0, "sin": 3.0, "min": 3.0, "max": 3.0, "ln": 2.0}
_WIDE |= {"log": 3.0, "tanh": 4.0, "Rightarrow": 2.0, "sinh": 4.0, "cosh": 4.0}


@cache
def width(latex: str) -> float:
    r"""The approximate typeset width of a formula, in characters.

    >>> width(r"\frac{a + b}{2}") < width("(a + b) / 2")
    True
    """
    return _Measure(latex).run()


class _Measure:
    """A reader of LaTeX that adds up widths from left to right."""

    def __init__(self, latex: str) -> None:
        self.tokens = _TOKEN.findall(latex)
        self.at = 0

    def run(self) -> float:
        total, last = 0.0, 0.0
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            token = self.tokens[self.at]
            if token in "_^":
                self.at += 1
                small = 0.7 * self._one()
                total += max(0.0, small - last) if last == 2.0 else small
                continue
            last = self._one()
            total += last
        return total

    def _one(self) -> float:
        """The width of the next token or group."""
        if self.at >= len(self.tokens):
            return 0.0
        token = self.tokens[self.at]
        self.at += 1
        if token == "{":
            inner = self.run()
            self.at += 1
            return inner
        if token == " ":
            return 0.0
        if not token.startswith("\\"):
            return 1.6 if token in "=<>+-" else 1.0
        name = token[1:]
        if name == "frac":
            return max(self._one(), self._one()) + 0.5
        if name in _NO_WIDTH:
            return 0.0
        if name in ("le", "ge", "ne", "wedge", "vee"):
            return 1.6
        return _WIDE.get(name, 1.0 if name.isalpha() else 0.3)
