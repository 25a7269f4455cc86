"""The value of the last occurrence of a key: a symbol plane and a slow recency plane."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, generalise, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.trigonometry.turns import r as part
from ropeproof.theory.trigonometry.turns import size, x, y

theta, amount, factor = real("theta B t")
d, early, late = integer("d early late")
FULL = 2 * sp.pi / size


LAGS = (le(0, early), le(early, n - 1), le(0, late), le(late, n - 1))
LONGER = (le(0, early), le(early, n), le(0, late), le(late, n))
SYMBOLS = (le(1, d), le(d, size - 1))
OTHER = (*SYMBOLS, *LAGS)


def _later_wins(lead: Any, logit: Any, lags: tuple[Any, ...] = LAGS) -> Any:
    """Of two equal symbols the later one, at the smaller lag, leads (by so much)."""
    compare = lt if lead == 0 else le
    gap = logit(0, early) - logit(0, late)
    return Every((early, late), If(Both(*lags, lt(early, late)), compare(lead, gap)))


def _others_lose(lead: Any, logit: Any, lags: tuple[Any, ...] = LAGS) -> Any:
    """Another symbol at any lag loses to an equal one at any lag (by so much)."""
    compare = lt if lead == 0 else le
    gap = logit(0, late) - logit(d, early)
    return Every((d, early, late), If(Both(*SYMBOLS, *lags), compare(lead, gap)))


def _slow() -> Claim:
    def logit(symbol: Any, lag: Any) -> Any:
        return sp.cos(symbol * FULL) + sp.cos(theta * lag)

    later, others = _later_wins(0, logit, LONGER), _others_lose(0, logit, LONGER)
    goal = Both(later, others)
    ordered, other = (*LONGER, lt(early, late)), (*SYMBOLS, *LONGER)
    names = ("at least two symbols", "theta is positive", "theta is small")
    return Claim(
        id="task.partial-induction",
        title="A symbol plane and a slow plane find the last occurrence of a key",
        statement=(
            r"Let the symbols be $d\,2\pi/|\Sigma|$ apart, $|\Sigma|\ge2$, and the logit at lag $t$ be "
            r"$\cos\frac{2\pi d}{|\Sigma|}+\cos\theta t$ with $0<n\theta<2\pi/|\Sigma|$. Among equal "
            r"symbols ($d=0$) at lags $0\le t\le n$ the later one has the larger logit, and every other "
            r"symbol at any of these lags has a smaller one than an equal symbol at any of them. (With one "
            r"symbol it fails: $n\theta$ may pass half a turn.)"
        ),
        source=DECOUPLE.at("Thm 6", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                names[0], le(2, size), without=(eq(size, 1), eq(n, 5), eq(theta, sp.Rational(6, 5)))
            ),
            Hypothesis(names[1], lt(0, theta), without=(eq(size, 2), eq(n, 3), eq(theta, 0))),
            Hypothesis(
                names[2],
                lt(n * theta, FULL),
                without=(eq(size, 3), eq(n, 3), eq(theta, sp.Rational(3, 2))),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "share",
                    Both(lt(0, 1 / size), eq(size * (1 / size), 1), le(2 * (1 / size), 1)),
                    smt(),
                    "There are at least two symbols,",
                    (names[0],),
                ),
                Step(
                    "full",
                    Both(lt(0, FULL), le(FULL, sp.pi)),
                    smt(),
                    "so their angle is at most half a turn.",
                    ("share",),
                ),
                Step(
                    "products",
                    Both(le(0, theta * early), lt(theta * early, theta * late)),
                    smt(),
                    "Angles grow with the lag",
                    (names[1],),
                    ordered,
                ),
                Step(
                    "reach",
                    Both(le(0, theta * late), le(theta * late, n * theta)),
                    smt(),
                    "and stay",
                    (names[1],),
                    LONGER,
                ),
                Step(
                    "together",
                    lt(theta * early + theta * late, 2 * sp.pi),
                    smt(),
                    "below that of the symbols.",
                    ("products", "reach", "full", names[2]),
                    ordered,
                ),
                Step(
                    "falls",
                    lt(sp.cos(theta * late), sp.cos(theta * early)),
                    by_claim(
                        "trig.cosine-strictly-decreasing", {x: theta * early, y: theta * late}
                    ),
                    "So the later of two equal symbols",
                    ("products", "together"),
                    ordered,
                ),
                Step(
                    "leads",
                    lt(0, logit(0, early) - logit(0, late)),
                    smt(),
                    "leads,",
                    ("falls",),
                    ordered,
                ),
                Step("later", later, generalise(), "whatever the lags.", ("leads",)),
                Step(
                    "below the symbols",
                    Both(lt(theta * late, FULL), lt(theta * late + FULL, 2 * sp.pi)),
                    smt(),
                    "The slow plane",
                    ("reach", "full", names[2]),
                    LONGER,
                ),
                Step(
                    "slow",
                    lt(sp.cos(FULL), sp.cos(theta * late)),
                    by_claim("trig.cosine-strictly-decreasing", {x: theta * late, y: FULL}),
                    "falls less over all lags",
                    ("reach", "below the symbols"),
                    LONGER,
                ),
                Step(
                    "other symbol",
                    le(sp.cos(2 * sp.pi * d / size), sp.cos(FULL)),
                    by_claim("trig.roots", {part: d}),
                    "than the symbol plane from one symbol to the next.",
                    (),
                    SYMBOLS,
                ),
                Step("at most 1", le(sp.cos(theta * early), 1), smt(), "Even the nearest"),
                Step(
                    "loses",
                    lt(0, logit(0, late) - logit(d, early)),
                    smt(),
                    "other symbol loses",
                    ("slow", "other symbol", "at most 1"),
                    other,
                ),
                Step("others", others, generalise(), "to every equal one.", ("loses",)),
                Step("both", goal, smt(), "Both.", ("later", "others")),
            )
        ),
        uses=("trig.cosine-strictly-decreasing", "trig.roots"),
        mutants=(
            Mutant(
                "the earlier wins",
                _later_wins(0, lambda symbol, lag: -logit(symbol, lag), LONGER),
                at=(eq(size, 2), eq(n, 3)),
            ),
            Mutant("others lose by 1", _others_lose(1, logit, LONGER), at=(eq(size, 5), eq(n, 3))),
        ),
    )


def _sharp() -> Claim:
    step = sp.pi / (2 * n)

    def logit(symbol: Any, lag: Any) -> Any:
        return amount * sp.cos(symbol * FULL) + sp.cos(step * lag + sp.pi / 4)

    lead = sp.sqrt(2) * sp.sin(sp.pi / (4 * n))
    later, others = _later_wins(lead, logit), _others_lose(1, logit)
    goal = Both(later, others)
    ordered = (*LAGS, lt(early, late))
    strong = "the symbol plane is strong enough"
    enough = le(1 + sp.sqrt(2), amount * (1 - sp.cos(FULL)))
    share = 1 / n
    mid = sp.pi / 4 * (early * share + late * share) + sp.pi / 4
    half = sp.pi / 4 * (late * share - early * share)
    quarter = sp.pi / 4
    small = sp.sin(quarter * share)
    first, second = sp.cos(step * early + quarter), sp.cos(step * late + quarter)

    def bounded(label: str, lag: Any, cosine: Any) -> tuple[Step, ...]:
        """The recency plane stays between -sqrt(1/2) and sqrt(1/2)."""
        angle = step * lag + quarter
        return (
            Step(
                f"angle, {label}",
                Both(
                    le(quarter, angle),
                    le(angle, 3 * quarter),
                    le(0, quarter),
                    le(3 * quarter, sp.pi),
                    le(angle, sp.pi),
                    le(0, angle),
                ),
                smt(),
                "Every angle of the recency plane lies between pi/4 and 3 pi/4,",
                ("share", f"part, {label}", "pi"),
                LAGS,
            ),
            Step(
                f"upper, {label}",
                le(cosine, sp.cos(quarter, evaluate=False)),
                by_claim("trig.cosine-decreasing", {x: quarter, y: angle}),
                "so its cosine is between those",
                (f"angle, {label}",),
                LAGS,
            ),
            Step(
                f"lower, {label}",
                le(sp.cos(3 * quarter, evaluate=False), cosine),
                by_claim("trig.cosine-decreasing", {x: angle, y: 3 * quarter}),
                "of these two.",
                (f"angle, {label}",),
                LAGS,
            ),
        )

    return Claim(
        id="task.partial-induction-sharp",
        title="The last occurrence of a key with a margin",
        statement=(
            r"A recency plane $\cos(\theta t+\frac\pi4)$, $\theta=\frac\pi{2n}$, and a symbol plane of "
            r"amplitude $B$ with $B(1-\cos\frac{2\pi}{|\Sigma|})\ge1+\sqrt2$ (so $3$ is enough): over lags "
            r"$0\le t<n$ the last occurrence leads every earlier one by at least "
            r"$\sqrt2\sin\frac\pi{4n}$, and every other symbol loses to every occurrence by at least 1."
        ),
        needs=frozenset("PCTXW"),
        hypotheses=(Hypothesis(strong, enough, without=(eq(size, 2), eq(n, 4), eq(amount, 1))),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "share",
                    Both(lt(0, share), eq(n * share, 1), le(share, 1)),
                    smt(),
                    "Where there are lags there is a position.",
                    (),
                    LAGS[:2],
                ),
                Step(
                    "part, early",
                    Both(le(0, early * share), le(early * share, 1 - share)),
                    smt(),
                    "A lag is a part",
                    ("share",),
                    LAGS[:2],
                ),
                Step(
                    "part, late",
                    Both(le(0, late * share), le(late * share, 1 - share)),
                    smt(),
                    "of the length.",
                    ("share",),
                    LAGS,
                ),
                Step(
                    "gap",
                    le(share, late * share - early * share),
                    smt(),
                    "Two lags differ by at least one step.",
                    ("share",),
                    ordered,
                ),
                Step(
                    "square",
                    Both(
                        eq(2 * sp.cos(quarter, evaluate=False) ** 2, 1),
                        eq(sp.cos(3 * quarter, evaluate=False), -sp.sin(quarter, evaluate=False)),
                        eq(2 * sp.sin(quarter, evaluate=False) ** 2, 1),
                        eq(sp.cos(sp.pi / 2, evaluate=False), 0),
                    ),
                    identity(),
                    "Half a right angle has equal sine and cosine:",
                ),
                Step("pi", Both(lt(0, sp.pi), lt(sp.pi, 4)), smt(), "both"),
                Step(
                    "positive cosine",
                    lt(sp.cos(sp.pi / 2, evaluate=False), sp.cos(quarter, evaluate=False)),
                    by_claim("trig.cosine-strictly-decreasing", {x: quarter, y: sp.pi / 2}),
                    "are positive,",
                    ("pi",),
                ),
                Step(
                    "positive sine",
                    lt(0, sp.sin(quarter, evaluate=False)),
                    by_claim("trig.sine-positive", {x: quarter}),
                    "their square is a half,",
                    ("pi",),
                ),
                Step(
                    "root",
                    Both(
                        eq(2 * sp.cos(quarter, evaluate=False), sp.sqrt(2)),
                        eq(2 * sp.sin(quarter, evaluate=False), sp.sqrt(2)),
                    ),
                    smt(),
                    "so they are half the root of 2.",
                    ("square", "positive cosine", "positive sine"),
                ),
                Step(
                    "product",
                    eq(first - second, 2 * sp.sin(mid) * sp.sin(half)),
                    identity(),
                    "A difference of cosines is a product of sines.",
                ),
                Step(
                    "middle angle",
                    Both(le(quarter, mid), le(mid, 3 * quarter)),
                    smt(),
                    "The angle of the first",
                    ("share", "part, early", "part, late", "pi"),
                    LAGS,
                ),
                Step(
                    "before the middle",
                    le(sp.cos(quarter, evaluate=False), sp.cos(sp.pi / 2 - mid, evaluate=False)),
                    by_claim("trig.cosine-decreasing", {x: sp.pi / 2 - mid, y: quarter}),
                    "is at most pi/4",
                    ("middle angle", "pi"),
                    (*LAGS, le(mid, sp.pi / 2)),
                ),
                Step(
                    "after the middle",
                    le(sp.cos(quarter, evaluate=False), sp.cos(mid - sp.pi / 2, evaluate=False)),
                    by_claim("trig.cosine-decreasing", {x: mid - sp.pi / 2, y: quarter}),
                    "from a right angle",
                    ("middle angle", "pi"),
                    (*LAGS, le(sp.pi / 2, mid)),
                ),
                Step(
                    "sine of the middle",
                    Both(
                        eq(sp.cos(sp.pi / 2 - mid, evaluate=False), sp.sin(mid)),
                        eq(sp.cos(mid - sp.pi / 2, evaluate=False), sp.sin(mid)),
                    ),
                    identity(),
                    "on either side,",
                ),
                Step(
                    "first sine",
                    le(sp.sqrt(2), 2 * sp.sin(mid)),
                    smt(),
                    "so its sine is at least half the root of 2;",
                    ("before the middle", "after the middle", "sine of the middle", "root"),
                    LAGS,
                ),
                Step(
                    "half angle",
                    Both(lt(0, quarter * share), le(quarter * share, half), le(half, quarter)),
                    smt(),
                    "that of the second",
                    ("share", "part, early", "part, late", "gap", "pi"),
                    ordered,
                ),
                Step(
                    "in order",
                    le(
                        sp.cos(sp.pi / 2 - quarter * share, evaluate=False),
                        sp.cos(sp.pi / 2 - half, evaluate=False),
                    ),
                    by_claim(
                        "trig.cosine-decreasing",
                        {x: sp.pi / 2 - half, y: sp.pi / 2 - quarter * share},
                    ),
                    "is at least pi/(4n),",
                    ("half angle", "pi"),
                    ordered,
                ),
                Step(
                    "as sines",
                    Both(
                        eq(sp.cos(sp.pi / 2 - quarter * share, evaluate=False), small),
                        eq(sp.cos(sp.pi / 2 - half, evaluate=False), sp.sin(half)),
                    ),
                    identity(),
                    "and so",
                ),
                Step(
                    "small",
                    lt(0, small),
                    by_claim("trig.sine-positive", {x: quarter * share}),
                    "is",
                    ("half angle", "pi"),
                    ordered,
                ),
                Step(
                    "second sine",
                    le(small, sp.sin(half)),
                    smt(),
                    "its sine.",
                    ("in order", "as sines"),
                    ordered,
                ),
                Step(
                    "times",
                    le(sp.sqrt(2) * small, sp.sqrt(2) * sp.sin(half)),
                    smt(),
                    "Multiply:",
                    ("second sine",),
                    ordered,
                ),
                Step(
                    "times again",
                    le(sp.sqrt(2) * sp.sin(half), 2 * sp.sin(mid) * sp.sin(half)),
                    by_claim(
                        "order.times", {x: sp.sqrt(2), y: 2 * sp.sin(mid), factor: sp.sin(half)}
                    ),
                    "the later of two equal symbols",
                    ("first sine", "second sine", "small"),
                    ordered,
                ),
                Step(
                    "leads",
                    le(lead, logit(0, early) - logit(0, late)),
                    smt(),
                    "leads by as much.",
                    ("product", "times", "times again"),
                    ordered,
                ),
                Step("later", later, generalise(), "For all lags.", ("leads",)),
                *bounded("early", early, first),
                *bounded("late", late, second),
                Step(
                    "other symbol",
                    le(sp.cos(2 * sp.pi * d / size), sp.cos(FULL)),
                    by_claim("trig.roots", {part: d}),
                    "The symbol plane falls from one symbol to any other",
                    (),
                    SYMBOLS,
                ),
                Step("at most 1", le(sp.cos(FULL), 1), smt(), "by at least"),
                Step(
                    "amplitude",
                    le(0, amount),
                    smt(),
                    "(its amplitude is positive)",
                    ("at most 1", strong),
                ),
                Step(
                    "scaled",
                    le(amount * sp.cos(2 * sp.pi * d / size), amount * sp.cos(FULL)),
                    smt(),
                    "1 and the root of 2,",
                    ("other symbol", "amplitude"),
                    SYMBOLS,
                ),
                Step(
                    "loses",
                    le(1, logit(0, late) - logit(d, early)),
                    smt(),
                    "and the recency plane makes up for no more than the root.",
                    ("scaled", "upper, early", "lower, late", "root", "square", strong),
                    OTHER,
                ),
                Step(
                    "others", others, generalise(), "Whatever the symbol and the lags.", ("loses",)
                ),
                Step("both", goal, smt(), "Both.", ("later", "others")),
            )
        ),
        uses=(
            "trig.cosine-decreasing",
            "trig.cosine-strictly-decreasing",
            "trig.sine-positive",
            "trig.roots",
            "order.times",
        ),
        mutants=(
            Mutant(
                "twice the lead",
                _later_wins(2 * lead, logit),
                at=(eq(size, 2), eq(n, 4), eq(amount, 2)),
            ),
            Mutant(
                "others lose by 3",
                _others_lose(3, logit),
                at=(eq(size, 3), eq(n, 4), eq(amount, 2)),
            ),
        ),
    )


TASK_PARTIAL_INDUCTION = _slow()
TASK_PARTIAL_INDUCTION_SHARP = _sharp()

CLAIMS = (TASK_PARTIAL_INDUCTION, TASK_PARTIAL_INDUCTION_SHARP)
