"""How a command ends that had to refuse a claim of a user's file and went on with the others."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from ropeproof.proofs_check.console.folded import echo_folded
from ropeproof.proofs_check.run import refused

__all__ = ["CommandGroup"]


class CommandGroup(TyperGroup):
    """The commands of `ropeproof`: each tells of the claims that it refused, in a line for each.

    Where there are some the exit status is 2, unless the command ends with another than 0: 1 where a
    claim that was looked at fails.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
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
    """Print the claims that were refused, where a file with some was read; whether there are any."""
    found = refused.asked_for()
    for refusal in found:
        echo_folded(f"ropeproof: {refusal}", err=True)
    return bool(found)
