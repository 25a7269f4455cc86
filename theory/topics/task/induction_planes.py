"""The second layer of induction on planes that are slow or not rotated: any occurrence, or the last.

The query at position n, of the token x, meets at position j the share P_j of x's code there, in a
plane of angle theta, and for the last occurrence a recency plane of angle eta as well.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_POSITIVE
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.topics.softmax.margin import a
from ropeproof.theory.topics.softmax.token import sigma
from ropeproof.theory.topics.task import induction_mean, lookup
from ropeproof.theory.topics.task.induction_mean import TASK_INDUCTION_MEAN
from ropeproof.theory.topics.task.lookup import TASK_LOOKUP
from ropeproof.theory.topics.task.matching import early, late, theta
from ropeproof.theory.topics.task.partial_induction import sharp

eta = real("eta")
MEANINGS: Meanings = {
    **lookup.MEANINGS,
    **induction_mean.MEANINGS,
    a: "the position whose token is the answer",
    early: shown_as("t", "t", "a lag"),
    late: shown_as("t′", "t'", "a larger lag"),
    theta: "angle per position of the code's plane, in radians",
    eta: "angle per position of the recency plane, in radians",
    lookup.longest: "largest number of tokens before the last",
    lookup.c: "any other token",
    sharp.amount: "amplitude of the code's plane",
}

# -- the recency plane -------------------------------------------------------------------

lead = sharp.root * sp.sin(eta / 2)


def recency(lag: Term) -> Term:
    """The logit of the recency plane at a lag."""
    return sp.cos(eta * lag + sharp.quarter)


RECENT = Hypothesis(
    "the recency plane turns, and by a quarter turn at most",
    Both(lt(0, eta), le(lookup.longest * eta, sp.pi / 2)),
)
LAGS = (le(0, early), lt(early, late), le(late, lookup.longest))


@theorem(
    "task.induction-recency",
    needs="PTX",
    hypotheses=(RECENT,),
    conclusion=Both(
        Every((early, late), If(Both(*LAGS), le(lead, recency(early) - recency(late)))),
        Every(
            (late,),
            If(
                Both(le(0, late), le(late, lookup.longest)),
                within(2 * recency(late), -sharp.root, sharp.root),
            ),
        ),
        If(le(1, lookup.longest), Both(lt(0, lead), le(lead, 1))),
    ),
    example=where({lookup.longest: 3, eta: induction_mean.half}),
    attack=Attack(
        {
            "twice the lead": Every(
                (early, late), If(Both(*LAGS), le(2 * lead, recency(early) - recency(late)))
            ),
            "the earlier": Every(
                (early, late), If(Both(*LAGS), le(lead, recency(late) - recency(early)))
            ),
            "less than half": Every(
                (late,), If(Both(le(0, late), le(late, lookup.longest)), le(2 * recency(late), 1))
            ),
            "a lead of a half": If(le(1, lookup.longest), le(induction_mean.half, lead)),
        },
        at={
            "twice the lead": {lookup.longest: 3, eta: induction_mean.half},
            "the earlier": {lookup.longest: 3, eta: induction_mean.half},
            "less than half": {lookup.longest: 3, eta: induction_mean.half},
            "a lead of a half": {lookup.longest: 3, eta: induction_mean.half},
        },
        without={RECENT: {lookup.longest: 3, eta: 2}},
    ),
)
def TASK_INDUCTION_RECENCY(p: Proof) -> None:
    r"""A slow plane prefers the later of two positions

    A plane of angle $\eta>0$ with $n_0\eta\le\frac\pi2$ and phase $\frac\pi4$: for lags $0\le
    t<t'\le n_0$ is $\cos(\eta t+\frac\pi4)-\cos(\eta t'+\frac\pi4)\ge\sqrt2\sin\frac\eta2>0$, which
    is at most 1, and every such cosine lies between $-\frac{\sqrt2}2$ and $\frac{\sqrt2}2$.
    """
    pi, squares, roots = sharp.diagonal(p)
    ordered = p.under(*LAGS)
    mid, apart = eta * (early + late) / 2 + sharp.quarter, eta * (late - early) / 2
    product = p.show(
        eq(recency(early) - recency(late), 2 * sp.sin(mid) * sp.sin(apart)),
        "The difference of the cosines is a product of sines.",
    )
    middle = ordered.show(
        within(mid, sharp.quarter, 3 * sharp.quarter),
        "The angles rise with the lag, by at least one step. The angle of the first sine "
        "lies between pi/4 and 3 pi/4.",
        (RECENT, pi),
    )
    why = "So on this side of a right angle its sine is at least that of pi/4."
    sides = [
        falling_cosine(ordered.under(le(0, rest)), rest, sharp.quarter, why, middle, pi)
        for rest in (sp.pi / 2 - mid, mid - sp.pi / 2)
    ]
    angles = ordered.show(
        Both(lt(0, eta / 2), le(eta / 2, apart), le(apart, sharp.quarter)),
        "The angle of the second sine is at least half a step and at most pi/4.",
        (RECENT, pi),
    )
    rests = sp.pi / 2 - apart, sp.pi / 2 - eta / 2
    cosines = falling_cosine(
        ordered,
        *rests,
        "So its sine, written as a cosine, is at least that of half a step.",
        angles,
        pi,
    )
    second = ordered.show(
        le(sp.sin(eta / 2), sp.sin(apart)),
        "Write the cosines of the previous bound as sines again.",
        cosines,
    )
    positive = ordered.apply(
        TRIG_SINE_POSITIVE, angles, pi, why="The sine of half a step is positive."
    )
    leads = ordered.show(
        le(lead, recency(early) - recency(late)),
        "So twice this sine is at least the root of 2. Multiply the bound of the first sine "
        "by the second, which is positive. So the difference of the cosines is at least the "
        "lead.",
        (product, second, sides, roots, positive),
    )
    one = p.under(le(0, late), le(late, lookup.longest))
    turned = one.show(
        within(eta * late + sharp.quarter, sharp.quarter, 3 * sharp.quarter),
        "The angle of any lag lies between pi/4 and 3 pi/4.",
        (RECENT, pi),
    )
    highest = falling_cosine(
        one,
        sharp.quarter,
        eta * late + sharp.quarter,
        "So its cosine is at most that of pi/4.",
        (turned, pi),
    )
    lowest = falling_cosine(
        one,
        eta * late + sharp.quarter,
        3 * sharp.quarter,
        "So its cosine is at least that of 3 pi/4.",
        (turned, pi),
    )
    between = one.show(
        within(2 * recency(late), -sharp.root, sharp.root),
        "So twice the cosine lies between minus and plus the root of 2.",
        (highest, lowest, roots, squares),
    )
    some = p.under(le(1, lookup.longest))
    small = some.show(
        Both(lt(0, eta / 2), le(eta / 2, sharp.quarter)),
        "Half a step is positive and at most pi/4.",
        (RECENT, pi),
    )
    sine = some.apply(TRIG_SINE_POSITIVE, small, pi, why="So the sine of half a step is positive.")
    last = falling_cosine(
        some,
        sharp.quarter,
        sp.pi / 2 - eta / 2,
        "The cosine of the rest of a right angle is at most that of pi/4.",
        (small, pi),
    )
    two = some.show(
        Both(lt(0, lead), le(lead, 1)),
        "The cosine of the rest of a right angle is the sine. So the lead is positive and at "
        "most 1.",
        (sine, last, roots),
    )
    p.qed(
        "The three statements together are the claim.",
        leads.for_all(early, late, why="The two lags were arbitrary, so this holds for any two."),
        between.for_all(late, why="The lag was arbitrary, so this holds for any lag."),
        two,
    )


# -- any occurrence ----------------------------------------------------------------------

SHORT = Hypothesis(
    "there are at most n_0 tokens before the last, and the target is after the first",
    Both(le(1, n), le(n, lookup.longest), le(1, a), le(a, n)),
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
    Both(le(0, theta), le(lookup.longest * theta, sp.pi / 2)),
)


def turned(at: Term) -> Term:
    """The cosine by which the code's plane has turned at a position."""
    return sp.cos(theta * (n - at))


