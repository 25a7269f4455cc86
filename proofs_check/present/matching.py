"""Match a pattern against a term: guesses that the caller must verify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.theory.language.notation import l, theta
from ropeproof.theory.language.substitution import substitute

__all__ = ["instances", "parts", "softmax_in", "turned_terms"]

Binding = Mapping[Any, Any]


def instances(
    pattern: Any, term: Any, free: frozenset[Any]
) -> Iterator[tuple[dict[Any, Any], tuple[Any, ...]]]:
    """Values for the parts `free` of the pattern that make it the term, and the term's rest.

    The rest, if there is any, are further factors of a product or further summands.
    """
    if isinstance(pattern, sp.Mul | sp.Add) and type(term) is type(pattern):
        for found, rest in _some_of(list(pattern.args), list(term.args), {}, free):
            yield dict(found), tuple(rest)
    else:
        for found in _match(pattern, term, {}, free):
            yield dict(found), ()


@lru_cache(maxsize=1 << 17)
def parts(expr: Any, free: frozenset[Any]) -> bool:
    """Whether an expression contains one of the parts `free`."""
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
    """Matches that use all of the terms, where a free part takes those left over."""
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
    """Matches of each pattern with a different term, and the terms left over."""
    if not patterns:
        yield known, terms
        return
    first, *others = sorted(patterns, key=lambda p: (parts(p, free), p in free))
    for place, term in enumerate(terms):
        for found in _match(first, term, known, free):
            yield from _some_of(others, terms[:place] + terms[place + 1 :], found, free)


def turned_terms(term: Any) -> Iterator[tuple[Any, Any]]:
    """Products in a term with the cosine of a plane's angle: the other factors, and the lag."""
    for part in term.atoms(sp.Mul):
        turn = next((f for f in part.args if isinstance(f, sp.cos)), None)
        if turn is not None and not (lag := turn.args[0] / theta(l)).has(l):
            yield sp.Mul(*(f for f in part.args if f is not turn)), lag


def softmax_in(expr: Any) -> tuple[tuple[Any, ...], tuple[Any, Any]] | None:
    """The softmax weight in a product, or None.

    Returns its logits, index, ends and place, and the two factors that form it.
    """
    for below in expr.args if isinstance(expr, sp.Mul) else ():
        total = below.base if isinstance(below, sp.Pow) and below.exp == -1 else None
        if not (isinstance(total, sp.Sum) and isinstance(total.function, sp.exp)):
            continue
        (index, low, high), logits = total.limits[0], total.function.args[0]
        for above in expr.args if len(total.limits) == 1 else ():
            place = _place(logits, index, above)
            if place is not None:
                return (logits, index, low, high, place), (above, below)
    return None


@lru_cache(maxsize=10_000)
def _place(logits: Any, index: Any, above: Any) -> Any:
    """The place for which the numerator `above` is the exponential of the logits, or None."""
    if not isinstance(above, sp.exp):
        return None
    top = above.args[0]
    places = {a for f in top.atoms(AppliedUndef) for a in f.args} | top.free_symbols
    places |= {a - b for a in places for b in places if a.is_integer and b.is_integer}
    for place in sorted(places, key=sp.default_sort_key):
        if place.is_integer and substitute(logits, {index: place}) == top:
            return place
    return None
