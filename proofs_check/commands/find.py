"""`ropeproof find`: claims by words, or by a pattern of their conclusion."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.options import Json, Modules

__all__ = ["find_command"]


def find_command(
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY...", help="Words, or such as 'exp(a) <= b'.")
    ],
    module: Modules = None,
    most: Annotated[int, typer.Option("--most", help="How many claims to show.")] = 12,
    json_to: Json = None,
) -> None:
    """Search the claims by words, or by a pattern of their conclusion.

    In a pattern a letter stands for any term and Sum(a) for a sum of such terms: 'Sum(exp(a)) <= b'.
    A goal as `ropeproof try` prints it is one, too: '0 < Sum(exp(f(k)), (k, 0, n))'.
    """
    from rich.text import Text

    from ropeproof.proofs_check.authoring.claim_search import find
    from ropeproof.proofs_check.authoring.patterns import is_pattern
    from ropeproof.proofs_check.run.library import load
    from ropeproof.tools.console.terminal import console, write_json

    if most < 1:
        raise InvalidArgument("most", most, "an integer >= 1")
    found = find(" ".join(query), load(module or []).claims, most)
    if json_to is not None:
        listed = [{"id": f.claim.id, "title": f.claim.title, "because": f.because} for f in found]
        write_json({"schema": 1, "claims": listed}, json_to)
    if json_to != "-":
        screen = console()
        for entry in found:
            screen.print(Text.assemble((entry.claim.id, "bold"), "  ", entry.claim.title))
            if "(" in entry.because:
                screen.print(Text(f"    {entry.because}", style="dim"))
        if not found:
            screen.print("Nothing found.")
            if is_pattern(" ".join(query)):
                screen.print("A letter for a part of the pattern, or words, may find more.")
    raise typer.Exit(0 if found else 1)
