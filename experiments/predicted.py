"""Predictions that were written down before a run, and whether the run came out the same.

A file of predictions is TOML: tables `[[prediction]]` with `says`, the prediction in words,
`quantity`, the name of the number that decides it, and `least`, `most` or both, the range that the
number must lie in, ends included. The file is committed before the run; a record keeps its hash.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from ropeproof.theory.errors import InvalidArgument

__all__ = [
    "Compared",
    "Prediction",
    "compared",
    "file_hash",
    "held_against",
    "read_predictions",
    "table_of",
]


@dataclass(frozen=True)
class Prediction:
    """A prediction in words, the name of the number that decides it, and the range it must lie in."""

    says: str
    quantity: str
    least: float | None = None
    most: float | None = None

    @property
    def criterion(self) -> str:
        """The range in words: `at least 2`, `at most 3`, or `2 to 3`."""
        if self.most is None:
            return f"at least {self.least:g}"
        return (
            f"at most {self.most:g}" if self.least is None else f"{self.least:g} to {self.most:g}"
        )


@dataclass(frozen=True)
class Compared(Prediction):
    """A prediction and what was observed; `observed` and `same` are None where a run did not ask."""

    observed: float | None = None
    same: bool | None = None


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """The predictions of a file. Raises `InvalidArgument` for one without a range or with other keys."""
    found = []
    known = {"says", "quantity", "least", "most"}
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["prediction"]:
        if not {"says", "quantity"} < set(entry) <= known:
            raise InvalidArgument("prediction", sorted(entry), "says, quantity, and least or most")
        found.append(Prediction(**entry))
    return tuple(found)


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, by which a record says which predictions it was compared with."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def compared(
    predictions: Iterable[Prediction], observed: Mapping[str, float | None]
) -> list[Compared]:
    """Each prediction with the observed number of its quantity, and whether that lies in the range.

    A quantity that was not observed, or has no value, is neither the same nor not.
    """
    found = []
    for each in predictions:
        value = observed.get(each.quantity)
        if value is None or math.isnan(value):
            found.append(Compared(**asdict(each)))
            continue
        low = -math.inf if each.least is None else each.least
        high = math.inf if each.most is None else each.most
        found.append(Compared(**asdict(each), observed=value, same=bool(low <= value <= high)))
    return found


def held_against(path: Path, observed: Mapping[str, float | None]) -> dict[str, Any]:
    """What a record keeps of a file of predictions: its name and hash, and each prediction compared.

    `observed` has every quantity that the command can compute, None for what this run did not. Raises
    `InvalidArgument` for a prediction about any other.
    """
    predictions = read_predictions(path)
    for each in predictions:
        if each.quantity not in observed:
            raise InvalidArgument("quantity", each.quantity, ", ".join(observed))
    rows = [asdict(each) for each in compared(predictions, observed)]
    return {"file": path.name, "sha256": file_hash(path), "rows": rows}


def table_of(rows: Sequence[Mapping[str, Any]], *, title: str) -> Table:
    """A table of compared predictions, as mappings: what was predicted, what observed, same or not.

    Below it stands how many came out as predicted, how many did not, and how many the run did not ask.
    """
    same = [row["same"] for row in rows]
    told = (
        f"{same.count(True)} of {len(rows)} as predicted, {same.count(False)} not, "
        f"{same.count(None)} not asked"
    )
    table = Table(title=title, caption=told)
    for name in ("prediction", "criterion", "observed", "same?"):
        table.add_column(name, justify="right" if name == "observed" else "left")
    for row in rows:
        each = Compared(**row)
        seen = "" if each.observed is None else f"{each.observed:.4g}"
        told = {True: "same", False: "not the same", None: "not asked"}[each.same]
        table.add_row(each.says, each.criterion, seen, told)
    return table
