"""A static check that tests ask (`needs.py`) before they import or run what may not be installed.

`unasked` finds an import of a package that neither Python nor the extra `test` has, whether the file imports
it itself, in a helper, in a module of `ropeproof` or in an example, and a program in a list that is run,
unless `needs.py` was asked for it before; and every skip that goes around `needs.py`. It does not see what a
function of `ropeproof` imports when it is called: such a test fails where the package is missing, as in the
first environment of `.ci/run`.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from needs import EXTRAS, ROOT, requirement_name
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from programs import PROGRAMS

__all__ = ["brought", "unasked"]

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_PLACES = [ROOT / folder for folder in _PROJECT["tool"]["pytest"]["ini_options"]["pythonpath"]]
_SCRIPTS = ("examples", "experiments", "maintenance")
"""Folders of scripts, which tests put on the path, too."""
_PLACES += [ROOT / folder for folder in _SCRIPTS]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_RUNS = {f"subprocess.{way}" for way in ("run", "Popen", "call", "check_call", "check_output")}
_AROUND = {"pytest.importorskip", "pytest.mark.skipif", "pytest.mark.skip", "shutil.which"}
_ENDS = {name.rpartition(".")[2] for name in _RUNS | _AROUND}
"""The last parts of these names: no other name is written out to be compared with them."""


@cache
def brought(extra: str) -> frozenset[str]:
    """The top-level modules that Python and an installation with an extra have.

    The requirements of requirements are those of what is installed here, which is the extra at least.
    """
    owners: dict[str, set[str]] = {}
    for module, distributions in metadata.packages_distributions().items():
        for name in distributions:
            owners.setdefault(canonicalize_name(name), set()).add(module)
    waiting = [*_requirements(extra), *map(Requirement, _PROJECT["project"]["dependencies"])]
    seen: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        for of in ("", *wanted.extras):
            if f"{name}[{of}]" not in seen:
                seen.add(f"{name}[{of}]")
                waiting += _required_by(name, of)
    modules = {module for key in seen for module in owners.get(key.partition("[")[0], ())}
    return frozenset({*modules, *sys.stdlib_module_names, "ropeproof"})


def _requirements(extra: str) -> Iterator[Requirement]:
    """The requirements of an extra of this project, with those of the extras that it names."""
    for requirement in EXTRAS[extra]:
        if requirement_name(requirement) == "ropeproof":
            for other in Requirement(requirement).extras:
                yield from _requirements(other)
        else:
            yield Requirement(requirement)


def _required_by(distribution: str, extra: str) -> list[Requirement]:
    """The requirements of an installed distribution with one of its extras, or, for "", without."""
    try:
        wanted = [Requirement(text) for text in metadata.requires(distribution) or ()]
    except metadata.PackageNotFoundError:
        return []
    return [r for r in wanted if r.marker is None or r.marker.evaluate({"extra": extra})]


def unasked(path: Path, text: str | None = None) -> list[str]:
    """The imports, programs and skips of a test file that bypass `needs.py`, each with its line.

    `text` replaces the file's content.
    """
    text = path.read_text(encoding="utf-8") if text is None else text
    return [f"line {line}: {what}" for line, what in sorted(set(_Reader(text).found()))]


class _Reader:
    """Reads one test file: the scopes around each of its nodes, and what they have asked for.

    A module whose file the text names is one that the test writes itself.
    """

    def __init__(self, text: str) -> None:
        self.text, self.tree = text, ast.parse(text)
        self.marks = {
            node.targets[0].id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }

    def found(self) -> Iterator[tuple[int, str]]:
        for node, scopes in _with_scopes(self.tree):
            if _around(node):
                yield (
                    node.lineno,
                    f"{ast.unparse(getattr(node, 'func', node))} in place of needs.py",
                )
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if f"{node.module}.{alias.name}" in _AROUND:
                        yield node.lineno, f"{alias.name} in place of needs.py"
            for kind, name in _taken(node):
                if f"{name}.py" not in self.text and name not in self._asked(kind, node, scopes):
                    yield node.lineno, f"{kind} {name} without asking needs.py"

    def _asked(self, kind: str, node: ast.AST, scopes: tuple[ast.AST, ...]) -> set[str]:
        """The modules or programs that were asked for before a node is reached."""
        inside = any(isinstance(scope, _FUNCTIONS) for scope in scopes)
        last = sys.maxsize if inside else node.lineno
        names = _asked_in(self.tree, kind, last)
        if inside:
            names |= _of_mark(self.marks.get("pytestmark"), kind, self.marks)
        for scope in scopes:
            for mark in getattr(scope, "decorator_list", ()):
                names |= _of_mark(mark, kind, self.marks)
            names |= _asked_in(scope, kind, node.lineno)
        return names


def _with_scopes(tree: ast.Module) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """Yield each node with the functions and classes around it, without code for types only."""
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        node, scopes = waiting.pop()
        yield node, scopes
        inner = (*scopes, node) if isinstance(node, _SCOPES) else scopes
        for child in ast.iter_child_nodes(node):
            if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
                waiting.append((child, inner))


def _around(node: ast.AST) -> bool:
    """Whether a node skips, or looks for a program, without going through `needs.py`."""
    if isinstance(node, ast.Call):
        return _called(node) == "skip" and ast.unparse(node.func) == "pytest.skip"
    return isinstance(node, ast.Attribute) and node.attr in _ENDS and ast.unparse(node) in _AROUND


def _called(call: ast.Call) -> str:
    """The last part of the name of the called function."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _texts(nodes: list[ast.expr]) -> list[str]:
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _asked_in(scope: ast.AST, kind: str, last: int) -> set[str]:
    """What a scope's own statements, outside its inner functions, ask for up to a line."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(getattr(scope, "body", ()))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _SCOPES):
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and node.lineno <= last:
            wanted = {"imports": "need", "runs": "need_program"}[kind]
            if _called(node) == wanted:
                names |= {name.partition(".")[0] for name in _texts(node.args[:1])}
    return names


def _of_mark(mark: ast.expr | None, kind: str, marks: dict[str, ast.expr]) -> set[str]:
    """What a mark asks for, given as the mark, a name for one, or a list of marks."""
    if isinstance(mark, ast.Name):
        return _of_mark(marks.get(mark.id), kind, {})
    if isinstance(mark, ast.List | ast.Tuple):
        return {name for one in mark.elts for name in _of_mark(one, kind, marks)}
    if not isinstance(mark, ast.Call) or _called(mark) != "needs":
        return set()
    if kind == "runs":
        return set(_texts([word.value for word in mark.keywords if word.arg == "program"]))
    return {name.partition(".")[0] for name in _texts(mark.args)}


def _taken(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The packages that a statement imports, directly or by a file of ours, and the program that it runs."""
    for name in _imported(node):
        yield from (("imports", package) for package in sorted(_foreign(name)))
    if not isinstance(node, ast.Call):
        return
    if _called(node) in ("load_example", "run_path"):
        for text in (c.value for c in ast.walk(node) if isinstance(c, ast.Constant)):
            for folder in _SCRIPTS:
                script = ROOT / folder / f"{Path(str(text)).stem}.py"
                if script.is_file():
                    yield from (("imports", package) for package in sorted(_loads(script)))
    if (
        node.args
        and isinstance(node.args[0], ast.List | ast.Tuple)
        and _called(node) in _ENDS
        and ast.unparse(node.func) in _RUNS
    ):
        for text in _texts(node.args[0].elts[:1]):
            program = Path(text).name
            yield (
                "runs",
                next((p for p, (names, _) in PROGRAMS.items() if program in names), program),
            )


