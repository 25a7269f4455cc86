"""What the pages promise is so: each command and call is there, and results name what prints them."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import pytest
import typer
from command_line import run
from promises import PAGES, ROOT, Table, calls, commands, options_of, placeholders, tables

import ropeproof
from ropeproof.cli import app

COMMANDS = sorted(
    {(page, tuple(words)) for page in PAGES for words in commands(page.read_text(encoding="utf-8"))}
)
"""A page and a command on it, as words."""


def told(found):
    return found.name if isinstance(found, Path) else " ".join(found) if found else ""


REFUSED = typer.BadParameter.__mro__[1]
"""The error for words that a command line does not take, of the click that typer brings or finds."""


@cache
def group():
    return typer.main.get_command(app)


def parsed(words: list[str]) -> None:
    """Raises `REFUSED` if the command line takes no such words; nothing is run."""
    command, name, rest = group(), "ropeproof", list(words)
    context = typer.Context(command, info_name=name)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        name, command, rest = command.resolve_command(context, rest)
        if hasattr(command, "commands"):
            context = typer.Context(command, info_name=name, parent=context)
    if hasattr(command, "commands") or not rest:
        return  # a name alone, `ropeproof measure`, is what the prose calls the command
    try:
        command.make_context(name, list(rest), parent=context)
    except REFUSED as error:
        # Prose says a command and one of its options: `ropeproof check --coq`.
        named = rest[-1].startswith("-") and type(error).__name__ == "BadOptionUsage"
        alone = type(error).__name__ == "MissingParameter" and any(w[:1] == "-" for w in rest)
        if not named and not alone:
            raise


@pytest.mark.parametrize(("page", "words"), COMMANDS, ids=told)
def test_a_command_of_a_page_is_one(page, words):
    program, *rest = words
    if program == "ropeproof":
        if rest[:1] != [ropeproof.__version__]:  # what `--version` prints
            parsed(rest)
    elif program == "pytest":
        for word in rest:
            if word.startswith("tests/"):
                assert (ROOT / word.split("::")[0]).exists(), word
    elif rest and rest[0].endswith(".py"):
        script = ROOT / rest[0]
        if rest[0].startswith((*SCRIPTS, "tests/")):
            assert script.is_file(), rest[0]
            known = options_of(script) | {"-h", "--help"}
            options = {word.split("=")[0] for word in rest[1:] if word.startswith("--")}
            assert options <= known, sorted(options - known)


SCRIPTS = ("examples/", "experiments/", "maintenance/", "benchmarks/")
"""Folders of scripts that pages call."""

CHEAP = ("find", "list", "presets", "rules", "show")
"""Commands that only read: those of the pages are run as they stand."""

LONG = {
    "assess": "tests/proofs_check/site/test_tutorials.py and the build of the site",
    "budget": "benchmarks/budget.py, for each preset",
    "certificate": "tests/tools/certificate/test_certificate_command.py, on a small model",
    "check": ".ci/run",
    "compare": "tests/tools/compare/test_compare.py, on small models",
    "conform": "tests/tools/conform, and the build of the site",
    "coverage": "tests/proofs_check/semantics/test_coverage.py, of a few claims",
    "docs": ".ci/run",
    "errata": "tests/proofs_check/commands/test_cli.py",
    "export": "tests/proofs_check/recheck/test_coq.py",
    "golden": "tests/tools/conform",
    "measure": "tests/tools/measure/report/test_measure_command.py, on a small model",
}
"""Commands that are too long for this test or need files of the reader's own, and what runs them."""

SHOWN_REFUSED = {("show", "exp.monotne"), ("find", "a <= b <= c")}
"""What a page asks on purpose to show the refusal, with what is suggested."""

READS = sorted(
    {
        words[1:]
        for _, words in COMMANDS
        if words[0] == "ropeproof" and len(words) > 1 and words[1] in CHEAP
    }
)


def _is_whole(words):
    """Whether all its words stand for themselves, and it runs no proof."""
    return not (placeholders(words) or "--run" in words or words in {("show",), ("find",)})


