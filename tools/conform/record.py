"""What a check found: a record per named test, and what explains the first failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["NONE_KNOWN", "Cause", "Found", "Report", "Result", "worst"]

Result: TypeAlias = Literal["holds", "fails", "unsupported", "warns"]

NONE_KNOWN = "none known"


@dataclass(frozen=True, kw_only=True)
class Cause:
    """A fault model that reproduces the observed numbers.

    - `id`: such as `base` or `pairing+offset`; `none known` if nothing in the search explains them;
    - `text`: the same in words, with the values found;
    - `residual`: the largest difference between its numbers and those seen, per unit of the input;
      for `none known`, of the exact rotation;
    - `others`: ids and texts of further causes that give the same numbers in this test.
    """

    id: str
    text: str
    residual: float
    others: tuple[tuple[str, str], ...] = ()

    @property
    def known(self) -> bool:
        """Whether the search explains what was seen."""
        return self.id != NONE_KNOWN

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all causes that explain it, the preferred one first, each once."""
        return tuple(dict.fromkeys((self.id, *(id for id, _ in self.others))))


@dataclass(frozen=True, kw_only=True)
class Found:
    """The result of one named test.

    `result` is `holds`, `fails`, `warns` where the rotation is right and a cast or a type is not, or
    `unsupported` with the reason in `detail`: the implementation
    refuses such a call, which is no wrong number. `residual` is the largest difference from the
    exact rotation and `budget` what is allowed there, both per unit of the input; `position` and
    `plane` say where the budget is first exceeded. `cases` counts coordinates compared.
    """

    name: str
    result: Result
    residual: float | None = None
    budget: float | None = None
    position: int | None = None
    plane: int | None = None
    cases: int = 0
    detail: str = ""
    cause: Cause | None = None
    seconds: float = 0.0

    def line(self) -> str:
        """The test in one line."""
        where = "" if self.position is None else f" first at position {self.position}"
        where += "" if self.plane is None else f", plane {self.plane}"
        size = ""
        if self.residual is not None and self.budget is not None:
            size = f" off by {self.residual:.2g}, allowed {self.budget:.2g}"
        told = f": {self.detail}" if self.detail else ""
        cause = "" if self.cause is None else f" [{self.cause.text}]"
        return f"{self.result:<12}{self.name}{size}{where}{told}{cause}"


def worst(found: Sequence[Found]) -> Found:
    """Combine the records of several calls into that of one test; `found` has at least one.

    The test fails if one of the calls is wrong. It is `unsupported` if none is wrong and one was
    refused, and its detail then says how many of the calls were compared, for they are no answer for
    the one that was not. Otherwise it holds, with the residual that comes nearest to its budget.
    """
    cases = sum(f.cases for f in found)
    wrong = [f for f in found if f.result == "fails"]
    if wrong:
        return replace(wrong[0], cases=cases)
    refused = [f for f in found if f.result == "unsupported"]
    if not refused:
        return replace(max(found, key=_nearness), cases=cases)
    told = "; ".join(dict.fromkeys(f.detail for f in refused))
    compared = len(found) - len(refused)
    if compared:
        told = f"{len(refused)} of {len(found)} calls refused ({told}), the others hold"
    return replace(refused[0], detail=told, cases=cases)


def _nearness(found: Found) -> float:
    residual = found.residual or 0.0
    return residual / found.budget if found.budget else residual


@dataclass(frozen=True, kw_only=True)
class Report:
    """All tests of one implementation, in the order in which they ran.

    `spec` is what a rotation was compared with, None for what makes positions. At least one of the tests
    whose name begins with `needed` must hold: of those of a rotation the grid of positions in some type.
    """

    subject: str
    spec: RopeSpec | None
    tests: tuple[Found, ...]
    seconds: float
    found: Cause | None = None
    needed: str = "rotation."

    @property
    def passed(self) -> bool:
        """Whether no test fails, and one of those that are needed holds."""
        right = ("holds", "warns") if self.needed != "rotation." else ("holds",)
        held = (t for t in self.tests if t.name.startswith(self.needed) and t.result in right)
        return not self.failures and any(held)

    @property
    def failures(self) -> tuple[Found, ...]:
        """The tests that fail."""
        return tuple(t for t in self.tests if t.result == "fails")

    @property
    def warnings(self) -> tuple[Found, ...]:
        """The tests that warn: the rotation is right, and a cast or a type is not."""
        return tuple(t for t in self.tests if t.result == "warns")

    @property
    def cause(self) -> Cause | None:
        """What explains the failing tests (`diagnose`); None if nothing fails or nothing was searched.

        A broken contract (`contract.*`) is its own cause, and so are positions that are refused
        (`serves.context`) where no number is wrong.
        """
        own = "contract." if self.found is not None else ("contract.", "serves.")
        for test in self.failures:
            if test.name.startswith(own):
                return Cause(id=test.name, text=test.detail, residual=test.residual or 0.0)
        return self.found

    def __getitem__(self, name: str) -> Found:
        """The test of that name; `KeyError` if there is none."""
        return {t.name: t for t in self.tests}[name]

    def __bool__(self) -> bool:
        raise TypeError("a report has no truth value: assert report.passed, report")

    def __str__(self) -> str:
        lines = [self.headline()]
        lines += [f"  {test.line()}" for test in self.tests]
        return "\n".join(lines)

    def headline(self) -> str:
        """The verdict in one line, which begins with the diagnosis if the check fails."""
        if self.passed:
            return f"{self.subject}: conforms"
        told = self.cause.text if self.cause is not None else ""
        none = "no grid of positions holds" if self.needed == "rotation." else "nothing was checked"
        told = told or (self.failures[0].line() if self.failures else none)
        return f"{told}: {self.subject} does not conform"

    def raise_if_failed(self) -> None:
        """Raise `AssertionError` with the whole report unless it passed."""
        if not self.passed:
            raise AssertionError(str(self))

    def as_json(self) -> dict[str, Any]:
        """The report as plain data, schema 1: subject, passed, tests with the fields of `Found`."""
        return {
            "schema": 1,
            "subject": self.subject,
            "passed": self.passed,
            "seconds": self.seconds,
            "cause": None if self.cause is None else asdict(self.cause),
            "tests": [asdict(test) for test in self.tests],
        }
