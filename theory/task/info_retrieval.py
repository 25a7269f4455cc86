"""The value of a key: one plane that turns from symbol to symbol and slowly with the lag."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    rewrite,
    smt,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.task.partial_induction import (
    FULL,
    LAGS,
    OTHER,
    SYMBOLS,
    d,
    early,
    late,
    theta,
)
from ropeproof.theory.trigonometry.turns import a, size, x, y


def _logit(symbol: Any, lag: Any) -> Any:
    return sp.cos(FULL * symbol + theta * lag - (n - 1) * theta / 2)


def _retrieval() -> Claim:
    half = (n - 1) * theta / 2
    margin = sp.cos(half) - sp.cos(FULL - half)
    product = 2 * sp.sin(FULL / 2) * sp.sin((FULL - 2 * half) / 2)
    gap = _logit(0, late) - _logit(d, early)
    wins = Every((d, early, late), If(Both(*OTHER), le(margin, gap)))
    attained = Some((d, early, late), Both(*OTHER, eq(gap, margin)))
    still = If(eq(theta, 0), eq(margin, 1 - sp.cos(FULL)))
    goal = Both(wins, attained, eq(margin, product), lt(0, margin), still)
    names = (
        "at least two symbols",
        "there is a position",
        "theta is not negative",
        "the lags turn less than a symbol",
    )
    share = 1 / size
    centred, shifted = theta * late - half, theta * early - half
    other = FULL * d + theta * early - half
    return Claim(
        id="task.info-retrieval",
        title="One plane finds the key by its symbol, whatever the lag",
        statement=(
            r"Let the symbols' vectors be $\omega=2\pi/r$ apart, $r\ge2$, and the query be centred: the "
            r"logit of a symbol $d$ places on at lag $t$ is $\cos(d\omega+\theta t-h)$ with "
            r"$h=\frac{(n-1)\theta}2$. For $\theta\ge0$ and $h<\omega/2$ the right symbol at any lag "
            r"$0\le t<n$ leads every other at any such lag by at least "
            r"$\cos h-\cos(\omega-h)=2\sin\frac\omega2\sin\frac{\omega-2h}2>0$, which is attained; at "
            r"$\theta=0$ that is $1-\cos\omega$."
        ),
        source=DECOUPLE.at("Thm 5", "own"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                names[0],
                le(2, size),
                unshown="with one symbol the margin is exactly 0, a tie that drawn instances cannot decide",
            ),
            Hypothesis(names[1], le(1, n), without=(eq(size, 3), eq(n, 0), eq(theta, 5))),
            Hypothesis(names[2], le(0, theta), without=(eq(size, 3), eq(n, 2), eq(theta, -5))),
            Hypothesis(
                names[3], lt((n - 1) * theta, FULL), without=(eq(size, 3), eq(n, 2), eq(theta, 3))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "share",
                    Both(lt(0, share), eq(size * share, 1), le(2 * share, 1)),
                    smt(),
                    "There are at least two symbols,",
                    (names[0],),
                ),
                Step(
                    "full",
                    Both(lt(0, FULL), le(FULL, sp.pi)),
                    smt(),
                    "so one step turns by at most half a turn.",
                    ("share",),
                ),
                Step("half", le(0, half), smt(), "Over all lags", names[1:3]),
                Step(
                    "half turn",
                    Both(lt(half, FULL / 2), lt(half, sp.pi)),
                    smt(),
                    "the plane turns by less than that.",
                    ("full", names[3]),
                ),
                Step(
                    "centred",
                    Both(le(-half, centred), le(centred, half)),
                    smt(),
                    "Centred, every lag",
                    (names[2],),
                    LAGS[2:],
                ),
                Step(
                    "shifted",
                    Both(le(-half, shifted), le(shifted, half)),
                    smt(),
                    "is within h of none.",
                    (names[2],),
                    LAGS[:2],
                ),
                Step(
                    "right on one side",
                    le(sp.cos(half), sp.cos(centred)),
                    by_claim("trig.cosine-decreasing", {x: centred, y: half}),
                    "So the right symbol has at least cos h",
                    ("centred", "half turn"),
                    (*LAGS[2:], le(0, centred)),
                ),
                Step(
                    "right on the other side",
                    le(sp.cos(half), sp.cos(-centred, evaluate=False)),
                    by_claim("trig.cosine-decreasing", {x: -centred, y: half}),
                    "on either side,",
                    ("centred", "half turn"),
                    (*LAGS[2:], le(centred, 0)),
                ),
                Step(
                    "even",
                    eq(sp.cos(-centred, evaluate=False), sp.cos(centred)),
                    identity(),
                    "the cosine being even.",
                ),
                Step(
                    "parts",
                    Both(le(share, d * share), le(d * share, 1 - share)),
                    smt(),
                    "Another symbol",
                    ("share",),
                    SYMBOLS,
                ),
                Step(
                    "places",
                    Both(le(FULL, FULL * d), le(FULL * d, 2 * sp.pi - FULL)),
                    smt(),
                    "is at least a step from a whole turn,",
                    ("parts", "share"),
                    SYMBOLS,
                ),
                Step(
                    "away",
                    Both(
                        le(0, FULL - half),
                        le(FULL - half, other),
                        le(other, 2 * sp.pi - (FULL - half)),
                    ),
                    smt(),
                    "with its lag at least a step less h,",
                    ("places", "shifted", "half turn", "full"),
                    OTHER[:4],
                ),
                Step(
                    "wrong",
                    le(sp.cos(other), sp.cos(FULL - half)),
                    by_claim("trig.cosine-band", {a: FULL - half, x: other}),
                    "so it has at most the cosine of that.",
                    ("away",),
                    OTHER[:4],
                ),
                Step(
                    "wins here",
                    le(margin, gap),
                    smt(),
                    "The right symbol leads by the difference,",
                    ("right on one side", "right on the other side", "even", "wrong"),
                    OTHER,
                ),
                Step("wins", wins, generalise(), "whatever the lags.", ("wins here",)),
                Step(
                    "attained",
                    attained,
                    witness({d: 1, early: 0, late: n - 1}),
                    "The next symbol attains it, at lag 0 against the last lag.",
                    (names[0], names[1]),
                ),
                Step("product", eq(margin, product), identity(), "The difference is a product"),
                Step(
                    "angles",
                    Both(
                        lt(0, FULL / 2),
                        lt(FULL / 2, sp.pi),
                        lt(0, (FULL - 2 * half) / 2),
                        lt((FULL - 2 * half) / 2, sp.pi),
                    ),
                    smt(),
                    "of sines",
                    ("full", "half", "half turn"),
                ),
                Step(
                    "first sine",
                    lt(0, sp.sin(FULL / 2)),
                    by_claim("trig.sine-positive", {x: FULL / 2}),
                    "of angles",
                    ("angles",),
                ),
                Step(
                    "second sine",
                    lt(0, sp.sin((FULL - 2 * half) / 2)),
                    by_claim("trig.sine-positive", {x: (FULL - 2 * half) / 2}),
                    "below half a turn,",
                    ("angles",),
                ),
                Step(
                    "positive",
                    lt(0, margin),
                    smt(),
                    "so it is positive.",
                    ("product", "first sine", "second sine"),
                ),
                Step("no turn", eq(theta, 0), smt(), "If the plane", (), (eq(theta, 0),)),
                Step(
                    "no turning",
                    eq(margin, sp.cos(0, evaluate=False) - sp.cos(FULL)),
                    rewrite(),
                    "does not turn with the lag",
                    ("no turn",),
                    (eq(theta, 0),),
                ),
                Step("cosine of 0", eq(sp.cos(0, evaluate=False), 1), identity(), "h is 0."),
                Step(
                    "still", still, smt(), "That is the last part.", ("no turning", "cosine of 0")
                ),
                Step(
                    "all",
                    goal,
                    smt(),
                    "Together.",
                    ("wins", "attained", "product", "positive", "still"),
                ),
            )
        ),
        uses=("trig.cosine-decreasing", "trig.cosine-band", "trig.sine-positive"),
        mutants=(
            Mutant(
                "the margin of no turning",
                Every((d, early, late), If(Both(*OTHER), le(1 - sp.cos(FULL), gap))),
                at=(eq(size, 3), eq(n, 3), eq(theta, sp.Rational(1, 2))),
            ),
            Mutant(
                "not centred",
                Every(
                    (d, early, late),
                    If(
                        Both(*OTHER),
                        le(margin, sp.cos(theta * late) - sp.cos(FULL * d + theta * early)),
                    ),
                ),
                at=(eq(size, 3), eq(n, 3), eq(theta, sp.Rational(1, 2))),
            ),
        ),
    )


TASK_INFO_RETRIEVAL = _retrieval()

CLAIMS = (TASK_INFO_RETRIEVAL,)
