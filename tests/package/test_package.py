"""One name: what is installed, what `ropeproof` lists, and a project with folders of our names."""

from __future__ import annotations

import base64
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

import ropeproof
from ropeproof.cli import app
from ropeproof.proofs_check.reports.listing import ListedClaim, claim_json, entries
from ropeproof.theory.annotations.roles import roles

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("theory", "numerics", "constructions", "tools", "proofs_check")
BESIDE = ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "HISTORY.md", "constraints.txt")
"""What an sdist holds beside the package and what builds it."""
HEAVY = {"sympy", "numpy", "torch", "z3", "flint", "hypothesis", "scipy", "matplotlib", "pytest"}


def python(*args: str, **how) -> str:
    run = subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, check=False, **how
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> Path:
    """A folder with an sdist, a wheel of the checkout and, in `again`, a wheel of the sdist."""
    work = tmp_path_factory.mktemp("wheels")
    source = work / "source"
    skip = shutil.ignore_patterns("__pycache__", "_build")
    for folder in ("ropeproof", "docs", *FLOORS):
        shutil.copytree(ROOT / folder, source / folder, symlinks=True, ignore=skip)
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in", *BESIDE):
        shutil.copy(ROOT / file, source / file)
    build = "import sys, setuptools.build_meta as b; b.build_sdist(sys.argv[1])"
    python("-c", build, str(work), cwd=source)
    wheel = ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w"]
    python(*wheel, str(work), str(source))
    python(*wheel, str(work / "again"), *map(str, work.glob("*.tar.gz")))
    return work


