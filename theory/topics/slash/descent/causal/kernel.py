"""A step that moves each lag's logit by its own pull and by all others alike: that of a free logit."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.topics.slash.descent.causal import dynamics, found, rewards, step
from ropeproof.theory.topics.slash.descent.causal.dynamics import lags, logits
from ropeproof.theory.topics.slash.descent.causal.found import SLASH_GD_OFFSET_CAUSAL
from ropeproof.theory.topics.slash.descent.offset import signs
from ropeproof.theory.topics.slash.descent.offset.signs import lag, length, r
from ropeproof.theory.topics.slash.descent.offset.step import MEANINGS as OF_STEP
from ropeproof.theory.topics.slash.descent.offset.step import eta

k, row, other = dynamics.k, rewards.row, step.other
weights, slopes = dynamics.weights, dynamics.slopes
seen = integer("u")
pull, kernel = real_function("G"), real_function("K")
own, shared = real("b c")
MEANINGS: Meanings = {
    **OF_STEP,
    **rewards.MEANINGS,
    **dynamics.MEANINGS,
    n: "number of steps",
    other: "a lag above 1",
    seen: "a lag",
    pull: "minus that in a lag's logit",
    kernel: "by how much the pull of one lag moves the logit of another",
    own: "by how much a lag's own pull moves its logit",
    shared: "by how much the pull of any other lag does",
    rewards.token: "product of the last token and another, by p and position",
}
TRAINED = (
    rewards.LAG_1,
    signs.POSITIVE,
    rewards.LAW,
    rewards.TOKENS,
    dynamics.SOFTMAX,
    dynamics.DERIVATIVE,
)
"""The two layers, their rows and their loss, as `slash.gd.offset-causal` has them."""
moved = weights(k, row, lag) * (dynamics.mean - slopes(k, row, lag))
PULL = Hypothesis(
    "G is minus the derivative of the mean loss in a lag's logit",
    Every(
        (k, lag),
        If(Both(le(0, k), *lags.args), eq(pull(k, lag), sp.Sum(moved, (row, lag, length - 1)))),
    ),
)


def change(at: Term, of_lag: Term, of: Function = kernel) -> Term:
    """What all lags' pulls do to a lag's logit, per unit of the step."""
    return sp.Sum(of(of_lag, seen) * pull(at, seen), (seen, 0, length - 1))


STEP = Hypothesis(
    "each step moves a lag's logit by all pulls, times the kernel",
    Every(
        (k, lag),
        If(
            Both(le(0, k), *lags.args),
            eq(logits(k + 1, lag), logits(k, lag) + eta * change(k, lag)),
        ),
    ),
)
ITSELF = Hypothesis(
    "the kernel of a lag with itself is b", every(lag, 0, length - 1, eq(kernel(lag, lag), own))
)
ALIKE = Hypothesis(
    "c is the kernel of any two lags",
    Every(
        (lag, seen),
        If(
            Both(*lags.args, *within(seen, 0, length - 1).args, ne(seen, lag)),
            eq(shared, kernel(lag, seen)),
        ),
    ),
)
ORDER = Hypothesis("b is at least c", le(shared, own))


def until(of_lag: Term, size: Term) -> Formula:
    """The bound of `slash.gd.offset-causal` after n steps of another size than eta."""
    pace = size * signs.floor * dynamics.mass(of_lag) / dynamics.whole(0)
    shrunk = dynamics.odds(n, of_lag) * (1 + n * pace * dynamics.odds(0, of_lag))
    return le(shrunk, dynamics.odds(0, of_lag))


def trained(size: Term) -> Formula:
    """Lag 1 is ahead after n steps, and the other lags fade as by steps of that size."""
    return Both(
        dynamics.ahead(n),
        every(other, 2, length - 1, until(other, size)),
        until(sp.Integer(0), size),
    )


def pulls_cancel(p: Proof) -> Fact:
    """The pulls of all lags add up to 0, after any number of steps."""
    time = p.under(le(0, k))
    here = time.under(within(row, 0, length - 1))
    whole = sp.Sum(sp.exp(logits(k, r)), (r, 0, row))
    positive = here.step(
        lt(0, whole),
        rules.termwise(),
        "The row has lag 0. The sum of the row's exponentials is positive.",
        p.show(lt(0, sp.exp(logits(k, r))), "The exponential of a logit is positive."),
    )
    shares = (
        here.under(within(lag, 0, row))
        .use(dynamics.SOFTMAX, why="By hypothesis each row is a softmax.")
        .summed(lag, 0, row, "Sum this equation over the row's lags.")
    )
    inside = p.under(le(0, k), lags)
    each = inside.use(PULL, why="By hypothesis G is minus the derivative.").summed(
        lag, 0, length - 1, "Sum this equation over the lags."
    )
    swap = p.swap(each.formula.rhs, "Exchange the sums over lags and rows.")
    none = here.show(
        eq(sp.Sum(moved, (lag, 0, row)), 0),
        "So the weights of the row add up to 1. The row's mean is a common factor of the "
        "first part. So what a row moves adds up to 0.",
        (shares, positive),
    ).summed(row, 0, length - 1, "Sum this equation over the rows.")
    return time.show(
        eq(sp.Sum(pull(k, lag), (lag, 0, length - 1)), 0),
        "So all pulls add up to 0.",
        (each, swap, none),
    )


def _freely(p: Proof) -> Fact:
    """In a step each lag's logit moves by eta (b - c) times its own pull."""
    nothing = pulls_cancel(p)
    here = p.under(le(0, k), lags)
    far = here.under(within(seen, 0, length - 1))
    goal = eq(
        kernel(lag, seen) * pull(k, seen),
        shared * pull(k, seen) + indicator(seen, lag) * ((own - shared) * pull(k, seen)),
    )
    away = far.under(ne(seen, lag))
    alike = away.use(ALIKE, why="The kernel of two lags is c.")
    elsewhere = away.show(
        goal, "The indicator of the lag is 0 there. So another lag adds c times its pull.", alike
    )
    same = far.given(eq(seen, lag), "Suppose that it is the lag itself.")
    itself = same.scope.use(ITSELF, why="The kernel of the lag with itself is b.")
    turned = same.scope.rewrite(
        eq(kernel(lag, seen), kernel(lag, lag)), "Put the lag for the other one.", same
    )
    at_lag = same.scope.show(
        goal, "The indicator is 1. So the lag itself adds b times its pull.", (itself, turned, same)
    )
    each = far.show(goal, "So this holds for every lag.", elsewhere, at_lag).summed(
        seen, 0, length - 1, "Sum this equation over the lags."
    )
    marked = sp.Sum(indicator(seen, lag) * ((own - shared) * pull(k, seen)), (seen, 0, length - 1))
    pick = here.lemma(
        SUMS_INDICATOR.at(p=lag, f=sp.Lambda(lag, (own - shared) * pull(k, lag)), m=length),
        why="The indicator picks the lag.",
        goal=eq(marked, (own - shared) * pull(k, lag)),
    )
    move = here.use(STEP, why="By hypothesis the step moves the logit by all pulls.")
    gradient = here.use(PULL, why="By hypothesis G is minus the derivative.")
    return here.show(
        eq(logits(k + 1, lag), logits(k, lag) + eta * (own - shared) * gradient.formula.rhs),
        "The sum splits in two, and c is a common factor. So the lag's logit moves by eta (b "
        "- c) times its own pull. That is a step of descent on a free logit.",
        (move, each, pick, nothing, gradient),
    ).for_all(k, lag, why="This holds after any number of steps, for every lag.")


