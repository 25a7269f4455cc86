"""From a margin to a slash, on every prompt, in and out of distribution."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "row_emergence", "emergence")
