"""Symbols mean what is said where they are declared, and each meaning is of a symbol that a claim has."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.present.statement import Presented, statement_of
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.logic import integer, le, real, real_function
from ropeproof.theory.language.types.meaning import Meanings, name_of, shown_as


def _atoms(formulas: Iterable[Any]) -> set[Any]:
    """The symbols and the functions in formulas."""
    found = {a for f in formulas if f is not None for a in f.atoms(sp.Symbol, AppliedUndef)}
    return {a.func if isinstance(a, AppliedUndef) else a for a in found}


def _stated(claim: Claim) -> set[Any]:
    """What stands in a claim's statement, written out."""
    return _atoms((claim.conclusion, *(h.formula for h in claim.hypotheses)))


def _behind(claim: Claim) -> set[Any]:
    """What stands in the definitions of the statement's names, or in the steps of the proof."""
    definitions = Presented(claim).definitions.values()
    given = [
        p
        for a, _ in definitions
        for q in a.parameters
        for p in (q if isinstance(q, tuple) else (q,))
    ]
    steps = claim.derivation.steps if claim.derivation else ()
    return _atoms(
        (*given, *(term for _, term in definitions), *(step.conclusion for step in steps))
    )


class Symbols:
    """What claims have: of each claim, its statement is read once."""

    def __init__(self) -> None:
        self._stated: dict[int, set[Any]] = {}
        self._behind: dict[int, set[Any]] = {}

    def has(self, claim: Claim, symbol: Any) -> bool:
        """Whether a claim, which outlives this, has a symbol, or both functions of a pair."""
        parts = set(symbol) if isinstance(symbol, tuple) else {symbol}
        if id(claim) not in self._stated:
            self._stated[id(claim)] = _stated(claim)
        if parts <= self._stated[id(claim)]:
            return True
        if id(claim) not in self._behind:
            self._behind[id(claim)] = self._stated[id(claim)] | _behind(claim)
        return parts <= self._behind[id(claim)]


def unused(claims: Iterable[Claim], tables: Iterable[Meanings]) -> Iterator[str]:
    """The entries of tables that say nothing of any claim: none that takes the entry has the symbol."""
    claims, symbols = list(claims), Symbols()
    takers: dict[tuple[Any, int], list[Claim]] = {}
    for claim in claims:
        for symbol, words in claim.meanings.items():
            takers.setdefault((symbol, id(words)), []).append(claim)
    entries = {(symbol, id(words)): words for table in tables for symbol, words in table.items()}
    for (symbol, place), words in entries.items():
        if not any(symbols.has(claim, symbol) for claim in takers.get((symbol, place), ())):
            yield f"{name_of(symbol)}: {words}"


def _tables() -> list[Meanings]:
    """The tables of all claims and of the modules that they are made of."""
    of_claims = [claim.meanings for claim in CLAIMS.values()]  # first: this loads the modules
    theory = [m for name, m in sys.modules.items() if name.startswith("ropeproof.theory.")]
    found = [table for m in theory if isinstance(table := vars(m).get("MEANINGS"), dict)]
    return [*found, *of_claims]


def test_every_meaning_is_that_of_a_symbol_which_a_claim_has() -> None:
    """A line for a symbol that no claim has any more, or for another one of its name, would mislead."""
    assert list(unused(CLAIMS.values(), _tables())) == []


x, y = real("x y")
k = integer("k")
f_x, f_y = real_function("f_x"), real_function("f_y")


def _own(meanings: Meanings) -> Claim:
    return Claim("own.one", "One", "It is.", conclusion=le(0, x + f_x(k) ** 2), meanings=meanings)


@pytest.mark.parametrize("symbol", [y, integer("x"), f_y, (f_x, f_y), real_function("x")])
def test_a_meaning_of_a_symbol_that_the_claim_has_not_is_found(symbol: Any) -> None:
    said: Meanings = {x: "a number", symbol: "another"}
    assert list(unused([_own(said)], [said])) == [f"{name_of(symbol)}: another"]


def test_an_entry_that_says_the_same_as_a_used_one_is_found() -> None:
    """What one file says is not used because another file says it too."""
    used: Meanings = {x: "the number".upper()}
    idle: Meanings = {x: "the number".upper()}
    assert list(unused([_own(used)], [used])) == []
    assert list(unused([_own(used)], [used, idle])) == ["x: THE NUMBER"]


def test_what_is_no_symbol_or_no_meaning_is_refused() -> None:
    """With words that say what is allowed."""
    for strange in (
        {x + 1: "a number"},
        {"x": "a number"},
        {f_x(k): "a value"},
        {(f_x, x): "both"},
    ):
        with pytest.raises(InvalidClaim, match="allowed: of a symbol, of a function"):
            statement_of(_own(strange))  # type: ignore[arg-type]
    with pytest.raises(InvalidClaim, match="the meaning of x is 3; allowed: words"):
        statement_of(_own({x: 3}))  # type: ignore[dict-item]
    with pytest.raises(InvalidClaim, match="allowed: a mapping from symbols to words"):
        _own([(x, "a number")])  # type: ignore[arg-type]


def test_of_two_symbols_of_one_name_the_one_that_the_claim_has_is_told() -> None:
    both: Meanings = {x: "a real number", integer("x"): "an integer"}
    assert _own(both).meaning_of("x") == _own({x: "a real number"}).meaning_of("x")


MEANINGS: Meanings = {x: "a number", k: shown_as("κ", r"\kappa", "an index")}


def test_a_claim_takes_the_meanings_of_its_module_and_its_own_come_first() -> None:
    told = {e.symbol: e.meaning for e in statement_of(_own({x: "a length"})).where}
    assert told == {"x": "a length", "f_x": "", "κ": "an index"}
    assert _own({}).meanings is MEANINGS


def test_claims_that_differ_in_meanings_alone_are_equal() -> None:
    """No evidence depends on a meaning: neither a comparison of claims nor a hash sees it."""
    from ropeproof.proofs_check.run.cache.content import claim_digest

    one, other = _own({x: "a length"}), _own({x: "a width"})
    assert one == other
    assert hash(one) == hash(other)
    assert claim_digest(one) == claim_digest(other)