def _imported(node: ast.AST) -> list[str]:
    """The full names of the modules that a statement imports; a name imported from one may be one, too."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
        return _texts(node.args[:1])
    return []


def _foreign(name: str) -> set[str]:
    """The packages outside the extras of the tests that importing a module loads."""
    own = _files(name)
    if own:
        return {package for file in own for package in _loads(file)}
    first = name.partition(".")[0]
    return set() if first in brought("test") else {first}


@cache
def _files(name: str) -> list[Path]:
    """The files of this project that importing a module loads: its own and those of its packages."""
    parts = name.split(".")
    if parts[0] == "ropeproof":
        if len(parts) == 2 and parts[1] in _public():
            return _files(_public()[parts[1]])
        roots, parts = [ROOT], parts[1:]
    else:
        roots = _PLACES
    for root in roots:
        place, found = root, []
        for part in parts:
            place = place / part
            if place.with_suffix(".py").is_file():
                found.append(place.with_suffix(".py"))
                break
            if not place.is_dir():
                break
            if (place / "__init__.py").is_file():
                found.append(place / "__init__.py")
        if found or (root == ROOT and parts == []):
            return found
    return []


@cache
def _public() -> dict[str, str]:
    """The public names of `ropeproof` and the module that each loads on first use."""
    return {
        alias.name: str(node.module)
        for node in _tree(ROOT / "ropeproof/__init__.pyi").body
        if isinstance(node, ast.ImportFrom) and node.module != "ropeproof"
        for alias in node.names
    }


@cache
def _loads(file: Path) -> frozenset[str]:
    """The packages outside the extras of the tests that a file loads when it is imported."""
    seen: set[Path] = set()
    waiting = [file]
    packages: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            files, foreign = _loads_itself(path)
            waiting += files
            packages |= foreign
    return frozenset(packages)


@cache
def _loads_itself(path: Path) -> tuple[frozenset[Path], frozenset[str]]:
    """The project's files, and the packages outside the tests' extras, that a file itself imports."""
    tree = _tree(path)
    files: set[Path] = set()
    packages: set[str] = set()
    for node in _at_once(tree):
        for name in _imported(node):
            own = _files(name)
            files.update(own)
            first = name.partition(".")[0]
            if not own and first not in brought("test"):
                packages |= {first} - _asked_in(tree, "imports", node.lineno)
    return frozenset(files), frozenset(packages)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _at_once(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes that run when a file is imported, and are not guarded against an `ImportError`.

    Left out are functions and what is for types alone.
    """
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif isinstance(node, ast.Try) and "ImportError" in "".join(
            ast.unparse(handler.type) for handler in node.handlers if handler.type
        ).replace("ModuleNotFoundError", "ImportError"):
            waiting += [*node.orelse, *node.finalbody]
        elif not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            yield node
            waiting += ast.iter_child_nodes(node)
