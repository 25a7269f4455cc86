"""The report of `ropeproof conform` for a reader: what fails, what explains it, and what holds."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.tools.conform.record import Cause, Found, Report

__all__ = ["shown"]

_WIDE = 120
"""Columns of a terminal from which on details stand beside the numbers, not below the table."""

_COLOURS = {"holds": "green", "fails": "red", "unsupported": "yellow", "warns": "yellow"}


def shown(report: Report, width: int, *, every: bool = False) -> Group:
    """The verdict, a table of the tests that need a reader, those that hold in one line, and the cause.

    Of the tests that fail for the cause that is named at the end, the table has the first alone; with
    `every` it has a row for each test. What several tests say is printed once, with their names. In a
    terminal of fewer than 120 columns (`width`) the details are lines of their own below the table.
    """
    cause = report.cause
    explained = [t for t in report.failures if _explains(cause, t)]
    folded = set() if every else {t.name for t in explained[1:]}
    held = [] if every else [t.name for t in report.tests if t.result == "holds" and not t.detail]
    rows = [t for t in report.tests if t.name not in folded and t.name not in held]
    lines: list[Text | Table] = [Text(f"{report.subject} {_verdict(report)}", style="italic")]
    details = _details(rows, cause)
    beside = width >= _WIDE
    if rows:
        lines.append(_table(rows, details if beside else None))
    if not beside:
        for name, (said, names) in details.items():
            result = next(t.result for t in rows if t.name == name)
            lines.append(Text.assemble(" ", (", ".join(names), _COLOURS[result]), f": {said}"))
    if held:
        lines.append(Text(f"{_tests(len(held))} hold{'s' * (len(held) == 1)}: {_names(held)}"))
    if cause is not None:
        if len(explained) > 1:
            told = f"{len(explained)} of the {_tests(len(report.failures))} that fail"
            lines.append(Text(f"One cause explains {told}: {_names(t.name for t in explained)}"))
        lines.append(Text(f"Cause: {cause.text}"))
    return Group(*lines)


def _verdict(report: Report) -> str:
    """Whether it conforms, and how many tests say what."""
    counts = {
        "fail": len(report.failures),
        "warn": len(report.warnings),
        "hold": sum(t.result == "holds" for t in report.tests),
        "not compared": sum(t.result == "unsupported" for t in report.tests),
    }
    told = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    verdict = "conforms" if report.passed else "does not conform"
    return f"{verdict} (of {_tests(len(report.tests))} {told})"


def _tests(count: int) -> str:
    return f"{count} test{'s' * (count != 1)}"


def _explains(cause: Cause | None, test: Found) -> bool:
    """Whether the numbers of a failing test are those that a known cause of the run gives."""
    return (
        cause is not None
        and cause.known
        and test.cause is not None
        and test.cause.text == cause.text
    )


def _names(names: Iterable[str]) -> str:
    """Names of tests in one line: those that begin alike stand together, as `length.{short,back}`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        first, _, rest = name.partition(".")
        groups.setdefault(first, []).append(rest)
    told = []
    for first, found in groups.items():
        rests = [rest for rest in found if rest]
        told += [first] if len(rests) < len(found) else []
        if len(rests) == 1:
            told.append(f"{first}.{rests[0]}")
        elif rests:
            told.append(f"{first}.{{{','.join(rests)}}}")
    return ", ".join(told)


def _details(rows: Iterable[Found], cause: Cause | None) -> dict[str, tuple[str, list[str]]]:
    """What the tests of a table say, by the first that says it, with the names of all that do.

    What the cause of the whole run says stands at the end, and not here.
    """
    whole = None if cause is None else cause.text
    names: dict[str, list[str]] = {}
    for test in rows:
        own = "" if test.cause is None or test.cause.text == whole else test.cause.text
        said = "; ".join(filter(None, (test.detail, own)))
        if said and said != whole:
            names.setdefault(said, []).append(test.name)
    return {found[0]: (said, found) for said, found in names.items()}


def _table(rows: list[Found], details: dict[str, tuple[str, list[str]]] | None) -> Table:
    """A row for each test; the details, where they are given, in a column of their own."""
    table = Table(box=None)
    for name in ("test", "result", "off by", "allowed", "first at"):
        table.add_column(
            name,
            justify="right" if name in ("off by", "allowed") else "left",
            no_wrap=name != "first at",
            overflow="fold",
        )
    if details is not None:
        table.add_column("detail", overflow="fold")
    of = {name: first for first, (_, names) in (details or {}).items() for name in names}
    for t in rows:
        place = "" if t.position is None else f"position {t.position}"
        place += "" if t.plane is None else f", plane {t.plane}"
        row: list[Text | str] = [Text(t.name), Text(t.result, style=_COLOURS[t.result])]
        row += ["" if s is None else f"{s:.2g}" for s in (t.residual, t.budget)]
        row.append(Text(place))
        if details is not None:
            first = of.get(t.name)
            said = "" if first is None else details[first][0]
            row.append(Text(said if first in (None, t.name) else f"as {first}"))
        table.add_row(*row)
    return table
