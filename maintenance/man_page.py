"""The manual page of the command, written from its help texts.

python maintenance/man_page.py > ropeproof.1
"""

from __future__ import annotations

from typing import Any

import typer.main

import ropeproof
from ropeproof.cli import app


def escaped(text: str) -> str:
    """The text escaped for roff: no backslash, hyphen or leading dot in it is read as roff's own."""
    lines = (" ".join(text.replace("\b", "").split())).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + lines if lines[:1] in (".", "'") else lines


def entry(parameter: Any) -> list[str]:
    """The lines in roff for one option or argument, with its help."""
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        if not parameter.is_flag:
            name += f" {parameter.metavar or parameter.name.upper()}"
    text = getattr(parameter, "help", None) or ""
    return [".TP", f".B {escaped(name)}", escaped(text) or "\\&"]


command = typer.main.get_command(app)


def page() -> str:
    """The whole manual page in roff."""
    lines = [
        f'.TH ROPEPROOF 1 "" "ropeproof {ropeproof.__version__}"',
        *(".SH NAME", f"ropeproof \\- {escaped((command.help or '').rstrip('.'))}"),
        *(".SH SYNOPSIS", ".B ropeproof", ".I COMMAND", "[\\fIOPTION\\fR]..."),
        ".SH COMMANDS",
    ]
    context = typer.Context(command)  # type: ignore[arg-type]  # its own copy of Click
    for name in command.list_commands(context):
        sub = command.get_command(context, name)
        if sub.hidden:
            continue
        lines += [f'.SS "ropeproof {escaped(name)}"']
        lines += [
            line for part in (sub.help or "").split("\n\n") for line in (escaped(part), ".PP")
        ]
        lines += [line for each in sub.params if each.name != "help" for line in entry(each)]
        for under, one in getattr(sub, "commands", {}).items():
            lines += [f'.SS "ropeproof {escaped(name)} {escaped(under)}"']
            lines += [
                line for part in (one.help or "").split("\n\n") for line in (escaped(part), ".PP")
            ]
            lines += [line for each in one.params if each.name != "help" for line in entry(each)]
    lines += [
        ".SH SHELL COMPLETION",
        escaped("ropeproof --install-completion installs it for the shell that is running."),
        *(".TP", f".B {escaped('_ROPEPROOF_COMPLETE=source_SHELL ropeproof')}"),
        "Prints it for SHELL, one of bash, zsh and fish.",
        ".SH EXIT STATUS",
        *(".TP", ".B 0", "All is as expected."),
        *(".TP", ".B 1", "Something fails, survives or is found."),
        *(".TP", ".B 2", "Wrong usage."),
        *(".TP", ".B 3", "A file is not checked (lint)."),
        *(".TP", ".B 130", "Interrupted."),
        ".SH ENVIRONMENT",
        *(".TP", ".B ROPEPROOF_CACHE", "Folder of cached results; empty: nothing is cached."),
        *(".TP", ".B COLUMNS", "Width of tables, also in a pipe."),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
