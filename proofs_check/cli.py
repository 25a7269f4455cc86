"""The command `ropeproof`. Exit 0: all as expected; 1: something fails or survives; 2: usage.

Each command imports what it needs when it is run, so that help and lists answer at once.
"""

from __future__ import annotations

import glob
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

import ropeproof
from ropeproof.proofs_check.docs_command import docs_command
from ropeproof.proofs_check.try_command import try_command
from ropeproof.theory.errors import InvalidArgument, RopeproofError

if TYPE_CHECKING:
    from ropeproof.proofs_check.runner import Result, Verdict

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Executable proofs about rotary position embedding in attention.",
)
Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID|GLOB]...", show_default=False)]
Modules = Annotated[
    list[str] | None,
    typer.Option("--module", metavar="FILE", help="A Python file that registers claims."),
]
Json = Annotated[
    str | None, typer.Option("--json", metavar="FILE|-", help="Write JSON to a file or stdout.")
]
Jobs = Annotated[int | None, typer.Option("--jobs", help="Processes; all cores without it.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Run everything again, whatever results are kept.")
]
ProfileName = Annotated[
    str, typer.Option("--profile", help="How hard to look: quick, default, deep.")
]


SecondSolver = Annotated[
    bool, typer.Option("--second-solver", help="Put what z3 accepts to cvc5, too (an extra).")
]


def main() -> None:
    """Entry point: turns the project's own errors into exit code 2 and one line."""
    try:
        app()
    except RopeproofError as error:
        notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
        typer.echo(f"ropeproof: {error}{notes}", err=True)
        sys.exit(2)
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


def _run(
    ids: list[str],
    modules: list[str],
    profile: str,
    jobs: int | None,
    *,
    fresh: bool = False,
    second_solver: bool = False,
) -> list[Verdict]:
    from ropeproof.proofs_check.kept import Kept
    from ropeproof.proofs_check.listing import entries
    from ropeproof.proofs_check.runner import plan
    from ropeproof.proofs_check.terminal import one_thread, progress_bar, workers

    one_thread()
    kept = None if fresh else Kept.open(profile, modules)
    work = plan(ids, modules=modules, profile_name=profile, second_solver=second_solver, kept=kept)
    if work.left:
        entries()  # kept, so that the next list answers at once
    progress = progress_bar()
    with workers(jobs, len(work.left), forked=True) as pool, progress:
        bar = progress.add_task("checking", total=None)

        def show(result: Result, done: int, of: int) -> None:
            progress.update(bar, completed=done, total=of, description=f"{result.item.claim:<28}")

        return work.run(pool, show)


@app.command("check")
def check_command(
    ids: Ids = None,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="FILE", help="A model's config.json to instantiate on."),
    ] = None,
    module: Modules = None,
    profile: ProfileName = "default",
    jobs: Jobs = None,
    fresh: Fresh = False,
    json_to: Json = None,
    second_solver: SecondSolver = False,
) -> None:
    """Run the proofs, attacks, tests and certificates; say what holds."""
    from ropeproof.proofs_check import report
    from ropeproof.proofs_check.terminal import console, write_json

    spec = None
    if config is not None:
        from ropeproof.theory.spec import RopeSpec

        spec = RopeSpec.from_config(config)
    verdicts = _run(
        ids or [], module or [], profile, jobs, fresh=fresh, second_solver=second_solver
    )
    model = None
    if spec is not None:
        from ropeproof.proofs_check.model import instantiate

        model = instantiate(spec, [v.claim.id for v in verdicts])
    if json_to is not None:
        write_json(report.as_json(verdicts, model.as_json() if model else None), json_to)
    if json_to != "-":
        screen = console()
        screen.print(report.table(verdicts))
        if model:
            screen.print(model.table())
    bad = any(v.shortfalls for v in verdicts) or (model is not None and not model.sound)
    raise typer.Exit(1 if bad else 0)


@app.command("list")
def list_command(ids: Ids = None, module: Modules = None, json_to: Json = None) -> None:
    """List the claims: id, kind, title. Nothing is run, so no status is shown."""
    from ropeproof.proofs_check.listing import claim_json, entries, select

    listed = entries(module or [])
    chosen = [listed[id] for id in select(listed, ids or [])]
    if json_to is not None:
        from ropeproof.proofs_check.terminal import write_json

        found = [{**claim_json(c), "needs": list(c.needs)} for c in chosen]
        write_json({"schema": 1, "claims": found}, json_to)
    if json_to != "-":
        width = max(len(c.id) for c in chosen)
        for c in chosen:
            typer.echo(f"{c.id:<{width}}  {c.kind:<10}  {c.title}")


