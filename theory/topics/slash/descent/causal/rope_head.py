"""A RoPE head inside the two layers, whose planes keep all lags equally apart: lag 1 is never overtaken."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n, over_planes, query_x, query_y, theta
from ropeproof.theory.topics.slash.descent.causal import dynamics, found, kernel, rewards
from ropeproof.theory.topics.slash.descent.causal.kernel import PULL, pull, seen
from ropeproof.theory.topics.slash.descent.offset import signs
from ropeproof.theory.topics.slash.descent.offset.signs import lag, length
from ropeproof.theory.topics.slash.descent.offset.step import eta

k, lags, logits = dynamics.k, dynamics.lags, dynamics.logits
distance = integer("d")
key_x, key_y = real_function("c_x"), real_function("c_y")
MEANINGS: Meanings = {
    **NOTATION,
    **kernel.MEANINGS,
    distance: "a difference of two lags",
    (key_x, key_y): "the learned key",
    key_x: "real part of the learned key, by step and plane",
    key_y: "imaginary part of the learned key, by step and plane",
}


def feature(of_lag: Term) -> tuple[Term, Term]:
    """A plane of the query, turned by the lag."""
    c, s = sp.cos(theta(l) * of_lag), sp.sin(theta(l) * of_lag)
    return query_x(l) * c - query_y(l) * s, query_x(l) * s + query_y(l) * c


def score(at: Term, of_lag: Term) -> Term:
    """What a plane of the key adds to the logit of a lag after so many steps."""
    x, y = feature(of_lag)
    return key_x(at, l) * x + key_y(at, l) * y


size = query_x(l) ** 2 + query_y(l) ** 2


def together(apart: Term) -> Term:
    """The inner product of the features of two lags that are so far apart."""
    return over_planes(size * sp.cos(theta(l) * apart))


SCORES = Hypothesis(
    "the lags' logits are those of a RoPE head",
    Every((k, lag), If(Both(le(0, k), *lags.args), eq(logits(k, lag), over_planes(score(k, lag))))),
)


def _moved(key: Function, side: int) -> Formula:
    drawn = sp.Sum(pull(k, seen) * feature(seen)[side], (seen, 0, length - 1))
    return eq(key(k + 1, l), key(k, l) + eta * drawn)


STEP = Hypothesis(
    "each step is one of descent on the key",
    Every(
        (k, l),
        If(Both(le(0, k), *within(l, 0, m - 1).args), Both(_moved(key_x, 0), _moved(key_y, 1))),
    ),
)
APART = Hypothesis(
    "the planes keep all lags equally apart",
    every(distance, 2, length - 1, eq(together(distance), together(sp.Integer(1)))),
)
whole, once = over_planes(size), together(sp.Integer(1))
spread = whole - once


def _moves(p: Proof) -> Fact:
    """In a step each lag's logit moves by all pulls, times the inner products of the features."""
    here = p.under(le(0, k), lags)
    inside = here.under(within(l, 0, m - 1))
    steps = inside.use(STEP, why="By hypothesis the step is one of descent.").parts(
        "This is one coordinate of it."
    )
    own = feature(lag)
    factors = [
        p.show(
            eq(
                sp.Sum(pull(k, seen) * feature(seen)[side], (seen, 0, length - 1)) * own[side],
                sp.Sum(pull(k, seen) * feature(seen)[side] * own[side], (seen, 0, length - 1)),
            ),
            "Take the factor into the sum.",
        )
        for side in (0, 1)
    ]
    near = size * sp.cos(theta(l) * (lag - seen))
    added = p.show(
        eq(
            sum(pull(k, seen) * feature(seen)[side] * own[side] for side in (0, 1)),
            pull(k, seen) * near,
        ),
        "By the addition theorems the product of two turned vectors depends on the distance alone.",
    ).summed(seen, 0, length - 1, "Sum this equation over the lags.")
    change = sp.Sum(pull(k, seen) * near, (seen, 0, length - 1))
    total = inside.show(
        eq(score(k + 1, lag), score(k, lag) + eta * change),
        "The sum splits in two. So a plane moves the lag's logit by all pulls, by their distance.",
        (*steps, *factors, added),
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    swap = p.swap(over_planes(change), "Exchange the sums over the planes and the lags.")
    common = p.show(
        eq(over_planes(pull(k, seen) * near), together(lag - seen) * pull(k, seen)),
        "The pull is a common factor.",
    ).summed(seen, 0, length - 1, "Sum this equation over the lags.")
    now = here.use(SCORES, why="The logit is that of a RoPE head.")
    known = now.for_all(k, why="This holds after any number of steps.")
    after = here.use(known, {k: k + 1}, why="In particular it holds after the next step.")
    return here.show(
        eq(logits(k + 1, lag), logits(k, lag) + eta * common.formula.rhs),
        "The sum splits in two. So the lag's logit moves by all pulls, times the products of "
        "the features.",
        (now, after, total, swap, common),
    ).for_all(k, lag, why="This holds after any number of steps, for every lag.")


def _apart(p: Proof) -> tuple[Fact, Fact]:
    """The product of the features of any two lags, and that it is at most that of a lag with itself."""
    far = p.under(lags, within(seen, 0, length - 1))
    goal = eq(once, together(lag - seen))
    below = far.under(le(seen, lag - 2)).use(
        APART, {distance: lag - seen}, why="The planes keep all lags equally apart."
    )
    first = below.scope.show(goal, "So this holds for a lag that is smaller by 2 or more.", below)
    above = far.under(le(lag + 2, seen)).use(
        APART, {distance: seen - lag}, why="The planes keep all lags equally apart."
    )
    second = above.scope.show(
        goal,
        "The cosine is even, so signs do not matter. And for a lag that is larger by 2 or more.",
        above,
    )
    ends = []
    for neighbour in (lag - 1, lag + 1):
        case = far.given(eq(seen, neighbour), "Suppose that the lags are neighbours.")
        turned = case.scope.rewrite(
            eq(together(lag - seen), together(lag - neighbour)),
            "Put the one lag for the other.",
            case,
        )
        ends.append(case.scope.show(goal, "So it holds for neighbours.", turned))
    other = far.under(ne(seen, lag)).show(
        goal, "So it holds for any two lags.", (first, second, *ends)
    )
    narrow = p.show(
        le(size * sp.cos(theta(l)), size), "The cosine is at most 1, and squares are not negative."
    )
    order = narrow.summed(l, 0, m - 1, "So a lag's product with itself is the larger one.")
    return other.for_all(lag, seen, why="This holds for any two lags."), order


_half = sp.Rational(1, 2)
_PLANE = (
    *(Every((l,), eq(of(l), value)) for of, value in ((query_x, 1), (query_y, 0), (theta, 2 * sp.pi / 3))),
    *where({m: 1}),
)  # fmt: skip
"""One plane that turns by a third of the circle: of three lags any two are equally far apart."""


def _turns(
    *probabilities: Term | int, steps: int = 1, but: Mapping[Term, Term | int] | None = None
) -> tuple[Formula, ...]:
    """Three tokens, the law of the earlier place, that plane, and steps of size 1 from the key 0."""
    given = found.run(3, *probabilities, steps=steps)
    at = {key: value for key, value in given.items() if key.func != logits}
    return (*where(at | {key_x(0, 0): 0, key_y(0, 0): 0} | dict(but or {})), *_PLANE)


@theorem(
    "slash.gd.offset-rope",
    needs="PTX",
    hypotheses=(
        *kernel.TRAINED, SCORES, PULL, STEP, APART, dynamics.SIZE, dynamics.START, dynamics.STEPS,
    ),
    conclusion=kernel.trained(eta * spread),
    example=(*found.EXAMPLE, *_PLANE),
    attack=Attack(
        {
            "lag 1 comes last": every(lag, 0, length - 1, le(logits(n, 1), logits(n, lag))),
            "lag 0 gains": lt(dynamics.odds(0, sp.Integer(0)), dynamics.odds(n, sp.Integer(0))),
            "nine times as fast": kernel.until(sp.Integer(0), 9 * eta * spread),
            "cosines count 25 times": kernel.until(
                sp.Integer(0), eta * (whole - 25 * once)
            ),
        },
        at=dict.fromkeys(
            ("lag 1 comes last", "lag 0 gains", "nine times as fast", "cosines count 25 times"),
            _turns(_half, _half),
        ),
        without={
            signs.POSITIVE: _turns(_half, _half, but={signs.beta: -1}),
            rewards.LAW: _turns(-9, 10),
            dynamics.SIZE: _turns(_half, _half, but={eta: -1}),
        },
    ),
)  # fmt: skip
def SLASH_GD_OFFSET_ROPE(p: Proof) -> None:
    r"""A RoPE head whose planes keep all lags equally apart finds offset 1 inside the two layers

    The two layers, rows and loss of `slash.gd.offset-causal`, $\beta>0$, but the lags' logits are
    those of a RoPE head of $m$ planes with the query $q$ and a key $c$ that is learned,
    $g_t=\sum_{l<m}\mathrm{Re}\,\overline{c_l}q_le^{\mathrm i\theta_lt}$: each step of descent of
    size $\eta\ge0$ moves $c_l$ by $\eta\sum_{t<N}G_tq_le^{\mathrm i\theta_lt}$, $G_t$ minus the
    derivative of the mean loss in $g_t$. The planes keep all lags equally apart:
    $\sum_{l<m}|q_l|^2\cos\theta_ld$ is the same for all $1\le d<N$. At the start $g_t\le g_1$ for
    all $t<N$ ($c=0$, say). Then $g_t\le g_1$ after $n$ steps as well, and $y_t=e^{g_t-g_1}$ obeys
    $y_t(n)\Big(1+n\,\eta\,\rho\,c_t\,\frac{y_t(0)}Y\Big)\le y_t(0)$ for every $t\ne1$, with
    $\rho=\sum_{l<m}|q_l|^2-\sum_{l<m}|q_l|^2\cos\theta_l$ and the $Y$ and the rates $c_t$ of
    `slash.gd.offset-causal`.
    """
    moved = _moves(p)
    other, order = _apart(p)
    p.lemma(
        kernel.SLASH_GD_OFFSET_KERNEL.at(
            K=sp.Lambda((lag, seen), together(lag - seen)), b=whole, c=once
        ),
        (*kernel.TRAINED, PULL, moved, other, order, dynamics.SIZE, dynamics.START, dynamics.STEPS),
        why="So training is that of free logits, with steps as many times as long as the spread says.",
    )
