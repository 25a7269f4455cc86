"""The command `ropeproof diff`: whether two models rotate alike, layer by layer."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.folding import echo_folded
from ropeproof.tools.console.options import Json, Layer, Part

__all__ = ["diff_command"]


def diff_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="A B", help="config.json or folder of each model.", show_default=False
        ),
    ] = None,
    configs: Annotated[
        list[str] | None,
        typer.Option("--config", metavar="PATH", help="One of the two, as other commands have it."),
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", help="Positions; the shorter context without it.")
    ] = None,
    layer: Layer = None,
    part: Part = None,
    least_head: Annotated[
        bool,
        typer.Option(
            "--least-head", help="Price the head of least amplitude, too (SciPy, slower)."
        ),
    ] = False,
    draft: Annotated[
        bool,
        typer.Option(
            "--draft", help="B is a draft model of A: what must agree, and what need not."
        ),
    ] = False,
    json_to: Json = None,
) -> None:
    """Whether two configurations rotate alike; if not, by how much. Exit 1 if they differ.

    Layers are compared one by one where they rotate apart. With --draft the first is the target of
    speculative decoding and the second proposes tokens for it.
    """
    from ropeproof.theory.rotary.exact import read_integer
    from ropeproof.tools.console.model_choice import chosen_model
    from ropeproof.tools.console.terminal import write_json
    from ropeproof.tools.lint.comparison import compare

    both = [*(paths or []), *(configs or [])]
    if len(both) != 2:
        raise InvalidArgument("config", " ".join(both) or None, "two configurations, A and B")
    one, other = (chosen_model(path, None, layer=layer, part=part) for path in both)
    if draft:
        from ropeproof.tools.lint.draft import compare_draft

        if least_head:
            raise InvalidArgument("least-head", True, "no price beside --draft")
        if length is not None:
            length = read_integer("length", length, least=2)
        found: Any = compare_draft(one, other, length=length)
    else:
        found = compare(one, other, length=length, least=least_head)
    if json_to is not None:
        write_json(found.as_json(), json_to)
    if json_to != "-":
        for line in str(found).splitlines():
            echo_folded(line)
    raise typer.Exit(0 if found.same else 1)
