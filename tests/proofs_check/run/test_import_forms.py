"""However a user's file imports this project, `check --module` and `try` take it, or refuse it, alike."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ropeproof.proofs_check.authoring import try_file
from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.run.library import load
from ropeproof.theory.errors import RopeproofError

CLAIM = '''

n = integer("n")

@theorem("own.square", conclusion=le(0, n**2), attack=Attack({"reversed": le(n**2, 0)}))
def SQUARE(p: Proof) -> None:
    """A square is not negative.

    $0\\\\le n^2$.
    """
    p.qed("A square is not negative.")
'''
LANGUAGE = "from ropeproof.theory.language import *\n"

ACCEPTED = {
    "the language alone": LANGUAGE,
    "the catalogue, as in the tutorial": f"from ropeproof import CLAIMS\n{LANGUAGE}",
    "the catalogue after the language": f"{LANGUAGE}from ropeproof import CLAIMS\n",
    "the catalogue with others": f"from ropeproof import AXIOMS, CLAIMS, Claim\n{LANGUAGE}",
    "the catalogue under another name": f"from ropeproof import CLAIMS as KNOWN\n{LANGUAGE}",
    "the catalogue of theory": f"from ropeproof.theory import CLAIMS\n{LANGUAGE}",
    "the catalogue of its module": (
        f"from ropeproof.theory.topics.catalogue import CLAIMS\n{LANGUAGE}"
    ),
    "the claims of a topic": f"from ropeproof.theory.topics.rope import CLAIMS\n{LANGUAGE}",
    "the package": f"import ropeproof\n{LANGUAGE}known = ropeproof.CLAIMS\n",
    "the package under another name": f"import ropeproof as rp\n{LANGUAGE}",
    "a package in it": f"import ropeproof.theory\n{LANGUAGE}",
    "a star": f"from ropeproof.theory import *\n{LANGUAGE}",
    "names one by one": (
        "from ropeproof.theory.language import Attack, Proof, integer, le, theorem\n"
    ),
    "a claim of the catalogue": f"{LANGUAGE}from ropeproof import CLAIMS\nE = CLAIMS['exp.monotone']\n",
    "a part of the catalogue": f"{LANGUAGE}from ropeproof import CLAIMS\nids = [*CLAIMS][:3]\n",
    "a library of Python": f"import math, json\nfrom pathlib import Path\n{LANGUAGE}",
    "SymPy": f"import sympy\nfrom sympy import Sum\n{LANGUAGE}",
}
LISTED = {
    "a tuple": "CLAIMS = (SQUARE,)",
    "a list": "CLAIMS = [SQUARE]",
    "a tuple over the catalogue": "from ropeproof import CLAIMS\nCLAIMS = (SQUARE,)",
}
REFUSED = {
    "a dictionary": "CLAIMS = {SQUARE.id: SQUARE}",
    "the catalogue and its own": "from ropeproof import CLAIMS\nCLAIMS = CLAIMS | {SQUARE.id: SQUARE}",
    "something else in it": "CLAIMS = (SQUARE, 3)",
    "one claim": "CLAIMS = SQUARE",
    "a generator": "CLAIMS = (c for c in [SQUARE])",
    "nothing": "CLAIMS = ()",
    "a text": "CLAIMS = 'own.square'",
    "None": "CLAIMS = None",
}


def _file(folder: Path, before: str, after: str = "") -> str:
    path = folder / "mine.py"
    path.write_text(before + textwrap.dedent(CLAIM) + after)
    return str(path)


def _said(path: str) -> tuple[list[str] | str, list[str] | str]:
    """The own claims of the file for `check --module` and for `try`, or the reason of a refusal."""
    found: list[list[str] | str] = []
    for ask in (_by_check, _by_try):
        try:
            found.append(ask(path))
        except RopeproofError as error:
            found.append(str(error))
    return found[0], found[1]


def _by_check(path: str) -> list[str]:
    return [id for id in load([path]).claims if id.startswith("own.")]


def _by_try(path: str) -> list[str]:
    trial = try_file(path)
    assert trial.holds
    return [tried.claim.id for tried in trial.claims]


@pytest.mark.parametrize("form", ACCEPTED)
def test_a_form_of_import_is_accepted_by_both(tmp_path: Path, form: str) -> None:
    assert _said(_file(tmp_path, ACCEPTED[form])) == (["own.square"], ["own.square"])


@pytest.mark.parametrize("form", LISTED)
def test_a_list_of_its_claims_is_accepted_by_both(tmp_path: Path, form: str) -> None:
    path = _file(tmp_path, LANGUAGE, LISTED[form])
    assert _said(path) == (["own.square"], ["own.square"])


@pytest.mark.parametrize("form", REFUSED)
def test_what_is_no_list_of_claims_is_refused_by_both(tmp_path: Path, form: str) -> None:
    by_check, by_try = _said(_file(tmp_path, LANGUAGE, REFUSED[form]))
    assert isinstance(by_check, str)
    assert by_check == by_try
    assert "mine.py" in by_check


def test_a_helper_beside_the_file_is_found_by_both_or_by_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_helper_of_forms.py").write_text(f"{LANGUAGE}bound = integer('n') ** 2\n")
    path = _file(tmp_path, f"{LANGUAGE}from own_helper_of_forms import bound\n")
    by_check, by_try = _said(path)
    assert by_check == by_try
    assert "PYTHONPATH" in by_check  # says how it is found
    assert "line 2" in by_check
    monkeypatch.syspath_prepend(str(tmp_path))
    assert _said(path) == (["own.square"], ["own.square"])


def test_a_relative_import_is_refused_by_both(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("")
    by_check, by_try = _said(_file(tmp_path, f"{LANGUAGE}from . import helper\n"))
    assert by_check == by_try
    assert "line 2" in by_check


def test_the_form_of_the_tutorial_in_both_commands(tmp_path: Path) -> None:
    path = _file(tmp_path, ACCEPTED["the catalogue, as in the tutorial"])
    run = CliRunner().invoke
    tried = run(app, ["try", path])
    checked = run(
        app, ["check", "--module", path, "own.*", "--profile", "quick", "--jobs", "1", "--fresh"]
    )
    listed = run(app, ["list", "--module", path, "own.*"])
    assert (tried.exit_code, checked.exit_code, listed.exit_code) == (0, 0, 0)
    assert "own.square" in listed.output
