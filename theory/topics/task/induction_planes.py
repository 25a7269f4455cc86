"""The second layer of induction on planes that are slow or not rotated: any occurrence, or the last.

The query at position n, of the token x, meets at position j the share P_j of x's code there, in a
plane of angle theta, and for the last occurrence a recency plane of angle eta as well.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential import EXP_LOG_POSITIVE
from ropeproof.theory.library.exponential import x as number
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE, x
from ropeproof.theory.topics.softmax.margin import a, gamma, w
from ropeproof.theory.topics.softmax.token import sigma
from ropeproof.theory.topics.task.induction_mean import (
    FIRST_LAYER,
    ONE,
    POSITIVE,
    SLASH,
    TASK_INDUCTION_MEAN,
    copied,
    epsilon,
    half,
    layer,
)
from ropeproof.theory.topics.task.lookup import TASK_LOOKUP, answers, beta, c, longest, share
from ropeproof.theory.topics.task.partial_induction.partial_induction_sharp import (
    amount,
    diagonal,
    quarter,
    root,
)
from ropeproof.theory.topics.task.symbols import early, late, theta

eta = real("eta")

# -- the recency plane -------------------------------------------------------------------

lead = root * sp.sin(eta / 2)


def recency(lag: Any) -> Any:
    """The logit of the recency plane at a lag."""
    return sp.cos(eta * lag + quarter)


RECENT = Hypothesis(
    "the recency plane turns, and by a quarter turn at most",
    Both(lt(0, eta), le(longest * eta, sp.pi / 2)),
)
LAGS = (le(0, early), lt(early, late), le(late, longest))

_RECENCY = Claim(
    id="task.induction-recency",
    title="A slow plane prefers the later of two positions",
    statement=(
        r"A plane of angle $\eta>0$ with $n_0\eta\le\frac\pi2$ and phase $\frac\pi4$: for lags "
        r"$0\le t<t'\le n_0$ is $\cos(\eta t+\frac\pi4)-\cos(\eta t'+\frac\pi4)\ge\sqrt2\sin\frac\eta2"
        r">0$, which is at most 1, and every such cosine lies between $-\frac{\sqrt2}2$ and "
        r"$\frac{\sqrt2}2$."
    ),
    needs=frozenset("PTX"),
    hypotheses=(RECENT,),
    conclusion=Both(
        Every((early, late), If(Both(*LAGS), le(lead, recency(early) - recency(late)))),
        Every(
            (late,),
            If(Both(le(0, late), le(late, longest)), within(2 * recency(late), -root, root)),
        ),
        If(le(1, longest), Both(lt(0, lead), le(lead, 1))),
    ),
    example=where({longest: 3, eta: half}),
)


def _recency(p: Proof) -> None:
    pi, squares, roots = diagonal(p)
    ordered = p.under(*LAGS)
    steps = ordered.show(
        Both(
            *(le(0, eta * early), le(eta * early + eta, eta * late)),
            *(le(eta * late, longest * eta), lt(0, eta)),
        ),
        "Angles rise with the lag, by a step at least,",
        RECENT,
    )
    mid, apart = eta * (early + late) / 2 + quarter, eta * (late - early) / 2
    product = p.show(
        eq(recency(early) - recency(late), 2 * sp.sin(mid) * sp.sin(apart)),
        "and a difference of cosines is a product of sines.",
    )
    middle = ordered.show(
        within(mid, quarter, 3 * quarter), "The angle of the first", steps, RECENT, pi
    )
    why = "is at most pi/4 from a right angle, on either side,"
    sides = [
        falling_cosine(ordered.under(le(0, rest)), rest, quarter, why, middle, pi)
        for rest in (sp.pi / 2 - mid, mid - sp.pi / 2)
    ]
    first = ordered.show(
        le(root, 2 * sp.sin(mid)), "so its sine is at least half the root of 2;", sides, roots
    )
    angles = ordered.show(
        Both(lt(0, eta / 2), le(eta / 2, apart), le(apart, quarter)),
        "that of the second is at least half a step,",
        (steps, RECENT, pi),
    )
    rests = sp.pi / 2 - apart, sp.pi / 2 - eta / 2
    cosines = falling_cosine(ordered, *rests, "and so is its sine,", angles, pi)
    second = ordered.show(le(sp.sin(eta / 2), sp.sin(apart)), "as it rises,", cosines)
    positive = ordered.lemma(
        TRIG_SINE_POSITIVE, {x: eta / 2}, angles, pi, why="from a positive one."
    )
    factors = times(ordered, first, sp.sin(apart), "The product", second, positive)
    leads = ordered.show(
        le(lead, recency(early) - recency(late)),
        "is at least that of the two bounds.",
        (product, second, factors),
    )
    one = p.under(le(0, late), le(late, longest))
    turned = one.show(
        within(eta * late + quarter, quarter, 3 * quarter),
        "Every angle lies between one and three half right angles,",
        (RECENT, pi),
    )
    highest = falling_cosine(one, quarter, eta * late + quarter, "so its cosine", turned, pi)
    lowest = falling_cosine(
        one, eta * late + quarter, 3 * quarter, "lies between theirs,", turned, pi
    )
    between = one.show(
        within(2 * recency(late), -root, root),
        "which are half the root of 2 and its negative.",
        (highest, lowest, roots, squares),
    )
    some = p.under(le(1, longest))
    small = some.show(
        Both(lt(0, eta / 2), le(eta / 2, quarter)), "Half a step is a small angle,", RECENT, pi
    )
    sine = some.lemma(TRIG_SINE_POSITIVE, {x: eta / 2}, small, pi, why="its sine is positive,")
    last = falling_cosine(
        some, quarter, sp.pi / 2 - eta / 2, "and at most that of half a right angle,", small, pi
    )
    same = some.show(eq(kept(sp.cos, sp.pi / 2 - eta / 2), sp.sin(eta / 2)), "(being a cosine)")
    two = some.show(
        Both(lt(0, lead), le(lead, 1)),
        "so the lead is positive and at most 1.",
        (sine, last, same, roots),
        by=rules.smt(),
    )
    p.qed(
        "All three.",
        leads.for_all(early, late, why="So much for any two lags,"),
        between.for_all(late, why="and for any one."),
        two,
    )


TASK_INDUCTION_RECENCY = prove(
    _RECENCY,
    _recency,
    Attack(
        {
            "twice the lead": Every(
                (early, late), If(Both(*LAGS), le(2 * lead, recency(early) - recency(late)))
            ),
            "the earlier": Every(
                (early, late), If(Both(*LAGS), le(lead, recency(late) - recency(early)))
            ),
            "less than half": Every(
                (late,), If(Both(le(0, late), le(late, longest)), le(2 * recency(late), 1))
            ),
            "a lead of a half": If(le(1, longest), le(half, lead)),
        },
        at={
            "twice the lead": {longest: 3, eta: half},
            "the earlier": {longest: 3, eta: half},
            "less than half": {longest: 3, eta: half},
            "a lead of a half": {longest: 3, eta: half},
        },
        without={RECENT: {longest: 3, eta: 2}},
    ),
)

# -- any occurrence ----------------------------------------------------------------------

SHORT = Hypothesis(
    "there are at most n_0 tokens before the last, and the target is after the first",
    Both(le(1, n), le(n, longest), le(1, a), le(a, n)),
)
AFTER = Hypothesis("the token before the target is the last token", eq(sigma(a - 1), sigma(n)))
FIRST = Hypothesis("the first token is another", ne(sigma(0), sigma(n)))
SAME = Hypothesis(
    "after every earlier occurrence stands the target's token",
    Every(
        (j,), If(Both(*within(j, 1, n).args, eq(sigma(j - 1), sigma(n))), eq(sigma(j), sigma(a)))
    ),
)
SLOW = Hypothesis(
    "the code's plane turns by a quarter turn at most",
    Both(le(0, theta), le(longest * theta, sp.pi / 2)),
)


def turned(at: Any) -> Any:
    """The cosine by which the code's plane has turned at a position."""
    return sp.cos(theta * (n - at))


