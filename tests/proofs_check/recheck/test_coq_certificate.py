"""Products that a contradiction needs are found, and rounding makes no contradiction."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.recheck.coq.arithmetic import closing
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import arithmetic, unsure
from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import (
    Search,
    SignFact,
    TooMuch,
    at_most,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.circles import round_circles
from ropeproof.proofs_check.recheck.coq.arithmetic.linear import gathered, is_linear
from ropeproof.proofs_check.recheck.coq.arithmetic.reduced import cleared, reduced
from ropeproof.proofs_check.recheck.coq.arithmetic.reordered import (
    same_but_for_order,
    with_reordered_sides,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.roots import (
    MOST_ROUNDS,
    of_squares,
    without_roots,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.polynomial_terms import constant, joined, unknown
from ropeproof.proofs_check.recheck.coq.printing import Names
from ropeproof.theory.language.logic import Either, eq, integer, le, lt, real, real_function

A = real("A0")


def fact(kind: str, text: str, **terms: object) -> SignFact:
    poly = {
        tuple(sorted((x, m.count(x)) for x in set(m))) if m != "one" else (): Fraction(str(c))
        for m, c in terms.items()
    }
    return SignFact.of(kind, poly, text)


def bounds_of_pi() -> list[SignFact]:
    low, high = Fraction(314159, 100000), Fraction(3927, 1250)
    pi = (("PI", 1),)
    return [
        SignFact.of("lt", {pi: Fraction(1), (): -low}, "PI - low"),
        SignFact.of("lt", {pi: Fraction(-1), (): high}, "high - PI"),
    ]


def test_the_bounds_of_pi_do_not_contradict_each_other() -> None:
    assert Search(bounds_of_pi()).script() is None


def test_a_product_of_three_is_found_beside_them() -> None:
    facts = [
        fact("lt", "i", i=1),
        fact("eq", "i * y - 1", iy=1, one=-1),
        fact("lt", "y", y=1),
        fact("le", "s - y * c", s=1, yc=-1),
        fact("lt", "i * c - i * i * s", ic=1, iis=-1),
    ]
    found = Search([*bounds_of_pi(), *facts]).script()
    assert found is not None
    assert "(i) * ((i) * (s - y * c))" in found
    assert Search([*bounds_of_pi(), *facts[:-1]]).script() is None


def test_equations_are_solved_before_products_are_sought() -> None:
    """t = x - a, 0 <= t <= a z and 0 <= v give v (x - a)^2 <= v (a z)^2."""
    facts = [
        fact("le", "t", t=1),
        fact("eq", "t - (x - a)", t=1, x=-1, a=1),
        fact("le", "a * z - t", az=1, t=-1),
        fact("le", "v", v=1),
        fact("lt", "v * (x - a)^2 - v * (a * z)^2", vxx=1, vxa=-2, vaa=1, vaazz=-1),
    ]
    found = reduced(facts)
    assert found is not None
    assert found.startswith("assert (S_t : t = ")
    assert reduced(facts[:2] + facts[3:]) is None  # nothing bounds t


def test_squares_of_sums_of_monomials_are_found() -> None:
    facts = [fact("lt", "-(x + y)^2 z^2", xxzz=-1, xyzz=-2, yyzz=-1)]
    assert Search(facts).script() is None
    assert reduced(facts) is not None
    negative = [fact("lt", "x y z^2 - x^2 z^2 - y^2 z^2", xxzz=-1, xyzz=3, yyzz=-1)]
    assert reduced(negative) is None


def test_squares_of_roots_are_put_for_each_other() -> None:
    """t^2 = a + b and 0 <= t contradict 0 < t^4 - (a + b)^2, and a sum's other root is left."""
    root = [fact("le", "t", t=1), fact("eq", "a + b - t * t", a=1, b=1, tt=-1)]
    more = fact("lt", "t^4 - (a + b)^2", tttt=1, aa=-1, ab=-2, bb=-1)
    less = fact("lt", "t^4 - a^2", tttt=1, aa=-1)
    left, script = without_roots([*root, more])
    assert [f.kind for f in left if not f.poly] == ["lt"]
    assert script.startswith("assert (R_t")
    assert reduced([*root, more]) is not None
    assert reduced([*root, less]) is None
    assert without_roots([root[1], more])[1] == ""  # whose square could be put for a as well
    assert of_squares(dict(fact("le", "", aa=1, bbcc=2).poly))
    assert not of_squares(dict(fact("le", "", aa=1, ab=2).poly))


def test_long_terms_are_compared_without_multiplying_them_out() -> None:
    n, l = integer("n l")
    x, y = real("x y")
    f = real_function("f")
    total = sp.Sum((f(l) + x) * f(2 * l), (l, 0, n))
    ours = sp.Mul(sp.Pow(total + y, 2, evaluate=False), sp.exp(total), evaluate=False)
    turned = sp.Sum(f(2 * l) * (x + f(l)), (l, 0, n))
    theirs = sp.exp(turned) * (y**2 + 2 * y * turned + turned * turned)
    unlike = sp.exp(turned) * (y**2 + y * turned + turned * turned)
    bound, goal, false = (read(le(0, t)) for t in (ours, theirs, unlike))
    assert same_but_for_order(bound, goal)
    assert not same_but_for_order(bound, false)
    names = Names({"n": "n", "x": "x", "y": "y", "f": "f"})
    script = with_reordered_sides("P", bound, goal, names)
    assert script is not None
    assert "ring" in script
    assert with_reordered_sides("P", bound, false, names) is None


