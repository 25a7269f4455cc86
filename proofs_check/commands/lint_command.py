"""`ropeproof lint`: what is wrong with a model's files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ropeproof.proofs_check.console.folded import echo_folded
from ropeproof.proofs_check.console.options import Json
from ropeproof.theory.errors import InvalidArgument

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
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="DIR", help="Python code with defaults for a base."),
    ] = None,
) -> None:
    """Find errors in a model's rotary configuration, and engines that misread it. Exit 1 on error."""
    from ropeproof import __version__
    from ropeproof.proofs_check.apps.lint import repair, show
    from ropeproof.proofs_check.console.terminal import check_target, write_json
    from ropeproof.theory.rotary.readers import lint_file

    if fail_on not in ("error", "warning"):
        raise InvalidArgument("fail-on", fail_on, "error or warning")
    if not paths and not source:
        raise InvalidArgument("path", None, "a file or a folder, or --source DIR")
    if sarif_to is not None:
        check_target("sarif", sarif_to)
    if json_to == "-" and sarif_to == "-":
        raise InvalidArgument("sarif", sarif_to, "a file, where --json goes to the standard output")
    leads = _leads(source or [])
    files = [file for path in paths or [] for file in lint_file(path)]
    if flags is not None:
        files = [_flagged(file, flags) for file in files]
    prices = _prices(files, least_head) if price or least_head else {}
    if json_to is not None:
        shown = [
            {**file.as_json(), **({"prices": prices[file.path]} if file.path in prices else {})}
            for file in files
        ]
        write_json({"files": shown}, json_to)
    if sarif_to is not None:
        write_json(show.sarif(files, __version__), sarif_to)
    if "-" not in (json_to, sarif_to):
        for told in (show.text(files, readers=readers), *map(str, leads)):
            for line in told.splitlines():
                echo_folded(line)
        for rows in prices.values():
            for row in rows:
                echo_folded(f"  {row['sentence']}")
    if fix:
        for file in files:
            if (done := repair.repair(file)) is not None:
                typer.echo(done, err=True)
    levels = ("error",) if fail_on == "error" else ("error", "warning")
    bad = any(found.level in levels for file in files for found in file.findings)
    raise typer.Exit(1 if bad or (leads and fail_on == "warning") else 0)


def _flagged(file: Linted, flags: str) -> Linted:
    """The file with the findings of these flags, and what their engine reads with them."""
    from ropeproof.theory.rotary.readers.flags import lint_flags

    if not file.model or any(found.level == "error" for found in file.findings):
        return file
    found = lint_flags(flags, file.model)
    readers = dict(file.readers)
    if found.reading is not None:
        readers[f"{found.engine} with flags"] = found.reading
    return file._replace(findings=(*file.findings, *found.findings), readers=readers)


def _prices(files: list[Linted], least: bool) -> dict[str, list[dict[str, Any]]]:
    """Of each file whose readers differ: what each that differs from transformers 5 costs."""
    from ropeproof.proofs_check.apps.lint.price import disagreements

    return {file.path: rows for file in files if (rows := disagreements(file, least=least))}


def _leads(folders: list[str]) -> list[Any]:
    from ropeproof.proofs_check.apps.lint.source import leads

    for folder in folders:
        if not Path(folder).exists():
            raise InvalidArgument("source", folder, "a folder or a file that exists")
    return [lead for folder in folders for lead in leads(Path(folder))]