def any_logit(at: Any, held: Any) -> Any:
    """The logit at a position that holds such a share of the code."""
    return beta * turned(at) * held


def any_logits(at: Any) -> Any:
    """The logit at a position: beta times the share of the code there, turned."""
    return any_logit(at, copied(at))


def any_margin(missing: Any) -> Any:
    """The margin at beta = 1 where the first layer misses so much weight."""
    return (1 - missing) * sp.cos(longest * theta) - missing


COLD_ANY = Hypothesis(
    "the inverse temperature exceeds the logarithm of the length over the margin",
    Both(le(0, beta), lt(sp.log(longest + 1), beta * any_margin(epsilon))),
)

_ANY = Claim(
    id="task.induction-any",
    title="Induction where all earlier occurrences have one successor",
    statement=(
        r"As in `task.induction-mean`, position $j$ holds the share $P_j$ of the last token's code, "
        r"$n\le n_0$ positions before it, and has the logit $\beta\cos(\theta(n-j))P_j$ in a plane with "
        r"$0\le n_0\theta\le\frac\pi2$. If the last token occurred before, but not first, and all its "
        r"earlier occurrences have one successor, then with "
        r"$\beta\big[(1-\epsilon)\cos(n_0\theta)-\epsilon\big]>\ln(n_0+1)$ the successor has more than "
        r"half of the last row's attention, and every other token has less than it. Without rotation "
        r"the margin is $1-2\epsilon$ at every length."
    ),
    needs=frozenset("PTX"),
    hypotheses=(SHORT, *FIRST_LAYER, AFTER, FIRST, SAME, SLOW, COLD_ANY),
    conclusion=answers(any_logits),
)


