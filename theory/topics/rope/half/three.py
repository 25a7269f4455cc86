"""Of any three of K values of a cosine at equal distances on the circle one is away from a level."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.jordan import TRIG_JORDAN

K, i1, i2, i3, d = integer("K a b c d")
size, at, level = real("C psi v")
MEANINGS: Meanings = {
    K: "number of points on the circle",
    i1: "a point",
    i2: "a second point",
    i3: "a third point",
    size: "amplitude of the cosine",
    at: "phase of the cosine",
    level: "what is added to the cosine",
}
COUNT = Hypothesis("there is a point", le(1, K))
ORDER = Hypothesis("three of K points", Both(le(0, i1), lt(i1, i2), lt(i2, i3), lt(i3, K)))


def value(place: Term) -> Term:
    """C cos(psi + 2 pi place/K) + v."""
    return size * sp.cos(at + 2 * sp.pi * place / K) + level


away = 2 * sp.Abs(size) / K**2


def _one_away(distance: Term) -> Formula:
    return Either(*(le(distance, sp.Abs(value(place))) for place in (i1, i2, i3)))


_AT: Values = {K: 3, i1: 0, i2: 1, i3: 2, size: 1, at: 0, level: 0}


@theorem(
    "rope.half-three",
    hypotheses=(COUNT, ORDER),
    conclusion=_one_away(away),
    attack=Attack(
        {
            "ten times as far": _one_away(10 * away),
            "one of the first two": Either(*(le(away, sp.Abs(value(place))) for place in (i1, i2))),
        },
        at={
            "ten times as far": _AT,
            "one of the first two": {**_AT, K: 4, i1: 0, i2: 1, i3: 2, at: -sp.pi / 4}
            | {level: -sp.sqrt(2) / 2},
        },
        without={ORDER: {K: 1, i1: 0, i2: 0, i3: 0, size: 1, at: 0, level: -1}},
        idle={COUNT: "three of K points are three at least"},
    ),
)
def ROPE_HALF_THREE(p: Proof) -> None:
    r"""Of three of K values of a cosine on a regular polygon one is away from any level

    For integers $0\le a<b<c<K$ one of the three numbers $C\cos(\psi+\frac{2\pi k}K)+v$, $k=a,b,c$, is at
    least $\frac{2|C|}{K^2}$ in size.
    """
    some_ = p.under(le(1, d), le(d, K - 1))
    third = sp.pi * d / K
    low, high = some_.under(le(2 * d, K)), some_.under(lt(K, 2 * d))
    share = some_.show(
        Both(le(1 / K, d / K), le(d / K, 1 - 1 / K)), "So d/K lies between 1/K and 1 - 1/K.", COUNT
    )
    first = low.lemma(
        TRIG_JORDAN.at(x=third),
        COUNT,
        why="The angle is at most a right one. The sine is above its chord.",
    )
    below = low.show(
        le(2 / K, sp.sin(third)), "So the sine of pi d/K is at least 2/K.", first, share
    )
    rest = sp.pi - third
    second = high.lemma(
        TRIG_JORDAN.at(x=rest),
        COUNT,
        why="Its supplement is at most a right angle. The sine of the supplement is above its "
        "chord.",
    )
    above = high.show(
        le(2 / K, sp.sin(third)),
        "The supplement has the same sine, which is at least 2/K.",
        second,
        share,
    )
    sine = some_.show(
        le(2 / K, sp.sin(third)),
        "So the sine is at least 2/K.",
        below,
        above,
        cases=(le(2 * d, K),),
    )
    none = Both(*(lt(sp.Abs(value(place)), away) for place in (i1, i2, i3)))
    inside = p.under(none)
    near = inside.given(none, "Suppose that all three are nearer.")
    turning = inside.under(ne(size, 0))

    def middle(one: Term, other: Term) -> Term:
        return at + sp.pi * (one + other) / K

    def small(one: Term, other: Term) -> Fact:
        """|sin((alpha_one + alpha_other)/2)| < 1/K."""
        product = p.show(
            eq(
                value(one) - value(other),
                2 * size * sp.sin(middle(one, other)) * sp.sin(sp.pi * (other - one) / K),
            ),
            "The difference of two cosines is a product of two sines.",
        )
        apart = p.use(
            sine, {d: other - one}, ORDER, why="The sine of half of their distance is at least 2/K."
        )
        bounded = inside.show(
            lt(
                sp.Abs(size)
                * sp.Abs(sp.sin(middle(one, other)))
                * sp.sin(sp.pi * (other - one) / K),
                away,
            ),
            "So the product is at most the distance.",
            product,
            near,
            apart,
            p.show(lt(0, 1 / K), "The number 1/K is positive.", COUNT),
        )
        return turning.show(
            lt(sp.Abs(sp.sin(middle(one, other))), 1 / K),
            "Divide by the amplitude and by this sine.",
            bounded,
            apart,
            COUNT,
        )

    pair, other_pair = small(i1, i2), small(i1, i3)
    between = p.use(
        sine,
        {d: i3 - i2},
        ORDER,
        why="The sine of half of the distance of the others is at least 2/K.",
    )
    difference = p.show(
        eq(
            sp.sin(sp.pi * (i3 - i2) / K),
            sp.sin(middle(i1, i3)) * sp.cos(middle(i1, i2))
            - sp.cos(middle(i1, i3)) * sp.sin(middle(i1, i2)),
        ),
        "It is the sine of the difference of the two means.",
    )
    never = turning.show(
        _one_away(away),
        "It would be below 2/K, a contradiction.",
        pair,
        other_pair,
        between,
        difference,
    )
    still = inside.under(eq(size, 0)).show(
        _one_away(away), "Without amplitude the distance is 0.", COUNT
    )
    p.qed("So one of the three is away.", never, still, by=rules.smt())
