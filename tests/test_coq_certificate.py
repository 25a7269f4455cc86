"""Products that a contradiction needs are found, and rounding makes no contradiction."""

from __future__ import annotations

from fractions import Fraction

from ropeproof.proofs_check.coq.certificate import Fact, Search
from ropeproof.proofs_check.coq.reduced import cleared, reduced


def fact(kind: str, text: str, **terms: object) -> Fact:
    poly = {
        tuple(sorted((x, m.count(x)) for x in set(m))) if m != "one" else (): Fraction(str(c))
        for m, c in terms.items()
    }
    return Fact.of(kind, poly, text)


def bounds_of_pi() -> list[Fact]:
    low, high = Fraction(314159, 100000), Fraction(3927, 1250)
    pi = (("PI", 1),)
    return [
        Fact.of("lt", {pi: Fraction(1), (): -low}, "PI - low"),
        Fact.of("lt", {pi: Fraction(-1), (): high}, "high - PI"),
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
