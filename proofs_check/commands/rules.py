"""`ropeproof rules`: the rules of the kernel, and the terms that a statement may have."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.theory.errors import InvalidArgument

__all__ = ["rules_command"]


def rules_command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", show_default=False, help="One rule in full.")
    ] = None,
) -> None:
    """The rules of the kernel, how a proof calls them, and the terms that a statement may have."""
    from rich.table import Table
    from rich.text import Text

    from ropeproof.proofs_check.authoring.vocabulary import TERMS, rule_texts
    from ropeproof.tools.console.terminal import console

    rules = rule_texts()
    screen = console()
    if name is not None:
        chosen = next((r for r in rules if name in (r, r.rpartition(".")[2])), None)
        if chosen is None:
            raise InvalidArgument("name", name, ", ".join(rules))
        call, text = rules[chosen]
        screen.print(Text(chosen, style="bold"))
        screen.print(Text(call, style="cyan"))
        screen.print(Text(text))
        return
    for title, rows in (
        (
            "Rules",
            [(rule, f"{text.splitlines()[0]}\n{call}") for rule, (call, text) in rules.items()],
        ),
        ("Terms and formulas", list(TERMS.items())),
    ):
        grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        grid.add_column(style="bold")
        grid.add_column()
        for row in rows:
            grid.add_row(*map(Text, row))
        screen.print(Text(f"\n{title}", style="bold"))
        screen.print(grid)
    screen.print(Text("\n`ropeproof rules NAME` says why a rule is sound.", style="dim"))
