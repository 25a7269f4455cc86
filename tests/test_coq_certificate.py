"""Products that a contradiction needs are found, and rounding makes no contradiction."""

from __future__ import annotations

from fractions import Fraction

from ropeproof.proofs_check.coq.certificate import Fact, Search


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
