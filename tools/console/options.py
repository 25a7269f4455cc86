"""Command-line options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console import completion

__all__ = [
    "Config",
    "ConfigArgument",
    "Coq",
    "Fresh",
    "Ids",
    "Jobs",
    "Json",
    "Layer",
    "Modules",
    "Part",
    "Plot",
    "Preset",
    "ProfileName",
    "SecondSolver",
    "one_config",
    "unfolded",
]


def unfolded(command: Callable[..., Any] | None) -> str:
    """A command's docstring with each paragraph on one line, since the help would keep its line breaks."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(" ".join(p.split()) for p in paragraphs)


def one_config(place: str | None, option: str | None) -> str | None:
    """The configuration that a command was given, as an argument (`place`) or with `--config`.

    None if it was given neither way. Raises `InvalidArgument` if it was given both ways.
    """
    if place is not None and option is not None:
        raise InvalidArgument("config", option, f"one configuration; {place} is another")
    return place if option is None else option


def _target(json_to: str | None) -> str | None:
    """The value of `--json`; raises `InvalidArgument` before any work if the file cannot be written."""
    if json_to is not None:
        from ropeproof.tools.console.terminal import check_target

        check_target("json", json_to)
    return json_to


Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID|GLOB]...", show_default=False, autocompletion=completion.ids),
]
Modules = Annotated[
    list[str] | None,
    typer.Option("--module", metavar="FILE", help="A Python file that registers claims."),
]
Json = Annotated[
    str | None,
    typer.Option(
        "--json", metavar="FILE|-", help="Write JSON to a file or stdout.", callback=_target
    ),
]
Layer = Annotated[
    int | None, typer.Option("--layer", help="The layer asked about, if layers differ.")
]
Part = Annotated[
    str | None, typer.Option("--part", help="Part of a multimodal model: text, vision, ...")
]
Plot = Annotated[
    str | None, typer.Option("--plot", metavar="FILE", help="Draw a picture into a file.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", help="Number of processes (default: all cores).")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ignore cached results and run everything.")]
ProfileName = Annotated[
    str,
    typer.Option(
        "--profile",
        help="How thoroughly to test: quick, default, deep.",
        autocompletion=completion.profiles,
    ),
]


SecondSolver = Annotated[
    bool, typer.Option("--second-solver", help="Also ask cvc5 what z3 accepts (needs the extra).")
]
Coq = Annotated[
    bool, typer.Option("--coq", help="Also check the proofs with Coq; answers are cached.")
]
Config = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="A model's config.json, or its folder."),
]
ConfigArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[CONFIG]", help="A model's config.json, or its folder.", show_default=False
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="A model that `presets` lists.",
        autocompletion=completion.presets,
    ),
]
