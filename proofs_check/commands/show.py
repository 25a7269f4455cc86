"""`ropeproof show`: one claim, with the statuses that earlier runs found."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console import completion, options

__all__ = ["show_command"]


def show_command(
    id: Annotated[str, typer.Argument(autocompletion=completion.ids)],
    module: options.Modules = None,
    run_now: Annotated[
        bool, typer.Option("--run", help="Run what is not cached, as `check ID` does.")
    ] = False,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            help="Of which profile: quick, default, deep.",
            autocompletion=completion.profiles,
        ),
    ] = None,
    fresh: options.Fresh = False,
    json_to: options.Json = None,
    second_solver: options.SecondSolver = False,
    expand: Annotated[
        bool, typer.Option("--expand", help="Write out what the names stand for.")
    ] = False,
    statement: Annotated[
        bool,
        typer.Option("--statement", help="Hypotheses and conclusion alone, with their symbols."),
    ] = False,
    outline: Annotated[
        bool, typer.Option("--outline", help="The few steps of the proof that carry its idea.")
    ] = False,
    latex: Annotated[
        bool, typer.Option("--latex", help="The statement in LaTeX, for a paper.")
    ] = False,
    proof: Annotated[
        bool,
        typer.Option("--proof", help="With --latex: the statement and its proof, step by step."),
    ] = False,
    document: Annotated[
        bool,
        typer.Option("--document", help="With --latex: a whole file that pdflatex compiles."),
    ] = False,
    history: Annotated[
        bool,
        typer.Option("--history", help="When it was stated, and what changed in the statement."),
    ] = False,
) -> None:
    """Show one claim: statement, hypotheses, derivation, evidence, axioms.

    Status and evidence are those that an earlier run found of the same sources, or "not run"; with
    --run, --fresh, --second-solver or --module what is missing is run. With --statement only what is
    claimed is shown, with a table of its symbols; with --latex the same for a paper, with --latex --proof
    the proof as well. With --outline: claims, cases, inductions, choices and lemmas of the proof, with the
    numbers of these steps. With --history: what became of the statement, and when.
    """
    for name, given in (("--proof", proof), ("--document", document)):
        if given and not latex:
            raise InvalidArgument(name, "without --latex", f"{name} together with --latex")
    if history:
        _show_history(id, json_to)
        return
    if outline:
        from ropeproof.proofs_check.commands.outline import show_outline

        show_outline(id, module or [], expand=expand, json_to=json_to)
        return
    if statement or latex:
        from ropeproof.proofs_check.commands.statement import show_latex, show_statement

        if latex:
            show_latex(
                id, module or [], proof=proof, document=document, expand=expand, json_to=json_to
            )
        else:
            show_statement(id, module or [], expand=expand, json_to=json_to)
        return
    from ropeproof.proofs_check.commands.show_claim import show_found, show_run

    if run_now or fresh or second_solver or module:
        show_run(
            id,
            module or [],
            profile or "default",
            fresh=fresh,
            second_solver=second_solver,
            expand=expand,
            json_to=json_to,
        )
    else:
        show_found(id, profile, expand=expand, json_to=json_to)


def _show_history(id: str, json_to: str | None) -> None:
    """Print the history of an id, including one that was withdrawn."""
    from ropeproof.proofs_check.reports.listing import near
    from ropeproof.theory.annotations.history import changes

    recorded = changes()
    if id not in recorded:
        raise InvalidArgument("id", id, f"an id that has a history: {near(recorded, id)}")
    found = [{"date": c.day.isoformat(), "note": c.note} for c in recorded[id]]
    if json_to is not None:
        from ropeproof.tools.console.terminal import write_json

        write_json({"schema": 1, "id": id, "history": found}, json_to)
    if json_to != "-":
        for change in found:
            typer.echo(f"{change['date']}  {change['note']}")