def _content(p: Proof) -> list[Fact]:
    """What the first layer has written, in five parts."""
    return p.lemma(
        TASK_INDUCTION_MEAN, None, (SHORT, *FIRST_LAYER), why="The first layer has written"
    ).parts("what it should, but for a little:")


def _turned(p: Proof) -> tuple[Fact, Fact]:
    """The cosine of a position's lag lies between that of the longest one and 1."""
    row = p.under(within(j, 0, n))
    lag = row.show(
        Both(
            *(le(0, theta * (n - j)), le(theta * (n - j), longest * theta)),
            *(le(longest * theta, sp.pi / 2), lt(0, sp.pi)),
        ),
        "No lag turns the plane by more than the longest one,",
        (SHORT, SLOW),
    )
    least = falling_cosine(row, theta * (n - j), longest * theta, "so its cosine", lag)
    right = falling_cosine(p, longest * theta, sp.pi / 2, "is at least the longest's,", SHORT, SLOW)
    zero = p.show(eq(kept(sp.cos, sp.pi / 2), 0), "which is not negative,")
    not_less = p.show(
        le(0, sp.cos(longest * theta)), "being that of a quarter turn or more,", right, zero
    )
    most = row.show(le(turned(j), 1), "and at most 1.")
    bounds = row.show(
        Both(le(sp.cos(longest * theta), turned(j)), le(turned(j), 1)),
        "So much for every position.",
        (least, most),
    )
    return bounds.for_all(j, why="This holds at each."), not_less


def _at_target(p: Proof, content: list[Fact], angles: Fact) -> tuple[Fact, Fact]:
    """What the target's position holds, and how far its plane has turned."""
    held = p.use(
        content[2], {j: a}, (SHORT, AFTER), why="The target's position holds the last token's code,"
    )
    angle = p.use(angles, {j: a}, SHORT, why="turned by its lag,")
    return held, angle


