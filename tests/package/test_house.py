"""The conventions for layout and names, checked on the sources."""

from __future__ import annotations

import ast
import graphlib
import importlib
import inspect
import os
import re
import runpy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from sympy.core.function import UndefinedFunction

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ["theory", "numerics", "constructions", "tools", "proofs_check"]
FILES = [p for floor in FLOORS for p in sorted((ROOT / floor).rglob("*.py"))]


@dataclass(frozen=True)
class Source:
    """What the tests here ask of a file: which floors it imports, what it loads, its classes and names.

    `loaded` is imported with the file, `reached` by one of its functions as well; `taken` are the names
    that it takes, `ours` those from here.
    """

    floors: frozenset[str]
    loaded: frozenset[str]
    reached: frozenset[str]
    classes: tuple[str, ...]
    taken: tuple[str, ...]
    ours: tuple[str, ...]


@cache
def source(path: Path) -> Source:
    """The file as it is, parsed once for all tests here."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return Source(
        frozenset(imported(tree, path)),
        frozenset(_loaded(tree)),
        frozenset(_loaded(tree, inside=True)),
        tuple(_public_classes(tree)),
        tuple(_taken(tree)),
        tuple(_taken(tree, "ropeproof.")),
    )


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the statements of a body and those in them, at any depth: all that can be an import."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += _within(node)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements, handlers of errors and cases that stand directly in one; no expression."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        yield from getattr(node, name, ())


def imported(tree: ast.Module, path: Path) -> set[str]:
    """The floors that a file imports."""
    names: set[str] = set()
    for node in _statements(tree.body):
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
    assert not source(path).floors & set(FLOORS[floor + 1 :])


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
        pythons = (
            getattr(thing, "__module__", "") == "collections.abc"
        )  # for annotations of claim files
        if isinstance(thing, UndefinedFunction) or pythons:
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, f"{name}.{public} has no docstring"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_character_of_a_file_is_invisible(path):
    r"""A formula written through an escape loses its backslash: `\theta` becomes a tab and `heta`."""
    lines = path.read_text(encoding="utf-8").split("\n")
    assert [n for n, line in enumerate(lines, 1) if line and not line.isprintable()] == []


def test_readme_opens_with_two_commands_which_ci_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split("```bash\n", 1)[1].split("```", 1)[0].strip().splitlines()
    assert len(block) == 2
    assert block[0].endswith("ropeproof check")
    assert block[1].endswith("pytest")
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "README.md" in script
    assert os.access(ROOT / ".ci/run", os.X_OK)


INSTALLED = re.compile(r"pip install [^&|\n]*?(-e )?'?\.(?:\[[\w,-]+\])?'?(?= |$)", re.MULTILINE)
"""A line that installs the folder in which it is typed: with -e, or else a copy."""


def test_readme_installs_the_checkout_and_no_copy_of_it():
    """In a copy nothing is seen of what is edited afterwards."""
    pages = (ROOT / "README.md", ROOT / "docs/install.md", ROOT / "docs/index.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"^```bash\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    found = [edited for block in blocks for edited in INSTALLED.findall(block)]
    assert len(found) >= 3
    assert set(found) == {"-e "}


def test_ci_runs_readmes_commands_one_after_the_other_and_installs_nothing_between():
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    first, second = (script.index(f'newcomer "${{commands[{number}]}}"') for number in (0, 1))
    assert first < second
    assert "install" not in script[first:second]
    assert script.count('newcomer "$') == 2
    wheel = (ROOT / ".ci/wheel").read_text(encoding="utf-8")
    assert 'ropeproof" check --profile quick "${claims[@]}" >' in wheel
    assert "tests/package" in wheel


def slow_tests(text: str) -> list[str]:
    """The functions and classes of a test file that are marked `slow`, or a parameter of theirs is."""
    if "slow" not in text:
        return []
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and any("pytest.mark.slow" in ast.unparse(mark) for mark in node.decorator_list)
    ]


def test_what_the_suite_leaves_out_is_listed_and_run_by_a_command_of_its_own():
    table = (ROOT / "docs/code.md").read_text(encoding="utf-8").split("## The tests", 1)[1]
    listed = re.findall(r"^\| `(tests/\S+\.py)`: `(\w+)` \|", table, re.MULTILINE)
    texts = {p: p.read_text(encoding="utf-8") for p in sorted((ROOT / "tests").rglob("*.py"))}
    marked = {p: slow_tests(text) for p, text in texts.items()}
    found = [(p.relative_to(ROOT).as_posix(), name) for p in marked for name in marked[p]]
    assert sorted(found) == sorted(listed)
    # No other way to mark one: a name of its own, or a mark of a whole file.
    assert [p.name for p, t in texts.items() if t.count("mark.slow") > len(marked[p])] == [HERE]
    assert re.search(r"^.*pytest .*-m slow$", (ROOT / ".ci/slow").read_text("utf-8"), re.MULTILINE)


HERE = Path(__file__).name


def test_the_kernel_stays_small():
    """With everything that it imports: all that has to be trusted."""
    files = (ROOT / "proofs_check/kernel").rglob("*.py")
    assert sum(len(p.read_text(encoding="utf-8").splitlines()) for p in files) < 3100


def test_the_kernel_imports_no_part_of_the_checker_but_itself():
    for path in (ROOT / "proofs_check/kernel").rglob("*.py"):
        for name in source(path).loaded:
            above = ("ropeproof.proofs_check", "ropeproof.proofs_check.kernel")
            assert (
                not name.startswith("ropeproof.proofs_check.")
                or name == above[1]
                or name.startswith(f"{above[1]}.")
            ), f"{path.name} imports {name}"


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("ropeproof", *parts)).removesuffix(".__init__")


def _loaded(tree: ast.Module, *, inside: bool = False) -> set[str]:
    """What importing a file imports of this project, and `inside` its functions; nothing for types alone."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif inside or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += _within(node)
    return {name for name in names if name.startswith("ropeproof.")}


