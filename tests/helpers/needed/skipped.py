"""The end of a pytest run: which tests were skipped because something is not installed.

By extra, package or program: how many tests, and the line that installs it. `pytest --last-skipped` then
runs these tests and no others: which ones they are stands in pytest's cache until they have run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from needs import Missing, missing_of

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_terminal_summary",
    "summary",
]

KEPT = "ropeproof/skipped"
"""The name in pytest's cache of the list of tests: node ids, a file's where the whole file was skipped."""

OPTION = "--last-skipped"
_RUN = ("passed", "failed", "error", "xfailed", "xpassed", "skipped")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--last-skipped`, which runs what was skipped before."""
    parser.addoption(
        OPTION,
        action="store_true",
        help="run only the tests that were skipped so far for want of an extra, a package or a program",
    )


def pytest_configure(config: pytest.Config) -> None:
    """With `--last-skipped` and no path, collect only the files of the skipped tests."""
    if not config.getoption(OPTION) or hasattr(config, "workerinput"):
        return
    known = _known(config)
    if not known:
        pytest.exit("no test was skipped for want of an extra, a package or a program", 0)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        files = sorted({id.partition("::")[0] for id in known})
        paths = [config.rootpath / file for file in files]
        config.args = [str(path) for path in paths if path.exists()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--last-skipped`, leave out the other tests of the collected files."""
    if not config.getoption(OPTION):
        return
    known = set(_known(config))
    chosen = {i for i in items if i.nodeid in known or i.nodeid.partition("::")[0] in known}
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what was skipped because of what, and remember it for `--last-skipped`."""
    if hasattr(config, "workerinput"):
        return
    skipped = [(r.nodeid, _lacking(r)) for r in terminalreporter.stats.get("skipped", ())]
    missing = [(id, lacking) for id, lacking in skipped if lacking is not None]
    run = {r.nodeid for kind in _RUN for r in terminalreporter.stats.get(kind, ())}
    _remember(config, {id for id, _ in missing}, run)
    lines = summary(missing)
    if lines:
        terminalreporter.section("skipped for want of an extra, a package or a program")
        for line in (*lines, f"When installed, `pytest {OPTION}` runs these tests and no others."):
            terminalreporter.write_line(line)


def summary(missing: Iterable[tuple[str, Missing]]) -> list[str]:
    """The lines for the end of a run, given the node id and what was missing of each skipped test.

    What is missing for most tests comes first; a file that was skipped as a whole counts as a file.
    """
    found: dict[tuple[str, str], list[str]] = {}
    lines: dict[tuple[str, str], str] = {}
    for id, lacking in missing:
        place = (lacking.kind, lacking.name)
        found.setdefault(place, []).append(id)
        lines[place] = lacking.line
    told: list[str] = []
    for (kind, name), ids in sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        tests = sum("::" in id for id in ids)
        counts = [_counted(tests, "test"), _counted(len(ids) - tests, "whole file")]
        told.append(f"{' and '.join(filter(None, counts))} for want of the {kind} {name}:")
        told.append(f"  {lines[kind, name]}")
    return told


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number > 1 else ''}" if number else ""


def _lacking(report: Any) -> Missing | None:
    """What was missing for a skipped test; None where it was skipped for another reason."""
    where = report.longrepr
    return missing_of(str(where[2])) if isinstance(where, tuple) and len(where) == 3 else None


def _known(config: pytest.Config) -> list[str]:
    """The skipped tests that are in pytest's cache; none where pytest has no cache."""
    cache = getattr(config, "cache", None)
    found = cache.get(KEPT, []) if cache is not None else []
    return [id for id in found if isinstance(id, str)] if isinstance(found, list) else []


def _remember(config: pytest.Config, missing: set[str], run: set[str]) -> None:
    """Add the tests that were skipped to the cache, and remove those that have run."""
    cache = getattr(config, "cache", None)
    if cache is None:
        return
    files = {id.partition("::")[0] for id in run if "::" in id}
    known = {id for id in _known(config) if id not in run and id not in files}
    if known | missing != set(_known(config)):
        cache.set(KEPT, sorted(known | missing))
