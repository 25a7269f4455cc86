"""Searching Python code for defaults of a base or a scaling that a configuration may state elsewhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["Lead", "leads"]

_NAMES = frozenset(
    {"rope_theta", "rope_scaling", "rope_parameters", "rotary_emb_base", "rope_type"}
)
_IGNORE = re.compile(r"#\s*ropeproof:\s*ignore\[([^\]]*)\]")
_MOST_BYTES = 4 << 20
ID = "source-default"


class Lead(NamedTuple):
    """A place in a source file where a default value may hide the one in the configuration."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {ID} {self.message}"


def leads(folder: Path) -> list[Lead]:
    """The leads in the Python files of a folder, or in one file; links out of it are not followed."""
    inside = folder.resolve()
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
    found = []
    for file in files:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            continue
        if folder.is_dir() and not file.resolve().is_relative_to(inside):
            continue
        found += _of(file)
    return found


def _of(file: Path) -> list[Lead]:
    try:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lines, found = text.splitlines(), []
    for node in ast.walk(tree):
        told = _default(node)
        if told is None:
            continue
        line, column = node.lineno, node.col_offset + 1  # type: ignore[attr-defined]
        ignored = _IGNORE.search(lines[line - 1])
        if ignored is None or ID not in {part.strip() for part in ignored[1].split(",")}:
            found.append(Lead(str(file), line, column, told))
    return sorted(found)


def _default(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = 1 if name == "getattr" else 0
    if name not in ("getattr", "get", "pop", "setdefault") or len(node.args) != first + 2:
        return None
    key, value = node.args[first], node.args[first + 1]
    if not isinstance(key, ast.Constant) or key.value not in _NAMES:
        return None
    if isinstance(value, ast.Constant) and value.value is None and key.value == "rope_theta":
        return None  # nothing is put in its place
    return f"{key.value} has the default {ast.unparse(value)[:40]}; it may stand in rope_parameters"
