"""Guesses for which values a `for all` may be worth using; the kernel need not trust them.

Whatever values are chosen here, what holds for all of them holds there; the kernel checks that a
value is of the variable's sort and substitutes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["candidates"]


def candidates(body: Any, variables: Sequence[Any], goal: Any) -> list[list[Any]]:
    """Values to try for each variable: arguments in the goal at its places in the functions of `body`.

    Terms are the kernel's; `variables` are the terms that stand for the bound ones in `body`.
    """
    used, found = list(_applications(body)), []
    for variable in variables:
        places = {(f[1], i) for f in used for i, a in enumerate(f[3]) if a == variable}
        values = [a for f in _applications(goal) for i, a in enumerate(f[3]) if (f[1], i) in places]
        found.append(list(dict.fromkeys(values)))
    return found


def _applications(t: Any) -> Iterator[Any]:
    if isinstance(t, tuple) and t:
        if t[0] == "f":
            yield t
        for part in t:
            yield from _applications(part)
