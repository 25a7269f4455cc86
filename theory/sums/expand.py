"""A product of sums, expanded: the sum over all choices of one term from each."""

from ropeproof.theory.exponential import exp_of_log
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.sums.blocks import SUMS_BLOCKS, blocks, f, width
from ropeproof.theory.sums.digits import NUMERALS_DIGIT, digit, rest, top
from ropeproof.theory.sums.digits import base as values
from ropeproof.theory.sums.digits import r as places

u, x, h, a = integer("u x h a")
omega = integer("omega")
g = real_function("g")


def choices(count: Any = n) -> Any:
    """V^n; |n| is n, and makes it an integer by its form, as the bound of a sum has to be."""
    return values ** sp.Abs(count)


def all_choices(term: Any, count: Any = n) -> Any:
    """The sum of a term in `omega` over the V^n choices of a value for each of n indices."""
    return sp.Sum(term, (omega, 0, choices(count) - 1))


def chosen(count: Any = n, choice: Any = omega) -> Any:
    """The sum of g(u, x) over the values x that a choice has."""
    return sp.Sum(g(u, digit(u, choice)), (u, 0, count - 1))


def one(index: Any) -> Any:
    """The sum of exp g over the values at one index."""
    return sp.Sum(sp.exp(g(index, x)), (x, 0, values - 1))


def product(count: Any = n) -> Any:
    """The product of these sums."""
    return sp.exp(sp.Sum(sp.log(one(u)), (u, 0, count - 1)))


VALUES = Hypothesis("there is a value", le(1, values))
COUNT = Hypothesis("the number of indices is not negative", le(0, n))

_EXPAND = Claim(
    id="sums.expand",
    title="A product of sums is the sum over all choices",
    statement=(
        r"$\prod_{u<n}\sum_{x<V}a_{u,x}=\sum_{\omega<V^n}\prod_{u<n}a_{u,x_u(\omega)}$ for positive "
        r"$a_{u,x}=e^{g(u,x)}$: the choices are numbered by $\omega$, whose digits to the base $V$ are "
        r"the chosen values $x_u(\omega)$. With $a_{u,x}=p_{u,x}h_{u,x}$ and chances $p$ this says that "
        r"the expectation of a product over independent draws is the product of the expectations."
    ),
    source=Source("textbook", "finite sums"),
    needs=frozenset("PTX"),
    hypotheses=(VALUES, COUNT),
    conclusion=eq(all_choices(sp.exp(chosen())), product()),
)


def _proof(p: Proof) -> None:
    def so_far(count: Any) -> Any:
        return eq(all_choices(sp.exp(chosen(count)), count), product(count))

    start = p.show(kept_at(so_far(h), h, 0), "No index leaves one choice, and both sides are 1.")
    more = p.under(le(0, h))
    sizes = [
        more.rewrite(
            eq(choices(count), values**count),
            "(The exponent is not negative,",
            more.show(eq(sp.Abs(count), count), "being a number of indices)", by=rules.smt()),
        )
        for count in (h, h + 1)
    ]
    positive = more.show(lt(0, values**h), "There are choices for h indices,", VALUES)
    power = more.show(
        eq(choices(h + 1), values * choices(h)),
        "V times as many for one more:",
        (more.show(eq(values ** (h + 1), values * values**h), "(a factor V)", VALUES), sizes),
    )
    cut = more.lemma(
        SUMS_BLOCKS,
        {blocks: values, width: choices(h), f: sp.Lambda(omega, sp.exp(chosen(h + 1)))},
        (VALUES, positive, sizes),
        why="V blocks.",
    )
    value = more.under(within(x, 0, values - 1))
    choice = value.under(within(a, 0, choices(h) - 1))
    longer = a + x * choices(h)
    digits = choice.lemma(
        NUMERALS_DIGIT,
        {places: h, rest: a, top: x},
        (VALUES, sizes),
        why="In the block of x the new index has the value x,",
    )
    number = choice.show(eq(longer, a + x * values**h), "(that number)", sizes)

    def has(place: Any) -> Fact:
        return choice.rewrite(
            eq(digit(place, longer), digit(place, a + x * values**h)), "(its digit)", number
        )

    stays, last_digit = digits.parts("others have what they had")
    new = choice.chain(has(h), last_digit, why="that is x.")
    index = choice.under(within(u, 0, h - 1))
    same = index.chain(
        has(u), index.use(stays, {u: u}, why="(each of them)."), why="So it is in the block."
    )
    there = index.rewrite(
        eq(g(u, digit(u, longer)), g(u, digit(u, a))), "Their terms stay,", same
    ).summed(u, 0, h - 1, "and their sum.")
    here = choice.rewrite(eq(g(h, digit(h, longer)), g(h, x)), "The new term is g(h, x),", new)
    split = choice.last(chosen(h + 1, longer), "which comes last.")
    total = choice.show(
        eq(chosen(h + 1, longer), chosen(h, a) + g(h, x)), "So it is added,", there, here, split
    )
    factor = total.image(sp.exp, "and is a factor of the exponential,")
    apart = choice.show(
        eq(sp.exp(chosen(h + 1, longer)), sp.exp(g(h, x)) * sp.exp(chosen(h, a))),
        "as written,",
        factor,
    )
    block = apart.summed(a, 0, choices(h) - 1, "the same in its block.")
    all_blocks = block.summed(x, 0, values - 1, "All blocks:")
    common = more.show(
        eq(all_blocks.formula.rhs, one(h) * all_choices(sp.exp(chosen(h)), h)),
        "the sum over x is a factor.",
        VALUES,
    )
    wider = more.rewrite(
        eq(all_choices(sp.exp(chosen(h + 1)), h + 1), cut.formula.lhs),
        "(The range is V blocks)",
        power,
    )
    whole = more.chain(wider, cut, all_blocks, common, why="All choices together.")
    term = p.show(lt(0, sp.exp(g(h, x))), "Exponentials are positive,")
    some = term.summed(x, 0, values - 1, "so is their sum,", VALUES)
    sign = p.show(lt(0, one(h)), "which is not empty,", some)
    inverse = exp_of_log(p, one(h), "and exp undoes log:", sign)
    last = more.last(sp.Sum(sp.log(one(u)), (u, 0, h)), "the product has that factor more,")
    grown = last.image(lambda term_: sp.exp(term_, evaluate=False), "as exponentials")
    factors = more.show(eq(product(h + 1), product(h) * one(h)), "show.", grown, inverse)
    following = more.under(so_far(h)).show(
        so_far(h + 1), "Both sides have gained it.", whole, factors
    )
    always = more.induction(so_far(h), h, 0, start, following, why="So for any number of indices,")
    p.use(always, {h: n}, COUNT, why="n of them.")


SUMS_EXPAND = prove(
    _EXPAND,
    _proof,
    Attack(
        {
            "the first value only": eq(all_choices(sp.exp(chosen())), sp.exp(n * g(0, 0))),
            "one index left out": eq(all_choices(sp.exp(chosen())), product(n - 1)),
        },
        at={
            "the first value only": {values: 2, n: 1, g(0, 0): 0, g(0, 1): 0},
            "one index left out": {values: 2, n: 1, g(0, 0): 0, g(0, 1): 0},
        },
        without={VALUES: {values: 0, n: 1}},
    ),
)

CLAIMS = (SUMS_EXPAND,)
