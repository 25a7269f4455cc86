"""What slow planes cannot do: a logit that changes slowly gives a smear, not a slash."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "low_only", "lipschitz_ceiling")
