"""Sines and cosines: what the proofs of other topics need of them."""

from ropeproof.theory.joined import joined

__getattr__ = joined(__name__, "sine", "cosine", "turns", "jordan", "values")