def _circle(graph: dict[str, set[str]]) -> list[str]:
    try:
        list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_no_file_imports_itself_by_way_of_others():
    """Not when it is loaded, and not when one of its functions is called either."""
    names = {_module(path) for path in FILES}
    packages = {_module(path) for path in FILES if path.name == "__init__.py"}
    graph = {}
    for path in FILES:  # `from package import module` is about the module alone
        found = source(path).reached & names
        entered = {p for p in packages if any(f.startswith(f"{p}.") for f in found)}
        graph[_module(path)] = found - entered - {_module(path)}
    assert _circle(graph) == []


def test_a_circle_of_imports_is_seen():
    assert _circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
    tree = ast.parse("from ropeproof.theory import errors\ndef f():\n    import ropeproof.a\n")
    at_once = {"ropeproof.theory", "ropeproof.theory.errors"}
    assert _loaded(tree) == at_once
    assert _loaded(tree, inside=True) == {*at_once, "ropeproof.a"}


def test_circles_for_types_alone_are_counted_in_the_tour():
    figures = runpy.run_path(str(ROOT / "maintenance/layout_figures.py"))
    text = " ".join((ROOT / "docs/code.md").read_text(encoding="utf-8").split())
    told = re.search(r"for types alone there are (\d+) circles", text)
    assert told is not None
    assert len(figures["circles"](types=True)) == int(told[1])
    assert figures["circles"](types=False) == []


THEORY = ["errors", "language", "library", "topics"]


def test_theory_stands_on_its_language_and_library():
    for path in sorted((ROOT / "theory").rglob("*.py")):
        room = path.relative_to(ROOT / "theory").with_suffix("").parts[0]
        if room not in THEORY:
            continue
        above = {f"ropeproof.theory.{name}" for name in THEORY[THEORY.index(room) + 1 :]}
        for name in source(path).loaded:
            assert not any(name == a or name.startswith(f"{a}.") for a in above), path


FOLDERS = [
    folder
    for top in (*FLOORS, "tests")
    for folder in (ROOT / top, *(p for p in sorted((ROOT / top).rglob("*")) if p.is_dir()))
    if folder.name != "__pycache__"
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_folder_has_at_most_16_entries(folder):
    """Beside its `__init__`, which says what it is for."""
    entries = {p.name for p in folder.iterdir()} - {"__init__.py", "__pycache__"}
    assert len(entries) <= 16, sorted(entries)


NAMED = [
    (page, found)
    for page in (
        *sorted((ROOT / "docs").glob("*.md")),
        ROOT / "CONTRIBUTING.md",
        ROOT / "README.md",
    )
    for found in re.findall(
        r"`((?:theory|numerics|constructions|tools|proofs_check|ropeproof|tests|benchmarks|examples"
        r"|experiments|maintenance)/[\w/.]+)",
        page.read_text(encoding="utf-8"),
    )
]


@pytest.mark.parametrize(("page", "found"), NAMED, ids=lambda p: getattr(p, "name", p))
def test_what_a_page_names_exists(page, found):
    places = (ROOT / found.rstrip("."), page.parent / found.rstrip("."))
    assert any(place.exists() for place in places), f"{page.name} names {found}"


def _public_classes(tree: ast.Module) -> list[str]:
    """The names of the public classes that a file defines."""
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return [node.name for node in classes if not node.name.startswith("_")]


def test_a_public_class_name_is_given_to_one_class():
    """A reader who meets `Fact` in one file and in another may take them for the same thing."""
    modules: dict[str, list[str]] = {}
    for path in FILES:
        for name in source(path).classes:
            modules.setdefault(name, []).append(_module(path))
    assert {name: where for name, where in modules.items() if len(where) > 1} == {}


def _taken(tree: ast.Module, whose: str = "") -> list[str]:
    """The names that a file imports from `whose` when it is loaded, but for those that it passes on."""
    public: set[object] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            public = {n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)}
    names = [
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and (getattr(node, "module", None) or node.names[0].name).startswith(whose)
        for alias in node.names
    ]
    return [name for name in names if name not in public]


STILL_MANY = {
    "proofs_check/kernel/check.py",
    "proofs_check/kernel/normal.py",
    "proofs_check/kernel/read.py",
    "proofs_check/kernel/rules.py",
    "proofs_check/kernel/smt.py",
    "proofs_check/present/statement.py",
}
"""Files that take more than 20 names of this project: files of the kernel, which is trusted as it is, and one
more; a name leaves this list and none enters it."""


def _with_many(count: Callable[[Source], int], paths: list[Path]) -> set[str]:
    """The files that take more than 20 names; an `__init__` is a list of names and not among them."""
    counted = {p: count(source(p)) for p in paths if p.name != "__init__.py"}
    return {p.relative_to(ROOT).as_posix() for p, names in counted.items() if names > 20}


def test_a_file_takes_at_most_20_names_of_this_project():
    """A reader keeps so many in mind; more come from one place, as an object: `lags.offset`."""
    assert _with_many(lambda s: len(s.ours), FILES) == STILL_MANY


def test_a_claim_file_takes_at_most_20_names_in_all():
    claims = [p for p in FILES if p.is_relative_to(ROOT / "theory")]
    assert _with_many(lambda s: len(s.taken), claims) == set()


def test_names_that_are_taken_are_counted():
    text = "import os\nfrom ropeproof.theory import a, b as c\nfrom x import d\n__all__ = ['a']\n"
    assert _taken(ast.parse(text)) == ["os", "c", "d"]
    assert _taken(ast.parse(text), "ropeproof.") == ["c"]
