"""Prove equality of terms that differ only in the arrangement of products and sums.

Subterms other than `+`, `*` and powers (atoms) are compared recursively but not multiplied out, so
long sums stay whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, product

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import key
from ropeproof.proofs_check.kernel.terms import Term, free, fresh, number, opened
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import equality
from ropeproof.proofs_check.recheck.coq.printing import Names, as_real, is_whole
from ropeproof.proofs_check.recheck.coq.sums import agreeing

__all__ = ["reordered", "same_but_for_order", "with_reordered_sides"]

_COMPARISONS = {"eq": "=", "ne": "<>", "le": "<=", "lt": "<"}
_UNARY = ("exp", "cos", "sin", "log", "sqrt", "abs")
_BY_ARITY = {1: "f_equal", 2: "f_equal2", 3: "f_equal3", 4: "f_equal4", 5: "f_equal5"}
MOST_TERMS = 2000  # of a product
HIGHEST_POWER = 8

_Polynomial = dict[tuple[tuple[str, int], ...], Fraction]


class _TooLong(Exception):
    """Raised for a product with too many terms to be multiplied out."""


def same_but_for_order(a: Term, b: Term) -> bool:
    """Whether two comparisons have sides that are equal up to rearrangement."""
    try:
        return a[0] == b[0] and all(_key(x) == _key(y) for x, y in zip(a[1:], b[1:], strict=True))
    except _TooLong:
        return False


def with_reordered_sides(proof: str, old: Term, goal: Term, names: Names) -> str | None:
    """A script for a comparison from another with equal sides up to rearrangement, or None."""
    if not same_but_for_order(old, goal):
        return None
    counter = count()
    pairs = zip(old[1:], goal[1:], strict=True)
    sides = [_equal(x, y, names, lambda: f"O{next(counter)}") for x, y in pairs]
    if None in sides:
        return None
    sign = _COMPARISONS[goal[0]]
    a, b, c, d = (as_real(x, names) for x in (*old[1:], *goal[1:]))
    return (
        f"(assert (OR : forall x y z t : R, x = z -> y = t -> x {sign} y -> z {sign} t) by "
        f"(clear; intros x y z t D0 D1; subst z; subst t; exact (fun K => K)); "
        f"refine (OR {a} {b} {c} {d} _ _ {proof}); clear OR; [{sides[0]} | {sides[1]}])"
    )


def reordered(a: Term, b: Term, names: Names) -> str | None:
    """A script for `a = b` where the terms are equal up to rearrangement, or None."""
    counter = count()
    alike = same_but_for_order(("eq", a), ("eq", b))
    return _equal(a, b, names, lambda: f"O{next(counter)}") if alike else None


# -- what terms share --------------------------------------------------------------------


def _has_sum(t: object) -> bool:
    return isinstance(t, tuple) and (t[:1] == ("sum",) or any(map(_has_sum, t)))


def _power(t: Term) -> int | None:
    """The exponent of a power that is multiplied out, else None."""
    n = t[2][1] if t[0] == "^" and t[2][0] == "q" else None
    return int(n) if n is not None and n.denominator == 1 and 1 < n <= HIGHEST_POWER else None


def _is_ring(t: Term) -> bool:
    """Whether the term is a sum, product or power that is multiplied out here."""
    return not is_whole(t) and (t[0] in ("+", "*") or _power(t) is not None)


def _key(t: Term) -> str:
    """A key that is the same for terms equal up to rearrangement."""
    return repr(sorted(_polynomial(t).items()))


def _polynomial(t: Term) -> _Polynomial:
    """The term as a polynomial in the keys of its atoms."""
    if t[0] == "q":
        return {(): t[1]} if t[1] else {}
    if not _is_ring(t):
        return {((_atom(t), 1),): Fraction(1)}
    if t[0] == "+":
        total: _Polynomial = {}
        for part in map(_polynomial, t[1]):
            for m, c in part.items():
                total[m] = total.get(m, Fraction(0)) + c
        return {m: c for m, c in total.items() if c}
    whole: _Polynomial = {(): Fraction(1)}
    for part in map(_polynomial, t[1] if t[0] == "*" else [t[1]] * (_power(t) or 1)):
        whole = _times(whole, part)
    return whole


def _times(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    if len(a) * len(b) > MOST_TERMS:
        raise _TooLong
    result: _Polynomial = {}
    for (m, c), (n, d) in product(a.items(), b.items()):
        powers = dict(m)
        for x, k in n:
            powers[x] = powers.get(x, 0) + k
        both = tuple(sorted(powers.items()))
        result[both] = result.get(both, Fraction(0)) + c * d
    return {m: c for m, c in result.items() if c}


def _atom(t: Term) -> str:
    """The key of an atom; without sums in it, that of its normal form."""
    if not _has_sum(t):
        return str(key(Normal().poly(t)))
    if t[0] in _UNARY:
        return f"{t[0]} {_key(t[1])}"
    if t[0] == "^":
        return f"^ {_key(t[1])} {_key(t[2])}"
    if t[0] == "f":
        return f"f {t[1:3]!r} {list(map(_key, t[3]))}"
    if t[0] == "sum":
        return f"sum {[str(key(Normal().poly(end))) for end in t[2:4]]} {_key(t[4])}"
    return repr(t)


# -- scripts -----------------------------------------------------------------------------


def _equal(a: Term, b: Term, names: Names, name: Callable[[], str]) -> str | None:
    """A script for a = b, two terms with the same key as they are printed in `R`; or None."""
    if a == b:
        return "reflexivity"
    if not _is_ring(a) and not _is_ring(b):
        return _equal_atoms(a, b, names, name)
    ours, theirs = list(_atoms(a)), list(_atoms(b))
    shared = {_atom(x): x for x in theirs}
    places = list(shared)
    parts = [_equal_atoms(x, shared.get(_atom(x), x), names, name) for x in ours]
    if None in parts or any(_atom(x) not in shared for x in ours):
        return None
    called = {k: f"x{i}" for i, k in enumerate(places)}
    between = _shaped(a, iter([as_real(shared[_atom(x)], names) for x in ours]))
    before = _shaped(a, iter([called[_atom(x)] for x in ours]))
    after = _shaped(b, iter([called[_atom(x)] for x in theirs]))
    theirs_now = _shaped(b, iter([as_real(shared[_atom(x)], names) for x in theirs]))
    back = [_equal_atoms(shared[_atom(x)], x, names, name) for x in theirs]
    if None in back:
        return None
    rule, given = name(), " ".join(as_real(shared[k], names) for k in places)
    close = "lra" if "/" in before + after else "ring"  # which knows no fractions
    variables = f"forall {' '.join(called.values())} : R, " if called else ""
    return (
        f"(assert ({rule} : {variables}{before} = {after}) by (clear; intros; {close}); "
        f"transitivity {between}; [{_congruent(a, iter(parts))} | transitivity {theirs_now}; "
        f"[exact ({rule} {given}) | {_congruent(b, iter(back))}]])"
    )


def _atoms(t: Term) -> Iterator[Term]:
    if not _is_ring(t):
        if t[0] != "q":
            yield t
        return
    for part in t[1] if t[0] in ("+", "*") else (t[1],):
        yield from _atoms(part)


def _shaped(t: Term, texts: Iterator[str]) -> str:
    """The term as it is printed, with the given texts for its atoms."""
    if not _is_ring(t):
        return as_real(t, Names({})) if t[0] == "q" else next(texts)
    if t[0] == "^":
        return f"({_shaped(t[1], texts)} ^ {_power(t)})"
    return "(" + f" {t[0]} ".join(_shaped(x, texts) for x in t[1]) + ")"


def _congruent(t: Term, scripts: Iterator[str | None]) -> str:
    """A script for the equality of two terms from scripts for the equality of their atoms."""
    if not _is_ring(t):
        return "reflexivity" if t[0] == "q" else str(next(scripts))
    if t[0] == "^":
        return f"(apply f_equal2; [{_congruent(t[1], scripts)} | reflexivity])"
    parts = [_congruent(x, scripts) for x in t[1]]
    script = parts[0]
    for part in parts[1:]:
        script = f"(apply f_equal2; [{script} | {part}])"
    return script


def _equal_atoms(a: Term, b: Term, names: Names, name: Callable[[], str]) -> str | None:
    """A script for the equality of two atoms with the same key, or None."""
    if a == b:
        return "reflexivity"
    if not _has_sum(a) and not _has_sum(b):
        return equality(a, b, names)
    if a[0] != b[0]:
        return None
    if a[0] in _UNARY:
        inner = _equal(a[1], b[1], names, name)
        return f"(apply f_equal; {inner})" if inner else None
    if a[0] == "^" and a[2] == b[2]:
        inner = _equal(a[1], b[1], names, name)
        if inner is None or (a[2][0] == "q" and a[2][1] < -1):
            return None
        if a[2] == number(-1):
            return f"(apply f_equal; {inner})"
        return f"(apply f_equal2; [{inner} | reflexivity])"
    if a[0] == "f" and a[1:3] == b[1:3] and len(a[3]) == len(b[3]) and len(a[3]) in _BY_ARITY:
        parts = [_equal(x, y, names, name) for x, y in zip(a[3], b[3], strict=True)]
        apart = " | ".join(map(str, parts))
        return None if None in parts else f"(apply {_BY_ARITY[len(parts)]}; [{apart}])"
    if a[0] == "sum":
        (index,) = fresh(a, {**names.free, **free(b)})
        label = names.fresh(a[1].label)
        within = Names({**names.free, index.label: label}, names.bound)
        inner = _equal(opened(a, [index]), opened(b, [index]), within, name)
        low, high = (
            "reflexivity" if x == y else agreeing(x, y) for x, y in zip(a[2:4], b[2:4], strict=True)
        )
        apart = f"[{low} | {high} | intros {label} ? ?; {inner}]"
        return f"(apply zsum_range; {apart})" if inner else None
    return None
