"""What a user's code must leave alone: each way to replace a part is seen, and memories are emptied."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType

import flint
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.kernel import check as checking
from ropeproof.proofs_check.kernel import (
    formulas,
    normal,
    read,
    rules,
    sequent,
    smt,
    terms,
)
from ropeproof.proofs_check.kernel.formulas import canonical
from ropeproof.proofs_check.kernel.solvers import query
from ropeproof.proofs_check.kernel.solvers.solver_process import SolverProcess
from ropeproof.proofs_check.run import library, status, untouched
from ropeproof.theory.language import axioms, derivation, logic
from ropeproof.theory.language.logic import lt, real

ROOT = Path(__file__).parents[3]
x = real("x")


def other(*_, **__):
    """Something else, in the place of a part."""


@pytest.fixture(scope="module")
def before():
    library.load(())
    return untouched.parts()


CHANGES = {
    "a cached function": lambda m: m.setattr(sequent, "canonical", other),
    "a cached function where it is made": lambda m: m.setattr(formulas, "canonical", other),
    "a cached function behind the cache": lambda m: m.setattr(
        formulas.canonical, "__wrapped__", other
    ),
    "a cached function by another cached one": lambda m: m.setattr(
        query, "_answer", functools.lru_cache(lambda *_: "unsat")
    ),
    "the memory of another": lambda m: m.setattr(canonical, "cache_clear", other, raising=False),
    "a function": lambda m: m.setattr(rules, "follows", other),
    "the code of a function": lambda m: m.setattr(
        status.shortfalls, "__code__", (lambda claim, records, status, used: []).__code__
    ),
    "defaults": lambda m: m.setattr(normal.Normal.__init__, "__defaults__", (1,)),
    "keyword defaults": lambda m: m.setattr(smt.entails, "__kwdefaults__", {"effort": 0}),
    "a method": lambda m: m.setattr(normal.Normal, "is_zero", lambda *_: True),
    "a method that was inherited": lambda m: m.setattr(
        normal.Normal, "__getattribute__", object.__getattribute__, raising=False
    ),
    "a cached property": lambda m: m.setattr(
        smt.PremiseFacts.__dict__["normal"], "func", other
    ),
    "a property": lambda m: m.setattr(
        derivation.Rule, "__str__", property(lambda self: "")
    ),
    "a constant": lambda m: m.setattr(smt, "SMALL_EFFORT", 10**9),
    "a module's constant from elsewhere": lambda m: m.setattr(normal, "LARGEST_POWER", 10**9),
    "a dictionary's entry": lambda m: m.setitem(read._RELATIONS, sp.Ge, "lt"),
    "a dictionary's new entry": lambda m: m.setitem(read._SYMPY_UNARY, sp.tan, "sin"),
    "the table of rules": lambda m: m.setattr(checking, "RULES", {}),
    "an axiom": lambda m: m.setitem(
        vars(axioms.AXIOMS["Weyl"]), "conclusion", sp.true
    ),
    "a class": lambda m: m.setattr(logic, "Every", logic.Some),
    "a class of the language": lambda m: m.setattr(
        logic.Every, "__eq__", lambda *_: True, raising=False
    ),
    "an own module": lambda m: m.setitem(sys.modules, sequent.__name__, ModuleType("sequent")),
    "a module in its package": lambda m: m.setattr(terms, "Fraction", float),
    "what Python calls": lambda m: m.setattr(builtins, "all", lambda _: True),
    "a function of SymPy": lambda m: m.setattr(sp, "sympify", other),
    "a class of SymPy": lambda m: m.setattr(sp, "Add", sp.Mul),
    "the arguments of SymPy's terms": lambda m: m.setattr(
        sp.Basic, "args", property(lambda self: self._args[::-1])
    ),
    "those of one kind of terms": lambda m: m.setattr(
        sp.Pow, "args", property(lambda self: self._args[::-1]), raising=False
    ),
    "those of a function's values": lambda m: m.setattr(
        AppliedUndef, "args", property(lambda self: self._args[::-1]), raising=False
    ),
    "the range of a sum": lambda m: m.setattr(
        sp.Sum, "limits", property(lambda self: ()), raising=False
    ),
    "how a kind of terms prints itself": lambda m: m.setattr(
        sp.cos, "_latex", lambda self, printer, exp=None: "1", raising=False
    ),
    "how SymPy adds": lambda m: m.setattr(sp.Add, "flatten", classmethod(other)),
    "the value of an integer": lambda m: m.setattr(sp.Integer, "__int__", lambda self: 1),
    "SymPy": lambda m: m.setitem(sys.modules, "sympy", ModuleType("sympy")),
    "balls": lambda m: m.setattr(flint, "arb", float),
    "fractions": lambda m: m.setattr(rules, "Fraction", float),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_every_replaced_part_is_seen(what, before):
    with pytest.MonkeyPatch.context() as patch:
        try:
            CHANGES[what](patch)
        except (AttributeError, TypeError):
            return  # it cannot be replaced at all
        assert untouched.changed(before)


def test_what_the_project_does_by_itself_is_no_change(before):
    assert untouched.changed(before) == ""
    canonical(read.read(lt(x, x + 1)))
    assert untouched.changed(before) == ""


def test_what_torch_replaces_as_it_is_imported_is_no_change_of_a_users_file():
    """A user's file may import torch, and a construction of its own claim does so by itself."""
    importlib.import_module("ropeproof.tools.console.options")  # which calls inspect
    before = untouched.parts()
    assert ("inspect", "signature") in before.places
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inspect, "getfile", other)
        assert untouched.changed(before) == ""
        patch.setattr(inspect, "signature", other)
        assert untouched.changed(before) == "inspect.signature"


