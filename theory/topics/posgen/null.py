"""What an additive fit explains of random features: the null against which fits are to be read."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.posgen.anova import explained, notation
from ropeproof.theory.topics.posgen.anova.energies import APART, FIRST, SECOND
from ropeproof.theory.topics.posgen.anova.explained import POSGEN_ANOVA, TURNS, level, positional
from ropeproof.theory.topics.posgen.anova.notation import (
    A_LAG,
    cosine,
    energy,
    lags,
    mean_of,
    sine,
    t,
)

k, r, window = integer("k r N")
vartheta = real("vartheta")
MEANINGS: Meanings = {
    **explained.MEANINGS,
    **notation.MEANINGS,
    positional: "part of the logit that depends on the lag alone",
    k: "a lag",
    vartheta: "frequency of the plane",
}

# -- how concentrated turns are ----------------------------------------------------------

middle, edge = sp.Rational(1, 2), sp.sin(vartheta / 2)
WINDOW = Hypothesis("the window is not negative", le(0, window))


def cosines(count: Term) -> Term:
    """sum over 0 <= k < count of cos(k theta)."""
    return sp.Sum(sp.cos(k * vartheta), (k, 0, count - 1))


def sines(count: Term) -> Term:
    """sum over 0 <= k < count of sin(k theta)."""
    return sp.Sum(sp.sin(k * vartheta), (k, 0, count - 1))


def cosine_ends(count: Term) -> Term:
    """What 2 sin(theta/2) times the cosines comes to."""
    return sp.sin((count - middle) * vartheta) + edge


def sine_ends(count: Term) -> Term:
    """What 2 sin(theta/2) times the sines comes to."""
    return sp.cos(vartheta / 2) - sp.cos((count - middle) * vartheta)


square, window_sine = cosines(window) ** 2 + sines(window) ** 2, sp.sin(window * vartheta / 2) ** 2


def _telescoped(
    p: Proof, total: Callable[..., Term], term: Term, ends: Callable[..., Term]
) -> Fact:
    """2 sin(theta/2) times the sum is what its ends leave."""

    def law(count: Term) -> Formula:
        return eq(2 * edge * total(count), ends(count))

    some = p.under(le(0, r))
    empty = p.show(law(sp.Integer(0)), "For an empty sum both sides of the law are 0.")
    one_more = some.last(total(r + 1), "Split the last term off the sum.")
    product = p.show(
        eq(2 * edge * term, ends(r + 1) - ends(r)),
        "Twice the sine of half the angle times this term is a difference.",
    )
    following = some.under(law(r)).show(
        law(r + 1), "The differences cancel but for the ends.", one_more, product
    )
    always = some.induction(
        law(r), r, 0, empty, following, why="By induction the law holds for any number of terms."
    )
    return p.use(always, {r: window}, WINDOW, why="Apply this to the N lags of the window.")


@theorem(
    "posgen.concentration",
    hypotheses=(WINDOW,),
    conclusion=eq(edge**2 * square, window_sine),
    attack=Attack(
        {
            "the cosine": eq(edge**2 * square, sp.cos(window * vartheta / 2) ** 2),
            "twice": eq(2 * edge**2 * square, window_sine),
        },
        at={"the cosine": {window: 2, vartheta: 1}, "twice": {window: 2, vartheta: 1}},
        without={WINDOW: {window: -1, vartheta: 1}},
    ),
)
def POSGEN_CONCENTRATION(p: Proof) -> None:
    r"""How concentrated a plane's turns are over a window

    $c=\frac1N\sum_{t<N}e^{\mathrm i\vartheta t}$ has
    $|c|^2=\frac{\sin^2(N\vartheta/2)}{N^2\sin^2(\vartheta/2)}$ (cleared of its denominators).
    """
    cosine_sum = _telescoped(p, cosines, sp.cos(r * vartheta), cosine_ends)
    sine_sum = _telescoped(p, sines, sp.sin(r * vartheta), sine_ends)
    ends = cosine_ends(window) ** 2 + sine_ends(window) ** 2
    squares = p.show(
        eq(ends, 4 * window_sine), "The squares of the two ends sum to 4 sin(N vartheta/2)^2."
    )
    sides = [
        p.show(eq((2 * edge * total(window)) ** 2, end(window) ** 2), why, law)
        for total, end, why, law in (
            (cosines, cosine_ends, "Square the law for the sum of cosines.", cosine_sum),
            (sines, sine_ends, "Square the law for the sum of sines.", sine_sum),
        )
    ]
    p.qed("Add the two squares and divide by 4.", squares, *sides)


# -- the null ----------------------------------------------------------------------------

frequency = real_function("theta")
one_energy = real("E")
MEANINGS = {**MEANINGS, one_energy: "the common energy"}
NO_LAG_TERM = Hypothesis(
    "no part depends on the lag alone", every(t, 0, lags - 1, eq(positional(t), level))
)
SAME = Hypothesis("every plane has the same energy", every(l, 0, m - 1, eq(energy(l), one_energy)))
POSITIVE = Hypothesis("the energy is positive", lt(0, one_energy))
A_PLANE = Hypothesis("there is a plane", le(1, m))
TURNING = Hypothesis(
    "no plane turns by whole turns a lag", every(l, 0, m - 1, ne(sp.sin(frequency(l) / 2), 0))
)

explained_share = mean_of((explained.fitted - level) ** 2) / mean_of((explained.whole - level) ** 2)
closed = sp.sin(lags * frequency(l) / 2) ** 2 / (lags * sp.sin(frequency(l) / 2)) ** 2
null = over_planes(closed) / m
BEST = POSGEN_ANOVA.conclusion.args[2]


_FLAT = {positional(0): 0, positional(1): 0, level: 0, one_energy: 1}
_ONE: Values = {**notation.on_keys(4, notation.UNITS), **notation.THIRD, **_FLAT, energy(0): 1}


def _two(size: int) -> dict[Any, Any]:
    """Two planes that fluctuate in turn; the second one, of this size, turns by 120 degrees."""
    others = {key + 4: (size * x, size * y) for key, (x, y) in notation.UNITS.items()}
    other = {frequency(1): 2 * sp.pi / 3, cosine(1): frac(1, 4), sine(1): sp.sqrt(3) / 4}
    energies = {one_energy: frac(1, 2), energy(0): frac(1, 2), energy(1): frac(size**2, 2)}
    return {
        **notation.on_keys(8, notation.UNITS, others),
        **notation.THIRD,
        **_FLAT,
        **other,
        **energies,
    }


def _circle(fluctuations: Mapping[int, tuple[int, int]], **more: Any) -> Values:
    return {**_ONE, **notation.on_keys(len(fluctuations), fluctuations), **more}


@theorem(
    "posgen.null",
    meanings={k: "a plane"},
    needs="PCT",
    hypotheses=(
        *(notation.CHANCES, explained.CENTRED, TURNS, FIRST, SECOND, APART, A_LAG),
        *(NO_LAG_TERM, SAME, POSITIVE, A_PLANE, TURNING),
    ),
    conclusion=Both(eq(explained_share, null), BEST),
    example=(
        *notation.ONE_PLANE,
        *where({level: 1, one_energy: 1}),
        Every((t,), eq(positional(t), 1)),
    ),
    attack=Attack(
        {
            "the sum": Both(eq(explained_share, over_planes(closed)), BEST),
            "zero": Both(eq(explained_share, 0), BEST),
            "all": Both(eq(explained_share, 1), BEST),
        },
        at={"the sum": _two(1), "zero": _ONE, "all": _ONE},
        without={
            explained.CENTRED: _circle({1: (1, 1), 2: (1, -1)})
            | {
                **{energy(0): 2, one_energy: 2, notation.by_lag(0): 1},
                **{notation.by_lag(1): 0, notation.by_key(1): 0, notation.by_key(2): 0},
            },
            TURNS: {**_ONE, cosine(0): 1, sine(0): 0},
            FIRST: _circle({1: (2, 0), 2: (-2, 0), 3: (0, 1), 4: (0, -1)}),
            SECOND: _circle({1: (1, 0), 2: (-1, 0), 3: (0, 2), 4: (0, -2)}),
            APART: _circle({1: (1, 1), 2: (-1, -1)}) | {energy(0): 2, one_energy: 2},
            A_LAG: {**_ONE, lags: -1, cosine(0): 0, sine(0): 0},
            NO_LAG_TERM: {**_ONE, positional(1): 1},
            SAME: _two(2),
            POSITIVE: _circle(dict.fromkeys(range(1, 5), (0, 0))) | {energy(0): 0, one_energy: 0},
            TURNING: {**_ONE, frequency(0): 0, cosine(0): 1, sine(0): 0},
        },
        idle={
            notation.CHANCES: "every variance here is about the mean 0, in which weights of another sum "
            "cancel",
            A_PLANE: "without planes both sides are the totalised 0",
        },
    ),
)
def POSGEN_NULL(p: Proof) -> None:
    r"""The null: what an additive fit explains of random features

    The setting of `posgen.anova`, with features as random ones are: fluctuations circular,
    uncorrelated across planes and of one energy, no part that depends on the lag alone, no
    $\theta_l$ a whole turn. The best additive fit explains the share $R_0^2=\frac1m\sum_l|c_l|^2$,
    $|c_l|^2=\frac{\sin^2(N\theta_l/2)}{N^2\sin^2(\theta_l/2)}$, of the variance.
    """
    plane = p.under(within(l, 0, m - 1))
    row = p.under(within(t, 0, lags - 1))
    flat = row.use(NO_LAG_TERM, why="The positional part is constant, by hypothesis.")
    total = flat.summed(t, 0, lags - 1, "Sum this equation over all lags.")
    spread_0 = row.show(
        eq((positional(t) - level) ** 2, 0),
        "So the positional part does not deviate from its mean.",
        flat,
    ).summed(t, 0, lags - 1, "Sum this equation over all lags.")
    known = (notation.CHANCES, explained.CENTRED, TURNS, total, A_LAG, FIRST, SECOND, APART)
    anova = p.apply(
        POSGEN_ANOVA,
        known,
        why="The sum of N equal terms is N times this constant. By the analysis of variance the "
        "variances are those of the planes.",
    )

    same = plane.use(SAME, why="Every plane has the same energy, by hypothesis.")
    size = cosine(l) ** 2 + sine(l) ** 2
    above = plane.show(
        eq(energy(l) / 2 * size, one_energy / 2 * size),
        "Multiply half of this energy by the squared mean turn.",
        same,
    ).summed(l, 0, m - 1, "Sum this equation over all planes.")
    below = plane.show(
        eq(energy(l) / 2, one_energy / 2), "Half of a plane's energy is half of E.", same
    ).summed(l, 0, m - 1, "Sum this equation over all planes.")
    whole_energy = p.show(
        eq(explained.half, m * one_energy / 2),
        "The sum of m equal energies is m times one.",
        (below, A_PLANE),
    )

    turns = plane.use(TURNS, why="The mean turn of a plane is the mean of its cosines and sines.")
    turning = plane.use(
        TURNING, why="The plane turns by no whole number of turns, so this sine is not 0."
    )
    wave = p.apply(
        POSGEN_CONCENTRATION.at(vartheta=frequency(l)),
        A_LAG,
        why="The squared sums of cosines and sines have this closed form.",
    )
    square_of = sp.sin(frequency(l) / 2) ** 2
    scaled = plane.show(
        eq(square_of * (lags**2 * size), sp.sin(lags * frequency(l) / 2) ** 2),
        "Insert the mean turn, N times which are these sums.",
        (turns, wave, A_LAG),
    )
    shares = plane.show(
        eq(size, closed),
        "Divide by the square of N times the sine, which is not 0.",
        (scaled, turning, A_LAG),
    ).summed(l, 0, m - 1, "Sum this equation over all planes.")
    numerator = p.show(
        eq(mean_of((explained.fitted - level) ** 2), lags * one_energy / 2 * over_planes(closed)),
        "So the variance of the fit is the sum of these shares times half of E N.",
        (anova, spread_0, above, shares),
    )
    denominator = p.show(
        eq(mean_of((explained.whole - level) ** 2), lags * m * one_energy / 2),
        "So the variance of the logits is E N m / 2.",
        (anova, spread_0, whole_energy),
    )
    ratio = p.show(
        eq(frac(lags * one_energy / 2 * over_planes(closed), lags * m * one_energy / 2), null),
        "Cancel the energy and the number of lags in the quotient.",
        (POSITIVE, A_PLANE, A_LAG),
    )
    shared = p.show(
        eq(explained_share, null),
        "So the share of the variance that the fit explains is the mean of the shares.",
        (numerator, denominator, ratio, POSITIVE, A_PLANE, A_LAG),
    )
    best = p.show(BEST, "By the analysis of variance no additive fit is nearer.", anova)
    p.qed("The two statements together are the claim.", shared, best)
