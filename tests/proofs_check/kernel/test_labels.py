"""No cache hands back, for a term, an equal one with another label that is then read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
import sympy as sp
from kernel.attack_corpus.entry import claim, s

from ropeproof.proofs_check.kernel import formulas, normal, read, terms
from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.kernel.messages import show
from ropeproof.proofs_check.kernel.terms import Variable
from ropeproof.proofs_check.present import forms, plain
from ropeproof.proofs_check.present.setting import Shown
from ropeproof.proofs_check.semantics import bounds
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.values import Instance
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import (
    choose,
    generalise,
    instance,
    smt,
    termwise,
    witness,
)
from ropeproof.theory.language.logic import Every, Some, eq, integer, le, real, real_function

i, j, k, n, m = integer("i j k n m")
x, y, z = real("x y z")
f = real_function("f")


def _about(of: Any) -> dict[str, Any]:
    """Formulas with one bound name each, which is `of`: equal in the kernel whatever it is."""
    total = sp.Sum(f(of), (of, 0, n))
    return {
        "a sum": le(0, total),
        "a sum of sums": le(0, sp.Sum(f(of) * total.subs(n, m), (of, 0, n))),
        "for all": Every((of,), le(0, f(of))),
        "for some": Some((of,), le(0, f(of))),
        "for all and a sum": Every((of,), le(f(of), total.subs(n, m))),
    }


@pytest.mark.parametrize("name", list(_about(i)))
def test_equal_terms_have_their_own_labels(name: str) -> None:
    """The label is no part of what is compared, so caches by terms find one for the other."""
    first, second = read.read(_about(i)[name]), read.read(_about(j)[name])
    assert first == second
    assert "i" in show(first)
    assert "j" in show(second)
    assert "i" not in show(second).replace("if", "")
    for _ in range(2):  # read again, from what was kept
        assert show(read.read(_about(i)[name])) == show(first)
        assert show(read.read(_about(j)[name])) == show(second)


def _variables(value: Any) -> Iterator[Variable]:
    """The variables that stand anywhere in a value of the kernel."""
    if isinstance(value, Variable):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for part in value:
            yield from _variables(part)
    elif isinstance(value, dict):
        yield from _variables(tuple(value.items()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _variables(tuple(vars(value).values()))


CACHED: dict[str, Callable[[Any], Any]] = {
    "canonical": formulas.canonical,
    "free names": terms._free,
}


@pytest.mark.parametrize("name", list(_about(i)))
@pytest.mark.parametrize("cached", list(CACHED))
def test_what_the_kernel_keeps_has_no_label_of_an_author(cached: str, name: str) -> None:
    """So it is the same for all equal terms, whichever was asked for first."""
    ask = CACHED[cached]
    found = []
    for first, second in ((i, j), (j, i)):
        ask.cache_clear()  # type: ignore[attr-defined]
        ask(read.read(_about(first)[name]))
        found.append(ask(read.read(_about(second)[name])))
        assert found[-1] == ask.__wrapped__(read.read(_about(second)[name]))  # type: ignore[attr-defined]
    assert repr(found[0]) == repr(found[1])
    assert not [v.label for v in _variables(found[0]) if v.label]


def test_the_normal_forms_that_are_kept_have_no_label_of_an_author(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = terms._bound_in
    formulas.canonical.cache_clear()
    normal._UNCONDITIONAL.clear()
    asked = []
    monkeypatch.setattr(terms, "_bound_in", lambda *a: asked.append(a[0]) or bound(*a))
    for of in (i, j):
        for formula in _about(of).values():
            formulas.canonical(read.read(formula))
    assert normal._UNCONDITIONAL
    assert asked
    assert not [v.label for v in _variables([*normal._UNCONDITIONAL.values(), *asked]) if v.label]


def test_every_cache_of_the_kernel_is_looked_at() -> None:
    """One that is added has to be added above, or here with the reason why it keeps no term."""
    kind = type(lru_cache(lambda: None))
    from ropeproof.proofs_check.kernel import check, rules, sequent, sums
    from ropeproof.proofs_check.kernel import smt as by_z3
    from ropeproof.proofs_check.kernel.solvers import query

    modules = (check, formulas, normal, query, read, rules, sequent, by_z3, sums, terms)
    found = {
        value.__wrapped__.__qualname__
        for module in modules
        for value in vars(module).values()
        if isinstance(value, kind)
    }
    no_terms = {
        "_answer",  # z3's word to a question in bytes
        "_bound_in",  # asked with normal forms, which have no label, and with labels themselves
        "_declared",  # SymPy's symbol of a name and a sort
        "order",  # the text of a part of a normal form
    }
    assert found == no_terms | {ask.__wrapped__.__qualname__ for ask in CACHED.values()}  # type: ignore[attr-defined]


# -- the rules that read labels --------------------------------------------------------------


def _by_terms(of: Any) -> Claim:
    goal = le(0, sp.Sum(f(of), (of, 0, n)))
    at = s("term", le(0, f(of)), instance({k: of}), "h")
    return claim(
        goal, at, s("end", goal, termwise(), "term"), given={"h": Every((k,), le(0, f(k)))}
    )


def _by_generalising(of: Any) -> Claim:
    goal = Every((of,), le(-1, f(of)))
    given = {"h": Every((k,), le(0, f(k)))}
    at = s("one", le(0, f(of)), instance({k: of}), "h")
    less = s("less", le(-1, f(of)), smt(), "one")
    return claim(goal, at, less, s("end", goal, generalise(), "less"), given=given)


def _by_instance(of: Any) -> Claim:
    given = {"h": Every((of,), le(0, f(of)))}
    return claim(le(0, f(n)), s("end", le(0, f(n)), instance({of: n}), "h"), given=given)


def _by_witness(of: Any) -> Claim:
    goal = Some((of,), eq(of, n + 1))
    return claim(goal, s("end", goal, witness({of: n + 1})))


def _by_choosing(of: Any) -> Claim:
    body = eq(f(of), x)
    steps = (
        s("same", le(0, x**2 + 1), smt(), "", (body,)),
        s("end", le(0, x**2 + 1), choose(), "h; same"),
    )
    return claim(le(0, x**2 + 1), *steps, given={"h": Some((of,), body)})


def _holds(stated: Claim) -> bool:
    return check_derivation(stated, {}.__getitem__).outcome.verdict == "holds"


def _forget() -> None:
    for ask in CACHED.values():
        ask.cache_clear()  # type: ignore[attr-defined]
    normal._UNCONDITIONAL.clear()


RULES = (_by_terms, _by_generalising, _by_instance, _by_witness, _by_choosing)


@pytest.mark.parametrize("rule", RULES)
def test_a_label_is_that_of_the_step_whatever_was_read_before(rule: Callable[[Any], Claim]) -> None:
    """What a step's own names give holds, and with the names of an equal step it is refused."""
    one, other = rule(i), rule(j)
    mixed = _mixed(one, other)
    for before in ((), (one,), (other,), (one, other)):
        _forget()
        for earlier in before:
            assert _holds(earlier)
        assert _holds(one)
        assert _holds(other)
        assert not _holds(mixed)


