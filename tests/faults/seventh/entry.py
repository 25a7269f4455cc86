"""One entry of the collection: what a user would run, what is wrong with it, and what must be said of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True)
class Entry:
    """A faulty or a right implementation, dump or producer of positions.

    - `kind`: `code` is given to `conform.check`, `dump` to `check_dump`, `producer` to `check_positions`;
    - `make`: without arguments the callable, made anew; of a dump a function of the folder in which
      it writes the file, whose path it returns;
    - `cause`: the true cause in one sentence, or of a right form why it is right;
    - `words`: of each group one must be in the diagnosis, in small letters; empty for a right form;
    - `options`: of the check;
    - `note`: what was learned of the entry itself, if it is one that cannot be told by what is looked at.
    """

    name: str
    kind: Literal["code", "dump", "producer"]
    make: Callable[..., Any]
    cause: str
    spec: Any = None
    words: tuple[tuple[str, ...], ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def check(self, folder: Path) -> Any:
        """The report of the kit on this entry; a dump is written into the folder."""
        from ropeproof import conform
        from ropeproof.tools.conform.dumps.check import check_dump
        from ropeproof.tools.conform.producers.check import check_positions

        if self.kind == "producer":
            return check_positions(self.make())
        if self.kind == "dump":
            return check_dump(self.make(folder), self.spec, **self.options)
        return conform.check(self.make(), self.spec, **self.options)
