"""The exact worst margin of the retrieval construction over functional inputs."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.library.trigonometry.jordan import TRIG_JORDAN
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE, x, y
from ropeproof.theory.topics.retrieval import construction
from ropeproof.theory.topics.retrieval.construction import (
    IN_RANGE,
    LETTERS,
    OTHER,
    RETRIEVAL_GAP,
    angle,
    apart,
    key,
    letters,
    query,
    step,
)

lag, rival = integer("t u")
MEANINGS: Meanings = {**construction.MEANINGS, lag: "a lag", rival: "a lag"}
PAIR = Hypothesis(
    "two different lags of the row",
    Both(*within(lag, 0, n - 1).args, *within(rival, 0, n - 1).args, ne(lag, rival)),
)


def worst() -> Term:
    """2 sin((omega - theta)/2) sin((omega - (2n - 3) theta)/2)."""
    return 2 * sp.sin((step - angle) / 2) * sp.sin((step - (2 * n - 3) * angle) / 2)


def lead(at: Term = lag, other: Term = rival, first: Term = key, second: Term = query) -> Term:
    """How far the target at one lag leads a rival letter at another."""
    return sp.cos(at * angle) - apart(first, second, other * angle)


THREE_LETTERS = Hypothesis("three letters", le(3, letters))
THREE_PLACES = Hypothesis("three positions", le(3, n))
SLOW = Hypothesis(
    "the rotation stays under a step", Both(le(0, angle), lt((2 * n - 3) * angle, step))
)
LETTER = (LETTERS, IN_RANGE, OTHER)

attained = eq(lead(n - 2, n - 1, query - 1, query), worst())
at_rest = eq(worst().xreplace({angle: sp.Integer(0)}), 1 - sp.cos(step))


span, near = (n - 1) * angle, (n - 2) * angle
first_half, second_half = (step - angle) / 2, (step - (2 * n - 3) * angle) / 2
first_sine, second_sine = sp.sin(first_half), sp.sin(second_half)


def _inner(p: Proof, facts: tuple[Fact, ...]) -> Fact:
    """The margin is kept by a target at lag n - 2 at most."""
    steps, angles, rotations = facts
    inner = p.under(le(lag, n - 2))
    product = p.show(
        eq(worst(), sp.cos(near) - sp.cos(step - span)),
        "This product of sines is a difference of cosines.",
    )
    target = inner.apply(
        TRIG_COSINE_DECREASING.at(y=near),
        (rotations, angles, steps, SLOW),
        why="A target at lag n - 2 or less has at least the cosine of that lag.",
    )
    other = p.lemma(
        RETRIEVAL_GAP.at(v=rival * angle, h=span),
        (rotations, angles, *LETTER),
        why="A rival has at most the cosine of a step less the whole length's angle.",
    )
    return inner.show(
        le(worst(), lead()),
        "So the margin holds for targets at lag n - 2 or less.",
        (product, target, other),
    )


def _last(p: Proof, facts: tuple[Fact, ...], sine: Fact) -> Fact:
    """The margin is kept by a target at lag n - 1."""
    steps, angles, rotations = facts
    last = p.under(eq(lag, n - 1))
    before = last.lemma(
        RETRIEVAL_GAP.at(v=rival * angle, h=near),
        (rotations, angles, PAIR, SLOW, *LETTER),
        why="If the target is at lag n - 1, its rivals are at lag n - 2 or less.",
    )
    products = p.show(
        eq(sp.cos(x) - sp.cos(y), 2 * sp.sin((y - x) / 2) * sp.sin((x + y) / 2)),
        "A difference of cosines is a product of sines.",
    ).for_all(x, y, why="The two angles were arbitrary, so this holds for all angles.")
    product = p.use(
        products,
        {x: span, y: step - near},
        why="At these two angles the product has the same second factor as the margin.",
        goal=eq(sp.cos(span) - sp.cos(step - near), 2 * second_sine * sp.sin((step + angle) / 2)),
    )
    larger = p.show(
        eq(
            sp.sin((step + angle) / 2),
            sp.sin((step - angle) / 2) + 2 * sp.cos(step / 2) * sp.sin(angle / 2),
        ),
        "Expand the sine of the half sum by the sum formula.",
    )
    acute = p.show(
        Both(*within(step / 2, 0, sp.pi / 2).args, *within(angle / 2, 0, sp.pi / 2).args),
        "Half a step and half an angle are between 0 and a right angle.",
        (steps, angles, THREE_PLACES, SLOW),
    )
    cosine = p.apply(
        TRIG_COSINE_DECREASING, acute, why="So the cosine of half a step is not negative."
    )
    jordan = p.lemma(
        TRIG_JORDAN.at(x=angle / 2),
        acute,
        why="By Jordan's inequality the sine of half an angle is not negative.",
    )
    same = last.show(
        eq(lag * angle, span), "Consider a target at the last lag, t = n - 1.", by=rules.smt()
    ).image(sp.cos, "Then its cosine is that of the last lag.")
    return last.show(
        le(worst(), lead()),
        "So the difference is the margin plus another product. So the additional product is "
        "not negative. So the margin holds for a target at the last lag too.",
        (before, product, larger, cosine, jordan, acute, sine, same),
    )


at = {n: 5, letters: 8, query: 3}


@theorem(
    "retrieval.margin",
    needs="PCTXW",
    hypotheses=(*LETTER, PAIR, THREE_LETTERS, THREE_PLACES, SLOW),
    conclusion=Both(lt(0, worst()), le(worst(), lead()), attained, at_rest),
    attack=Attack(
        {
            "one lag less": le(
                2 * sp.sin((step - angle) / 2) * sp.sin((step - (2 * n - 5) * angle) / 2), lead()
            ),
            "without rotation": le(1 - sp.cos(step), lead()),
        },
        at={
            "one lag less": at | {key: 2, lag: 3, rival: 4, angle: sp.Rational(1, 20)},
            "without rotation": at | {key: 2, lag: 3, rival: 4, angle: sp.Rational(1, 20)},
        },
        without={
            LETTERS: at | {key: 4, lag: 1, rival: 2, step: 6, angle: sp.Rational(1, 10)},
            IN_RANGE: at | {key: 11, lag: 1, rival: 0, angle: sp.Rational(1, 100)},
            OTHER: at | {key: 3, lag: 1, rival: 0, angle: sp.Rational(1, 100)},
            PAIR: at | {key: 2, lag: 4, rival: 4, angle: sp.Rational(1, 10)},
            SLOW: at | {key: 2, lag: 3, rival: 4, angle: sp.Rational(1, 2)},
        },
        idle={
            THREE_LETTERS: "two letters are opposite and the bound holds for them too",
            THREE_PLACES: "with two positions the same bound holds, but no input attains it",
        },
    ),
)
def RETRIEVAL_MARGIN(p: Proof) -> None:
    r"""The worst margin of the retrieval construction, exactly

    For $r\ge3$ letters, $n\ge3$, a query $(x,y)$ with $y\ne x$ and $0\le(2n-3)\theta<\omega$, a
    target at lag $t$ leads every key with another letter at a lag $u\ne t$ by at least
    $2\sin\frac{\omega-\theta}2\sin\frac{\omega-(2n-3)\theta}2>0$, and the letter one before the
    target's at lag $n-1$ attains it for a target at lag $n-2$. At $\theta=0$ this is $1-\cos\omega$
    for every $n$.
    """
    steps = p.show(
        Both(eq(step, 2 * sp.pi * (1 / letters)), lt(0, step), le(3 * step, 2 * sp.pi)),
        "With three letters or more a step is at most a third of a turn.",
        (LETTERS, THREE_LETTERS),
    )
    angles = p.show(
        Both(
            *(le(0, near), le(near, span), eq(span, near + angle)),
            *(lt(near + span, step), le(0, span), lt(span, step)),
        ),
        "The largest rotations together stay below one step of the letters.",
        (THREE_PLACES, SLOW),
    )
    rotations = p.show(
        Both(*within(lag * angle, 0, span).args, *within(rival * angle, 0, span).args),
        "No lag of the row turns by more than the whole length.",
        (PAIR, SLOW),
    )
    halves = p.show(
        Both(
            *(lt(0, first_half), lt(first_half, sp.pi)),
            *(lt(0, second_half), lt(second_half, sp.pi)),
        ),
        "Both half angles lie strictly between 0 and pi.",
        (steps, angles, SLOW),
    )
    first = p.apply(
        TRIG_SINE_POSITIVE, halves, why="So the sine of the first half angle is positive."
    )
    second = p.lemma(
        TRIG_SINE_POSITIVE.at(x=second_half),
        halves,
        why="So the sine of the second half angle is positive.",
    )

    facts = (steps, angles, rotations)
    attains = p.show(attained, "The letter before the target's attains the margin, at these lags.")
    rests = p.show(at_rest, "Without rotation the margin is 1 less the cosine of a step.")
    p.qed(
        "So the margin, twice the product of the two sines, is positive. Every lag is n - 2 "
        "or less or the last one, so the margin holds at every lag. These statements "
        "together are the claim.",
        (first, second, _inner(p, facts), _last(p, facts, second), PAIR, attains, rests),
    )
