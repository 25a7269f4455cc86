"""`ropeproof list`: the claims by id, role and title; nothing is run."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.tools.console import options

__all__ = ["list_command"]


def list_command(
    ids: options.Ids = None,
    module: options.Modules = None,
    json_to: options.Json = None,
    main_only: Annotated[
        bool, typer.Option("--main", help="Main results only, without lemmas and the rest.")
    ] = False,
    statement_lines: Annotated[
        bool,
        typer.Option("--statement-lines", help="How many lines `show ID --statement` prints."),
    ] = False,
) -> None:
    """List the claims: id, role, title. Nothing is run, so no status is shown."""
    from ropeproof.proofs_check.reports.listing import claim_json, entries, select

    listed = entries(module or [])
    chosen = [listed[id] for id in select(listed, ids or [])]
    if main_only:
        chosen = [c for c in chosen if c.role == "main result"]
    if statement_lines:
        from ropeproof.proofs_check.commands.statement import list_lines

        list_lines([c.id for c in chosen], module or [])
        return
    if json_to is not None:
        from ropeproof.tools.console.terminal import write_json

        found = [{**claim_json(c, c.role), "needs": list(c.needs)} for c in chosen]
        write_json({"schema": 1, "claims": found}, json_to)
    if json_to != "-":
        from ropeproof.proofs_check.reports.listing import listed_lines

        for line in listed_lines(chosen):
            typer.echo(line)
