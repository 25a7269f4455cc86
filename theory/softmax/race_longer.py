"""A row of independent keys that grows by one: no other key gains."""

from ropeproof.theory.exponential import exp_of_log
from ropeproof.theory.language import *
from ropeproof.theory.notation import m as size
from ropeproof.theory.notation import n
from ropeproof.theory.order import times
from ropeproof.theory.softmax.race_notation import (
    KEY,
    VALUES,
    all_choices,
    choices,
    digit,
    expected,
    omega,
    p,
    t,
    u,
    values,
    w,
    weight,
    x,
)
from ropeproof.theory.sums.blocks import SUMS_BLOCKS, blocks, f, width
from ropeproof.theory.sums.digits import NUMERALS_DIGIT, rest, top
from ropeproof.theory.sums.digits import r as places
from ropeproof.theory.sums.terms import SUMS_MEMBER
from ropeproof.theory.sums.terms import f as member
from ropeproof.theory.sums.terms import k as place

a = integer("a")


def _likely(outcome: Any, count: Any = n) -> Any:
    """The logarithm of an outcome's chance, for so many keys."""
    return sp.Sum(sp.log(p(u, digit(u, outcome))), (u, 0, count - 1))


def _rate(key: Any, outcome: Any) -> Any:
    return sp.exp(w(key, digit(key, outcome)))


def _total(outcome: Any, count: Any = n) -> Any:
    return sp.Sum(_rate(u, outcome), (u, 0, count - 1))


def _term(outcome: Any, count: Any = n) -> Any:
    """An outcome's chance times the weight of t in it."""
    return sp.exp(_likely(outcome, count)) * (_rate(t, outcome) / _total(outcome, count))


CHANCES = Hypothesis(
    "chances are positive, the new key's too",
    Every((u, x), If(Both(le(0, u), le(u, n), le(0, x), le(x, values - 1)), lt(0, p(u, x)))),
)
NEW = Hypothesis("the new key's chances add up to 1", eq(sp.Sum(p(n, x), (x, 0, values - 1)), 1))
with_new = all_choices(_term(omega, n + 1), n + 1)

_LONGER = Claim(
    id="softmax.race-longer",
    title="A key more takes from every other",
    statement=(
        r"In a row of independent keys, of which $u$ has the values $x<V$ with chances $p_u(x)>0$, the "
        r"expected weight of a key $t<n$ among the keys $0,\dots,n$ is at most that among $0,\dots,n-1$. "
        r"So a needle's expected weight among independent distractors falls with their number."
    ),
    needs=frozenset("PX"),
    hypotheses=(VALUES, CHANCES, NEW, KEY),
    conclusion=le(with_new, expected(weight(t))),
)


