"""The promises of a page: shell commands, calls in Python, and tables with the command that makes them."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["PAGES", "ROOT", "Table", "calls", "commands", "options_of", "placeholders", "tables"]

ROOT = Path(__file__).resolve().parents[3]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "topics").glob("*.md")),
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
]
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", flags=re.S | re.M)
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_SHELL = ("", "bash", "console", "sh", "shell")
_PROGRAM = re.compile(r"^(?:\S*/)?(ropeproof|pytest|python3?)$")


def spans(text: str) -> Iterator[str]:
    """The spans of inline code on a page, each on one line, without code blocks."""
    for match in _SPAN.finditer(_FENCE.sub("", text)):
        yield " ".join(match[1].split())


def commands(text: str) -> list[list[str]]:
    """The commands of `ropeproof`, `pytest` and `python FILE` on a page, as words: the program first.

    They are the lines of shell blocks and the code spans that begin with one of these programs.
    """
    lines = [
        line.removeprefix("$ ").strip()
        for kind, block in _FENCE.findall(text)
        if kind in _SHELL
        for line in re.sub(r"\\?\n\s+", " ", block).splitlines()
    ]
    found = []
    for line in [*lines, *spans(text)]:
        for part in re.split(r"\s(?:&&|\||;)\s", line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:  # no command but a text with a quotation mark
                continue
            while words and re.match(r"^[A-Z_]+=", words[0]):  # variables of the environment
                words = words[1:]
            if ">" in words:
                words = words[: words.index(">")]
            words = [word for word in words if word[:1] != "[" and word[-1:] != "]"]
            match = _PROGRAM.match(words[0]) if words else None
            if match is not None:
                name = "python" if match[1].startswith("python") else match[1]
                if name == "python" and words[1:3] == ["-m", "ropeproof"]:
                    name, words = "ropeproof", words[2:]
                found.append([name, *words[1:]])
    return found


def calls(text: str) -> list[ast.Call]:
    """The code spans of a page that are one call in Python."""
    found = []
    for span in spans(text):
        try:
            tree = ast.parse(span, mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if isinstance(tree, ast.Call):
            found.append(tree)
    return found


class Table(NamedTuple):
    """A table of results on a page: its page, heading, first row and the text that belongs to it."""

    page: Path
    heading: str
    first: str
    text: str


def tables(page: Path) -> list[Table]:
    """The tables of a page with at least six cells that are only numbers.

    The text that belongs to a table is that of its section, and what stands before the first section.
    """
    # A comment in a block of code is no heading.
    text = _FENCE.sub(lambda m: m[0].replace("\n#", "\n #"), page.read_text(encoding="utf-8"))
    parts = re.split(r"^(#+ .*)$", text, flags=re.M)
    top, before, found = "", "", []
    for place in range(1, len(parts), 2):
        heading, body = parts[place], parts[place + 1]
        level = len(heading) - len(heading.lstrip("#"))
        before = body if level <= 2 else before + body
        if level == 1:
            top = body
        for block in re.findall(r"(?:^\|.*\n)+", body, flags=re.M):
            rows = block.strip().splitlines()
            cells = [cell.strip().strip("*` ") for row in rows[2:] for cell in row.split("|")]
            numbers = [c for c in cells if re.fullmatch(r"[-+]?[\d.,]+(?:e[-+]?\d+)?\s?%?", c)]
            if len(numbers) >= 6:
                found.append(Table(page, heading, rows[0], top + before))
    return found


def options_of(script: Path) -> set[str]:
    """The options that a program and the modules beside it define, as texts that begin with a dash."""
    seen: set[Path] = set()
    todo, found = [script], set()
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", node.value))
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{a.name}" for a in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                beside = script.parent.joinpath(*name.split("."))
                todo += [beside.with_suffix(".py"), beside / "__init__.py"]
    return found


def placeholders(words: list[str]) -> list[str]:
    """The words in a command that stand for the reader's own: `FILE`, `DIR`, `...` and the like."""
    return [
        word
        for word in words
        if re.fullmatch(r"[A-Z_\[\].:]*[A-Z.]{2,}[A-Z_\[\].:]*|\.{3}|ID|…", word)
    ]
