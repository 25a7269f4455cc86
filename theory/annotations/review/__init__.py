"""The review of the main results: which formula carries each part of their prose.

Each main result has an entry in the file of its topic here: a line `# ID`, then one line for each
part, `words of the statement => carrier | carrier`. A carrier is the label of a part of the
conclusion as `ropeproof show ID --statement` prints it, `(a)`, `(b)`, ... (`conclusion` where there
is only one), `hypothesis NAME`, or `claim ID` for another claim. What no formula carries is not in a
statement: it is a remark (`docs/remarks.md`). The words stand in the statement as they are, so prose that
changes is read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Part", "review"]


@dataclass(frozen=True)
class Part:
    """Some words of a statement, and the formulas or claims that carry them."""

    words: str
    carriers: tuple[str, ...]


@cache
def review() -> Mapping[str, tuple[Part, ...]]:
    """The reviewed parts of each main result, by its id.

    >>> review()["slash.gd.score"][0].carriers
    ('conclusion', 'hypothesis some row reaches back far enough')

    Raises `ValueError` for an id with two entries and for a line of another form.
    """
    found: dict[str, list[Part]] = {}
    for file in sorted(files(__name__).iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".txt"):
            continue
        parts: list[Part] | None = None
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                if line[2:] in found:
                    raise ValueError(f"{file.name}: two entries for {line[2:]}")
                parts = found[line[2:]] = []
            elif line:
                words, arrow, carriers = line.partition(" => ")
                if parts is None or not arrow:
                    raise ValueError(f"{file.name}: no part: {line}")
                parts.append(Part(words, tuple(carriers.split(" | "))))
    return {id: tuple(parts) for id, parts in found.items()}
