"""Planes chosen one after another, each well: what a random choice has on average."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.cycle import around, k, lag
from ropeproof.theory.library.sums.order import SUMS_LEAST, f
from ropeproof.theory.topics.planes.cycle import RATE, SUMS_CYCLE_EXPONENTIALS, growth, rate
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

h, z = integer("h z")
x, y, t = real("x y t")
place, longer = integer_function("kappa"), integer_function("kappa_next")
load = real_function("W")
A_POSITION = Hypothesis("there is a position", le(1, n))


def _lags(term: Any) -> Any:
    return sp.Sum(term, (lag, 1, n - 1))


def _places(term: Any) -> Any:
    return sp.Sum(term, (k, 0, n - 1))


# -- one plane more ----------------------------------------------------------------------

term = load(lag) * sp.exp(rate * around(k, lag))
bound = growth * _lags(load(lag))


def _some_place(sum_at_k: Any, most: Any) -> Any:
    return Some((k,), Both(le(0, k), le(k, n - 1), le(sum_at_k, most)))


WEIGHTS = Hypothesis("the weights are not negative", every(lag, 1, n - 1, le(0, load(lag))))

CHOICE = Claim(
    id="planes.choice",
    title="One more plane, chosen well",
    statement=(
        r"For weights $W_t\ge0$ on the lags and $\lambda\ge0$ some $0\le k<n$ has "
        r"$\sum_{t=1}^{n-1}W_te^{\lambda\cos(2\pi kt/n)}\le e^{\lambda^2/2}\sum_tW_t$: the average "
        r"over $k$ has it."
    ),
    needs=frozenset("PX"),
    hypotheses=(A_POSITION, WEIGHTS, RATE),
    conclusion=_some_place(_lags(term), bound),
)


def _choice(p: Proof) -> None:
    at_lag = p.under(within(lag, 1, n - 1))
    some = p.lemma(
        SUMS_LEAST,
        {f: sp.Lambda(k, _lags(term))},
        A_POSITION,
        why="Some place is no worse than the average.",
        goal=Some((k,), Both(le(0, k), le(k, n - 1), le(n * _lags(term), _places(_lags(term))))),
    )
    exchange = p.swap(_places(_lags(term)), "Average for each lag:")
    mean = at_lag.lemma(
        SUMS_CYCLE_EXPONENTIALS,
        None,
        RATE,
        why="the exponentials around the cycle add up to little more than n,",
    )
    weight = at_lag.use(WEIGHTS, why="No weight is negative,")
    weighed = times(at_lag, mean, load(lag), "so the same holds weighed.", weight)
    columns = at_lag.show(
        le(_places(term), n * growth * load(lag)), "So for each lag,", weighed
    ).summed(lag, 1, n - 1, "and for all.")
    chosen = some.body()
    n_times = chosen.show(
        le(n * _lags(term), n * bound),
        "So n times the sum at that place is small,",
        exchange,
        columns,
    )
    once = chosen.lemma(
        SLASH_CANCEL,
        {x: _lags(term), y: bound, t: n},
        n_times,
        A_POSITION,
        why="and so is the sum.",
    )
    good = chosen.witness(p.goal, {k: k}, once, why="The place does it.")
    p.choose(some, good, "There is one.")


PLANES_CHOICE = prove(
    CHOICE,
    _choice,
    Attack(
        {
            "no loss": _some_place(_lags(term), _lags(load(lag)) / 2),
            "the first place": le(_lags(term.xreplace({k: sp.Integer(0)})), bound),
        },
        at={
            "no loss": {n: 3, rate: 1, load(1): 1, load(2): 1},
            "the first place": {n: 2, rate: 1, load(1): 1},
        },
        without={A_POSITION: {n: 0}, WEIGHTS: {n: 2, load(1): -1, rate: sp.Rational(1, 2)}},
        idle={RATE: "the cosine of the opposite place has the other sign"},
    ),
)

# -- any number of planes ----------------------------------------------------------------

NUMBER = Hypothesis("the number of planes is not negative", le(0, m))


def _cosines(count: Any, chosen: Any = place) -> Any:
    return sp.Sum(around(chosen(l), lag), (l, 0, count - 1))


def _most(count: Any) -> Any:
    return (n - 1) * sp.exp(count * (rate**2 / 2))


def _reached(count: Any, chosen: Any = place) -> Any:
    return le(_lags(sp.exp(rate * _cosines(count, chosen))), _most(count))


def _reachable(count: Any) -> Any:
    return Some((place(z),), _reached(count))


MANY = Claim(
    id="planes.many",
    title="Planes chosen one after another",
    statement=(
        r"For $\lambda\ge0$ there are integers $\kappa_l$ with "
        r"$\sum_{t=1}^{n-1}e^{\lambda\sum_{l<m}\cos(2\pi\kappa_lt/n)}\le(n-1)e^{m\lambda^2/2}$."
    ),
    needs=frozenset("PX"),
    hypotheses=(A_POSITION, RATE, NUMBER),
    conclusion=_reachable(m),
)

weight = sp.exp(rate * _cosines(h))


def _new_term(p: Proof, longer_list: Scope) -> Fact:
    """exp(lambda (cosines of h + 1 planes)) is the weight so far times the new factor."""
    old = longer_list.under(within(l, 0, h - 1))
    kept_planes = longer_list.given(
        every(l, 0, h - 1, eq(longer(l), place(l))), "The planes before stay,"
    )
    same = old.use(kept_planes, why="each of them,")
    angle = old.rewrite(eq(around(longer(l), lag), around(place(l), lag)), "their cosines", same)
    kept_sum = angle.summed(l, 0, h - 1, "and their sum;")
    added = longer_list.given(eq(longer(h), k), "one plane is new,")
    new_angle = longer_list.rewrite(
        eq(around(longer(h), lag), around(k, lag)), "with its cosine.", added
    )
    longer_sum = rate * _cosines(h + 1, longer)
    apart = rate * _cosines(h) + rate * around(k, lag)
    more = longer_list.under(le(0, h))
    one_more = p.under(le(0, h)).last(_cosines(h + 1, longer), "The new sum has one term more.")
    exponents = more.show(
        eq(longer_sum, apart), "So the exponent is a sum,", kept_sum, one_more, new_angle
    )
    return more.chain(
        more.rewrite(eq(sp.exp(longer_sum), sp.exp(apart)), "its exponential", exponents),
        p.show(eq(sp.exp(apart), weight * sp.exp(rate * around(k, lag))), "a product:"),
        why="the weight times the new factor.",
    )


def _many(p: Proof) -> None:
    at_0 = p.show(_reached(sp.Integer(0)), "Without planes all n - 1 terms are 1.", A_POSITION)
    start = p.witness(
        _reachable(sp.Integer(0)), {place: sp.Lambda(z, 0)}, at_0, why="That starts an induction."
    )

    positive = p.show(le(0, weight), "The weights so far are positive;")
    with_one = weight * sp.exp(rate * around(k, lag))
    choice = p.lemma(
        PLANES_CHOICE,
        {load: sp.Lambda(lag, weight)},
        (positive, A_POSITION, RATE),
        why="choose one more plane well,",
        goal=_some_place(_lags(with_one), growth * _lags(weight)),
    )
    extended = Both(every(l, 0, h - 1, eq(longer(l), place(l))), eq(longer(h), k))
    append = p.witness(
        Some((longer(z),), extended),
        {longer: sp.Lambda(l, sp.Piecewise((place(l), l < h), (k, True)))},
        why="and append it to the list.",
    )
    terms = _new_term(p, p.under(extended)).summed(lag, 1, n - 1, "Over the lags.")

    known = p.under(le(0, h), _reached(h))
    so_far = known.given(_reached(h), "The bound held so far,")
    grown = times(known, so_far, growth, "times its factor,")
    next_bound = p.show(eq(growth * _most(h), _most(h + 1)), "it is the next one,")
    chosen = known.under(choice.formula.args[1])
    ahead = chosen.under(extended)
    reached = ahead.show(_reached(h + 1, longer), "and is kept.", terms, next_bound, grown)
    listed = ahead.witness(_reachable(h + 1), {place: longer}, reached, why="The new list does it,")
    exists = chosen.choose(append, listed, "it exists")
    for_plane = known.choose(choice, exists, "for the plane chosen:")
    given = p.under(le(0, h)).given(_reachable(h), "if h planes do,")
    step = given.scope.choose(given, for_plane, "so do h + 1.")
    any_number = p.under(le(0, h)).induction(
        _reachable(h), h, 0, start, step, why="So does any number,"
    )
    p.use(any_number, {h: m}, NUMBER, why="in particular m.", goal=p.goal)


PLANES_MANY = prove(
    MANY,
    _many,
    Attack(
        {"all at rest": _reached(m, sp.Lambda(z, 0)), "for every choice": _reached(m)},
        at={
            "all at rest": {n: 2, m: 1, rate: 1},
            "for every choice": {n: 2, m: 1, rate: 1, place(0): 0},
        },
        idle={RATE: "the cosine of the opposite place has the other sign"},
        without={A_POSITION: {n: 0, m: 0, rate: 1}, NUMBER: {n: 2, m: -1, rate: 1}},
    ),
)

CLAIMS = (PLANES_CHOICE, PLANES_MANY)
