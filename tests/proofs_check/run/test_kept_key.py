"""What a kept result is found by: the whole claim, the sources reached, and the libraries."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
from kept_checks import SQUARE, x

from ropeproof.proofs_check.run.cache import content, key
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Hypothesis, Mutant
from ropeproof.theory.language.derivation import Derivation, Step, smt
from ropeproof.theory.language.logic import Every, eq, integer, le, lt, real_function

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def sources():
    return PackageSources()


@pytest.mark.parametrize(
    "change",
    [
        {"conclusion": lt(0, x**2 + 1)},
        {"hypotheses": (Hypothesis("h", le(0, x)),)},
        {"hypotheses": (Hypothesis("h", le(0, x), idle="so"),)},
        {"mutants": ()},
        {"mutants": (Mutant("m", lt(x, 0), equivalent="no"),)},
        {"kind": "conjecture"},
        {"needs": frozenset("P")},
        {"id": "own.other"},
        {"derivation": None},
        {"derivation": Derivation((Step("only", le(0, x**2), smt(), "by z3", (), (le(0, x),)),))},
    ],
    ids=str,
)
def test_every_part_of_a_claim_is_in_its_hash(change):
    assert content.claim_digest(replace(SQUARE, **change)) != content.claim_digest(SQUARE)


def test_what_looks_the_same_is_not_the_same():
    k, n = integer("x"), sp.Symbol("x")
    f, g = real_function("f"), sp.Function("f", integer=True)
    alike = [
        le(0, x), le(0, k), le(0, n), lt(0, x), eq(0, x), le(x, 0),
        le(0, f(x)), le(0, g(x)), le(0, f(k)), Every((x,), le(0, x)), Every((k,), le(0, x)),
        le(0, sp.Rational(1, 2)), le(0, sp.Sum(x, (k, 0, 1))), le(0, sp.pi),
    ]  # fmt: skip
    assert len({content.claim_digest(replace(SQUARE, conclusion=c)) for c in alike}) == len(alike)


def test_the_whole_catalogue_can_be_kept():
    digests = {content.claim_digest(c) for c in CLAIMS.values()}
    assert len(digests) == len(CLAIMS)


def test_every_library_that_computes_is_in_the_key():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.split("dependencies = [", 1)[1].split("]", 1)[0]
    needed = {line.strip(' ",').split(">")[0] for line in block.strip().splitlines()}
    extras = text.split("proofs = [", 1)[1].split("plots = [", 1)[0]
    needed |= set(re.findall(r'"([a-z0-9-]+)>', extras))
    assert {"z3-solver", "torch", "hypothesis"} < needed
    assert needed - {"typer", "rich"} <= set(key.PACKAGES)


def package(root, **files):
    """A small package with the floors of this one."""
    for floor in ("theory", "numerics", "constructions", "tools", "proofs_check"):
        (root / floor).mkdir(parents=True)
        (root / floor / "__init__.py").write_text(f'"""{floor}."""\n')
    (root / "__init__.py").write_text("")
    for name, text in files.items():
        place = name.removesuffix("____init__").replace("__", "/")
        path = root / (f"{place}/__init__.py" if name.endswith("____init__") else f"{place}.py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return PackageSources(root)


def test_what_a_module_reaches(tmp_path):
    found = package(
        tmp_path,
        numerics__a="import numpy\n",
        numerics__b="def f():\n    from ropeproof.numerics.a import g\n",
        numerics__c="from ropeproof.numerics import b\n",
        numerics__d="import importlib\nimportlib.import_module('ropeproof.numerics.c')\n",
        theory__e="from importlib import import_module\nimport_module(NAME)\n",
        theory__f="import ropeproof.theory.e\n",
        constructions__g="",
    )

    def of(name):
        return {n.split(".")[-1] for n in found.reached(f"ropeproof.{name}")} - {"ropeproof"}

    assert of("numerics.a") == {"numerics", "a"}
    assert of("numerics.b") == {"numerics", "a", "b"}
    assert of("numerics.c") == {"numerics", "a", "b", "c"}
    assert of("numerics.d") == {"numerics", "a", "b", "c", "d"}
    assert of("theory.f") == {"theory", "e", "f"}  # e may load whatever is beside it
    assert of("constructions.g") == {"constructions", "g"}
    with pytest.raises(KeyError):
        of("numerics.nothing")


def test_a_changed_source_changes_what_reaches_it_and_nothing_else(tmp_path):
    texts = {"numerics__a": "A = 1\n", "numerics__b": "from ropeproof.numerics.a import A\n"}
    texts["numerics__c"] = "C = 1\n"
    before = package(tmp_path / "before", **texts)
    after = package(tmp_path / "after", **texts | {"numerics__a": "A = 2\n"})
    changed = {name for name in before.files if before.reach(name) != after.reach(name)}
    assert changed == {"ropeproof.numerics.a", "ropeproof.numerics.b"}
    assert before.digest != after.digest


def test_the_judge_is_all_of_the_checker_that_decides(sources):
    judging = sources.reached(key._RUNNER, beyond=key._ELSEWHERE)
    short = {name.removeprefix("ropeproof.proofs_check.") for name in judging}
    assert {
        "attack.mutants",
        "semantics.evaluate",
        "semantics.instances",
        "run.second_witness",
        "run.status",
        "semantics.values",
        "run.runner",
    } <= short
    for name in [n for n in sources.files if n.startswith("ropeproof.proofs_check.kernel")]:
        changed = copy.copy(sources)
        changed.files = {**sources.files, name: b"# changed"}
        assert key.judge(changed) != key.judge(sources), name
    assert {"ropeproof.theory.language.axioms", "ropeproof.theory.language.logic"} <= judging
    elsewhere = {n for n in short if n.startswith(("site", "evidence."))}
    assert elsewhere == {"evidence.certify"}  # what a user's file certifies is decided by it
    tools = {n for n in judging if n.startswith("ropeproof.tools.")}
    assert not {n for n in tools if not n.startswith("ropeproof.tools.console")}
    assert not judging & {"ropeproof.theory.topics.catalogue", "ropeproof.theory.topics.contents"}


def test_a_package_that_joins_modules_reaches_them_and_no_others(tmp_path):
    found = package(
        tmp_path,
        theory__lazy_topics="from importlib import import_module\nimport_module(NAME)\n",
        theory__topic____init__="from ropeproof.theory.lazy_topics import joined\n"
        "__getattr__ = joined(__name__, 'a', 'ropeproof.theory.other')\n",
        theory__topic__a="",
        theory__topic__b="",
        theory__other="",
        theory__uses="from ropeproof.theory.topic import CLAIMS\n",
        theory__one="from ropeproof.theory.topic import b\n",
    )

    def of(name):
        return {n.split(".")[-1] for n in found.reached(f"ropeproof.{name}")} - {"ropeproof"}

    assert of("theory.uses") == {"theory", "topic", "a", "other", "lazy_topics", "uses"}
    assert of("theory.one") == {"theory", "topic", "b", "one"}
