"""Logits at 2m consecutive lags determine a RoPE head up to one complex number per plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.head.identified import factor
from ropeproof.theory.topics.head.identified.factor import HEAD_ONE_FACTOR
from ropeproof.theory.topics.head.identified.forms import (
    HEAD,
    OTHER,
    a,
    at_lag,
    by_one_factor,
    dimension,
    g,
    h,
    images,
    imaginary_part,
    logit_of,
    multiplied,
    real_part,
    same_form,
    same_logit,
    same_number,
    x,
    x_0,
    y,
    y_0,
)
from ropeproof.theory.topics.rope.expressive import expressive, expressive_exists
from ropeproof.theory.topics.rope.expressive.expressive import ROPE_EXPRESSIVE

lag, u = expressive_exists.t, expressive_exists.u

SAME = Hypothesis(
    "the two heads have the same logits of all token vectors at 2m consecutive lags",
    Every((x(a), y(a), lag), If(within(lag, u, u + 2 * m - 1), same_logit(lag))),
)
HERE = (expressive_exists.PLANES, expressive.SCALE, expressive.IN_RANGE, expressive.DISTINCT)
plane_ = within(l, 0, m - 1)


def nonzero(plane: Any, query: Any, key: Any) -> Any:
    """The formula that the first head's form of a plane is not 0 at two token vectors."""
    return Either(
        ne(real_part(HEAD, query, key, plane), 0), ne(imaginary_part(HEAD, query, key, plane), 0)
    )


forms = Every((x(a), y(a)), every(l, 0, m - 1, same_form()))
factors = every(l, 0, m - 1, Every((x_0(a), y_0(a)), If(nonzero(l, x_0, y_0), by_one_factor())))
logits = Every((x(a), y(a), at_lag), same_logit(at_lag))


def _forms(p: Proof) -> Fact:
    """The forms are the same: the differences are coefficients of a combination that vanishes."""
    cosine = s * (real_part(HEAD, x, y) - real_part(OTHER, x, y))
    sine = -s * (imaginary_part(HEAD, x, y) - imaginary_part(OTHER, x, y))
    at = p.under(within(lag, u, u + 2 * m - 1))
    same = at.use(
        SAME, {x: x, y: y, lag: lag}, why="The two heads have the same logit at this lag."
    )
    difference = p.show(
        eq(
            expressive_exists.combination(m, lag, sp.Lambda(l, cosine), sp.Lambda(l, sine)),
            logit_of(HEAD, x, y, lag) - logit_of(OTHER, x, y, lag),
        ),
        "The difference of the two logits is a combination of the planes' cosines and sines.",
    )
    vanishes = at.show(
        eq(difference.formula.lhs, 0), "So this combination vanishes at the lag.", same, difference
    ).for_all(lag, why="It vanishes at each of the 2m lags.")
    determined = p.lemma(
        ROPE_EXPRESSIVE,
        {n: 2 * m},
        HERE,
        why="By the claim on logits, 2m lags determine the coefficients of such a combination.",
    ).parts("This is one part of that claim.")[1]
    none = p.use(
        determined,
        {expressive_exists.a: sp.Lambda(l, cosine), expressive_exists.c: sp.Lambda(l, sine), u: u},
        vanishes,
        why="So its coefficients are 0.",
    )
    here = p.under(plane_)
    zero = here.use(none, why="In particular those of this plane are 0.")
    return here.show(
        same_form(),
        "As the scale is not 0, the two forms of this plane are the same.",
        zero,
        expressive.SCALE,
    )


def _quotient(p: Proof) -> Fact:
    """Of two complex numbers, the second not 0, there is a quotient."""
    (q_x, q_y), (other_x, other_y) = factor.q_0, factor.other_q_0
    size = q_x**2 + q_y**2
    return (
        p.under(lt(0, size))
        .witness(
            Some((g, h), same_number(factor.other_q_0, multiplied(factor.q_0, (g, h)))),
            {g: (other_x * q_x + other_y * q_y) / size, h: (other_y * q_x - other_x * q_y) / size},
            why="The quotient of two complex numbers exists if the second is not 0.",
        )
        .for_all(*factor.q_0, *factor.other_q_0, why="It is so for all such numbers.")
    )


