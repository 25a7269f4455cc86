"""Training on induction through causal softmax rows: lag 1 is never overtaken, with a rate for each lag."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.topics.slash.descent.causal import dynamics, rewards, step
from ropeproof.theory.topics.slash.descent.causal.ahead import one_step
from ropeproof.theory.topics.slash.descent.causal.dynamics import k, logits, odds, until
from ropeproof.theory.topics.slash.descent.causal.rate import rates
from ropeproof.theory.topics.slash.descent.causal.rewards import law, token
from ropeproof.theory.topics.slash.descent.causal.step import other
from ropeproof.theory.topics.slash.descent.offset.signs import POSITIVE, beta, length, occurs
from ropeproof.theory.topics.slash.descent.offset.step import eta

MEANINGS: Meanings = {
    **step.MEANINGS,
    **dynamics.MEANINGS,
    n: "number of steps",
    token: "product of the last token and another, by p and position",
}

_half = sp.Rational(1, 2)


def run(
    size: int,
    *probabilities: Term | int,
    steps: int = 1,
    but: Mapping[Term, Term | int] | None = None,
) -> Values:
    """So many tokens, the law of the earlier place, and steps of size 1 from equal logits.

    All that follows, the hypotheses define: weights, derivatives and the next logits. `but` has
    values that are otherwise.
    """
    at: Values = {length: size, beta: 1, eta: 1, n: steps}
    at |= {law(place): value for place, value in enumerate(probabilities)}
    at |= {token(p, v): int(v in (p, size - 1)) for p in range(size - 1) for v in range(size)}
    return at | {logits(0, t): 0 for t in range(size)} | dict(but or {})


EXAMPLE = (
    Every((occurs,), eq(law(occurs), _half)),
    Every(
        (occurs, rewards.index),
        eq(
            token(occurs, rewards.index),
            sp.Max(0, 1 - sp.Abs(rewards.index - occurs))
            + sp.Max(0, 1 - sp.Abs(rewards.index - 2)),
        ),
    ),
    *where({length: 3, beta: 1, eta: 1, n: 1}),
)
"""Three tokens, the earlier place at 0 or 1 with equal probability, and steps of size 1."""


@theorem(
    "slash.gd.offset-causal",
    role="main result",
    needs="PTX",
    hypotheses=(
        rewards.LAG_1,
        POSITIVE,
        rewards.LAW,
        rewards.TOKENS,
        dynamics.SOFTMAX,
        dynamics.DERIVATIVE,
        dynamics.STEP,
        dynamics.SIZE,
        dynamics.START,
        dynamics.STEPS,
    ),
    conclusion=Both(dynamics.ahead(n), dynamics.far, dynamics.near),
    example=EXAMPLE,
    attack=Attack(
        {
            "nine times as fast above": every(other, 2, length - 1, until(n, other, 9)),
            "nine times as fast for lag 0": until(n, sp.Integer(0), 9),
            "lag 0 comes ahead": le(logits(n, 1), logits(n, 0)),
            "a longer lag gains": every(other, 2, length - 1, lt(odds(0, other), odds(n, other))),
        },
        at={
            "nine times as fast above": run(3, 0, 1),
            "nine times as fast for lag 0": run(3, _half, _half),
            "lag 0 comes ahead": run(3, _half, _half),
            "a longer lag gains": run(3, _half, _half),
        },
        without={
            POSITIVE: run(3, _half, _half, but={beta: -1}),
            rewards.LAW: run(3, -9, 10),
            rewards.TOKENS: run(3, 1, 0, but={token(0, 0): 0, token(0, 2): 0}),
            dynamics.SOFTMAX: run(3, _half, _half, but={dynamics.weights(0, 1, 0): 99}),
            dynamics.DERIVATIVE: run(3, _half, _half, but={dynamics.slopes(0, 2, 1): 99}),
            dynamics.STEP: run(3, _half, _half, but={logits(1, 0): 5, logits(1, 1): 0}),
            dynamics.SIZE: run(3, _half, _half, but={eta: -1}),
            dynamics.START: run(3, _half, _half, steps=0, but={logits(0, 0): 9}),
            dynamics.STEPS: run(
                3, _half, _half, steps=-1, but={logits(-1, 0): 5, logits(-1, 1): 0}
            ),
        },
    ),
)
def SLASH_GD_OFFSET_CAUSAL(p: Proof) -> None:
    r"""Through causal softmax rows, too, training on induction never lets lag 1 be overtaken

    The two layers and the loss of `slash.gd.offset-causal-rewards`, for the last token's earlier
    place of any law $P$ on $0\le p\le N-2$, $N\ge2$. Row $j$ of layer 1 is the softmax of the
    logits $g_t$ of its own lags $0\le t\le j$, $a_{j,t}=e^{g_t}/\sum_{r\le j}e^{g_r}$, and each
    step of descent of size $\eta\ge0$ moves $g_t$ by $\eta\sum_{j=t}^{N-1}a_{j,t}\big(\sum_{r\le
    j}a_{j,r}D_{j,r}-D_{j,t}\big)$, $D_{j,t}$ the derivative of the mean loss in $a_{j,t}$
    ($\beta>0$). At the start $g_t\le g_1$ for all $t<N$ (all equal, say). Then $g_t\le g_1$ after
    $n$ steps as well, and $y_t=e^{g_t-g_1}$ obeys
    $y_t(n)\Big(1+n\,\eta\,c_t\,\frac{y_t(0)}{Y}\Big)\le y_t(0)$ for every $t\ne1$, where
    $Y=\sum_{r<N}e^{g_r-g_1}$ at the start, $c_t=\frac{\beta(N-1)}{N-1+e^\beta}
    \sum_{p=t-1}^{N-2}P_p$ for $t\ge2$, and
    $c_0=\frac{\beta(N-1)}{N-1+e^\beta}\sum_{p=0}^{N-3}P_p$. So if $\eta c_t>0$ the lag $t$ fades
    like $y_t\le\frac Y{n\,\eta\,c_t}$, at any step size.
    """
    always, *shrunk = one_step(p)
    falls = rates(p, (shrunk[0], shrunk[1]))
    stays = p.use(
        always.for_all(k, why="This holds after any number of steps."),
        {k: n},
        dynamics.STEPS,
        why="In particular after n steps.",
    )
    p.qed(
        "These are the three parts of the claim.",
        stays,
        falls[0].for_all(other, why="This holds for every lag above 1."),
        falls[1],
    )
