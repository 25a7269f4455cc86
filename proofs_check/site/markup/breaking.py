"""Split formulas within prose where a line may end, since the site's MathJax never breaks them."""

from __future__ import annotations

import re

from ropeproof.proofs_check.present.width import width

__all__ = ["breakable"]

_WIDEST = 22.0
"""The largest width in characters of a formula that fits into the narrowest column."""

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", flags=re.S)
_OPEN = {"{", "(", "[", r"\{", r"\langle", r"\lfloor", r"\lceil", r"\left", r"\begin"}
_CLOSE = {"}", ")", "]", r"\}", r"\rangle", r"\rfloor", r"\rceil", r"\right", r"\end"}
_RELATIONS = {"=", "<", ">"} | {
    *(r"\le", r"\ge", r"\ne", r"\in", r"\to", r"\iff", r"\Rightarrow", r"\approx", r"\ll", r"\gg")
}
_OPERATIONS = {"+", "-"}


def breakable(prose: str) -> str:
    r"""Prose with long formulas split into several, each beginning with a relation, plus or minus.

    Nothing is split within brackets, bars or a group, nor where a sign has no left side.

    >>> print(breakable(r"With $a_1+b_1+c_1+d_1+e_1\le f(x,y)-g(x-y)+h(-x)+k$ it holds."))
    With $a_1$ ${}+b_1$ ${}+c_1$ ${}+d_1$ ${}+e_1$ ${}\le f(x,y)$ ${}-g(x-y)$ ${}+h(-x)$ ${}+k$ it holds.
    >>> breakable("$a=b$")
    '$a=b$'
    """
    pieces = re.split(r"(\$\$.+?\$\$|\$[^$]+\$)", prose, flags=re.S)
    return "".join(_cut(p) if n % 2 and not p.startswith("$$") else p for n, p in enumerate(pieces))


def _cut(formula: str) -> str:
    latex = formula[1:-1]
    if width(latex) <= _WIDEST:
        return formula
    parts, depth, bars = [""], 0, dict.fromkeys(("|", r"\|"), False)
    before = ""
    for token in _TOKEN.findall(latex):
        if token in _CLOSE:
            depth -= 1
        ends = depth == 0 and not any(bars.values())
        has_left = before not in {"", "_", "^", ",", ":", ";", "(", *_RELATIONS, *_OPERATIONS}
        if ends and has_left and token in _RELATIONS | _OPERATIONS:
            parts.append("{}")
        parts[-1] += token
        if token in _OPEN:
            depth += 1
        if token in bars and before not in (r"\left", r"\right"):
            bars[token] = not bars[token]
        if not token.isspace():
            before = token
    return " ".join(f"${part.strip()}$" for part in parts) if depth == 0 else formula