def any_logit(at: Term, held: Term) -> Term:
    """The logit at a position that holds such a share of the code."""
    return lookup.beta * turned(at) * held


def any_logits(at: Term) -> Term:
    """The logit at a position: beta times the share of the code there, turned."""
    return any_logit(at, induction_mean.copied(at))


def any_margin(missing: Term) -> Term:
    """The margin at beta = 1 where the first layer misses so much weight."""
    return (1 - missing) * sp.cos(lookup.longest * theta) - missing


COLD_ANY = Hypothesis(
    "the inverse temperature exceeds the logarithm of the length over the margin",
    Both(
        le(0, lookup.beta),
        lt(sp.log(lookup.longest + 1), lookup.beta * any_margin(induction_mean.epsilon)),
    ),
)


def _content(p: Proof) -> list[Fact]:
    """What the first layer has written, in five parts."""
    return p.apply(
        TASK_INDUCTION_MEAN,
        (SHORT, *induction_mean.FIRST_LAYER),
        why="The first layer has written the code of the token before, up to epsilon.",
    ).parts("This is one part of the previous statement.")


def _turned(p: Proof) -> tuple[Fact, Fact]:
    """The cosine of a position's lag lies between that of the longest one and 1."""
    row = p.under(within(j, 0, n))
    lag = row.show(
        Both(
            *(le(0, theta * (n - j)), le(theta * (n - j), lookup.longest * theta)),
            *(le(lookup.longest * theta, sp.pi / 2), lt(0, sp.pi)),
        ),
        "No lag turns the plane by more than the longest, which is at most a quarter turn.",
        (SHORT, SLOW),
    )
    least = falling_cosine(
        row,
        theta * (n - j),
        lookup.longest * theta,
        "So its cosine is at least that of the longest lag.",
        lag,
    )
    right = falling_cosine(
        p,
        lookup.longest * theta,
        sp.pi / 2,
        "The cosine of the longest lag is at least that of a quarter turn.",
        (SHORT, SLOW),
    )
    not_less = p.show(
        le(0, sp.cos(lookup.longest * theta)),
        "The cosine of a quarter turn is 0. So the cosine of the longest lag is not negative.",
        right,
    )
    bounds = row.show(
        Both(le(sp.cos(lookup.longest * theta), turned(j)), le(turned(j), 1)),
        "The cosine of any lag is at most 1. So the cosine of any lag lies between that of "
        "the longest and 1.",
        least,
    )
    return bounds.for_all(
        j, why="The position was arbitrary, so this holds at every position."
    ), not_less


