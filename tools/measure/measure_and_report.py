"""A run of `ropeproof measure`: where heads are measured, and where the report goes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.console import interrupt
from ropeproof.tools.console.progress import working
from ropeproof.tools.console.terminal import (
    check_target,
    console,
    workers,
    write_whole,
)
from ropeproof.tools.measure.report.kinds_table import KindsTable
from ropeproof.tools.measure.report.overview import WIDTH
from ropeproof.tools.measure.run import (
    inconsistent,
    measure_models,
    remove_journals,
    unmeasured,
)

__all__ = ["measure_and_report", "read_layers", "workers_of"]


def measure_and_report(
    sources: list[str],
    *,
    random_tokens: bool,
    layers: str | None,
    jobs: int | None,
    scheduler: str | None,
    journal: str | None,
    json_to: str | None,
    html_to: str | None,
    plots_to: str | None,
    csv_to: str | None = None,
    every_head: bool = False,
    full: bool = False,
    kinds_only: bool = False,
    **what: Any,
) -> int:
    """Measure the models, write the reports that were asked for, and return the exit code.

    0 if all is well, 1 if a theorem is contradicted, 2 if nothing could be measured, 130 after Ctrl-C.

    Raises what `measure_models` raises, and `InvalidArgument` for targets that cannot be written.
    """
    _check_prompts(what["text"], what["tokens"], random_tokens)
    if full and json_to is None:
        raise InvalidArgument("full", "--full", "only with --json FILE")
    if what.get("patterns") is not None and html_to is None and not full:
        raise InvalidArgument(
            "patterns", what["patterns"], "only with --html FILE or --json FILE --full"
        )
    _check_kinds_only(
        kinds_only,
        html=html_to,
        plots=plots_to,
        full=full or None,
        all=every_head or None,
        **{name: what.get(name) for name in ("ablate", "patterns", "preference")},
    )
    targets = {"json": json_to, "html": html_to, "plots": plots_to, "csv": csv_to}
    for name, target in targets.items():
        check_target(name, target)
    path = _journal_path(journal, json_to, html_to, csv_to)
    wanted = read_layers(layers)
    try:
        with (
            interrupt.advice(_go_on(path)),
            workers_of(jobs, scheduler) as (executor, count),
            working("loading libraries") as progress,
        ):
            after = "" if kinds_only else _TO_COME
            screen = console()
            width = screen.width if screen.is_terminal else WIDTH
            shown = KindsTable(progress.aside, width=width, after=after)
            found = measure_models(
                sources,
                layers=wanted,
                journal=path,
                executor=executor,
                workers=count,
                kinds_only=kinds_only,
                progress=progress.show,
                kinds_shown=None if json_to == "-" else shown,
                **what,
            )
    except BrokenProcessPool:
        raise Unsupported(f"a worker process died (out of memory?); {_go_on(path)}") from None
    except KeyboardInterrupt:  # what is said of it has been said
        return interrupt.CODE
    _write(found, targets, every_head=every_head, full=full, screen=not kinds_only)
    remove_journals(path, len(sources))
    wrong = inconsistent(found)
    for line in wrong:
        typer.echo(f"ropeproof: a theorem is contradicted, which is a bug: {line}", err=True)
    nothing = unmeasured(found)
    for line in nothing:
        typer.echo(f"ropeproof: nothing was measured: {line}", err=True)
    return 1 if wrong else 2 if nothing else 0


_TO_COME = (
    "To come: statistics of every head and, unless --no-verdicts, what theorems say of it (the expected "
    "time is in the progress), then what else was asked for. --kinds-only ends here."
)


def _check_kinds_only(kinds_only: bool, **others: Any) -> None:
    """Raises `InvalidArgument` for options that ask for more than kinds beside `--kinds-only`."""
    for name, value in others.items():
        if kinds_only and value is not None:
            raise InvalidArgument(name, value, "only without --kinds-only")


def read_layers(layers: str | None) -> list[int] | None:
    """The layers that `--layers` names: `0,2-4` gives `[0, 2, 3, 4]`; None for all.

    Raises `InvalidArgument` for anything but numbers and ranges.
    """
    if layers is None:
        return None
    wanted: set[int] = set()
    try:
        for part in layers.split(","):
            first, _, last = part.partition("-")
            wanted |= set(range(int(first), int(last or first) + 1))
    except ValueError:
        wanted = set()
    if not wanted:
        raise InvalidArgument("layers", layers, "numbers and ranges such as 0,2-4")
    return sorted(wanted)


@contextmanager
def workers_of(
    jobs: int | None, scheduler: str | None
) -> Iterator[tuple[Executor | None, int | None]]:
    """Open an executor and give it with its number of workers; None and None for threads.

    With `scheduler` it is that of a Dask cluster, with `jobs` a pool of processes here.

    Raises `InvalidArgument` unless `jobs >= 1`, or if no scheduler answers; `Unsupported` without
    the packages of Dask.
    """
    if jobs is not None and jobs < 1:
        raise InvalidArgument("jobs", jobs, "an integer >= 1")
    if scheduler is not None:
        if jobs is not None:
            raise InvalidArgument("jobs", jobs, "only without --scheduler")
        with _cluster(scheduler) as found:
            yield found
        return
    if jobs is None:
        yield None, None
        return
    with workers(jobs, jobs) as pool:
        yield pool, jobs


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError as error:
        raise Unsupported("--scheduler needs the extra: pip install 'ropeproof[dask]'") from error
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        allowed = f"the address of a Dask scheduler that answers ({error})"
        raise InvalidArgument("scheduler", address, allowed) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise InvalidArgument("scheduler", address, "a cluster with at least one worker")
        yield client.get_executor(retries=3), threads


def _check_prompts(text: str | None, tokens: str | None, random_tokens: bool) -> None:
    given = [
        name
        for name, value in (
            ("--text", text),
            ("--tokens", tokens),
            ("--random-tokens", random_tokens),
        )
        if value
    ]
    if len(given) > 1:
        raise InvalidArgument("prompt", " and ".join(given), "one of them")


def _journal_path(journal: str | None, *targets: str | None) -> Path | None:
    if journal is not None:
        return Path(journal)
    files = [target for target in targets if target is not None and target != "-"]
    return Path(f"{files[0]}.journal") if files else None


def _go_on(path: Path | None) -> str:
    if path is None:
        return "with --journal FILE a run goes on where it stopped"
    return f"the same command goes on from {path}.*"


def _write(
    found: dict[str, Any],
    targets: dict[str, str | None],
    *,
    every_head: bool,
    full: bool,
    screen: bool,
) -> None:
    from ropeproof.tools.measure.report import compact

    if (html_to := targets["html"]) is not None:
        from ropeproof.tools.measure.report import html

        html.write(found, Path(html_to))
    if (plots_to := targets["plots"]) is not None:
        from ropeproof.tools.measure.report import plots

        plots.write(found, Path(plots_to))
    if (csv_to := targets["csv"]) is not None:
        write_whole("csv", compact.csv_text(found).encode("utf-8", "replace"), csv_to)
    json_to = targets["json"]
    if json_to is not None:
        text = compact.json_text(found if full else compact.shortened(found))
        if json_to == "-":
            sys.stdout.write(text)
            return
        write_whole("json", text.encode("utf-8", "replace"), json_to)
    if not screen:
        return
    if every_head:
        from ropeproof.tools.measure.report import table

        console().print(table.render(found))
    else:
        from ropeproof.tools.measure.report import overview

        console().print(overview.overview(found))
