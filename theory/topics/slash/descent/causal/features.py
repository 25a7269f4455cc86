"""A RoPE head inside the two layers: where its planes keep lags apart, training on induction finds lag 1."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n, theta
from ropeproof.theory.library.sums import cycle
from ropeproof.theory.library.sums.cycle import SUMS_CYCLE
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, f, indicator, plane
from ropeproof.theory.topics.slash.descent.causal import found
from ropeproof.theory.topics.slash.descent.causal.found import (
    DERIVATIVE,
    LAG_1,
    LAW,
    SIZE,
    SLASH_GD_OFFSET_CAUSAL,
    SOFTMAX,
    START,
    STEPS,
    TOKENS,
    ahead,
    k,
    lags,
    logits,
    mean,
    odds,
    other,
    row,
    slopes,
    weights,
    whole,
)
from ropeproof.theory.topics.slash.descent.causal.found import mass as place_mass
from ropeproof.theory.topics.slash.descent.offset.signs import POSITIVE, beta, floor, lag, length
from ropeproof.theory.topics.slash.descent.offset.step import eta

seen, distance = integer("u d")
key_x, key_y, pull = real_function("c_x"), real_function("c_y"), real_function("G")


def over_planes(term: Any) -> Any:
    """The sum of a term over all planes."""
    return sp.Sum(term, (l, 0, m - 1))


def score(at: Any, of_lag: Any) -> Any:
    """The logit that the learned vector gives a lag after so many steps."""
    angle = theta(l) * of_lag
    return over_planes(key_x(at, l) * sp.cos(angle) + key_y(at, l) * sp.sin(angle))


PLANES = Hypothesis("the number of planes is not negative", le(0, m))
SCORES = Hypothesis(
    "the lags' logits are those of a RoPE head",
    Every((k, lag), If(Both(le(0, k), *lags.args), eq(logits(k, lag), score(k, lag)))),
)
PULL = Hypothesis(
    "G is minus the derivative of the mean loss in a lag's logit",
    Every(
        (k, lag),
        If(
            Both(le(0, k), *lags.args),
            eq(
                pull(k, lag),
                sp.Sum(weights(k, row, lag) * (mean - slopes(k, row, lag)), (row, lag, length - 1)),
            ),
        ),
    ),
)


def _moved(vector: Any, wave: Any) -> Any:
    change = sp.Sum(pull(k, seen) * wave(theta(l) * seen), (seen, 0, length - 1))
    return eq(vector(k + 1, l), vector(k, l) + eta * change)


STEP = Hypothesis(
    "each step is one of descent on the learned vector",
    Every(
        (k, l),
        If(
            Both(le(0, k), *within(l, 0, m - 1).args),
            Both(_moved(key_x, sp.cos), _moved(key_y, sp.sin)),
        ),
    ),
)
APART = Hypothesis(
    "the planes keep lags apart",
    every(distance, 1, length - 1, eq(over_planes(sp.cos(theta(l) * distance)), 0)),
)


EVEN = Hypothesis(
    "the angles lie at equal distances around the circle",
    every(l, 0, m - 1, eq(theta(l), 2 * sp.pi * l / m)),
)
MANY = Hypothesis("there are as many planes as tokens", le(length, m))


def until(at: Any, of_lag: Any, factor: Any = 1) -> Any:
    """The bound of `slash.gd.offset-causal` for steps that are m times as long."""
    pace = eta * m * floor * place_mass(of_lag) / whole(0)
    return le(odds(at, of_lag) * (1 + factor * at * pace * odds(0, of_lag)), odds(0, of_lag))


def _angles(tokens: int, planes: int) -> dict[Any, Any]:
    """So many tokens, and so many planes at equal distances around the circle."""
    return {length: tokens, m: planes} | {theta(i): 2 * sp.pi * i / planes for i in range(planes)}


def _turns(
    tokens: int, *probabilities: Any, but: Mapping[Any, Any] | None = None
) -> dict[Any, Any]:
    """So many tokens and planes around the circle, and one step of size 1 from the vector 0."""
    given = found.run(tokens, *probabilities)
    at = {key: value for key, value in given.items() if key.func != logits}
    at |= _angles(tokens, tokens)
    return at | {of(0, i): 0 for of in (key_x, key_y) for i in range(tokens)} | dict(but or {})


_half = sp.Rational(1, 2)
_example = (*found.EXAMPLE[:2], *where({length: 3, m: 0, beta: 1, eta: 0, n: 0}))
"""Three tokens and no plane, as no digits decide a sum of cosines that is 0.

