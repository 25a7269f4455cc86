"""When an implementation is RoPE: what a test has to try (theory notes, section 12)."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "basis", "probe", "group", "blind")
