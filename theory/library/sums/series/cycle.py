"""The cosines around a cycle add up to 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.trigonometry.sine import positive_sine

k, lag, r = integer("k t r")
MEANINGS: Meanings = {n: "number of points on the circle", k: "a point", lag: "number of turns"}
x = real("x")
half = sp.Rational(1, 2)


def around(place: Term | int, at: Term | int) -> Term:
    """The cosine of a plane of frequency 2 pi place / n at the lag `at`."""
    return sp.cos(2 * sp.pi * place * at / n)


whole = sp.Sum(around(k, lag), (k, 0, n - 1))
FORWARD = Hypothesis("the lag is at least 1", le(1, lag))
INSIDE = Hypothesis("the lag is below n", le(lag, n - 1))


def _telescoped(count: Term, angle: Term = x) -> Formula:
    total = sp.Sum(sp.cos(k * angle), (k, 0, count - 1))
    ends = sp.sin((count - half) * angle) + sp.sin(angle / 2)
    return eq(2 * sp.sin(angle / 2) * total, ends)


def _closed_form(p: Proof) -> Fact:
    more = p.under(le(0, r))
    none = p.show(_telescoped(sp.Integer(0)), "The empty sum is 0, and so are both sides.")
    last = more.last(sp.Sum(sp.cos(k * x), (k, 0, r)), "With one term more the sum gains cos(r x).")
    product = p.show(
        eq(2 * sp.sin(x / 2) * sp.cos(r * x), sp.sin((r + half) * x) - sp.sin((r - half) * x)),
        "Times 2 sin(x/2) this term is a difference of two sines.",
    )
    one_more = more.under(_telescoped(r)).show(
        _telescoped(r + 1),
        "The sines at r - 1/2 cancel, and those at both ends remain.",
        (last, product),
    )
    return more.induction(_telescoped(r), r, 0, none, one_more)


@theorem(
    "sums.cycle",
    hypotheses=(FORWARD, INSIDE),
    conclusion=eq(whole, 0),
    attack=Attack(
        {"n": eq(whole, n), "1": eq(whole, 1)},
        without={FORWARD: {n: 3, lag: 0}, INSIDE: {n: 2, lag: 2}},
    ),
)
def SUMS_CYCLE(p: Proof) -> None:
    r"""The cosines around a cycle add up to 0

    $\sum_{k<n}\cos\frac{2\pi kt}n=0$ for integers $1\le t<n$.
    """
    angle = 2 * sp.pi * lag / n
    last = (n - half) * angle
    inside = (FORWARD, INSIDE)
    all_terms = p.use(
        _closed_form(p),
        {r: n, x: angle},
        inside,
        why="Sum all n terms at the angle x = 2 pi t / n.",
    )
    end = p.show(
        eq(last, 2 * sp.pi * lag - angle / 2),
        "The last angle is 2 pi t less half of the angle x.",
        inside,
    ).image(sp.sin, "So its sine is minus that of pi t / n, as 2 pi t is full turns.")
    share = p.show(
        Both(lt(0, lag / n), lt(lag / n, 1)),
        "The lag lies strictly between 0 and n, so t/n does between 0 and 1.",
        inside,
    )
    sine = positive_sine(
        p, angle / 2, "So the angle pi t / n lies strictly between 0 and pi.", share
    )
    p.qed("The right side is 0 and the sine is positive, so the sum is 0.", all_terms, end, sine)
