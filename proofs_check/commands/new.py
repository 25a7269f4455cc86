"""`ropeproof new`: a commented file with one true claim, to start from."""

from __future__ import annotations

from typing import Annotated

import typer

from ropeproof.tools.console.folding import echo_folded

__all__ = ["new_command"]


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
