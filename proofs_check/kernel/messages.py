"""Terms and formulas of the kernel as text for messages; nothing is decided here."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

__all__ = ["show"]

_RELATION = {"eq": "=", "ne": "!=", "le": "<=", "lt": "<"}
_WORDS = {"all": "for all", "some": "for some"}
_FORMULA, _PART, _SUM, _PRODUCT, _POWER = range(5)


def show(term: Any, bound: tuple[str, ...] = ()) -> str:
    """A short readable form of a term or formula; `bound` are the names around it."""
    return _text(term, bound, _FORMULA)


def _text(term: Any, bound: tuple[str, ...], place: int) -> str:
    """The text of a formula, in brackets if its surroundings bind more tightly."""
    if not isinstance(term, tuple) or not term:
        return str(term)
    kind = term[0]
    if kind == "q":
        return _within(str(term[1]), _POWER if term[1] >= 0 == term[1] % 1 else _SUM, place)
    if kind in ("x", "f"):
        name = bound[term[1]] if isinstance(term[1], int) and term[1] < len(bound) else term[1]
        return f"{name}({_list(term[3], bound)})" if kind == "f" else str(name)
    if kind == "+":
        return _sum(term[1], bound, place)
    if kind == "*":
        return _product(term[1], bound, place)
    if kind == "^":
        if term[2] == ("q", -1):
            return _within(f"1/{_text(term[1], bound, _POWER)}", _SUM, place)
        base, exponent = (_text(t, bound, _POWER) for t in term[1:])
        return f"{base}^{exponent}"
    if kind in ("and", "or"):
        return _within(f" {kind} ".join(_text(t, bound, _PART) for t in term[1]), _FORMULA, place)
    if kind == "if":
        premise, conclusion = (_text(t, bound, _PART) for t in term[1:])
        return _within(f"{premise} => {conclusion}", _FORMULA, place)
    if kind in _RELATION:
        left, right = (_text(t, bound, _SUM) for t in term[1:])
        return f"{left} {_RELATION[kind]} {right}"
    if kind == "sum":
        low, high = (_text(t, bound, _FORMULA) for t in term[2:4])
        index = term[1].label or _unused(bound)
        body = _text(term[4], (index, *bound), _FORMULA)
        return f"sum[{index}={low}..{high}]({body})"
    if kind in _WORDS:
        names = tuple(v.label for v in term[1])
        body = _text(term[2], (*names, *bound), _FORMULA)
        return _within(f"{_WORDS[kind]} {', '.join(names)}: {body}", _FORMULA, place)
    if kind in ("max", "min"):
        return f"{kind}({_list(term[1], bound)})"
    return f"{kind}({_list(term[1:], bound)})"


def _list(terms: Any, bound: tuple[str, ...]) -> str:
    return ", ".join(_text(t, bound, _FORMULA) for t in terms)


def _within(text: str, binds: int, place: int) -> str:
    return f"({text})" if binds < place else text


def _unused(bound: tuple[str, ...]) -> str:
    """A name for a bound index that has none, not used by another."""
    names = chain("klijn", (f"k{number}" for number in count(1)))
    return next(name for name in names if name not in bound)


def _sum(parts: Any, bound: tuple[str, ...], place: int) -> str:
    text = ""
    for part in parts:
        one = _text(part, bound, _SUM)
        text += one if not text else f" - {one[1:]}" if one.startswith("-") else f" + {one}"
    if len(parts) < 2:
        return _text(parts[0], bound, place) if parts else "0"
    return _within(text, _SUM, _PRODUCT if place > _SUM else place)


def _product(parts: Any, bound: tuple[str, ...], place: int) -> str:
    number, *rest = parts if parts and parts[0][0] == "q" else (("q", 1), *parts)
    rest = [r for part in rest for r in (part[1] if part[0] == "*" else [part])]
    if not rest:
        return _text(number, bound, place)
    c = number[1]
    if len(rest) == 1 and c == 1:
        return _text(rest[0], bound, place)
    text = "*".join(_text(part, bound, _POWER if part[0] == "+" else _PRODUCT) for part in rest)
    if c != 1:
        text = f"-{text}" if c == -1 else f"{c}*{text}"
    return _within(text, _SUM if c < 0 else _PRODUCT, place)
