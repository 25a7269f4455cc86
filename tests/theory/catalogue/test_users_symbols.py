"""A symbol of a user's claim never gets the meaning that its letter has in the catalogue."""

from __future__ import annotations

from pathlib import Path

import sympy as sp
from command_line import run

from ropeproof.proofs_check.present import statement_of
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Claim, Hypothesis
from ropeproof.theory.language.logic import Both, integer, le, real, real_function
from ropeproof.theory.topics.catalogue import is_of_catalogue


def _own(id: str = "own.letters") -> Claim:
    """A claim of a user's own in letters to which the catalogue gives meanings."""
    b, n, m, l, t = integer("b n m l t")
    s, beta = real("s beta")
    A, theta, w, q_x, q_y = map(real_function, ("A", "theta", "w", "q_x", "q_y"))
    planes = sp.Sum(A(l) * sp.cos(theta(l) * t), (l, 0, m - 1))
    length = sp.Sum(q_x(l) ** 2 + q_y(l) ** 2, (l, 0, m - 1))
    return Claim(
        id,
        "Letters",
        "Something else.",
        hypotheses=(Hypothesis("FIRST", le(1, b * n + s)),),
        conclusion=Both(le(planes, w(t) + beta), le(0, length), le(planes, 2 * length)),
    )


def test_a_users_symbol_has_no_meaning_of_the_catalogue() -> None:
    """A letter alone does not say what a symbol stands for."""
    for id in (
        "own.letters",
        "rope.mine",
        "slash.head",
    ):  # the last is one of the catalogue's
        stated = statement_of(_own(id))
        assert {entry.meaning for entry in stated.where if entry.kind != "notation"} == {""}
        assert {"b", "n", "s", "A"} <= {entry.symbol for entry in stated.where}
        told = str(stated.as_json())
        for words in ("base of", "frequenc", "logit", "number of planes", "temperature"):
            assert words not in told, words


def test_the_catalogues_symbols_keep_their_meanings() -> None:
    told = {entry.symbol: entry.meaning for entry in statement_of(CLAIMS["rope.lipschitz"]).where}
    assert told["A"] == "amplitudes of the planes, in logits"
    assert all(
        is_of_catalogue(CLAIMS[id]) for id in ("rope.lipschitz", "slash.emergence", "exp.monotone")
    )


OWN_FILE = """
from ropeproof.theory.language import *

n, x = integer("n"), real("x")
c, f = real_function("c"), real_function("f")
MEANINGS: Meanings = {
    x: "a length",
    n: shown_as("N", "N", "number of coordinates"),
    c: vector_in(n, "a vector of the file"),
}


@theorem("own.file", conclusion=le(0, sp.Sum(c(n) ** 2, (n, 0, 3)) + x**2), meanings={x: "a width"})
def FILE(p: Proof) -> None:
    \"\"\"Squares

    They are not negative.
    \"\"\"
    p.qed("Squares are not negative.")
"""


def test_the_meanings_of_a_users_file_are_shown(tmp_path: Path) -> None:
    """The file runs in a process of its own, from which its meanings come as data."""
    path = tmp_path / "own_file.py"
    path.write_text(OWN_FILE, encoding="utf-8")
    lines = run("show", "own.file", "--statement", "--module", str(path))[1].splitlines()
    told = [line.split(maxsplit=2) for line in lines[lines.index("where") + 1 :] if line]
    assert ["x", "real", "a width"] in told
    assert ["N", "index", "number of coordinates"] in told
    assert ["c", "reals", "a vector of the file"] in told
