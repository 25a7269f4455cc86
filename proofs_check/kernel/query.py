"""A question to a solver as plain data of our own: assertions that are to contradict each other.

Terms     ("number", p, q) for p/q  ("real", k)  ("+"|"*", terms)  ("-", term)
          ("ite", formula, a, b)  ("to real", whole)
Wholes    ("whole", n)  ("int", k)  ("+"|"*", wholes)
Formulas  ("="|"!="|"<="|"<"|">="|">", a, b) between two terms or two wholes  ("and"|"or", formulas)
          ("=>", p, c)  ("not", p)  ("bool", k)  ("true",)  ("false",)

Every k names one unknown of its sort. A part may occur in several places as one object; who
walks a question remembers what it met, or abs(abs(...)) takes a time that doubles with each bar.
`z3_process` prints a question in z3's terms; a second solver has a printer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ropeproof.proofs_check.kernel.solver_process import RanOn, ask

__all__ = ["Expression", "Question", "RanOn", "overheard", "refuted"]

Expression = tuple[Any, ...]
Question = tuple[Expression, ...]

Z3 = "ropeproof.proofs_check.kernel.z3_process"
SECONDS = 60.0  # for one question, by the clock; the limit of work ends all but a few far earlier
_HEARD: ContextVar[list[Question] | None] = ContextVar("_HEARD", default=None)


@contextmanager
def overheard() -> Iterator[list[Question]]:
    """Collects the questions that are found contradictory meanwhile, in their order."""
    heard: list[Question] = []
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def refuted(assertions: Sequence[Expression], effort: int) -> bool:
    """Whether z3 finds that the assertions contradict each other, within `effort` of its units.

    Raises `RanOn` if neither that limit nor an answer comes in `SECONDS`.
    """
    question = tuple(assertions)
    found = ask(Z3, (question, effort), SECONDS) == "unsat"
    heard = _HEARD.get()
    if found and heard is not None:
        heard.append(question)
    return found