@pytest.fixture(scope="module")
def installed(wheels) -> Path:
    """A folder in which the wheel is installed, without what it depends on."""
    (wheel,) = wheels.glob("*.whl")
    site = wheels / "site"
    python("-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel))
    return site


def test_a_wheel_holds_ropeproof_and_nothing_else_at_the_top(wheels):
    (wheel,) = wheels.glob("*.whl")
    assert wheel.name == f"ropeproof-{ropeproof.__version__}-py3-none-any.whl"
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {
        f"ropeproof/{path.relative_to(ROOT)}" for f in FLOORS for path in (ROOT / f).rglob("*.py")
    }
    own = {
        f"ropeproof/{name}"
        for name in ("__init__.py", "__init__.pyi", "__main__.py", "cli.py", "moved.py", "py.typed")
    }
    own |= {
        f"ropeproof/proofs_check/recheck/coq/theories/{name}.v"
        for name in ("Base", "Ball", "Powers")
    }
    found = (ROOT / "proofs_check/recheck/coq/certificates").glob("*.json")
    own |= {f"ropeproof/proofs_check/recheck/coq/certificates/{path.name}" for path in found}
    own.add("ropeproof/tools/conform/golden/golden.schema.json")
    own.add("ropeproof/theory/language/types/sympy_names.pyi")
    laws = (ROOT / "tools/certificate/laws").glob("*.json")
    own |= {f"ropeproof/tools/certificate/laws/{path.name}" for path in laws}
    own |= {
        f"ropeproof/theory/annotations/review/{p.name}"
        for p in (ROOT / "theory/annotations/review").glob("*.txt")
    }
    own |= {f"ropeproof/theory/annotations/history/{n}.txt" for n in ("changes", "statements")}
    pages = {"conf.py", *(path.name for path in (ROOT / "docs").glob("*.md"))}
    pages |= {f"_static/{path.name}" for path in (ROOT / "docs/_static").iterdir()}
    pages |= {f"topics/{path.name}" for path in (ROOT / "docs/topics").glob("*.md")}
    pages |= {f"tutorials/{path.name}" for path in (ROOT / "docs/tutorials").glob("*.md")}
    pages |= {f"experiments/{path.name}" for path in (ROOT / "docs/experiments").glob("*.json")}
    assert names == sources | own | {f"ropeproof/pages/{name}" for name in pages}
    (again,) = (wheels / "again").glob("*.whl")
    with ZipFile(again) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == names
    (sdist,) = wheels.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert all(member.isfile() or member.isdir() for member in archive.getmembers())
        beside = {name.partition("/")[2] for name in archive.getnames()}
    beside = {name for name in beside if name and not name.startswith("ropeproof")}
    built = {"LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg"}
    built.add("setup.py")
    assert beside == built | set(BESIDE)


def test_the_description_of_a_wheel_is_readme_with_the_pictures_in_it(wheels):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for file in (*wheels.glob("*.whl"), *(wheels / "again").glob("*.whl")):
        with ZipFile(file) as archive:
            (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
            described = archive.read(name).decode()
        assert "Description-Content-Type: text/markdown" in described
        addresses = re.findall(r'\b(?:src|srcset)="([^"]+)"', described)
        assert len(addresses) == 2
        for address, theme in zip(addresses, ("dark", "light"), strict=True):
            kind, _, picture = address.partition(";base64,")
            assert kind == "data:image/svg+xml"
            shown = (ROOT / f"docs/_static/slash-head-{theme}.svg").read_bytes()
            assert base64.b64decode(picture) == shown
        text = described.split("\n\n", 1)[1]
        assert text.split('srcset="')[0].strip() == readme.split('srcset="')[0].strip()
        assert text.split("</picture>")[1].strip() == readme.split("</picture>")[1].strip()


MAIN = """\
import sys
from {first}
import numerics.mine, theory.mine, tests.helper
import ropeproof, ropeproof.theory
from ropeproof import RopeSpec, toeplitz

assert ropeproof.__file__.startswith({site!r}), ropeproof.__file__
assert (theory.mine.VALUE, numerics.mine.VALUE, tests.helper.VALUE) == ("mine",) * 3
head = toeplitz([1.0, 0.0], [1.0, 0.0], RopeSpec(2, 10000), tokens=["a"])
assert head.certificate.claim in ("rope.toeplitz", "rope.relative"), head.certificate
print("fine")
"""


def project(folder: Path, site: Path, *, packages: bool) -> Path:
    """A user's project with folders `theory`, `numerics` and `tests`."""
    for name in ("theory", "numerics", "tests"):
        (folder / name).mkdir(parents=True)
        module = "helper" if name == "tests" else "mine"
        (folder / name / f"{module}.py").write_text("VALUE = 'mine'\n")
        if packages:
            (folder / name / "__init__.py").touch()
    main = MAIN.format(first="ropeproof import theory as ours", site=str(site))
    (folder / "main.py").write_text(main)
    late = MAIN.format(first="theory import mine", site=str(site))
    (folder / "late.py").write_text(late)
    (folder / "tests" / "test_mine.py").write_text(
        "def test_mine():\n    import late, main, theory.mine\n    assert theory.mine.VALUE == 'mine'\n"
    )
    return folder


@pytest.mark.parametrize("packages", [True, False], ids=["packages", "folders"])
def test_a_project_with_folders_of_our_names(tmp_path, installed, packages):
    folder = project(tmp_path / "project", installed, packages=packages)
    where = {"cwd": folder, "env": {**os.environ, "PYTHONPATH": str(installed)}}
    assert python("main.py", **where) == "fine\n"
    assert python("-m", "late", **where) == "fine\n"
    quiet = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    assert "1 passed" in python("-m", "pytest", *quiet, **where)
    if packages:
        assert "1 passed" in python("-m", "pytest", *quiet, "--import-mode=importlib", **where)
        version = python("-m", "ropeproof", "--version", **where)
        assert version == f"ropeproof {ropeproof.__version__}\n"


def test_a_checkout_without_symbolic_links_says_so(tmp_path):
    shutil.copytree(ROOT / "ropeproof", tmp_path / "ropeproof", ignore=lambda *_: FLOORS)
    for floor in FLOORS:
        (tmp_path / "ropeproof" / floor).write_text(f"../{floor}")
    run = subprocess.run(
        [sys.executable, "-c", "import ropeproof.theory"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert run.returncode == 1
    assert "symbolic link" in run.stderr
    assert "core.symlinks=true" in run.stderr


def test_the_public_names_are_listed_once_found_and_documented():
    names = ropeproof.__all__
    assert len(set(names)) == len(names)
    assert dir(ropeproof) == sorted(names)
    for name in names:
        thing = getattr(ropeproof, name)
        assert f"`{name}`" in (ropeproof.__doc__ or "") or name == "__version__"
        if inspect.isclass(thing) or callable(thing) or isinstance(thing, ModuleType):
            assert thing.__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'slashhead'"):
        _ = ropeproof.slashhead


def test_type_checkers_see_the_names_that_the_interpreter_finds():
    stub = Path(ropeproof.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    seen: dict[str, object] = {}
    exec(stub, seen)  # as a type checker reads it: every line an import
    for hidden in ("__builtins__", "__annotations__", "__doc__"):
        seen.pop(hidden, None)
    assert {*seen, "__version__"} == set(ropeproof.__all__)
    assert all(getattr(ropeproof, name) is thing for name, thing in seen.items())


def test_help_does_not_print_the_catalogue():
    assert len(repr(ropeproof.CLAIMS)) < 100 * len(ropeproof.CLAIMS)


def test_importing_ropeproof_loads_nothing_else():
    code = "import os, importlib, typing, sys; before = set(sys.modules); import ropeproof; "
    code += "print(sorted(set(sys.modules) - before))"
    assert python("-c", code).strip() == "['ropeproof', 'ropeproof.moved']"


def loaded(*command: str, **how) -> set[str]:
    """The heavy modules that a command has loaded when it ends."""
    code = (
        "import sys; from ropeproof.cli import app; "
        f"app({list(command)}, standalone_mode=False); "
        "print('\\n', *{name.split('.')[0] for name in sys.modules})"
    )
    return set(python("-c", code, **how).splitlines()[-1].split()) & HEAVY


@pytest.mark.parametrize("command", ["--version", "-h", "--help", "check -h", "docs --help"])
def test_what_needs_no_library_loads_none(command):
    assert not loaded(*command.split())


def test_lists_are_kept_and_then_load_no_library(tmp_path):
    where = {"env": {**os.environ, "ROPEPROOF_CACHE": str(tmp_path)}}
    command = ("list", "--json", "-")
    with pytest.MonkeyPatch.context() as patch:  # here, where the catalogue is read in any case
        patch.setenv("ROPEPROOF_CACHE", str(tmp_path))
        first = CliRunner().invoke(app, command).stdout
    (kept,) = tmp_path.glob("??/*.json")
    assert not loaded(*command, **where)
    assert not loaded("graph", "rope.*", **where)
    found = {entry["id"]: entry for entry in json.loads(first)["claims"]}
    assert list(found) == list(ropeproof.CLAIMS)
    role = roles(ropeproof.CLAIMS)
    for claim in ropeproof.CLAIMS.values():
        listed = claim_json(claim, role[claim.id])
        assert found[claim.id] == {**listed, "needs": sorted(claim.needs)}
    whole = kept.read_bytes()
    forms = {
        "cut off": whole[:-100],
        "altered": whole.replace(b"rope.relative", b"rope.absolute"),
        "foreign": b"{}",
        "empty": b"",
    }
    for form, data in forms.items():
        kept.write_bytes(data)
        assert read_back(tmp_path) is None, form
    kept.write_bytes(whole)
    assert read_back(tmp_path) == entries()


def read_back(folder: Path) -> dict[str, ListedClaim] | None:
    """What is read from a folder of cached results."""
    from ropeproof.proofs_check.reports import listing

    return listing._read(listing.Store(folder).read(listing.sources()))


def test_a_list_is_of_the_sources_as_they_are(tmp_path, monkeypatch):
    from ropeproof.proofs_check.reports import listing

    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    assert listing.entries()
    monkeypatch.setattr(listing, "__version__", "0.0.0")
    assert read_back(tmp_path) is None


def test_a_folder_that_refuses_a_file_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path / "file" / "below"))
    assert entries()
