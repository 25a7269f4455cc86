"""The rules of the house, checked on the sources."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
from pathlib import Path

import pytest
from sympy.core.function import UndefinedFunction

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ["theory", "numerics", "constructions", "proofs_check"]
FILES = [p for floor in FLOORS for p in sorted((ROOT / floor).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """The floors that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    assert not {name.split(".")[0] for name in names} & set(FLOORS), (
        f"{path}: ropeproof. is missing"
    )
    return {name.split(".")[1] for name in names if name.startswith("ropeproof.")}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_imports_upwards(path):
    floor = FLOORS.index(path.relative_to(ROOT).parts[0])
    assert not imported(path) & set(FLOORS[floor + 1 :])


def test_the_tests_run_on_the_installed_packages_with_every_subpackage():
    for floor in FLOORS:
        folder = Path(importlib.import_module(f"ropeproof.{floor}").__file__ or "").parent
        assert (folder.parent / "py.typed").is_file()
        mine = {p.relative_to(ROOT / floor) for p in (ROOT / floor).rglob("*.py")}
        installed = {p.relative_to(folder) for p in folder.rglob("*.py")}
        assert mine <= installed


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_public_names_are_documented_and_listed(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(f"ropeproof.{name}")
    assert module.__doc__, f"{name} has no docstring"
    for public in getattr(module, "__all__", []):
        thing = getattr(module, public)
        if isinstance(thing, UndefinedFunction):
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, f"{name}.{public} has no docstring"


def test_readme_opens_with_two_commands_which_ci_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split("```bash\n", 1)[1].split("```", 1)[0].strip().splitlines()
    assert len(block) == 2
    assert block[0].endswith("ropeproof check")
    assert block[1].endswith("pytest")
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "README.md" in script
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_readmes_code_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in text.split("```python\n")[1:]:
        exec(block.split("```", 1)[0], names)
    logits = names["logits"]
    assert abs(float(logits[1, 0] - logits[4, 3])) < 1e-12  # one lag, other tokens
    assert abs(float(logits[1, 0] - logits[2, 0])) > 1e-3
    promised = names["certificate"].quantities["score"]
    assert 0.9 <= promised <= float(names["attention"].diagonal(-1).min())


def test_the_kernel_stays_small():
    lines = sum(
        len(p.read_text().splitlines()) for p in (ROOT / "proofs_check/kernel").glob("*.py")
    )
    assert lines < 2860
