"""The best additive fit of logits, what it explains, and what that asks of the planes."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "fit", "energies", "explained", "pattern")
