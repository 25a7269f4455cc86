"""The table of the catalogue says what the modules state, and a claim is loaded when it is asked for."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ropeproof.proofs_check.reports.listing import chosen_entries, entries, titles
from ropeproof.theory import CLAIMS, TOPICS, InvalidClaim
from ropeproof.theory.annotations.roles import ROLES
from ropeproof.theory.language.claim import checked
from ropeproof.theory.lazy_topics import claims_of, joined
from ropeproof.theory.topics import catalogue as topics
from ropeproof.theory.topics.contents import CONTENTS, TOPIC_NAMES, Listing

ROOT = Path(__file__).resolve().parents[3]


def writer():
    """The programme that writes the table."""
    spec = importlib.util.spec_from_file_location("_write", ROOT / "maintenance/write_contents.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_what_the_modules_state():
    write = writer()
    text = (ROOT / "theory/topics/contents.py").read_text(encoding="utf-8")
    assert text.partition(write.BEGIN)[2] == write.table(), "python maintenance/write_contents.py"


def test_the_catalogue_is_that_of_the_topics_in_the_same_order():
    whole = topics.whole_catalogue()
    assert list(whole) == list(CLAIMS) == list(CONTENTS)
    assert all(CLAIMS[id] is claim for id, claim in whole.items())
    assert list(TOPICS) == list(TOPIC_NAMES)
    for name, module in TOPICS.items():
        assert {c.id for c in claims_of(module)} == {
            i for i, e in CONTENTS.items() if e.topic == name
        }
    assert {entry.role for entry in CONTENTS.values()} <= set(ROLES)


def test_a_list_of_titles_writes_no_proof():
    code = """
