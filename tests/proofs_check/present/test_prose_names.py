"""A name in a claim's prose stands in its formulas, in its table of symbols, or is defined there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prose_names import names_in, unplaced

from ropeproof.proofs_check.present import statement_of
from ropeproof.theory import CLAIMS


@pytest.mark.parametrize(
    ("latex", "names"),
    [
        (r"\bar q", {"bar q"}),
        (r"\bar{\theta}_l", {"bar theta", "l"}),
        (r"\ln x\le\mathrm{e}^{y}", {"x", "y"}),
        (r"\mathbb E[X]", {"X"}),
        (r"e^{\lambda t}\dots", {"lambda", "t"}),
    ],
)
def test_names_are_letters_with_their_marks(latex, names):
    assert names_in(latex) == names


def test_a_name_that_is_nowhere_is_found():
    statement = statement_of(CLAIMS["slash.emergence"])
    assert unplaced(r"If $\zeta$ is small, then $\kappa\le h$.", statement) == {"zeta", "h"}
    assert unplaced(r"With $\zeta=\kappa^2$: $\zeta\le\kappa$.", statement) == set()


def test_the_bars_of_means_are_those_of_the_formulas():
    """The prose of `slash.emergence` had means with a bar, its formulas without, and no eta."""
    statement = statement_of(CLAIMS["slash.emergence"])
    without = replace(statement, where=tuple(e for e in statement.where if e.latex != r"\eta"))
    assert {entry.latex for entry in statement.where} >= {r"\eta", r"\bar q", r"\bar k"}
    assert unplaced(r"$\eta$", without) <= {"eta"}


@pytest.mark.parametrize("id", ["slash.emergence", "slash.logit-close"])
def test_prose_and_formula_use_the_same_names(id):
    claim = CLAIMS[id]
    assert unplaced(claim.statement, statement_of(claim)) == set()
