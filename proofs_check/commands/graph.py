"""`ropeproof graph`: which claim uses which."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console import options

__all__ = ["graph_command"]


def graph_command(
    ids: options.Ids = None,
    module: options.Modules = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="text, mermaid, dot or json.",
            show_default="text of single ids, mermaid of all claims and of globs",
        ),
    ] = None,
    json_to: options.Json = None,
) -> None:
    """The graph of which claim uses which: of single ids what each uses, and which claims use it."""
    from ropeproof.proofs_check.reports import listing

    if format not in ("text", "mermaid", "dot", "json", None):
        raise InvalidArgument("format", format, "text, mermaid, dot, json")
    listed = listing.entries(module or [])
    chosen = [listed[id] for id in listing.select(listed, ids or [])]
    if format is None:
        format = "text" if ids and all(id in listed for id in ids) else "mermaid"
    if json_to is not None or format == "json":
        from ropeproof.tools.console.terminal import write_json

        write_json(listing.graph_json(chosen), json_to or "-")
    if json_to == "-" or format == "json":
        return
    if format == "text":
        typer.echo(listing.graph_text(chosen, listed.values()))
    else:
        typer.echo((listing.graph_dot if format == "dot" else listing.graph_mermaid)(chosen))
