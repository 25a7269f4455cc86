"""What the best additive fit explains."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    identity,
    instance,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes, theta
from ropeproof.theory.posgen.anova.common import (
    CHANCES,
    ONE_PLANE,
    by_key,
    by_lag,
    chance,
    column_mean,
    cosine,
    energy,
    first,
    grand,
    h,
    k,
    keys,
    lags,
    level,
    logit,
    mean_of,
    moments_of,
    over_keys,
    over_lags,
    positional,
    row_mean,
    second,
    sine,
    t,
    v,
)
from ropeproof.theory.sums import indicator


def _anova() -> Claim:
    def sum_of(cosines: Any, sines: Any) -> Any:
        return sp.Sum(first(h, v) * cosines(h) - second(h, v) * sines(h), (h, 0, m - 1))

    def turned_cos(at: Any) -> Any:
        return sp.cos(theta(at) * t)

    def turned_sin(at: Any) -> Any:
        return sp.sin(theta(at) * t)

    fluctuation, kept = sum_of(turned_cos, turned_sin), sum_of(cosine, sine)
    whole = positional(t) + fluctuation
    half = over_planes(energy(l) / 2)
    explained = over_planes(energy(l) / 2 * (cosine(l) ** 2 + sine(l) ** 2))
    spread = over_lags((positional(t) - level) ** 2)
    total = eq(mean_of((whole - level) ** 2), spread + lags * half)
    fitted = eq(mean_of((positional(t) + kept - level) ** 2), spread + lags * explained)
    error = mean_of((whole - by_lag(t) - by_key(v)) ** 2)
    best = eq(
        error,
        mean_of((whole - positional(t) - kept) ** 2)
        + mean_of((positional(t) + kept - by_lag(t) - by_key(v)) ** 2),
    )
    goal = Both(total, fitted, best)
    names = (
        CHANCES.name,
        "fluctuations have mean 0",
        "C and S are the mean turns",
        "a_0 is the mean of the positional part",
        "first parts are uncorrelated",
        "second parts too",
        "nor with each other",
        "there is a lag",
    )
    uncorrelated = energy(h) / 2 * indicator(k, h)
    centred = Both(
        eq(over_keys(chance(v) * first(h, v)), 0), eq(over_keys(chance(v) * second(h, v)), 0)
    )
    turns = Both(
        eq(lags * cosine(h), over_lags(sp.cos(theta(h) * t))),
        eq(lags * sine(h), over_lags(sp.sin(theta(h) * t))),
    )
    plane_h = (le(0, h), le(h, m - 1))
    planes = (h, 0, m - 1)

    def mean_zero(label: str, cosines: Any, sines: Any) -> tuple[Step, ...]:
        part = chance(v) * (first(h, v) * cosines(h) - second(h, v) * sines(h))
        pull = sum_of(cosines, sines)
        return (
            Step(
                f"{label} inside",
                eq(over_keys(chance(v) * pull), over_keys(sp.Sum(part, planes))),
                identity(),
                "The mean of a sum over planes",
            ),
            Step(
                f"{label} exchange",
                eq(over_keys(sp.Sum(part, planes)), sp.Sum(over_keys(part), planes)),
                swap(),
                "is the sum of means,",
            ),
            Step(
                f"{label} factor",
                eq(
                    over_keys(part),
                    cosines(h) * over_keys(chance(v) * first(h, v))
                    - sines(h) * over_keys(chance(v) * second(h, v)),
                ),
                identity(),
                "each",
            ),
            Step(
                f"{label} plane",
                eq(over_keys(part), 0),
                smt(),
                "of which is 0,",
                (f"{label} factor", "centred"),
                plane_h,
            ),
            Step(
                f"{label} planes",
                eq(sp.Sum(over_keys(part), planes), sp.Sum(sp.Integer(0), planes)),
                termwise(),
                "all of them,",
                (f"{label} plane",),
            ),
            Step(
                f"{label} mean",
                eq(over_keys(chance(v) * pull), 0),
                smt(),
                "so it is 0.",
                (f"{label} inside", f"{label} exchange", f"{label} planes", "zero"),
            ),
        )

    def squares(label: str, pull: Any, result: Any, energies: tuple[str, ...]) -> tuple[Step, ...]:
        """The mean square about the level in a row, and over all rows."""
        mixed = chance(v) * (positional(t) + pull - level) ** 2
        row = (positional(t) - level) ** 2
        return (
            Step(
                f"{label} expanded",
                eq(
                    over_keys(mixed),
                    row * over_keys(chance(v))
                    + 2 * (positional(t) - level) * over_keys(chance(v) * pull)
                    + over_keys(chance(v) * pull**2),
                ),
                identity(),
                "Square: the cross term has mean 0,",
            ),
            Step(
                f"{label} row",
                eq(over_keys(mixed), row + result),
                smt(),
                "so a row adds its own square and the energy.",
                (f"{label} expanded", f"{label} mean", *energies, names[0]),
            ),
            Step(
                f"{label} rows",
                eq(over_lags(over_keys(mixed)), over_lags(row + result)),
                termwise(),
                "All rows",
                (f"{label} row",),
            ),
            Step(
                f"{label} sum",
                eq(over_lags(row + result), spread + lags * result),
                identity(),
                "together.",
                (names[7],),
            ),
        )

    return Claim(
        id="posgen.anova",
        title="What the best additive fit explains",
        statement=(
            r"Lag uniform on the window and independent of the key: the best additive fit of "
            r"$w(t,q,k)=a_t+s\,\mathrm{Re}\sum_lq_l\overline{\kappa_l}e^{\mathrm i\theta_lt}$ is "
            r"$f^*=a_t=w(t,q,\bar k)$, $g^*=s\,\mathrm{Re}\sum_lq_l\overline{\kappa_l}c_l$, "
            r"$c_l=\frac1N\sum_te^{\mathrm i\theta_lt}$. If fluctuations are circular and uncorrelated "
            r"across planes, with energies $e_l$, the variance is $\mathrm{Var}_t\,a+\frac12\sum_le_l$ "
            r"and the fit's $\mathrm{Var}_t\,a+\frac12\sum_le_l|c_l|^2$: "
            r"$R^2=\frac{P+\sum e_l|c_l|^2}{P+\sum e_l}$, $P=2\mathrm{Var}_ta$. So every plane must be "
            r"slow, concentrated or negligible. (Formally $z_l=x_l+\mathrm iy_l$ is plane $l$'s "
            r"fluctuation and $c_l=C_l+\mathrm iS_l$; sums over the $N$ lags.)"
        ),
        needs=frozenset("PCTX"),
        hypotheses=(
            CHANCES_UNSHOWN,
            Hypothesis(
                names[1], every(h, 0, m - 1, centred), unshown="a mean belongs to the mean key"
            ),
            Hypothesis(
                names[2], every(h, 0, m - 1, turns), unshown="other numbers are another fit"
            ),
            Hypothesis(
                names[3],
                eq(lags * level, over_lags(positional(t))),
                unshown="another level adds its own square",
            ),
            Hypothesis(
                names[4],
                moments_of(first, first, uncorrelated),
                unshown="correlated planes add up otherwise",
            ),
            Hypothesis(
                names[5],
                moments_of(second, second, uncorrelated),
                unshown="correlated planes add up otherwise",
            ),
            Hypothesis(
                names[6], moments_of(first, second, 0), unshown="correlated planes add up otherwise"
            ),
            Hypothesis(names[7], le(1, lags), idle="without lags all sums are empty"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "centred",
                    centred,
                    instance({h: h}),
                    "A plane's fluctuation has mean 0.",
                    (names[1],),
                    plane_h,
                ),
                Step(
                    "zero", eq(sp.Sum(sp.Integer(0), planes), 0), identity(), "(Zeros add up to 0.)"
                ),
                *mean_zero("whole", turned_cos, turned_sin),
                *mean_zero("kept", cosine, sine),
                Step(
                    "whole energy",
                    eq(
                        over_keys(chance(v) * fluctuation**2),
                        over_planes(
                            energy(l) / 2 * (sp.cos(theta(l) * t) ** 2 + sp.sin(theta(l) * t) ** 2)
                        ),
                    ),
                    by_claim(
                        "posgen.energy",
                        {
                            cosine: sp.Lambda(l, sp.cos(theta(l) * t)),
                            sine: sp.Lambda(l, sp.sin(theta(l) * t)),
                        },
                    ),
                    "At every lag the planes add their energies,",
                    names[4:7],
                ),
                Step(
                    "circle",
                    eq(
                        over_planes(
                            energy(l) / 2 * (sp.cos(theta(l) * t) ** 2 + sp.sin(theta(l) * t) ** 2)
                        ),
                        half,
                    ),
                    identity(),
                    "whole ones;",
                ),
                Step(
                    "kept energy",
                    eq(over_keys(chance(v) * kept**2), explained),
                    by_claim("posgen.energy"),
                    "the fit's planes add theirs times |c|^2.",
                    names[4:7],
                ),
                *squares("whole", fluctuation, half, ("whole energy", "circle")),
                *squares("kept", kept, explained, ("kept energy",)),
                Step("total", total, chain(), "That is the variance,", ("whole rows", "whole sum")),
                Step("fitted", fitted, chain(), "and that of the fit.", ("kept rows", "kept sum")),
                Step(
                    "row",
                    eq(
                        over_keys(chance(v) * whole),
                        positional(t) * over_keys(chance(v)) + over_keys(chance(v) * fluctuation),
                    ),
                    identity(),
                    "A row's mean",
                ),
                Step(
                    "row mean",
                    eq(positional(t), over_keys(chance(v) * whole)),
                    smt(),
                    "is the positional part,",
                    ("row", "whole mean", names[0]),
                ),
                Step(
                    "rows",
                    every(t, 0, lags - 1, eq(positional(t), over_keys(chance(v) * whole))),
                    generalise(),
                    "in every row;",
                    ("row mean",),
                ),
                Step("turn", turns, instance({h: h}), "a column's", (names[2],), plane_h),
                Step(
                    "column",
                    eq(over_lags(whole), over_lags(positional(t)) + over_lags(fluctuation)),
                    identity(),
                    "mean",
                ),
                Step(
                    "column exchange",
                    eq(
                        over_lags(fluctuation),
                        sp.Sum(
                            over_lags(
                                first(h, v) * sp.cos(theta(h) * t)
                                - second(h, v) * sp.sin(theta(h) * t)
                            ),
                            planes,
                        ),
                    ),
                    swap(),
                    "(plane by plane)",
                ),
                Step(
                    "column factor",
                    eq(
                        over_lags(
                            first(h, v) * sp.cos(theta(h) * t) - second(h, v) * sp.sin(theta(h) * t)
                        ),
                        first(h, v) * over_lags(sp.cos(theta(h) * t))
                        - second(h, v) * over_lags(sp.sin(theta(h) * t)),
                    ),
                    identity(),
                    "has the mean turns",
                ),
                Step(
                    "column plane",
                    eq(
                        over_lags(
                            first(h, v) * sp.cos(theta(h) * t) - second(h, v) * sp.sin(theta(h) * t)
                        ),
                        lags * (first(h, v) * cosine(h) - second(h, v) * sine(h)),
                    ),
                    smt(),
                    "as factors:",
                    ("column factor", "turn"),
                    plane_h,
                ),
                Step(
                    "column planes",
                    eq(
                        sp.Sum(
                            over_lags(
                                first(h, v) * sp.cos(theta(h) * t)
                                - second(h, v) * sp.sin(theta(h) * t)
                            ),
                            planes,
                        ),
                        sp.Sum(lags * (first(h, v) * cosine(h) - second(h, v) * sine(h)), planes),
                    ),
                    termwise(),
                    "it is",
                    ("column plane",),
                ),
                Step(
                    "column sum",
                    eq(
                        sp.Sum(lags * (first(h, v) * cosine(h) - second(h, v) * sine(h)), planes),
                        lags * kept,
                    ),
                    identity(),
                    "the fit's key term,",
                ),
                Step(
                    "column mean",
                    eq(lags * (level + kept), over_lags(whole)),
                    smt(),
                    "above the level,",
                    ("column", "column exchange", "column planes", "column sum", names[3]),
                ),
                Step(
                    "columns",
                    every(v, 1, keys, eq(lags * (level + kept), over_lags(whole))),
                    generalise(),
                    "in every column.",
                    ("column mean",),
                ),
                Step(
                    "best fit",
                    eq(
                        error,
                        mean_of((whole - positional(t) - (level + kept) + level) ** 2)
                        + mean_of(
                            (positional(t) - level - by_lag(t) + (level + kept - by_key(v))) ** 2
                        ),
                    ),
                    by_claim(
                        "posgen.additive-fit",
                        {
                            logit: sp.Lambda((t, v), whole),
                            row_mean: sp.Lambda(t, positional(t)),
                            column_mean: sp.Lambda(v, level + kept),
                            grand: level,
                        },
                    ),
                    "So this fit is the best.",
                    (names[0], "rows", "columns", names[3], names[7]),
                ),
                Step("best", best, smt(), "(The level cancels.)", ("best fit",)),
                Step("all", goal, smt(), "All three.", ("total", "fitted", "best")),
            )
        ),
        uses=("posgen.energy", "posgen.additive-fit"),
        mutants=(
            Mutant(
                "all energy", eq(mean_of((whole - level) ** 2), spread + 2 * lags * half), at=WINDOW
            ),
            Mutant(
                "all of it explained",
                eq(mean_of((positional(t) + kept - level) ** 2), spread + lags * half),
                at=WINDOW,
            ),
        ),
    )


WINDOW = (
    *ONE_PLANE[:2],
    *ONE_PLANE[4:],
    *(eq(lags, 2), eq(theta(0), 1), eq(cosine(0), (1 + sp.cos(1)) / 2)),
    eq(sine(0), sp.sin(1) / 2),
    *(eq(positional(0), 0), eq(positional(1), 0), eq(level, 0)),
)


CHANCES_UNSHOWN = Hypothesis(
    CHANCES.name, CHANCES.formula, unshown="weights of another sum scale the means of one axis only"
)


POSGEN_ANOVA = _anova()

CLAIMS = (POSGEN_ANOVA,)
