"""The exit code of a command that refused a claim of a user's file and went on with the others."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from ropeproof.proofs_check.run import refused
from ropeproof.tools.console.folding import echo_folded

__all__ = ["CommandGroup"]


class CommandGroup(TyperGroup):
    """The commands of `ropeproof`, each of which prints a line for every claim that it refused.

    If there are any, the exit status is 2, unless the command ends with another than 0: 1 if a
    claim that was checked fails.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command and report the claims that it refused."""
        with refused.command():
            try:
                result = super().invoke(ctx)
            except typer.Exit as leaving:
                if _told() and not leaving.exit_code:
                    raise typer.Exit(2) from None
                raise
            except BaseException:
                _told()
                raise
            if _told():
                raise typer.Exit(2)
            return result


def _told() -> bool:
    """Print the claims that were refused, and return whether there are any."""
    found = refused.asked_for()
    for refusal in found:
        echo_folded(f"ropeproof: {refusal}", err=True)
    return bool(found)