def _at_target(p: Proof, content: list[Fact], angles: Fact) -> tuple[Fact, Fact]:
    """What the target's position holds, and how far its plane has turned."""
    held = p.use(
        content[2],
        (SHORT, AFTER),
        why="The target's position holds at least 1 - epsilon of the last token's code.",
    )
    angle = p.use(
        angles, {j: a}, SHORT, why="The cosine of the target's lag lies between these bounds."
    )
    return held, angle


def prompt(*tokens: int) -> Values:
    """A prompt whose every row looks at the position before it alone, with nothing missing."""
    size = len(tokens)
    rows = [[1 if at == max(row - 1, 0) else 0 for at in range(row + 1)] for row in range(size)]
    shape = {n: size - 1, lookup.longest: size - 1, induction_mean.epsilon: 0, theta: 0}
    return shape | listed(sigma, *tokens) | induction_mean.layer(*rows)


def other_tokens(logits: Callable[..., Term], least: Term) -> Formula:
    """Every token but the target's has less than so much attention."""
    return Every((lookup.c,), If(ne(lookup.c, sigma(a)), lt(lookup.share(lookup.c, logits), least)))


three_halves, tenth = sp.Rational(3, 2), sp.Rational(1, 10)
_once = prompt(0, 1, 2, 1) | {a: 2, lookup.beta: three_halves}
_negative = induction_mean.layer((1,), (1, 0), (0, 1, 0), (-5, 5, 1, 0))
_heavy = induction_mean.layer((1,), (1, 0), (0, 1, 0), (0, 5, 1, 0))
_blind = induction_mean.layer((1,), (1, 0), (1, 0, 0), (0, 0, 1, 0))
_missing = {induction_mean.epsilon: tenth} | induction_mean.layer(
    (1,), (1, 0), (tenth, 9 * tenth, 0), (0, tenth, 9 * tenth, 0)
)


