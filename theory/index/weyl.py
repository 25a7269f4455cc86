"""Fixed weights on ever longer prompts: how the weight of the target fades."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, n, over_planes, theta
from ropeproof.theory.order import times
from ropeproof.theory.trigonometry.cosine import TRIG_COSINE_LIPSCHITZ
from ropeproof.theory.trigonometry.sine import x as angle_x
from ropeproof.theory.trigonometry.sine import y as angle_y

a, mean, limit, delta, chosen, x, y = real("a M mu delta varepsilon x y")

# -- from the mean to the weight ---------------------------------------------------------

TARGET = Hypothesis("the target's exponential is positive", lt(0, a))
LIMIT = Hypothesis("the limit is positive", lt(0, limit))
NEAR = Hypothesis("the mean is near its limit", le(sp.Abs(mean - limit), delta))
HALF = Hypothesis("within half of it", le(delta, limit / 2))
SMALL = Hypothesis("and within what is asked", le(2 * a * delta, chosen * limit**2))

_QUOTIENT = Claim(
    id="index.fading",
    title="A mean near its limit makes n times the target's weight near its own",
    statement=(
        r"With $M$ the mean of $e^{w_j}$ over $n$ positions, the target's weight times $n$ is "
        r"$\frac aM$, $a=e^{w_{\rm target}}$. If $|M-\mu|\le\delta\le\frac\mu2$ and "
        r"$2a\delta\le\varepsilon\mu^2$ then $|\frac aM-\frac a\mu|\le\varepsilon$."
    ),
    needs=frozenset("PX"),
    hypotheses=(TARGET, LIMIT, NEAR, HALF, SMALL),
    conclusion=le(sp.Abs(a / mean - a / limit), chosen),
)


def _quotient(p: Proof) -> None:
    far = p.show(
        Both(le(limit / 2, mean), lt(0, mean)), "The mean is at least half", LIMIT, NEAR, HALF
    )
    product = p.show(le(limit**2 / 2, mean * limit), "its limit,", far, LIMIT)
    apart = p.show(
        within(a * (limit - mean), -a * delta, a * delta), "and the ends differ by", NEAR, TARGET
    )
    share = p.show(le(0, chosen), "a share", SMALL, TARGET, NEAR, LIMIT)
    wide = p.show(
        le(chosen * limit**2 / 2, chosen * (mean * limit)), "of their product:", product, share
    )
    ends = p.show(
        within(a * (limit - mean), -chosen * (mean * limit), chosen * (mean * limit)),
        "so it is",
        (apart, wide, SMALL),
    )
    ratio = p.show(
        eq(a / mean - a / limit, a * (limit - mean) / (mean * limit)), "what is asked", far, LIMIT
    )
    bounded = p.show(
        within(a * (limit - mean) / (mean * limit), -chosen, chosen),
        "of the quotients.",
        ends,
        far,
        LIMIT,
    )
    p.qed("Together.", ratio, bounded)


_near = {a: 1, limit: 2, mean: 1, delta: 1, chosen: sp.Rational(1, 2)}

INDEX_FADING = prove(
    _QUOTIENT,
    _quotient,
    Attack(
        {
            "half": le(sp.Abs(a / mean - a / limit), chosen / 2),
            "at the mean": le(a / mean, a / limit),
        },
        at={"half": _near, "at the mean": _near},
        without={
            TARGET: {**_near, a: -1, chosen: 0, delta: 1},
            LIMIT: {**_near, limit: 0, delta: 0, mean: 0, a: 1, chosen: -1},
            NEAR: {**_near, mean: 9, chosen: 0, delta: 0},
            HALF: {**_near, mean: sp.Rational(1, 100), delta: 2, chosen: 1},
            SMALL: {**_near, chosen: 0},
        },
    ),
)

# -- the limit ---------------------------------------------------------------------------

eps = real("epsilon")
rotating, constant = real_function("g"), real_function("c")
size, bessel = real_function("B"), real_function("M")
turns = integer_function("h")
k, least, place, steps, z = integer("k n_0 p N z")


def _tends(free: tuple[Any, ...], count: Any, condition: Any, term: Any, to: Any) -> Any:
    near = If(Both(le(1, count), le(least, count), *condition), le(sp.Abs(term - to), eps))
    return Every((eps,), If(lt(0, eps), Some((least,), Every(free, near))))


circle = sp.Sum(sp.exp(size(l) * sp.cos(2 * sp.pi * j / steps)), (j, 0, steps - 1)) / steps
logit = over_planes(size(l) * sp.cos(theta(l) * (j - place)))
whole = sp.Sum(sp.exp(logit), (j, 0, n - 1))
target = sp.exp(over_planes(size(l)))
product = sp.exp(over_planes(sp.log(bessel(l))))
fades = target / product

INDEPENDENT = Hypothesis(
    "the angles and 2 pi are independent over the rationals",
    Every(
        (turns(z), k),
        If(
            eq(over_planes(turns(l) * theta(l)), 2 * sp.pi * k), every(l, 0, m - 1, eq(turns(l), 0))
        ),
    ),
)
MEANS = Hypothesis(
    "M_l is the mean of e^(B_l cos) over the circle",
    every(l, 0, m - 1, _tends((steps,), steps, (), circle, bessel(l))),
)

_WEYL = Claim(
    id="index.weyl",
    title="How positional heads fade on ever longer prompts",
    statement=(
        r"A head with fixed weights, aligned at its target: logits $\sum_lB_l\cos\theta_l(j-p)$ on "
        r"$n$ positions with the target at $p$, angles independent with $2\pi$ over the rationals, "
        r"$M_l=I_0(B_l)$ the mean of $e^{B_l\cos}$ over the circle. Then $n\,w_{\rm target}(n)\to"
        r"\prod_l\frac{e^{B_l}}{I_0(B_l)}$ as $n\to\infty$, uniformly in the target's place $p$: for "
        r"every $\varepsilon>0$ it is that within $\varepsilon$ from some $n_0$ on."
    ),
    needs=frozenset("PT"),
    hypotheses=(INDEPENDENT, MEANS),
    conclusion=_tends((n, place), n, within(place, 0, n - 1).args, n * (target / whole), fades),
    example=(eq(m, 0),),
)


def _weyl(p: Proof) -> None:
    plane = p.under(within(l, 0, m - 1))
    wave = size(l) * sp.cos(x)
    period = plane.show(
        eq(size(l) * kept(sp.cos, x + 2 * sp.pi), wave), "A plane's logit has the period 2 pi"
    ).for_all(x)
    close = [
        p.lemma(TRIG_COSINE_LIPSCHITZ, {angle_x: one, angle_y: other}, why="and is Lipschitz:")
        for one, other in ((x, y), (y, x))
    ]
    apart = p.show(
        le(sp.Abs(sp.cos(x) - sp.cos(y)), sp.Abs(x - y)),
        "a cosine moves by no more",
        close,
        by=rules.smt(),
    )
    scaled = times(p, apart, sp.Abs(size(l)), "than its angle, times the amplitude,")
    smooth = plane.show(
        le(sp.Abs(wave - size(l) * sp.cos(y)), sp.Abs(size(l)) * sp.Abs(x - y)),
        "in size.",
        scaled,
        by=rules.smt(),
    ).for_all(x, y)
    even = p.axiom(
        "Weyl",
        {
            rotating: lambda plane, angle: size(plane) * sp.cos(angle),
            constant: lambda plane: sp.Abs(size(plane)),
        },
        (INDEPENDENT, MEANS, period.for_all(l), smooth.for_all(l)),
        why="So the mean of exponentials along the positions tends to that over the torus.",
    )
    margin = sp.Min(product / 2, eps * product**2 / (2 * target))
    asked = p.under(lt(0, eps))
    exponentials = p.show(Both(lt(0, target), lt(0, product)), "Exponentials are positive,")
    once = asked.show(lt(0, eps * product), "so is the one times the tolerance,", by=rules.smt())
    twice = asked.show(lt(0, eps * product**2), "and twice,", once)
    most = asked.show(lt(0, eps * product**2 / (2 * target)), "so is this,", twice, exponentials)
    room = asked.show(
        Both(lt(0, margin), le(margin, product / 2), le(margin, eps * product**2 / (2 * target))),
        "and the less of two,",
        (most, exponentials),
        by=rules.smt(),
    )
    share = asked.show(
        le(2 * target * margin, eps * product**2), "to be put in.", room, exponentials
    )
    from_some = asked.use(
        even, {eps: margin}, room, why="So close is the mean from some length on,"
    )
    here = from_some.body()
    mean_there = whole / n
    length = here.under(le(1, n), le(least, n))
    near = length.use(
        here.given(from_some.formula.args[1], "say n_0,"),
        {n: n, place: place},
        why="at every length beyond it.",
    )
    quotient = length.lemma(
        INDEX_FADING,
        {a: target, limit: product, mean: mean_there, delta: margin, chosen: eps},
        (near, exponentials, room, share),
        why="So is the quotient close to its limit,",
    )
    inside = length.under(within(place, 0, n - 1))
    done = inside.show(
        le(sp.Abs(n * (target / whole) - fades), eps),
        "n times the weight is it.",
        quotient,
        by=rules.smt(),
    ).for_all(n, place)
    found = here.witness(p.goal.args[1].args[1], {least: least}, done, why="This length does it.")
    asked.choose(from_some, found, "Such a length exists,").for_all(eps, why="however close.")


INDEX_WEYL = prove(
    _WEYL,
    _weyl,
    Attack(
        {
            "at every length": Every(
                (eps,),
                If(
                    lt(0, eps),
                    Every(
                        (n, place),
                        If(
                            Both(le(1, n), *within(place, 0, n - 1).args),
                            le(sp.Abs(n * (target / whole) - fades), eps),
                        ),
                    ),
                ),
            )
        },
        unshown={
            INDEPENDENT: "an angle that repeats itself has another limit, as the test at 2 pi / 3 "
            "shows; no drawn instance decides what holds from some length on",
            MEANS: "any other number would be a limit as well, of which there is only one",
        },
    ),
)

CLAIMS = (INDEX_FADING, INDEX_WEYL)
