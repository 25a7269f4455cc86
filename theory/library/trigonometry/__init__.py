"""Sines and cosines: facts that the proofs of other topics use."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "sine", "cosine", "turns", "jordan", "values")
