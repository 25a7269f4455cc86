"""Queries and keys with means make the mean logit of independent ones depend on the lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.topics.rope.decay import independent
from ropeproof.theory.topics.rope.decay.base_expectation import other
from ropeproof.theory.topics.rope.decay.independent import imaginary_part, real_part
from ropeproof.theory.topics.rope.expressive import expressive_exists
from ropeproof.theory.topics.rope.expressive.expressive import DISTINCT, IN_RANGE, ROPE_EXPRESSIVE
from ropeproof.theory.topics.rope.expressive.expressive_exists import a, c, combination
from ropeproof.theory.topics.rope.expressive.expressive_exists import u as start

one_plane, lag = integer("h j")
MEANINGS: Meanings = {
    **NOTATION,
    query_x: "first coordinate of the query in a plane, by draw",
    query_y: "second coordinate of the query in a plane, by draw",
    start: "a draw of the query",
    one_plane: "the plane in which the product of the means is not 0",
    lag: "a lag",
    integer("M"): "number of draws of the key",
    integer("N"): "number of draws of the query",
    real_function("h_x"): "first coordinate of the key in a plane, by draw",
    real_function("h_y"): "second coordinate of the key in a plane, by draw",
    real_function("p"): "probabilities of the draws of the query",
    real_function("r"): "probabilities of the draws of the key",
    integer("v"): "a draw of the key",
}


def mean_at(at: Term) -> Term:
    """The mean logit at a lag."""
    return other.xreplace({t: at})


BIASED = Either(ne(real_part(one_plane), 0), ne(imaginary_part(one_plane), 0))
SEPARATE = Both(IN_RANGE.formula, DISTINCT.formula, ne(s, 0))


def changes(last: Term | int) -> Formula:
    """The mean logit is not the same at some two neighbouring lags from 1 to the last and one more."""
    return Some((lag,), Both(le(1, lag), le(lag, last), ne(mean_at(lag), mean_at(lag + 1))))


def depends(given: Formula, last: Term | int) -> Formula:
    """If this is given of a plane, the mean logit depends on the lag."""
    return Every((one_plane,), If(Both(*within(one_plane, 0, m - 1).args, given), changes(last)))


@theorem(
    "rope.mean-bias",
    needs="PTX",
    conclusion=Both(independent.IS_THAT_OF_MEANS, If(SEPARATE, depends(BIASED, 2 * m))),
    conditions=(independent.TWO_PLANES,),
    attack=Attack(
        {
            "the other direction of turning": eq(other, independent.of_means(t, -1)),
            "the mean of the products": eq(other, independent.of_products),
            "it changes with no mean": If(SEPARATE, depends(le(0, m), 2 * m)),
            "it changes at the first lag": If(SEPARATE, depends(BIASED, 0)),
        },
        at={
            "the other direction of turning": independent.ONE_PLANE,
            "the mean of the products": {**independent.ONE_PLANE, query_y(0, 0): 1},
            "it changes with no mean": {**independent.ONE_PLANE, query_x(0, 0): 0},
            "it changes at the first lag": independent.ONE_PLANE,
        },
    ),
)
def ROPE_MEAN_BIAS(p: Proof) -> None:
    r"""Queries and keys with means make the mean logit depend on the lag

    A query $q$ (outcome $u$ of probability $p_u$) and a key $h$ (outcome $v$ of probability
    $r_v$) are drawn independently. At every lag $\mathbb Ew(t,q,h)=s\,\mathrm{Re}\sum_l\mathbb
    Eq_l\,\overline{\mathbb Eh_l}\,e^{\mathrm i\theta_lt}$, the logit of the two means. If the
    frequencies are distinct and in $(0,\pi)$, $s\ne0$ and $\mathbb Eq_l\,\overline{\mathbb
    Eh_l}\ne0$ in some plane, the mean logit is not the same at the lags $1,\dots,2m+1$: it
    differs between some two neighbours.
    """
    same = independent.mean_of_independent(p)
    # Differences of neighbours are a combination of the same planes.
    angle = theta(l)
    first = s * (real_part(l) * (1 - sp.cos(angle)) + imaginary_part(l) * sp.sin(angle))
    second = s * (real_part(l) * sp.sin(angle) - imaginary_part(l) * (1 - sp.cos(angle)))
    everywhere = same.for_all(t, why="This holds at every lag.")
    here = everywhere.at({t: lag}, why="In particular it holds at an integer lag.")
    following = everywhere.at({t: lag + 1}, why="It holds at the lag after it, too.")
    steps = p.show(
        eq(
            combination(m, lag, lambda _: first, lambda _: second),
            independent.of_means(lag) - independent.of_means(lag + 1),
        ),
        "The difference at neighbouring lags is a combination of the same cosines and sines.",
    )
    none = Negation(changes(2 * m))
    found = p.under(SEPARATE, *within(one_plane, 0, m - 1).args, BIASED)
    against = found.under(none)
    separate = found.given(SEPARATE, "Let the frequencies be distinct, in (0, pi), and s not 0.")
    counted = found.show(le(0, m), "There is a plane, so their number is not negative.")
    determined = found.lemma(
        ROPE_EXPRESSIVE.at(n=2 * m, h=one_plane),
        (counted, separate),
        why="Logits at 2m lags determine the coefficients.",
        goal=ROPE_EXPRESSIVE.conclusion.xreplace({n: 2 * m, expressive_exists.t: lag}),
    )
    never = against.show(
        Every((lag,), Negation(changes(2 * m).args[1])),
        "Suppose that the mean logit is the same at all neighbours.",
        against.given(none, "Suppose that no two neighbours differ."),
    )
    window = against.under(within(lag, 1, 2 * m))
    equal = window.show(
        eq(combination(m, lag, lambda _: first, lambda _: second), 0),
        "Then the combination vanishes at each of the 2m lags.",
        never.at({lag: lag}, why="So at this lag there is no difference."),
        here,
        following,
        steps,
    ).for_all(lag, why="This holds at all 2m lags.")
    vanish = against.use(
        determined.parts("This is one of its parts.")[1],
        {a: sp.Lambda(l, first), c: sp.Lambda(l, second), start: 1},
        equal,
        why="So the coefficients of the combination are 0.",
    )
    own = against.use(
        vanish, {l: one_plane}, why="In particular they are 0 in the plane with a product of means."
    )
    turns = found.use(
        separate.parts("This is one of the conditions.")[0],
        {l: one_plane},
        why="The frequency of this plane lies in (0, pi).",
    )
    sine = found.apply(TRIG_SINE_POSITIVE, turns, why="So its sine is positive.")
    at = theta(one_plane)
    real_, imaginary = real_part(one_plane), imaginary_part(one_plane)
    square = found.show(
        lt(0, (1 - sp.cos(at)) ** 2 + sp.sin(at) ** 2), "So this sum of squares is positive.", sine
    )
    zero = against.show(
        Both(eq(real_, 0), eq(imaginary, 0)),
        "Two linear equations with that determinant have the solution 0 only.",
        own,
        square,
        separate,
    )
    contradiction = against.show(
        changes(2 * m), "But the product of the means is not 0 there, a contradiction.", zero
    )
    differs = found.show(
        changes(2 * m), "So two neighbours do differ.", contradiction, cases=(changes(2 * m),)
    ).for_all(one_plane, why="This holds for every plane of this kind.")
    p.qed("This proves the mean, and that it depends on the lag.", same, differs)
