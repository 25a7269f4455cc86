"""pytest plugin: every (claim, evidence) pair is a test with a readable name.

`pytest --ropeproof` runs one test for each pair, for instance
`rope.relative::proof[derivation]`, and one for the status of each claim;
`--ropeproof-module FILE` does so for the claims that a user's file registers. Tests of other files
are run as well where the command line names them.

In a checkout of ropeproof other than the package that is imported the header of the run says so.

`--ropeproof-lint` adds a test for each config.json, params.json and GGUF in the paths given, or in the root
folder: it fails with the findings of `ropeproof lint`, and is skipped where the file is not checked, with the
reason. That needs the base install alone.

The fixture `rope_conform` checks a rotary embedding of the project that uses it, and fails with the
report; `ropeproof.tools.conform.pytest_tests` has the same as a class of named tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ropeproof.proofs_check.run.items import Item, Result
    from ropeproof.tools.conform import Report

__all__ = ["ClaimFailure", "ConfigFailure"]


class ConfigFailure(Exception):
    """Findings in the configuration of a model."""


class ClaimFailure(Exception):
    """A piece of evidence that does not hold."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the plugin."""
    group = parser.getgroup("ropeproof")
    group.addoption("--ropeproof", action="store_true", help="test every claim and its evidence")
    group.addoption(
        "--ropeproof-module", action="append", default=[], help="a file that registers claims"
    )
    group.addoption("--ropeproof-ids", action="append", default=[], help="ids or globs to test")
    group.addoption("--ropeproof-profile", default="quick", help="quick, default or deep")
    group.addoption(
        "--ropeproof-lint", action="store_true", help="lint each config.json, params.json and GGUF"
    )
    group.addoption(
        "--ropeproof-lint-fail-on",
        default="error",
        choices=("error", "warning"),
        help="what makes such a test fail",
    )
    group.addoption(
        "--ropeproof-fresh", action="store_true", help="run everything, whatever results are cached"
    )


@pytest.fixture
def rope_conform() -> Callable[..., Report]:
    """`ropeproof.conform.check`, which fails the test with its report unless all tests pass."""

    def conforms(rotate: Any, spec_or_config: Any, **options: Any) -> Report:
        from ropeproof.tools.conform import check

        report = check(rotate, spec_or_config, **options)
        if not report.passed:
            pytest.fail(str(report), pytrace=False)
        return report

    return conforms


def pytest_configure(config: pytest.Config) -> None:
    """With `--ropeproof` and no path on the command line, collect no test files: only claims are run.

    The same holds with `--ropeproof-module`.
    """
    if not (config.getoption("--ropeproof") or config.getoption("--ropeproof-module")):
        return
    # As in `ropeproof check`: SymPy, where it is not imported yet, remembers a whole catalogue.
    os.environ.setdefault("SYMPY_CACHE_SIZE", "None")
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []


def pytest_report_header(config: pytest.Config) -> list[str]:
    """A warning in the header if the tests are in a checkout of ropeproof that is not imported.

    The current folder is looked at as well.
    """
    told = _other_checkout(config)
    return [told] if told else []


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the warning about another checkout at the end of a run that shows no header."""
    told = _other_checkout(config)
    if told and (config.get_verbosity() < 0 or config.getoption("no_header", False)):
        terminalreporter.write_line(told, yellow=True)


def _other_checkout(config: pytest.Config) -> str | None:
    from ropeproof.tools.console.checkout import other_checkout

    told = other_checkout(config.rootpath) or other_checkout(config.invocation_params.dir)
    return f"ropeproof: {told}" if told else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a model's configuration file as a test, if `--ropeproof-lint` is given."""
    if not parent.config.getoption("--ropeproof-lint") or not _is_config(file_path):
        return None
    return _ConfigFile.from_parent(parent, path=file_path)


def _is_config(path: Path) -> bool:
    return path.name in ("config.json", "params.json") or path.suffix == ".gguf"


