"""Fixed weights on ever longer prompts: how the weight of the target fades.

The planes stand in groups: those of group r turn by whole multiples of one angle, its generator. Plain
RoPE with an integer base b and m planes is of this kind: let d be the least number for which b^(d/m) is
an integer q. Then theta_l = q theta_(l+d), and the slowest d angles are independent (x^d - q has no
factor over the rationals), with 2 pi as well (they are algebraic). A group holds every d-th plane.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_LIPSCHITZ
from ropeproof.theory.topics.index import rational_angle
from ropeproof.theory.topics.index.fading import INDEX_FADING
from ropeproof.theory.topics.index.rational_angle import INDEX_RATIONAL_ANGLE, independent

x, y = real("x y")

# -- groups of planes --------------------------------------------------------------------

eps = real("epsilon")
size, generator, start = real_function("B"), real_function("omega"), real_function("psi")
multiple = integer_function("c")
r, groups, least, place, steps, z = integer("r G n_0 p N z")
MEANINGS: Meanings = {
    **rational_angle.MEANINGS,
    **NOTATION,
    j: "a position",
    n: "length of the input",
    phase: "phases, by group and plane",
    eps: "any positive number",
    size: "amplitudes, by group and plane",
    generator: "generators of the groups",
    start: "angles of the groups at the target",
    multiple: "multiples of the generator, by group and plane",
    r: "a group",
    groups: "number of groups",
    least: "length of the longest input",
    place: "position of the target",
    steps: "number of points on the circle",
    integer_function("h"): "integers",
}
origin = real_function("x")  # of the axiom


def over_groups(term: Term) -> Term:
    """The sum over all groups."""
    return sp.Sum(term, (r, 0, groups - 1))


def wave(angle: Term) -> Term:
    """What a group adds to a logit when its generator has turned by an angle."""
    return over_planes(size(r, l) * sp.cos(multiple(r, l) * angle + phase(r, l)))


def fading(weight_: Term, limit_: Term) -> Formula:
    """n times the weight comes as near to its limit as one likes, wherever the target stands."""
    late = (le(1, n), le(least, n), le(1, steps), le(least, steps))
    near = If(Both(*late, *within(place, 0, n - 1).args), le(sp.Abs(n * weight_ - limit_), eps))
    return Every((eps,), If(lt(0, eps), Some((least,), Every((n, steps, place), near))))


circle = sp.Sum(sp.exp(wave(2 * sp.pi * j / steps)), (j, 0, steps - 1)) / steps
whole = sp.Sum(sp.exp(over_groups(wave(start(r) + generator(r) * (j - place)))), (j, 0, n - 1))
target = sp.exp(over_groups(wave(start(r))))
product = sp.exp(over_groups(sp.log(circle)))
largest = over_planes(sp.Abs(size(r, l)))

INDEPENDENT = Hypothesis(
    "generators and 2 pi are independent over the rationals", independent(generator, groups)
)


def _even(p: Proof) -> Fact:
    """Weyl: the mean along the positions and that over the torus come near each other."""
    angle = multiple(r, l) * x + phase(r, l)
    other = angle.xreplace({x: y})
    term = size(r, l) * sp.cos(angle)
    close = [
        p.lemma(
            TRIG_COSINE_LIPSCHITZ.at(x=one, y=two), why="A cosine changes by at most its angle."
        )
        for one, two in ((angle, other), (other, angle))
    ]
    scaled = p.show(
        le(sp.Abs(sp.cos(angle) - sp.cos(other)), sp.Abs(multiple(r, l)) * sp.Abs(x - y)),
        "Both directions give the bound of the size, and |x c - y c| is |x - y| |c|.",
        close,
    ).times(sp.Abs(size(r, l)), "Multiply by the size of the amplitude, which is not negative.")
    steep = sp.Abs(size(r, l)) * sp.Abs(multiple(r, l))
    change = term - term.xreplace({x: y})
    sums = [
        p.show(
            way, "So the plane's logit changes by at most this bound in this direction.", scaled
        ).summed(l, 0, m - 1, "Sum this inequality over the planes of the group.")
        for way in (le(change, steep * sp.Abs(x - y)), le(-steep * sp.Abs(x - y), change))
    ]
    group = p.under(within(r, 0, groups - 1))
    smooth = group.show(
        le(sp.Abs(wave(x) - wave(y)), over_planes(steep) * sp.Abs(x - y)),
        "Both directions bound the change of the group's logit in size.",
        sums,
    ).for_all(x, y)
    return p.axiom(
        axiom_named("Weyl").at(
            m=groups,
            theta=generator,
            g=sp.Lambda((r, x), wave(x)),
            c=sp.Lambda(r, over_planes(steep)),
        ),
        (INDEPENDENT, smooth.for_all(r)),
        why="The logit of a plane has the period 2 pi in the group's angle. Sum this equation "
        "over the planes of the group. By Weyl's theorem the mean along the positions tends "
        "to that over the torus.",
    )


def _at_least(p: Proof) -> Fact:
    """The product of the circles' means is at least that of the least exponentials."""
    angle = multiple(r, l) * (2 * sp.pi * j / steps) + phase(r, l)
    group = p.show(
        le(-sp.Abs(size(r, l)), size(r, l) * sp.cos(angle)),
        "The logit of a plane is at least minus the size of its amplitude.",
    ).summed(l, 0, m - 1, "Sum this inequality over the planes of the group.")
    lowest, highest = -largest, group.formula.rhs
    term = exponentials(
        p, lowest, highest, "Take the exponential of both sides, which is monotone.", group
    )
    total = term.summed(j, 0, steps - 1, "Sum this inequality over the points of the grid.")
    some_points = p.under(le(1, steps))
    mean_ = some_points.show(
        le(sp.exp(lowest), circle), "Divide by the number N of points, which is positive.", total
    )
    logs = mean_.image(
        sp.log,
        "This exponential is a positive number. Take the logarithm of both sides, which is "
        "monotone.",
    )
    sums = some_points.show(
        le(lowest, sp.log(circle)), "The logarithm undoes the exponential on the left side.", logs
    ).summed(r, 0, groups - 1, "Sum this inequality over all groups.")
    return sums.image(
        sp.exp, "Take the exponential of both sides, so that the sum becomes a product."
    )