def test_what_is_new_is_among_the_parts_and_without_it_they_are_the_same():
    first = untouched.parts()
    place, now = untouched.since(first)
    again = untouched.parts()
    assert (place, now) == ("", first)
    assert now.places.keys() == again.places.keys()
    assert now.objects.keys() == again.objects.keys()
    assert all(untouched._same(now.objects[k][2], again.objects[k][2]) for k in again.objects)
    with pytest.MonkeyPatch.context() as patch:
        made = ModuleType("ropeproof.made")
        made.rule = other
        patch.setitem(sys.modules, "ropeproof.made", made)
        place, now = untouched.since(first)
        assert place == ""
        assert ("ropeproof.made", "rule") in now.places
        made.rule = len
        assert untouched.changed(now) == "ropeproof.made.rule"
        assert untouched.changed(first) == ""


def test_every_part_has_a_name(before):
    for value, home, found in before.objects.values():
        assert len(untouched._names(value)) == len(found), before.told(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal.Normal.__init__, "__defaults__", (1,))
        told = "ropeproof.proofs_check.kernel.normal.Normal.__init__"
        assert untouched.changed(before).endswith(told.rpartition(".")[2])
        patch.undo()
        patch.setitem(read._SYMPY_UNARY, sp.tan, "sin")
        assert untouched.changed(before) == "ropeproof.proofs_check.kernel.read._SYMPY_UNARY"


def test_what_was_put_into_a_memory_is_forgotten():
    wrong = lt(x, x - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formulas, "formula", lambda *_: ("true",))
        formulas.canonical.cache_clear()
        canonical(read.read(wrong))
    normal._UNCONDITIONAL[read.read(x)] = {}
    assert canonical(read.read(wrong)) == ("true",)
    untouched.forget()
    assert canonical(read.read(wrong)) == ("false",)
    assert normal.Normal().poly(read.read(x)) != {}


def test_a_file_beside_the_users_is_no_solver(tmp_path, monkeypatch):
    (tmp_path / "z3.py").write_text("raise SystemExit('not z3')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = SolverProcess(query.Z3)
    try:
        assert process.ask(((("true",),), 1000), 60) == "sat"
    finally:
        process.close()


def _empty(value):
    made = isinstance(value, ast.Dict) and not value.keys
    made |= isinstance(value, ast.List) and not value.elts
    called = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return made or (called and not value.args and value.func.id in ("dict", "list", "set"))


WRITTEN_WHILE_LOADING = {("ropeproof.theory.language.naming", "ABBREVIATIONS")}


def test_every_container_that_starts_empty_is_known_as_state():
    found = set()
    for path in sorted(ROOT.glob("proofs_check/**/*.py")) + sorted(ROOT.glob("theory/**/*.py")):
        name = ".".join(("ropeproof", *path.relative_to(ROOT).with_suffix("").parts))
        for node in ast.parse(path.read_text()).body:
            target = node.target if isinstance(node, ast.AnnAssign) else None
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
            if isinstance(target, ast.Name) and target.id != "__all__" and _empty(node.value):
                found.add((name.removesuffix(".__init__"), target.id))
    assert found
    assert found <= untouched._STATE | WRITTEN_WHILE_LOADING
