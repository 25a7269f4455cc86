"""The slash game: the best margin per unit amplitude, and which planes earn it."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.duality.minimax import DUALITY_MINIMAX
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import aligned, energy, total
from ropeproof.theory.topics.slash.game import game_bounds
from ropeproof.theory.topics.slash.game.game_bounds import (
    SLASH_GAME_CERTIFICATE,
    dual,
    h,
    reach,
    share,
    v,
)
from ropeproof.theory.topics.slash.lags import offset

MEANINGS: Meanings = {**game_bounds.MEANINGS, v: "value of the game: margin per unit of amplitude"}

# -- the game has a value ----------------------------------------------------------------

PAIR = Both(
    every(l, 0, m - 1, le(0, share(l))),
    every(j, 1, reach, le(0, dual(j))),
    eq(over_planes(share(l)), 1),
    eq(game_bounds.over_window(dual(j)), 1),
    every(j, 1, reach, game_bounds.no_less),
    every(l, 0, m - 1, le(game_bounds.gain(dual), v)),
)
A_PAIR = Some((v, share(h), dual(h)), PAIR)
DECIDES = Every(
    (amplitude(h), phase(h), offset, game_bounds.margin),
    If(
        Both(NOT_NEGATIVE.formula, game_bounds.MARGIN.formula),
        Both(
            le(game_bounds.margin, v * total()),
            game_bounds.A_HEAD,
            game_bounds.keeps(v * total(), game_bounds.best),
        ),
    ),
)
VALUE = Some((v, share(h), dual(h)), Both(PAIR, DECIDES))
ABOVE = eq(aligned(offset) - aligned(offset + j), energy(j))
BELOW = eq(aligned(offset) - aligned(offset - j), energy(j))
A_PLANE = Hypothesis("there is a plane", le(1, m))


@theorem(
    "slash.game",
    needs="PCTW",
    hypotheses=(A_PLANE, game_bounds.A_LAG),
    conclusion=Both(Both(ABOVE, BELOW), VALUE),
    attack=Attack(
        {
            "the fall is half": eq(ABOVE.lhs, energy(j) / 2),
            "one side rises": eq(aligned(offset - j) - aligned(offset), energy(j)),
        },
        without={A_PLANE: {m: 0, reach: 1}, game_bounds.A_LAG: {m: 1, reach: 0}},
    ),
)
def SLASH_GAME(p: Proof) -> None:
    r"""The best margin per unit amplitude is the value of a linear programme

    An aligned head's logit falls by exactly $E_t$ at $\Delta\pm t$. There are a number $v$,
    shares $a_l\ge0$, $\sum a_l=1$, and probabilities $z$ on the lags with
    $\sum_la_l(1-\cos\theta_lt)\ge v$ for every $t\le N$ and $\sum_tz_t(1-\cos\theta_lt)\le v$ for
    every $l$; and with these, of all heads of any amplitude $A$, any phases and any offset, none
    keeps more than $vA$ over $\Delta\pm t$, $1\le t\le N$, while the aligned head of amplitudes
    $Aa_l$ keeps $vA$. So $v$ is the best margin per unit amplitude of any head. That a pair $a,z$
    exists is `duality.minimax`; that a pair decides the game is `slash.game-certificate`, from
    `slash.pair`.
    """
    exists = p.lemma(
        DUALITY_MINIMAX.at(P=sp.Lambda((l, j), game_bounds.fall), R=m, C=reach),
        (A_PLANE, game_bounds.A_LAG),
        why="The matrix game with payoff 1 - cos(theta_l t) has a value.",
        goal=A_PAIR,
    )
    pair = exists.body()
    head = pair.under(NOT_NEGATIVE.formula, game_bounds.MARGIN.formula)
    every_head = head.lemma(
        SLASH_GAME_CERTIFICATE.at(y=dual, U=v),
        why="Take these shares and weights. Take any head that keeps its margin. The shares and "
        "weights are a certificate for this head.",
    ).for_all(
        amplitude(h),
        phase(h),
        offset,
        game_bounds.margin,
        why="This holds for every head and every offset.",
    )
    found = every_head.scope.witness(
        VALUE,
        {v: v, share: share, dual: dual},
        every_head,
        why="These shares and weights satisfy the conditions. So these shares and weights are as "
        "claimed.",
    )
    value = p.choose(exists, found, "The value exists, as such shares and weights do.")
    p.qed(
        "The aligned logit falls by E_t on the side of larger lags. The aligned logit falls "
        "by E_t on the side of smaller lags. This proves both falls and the value of the "
        "game.",
        value,
    )