def at_every_length(weight_: Term, limit_: Term) -> Formula:
    """The same of every length, and of every number of points on the circle."""
    here = Both(le(1, n), le(1, steps), *within(place, 0, n - 1).args)
    near = If(here, le(sp.Abs(n * weight_ - limit_), eps))
    return Every((eps,), If(lt(0, eps), Every((n, steps, place), near)))


@theorem(
    "index.weyl-groups",
    needs="PT",
    hypotheses=(INDEPENDENT,),
    conclusion=fading(target / whole, target / product),
    example=(  # base 10^4 and two planes, 1 and 1/100
        *where({groups: 1, m: 2}),
        Every((r,), eq(generator(r), sp.Rational(1, 100))),
        Every((r,), eq(start(r), 0)),
        Every((r, l), eq(multiple(r, l), 100 - 99 * l)),
        Every((r, l), eq(size(r, l), 20)),
        Every((r, l), eq(phase(r, l), l)),
    ),
    example_by=INDEX_RATIONAL_ANGLE.at(a=1, b=100).rule,
    uses=(INDEX_RATIONAL_ANGLE.id,),
    attack=Attack(
        {"at every length": at_every_length(target / whole, target / product)},
        unshown={
            INDEPENDENT: "two groups that turn alike have another limit; no drawn instance decides what "
            "holds from some length on"
        },
    ),
)
def INDEX_WEYL_GROUPS(p: Proof) -> None:
    r"""How heads fade on ever longer prompts, where angles depend on each other

    A head with fixed weights whose planes stand in $G$ groups: plane $l$ of group $r$ turns by
    $c_{rl}\omega_r$, a whole multiple of a generator; $\omega_0,\dots,\omega_{G-1},2\pi$ are
    independent over the rationals. With $f_r(y)=\sum_lB_{rl}\cos(c_{rl}y+\varphi_{rl})$ the logits
    on $n$ positions are $\sum_rf_r(\psi_r+\omega_r(j-p))$, the target stands at $p$. Then
    $n\,w_{\rm target}(n)$ and $\prod_r\frac{e^{f_r(\psi_r)}}{C_r(N)}$ come as near to each other as
    one likes for $n,N\ge n_0$, uniformly in $p$; $C_r(N)=\frac1N\sum_{j<N}e^{f_r(2\pi j/N)}$ is the
    mean of $e^{f_r}$ over $N$ points of the circle.
    """
    even, floor = _even(p), _at_least(p)
    lowest = floor.formula.lhs
    margin = sp.Min(lowest / 2, eps * lowest**2 / (2 * target))
    asked = p.under(lt(0, eps))
    exponentials_ = p.show(
        Both(lt(0, target), lt(0, lowest)),
        "Both exponentials, of the logit and of the lower bound, are positive.",
    )
    twice = asked.show(
        lt(0, eps * lowest**2),
        "The tolerance times a positive number is positive. The tolerance times the square "
        "of this positive number is positive.",
    )
    most = asked.show(
        lt(0, eps * lowest**2 / (2 * target)),
        "So half of this over the exponential of the logit is positive.",
        (twice, exponentials_),
    )
    room = asked.show(
        Both(lt(0, margin), le(margin, lowest / 2), le(margin, eps * lowest**2 / (2 * target))),
        "The less of two positive numbers is positive.",
        (most, exponentials_),
    )
    share = asked.show(
        le(2 * target * margin, eps * lowest**2),
        "This less number is at most each of the two.",
        (room, exponentials_),
    )
    from_some = asked.use(
        even,
        {eps: margin},
        room,
        why="From some length on the mean is within this tolerance of the grid's mean.",
    )
    here = from_some.body()
    late = here.under(le(1, n), le(least, n), le(1, steps), le(least, steps))
    near = late.use(
        here.given(from_some.formula.args[1], "Let n_0 be a length of this kind."),
        {n: n, steps: steps, origin: lambda group: start(group) - generator(group) * place},
        why="In particular this holds from any starting point.",
        goal=le(sp.Abs(whole / n - product), margin),
    )
    lower = [
        late.show(
            le(margin, product / 2),
            "The tolerance is at most half of the grid's mean, as that has this lower bound.",
            (floor, room),
        ),
        late.show(
            le(2 * target * margin, eps * product**2),
            "The tolerance is also small enough for the quotient, by the lower bound.",
            (floor, share, exponentials_),
        ),
    ]
    quotient = late.apply(
        INDEX_FADING.at(M=whole / n, varepsilon=eps),
        (near, exponentials_, lower),
        why="This exponential is a positive number. So the quotient is within epsilon of its "
        "limit.",
    )
    inside = late.under(within(place, 0, n - 1))
    done = inside.show(
        le(sp.Abs(n * (target / whole) - target / product), eps),
        "The quotient is n times the weight of the head.",
        quotient,
    ).for_all(n, steps, place)
    found = here.witness(
        p.goal.args[1].args[1],
        {least: least},
        done,
        why="So n_0 is a length of the kind that is claimed.",
    )
    asked.choose(
        from_some, found, "Such a length exists, and the conclusion does not depend on it."
    ).for_all(eps, why="The tolerance epsilon was arbitrary, so the weight has this limit.")


