"""How an entry is put to the prover, and what comes back, in words that the runner compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from attack.entry import Call, Entry

__all__ = ["Answer", "ask", "excludes"]


@dataclass(frozen=True)
class Answer:
    """What the prover says: its verdict, the statement that it prints, why not, and a witness."""

    verdict: Literal["proved", "refuted", "not proved"]
    statement: str = ""
    reason: str = ""
    witness: Call | None = None
    raw: Any = None


def ask(function: Callable[..., Any], entry: Entry) -> Answer:
    """The prover's answer about a function that was made for an entry."""
    raise NotImplementedError("the prover's function is not there yet")


def excludes(answer: Answer, call: Call) -> str:
    """The words of a statement that leave a call out; empty if the statement covers it."""
    return ""
