"""What `numerics` defines has a user, or is the numerical side of a claim.

A user is a public name, a tool, a construction, the checker without its evidence, an example, an experiment,
a benchmark, or code on a page of `docs`. The numerical side of a claim is what registered evidence calls, or
what `maintenance/bounds.md` lists as compiled from a claim or compared with one. What only tests call is
neither.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from bound_sources import LISTED, functions

ROOT = Path(__file__).resolve().parents[2]
USERS = ("tools", "constructions", "proofs_check", "examples", "experiments", "benchmarks", "docs")
EVIDENCE = ROOT / "proofs_check/evidence"

Name = tuple[str, str]
"""A module and a name that it defines."""


def _files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("ropeproof", *parts)).removesuffix(".__init__")


def _imported(tree: ast.AST) -> dict[str, tuple[str, str]]:
    """What each name of a file is imported as, anywhere in it: its module and its name there."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name.rpartition(".")[::2]
                    if alias.asname
                    else ("", alias.name.partition(".")[0])
                )
    return found


def _defined(tree: ast.Module) -> dict[str, ast.stmt]:
    """The statements that define names at the top of a file."""
    found: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
            found |= {name.id: node for name in names}
    found.pop("__all__", None)
    return found


@dataclass(frozen=True)
class Code:
    """Modules by name: what each defines, and what it imports."""

    defined: Mapping[str, Mapping[str, ast.stmt]]
    imported: Mapping[str, Mapping[str, tuple[str, str]]]

    @classmethod
    def of(cls, trees: Mapping[str, ast.Module]) -> Code:
        return cls(
            {name: _defined(tree) for name, tree in trees.items()},
            {name: _imported(tree) for name, tree in trees.items()},
        )

    def where(self, module: str, name: str) -> Name | None:
        """Where what a module calls `name` is defined; a module itself is `(module, "")`."""
        for _ in range(9):
            if name in self.defined.get(module, ()):
                return module, name
            if name not in self.imported.get(module, ()):
                break
            module, name = self.imported[module][name]
        whole = f"{module}.{name}".lstrip(".")
        return (whole, "") if whole in self.defined else None

    def named(
        self, node: ast.AST, taken: Mapping[str, tuple[str, str]], own: str = ""
    ) -> set[Name]:
        """The definitions that a piece of code names; `taken` are its imports, `own` its module."""
        found: set[Name | None] = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                found.add(self._of(part.id, taken, own))
            elif isinstance(part, ast.Attribute):
                first, *rest = _dotted(part)
                place = self._of(first, taken, own)
                for name in rest:
                    if place is None or place[1]:
                        break
                    place = self.where(place[0], name)
                found.add(place)
        return {place for place in found if place is not None and place[1]}

    def _of(self, name: str, taken: Mapping[str, tuple[str, str]], own: str) -> Name | None:
        if name in self.defined.get(own, ()):
            return own, name
        return self.where(*taken[name]) if name in taken else None

    def reached(self, start: Iterable[Name]) -> set[Name]:
        """All that some definitions name, and what those name, and so on."""
        found: set[Name] = set()
        waiting = list(start)
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                module, name = place
                waiting += self.named(self.defined[module][name], self.imported[module], module)
        return found

    def at_import(self, trees: Mapping[str, ast.Module]) -> set[Name]:
        """What statements name that run when a module is imported and define nothing."""
        quiet = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
        return {
            name
            for module, tree in trees.items()
            for node in tree.body
            if not isinstance(node, quiet)
            for name in self.named(node, self.imported[module], module)
        }

    def unused(self, start: Iterable[Name]) -> list[str]:
        used = self.reached(start)
        every = [(module, name) for module, own in self.defined.items() for name in own]
        return sorted(f"{module}.{name}" for module, name in set(every) - used)


def _dotted(node: ast.Attribute) -> list[str]:
    """The names of `a.b.c`; of another expression before the dots an empty one."""
    names = [node.attr]
    value = node.value
    while isinstance(value, ast.Attribute):
        names.append(value.attr)
        value = value.value
    return [value.id if isinstance(value, ast.Name) else "", *reversed(names)]


