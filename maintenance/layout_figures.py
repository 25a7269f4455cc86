"""Figures of the source tree: lines and files, folder sizes, import lists, names with two meanings.

    python maintenance/layout_figures.py [--longest 5]

Lines are non-blank lines of Python. A folder's entries are its files and folders but `__init__.py`.
The names that a file imports are those of its import statements at the top level which it does not pass
on in `__all__`; what is counted is names of this project, and in `theory` names of other packages, too.
"""

from __future__ import annotations

import argparse
import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ropeproof import CLAIMS

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("theory", "numerics", "constructions", "tools", "proofs_check")
STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
"""What an import may stand in: no expression."""
OTHERS = ("tests", "examples", "experiments", "maintenance", "benchmarks", "docs")


def lines(path: Path) -> int:
    """The number of non-blank lines of a file."""
    return sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())


def sources(top: str) -> list[Path]:
    """The Python files below a folder at the root of the repository."""
    return sorted((ROOT / top).rglob("*.py"))


def entries(top: str) -> Iterator[tuple[int, str]]:
    """Yield the number of entries and the path of each folder below `top`."""
    for folder in (ROOT / top, *(ROOT / top).rglob("*/")):
        if folder.is_dir() and folder.name != "__pycache__":
            names = {p.name for p in folder.iterdir()} - {"__init__.py", "__pycache__"}
            yield len(names), folder.relative_to(ROOT).as_posix()


def imported(path: Path) -> int:
    """The number of names that a file imports for its own use."""
    everything = path.is_relative_to(ROOT / "theory")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    passed_on = {
        node.value
        for statement in body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__"
        for node in ast.walk(statement.value)
        if isinstance(node, ast.Constant)
    }
    names = [
        alias.asname or alias.name
        for statement in body
        if isinstance(statement, ast.Import | ast.ImportFrom)
        and (everything or (getattr(statement, "module", None) or "").startswith("ropeproof"))
        for alias in statement.names
    ]
    return sum(name not in passed_on for name in names)


def public_classes() -> dict[str, list[str]]:
    """The files of the packages that define a public class, by the class's name."""
    found: dict[str, list[str]] = {}
    for path in (p for floor in FLOORS for p in sources(floor)):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    return found


def module_name(path: Path) -> str:
    """The name under which a file of the packages is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("ropeproof", *parts)).removesuffix(".__init__")


def imported_modules(path: Path, modules: set[str], *, types: bool) -> set[str]:
    """The modules that a file imports, also inside functions; with `types`, also those for types alone."""
    found: set[str] = set()
    for module, names, for_types in imports(path):
        if types or not for_types:
            below = {f"{module}.{name}" for name in names} if module else set(names)
            found |= below & modules or {module} & modules
    return found


@cache
def imports(path: Path) -> list[tuple[str, tuple[str, ...], bool]]:
    """The imports anywhere in a file: the module, empty for `import`, the names, and if for types alone."""
    found = []
    waiting: list[tuple[ast.AST, bool]] = [
        (node, False) for node in ast.parse(path.read_text(encoding="utf-8")).body
    ]
    while waiting:
        node, for_types = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = str(node.module) if isinstance(node, ast.ImportFrom) else ""
            found.append((module, tuple(alias.name for alias in node.names), for_types))
            continue
        marked = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        other = node.orelse if isinstance(node, ast.If) else []
        waiting += (
            (n, for_types or (marked and n not in other))
            for n in ast.iter_child_nodes(node)
            if isinstance(n, STATEMENTS)
        )
    return found


def circles(*, types: bool) -> list[list[str]]:
    """The circles of imports: groups of files each of which reaches all others of its group."""
    paths = {module_name(path): path for floor in FLOORS for path in sources(floor)}
    numbers = {name: number for number, name in enumerate(paths)}
    arrows = [
        (numbers[name], numbers[other])
        for name, path in paths.items()
        for other in imported_modules(path, set(paths), types=types)
        if other != name
    ]
    ends = np.array(arrows).T
    graph = csr_array((np.ones(len(arrows)), (ends[0], ends[1])), shape=(len(paths),) * 2)
    _, labels = connected_components(graph, directed=True, connection="strong")
    groups: dict[int, list[str]] = defaultdict(list)
    for name, label in zip(paths, labels, strict=True):
        groups[int(label)].append(name)
    return sorted((sorted(group) for group in groups.values() if len(group) > 1), key=len)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--longest", type=int, default=5, help="How many import lists are shown.")
    longest = parser.parse_args().longest

    print(f"{'':15}{'files':>6}{'lines':>8}{'folders':>9}  largest folder")
    for top in (*FLOORS, *OTHERS):
        files = sources(top)
        sizes = sorted(entries(top), reverse=True)
        size, where = sizes[0]
        total = sum(map(lines, files))
        print(f"{top:15}{len(files):6}{total:8,}{len(sizes):9}  {where} ({size})")

    in_theory = sum(map(lines, sources("theory")))
    in_topics = sum(map(lines, sources("theory/topics")))
    print(
        f"\n{len(CLAIMS)} claims; lines a claim: {in_theory / len(CLAIMS):.0f} in theory/, ", end=""
    )
    print(f"{in_topics / len(CLAIMS):.0f} in theory/topics")

    files = [p for floor in FLOORS for p in sources(floor) if p.name != "__init__.py"]
    counted = sorted(((imported(p), p.relative_to(ROOT).as_posix()) for p in files), reverse=True)
    print(f"\nfiles that import more than 20 names: {sum(n > 20 for n, _ in counted)}; the most:")
    for count, path in counted[:longest]:
        print(f"{count:6}  {path}")

    print(f"\ncircles of imports as the program runs: {len(circles(types=False))}; for types too:")
    for group in circles(types=True):
        print(f"  {', '.join(name.removeprefix('ropeproof.') for name in group)}")

    classes = public_classes()
    several = {name: where for name, where in classes.items() if len(where) > 1}
    print(f"\n{len(classes)} public class names, of which {len(several)} stand for several classes")
    for name, where in several.items():
        print(f"  {name}: {', '.join(where)}")


if __name__ == "__main__":
    main()
