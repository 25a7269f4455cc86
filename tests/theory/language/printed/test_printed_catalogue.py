"""No two different terms of the catalogue's statements print alike where a reader could meet both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import pytest
import sympy as sp

from ropeproof.proofs_check.present.latex import Latex
from ropeproof.proofs_check.present.lines import flat
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.binders import distinct
from ropeproof.theory.language.logic import frac, real


def latex(formula: sp.Basic) -> str:
    return flat(Latex().formula(distinct(formula)))


def unicode(formula: sp.Basic) -> str:
    return flat(Unicode().formula(distinct(formula)))


FORMS = {"text": plain, "LaTeX": latex, "Unicode": unicode}


def terms(formulas: Iterable[sp.Basic]) -> Iterator[sp.Basic]:
    """The formulas, the parts of their connectives and quantifiers, and the sides of relations."""
    for formula in formulas:
        yield formula
        if isinstance(formula, sp.core.relational.Relational):
            yield from formula.args
        else:
            parts = (a for a in formula.args if isinstance(a, sp.logic.boolalg.Boolean))
            yield from terms(p for p in parts if not isinstance(p, sp.Symbol))


def alike(statements: Mapping[str, Iterable[sp.Basic]], form) -> list[tuple[str, set[str]]]:
    """What different terms print as, with the claims that have two of them.

    A name may mean different things in different claims, `a_0` a number in one and the first of a
    sequence in the other; each page says what its names mean.
    """
    where = defaultdict(set)
    for id, formulas in statements.items():
        for term in terms(formulas):
            where[term].add(id)
    printed = defaultdict(list)
    for term in where:
        printed[form(term)].append(term)
    found = []
    for text, same in printed.items():
        owners = [where[term] for term in same]
        both = {id for ids in owners for id in ids if sum(id in o for o in owners) > 1}
        if both:
            found.append((text, both))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_no_two_terms_of_a_statement_print_alike(form):
    statements = {
        id: [f for f in (c.conclusion, *(h.formula for h in c.hypotheses)) if f is not None]
        for id, c in CLAIMS.items()
    }
    assert sum(1 for f in statements.values() for _ in terms(f)) > 2000
    assert alike(statements, FORMS[form]) == []


@pytest.mark.parametrize("form", FORMS)
def test_whole_statements_differ_in_print(form):
    printed = defaultdict(set)
    for c in CLAIMS.values():
        if c.conclusion is None:
            continue
        given = sorted(FORMS[form](h.formula) for h in c.hypotheses)
        printed[tuple(given), FORMS[form](c.conclusion)].add(
            (frozenset(h.formula for h in c.hypotheses), c.conclusion)
        )
    assert [text for text, same in printed.items() if len(same) > 1] == []


def test_two_terms_that_print_alike_are_found():
    x, y, z = real("x y z")

    def lossy(term):
        return str(term).replace("(", "").replace(")", "")

    statement = {"own": [sp.Eq(x - (y - z), 0), sp.Eq(frac(x, y) * z, x - y - z)]}
    twins = {"own": [sp.Eq(x * (y + z), 1), sp.Eq(x * y + z, 1)]}
    assert alike(statement, plain) == []
    assert alike(twins, plain) == []
    assert alike(twins, lossy)
    assert alike({"one": twins["own"][:1], "other": twins["own"][1:]}, lossy) == []
