"""Turning the phase of one plane by a K-th of the circle k times changes one cosine of a logit."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, theta
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, plane, whether
from ropeproof.theory.topics.rope.half.means import k, size, start, wave
from ropeproof.theory.topics.rope.half.three import K

threshold = real("tau")
MEANINGS: Meanings = {threshold: "the threshold"}
PLANE = Hypothesis("the plane is one of the head's", within(plane, 0, m - 1))
TURNS = Hypothesis("the plane has amplitude", ne(size(plane), 0))
base = start(plane) + theta(plane) * j  # the angle of the plane at a lag
rest = wave(start, j) - size(plane) * sp.cos(base) - threshold  # what no turn changes


def shifted(turns: Term) -> Callable[..., Term]:
    """The phases after so many of K turns of the plane."""
    return lambda place: start(place) + 2 * sp.pi * turns / K * indicator(place, plane)


def after_turns(p: Proof) -> Fact:
    """After k turns of plane p, D less the threshold is one cosine and what does not depend on k."""
    turned = start(l) + 2 * sp.pi * k / K + theta(l) * j
    plain = start(l) + theta(l) * j
    change = size(l) * (sp.cos(turned) - sp.cos(plain))
    term = eq(
        size(l) * sp.cos(shifted(k)(l) + theta(l) * j) - size(l) * sp.cos(plain),
        indicator(l, plane) * change,
    )
    one, none = whether(p, (l, plane))
    here = one.scope.rewrite(term, "At the plane itself the phase is turned.", one)
    elsewhere = none.scope.rewrite(term, "At any other plane both sides are 0.", none)
    moved = p.show(
        term, "So a plane changes if it is the one that is turned.", here, elsewhere
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    pick = p.lemma(
        SUMS_INDICATOR.at(f=sp.Lambda(l, change)),
        PLANE,
        why="Of the changes that of plane p alone is left.",
    )
    return p.show(
        eq(wave(shifted(k), j) - threshold, size(plane) * sp.cos(base + 2 * sp.pi * k / K) + rest),
        "The sum of the differences is the difference of the sums. So after k turns D - tau "
        "is one cosine and what does not depend on k.",
        (moved, pick),
    )