def _configs(folder: Path, config: pytest.Config) -> Iterator[Path]:
    """The configuration files below a folder, except links and whatever pytest is set to ignore."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or config.hook.pytest_ignore_collect(
            collection_path=path, config=config
        ):
            continue
        if path.is_dir():
            yield from _configs(path, config)
        elif _is_config(path):
            yield path


def _lint_items(session: pytest.Session, items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests of configuration files anywhere in the root folder that pytest has not collected.

    There are none if the command line has a path, or without `--ropeproof-lint`.
    """
    config = session.config
    if not config.getoption("--ropeproof-lint"):
        return
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        return
    known = {item.path for item in items if isinstance(item, _ConfigTest)}
    for path in _configs(config.rootpath, config):
        if path not in known:
            file = _ConfigFile.from_parent(session, path=path)
            yield from file.collect()


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the claims' tests, and those of configurations, to the collected ones."""
    items.extend(_lint_items(session, items))
    if not (config.getoption("--ropeproof") or config.getoption("--ropeproof-module")):
        return
    from ropeproof.theory.errors import RopeproofError

    collector = _Claims.from_parent(session, name="ropeproof", nodeid="ropeproof")
    try:
        items.extend(collector.collect())
    except RopeproofError as error:
        notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
        raise pytest.UsageError(f"ropeproof: {error}{notes}") from error


class _ConfigFile(pytest.File):
    """The collector of the test of one configuration file."""

    def collect(self) -> Iterator[pytest.Item]:
        yield _ConfigTest.from_parent(self, name="rope")


class _ConfigTest(pytest.Item):
    """Passes if `ropeproof lint` finds nothing of the level that `--ropeproof-lint-fail-on` names.

    A file that is not checked, or is no model's config, is a skip with its reason. The whole folder is read,
    so that a GGUF is compared with the configuration beside it; findings in the weights or in the generation
    configuration are reported with config.json or params.json.
    """

    def runtest(self) -> None:
        from ropeproof.theory.rotary.readers import lint_file
        from ropeproof.tools.lint import show, verdict

        path = str(self.path)
        folder = verdict.judged(lint_file(self.path.parent))
        others = [file for file in folder if file.path != path]
        (own,) = [file for file in folder if file.path == path] or verdict.verdicts(path)
        mine = self.path.suffix != ".gguf"
        files = [own, *(file for file in others if mine and not _is_config(Path(file.path)))]
        told = show.text(files, readers=False)
        levels = {"error", self.config.getoption("--ropeproof-lint-fail-on")}
        if any(found.level in levels for file in files for found in file.findings):
            raise ConfigFailure(told)
        if own.coverage is not None and own.coverage.state != "checked":
            pytest.skip(str(own.coverage))
        self.add_report_section("call", "ropeproof lint", told)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ConfigFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return self.path, None, f"configuration {self.nodeid}"


class _Claims(pytest.Collector):
    """The collector of the selected claims' tests: one for each piece of evidence and each status."""

    def collect(self) -> Iterator[pytest.Item]:
        from ropeproof.proofs_check.reports.listing import select
        from ropeproof.proofs_check.run import refused
        from ropeproof.proofs_check.run.cache import Kept
        from ropeproof.proofs_check.run.items import items_of
        from ropeproof.proofs_check.run.library import load
        from ropeproof.proofs_check.semantics.profiles import profile

        profile(self.config.getoption("--ropeproof-profile"))
        modules = tuple(self.config.getoption("--ropeproof-module"))
        patterns = self.config.getoption("--ropeproof-ids")
        kept = None
        if not self.config.getoption("--ropeproof-fresh"):
            kept = Kept.open(self.config.getoption("--ropeproof-profile"), modules)
        with refused.command():  # the tests below tell of what was refused
            library = load(modules)
        chosen = select(library.claims, patterns)
        if kept is not None:
            kept.learn(library, chosen)
            self.config.stash[_KEPT] = kept
        for module in modules:
            for refusal in refused.refused_in(str(Path(module).resolve())):
                name = f"{refusal.about}::refused"
                yield _RefusedTest.from_parent(self, name=name, reason=str(refusal))
        own = _own_ids(modules) if modules and not patterns else None
        for id in chosen:
            if own is not None and id not in own and not self.config.getoption("--ropeproof"):
                continue
            for item in items_of(library, id):
                yield _EvidenceTest.from_parent(self, name=str(item), item=item)
            yield _StatusTest.from_parent(self, name=f"{id}::status", claim=id)