import sys
from ropeproof.cli import main
sys.argv = ["ropeproof", "list", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
stated = [m for m in sys.modules if m.startswith("ropeproof.theory.topics.")]
print(len(stated), file=sys.stderr)
"""
    for words in ([], ["slash.*", "--main"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True, text=True, check=True,
            env={**os.environ, "ROPEPROOF_CACHE": ""},
        )  # fmt: skip
        assert done.stdout.splitlines()
        assert int(done.stderr) <= 2  # the table of contents, and the topics' names
    shown = [line.split()[0] for line in done.stdout.splitlines()]
    wanted = [
        id for id, e in CONTENTS.items() if e.role == "main result" and id.startswith("slash.")
    ]
    assert shown == wanted


def test_the_entries_of_some_claims_are_those_of_the_whole_list(monkeypatch):
    monkeypatch.setenv("ROPEPROOF_CACHE", "")
    whole = entries()
    some = ["trig.jordan", "rope.band", "slash.emergence"]
    assert chosen_entries(some) == {id: whole[id] for id in some}
    assert {id: t.title for id, t in titles().items()} == {id: c.title for id, c in whole.items()}


def test_a_title_has_no_formula_in_latex():
    """Lists, graphs and side bars show a title as it is written."""
    assert [id for id, entry in CONTENTS.items() if "$" in entry.title] == []


def written(path: Path) -> set[str]:
    """The ids of the claims that a file states with `@theorem`, read from its text."""
    marks = [
        mark
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
    ]
    return {
        ast.literal_eval(mark.args[0])
        for mark in marks
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "theorem"
    }


def test_every_theorem_of_a_file_is_in_the_catalogue():
    """A file that no topic joins would never be checked, and its evidence never run."""
    files = [p for part in ("topics", "library") for p in (ROOT / "theory" / part).rglob("*.py")]
    found = set().union(*map(written, files))
    assert len(found) > 400
    assert found - CONTENTS.keys() == set()


def test_a_lemma_of_the_library_is_stated_there():
    """What is about numbers, sums or order alone does not stand in the topic that first used it."""
    kinds = {id.partition(".")[0] for id, e in CONTENTS.items() if e.module.startswith("library.")}
    assert {"sums", "order", "exp", "trig", "duality"} <= kinds
    astray = {id: e.module for id, e in CONTENTS.items() if id.partition(".")[0] in kinds}
    assert {id: home for id, home in astray.items() if not home.startswith("library.")} == {}


def test_each_claim_comes_after_those_it_uses():
    place = {id: n for n, id in enumerate(CONTENTS)}
    assert [c.id for c in CLAIMS.values() for u in c.uses if place[u] >= place[c.id]] == []


def test_the_catalogue_is_a_mapping_that_does_not_change():
    assert "rope.group" in CLAIMS
    assert "rope" not in CLAIMS
    assert CLAIMS.get("rope") is None
    with pytest.raises(KeyError):
        CLAIMS["rope"]
    with pytest.raises(KeyError):
        TOPICS["ropes"]
    with pytest.raises(AttributeError, match="does not change"):
        CLAIMS._read = {}
    assert set(CLAIMS | {"own": None}) == {*CLAIMS, "own"}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = TOPICS["rope"].nothing


def loaded(code: str) -> set[str]:
    """The modules there are after some code, in a process of its own."""
    show = "import sys; print(*sys.modules)"
    run = [sys.executable, "-c", f"{code}\n{show}"]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_ids_are_known_without_loading_a_claim():
    code = "from ropeproof import CLAIMS, theory\n"
    code += "len(CLAIMS), list(CLAIMS), list(theory.TOPICS), repr(CLAIMS)"
    found = loaded(code)
    assert "sympy" not in found
    assert not found & {f"ropeproof.theory.{name}" for name in TOPIC_NAMES}


def test_a_claim_loads_its_module_and_what_that_imports():
    found = loaded("from ropeproof import CLAIMS\nCLAIMS['rope.group']")
    assert "ropeproof.theory.topics.rope.rotation" in found
    stated = {f"ropeproof.theory.{entry.module}" for entry in CONTENTS.values()}
    assert len(found & stated) < len(stated) / 4


def test_a_proof_is_not_built_before_it_is_read():
    code = (
        "from ropeproof import CLAIMS\nc = CLAIMS['rope.lipschitz']\nassert c.title\n"
        "assert 'derivation' not in vars(c)\nassert c.uses\nassert 'derivation' in vars(c)"
    )
    loaded(code)


@pytest.mark.parametrize("change", ["lost", "new"])
def test_a_module_and_the_table_that_disagree_are_an_error(change, monkeypatch):
    table = dict(CONTENTS)
    if change == "lost":
        del table["rope.group"]
    else:
        table["rope.groups"] = Listing("rope", CONTENTS["rope.group"].module, "lemma", "")
    monkeypatch.setattr(topics, "CONTENTS", table)
    name = "rope.group" if change == "lost" else "rope.groups"
    with pytest.raises(
        InvalidClaim, match=rf"lacks {name}; `python maintenance/write_contents.py`"
    ):
        topics._stated(CONTENTS["rope.group"].module)
    with pytest.raises(InvalidClaim, match=rf"other claims \({name}\)"):
        topics.whole_catalogue()


def test_a_part_of_the_catalogue_is_checked_as_the_whole_is():
    from dataclasses import replace

    found = checked(CLAIMS, ["rope.lipschitz"])
    assert list(found)[-1] == "rope.lipschitz"
    assert set(CLAIMS["rope.lipschitz"].uses) < set(found)
    claim = CLAIMS["rope.lipschitz"]
    for uses, told in ((("rope.nothing",), "unknown claim"), ((claim.id,), "in a cycle")):
        wrong = replace(claim, uses=(*claim.uses, *uses))
        with pytest.raises(InvalidClaim, match=told):
            checked(CLAIMS | {claim.id: wrong}, [claim.id])


def test_a_package_joins_modules_of_its_own_and_others():
    found = joined(
        "ropeproof.theory.topics.slash.descent", "heads.rank_one", "ropeproof.theory.library.order"
    )
    assert found.modules == (
        "ropeproof.theory.topics.slash.descent.heads.rank_one",
        "ropeproof.theory.library.order",
    )
