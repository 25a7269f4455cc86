"""Find products of hypotheses that contradict each other, by linear programmes; Coq checks them.

A contradiction is a combination of hypotheses `0 <= p`, `0 < p`, `p = 0`, of products of two of them
and of multiples of the equations that is a negative number. Products that a numerical programme
uses are given to Coq, whose `lra` finds the exact combination itself; so nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from quicktions import Fraction
from scipy.optimize import linprog
from scipy.sparse import csc_matrix, hstack

__all__ = [
    "Polynomial",
    "Search",
    "SignFact",
    "TooMuch",
    "at_most",
    "contradiction",
    "minus",
    "plus",
    "times",
    "written",
]

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
MOST_COLUMNS = 6000
MOST_TRIES = 4  # after combinations that are contradictions only up to rounding


_LEFT: ContextVar[list[int] | None] = ContextVar("products left", default=None)


class TooMuch(Exception):
    """Raised when a search has tried as many products as it may."""


@contextmanager
def at_most(products: int) -> Iterator[None]:
    """Let the searches within the context try this many products in total, then raise `TooMuch`."""
    token = _LEFT.set([products])
    try:
        yield
    finally:
        _LEFT.reset(token)


def plus(*parts: Polynomial) -> Polynomial:
    """The sum of polynomials."""
    result: Polynomial = {}
    for part in parts:
        for m, c in part.items():
            total = result.get(m, Fraction(0)) + c
            if total:
                result[m] = total
            else:
                result.pop(m, None)
    return result


def minus(a: Polynomial, b: Polynomial) -> Polynomial:
    """The difference of two polynomials."""
    return plus(a, {m: -c for m, c in b.items()})


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product of two polynomials."""
    result: Polynomial = {}
    for m, c in a.items():
        for n, d in b.items():
            mono = _together(m, n)
            known = result.get(mono)
            result[mono] = c * d if known is None else known + c * d
    return {m: c for m, c in result.items() if c}


@lru_cache(1 << 18)
def _together(m: Monomial, n: Monomial) -> Monomial:
    powers = dict(m)
    for x, k in n:
        powers[x] = powers.get(x, 0) + k
    return tuple(sorted(powers.items()))


@dataclass(frozen=True)
class SignFact:
    """The fact `0 <= p`, `0 < p` or `p = 0` about a polynomial p, with p's text in Coq."""

    kind: str  # "le", "lt" or "eq"
    poly: tuple[tuple[Any, Fraction], ...]
    text: str

    @classmethod
    def of(cls, kind: str, poly: Polynomial, text: str) -> SignFact:
        """The fact of the given kind about a polynomial."""
        return cls(kind, tuple(sorted(poly.items())), text)


