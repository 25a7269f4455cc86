"""The second witness: exact where it can be, three-valued where it cannot."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import sympy as sp
from gmpy2 import mpq

from ropeproof.proofs_check.semantics.certain import surely
from ropeproof.proofs_check.semantics.evaluate import evaluate, finite_ranges, truth, wanted_of
from ropeproof.proofs_check.semantics.instances import Sampler
from ropeproof.proofs_check.semantics.values import Instance, TooLarge, effort
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    Some,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real,
    real_function,
)

x, y = real("x y")
l, j, k, m = integer("l j k m")
f = real_function("f")
AT = Instance({"x": Fraction(1, 3), "y": Fraction(0), "m": Fraction(4), "f": lambda n: n + 1})


def test_values_are_exact_fractions_where_they_can_be():
    assert evaluate(sp.Sum(f(l), (l, 0, m - 1)) * x, AT) == Fraction(10, 3)
    assert evaluate(sp.Sum(f(l), (l, 0, -3)), AT) == 0  # an empty sum, not a negative one
    assert evaluate(1 / y, AT) == 0
    assert evaluate(sp.log(-1 - x**2), AT) == 0
    assert evaluate(sp.floor(-x), AT) == -1


@pytest.mark.parametrize(
    ("base", "exponent", "value"),
    [
        (0, 0, 1),
        (0, 3, 0),
        (0, -3, 0),
        (-2, 0, 1),
        (-2, 3, -8),
        (-2, -2, Fraction(1, 4)),
        (0, Fraction(1, 2), 0),
        (-4, Fraction(1, 2), 0),
        (-4, Fraction(-1, 2), 0),
        (0, Fraction(1, 3), 0),
        (-8, Fraction(1, 3), 0),
        (-8, Fraction(-5, 3), 0),
    ],
)
def test_powers_of_numbers_that_are_not_positive(base, exponent, value):
    at = Instance({"x": Fraction(base), "y": Fraction(exponent)})
    assert evaluate(x**y, at) == value
    if Fraction(exponent).denominator == 2:
        root = x ** sp.Rational(exponent.numerator, 2)
        assert evaluate(root, at) == value  # as the kernel reads it


def test_an_exponent_that_may_be_an_integer_is_not_decided():
    two = sp.log(4) / sp.log(2) + 0 * y
    at = Instance({"x": Fraction(-3), "y": evaluate(two, Instance({"y": Fraction(0)}))})
    with pytest.raises(TooLarge, match="perhaps to an integer"):
        evaluate(x**y, at)
    assert evaluate(x**y, at.having(y=evaluate(sp.log(5), at))) == 0
    assert evaluate(sp.sqrt(-1 - x**2), at) == 0


def test_exact_values_of_any_kind_stay_exact():
    import quicktions

    for third in (Fraction(1, 3), quicktions.Fraction(1, 3)):
        at = Instance({"x": third, "m": 4, "f": lambda n: Fraction(n, 3)})
        assert evaluate(3 * x, at) == 1
        assert truth(eq(sp.Sum(f(l), (l, 0, m - 1)), 6 * x), at) is True
        assert truth(lt(f(1), x + sp.Rational(1, 10**50)), at) is True  # not close: exact


def test_what_is_not_exact_meets_what_is():
    tenth = sp.Rational(1, 10)
    assert truth(le(sp.sqrt(x) + x, 1), AT) is True
    assert truth(eq(sp.Sum(sp.sqrt(x), (l, 1, sp.sqrt(9 + 0 * x) + tenth)), 3 * sp.sqrt(x)), AT)
    sampler = Sampler([eq(sp.Sum(f(l), (l, 1, m)), sp.sqrt(2)), le(1, m), le(m, 3)])
    drawn = [sampler.draw(Random(seed)) for seed in range(5)]
    assert all(instance is not None for instance in drawn), "a sum cannot be scaled to a root"


def test_a_formula_is_read_anew_at_every_instance():
    inner = every(l, 0, m, le(f(l), sp.Sum(f(j), (j, 0, m))))
    for top, expected in ((3, True), (2, True), (3, True)):
        assert truth(inner, AT.having(m=Fraction(top))) is expected
    assert truth(inner, AT.having(f=lambda n: n - 5)) is False
    assert truth(every(l, 0, m, le(l, m)), Instance({"m": Fraction(2), "l": Fraction(99)})) is True


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (eq(sp.sin(x) ** 2 + sp.cos(x) ** 2, 1), True),
        (eq(sp.cos(x), sp.cos(x + sp.Rational(1, 10**20))), False),
        (eq(sp.cos(x), sp.cos(x + sp.Rational(1, 10**35))), None),
        (lt(sp.cos(x), sp.cos(x) + sp.Rational(1, 10**35)), None),
        (le(sp.cos(x), sp.cos(x)), True),
        (every(l, 0, m, le(1, f(l))), True),
        (every(l, 0, m, le(2, f(l))), False),
        (Every((l, j), If(Both(le(0, j), lt(j, l), le(l, m)), ne(f(j), f(l)))), True),
        (Some((l,), Both(le(0, l), le(l, m), eq(f(l), 5))), True),
        (Some((l,), Both(le(0, l), le(l, m), eq(f(l), 9))), False),
    ],
)
def test_truth(formula, expected):
    assert truth(formula, AT) is expected


def test_what_it_cannot_evaluate_it_says():
    with pytest.raises(TooLarge):
        evaluate(sp.Sum(x, (l, 0, 10**6)), AT)
    with pytest.raises(TooLarge):
        evaluate(sp.gamma(x), AT)


@pytest.mark.parametrize(
    "formulas",
    [
        (le(1, m), every(l, 0, m - 1, le(0, f(l))), eq(sp.Sum(f(l), (l, 0, m - 1)), 1)),
        (lt(0, x), lt(x, sp.pi), eq(y, 2 * sp.pi - x)),
        (le(1, m), every(l, 0, m - 1, eq(f(2 * l), l)), every(l, 0, m - 1, eq(f(2 * l + 1), x))),
        (le(2, m), every(l, 0, m - 2, lt(f(l + 1), f(l)))),
        (every(l, 0, m, le(f(l), x)), le(3, m)),
    ],
)
def test_drawn_instances_satisfy_the_formulas(formulas):
    sampler = Sampler(formulas)
    random = Random(0)
    drawn = [sampler.draw(random) for _ in range(10)]
    assert all(i is not None and all(truth(f, i) for f in formulas) for i in drawn)


def test_a_contradiction_has_no_instance():
    assert Sampler((lt(x, 0), lt(0, x))).draw(Random(0)) is None


def test_a_remembered_sum_depends_on_all_it_names():
    f, n, c = real_function("f"), integer("n"), real("c")
    total = sp.Sum(f(l) * c, (l, 0, n - 1))
    at = Instance({"f": lambda x: x + 1, "n": Fraction(3), "c": Fraction(2)})
    assert evaluate(total, at) == evaluate(total, at) == 12
    assert evaluate(total, at.having(n=Fraction(2))) == 6
    assert evaluate(total, at.having(c=Fraction(1))) == 6
    assert evaluate(total, at.having(f=lambda x: x)) == 6
    nested = sp.Sum(sp.Sum(f(l), (l, 0, n)), (n, 0, 2))
    assert evaluate(nested, at) == 1 + 3 + 6


def test_nested_quantifiers_over_too_many_cases_are_refused():
    i, k = integer("i k")
    wide = every(i, 1, 200, every(k, 1, 200, le(i, i + k)))
    with pytest.raises(TooLarge, match="too many cases"):
        truth(wide, Instance({}))
    assert truth(every(i, 1, 20, every(k, 1, 20, le(i, i + k))), Instance({})) is True


def test_an_integer_defined_by_an_equation_is_one():
    k, n = integer("k n")
    halves = Sampler((eq(k, n / 2), le(1, n), le(n, 9)))
    drawn = [halves.draw(Random(seed)) for seed in range(10)]
    assert all(i is not None and i.values["k"].denominator == 1 for i in drawn)


def test_precision_is_the_evaluators_own():
    """gmpy2's operators round to the precision of the caller's thread: none may be used."""
    import gmpy2

    wide = sp.Abs(-sp.exp(40 + x)) - sp.floor(sp.exp(40 + x))
    share = evaluate(wide, AT)
    with gmpy2.context(precision=20):
        assert evaluate(wide, AT) == share
        assert 0 < share < 1
        sampler = Sampler([lt(-sp.pi, y), lt(y, sp.exp(1)), eq(m, sp.floor(sp.exp(30)))])
        drawn = sampler.draw(Random(1))
    assert drawn is not None
    assert drawn.values["m"] == 10686474581524
    same = Sampler([lt(-sp.pi, y), lt(y, sp.exp(1)), eq(m, sp.floor(sp.exp(30)))]).draw(Random(1))
    assert same is not None
    assert same.values == drawn.values


def test_what_agrees_to_all_digits_is_not_the_same():
    """A value of cos that is kept must not make two arguments one: they may differ further on."""
    near = Instance({"x": Fraction(1, 3), "y": Fraction(1, 3) + Fraction(1, 10**90)}).doubting()
    for function in (sp.cos, sp.exp, lambda t: t ** sp.Rational(1, 3)):
        assert truth(eq(function(x), function(y)), near) is None
        assert truth(le(function(y), function(x)), near) is None


@pytest.mark.parametrize("last", [-1, -2, -3, -500])
def test_a_range_that_is_empty_has_no_cases(last):
    nothing = every(l, 0, m, lt(f(l), f(l)))
    assert truth(nothing, AT.having(m=last)) is True
    assert truth(Some((l,), Both(le(0, l), le(l, m))), AT.having(m=last)) is False
    assert evaluate(sp.Sum(f(l), (l, 0, m)), AT.having(m=last)) == 0


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        (sp.Rational(7, 2), False),
        (sp.Integer(3), False),
        (sp.Rational(5, 2), True),
        (sp.sqrt(y), None),
    ],
)
def test_a_guard_that_its_range_meets_is_not_asked_again(top, expected):
    """Where the end of a range is not exact, the guard is: whether 3 <= sqrt(9) is not certain."""
    at = AT.having(f=lambda n: n, y=9).doubting()
    assert truth(Every((l,), If(Both(le(0, l), le(l, top)), ne(f(l), 3))), at) is expected


def test_numbers_beyond_all_bounds_are_too_large():
    tower = x
    for _ in range(8):
        tower = tower**10_000
    with pytest.raises(TooLarge):
        evaluate(tower, AT.having(x=evaluate(sp.exp(1_000_000 * (1 + 0 * x)), AT)))


g, pair = integer_function("g"), real_function("h")
ROWS = Both(le(0, l), le(l, m), le(1, j), le(j, g(l)))
"""Of the prompts l, each of its own length g(l), the rows j."""
LENGTHS = {0: 2, 1: 5, 2: 0, 3: 3, 4: 1}


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (Every((l, j), If(ROWS, le(pair(l, j), 14))), True),
        (Every((l, j), If(ROWS, lt(pair(l, j), 14))), False),  # at l = 1, j = 5 alone
        (Every((j, l), If(ROWS, ne(pair(l, j), 14))), False),
        (Some((l, j), Both(ROWS, le(pair(l, j), 0))), False),
        (Some((l, j), Both(ROWS, le(14, pair(l, j)))), True),
        (Some((l, j), Both(ROWS, le(15, pair(l, j)))), False),
        # bounds from below, strict ones, terms around the function, a chain of bounds
        (Every((l, j), If(Both(le(0, l), le(l, m), lt(g(l), j), lt(j, 6)), le(1, j))), True),
        (Every((l, j), If(Both(le(0, l), le(l, m), lt(g(l), j), lt(j, 6)), le(2, j))), False),
        (Every((l, j), If(Both(le(0, l), le(l, m), le(0, j), lt(j, l / 2)), le(j, 1))), True),
        (Every((l, j), If(Both(le(0, l), le(l, m), le(0, j), lt(j, 2 * l)), le(j, 7))), True),
        (Every((l, j), If(Both(le(0, l), le(l, m), le(0, j), lt(j, 2 * l)), le(j, 6))), False),
        (Every((l, j, k), If(Both(ROWS, le(0, k), le(k, g(j - 1))), le(k, 5))), True),
        (Every((l, j, k), If(Both(ROWS, le(0, k), le(k, g(j - 1))), le(k, 4))), False),
        (Every((l, j, k), If(Both(ROWS, le(0, k), le(k, j - 1)), le(k, 4))), True),
        (Every((l, j, k), If(Both(ROWS, le(0, k), le(k, j - 1)), le(k, 3))), False),
        # no prompt, or none with a row
        (Every((l, j), If(Both(ROWS, le(l, -1)), ne(j, j))), True),
        (Every((l, j), If(Both(ROWS, eq(l, 2)), ne(j, j))), True),
    ],
)
def test_a_bound_that_is_a_function_of_other_integers(formula, expected):
    size = lambda n, row: 2 * row + 4 if n == 1 else row  # noqa: E731
    at = Instance({"m": 4, "g": lambda n: LENGTHS[int(n)], "h": size})
    assert truth(formula, at.doubting()) is expected
    assert truth(formula, at) is expected


@pytest.mark.parametrize(
    "lengths",
    [
        lambda n: evaluate(sp.sqrt(4 + x), Instance({"x": n})),  # not exact
        lambda n: 10**6 if n == 3 else 1,  # too long
        lambda n: 1_000,  # too many rows in all
    ],
)
def test_a_bound_that_is_not_exact_or_far_away_gives_no_range(lengths):
    """Then there are samples, on which nothing rests that is called certain."""
    at = Instance({"m": 4, "g": lengths}, samples=lambda *_: [mpq(1)])
    held = Every((l, j), If(ROWS, le(1, j)))
    assert truth(held, at.doubting()) is None
    assert truth(held, at) is True
    assert truth(Every((l, j), If(ROWS, lt(1, j))), at.doubting()) is False


def test_a_bound_around_no_value_yet_gives_no_range():
    known = finite_ranges((l, j), If(ROWS, le(1, j)), True, Instance({"m": 4}))
    assert known == {"l": (0, 1, 2, 3, 4)}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("low", [-2, sp.Rational(-5, 2), 0, 3])
@pytest.mark.parametrize("high", [-3, 2, sp.Rational(7, 2)])
def test_one_range_is_what_several_bounds_give(low, high, strict):
    """The two bounds of one integer are read at once; a third one, which changes nothing, prevents it."""
    order = lt if strict else le
    bounds = order(sp.sympify(low), j), order(j, sp.sympify(high))
    at = Instance({})
    once = finite_ranges((j,), If(Both(*bounds), le(0, j)), True, at)
    apart = finite_ranges((j,), If(Both(*bounds, le(j, 100)), le(0, j)), True, at)
    asked = [n for n in range(-9, 9) if (low < n < high if strict else low <= n <= high)]
    assert list(once["j"]) == list(apart["j"]) == asked


def _root_of(power: int) -> tuple[sp.Expr, Instance]:
    """A logarithm that is an integer, 1e-61 off by the rounding of its digits."""
    at = Instance({"x": 6**power, "y": 6}).doubting()
    root = sp.log(x) / sp.log(y)
    assert 0 < abs(evaluate(root, at) - power) < sp.Rational(1, 10**50)
    return root, at


@pytest.mark.parametrize("power", [2, 3, 4, 5])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("below", [False, True])
def test_whether_a_range_ends_at_an_integer_is_not_told_by_digits(power, strict, below):
    root, at = _root_of(power)
    order = lt if strict else le
    guard = Both(order(root, l), le(l, 9)) if below else Both(le(0, l), order(l, root))
    assert truth(Every((l,), If(guard, ne(l, power))), at) is None
    assert truth(Some((l,), Both(guard, eq(l, power))), at) is None
    assert truth(Every((l,), If(guard, ne(l, power + 1 if below else power - 1))), at) is False


@pytest.mark.parametrize("power", [2, 3])
def test_the_floor_of_what_may_be_an_integer_is_not_told(power):
    root, at = _root_of(power)
    for term in (sp.floor(root), sp.floor(-root), sp.Sum(x, (l, 1, root))):
        with pytest.raises(TooLarge, match="may be an integer"):
            evaluate(term, at)
    trusting = Instance(dict(at.values))
    assert evaluate(sp.floor(root), trusting) == power
    assert evaluate(sp.floor(-root), trusting) == -power
    for each in (trusting, trusting.doubting()):  # what one remembers is not the other's
        count = sp.Sum(1 + 0 * y * l, (l, 1, root))
        if each.trusting:
            assert evaluate(count, each) == power
        else:
            with pytest.raises(TooLarge):
                evaluate(count, each)
    assert evaluate(sp.floor(root + sp.Rational(1, 3)), at) == power
    assert evaluate(sp.Sum(1 + 0 * l, (l, 1, root - sp.Rational(1, 3))), at) == power - 1


@pytest.mark.parametrize("power", [2, 3])
@pytest.mark.parametrize(
    "jump",
    [
        lambda d: 1 / d,
        lambda d: d ** (-3),
        lambda d: d ** sp.Rational(-1, 2),
        lambda d: d ** (-sp.exp(y)),
        sp.sign,
        sp.log,
        lambda d: sp.tan(sp.pi * (d + 1) / 2),
    ],
    ids=["inverse", "power", "root", "any power", "sign", "log", "tan"],
)
def test_no_jump_at_0_is_told_by_digits(power, jump):
    root, at = _root_of(power)
    nothing = jump(root - power)
    for formula in (eq(nothing, 0), ne(nothing, 0), lt(nothing, 0), le(0, nothing)):
        assert surely(formula, at, ask=False) is None
    with pytest.raises(TooLarge, match="may be 0"):
        evaluate(nothing, at)
    far = jump(root - power + sp.Rational(1, 3))
    assert surely(ne(far, 0), at, ask=False) is True


def test_digits_tell_the_sign_where_nothing_cancels():
    at = Instance({"x": 100, "m": 2}).doubting()
    tiny = sp.Sum(sp.pi * sp.exp(-x * (l + 2)) / 3, (l, 0, m)) ** 2
    assert surely(eq(sp.sign(tiny), 1), at, ask=False) is True
    assert surely(lt(sp.log(tiny), -300), at, ask=False) is True
    assert surely(lt(1, 1 / tiny), at, ask=False) is True
    assert surely(lt(1, 1 / (tiny - sp.exp(-x))), at, ask=False) is None


def test_a_sum_is_not_too_long_by_itself_but_with_the_sums_inside_it():
    inner = sp.Sum(f(j) * l, (j, 0, m))
    nested = sp.Sum(inner, (l, 0, m))
    assert evaluate(nested, AT) == sum((j + 1) * l for j in range(5) for l in range(5))
    large = AT.having(m=Fraction(320))  # 103,362 terms
    with pytest.raises(TooLarge, match="with the sums inside it"):
        evaluate(nested, large)
    assert evaluate(sp.Sum(f(j), (j, 0, m)), large) == 51681  # what comes after is judged as ever
    many = every(k, 0, 40, le(0, sp.Sum(f(j) * (k + 1), (j, 0, m))))
    assert truth(many, large) is True  # one sum after another is a matter of the cases


def digit(place):
    """The digit of omega at a place, in base V."""
    base, word = sp.Symbol("V", integer=True), sp.Symbol("omega", integer=True)
    return sp.floor(word / base**place) - base * sp.floor(word / base ** (place + 1))


def over_words(length):
    """A sum over all words of a length, with a sum over the letters of each."""
    base, word, u = sp.symbols("V omega u", integer=True)
    letters = sp.Sum(sp.Function("f")(digit(u)), (u, 0, length - 1))
    return sp.Sum(letters, (word, 0, base**length - 1))


def test_a_remembered_digit_depends_on_the_number_the_base_and_the_place():
    f = {"f": lambda letter: letter**2}
    assert evaluate(over_words(4), Instance({"V": 3, **f})) == 4 * 27 * (1 + 4)
    at = Instance({"V": 2, **f})
    assert evaluate(over_words(4), at) == 4 * 8
    base_three = at.over({**at.values, "V": Fraction(3)})  # shares what is remembered
    assert evaluate(over_words(4), base_three) == 4 * 27 * (1 + 4)


def test_what_is_remembered_costs_a_search_the_same_work():
    at = Instance({"V": 3, "omega": 25})
    efforts = []
    for _ in range(2):
        before = effort()
        assert evaluate(digit(2), at) == 2
        efforts.append(effort() - before)
    assert efforts[0] == efforts[1] > 0


@pytest.mark.parametrize(("base", "asked"), [(5, 0), (4, 4**6 * 6)])
def test_a_sum_that_will_be_too_long_is_refused_before_its_first_term(base, asked):
    """5**6 words of 6 letters are 93,750 letters and 15,625 words; 4**6 are 28,672 together."""
    calls = []
    at = Instance({"V": base, "f": lambda letter: calls.append(letter) or letter})
    if asked:
        evaluate(over_words(6), at)
    else:
        with pytest.raises(TooLarge, match="too long with the sums inside"):
            evaluate(over_words(6), at)
    assert len(calls) == asked


def test_sums_that_are_not_evaluated_at_every_index_do_not_count_beforehand():
    word, u, n = sp.symbols("omega u n", integer=True)
    inner = sp.Sum(u, (u, 1, n))  # the same for all words: evaluated once
    assert evaluate(sp.Sum(word + inner, (word, 1, 1000)), Instance({"n": 10_000}))
    rare = sp.Piecewise((sp.Sum(u * word, (u, 1, n)), word <= 2), (0, True))
    assert evaluate(sp.Sum(rare, (word, 1, 1000)), Instance({"n": 10_000})) == 3 * 50_005_000


def test_a_sum_whose_inner_sums_get_longer_with_its_index_is_refused_soon():
    """The words of 1 to 9 letters out of 5 are some two million; those of the shortest lengths are few."""
    base, word, i, n = sp.symbols("V omega i n", integer=True)
    calls = []
    words = sp.Sum(sp.Function("f")(word) * i, (word, 0, base**i - 1))
    every = sp.Sum(sp.exp(words), (i, 1, n))
    at = Instance({"V": 5, "n": 9, "f": lambda _: calls.append(0) or 0})
    with pytest.raises(TooLarge, match="too long with the sums inside"):
        evaluate(every, at)
    assert len(calls) <= 5 + 25 + 125 + 625 + 3125
    assert evaluate(every, at.having(n=6)) == 6


def test_a_sum_that_is_the_same_for_all_values_of_an_outer_index_counts_once():
    """1000 times 1000 terms would be too many; they are 1000, and then remembered."""
    word, u, n = sp.symbols("omega u n", integer=True)
    inner = sp.Sum(sp.Function("f")(u), (u, 1, n))
    at = Instance({"n": 1000, "f": lambda u: u})
    assert evaluate(sp.Sum(sp.exp(0 * word + inner * 0) + word * inner, (word, 1, 1000)), at)


def test_a_sum_over_what_holds_on_samples_is_remembered_for_these_samples_alone():
    j, x = sp.Symbol("j", integer=True), sp.Symbol("x", real=True)
    chosen = sp.Piecewise((1, Every((x,), le(0, x))), (0, True))
    total = sp.Sum(j * chosen, (j, 1, 3))
    at = Instance({}, lambda *_: [mpq(1)])
    other = Instance({}, lambda *_: [mpq(-1)])
    other.sums = at.sums
    assert [evaluate(total, at), evaluate(total, other)] == [6, 0]


def test_what_is_wanted_to_hold_is_refused_before_its_first_case_where_it_has_too_many():
    j, n = sp.symbols("j n", integer=True)
    calls = []
    f = sp.Function("f")(j)
    rule = Every((j,), If(Both(le(1, j), le(j, n)), le(0, f)))
    at = Instance({"n": 3000, "f": lambda _: calls.append(0) or mpq(1)})
    for formula in (rule, Both(rule, le(0, n))):
        with pytest.raises(TooLarge, match="too many cases"):
            wanted_of(formula)(at)
    assert not calls
    assert wanted_of(rule)(at.having(n=2000)) is True
    # A premise that is false makes a formula true: there nothing is refused beforehand.
    false_first = at.having(f=lambda _: mpq(-1))
    assert wanted_of(If(rule, le(1, 0)))(false_first) is True
    assert truth(rule, false_first) is False
