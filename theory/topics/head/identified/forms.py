"""The form of a plane, q_l(x) times the conjugate of k_l(y), for two heads of the same frequencies."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, over_planes, s, theta

dimension, a, z = integer("D a z")
at_lag = real("tau")
x, y = real_function("x"), real_function("y")
x_0, y_0 = real_function("x_0"), real_function("y_0")
query_re, query_im = real_function("Q_x"), real_function("Q_y")
key_re, key_im = real_function("K_x"), real_function("K_y")
other_query_re, other_query_im = real_function("Q_x_other"), real_function("Q_y_other")
other_key_re, other_key_im = real_function("K_x_other"), real_function("K_y_other")

Head = tuple[Function, Function, Function, Function]
"""Rows of W_Q and of W_K by plane and coordinate: real and imaginary part of q_l, then of k_l."""

HEAD: Head = (query_re, query_im, key_re, key_im)
OTHER: Head = (other_query_re, other_query_im, other_key_re, other_key_im)


def image(rows: Function, token: Callable[..., Term], plane: Term = l) -> Term:
    """A row of W_Q or of W_K, that of a coordinate of a plane, times a token vector."""
    return sp.Sum(rows(plane, a) * token(a), (a, 0, dimension - 1))


def real_part(
    head: Head, query: Callable[..., Term], key: Callable[..., Term], plane: Term = l
) -> Term:
    """The real part of a plane's form q_l(x) conj(k_l(y)) at two token vectors."""
    q_x, q_y = image(head[0], query, plane), image(head[1], query, plane)
    k_x, k_y = image(head[2], key, plane), image(head[3], key, plane)
    return q_x * k_x + q_y * k_y


def imaginary_part(
    head: Head, query: Callable[..., Term], key: Callable[..., Term], plane: Term = l
) -> Term:
    """The imaginary part of a plane's form q_l(x) conj(k_l(y)) at two token vectors."""
    q_x, q_y = image(head[0], query, plane), image(head[1], query, plane)
    k_x, k_y = image(head[2], key, plane), image(head[3], key, plane)
    return q_y * k_x - q_x * k_y


def logit_of(
    head: Head, query: Callable[..., Term], key: Callable[..., Term], lag: Term | int
) -> Term:
    """The logit s Re sum_l q_l(x) conj(k_l(y)) exp(i theta_l t) of two token vectors at a lag."""
    angle = theta(l) * lag
    return over_planes(
        s
        * (
            real_part(head, query, key) * sp.cos(angle)
            - imaginary_part(head, query, key) * sp.sin(angle)
        )
    )


def same_form(
    plane: Term = l, query: Callable[..., Term] = x, key: Callable[..., Term] = y
) -> Formula:
    """The formula that the two heads have the same form in a plane at two token vectors."""
    return Both(
        eq(real_part(HEAD, query, key, plane), real_part(OTHER, query, key, plane)),
        eq(imaginary_part(HEAD, query, key, plane), imaginary_part(OTHER, query, key, plane)),
    )


def same_logit(lag: Term, query: Callable[..., Term] = x, key: Callable[..., Term] = y) -> Formula:
    """The formula that the two heads have the same logit of two token vectors at a lag."""
    return eq(logit_of(HEAD, query, key, lag), logit_of(OTHER, query, key, lag))


g, h = real("c_x c_y")
MEANINGS: Meanings = {
    dimension: "dimension of a token vector",
    a: "a coordinate",
    at_lag: "any lag, a real number",
    x: vector_in(dimension, "the query's token vector"),
    y: vector_in(dimension, "the key's token vector"),
    x_0: vector_in(dimension, "one where the form is not 0"),
    y_0: vector_in(dimension, "one where it is not 0"),
    query_re: vector_in(dimension, "Re q_l, a row of W_Q, by plane and coordinate", matrix=True),
    query_im: vector_in(dimension, "Im q_l, the next row", matrix=True),
    key_re: vector_in(dimension, "Re k_l, a row of W_K", matrix=True),
    key_im: vector_in(dimension, "Im k_l, the next row", matrix=True),
    other_query_re: vector_in(dimension, "the other head's Re q_l", "Q′_x", "Q'_x", matrix=True),
    other_query_im: vector_in(dimension, "its Im q_l", "Q′_y", "Q'_y", matrix=True),
    other_key_re: vector_in(dimension, "its Re k_l", "K′_x", "K'_x", matrix=True),
    other_key_im: vector_in(dimension, "its Im k_l", "K′_y", "K'_y", matrix=True),
    g: "real part of c",
    h: "imaginary part of c",
}


def multiplied(of: Sequence[Term], by: Sequence[Term]) -> tuple[Any, Any]:
    """The product of two complex numbers, each given by its two parts."""
    return of[0] * by[0] - of[1] * by[1], of[1] * by[0] + of[0] * by[1]


def images(rows: tuple[Function, Function], token: Function, plane: Term = l) -> tuple[Term, Term]:
    """A complex number of a plane at a token vector, from the rows of its two parts."""
    return image(rows[0], token, plane), image(rows[1], token, plane)


def same_number(left: Sequence[Term], right: Sequence[Term]) -> Any:
    """The formula that two complex numbers are equal."""
    return Both(eq(left[0], right[0]), eq(left[1], right[1]))


def by_one_factor(plane: Term = l) -> Formula:
    """The formula that some c = c_x + i c_y, not 0, has q_l' = c q_l and k_l' = k_l / conj(c)."""
    size = g**2 + h**2
    query = same_number(images(OTHER[:2], x, plane), multiplied(images(HEAD[:2], x, plane), (g, h)))
    key = same_number(
        images(OTHER[2:], y, plane), multiplied(images(HEAD[2:], y, plane), (g / size, h / size))
    )
    return Some((g, h), Both(lt(0, size), Every((x(a), y(a)), Both(query, key))))
