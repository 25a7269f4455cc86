"""Logits at 2m consecutive lags determine a RoPE head up to one complex number per plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.head.identified import conclusion, forms
from ropeproof.theory.topics.head.identified.conclusion import HERE, lag, u
from ropeproof.theory.topics.head.identified.forms import HEAD, OTHER, a, at_lag, x, x_0, y, y_0
from ropeproof.theory.topics.head.identified.one_number import one_number
from ropeproof.theory.topics.rope.expressive import expressive, expressive_exists
from ropeproof.theory.topics.rope.expressive.expressive import ROPE_EXPRESSIVE

MEANINGS: Meanings = {**NOTATION, **conclusion.MEANINGS, j: "a position"}

SAME = Hypothesis(
    "the two heads have the same logits of all token vectors at 2m consecutive lags",
    Every((x(a), y(a), lag), If(within(lag, u, u + 2 * m - 1), forms.same_logit(lag))),
)


def forms_from(
    p: Proof, same: Fact, start: Term, query: Callable[..., Term], key: Callable[..., Term]
) -> Fact:
    """The forms of two token vectors are the same if their logits are at 2m lags from a start.

    The differences are coefficients of a combination of cosines and sines that vanishes.
    """
    cosine = s * (forms.real_part(HEAD, query, key) - forms.real_part(OTHER, query, key))
    sine = -s * (forms.imaginary_part(HEAD, query, key) - forms.imaginary_part(OTHER, query, key))
    at = p.under(within(lag, start, start + 2 * m - 1))
    difference = p.show(
        eq(
            expressive_exists.combination(m, lag, sp.Lambda(l, cosine), sp.Lambda(l, sine)),
            forms.logit_of(HEAD, query, key, lag) - forms.logit_of(OTHER, query, key, lag),
        ),
        "The difference of the two logits is a combination of the planes' cosines and sines.",
    )
    vanishes = at.show(
        eq(difference.formula.lhs, 0), "So this combination vanishes at the lag.", same, difference
    ).for_all(lag, why="It vanishes at each of the 2m lags.")
    determined = p.lemma(
        ROPE_EXPRESSIVE.at(n=2 * m),
        HERE,
        why="By the claim on logits, 2m lags determine the coefficients of such a combination.",
    ).parts("This is one part of that claim.")[1]
    none = p.use(
        determined,
        {
            expressive_exists.a: sp.Lambda(l, cosine),
            expressive_exists.c: sp.Lambda(l, sine),
            u: start,
        },
        vanishes,
        why="So its coefficients are 0.",
    )
    here = p.under(conclusion.plane_)
    zero = here.use(none, why="In particular those of this plane are 0.")
    return here.show(
        forms.same_form(l, query, key),
        "As the scale is not 0, the two forms of this plane are the same.",
        zero,
        expressive.SCALE,
    )


def same_logits(known: Fact) -> Fact:
    """Equal forms give equal logits at any lag."""
    parts = known.parts("This is one of the two parts of the plane's form.")
    term, other = (forms.logit_of(head, x, y, at_lag).function for head in (HEAD, OTHER))
    return known.scope.rewrite(
        eq(term, other), "So the plane adds the same to both logits.", *parts
    ).summed(l, 0, m - 1, "So the two logits are the same at every lag.")


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
    conclusion=Both(conclusion.forms, conclusion.factors, conclusion.logits),
    example=conclusion.TURNED,
    attack=Attack(
        conclusion.MUTANTS,
        at=conclusion.MUTANTS_AT,
        idle={expressive_exists.PLANES: "without planes nothing is said"},
        without={**conclusion.WITHOUT, SAME: conclusion.heads((1, 0, 1, 0), (2, 0, 1, 0))},
    ),
)
def HEAD_IDENTIFIED(p: Proof) -> None:
    r"""Logits at 2m consecutive lags determine a RoPE head up to one complex number per plane

    Two heads with the same $m$ distinct frequencies $\theta_l\in(0,\pi)$ and the same scale
    $s\ne0$, with linear $q_l,k_l$ and $q_l',k_l'$ from token vectors in $\mathbb R^D$ to $\mathbb
    C$ in each plane, the rows of $W_Q$ and $W_K$. If both have the same logits
    $s\,\mathrm{Re}\sum_lq_l(x)\overline{k_l(y)}e^{\mathrm i\theta_lt}$ for all token vectors
    $x,y$ at $2m$ consecutive lags $t$, then $q_l(x)\overline{k_l(y)}=q_l'(x)\overline{k_l'(y)}$
    for all $x,y$ in each plane; where this form is not 0 for some $x,y$, there is one complex
    number $c\ne0$ with $q_l'=cq_l$ and $k_l'=k_l/\overline c$; and the logits agree at every lag.
    """
    at = p.under(within(lag, u, u + 2 * m - 1))
    same = at.use(
        SAME, {x: x, y: y, lag: lag}, why="The two heads have the same logit at this lag."
    )
    known = forms_from(p, same, u, x, y)
    every_form = known.for_all(l, why="So it is in every plane.").for_all(
        x(a), y(a), why="So it is at all token vectors."
    )
    apart = one_number(p, known)
    all_factors = apart.for_all(x_0(a), y_0(a), why="It is so wherever the form is not 0.").for_all(
        l, why="It is so in every plane."
    )
    p.qed(
        "These are the three parts of the claim.",
        every_form,
        all_factors,
        same_logits(known).for_all(
            x(a), y(a), at_lag, why="It is so for all token vectors and lags."
        ),
    )
