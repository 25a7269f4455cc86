"""The discrepancy of a head at a length: how far the target's logit leads, over all its inputs."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.papers.citations import HEADS

x, inputs = integer("x n_inputs")
smallest, largest, gamma = real("Delta_min Delta_max Gamma")
lead, rival = real_function("lead"), integer_function("rival")
MEANINGS: Meanings = {
    j: "a position",
    n: "number of positions",
    x: "an input",
    inputs: shown_as("n_x", "n_x", "number of inputs"),
    smallest: "the smallest discrepancy",
    largest: "the largest discrepancy",
    gamma: "the margin, in logits",
    lead: shown_as("lead", r"\mathrm{lead}", "lead over a position, by input and position"),
    rival: shown_as("rival", r"\mathrm{rival}", "1 at the target's rivals, by input and position"),
}

# -- for any inputs ------------------------------------------------------------------------


def has_lead(lead_by: Term, gap: Term, rivals: Formula) -> Formula:
    """On one input the target leads every rival j by so much."""
    return Every((j,), If(rivals, le(lead_by, gap)))


def is_smallest(
    value: Term, over: tuple[Term, ...], allowed: Formula, gap: Term, rivals: Formula
) -> Formula:
    """The value is the smallest discrepancy: a lead on every input `over`, attained on one.

    `gap` is the target's logit less that of the position j, `rivals` says which j compete with it.
    """
    everywhere = Every(over, If(allowed, has_lead(value, gap, rivals)))
    return Both(everywhere, Some((*over, j), Both(allowed, rivals, eq(gap, value))))


def is_largest(
    value: Term, over: tuple[Term], allowed: Formula, gap: Term, rivals: Formula
) -> Formula:
    """The value is the largest discrepancy: a lead on one input, and no input has a larger one."""
    no_more = Every(over, If(allowed, Some((j,), Both(rivals, le(gap, value)))))
    return Both(Some(over, Both(allowed, has_lead(value, gap, rivals))), no_more)


# -- for listed inputs ---------------------------------------------------------------------

LISTED = within(x, 0, inputs - 1)
COMPETES = Both(*within(j, 0, n - 1).args, eq(rival(x, j), 1))
TABLE = ((x,), LISTED, lead(x, j), COMPETES)
every_input = Every((x,), If(LISTED, has_lead(gamma, lead(x, j), COMPETES)))
some_input = Some((x,), Both(LISTED, has_lead(gamma, lead(x, j), COMPETES)))

SMALLEST = Hypothesis("Delta_min is the smallest discrepancy", is_smallest(smallest, *TABLE))
LARGEST = Hypothesis("Delta_max is the largest discrepancy", is_largest(largest, *TABLE))


def _bounded(p: Proof) -> Fact:
    """The smallest is at most the largest."""
    smaller = p.show(
        SMALLEST.formula.args[0], "The smallest discrepancy is a lead on every input.", SMALLEST
    )
    exists, no_more = p.show(
        LARGEST.formula,
        "By definition the largest discrepancy is attained and never exceeded.",
        LARGEST,
    ).parts("This is one of the two parts of the definition.")
    here = exists.body()
    some_rival = here.use(
        no_more, why="On this input some rival leads by at most the largest discrepancy."
    )
    there = some_rival.body()
    leads = there.use(
        smaller, why="On this input the target leads every rival by the smallest discrepancy."
    )
    behind = there.use(leads, why="In particular it leads this rival by the smallest discrepancy.")
    order = there.show(
        p.goal.args[0], "So the smallest discrepancy is at most the largest.", behind
    )
    one = here.choose(some_rival, order, "This holds whichever rival it is.")
    return p.choose(exists, one, "This holds whichever input it is.")


def _on_every(p: Proof) -> Fact:
    """A lead on every input is at most the smallest, and the smallest is one."""
    smaller, attained = p.show(
        SMALLEST.formula,
        "By definition the smallest discrepancy is a lead everywhere and attained.",
        SMALLEST,
    ).parts("This is one of the two parts of the definition.")
    led = p.given(every_input, "Suppose that the target leads by Gamma on every input.")
    place = led.scope.under(*attained.body().assuming)
    there = place.use(
        led, why="Then it leads by Gamma on the input where the smallest is attained."
    )
    rival_there = place.use(there, why="In particular it leads the rival there by Gamma.")
    bound = place.show(
        le(gamma, smallest),
        "The lead over that rival is the smallest discrepancy, so Gamma is at most that.",
        rival_there,
    )
    at_most = led.scope.choose(
        attained, bound, "This holds wherever the smallest discrepancy is attained."
    )
    below = p.under(le(gamma, smallest), LISTED, *COMPETES.args)
    all_led = below.use(
        smaller, why="The target leads every rival of an input by the smallest discrepancy."
    )
    lead_here = below.use(
        all_led, why="In particular it leads the rival j by the smallest discrepancy."
    )
    less = below.show(
        le(gamma, lead(x, j)), "So a Gamma of at most the smallest is at most this lead.", lead_here
    )
    everywhere = less.for_all(j, why="This holds for every rival of the input.").for_all(
        x, why="This holds for every input of the list."
    )
    return p.show(
        iff(every_input, le(gamma, smallest)),
        "So Gamma is a lead on every input exactly if it is at most the smallest.",
        (at_most, everywhere),
    ).for_all(gamma, why="This holds for every number Gamma.")


def _on_some(p: Proof) -> Fact:
    """A lead on some input is at most the largest, and the largest is one."""
    exists, no_more = p.show(
        LARGEST.formula,
        "By definition the largest discrepancy is attained and never exceeded.",
        LARGEST,
    ).parts("This is one of the two parts of the definition.")
    led = p.given(some_input, "Suppose that the target leads by Gamma on some input.")
    place = led.body().under(*led.scope.assuming)
    leads = place.given(
        has_lead(gamma, lead(x, j), COMPETES), "On this input it leads every rival by Gamma."
    )
    some_rival = place.use(
        no_more, why="Some rival there is behind by at most the largest discrepancy."
    )
    there = some_rival.body().under(*place.assuming)
    rival_there = there.use(leads, why="The target leads this rival by Gamma, too.")
    bound = there.show(
        le(gamma, largest), "So Gamma is at most the largest discrepancy.", rival_there
    )
    one = place.choose(some_rival, bound, "This holds whichever rival it is.")
    at_most = led.scope.choose(led, one, "This holds whichever input it is.")
    below = p.under(le(gamma, largest))
    there = exists.body().under(*below.assuming)
    leads = there.given(
        has_lead(largest, lead(x, j), COMPETES),
        "The target leads by the largest discrepancy on the input that has it.",
    )
    rivals = there.under(*COMPETES.args)
    lead_here = rivals.use(
        leads, why="In particular it leads the rival j by the largest discrepancy."
    )
    less = rivals.show(
        le(gamma, lead(x, j)), "So a Gamma of at most the largest is at most this lead.", lead_here
    )
    found = there.witness(
        some_input, {x: x}, less, why="So the target leads by Gamma on that input."
    )
    somewhere = below.choose(
        exists, found, "Such an input exists, as the largest discrepancy is attained."
    )
    return p.show(
        iff(some_input, le(gamma, largest)),
        "So Gamma is a lead on some input exactly if it is at most the largest.",
        (at_most, somewhere),
    ).for_all(gamma, why="This holds for every number Gamma.")


_two_inputs = {inputs: 2, n: 1, smallest: 0, largest: 1} | {
    **{rival(0, 0): 1, rival(1, 0): 1, lead(0, 0): 0, lead(1, 0): 1}
}


@theorem(
    "head.discrepancy",
    source=HEADS.at(
        "section 3.5, Definition 3.1 (the largest); appendix F.2.1, discrepancy computation (of an "
        "input) and Lemma F.1 (the minimum over inputs)",
        "repaired",
    ),
    kind="definition",
    needs="PTX",
    hypotheses=(SMALLEST, LARGEST),
    conclusion=Both(
        le(smallest, largest),
        Every((gamma,), iff(every_input, le(gamma, smallest))),
        Every((gamma,), iff(some_input, le(gamma, largest))),
    ),
    attack=Attack(
        {
            "equal": eq(smallest, largest),
            "every input up to the largest": If(le(gamma, largest), every_input),
            "some input up to the smallest alone": If(some_input, le(gamma, smallest)),
        },
        at={
            "equal": _two_inputs,
            "every input up to the largest": _two_inputs | {gamma: sp.Rational(1, 2)},
            "some input up to the smallest alone": _two_inputs | {gamma: sp.Rational(1, 2)},
        },
        without={SMALLEST: _two_inputs | {smallest: 5}, LARGEST: _two_inputs | {largest: -5}},
    ),
)
def HEAD_DISCREPANCY(p: Proof) -> None:
    r"""The discrepancy of a head at a length: the largest and the smallest over its inputs

    On an input $x$ of length $n$ the target's logit leads that of position $j$ by
    $\mathrm{lead}(x,j)$; the positions that compete with it are its rivals, and the input's
    discrepancy is the least lead over them: the largest logit less the second-largest where the
    target has the largest one and all other positions are rivals. $\Delta_{\max}$ is the largest
    discrepancy of an input of that length, the paper's $\Delta(n)$, and $\Delta_{\min}$ the
    smallest. So $\Delta_{\min}\le\Delta_{\max}$; the target leads by $\Gamma$ on every input
    exactly if $\Gamma\le\Delta_{\min}$, and on some input exactly if $\Gamma\le\Delta_{\max}$.
    Therefore both numbers are unique.
    """
    p.qed(
        "This proves the order of the two and what each of them decides.",
        (_bounded(p), _on_every(p), _on_some(p)),
    )