`slash.gd.offset-rope-apart` gives the planes that keep lags apart for any number of tokens.
"""


@theorem(
    "slash.gd.offset-rope-apart",
    role="lemma",
    needs="PX",
    hypotheses=(EVEN, MANY),
    conclusion=APART.formula,
    attack=Attack(
        {
            "they add up to m": every(
                distance, 1, length - 1, eq(over_planes(sp.cos(theta(l) * distance)), m)
            )
        },
        at={"they add up to m": _angles(3, 3)},
        without={EVEN: {**_angles(2, 2), theta(1): 1}, MANY: _angles(3, 2)},
    ),
)
def SLASH_GD_OFFSET_ROPE_APART(p: Proof) -> None:
    r"""Angles at equal distances around the circle keep as many lags apart

    If $\theta_l=\frac{2\pi l}m$ for $l<m$ and $N\le m$, then $\sum_{l<m}\cos\theta_ld=0$ for $1\le
    d<N$.
    """
    inside = p.under(within(distance, 1, length - 1))
    plane_ = p.under(within(l, 0, m - 1))
    angle = plane_.use(EVEN, why="The angles lie at equal distances.")
    turned = plane_.show(
        eq(theta(l) * distance, 2 * sp.pi * l * distance / m), "So their multiples do.", angle
    )
    waves = turned.image(sp.cos, "So the cosines are those around a cycle.").summed(
        l, 0, m - 1, "Sum this equation over the planes."
    )
    none = inside.lemma(
        SUMS_CYCLE, {cycle.n: m, cycle.lag: distance}, MANY, why="These add up to 0.",
        goal=eq(waves.formula.rhs, 0),
    )  # fmt: skip
    apart = inside.show(
        eq(over_planes(sp.cos(theta(l) * distance)), 0),
        "So the planes keep the lag apart.",
        waves,
        none,
    )
    apart.for_all(distance, why="This holds for every such lag.")


def _freely(p: Proof) -> Fact:
    """In a step each lag's logit moves by eta m times its own pull."""
    here = p.under(le(0, k), lags)
    inside = here.under(within(l, 0, m - 1))
    step_x, step_y = inside.use(STEP, why="By hypothesis the step is one of descent.").parts(
        "This is one coordinate of it."
    )
    angle = theta(l) * lag
    waves = [
        p.show(
            eq(
                sp.Sum(pull(k, seen) * wave(theta(l) * seen), (seen, 0, length - 1)) * wave(angle),
                sp.Sum(pull(k, seen) * wave(theta(l) * seen) * wave(angle), (seen, 0, length - 1)),
            ),
            "Take the factor into the sum.",
        )
        for wave in (sp.cos, sp.sin)
    ]
    near = sp.cos(theta(l) * (lag - seen))
    added = p.show(
        eq(
            pull(k, seen) * sp.cos(theta(l) * seen) * sp.cos(angle)
            + pull(k, seen) * sp.sin(theta(l) * seen) * sp.sin(angle),
            pull(k, seen) * near,
        ),
        "By the addition theorem the two waves make one of the distance.",
    ).summed(seen, 0, length - 1, "Sum this equation over the lags.")
    apart = p.show(
        eq(added.formula.lhs, waves[0].formula.rhs + waves[1].formula.rhs), "The sum splits in two."
    )
    old = key_x(k, l) * sp.cos(angle) + key_y(k, l) * sp.sin(angle)
    new = key_x(k + 1, l) * sp.cos(angle) + key_y(k + 1, l) * sp.sin(angle)
    change = sp.Sum(pull(k, seen) * near, (seen, 0, length - 1))
    each = inside.show(
        eq(new, old + eta * change), "So a plane moves the lag's logit by all pulls, by their distance.",
        step_x, step_y, waves, added, apart,
    )  # fmt: skip
    total = each.summed(l, 0, m - 1, "Sum this equation over the planes.")
    split = p.show(
        eq(total.formula.rhs, over_planes(old) + eta * over_planes(change)),
        "The sum splits in two.",
    )
    swap = p.swap(over_planes(change), "Exchange the sums over the planes and the lags.")
    kernel = over_planes(near)
    factor = p.show(
        eq(over_planes(pull(k, seen) * near), pull(k, seen) * kernel),
        "The pull is a common factor.",
    )
    far = here.under(within(seen, 0, length - 1))
    below = far.under(lt(seen, lag)).use(
        APART, {distance: lag - seen}, why="The planes keep a smaller lag apart."
    )
    larger = far.under(lt(lag, seen)).use(
        APART, {distance: seen - lag}, why="The planes keep a larger lag apart, too."
    )
    even = p.show(eq(kernel, over_planes(sp.cos(theta(l) * (seen - lag)))), "The cosine is even.")
    above = larger.scope.show(eq(kernel, 0), "So the sum over the planes is 0.", larger, even)
    away = far.under(ne(seen, lag))
    zero = away.show(eq(kernel, 0), "So the sum is 0 for any other lag.", below, above)
    none = away.show(eq(indicator(seen, lag), 0), "The indicator of the lag is 0 there.")
    goal = eq(pull(k, seen) * kernel, indicator(seen, lag) * (m * pull(k, seen)))
    elsewhere = away.show(goal, "So another lag adds nothing.", zero, none)
    same = far.given(eq(seen, lag), "Suppose that it is the lag itself.")
    still = same.scope.show(eq(theta(l) * (lag - seen), 0), "Then the angle is 0.", same)
    ones = still.image(sp.cos, "So its cosine is that of 0.").summed(
        l, 0, m - 1, "Sum this equation over the planes."
    )
    count = same.scope.show(eq(kernel, m), "So the planes add up to m.", ones, PLANES)
    one = same.scope.show(eq(indicator(seen, lag), 1), "The indicator is 1.")
    itself = same.scope.show(goal, "So the lag itself adds m times its pull.", count, one)
    every_lag = far.show(goal, "So this holds for every lag.", elsewhere, itself)
    both = far.show(
        eq(over_planes(pull(k, seen) * near), goal.rhs), "So it holds for the sum over the planes.",
        factor, every_lag,
    ).summed(seen, 0, length - 1, "Sum this equation over the lags.")  # fmt: skip
    picked = here.lemma(
        SUMS_INDICATOR,
        {plane: lag, f: sp.Lambda(l, m * pull(k, l)), m: length},
        why="The indicator picks the lag.",
        goal=eq(both.formula.rhs, m * pull(k, lag)),
    )
    own = here.use(SCORES, why="The logit is that of a RoPE head.")
    known = own.for_all(k, why="This holds after any number of steps.")
    after = here.use(known, {k: k + 1}, why="In particular it holds after the next step.")
    gradient = here.use(PULL, why="By hypothesis G is minus the derivative.")
    final = here.show(
        eq(logits(k + 1, lag), logits(k, lag) + eta * (m * pull(k, lag))),
        "So the lag's logit moves by eta m times its own pull.",
        (own, after, total, split, swap, both, picked),
    )
    return here.show(
        eq(logits(k + 1, lag), logits(k, lag) + eta * m * gradient.formula.rhs),
        "That is a step of descent on a free logit, m times as long.",
        (final, gradient),
    ).for_all(k, lag, why="This holds after any number of steps, for every lag.")


