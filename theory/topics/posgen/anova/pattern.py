"""Which features are additive: the energy must lie on planes whose turns are concentrated."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes
from ropeproof.theory.topics.posgen.anova.notation import cosine, energy, sine

position, share, ceiling, slack = real("P Q gamma epsilon")
marked = real_function("chi")
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

_PATTERN = Claim(
    id="posgen.pattern",
    title="Which features are additive: energy on planes that are slow or concentrated",
    statement=(
        r"In `posgen.anova` let $R^2=Q$ be the share explained, $T=P+\sum_le_l>0$. (a) What is missing "
        r"is the energy that turns: $\sum_le_l(1-|c_l|^2)=(1-R^2)\,T$, at most $8.04\,\%$ of $T$ "
        r"where $R\ge0.959$. (b) Necessary: planes with $|c_l|^2\le\gamma<1$ hold at most "
        r"$\frac{1-R^2}{1-\gamma}\,T$ of the energy. (c) Sufficient: if all other planes "
        r"have $|c_l|^2\ge1-\epsilon$, then $1-R^2\le\epsilon+\frac1T\sum e_l$, summed over these planes."
    ),
    needs=frozenset("PX"),
    hypotheses=(NOT_NEGATIVE, WITHIN, SPREAD, SOMETHING, SHARE, MARKS),
    conclusion=Both(
        eq(fast, (1 - share) * total),
        If(le(sp.Rational(959, 1000) ** 2, share), le(fast, sp.Rational(804, 10000) * total)),
        If(TURN, le(on_marked, (1 - share) / (1 - ceiling) * total)),
        If(REST, le(1 - share, slack + on_marked / total)),
    ),
)


def _pattern(p: Proof) -> None:
    plane = p.under(within(l, 0, m - 1))
    expanded = p.show(
        eq(fast, over_planes(energy(l)) - over_planes(energy(l) * kept_part)),
        "The energy that turns is all energy less what is explained of it,",
    )
    missing = p.show(eq(fast, (1 - share) * total), "which is what is missing.", expanded, SHARE)
    close = p.under(le(sp.Rational(959, 1000) ** 2, share))
    little = close.show(
        le((1 - share) * total, sp.Rational(804, 10000) * total),
        "At 0.959 that is little.",
        SOMETHING,
    )
    few = close.show(
        le(fast, sp.Rational(804, 10000) * total), "So is the energy.", little, missing
    )

    positive = plane.use(NOT_NEGATIVE, why="An energy is not negative,")
    at_most = plane.use(WITHIN, why="a turn is at most 1,")
    kinds = plane.use(MARKS, why="and a plane is marked or not.")
    turn = p.under(TURN)
    ruled = turn.under(*INSIDE, eq(marked(l), 1)).use(
        turn.given(ALL_TURN, "Let the marked planes turn."), why="A marked plane turns,"
    )
    inside = turn.under(*INSIDE)
    loses = inside.show(
        le((1 - ceiling) * (marked(l) * energy(l)), energy(l) * (1 - kept_part)),
        "so it loses a part of its energy, and others lose none,",
        (kinds, ruled, positive, at_most),
        by=rules.smt(),
    )
    lost = loses.summed(l, 0, m - 1, "in all")
    all_lost = turn.show(
        le((1 - ceiling) * on_marked, (1 - share) * total),
        "no more than is missing.",
        lost,
        missing,
    )
    bounded = turn.show(
        le(on_marked, (1 - share) / (1 - ceiling) * total),
        "So the marked ones hold little.",
        all_lost,
    )

    rest = p.under(REST)
    near = rest.under(*INSIDE, eq(marked(l), 0)).use(
        rest.given(OTHERS_KEPT, "Let the others be concentrated."),
        why="An unmarked plane keeps most,",
    )
    within_rest = rest.under(*INSIDE)
    keeps = within_rest.show(
        le(energy(l) * (1 - kept_part), slack * energy(l) + marked(l) * energy(l)),
        "so it loses little, a marked one all at most,",
        (
            kinds,
            near,
            positive,
            rest.given(le(0, slack), "for no negative epsilon."),
            plane.show(le(0, kept_part), "A square is not negative,", by=rules.smt()),
        ),
        by=rules.smt(),
    )
    kept_all = keeps.summed(l, 0, m - 1, "in all")
    of_all = rest.show(
        le((1 - share) * total, slack * total + on_marked),
        "no more than that share of all energy, and the marked.",
        (kept_all, missing, SPREAD),
    )
    enough = rest.show(
        le(1 - share, slack + on_marked / total), "So little is missing.", of_all, SOMETHING
    )
    p.qed("All four.", missing, few, bounded, enough)


_HALF = {
    **{m: 2, position: 0, energy(0): 1, energy(1): 1, marked(0): 1, marked(1): 0},
    **{cosine(0): 0, sine(0): 0, cosine(1): 1, sine(1): 0, share: frac(1, 2)},
    **{ceiling: 0, slack: 0},
}
"""Two planes of one energy, of which one turns and is marked, and one does not turn at all."""

POSGEN_PATTERN = prove(
    _PATTERN,
    _pattern,
    Attack(
        {
            "all energy is missing": Both(eq(fast, total), *_PATTERN.conclusion.args[1:]),
            "eight hundredths": Both(
                If(le(sp.Rational(959, 1000) ** 2, share), le(fast, sp.Rational(8, 100) * total))
            ),
            "gamma does not matter": If(TURN, le(on_marked, (1 - share) * total)),
            "marked planes lose nothing": If(REST, le(1 - share, slack)),
        },
        at={
            "all energy is missing": _HALF,
            "eight hundredths": {
                **{
                    m: 1,
                    position: 0,
                    energy(0): 1,
                    marked(0): 0,
                    sine(0): 0,
                    cosine(0): frac(959, 1000),
                },
                share: frac(919681, 10**6),
            },
            "gamma does not matter": {
                **{
                    m: 1,
                    position: 0,
                    energy(0): 1,
                    marked(0): 1,
                    sine(0): 0,
                    cosine(0): frac(1, 2),
                },
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

CLAIMS = (POSGEN_PATTERN,)