@theorem(
    "task.induction-any",
    needs="PTX",
    hypotheses=(SHORT, *induction_mean.FIRST_LAYER, AFTER, FIRST, SAME, SLOW, COLD_ANY),
    conclusion=lookup.answers(any_logits),
    attack=Attack(
        {
            "two thirds": lt(sp.Rational(2, 3), lookup.share(sigma(a), any_logits)),
            "every other token less than a tenth": other_tokens(any_logits, tenth),
            "the query's token": lt(
                lookup.share(sigma(a), any_logits), lookup.share(sigma(n), any_logits)
            ),
        },
        at={
            "two thirds": _once,
            "every other token less than a tenth": _once,
            "the query's token": _once,
        },
        without={
            SHORT: _once | {lookup.longest: 1, lookup.beta: sp.Rational(7, 10)},
            induction_mean.POSITIVE: _once | _negative,
            induction_mean.ONE: _once | _heavy,
            induction_mean.SLASH: _once | _blind,
            AFTER: prompt(0, 1, 2, 3) | {a: 2, lookup.beta: three_halves},
            FIRST: prompt(1, 2, 1) | {a: 1, lookup.beta: three_halves},
            SAME: prompt(0, 1, 2, 1, 3, 1) | {a: 2, lookup.beta: 2},
            SLOW: _once | {theta: 2 * sp.pi / 3},
            COLD_ANY: _once | {lookup.beta: tenth},
        },
    ),
)
def TASK_INDUCTION_ANY(p: Proof) -> None:
    r"""Induction where all earlier occurrences have one successor

    As in `task.induction-mean`, position $j$ holds the share $P_j$ of the last token's code, $n\le
    n_0$ positions before it, and has the logit $\beta\cos(\theta(n-j))P_j$ in a plane with $0\le
    n_0\theta\le\frac\pi2$. If the last token occurred before, but not first, and all its earlier
    occurrences have one successor, then with
    $\beta\big[(1-\epsilon)\cos(n_0\theta)-\epsilon\big]>\ln(n_0+1)$ the successor has more than
    half of the last row's attention, and every other token has less than it. Without rotation the
    margin is $1-2\epsilon$ at every length.
    """
    content = _content(p)
    angles, not_less = _turned(p)
    held, angle = _at_target(p, content, angles)
    longest_turn = sp.cos(lookup.longest * theta)
    log = p.lemma(
        EXP_LOG_POSITIVE.at(x=lookup.longest + 1),
        SHORT,
        why="The logarithm of a number beyond 1 is positive.",
    )
    small = p.show(
        Both(lt(0, lookup.beta), le(0, induction_mean.epsilon), le(induction_mean.epsilon, 1)),
        "So beta is positive and epsilon lies between 0 and 1.",
        (COLD_ANY, log, content[0], not_less),
    )
    own = p.show(
        le((1 - induction_mean.epsilon) * longest_turn, turned(a) * induction_mean.copied(a)),
        "So the target's logit is at least 1 - epsilon times the longest lag's cosine.",
        (held, angle, not_less, small),
    )
    row = p.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    later = row.under(le(1, j))
    matched = later.under(eq(sigma(j - 1), sigma(n))).use(
        SAME, why="After each earlier occurrence of the last token stands the target's token."
    )
    little = later.use(
        content[3],
        matched,
        why="So the token before a rival is not the last one. So the rival holds at most epsilon "
        "of the last token's code.",
    )
    at_first = row.under(eq(j, 0))
    same_place = at_first.given(eq(j, 0), "Consider the first position, j = 0.")
    moved = at_first.rewrite(
        eq(induction_mean.copied(j), induction_mean.copied(0)),
        "So the share at the position j is that of the first position.",
        same_place,
    )
    inside = row.use(content[1], why="The share that a rival holds lies between 0 and 1.")
    cosine = row.use(angles, why="The cosine of the rival's lag lies between these bounds.")
    most = row.show(
        le(induction_mean.copied(j), induction_mean.epsilon),
        "The first token is not the last one, so the first position holds nothing of it. In "
        "both cases the rival holds at most epsilon of the code.",
        (little, content[4], FIRST, moved, small),
    )
    gap = row.show(
        le(any_logits(j) + lookup.beta * any_margin(induction_mean.epsilon), any_logits(a)),
        "As the cosine lies between 0 and 1, the rival's logit is at most epsilon. So the "
        "target leads the rival by the margin. Multiply this inequality by beta, which is "
        "positive. Multiply out: this is the margin of the scaled logits.",
        (own, most, inside, cosine, not_less, small),
    )
    p.lemma(
        TASK_LOOKUP.at(w=any_logits, gamma=lookup.beta * any_margin(induction_mean.epsilon)),
        (
            SHORT,
            gap.for_all(j, why="The rival was arbitrary, so this holds for every rival."),
            COLD_ANY,
        ),
        why="So the target's token wins with more than half of the attention.",
    )


