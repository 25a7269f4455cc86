"""Other prompts: nearly the same attention; and what a slash head hands to the network after it."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "ood", "composition")
