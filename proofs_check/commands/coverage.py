"""`ropeproof coverage`: each numbered item of a paper, and the claims that state it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ropeproof.theory.extras import installed
from ropeproof.tools.console.options import Fresh, Jobs, Json, ProfileName

if TYPE_CHECKING:
    from ropeproof.theory.language.claim import Claim

__all__ = ["coverage_command"]


def coverage_command(
    papers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PAPER]...",
            help="heads, decouple, slash, posgen, lminf, bases; all without any.",
            show_default=False,
        ),
    ] = None,
    profile: ProfileName = "default",
    jobs: Jobs = None,
    fresh: Fresh = False,
    json_to: Json = None,
) -> None:
    """Paper by paper: each theorem, figure and table, the claims that state it, or why none does.

    Runs those claims, or takes results that are cached. Exit 1 if one is not as expected.
    """
    from ropeproof.theory.papers.coverage import COVERAGE, coverage_of

    chosen = [coverage_of(key) for key in dict.fromkeys(papers or [])] or list(COVERAGE)
    from ropeproof.proofs_check.reports import paper_coverage as coverage
    from ropeproof.proofs_check.reports.listing import entries
    from ropeproof.proofs_check.run.running import run
    from ropeproof.tools.console.terminal import console, write_json

    claims = cast("Mapping[str, Claim]", entries())  # an entry has what a table of a paper reads
    verdicts = []  # shown as not run
    if installed("proofs"):
        verdicts = run(coverage.ids_of(chosen, claims), [], profile, jobs, fresh=fresh)
    if json_to is not None:
        write_json(coverage.as_json(chosen, claims, verdicts), json_to)
    if json_to != "-":
        screen = console()
        screen.print(coverage.table(chosen, claims, verdicts, screen.width))
    raise typer.Exit(1 if any(v.shortfalls for v in verdicts) else 0)