# -- planes that do not depend on each other ---------------------------------------------

circle_of_plane = sp.Sum(sp.exp(size(l) * sp.cos(2 * sp.pi * j / steps)), (j, 0, steps - 1)) / steps
aligned = sp.exp(over_planes(size(l) * sp.cos(phase(l))))
positions = sp.Sum(
    sp.exp(over_planes(size(l) * sp.cos(theta(l) * (j - place) + phase(l)))), (j, 0, n - 1)
)
torus = sp.exp(over_planes(sp.log(circle_of_plane)))
ANGLES = Hypothesis("the angles and 2 pi are independent over the rationals", independent(theta, m))


@theorem(
    "index.weyl",
    meanings={
        size: "amplitudes of the planes, with the inverse temperature",
        r: "a plane",
        phase: "phases of the planes, in radians",
    },
    needs="PT",
    hypotheses=(ANGLES,),
    conclusion=fading(aligned / positions, aligned / torus),
    example=(
        *where({m: 1}),
        Every((l,), eq(theta(l), 1)),
        Every((l,), eq(size(l), 20)),
        Every((l,), eq(phase(l), 1)),
    ),
    example_by=INDEX_RATIONAL_ANGLE.at(a=1, b=1).rule,
    uses=(INDEX_RATIONAL_ANGLE.id,),
    attack=Attack(
        {"at every length": at_every_length(aligned / positions, aligned / torus)},
        unshown={
            ANGLES: "an angle that repeats itself has another limit, as the test at 2 pi / 3 "
            "shows; no drawn instance decides what holds from some length on"
        },
    ),
)
def INDEX_WEYL(p: Proof) -> None:
    r"""How positional heads fade on ever longer prompts

    A head with fixed weights and angles that are independent with $2\pi$ over the rationals: logits
    $\sum_lB_l\cos(\theta_l(j-p)+\varphi_l)$ on $n$ positions with the target at $p$. Then
    $n\,w_{\rm target}(n)$ and $\prod_l\frac{e^{B_l\cos\varphi_l}}{C_l(N)}$ come as near to each
    other as one likes for $n,N\ge n_0$, uniformly in $p$; $C_l(N)=\frac1N\sum_{j<N}e^{B_l\cos(2\pi
    j/N)}$, the mean over $N$ points of the circle. Phases enter by the target's logit alone.
    """
    p.lemma(
        INDEX_WEYL_GROUPS.at(
            G=m,
            m=1,
            omega=theta,
            psi=phase,
            B=lambda group, plane: size(group),
            c=lambda group, plane: 1,
            varphi=lambda group, plane: 0,
        ),
        ANGLES,
        why="Apply the theorem for groups with each plane as a group of its own.",
        goal=p.goal,
    )