@pytest.mark.parametrize("words", [words for words in READS if _is_whole(words)], ids=told)
def test_a_command_that_only_reads_runs(words, monkeypatch):
    monkeypatch.chdir(ROOT)
    code, output = run(*words)
    assert code == (2 if words in SHOWN_REFUSED else 0), output
    assert output.strip()


def test_what_runs_the_long_commands_is_there():
    for told_by in LONG.values():
        first = told_by.split(" ")[0].rstrip(",")
        assert (ROOT / first).exists(), first


CALLS = [
    (page, ast.unparse(call)) for page in PAGES for call in calls(page.read_text(encoding="utf-8"))
]


def public(name: str) -> object | None:
    """What the distribution gives under a name, a dotted one too; None if that is not ours."""
    found: object = ropeproof
    parts = name.split(".")
    for part in parts[1:] if parts[0] == "ropeproof" else parts:
        if found is ropeproof and part not in ropeproof.__all__:
            return None
        found = getattr(found, part, None)
        if found is None:
            return None
    return found


STARRED = re.compile(r"^from (ropeproof\.[\w.]+) import \*$", re.MULTILINE)
"""A line by which the code of a page takes all names of a module."""


def of_page(page: Path, name: str) -> object | None:
    """What a name is on a page: that of a module of which the page takes all names, or a public one."""
    for module in STARRED.findall(page.read_text(encoding="utf-8")):
        if name in (found := importlib.import_module(module)).__all__:
            return getattr(found, name)
    return public(name)


PUBLIC = sorted(
    {
        (page, text)
        for page, text in CALLS
        if of_page(page, ast.unparse(ast.parse(text, mode="eval").body.func)) is not None  # type: ignore[attr-defined]
    }
)


def arguments(call: ast.Call) -> tuple[list[object], dict[str, object], bool]:
    """What the call passes, a text for what is no literal; whether all are literals."""
    whole = True

    def value(node: ast.expr) -> object:
        nonlocal whole
        try:
            found = ast.literal_eval(node)
            whole = whole and found is not ...
            return found
        except ValueError:
            whole = False
            return ast.unparse(node)

    places = [value(node) for node in call.args]
    return places, {key.arg: value(key.value) for key in call.keywords if key.arg}, whole


@pytest.mark.parametrize(("page", "text"), PUBLIC, ids=told)
def test_a_call_of_a_page_is_one_that_the_function_takes(page, text):
    """And if it shows all of its arguments it is run with them."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    function = of_page(page, ast.unparse(call.func))
    assert callable(function)
    places, named, whole = arguments(call)
    signature = inspect.signature(function)
    if whole and (places or named):
        signature.bind(*places, **named)
        function(*places, **named)
    else:
        left_open = [place for place in places if place is not ...]
        signature.bind_partial(*left_open, **named)


TABLES = [table for page in PAGES for table in tables(page)]


@pytest.mark.parametrize(
    "table", TABLES, ids=lambda table: f"{table.page.name}: {table.first[:40]}"
)
def test_a_table_of_results_names_the_command_that_prints_it(table: Table):
    named = [
        words
        for words in commands(table.text)
        if len(words) > 1 and (words[0] != "python" or words[1].startswith(SCRIPTS))
    ]
    assert named, f"{table.page.name}, {table.heading}: no command for {table.first}"


def test_no_page_has_a_name_with_two_underscores_in_bold():
    """Markdown reads `__init__` outside of code as a word in bold, without its underscores."""
    for page in PAGES:
        text = re.sub(
            r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S | re.M
        )
        assert re.findall(r"(?<!\\)__\w+?__", text) == [], page.name


def test_the_search_finds_what_is_there():
    """Otherwise the tests above would have nothing to say."""
    programs = {words[0] for _, words in COMMANDS}
    assert programs == {"ropeproof", "pytest", "python"}
    assert len(COMMANDS) > 150
    assert len(TABLES) > 30
    assert len(PUBLIC) > 5


def test_a_command_that_is_none_is_told():
    for words in (["chekc"], ["check", "--presett", "llama-3-8b"], ["show", "a", "b", "--nothing"]):
        with pytest.raises(REFUSED):
            parsed(words)
