"""The command line in this process: what a command prints, and the code it ends with."""

from __future__ import annotations

from typer.testing import CliRunner

from ropeproof.proofs_check.cli import app
from ropeproof.theory.errors import RopeproofError

__all__ = ["RUNNER", "run"]

RUNNER = CliRunner()


def run(*args: str) -> tuple[int, str]:
    """The exit code and the output; a refusal is 2 and its message."""
    result = RUNNER.invoke(app, list(args))
    if isinstance(result.exception, RopeproofError):
        return 2, str(result.exception)
    return result.exit_code, result.output
