"""What is said of two heads with the same logits or weights, what would be false, and two-head instances."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.head.identified.forms import (
    HEAD,
    OTHER,
    a,
    at_lag,
    by_one_factor,
    dimension,
    imaginary_part,
    logit_of,
    real_part,
    same_form,
    same_logit,
    x,
    x_0,
    y,
    y_0,
)
from ropeproof.theory.topics.head.identified.forms import MEANINGS as OF_FORMS
from ropeproof.theory.topics.rope.expressive import expressive, expressive_exists

lag, u = expressive_exists.t, expressive_exists.u
MEANINGS: Meanings = {**OF_FORMS, lag: "a lag of the window", u: "first lag of the window"}
HERE = (expressive_exists.PLANES, expressive.SCALE, expressive.IN_RANGE, expressive.DISTINCT)
plane_ = within(l, 0, m - 1)


def nonzero(plane: Term, query: Function, key: Function) -> Formula:
    """The formula that the first head's form of a plane is not 0 at two token vectors."""
    return Either(
        ne(real_part(HEAD, query, key, plane), 0), ne(imaginary_part(HEAD, query, key, plane), 0)
    )


forms = Every((x(a), y(a)), every(l, 0, m - 1, same_form()))
factors = every(l, 0, m - 1, Every((x_0(a), y_0(a)), If(nonzero(l, x_0, y_0), by_one_factor())))
logits = Every((x(a), y(a), at_lag), same_logit(at_lag))


def conjugate_forms(first: Function, second: Function) -> Formula:
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
    first: tuple[Term | int, Term | int, Term | int, Term | int],
    second: tuple[Term | int, Term | int, Term | int, Term | int],
    count: int = 1,
    frequency: Term | int = 1,
    **more: int,
) -> tuple[Formula, ...]:
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