@app.command("show")
def show_command(
    id: str,
    module: Modules = None,
    profile: ProfileName = "quick",
    fresh: Fresh = False,
    json_to: Json = None,
    second_solver: SecondSolver = False,
    expand: Annotated[
        bool, typer.Option("--expand", help="Write out what the names stand for.")
    ] = False,
) -> None:
    """Show one claim: statement, hypotheses, derivation, evidence, axioms."""
    from ropeproof.proofs_check import report
    from ropeproof.proofs_check.terminal import console, write_json

    try:
        found = _run(
            [glob.escape(id)],
            module or [],
            profile,
            jobs=1,
            fresh=fresh,
            second_solver=second_solver,
        )
    except InvalidArgument as error:
        if error.argument != "id":
            raise
        raise InvalidArgument("id", id, "the id of a claim (see `ropeproof list`)") from None
    (verdict,) = found
    if json_to is not None:
        write_json(report.shown_json(verdict), json_to)
    if json_to != "-":
        console().print(report.show_claim(verdict.claim, verdict, expand=expand))


@app.command("errata")
def errata_command(module: Modules = None, fresh: Fresh = False, json_to: Json = None) -> None:
    """Printed statements that are false, with a witness re-checked now and the repair."""
    from ropeproof.proofs_check import report
    from ropeproof.proofs_check.runner import load
    from ropeproof.proofs_check.terminal import console, write_json

    claims = load(module or []).claims
    printed = [c.id for c in claims.values() if c.kind == "printed"]
    verdicts = _run(printed, module or [], "default", jobs=1, fresh=fresh) if printed else []
    found = [report.erratum(v) for v in verdicts]
    if json_to is not None:
        write_json({"schema": 1, "errata": found}, json_to)
    if json_to != "-":
        console().print(report.errata(verdicts, claims))
    raise typer.Exit(0 if all(entry["rechecked"] for entry in found) else 1)


@app.command("graph")
def graph_command(
    ids: Ids = None,
    module: Modules = None,
    format: Annotated[str, typer.Option("--format", help="mermaid, dot or json.")] = "mermaid",
    json_to: Json = None,
) -> None:
    """The graph of which claim uses which."""
    from ropeproof.proofs_check import listing

    writers = {"mermaid": listing.graph_mermaid, "dot": listing.graph_dot}
    if format not in (*writers, "json"):
        raise InvalidArgument("format", format, "mermaid, dot, json")
    listed = listing.entries(module or [])
    chosen = [listed[id] for id in listing.select(listed, ids or [])]
    if json_to is not None or format == "json":
        from ropeproof.proofs_check.terminal import write_json

        write_json(listing.graph_json(chosen), json_to or "-")
    if json_to != "-" and format in writers:
        typer.echo(writers[format](chosen))


_ONLY = {"slash": ("offset", "score"), "index": ("integers",), "retrieval": ("letters",)}
"""The tasks of a budget, and the options that only one of them has."""


def _task_options(task: str, given: dict[str, Any]) -> None:
    """Raise `InvalidArgument` for an unknown task or an option that another task has."""
    if task not in _ONLY:
        raise InvalidArgument("task", task, ", ".join(_ONLY))
    for name, value in given.items():
        if value is not None and name not in _ONLY[task]:
            owner = next(other for other, names in _ONLY.items() if name in names)
            raise InvalidArgument(name, value, f"only with --task {owner}, not --task {task}")


