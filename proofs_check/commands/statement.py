"""`ropeproof show ID --statement`, and the number of lines it has for each claim."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import typer

from ropeproof.proofs_check.present.statement import Statement, statement_of
from ropeproof.proofs_check.reports.listing import near
from ropeproof.proofs_check.run.library import load
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.claim import Claim

__all__ = ["list_lines", "printed_lines", "show_statement"]


def show_statement(
    id: str, modules: Sequence[str], *, latex: bool, expand: bool, json_to: str | None
) -> None:
    """Print the statement of a claim, as text, as LaTeX or as JSON."""
    claims = load(modules).claims
    if id not in claims:
        raise InvalidArgument("id", id, f"the id of {near(claims, id)} (see `ropeproof list`)")
    found = statement_of(claims[id], expand=expand)
    if json_to is not None:
        from ropeproof.tools.console.terminal import write_json

        write_json(found.as_json(), json_to)
    if json_to == "-":
        return
    from ropeproof.tools.console.terminal import console

    width = min(WIDTH, console().width)
    typer.echo(found.as_latex() if latex else "\n".join(printed_lines(claims[id], found, width)))


WIDTH = 100
"""The width of a printed statement in columns, unless the terminal is narrower."""


def printed_lines(claim: Claim, found: Statement, width: int = WIDTH) -> list[str]:
    """The lines that `ropeproof show ID --statement` prints."""
    head = wrap(f"{claim.id}  {claim.title}", width, subsequent_indent="  ")
    return [*head, *found.as_text(width, at_most=LINES - len(head))]


LINES = 60
"""The most lines of a main result's statement, including its title."""


def list_lines(ids: Sequence[str], modules: Sequence[str]) -> None:
    """Print a table of the lines and the longest line of each claim's statement, longest last."""
    claims = load(modules).claims
    rows = []
    for id in ids:
        printed = printed_lines(claims[id], statement_of(claims[id]))
        rows.append((len(printed), max(map(len, printed)), id))
    width = max((len(id) for id in ids), default=0)
    typer.echo(f"{'claim':<{width}}  lines  widest")
    for count, widest, id in sorted(rows):
        typer.echo(f"{id:<{width}}  {count:>5}  {widest:>6}")