def _on_pages() -> Iterator[ast.Module]:
    """The Python code on pages, block by block, also that which is shown with prompts."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = page.read_text(encoding="utf-8")
        for block in re.findall(
            r"^```(?:python|pycon)[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE
        ):
            lines = block.splitlines()
            if ">>>" in block:
                lines = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
            try:
                yield ast.parse("\n".join(lines))
            except SyntaxError:  # a part of a file
                continue


def _public(code: Code) -> Iterator[Name]:
    """The definitions of numerics that are public names, or that a public module of it lists."""
    stub = ast.parse((ROOT / "ropeproof/__init__.pyi").read_text(encoding="utf-8"))
    for public in _imported(stub).values():
        place = code.where(*public)
        if place is not None and place[1]:
            yield place
        elif place is not None and place[0] != "ropeproof.numerics":
            listed = (code.where(place[0], n) for n in importlib.import_module(place[0]).__all__)
            yield from (each for each in listed if each is not None)


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {_module(p): ast.parse(p.read_text(encoding="utf-8")) for p in _files("numerics")}


@pytest.fixture(scope="module")
def code(trees: dict[str, ast.Module]) -> Code:
    return Code.of(trees)


@pytest.fixture(scope="module")
def users(code: Code, trees: dict[str, ast.Module]) -> set[Name]:
    """What is named outside of numerics, of tests and of evidence, or as a module is imported."""
    paths = [p for folder in USERS for p in _files(folder) if not p.is_relative_to(EVIDENCE)]
    others = [*(ast.parse(p.read_text(encoding="utf-8")) for p in paths), *_on_pages()]
    found = {name for tree in others for name in code.named(tree, _imported(tree))}
    return found | set(_public(code)) | code.at_import(trees)


@pytest.fixture(scope="module")
def of_claims(code: Code) -> set[Name]:
    """What evidence names, and what is compiled from a claim or compared with one."""
    trees = [ast.parse(p.read_text(encoding="utf-8")) for p in sorted(EVIDENCE.rglob("*.py"))]
    found = {name for tree in trees for name in code.named(tree, _imported(tree))}
    for source in functions():
        if source.name not in LISTED:
            found |= set(_places(code, source.name))
    return found


def _places(code: Code, name: str) -> Iterator[Name]:
    """Where a function or the class of a method is that `maintenance/bounds.md` lists."""
    parts = name.split(".")
    for home in ("ropeproof.numerics.bounds", "ropeproof.numerics.core"):
        for end in range(len(parts)):
            module = ".".join((home, *parts[:end]))
            if parts[end] in code.defined.get(module, ()):
                yield module, parts[end]


def test_what_numerics_defines_has_a_user_or_belongs_to_a_claim(code, users, of_claims):
    assert code.unused(users | of_claims) == []


def test_both_kinds_are_found(code, users, of_claims):
    """Otherwise the check would be of nothing: most has a user, some is there for a claim alone."""
    every = sum(map(len, code.defined.values()))
    with_users, alone = len(code.reached(users)), len(code.reached(of_claims) - code.reached(users))
    assert every > 1200
    assert with_users > 0.8 * every
    assert 20 < alone < 200


LIBRARY = """
from other import tool
LIMIT = 3
def used(): return helper(LIMIT)
def helper(x): return x
def alone(): return helper(LEVEL)
LEVEL = 2
"""


@pytest.mark.parametrize(
    "user",
    [
        "from lib.file import used\nused()",
        "import lib.file as f\nf.used()",
        "from lib import file\nfile.used()",
        "def f():\n    from lib import used\n    return used",
    ],
)
def test_a_definition_without_a_user_is_seen(user):
    code = Code.of({"lib": ast.parse("from lib.file import used"), "lib.file": ast.parse(LIBRARY)})
    tree = ast.parse(user)
    start = code.named(tree, _imported(tree))
    assert code.unused(start) == ["lib.file.LEVEL", "lib.file.alone"]


def test_a_name_that_is_only_imported_has_no_user():
    code = Code.of({"lib.file": ast.parse(LIBRARY)})
    tree = ast.parse("from lib.file import alone, used\nused()")
    assert "lib.file.alone" in code.unused(code.named(tree, _imported(tree)))
