"""The token at an absolute index: one plane of half a turn over the sequence, and a scale."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.library.exponential.exp_log import exponentials, logarithms
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.papers.citations import DECOUPLE

beta = real("beta")
q, v = integer("q v")
MEANINGS: Meanings = {
    i: "a position",
    n: "number of positions",
    beta: "inverse temperature",
    q: "the index asked for",
}
sigma = integer_function("sigma")
step = sp.pi / n


def logit(at: Term) -> Term:
    """The logit of a position for the index q."""
    return sp.cos(step * (q - at))


INDEX = Hypothesis("the index is a position", within(q, 0, n - 1))

# -- with a scale ------------------------------------------------------------------------

best = sp.cos(step)
here, flat = sp.exp(beta * logit(i)), sp.exp(beta * best)
below, above = sp.Sum(here, (i, 0, q - 1)), sp.Sum(here, (i, q + 1, n - 1))
others = every(i, 0, n - 1, If(ne(i, q), le(logit(i), best)))
warm = lt(sp.log(n - 1), beta * (1 - best))
outweighs = lt(below + above, sp.exp(beta))


def _side(side: Scope, distance: Term, share: Fact) -> tuple[Fact, Fact]:
    """At positions of one side, at this distance: the logit, and the exponential with a scale."""
    angle = side.show(
        Both(le(0, step), le(step, step * distance), le(step * distance, sp.pi)),
        "The angle to a position at another index lies between pi/n and pi.",
        (share, INDEX),
    )
    cosine = falling_cosine(
        side, step, step * distance, "So its cosine is at most that of pi/n.", angle
    )
    small = side.show(
        le(logit(i), best), "So the logit of this position is at most cos(pi/n).", cosine
    )
    scaled, ends = side.under(le(0, beta)), (beta * logit(i), beta * best)
    return small, exponentials(
        scaled, *ends, "Multiply by beta and take the exponential of both sides.", small
    )


@theorem(
    "task.absolute-index",
    source=DECOUPLE.at("section 4, Theorem 3", "repaired"),
    needs="PTXW",
    hypotheses=(INDEX,),
    conclusion=Both(lt(0, 1 - best), others, If(warm, outweighs)),
    attack=Attack(
        {
            "a margin of two steps": every(
                i, 0, n - 1, If(ne(i, q), le(logit(i), sp.cos(2 * step)))
            ),
            "any positive scale": If(lt(0, beta), outweighs),
            "half the scale": If(lt(sp.log(n - 1) / 2, beta * (1 - best)), outweighs),
        },
        at={
            "a margin of two steps": {n: 3, q: 0},
            "any positive scale": {n: 4, q: 0, beta: 1},
            "half the scale": {n: 4, q: 1, beta: sp.Rational(19, 10)},
        },
        without={INDEX: {n: 3, q: 6}},
    ),
)
def TASK_ABSOLUTE_INDEX(p: Proof) -> None:
    r"""One plane and a scale read the token at an absolute index

    With $\theta=\pi/n$ position $i$ has the logit $\cos\theta(q-i)$ for index $q$: the right one
    leads every other by at least $1-\cos\frac\pi n>0$. Scaled by $\beta$ with $\beta(1-\cos\frac\pi
    n)>\ln(n-1)$ it outweighs all others together.
    """
    before, after = p.under(within(i, 0, q - 1)), p.under(within(i, q + 1, n - 1))
    several, single = p.under(le(2, n)), le(n, 1)
    share = p.show(
        Both(lt(0, 1 / n), eq(kept(sp.Mul, n, 1 / n), 1), lt(0, step), le(1 / n, 1)),
        "With at least one position a step turns by at most half a turn.",
        INDEX,
    )
    why = "So the cosine of one step is less than that of 0."
    falls = falling_cosine(p, sp.Integer(0), step, why, share, strict=True)
    logit_before, term_before = _side(before, q - i, share)
    logit_after, term_after = _side(after, i - q, share)
    either = p.under(within(i, 0, n - 1), ne(i, q)).show(
        le(logit(i), best),
        "Both before and after the target the cosine is at most cos(pi/n).",
        (logit_before, logit_after),
    )
    all_others = p.step(
        others,
        rules.generalise(),
        "The position was arbitrary, so this holds at every other index.",
        either,
    )
    one = sp.Integer(1)
    log = logarithms(
        several, one, n - 1, "With several positions the logarithm of n - 1 is not negative."
    )
    all_before = term_before.summed(
        i, 0, q - 1, "Sum this inequality over the positions before the target."
    )
    all_after = term_after.summed(
        i, q + 1, n - 1, "Sum this inequality over the positions after the target."
    )
    ends, why = (
        (sp.log(n - 1), beta * (1 - best)),
        "The number n - 1 is less than the exponential of the scaled lead.",
    )
    enough = exponentials(p.under(warm), *ends, why, strict=True)
    known = (all_before, all_after, enough, log, falls, INDEX)
    if_several = several.under(warm).show(
        outweighs,
        "So the margin 1 - cos(pi/n) is positive. So the inverse temperature is not negative "
        "either. So the other positions together weigh less than the target.",
        known,
    )
    below_none, above_none = (
        side.under(single).show(le(here, 0), why, INDEX)
        for side, why in (
            (before, "With a single position there is none before the target."),
            (after, "With a single position there is none after the target."),
        )
    )
    nothing = (
        below_none.summed(
            i, 0, q - 1, "So the sum over the positions before the target is 0 at most.", INDEX
        ),
        above_none.summed(
            i, q + 1, n - 1, "So the sum over the positions after the target is 0 at most.", INDEX
        ),
    )
    p.qed("These statements together are the claim.", falls, all_others, if_several, nothing)
