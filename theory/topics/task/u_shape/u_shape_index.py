"""The index construction: the weight of its target by where the target stands."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.papers.citations import DECOUPLE

ell = integer("ell")
theta, beta = real("theta beta")
MEANINGS: Meanings = {
    j: "a position",
    n: "length of the input",
    ell: "location of the target",
    theta: "the plane's angle per position, in radians",
    beta: "scale of the logits",
}

PLACE = Hypothesis("both locations are in the sequence", within(ell, 0, n - 2))
SCALE = Hypothesis("the scale is positive", lt(0, beta))
POSITIVE = Hypothesis("theta is positive", lt(0, theta))
LESS = Hypothesis("less than a turn over the sequence", lt(n * theta, 2 * sp.pi))


def wave(angle: Term) -> Term:
    """What a location at this angle from the target adds to the mass."""
    return sp.exp(beta * sp.cos(angle))


def mass(at: Term) -> Term:
    """The exponentials of all positions if the target is at this location."""
    return sp.Sum(wave(theta * (j - at)), (j, 0, n - 1))


@named("w_I({})", r"w_{I}({})", "weight of the index construction's target, by location", ell)
def index_weight(at: Term) -> Term:
    """The weight of the target at this location."""
    return sp.exp(beta) / mass(at)


before, after = theta * (ell + 1), theta * (n - 1 - ell)
here, there = index_weight(ell), index_weight(ell + 1)
change = mass(ell + 1) - mass(ell)
gains, loses = lt(ell + 1, n - 1 - ell), lt(n - 1 - ell, ell + 1)
middle = eq(ell + 1, n - 1 - ell)


def _difference(p: Proof) -> Fact:
    """One location on, the mass gains a term and loses one."""
    shared = sp.Sum(wave(theta * (j - ell)), (j, 0, n - 2))
    moved = sp.Sum(wave(theta * (j - ell)), (j, -1, n - 2))
    gained = eq(moved, wave(theta * (-1 - ell)) + shared)
    why = "Moving the target by one moves the window of distances: it gains one at this end."
    first = p.split(moved, -1, why, PLACE, goal=gained)
    last = p.last(mass(ell), "At the other end the window of distances loses one.", PLACE)
    return p.show(
        p.goal.args[0],
        "So the normaliser changes by the difference of the two, as the cosine is even.",
        (first, last),
    )


def _falls(scope: Scope, low: Term, high: Term) -> Fact:
    """exp cos falls from the smaller to the larger angle."""
    known, why = (PLACE, POSITIVE, LESS), "The smaller of the two angles has the larger cosine."
    cosines = falling_cosine(scope, low, high, why, known, strict=True)
    ends = beta * sp.cos(high), beta * sp.cos(low)
    return exponentials(
        scope,
        *ends,
        "So it has the larger exponential, as beta is positive.",
        cosines,
        SCALE,
        strict=True,
    )


_four = {n: 4, ell: 0, beta: 1, theta: 1}


@theorem(
    "task.u-shape-index",
    source=DECOUPLE.at("section 5, Theorem 7", "own"),
    hypotheses=(SCALE, PLACE, POSITIVE, LESS),
    conclusion=Both(
        eq(change, wave(before) - wave(after)),
        If(gains, lt(there, here)),
        If(loses, lt(here, there)),
        If(middle, eq(there, here)),
    ),
    attack=Attack(
        {
            "always falls": lt(there, here),
            "falls one step longer": If(lt(ell, n - ell), lt(there, here)),
            "twice the difference": eq(change, 2 * (wave(before) - wave(after))),
        },
        at={
            "always falls": {**_four, ell: 2},
            "falls one step longer": {**_four, n: 5, ell: 2},
            "twice the difference": _four,
        },
        without={
            SCALE: {**_four, beta: -1},
            PLACE: {n: 2, ell: 2, beta: 1, theta: 3},
            POSITIVE: {**_four, theta: 0},
            LESS: {**_four, theta: sp.Rational(9, 5)},
        },
    ),
)
def TASK_U_SHAPE_INDEX(p: Proof) -> None:
    r"""The index construction weighs its target least in the middle

    With $Z(\ell)=\sum_{j<n}e^{\beta\cos\theta(j-\ell)}$ the target's weight at location $\ell$ is
    $e^\beta/Z(\ell)$, and
    $Z(\ell+1)-Z(\ell)=e^{\beta\cos\theta(\ell+1)}-e^{\beta\cos\theta(n-1-\ell)}$. For $\beta>0$ and
    $0<\theta<2\pi/n$ the weight falls from $\ell$ to $\ell+1$ while $\ell+1<n-1-\ell$, and rises
    when $\ell+1>n-1-\ell$; it stays the same where the two are equal.
    """
    _, _falling, _rising, _ = p.goal.args
    difference = _difference(p)
    positive = []
    for at in (ell, ell + 1):
        term = p.show(lt(0, wave(theta * (j - at))), "This exponential is a positive number.")
        positive.append(term.summed(j, 0, n - 1, "Sum this inequality over all positions.", PLACE))
    known = (difference, positive)
    gain = _falls(p.under(gains), before, after)
    loss = _falls(p.under(loses), after, before)
    equal = p.under(middle).show(
        eq(before, after), "In the middle the two angles are equal.", by=rules.smt()
    )
    same = equal.image(wave, "So the two exponentials are equal.")
    same_mass = equal.scope.show(
        eq(mass(ell + 1), mass(ell)),
        "So in the middle the normaliser does not change.",
        (difference, same),
    )
    stays = equal.scope.rewrite(eq(there, here), "So the weight does not change either.", same_mass)
    p.qed(
        "So before the middle the weight falls. So after the middle the weight rises. These "
        "statements together are the claim.",
        (difference, gain, known, loss, stays),
    )