# -- the last occurrence -----------------------------------------------------------------

LAST = Hypothesis(
    "the last token does not occur again on the way",
    Every((j,), If(Both(le(a + 1, j), le(j, n)), ne(sigma(j - 1), sigma(n)))),
)


def last_logit(at: Term, held: Term) -> Term:
    """The logit at a position that holds such a share of the code."""
    return lookup.beta * (sharp.amount * turned(at) * held + recency(n - at))


def last_logits(at: Term) -> Term:
    """The logit at a position: beta times the code's share, of amplitude B, and recency."""
    return last_logit(at, induction_mean.copied(at))


def strong(missing: Term | int) -> Formula:
    """The code outweighs recency even where the first layer misses so much weight."""
    return Both(
        le(0, sharp.amount),
        le(sharp.root + lead, (1 - missing) * sharp.amount * sp.cos(lookup.longest * theta)),
    )


def last_margin(missing: Term | int) -> Term:
    """The margin at beta = 1 where the first layer misses so much weight."""
    return lead - missing * sharp.amount


STRONG = Hypothesis("the code outweighs recency", strong(induction_mean.epsilon))
COLD_LAST = Hypothesis(
    "the inverse temperature exceeds the logarithm of the length over the margin",
    Both(
        le(0, lookup.beta),
        lt(sp.log(lookup.longest + 1), lookup.beta * last_margin(induction_mean.epsilon)),
    ),
)


def _another(scope: Scope) -> Fact:
    """In a scope where j shows another token than the target: it is not the target."""
    same = scope.given(eq(j, a), "Suppose that the rival is the target's position.")
    shown = same.image(sigma, "Then the rival has the target's token.")
    return scope.show(
        ne(j, a), "As the rival has another token, it is not the target's position.", shown
    )


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
    enough = p.under(lead_by, lt(sp.log(lookup.longest + 1), z))
    answer = enough.lemma(
        TASK_LOOKUP.at(w=last_logits, gamma=z),
        SHORT,
        why="Suppose that the target leads every rival by Z. So the target's token wins with "
        "more than half of the attention.",
    )
    p.use(
        answer,
        {z: lookup.beta * last_margin(induction_mean.epsilon)},
        (gap, COLD_LAST),
        why="The inverse temperature makes the margin more than ln(L + 1), by hypothesis. So the "
        "target's token wins with more than half of the attention.",
    )


_behind = Either(eq(j, 0), Both(le(1, j), eq(sigma(j - 1), sigma(n))))


def _in_all_cases(row: Scope, another: Fact, earlier: Fact) -> Fact:
    """What holds after another token, at the first position and after the last token, holds."""
    match = sigma(j - 1)
    zero = row.under(eq(j, 0))
    at_first = zero.use(
        earlier,
        why="Suppose that the rival is at position 0. The first position is one of those "
        "considered. So the target leads the first position by the margin.",
    )
    later = row.under(le(1, j), eq(match, sigma(n)))
    after_it = later.use(
        earlier,
        why="Suppose that the rival is not at position 0. Suppose that the rival follows the "
        "last token. A later position after the last token is one of those considered. So "
        "the target leads such a rival by the margin.",
    )
    return row.show(
        another.formula,
        "A rival is at position 0, or follows the last token, or follows another one. In all "
        "three cases the target leads the rival by the margin.",
        (at_first, after_it, another),
    )


