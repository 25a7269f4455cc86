"""What the best additive fit explains."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes, theta
from ropeproof.theory.topics.posgen.anova import notation
from ropeproof.theory.topics.posgen.anova.energies import (
    APART,
    FIRST,
    POSGEN_ENERGY,
    SECOND,
    over_h,
)
from ropeproof.theory.topics.posgen.anova.fit import POSGEN_ADDITIVE_FIT
from ropeproof.theory.topics.posgen.anova.notation import *

positional, level = real_function("a"), real("a_mean")
MEANINGS = {
    **notation.MEANINGS,
    cosine: "mean cosine of a plane over the window",
    sine: "mean sine of a plane over the window",
    positional: "the positional part, by lag",
    level: shown_as("ā", r"\bar a", "its mean over the window"),
}
COS, SIN = sp.Lambda(l, sp.cos(theta(l) * t)), sp.Lambda(l, sp.sin(theta(l) * t))


def _part(cosines: Callable[..., Term | int], sines: Callable[..., Term | int]) -> Any:
    return first(h, v) * cosines(h) - second(h, v) * sines(h)


fluctuation, kept_part = over_h(_part(COS, SIN)), over_h(_part(cosine, sine))
whole, fitted = positional(t) + fluctuation, positional(t) + kept_part
half = over_planes(energy(l) / 2)
explained = over_planes(energy(l) / 2 * (cosine(l) ** 2 + sine(l) ** 2))
spread = over_lags((positional(t) - level) ** 2)

_centred = Both(*(eq(mean_over_keys(axis(h, v)), 0) for axis in (first, second)))
CENTRED = Hypothesis("fluctuations have mean 0", every(h, 0, m - 1, _centred))
_turns = Both(
    eq(cosine(h), over_lags(sp.cos(theta(h) * t)) / lags),
    eq(sine(h), over_lags(sp.sin(theta(h) * t)) / lags),
)
TURNS = Hypothesis("C and S are the mean turns", every(h, 0, m - 1, _turns))
LEVEL = Hypothesis(
    "a_mean is the mean of the positional part", eq(level, over_lags(positional(t)) / lags)
)
CIRCLES = (FIRST, SECOND, APART)


def _mean_zero(
    p: Proof, centred: Fact, cosines: Callable[..., Term | int], sines: Callable[..., Term | int]
) -> Fact:
    """A sum over the planes of fluctuations has mean 0."""
    part = chance(v) * _part(cosines, sines)
    exchange = p.swap(
        over_keys(over_h(part)), "Exchange the sum over the planes with the mean over the keys."
    )
    plane = centred.scope.show(
        eq(over_keys(part), 0), "The mean of each plane's term is 0.", centred
    )
    planes = plane.summed(h, 0, m - 1, "Sum this equation over all planes.")
    mean = mean_over_keys(over_h(_part(cosines, sines)))
    return p.show(eq(mean, 0), "So the mean of the sum over the planes is 0.", exchange, planes)


def _variance(p: Proof, pull: Term | int, result: Term, mean: Fact, energies: Fact) -> Fact:
    """The mean square about the level: the level's own and the energy."""
    square, row = (positional(t) + pull - level) ** 2, (positional(t) - level) ** 2
    expanded = p.show(
        eq(
            mean_over_keys(square),
            row * over_keys(chance(v))
            + 2 * (positional(t) - level) * mean_over_keys(pull)
            + mean_over_keys(pull**2),
        ),
        "Expand the square at one lag.",
    )
    at_lag, known = eq(mean_over_keys(square), row + result), (expanded, mean, energies, CHANCES)
    rows = p.show(
        at_lag, "The cross term has mean 0, so the lag adds its own square and the energy.", known
    ).summed(t, 0, lags - 1, "Sum this equation over all lags.")
    total = p.show(
        eq(rows.formula.rhs, spread + lags * result),
        "The energy does not depend on the lag, so it counts N times.",
        A_LAG,
    )
    return p.chain(
        rows, total, why="So the variance is the positional part's and N times the energy."
    )


def _column(p: Proof) -> Fact:
    """A column's mean is the fit's."""
    plane, part = p.under(within(h, 0, m - 1)), over_lags(_part(COS, SIN))
    exchange = p.swap(
        over_lags(fluctuation), "Exchange the sum over the lags with that over the planes."
    )
    turns = plane.use(TURNS, why="The factors C and S are the mean cosine and sine, by hypothesis.")
    planes = plane.show(
        eq(part, lags * _part(cosine, sine)),
        "So the sum over the lags is N times the plane's term with these factors.",
        (turns, A_LAG),
    ).summed(h, 0, m - 1, "Sum this equation over all planes.")
    mean = p.under(within(v, 1, keys)).show(
        eq(lags * (level + kept_part), over_lags(whole)),
        "So N times the fit's key term and level is the sum over the lags.",
        (exchange, planes, LEVEL, A_LAG),
    )
    return mean.for_all(v, why="This holds for every key.")


