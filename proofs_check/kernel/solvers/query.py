"""A question to a solver as plain data of our own: assertions that are to contradict each other.

Terms     ("number", p, q) for p/q  ("real", k)  ("real", k, "integer")  ("+"|"*", terms)
          ("-", term)  ("ite", formula, a, b)  ("to real", whole)
Wholes    ("whole", n)  ("int", k)  ("+"|"*", wholes)
Formulas  ("="|"!="|"<="|"<"|">="|">", a, b) between two terms or two wholes  ("and"|"or", formulas)
          ("=>", p, c)  ("not", p)  ("bool", k)  ("true",)  ("false",)

Every k names one unknown of its sort; ("real", k, "integer") is a real that stands for an integer,
which may help who answers. A part may occur in several places as one object; who
walks a question remembers what it met, or abs(abs(...)) takes a time that doubles with each bar.
`z3_process` prints a question in z3's terms; a second solver has a printer of its own.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from ropeproof.proofs_check.kernel.solvers.solver_process import RanOn, ask
from ropeproof.proofs_check.kernel.terms import REMEMBER_AT_MOST

__all__ = ["Expression", "Question", "RanOn", "overheard", "verdict"]

Expression = tuple[Any, ...]
Question = tuple[Expression, ...]

Z3 = "ropeproof.proofs_check.kernel.solvers.z3_process"
SECONDS = 60.0  # for one question, by the clock; the limit of work ends all but a few far earlier
_HEARD: ContextVar[list[Question] | None] = ContextVar("_HEARD", default=None)


@contextmanager
def overheard() -> Iterator[list[Question]]:
    """A context that collects the questions found contradictory while it lasts, in their order."""
    heard: list[Question] = []
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def verdict(assertions: Sequence[Expression], effort: int) -> str:
    """The verdict of z3 on a question, within `effort` of its units; each is asked once.

    `unsat`: the assertions contradict each other. `whole`: they do not, even where a real that
    stands for an integer has to be one. Else `sat` or `unknown`. Raises `RanOn` if neither the
    limit nor an answer comes in `SECONDS`.
    """
    question = tuple(assertions)
    found = _answer(marshal.dumps(question), effort, SECONDS)
    heard = _HEARD.get()
    if found == "unsat" and heard is not None:
        heard.append(question)
    return found


@lru_cache(REMEMBER_AT_MOST)
def _answer(question: bytes, effort: int, seconds: float) -> str:
    """z3's answer, the same at every time: it has nothing but the question before it."""
    return ask(Z3, (marshal.loads(question), effort), seconds)
