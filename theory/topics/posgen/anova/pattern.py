"""Which features are additive: the energy must lie on planes whose turns are concentrated."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes
from ropeproof.theory.topics.posgen.anova import notation
from ropeproof.theory.topics.posgen.anova.notation import cosine, energy, sine

position, share, ceiling, slack = real("P Q gamma epsilon")
marked = real_function("chi")
MEANINGS: Meanings = {
    **notation.MEANINGS,
    position: "variance of the positional part",
    share: "share of the variance that the best additive fit explains",
    ceiling: "bound of the concentration on the chosen planes",
    slack: "by how much the other planes miss full concentration, at most",
    marked: "1 on the chosen planes, else 0",
}
kept_part = cosine(l) ** 2 + sine(l) ** 2

NOT_NEGATIVE = Hypothesis("energies are not negative", every(l, 0, m - 1, le(0, energy(l))))
WITHIN = Hypothesis("a mean turn is at most 1 in size", every(l, 0, m - 1, le(kept_part, 1)))
SPREAD = Hypothesis("the positional part has a variance", le(0, position))
total = position + over_planes(energy(l))
SOMETHING = Hypothesis("there is something to explain", lt(0, total))
SHARE = Hypothesis(
    "Q is the share that the best additive fit explains",
    eq(share * total, position + over_planes(energy(l) * kept_part)),
)
MARKS = Hypothesis(
    "chi marks some planes", every(l, 0, m - 1, Either(eq(marked(l), 0), eq(marked(l), 1)))
)

fast = over_planes(energy(l) * (1 - kept_part))
on_marked = over_planes(marked(l) * energy(l))
INSIDE = within(l, 0, m - 1).args
ALL_TURN = Every((l,), If(Both(*INSIDE, eq(marked(l), 1)), le(kept_part, ceiling)))
OTHERS_KEPT = Every((l,), If(Both(*INSIDE, eq(marked(l), 0)), le(1 - slack, kept_part)))
TURN, REST = Both(lt(ceiling, 1), ALL_TURN), Both(le(0, slack), OTHERS_KEPT)
FEW = If(le(sp.Rational(959, 1000) ** 2, share), le(fast, sp.Rational(804, 10000) * total))
BOUNDED = If(TURN, le(on_marked, (1 - share) / (1 - ceiling) * total))
ENOUGH = If(REST, le(1 - share, slack + on_marked / total))


_HALF: Values = {
    **{m: 2, position: 0, energy(0): 1, energy(1): 1, marked(0): 1, marked(1): 0},
    **{cosine(0): 0, sine(0): 0, cosine(1): 1, sine(1): 0, share: frac(1, 2)},
    **{ceiling: 0, slack: 0},
}
"""Two planes of one energy, of which one turns and is marked, and one does not turn at all."""


@theorem(
    "posgen.pattern",
    hypotheses=(NOT_NEGATIVE, WITHIN, SPREAD, SOMETHING, SHARE, MARKS),
    conclusion=Both(eq(fast, (1 - share) * total), FEW, BOUNDED, ENOUGH),
    attack=Attack(
        {
            "all energy is missing": Both(eq(fast, total), FEW, BOUNDED, ENOUGH),
            "eight hundredths": Both(
                If(le(sp.Rational(959, 1000) ** 2, share), le(fast, sp.Rational(8, 100) * total))
            ),
            "gamma does not matter": If(TURN, le(on_marked, (1 - share) * total)),
            "marked planes lose nothing": If(REST, le(1 - share, slack)),
        },
        at={
            "all energy is missing": _HALF,
            "eight hundredths": {
                **{m: 1, position: 0, energy(0): 1, marked(0): 0},
                **{sine(0): 0, cosine(0): frac(959, 1000)},
                share: frac(919681, 10**6),
            },
            "gamma does not matter": {
                **{m: 1, position: 0, energy(0): 1, marked(0): 1},
                **{sine(0): 0, cosine(0): frac(1, 2)},
                **{share: frac(1, 4), ceiling: frac(1, 4)},
            },
            "marked planes lose nothing": _HALF,
        },
        without={
            NOT_NEGATIVE: {**_HALF, energy(0): 3, energy(1): -2, cosine(1): 0, share: 0},
            WITHIN: {**_HALF, sine(1): 1, share: 1},
            SPREAD: {
                **{m: 1, position: -frac(1, 2), energy(0): 1, marked(0): 0, share: 0},
                **{cosine(0): frac(1, 2), sine(0): frac(1, 2), slack: frac(1, 2)},
            },
            MARKS: {
                **{m: 1, position: 0, energy(0): 1, marked(0): 5, share: 1},
                **{cosine(0): 1, sine(0): 0, ceiling: 0},
            },
        },
    ),
)
def POSGEN_PATTERN(p: Proof) -> None:
    r"""Which features are additive: energy on planes that are slow or concentrated

    In `posgen.anova` let $R^2=Q$ be the share explained, $T=P+\sum_le_l>0$. (a) What is missing
    is the energy that turns: $\sum_le_l(1-|c_l|^2)=(1-R^2)\,T$, at most $8.04\,\%$ of $T$ where
    $R\ge0.959$. (b) Necessary: planes with $|c_l|^2\le\gamma<1$ hold at most
    $\frac{1-R^2}{1-\gamma}\,T$ of the energy. (c) Sufficient: if all other planes have
    $|c_l|^2\ge1-\epsilon$, then $1-R^2\le\epsilon+\frac1T\sum e_l$, summed over these planes.
    """
    plane = p.under(within(l, 0, m - 1))
    missing = p.show(
        eq(fast, (1 - share) * total),
        "The energy that turns is all energy less the explained energy. By the definition of "
        "Q this is the share 1 - Q of the total.",
        SHARE,
    )
    close = p.under(le(sp.Rational(959, 1000) ** 2, share))
    few = close.show(
        le(fast, sp.Rational(804, 10000) * total),
        "At a correlation of 0.959 this share is at most 201/2500. So the energy that turns "
        "is at most 201/2500 of the total.",
        (SOMETHING, missing),
    )

    positive = plane.use(NOT_NEGATIVE, why="The energy of a plane is not negative, by hypothesis.")
    at_most = plane.use(WITHIN, why="The squared mean turn is at most 1, by hypothesis.")
    kinds = plane.use(MARKS, why="A plane is marked or not, by hypothesis.")
    turn = p.under(TURN)
    ruled = turn.under(*INSIDE, eq(marked(l), 1)).use(
        turn.given(
            ALL_TURN, "Suppose that marked planes have a squared mean turn of at most gamma."
        ),
        why="In particular this holds for the plane l if it is marked.",
    )
    inside = turn.under(*INSIDE)
    lost = inside.show(
        le((1 - ceiling) * (marked(l) * energy(l)), energy(l) * (1 - kept_part)),
        "A marked plane loses at least 1 - gamma of its energy, and others lose none or more.",
        (kinds, ruled, positive, at_most),
    ).summed(l, 0, m - 1, "Sum this inequality over all planes.")
    all_lost = turn.show(
        le((1 - ceiling) * on_marked, (1 - share) * total),
        "So 1 - gamma times the marked energy is at most the unexplained energy.",
        (lost, missing),
    )
    bounded = turn.show(
        le(on_marked, (1 - share) / (1 - ceiling) * total),
        "Divide by 1 - gamma, which is positive.",
        all_lost,
    )

    rest = p.under(REST)
    near = rest.under(*INSIDE, eq(marked(l), 0)).use(
        rest.given(
            OTHERS_KEPT,
            "Suppose that unmarked planes have a squared mean turn of at least 1 - epsilon.",
        ),
        why="In particular this holds for the plane l if it is unmarked.",
    )
    within_rest = rest.under(*INSIDE)
    kept_all = within_rest.show(
        le(energy(l) * (1 - kept_part), slack * energy(l) + marked(l) * energy(l)),
        "The tolerance epsilon is not negative. The sum of two squares is not negative. An "
        "unmarked plane loses at most epsilon of its energy, a marked one at most all.",
        (kinds, near, positive),
    ).summed(l, 0, m - 1, "Sum this inequality over all planes.")
    enough = rest.show(
        le(1 - share, slack + on_marked / total),
        "So the unexplained energy is at most epsilon times the total, plus the marked "
        "energy. Divide by the total, which is positive.",
        (kept_all, missing, SPREAD, SOMETHING),
    )
    p.qed("The four statements together are the claim.", missing, few, bounded, enough)
