"""Running the command line in this process: what a command prints, and its exit code."""

from __future__ import annotations

from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import RopeproofError

__all__ = ["RUNNER", "measure", "run"]

RUNNER = CliRunner()


def run(*args: str) -> tuple[int, str]:
    """The exit code and the output of a command; a refusal gives 2 and its message."""
    result = RUNNER.invoke(app, list(args))
    if isinstance(result.exception, RopeproofError):
        return 2, str(result.exception)
    return result.exit_code, result.output


def measure(*arguments: object) -> str:
    """The output of `ropeproof measure` on 12 tokens without verdicts; an error is raised."""
    some = ["measure", *map(str, arguments), "--jobs", "1", "--length", "12", "--no-verdicts"]
    result = RUNNER.invoke(app, some)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout
