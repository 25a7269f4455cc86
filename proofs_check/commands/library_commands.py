"""`ropeproof new`, `find`, `rules` and `presets`: what helps to write a claim, and models' names."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.proofs_check.console.folded import echo_folded
from ropeproof.proofs_check.console.options import Json, Modules
from ropeproof.theory.errors import InvalidArgument

__all__ = ["find_command", "new_command", "presets_command", "rules_command"]


def new_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Python file to be made.")],
) -> None:
    """Write a commented file with one true claim, its proof and its attack, to start from."""
    from ropeproof.proofs_check.authoring.new_claim import write_new

    path = write_new(file)
    echo_folded(f"{path} has one claim. Change it, and see what becomes of its proof:")
    typer.echo(f"  ropeproof try {path} --watch")
    typer.echo(f"  ropeproof check --module {path} 'own.*'")
    echo_folded(
        "`ropeproof rules` lists what a proof may use, `ropeproof find` what is proved already."
    )


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
    from ropeproof.proofs_check.console.terminal import console, write_json
    from ropeproof.proofs_check.run.library import load

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


def rules_command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", show_default=False, help="One rule in full.")
    ] = None,
) -> None:
    """The rules of the kernel, how a proof calls them, and the terms that a statement may have."""
    from rich.table import Table
    from rich.text import Text

    from ropeproof.proofs_check.authoring.vocabulary import TERMS, rule_texts
    from ropeproof.proofs_check.console.terminal import console

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


def presets_command() -> None:
    """The models that `--preset` knows, with their rotary embedding and context."""
    from rich.table import Table

    from ropeproof.proofs_check.console.terminal import console
    from ropeproof.theory.rotary.layers import layer_kinds
    from ropeproof.theory.rotary.presets import PRESETS
    from ropeproof.theory.rotary.released import RELEASED

    grid = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))  # 80 columns
    for heading in ("preset", "model", "head_dim", "rotary_dim", "base", "scaling", "context"):
        grid.add_column(heading, no_wrap=True)
    for name, preset in PRESETS.items():
        spec = preset.spec
        scaling = "none" if spec.scaling is None else type(spec.scaling).__name__.lower()
        numbers = (spec.head_dim, spec.rotary_dim, spec.base, scaling, preset.context)
        grid.add_row(name, preset.model, *map(str, numbers))
    for name, model in RELEASED.items():
        for number, (spec, _) in enumerate(layer_kinds(model.to_config())):
            if not spec.rotary_dim:
                continue  # the other layers of a model some of whose layers rotate
            scaling = "none" if spec.scaling is None else type(spec.scaling).__name__.lower()
            numbers = (spec.head_dim, spec.rotary_dim, spec.base, scaling, model.context)
            shown = (name, model.model) if number == 0 else ("", "")
            grid.add_row(*shown, *map(str, numbers))
    console().print(grid)
