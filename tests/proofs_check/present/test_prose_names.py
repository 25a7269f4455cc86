"""A name in a claim's prose stands in its formulas, in its table of symbols, or is defined there."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from prose_names import bound_in, names_in, unplaced

from ropeproof.proofs_check.present import statement_of
from ropeproof.theory import CLAIMS
from ropeproof.theory.annotations.prose import PROSE, said_in
from ropeproof.theory.topics.contents import CONTENTS


@pytest.mark.parametrize(
    ("latex", "names"),
    [
        (r"\bar q", {"bar q"}),
        (r"\bar{\theta}_l", {"bar theta", "l"}),
        (r"\ln x\le\mathrm{e}^{y}", {"x", "y"}),
        (r"\mathbb E[X]", {"X"}),
        (r"e^{\lambda t}\dots", {"lambda", "t"}),
        (r"e^{\mathrm i\theta t}+2\pi\sqrt e", {"theta", "t", "e"}),
        (r"q\overline k_{\rm own}", {"q", "k"}),
        (r"A^\top x=O(n)", {"A", "x", "n"}),
        (r"\cos x\le\tfrac12\mathrm iy", {"x", "y"}),
    ],
)
def test_names_are_letters_with_their_marks(latex, names):
    assert names_in(latex) == names


@pytest.mark.parametrize(
    ("latex", "names"),
    [
        (r"\sum_{t\ne a}x_t\le\max_jy_j", {"t", "j"}),
        (r"\{z: z>0\}", {"z"}),
        (r"\sum_{0\le k<n}x_k", {"k"}),
        (r"\forall\,u: u\le v", {"u"}),
        (r"x_t\le a_j", set()),
    ],
)
def test_indices_of_sums_and_members_of_sets_are_bound(latex, names):
    assert bound_in(latex) == names


@pytest.mark.parametrize(
    ("prose", "names"),
    [
        (r"For every $h>1$ there is some $u<h$.", set()),
        (r"For all $h,u$: $h\le u$.", set()),
        (r"Where the letter $h$ is large, $h>1$.", {"h"}),
        (r"With $h:=2$: $h>1$.", set()),
        (r"It has $\kappa\le h_u=3$.", set()),
        (r"With $\cos\phi=\kappa$: $\phi>0$.", set()),
        (r"It has $3=h+u$.", {"h", "u"}),
    ],
)
def test_what_the_prose_binds_or_defines_has_its_place_there(prose, names):
    assert unplaced(prose, statement_of(CLAIMS["rope.base-criterion"])) - {"kappa"} == names


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


QUOTED = {
    **dict.fromkeys(
        (id for id, entry in CONTENTS.items() if entry.role == "printed"),
        "the words and the letters are those of the paper that the claim quotes",
    ),
    "slash.flow-sparse": "a conjecture that is stated in words; it has no formula",
}
"""Claims whose prose is not compared with a formula, each with the reason."""


def test_what_is_not_compared_has_no_formula_or_quotes_a_paper():
    """No claim that could be compared is on the list, and each printed one is."""
    assert {id for id in CLAIMS if CLAIMS[id].kind == "printed"} <= set(QUOTED)
    assert all(CLAIMS[id].kind == "printed" or not CLAIMS[id].conclusion for id in QUOTED)


def unexplained(statement):
    """The symbols of a statement that have no meaning."""
    explained = ("notation", "name")  # by their definitions
    return {e.symbol for e in statement.where if e.kind not in explained and not e.meaning}


@pytest.mark.parametrize("id", list(CLAIMS))
def test_prose_and_formula_use_the_same_names_and_every_symbol_has_a_meaning(id):
    claim = CLAIMS[id]
    statement = statement_of(claim)
    assert unexplained(statement) == set()
    assert id in QUOTED or unplaced(claim.statement, statement) == set()


def test_a_symbol_without_a_meaning_is_found():
    claim = CLAIMS["rope.lipschitz"]
    some = {symbol: words for symbol, words in claim.meanings.items() if str(symbol) not in "mA"}
    assert unexplained(statement_of(replace(claim, meanings=some))) == {"m", "A"}


@pytest.mark.parametrize("id", sorted(PROSE))
def test_a_name_of_the_prose_alone_is_used_there_and_has_a_meaning(id):
    """A line of the table for a name that the prose no longer uses would mislead."""
    claim = CLAIMS[id]
    for name in said_in(claim):
        used = names_in(" ".join(re.findall(r"\$([^$]+)\$", claim.statement)))
        shown = re.sub(r"_(\{[^{}]*\}|.)", "", name.latex)
        assert names_in(shown) <= used, name
        assert name.words
        assert name.text