def test_inverses_are_multiplied_out() -> None:
    """u (p + q) = 1, t (1 + r) = 1 and p r <= q give p u <= t."""
    facts = [
        *(fact("lt", x, **{x: 1}) for x in ("u", "t", "p")),
        *(fact("le", x, **{x: 1}) for x in ("q", "r")),
        fact("eq", "u * (p + q) - 1", pu=1, qu=1, one=-1),
        fact("eq", "t * (1 + r) - 1", t=1, rt=1, one=-1),
        fact("le", "q - p * r", q=1, pr=-1),
    ]
    negated = fact("lt", "p * u - t", pu=1, t=-1)
    left, script = cleared([*facts, negated])
    assert not {"u", "t"} & {x for f in left for m, _ in f.poly for x, _ in m}
    assert script.count("assert (B_") == 2
    reversed_ = fact("lt", "t - p * u", pu=-1, t=1)
    assert reduced([*facts, negated]) is not None
    assert reduced([*facts, reversed_]) is None


def test_a_long_search_is_put_off_for_one_of_fewer_hypotheses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What an absolute value is need not be known where two cases are told apart by a premise."""
    chi, fall, wave, level, turn = real("chi fall wave level turn")
    start = 1 - level - 4 * sp.Abs(wave)
    bound = sp.Min(2, sp.Abs(turn))
    premises = [Either(eq(chi, 0), eq(chi, 1)), le(start, fall), le(-bound, fall), le(0, A)]
    goal = le((1 - chi) * start * A - A * chi * bound, fall * A)
    names = Names({n: n for n in ("chi", "fall", "wave", "level", "turn", "A0")})
    facts = [Premise(f"P{i}", read(p)) for i, p in enumerate(premises)]
    monkeypatch.setattr(closing, "SOME_PRODUCTS", 1500)
    monkeypatch.setattr(closing, "MOST_PRODUCTS", 0)
    assert not unsure(arithmetic(read(goal), facts, names))
    assert unsure(arithmetic(read(goal), facts[1:], names))


def test_a_search_looks_at_no_more_products_than_it_may() -> None:
    with at_most(2), pytest.raises(TooMuch):
        Search(bounds_of_pi()).script()
    assert Search(bounds_of_pi()).script() is None


def test_squares_of_sine_and_cosine_are_put_for_each_other() -> None:
    """cos(u - v) cos(u + v) = c^2 d^2 - s^2 t^2 = c^2 - t^2, but not c^2 - d^2."""
    c, s, d, t = map(unknown, "csdt")
    one = constant(1)
    circles = [
        (name, ("eq", joined("+", [joined("*", [a, a], ""), joined("*", [b, b], "")], ""), one))
        for name, a, b in (("K0", c, s), ("K1", d, t))
    ]
    left = joined(
        "+",
        [joined("*", [c, c, d, d], ""), joined("*", [constant(-1), s, s, t, t], "")],
        "",
    )
    right, wrong = (
        joined("+", [joined("*", [c, c], ""), joined("*", [constant(-1), x, x], "")], "")
        for x in (t, d)
    )
    script = round_circles(circles, ("eq", left, right))
    assert script is not None
    assert script.endswith("ring [R_s R_t]")
    assert "(clear -K0; lra)" in script
    assert round_circles(circles, ("eq", left, wrong)) is None
    assert round_circles(circles[:1], ("eq", left, right)) is None


def test_sums_that_are_only_combined_stay_whole() -> None:
    l, n = integer("l n")
    f, g = real_function("f"), real_function("g")
    x, y, z = (sp.Sum(body, (l, 0, n)) for body in (f(l), g(l), f(l) + 2 * g(l)))
    names = Names({n: n for n in ("l", "n", "f", "g")})
    script = gathered(read(eq(z, x + 2 * y)), names)
    assert script is not None
    assert "apply zsum_ext; intros i _ _; first [ring" in script
    assert gathered(read(eq(z, x + 2 * y + 1)), names) is None  # no combination of sums
    assert gathered(read(eq(z, sp.Sum(f(l), (l, 1, n)))), names) is None  # another range
    facts = [Premise("P", read(lt(x, y))), Premise("Q", read(le(2 * y, z)))]
    assert is_linear(read(lt(2 * x, z)), facts)
    assert not is_linear(read(lt(2 * x, z)), facts[:1])
    assert not is_linear(read(lt(2 * x, y)), facts)


def test_two_roots_whose_squares_have_a_known_sum_do_not_take_turns_for_ever() -> None:
    """a^2 + b^2 = 1 with a, b >= 0: either square could be put for the other again and again."""

    def once(*powers: tuple[str, int]) -> tuple[tuple[str, int], ...]:
        return powers

    one = Fraction(1)
    facts = [
        SignFact.of(
            "eq", {once(("a", 2)): one, once(("b", 2)): one, (): -one}, "a * a + b * b - 1"
        ),
        SignFact.of("le", {once(("a", 1)): one}, "a"),
        SignFact.of("le", {once(("b", 1)): one}, "b"),
        SignFact.of("le", {once(("a", 2), ("x", 1)): one}, "a * a * x"),
    ]
    found, script = without_roots(facts)
    assert len(found) == len(facts)
    assert script.count("assert (R_") == MOST_ROUNDS


def test_a_goal_is_given_up_after_so_many_lemmas_about_its_terms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = real("x y")
    f = real_function("f")
    goal = read(eq(f(sp.cos(x + y)), f(sp.cos(x) * sp.cos(y) - sp.sin(x) * sp.sin(y))))
    names = Names({n: n for n in ("x", "y", "f")})
    assert not unsure(arithmetic(goal, (), names))
    monkeypatch.setattr("ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic.MOST_WRITTEN", 1)
    with pytest.raises(NotExported, match="more than 1 lemmas"):
        arithmetic(goal, (), names)
