"""The language of proofs: what it writes is what an author would have written by hand."""

from __future__ import annotations

import pytest
import sympy as sp
from stated_claims import accepted, stated

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.language.derivation import ball, by_claim
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    Some,
    eq,
    every,
    integer,
    le,
    listed,
    lt,
    real,
    real_function,
    where,
)
from ropeproof.theory.language.proof import Attack, Proof, Scope, prove
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.library.exponential.exp_log import (
    EXP_LOG_MONOTONE,
    EXP_MONOTONE,
    EXP_STRICTLY_MONOTONE,
    exp_of_log,
    exponentials,
    logarithms,
)
from ropeproof.theory.library.order import ORDER_TIMES

i, j, l, m, n = integer("i j l m n")
x, y = real("x y")
f, g = real_function("f"), real_function("g")

LEMMAS = (EXP_MONOTONE, EXP_STRICTLY_MONOTONE, EXP_LOG_MONOTONE, ORDER_TIMES)

NOT_NEGATIVE = Hypothesis("terms are not negative", every(l, 0, n - 1, le(0, f(l))))
SUM = stated(le(0, sp.Sum(f(l), (l, 0, n - 1))), NOT_NEGATIVE)


def _sum(p):
    term = p.under(le(0, l), le(l, n - 1)).use(NOT_NEGATIVE, why="No term is negative,")
    p.step(p.goal, term.summed(l, 0, n - 1).scope.proof.steps[-1].rule, "so the sum is not.", term)


def test_a_proof_is_checked_as_it_reads():
    claim = prove(SUM, _sum)
    assert accepted(claim).verdict == "holds"
    assert [s.rule.name for s in claim.derivation.steps] == ["instance"] + ["sums.termwise"] * 2
    assert claim.derivation.steps[1].conclusion == SUM.conclusion
    assert claim.derivation.steps[1].assuming == ()


def test_the_builder_is_not_trusted():
    wrong = stated(le(1, sp.Sum(f(l), (l, 0, n - 1))), NOT_NEGATIVE)
    claim = prove(wrong, lambda p: p.qed("So they say.", NOT_NEGATIVE))
    assert accepted(claim).verdict == "unknown"


def test_what_a_proof_uses_is_filled_in():
    lemma = prove(SUM, _sum)
    goal = le(0, sp.Sum(sp.exp(g(l)), (l, 0, m - 1)))

    def proof(p):
        positive = p.show(lt(0, sp.exp(g(l))), "Exponentials are positive.").for_all(l)
        taken = lemma.at(f=lambda place: sp.exp(g(place)), n=m)
        p.lemma(taken, positive, why="So is their sum.")

    claim = prove(Claim("own.other", "", "", Source("test"), conclusion=goal), proof)
    assert claim.uses == ("own.claim",)
    assert accepted(claim, lemma).verdict == "holds"
    named = prove(stated(goal), lambda p: p.qed("So is any sum.", by=by_claim("own.claim", {n: m})))
    assert named.uses == ("own.claim",)


def test_exponentials_and_logarithms_keep_the_order():
    order = Hypothesis("the order", Both(lt(0, x), le(x, y)))

    def proof(p):
        roots = logarithms(p, x, y, "Logarithms", order)
        exponentials(p, sp.log(x), sp.log(y), "and exponentials keep the order.", roots)

    goal = le(sp.exp(sp.log(x), evaluate=False), sp.exp(sp.log(y), evaluate=False))
    claim = prove(stated(goal, order), proof)
    assert claim.uses == ("exp.log-monotone", "exp.monotone")
    assert accepted(claim, EXP_MONOTONE, EXP_LOG_MONOTONE).verdict == "holds"


def test_an_instance_is_written_as_its_values():
    assert where({x: 1, f(0): sp.Rational(1, 2)}) == (eq(x, 1), eq(f(0), sp.Rational(1, 2)))


def test_the_values_of_a_function_are_listed_from_0():
    assert where({x: 1} | listed(f, 2, 0)) == (eq(x, 1), eq(f(0), 2), eq(f(1), 0))


def test_a_calculation_is_a_chain():
    def proof(p):
        p.calc(x).eq(x + y - y, "Add and subtract").lt(x + 1, "a little less,").done()

    claim = prove(stated(lt(x, x + 1)), proof)
    assert [s.rule.name for s in claim.derivation.steps] == ["identity", "smt", "chain"]
    assert accepted(claim).verdict == "holds"


def test_sums_are_split_swapped_and_turned():
    nested = sp.Sum(sp.Sum(f(l) * g(j), (l, 0, m)), (j, 0, n))
    written = Proof(None)
    assert written.swap(nested).formula.rhs == sp.Sum(f(l) * g(j), (j, 0, n), (l, 0, m))
    turned = written.reindex(sp.Sum(f(l), (l, 1, n))).formula
    assert turned.rhs == sp.Sum(f(n + 1 - l), (l, 1, n))
    parts = written.split(sp.Sum(f(l), (l, 0, n)), m).formula.rhs
    assert parts == sp.Sum(f(l), (l, 0, m)) + sp.Sum(f(l), (l, m + 1, n))