@theorem(
    "slash.gd.offset-rope",
    role="main result",
    needs="PTX",
    hypotheses=(
        LAG_1,
        POSITIVE,
        LAW,
        TOKENS,
        SOFTMAX,
        DERIVATIVE,
        PLANES,
        SCORES,
        PULL,
        STEP,
        APART,
        SIZE,
        START,
        STEPS,
    ),
    conclusion=Both(
        ahead(n), every(other, 2, length - 1, until(n, other)), until(n, sp.Integer(0))
    ),
    example=_example,
    attack=Attack(
        {
            "lag 1 comes last": every(lag, 0, length - 1, le(logits(n, 1), logits(n, lag))),
            "lag 0 gains": lt(odds(0, sp.Integer(0)), odds(n, sp.Integer(0))),
        },
        at={
            "lag 1 comes last": _turns(2, 1, but={key_x(0, 1): -1, n: 0}),
            "lag 0 gains": _turns(2, 1, but={key_x(0, 1): -1, n: 0}),
        },
        without={
            DERIVATIVE: _turns(2, 1, but={slopes(0, 1, 1): 99}),
            SCORES: _turns(2, 1, but={logits(1, 0): 5, logits(1, 1): 0}),
            PULL: _turns(2, 1, but={pull(0, 1): -9}),
            STEP: _turns(2, 1, but={key_x(1, 0): 0, key_x(1, 1): 9}),
            APART: _turns(3, _half, _half, but={m: 1, theta(0): sp.Rational(1, 10)}),
            START: _turns(2, 1, but={key_x(0, 1): 1, n: 0}),
            STEPS: _turns(2, 1, but={n: -1, logits(-1, 0): 5, logits(-1, 1): 0}),
        },
        idle={PLANES: "without a plane all logits are 0, and stay so"},
        unshown=dict.fromkeys(
            (POSITIVE, LAW, TOKENS, SOFTMAX, SIZE),
            "an instance of three tokens and planes takes minutes; `slash.gd.offset-causal` has one each, "
            "whose logits planes at equal distances around the circle can make",
        ),
    ),
)
def SLASH_GD_OFFSET_ROPE(p: Proof) -> None:
    r"""A RoPE head whose planes keep lags apart finds offset 1 inside the two layers

    The two layers, rows and loss of `slash.gd.offset-causal`, but the lags' logits are those of a
    RoPE head of $m$ planes, $g_t=\sum_{l<m}\mathrm{Re}\,c_le^{-\mathrm i\theta_lt}$, and each step of
    descent of size $\eta\ge0$ moves the learned vector, $c_l$ by $\eta\sum_{t<N}G_te^{\mathrm
    i\theta_lt}$ with $G_t$ minus the derivative of the mean loss in $g_t$. The planes keep lags
    apart: $\sum_{l<m}\cos\theta_ld=0$ for $1\le d<N$, as $\theta_l=\frac{2\pi l}m$ does for $m\ge N$
    (`slash.gd.offset-rope-apart`). At the start $g_t\le g_1$ for all $t<N$ ($c=0$, say). Then
    $g_t\le g_1$ after $n$ steps as well, and $y_t=e^{g_t-g_1}$ obeys
    $y_t(n)\Big(1+n\,\eta\,m\,c_t\,\frac{y_t(0)}Y\Big)\le y_t(0)$ for every $t\ne1$, with the $Y$ and the
    rates $c_t$ of `slash.gd.offset-causal`.
    """
    moved = _freely(p)
    size = p.show(
        le(0, eta * m),
        "The product of step size and number of planes is not negative.",
        SIZE,
        PLANES,
    )
    p.lemma(
        SLASH_GD_OFFSET_CAUSAL,
        {eta: eta * m},
        (LAG_1, POSITIVE, LAW, TOKENS, SOFTMAX, DERIVATIVE, moved, size, START, STEPS),
        why="So training is that of free logits, with steps m times as long.",
    )
