"""No symbol of another file's lemma is meant by its letter: a proof gives it a value, or imports it."""

from __future__ import annotations

import sys
from importlib import import_module
from textwrap import dedent

import pytest
from lemma_letters import by_letter

from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import stated_by

LEMMA = """
from ropeproof.theory.language import *

x, k = real("x"), integer("k")
w = real_function("w")
LOW = Hypothesis("x is not negative", le(0, x))


@theorem("own.lemma", hypotheses=(LOW,), conclusion=le(0, x * w(k) ** 2))
def LEMMA(p: Proof) -> None:
    \"\"\"A lemma

    It says nothing of interest.
    \"\"\"
    p.qed("It is a product of such numbers.", LOW)
"""
USER = """
from ropeproof.theory.language import *
{imports}

{declared}
AT_LEAST = Hypothesis("x is at least 1", le(1, x))


@theorem("own.user", hypotheses=(AT_LEAST,), conclusion=le(0, x * w(k) ** 2))
def USER(p: Proof) -> None:
    \"\"\"A claim

    It says nothing of interest.
    \"\"\"
    low = p.show(le(0, x), "It is not negative.", AT_LEAST)
    p.lemma({lemma}, low, why="So is the product.")
"""
OWN = 'x, k = real("x"), integer("k")'
IMPORTED = "from letters_of_a_lemma import LEMMA, "


@pytest.fixture
def found(tmp_path, monkeypatch):
    """A function that says which symbols a claim and its lemma, each in a file, share by letter alone."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def shared(imports: str, declared: str, lemma: str = "LEMMA") -> set[str]:
        text = USER.format(imports=imports, declared=declared, lemma=lemma)
        user = f"letters_of_a_user_{abs(hash(text))}"
        (tmp_path / "letters_of_a_lemma.py").write_text(dedent(LEMMA), encoding="utf-8")
        (tmp_path / f"{user}.py").write_text(text, encoding="utf-8")
        claims = [c for m in ("letters_of_a_lemma", user) for c in stated_by(import_module(m))]
        shared = by_letter(claims, {c.id: c for c in claims}, "letters_of_")
        return {str(one.symbol) for one in shared}

    yield shared
    for name in [name for name in sys.modules if name.startswith("letters_of_")]:
        del sys.modules[name]


def test_a_symbol_that_a_file_declares_for_itself_is_seen(found):
    assert found(f"{IMPORTED}w", OWN) == {"x", "k"}
    assert found(f"{IMPORTED}k, w", 'x = real("x")') == {"x"}
    assert found(f"{IMPORTED}k, x", 'w = real_function("w")') == {"w"}


def test_a_symbol_with_a_value_or_from_the_lemma_s_file_is_not(found):
    assert found(f"{IMPORTED}k, w, x", "") == set()
    assert (
        found("import letters_of_a_lemma\n" + f"{IMPORTED}k, w, x as other", "x = other") == set()
    )
    assert found(f"{IMPORTED}w", OWN, "LEMMA.at(x=x, k=k)") == set()
    assert found(f"{IMPORTED}w", OWN, "LEMMA.at(x=x)") == {"k"}


def test_a_symbol_in_a_table_of_meanings_is_not_declared_there(found):
    own = 'x = real("x")\nk = max(LEMMA.conclusion.free_symbols, key=lambda s: s.name == "k")\n'
    assert found(f"{IMPORTED}w", f'{own}MEANINGS = {{integer("k"): "an index"}}') == {"x"}
    assert found(f"{IMPORTED}w", f'{own}OTHER = {{integer("k"): "an index"}}') == {"x", "k"}


def test_a_symbol_of_another_kind_is_another_symbol(found):
    other = 'x, k, other = real("x"), integer("k"), integer("x")'
    assert found(f"{IMPORTED}w", other, "LEMMA.at(x=x, k=k)") == set()
    assert found(f"{IMPORTED}w, x", 'k, other = integer("k x")', "LEMMA.at(k=k)") == set()


def test_no_proof_of_the_catalogue_means_a_symbol_by_its_letter():
    told = [
        f"{one.claim}, step {one.step}: {one.lemma} leaves {one.symbol} to itself; it is declared in "
        f"{', '.join(one.there)}, and here it is that of {', '.join(one.here)}: give it as a value"
        for one in by_letter(CLAIMS.values(), CLAIMS)
    ]
    assert told == []