def _not_zero(p: Proof) -> Fact:
    """A factor of a product that is not 0 is not 0."""
    (q_x, q_y), (k_x, k_y) = factor.q_0, factor.k_0
    product = Either(ne(q_x * k_x + q_y * k_y, 0), ne(q_y * k_x - q_x * k_y, 0))
    return (
        p.under(product)
        .show(lt(0, q_x**2 + q_y**2), "A factor of a product that is not 0 is not 0.")
        .for_all(*factor.q_0, *factor.k_0, why="It is so for all such numbers.")
    )


def _factor(p: Proof, known: Fact) -> Fact:
    """Where the form of a plane is not 0 the two heads differ by one number there."""
    here = p.under(plane_, nonzero(l, x_0, y_0))
    query, key = images(HEAD[:2], x_0), images(HEAD[2:], y_0)
    other_query, other_key = images(OTHER[:2], x_0), images(OTHER[2:], y_0)
    at = {
        **dict(zip(factor.q_0, query, strict=True)),
        **dict(zip(factor.k_0, key, strict=True)),
        **dict(zip(factor.other_q_0, other_query, strict=True)),
        **dict(zip(factor.other_k_0, other_key, strict=True)),
    }
    some_ = here.given(nonzero(l, x_0, y_0), "Let the form of the plane be other than 0 there.")
    size = here.use(
        _not_zero(p),
        {of: at[of] for of in (*factor.q_0, *factor.k_0)},
        some_,
        why="So the query's number is not 0.",
    )
    exist = here.use(
        _quotient(p),
        {of: at[of] for of in (*factor.q_0, *factor.other_q_0)},
        size,
        why="So the quotient c of the two queries' numbers exists.",
    )
    chosen = exist.body()
    named_ = chosen.given(exist.formula.args[1], "Let c be this quotient.")
    same = [
        here.use(known, {x: first, y: second}, why="The two forms agree at these token vectors.")
        for first, second in ((x_0, y_0), (x, y_0), (x_0, y))
    ]
    tokens = {
        **dict(zip(factor.q, images(HEAD[:2], x), strict=True)),
        **dict(zip(factor.k, images(HEAD[2:], y), strict=True)),
        **dict(zip(factor.other_q, images(OTHER[:2], x), strict=True)),
        **dict(zip(factor.other_k, images(OTHER[2:], y), strict=True)),
    }
    parts = chosen.lemma(
        HEAD_ONE_FACTOR,
        {**at, **tokens, g: g, h: h},
        (same[0], some_, named_),
        why="So this number takes all factors of such products to the other head's.",
    ).parts("This is one part of that lemma.")
    body = by_one_factor().args[1]
    both = chosen.show(
        body.args[1].args[1],
        "So it takes this query and this key to the other head's.",
        parts[1:],
        same,
    ).for_all(x(a), y(a), why="It is so for all token vectors.")
    found = chosen.witness(
        by_one_factor(), {g: g, h: h}, parts[0], both, why="So c is the number of this plane."
    )
    return here.choose(
        exist, found, "There is such a number, and the conclusion does not depend on it."
    )


def _logits(known: Fact) -> Fact:
    """Equal forms give equal logits at any lag."""
    parts = known.parts("This is one of the two parts of the plane's form.")
    term, other = (logit_of(head, x, y, at_lag).function for head in (HEAD, OTHER))
    return known.scope.rewrite(
        eq(term, other), "So the plane adds the same to both logits.", *parts
    ).summed(l, 0, m - 1, "So the two logits are the same at every lag.")


def conjugate_forms(first: Any, second: Any) -> Any:
    """The formula that a form is the conjugate of the other head's."""
    return every(
        l,
        0,
        m - 1,
        Both(
            eq(real_part(HEAD, first, second), real_part(OTHER, first, second)),
            eq(imaginary_part(HEAD, first, second), -imaginary_part(OTHER, first, second)),
        ),
    )