_half = sp.Rational(1, 2)


def _run(
    tokens: int,
    *probabilities: Term | int,
    steps: int = 1,
    but: Mapping[Term, Term | int] | None = None,
) -> Values:
    """Tokens and law of the earlier place, with the kernel 2 of a lag with itself and 1 of two lags."""
    at = found.run(tokens, *probabilities, steps=steps) | {own: 2, shared: 1}
    at |= {kernel(t, u): 1 + int(t == u) for t in range(tokens) for u in range(tokens)}
    return at | dict(but or {})


_many = {own: 10, shared: 9} | {kernel(t, u): 9 + int(t == u) for t in range(3) for u in range(3)}
"""Lags that have much in common."""
EXAMPLE = (
    *found.EXAMPLE,
    Every((lag, seen), eq(kernel(lag, seen), 1 + sp.Max(0, 1 - sp.Abs(lag - seen)))),
    *where({own: 2, shared: 1}),
)


@theorem(
    "slash.gd.offset-kernel",
    needs="PTX",
    hypotheses=(
        *TRAINED,
        PULL,
        STEP,
        ITSELF,
        ALIKE,
        ORDER,
        dynamics.SIZE,
        dynamics.START,
        dynamics.STEPS,
    ),
    conclusion=trained(eta * (own - shared)),
    example=EXAMPLE,
    attack=Attack(
        {
            "lag 1 comes last": every(lag, 0, length - 1, le(logits(n, 1), logits(n, lag))),
            "lag 0 gains": lt(dynamics.odds(0, sp.Integer(0)), dynamics.odds(n, sp.Integer(0))),
            "nine times as fast": until(sp.Integer(0), 9 * eta * (own - shared)),
            "c makes steps longer": until(sp.Integer(0), eta * (own + shared)),
        },
        at={
            "lag 1 comes last": _run(3, _half, _half),
            "lag 0 gains": _run(3, _half, _half),
            "nine times as fast": _run(3, _half, _half),
            "c makes steps longer": _run(3, _half, _half, but=_many),
        },
        without={
            signs.POSITIVE: _run(3, _half, _half, but={signs.beta: -1}),
            rewards.LAW: _run(3, -9, 10),
            rewards.TOKENS: _run(3, 1, 0, but={rewards.token(0, 0): 0, rewards.token(0, 2): 0}),
            dynamics.SOFTMAX: _run(3, _half, _half, but={weights(0, 1, 0): 99}),
            dynamics.DERIVATIVE: _run(3, _half, _half, but={slopes(0, 2, 1): 99}),
            PULL: _run(3, _half, _half, but={pull(0, 1): -9}),
            STEP: _run(3, _half, _half, but={logits(1, 0): 5, logits(1, 1): 0}),
            ITSELF: _run(3, _half, _half, but={kernel(1, 1): -9}),
            ALIKE: _run(3, _half, _half, but={kernel(0, 1): 9}),
            ORDER: _run(3, _half, _half, but={own: 0, **{kernel(t, t): 0 for t in range(3)}}),
            dynamics.SIZE: _run(3, _half, _half, but={eta: -1}),
            dynamics.START: _run(3, _half, _half, steps=0, but={logits(0, 0): 9}),
            dynamics.STEPS: _run(
                3, _half, _half, steps=-1, but={logits(-1, 0): 5, logits(-1, 1): 0}
            ),
        },
    ),
)
def SLASH_GD_OFFSET_KERNEL(p: Proof) -> None:
    r"""Lags whose logits move by all pulls alike, and by their own more, train like free logits

    The two layers, rows and loss of `slash.gd.offset-causal`, $\beta>0$. Let $G_t$ be minus the
    derivative of the mean loss in the logit $g_t$ of a lag, and let a step of size $\eta\ge0$ move
    $g_t$ by $\eta\sum_{u<N}K_{t,u}G_u$, as descent on a vector does whose inner products with
    features $\psi_t$ the logits are, $K_{t,u}=\langle\psi_t,\psi_u\rangle$. Let $K_{t,t}=b$, and
    $K_{t,u}=c\le b$ for all $t\ne u$. At the start $g_t\le g_1$ for all $t<N$. Then $g_t\le g_1$
    after $n$ steps as well, and $y_t=e^{g_t-g_1}$ obeys
    $y_t(n)\Big(1+n\,\eta\,(b-c)\,c_t\,\frac{y_t(0)}Y\Big)\le y_t(0)$ for every $t\ne1$, with the
    $Y$ and the rates $c_t$ of `slash.gd.offset-causal`.
    """
    free = _freely(p)
    p.lemma(
        SLASH_GD_OFFSET_CAUSAL.at(eta=eta * (own - shared)),
        (*TRAINED, free, dynamics.SIZE, ORDER, dynamics.START, dynamics.STEPS),
        why="As b is at least c, b - c is not negative. The product of the step size and b - c "
        "is not negative. So training is that of free logits, with steps b - c times as "
        "long.",
    )