@app.command("budget")
def budget_command(
    config: Annotated[
        str | None, typer.Option("--config", metavar="FILE", help="A model's config.json.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option("--preset", metavar="NAME", help="A model of ropeproof.theory.presets."),
    ] = None,
    task: Annotated[
        str, typer.Option("--task", help=f"What the head is to do: {', '.join(_ONLY)}.")
    ] = "slash",
    offset: Annotated[
        int | None, typer.Option("--offset", help="slash: the lag to attend to.", show_default="1")
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", help="Positions; the model's context without it.")
    ] = None,
    score: Annotated[
        float | None,
        typer.Option("--score", help="slash: the average weight wanted.", show_default="0.9"),
    ] = None,
    integers: Annotated[
        int | None,
        typer.Option("--integers", help="index: the largest integer; all that fit without it."),
    ] = None,
    letters: Annotated[
        int | None,
        typer.Option("--letters", help="retrieval: size of the alphabet.", show_default="8"),
    ] = None,
    json_to: Json = None,
    plot_to: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw a picture into a file.")
    ] = None,
) -> None:
    """What a head costs on a model: amplitude, norms, planes, longer lengths.

    slash: attends to one lag; index: answers "i back"; retrieval: finds a letter's token.
    """
    from ropeproof.proofs_check import budget as shown
    from ropeproof.proofs_check.terminal import console, progress_bar, write_json

    given = {"offset": offset, "score": score, "integers": integers, "letters": letters}
    _task_options(task, given)
    model = shown.read_model(config, preset, length)
    if model.length is None:
        raise InvalidArgument("length", None, "an integer >= 2; the model states no context")
    if plot_to is not None:
        shown.check_picture(plot_to)
    progress = progress_bar(counted=False)
    with progress:
        bar = progress.add_task("budget", total=None)

        def show(step: str, done: int, of: int) -> None:
            progress.update(bar, completed=done, total=of, description=f"{step:<18}")

        options = {name: value for name, value in given.items() if value is not None}
        found, writer = _budget(task, model, options, show)
    if plot_to is not None:
        writer.plot(found, model, plot_to)
    if json_to is not None:
        write_json(writer.as_json(found), json_to)
    if json_to != "-":
        console().print(writer.table(found, model))


def _budget(task: str, model: Any, options: dict[str, Any], show: Any) -> tuple[Any, Any]:
    """The budget of a task, and the module that writes it as JSON, table and picture."""
    common = {"length": model.length, "scale": model.scale, "progress": show}
    if task == "slash":
        from ropeproof.numerics.slash.budget import slash_budget
        from ropeproof.proofs_check import budget

        options = {"offset": 1, "score": 0.9} | options
        return slash_budget(model.spec, **options, **common), budget
    from ropeproof.proofs_check import decoding_budget

    return decoding_budget.decoding_budget(
        model.spec, task=task, **options, **common
    ), decoding_budget


@app.command("measure")
def measure_command(
    models: Annotated[
        list[str], typer.Argument(metavar="MODEL...", help="Model directories, or hub ids.")
    ],
    text: Annotated[
        str | None, typer.Option("--text", metavar="FILE", help="A text to measure on.")
    ] = None,
    tokens: Annotated[
        str | None, typer.Option("--tokens", metavar="FILE", help="Token ids to measure on.")
    ] = None,
    random_tokens: Annotated[
        bool, typer.Option("--random-tokens", help="Random tokens alone; they are always measured.")
    ] = False,
    layers: Annotated[
        str | None, typer.Option("--layers", help="Such as 0,2-4; all without it.")
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", help="Tokens.", show_default="512, or the context")
    ] = None,
    threshold: Annotated[
        float, typer.Option("--threshold", help="Slash score from which a lag is dominant.")
    ] = 0.1,
    gamma: Annotated[
        float, typer.Option("--gamma", help="Level of purely positional or symbolic heads.")
    ] = 0.1,
    tau: Annotated[float, typer.Option("--tau", help="Temperature of the swaps' weights.")] = 1e-4,
    block: Annotated[int, typer.Option("--block", help="Positions in a swapped block.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Of the random tokens.")] = 0,
    type: Annotated[
        str, typer.Option("--type", help="Number type that the model is run in.")
    ] = "float32",
    jobs: Jobs = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="A Dask cluster, as tcp://host:port."),
    ] = None,
    journal: Annotated[
        str | None,
        typer.Option("--journal", metavar="FILE", help="What an interrupted run goes on from."),
    ] = None,
    json_to: Json = None,
    html_to: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write a report to read.")
    ] = None,
    plots_to: Annotated[
        str | None, typer.Option("--plots", metavar="DIR", help="Draw pictures into a folder.")
    ] = None,
) -> None:
    """Measure the heads of models against the hypotheses of every theorem.

    Statistics of each head on a text and on random tokens, and per theorem a verdict. Exit 1 if a
    theorem guarantees more than is observed.
    """
    from ropeproof.numerics.measure import MeasureOptions
    from ropeproof.proofs_check.measure.command import measure_command as measure

    code = measure(
        models,
        text=text,
        tokens=tokens,
        random_tokens=random_tokens,
        layers=layers,
        length=length,
        options=MeasureOptions(threshold=threshold, gamma=gamma, tau=tau, block=block),
        seed=seed,
        type=type,
        jobs=jobs,
        scheduler=scheduler,
        journal=journal,
        json_to=json_to,
        html_to=html_to,
        plots_to=plots_to,
    )
    raise typer.Exit(code)


app.command("docs")(docs_command)
app.command("try")(try_command)