def _any(p: Proof) -> None:
    content = _content(p)
    angles, not_less = _turned(p)
    held, angle = _at_target(p, content, angles)
    longest_turn = sp.cos(longest * theta)
    log = p.lemma(EXP_LOG_POSITIVE, {number: longest + 1}, SHORT, why="A logarithm is positive,")
    small = p.show(
        Both(lt(0, beta), le(0, epsilon), le(epsilon, 1)),
        "so the inverse temperature is, and little is missing.",
        (COLD_ANY, log, content[0], not_less),
    )
    own = p.show(
        le((1 - epsilon) * longest_turn, turned(a) * copied(a)),
        "so that it has that share of the longest's cosine at least.",
        (held, angle, not_less, small),
    )
    row = p.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    later = row.under(le(1, j))
    matched = later.under(eq(sigma(j - 1), sigma(n))).use(
        SAME, {j: j}, why="Where the token before is the last one, the target's token stands,"
    )
    other = later.show(
        ne(sigma(j - 1), sigma(n)), "so at a rival it is another.", matched, by=rules.smt()
    )
    little = later.use(content[3], {j: j}, other, why="It holds at most what is missing,")
    at_first = row.under(eq(j, 0))
    same_place = at_first.given(eq(j, 0), "and so does the first position,")
    first_row = at_first.use(content[4], {}, FIRST, why="which holds nothing")
    moved = at_first.rewrite(eq(copied(j), copied(0)), "of it.", same_place)
    inside = row.use(content[1], {j: j}, why="Nothing held is negative.")
    cosine = row.use(angles, {j: j}, why="The plane has turned there, too,")
    most = row.show(
        le(copied(j), epsilon),
        "Either way it is little,",
        (little, first_row, moved, small),
        by=rules.smt(),
    )
    rival = row.show(
        le(turned(j) * copied(j), epsilon),
        "which only makes it less.",
        (most, inside, cosine, not_less, small),
    )
    apart = row.show(
        le(any_margin(epsilon), turned(a) * copied(a) - turned(j) * copied(j)),
        "So the target leads by the margin,",
        (own, rival),
    )
    scaled = times(row, apart, beta, "also times beta,", small)
    gap = row.show(
        le(any_logits(j) + beta * any_margin(epsilon), any_logits(a)), "in the logits.", scaled
    )
    p.lemma(
        TASK_LOOKUP,
        {w: any_logits, gamma: beta * any_margin(epsilon)},
        (SHORT, gap.for_all(j, why="This holds at every rival,"), COLD_ANY),
        why="so the answer is right.",
    )


def prompt(*tokens: int) -> dict[Any, Any]:
    """A prompt whose every row looks at the position before it alone, with nothing missing."""
    size = len(tokens)
    rows = [[1 if at == max(row - 1, 0) else 0 for at in range(row + 1)] for row in range(size)]
    shape = {n: size - 1, longest: size - 1, epsilon: 0, theta: 0}
    return shape | listed(sigma, *tokens) | layer(*rows)


def other_tokens(logits: Any, least: Any) -> Any:
    """Every token but the target's has less than so much attention."""
    return Every((c,), If(ne(c, sigma(a)), lt(share(c, logits), least)))


three_halves, tenth = sp.Rational(3, 2), sp.Rational(1, 10)
_once = prompt(0, 1, 2, 1) | {a: 2, beta: three_halves}
_negative = layer((1,), (1, 0), (0, 1, 0), (-5, 5, 1, 0))
_heavy = layer((1,), (1, 0), (0, 1, 0), (0, 5, 1, 0))
_blind = layer((1,), (1, 0), (1, 0, 0), (0, 0, 1, 0))
_missing = {epsilon: tenth} | layer((1,), (1, 0), (tenth, 9 * tenth, 0), (0, tenth, 9 * tenth, 0))

TASK_INDUCTION_ANY = prove(
    _ANY,
    _any,
    Attack(
        {
            "two thirds": lt(sp.Rational(2, 3), share(sigma(a), any_logits)),
            "every other token less than a tenth": other_tokens(any_logits, tenth),
            "the query's token": lt(share(sigma(a), any_logits), share(sigma(n), any_logits)),
        },
        at={
            "two thirds": _once,
            "every other token less than a tenth": _once,
            "the query's token": _once,
        },
        without={
            SHORT: _once | {longest: 1, beta: sp.Rational(7, 10)},
            POSITIVE: _once | _negative,
            ONE: _once | _heavy,
            SLASH: _once | _blind,
            AFTER: prompt(0, 1, 2, 3) | {a: 2, beta: three_halves},
            FIRST: prompt(1, 2, 1) | {a: 1, beta: three_halves},
            SAME: prompt(0, 1, 2, 1, 3, 1) | {a: 2, beta: 2},
            SLOW: _once | {theta: 2 * sp.pi / 3},
            COLD_ANY: _once | {beta: tenth},
        },
    ),
)

