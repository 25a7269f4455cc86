"""Whether a term is an instance of another one, and which: guesses, which the caller verifies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp

__all__ = ["instances", "parts"]

Binding = Mapping[Any, Any]


def instances(
    pattern: Any, term: Any, free: frozenset[Any]
) -> Iterator[tuple[dict[Any, Any], tuple[Any, ...]]]:
    """What the parts `free` of the pattern stand for in the term, and what else the term has.

    The rest, if there is one, are further factors of a product or further summands.
    """
    if isinstance(pattern, sp.Mul | sp.Add) and type(term) is type(pattern):
        for found, rest in _some_of(list(pattern.args), list(term.args), {}, free):
            yield dict(found), tuple(rest)
    else:
        for found in _match(pattern, term, {}, free):
            yield dict(found), ()


def parts(expr: Any, free: frozenset[Any]) -> bool:
    """Whether an expression has something that is free."""
    return expr in free or any(parts(a, free) for a in getattr(expr, "args", ()))


def _match(pattern: Any, term: Any, known: Binding, free: frozenset[Any]) -> Iterator[Binding]:
    if pattern in free:
        if pattern not in known:
            yield {**known, pattern: term}
        elif known[pattern] == term:
            yield known
        return
    if not parts(pattern, free):
        if pattern == term:
            yield known
        return
    if isinstance(pattern, sp.Mul | sp.Add):
        kind = type(pattern)
        given = list(term.args) if type(term) is kind else [term]
        yield from _all_of(list(pattern.args), given, known, free, kind)
        return
    # Not by `type`: an undefined function of one name may be several classes, which are equal.
    if term.func != pattern.func or len(term.args) != len(pattern.args):
        return
    yield from _each(list(pattern.args), list(term.args), known, free)


def _rational(term: Any) -> bool:
    return bool(term.is_Rational)


def _each(
    patterns: list[Any], terms: list[Any], known: Binding, free: frozenset[Any]
) -> Iterator[Binding]:
    if not patterns:
        yield known
        return
    for found in _match(patterns[0], terms[0], known, free):
        yield from _each(patterns[1:], terms[1:], found, free)


def _all_of(
    patterns: list[Any], terms: list[Any], known: Binding, free: frozenset[Any], kind: Any
) -> Iterator[Binding]:
    """All of the terms, one of the free parts taking what is left."""
    if kind is sp.Mul:
        own, given = (sp.Mul(*filter(_rational, parts_)) for parts_ in (patterns, terms))
        patterns = [p for p in patterns if not _rational(p)]
        terms = [t for t in terms if not _rational(t)]
        terms += [given / own] if own != given else []
    open_parts = [p for p in patterns if p in free]
    others = [p for p in patterns if p not in free]
    for found, rest in _some_of(others, terms, known, free):
        if not open_parts and rest:
            continue
        if len(open_parts) == 1:
            value = kind(*rest)
            if open_parts[0] not in found:
                yield {**found, open_parts[0]: value}
            elif found[open_parts[0]] == value:
                yield found
        elif len(open_parts) == len(rest):
            yield from _each(open_parts, rest, found, free)


def _some_of(
    patterns: list[Any], terms: list[Any], known: Binding, free: frozenset[Any]
) -> Iterator[tuple[Binding, list[Any]]]:
    """Each pattern meets a term of its own; also what is left."""
    if not patterns:
        yield known, terms
        return
    first, *others = sorted(patterns, key=lambda p: (parts(p, free), p in free))
    for place, term in enumerate(terms):
        for found in _match(first, term, known, free):
            yield from _some_of(others, terms[:place] + terms[place + 1 :], found, free)
