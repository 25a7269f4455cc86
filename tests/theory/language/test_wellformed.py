"""What a claim may say, and that what is printed of it is what was checked."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.run.printed_names import check_names
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.attack import Attack
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Reading, Source, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, identity, smt, witness
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    Negation,
    Some,
    eq,
    frac,
    integer,
    kept,
    le,
    lt,
    ne,
    real,
    real_function,
)
from ropeproof.theory.language.proof import prove

x, y, z = real("x y z")
n = integer("n")
f = real_function("f")
OWN = Source("test")


def claim(goal, *given, **more):
    hypotheses = tuple(Hypothesis(f"h{k}", formula) for k, formula in enumerate(given))
    return Claim("own.test", "t", "s", OWN, hypotheses=hypotheses, conclusion=goal, **more)


EMPTY = {
    "x/x": eq(x / x, 1),
    "cancelled": eq((x**2 - 1) / (x - 1) * (x - 1), x**2 - 1),
    "a power": eq((x**2) ** sp.Rational(1, 2), sp.Abs(x)),
    "numbers": lt(0, 1),
    "evaluated": sp.Eq(sp.cos(-x), sp.cos(x)),
    "a conjunct": Both(lt(0, x), eq(1, 1)),
    "under a quantifier": Every((y,), If(lt(0, y), eq(y / y, 1))),
    "a premise": If(le(x - x, 0), lt(y, y + z)),
    "never": lt(x, x),
    "under what is false": If(lt(1, 0), lt(y, y + z)),
    "not": Negation(ne(x, x)),
    "there is": Some((x,), Both(le(0, x), eq(x - x, 0))),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_part_that_says_nothing_is_refused(name):
    with pytest.raises(InvalidClaim, match=r"the conclusion: .* says nothing\. SymPy evaluates"):
        catalogue([claim(EMPTY[name])])
    with pytest.raises(InvalidClaim, match=r"the hypothesis 'h0': .* says nothing"):
        catalogue([claim(lt(z, z + y), EMPTY[name])])
    reading = Reading("a reading", (EMPTY[name],), lt(x, y), (eq(x, 1), eq(y, 0)))
    printed = claim(lt(x, y), readings=(reading,), kind="printed", repaired_by="own.other")
    other = dataclasses.replace(claim(lt(x, y + 1)), id="own.other")
    with pytest.raises(InvalidClaim, match=r"reading 1: .* says nothing"):
        catalogue([printed, other])


def test_what_was_written_can_be_kept():
    own = eq(frac(x, x), 1)
    whole = eq(kept(sp.Mul, frac(x**2 - 1, x - 1), x - 1), x**2 - 1)
    for goal, known in ((own, ne(x, 0)), (whole, ne(x, 1))):
        catalogue([claim(goal)])
        proof = Derivation((Step("only", goal, identity(), "", ("h0",)),))
        bare = Derivation((Step("only", goal, identity(), ""),))
        good = claim(goal, known, derivation=proof)
        assert check_derivation(good, CLAIMS.__getitem__).outcome.verdict == "holds"
        bad = claim(goal, derivation=bare)
        assert check_derivation(bad, CLAIMS.__getitem__).outcome.verdict == "unknown"


def test_a_mutant_is_not_false_as_it_is_written():
    mutant = Mutant("free", Both(le(0, x), lt(1, 0)))
    with pytest.raises(InvalidClaim, match="the mutant 'free' is false as it is written"):
        catalogue([claim(lt(0, x), mutants=(mutant,))])


def test_nothing_is_said_twice():
    with pytest.raises(InvalidClaim, match="the hypotheses 'h0' and 'h1' are the same"):
        catalogue([claim(lt(0, x), lt(0, y), lt(0, y))])
    for goal in (lt(0, y), Both(lt(0, y), lt(0, x)), If(lt(0, z), Both(lt(0, z), lt(0, x)))):
        with pytest.raises(InvalidClaim, match="only repeats what is assumed"):
            catalogue([claim(goal, lt(0, x), Both(lt(0, y), le(y, x)))])
    catalogue([claim(Both(lt(0, x), lt(0, z)), lt(0, x))])


@pytest.mark.parametrize("kind", ["printed", "conjecture"])
def test_a_repair_is_something_to_be_proved(kind):
    reading = Reading("so", (), lt(x, y), (eq(x, 1), eq(y, 0)))
    printed = {"kind": "printed", "readings": (reading,)}
    first = claim(lt(x, y), repaired_by="own.other", **printed)
    more = dict(printed, repaired_by="own.test") if kind == "printed" else {"kind": kind}
    other = dataclasses.replace(claim(lt(x, y + 1), **more), id="own.other")
    with pytest.raises(InvalidClaim, match=f"a claim of kind {kind}"):
        catalogue([first, other])


def test_a_claim_is_of_that_very_type():
    class Changing(Claim):
        @property
        def conclusion(self):  # one thing to the first reader, another to the next
            return lt(x, y)

    fields = {f.name: getattr(claim(lt(0, x)), f.name) for f in dataclasses.fields(Claim)}
    del fields["conclusion"]
    other = Changing.__new__(Changing)
    for name, value in fields.items():
        object.__setattr__(other, name, value)
    with pytest.raises(InvalidClaim, match="allowed: Claim itself"):
        catalogue([other])


# -- names --------------------------------------------------------------------------------------


def names(*words, kind=real):
    return [kind(word) for word in words]


ALIKE = {
    "x1 and x_1": (*names("x1", "x_1"), "both print as x_{1}"),
    "lambda and lamda": (*names("lambda", "lamda"), "both print as"),
    "l and l_": (*names("l", "l_"), "both print as l"),
    "integer and real": (real("x"), integer("x"), "the integer x and the real x both print"),
    "a term of a sequence": (real("a_0"), real_function("a")(sp.Integer(0)), "both print as a_"),
    "two indices": (
        real_function("a")(sp.Integer(0), n), real_function("a_0")(n), "both print as a_"
    ),
    "functions": (real_function("f1")(x), real_function("f_1")(x), "both print as"),
    "a product": (real("ab") + real("a"), real("b"), "ab prints like the product a b"),
    "pi": (real("pi"), x, "the name pi prints like the number"),
    "pi as a function": (real_function("pi")(x), sp.pi, "the name pi prints like the number"),
    "e": (real("e"), sp.exp(x), "both print as e"),
    "E": (real("E"), sp.E, "prints like the number"),
    "sin": (real_function("sin")(x), x, "'sin' prints like a known function"),
    "Log": (real_function("Log")(x), x, "'Log' prints like a known function"),
    "I": (real("I"), x, "'I' prints like a known function or number"),
    "a square": (real("x__2"), x, "'x__2' prints as the formula"),
    "absolute": (real("xabs"), x, "'xabs' prints as the formula"),
    "no name": (sp.Symbol("x = x", real=True), x, "is no name"),
}  # fmt: skip


@pytest.mark.parametrize("case", ALIKE)
def test_names_that_do_not_show_what_they_are_are_refused(case):
    one, other, message = ALIKE[case]
    with pytest.raises(InvalidClaim, match=message.replace("_{", r"_\{").replace("}", r"\}")):
        check_names(claim(lt(one, other + 7)))
    with pytest.raises(InvalidClaim):
        check_names(claim(lt(one, one + 7), lt(other, other + 7)))


def test_bound_names_and_those_of_steps_count_too():
    x1, x_1 = real("x1"), real("x_1")
    larger = Some((x1,), eq(x1, x_1 + 1))  # reads: there is x with x = x + 1
    proof = Derivation((Step("so", larger, witness({x1: x_1 + 1}), ""),))
    with pytest.raises(InvalidClaim, match="both print as"):
        check_names(claim(larger, derivation=proof))
    step = Step("so", lt(x_1, x_1 + 1), smt(), "")
    with pytest.raises(InvalidClaim, match="both print as"):
        check_names(claim(lt(x1, x1 + 1), derivation=Derivation((step,))))


def test_the_catalogue_says_something_and_reads_as_it_is():
    for entry in CLAIMS.values():
        check_names(entry)  # `catalogue` has looked at the statements


POSITIVE = Hypothesis("x is positive", lt(0, x))

SLIPS = {
    "a float in a conclusion": (
        lambda: claim(le(0.5 * x, y)),
        "conclusion: 0.5 is a float, and no exact number; write sp.Rational(1, 2)",
    ),
    "a float in a hypothesis": (
        lambda: claim(le(x, y), le(0.1, x)),
        "hypothesis 'h0': 0.1 is a float, and no exact number; write sp.Rational(1, 10)",
    ),
    "a text as a hypothesis": (lambda: claim(le(x, y), "0 < x"), "such as lt(0, x)"),
    "a text as a value": (
        lambda: written(le(0, y), lambda p: p.use(POSITIVE, {x: "y"})),
        "got {x: 'y'}; allowed: terms without quotation marks, {x: y}",
    ),
    "a text as a key of an attack": (
        lambda: Attack({"m": le(x, 0)}, without={POSITIVE: {"x": -1}}).on(positive()),
        "got {'x': -1}; allowed: terms without quotation marks, {x: -1}",
    ),
    "a formula as a premise": (
        lambda: written(le(0, x), lambda p: p.qed("So it is.", lt(0, x))),
        "premise: got 0 < x, a formula, where a fact is due; allowed: what `show`, `use` or `lemma` "
        "returned for it, as in fact = p.show(0 < x, 'The reason.')",
    ),
}
"""What is easily typed in a first claim, and the line to write in its place."""


def positive():
    return Claim("own.test", "t", "s", OWN, hypotheses=(POSITIVE,), conclusion=le(0, x))


def written(goal, proof):
    """The derivation of a claim about a positive x, which is written when it is read."""
    about = dataclasses.replace(positive(), conclusion=goal)
    return prove(about, proof).derivation


@pytest.mark.parametrize(("slip", "said"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_answered_with_the_line_to_write(slip, said):
    with pytest.raises(InvalidClaim) as error:
        slip()
    assert said in str(error.value)


def test_a_hypothesis_is_shown_without_what_it_does_not_say():
    assert repr(POSITIVE) == "Hypothesis('x is positive', 0 < x)"
    idle = dataclasses.replace(POSITIVE, idle="It is true.")
    assert repr(idle) == "Hypothesis('x is positive', 0 < x, idle='It is true.')"
