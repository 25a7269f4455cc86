"""Sines and cosines: what the proofs of other topics need of them."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "sine", "cosine", "turns", "jordan", "values")
