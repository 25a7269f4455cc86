"""What an additive fit explains of random features: the null against which fits are to be read."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes

k, r, window = integer("k r N")
theta = real("theta")
energy, concentration = real_function("e"), real_function("c")
common = real("E_0")

# -- how concentrated turns are ----------------------------------------------------------

half, sine = sp.Rational(1, 2), sp.sin(theta / 2)
WINDOW = Hypothesis("the window is not negative", le(0, window))


def cosines(count: Any) -> Any:
    """sum over 0 <= k < count of cos(k theta)."""
    return sp.Sum(sp.cos(k * theta), (k, 0, count - 1))


def sines(count: Any) -> Any:
    """sum over 0 <= k < count of sin(k theta)."""
    return sp.Sum(sp.sin(k * theta), (k, 0, count - 1))


def cosine_ends(count: Any) -> Any:
    """What 2 sin(theta/2) times the cosines comes to."""
    return sp.sin((count - half) * theta) + sine


def sine_ends(count: Any) -> Any:
    """What 2 sin(theta/2) times the sines comes to."""
    return sp.cos(theta / 2) - sp.cos((count - half) * theta)


square, window_sine = cosines(window) ** 2 + sines(window) ** 2, sp.sin(window * theta / 2) ** 2

_CONCENTRATION = Claim(
    id="posgen.concentration",
    title="How concentrated a plane's turns are over a window",
    statement=(
        r"$c=\frac1N\sum_{t<N}e^{\mathrm i\theta t}$ has "
        r"$|c|^2=\frac{\sin^2(N\theta/2)}{N^2\sin^2(\theta/2)}$ (cleared of its denominators)."
    ),
    needs=frozenset("PX"),
    hypotheses=(WINDOW,),
    conclusion=eq(sine**2 * square, window_sine),
)


def _telescoped(p: Proof, total: Any, term: Any, ends: Any) -> Fact:
    """2 sin(theta/2) times the sum is what its ends leave."""

    def law(count: Any) -> Any:
        return eq(2 * sine * total(count), ends(count))

    some = p.under(le(0, r))
    empty = p.show(law(sp.Integer(0)), "The law holds for an empty sum.")
    one_more = some.last(total(r + 1), "One term more,")
    product = p.show(eq(2 * sine * term, ends(r + 1) - ends(r)), "times the sine, is a difference;")
    following = some.under(law(r)).show(
        law(r + 1), "the differences cancel but for the ends.", one_more, product
    )
    always = some.induction(law(r), r, 0, empty, following, why="So for any number of terms;")
    return p.use(always, {r: window}, WINDOW, why="take the window's.")


def _concentration(p: Proof) -> None:
    cosine_sum = _telescoped(p, cosines, sp.cos(r * theta), cosine_ends)
    sine_sum = _telescoped(p, sines, sp.sin(r * theta), sine_ends)
    ends = cosine_ends(window) ** 2 + sine_ends(window) ** 2
    squares = p.show(eq(ends, 4 * window_sine), "The ends' squares add up to a sine's.")
    sides = [
        p.show(eq((2 * sine * total(window)) ** 2, end(window) ** 2), why, law)
        for total, end, why, law in (
            (cosines, cosine_ends, "The square of one sum is that of its ends,", cosine_sum),
            (sines, sine_ends, "and so is the other's.", sine_sum),
        )
    ]
    p.qed("So the two squares add up to it.", squares, *sides)


POSGEN_CONCENTRATION = prove(
    _CONCENTRATION,
    _concentration,
    Attack(
        {
            "the cosine": eq(sine**2 * square, sp.cos(window * theta / 2) ** 2),
            "twice": eq(2 * sine**2 * square, window_sine),
        },
        at={"the cosine": {window: 2, theta: 1}, "twice": {window: 2, theta: 1}},
        without={WINDOW: {window: -1, theta: 1}},
    ),
)

# -- the null ----------------------------------------------------------------------------

SAME = Hypothesis("every plane has the same energy", every(l, 0, m - 1, eq(energy(l), common)))
POSITIVE = Hypothesis("the energy is positive", lt(0, common))
A_PLANE = Hypothesis("there is a plane", le(1, m))

share = over_planes(energy(l) * concentration(l)) / over_planes(energy(l))
mean = over_planes(concentration(l)) / m

_NULL = Claim(
    id="posgen.null",
    title="The null: what an additive fit explains of random features",
    statement=(
        r"With random features every plane's fluctuation has the same energy and the best additive "
        r"fit explains $R_0^2=\frac1m\sum_l|c_l|^2$ (`posgen.anova` with $P=0$), where "
        r"$|c_l|^2=\frac{\sin^2(N\theta_l/2)}{N^2\sin^2(\theta_l/2)}$ (`posgen.concentration`). "
        r"At $m=64$, $N=1000$: $R_0=0.585$ for $b=10^4$ and $0.732$ for $b=5\cdot10^5$. The null is "
        r"far from 0: a correlation must be reported beside it."
    ),
    needs=frozenset("PCT"),
    hypotheses=(SAME, POSITIVE, A_PLANE),
    conclusion=eq(share, mean),
)


def _null(p: Proof) -> None:
    plane = p.under(within(l, 0, m - 1))
    same = plane.use(SAME, why="Every plane has the same energy,")
    weighed = eq(energy(l) * concentration(l), common * concentration(l))
    above = plane.show(weighed, "weighed too.", same).summed(l, 0, m - 1, "What is explained")
    below = same.summed(l, 0, m - 1, "and the whole are so many energies,")
    not_0 = p.show(eq(over_planes(energy(l)), m * common), "m of them in all,", below, A_PLANE)
    p.qed("and the energy cancels.", above, not_0, POSITIVE, A_PLANE)


POSGEN_NULL = prove(
    _NULL,
    _null,
    Attack(
        {"the sum": eq(share, over_planes(concentration(l))), "zero": eq(share, 0)},
        at={
            "the sum": {m: 2, common: 1, concentration(0): 1, concentration(1): 1},
            "zero": {m: 1, common: 1, concentration(0): 1},
        },
        without={
            SAME: {
                m: 2,
                energy(0): 1,
                energy(1): 3,
                common: 1,
                concentration(0): 1,
                concentration(1): 0,
            },
            POSITIVE: {m: 1, common: 0, energy(0): 0, concentration(0): 1},
        },
        idle={A_PLANE: "without planes both sides are the totalised 0"},
    ),
)

CLAIMS = (POSGEN_CONCENTRATION, POSGEN_NULL)