# -- the last occurrence -----------------------------------------------------------------

LAST = Hypothesis(
    "the last token does not occur again on the way",
    Every((j,), If(Both(le(a + 1, j), le(j, n)), ne(sigma(j - 1), sigma(n)))),
)


def last_logit(at: Any, held: Any) -> Any:
    """The logit at a position that holds such a share of the code."""
    return beta * (amount * turned(at) * held + recency(n - at))


def last_logits(at: Any) -> Any:
    """The logit at a position: beta times the code's share, of amplitude B, and recency."""
    return last_logit(at, copied(at))


def strong(missing: Any) -> Any:
    """The code outweighs recency even where the first layer misses so much weight."""
    return Both(le(0, amount), le(root + lead, (1 - missing) * amount * sp.cos(longest * theta)))


def last_margin(missing: Any) -> Any:
    """The margin at beta = 1 where the first layer misses so much weight."""
    return lead - missing * amount


STRONG = Hypothesis("the code outweighs recency", strong(epsilon))
COLD_LAST = Hypothesis(
    "the inverse temperature exceeds the logarithm of the length over the margin",
    Both(le(0, beta), lt(sp.log(longest + 1), beta * last_margin(epsilon))),
)

_LAST = Claim(
    id="task.induction-last",
    title="Induction on the last earlier occurrence",
    statement=(
        r"As in `task.induction-any`, with a recency plane and the logit "
        r"$\beta\big[B\cos(\theta(n-j))P_j+\cos(\eta(n-j)+\frac\pi4)\big]$, "
        r"$0\le n_0\theta\le\frac\pi2$, $0<n_0\eta\le\frac\pi2$. Let $\lambda=\sqrt2\sin\frac\eta2$, "
        r"$B\ge0$, $(1-\epsilon)B\cos(n_0\theta)\ge\sqrt2+\lambda$ and "
        r"$\beta(\lambda-\epsilon B)>\ln(n_0+1)$. If the last token occurred before, the token after its "
        r"last earlier occurrence has more than half of the last row's attention, and every other token "
        r"has less than it. The first position, which attends to itself, is behind all others, so the "
        r"last token may stand there, too."
    ),
    needs=frozenset("PTX"),
    hypotheses=(SHORT, *FIRST_LAYER, AFTER, LAST, SLOW, RECENT, STRONG, COLD_LAST),
    conclusion=answers(last_logits),
)


def _another(scope: Scope) -> Fact:
    """In a scope where j shows another token than the target: it is not the target."""
    same = scope.given(eq(j, a), "Were the rival the target,")
    shown = same.scope.rewrite(eq(sigma(j), sigma(a)), "it would show its token,", same)
    return scope.show(ne(j, a), "which it does not.", shown, by=rules.smt())


def _answer(p: Proof, gap: Fact) -> None:
    """What a lead over all rivals is enough for."""
    z = real("Z")
    lead_by = Every(
        (j,),
        If(
            Both(*within(j, 0, n).args, ne(sigma(j), sigma(a))),
            le(last_logits(j) + z, last_logits(a)),
        ),
    )
    enough = p.under(lead_by, lt(sp.log(longest + 1), z))
    answer = enough.lemma(
        TASK_LOOKUP,
        {w: last_logits, gamma: z},
        (SHORT, enough.given(lead_by, "Where all rivals lie lower by enough")),
        why="the answer is right.",
    )
    cold = p.show(COLD_LAST.formula.args[1], "This is enough,", COLD_LAST)
    p.use(answer, {z: beta * last_margin(epsilon)}, (gap, cold), why="so the answer is right.")


_behind = Either(eq(j, 0), Both(le(1, j), eq(sigma(j - 1), sigma(n))))