def _mixed(one: Claim, other: Claim) -> Claim:
    """The last step of one claim after the steps and the hypotheses of the other."""
    assert one.derivation is not None
    assert other.derivation is not None
    *_, last = one.derivation.steps
    before = other.derivation.steps[:-1]
    if before:
        return replace(one, derivation=type(one.derivation)((*before, last)))
    if one.hypotheses:
        return replace(one, hypotheses=other.hypotheses)
    return replace(
        one, derivation=type(one.derivation)((replace(last, rule=other.derivation.steps[-1].rule),))
    )


# -- SymPy's terms ----------------------------------------------------------------------------


def test_equal_values_of_other_kinds_are_not_exchanged() -> None:
    """`True`, SymPy's true and the number 1 are equal for Python, or have one hash."""
    assert sp.Integer(1) == True  # noqa: E712
    for given in ((True, sp.true, sp.Integer(1)), (sp.Integer(1), sp.true, True)):
        assert [plain.plain(value) for value in given if value is not True] == [
            str(value) for value in given if value is not True
        ]
    assert truth(sp.true, Instance({}, lambda *_: [])) is True
    assert read.read(True) == read.read(sp.true) == terms.TRUE
    assert read.read(sp.Integer(1)) == terms.number(1)


def test_symbols_of_one_name_are_told_apart() -> None:
    """A real and an integer of one name are two things; a function made twice is one."""
    whole, part = integer("t"), real("t")
    for first, second in ((whole, part), (part, whole)):
        for symbol in (first, second):
            (sort,) = bounds.names_in(le(0, symbol)).values()
            assert sort == (symbol is whole, 0)
            assert read.read(le(0, symbol))[2][2] is (symbol is whole)


def test_equal_shown_terms_have_their_own_forms() -> None:
    """SymPy gives what it made for equal arguments: the form is a part of what is compared."""
    one = forms.Vector("vector:a", "a()", (real_function("a"),))
    other = forms.Vector("vector:a", "b()", (real_function("b"),))
    shown = [Shown(form, x) for form in (one, other, one, other)]
    assert [term.form.name for term in shown] == ["a()", "b()", "a()", "b()"]
    for term in shown:
        doubled = sp.Add(term, term, y) - y
        found = {
            part.form.name for part in sp.preorder_traversal(doubled) if isinstance(part, Shown)
        }
        assert found == {term.form.name}


def test_a_bound_name_is_written_as_it_was_given() -> None:
    for of in (i, j, i, j):
        for formula in _about(of).values():
            assert of.name in plain.plain(formula)
            (other,) = {"i", "j"} - {of.name}
            assert f"({other}" not in plain.plain(formula)
