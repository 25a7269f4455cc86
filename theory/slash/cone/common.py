"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, n

__all__ = [
    "c",
    "cone",
    "dimension",
    "direction",
    "eps",
    "matrix",
    "rho",
    "scale",
    "scatter",
    "sigma",
    "size",
    "slope",
    "t_",
    "test",
    "token",
    "top",
    "x_",
    "y_",
    "zeta",
]

c, dimension = integer("c D")


eps, zeta, size, top, rho, sigma, slope = real("varepsilon zeta a top rho sigma tan_alpha")


direction, scatter, scale = real_function("v"), real_function("z"), real_function("a_token")


test = real_function("x")


matrix, cone, token = real_function("W"), real_function("u"), real_function("xi")


def _row(vector: Any) -> Any:
    return sp.Sum(vector, (l, 0, m - 1))


def _tokens(term: Any) -> Any:
    return sp.Sum(term, (j, 0, n - 1))


def _statement(v: Any, z: Any) -> tuple[Any, Any, Any, Any]:
    """The Rayleigh bound, r_1, r_0.95 and the fit, for q_j = a_j (v + z_j)."""
    query = scale(j) * (v(l) + z(j, l))
    total = _tokens(_row(query**2))
    first = le((1 - eps**2) * total, top)
    share = If(lt(0, total), le(1 - eps**2, top / total))
    one = If(le(eps**2, sp.Rational(5, 100)), le(sp.Rational(95, 100) * total, top))
    near = every(
        j,
        0,
        n - 1,
        If(
            Both(lt(0, size), le(sp.Abs(scale(j) / size - 1), zeta)),
            le(
                sp.sqrt(_row((query - size * v(l)) ** 2)),
                (zeta + (1 + zeta) * eps) * sp.sqrt(_row((size * v(l)) ** 2)),
            ),
        ),
    )
    return first, share, one, near


def _rayleigh(v: Any, z: Any) -> Any:
    query = scale(j) * (v(l) + z(j, l))
    return Every((test(l),), le(_tokens(_row(query * test(l)) ** 2), top * _row(test(l) ** 2)))


x_, y_, t_ = real("x y t")