CONJUGATE = Every((x(a), y(a)), conjugate_forms(x, y))
DOUBLED = Every(
    (x(a), y(a)), every(l, 0, m - 1, eq(real_part(HEAD, x, y), 2 * real_part(OTHER, x, y)))
)
NEXT = Every(
    (x(a), y(a), at_lag), eq(logit_of(HEAD, x, y, at_lag), logit_of(OTHER, x, y, at_lag + 1))
)
MUTANTS = {
    "conjugate forms": Both(CONJUGATE, factors, logits),
    "half the form": Both(DOUBLED, factors, logits),
    "one lag later": Both(forms, factors, NEXT),
}
"""False conclusions, also of the claim on weights."""


def heads(
    first: tuple[Any, ...], second: tuple[Any, ...], count: int = 1, frequency: Any = 1, **more: Any
) -> tuple[Any, ...]:
    """An instance of two heads, whose rows are terms in the plane l and the coordinate a."""
    values = {m: count, dimension: more.get("D", 1), s: more.get("s", 1), u: 1, n: more.get("n", 3)}
    return (
        *where(values),
        Every((l,), eq(theta(l), frequency)),
        *(
            Every((l, a), eq(rows(l, a), value))
            for rows, value in zip((*HEAD, *OTHER), (*first, *second), strict=True)
        ),
    )


TURNED = heads((1, 0, 1, 0), (0, 1, 0, 1))
"""Two heads of one plane that differ by the number i."""
MUTANTS_AT = {
    "conjugate forms": heads((0, 1, 1, 0), (0, 1, 1, 0)),
    "half the form": TURNED,
    "one lag later": TURNED,
}
WITHOUT = {
    expressive.SCALE: heads((1, 0, 1, 0), (2, 0, 1, 0), s=0),
    expressive.IN_RANGE: heads((1, 1, 1, 0), (1, 0, 1, 0), frequency=0),
    expressive.DISTINCT: heads((1 + l, 0, 1, 0), (2 - l, 0, 1, 0), 2, n=5),
}
"""Instances that show the need of a hypothesis, also for the claim on weights."""


@theorem(
    "head.identified",
    role="main result",
    source=Source(
        "ropeproof",
        "own statement and proof; compare the abstract of Tran et al., Functional Equivalence in "
        "Attention (arXiv 2606.17830)",
    ),
    needs="PTX",
    hypotheses=(*HERE, SAME),
    conclusion=Both(forms, factors, logits),
    example=TURNED,
    attack=Attack(
        MUTANTS,
        at=MUTANTS_AT,
        idle={expressive_exists.PLANES: "without planes nothing is said"},
        without={**WITHOUT, SAME: heads((1, 0, 1, 0), (2, 0, 1, 0))},
    ),
)
def HEAD_IDENTIFIED(p: Proof) -> None:
    r"""Logits at 2m consecutive lags determine a RoPE head up to one complex number per plane

    Two heads with the same $m$ distinct frequencies $\theta_l\in(0,\pi)$ and the same scale $s\ne0$, with
    linear $q_l,k_l$ and $q_l',k_l'$ from token vectors in $\mathbb R^D$ to $\mathbb C$ in each plane,
    the rows of $W_Q$ and $W_K$. If both have the same logits
    $s\,\mathrm{Re}\sum_lq_l(x)\overline{k_l(y)}e^{\mathrm i\theta_lt}$ for all token vectors $x,y$ at $2m$
    consecutive lags $t$, then $q_l(x)\overline{k_l(y)}=q_l'(x)\overline{k_l'(y)}$ for all $x,y$ in each
    plane; where this form is not 0 for some $x,y$, there is one complex number $c\ne0$ with $q_l'=cq_l$ and
    $k_l'=k_l/\bar c$; and the logits agree at every lag.
    """
    known = _forms(p)
    every_form = known.for_all(l, why="So it is in every plane.").for_all(
        x(a), y(a), why="So it is at all token vectors."
    )
    apart = _factor(p, known)
    all_factors = apart.for_all(x_0(a), y_0(a), why="It is so wherever the form is not 0.").for_all(
        l, why="It is so in every plane."
    )
    p.qed(
        "These are the three parts of the claim.",
        every_form,
        all_factors,
        _logits(known).for_all(x(a), y(a), at_lag, why="It is so for all token vectors and lags."),
    )
