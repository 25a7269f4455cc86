"""A row of independent keys that grows by one: no other key gains."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import exp_of_log
from ropeproof.theory.library.sums.blocks import SUMS_BLOCKS
from ropeproof.theory.library.sums.numerals.digits import NUMERALS_DIGIT
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.softmax.race import race_notation
from ropeproof.theory.topics.softmax.race.race_notation import *

MEANINGS: Meanings = race_notation.MEANINGS

a = integer("a")


def _likely(outcome: Term, count: Term = n) -> Term:
    """The logarithm of an outcome's probability, for so many keys."""
    return sp.Sum(sp.log(p(u, digit(u, outcome))), (u, 0, count - 1))


def _rate(key: Term, outcome: Term) -> Term:
    return sp.exp(w(key, digit(key, outcome)))


def _total(outcome: Term, count: Term = n) -> Term:
    return sp.Sum(_rate(u, outcome), (u, 0, count - 1))


def _term(outcome: Term, count: Term = n) -> Term:
    """An outcome's probability times the weight of t in it."""
    return sp.exp(_likely(outcome, count)) * (_rate(t, outcome) / _total(outcome, count))


CHANCES = Hypothesis(
    "probabilities are positive, the new key's too",
    Every((u, x), If(Both(le(0, u), le(u, n), le(0, x), le(x, values - 1)), lt(0, p(u, x)))),
)
NEW = Hypothesis(
    "the new key's probabilities add up to 1", eq(sp.Sum(p(n, x), (x, 0, values - 1)), 1)
)
with_new = all_choices(_term(omega, n + 1), n + 1)


_pair = {n: 1, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0, t: 0}
_half = sp.Rational(1, 2)


