"""The command `ropeproof`. Exit 0: all as expected; 1: something fails or survives; 2: usage.

Where a claim of a user's file had to be refused and all others are as expected, it is 2 as well.

`COMMANDS` lists every command and where it is; a command's module is imported when it is called, or
when help lists them all.
"""

from __future__ import annotations

import errno
import inspect
import io
import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, get_type_hints

import typer

import ropeproof
from ropeproof.proofs_check.commands.group import CommandGroup
from ropeproof.theory.errors import RopeproofError
from ropeproof.theory.extras import explained
from ropeproof.tools.console import checkout, interrupt, options, progress
from ropeproof.tools.console.folding import echo_folded

__all__ = ["COMMANDS", "app", "main"]

COMMANDS = {
    "check": "proofs_check.commands.check:check_command",
    "list": "proofs_check.commands.list_claims:list_command",
    "show": "proofs_check.commands.show:show_command",
    "errata": "proofs_check.commands.errata:errata_command",
    "graph": "proofs_check.commands.graph:graph_command",
    "coverage": "proofs_check.commands.coverage:coverage_command",
    "docs": "proofs_check.commands.docs:docs_command",
    "try": "proofs_check.commands.try_file:try_command",
    "budget": "tools.budget.command:budget_command",
    "measure": "tools.measure.command:measure_command",
    "compare": "tools.compare.command:compare_command",
    "certificate": "tools.certificate.command:certificate_app",
    "conform": "tools.conform.command:conform_command",
    "golden": "tools.conform.golden.command:golden_command",
    "assess": "tools.assess.command:assess_command",
    "serve": "tools.assess.command:serve_command",
    "lint": "tools.lint.command:lint_command",
    "diff": "tools.lint.diff_command:diff_command",
    "export": "proofs_check.commands.export:export_command",
    "new": "proofs_check.commands.new:new_command",
    "find": "proofs_check.commands.find:find_command",
    "rules": "proofs_check.commands.rules:rules_command",
    "presets": "tools.presets:presets_command",
}
"""Each command's function, or its group of commands, as `module:name` below `ropeproof`."""

_Quiet = Annotated[
    bool, typer.Option("--quiet", help="Say nothing of the progress on standard error.")
]

_GIVEN = {"conform": ("give_prover", "proofs_check.programs.proving:prove_rotation")}
"""What a command's module is given by one of its functions: code of a package that it may not import."""

_HIDDEN = frozenset({"serve"})
"""Former names of commands, which help does not list."""


class _Commands(CommandGroup):
    """The commands of `COMMANDS`, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order in which help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, whose module is imported now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        return self.commands[cmd_name]


def _loaded(name: str) -> Any:
    module, _, attribute = COMMANDS[name].partition(":")
    home = import_module(f"ropeproof.{module}")
    found = getattr(home, attribute)
    if name in _GIVEN:
        function, target = _GIVEN[name]
        getattr(home, function)(_later(target))
    if isinstance(found, typer.Typer):
        for one in found.registered_commands:
            if one.callback is not None:
                one.callback = _heard(one.callback, f"{name} {one.name}")
        group = typer.main.get_group(found)
        group.name = name
        return group
    alone = typer.Typer(
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    # A paragraph of help is folded at the terminal's width alone.
    alone.command(name, hidden=name in _HIDDEN, help=options.unfolded(found))(_heard(found, name))
    return typer.main.get_command(alone)


def _later(target: str) -> Callable[..., Any]:
    """A function by its `module:name` below `ropeproof`, imported when it is called."""

    def call(*args: Any, **kwargs: Any) -> Any:
        module, _, attribute = target.partition(":")
        return getattr(import_module(f"ropeproof.{module}"), attribute)(*args, **kwargs)

    return call


def _heard(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A command's function with the option `--quiet`, under whose name its progress is told."""
    signature = inspect.signature(function)
    if "quiet" in signature.parameters:
        return function

    @wraps(function)
    def heard(*, quiet: bool, **given: Any) -> Any:
        progress.named(name)
        progress.be_quiet(quiet)
        return function(**given)

    hints = {**get_type_hints(function, include_extras=True), "quiet": _Quiet}
    option = inspect.Parameter("quiet", inspect.Parameter.KEYWORD_ONLY, default=False)
    heard.__signature__ = signature.replace(  # type: ignore[attr-defined]  # typer reads it
        parameters=[
            p.replace(annotation=hints.get(p.name, p.annotation))
            for p in (*signature.parameters.values(), option)
        ]
    )
    heard.__annotations__ = hints
    return heard


app = typer.Typer(
    cls=_Commands,
    add_completion=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Executable proofs about rotary position embedding in attention.",
)


_UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why an output that was open cannot be written."""


def main() -> None:
    """Entry point: turns the project's own errors into exit code 2 and one line.

    So is an output that cannot be written, as on a full disk; a reader who has gone is none.
    """
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in _UNWRITTEN:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        echo_folded(f"ropeproof: the output cannot be written: {error.strerror}", err=True)
        sys.exit(2)


def _run() -> None:
    """Run the command that was typed, and say the project's own errors."""
    # SymPy, which reads this as it is imported, remembers a thousand terms; a catalogue has more.
    os.environ.setdefault("SYMPY_CACHE_SIZE", "None")
    for stream in (sys.stdout, sys.stderr):  # what the encoding of a terminal has not is escaped
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with interrupt.listening(), progress.lines():
            checkout.tell_of_other_checkout()
            app()
    except RopeproofError as error:
        notes = (f"  {note}" for note in getattr(error, "__notes__", ()))
        for line in (*f"ropeproof: {error}".splitlines(), *notes):
            echo_folded(line, err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        missing = explained(error)
        if missing is None:
            raise
        echo_folded(f"ropeproof: {missing}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        interrupt.tell()
        interrupt.settle()
        sys.exit(interrupt.CODE)
    except SystemExit as leaving:
        if leaving.code == interrupt.CODE:  # as an interrupt comes out of a command
            interrupt.tell()
            interrupt.settle()
        raise


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ropeproof {ropeproof.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Options of `ropeproof` itself, which stand before a command."""
