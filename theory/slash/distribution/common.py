"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import key_x, key_y, l, query_x, query_y

__all__ = ["MEAN_KEY", "MEAN_QUERY", "other_x", "other_y", "others_x", "others_y", "p_", "t", "u_"]

other_x, other_y = real_function("X_q"), real_function("Y_q")


others_x, others_y = real_function("X_k"), real_function("Y_k")


t = integer("t")


MEAN_QUERY, MEAN_KEY = (query_x(l), query_y(l)), (key_x(l), key_y(l))


p_, u_ = real_function("p"), real_function("u")