def _in_all_cases(row: Scope, another: Fact, earlier: Fact) -> Fact:
    """What holds after another token, at the first position and after the last token, holds."""
    match = sigma(j - 1)
    zero = row.under(eq(j, 0))
    at_first = zero.use(
        earlier,
        {},
        zero.show(_behind, "The first position,", zero.given(eq(j, 0), "which is 0,")),
        why="is one of these,",
        goal=another.formula,
    )
    later = row.under(le(1, j), eq(match, sigma(n)))
    after_it = later.use(
        earlier,
        {},
        later.show(
            _behind,
            "a later one after the last token",
            later.given(le(1, j), "(later)"),
            later.given(eq(match, sigma(n)), "(after the last token)"),
        ),
        why="is another,",
        goal=another.formula,
    )
    cases = row.show(
        Either(eq(j, 0), Both(le(1, j), eq(match, sigma(n))), Both(le(1, j), ne(match, sigma(n)))),
        "and there are no others.",
        by=rules.smt(),
    )
    return row.show(
        another.formula,
        "So it leads all rivals,",
        cases,
        at_first,
        after_it,
        another,
        by=rules.smt(),
    )


def _warm(p: Proof, log: Fact) -> Fact:
    """The inverse temperature is positive."""
    x, y, z = real("X Y Z")
    given = p.under(le(0, x), lt(0, z), lt(z, x * y))
    none = given.under(eq(x, 0))
    nothing = none.show(eq(x * y, 0), "A product with 0 is 0,", none.given(eq(x, 0), "(if it is)"))
    never = none.show(lt(0, x), "and not positive,", nothing, by=rules.smt())
    some = given.under(lt(0, x)).given(lt(0, x), "or the factor is positive.")
    either = given.show(Either(eq(x, 0), lt(0, x)), "It is one or the other,", by=rules.smt())
    factor = given.show(lt(0, x), "so it is positive.", either, never, some, by=rules.smt())
    return p.use(
        factor,
        {x: beta, y: last_margin(epsilon), z: sp.log(longest + 1)},
        (COLD_LAST, log),
        why="So the inverse temperature is,",
    )


