"""The share of lags at which a logit is below a threshold has a limit that no phase changes."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.indicators import plane
from ropeproof.theory.topics.rope.half import marks, means, shifts, step, turned
from ropeproof.theory.topics.rope.half.marks import chi, zeta
from ropeproof.theory.topics.rope.half.means import again, eps, least, second, start, y, z
from ropeproof.theory.topics.rope.half.powers_agree import powers_agree
from ropeproof.theory.topics.rope.half.three import K
from ropeproof.theory.topics.rope.half.turned import threshold

MEANINGS: Meanings = {**marks.MEANINGS, **means.MEANINGS, plane: "the plane with amplitude"}


@theorem(
    "rope.half-law",
    needs="PX",
    hypotheses=(means.ANGLES, turned.PLANE, turned.TURNS),
    conclusion=marks.agree(),
    example=(*means.EXAMPLE, *where({plane: 0, threshold: 0})),
    example_by=means.BY["example_by"],
    uses=means.BY["uses"],
    attack=Attack(
        {"at every length": marks.agree_always()},
        unshown={
            means.ANGLES: means.UNSHOWN,
            turned.PLANE: "no drawn instance decides what holds from some length on",
            turned.TURNS: "without amplitude D is 0 at every lag, and marks at tau = 0 are free; no drawn "
            "instance decides it",
        },
    ),
)
def ROPE_HALF_LAW(p: Proof) -> None:
    r"""The share of lags below a threshold has a limit that phases do not change

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$ with some $C_p\ne0$, $\theta_0,\dots,\theta_{m-1},2\pi$
    independent over the rationals. For every $\tau$ and $\epsilon>0$ there is an $n_0$ such that the shares
    of lags $t<n$ with $D_x(t)<\tau$, and of $t<N$ with $D_u(t)<\tau$, are within $\epsilon$ of each other for
    all $n,N\ge n_0$ and all phases $x,u$, where lags with equality may be counted or not. So they have one
    limit, and the share of the lags with $D_x(t)=\tau$ tends to 0.
    """
    part = eps / 12
    chosen = Both(le(1, K), le(24 / eps, K))
    asked = p.under(lt(0, eps))
    number = sp.floor(24 / eps) + 1
    positive = asked.show(lt(0, 24 / eps), "This number is positive.")
    whole = integer("h")
    next_one = p.under(lt(0, y), eq(sp.floor(y), whole))
    above = next_one.show(
        Both(le(1, whole + 1), le(y, whole + 1)),
        "Let h be its whole part. The next integer is above a number.",
    )
    exists_k = asked.witness(
        Some((K,), chosen),
        {K: number},
        asked.use(
            above,
            {y: 24 / eps, whole: sp.floor(24 / eps)},
            positive,
            why="The next integer is above it.",
        ),
        why="There is such a number of turns.",
    )
    here = asked.under(chosen)
    many = here.given(chosen, "Let K be such a number.")
    exists = here.lemma(
        step.ROPE_HALF_STEP.at(B=means.largest, varepsilon=threshold, delta=shifts.away, eta=part),
        (turned.TURNS, many),
        why="A square is positive. The window is not empty. The tolerance is positive. There is "
        "a power that is nearly a step at the threshold.",
    )
    inside = exists.body()
    counted, everywhere = (
        inside.given(part_, "Let this be the power.") for part_ in exists.formula.args[1].args
    )
    valued = inside.under(le(y, means.largest))
    parts = valued.use(everywhere, {y: y}, why="So its bounds hold at every value of D.")
    fall = means.falling(y)
    functions, (first, other) = powers_agree((asked, inside, valued), parts, counted, part)
    off, step_, quarter = functions
    bound = integer("n_1")
    renamed = inside.show(
        Some((bound,), other.formula.args[1].xreplace({least: bound})),
        "Call this length n_1.",
        other,
    )
    both = first.body().under(renamed.formula.args[1])
    f_near = both.given(first.formula.args[1], "Let n_0 be such a length for f.")
    g_near = both.given(renamed.formula.args[1], "Let n_1 be such a length for 4 f (1 - f).")
    longer = sp.Max(least, bound)
    lengths = both.under(le(1, n), le(longer, n), le(1, again), le(longer, again))
    late = lengths.supposing(marks.marked(chi, n, start)).supposing(
        marks.marked(zeta, again, second)
    )
    long_enough = lengths.show(
        Both(le(least, n), le(least, again), le(bound, n), le(bound, again)),
        "A length that is at least the larger of the two is at least each.",
    )
    level = valued.show(
        Both(le(off(y), 1), If(le(shifts.away, sp.Abs(y - threshold)), le(off(y), part))),
        "Away from the threshold 4 f (1 - f) is small.",
        parts,
    ).for_all(y, why="It is so at every value of D.")
    off_step = valued.show(
        Both(
            If(le(y, threshold), Both(le(1 - fall, off(y)), le(fall, 1))),
            If(le(threshold, y), Both(le(fall, off(y)), le(0, fall))),
        ),
        "It bounds by what the power is off the step.",
        parts,
    ).for_all(y, why="It is so at every value of D.")

    def side(mark: Function, count: Term, phases: Function) -> tuple[Fact, Fact]:
        """The share is near the mean of f, which is off by a small mean."""
        close = late.lemma(
            marks.ROPE_HALF_MARK.at(F=step_, G=off, chi=mark, n=count, x=phases),
            off_step,
            why="There is a lag. Let the marks be of this threshold. The share is within the "
            "mean of 4 f (1 - f) of that of f.",
        )
        pair = lengths.use(
            g_near,
            {n: count, again: count, start: start, second: second},
            long_enough,
            why="Its means for any two choices of phases are near each other.",
        )
        one_way = lengths.show(
            le(means.mean(off, count, start), means.mean(off, count, second) + part),
            "So one is at most the other and the tolerance.",
            pair,
            [
                p.show(
                    eq(means.mean(off, count, at), 4 * means.mean(quarter, count, at)),
                    "The factor 4 is common to all lags.",
                )
                for at in (start, second)
            ],
        ).for_all(start(z), second(z), why="It is so for all phases.")
        few = late.lemma(
            shifts.ROPE_HALF_SHIFTS.at(F=off, n=count, eta=part, x=phases),
            (turned.PLANE, many, level, one_way),
            why="So the mean of 4 f (1 - f) is small.",
        )
        return close, few

    ends = [side(chi, n, start), side(zeta, again, second)]
    middle = late.use(
        f_near,
        {n: n, again: again, start: start, second: second},
        long_enough,
        why="The means of f are near each other.",
    )
    done = late.show(
        means.near(marks.share(chi, n), marks.share(zeta, again)),
        "Multiply this bound by epsilon. With so many turns 2/K is small. So the shares are "
        "within the tolerance.",
        (ends[0], ends[1], middle, many),
    ).for_all(n, again, start(z), second(z), chi(z), zeta(z), why="This holds of all such lengths.")
    found = both.witness(
        p.goal.args[1].args[1],
        {least: longer},
        done,
        why="So the larger of the two lengths is as claimed.",
    )
    one_less = first.body().choose(renamed, found, "Such a length exists for 4 f (1 - f).")
    no_length = inside.choose(first, one_less, "Such a length exists for f.")
    no_power = here.choose(exists, no_length, "Such a power exists.")
    asked.choose(exists_k, no_power, "Such a number of turns exists.").for_all(
        eps, why="The tolerance was arbitrary."
    )
