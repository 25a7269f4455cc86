"""`ropeproof assess`: what a base, a scaling and a number type can do at a length.

This module has the options alone, so that the command's help loads nothing that computes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.console.options import (
    Config,
    ConfigArgument,
    Json,
    Layer,
    Part,
    Plot,
    Preset,
    one_config,
)
from ropeproof.tools.console.progress import Progress

__all__ = ["assess_command", "serve_command"]


def assess_command(
    configuration: ConfigArgument = None,
    config: Config = None,
    preset: Preset = None,
    length: Annotated[int | None, typer.Option("--length", help="Positions served.")] = None,
    dtype: Annotated[
        str, typer.Option("--dtype", help="float32 or bfloat16: of angles and tables.")
    ] = "bfloat16",
    scaling: Annotated[
        str | None,
        typer.Option(
            "--scaling", help="Such as linear:4, yarn:4 or none, in place of the model's."
        ),
    ] = None,
    trained: Annotated[
        int | None,
        typer.Option("--trained", help="Positions in training (default: the model's own)."),
    ] = None,
    layer: Layer = None,
    part: Part = None,
    score: Annotated[float, typer.Option("--score", help="Of the slash heads in training.")] = 0.9,
    share: Annotated[
        float, typer.Option("--share", help="Of its amplitude, guaranteed to the first token.")
    ] = 0.5,
    choose: Annotated[
        bool,
        typer.Option("--recommend", help="Which scaling and factor serve the length, compared."),
    ] = False,
    emit_as: Annotated[
        str | None,
        typer.Option(
            "--emit", metavar="FORMAT", help="Write the setting judged: hf, vllm or llama.cpp."
        ),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="The reason of each answer, with its certified numbers.")
    ] = False,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            help="never; no: exit 1 if an answer is no; not-known: or if one is not known.",
        ),
    ] = "never",
    json_to: Json = None,
    plot_to: Plot = None,
) -> None:
    """Assess what a base, scaling and number type can do at a length: a verdict for each question.

    One line is an answer; --why prints the reasons. Exit 1 if --fail-on says so.
    """
    from ropeproof.tools.console.progress import working
    from ropeproof.tools.console.terminal import console, one_thread, write_json

    config = one_config(configuration, config)
    if length is None:
        raise InvalidArgument("length", None, "--length N, an integer >= 2")
    if fail_on not in _FAILING:
        raise InvalidArgument("fail-on", fail_on, ", ".join(_FAILING))
    if choose and fail_on != "never":
        raise InvalidArgument("fail-on", fail_on, "none with --recommend, which compares settings")
    if choose and scaling is not None:
        raise InvalidArgument("scaling", scaling, "none with --recommend, which compares scalings")
    if choose and plot_to is not None:
        raise InvalidArgument("plot", plot_to, "none with --recommend")
    if emit_as is not None and json_to == "-":
        raise InvalidArgument("emit", emit_as, "--json FILE with it: both write to the output")
    one_thread()
    from ropeproof.tools import assess as serve
    from ropeproof.tools.console.picture_file import check_picture

    if emit_as is not None and emit_as not in serve.FORMATS:
        raise InvalidArgument("emit", emit_as, ", ".join(serve.FORMATS))
    setting = serve.read_setting(
        config, preset, length=length, scaling=scaling, trained=trained, layer=layer, part=part
    )
    written = None if emit_as is None or choose else serve.emit(setting, emit_as)
    if plot_to is not None:
        require_extra("plots", "--plot")
        check_picture(plot_to)
    with working("assess", counted=False) as progress:
        shown: Any
        if choose:
            chosen = serve.recommend(
                config,
                preset,
                length=length,
                dtype=dtype,
                trained=trained,
                layer=layer,
                part=part,
                score=score,
                progress=progress.show,
            )
            data, shown = serve.recommended_json(chosen), serve.recommended_table(chosen)
            if emit_as is not None:
                written = serve.emit(chosen.best.setting, emit_as)
        else:
            told = None if json_to == "-" else _telling(serve, setting, dtype, progress, why=why)
            found = serve.serve(
                setting,
                dtype=dtype,
                score=score,
                share=share,
                progress=progress.show,
                answered=told,
            )
            data, shown = serve.as_json(found), None
    if plot_to is not None:
        serve.plot(found, plot_to)
    if json_to is not None:
        write_json(data, json_to)
    if json_to != "-" and shown is not None:
        console().print(shown)
    if written is not None:
        typer.echo(written)
    if not choose and any(answer.said in _FAILING[fail_on] for answer in found.answers):
        raise typer.Exit(1)


_FAILING: dict[str, frozenset[str]] = {
    "never": frozenset(),
    "no": frozenset(("no",)),
    "not-known": frozenset(("no", "not known")),
}
"""The answers for which the exit code is 1, by the value of `--fail-on`."""


def _telling(
    serve: Any, setting: Any, dtype: str, progress: Progress, *, why: bool
) -> Callable[[Any], None]:
    """Print the title of the assessment, and return a function that prints an answer (and `why`)."""
    from ropeproof.tools.console.terminal import console

    screen = console()
    with progress.aside():
        screen.print(serve.title(setting, dtype))
    headed = iter([True])

    def told(answer: Any) -> None:
        with progress.aside():
            screen.print(
                serve.rows([answer], headed=next(headed, False)) if why else serve.brief(answer)
            )

    return told


@wraps(assess_command)  # typer reads its arguments from the signature
def serve_command(**given: Any) -> None:
    """The former name of `assess`, which says so and does the same."""
    typer.echo(
        "ropeproof: `serve` is now called `assess`; the old name goes with the next release",
        err=True,
    )
    assess_command(**given)
