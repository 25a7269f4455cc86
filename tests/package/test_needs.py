"""A test that needs an extra, a package or a program asks for it in one way; a run says what it lacked."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import unasked as reader
from needs import EXTRAS, Missing, missing_of, need, need_program, need_version, needs
from programs import PROGRAMS, missing_packages
from skipped import summary
from unasked import brought, unasked

ROOT = Path(__file__).resolve().parents[2]
OF_THE_MACHINE = {
    "tests/numerics/core/test_lag_scan.py",  # rounding modes of x86-64
    "tests/tools/measure/report/test_interrupt.py",  # /proc
    "tests/proofs_check/commands/test_checkout.py",  # pseudo-terminals of Linux
    "tests/proofs_check/commands/test_cli.py",  # /dev/full
    "tests/proofs_check/commands/test_terminal_width.py",  # pseudo-terminals of Linux
    "tests/proofs_check/run/test_kept_store.py",  # the folders of Linux
    "tests/tools/console/test_progress.py",  # pseudo-terminals of Linux
}
"""Files with one skip for the system or the processor, which nothing can be installed for."""


def test_no_test_imports_an_extra_or_runs_a_program_without_asking():
    helper = ROOT / "tests/helpers/needed"
    files = [p for p in sorted((ROOT / "tests").rglob("*.py")) if not p.is_relative_to(helper)]
    found = {p.relative_to(ROOT).as_posix(): lines for p in files if (lines := unasked(p))}
    machine = {name: found.pop(name, []) for name in OF_THE_MACHINE}
    assert found == {}
    assert all(["mark.skipif" in line for line in lines] == [True] for lines in machine.values())


ASKED = [
    "import torch, numpy, z3, gguf, pytest, jsonschema, json\n",
    "from needs import need\nsphinx = need('sphinx')\nimport sphinx.util\n",
    "@needs('sphinx')\ndef test():\n    from sphinx.util import x\n",
    "@needs.needs('sphinx', 'myst_parser')\ndef test():\n    import myst_parser\n",
    "pytestmark = needs('sphinx')\ndef test():\n    import sphinx\n",
    "pytestmark = [slow, needs('sphinx')]\ndef test():\n    import sphinx\n",
    "mark = needs('sphinx')\n@mark\ndef test():\n    import sphinx\n",
    "def test():\n    need('sphinx')\n    import sphinx\n",
    "@needs('sphinx')\nclass TestIt:\n    def test(self):\n        import sphinx\n",
    "if TYPE_CHECKING:\n    import sphinx\n",
    "def test():\n    (here / 'sphinx.py').write_text('')\n    import sphinx\n",
    "def test():\n    subprocess.run([need_program('node'), '-e', code])\n",
    "@needs(program='node')\ndef test():\n    subprocess.run(['node', '-e', code])\n",
    "def test():\n    subprocess.run([sys.executable, 'x.py'])\n",
    "from ropeproof.proofs_check.site import build\n",
    "from kernel.attack_corpus import ENTRIES\nfrom small_lm import text\n",
]
UNASKED = [
    ("import sphinx.util\n", "imports sphinx"),
    ("import sphinx\nneed('sphinx')\n", "imports sphinx"),
    ("def test():\n    from sphinx.util import x\n", "imports sphinx"),
    ("def test():\n    import sphinx\n    need('sphinx')\n", "imports sphinx"),
    ("@needs('sphinx')\ndef one(): ...\ndef two():\n    import sphinx\n", "imports sphinx"),
    ("def one():\n    need('sphinx')\ndef two():\n    import sphinx\n", "imports sphinx"),
    ("pytestmark = needs('sphinx')\nimport sphinx\n", "imports sphinx"),  # skips no file
    ("def test():\n    importlib.import_module('nbformat.v4')\n", "imports nbformat"),
    ("def test():\n    import onnx\n", "imports onnx"),
    ("torch = pytest.importorskip('torch')\n", "importorskip in place of"),
    ("from pytest import importorskip\n", "importorskip in place of"),
    ("@pytest.mark.skipif(x, reason='y')\ndef test(): ...\n", "skipif in place of"),
    ("def test():\n    pytest.skip('not here')\n", "skip in place of"),
    ("NODE = shutil.which('node')\n", "which in place of"),
    ("def test():\n    subprocess.run(['node', '-e', code])\n", "runs node"),
    ("def test():\n    subprocess.Popen(('/usr/bin/clang', code))\n", "runs gcc"),
    ("def test():\n    subprocess.run(['latexmk', code])\n", "runs latexmk"),
]


@pytest.mark.parametrize("text", ASKED)
def test_what_was_asked_for_is_not_reported(text):
    assert unasked(Path(__file__), text) == []


@pytest.mark.parametrize(("text", "found"), UNASKED)
def test_what_was_not_asked_for_is_reported(text, found):
    (line,) = unasked(Path(__file__), text)
    assert found in line


PLANTED = {
    "ropeproof/__init__.pyi": "from ropeproof.theory.heavy import named as named\n",
    "theory/heavy.py": "import json\nimport sphinx.util\n",
    "theory/through.py": "from ropeproof.theory import heavy\n",
    "theory/late.py": "def f():\n    import sphinx\n",
    "theory/tried.py": "try:\n    import sphinx\nexcept ModuleNotFoundError:\n    sphinx = None\n",
    "examples/shown.py": "from ropeproof.theory.through import x\n",
    "helping/helper.py": "from other_helper import x\n",
    "helping/other_helper.py": "import sphinx\n",
    "helping/asking.py": "from needs import need\nneed('sphinx')\nimport sphinx\n",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import ropeproof.theory.through\n", True),
        ("from ropeproof.theory import heavy\n", True),
        ("from ropeproof import named\n", True),
        ("def test():\n    load_example('shown')\n", True),
        ("def test():\n    runpy.run_path(str(ROOT / 'examples' / 'shown.py'))\n", True),
        ("from helper import x\n", True),
        ("@needs('sphinx')\ndef test():\n    from helper import x\n", False),
        ("from ropeproof.theory import late, tried\n", False),
        ("from asking import x\n", False),  # its skip is that of the file
    ],
)
def test_what_our_own_files_import_counts(text, found, tmp_path, monkeypatch):
    for name, content in PLANTED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.setattr("unasked.ROOT", tmp_path)
    monkeypatch.setattr("unasked._PLACES", [tmp_path / "helping", *reader._PLACES])
    for remembered in ("_files", "_public"):
        monkeypatch.setattr(f"unasked.{remembered}", cache(getattr(reader, remembered).__wrapped__))
    assert [line[8:] for line in unasked(Path(__file__), text)] == (
        ["imports sphinx without asking needs.py"] * found
    )


def test_what_an_extra_brings_is_read_from_the_distribution():
    base = {"torch", "z3", "pytest", "xdist", "gguf", "distributed", "cvc5", "numpy", "flint"}
    transitive = {"yaml", "packaging", "mpmath", "click"}
    assert base | transitive | {"json", "ropeproof"} <= brought("test")
    assert not {"sphinx", "playwright", "nbclient", "transformer_lens", "onnx"} & brought("test")


def test_a_module_is_named_with_the_extra_that_it_is_for(monkeypatch):
    monkeypatch.setattr("needs.find_spec", lambda _: None)
    for module, extra in {
        "sphinx.util": "docs",
        "playwright.sync_api": "browser",
        "nbclient": "notebooks",
        "transformer_lens": "lens",
        "gguf": "gguf",
        "z3": "proofs",
        "jsonschema": "test",
    }.items():
        assert extra in EXTRAS
        with pytest.raises(pytest.skip.Exception) as raised:
            need(module)
        told = missing_of(str(raised.value))
        assert told is not None
        assert (told.kind, told.name, told.part) == ("extra", extra, module)
        assert told.line.endswith(f"[{extra}]'")
        assert "-c " in told.line
    with pytest.raises(pytest.skip.Exception) as raised:
        need("mlx_lm", install="mlx-lm 'mlx[cpu]'")
    told = missing_of(str(raised.value))
    assert told is not None
    assert (told.kind, told.name) == ("package", "mlx_lm")
    assert told.line.endswith("pip install mlx-lm 'mlx[cpu]'")
    assert needs("sphinx").args == (True,)


def test_a_module_that_is_there_and_broken_is_no_reason_to_skip(tmp_path, monkeypatch):
    (tmp_path / "broken_module.py").write_text("import none_such_module\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="none_such_module"):
        need("broken_module")
    assert needs("broken_module").args == (False,)


def test_a_program_is_named_with_its_package(tmp_path, monkeypatch):
    (tmp_path / "clang").write_text("")
    (tmp_path / "clang").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert need_program("gcc") == str(tmp_path / "clang")
    for program in set(PROGRAMS) - {"gcc"}:
        with pytest.raises(pytest.skip.Exception) as raised:
            need_program(program)
        told = missing_of(str(raised.value))
        assert told == Missing("program", program, f"apt-get install {PROGRAMS[program][1]}")
        assert needs(program=program).args == (True,)
    assert missing_packages(["gcc", "coqc"]) == ["coq", "libcoq-interval"]


def test_another_version_is_named():
    with pytest.raises(
        pytest.skip.Exception, match=r"package pytest==0\.1: .*install pytest==0\.1"
    ):
        need_version("pytest", "0.1")
    with pytest.raises(pytest.skip.Exception, match=r"package none-such==1: "):
        need_version("none-such", "1")
    need_version("pytest", pytest.__version__)


def test_the_end_of_a_run_counts_by_what_is_missing():
    docs, node = Missing("extra", "docs", "pip x", "sphinx"), Missing("program", "node", "apt y")
    lens = Missing("extra", "lens", "pip z")
    skips = [("b.py::one", node), ("a.py", docs), ("b.py::two", node), ("c.py", lens)]
    assert summary([*skips, ("a.py::x", docs), ("b.py::three", node)]) == [
        "3 tests for want of the program node:",
        "  apt y",
        "1 test and 1 whole file for want of the extra docs:",
        "  pip x",
        "1 whole file for want of the extra lens:",
        "  pip z",
    ]
    assert summary([]) == []
    assert missing_of("Skipped: a pseudo-terminal of Linux") is None


SUITE = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['{needed}']\n",
    "conftest.py": "from skipped import *\n",
    "test_whole.py": "from needs import need\nneed('none_such')\ndef test_one(): ...\n",
    "test_some.py": (
        "from needs import need, need_program, needs\n"
        "def test_runs(): ...\n"
        "@needs('none_such')\ndef test_marked(): ...\n"
        "def test_asks():\n    need('none_such', install='--no-deps none-such')\n"
        "def test_program():\n    need_program('coqc')\n"
    ),
}


@pytest.fixture
def suite(tmp_path):
    for name, text in SUITE.items():
        needed = ROOT / "tests/helpers/needed"
        (tmp_path / name).write_text(text.replace("{needed}", str(needed)))
    return tmp_path


def run_suite(folder: Path, *options: str, path: str = "/none") -> tuple[int, str]:
    """pytest in a folder, on a PATH that is empty unless it is given: exit code and what it prints."""
    without = ("-p", "no:ropeproof", "-p", "no:hypothesispytest")
    command = [sys.executable, "-m", "pytest", "-q", *without, *options]
    env = {"PATH": path, "COLUMNS": "80"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("processes", [("-p", "no:xdist"), ("-n", "2")], ids=["one", "xdist"])
def test_what_was_skipped_is_told_and_runs_once_it_is_there(suite, processes):
    code, said = run_suite(suite, *processes)
    assert code == 0
    assert "2 tests and 1 whole file for want of the package none_such:" in said
    assert "1 test for want of the program coqc:\n  apt-get install coq libcoq-interval" in said
    assert "pytest --last-skipped" in said
    code, said = run_suite(suite, "--last-skipped", *processes)
    assert "4 skipped" in said  # nothing is there yet, and test_runs is left out
    assert "passed" not in said
    (suite / "none_such.py").write_text("")
    code, said = run_suite(suite, "--last-skipped", "-o", "pythonpath=" + needed(suite), *processes)
    assert (code, "3 passed, 1 skipped" in said) == (0, True), said
    assert "none_such" not in said
    (suite / "coqc").write_text("")
    (suite / "coqc").chmod(0o755)
    code, said = run_suite(suite, "--last-skipped", *processes, path=str(suite))
    assert (code, "1 passed" in said, "for want" in said) == (0, True, False), said
    code, said = run_suite(suite, "--last-skipped", *processes)
    assert code == 0
    assert "no test was skipped" in said


def needed(folder: Path) -> str:
    """The places of modules in which `none_such` is found as well."""
    return f"{ROOT / 'tests/helpers/needed'} {folder}"


def test_a_skip_is_told_at_the_line_of_its_test(suite):
    said = run_suite(suite, "-p", "no:xdist", "-ra")[1]
    assert "test_some.py:6: needs the package none_such: " in said
    assert "needs.py" not in said.split("short test summary")[1]
