"""Planes of frequency at most pi/N may give all their amplitude to the fastest of them.

Whatever the amplitudes, those of the slow planes may be moved to the fastest slow plane p: chi
marks the slow planes, `here` the plane p, and a_moved are the new amplitudes.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, m, over_planes, theta
from ropeproof.theory.library.sums.indicators import SUMS_PICK, here, plane
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total
from ropeproof.theory.topics.slash.game import game_bounds
from ropeproof.theory.topics.slash.game.game_bounds import reach

h, c = integer("h c")
moved, slow = real_function("a_moved"), real_function("chi")
MEANINGS: Meanings = {
    **game_bounds.MEANINGS,
    plane: "the fastest of the slow planes",
    moved: shown_as("a′", "a'", "amplitudes moved to the one slow plane"),
}
bound = sp.pi / reach
is_slow = le(theta(l), bound)
gain, top_gain = 1 - sp.cos(theta(l) * j), 1 - sp.cos(theta(plane) * j)  # the fall at distance j
mass = sp.Sum(amplitude(c) * slow(c), (c, 0, m - 1))  # what is moved
value = amplitude(l) * (1 - slow(l)) + here(l) * mass

MARKS = every(
    l, 0, m - 1, Both(If(is_slow, eq(slow(l), 1)), If(lt(bound, theta(l)), eq(slow(l), 0)))
)
AT_P = eq(here(plane), 1)
ELSEWHERE = every(l, 0, m - 1, If(ne(l, plane), eq(here(l), 0)))
MOVED = every(l, 0, m - 1, eq(moved(l), value))

A_LAG = Hypothesis("there is a lag", le(1, reach))
PLANE = Hypothesis("the plane is one of the planes", within(plane, 0, m - 1))
SLOW = Hypothesis("it is slow", le(theta(plane), bound))
FASTEST = Hypothesis(
    "it is the fastest of the slow",
    every(l, 0, m - 1, Both(le(0, theta(l)), If(is_slow, le(theta(l), theta(plane))))),
)
better = (
    every(l, 0, m - 1, le(0, moved(l))),
    every(l, 0, m - 1, If(Both(is_slow, ne(l, plane)), eq(moved(l), 0))),
    eq(over_planes(moved(l)), total()),
    every(j, 1, reach, le(over_planes(amplitude(l) * gain), over_planes(moved(l) * gain))),
)


class _Planes:
    """What is known of a plane l: its mark, its new amplitude, whether it is p."""

    def __init__(self, p: Proof) -> None:
        self.marks, self.moves = p.under(MARKS), p.under(MOVED)
        self.all = p.under(MARKS, AT_P, ELSEWHERE, MOVED)
        self.one = self.all.under(*INSIDE)
        plane_l = p.under(*INSIDE)
        marks = self.marks.given(MARKS, "Every plane has its mark chi.")
        self.mark = self.marks.under(*INSIDE).use(
            marks, why="The mark is 1 if the plane is slow and 0 if it is fast."
        )
        self.kind = self.mark.scope.show(
            within(slow(l), 0, 1), "So the mark lies between 0 and 1.", self.mark
        )
        definition = self.moves.given(MOVED, "Every plane has its new amplitude.")
        self.new = self.moves.under(*INSIDE).use(
            definition,
            why="A plane keeps what is not slow, and p gets the amplitude of the slow planes.",
        )
        self.positive = plane_l.use(NOT_NEGATIVE, why="The amplitude of a plane is not negative.")
        self.marked = self.mark.scope.show(
            le(0, amplitude(l) * slow(l)),
            "So an amplitude times its mark is not negative.",
            (self.positive, self.kind),
        )
        renamed = self.marks.under(within(c, 0, m - 1)).use(
            self.marked, {l: c}, why="This holds for the plane called c as well."
        )
        self.mass_sign = renamed.summed(
            c, 0, m - 1, "So the amplitude that is moved is not negative."
        )
        self.indicator = p.under(ELSEWHERE).given(
            ELSEWHERE, "The indicator of p is 0 at every other plane."
        )
        self.not_here = self.indicator.scope.under(*INSIDE).use(
            self.indicator,
            goal=If(ne(l, plane), eq(here(l), 0)),
            why="In particular it is 0 at this plane if it is not p.",
        )


def _signs(p: Proof, planes: _Planes) -> tuple[Fact, Fact]:
    """No new amplitude is negative, and those of slow planes other than p are 0."""
    at_p = p.under(eq(l, plane))
    same = at_p.given(eq(l, plane), "Suppose that the plane is p.")
    there = same.image(here, "Then the indicator is that at p, which is 1.")
    positive = planes.one.show(
        le(0, moved(l)),
        "So the indicator is never negative. So the new amplitude of a plane is not negative.",
        (planes.new, planes.positive, planes.kind, planes.mass_sign, planes.not_here, there),
    )
    signs = positive.for_all(l, why="This holds for every plane.")
    zero = planes.one.show(
        If(Both(is_slow, ne(l, plane)), eq(moved(l), 0)),
        "The new amplitude of a slow plane other than p is 0.",
        (planes.new, planes.mark, planes.not_here),
    )
    return signs, zero.for_all(l, why="This holds for every plane.")


def _picked(p: Proof, planes: _Planes, term: Term, why: str) -> Fact:
    """The sum over the planes of a term against the indicator of p is the term at p."""
    return p.under(AT_P, ELSEWHERE).lemma(
        SUMS_PICK.at(f=sp.Lambda(l, term)), (PLANE, planes.indicator), why=why
    )


def _same_sum(p: Proof, planes: _Planes) -> Fact:
    """The new amplitudes have the sum of the old ones."""
    new = planes.new.summed(l, 0, m - 1, "Sum the new amplitudes over the planes.")
    gets = _picked(
        p, planes, mass, "The sum of the indicator times the moved amplitude is that amplitude."
    )
    return planes.all.show(
        better[2],
        "This is the old sum minus what is moved plus what p gets. The amplitude that is "
        "moved is that of the marked planes. So the new amplitudes have the sum of the old "
        "ones.",
        (new, gets),
    )


def _no_less(p: Proof, planes: _Planes) -> Fact:
    """At a distance 1 <= j <= N the new fall is at least the old one."""
    term = planes.new.scope.show(
        eq(moved(l) * gain, value * gain),
        "The new fall of a plane is that of its new amplitude.",
        planes.new,
    )
    new = term.summed(l, 0, m - 1, "Sum this equation over the planes.")
    gets = _picked(p, planes, mass * gain, "The plane p falls with the amplitude that is moved.")

    order = p.under(*INSIDE).use(FASTEST, why="A slow plane is at most as fast as p.")
    one_slow = p.under(*INSIDE, within(j, 1, reach), is_slow)
    angles = one_slow.show(
        Both(le(0, theta(l) * j), le(theta(l) * j, theta(plane) * j), le(theta(plane) * j, sp.pi)),
        "In j steps the plane p turns by at most j pi/N. As j is at most N, this is at most "
        "half a turn. So both angles lie within half a turn, that of the plane before that "
        "of p.",
        (order, SLOW, A_LAG),
    )
    cosines = one_slow.apply(
        TRIG_COSINE_DECREASING, angles, why="So the cosine of p is at most that of the slow plane."
    )
    loses_nothing = planes.marks.under(*INSIDE, within(j, 1, reach)).show(
        le(amplitude(l) * slow(l) * gain, amplitude(l) * slow(l) * top_gain),
        "So moving the amplitude of a slow plane to p does not shrink the fall.",
        (cosines, planes.mark, planes.marked),
    )
    most_slow = loses_nothing.summed(l, 0, m - 1, "Sum this inequality over the planes.")
    return planes.all.under(within(j, 1, reach)).show(
        le(over_planes(amplitude(l) * gain), over_planes(moved(l) * gain)),
        "The new fall is that of the fast planes plus that of p. The old fall is that of the "
        "fast planes plus that of the slow ones. The right side is the moved amplitude times "
        "the fall of p. So the new fall is at least the old one.",
        (new, gets, most_slow),
    )


_ONE = {m: 1, reach: 1, plane: 0, theta(0): 1, amplitude(0): 1}


@theorem(
    "slash.game-bands",
    needs="PC",
    hypotheses=(NOT_NEGATIVE, A_LAG, PLANE, SLOW, FASTEST),
    conclusion=Some((moved(h),), Both(*better)),
    attack=Attack(
        {
            "all amplitude may go to p": every(
                j, 1, reach, le(over_planes(amplitude(l) * gain), total() * top_gain)
            )
        },
        idle={A_LAG: "without lags every amplitude is as good: put it all on the plane p"},
        without={
            NOT_NEGATIVE: {**_ONE, amplitude(0): -1},
            PLANE: {**_ONE, plane: 5, theta(5): 1},
            SLOW: {**_ONE, m: 2, plane: 1, amplitude(1): 0, theta(1): sp.Rational(628, 100)},
            FASTEST: {**_ONE, m: 2, plane: 1, amplitude(1): 0, theta(1): 0},
        },
    ),
)
def SLASH_GAME_BANDS(p: Proof) -> None:
    r"""Planes with θ ≤ π/N may give all their amplitude to the fastest of them

    Let $\theta_l\ge0$ and $p$ be the fastest plane with $\theta_p\le\pi/N$. For any amplitudes
    $A_l\ge0$ there are amplitudes of the same sum, 0 on every plane with $\theta_l\le\pi/N$ but
    $p$, whose fall $E_t$ is at least as large at every $1\le t\le N$. So they keep every margin
    that the $A_l$ keep; made from the optimal shares of `slash.game` they are optimal shares, too,
    with weight on at most one plane with $\theta_l\le\pi/N$.
    """
    marked = p.witness(
        Some((slow(h),), MARKS),
        {slow: sp.Lambda(l, sp.Piecewise((1, is_slow), (0, True)))},
        why="Give the slow planes the mark 1 and the fast ones 0.",
    )
    this_plane = p.witness(
        Some((here(h),), Both(AT_P, ELSEWHERE)),
        {here: sp.Lambda(l, sp.Piecewise((1, eq(l, plane)), (0, True)))},
        why="Take the indicator of the plane p.",
    )
    movable = p.witness(
        Some((moved(h),), MOVED),
        {moved: sp.Lambda(l, value)},
        why="Move the amplitude of the slow planes to p.",
    )
    planes = _Planes(p)
    signs, zeros = _signs(p, planes)
    same_sum = _same_sum(p, planes)
    falls = _no_less(p, planes).for_all(j, why="This holds at every distance from 1 to N.")
    found = planes.all.witness(
        p.goal,
        {moved: moved},
        (signs, zeros, same_sum, falls),
        why="These new amplitudes are as claimed.",
    )
    chosen = p.under(MARKS, AT_P, ELSEWHERE).choose(
        movable, found, "The claim holds, as such new amplitudes exist."
    )
    at_p = planes.marks.choose(this_plane, chosen, "The claim holds, as such an indicator exists.")
    p.choose(marked, at_p, "The claim holds, as such marks exist.")