def _warm(p: Proof, log: Fact) -> Fact:
    """The inverse temperature is positive."""
    x, y, z = real("X Y Z")
    given = p.under(le(0, x), lt(0, z), lt(z, x * y))
    none = given.under(eq(x, 0))
    never = none.show(
        lt(0, x),
        "Suppose that the factor X is 0. A product with the factor 0 is 0. As the product "
        "exceeds a positive number, the factor is positive all the same.",
    )
    some = given.under(lt(0, x)).given(lt(0, x), "Suppose that the factor X is positive.")
    factor = given.show(
        lt(0, x),
        "A number that is not negative is 0 or positive. So the factor X is positive in both "
        "cases.",
        (never, some),
    )
    return p.use(
        factor,
        {x: lookup.beta, y: last_margin(induction_mean.epsilon), z: sp.log(lookup.longest + 1)},
        (COLD_LAST, log),
        why="So the inverse temperature beta is positive.",
    )


_late = prompt(0, 1, 2, 1) | {a: 2, eta: induction_mean.half, sharp.amount: 2, lookup.beta: 4}
_close = prompt(0, 1, 1, 2, 1) | {a: 3, eta: tenth, sharp.amount: 2, lookup.beta: 23}
_twice = prompt(0, 1, 3, 1, 2, 1) | {a: 4}


