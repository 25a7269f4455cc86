"""The game on any window, with angles from a list: its value is reached, and nearly so by no list.

A head's plane l has the angle psi_l at the target; at displacement e_j it is behind by
cos psi_l - cos(theta_l e_j + psi_l). The list has an angle mu_l for each of its planes, of which
several may have one frequency. It is c-dense if every point has, among the listed planes of a
frequency, one along whose angle it reaches at least c times its distance from the origin: K angles
at equal distances are cos(pi/K)-dense.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, m, over_planes, theta
from ropeproof.theory.library.duality.minimax import DUALITY_MINIMAX
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.cosine import TRIG_PROJECTION
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total
from ropeproof.theory.topics.slash.ceiling.amplitudes import SLASH_AMPLITUDES

reach, other, h = integer("N r h")
margin, v, dense, p_x, p_y, number = real("Gamma v c p_x p_y X")
angle, listed_at, displacement = (real_function(name) for name in ("psi", "mu", "e"))
y, share, dual = real_function("y"), real_function("a"), real_function("z")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a lag, or a displacement",
    reach: "number of displacements",
    other: "an index",
    margin: "the margin, in logits",
    v: "the most that a listed plane gains",
    dense: "how dense the listed angles are: 1 is every angle",
    p_x: "first coordinate of a point",
    p_y: "second coordinate of a point",
    angle: "angles of the planes at the target",
    listed_at: "listed angles of the planes",
    displacement: "displacements from the target",
    y: "weights of the displacements",
    share: "shares of the amplitude, by plane",
    dual: "weights of the lags",
}


def _behind(at: Term | int, plane: Term | int = l) -> Term | int:
    """By how much a plane with this angle at the target is behind at displacement e_j."""
    return sp.cos(at) - sp.cos(theta(plane) * displacement(j) + at)


def _over_window(term: Term | int) -> Any:
    return sp.Sum(term, (j, 1, reach))


def _gain(weights: Function, at: Term) -> Any:
    """What a unit of amplitude gains under weights on the displacements."""
    return _over_window(weights(j) * _behind(at))


def _point(weights: Function) -> tuple[Any, Any]:
    """sum_j w_j (1 - cos theta_l e_j, sin theta_l e_j)."""
    turned = theta(l) * displacement(j)
    return (
        _over_window(weights(j) * (1 - sp.cos(turned))),
        _over_window(weights(j) * sp.sin(turned)),
    )


WEIGHTS = Hypothesis("weights are not negative", every(j, 1, reach, le(0, y(j))))
MASS = Hypothesis("weights add up to 1", eq(_over_window(y(j)), 1))
POSITIVE = Hypothesis("c is positive", lt(0, dense))
LISTED = Hypothesis(
    "no listed plane gains more than v", every(l, 0, m - 1, le(_gain(y, listed_at(l)), v))
)


def _near(point: tuple[Term, Term]) -> Any:
    """Along the angle of some listed plane of the same frequency the point reaches far enough."""
    along = point[0] * sp.cos(listed_at(other)) + point[1] * sp.sin(listed_at(other))
    return some(
        other,
        0,
        m - 1,
        Both(
            eq(theta(other), theta(l)),
            le(0, along),
            le(dense**2 * (point[0] ** 2 + point[1] ** 2), along**2),
        ),
    )


NEAR = Hypothesis(
    "the list is c-dense where the weights point", every(l, 0, m - 1, _near(_point(y)))
)
advantage = over_planes(amplitude(l) * _behind(angle(l)))
MARGIN = Hypothesis("the margin", every(j, 1, reach, le(margin, advantage)))

# -- a dense list bounds heads of all angles ---------------------------------------------


_ONE: Values = {
    **{m: 1, reach: 1, displacement(1): 1, theta(0): 3, y(1): 1, amplitude(0): 1},
    **{listed_at(0): 1, angle(0): sp.Rational(7, 100), dense: sp.Rational(59, 100)},
    **{v: sp.Rational(6, 5), margin: sp.Rational(199, 100)},
}
_TWO: Values = {
    **{m: 1, reach: 2, displacement(1): 1, displacement(2): 2, theta(0): 1, amplitude(0): 1},
    **{y(1): sp.Rational(3, 2), y(2): -sp.Rational(1, 2), listed_at(0): sp.Rational(159, 100)},
    **{angle(0): sp.Rational(4, 5), dense: sp.Rational(99, 100)},
    **{v: sp.Rational(81, 100), margin: sp.Rational(92, 100)},
}


@theorem(
    "slash.game-dense",
    hypotheses=(NOT_NEGATIVE, WEIGHTS, MASS, POSITIVE, LISTED, NEAR, MARGIN),
    conclusion=le(dense * margin, v * total()),
    attack=Attack(
        {
            "without c": le(margin, v * total()),
            "0.9 of it": le(dense * margin, sp.Rational(9, 10) * v * total()),
        },
        at={"without c": _ONE, "0.9 of it": _ONE},
        without={
            NOT_NEGATIVE: {**_ONE, amplitude(0): -1, margin: -sp.Rational(1995, 1000)},
            WEIGHTS: _TWO,
            MASS: {**_ONE, y(1): 0, v: 0},
            POSITIVE: {**_ONE, dense: -sp.Rational(59, 100), margin: -5},
            LISTED: {**_ONE, v: sp.Rational(1, 10)},
            NEAR: {**_ONE, dense: 5},
            MARGIN: {**_ONE, margin: 100},
        },
    ),
)
def SLASH_GAME_DENSE(p: Proof) -> None:
    r"""What angles of a dense list cannot gain, no angles can, nearly

    Let probabilities $y$ on displacements $e_1,\dots,e_N$ leave no listed plane a gain
    $\sum_jy_j[\cos\mu_l-\cos(\theta_le_j+\mu_l)]$ above $v$, and let the list be $c$-dense: among
    the listed planes of each frequency, every point of the plane reaches along some angle $c$ times
    its distance from the origin ($c=\cos\frac\pi K$ for $K$ angles at equal distances). Then a head
    of amplitude $A$ on these frequencies with **any** angles that keeps the margin $\Gamma$ over
    every displacement has $c\,\Gamma\le vA$.
    """
    window, plane = p.under(within(j, 1, reach)), p.under(*INSIDE)
    ahead = window.use(MARGIN, why="The target keeps its margin at every displacement.")
    weight = window.use(WEIGHTS, why="The weight of a displacement is not negative.")
    average = window.show(
        le(y(j) * margin, y(j) * advantage),
        "So the weighted lead is at least the weighted margin.",
        (ahead, weight),
    ).summed(j, 1, reach, "Sum this inequality over the displacements.")
    mean = p.show(
        eq(_over_window(y(j) * margin), margin * _over_window(y(j))),
        "The margin is a common factor of its weighted sum.",
    )
    nested = _over_window(over_planes(y(j) * amplitude(l) * _behind(angle(l))))
    swap = p.swap(nested, "Exchange the sums over displacements and over planes.")
    gain = _gain(y, angle(l))

    cosine, sine = _point(y)
    net = plane.use(
        NEAR, why="In each plane some listed plane is near the point that the weights see."
    )
    near = net.body()
    there = near.given(
        net.formula.args[1], "This listed plane has the same frequency and reaches far enough."
    )
    equal = near.show(
        eq(theta(other), theta(l)),
        "So the frequency of the listed plane is that of the plane.",
        there,
    )
    same_x = equal.image(
        lambda rate: _over_window(y(j) * (1 - sp.cos(rate * displacement(j)))),
        "So the first coordinate of the point is the same.",
    )
    same_y = equal.image(
        lambda rate: _over_window(y(j) * sp.sin(rate * displacement(j))),
        "So the second coordinate of the point is the same.",
    )
    at_most = near.use(
        LISTED, {l: other}, there, why="By hypothesis no listed plane gains more than v."
    )
    length = near.show(
        Both(le(0, v), le(dense**2 * (cosine**2 + sine**2), v**2)),
        "The listed plane gains what the point reaches along its angle. So the point's "
        "distance from the origin is at most v/c.",
        (there, same_x, same_y, at_most),
    )
    short = plane.choose(net, length, "This holds whichever listed plane it was.")
    turned = cosine * sp.cos(angle(l)) + sine * sp.sin(angle(l))
    square = p.lemma(
        TRIG_PROJECTION.at(p_x=cosine, p_y=sine, psi_0=angle(l)),
        why="Along any angle the point reaches at most its distance from the origin.",
    )
    dense_squared = p.show(le(0, dense**2), "The square c^2 is not negative.")
    (positive, bounded) = short.parts()
    scaled = times(
        plane,
        square,
        dense**2,
        "Multiply the bound of the projection's square by c^2.",
        dense_squared,
    )
    size = plane.chain(
        scaled, bounded, why="So c times what the point reaches has a square of at most v^2."
    )
    root = p.under(le(0, v), le(number**2, v**2)).show(
        le(number, v), "A number whose square is at most v^2 is at most v, if v is not negative."
    )
    reached = plane.use(
        root,
        {number: dense * turned},
        (positive, size),
        why="So c times what the point reaches is at most v.",
    )
    earns = plane.show(
        le(dense * gain, v),
        "A plane of the head gains what the point reaches along its angle. So c times the "
        "gain of a plane is at most v.",
        reached,
    )
    planes = p.apply(
        SLASH_AMPLITUDES,
        (NOT_NEGATIVE, earns.for_all(l, why="This holds per unit of amplitude in every plane.")),
        why="So all planes together gain at most v A, times c.",
    )
    p.qed(
        "The weighted sum of the leads is a double sum. So it is a sum over the planes of "
        "what each gains. The factor c is common to all planes. So the margin is at most "
        "what the planes gain. Multiply by c, which is positive.",
        (average, mean, MASS, swap, planes, POSITIVE),
    )


# -- shares that reach the value ---------------------------------------------------------

A_PLANE = Hypothesis("a plane is listed", le(1, m))
A_PLACE = Hypothesis("there is a displacement", le(1, reach))
NET = Every((l, p_x, p_y), If(Both(*INSIDE), _near((p_x, p_y))))  # the list is c-dense
IN_A_PLANE = eq(
    _behind(angle(l)),
    sp.cos(angle(l)) * (1 - sp.cos(theta(l) * displacement(j)))
    + sp.sin(angle(l)) * sp.sin(theta(l) * displacement(j)),
)
PAIR = Both(
    every(l, 0, m - 1, le(0, share(l))),
    every(j, 1, reach, le(0, dual(j))),
    eq(over_planes(share(l)), 1),
    eq(_over_window(dual(j)), 1),
    every(j, 1, reach, le(v, over_planes(share(l) * _behind(listed_at(l))))),
    every(l, 0, m - 1, le(_gain(dual, listed_at(l)), v)),
)
A_HEAD = Both(NOT_NEGATIVE.formula, MARGIN.formula, POSITIVE.formula, NET)
ANY_HEAD = Every(
    (amplitude(h), angle(h), margin, dense), If(A_HEAD, le(dense * margin, v * total()))
)
VALUE = Some((v, share(h), dual(h)), Both(PAIR, ANY_HEAD))

FOUR_ANGLES = (
    *where({m: 4, reach: 1, dense: sp.Rational(1, 2), margin: 0}),
    *(Every((l,), eq(of(l), 0)) for of in (theta, amplitude)),
    *(Every((l,), eq(listed_at(l), sp.pi * l / 2)), Every((j,), eq(displacement(j), 1))),
)
"""Four planes of one frequency, listed at quarter turns: 1/2-dense."""


@theorem(
    "slash.game-reached",
    meanings={v: "value of the game: margin per unit of amplitude"},
    hypotheses=(A_PLANE, A_PLACE),
    conclusion=Both(IN_A_PLANE, VALUE),
    example=FOUR_ANGLES,
    attack=Attack(
        {
            "without the sine": eq(
                _behind(angle(l)), sp.cos(angle(l)) * (1 - sp.cos(theta(l) * displacement(j)))
            )
        },
        without={A_PLANE: {m: 0, reach: 1}, A_PLACE: {m: 1, reach: 0}},
    ),
)
def SLASH_GAME_REACHED(p: Proof) -> None:
    r"""On any window listed angles reach the best margin of any angles, nearly

    For any displacements $e_1,\dots,e_N$ (all lags of a row but the target's, on both sides or on
    one) and a $c$-dense list of angles there are a number $v$ and shares $a$ of the amplitude among
    the listed planes that keep the margin $v$ per unit amplitude over every displacement, while no
    head on these frequencies, of any amplitude and **any** angles, keeps more than $v/c$ per unit.
    (A plane at the angle $\psi_l$ gains $\cos\psi_l(1-\cos\theta_le)+\sin\psi_l\sin\theta_le$, so
    listed planes of one frequency act as one plane.) Shares and weights exist by `duality.minimax`.
    """
    identity = p.show(IN_A_PLANE, "In a plane the lead is a point seen along the plane's angle.")
    exists = p.lemma(
        DUALITY_MINIMAX.at(P=sp.Lambda((l, j), _behind(listed_at(l))), R=m, C=reach),
        (A_PLANE, A_PLACE),
        why="The matrix game of listed planes against displacements has a value.",
        goal=Some((v, share(h), dual(h)), PAIR),
    )
    pair = exists.body()
    point = _point(dual)
    head = pair.under(*A_HEAD.args)
    net = head.given(NET, "The list is c-dense wherever a point may lie.")
    near = head.under(*INSIDE).use(
        net,
        {p_x: point[0], p_y: point[1]},
        why="In particular it is c-dense where the weights point.",
    )
    every_head = head.lemma(
        SLASH_GAME_DENSE.at(y=dual),
        near.for_all(l, why="This holds in every plane."),
        why="Take these shares and weights. Take a head and a list that is c-dense. So c times "
        "the margin of the head is at most v A.",
    ).for_all(amplitude(h), angle(h), margin, dense, why="This holds for every head and every c.")
    found = every_head.scope.witness(
        VALUE,
        {v: v, share: share, dual: dual},
        every_head,
        why="So these shares and weights are as claimed.",
    )
    value = p.choose(exists, found, "The value exists, as such shares and weights do.")
    p.qed("This proves the identity in a plane and the value of the game.", identity, value)
