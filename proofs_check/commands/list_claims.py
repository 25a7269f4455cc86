"""`ropeproof list`: the claims by id, role and title; nothing is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from ropeproof.tools.console import options

__all__ = ["list_command"]

MAIN = "main result"


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
    from ropeproof.proofs_check.reports.listing import (
        chosen_entries,
        claim_json,
        entries,
        select,
        titles,
    )

    # A user's files have to be read; what only the module of a claim says is read for the chosen ones.
    listed: Mapping[str, Any] = entries(module) if module else titles()
    names = [id for id in select(listed, ids or []) if not main_only or listed[id].role == MAIN]
    if json_to is not None and not module:
        listed = chosen_entries(names)
    chosen = [listed[id] for id in names]
    if statement_lines:
        from ropeproof.proofs_check.commands.statement import list_lines

        list_lines([c.id for c in chosen], module or [])
        return
    if json_to is not None:
        from ropeproof.tools.console.terminal import write_json

        found = [{**claim_json(c, c.role), "needs": list(c.needs)} for c in chosen]
        write_json({"schema": 2, "claims": found}, json_to)
    if json_to != "-":
        from ropeproof.proofs_check.reports.listing import listed_lines

        for line in listed_lines(chosen):
            typer.echo(line)
