"""Exponential and logarithm: the few inequalities that proofs need, from the derivative."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "exp_log", "convex", "hoeffding", "hyperbolic", "logistic")
