"""The claims of users' files that are refused one by one, while the other claims are checked.

A claim whose terms are too deep or too large is refused in a line that names the file, the claim and
what is allowed. What a command says after that is about the claims that are left, so it does not end
as if all had been looked at: its exit status is 2, or 1 if one of the others fails.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["RefusedClaim", "asked_for", "begin", "command", "refuse", "refused_in", "tell"]


@dataclass(frozen=True)
class RefusedClaim:
    """A refused claim: its file, its id (or its line, if the id is unknown), and the reason."""

    path: str
    about: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.about} is refused: {self.reason}"


_REFUSED: dict[str, list[RefusedClaim]] = {}
"""The refused claims of each file, as of its last reading."""
_ASKED: list[str] = []
"""The files with refused claims that were used since a command began."""
_COMMANDS: list[bool] = []
"""One entry for each running command that reports the refused claims."""


def begin(path: str) -> None:
    """Forget the refusals of a file, which is being read anew."""
    _REFUSED.pop(path, None)


@contextmanager
def command() -> Iterator[None]:
    """A context for a command that reports the refused claims at its end (`asked_for`)."""
    _ASKED.clear()
    _COMMANDS.append(True)
    try:
        yield
    finally:
        _COMMANDS.pop()


def refuse(path: str, about: str, reason: str) -> None:
    """Record that a claim of a file is refused."""
    _REFUSED.setdefault(path, []).append(RefusedClaim(path, about, reason))


def refused_in(path: str) -> Sequence[RefusedClaim]:
    """The refused claims of a file, as of its last reading."""
    return tuple(_REFUSED.get(path, ()))


def tell(path: str) -> None:
    """Note that a file's claims are used; outside a command, warn of those that are refused."""
    found = refused_in(path)
    if found and path not in _ASKED:
        _ASKED.append(path)
    for refusal in () if _COMMANDS else found:
        warnings.warn(str(refusal), UserWarning, stacklevel=3)


def asked_for() -> list[RefusedClaim]:
    """The refused claims of all files that were asked for since the command began."""
    return [refusal for path in _ASKED for refusal in _REFUSED.get(path, ())]
