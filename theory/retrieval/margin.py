"""The exact worst margin of the retrieval construction over functional inputs."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, rewrite, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.retrieval.construction import (
    IN_RANGE,
    LETTERS,
    OTHER,
    angle,
    apart,
    h,
    key,
    letters,
    query,
    step,
    v,
    x,
    y,
)

lag, rival = integer("t u")
PAIR = Hypothesis(
    "two different lags of the row",
    Both(le(0, lag), le(lag, n - 1), le(0, rival), le(rival, n - 1), ne(lag, rival)),
)


def worst() -> Any:
    """2 sin((omega - theta)/2) sin((omega - (2n - 3) theta)/2)."""
    return 2 * sp.sin((step - angle) / 2) * sp.sin((step - (2 * n - 3) * angle) / 2)


def lead(at: Any = lag, other: Any = rival, first: Any = key, second: Any = query) -> Any:
    """How far the target at one lag leads a rival letter at another."""
    return sp.cos(at * angle) - apart(first, second, other * angle)


def _margin() -> Claim:
    span = (n - 1) * angle
    near = (n - 2) * angle
    a_, b_ = (step - angle) / 2, (step - (2 * n - 3) * angle) / 2
    names = (
        LETTERS.name,
        IN_RANGE.name,
        OTHER.name,
        PAIR.name,
        "three letters",
        "three positions",
        "the rotation stays under a step",
    )
    slow = Both(le(0, angle), lt((2 * n - 3) * angle, step))
    attained = eq(lead(n - 2, n - 1, query - 1, query), worst())
    at_zero = eq(worst().xreplace({angle: sp.Integer(0)}), 1 - sp.cos(step))
    goal = Both(lt(0, worst()), le(worst(), lead()), attained, at_zero)
    inner, last = (le(lag, n - 2),), (eq(lag, n - 1),)
    swap = 4 * sp.sin(b_) * sp.cos(step / 2) * sp.sin(angle / 2)
    at = (eq(n, 5), eq(letters, 8), eq(query, 3))
    return Claim(
        id="retrieval.margin",
        title="The worst margin of the retrieval construction, exactly",
        statement=(
            r"For $r\ge3$ letters, $n\ge3$, a query $(x,y)$ with $y\ne x$ and $0\le(2n-3)\theta<\omega$, "
            r"a target at lag $t$ leads every key with another letter at a lag $u\ne t$ by at least "
            r"$2\sin\frac{\omega-\theta}2\sin\frac{\omega-(2n-3)\theta}2>0$, and the letter one before "
            r"the target's at lag $n-1$ attains it for a target at lag $n-2$. At $\theta=0$ this is "
            r"$1-\cos\omega$ for every $n$."
        ),
        needs=frozenset("PCTXW"),
        hypotheses=(
            Hypothesis(
                names[0],
                LETTERS.formula,
                without=(
                    *at,
                    eq(key, 4),
                    eq(lag, 1),
                    eq(rival, 2),
                    eq(step, 6),
                    eq(angle, sp.Rational(1, 10)),
                ),
            ),
            Hypothesis(
                names[1],
                IN_RANGE.formula,
                without=(
                    *at,
                    eq(key, 11),
                    eq(lag, 1),
                    eq(rival, 0),
                    eq(angle, sp.Rational(1, 100)),
                ),
            ),
            Hypothesis(
                names[2],
                OTHER.formula,
                without=(*at, eq(key, 3), eq(lag, 1), eq(rival, 0), eq(angle, sp.Rational(1, 100))),
            ),
            Hypothesis(
                names[3],
                PAIR.formula,
                without=(*at, eq(key, 2), eq(lag, 4), eq(rival, 4), eq(angle, sp.Rational(1, 10))),
            ),
            Hypothesis(
                names[4],
                le(3, letters),
                idle="two letters are opposite and the bound holds for them too",
            ),
            Hypothesis(
                names[5],
                le(3, n),
                idle="with two positions the same bound holds, but no input attains it",
            ),
            Hypothesis(
                names[6],
                slow,
                without=(*at, eq(key, 2), eq(lag, 3), eq(rival, 4), eq(angle, sp.Rational(1, 2))),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "size",
                    Both(lt(0, 1 / letters), le(3 * (1 / letters), 1)),
                    smt(),
                    "With three letters or more",
                    (names[4],),
                ),
                Step(
                    "step",
                    Both(eq(step, 2 * sp.pi * (1 / letters)), lt(0, step), le(3 * step, 2 * sp.pi)),
                    smt(),
                    "a step is at most a third of a turn.",
                    ("size", names[0]),
                ),
                Step(
                    "angles",
                    Both(
                        le(0, near),
                        le(near, span),
                        eq(span, near + angle),
                        lt(near + span, step),
                        le(0, span),
                        lt(span, step),
                    ),
                    smt(),
                    "The largest rotations together stay below it.",
                    (names[5], names[6]),
                ),
                Step(
                    "rotations",
                    Both(
                        le(0, lag * angle),
                        le(lag * angle, span),
                        le(0, rival * angle),
                        le(rival * angle, span),
                    ),
                    smt(),
                    "No lag turns by more.",
                    (names[3], names[6]),
                ),
                Step(
                    "halves",
                    Both(lt(0, a_), lt(a_, sp.pi), lt(0, b_), lt(b_, sp.pi)),
                    smt(),
                    "Both half angles lie between 0 and pi,",
                    ("step", "angles", names[6]),
                ),
                Step(
                    "first sine",
                    lt(0, sp.sin(a_)),
                    by_claim("trig.sine-positive", {x: a_}),
                    "so their sines",
                    ("halves",),
                ),
                Step(
                    "second sine",
                    lt(0, sp.sin(b_)),
                    by_claim("trig.sine-positive", {x: b_}),
                    "are positive,",
                    ("halves",),
                ),
                Step(
                    "positive",
                    lt(0, worst()),
                    smt(),
                    "and so is the margin.",
                    ("first sine", "second sine"),
                ),
                Step(
                    "product",
                    eq(worst(), sp.cos(near) - sp.cos(step - span)),
                    identity(),
                    "It is a difference of cosines:",
                ),
                Step(
                    "inner lag",
                    le(lag * angle, near),
                    smt(),
                    "(in the inner case)",
                    (names[6],),
                    inner,
                ),
                Step(
                    "nearer target",
                    le(sp.cos(near), sp.cos(lag * angle)),
                    by_claim("trig.cosine-decreasing", {x: lag * angle, y: near}),
                    "that of a target at lag n - 2 at most",
                    ("rotations", "angles", "step", "inner lag"),
                    inner,
                ),
                Step(
                    "rival",
                    le(apart(key, query, rival * angle), sp.cos(step - span)),
                    by_claim("retrieval.gap", {v: rival * angle, h: span}),
                    "and of a rival at lag n - 1 at most.",
                    ("rotations", "angles", *names[:3]),
                ),
                Step(
                    "one way",
                    le(worst(), lead()),
                    smt(),
                    "So for such targets it holds.",
                    ("product", "nearer target", "rival"),
                    inner,
                ),
                Step(
                    "rival lag",
                    Both(le(rival * angle, near), le(near, step)),
                    smt(),
                    "(in the last case)",
                    (names[3], names[6], "angles"),
                    last,
                ),
                Step(
                    "rival before",
                    le(apart(key, query, rival * angle), sp.cos(step - near)),
                    by_claim("retrieval.gap", {v: rival * angle, h: near}),
                    "A target at lag n - 1 has rivals at lag n - 2 at most,",
                    ("rotations", "angles", "rival lag", *names[:3]),
                    last,
                ),
                Step(
                    "exchange",
                    eq(sp.cos(span) - sp.cos(step - near), worst() + swap),
                    identity(),
                    "which leaves even more:",
                ),
                Step(
                    "half step",
                    Both(
                        le(0, step / 2),
                        le(step / 2, sp.pi / 2),
                        le(0, angle / 2),
                        le(angle / 2, sp.pi / 2),
                    ),
                    smt(),
                    "half a step and half an angle are acute,",
                    ("step", "angles", names[5], names[6]),
                ),
                Step(
                    "cosine",
                    le(sp.cos(sp.pi / 2, evaluate=False), sp.cos(step / 2)),
                    by_claim("trig.cosine-decreasing", {x: step / 2, y: sp.pi / 2}),
                    "so the cosine of the one",
                    ("half step",),
                ),
                Step(
                    "right angle",
                    eq(sp.cos(sp.pi / 2, evaluate=False), 0),
                    identity(),
                    "(0 at a right angle)",
                ),
                Step(
                    "sine",
                    le(2 * (angle / 2), sp.pi * sp.sin(angle / 2)),
                    by_claim("trig.jordan", {x: angle / 2}),
                    "and the sine of the other",
                    ("half step",),
                ),
                Step(
                    "not negative",
                    Both(le(0, sp.cos(step / 2)), le(0, sp.sin(angle / 2))),
                    smt(),
                    "are not negative.",
                    ("cosine", "right angle", "sine", "half step"),
                ),
                Step(
                    "more",
                    le(0, swap),
                    smt(),
                    "So that product is not.",
                    ("not negative", "second sine"),
                ),
                Step("the lag", eq(lag * angle, span), smt(), "At this lag", (), last),
                Step(
                    "its cosine",
                    eq(sp.cos(lag * angle), sp.cos(span)),
                    rewrite(),
                    "too",
                    ("the lag",),
                    last,
                ),
                Step(
                    "other way",
                    le(worst(), lead()),
                    smt(),
                    "the margin is kept.",
                    ("rival before", "exchange", "more", "its cosine"),
                    last,
                ),
                Step(
                    "kept",
                    le(worst(), lead()),
                    smt(),
                    "At every lag.",
                    ("one way", "other way", names[3]),
                ),
                Step("attained", attained, identity(), "The letter before it attains it."),
                Step("at rest", at_zero, identity(), "Without rotation."),
                Step("all", goal, smt(), "Together.", ("positive", "kept", "attained", "at rest")),
            )
        ),
        uses=("retrieval.gap", "trig.cosine-decreasing", "trig.sine-positive", "trig.jordan"),
        mutants=(
            Mutant(
                "one lag less",
                le(
                    2 * sp.sin((step - angle) / 2) * sp.sin((step - (2 * n - 5) * angle) / 2),
                    lead(),
                ),
                at=(*at, eq(key, 2), eq(lag, 3), eq(rival, 4), eq(angle, sp.Rational(1, 20))),
            ),
            Mutant(
                "without rotation",
                le(1 - sp.cos(step), lead()),
                at=(*at, eq(key, 2), eq(lag, 3), eq(rival, 4), eq(angle, sp.Rational(1, 20))),
            ),
        ),
    )


RETRIEVAL_MARGIN = _margin()

CLAIMS = (RETRIEVAL_MARGIN,)
