"""The tests of this folder, and what they share, compute what claims say without any code of the project."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.glob("*.py"))
ALLOWED = {"mpmath", "numpy", "oracle_values", "pytest", "scipy", *sys.stdlib_module_names}
PROJECT = "rope" + "proof"


def packages(tree: ast.Module) -> set[str]:
    """The top-level packages that a file imports, by a statement or by a name in a string."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("" if node.level else (node.module or "").partition(".")[0])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            whole = node.value.strip()
            if whole.partition(".")[0] == PROJECT:
                found.add(PROJECT)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_oracle_imports_the_project(path):
    """An oracle that shared the project's code would share its mistakes."""
    assert packages(ast.parse(path.read_text(encoding="utf-8"))) <= ALLOWED


@pytest.mark.parametrize(
    "text",
    [f"import {PROJECT}.theory", f"from {PROJECT} import theory", f"load('{PROJECT}.theory')"],
)
def test_an_import_of_the_project_is_seen(text):
    assert PROJECT in packages(ast.parse(text))


def test_an_import_from_a_file_beside_it_is_seen():
    assert packages(ast.parse("from . import helpers")) == {""}
