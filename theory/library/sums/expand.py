"""A product of sums, expanded as the sum over all choices of one term from each."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import exp_of_log
from ropeproof.theory.library.sums.blocks import SUMS_BLOCKS
from ropeproof.theory.library.sums.numerals.digits import NUMERALS_DIGIT, digit
from ropeproof.theory.library.sums.numerals.digits import base as values

u, x, h, a = integer("u x h a")
omega = integer("omega")
g = real_function("g")
MEANINGS: Meanings = {
    n: "number of factors",
    values: "number of choices",
    u: "a factor",
    x: "a choice",
    omega: "number of all choices together",
    g: "logarithms of the terms",
}


def choices(count: Term | int = n) -> Term:
    """The number of choices V^n, written with |n|.

    The absolute value makes it an integer by its form, which the bound of a sum must be.
    """
    return values ** sp.Abs(count)


def all_choices(term: Term | int, count: Term | int = n) -> Term:
    """The sum of a term in `omega` over the V^n choices of a value for each of n indices."""
    return sp.Sum(term, (omega, 0, choices(count) - 1))


def chosen(count: Term | int = n, choice: Term | int = omega) -> Term:
    """The sum of g(u, x) over the values x of a choice."""
    return sp.Sum(g(u, digit(u, choice)), (u, 0, count - 1))


def one(index: Term | int) -> Term:
    """The sum of exp g over all values at one index."""
    return sp.Sum(sp.exp(g(index, x)), (x, 0, values - 1))


def product(count: Term | int = n) -> Term:
    """The product of the sums of exp g over the indices."""
    return sp.exp(sp.Sum(sp.log(one(u)), (u, 0, count - 1)))


VALUES = Hypothesis("there is a value", le(1, values))
COUNT = Hypothesis("the number of indices is not negative", le(0, n))


@theorem(
    "sums.expand",
    source=Source("textbook", "finite sums"),
    needs="PTX",
    hypotheses=(VALUES, COUNT),
    conclusion=eq(all_choices(sp.exp(chosen())), product()),
    attack=Attack(
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
def SUMS_EXPAND(p: Proof) -> None:
    r"""A product of sums is the sum over all choices

    $\prod_{u<n}\sum_{x<V}a_{u,x}=\sum_{\omega<V^n}\prod_{u<n}a_{u,x_u(\omega)}$ for positive
    $a_{u,x}=e^{g(u,x)}$: the choices are numbered by $\omega$, whose digits to the base $V$ are the
    chosen values $x_u(\omega)$. With $a_{u,x}=p_{u,x}h_{u,x}$ and probabilities $p$ this says that
    the expectation of a product over independent draws is the product of the expectations.
    """

    def so_far(count: Term) -> Formula:
        return eq(all_choices(sp.exp(chosen(count)), count), product(count))

    start = p.show(kept_at(so_far(h), h, 0), "No index leaves one choice, and both sides are 1.")
    more = p.under(le(0, h))
    sizes = [
        more.rewrite(
            eq(choices(count), values**count),
            "So V^|c| is V^c for this number c of indices.",
            more.show(
                eq(sp.Abs(count), count),
                "A number of indices is not negative, so it is its own absolute value.",
            ),
        )
        for count in (h, h + 1)
    ]
    positive = more.show(lt(0, values**h), "As V is positive, V^h is positive.", VALUES)
    power = more.show(
        eq(choices(h + 1), values * choices(h)),
        "The power V^(h+1) is V times V^h. With one index more there are V times as many choices.",
        (VALUES, sizes),
    )
    cut = more.lemma(
        SUMS_BLOCKS.at(K=values, N=choices(h), f=sp.Lambda(omega, sp.exp(chosen(h + 1)))),
        (VALUES, positive, sizes),
        why="A sum over V V^h choices is a sum over V blocks.",
    )
    value = more.under(within(x, 0, values - 1))
    choice = value.under(within(a, 0, choices(h) - 1))
    longer = a + x * choices(h)
    digits = choice.apply(
        NUMERALS_DIGIT.at(a=a),
        (VALUES, sizes),
        why="In block x the new index has the value x and the others have those of a.",
    )
    number = choice.show(
        eq(longer, a + x * values**h), "The number of the choice is a + x V^h.", sizes
    )

    def has(place: Term) -> Fact:
        return choice.rewrite(
            eq(digit(place, longer), digit(place, a + x * values**h)),
            "So its digit at this place is that of a + x V^h.",
            number,
        )

    stays, last_digit = digits.parts(
        "The digits below place h are those of a, and the digit at place h is x."
    )
    new = choice.chain(has(h), last_digit, why="So the digit of the new index is x.")
    index = choice.under(within(u, 0, h - 1))
    same = index.chain(
        has(u),
        index.use(stays, why="The digit of each earlier index is that of a."),
        why="So an earlier index has the same value as in the choice a.",
    )
    there = index.rewrite(
        eq(g(u, digit(u, longer)), g(u, digit(u, a))),
        "So the term of an earlier index is unchanged.",
        same,
    ).summed(u, 0, h - 1, "So the sum of the earlier terms is unchanged.")
    here = choice.rewrite(
        eq(g(h, digit(h, longer)), g(h, x)),
        "The new index has the value x, so its term is g(h, x).",
        new,
    )
    split = choice.last(
        chosen(h + 1, longer), "Split off the new index's term, the last of the sum."
    )
    factor = choice.show(
        eq(chosen(h + 1, longer), chosen(h, a) + g(h, x)),
        "So the sum of the choice is that of a plus g(h, x).",
        (there, here, split),
    ).image(sp.exp, "Take the exponential of both sides.")
    block = choice.show(
        eq(sp.exp(chosen(h + 1, longer)), sp.exp(g(h, x)) * sp.exp(chosen(h, a))),
        "So the exponential is e^(g(h, x)) times that of a.",
        factor,
    ).summed(a, 0, choices(h) - 1, "Sum this equation over the choices a of a block.")
    all_blocks = block.summed(x, 0, values - 1, "Sum this equation over all V blocks.")
    common = more.show(
        eq(all_blocks.formula.rhs, one(h) * all_choices(sp.exp(chosen(h)), h)),
        "The double sum is the sum over x times the sum over the choices a.",
        VALUES,
    )
    wider = more.rewrite(
        eq(all_choices(sp.exp(chosen(h + 1)), h + 1), cut.formula.lhs),
        "The sum over the choices for h + 1 indices has V V^h terms.",
        power,
    )
    term = p.show(lt(0, sp.exp(g(h, x))), "Each term e^(g(h, x)) is positive.")
    sign = p.show(
        lt(0, one(h)),
        "A sum of at least one positive term is positive. So the sum at the index h is positive.",
        (term, VALUES),
    )
    inverse = exp_of_log(
        p, one(h), "As this sum is positive, exp of its logarithm is the sum.", sign
    )
    last = more.last(
        sp.Sum(sp.log(one(u)), (u, 0, h)),
        "Split the logarithm of the new sum off the sum of logarithms.",
    )
    grown = last.image(
        lambda term_: sp.exp(term_, evaluate=False), "Take the exponential of both sides."
    )
    following = more.under(so_far(h)).show(
        so_far(h + 1),
        "So the sum over choices gains the new index's sum as a factor. So the product for h "
        "+ 1 indices has the new sum as a further factor. Both sides gain the same factor, "
        "so they agree for h + 1 indices.",
        (wider, cut, all_blocks, common, grown, inverse),
    )
    always = more.induction(
        so_far(h),
        h,
        0,
        start,
        following,
        why="By induction both sides agree for any number of indices.",
    )
    p.use(always, {h: n}, COUNT, why="In particular they agree for n indices.")
