"""Small claims whose proofs Coq can recheck, and claims about bound functions."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.language.claim import Claim, Hypothesis, Source
from ropeproof.theory.language.derivation import (
    Derivation,
    Step,
    identity,
    instance,
    rewrite,
    smt,
    split,
    witness,
)
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Some,
    eq,
    iff,
    integer,
    integer_function,
    kept,
    le,
    lt,
    ne,
    real,
    real_function,
)
from ropeproof.theory.language.proof import Proof, prove
from ropeproof.theory.language.substitution import kept_at

SOURCE = Source("own", "here", "own")


def claim(conclusion: object, rule: object, *hypotheses: tuple[str, object]) -> Claim:
    steps = (Step("1", conclusion, rule, "It is so.", tuple(n for n, _ in hypotheses)),)
    stated = tuple(Hypothesis(n, f, "It is assumed.") for n, f in hypotheses)
    return Claim(
        id="own.one",
        title="One",
        statement="One.",
        source=SOURCE,
        hypotheses=stated,
        conclusion=conclusion,
        derivation=Derivation(steps),
    )


F = real_function("f")


def _by_cases(entries: Any, of: Any = F) -> tuple[Any, Any]:
    """The two cases of a list: equal to f before n and to 0 from n on."""
    n, l = integer("n l")
    first = If(lt(l, n), eq(entries(l), of(l)))
    return first, If(le(n, l), eq(entries(l), 0))


def _listed(p: Proof) -> None:
    n, l = integer("n l")
    value = sp.Lambda(l, sp.Piecewise((real_function("f")(l), l < n), (0, True)))
    together = p.show(Both(*_by_cases(value)), "Case by case.", by=smt()).for_all(l)
    one_by_one = [p.show(f, "In a case.", by=smt()).for_all(l) for f in _by_cases(value)]
    made = together if p.goal.args[1].func == Every else one_by_one
    p.witness(p.goal, {real_function("h"): value}, made, why="So there is the list.")


def _listed_integers(p: Proof) -> None:
    n, l = integer("n l")
    of = integer_function("f")
    value = sp.Lambda(l, sp.Piecewise((of(l), l < n), (0, True)))
    parts = [p.show(f, "In a case.", by=smt()) for f in _by_cases(value, of)]
    made = p.show(Both(*(part.formula for part in parts)), "Both.", *parts).for_all(l)
    p.witness(p.goal, {integer_function("h"): value}, made, why="So there is the list.")


def _twice(count: Any) -> Any:
    """The statement that sums of 2 g are twice the sums of g, for all functions g, of `count` terms."""
    l, g = integer("l"), real_function("g")
    left, right = (sp.Sum(c * g(l), (l, 0, count - 1)) for c in (2, 1))
    return Every((g(l),), eq(left, 2 * right))


def _for_all_functions(p: Proof) -> None:
    n, l = integer("n l")
    start = p.show(_twice(sp.S.Zero).args[1], "No terms.", by=identity()).for_all(
        real_function("g")(l)
    )
    more = p.under(le(0, n)).supposing(_twice(n))
    next_ = more.show(_twice(n + 1).args[1], "It is a factor.", by=identity())
    following = next_.for_all(real_function("g")(l))
    number = p.under(le(0, n)).induction(_twice(n), n, 0, start, following)
    p.use(number, {n: n}, Hypothesis("N", le(0, n)), why="So.", goal=p.goal)


def bound_function(case: str) -> Claim:
    """A proved claim with a bound function: one that it asserts to exist, or all functions."""
    n, l = integer("n l")
    h, whole = real_function("h"), integer_function("h")
    together = Every((l,), Both(*_by_cases(h)))
    one_by_one = Both(*(Every((l,), f) for f in _by_cases(h)))
    stated, proof, given = {
        "a list": (Some((h(l),), together), _listed, ()),
        "a list case by case": (Some((h(l),), one_by_one), _listed, ()),
        "a list of integers": (
            Some((whole(l),), Every((l,), Both(*_by_cases(whole, integer_function("f"))))),
            _listed_integers,
            (),
        ),
        "for all functions": (_twice(n), _for_all_functions, (Hypothesis("N", le(0, n)),)),
    }[case]
    one = Claim("own.one", "One", "One.", SOURCE, hypotheses=given, conclusion=stated)
    return prove(one, proof)


def _in_another_order() -> Claim:
    """A claim with a square of a sum that would have hundreds of parts if it were multiplied out."""
    n, k, l = integer("n k l")
    x = real("x")
    f, g = real_function("f"), real_function("g")

    def parts(last: Any) -> list[Any]:
        return [sp.Sum((f(l + a) + g(a * l)) * g(l), (l, 0, last)) for a in range(6)]

    bound = le(0, kept(sp.Pow, sp.Add(*parts(n)), 2) * sp.exp(x))
    squared = kept(sp.Pow, sp.Add(*reversed(parts(k)), evaluate=False), 2)
    goal = le(0, sp.Mul(sp.exp(x), squared, evaluate=False))
    return claim(goal, instance({n: k}), ("ALL", Every((n,), bound)))


def _of_products(n: Any, f: Any, w: Any) -> Any:
    """A sum over places of products of two cosines, which are themselves cosines of sums."""
    j = integer("j")
    return sp.Sum(
        sp.cos((f(j) - sp.Rational(1, 2)) * w(j, 0)) * sp.cos((f(j) + n) * w(j, 0)), (j, 0, n)
    )


def small_claims() -> dict[str, Claim]:
    """Claims of one step, named by the kind of reasoning that Coq must follow in them."""
    n, k, j, l, m = integer("n k j l m")
    x, y = real("x y")
    f, w = real_function("f"), real_function("w")

    def weights(t: Any) -> Any:
        """The sum over numbers m of the share of t among the exponentials at m."""
        place = sp.floor(m * kept(sp.Pow, k, -t))
        return sp.Sum(sp.exp(w(t, place)) / sp.Sum(sp.exp(w(j, m)), (j, 0, n)), (m, 0, k))

    shifted = eq(sp.Sum(f(l), (l, 1, n)), sp.Sum(f(l + 1), (l, 0, n - 1)))
    return {
        "a shifted sum": claim(shifted, identity()),
        "sums": claim(
            eq(
                sp.Sum((2 * f(l) - x) * sp.cos(f(l)), (l, 0, n)),
                2 * sp.Sum(f(l) * sp.cos(f(l)), (l, 0, n)) - sp.Sum(x * sp.cos(f(l)), (l, 0, n)),
            ),
            identity(),
        ),
        "two cosines about their middle, summed": claim(
            eq(
                sp.Sum(w(j, 0) * sp.cos(x * f(j)), (j, 0, n))
                + sp.Sum(w(j, 0) * sp.cos(y * f(j)), (j, 0, n)),
                2
                * sp.Sum(
                    w(j, 0) * sp.cos((x + y) * f(j) / 2) * sp.cos((x - y) * f(j) / 2), (j, 0, n)
                ),
            ),
            identity(),
        ),
        "halves in sums": claim(
            eq(
                sp.Sum((sp.Abs(f(j)) + f(j)) / 2 * w(j, 0), (j, 0, n))
                - sp.Sum((sp.Abs(f(j)) - f(j)) / 2 * w(j, 0), (j, 0, n)),
                sp.Sum(w(j, 0) * f(j), (j, 0, n)),
            ),
            identity(),
        ),
        "a factor of each inner sum": claim(
            eq(
                sp.Sum(f(j) * sp.Sum(sp.cos((j - m / 2) * w(l, 0)), (l, 0, k)), (j, 1, n)),
                sp.Sum(sp.Sum(f(j) * sp.cos((j - m / 2) * w(l, 0)), (l, 0, k)), (j, 1, n)),
            ),
            identity(),
        ),
        "a factor beside a sum of products of cosines": claim(
            le(y * x, y * _of_products(n, f, w)),
            smt(),
            ("FACTOR", le(0, y)),
            ("ABOVE", le(x, _of_products(n, f, w))),
        ),
        "a sum of squares that vanishes": claim(
            lt(0, f(0) ** 2 + f(1) ** 2), smt(), ("ONE", eq(f(0) * x + f(1) * y, 1))
        ),
        "a square and one at a distance from 1": claim(
            lt(0, x**2 + (y - 1) ** 2),
            smt(),
            ("ONE", eq(x * f(0) + f(1) * (y - 1), 0)),
            ("OTHER", eq(f(0) * (y - 1) - x * f(1), 0)),
            ("POSITIVE", lt(0, x)),
        ),
        "squares": claim(le(2 * x * y, x**2 + y**2), smt()),
        "integers": claim(le(1, n), smt(), ("MORE", lt(0, n))),
        "an inverse": claim(lt(0, x / (1 + x)), smt(), ("POSITIVE", lt(0, x))),
        "branches": claim(le(0, sp.Piecewise((y - x, x <= y), (x - y, True))), smt()),
        "a quotient of exponents": claim(
            eq(sp.exp((1 - x) * y / x), sp.exp(y / x) * sp.exp(-y)), smt(), ("POSITIVE", lt(0, x))
        ),
        "the sign of an inverse": claim(lt(0, x), smt(), ("POSITIVE", lt(0, 1 / x))),
        "a 1 within a logarithm": claim(
            eq(kept(sp.exp, x - sp.log(1 - y)), sp.exp(x) / (1 - y)),
            smt(),
            ("LESS", lt(0, 1 - y)),
            ("LOG", eq(kept(sp.exp, sp.log(1 - y)), 1 - y)),
        ),
        "an inverse of a product": claim(lt(0, 1 / (x * sp.exp(y))), smt(), ("POSITIVE", lt(0, x))),
        "exponents that are numbers": claim(
            lt(sp.exp(-1), sp.exp(1)), smt(), ("MORE", lt(1, sp.E))
        ),
        "either of two equations": claim(
            eq(f(0), 1),
            smt(),
            ("IF", If(eq(x, y), eq(f(0), 1))),
            ("ELSE", If(ne(x, y), eq(f(0), 1))),
        ),
        "roots in a product": claim(
            le((n * sp.sqrt(x**2 + y**2)) ** 2 * f(0), n**2 * f(0) * x**2 + n**2 * f(0) * y**2),
            smt(),
        ),
        "a function of a number inside a sign": claim(le(sp.Max(0, sp.sign(f(1) - x)), 1), smt()),
        "a sum of many parts in another order": _in_another_order(),
        "one of three": claim(
            Either(eq(n, 0), Both(le(1, n), eq(f(n - 1), x)), Both(le(1, n), ne(f(n - 1), x))),
            smt(),
            ("NATURAL", le(0, n)),
        ),
        "a power of a power": claim(
            eq(kept(sp.Pow, kept(sp.Pow, l, 2), n), kept(sp.Pow, l, 2 * n)), identity()
        ),
        "a sign at every other number": claim(eq((-1) ** (n + 1), -((-1) ** n)), identity()),
        "a distance to itself": claim(
            eq(sp.Sum(kept(sp.Pow, kept(sp.Add, f(l), -f(l)), 2), (l, 0, n)), 0), identity()
        ),
        "a place within another": claim(
            eq(
                sp.Sum(w(l, f(l) + f(l + 1)), (l, 1, n)),
                sp.Sum(w(l + 1, f(l + 1) + f(l + 2)), (l, 0, n - 1)),
            ),
            identity(),
        ),
        "the last term of a sum": claim(
            eq(
                sp.Sum(weights(l), (l, 0, n)),
                sp.Sum(weights(l), (l, 0, n - 1)) + weights(n),
            ),
            split(n - 1),
            ("NATURAL", le(0, n)),
        ),
        "four positive factors": claim(
            lt(0, sp.exp(sp.Sum(f(l) + l, (l, 0, n)) + sp.Sum(x * f(l), (l, 0, n)) + y)), smt()
        ),
        **choices(),
        **of_integers(),
    }


def of_integers(*, wrong: bool = False) -> dict[str, Claim]:
    """Claims with cases of an integer, integers made of extremes, and a sum of known terms.

    With `wrong`, false variants of them.
    """
    a, k, n, j, l = integer("a k n j l")
    x = real("x")
    f, g = real_function("f"), real_function("g")
    row = integer_function("h")
    same = eq(f(k), g(k))
    conditions = {"BEFORE": lt(k, 0), "INSIDE": Both(le(0, k), le(k, n - 1)), "LAST": eq(k, n)}
    if wrong:  # for the last place nothing is known
        del conditions["LAST"]
    cases = [(name, If(condition, same)) for name, condition in conditions.items()]

    def letters(of: Any, most: int) -> Any:
        return Both(le(of(k), most), Every((l,), If(le(0, l), le(0, of(l)))))

    letter = sp.Lambda(l, sp.Max(0, 1 - sp.Abs(l - a)))

    def bound(count: Any, last: Any) -> Any:
        return le(sp.Sum(sp.exp(x * sp.Sum(f(l * j), (l, 0, count - 1))), (j, 1, last)), n)

    told = iff(Either(same, eq(x, 0)), lt(k, a))
    one, other = Both(ne(n, 0), eq(k, 0)), Both(eq(n, 0), ne(k, 0))
    return {
        "one of a premise's cases": claim(
            told,
            smt(),
            ("ONE", If(Both(eq(k, 0), ne(n, 0)), told)),
            ("OTHER", If(Both(ne(k, 0), eq(n, 0)), told)),
            ("EITHER", Either(one, eq(n, 0) if wrong else other)),
        ),
        "one of the conditions": claim(same, smt(), *cases, ("RANGE", Both(le(-1, k), le(k, n)))),
        "a row of indicators": claim(
            Some((row(l),), letters(row, 0 if wrong else 1)),
            witness({row: letter}),
            ("LETTERS", letters(letter, 1)),
        ),
        "sums of nothing": claim(
            kept_at(bound(k, n + 1 if wrong else n), k, 0), smt(), ("B", bound(sp.S.Zero, n))
        ),
    }


def choices(*, wrong: bool = False) -> dict[str, Claim]:
    """Claims with sums over k^|n| choices and a bound that is an integer because of a power.

    With `wrong`, the sums have one term too many.
    """
    n, k, l = integer("n k l")
    f = real_function("f")
    more = 1 if wrong else 0

    def number(count: Any) -> Any:
        return kept(sp.Pow, k, sp.Abs(count))

    def over(top: Any, term: Any = None) -> Any:
        return sp.Sum(f(l) if term is None else term, (l, 0, top - 1 + more))

    def digits(power: Any) -> Any:
        return sp.exp(sp.Sum(f(sp.floor(l * power(j))), (j, 0, n)))

    j = integer("j")
    longer = eq(number(n + 1), k * number(n))
    inverse, negative = (lambda j: 1 / k**j), (lambda j: kept(sp.Pow, k, -j))
    none = kept_at(eq(over(number(n)), f(0)), n, 0)
    return {
        "one choice": claim(none, smt()),
        "one factor more": claim(
            eq(over(number(n + 1)), sp.Sum(f(l), (l, 0, k * number(n) - 1))),
            rewrite(),
            ("L", longer),
        ),
        "the digits of a choice": claim(
            eq(
                2 * over(number(kept(sp.Add, n, 1)), digits(inverse)),
                2 * sp.Sum(digits(negative), (l, 0, number(kept(sp.Add, 1, n)) - 1)),
            ),
            identity(),
        ),
    }