@dataclass
class Search:
    """A search for the products that a contradiction of the facts needs."""

    facts: Sequence[SignFact]
    asserted: list[str] = field(default_factory=list)

    def script(self, levels: Sequence[int] = (1, 2, 3)) -> str | None:
        """Assertions after which `lra` closes the goal, or None."""
        for level in levels:
            columns = list(self._columns(level))
            left = _LEFT.get()
            if left is not None:
                left[0] -= len(columns)
                if left[0] < 0:
                    raise TooMuch
            if len(columns) > MOST_COLUMNS:
                return None
            used = contradiction(columns)
            for _ in range(MOST_TRIES):
                if used is None or _exact([columns[i] for i in used]):
                    break
                near = {i for i in used if columns[i][2]}  # near a contradiction, but none
                columns = [c for i, c in enumerate(columns) if i not in near]
                used = contradiction(columns) if near else None
            if used is not None:
                lines = [columns[i][2] for i in used if columns[i][2]]
                named = [f"assert (M{j} : {line})" for j, line in enumerate(lines)]
                return "; ".join([*[f"{a} by mult" for a in named], "lra"])
        return None

    def _columns(self, level: int) -> Iterator[tuple[str, Polynomial, str]]:
        facts = [(f, dict(f.poly)) for f in self.facts]
        for f, p in facts:
            yield f.kind, p, ""
        if level == 1:
            return
        orders = [(f, p) for f, p in facts if f.kind != "eq"]
        equations = [(f, p) for f, p in facts if f.kind == "eq"]
        for (f, p), (g, q) in combinations_with_replacement(orders, 2):
            if _of_pi(p) and _of_pi(q):  # nearly 0, so that rounding makes contradictions of them
                continue
            kind = "lt" if f.kind == g.kind == "lt" else "le"
            sign = "<" if kind == "lt" else "<="
            yield kind, times(p, q), f"0 {sign} ({f.text}) * ({g.text})"
        names = sorted({x for _, p in facts for m in p for x, _ in m})
        monos = [((x, 1),) for x in names]
        for f, p in equations:
            for ((x, _),) in monos:
                yield "eq", times(p, {((x, 1),): Fraction(1)}), f"({f.text}) * {_var(x)} = 0"
            for g, q in orders:
                if len(q) > 1:
                    yield "eq", times(p, q), f"({f.text}) * ({g.text}) = 0"
        if level < 3:
            return
        for x in names:
            yield "le", {((x, 2),): Fraction(1)}, f"0 <= {_var(x)} * {_var(x)}"
            for one in (1, -1):  # also about a distance to 1
                root = {((x, 1),): Fraction(1), (): Fraction(one)}
                yield "le", times(root, root), f"0 <= {written(root)} * {written(root)}"
        for a in range(len(names)):
            for b in range(a):
                x, y = names[a], names[b]
                for opposite in (1, -1):
                    poly = plus(
                        {((x, 2),): Fraction(1)},
                        {((y, 2),): Fraction(1)},
                        {tuple(sorted(((x, 1), (y, 1)))): Fraction(2 * opposite)},
                    )
                    s = "+" if opposite > 0 else "-"
                    text = f"({_var(x)} {s} {_var(y)})"
                    yield "le", poly, f"0 <= {text} * {text}"
        present = {m for _, p in facts for m in p}
        for f, p in equations:
            for m in sorted(present):
                if len(m) > 1 or (m and m[0][1] > 1):
                    text = " * ".join(_var(x) for x, k in m for _ in range(k))
                    yield "eq", times(p, {m: Fraction(1)}), f"({f.text}) * ({text}) = 0"
        if len(names) <= 12:
            for f, p in equations:
                for x, y in combinations_with_replacement(names, 2):
                    m = tuple(sorted(((x, 1), (y, 1)))) if x != y else ((x, 2),)
                    if m not in present:
                        text = f"({_var(x)} * {_var(y)})"
                        yield "eq", times(p, {m: Fraction(1)}), f"({f.text}) * {text} = 0"
        short = sorted(
            (x for x in orders if len(x[1]) <= 3), key=lambda x: (x[0].kind != "lt", len(x[1]))
        )
        multipliers = [x for x in short if not _of_pi(x[1])][:12]
        for f, p in orders:
            for (g, q), (h, r) in combinations_with_replacement(multipliers, 2):
                if len(p) * len(q) * len(r) <= 48:
                    kind = "lt" if f.kind == g.kind == h.kind == "lt" else "le"
                    sign = "<" if kind == "lt" else "<="
                    text = f"0 {sign} ({f.text}) * (({g.text}) * ({h.text}))"
                    yield kind, times(p, times(q, r)), text
        if level >= 4:
            yield from self._more(orders, multipliers[:8], present)

    def _more(
        self, orders: Any, multipliers: Any, present: Any
    ) -> Iterator[tuple[str, Polynomial, str]]:
        """Further columns: squares of monomial sums, facts times squares, and products of four."""
        halves = [m for m in (_half(m) for m in sorted(present, key=repr)) if m][:14]
        for m, n in combinations_with_replacement(halves, 2):
            for opposite in (1, -1) if m != n else (1,):
                root = plus({m: Fraction(1)}, {n: Fraction(opposite)})
                yield "le", times(root, root), f"0 <= {written(root)} * {written(root)}"
        together = {tuple((x, 1) for x, _ in pair) for m in present for pair in combinations(m, 2)}
        roots = dict.fromkeys([*halves[:8], *sorted(together)[:12]])
        for f, p in orders:
            for m in roots:
                root = {m: Fraction(1)}
                if len(m) == 1 or len(p) <= 4:
                    text = f"0 <= ({f.text}) * ({written(root)} * {written(root)})"
                    yield "le", times(p, times(root, root)), text
        pairs = list(combinations_with_replacement(multipliers, 2))
        for (a, b), (c, d) in combinations_with_replacement(pairs, 2):
            p = times(times(a[1], b[1]), times(c[1], d[1]))
            if len(p) <= 24:
                text = f"0 <= (({a[0].text}) * ({b[0].text})) * (({c[0].text}) * ({d[0].text}))"
                yield "le", p, text


