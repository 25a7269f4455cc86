"""The simplified symbolic construction: the weight of its target by where the target stands."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.library.trigonometry.turns import x, y
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.task.u_shape import u_shape_index
from ropeproof.theory.topics.task.u_shape.u_shape_index import PLACE, SCALE, beta, ell

MEANINGS: Meanings = u_shape_index.MEANINGS

THIRD = Hypothesis("there is a third location", le(3, n))


def sine(at: Term) -> Term:
    """The sine of a location's part of half a turn."""
    return sp.sin(sp.pi * at / n)


@named("ν({})", r"\nu({})", "what a location adds to the normaliser", ell)
def nu(at: Term) -> Term:
    """What a location other than the target's adds to the normaliser."""
    return sp.exp(-beta * sine(at))


def upto(at: Term) -> Term:
    """What the locations 0..at add."""
    return sp.Sum(nu(j), (j, 0, at))


def beyond(at: Term) -> Term:
    """What the locations after `at` add."""
    return sp.Sum(nu(j), (j, at + 1, n - 1))


@named("w_S({})", r"w_{S}({})", "weight of the symbolic construction's target, by location", ell)
def symbol_weight(at: Term) -> Term:
    """The weight of the target at this location."""
    own = sp.exp(beta * sine(at))
    return own / (own + (upto(at - 1) + beyond(at)))


total = upto(n - 1)


def inverse(at: Term) -> Term:
    """1 / symbol_weight(at)."""
    return 1 + total * nu(at) - nu(at) ** 2


following = ell + 1
here, there = symbol_weight(ell), symbol_weight(following)
rising, falling, middle = lt(2 * ell + 1, n), lt(n, 2 * ell + 1), eq(2 * ell + 1, n)
rest = total - nu(ell) - nu(following)


def _reading(p: Proof, at: Term, not_negative: Fact) -> Fact:
    """1/w at one location."""
    after = p.split(total, at, "Split the sum over all locations after this one.", PLACE)
    before = p.last(upto(at), "Split the term of this location off the first part.", PLACE)
    none_before = not_negative.summed(
        j, 0, at - 1, "The sum over the locations before is not negative."
    )
    none_after = not_negative.summed(
        j, at + 1, n - 1, "The sum over the locations after is not negative."
    )
    weight = symbol_weight(at)
    goal, known = Both(eq(1 / weight, inverse(at)), lt(0, weight)), (none_before, none_after)
    return p.show(
        goal,
        "So the inverse weight is this sum, as the target's exponential is the inverse of its "
        "term.",
        (after, before, known),
    )


def _rest(p: Proof, positive: Fact, not_negative: Fact) -> Fact:
    """The other locations add something: there is one before or after the two."""
    cut = p.split(total, following, "Split the sum over all locations after the next one.", PLACE)
    again = p.last(
        upto(following), "Split the term of the next location off the first part.", PLACE
    )
    once_more = p.last(upto(ell), "Split the term of this location off the remaining part.", PLACE)
    low = not_negative.summed(j, 0, ell - 1, "The sum over the locations before is not negative.")
    high = not_negative.summed(
        j, ell + 2, n - 1, "The sum over the locations after the next one is not negative."
    )
    some_low, some_high = (
        p.under(where_).step(lt(0, part), rules.termwise(), why, positive)
        for where_, part, why in (
            (
                le(1, ell),
                low.formula.rhs,
                "If there is a location before, the sum over them is positive.",
            ),
            (
                le(ell, n - 3),
                high.formula.rhs,
                "If there is a location after the next one, the sum over them is positive.",
            ),
        )
    )
    known = (cut, again, once_more, low, high, some_low, some_high)
    return p.show(
        lt(0, rest),
        "There is a third location, so the second factor is positive.",
        (known, PLACE, THIRD),
    )


class _Turn(NamedTuple):
    """How the sine changes from one location to the next."""

    half: Fact
    product: Fact


mid, half = sp.pi * (2 * ell + 1) / (2 * n), sp.pi / (2 * n)


def _turn(p: Proof) -> _Turn:
    positive = p.lemma(
        TRIG_SINE_POSITIVE.at(x=half), THIRD, why="The sine of half a step is positive."
    )
    change = eq(sine(following) - sine(ell), 2 * sp.cos(mid) * sp.sin(half))
    return _Turn(
        positive,
        p.show(
            change, "The difference of the two sines is a product of a sine and a cosine.", THIRD
        ),
    )