@theorem(
    "task.induction-last",
    needs="PTX",
    hypotheses=(SHORT, *induction_mean.FIRST_LAYER, AFTER, LAST, SLOW, RECENT, STRONG, COLD_LAST),
    conclusion=lookup.answers(last_logits),
    attack=Attack(
        {
            "nine tenths": lt(9 * tenth, lookup.share(sigma(a), last_logits)),
            "every other token less than a tenth": other_tokens(last_logits, tenth),
            "the query's token": lt(
                lookup.share(sigma(a), last_logits), lookup.share(sigma(n), last_logits)
            ),
        },
        at={
            "nine tenths": _close,
            "every other token less than a tenth": _close,
            "the query's token": _late,
        },
        without={
            SHORT: _twice
            | {
                lookup.longest: 1,
                eta: three_halves,
                sharp.amount: sp.Rational(5, 2),
                lookup.beta: sp.Rational(3, 4),
            },
            induction_mean.POSITIVE: _late | _negative,
            induction_mean.ONE: _late | _heavy,
            induction_mean.SLASH: _late | _blind,
            AFTER: prompt(0, 1, 2, 3)
            | {a: 2, eta: induction_mean.half, sharp.amount: 2, lookup.beta: 4},
            LAST: prompt(0, 1, 2, 1, 3, 1)
            | {a: 2, eta: sp.Rational(3, 10), sharp.amount: 2, lookup.beta: 9},
            SLOW: _late | {theta: 2 * sp.pi / 3},
            RECENT: _twice | {eta: sp.Rational(5, 2), sharp.amount: 3, lookup.beta: three_halves},
            STRONG: _late | {sharp.amount: 0},
            COLD_LAST: _late | {lookup.beta: tenth},
        },
    ),
)
def TASK_INDUCTION_LAST(p: Proof) -> None:
    r"""Induction on the last earlier occurrence

    As in `task.induction-any`, with a recency plane and the logit
    $\beta\big[B\cos(\theta(n-j))P_j+\cos(\eta(n-j)+\frac\pi4)\big]$, $0\le n_0\theta\le\frac\pi2$,
    $0<n_0\eta\le\frac\pi2$. Let $\lambda=\sqrt2\sin\frac\eta2$, $B\ge0$,
    $(1-\epsilon)B\cos(n_0\theta)\ge\sqrt2+\lambda$ and $\beta(\lambda-\epsilon B)>\ln(n_0+1)$. If
    the last token occurred before, the token after its last earlier occurrence has more than half
    of the last row's attention, and every other token has less than it. The first position, which
    attends to itself, is behind all others, so the last token may stand there, too.
    """
    content = _content(p)
    angles, not_less = _turned(p)
    held, angle = _at_target(p, content, angles)
    two_lags, one_lag, sizes = p.apply(
        TASK_INDUCTION_RECENCY,
        RECENT,
        why="The recency plane prefers the later of two positions by its lead.",
    ).parts("This is one part of the previous statement.")
    log = p.lemma(
        EXP_LOG_POSITIVE.at(x=lookup.longest + 1),
        SHORT,
        why="The logarithm of a number beyond 1 is positive.",
    )
    warm = _warm(p, log)
    small = p.show(
        Both(le(0, induction_mean.epsilon), le(induction_mean.epsilon, 1)),
        "So the lead is positive and at most 1. The root of 2 exceeds 1. The code outweighs "
        "recency, by hypothesis. So the amplitude times the longest lag's cosine is not "
        "negative. As their product is positive, 1 - epsilon is not negative.",
        (STRONG, not_less, sizes, SHORT, content[0]),
    )
    row = p.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    inside = row.use(content[1], why="The share that a rival holds lies between 0 and 1.")
    cosine = row.use(angles, why="The cosine of the rival's lag lies between these bounds.")
    target = p.show(
        le((1 - induction_mean.epsilon) * turned(a), turned(a) * induction_mean.copied(a)),
        "The target holds at least 1 - epsilon of the code, at its lag's cosine.",
        (held, angle, not_less),
    ).times(
        sharp.amount, "Multiply this inequality by the amplitude, which is not negative.", STRONG
    )

    # Rivals after another token.
    other = row.under(le(1, j), ne(sigma(j - 1), sigma(n)))
    little = other.use(
        content[3], why="If another token precedes it, the rival holds at most epsilon of the code."
    )
    own_lag = p.use(
        one_lag,
        {late: n - a},
        SHORT,
        why="Twice the target's recency lies between minus and plus the root of 2.",
    )
    its_lag = row.use(
        one_lag,
        {late: n - j},
        SHORT,
        why="Twice the rival's recency lies between minus and plus the root of 2.",
    )
    strength = p.show(
        le(sharp.root + lead, sharp.amount * turned(a) * induction_mean.copied(a)),
        "The target's cosine is at least that of the longest lag. Multiply this inequality "
        "by the amplitude, which is not negative. So the target's part of the code outweighs "
        "recency.",
        (STRONG, angle, small, target),
    )
    another = other.show(
        le(
            last_margin(induction_mean.epsilon),
            sharp.amount * turned(a) * induction_mean.copied(a)
            + recency(n - a)
            - sharp.amount * turned(j) * induction_mean.copied(j)
            - recency(n - j),
        ),
        "As the cosine lies between 0 and 1, the rival's part is at most epsilon. Multiply "
        "this inequality by the amplitude, which is not negative. So the target leads a "
        "rival after another token by the margin.",
        (little, inside, cosine, not_less, small, STRONG, own_lag, its_lag, strength),
    )

    # Rivals after the same token, and the first position, are before the target.
    same = row.under(_behind)
    on_the_way = same.under(le(a + 1, j), eq(sigma(j - 1), sigma(n)))
    never = on_the_way.use(
        LAST, why="No position after the target follows the last token, by hypothesis."
    )
    not_it = _another(same)
    behind = same.use(
        two_lags,
        {early: n - a, late: n - j},
        (never, not_it, SHORT),
        why="So a rival after the last token comes before the target. So its recency is below "
        "the target's by the lead.",
    )
    order = same.show(
        Both(
            *(le(0, theta * (n - a)), le(theta * (n - a), theta * (n - j))),
            *(le(theta * (n - j), lookup.longest * theta), le(lookup.longest * theta, sp.pi)),
        ),
        "The code's plane has turned more at the rival's lag, by at most half a turn.",
        (never, not_it, SHORT, SLOW),
    )
    falls = falling_cosine(
        same,
        theta * (n - a),
        theta * (n - j),
        "So the rival's cosine is at most the target's.",
        order,
    )
    earlier = same.show(
        another.formula,
        "As the target's cosine is at most 1, epsilon times it is at most epsilon. Multiply "
        "this inequality by the amplitude, which is not negative. So the target leads a "
        "rival after the last token by the margin.",
        (
            behind,
            same.show(
                le(turned(j) * induction_mean.copied(j), turned(a)),
                "The rival's share is at most 1, so its part is at most the target's cosine.",
                (falls, inside, cosine, not_less),
            ),
            STRONG,
            target,
            angle,
            small,
        ),
    )
    apart = _in_all_cases(row, another, earlier)
    gap = row.show(
        le(last_logits(j) + lookup.beta * last_margin(induction_mean.epsilon), last_logits(a)),
        "Multiply this inequality by beta, which is positive. Multiply out: this is the "
        "margin of the scaled logits.",
        (apart, warm),
    )
    _answer(p, gap.for_all(j, why="The rival was arbitrary, so this holds for every rival."))
