"""The command `ropeproof`. Exit 0: all as expected; 1: something fails or survives; 2: usage.

Where a claim of a user's file had to be refused and all others are as expected, it is 2 as well.

Each command imports what it needs when it is run, so that help and lists answer at once.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

import ropeproof
from ropeproof.proofs_check.commands import (
    assess_command,
    library_commands,
    lint_command,
    model_commands,
)
from ropeproof.proofs_check.commands.certificate_command import certificate_app
from ropeproof.proofs_check.commands.conform_command import conform_command
from ropeproof.proofs_check.commands.coq_command import export_command
from ropeproof.proofs_check.commands.coverage_command import coverage_command
from ropeproof.proofs_check.commands.diff_command import diff_command
from ropeproof.proofs_check.commands.docs_command import docs_command
from ropeproof.proofs_check.commands.golden_command import golden_command
from ropeproof.proofs_check.commands.try_command import try_command
from ropeproof.proofs_check.console import completion, interrupt, options
from ropeproof.proofs_check.console.folded import echo_folded
from ropeproof.proofs_check.console.refusals import CommandGroup
from ropeproof.proofs_check.run.running import run
from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.theory.extras import explained

if TYPE_CHECKING:
    pass

__all__ = ["app", "main"]

app = typer.Typer(
    cls=CommandGroup,
    add_completion=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Executable proofs about rotary position embedding in attention.",
)


def main() -> None:
    """Entry point: turns the project's own errors into exit code 2 and one line."""
    # SymPy, which reads this as it is imported, remembers a thousand terms; a catalogue has more.
    os.environ.setdefault("SYMPY_CACHE_SIZE", "None")
    for stream in (sys.stdout, sys.stderr):  # what the encoding of a terminal has not is escaped
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with interrupt.listening():
            app()
    except RopeproofError as error:
        notes = (f"  {note}" for note in getattr(error, "__notes__", ()))
        for line in (*f"ropeproof: {error}".splitlines(), *notes):
            echo_folded(line, err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        missing = explained(error)
        if missing is None:
            raise
        echo_folded(f"ropeproof: {missing}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        interrupt.tell()
        sys.exit(interrupt.CODE)
    except SystemExit as leaving:
        if leaving.code == interrupt.CODE:  # as an interrupt comes out of a command
            interrupt.tell()
        raise
    except BrokenPipeError:  # the reader of a pipe has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ropeproof {ropeproof.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """What comes before a command."""


@app.command("check")
def check_command(
    ids: options.Ids = None,
    config: options.Config = None,
    preset: options.Preset = None,
    module: options.Modules = None,
    profile: options.ProfileName = "default",
    jobs: options.Jobs = None,
    fresh: options.Fresh = False,
    json_to: options.Json = None,
    second_solver: options.SecondSolver = False,
    coq: options.Coq = False,
    layer: options.Layer = None,
    part: options.Part = None,
) -> None:
    """Run the proofs, attacks, tests and certificates; say what holds."""
    from ropeproof.proofs_check.console.model_choice import chosen_kinds
    from ropeproof.proofs_check.console.terminal import console, write_json
    from ropeproof.proofs_check.reports import report

    kinds = chosen_kinds(config, preset, layer=layer, part=part)
    if coq:
        from ropeproof.proofs_check.recheck.coq.answers.check import require_coq

        require_coq()
    verdicts = run(ids or [], module or [], profile, jobs, fresh=fresh, second_solver=second_solver)
    if coq:
        from ropeproof.proofs_check.commands.coq_command import asked_of_coq

        verdicts = asked_of_coq(verdicts, module or [], jobs=jobs, fresh=fresh)
    models = []
    if kinds:
        from ropeproof.proofs_check.apps.instantiate.model import instantiate

        ids = [v.claim.id for v in verdicts]
        models = [instantiate(spec, ids, layers=layers) for spec, layers in kinds]
    if json_to is not None:
        first, others = (m.as_json() for m in models[:1]), [m.as_json() for m in models[1:]]
        write_json(report.as_json(verdicts, next(first, None), others), json_to)
    if json_to != "-":
        screen = console()
        screen.print(report.table(verdicts, screen.width))
        for model in models:
            screen.print(model.table())
    bad = any(v.shortfalls for v in verdicts) or not all(model.sound for model in models)
    raise typer.Exit(1 if bad else 0)


@app.command("list")
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
        from ropeproof.proofs_check.commands.statement_command import list_lines

        list_lines([c.id for c in chosen], module or [])
        return
    if json_to is not None:
        from ropeproof.proofs_check.console.terminal import write_json

        found = [{**claim_json(c, c.role), "needs": list(c.needs)} for c in chosen]
        write_json({"schema": 1, "claims": found}, json_to)
    if json_to != "-":
        from ropeproof.proofs_check.reports.listing import listed_lines

        for line in listed_lines(chosen):
            typer.echo(line)


@app.command("show")
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
    latex: Annotated[
        bool, typer.Option("--latex", help="The statement in LaTeX, for a paper.")
    ] = False,
    history: Annotated[
        bool,
        typer.Option("--history", help="When it was stated, and what changed in the statement."),
    ] = False,
) -> None:
    """Show one claim: statement, hypotheses, derivation, evidence, axioms.

    Status and evidence are those that an earlier run found of the same sources, or "not run"; with
    --run, --fresh, --second-solver or --module what is missing is run. With --statement only what is
    claimed is shown, with a table of its symbols; with --latex the same for a paper. With --history:
    what became of the statement, and when.
    """
    if history:
        _show_history(id, json_to)
        return
    if statement or latex:
        from ropeproof.proofs_check.commands.statement_command import show_statement

        show_statement(id, module or [], latex=latex, expand=expand, json_to=json_to)
        return
    from ropeproof.proofs_check.commands.show_claim_command import show_found, show_run

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
    """Print what became of an id, also of one that was taken back."""
    from ropeproof.proofs_check.reports.listing import near
    from ropeproof.theory.annotations.history import changes

    recorded = changes()
    if id not in recorded:
        raise InvalidArgument("id", id, f"an id that has a history: {near(recorded, id)}")
    found = [{"date": c.day.isoformat(), "note": c.note} for c in recorded[id]]
    if json_to is not None:
        from ropeproof.proofs_check.console.terminal import write_json

        write_json({"schema": 1, "id": id, "history": found}, json_to)
    if json_to != "-":
        for change in found:
            typer.echo(f"{change['date']}  {change['note']}")


@app.command("errata")
def errata_command(
    module: options.Modules = None, fresh: options.Fresh = False, json_to: options.Json = None
) -> None:
    """Printed statements that are false, with a witness re-checked now and the repair."""
    from ropeproof.proofs_check.console.terminal import console, write_json
    from ropeproof.proofs_check.reports.errata import errata, erratum

    printed = _printed(module or [])
    verdicts = run(printed, module or [], "default", jobs=1, fresh=fresh) if printed else []
    found = [erratum(v) for v in verdicts]
    if json_to is not None:
        write_json({"schema": 1, "errata": found}, json_to)
    if json_to != "-":
        from ropeproof.proofs_check.run.library import load

        console().print(errata(verdicts, load(module or []).claims))
    raise typer.Exit(0 if all(entry["rechecked"] for entry in found) else 1)


def _printed(modules: list[str]) -> list[str]:
    """The ids of the printed statements that are false; of the catalogue they are listed."""
    from ropeproof.theory.topics.contents import CONTENTS

    if not modules:
        return [id for id, listing in CONTENTS.items() if listing.role == "printed"]
    from ropeproof.proofs_check.run.library import load

    return [c.id for c in load(modules).claims.values() if c.kind == "printed"]


@app.command("graph")
def graph_command(
    ids: options.Ids = None,
    module: options.Modules = None,
    format: Annotated[str, typer.Option("--format", help="mermaid, dot or json.")] = "mermaid",
    json_to: options.Json = None,
) -> None:
    """The graph of which claim uses which."""
    from ropeproof.proofs_check.reports import listing

    writers = {"mermaid": listing.graph_mermaid, "dot": listing.graph_dot}
    if format not in (*writers, "json"):
        raise InvalidArgument("format", format, "mermaid, dot, json")
    listed = listing.entries(module or [])
    chosen = [listed[id] for id in listing.select(listed, ids or [])]
    if json_to is not None or format == "json":
        from ropeproof.proofs_check.console.terminal import write_json

        write_json(listing.graph_json(chosen), json_to or "-")
    if json_to != "-" and format in writers:
        typer.echo(writers[format](chosen))


app.command("coverage")(coverage_command)
app.command("docs")(docs_command)
app.command("try")(try_command)
app.command("budget")(model_commands.budget_command)
app.command("measure")(model_commands.measure_command)
app.add_typer(certificate_app, name="certificate")
app.command("conform")(conform_command)
app.command("golden")(golden_command)
app.command("assess")(assess_command.assess_command)
app.command("serve", hidden=True)(assess_command.serve_command)
app.command("lint")(lint_command.lint_command)
app.command("diff")(diff_command)
app.command("export")(export_command)
app.command("new")(library_commands.new_command)
app.command("find")(library_commands.find_command)
app.command("rules")(library_commands.rules_command)
app.command("presets")(library_commands.presets_command)

for (
    _command
) in app.registered_commands:  # a paragraph of help is folded at the terminal's width alone
    _command.help = options.unfolded(_command.callback)
