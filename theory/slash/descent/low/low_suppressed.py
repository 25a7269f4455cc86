"""Gradient descent leaves slow planes small."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    identity,
    instance,
    smt,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, query_x, query_y, s, t, theta
from ropeproof.theory.slash.bands import plane
from ropeproof.theory.slash.descent.convex import rope_feature
from ropeproof.theory.slash.descent.low.common import _untrained
from ropeproof.theory.slash.descent.low.suppressed import _suppressed
from ropeproof.theory.slash.descent.model import BETA, PLACE, Vector, beta, psi_x, psi_y, square
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    BEST,
    GRADIENTS,
    START,
    UNIT,
    WINS,
    grad_at,
    grown_x,
    grown_y,
    key_at,
    margin,
    steps,
    x,
)
from ropeproof.theory.slash.descent.shared import y as y_
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _still() -> tuple[Any, ...]:
    """The very start, with a plane that does not turn and a query of 0."""
    changed = {psi_x(0, 0), psi_x(1, 0), margin}
    kept = tuple(f for f in _untrained() if f.args[0] not in changed)
    return (
        *kept,
        eq(margin, 0),
        eq(psi_x(0, 0), 0),
        eq(psi_x(1, 0), 0),
        eq(query_x(0), 0),
        eq(query_y(0), 0),
        eq(theta(0), 1),
        eq(s, 1),
    )


def _plane_feature() -> Claim:
    def feature(lag: Any) -> Vector:
        first, second = (part.xreplace({l: plane}) for part in rope_feature(lag))
        return first, second

    here, there = feature(offset), feature(t)
    exact = (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2
    size = s**2 * (query_x(plane) ** 2 + query_y(plane) ** 2)
    gap = theta(plane) * (t - offset)
    goal = le(exact, size * gap**2)
    return Claim(
        id="slash.gd.plane-feature",
        title="How far a plane's features are apart",
        statement=r"$|\psi_p(\Delta)-\psi_p(t)|\le s|\bar q_p|\theta_p|t-\Delta|$.",
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "apart",
                    eq(exact, 2 * size * (1 - sp.cos(gap))),
                    identity(),
                    "Two turns of one vector differ by the chord of the angle between them,",
                ),
                Step(
                    "chord",
                    le(1 - sp.cos(gap), gap**2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: gap}),
                    "at most the arc.",
                ),
                Step("size", le(0, size), smt(), "The size is not negative."),
                Step(
                    "times the size",
                    le((1 - sp.cos(gap)) * size, gap**2 / 2 * size),
                    by_claim("order.times", {x: 1 - sp.cos(gap), y_: gap**2 / 2, real("t"): size}),
                    "Multiply,",
                    ("chord", "size"),
                ),
                Step(
                    "twice",
                    le(2 * size * (1 - sp.cos(gap)), size * gap**2),
                    smt(),
                    "twice,",
                    ("times the size",),
                ),
                Step("bound", goal, chain(), "and together.", ("apart", "twice")),
            )
        ),
        uses=("trig.cosine-above-parabola", "order.times"),
        mutants=(Mutant("half the arc", le(exact, size * gap**2 / 2)),),
    )


def _still_plane(**changed: Any) -> tuple[Any, ...]:
    """Plane 0 does not turn and so must stay 0; plane 1 has opposite features at the two lags."""
    values: dict[str, tuple[Any, Any]] = {
        "steps": (steps, 1),
        "plane": (plane, 0),
        "start": (grown_x(0, 0), 0),
    }
    extra = {
        "after": grown_x(1, 0),
        "before": grown_x(-1, 0),
        "slope": grad_at(0)[0].func(0, 0),
        "outside": grown_x(1, 5),
    }
    for name, value in changed.items():
        values[name] = (extra.get(name) or values[name][0], value)
    return (
        eq(m, 2),
        eq(length, 2),
        eq(offset, 1),
        eq(beta, 2),
        eq(margin, 2),
        eq(s, 1),
        *(f for number in (0, 5) for f in (eq(theta(number), 0), eq(query_x(number), 1))),
        *(eq(query_y(number), 0) for number in (0, 5)),
        *(eq(psi_x(lag, number), 1) for lag in (0, 1) for number in (0, 5)),
        *(eq(psi_y(lag, number), 0) for lag in (0, 1) for number in (0, 1, 5)),
        eq(psi_x(0, 1), -1),
        eq(psi_x(1, 1), 1),
        *(eq(BEST[0].func(number), number) for number in (0, 1)),
        *(eq(BEST[1].func(number), 0) for number in (0, 1)),
        eq(grown_x(0, 1), 0),
        *(eq(grown_y(0, number), 0) for number in (0, 1)),
        *(eq(target, value) for target, value in values.values()),
    )


def _fast_plane(**changed: Any) -> tuple[Any, ...]:
    """One plane of frequency 3, two lags, the target at lag 0."""
    values: dict[str, tuple[Any, Any]] = {
        "s": (s, 1),
        "theta": (theta(0), 3),
        "margin": (margin, sp.Rational(19, 10)),
        "best": (BEST[0].func(0), 1),
    }
    for name, value in changed.items():
        values[name] = (values[name][0], value)
    if changed.get("s") == -1:
        values["best"] = (values["best"][0], -1)
    return (
        eq(m, 1),
        eq(plane, 0),
        eq(length, 2),
        eq(offset, 0),
        eq(beta, 1),
        eq(steps, 1),
        eq(query_x(0), 1),
        eq(query_y(0), 0),
        eq(BEST[1].func(0), 0),
        *(eq(target, value) for target, value in values.values()),
        *(
            eq(psi(lag, 0), part.xreplace({l: sp.Integer(0), query_x(l): sp.Integer(1)}))
            for lag in (0, 1)
            for psi, part in zip((psi_x, psi_y), rope_feature(sp.Integer(lag)), strict=True)
        ),
    )


def _broken() -> tuple[Any, ...]:
    """A plane of frequency 0 whose features differ all the same."""
    return (
        eq(m, 1),
        eq(plane, 0),
        eq(length, 2),
        eq(offset, 1),
        eq(beta, 1),
        eq(margin, 2),
        eq(steps, 1),
        eq(s, 1),
        eq(theta(0), 0),
        eq(query_x(0), 1),
        eq(query_y(0), 0),
        eq(psi_x(0, 0), -1),
        eq(psi_x(1, 0), 1),
        eq(psi_y(0, 0), 0),
        eq(psi_y(1, 0), 0),
        eq(BEST[0].func(0), 1),
        eq(BEST[1].func(0), 0),
        eq(grown_x(0, 0), 0),
        eq(grown_y(0, 0), 0),
    )


def _with_instance(hypothesis: Hypothesis) -> Hypothesis:
    """A hypothesis with an instance that breaks it, if drawing can."""
    aims = {
        "the plane is one of the planes": _still_plane(plane=5, outside=5),
        "T is not negative": _still_plane(steps=-1, before=5),
        START.name: _still_plane(start=5),
        ALGORITHM.name: _still_plane(after=5),
        GRADIENTS.name: _still_plane(slope=500),
        UNIT.name: _fast_plane(best=10, margin=19),
        WINS.name: _fast_plane(margin=100),
    }
    if hypothesis.name not in aims:
        return hypothesis
    return Hypothesis(hypothesis.name, hypothesis.formula, without=aims[hypothesis.name])


def _low_suppressed() -> Claim:
    own_square = grown_x(steps, plane) ** 2 + grown_y(steps, plane) ** 2
    query = query_x(plane) ** 2 + query_y(plane) ** 2
    reach = s * sp.sqrt(query) * theta(plane) * (length - 1)
    goal = le(margin * sp.sqrt(own_square), reach * sp.sqrt(square(key_at(steps))))
    apart = (psi_x(offset, plane) - psi_x(j, plane)) ** 2 + (
        psi_y(offset, plane) - psi_y(j, plane)
    ) ** 2

    def feature(lag: Any) -> Vector:
        first, second = (part.xreplace({l: plane}) for part in rope_feature(lag))
        return first, second

    here, there = feature(offset), feature(j)
    exact = (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2
    gap = theta(plane) * (j - offset)
    bound = (s**2 * query) * gap**2
    rope = every(
        j,
        0,
        length - 1,
        Both(*(eq(f(j, plane), e) for f, e in zip((psi_x, psi_y), there, strict=True))),
    )
    inside = (le(0, j), le(j, length - 1))
    is_rope, frequency, scale = (
        "the plane's features are RoPE's",
        "the frequency is not negative",
        "the scale is not negative",
    )
    names = (
        "the plane is one of the planes",
        "T is not negative",
        PLACE.name,
        BETA.name,
        START.name,
        ALGORITHM.name,
        GRADIENTS.name,
        "gamma is not negative",
        UNIT.name,
        WINS.name,
    )
    shared = {h.name: h for h in _suppressed().hypotheses}
    return Claim(
        id="slash.gd.low-suppressed",
        title="Gradient descent leaves slow planes small",
        statement=(
            r"$\|k_l(\tau)\|/\|k(\tau)\|\le|\bar q_l|\,\theta_l(N-1)/(\sqrt d\,\gamma)$ for every plane "
            r"and step of gradient descent from 0 ($s=1/\sqrt d$)."
        ),
        needs=frozenset("PT"),
        hypotheses=(
            *(_with_instance(shared[name]) for name in names),
            Hypothesis(scale, le(0, s), without=_fast_plane(s=-1)),
            Hypothesis(frequency, le(0, theta(plane)), without=_fast_plane(theta=-3)),
            Hypothesis(is_rope, rope, without=_broken()),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "feature",
                    Both(*(eq(f(j, plane), e) for f, e in zip((psi_x, psi_y), there, strict=True))),
                    instance({j: j}),
                    "A feature is RoPE's",
                    (is_rope,),
                    inside,
                ),
                Step(
                    "target feature",
                    Both(
                        *(
                            eq(f(offset, plane), e)
                            for f, e in zip((psi_x, psi_y), here, strict=True)
                        )
                    ),
                    instance({j: offset}),
                    "(the target's too),",
                    (is_rope, PLACE.name),
                ),
                Step(
                    "same",
                    eq(apart, exact),
                    smt(),
                    "so two differ",
                    ("feature", "target feature"),
                    inside,
                ),
                Step(
                    "features",
                    le(exact, bound),
                    by_claim("slash.gd.plane-feature", {t: j}),
                    "by the arc at most,",
                ),
                Step(
                    "window",
                    Both(le(j - offset, length - 1), le(offset - j, length - 1)),
                    smt(),
                    "which is no longer than the window's:",
                    (PLACE.name,),
                    inside,
                ),
                Step(
                    "lag square",
                    le((j - offset) ** 2, (length - 1) ** 2),
                    smt(),
                    "(squared)",
                    ("window",),
                    inside,
                ),
                Step("query sign", le(0, query), smt(), "the query's square"),
                Step(
                    "factor sign",
                    le(0, (s * theta(plane)) ** 2 * query),
                    smt(),
                    "is not negative,",
                    ("query sign",),
                ),
                Step(
                    "longest",
                    le(
                        (j - offset) ** 2 * ((s * theta(plane)) ** 2 * query),
                        (length - 1) ** 2 * ((s * theta(plane)) ** 2 * query),
                    ),
                    by_claim(
                        "order.times",
                        {
                            x: (j - offset) ** 2,
                            y_: (length - 1) ** 2,
                            real("t"): (s * theta(plane)) ** 2 * query,
                        },
                    ),
                    "so the longest arc bounds all,",
                    ("lag square", "factor sign"),
                    inside,
                ),
                Step(
                    "bound form",
                    eq(bound, (j - offset) ** 2 * ((s * theta(plane)) ** 2 * query)),
                    identity(),
                    "in this form",
                ),
                Step(
                    "reach square",
                    eq(
                        sp.Pow(reach, 2, evaluate=False),
                        (length - 1) ** 2 * ((s * theta(plane)) ** 2 * query),
                    ),
                    identity(),
                    "the square of B.",
                    ("query sign",),
                ),
                Step(
                    "apart",
                    le(apart, sp.Pow(reach, 2, evaluate=False)),
                    chain(),
                    "So features differ by at most B,",
                    ("same", "features", "bound form", "longest", "reach square"),
                    inside,
                ),
                Step(
                    "all apart",
                    every(j, 0, length - 1, le(apart, sp.Pow(reach, 2, evaluate=False))),
                    generalise(),
                    "at every lag.",
                    ("apart",),
                ),
                Step("root sign", le(0, sp.sqrt(query)), smt(), "B is", ("query sign",)),
                Step(
                    "first sign",
                    le(0, s * sp.sqrt(query)),
                    smt(),
                    "a product",
                    ("root sign", scale),
                ),
                Step(
                    "second sign",
                    le(0, theta(plane) * (length - 1)),
                    smt(),
                    "of numbers",
                    (frequency, PLACE.name),
                ),
                Step(
                    "reach sign",
                    le(0, reach),
                    by_claim(
                        "order.product-sign",
                        {x: s * sp.sqrt(query), y_: theta(plane) * (length - 1)},
                    ),
                    "that are not negative.",
                    ("first sign", "second sign"),
                ),
                Step(
                    "suppressed",
                    goal,
                    by_claim("slash.gd.plane-bound", {real("B"): reach}),
                    "The plane hardly grows.",
                    (*names, "reach sign", "all apart"),
                ),
            )
        ),
        uses=(
            "slash.gd.plane-feature",
            "order.times",
            "order.product-sign",
            "slash.gd.plane-bound",
        ),
        mutants=(
            Mutant(
                "strictly",
                lt(margin * sp.sqrt(own_square), reach * sp.sqrt(square(key_at(steps)))),
                at=_still(),
            ),
        ),
    )


SLASH_GD_PLANE_FEATURE = _plane_feature()
SLASH_GD_LOW_SUPPRESSED = _low_suppressed()

CLAIMS = (SLASH_GD_PLANE_FEATURE, SLASH_GD_LOW_SUPPRESSED)