@theorem(
    "softmax.race-longer",
    hypotheses=(VALUES, CHANCES, NEW, KEY),
    conclusion=le(with_new, expected(weight(t))),
    attack=Attack(
        {
            "at most half": le(2 * with_new, expected(weight(t))),
            "no less": le(expected(weight(t)), with_new),
        },
        at={"at most half": {**_pair, w(1, 0): -3}, "no less": _pair},
        without={
            NEW: {**_pair, p(1, 0): 4},
            CHANCES: {
                **{n: 1, values: 2, t: 0, p(0, 0): _half, p(0, 1): _half, p(1, 0): 3, p(1, 1): -2},
                **{w(0, 0): 0, w(0, 1): 0, w(1, 0): 0, w(1, 1): 0},
            },
        },
        idle={VALUES: "the probabilities of no values do not add up to 1"},
    ),
)
def SOFTMAX_RACE_LONGER(q: Proof) -> None:
    r"""A key more takes from every other

    In a row of independent keys, of which $u$ has the values $x<V$ with probabilities $p_u(x)>0$,
    the expected weight of a key $t<n$ among the keys $0,\dots,n$ is at most that among
    $0,\dots,n-1$. So a needle's expected weight among independent distractors does not rise with
    their number.
    """
    keys = q.show(le(0, n), "As t is a key, the number of keys is not negative.", KEY)
    sizes = [
        q.rewrite(
            eq(choices(count), values**count),
            "So V^|c| is V^c for this number c of keys.",
            q.show(
                eq(sp.Abs(count), count),
                "A number of keys is not negative, so it is its own absolute value.",
                keys,
            ),
        )
        for count in (n, n + 1)
    ]
    positive = q.show(lt(0, values**n), "As V is positive, V^n is positive.", VALUES)
    power = q.show(
        eq(choices(n + 1), values * choices(n)),
        "The power V^(n+1) is V times V^n. With one key more there are V times as many outcomes.",
        (VALUES, sizes),
    )
    cut = q.lemma(
        SUMS_BLOCKS.at(K=values, N=choices(n), f=sp.Lambda(omega, _term(omega, n + 1))),
        (VALUES, positive, sizes),
        why="A sum over the V V^n outcomes of the longer row is a sum over V blocks.",
    )
    value = q.under(within(x, 0, values - 1))
    new_chance = value.use(
        CHANCES, {u: n, x: x}, keys, why="Each value of the new key has a positive probability."
    )
    choice = value.under(within(a, 0, choices(n) - 1))
    longer = a + x * choices(n)
    digits = choice.apply(
        NUMERALS_DIGIT.at(a=a),
        (VALUES, sizes, keys),
        why="In block x the new key has the value x and the others have those of a.",
    )
    number = choice.show(
        eq(longer, a + x * values**n), "The number of the outcome is a + x V^n.", sizes
    )

    def has(key: Term) -> Fact:
        return choice.rewrite(
            eq(digit(key, longer), digit(key, a + x * values**n)),
            "So its digit at this place is that of a + x V^n.",
            number,
        )

    stays, last_digit = digits.parts(
        "The digits below place n are those of a, and the digit at place n is x."
    )
    new = choice.chain(has(n), last_digit, why="So the digit of the new key is x.")
    index = choice.under(within(u, 0, n - 1))
    same = index.chain(
        has(u),
        index.use(stays, why="The digit of each earlier key is that of a."),
        why="So an earlier key has the same value as in the outcome a.",
    )
    logs = index.rewrite(
        eq(sp.log(p(u, digit(u, longer))), sp.log(p(u, digit(u, a)))),
        "So the logarithm of its value's probability is unchanged.",
        same,
    ).summed(u, 0, n - 1, "Sum these logarithms over the earlier keys.")
    rates = index.rewrite(
        eq(_rate(u, longer), _rate(u, a)), "The rate of an earlier key is unchanged, too.", same
    )
    all_rates = rates.summed(u, 0, n - 1, "So the sum of the earlier keys' rates is unchanged.")
    own = choice.use(rates, {u: t}, KEY, why="In particular the rate of the key t is unchanged.")
    new_log = choice.rewrite(
        eq(sp.log(p(n, digit(n, longer))), sp.log(p(n, x))),
        "The new key has the value x, so its log-probability is log p_n(x).",
        new,
    )
    new_rate = choice.rewrite(
        eq(_rate(n, longer), sp.exp(w(n, x))),
        "The new key has the value x, so its rate is e^(w_n(x)).",
        new,
    )
    last_log = choice.last(
        _likely(longer, n + 1), "Split the new key's term off the sum of logarithms.", keys
    )
    last_rate = choice.last(
        _total(longer, n + 1), "Split the new key's rate off the sum of rates.", keys
    )
    log = choice.show(
        eq(_likely(longer, n + 1), _likely(a) + sp.log(p(n, x))),
        "So the logarithm of the outcome's probability is that of a plus log p_n(x).",
        (logs, new_log, last_log),
    )
    inverse = exp_of_log(
        choice, p(n, x), "As p_n(x) is positive, exp(log p_n(x)) = p_n(x).", new_chance
    )
    whole = choice.show(
        eq(_total(longer, n + 1), _total(a) + sp.exp(w(n, x))),
        "So the sum of all rates is that of a plus e^(w_n(x)).",
        (all_rates, new_rate, last_rate),
    )
    each = index.show(le(0, _rate(u, a)), "The rate of each earlier key is not negative.")
    least = choice.apply(
        SUMS_MEMBER,
        (each.for_all(u, why="This holds for every earlier key of the row."), KEY),
        why="So the rate of t is at most the sum of the earlier keys' rates.",
        goal=le(_rate(t, a), _total(a)),
    )
    more = choice.show(lt(0, sp.exp(w(n, x))), "The rate of the new key is positive.")
    less = choice.show(
        le(_rate(t, a) / (_total(a) + sp.exp(w(n, x))), _rate(t, a) / _total(a)),
        "The rate of the key t is positive. A larger sum of rates makes the weight of t no larger.",
        (least, more),
    )
    sign = choice.show(
        lt(0, p(n, x) * sp.exp(_likely(a))),
        "The probability p_n(x) times that of a is positive.",
        new_chance,
    )
    weighed = less.times(
        p(n, x) * sp.exp(_likely(a)), "Multiply both sides by this probability.", sign
    )
    there = choice.rewrite(
        eq(_rate(t, longer) / _total(longer, n + 1), _rate(t, a) / (_total(a) + sp.exp(w(n, x)))),
        "In the longer row the weight of t is E_t over the sum with the new rate.",
        (own, whole),
    )
    outcome = choice.show(
        le(_term(longer, n + 1), p(n, x) * _term(a)),
        "So the outcome's probability is p_n(x) times that of a. So the outcome's term is at "
        "most p_n(x) times the term of a.",
        (
            weighed,
            there,
            log.image(
                lambda term_: sp.exp(term_, evaluate=False), "Take the exponential of both sides."
            ),
            inverse,
        ),
    )
    all_blocks = outcome.summed(
        a, 0, choices(n) - 1, "Sum this inequality over the outcomes a of a block."
    ).summed(x, 0, values - 1, "Sum this inequality over all V blocks.")
    wider = q.rewrite(
        eq(with_new, cut.formula.lhs),
        "The sum over the longer row's outcomes has V V^n terms.",
        power,
    )
    q.qed(
        "The expected weight in the shorter row is a common factor of the blocks. As the "
        "p_n(x) add up to 1, the bound is the shorter row's expected weight.",
        (wider, cut, all_blocks, VALUES, NEW),
    )