def test_the_last_term_is_split_off():
    total, shorter = sp.Sum(f(l), (l, 0, n)), sp.Sum(f(l), (l, 0, n - 1))
    one_term = Hypothesis("there is a term", le(0, n))
    claim = prove(
        stated(eq(total, shorter + f(n)), one_term), lambda p: p.last(total, "", one_term)
    )
    assert accepted(claim).verdict == "holds"
    empty = prove(stated(eq(total, shorter + f(n))), lambda p: p.last(total, ""))
    assert accepted(empty).verdict == "unknown"


def test_equals_have_equal_images():
    same = Hypothesis("they are the same", eq(i, j))

    def proof(p):
        p.use(same, why="They are the same,").image(lambda k: f(k + 1), "and so are their images.")

    claim = prove(stated(eq(f(i + 1), f(j + 1)), same), proof)
    assert accepted(claim).verdict == "holds"
    other = prove(stated(eq(f(i), g(i)), same), proof)
    assert accepted(other).verdict == "unknown"


def test_the_exponential_and_the_logarithm_of_an_inequality():
    order = Hypothesis("x comes first", le(x, y))
    strict = Hypothesis("x is less", lt(x, y))
    positive = Hypothesis("x is positive", lt(0, x))
    for function, order_, also in (
        (sp.exp, order, ()),
        (sp.exp, strict, ()),
        (sp.log, order, (positive,)),
    ):
        goal = order_.formula.func(function(x), function(y))
        claim = prove(
            stated(goal, order_, *also),
            lambda p, f=function, o=order_, a=also: p.use(o).image(f, "It rises.", *a),
        )
        assert accepted(claim, *LEMMAS).verdict == "holds"
        assert claim.derivation.steps[-1].rule.name == "by_claim"
    unsigned = prove(
        stated(le(sp.log(x), sp.log(y)), order), lambda p: p.use(order).image(sp.log, "It rises.")
    )
    assert accepted(unsigned, *LEMMAS).verdict == "unknown"


def test_an_image_is_kept_as_written():
    ends = le(sp.log(x), sp.log(y))
    fact = Proof(None).show(ends, "Suppose so.").image(sp.exp, "The exponential rises.")
    assert str(fact.formula) == "exp(log(x)) <= exp(log(y))"


def test_only_monotone_functions_of_an_inequality_are_known():
    for function, formula in (
        (sp.sin, le(x, y)),
        (sp.log, lt(x, y)),
        (sp.exp, every(l, 0, n, eq(f(l), 0)).args[1]),
    ):
        fact = Proof(None).show(formula, "Suppose so.")
        with pytest.raises(
            InvalidClaim, match=r"image: the function .* allowed: any function of an equation"
        ):
            fact.image(function, "It rises.")


def test_a_fact_is_multiplied_by_a_factor():
    order = Hypothesis("x comes first", le(x, y))
    sign = Hypothesis("z is not negative", le(0, i))
    claim = prove(
        stated(le(x * i, y * i), order, sign), lambda p: p.use(order).times(i, "So.", sign)
    )
    assert accepted(claim, *LEMMAS).verdict == "holds"
    unsigned = prove(stated(le(x * i, y * i), order), lambda p: p.use(order).times(i, "So."))
    assert accepted(unsigned, *LEMMAS).verdict == "unknown"
    same = Hypothesis("they are the same", eq(x, y))
    equal = prove(stated(eq(x * i, y * i), same), lambda p: p.use(same).times(i, "So."))
    assert accepted(equal).verdict == "holds"


def test_a_part_of_one_term_may_be_written_as_it():
    total = sp.Sum(f(l), (l, 0, n))
    goal = eq(total, sp.Sum(f(l), (l, 0, n - 1)) + f(n))
    known = Hypothesis("n is not negative", le(0, n))
    last = prove(
        stated(goal, known), lambda p: p.split(total, n - 1, "The last.", known, goal=goal)
    )
    assert accepted(last).verdict == "holds"


def test_for_all_takes_the_assumptions_that_speak_of_the_variable():
    row = Proof(None).under(le(1, i), le(0, j), le(j, i - 1))
    fact = row.show(le(j, i), "Later.").for_all(j)
    assert fact.formula == every(j, 0, i - 1, le(j, i))
    assert fact.scope.assuming == (le(1, i),)


def test_a_chosen_value_is_named_and_left_again():
    some = Hypothesis("a root", Some((y,), Both(lt(0, y), eq(y * y, x))))

    def proof(p):
        exists = p.use(some, why="There is a root;")
        root = exists.body().show(lt(0, x), "its square is positive.")
        p.choose(exists, root)

    assert accepted(prove(stated(lt(0, x), some), proof)).verdict == "holds"


