"""From margins to attention weights (theory notes, section 2)."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "margin",
    "needed",
    "odds",
    "masses",
    "variation",
    "moved_output",
    "entropy",
    "gibbs",
    "gibbs_competitors",
    "temperature",
    "decoding",
    "token",
    "race.race",
    "race.race_longer",
    "race.race_width",
)
