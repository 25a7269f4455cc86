"""Cosines around a cycle add up to 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.trigonometry.sine import positive_sine

k, lag, r = integer("k t r")
x = real("x")
half = sp.Rational(1, 2)


def around(place: Any, at: Any) -> Any:
    """The cosine of a plane of frequency 2 pi place / n at a lag."""
    return sp.cos(2 * sp.pi * place * at / n)


whole = sp.Sum(around(k, lag), (k, 0, n - 1))
FORWARD = Hypothesis("the lag is at least 1", le(1, lag))
INSIDE = Hypothesis("the lag is below n", le(lag, n - 1))

CYCLE = Claim(
    id="sums.cycle",
    title="The cosines around a cycle add up to 0",
    statement=r"$\sum_{k<n}\cos\frac{2\pi kt}n=0$ for integers $1\le t<n$.",
    needs=frozenset("PX"),
    hypotheses=(FORWARD, INSIDE),
    conclusion=eq(whole, 0),
)


def _telescoped(count: Any, angle: Any = x) -> Any:
    total = sp.Sum(sp.cos(k * angle), (k, 0, count - 1))
    ends = sp.sin((count - half) * angle) + sp.sin(angle / 2)
    return eq(2 * sp.sin(angle / 2) * total, ends)


def _closed_form(p: Proof) -> Fact:
    more = p.under(le(0, r))
    none = p.show(_telescoped(sp.Integer(0)), "The empty sum.")
    last = more.last(sp.Sum(sp.cos(k * x), (k, 0, r)), "A sum of cos(k x) gains one term,")
    product = p.show(
        eq(2 * sp.sin(x / 2) * sp.cos(r * x), sp.sin((r + half) * x) - sp.sin((r - half) * x)),
        "which times 2 sin(x/2) is a difference of sines;",
    )
    one_more = more.under(_telescoped(r)).show(
        _telescoped(r + 1), "these cancel but for the ends,", last, product
    )
    return more.induction(_telescoped(r), r, 0, none, one_more)


def _proof(p: Proof) -> None:
    angle = 2 * sp.pi * lag / n
    last = (n - half) * angle
    inside = (FORWARD, INSIDE)
    all_terms = p.use(
        _closed_form(p),
        {r: n, x: angle},
        inside,
        why="Take all of them at the angle 2 pi t / n:",
        goal=_telescoped(n, angle),
    )
    back = p.show(eq(last, 2 * sp.pi * lag - angle / 2), "The last angle", inside)
    end = p.rewrite(
        eq(sp.sin(last), sp.sin(back.formula.rhs)), "has minus the sine of the first,", back
    )
    share = p.show(Both(lt(0, lag / n), lt(lag / n, 1)), "the half angle, t/n of pi,", inside)
    sine = positive_sine(p, angle / 2, "lies strictly between 0 and pi,", share)
    p.qed("so the sum is 0.", all_terms, end, sine)


SUMS_CYCLE = prove(
    CYCLE,
    _proof,
    Attack(
        {"n": eq(whole, n), "1": eq(whole, 1)},
        without={FORWARD: {n: 3, lag: 0}, INSIDE: {n: 2, lag: 2}},
    ),
)

CLAIMS = (SUMS_CYCLE,)