def _own_ids(modules: tuple[str, ...]) -> set[str]:
    from ropeproof.proofs_check.run.library import load

    return set(load(modules).claims) - set(load(()).claims)


def _result(config: pytest.Config, item: Item) -> Result:
    from ropeproof.proofs_check.run.items import run_item

    cache: dict[Any, Result] = config.stash.setdefault(_RESULTS, {})
    if item not in cache:
        modules = tuple(config.getoption("--ropeproof-module"))
        kept = config.stash.get(_KEPT, None)
        found = kept.find(item) if kept is not None else None
        if found is None:
            found = run_item(item, config.getoption("--ropeproof-profile"), modules)
            if kept is not None:
                kept.add(found)
        cache[item] = found
    return cache[item]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the results of the run into the cache, unless `--ropeproof-fresh` was given."""
    kept = session.config.stash.get(_KEPT, None)
    if kept is not None:
        kept.write()


_RESULTS: pytest.StashKey[dict[Any, Any]] = pytest.StashKey()
_KEPT: pytest.StashKey[Any] = pytest.StashKey()


class _EvidenceTest(pytest.Item):
    """Passes if the evidence holds; unsupported is a skip with its reason."""

    def __init__(self, *, item: Item, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.item = item

    def runtest(self) -> None:
        record = _result(self.config, self.item).record
        if record.outcome == "unsupported":
            pytest.skip(record.detail)
        if record.outcome != "holds":
            witness = "".join(f"\n  {k} = {v}" for k, v in (record.witness or {}).items())
            raise ClaimFailure(f"{self.item}: {record.outcome}: {record.detail}{witness}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ClaimFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return "ropeproof", None, f"claim {self.item.claim}"


class _RefusedTest(pytest.Item):
    """Fails: the claim is too deep or too large, and nothing of it was checked."""

    def __init__(self, *, reason: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.reason = reason

    def runtest(self) -> None:
        raise ClaimFailure(self.reason)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ClaimFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return "ropeproof", None, f"claim {self.name}"


class _StatusTest(_EvidenceTest):
    """Passes if the claim has the status that its kind and evidence letters promise."""

    def __init__(self, *, claim: str, **kwargs: Any) -> None:
        from ropeproof.proofs_check.run.items import Item

        super().__init__(item=Item(claim, "status", "status"), **kwargs)
        self.claim = claim

    def runtest(self) -> None:
        from ropeproof.proofs_check.run.items import items_of, planned_items
        from ropeproof.proofs_check.run.library import load
        from ropeproof.proofs_check.run.status import compute_status, established, shortfalls

        library = load(tuple(self.config.getoption("--ropeproof-module")))
        found: dict[str, Any] = {}
        records: list[Any] = []
        for id, items in planned_items(library, [self.claim]).items():
            records = [_result(self.config, item).record for item in items]
            found[id] = established(library.claims[id], records, found)
            if found[id] != "proved" and len(items) < len(every := items_of(library, id)):
                records = [_result(self.config, item).record for item in every]
                found[id] = established(library.claims[id], records, found)
        claim = library.claims[self.claim]
        used = {id: found[id] for id in claim.uses}
        reasons = shortfalls(claim, records, compute_status(claim, records, used), used)
        if reasons:
            raise ClaimFailure(f"{self.claim}: " + "; ".join(reasons))
