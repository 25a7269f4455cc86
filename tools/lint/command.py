"""The command `ropeproof lint`: find what is wrong with the rotation in a model's files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.folding import echo_folded
from ropeproof.tools.console.options import Json

if TYPE_CHECKING:
    from ropeproof.theory.rotary.readers import Linted

__all__ = ["lint_command"]


def lint_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...", help="config.json, params.json, GGUF, or their folder."
        ),
    ] = None,
    configs: Annotated[
        list[str] | None,
        typer.Option(
            "--config", metavar="PATH", help="The same as PATH, as other commands have it."
        ),
    ] = None,
    json_to: Json = None,
    sarif_to: Annotated[
        str | None, typer.Option("--sarif", metavar="FILE|-", help="Write SARIF 2.1.0.")
    ] = None,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Write base and scaling in both dialects; keep the original."),
    ] = False,
    readers: Annotated[
        bool, typer.Option("--readers", help="Show how each engine reads the file.")
    ] = False,
    price: Annotated[
        bool, typer.Option("--price", help="What each disagreement of readers costs, certified.")
    ] = False,
    least_head: Annotated[
        bool,
        typer.Option(
            "--least-head", help="Price the head of least amplitude, too (SciPy, slower)."
        ),
    ] = False,
    flags: Annotated[
        str | None,
        typer.Option(
            "--flags", help="Flags of vLLM, SGLang or llama.cpp that override the rotation."
        ),
    ] = None,
    fail_on: Annotated[
        str, typer.Option("--fail-on", help="error or warning: what makes the exit code 1.")
    ] = "error",
    allow_unchecked: Annotated[
        bool,
        typer.Option("--allow-unchecked", help="A file that is not checked is no exit code 3."),
    ] = False,
    from_hook: Annotated[
        bool,
        typer.Option("--from-hook", help="Pass over JSON files that are no model's config."),
    ] = False,
    annotate: Annotated[
        bool,
        typer.Option(
            "--github", help="Also print the findings as a GitHub workflow's annotations."
        ),
    ] = False,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="DIR", help="Python code with defaults for a base."),
    ] = None,
) -> None:
    """Find errors in a model's rotary configuration, and engines that misread it.

    Exit 1: an error; 3: a file is not checked; 0: all are checked, without error.
    """
    from ropeproof import __version__
    from ropeproof.tools.lint import show, verdict

    if fail_on not in ("error", "warning"):
        raise InvalidArgument("fail-on", fail_on, "error or warning")
    paths = [*(paths or []), *(configs or [])]
    if not paths and not source:
        raise InvalidArgument("path", None, "a file or a folder, or --source DIR")
    if json_to is not None or sarif_to is not None:
        from ropeproof.tools.console.terminal import check_target, write_json

        if sarif_to != "-":
            check_target("sarif", sarif_to)
    if json_to == "-" and sarif_to == "-":
        raise InvalidArgument("sarif", sarif_to, "a file, where --json goes to the standard output")
    leads = _leads(source or [])
    files = [
        file if from_hook or Path(path).is_dir() else verdict.by_hand(file)
        for path in paths
        for file in verdict.verdicts(path)
    ]
    if flags is not None:
        files = [_flagged(file, flags) for file in files]
    to_files = "-" in (json_to, sarif_to)
    if not to_files:  # before prices, which take seconds
        for told in (show.text(files, readers=readers), *map(str, leads)):
            for line in told.splitlines():
                echo_folded(line)
        sys.stdout.flush()
    prices = _prices(files, least_head) if price or least_head else {}
    if json_to is not None:
        shown = [
            {**file.as_json(), **({"prices": prices[file.path]} if file.path in prices else {})}
            for file in files
        ]
        write_json({"schema": 2, "files": shown}, json_to)
    if sarif_to is not None:
        write_json(show.sarif(files, __version__), sarif_to)
    if not to_files:
        for rows in prices.values():
            for row in rows:
                echo_folded(f"  {row['sentence']}")
    if annotate and (told := show.github(files)):
        typer.echo(told, err=to_files)
    if fix:
        from ropeproof.tools.lint import repair

        for file in files:
            if (done := repair.repair(file)) is not None:
                typer.echo(done, err=True)
    levels = ("error",) if fail_on == "error" else ("error", "warning")
    code = verdict.passed(files, levels=levels, unchecked=allow_unchecked)
    raise typer.Exit(1 if leads and fail_on == "warning" else code)


def _flagged(file: Linted, flags: str) -> Linted:
    """The file with the findings for these flags added, and the reading of their engine with them."""
    from ropeproof.theory.rotary.readers.flags import lint_flags, not_looked_at

    if (
        file.path.endswith(".json")
        and file.coverage is not None
        and file.coverage.state != "no model"
    ):
        if any(found.level == "error" for found in file.findings):
            told = not_looked_at(flags, "the file has errors")
            return file._replace(findings=(*file.findings, told))
        found = lint_flags(flags, file.model)
        readers = dict(file.readers)
        if found.reading is not None:
            readers[f"{found.engine} with flags"] = found.reading
        return file._replace(findings=(*file.findings, *found.findings), readers=readers)
    if file.path.endswith(".gguf"):
        told = not_looked_at(flags, "flags are compared with a configuration, not with a GGUF")
        return file._replace(findings=(*file.findings, told))
    return file


def _prices(files: list[Linted], least: bool) -> dict[str, list[dict[str, Any]]]:
    """The prices of readers that differ from transformers 5, as rows, for each file that has any."""
    from ropeproof.tools.lint.price import disagreements

    return {file.path: rows for file in files if (rows := disagreements(file, least=least))}


def _leads(folders: list[str]) -> list[Any]:
    from ropeproof.tools.lint.source import leads

    for folder in folders:
        if not Path(folder).exists():
            raise InvalidArgument("source", folder, "a folder or a file that exists")
    return [lead for folder in folders for lead in leads(Path(folder))]