def _proof(q: Proof) -> None:
    keys = q.show(le(0, n), "There are keys.", KEY, by=rules.smt())
    sizes = [
        q.rewrite(
            eq(choices(count), values**count),
            "(The exponent is not negative,",
            q.show(eq(sp.Abs(count), count), "being a number of keys)", keys, by=rules.smt()),
        )
        for count in (n, n + 1)
    ]
    positive = q.show(lt(0, values**n), "There are outcomes,", VALUES)
    power = q.show(
        eq(choices(n + 1), values * choices(n)),
        "V times as many with one key more:",
        (q.show(eq(values ** (n + 1), values * values**n), "(a factor V)", VALUES), sizes),
    )
    cut = q.lemma(
        SUMS_BLOCKS,
        {blocks: values, width: choices(n), f: sp.Lambda(omega, _term(omega, n + 1))},
        (VALUES, positive, sizes),
        why="V blocks.",
    )
    value = q.under(within(x, 0, values - 1))
    new_chance = value.use(CHANCES, {u: n, x: x}, keys, why="Chances are positive.")
    choice = value.under(within(a, 0, choices(n) - 1))
    longer = a + x * choices(n)
    digits = choice.lemma(
        NUMERALS_DIGIT,
        {places: n, rest: a, top: x},
        (VALUES, sizes, keys),
        why="In the block of x the new key has the value x,",
    )
    number = choice.show(eq(longer, a + x * values**n), "(that number)", sizes)

    def has(key: Any) -> Fact:
        return choice.rewrite(
            eq(digit(key, longer), digit(key, a + x * values**n)), "(its digit)", number
        )

    stays, last_digit = digits.parts("others have what they had")
    new = choice.chain(has(n), last_digit, why="that is x.")
    index = choice.under(within(u, 0, n - 1))
    same = index.chain(
        has(u), index.use(stays, {u: u}, why="(each of them)."), why="So it is in the block."
    )
    logs = index.rewrite(
        eq(sp.log(p(u, digit(u, longer))), sp.log(p(u, digit(u, a)))), "Their chances stay,", same
    ).summed(u, 0, n - 1, "together, too,")
    rates = index.rewrite(eq(_rate(u, longer), _rate(u, a)), "so do their rates,", same)
    all_rates = rates.summed(u, 0, n - 1, "and the sum.")
    own = choice.use(rates, {u: t}, KEY, why="So does that of t.")
    new_log = choice.rewrite(
        eq(sp.log(p(n, digit(n, longer))), sp.log(p(n, x))), "The new key has its chance", new
    )
    new_rate = choice.rewrite(eq(_rate(n, longer), sp.exp(w(n, x))), "and its rate,", new)
    last_log = choice.last(_likely(longer, n + 1), "which comes last,", keys)
    last_rate = choice.last(_total(longer, n + 1), "there as well.", keys)
    log = choice.show(
        eq(_likely(longer, n + 1), _likely(a) + sp.log(p(n, x))),
        "So the logarithm of the chance has it more,",
        (logs, new_log, last_log),
    )
    inverse = exp_of_log(choice, p(n, x), "(exp undoes log)", new_chance)
    likely = choice.show(
        eq(sp.exp(_likely(longer, n + 1)), p(n, x) * sp.exp(_likely(a))),
        "the chance as a factor,",
        log.image(lambda term_: sp.exp(term_, evaluate=False), "in exponentials,"),
        inverse,
    )
    whole = choice.show(
        eq(_total(longer, n + 1), _total(a) + sp.exp(w(n, x))),
        "and the sum of rates.",
        (all_rates, new_rate, last_rate),
    )
    each = index.show(le(0, _rate(u, a)), "Rates are not negative,")
    least = choice.lemma(
        SUMS_MEMBER,
        {member: sp.Lambda(u, _rate(u, a)), size: n, place: t},
        (each.for_all(u), KEY),
        why="so that t's is at most their sum,",
        goal=le(_rate(t, a), _total(a)),
    )
    mine = choice.show(lt(0, _rate(t, a)), "and it is positive.")
    more = choice.show(lt(0, sp.exp(w(n, x))), "So is the new one,")
    less = choice.show(
        le(_rate(t, a) / (_total(a) + sp.exp(w(n, x))), _rate(t, a) / _total(a)),
        "which makes the weight smaller.",
        (least, mine, more),
        by=rules.smt(),
    )
    sign = choice.show(
        lt(0, p(n, x) * sp.exp(_likely(a))), "Weighed by its chance,", new_chance, by=rules.smt()
    )
    weighed = times(choice, less, p(n, x) * sp.exp(_likely(a)), "(so both sides)", sign)
    there = choice.rewrite(
        eq(_rate(t, longer) / _total(longer, n + 1), _rate(t, a) / (_total(a) + sp.exp(w(n, x)))),
        "The weight in the longer row",
        (own, whole),
    )
    outcome = choice.show(
        le(_term(longer, n + 1), p(n, x) * _term(a)),
        "is at most the new value's chance times what it was,",
        (weighed, there, likely),
    )
    block = outcome.summed(a, 0, choices(n) - 1, "in sum over a block,")
    all_blocks = block.summed(x, 0, values - 1, "and over all.")
    common = q.show(
        eq(all_blocks.formula.rhs, expected(weight(t)) * sp.Sum(p(n, x), (x, 0, values - 1))),
        "What it was is a factor of all blocks.",
        VALUES,
    )
    wider = q.rewrite(eq(with_new, cut.formula.lhs), "(The range is V blocks)", power)
    q.qed("The chances add up to 1.", wider, cut, all_blocks, common, NEW)


_pair = {n: 1, values: 1, p(0, 0): 1, p(1, 0): 1, w(0, 0): 0, w(1, 0): 0, t: 0}
_half = sp.Rational(1, 2)

SOFTMAX_RACE_LONGER = prove(
    _LONGER,
    _proof,
    Attack(
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
        idle={VALUES: "the chances of no values do not add up to 1"},
    ),
)

CLAIMS = (SOFTMAX_RACE_LONGER,)