def _side(scope: Scope, turn: _Turn, locations: tuple[Term, Term], *known: Premise) -> Fact:
    """On one side of the middle the weight at the first of the two locations is smaller."""
    less, more = locations
    low, side = (sp.pi / 2 - mid, "before") if less == ell else (mid - sp.pi / 2, "after")
    why = f"The cosine halfway has one sign {side} the middle of the prompt."
    share = (2 * ell + 1) / n
    place = scope.show(
        Both(lt(0, share), lt(share, 1)) if less == ell else Both(lt(1, share), lt(share, 2)),
        f"The middle of the two locations is {side} that of the prompt.",
        (PLACE, THIRD),
    )
    cosine = scope.lemma(TRIG_SINE_POSITIVE.at(x=low), place, THIRD, why=why)
    rises = lt(sine(less), sine(more))
    sines = scope.show(
        rises, "So the sine moves with this cosine's sign.", turn.product, turn.half, cosine
    )
    ends = -beta * sine(more), -beta * sine(less)
    terms = exponentials(
        scope,
        *ends,
        "The exponential of minus beta times the sine moves the other way.",
        sines,
        SCALE,
        strict=True,
    )
    inverses = scope.show(
        lt(inverse(more), inverse(less)),
        "So the inverse weight moves with this exponential.",
        (terms, known),
    )
    weights = lt(symbol_weight(less), symbol_weight(more))
    return scope.show(weights, "So the weight moves the other way.", inverses, known)


def _middle(p: Proof, turn: _Turn, readings: tuple[Fact, Fact]) -> Fact:
    """In the middle nothing changes."""
    at_middle = p.under(middle)
    why = "In the middle of the prompt the angle halfway is a right angle."
    right_angle = at_middle.show(eq(mid, sp.pi / 2), why, THIRD, by=rules.smt())
    cosine = at_middle.rewrite(
        eq(sp.cos(mid), kept(sp.cos, sp.pi / 2)),
        "So its cosine is that of a right angle.",
        right_angle,
    )
    same = at_middle.show(
        eq(sine(following), sine(ell)),
        "As this cosine is 0, the two sines are equal.",
        (turn.product, cosine),
    )
    same_nu = at_middle.rewrite(
        eq(nu(following), nu(ell)), "So the two exponentials are equal.", same
    )
    inverses = at_middle.show(
        eq(1 / there, 1 / here), "So the two inverse weights are equal.", same_nu, readings
    )
    equals = p.under(lt(0, x), lt(0, y), eq(1 / x, 1 / y)).show(
        eq(x, y), "Positive numbers with equal inverses are equal.", by=rules.smt()
    )
    return at_middle.use(
        equals, {x: there, y: here}, inverses, readings, why="So the two weights are equal."
    )


@theorem(
    "task.u-shape-symbol",
    source=DECOUPLE.at("section 5, Theorem 7; appendix C.2, Theorem 8", "own"),
    hypotheses=(SCALE, PLACE, THIRD),
    conclusion=Both(
        Both(eq(1 / here, inverse(ell)), eq(1 / there, inverse(following))),
        eq(inverse(following) - inverse(ell), (nu(following) - nu(ell)) * rest),
        If(rising, lt(here, there)),
        If(falling, lt(there, here)),
        If(middle, eq(there, here)),
    ),
    attack=Attack(
        {
            "always rises": lt(here, there),
            "always falls": lt(there, here),
            "no square": eq(1 / here, 1 + total * nu(ell)),
        },
        at={"always rises": {n: 4, ell: 2, beta: 1}, "always falls": {n: 4, ell: 0, beta: 1}},
        without={SCALE: {n: 4, ell: 0, beta: -1}, PLACE: {n: 3, ell: -2, beta: 1}},
        unshown={
            THIRD: "for n = 2 both weights are equal, a tie that drawn instances cannot decide"
        },
    ),
)
def TASK_U_SHAPE_SYMBOL(p: Proof) -> None:
    r"""The simplified symbolic construction weighs its target most in the middle

    With $\nu(j)=e^{-\beta\sin(\pi j/n)}$, $\beta>0$, and $S=\sum_{j<n}\nu(j)$ the target at
    location $\ell$, whose term is $e^{\beta\sin(\pi\ell/n)}$ among the $\nu(j)$, $j\ne\ell$, has
    weight $w(\ell)$ with $1/w(\ell)=1+S\nu(\ell)-\nu(\ell)^2$, and
    $1/w(\ell+1)-1/w(\ell)=(\nu(\ell+1)-\nu(\ell))(S-\nu(\ell)-\nu(\ell+1))$. For $n\ge3$ the weight
    rises from $\ell$ to $\ell+1$ while $2\ell+1<n$, falls when $2\ell+1>n$ and stays the same where
    the two are equal.
    """
    positive = p.show(lt(0, nu(j)), "This exponential is a positive number.")
    not_negative = p.show(le(0, nu(j)), "So this exponential is not negative.", positive)
    readings = _reading(p, ell, not_negative), _reading(p, following, not_negative)
    difference = p.show(
        p.goal.args[1], "The difference of the two inverse weights is a product of two factors."
    )
    known, turn = (*readings, difference, _rest(p, positive, not_negative)), _turn(p)
    rises = _side(p.under(rising), turn, (ell, following), known)
    falls = _side(p.under(falling), turn, (following, ell), known)
    p.qed(
        "These statements together are the claim.",
        (readings, difference, rises, falls, _middle(p, turn, readings)),
    )
