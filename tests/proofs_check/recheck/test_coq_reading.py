"""What Coq prints of a statement, read back: it is the claim's, or the difference is named."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.recheck.coq.answers.reading import difference
from ropeproof.theory.language.logic import (
    Every,
    If,
    Some,
    eq,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)

x, y = real("x y")
n, l = integer("n l")
f = real_function("f")

SAID: dict[str, tuple[str, list[Any], Any]] = {
    "an order": ("forall (x : R) (_ : Rle 0 x), Rlt (-3) (Rmult (Rdiv 3 4) x)",
                 [le(0, x)], lt(-3, sp.Rational(3, 4) * x)),
    "a sum": ("forall (n : Z) (f : forall _ : R, R), "
              "eq (zsum 0 (Z.add (-1) n) (fun i : Z => f (IZR i))) (f (IZR n))",
              [], eq(sp.Sum(f(l), (l, 0, n - 1)), f(n))),
    "a bound of powers": ("forall (n : Z) (f : forall _ : R, R), eq (zsum 0 (Z.add (-1) (zfloor "
                          "(gpow (IZR n) (Rabs (IZR n))))) (fun i : Z => f (IZR i))) 0",
                          [], eq(sp.Sum(f(l), (l, 0, n ** sp.Abs(n) - 1)), 0)),
    "an inverse": ("forall x : R, not (eq (RinvImpl.Rinv (pow x 2)) 0)", [], ne(x**-2, 0)),
    "binders": ("forall x : R, forall _ : forall y : R, ex (fun n : Z => Rlt (IZR n) y), Rle x (cos x)",
                [Every((y,), Some((n,), lt(n, y)))], le(x, sp.cos(x))),
    "an implication": ("forall x : R, forall _ : Rle 0 x, Rle 0 (sqrt x)", [],
                       If(le(0, x), le(0, sp.sqrt(x)))),
}  # fmt: skip

OTHERWISE = {
    "an order": [("Rlt (-3)", "Rle (-3)"), ("Rdiv 3 4", "Rdiv 4 3"), ("Rle 0 x", "Rle x 0"),
                 ("(x : R)", "(x : Z)"), ("(_ : Rle 0 x)", ""), ("-3", "3"), ("Rmult", "Rplus")],
    "a sum": [("zsum 0", "zsum 1"), ("(-1) n", "(1) n"), ("f (IZR i)", "f (IZR n)"), ("n : Z", "n : R"),
              ("forall _ : R, R", "forall (_ : R) (_ : R), R"), ("forall _ : R, R", "forall _ : R, Z")],
    "a bound of powers": [("(-1) (zfloor", "(1) (zfloor"), ("Rabs", "Ropp"), ("Z.add", "Z.mul"),
                          ("(gpow (IZR n)", "(gpow (IZR 2)")],
    "an inverse": [("pow x 2", "pow x 3"), ("RinvImpl.Rinv (pow x 2)", "pow x 2"), ("not ", "")],
    "binders": [("ex (fun n", "forall n : Z, (fun n"), ("(IZR n) y", "(IZR n) x"),
                ("Rle x (cos", "Rle x (sin"),
                ("(IZR n) y", "y (IZR n)"), ("n : Z", "n : R")],
    "an implication": [("forall _ : Rle 0 x, ", ""), ("Rle 0 x", "Rlt 0 x")],
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_the_printed_statement_is_the_claim(case: str) -> None:
    text, hypotheses, conclusion = SAID[case]
    assert difference(text, [read(h) for h in hypotheses], read(conclusion)) == ""


@pytest.mark.parametrize(
    ("case", "old", "new"), [(case, *change) for case in OTHERWISE for change in OTHERWISE[case]]
)
def test_another_statement_is_found(case: str, old: str, new: str) -> None:
    text, hypotheses, conclusion = SAID[case]
    assert old in text
    changed = text.replace(old, new, 1)
    assert difference(changed, [read(h) for h in hypotheses], read(conclusion))


def test_a_hypothesis_more_or_less_is_found() -> None:
    text = "forall x : R, forall _ : Rle 0 x, Rle 0 (sqrt x)"
    root = le(0, sp.sqrt(x))
    assert difference(text, [read(le(0, x))], read(root)) == ""
    assert difference(text, [], read(root))
    assert (
        difference(text, [read(le(0, x)), read(le(0, x))], read(root)) == "hypothesis 2 is missing"
    )


@pytest.mark.parametrize("text", ["", "forall x : R,", "foo", "forall x : R, Rle x (", "Rle 0 0 0"])
def test_what_is_no_statement_is_refused(text: str) -> None:
    assert "not understood" in difference(text, [], read(le(0, 0))) or text.startswith("forall")
    assert difference(text, [], read(le(0, 0)))
