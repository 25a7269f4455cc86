"""The rate cannot be better than 1/tau."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.order import times
from ropeproof.theory.slash.cone.inequalities import SLASH_CANCEL
from ropeproof.theory.slash.descent.notation import *
from ropeproof.theory.slash.descent.progress import SLASH_GD_PROGRESS
from ropeproof.theory.slash.descent.slow_step import SLASH_GD_SLOW_STEP

# -- one step ----------------------------------------------------------------------------

x, y, t = real("x y t")
X, Y, K, L0 = real("X Y K L_0")
EIGHTH = sp.Rational(1, 8)

STEP = Hypothesis("the step", le(X - 4 * X**2, Y))
X_POSITIVE = Hypothesis("X is positive", lt(0, X))
X_SMALL = Hypothesis("X is at most 1/8", le(X, EIGHTH))
SO_FAR = Hypothesis("so far", le(L0, X * K))
FIRST = Hypothesis("the first is not negative", le(0, L0))
AT_LEAST_1 = Hypothesis("the factor is at least 1", le(1, K))

_FLOOR_STEP = Claim(
    id="slash.gd.floor-step",
    title="One step of the floor's recursion",
    statement=(
        r"If $Y\ge X-4X^2$, $0<X\le\frac18$, $XK\ge L_0\ge0$, $K\ge1$ then $Y(K+8L_0)\ge L_0$."
    ),
    needs=frozenset("PX"),
    hypotheses=(STEP, X_POSITIVE, X_SMALL, SO_FAR, FIRST, AT_LEAST_1),
    conclusion=le(L0, Y * (K + 8 * L0)),
)


def _floor_step(p: Proof) -> None:
    factor, grown = 1 + 8 * X, K + 8 * L0
    why = "(X - 4X^2)(1 + 8X) - X = 4X^2(1 - 8X)."
    ratio = p.show(le(X, (X - 4 * X**2) * factor), why, X_POSITIVE, X_SMALL)
    below = p.show(le(X, Y * factor), "So Y(1 + 8X) >= X,", ratio, STEP, X_POSITIVE)
    room = p.show(le(0, grown), "The new factor is positive,", FIRST, AT_LEAST_1)
    product = times(p, below, grown, "so multiply by it.", room)
    why = "The left side is at least L_0(1 + 8X),"
    left = p.show(le(L0 * factor, X * grown), why, SO_FAR)
    both = p.show(
        le(L0 * factor, Y * grown * factor), "so both sides have the factor", product, left
    )
    positive = p.show(lt(0, factor), "1 + 8X, which is positive,", X_POSITIVE)
    p.lemma(SLASH_CANCEL, {x: L0, y: Y * grown, t: factor}, both, positive, why="and cancels.")


SLASH_GD_FLOOR_STEP = prove(
    _FLOOR_STEP,
    _floor_step,
    Attack(
        {"four for eight": le(L0, Y * (K + 4 * L0))},
        at={"four for eight": {X: EIGHTH, L0: EIGHTH, K: 1, Y: EIGHTH / 2}},
        unshown={
            X_POSITIVE: "X = 0 leaves only L_0 = 0",
            FIRST: "the factor may change sign",
            AT_LEAST_1: "the factor may change sign",
        },
    ),
)

# -- all steps ---------------------------------------------------------------------------

first, last = loss(key_at(start)), loss(key_at(start + n))

TIMES = Hypothesis("times are not negative", Both(le(0, start), le(0, n)))
POSITIVE = Hypothesis("no loss is 0", Every((tau,), If(le(0, tau), lt(0, loss(key_at(tau))))))
SMALL = Hypothesis("at tau_0 the loss is at most 1/8", le(first, EIGHTH))

_FLOOR = Claim(
    id="slash.gd.rate-floor",
    title="The rate cannot be better than 1/τ",
    statement=(
        r"Gradient descent with step $1/\beta$ from any key, on features with "
        r"$\|\psi(t)\|^2\le\beta$, where a unit vector separates the target by $\gamma\ge0$ and no "
        r"loss on the way is 0. From a time $\tau_0\ge0$ on at which "
        r"$\mathcal L(\tau_0)\le\frac18$: "
        r"$\mathcal L(\tau_0+n)\ge\frac{\mathcal L(\tau_0)}{1+8n\mathcal L(\tau_0)}$. With "
        r"`slash.gd.rate-sharp`, for $\gamma>0$, the loss is of the order $1/n$ exactly, between "
        r"$\frac1{8n}$ (for $n\mathcal L(\tau_0)\gg1$) and $\frac{5.01\beta}{\gamma^2n}$."
    ),
    needs=frozenset("PX"),
    hypotheses=(TIMES, *TRAINING, POSITIVE, SMALL),
    conclusion=le(first, last * (1 + 8 * n * first)),
)


def _floor(p: Proof) -> None:
    def until(value: Any, time: Any) -> Any:
        return Both(le(first, value * (1 + 8 * time * first)), lt(0, value), le(value, EIGHTH))

    now, after = loss(key_at(start + later)), loss(key_at(start + later + 1))
    factor, here = 1 + 8 * later * first, {tau: start + later}
    since = p.under(le(0, later))
    slow = since.lemma(
        SLASH_GD_SLOW_STEP,
        here,
        TIMES,
        STEPPING,
        why="From tau_0 on no step gains more than 4 L^2,",
    )
    progress = since.lemma(
        SLASH_GD_PROGRESS, here, TIMES, TRAINING, why="every step makes progress:"
    )
    falls = since.show(le(after, now), "the loss does not rise,", progress)
    some = p.use(POSITIVE, {tau: start}, TIMES, why="nor is it 0 at tau_0")
    next_some = since.use(POSITIVE, {tau: start + later + 1}, TIMES, why="or after a step.")
    base = p.show(kept_at(until(now, later), later, 0), "At tau_0 it holds.", some, SMALL)
    so_far = since.supposing(until(now, later))
    grown = so_far.lemma(
        SLASH_GD_FLOOR_STEP,
        {X: now, Y: after, L0: first, K: factor},
        (slow, some),
        why="The factor grows by 8 L_0,",
    )
    following = so_far.show(
        until(after, later + 1), "so it holds after the next step,", grown, next_some, falls
    )
    always = since.induction(until(now, later), later, 0, base, following, why="and after all.")
    end = p.use(always, {later: n}, TIMES, why="After n steps.")
    p.qed("That is the floor.", end)


ATTACK = Attack(
    {"it stays": le(first, last)},
    at={"it stays": {**trained(0, 3), start: 0, n: 1}},
    idle={POSITIVE: "a softmax weight with a competitor is below 1; without one all losses are 0"},
    unshown={
        TIMES: "the algorithm says nothing about negative times",
        **UNSHOWN,
        SMALL: "a large loss may fall at once",
    },
)

SLASH_GD_RATE_FLOOR = prove(_FLOOR, _floor, ATTACK)

CLAIMS = (SLASH_GD_FLOOR_STEP, SLASH_GD_RATE_FLOOR)