def _half(m: Any) -> Any:
    """The square root of a monomial, or None if it is not a square."""
    return tuple((x, k // 2) for x, k in m) if m and all(k % 2 == 0 for _, k in m) else None


def written(p: Polynomial) -> str:
    """The polynomial as a Coq term."""
    parts = []
    for m, c in sorted(p.items(), key=repr):
        factors = [f"({c.numerator} / {c.denominator})" if c.denominator != 1 else f"({c})"]
        factors = factors if c != 1 or not m else []
        parts.append(" * ".join([*factors, *(_var(x) for x, k in m for _ in range(k))]))
    return f"({' + '.join(parts) or '0'})"


def _of_pi(p: Polynomial) -> bool:
    return all(x == "PI" for m in p for x, _ in m)


def _var(name: str) -> str:
    return f"IZR {name[1:]}" if name.startswith("#") else name


def contradiction(columns: Sequence[tuple[str, Any, str]]) -> list[int] | None:
    """The columns used by a nonnegative combination that is a negative number, or None.

    A column is (`"le"`, `"lt"` or `"eq"`, polynomial, text): the polynomial is nonnegative,
    positive, or 0. A column with a text costs more, the longer its polynomial is.
    """
    rows: dict[Any, int] = {}
    data, at, which = [], [], []
    for j, (_, p, _) in enumerate(columns):
        largest = max(map(abs, p.values()), default=1)
        for m, c in p.items():  # of one size, as the solver likes it
            data.append(float(c) if largest == 1 else float(c / largest))
            at.append(rows.setdefault(m, len(rows)))
            which.append(j)
    n = len(columns)
    strict = [j for j, (k, _, _) in enumerate(columns) if k == "lt"]
    constant = rows.setdefault((), len(rows))
    # sum of columns + slack on the constant = 0, and sum of strict multipliers + slack = 1
    data += [1.0]
    at += [constant]
    which += [n]
    last = len(rows)
    for j in [*strict, n]:
        data.append(1.0)
        at.append(last)
        which.append(j)
    matrix = csc_matrix((data, (at, which)), shape=(last + 1, n + 1))
    right = np.zeros(last + 1)
    right[last] = 1.0
    bounds = [(None, None) if k == "eq" else (0, None) for k, _, _ in columns] + [(0, None)]
    # few products, short ones first; an equation may come with either sign
    cost = np.array([1.0 + len(p) if text else 0.001 for _, p, text in columns] + [0.0])
    split = [j for j, (k, _, _) in enumerate(columns) if k == "eq"]
    if split:
        negative = -matrix[:, split]
        matrix = hstack([matrix, negative]).tocsc()
        cost = np.concatenate([cost, cost[split]])
        bounds = [(0, None)] * (n + 1 + len(split))
    result = linprog(cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs")
    if result.status != 0:
        return None
    x = result.x[: n + 1].copy()
    for k, j in enumerate(split):
        x[j] -= result.x[n + 1 + k]
    return [j for j in range(n) if abs(x[j]) > 1e-9]


def _exact(columns: list[tuple[str, Polynomial, str]]) -> bool:
    """Whether an exact combination of exactly these columns is contradictory.

    It must be a negative number, or 0 with a strict column. True if there are many solutions: Coq decides.
    """
    strict = [k == "lt" for k, _, _ in columns]
    monos = sorted({m for _, p, _ in columns for m in p if m}, key=repr)
    rows = [[p.get(m, Fraction(0)) for _, p, _ in columns] + [Fraction(0)] for m in monos]
    if not any(strict):
        rows.append([p.get((), Fraction(0)) for _, p, _ in columns] + [Fraction(-1)])
        strict = [True] * len(columns)
    else:
        rows.append([Fraction(int(s)) for s in strict] + [Fraction(1)])
    solution = _solution(rows, len(columns))
    if solution is None:
        return True  # not one combination but many; Coq decides
    signs = all(x >= 0 or k == "eq" for x, (k, _, _) in zip(solution, columns, strict=True))
    total = sum(
        (x * p.get((), Fraction(0)) for x, (_, p, _) in zip(solution, columns, strict=True)),
        Fraction(0),
    )
    return signs and total <= 0


def _solution(rows: list[list[Fraction]], n: int) -> list[Fraction] | None:
    """The unique solution of the equations; negative numbers if there is none, None if several."""
    pivots: list[int] = []
    for j in range(n):
        at = next((i for i in range(len(pivots), len(rows)) if rows[i][j]), None)
        if at is None:
            return None
        k = len(pivots)
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [a / rows[k][j] for a in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[j]:
                rows[i] = [a - row[j] * b for a, b in zip(row, rows[k], strict=True)]
        pivots.append(j)
    if any(row[n] for row in rows[n:]):
        return [Fraction(-1)] * n
    return [rows[k][n] for k in range(n)]
