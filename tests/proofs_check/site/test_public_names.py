"""Every public name stands on the page of the public names, with an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest
from needs import Missing, needs, skip_for

import ropeproof
from ropeproof.proofs_check.site.pages.reference import readable_signature, with_signatures

PAGE = (Path(__file__).resolve().parents[3] / "docs/public_names.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", PAGE, flags=re.S | re.M))
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_the_page_has_each_public_name_once():
    assert sorted(re.findall(r"^### `(\w+)`$", PAGE, flags=re.M)) == sorted(ropeproof.__all__)


@pytest.mark.parametrize("name", ropeproof.__all__)
def test_every_public_name_has_an_example_that_runs(name):
    thing = getattr(ropeproof, name)
    documented = inspect.isclass(thing) or inspect.isfunction(thing)
    texts = {"page": "\n".join(re.findall(r"```pycon\n(.*?)```", SECTIONS[name], flags=re.S))}
    if documented:
        texts["docstring"] = inspect.getdoc(thing) or ""
    tried = 0
    for place, text in texts.items():
        around = dict(vars(inspect.getmodule(thing))) if place == "docstring" else {}
        test = doctest.DocTestParser().get_doctest(text, around, f"{name}, {place}", None, 0)
        said: list[str] = []
        result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
        assert result.failed == 0, "".join(said)
        tried += result.attempted
    assert tried, f"docs/public_names.md: no example of {name}"


def test_signatures_are_put_below_the_headings():
    shown = with_signatures("# Page\n\n### `slash_head`\n\ntext\n\n### `Head`\n\n### `PRESETS`\n")
    assert ".. autofunction:: ropeproof.slash_head\n" in shown
    assert ".. autoclass:: ropeproof.Head\n" in shown
    assert "PRESETS" in shown
    assert shown.count("eval-rst") == 2  # a mapping has no signature


def test_a_default_without_a_form_in_python_is_dots():
    from ropeproof import Certificate

    shown = readable_signature(str(inspect.signature(Certificate)))
    assert "<factory>" not in shown
    compile(f"def f{shown}: ...", "signature", "exec")


@needs("sphinx")
def test_inventories_name_each_library_and_stand_in_for_what_is_out_of_reach(tmp_path, monkeypatch):
    from sphinx.util.inventory import InventoryFile

    from ropeproof.proofs_check.site.inventories import LIBRARIES, VARIABLE, intersphinx

    monkeypatch.delenv(VARIABLE, raising=False)
    offline = intersphinx(tmp_path)
    assert set(offline) == {"python", "numpy", "sympy", "torch", "transformers"}
    for library, (address, (place,)) in offline.items():
        loads = getattr(InventoryFile, "loads", None)
        if loads is None:
            skip_for(Missing("package", "sphinx>=8.2", "pip install 'sphinx>=8.2'"))
        with open(place, "rb") as file:
            found = loads(file.read(), uri=address)
        names = {name for _, entries in found.data.items() for name in entries}
        assert names == set(LIBRARIES[library][2])
    monkeypatch.setenv(VARIABLE, "online")
    online = intersphinx(tmp_path)
    assert online["numpy"][1][0] is None  # its own is asked for first
    assert online["numpy"][1][1].endswith("numpy.inv")
    assert len(online["transformers"][1]) == 1


def test_a_user_sees_the_presets_in_80_columns(monkeypatch, capsys):
    from ropeproof.tools.presets import presets_command

    monkeypatch.setenv("COLUMNS", "80")
    presets_command()
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "context" in lines[0]