def test_a_rule_can_be_named():
    written = Proof(None)
    inside = written.under(le(0, x), le(x, 1))
    assert inside.show(lt(0, sp.exp(x) - x), "By balls.", by=ball()).scope is inside
    assert written.steps[0].rule.name == "ball"


def test_the_attack_stands_beside_the_proof():
    total = sp.Sum(f(l), (l, 0, n - 1))
    attack = Attack(
        {"positive": lt(0, total), "all": le(0, total)},
        at={"positive": {n: 0}},
        equivalent={"all": "it is the claim"},
        without={NOT_NEGATIVE: (eq(n, 1),)},
    )
    claim = prove(SUM, _sum, attack)
    assert claim.hypotheses[0].without == (eq(n, 1),)
    assert claim.mutants == (
        Mutant("positive", lt(0, total), at=(eq(n, 0),)),
        Mutant("all", le(0, total), equivalent="it is the claim"),
    )
    stranger = Attack(idle={Hypothesis("another", le(0, 1 * x)): "no reason"})
    with pytest.raises(InvalidClaim, match="another"):
        prove(SUM, _sum, stranger)
    with pytest.raises(InvalidClaim, match="no such mutant"):
        prove(SUM, _sum, Attack(at={"no such mutant": {n: 0}}))


def test_conditions_of_an_instance_are_left_to_the_kernel():
    guarded = Hypothesis("guarded", Every((j,), If(le(0, j), le(0, f(j)))))
    claim = prove(stated(le(0, f(n)), guarded), lambda p: p.use(guarded, {j: n}, why="At n."))
    assert accepted(claim).verdict == "unknown"
    known = Hypothesis("n is not negative", le(0, n))
    claim = prove(stated(le(0, f(n)), guarded, known), lambda p: p.use(guarded, {j: n}, known))
    assert accepted(claim).verdict == "holds"


def test_exponential_and_logarithm_are_not_undone_on_the_way():
    written = Proof(None)
    raised = exponentials(written, sp.log(x), 0, "Raise.")
    assert str(raised.formula) == "exp(log(x)) <= 1"
    assert written.uses == {EXP_MONOTONE.id: None}
    assert str(exponentials(written, x, y, "Raise.", strict=True).formula) == "exp(x) < exp(y)"
    assert str(logarithms(written, x, sp.exp(y), "Lower.").formula) == "log(x) <= log(exp(y))"
    assert str(exp_of_log(written, x, "Undone.").formula) == "Eq(exp(log(x)), x)"


def test_an_induction_hypothesis_that_is_a_conjunction_is_assumed_in_one_piece():
    def sums(number):
        total = sp.Sum(l, (l, 0, number))
        return Both(eq(2 * total, number * (number + 1)), le(0, number))

    def proof(p, assumed):
        base = p.show(sums(sp.Integer(0)), "Nothing to add.")
        more = p.under(le(0, n))
        last = more.last(sp.Sum(l, (l, 0, n + 1)))
        step = assumed(more, sums(n)).show(sums(n + 1), "One more.", last)
        p.induction(p.goal, n, 0, base, step, BASE)

    BASE = Hypothesis("n is not negative", le(0, n))
    claim = stated(sums(n), BASE)
    assert accepted(prove(claim, lambda p: proof(p, Scope.supposing))).verdict == "holds"
    in_parts = accepted(prove(claim, lambda p: proof(p, Scope.under)))
    assert in_parts.verdict == "unknown"
    assert "not universal" in in_parts.detail


def test_a_step_is_not_called_like_a_mutant():
    attack = Attack({"1": eq(x, y), "twice": eq(2 * x, y)})
    claim = prove(stated(eq(x + y, y + 1 * x)), lambda p: p.qed("Exchange."), attack)
    assert [s.label for s in claim.derivation.steps] == ["step 1"]


def test_a_lambda_may_have_a_plain_parameter():
    plain = sp.Symbol("z")
    goal = le(0, sp.Sum(g(l) ** 2, (l, 0, n - 1)))

    def proof(p):
        square = p.show(le(0, g(l) ** 2), "A square.").for_all(l)
        below = p.under(le(0, l), le(l, n - 1)).use(square, why="So")
        total = below.summed(l, 0, n - 1)
        p.show(goal, "Together.", total)

    assert accepted(prove(stated(goal), proof)).verdict == "holds"
    values = as_values({f: sp.Lambda(plain, plain**2)}, le(0, f(x)))
    assert substitute(le(0, f(x)), values) == le(0, x**2)
    lemma = Claim("own.lemma", "", "", Source("test"), conclusion=le(0, f(x) ** 2))
    claim = prove(
        stated(le(0, (y**2) ** 2)),
        lambda p: p.lemma(lemma.at(f=sp.Lambda(plain, plain**2), x=y), why="In particular."),
    )
    assert accepted(claim, lemma).verdict == "holds"