_ONE: Values = {
    **{**on_keys(4, UNITS), **THIRD, energy(0): 1},
    **{positional(0): 0, positional(1): 1, level: frac(1, 2)},
}


def _circle(fluctuations: Mapping[int, tuple[int, int]]) -> dict[Any, Any]:
    return {**_ONE, **on_keys(len(fluctuations), fluctuations)}


@theorem(
    "posgen.anova",
    role="main result",
    needs="PCTX",
    hypotheses=(CHANCES, CENTRED, TURNS, LEVEL, *CIRCLES, A_LAG),
    example=(*ONE_PLANE, Every((t,), eq(positional(t), t))),
    conclusion=Both(
        eq(mean_of((whole - level) ** 2), spread + lags * half),
        eq(mean_of((fitted - level) ** 2), spread + lags * explained),
        eq(
            mean_of((whole - by_lag(t) - by_key(v)) ** 2),
            mean_of((whole - fitted) ** 2) + mean_of((fitted - by_lag(t) - by_key(v)) ** 2),
        ),
    ),
    attack=Attack(
        {
            "all energy": eq(mean_of((whole - level) ** 2), spread + 2 * lags * half),
            "all of it explained": eq(mean_of((fitted - level) ** 2), spread + lags * half),
        },
        at={"all energy": _ONE, "all of it explained": _ONE},
        without={
            CHANCES: {**_ONE, energy(0): 2, **{chance(key): frac(1, 2) for key in UNITS}},
            CENTRED: _circle({1: (1, 1), 2: (1, -1)}) | {energy(0): 2},
            TURNS: {
                **_ONE,
                cosine(0): 1,
                sine(0): 0,
                by_lag(0): 0,
                by_lag(1): 0,
                **{by_key(key): 5 if key == 1 else 0 for key in UNITS},
            },
            FIRST: _circle({1: (2, 0), 2: (-2, 0), 3: (0, 1), 4: (0, -1)}),
            SECOND: _circle({1: (1, 0), 2: (-1, 0), 3: (0, 2), 4: (0, -2)}),
            APART: _circle({1: (1, 1), 2: (-1, -1)}) | {energy(0): 2},
            A_LAG: {**_ONE, lags: -1, cosine(0): 0, sine(0): 0, level: 0},
        },
        idle={LEVEL: "about any number the same holds; about the mean it is a variance"},
    ),
)
def POSGEN_ANOVA(p: Proof) -> None:
    r"""What the best additive fit explains

    Lag uniform on the window and independent of the key: the best additive fit of
    $w(t,q,k)=a_t+s\,\mathrm{Re}\sum_lq_l\overline{\kappa_l}e^{\mathrm i\theta_lt}$ is
    $f^*=a_t=w(t,q,\bar k)$, $g^*=s\,\mathrm{Re}\sum_lq_l\overline{\kappa_l}c_l$,
    $c_l=\frac1N\sum_te^{\mathrm i\theta_lt}$. If fluctuations are circular and uncorrelated across
    planes, with energies $e_l$, the variance is $\mathrm{Var}_t\,a+\frac12\sum_le_l$ and the fit's
    $\mathrm{Var}_t\,a+\frac12\sum_le_l|c_l|^2$: $R^2=\frac{P+\sum e_l|c_l|^2}{P+\sum e_l}$,
    $P=2\mathrm{Var}_ta$; `posgen.pattern` says what that asks of the planes. (Formally
    $z_l=x_l+\mathrm iy_l$ is plane $l$'s fluctuation and $c_l=C_l+\mathrm iS_l$; sums over the $N$
    lags.)
    """
    centred = p.under(within(h, 0, m - 1)).use(
        CENTRED, why="The fluctuation of a plane has mean 0, by hypothesis."
    )
    whole_mean = _mean_zero(p, centred, COS, SIN)
    kept_mean = _mean_zero(p, centred, cosine, sine)
    why = "At every lag the planes add half of their energies."
    energies = p.lemma(POSGEN_ENERGY.at(C=COS, S=SIN), CIRCLES, why=why)
    why = "The planes of the fit add their energies times the squared mean turn."
    kept_energy = p.apply(POSGEN_ENERGY, CIRCLES, why=why)
    total = _variance(p, fluctuation, half, whole_mean, energies)
    of_fit = _variance(p, kept_part, explained, kept_mean, kept_energy)
    row = p.under(within(t, 0, lags - 1)).show(
        eq(positional(t), mean_over_keys(whole)),
        "The mean over the keys at a lag is the positional part.",
        (whole_mean, CHANCES),
    )
    rows = row.for_all(t, why="This holds at every lag.")
    values = {
        "w": sp.Lambda((t, v), whole),
        "F": sp.Lambda(t, positional(t)),
        "G": sp.Lambda(v, level + kept_part),
        "M": level,
    }
    known = (CHANCES, rows, _column(p), LEVEL, A_LAG)
    best = p.lemma(
        POSGEN_ADDITIVE_FIT.at(**values),
        known,
        why="So no additive fit has a smaller error than this one.",
    )
    p.qed("The three statements together are the claim.", total, of_fit, best)
