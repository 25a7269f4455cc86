"""`ropeproof show ID --statement`, and the number of lines it has for each claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

import typer

from ropeproof.proofs_check.present.statement import Statement, statement_of
from ropeproof.proofs_check.reports.listing import near, roles_of
from ropeproof.proofs_check.run.library import load
from ropeproof.theory.annotations.roles import HEADINGS
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.claim import Claim

__all__ = ["list_lines", "printed_lines", "show_latex", "show_statement"]


def show_statement(id: str, modules: Sequence[str], *, expand: bool, json_to: str | None) -> None:
    """Print the statement of a claim, as text or as JSON."""
    claims = _claims(id, modules)
    found = statement_of(claims[id], expand=expand)
    if json_to is not None:
        from ropeproof.tools.console.terminal import write_json

        write_json(found.as_json(), json_to)
    if json_to == "-":
        return
    from ropeproof.tools.console.terminal import console

    width = min(WIDTH, console().width)
    typer.echo("\n".join(printed_lines(claims[id], found, width)))


def _claims(id: str, modules: Sequence[str]) -> Mapping[str, Claim]:
    """The catalogue's claims and the user's; raises `InvalidArgument` if the id is none of theirs."""
    claims = load(modules).claims
    if id not in claims:
        raise InvalidArgument("id", id, f"the id of {near(claims, id)} (see `ropeproof list`)")
    return claims


def show_latex(
    id: str,
    modules: Sequence[str],
    *,
    proof: bool,
    document: bool,
    expand: bool,
    json_to: str | None,
) -> None:
    """Print the statement of a claim as LaTeX, with its proof if asked for; or both as JSON.

    The JSON is that of the statement, with the LaTeX as the entry `document`.
    """
    from ropeproof.proofs_check.present.paper.document import document as whole

    claims = _claims(id, modules)
    found = statement_of(claims[id], expand=expand)
    if proof:
        from ropeproof.proofs_check.present.paper.proof import proof_paper

        heading = HEADINGS[roles_of(claims)[id]]
        text = proof_paper(claims[id], claims, heading, expand=expand)
    else:
        text = found.as_latex()
    text = whole(text) if document else text
    if json_to is not None:
        from ropeproof.tools.console.terminal import write_json

        write_json({**found.as_json(), "document": text}, json_to)
    if json_to != "-":
        typer.echo(text, nl=False)


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
