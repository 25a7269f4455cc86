"""A difference of logits is positive at one half of all lags, for independent angles."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.indicators import plane
from ropeproof.theory.topics.rope.half import means
from ropeproof.theory.topics.rope.half.law import MEANINGS as OF_LAW
from ropeproof.theory.topics.rope.half.law import ROPE_HALF_LAW
from ropeproof.theory.topics.rope.half.marks import chi, marked, share, zeta
from ropeproof.theory.topics.rope.half.means import again, eps, least, second, start, z
from ropeproof.theory.topics.rope.half.turned import PLANE, TURNS, threshold

MEANINGS: Meanings = OF_LAW

half = sp.Rational(1, 2)


def over(mark: Function, count: Term, phases: Function, at: Term = threshold) -> Formula:
    """chi(t) is 1 where D > tau, 0 where D < tau, and in [0, 1] at every lag t < count."""
    value = means.wave(phases, j)
    told = Both(
        le(0, mark(j)),
        le(mark(j), 1),
        If(lt(at, value), eq(mark(j), 1)),
        If(lt(value, at), eq(mark(j), 0)),
    )
    return every(j, 0, count - 1, told)


def equal(at: Term = threshold, low: Term = -threshold) -> Formula:
    """The shares of lags with D > tau and with D < -tau come near each other."""
    given = Both(
        *means.long_(n, again).args, over(chi, n, start, at), marked(zeta, again, start, low)
    )
    close = means.near(share(chi, n), share(zeta, again))
    return means.from_some_length(Every((n, again, start(z), chi(z), zeta(z)), If(given, close)))


def tends(to: Term = half) -> Formula:
    """The share of lags with D > 0 comes near to a number."""
    zero = sp.Integer(0)
    given = Both(*means.long_(n).args, over(chi, n, start, zero))
    return means.from_some_length(
        Every((n, start(z), chi(z)), If(given, means.near(share(chi, n), to)))
    )


@theorem(
    "rope.half",
    source=Source("ropeproof", "axiom: Weyl"),
    needs="PTX",
    hypotheses=(means.ANGLES, PLANE, TURNS),
    conclusion=Both(equal(), tends()),
    example=(*means.EXAMPLE, *where({plane: 0, threshold: half})),
    example_by=means.BY["example_by"],
    uses=means.BY["uses"],
    attack=Attack(
        {
            "at every length": Every(
                (n, start(z), chi(z)),
                If(
                    Both(le(1, n), over(chi, n, start, sp.Integer(0))),
                    le(sp.Abs(share(chi, n) - half), sp.Rational(1, 3)),
                ),
            )
        },
        unshown={
            means.ANGLES: means.UNSHOWN,
            PLANE: "no drawn instance decides what holds from some length on",
            TURNS: "without amplitude D is 0 at every lag; no drawn instance decides it",
        },
    ),
)
def ROPE_HALF(p: Proof) -> None:
    r"""A difference of two logits is positive at one half of all lags, for independent angles

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$ with some $C_p\ne0$, $\theta_0,\dots,\theta_{m-1},2\pi$
    independent over the rationals. For every $\tau$ the shares of lags $t<n$ with $D_x(t)>\tau$ and of
    $t<N$ with $D_x(t)<-\tau$ come as near to each other as one likes for $n,N\ge n_0$, and the share with
    $D_x(t)>0$ comes to $\frac12$, uniformly in the phases $x$; lags with equality may be counted or
    not. A turn by $\pi$ in every plane changes the sign of $D$, and shares do not see it
    (`rope.half-law`).
    """
    turned = lambda place: start(place) + sp.pi  # noqa: E731
    sign = p.show(
        eq(means.wave(turned, j), -means.wave(start, j)),
        "Half a turn in every plane changes the sign of D.",
    )

    def reflected(at: Term) -> Fact:
        """Marks of D > tau are marks of D < -tau for the phases after half a turn."""
        given = over(chi, n, start, at)
        lag = p.supposing(given).under(within(j, 0, n - 1))
        own = lag.use(
            p.supposing(given).given(given, "Let the marks be of the lags above the threshold."),
            {j: j},
            why="The mark of this lag is as it says.",
        )
        return lag.show(
            marked(chi, n, turned, -at).args[1].args[1],
            "After half a turn it is a mark of the lags below minus the threshold.",
            own,
            sign,
        ).for_all(j, why="It is so at every lag.")

    asked = p.under(lt(0, eps))

    def law(at: Term) -> Fact:
        known = p.lemma(
            ROPE_HALF_LAW.at(tau=at),
            (means.ANGLES, PLANE, TURNS),
            why="Shares of lags below a threshold do not depend on the phases.",
        )
        return asked.use(known, {eps: eps}, why="From some length on they are near each other.")

    # Equal shares of both signs.
    from_some = law(-threshold)
    here = from_some.body()
    given = here.given(from_some.formula.args[1], "Let n_0 be such a length.")
    late = here.under(*means.long_(n, again).args)
    both = late.supposing(over(chi, n, start)).supposing(marked(zeta, again, start, -threshold))
    one = both.use(
        given,
        {n: n, again: again, start: turned, second: start, chi: chi, zeta: zeta},
        reflected(threshold),
        why="Let the others be below minus it. The shares for these phases and those after half "
        "a turn are near each other.",
    ).for_all(n, again, start(z), chi(z), zeta(z), why="This holds of all such lengths and marks.")
    found = here.witness(equal().args[1].args[1], {least: least}, one, why="So n_0 is as claimed.")
    first = asked.choose(from_some, found, "Such a length exists.").for_all(
        eps, why="The tolerance was arbitrary."
    )

    # One half.
    zero = sp.Integer(0)
    from_zero = law(zero)
    there = from_zero.body()
    known = there.given(from_zero.formula.args[1], "Let n_0 be such a length for the threshold 0.")
    long_enough = there.under(*means.long_(n).args)
    marks = long_enough.supposing(over(chi, n, start, zero))
    rest = lambda place: 1 - chi(place)  # noqa: E731
    lag = p.supposing(over(chi, n, start, zero)).under(within(j, 0, n - 1))
    others = lag.show(
        marked(rest, n, start, zero).args[1].args[1],
        "The rest are marks of the lags below 0.",
        lag.use(
            marks.given(over(chi, n, start, zero), "Let the marks be of the lags above 0."),
            {j: j},
            why="The mark of this lag is as it says.",
        ),
    ).for_all(j, why="It is so at every lag.")
    two = marks.use(
        known,
        {n: n, again: n, start: turned, second: start, chi: chi, zeta: rest},
        reflected(zero),
        others,
        why="The share above 0 and the rest are near each other.",
    )
    near_half = marks.show(
        means.near(share(chi, n), half),
        "There is a lag. The two shares add up to 1. So the share is near one half.",
        two,
    ).for_all(n, start(z), chi(z), why="This holds of all such lengths and marks.")
    there_is = there.witness(
        tends().args[1].args[1], {least: least}, near_half, why="So n_0 is as claimed."
    )
    second_ = asked.choose(from_zero, there_is, "Such a length exists.").for_all(
        eps, why="The tolerance was arbitrary."
    )
    p.qed("Both signs have equal shares, and 0 divides them into halves.", first, second_)