def _last(p: Proof) -> None:
    content = _content(p)
    angles, not_less = _turned(p)
    held, angle = _at_target(p, content, angles)
    longest_turn = sp.cos(longest * theta)
    two_lags, one_lag, sizes = p.lemma(
        TASK_INDUCTION_RECENCY, None, RECENT, why="The recency plane prefers the later position,"
    ).parts("by its lead:")
    positive = p.use(sizes, {}, SHORT, why="which is positive.")
    log = p.lemma(EXP_LOG_POSITIVE, {number: longest + 1}, SHORT, why="A logarithm is positive,")
    warm = _warm(p, log)
    root_2 = p.show(lt(1, root), "as is the root of 2,")
    code = p.show(
        le(root + lead, kept(sp.Mul, 1 - epsilon, kept(sp.Mul, amount, longest_turn))),
        "The code outweighs recency,",
        STRONG,
    )
    size = p.show(le(0, kept(sp.Mul, amount, longest_turn)), "being positive,", STRONG, not_less)
    small = p.show(
        Both(le(0, epsilon), le(epsilon, 1)),
        "and little is missing.",
        (code, size, root_2, positive, content[0]),
    )
    row = p.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    inside = row.use(content[1], {j: j}, why="A rival holds a share of the code,")
    cosine = row.use(angles, {j: j}, why="turned by its lag.")
    turn = p.show(
        le((1 - epsilon) * turned(a), turned(a) * copied(a)),
        "The target has all but a little of its cosine,",
        (held, angle, not_less),
    )
    target = times(p, turn, amount, "also times the amplitude.", STRONG)

    # Rivals after another token.
    other = row.under(le(1, j), ne(sigma(j - 1), sigma(n)))
    little = other.use(content[3], {j: j}, why="After another token a rival holds a little,")
    shrunk = other.show(
        le(turned(j) * copied(j), epsilon),
        "which turning only makes less.",
        (little, inside, cosine, not_less, small),
    )
    rival = times(other, shrunk, amount, "Times the amplitude", STRONG)
    own_lag = p.use(one_lag, {late: n - a}, SHORT, why="Recency is worth")
    its_lag = row.use(one_lag, {late: n - j}, SHORT, why="at most the root of 2,")
    whole = p.show(
        le((1 - epsilon) * longest_turn, (1 - epsilon) * turned(a)),
        "while the target has what the longest lag leaves,",
        (angle, small),
    )
    scaled_whole = times(p, whole, amount, "times the amplitude,", STRONG)
    another = other.show(
        le(
            last_margin(epsilon),
            amount * turned(a) * copied(a)
            + recency(n - a)
            - amount * turned(j) * copied(j)
            - recency(n - j),
        ),
        "so the target leads by the margin.",
        (rival, own_lag, its_lag, target, scaled_whole, STRONG),
    )

    # Rivals after the same token, and the first position, are before the target.
    same = row.under(_behind)
    on_the_way = same.under(le(a + 1, j), eq(sigma(j - 1), sigma(n)))
    never = on_the_way.use(LAST, {j: j}, why="No later position follows the last token,")
    not_it = _another(same)
    before = same.show(lt(j, a), "so it is an earlier one,", (never, not_it, SHORT), by=rules.smt())
    behind = same.use(
        two_lags, {early: n - a, late: n - j}, (before, SHORT), why="which recency puts behind."
    )
    order = same.show(
        Both(
            *(le(0, theta * (n - a)), le(theta * (n - a), theta * (n - j))),
            *(le(theta * (n - j), longest * theta), le(longest * theta, sp.pi)),
        ),
        "The code's plane has turned more there,",
        (before, SHORT, SLOW),
    )
    falls = falling_cosine(same, theta * (n - a), theta * (n - j), "so its cosine is less,", order)
    no_more = same.show(
        le(turned(j) * copied(j), turned(a)),
        "and the share is at most 1.",
        (falls, inside, cosine, not_less),
    )
    scaled = times(same, no_more, amount, "Times the amplitude", STRONG)
    lost = p.show(le(epsilon * turned(a), epsilon), "the target loses", angle, small)
    lost_size = times(p, lost, amount, "what is missing at most,", STRONG)
    earlier = same.show(
        another.formula, "so it leads these, too.", (behind, scaled, target, lost_size)
    )
    apart = _in_all_cases(row, another, earlier)
    cooled = times(row, apart, beta, "also times beta,", warm)
    gap = row.show(
        le(last_logits(j) + beta * last_margin(epsilon), last_logits(a)), "in the logits.", cooled
    )
    _answer(p, gap.for_all(j, why="This holds at every rival,"))


_late = prompt(0, 1, 2, 1) | {a: 2, eta: half, amount: 2, beta: 4}
_close = prompt(0, 1, 1, 2, 1) | {a: 3, eta: tenth, amount: 2, beta: 23}
_twice = prompt(0, 1, 3, 1, 2, 1) | {a: 4}

TASK_INDUCTION_LAST = prove(
    _LAST,
    _last,
    Attack(
        {
            "nine tenths": lt(9 * tenth, share(sigma(a), last_logits)),
            "every other token less than a tenth": other_tokens(last_logits, tenth),
            "the query's token": lt(share(sigma(a), last_logits), share(sigma(n), last_logits)),
        },
        at={
            "nine tenths": _close,
            "every other token less than a tenth": _close,
            "the query's token": _late,
        },
        without={
            SHORT: _twice
            | {longest: 1, eta: three_halves, amount: sp.Rational(5, 2), beta: sp.Rational(3, 4)},
            POSITIVE: _late | _negative,
            ONE: _late | _heavy,
            SLASH: _late | _blind,
            AFTER: prompt(0, 1, 2, 3) | {a: 2, eta: half, amount: 2, beta: 4},
            LAST: prompt(0, 1, 2, 1, 3, 1) | {a: 2, eta: sp.Rational(3, 10), amount: 2, beta: 9},
            SLOW: _late | {theta: 2 * sp.pi / 3},
            RECENT: _twice | {eta: sp.Rational(5, 2), amount: 3, beta: three_halves},
            STRONG: _late | {amount: 0},
            COLD_LAST: _late | {beta: tenth},
        },
    ),
)

CLAIMS = (TASK_INDUCTION_RECENCY, TASK_INDUCTION_ANY, TASK_INDUCTION_LAST)
